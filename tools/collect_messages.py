"""Collector of all messages of the program into the catalogues: ``make words``.

A message is found by Babel where it is written: in `say`, in a `Note`, in an error that speaks to people (see
`KEYWORDS`), or marked with `nousu.engine.messages.sentence` where it is put into a table or a variable first.
The sentences of rule options are read from the games, those of lessons from their files. New messages are
added to every catalogue with an empty translation, unused messages are dropped, and those not translated yet
are listed.
"""

import sys
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from nousu.engine.options import options
from nousu.games import games
from nousu.i18n import CATALOGUES, LANGUAGES
from nousu.i18n.families import FILE, families
from nousu.teaching.lessons import texts

ROOT = Path(__file__).parent.parent / "src" / "nousu"
METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
_FIRST, _SECOND = (1,), (2,)
KEYWORDS: Mapping[str, Any] = {
    "say": _FIRST,
    "sentence": {None: _FIRST, 2: (1, 2), 3: (1, 2)},  # 3: a comma at the end
    "pgettext": ((1, "c"), 2),
    "Note": _SECOND,
    "IllegalAction": _SECOND,
    "BadRules": _SECOND,
    "RequestError": _FIRST,
    "NoSuchTable": _FIRST,
    "NotYours": _FIRST,
    "_NoSession": _FIRST,
    "Stale": _FIRST,
    "KeyReused": _FIRST,
    "Unavailable": _FIRST,
    "_ForeignOrigin": _FIRST,
    "_BadMessage": _FIRST,
    "_TooLarge": _FIRST,
    "_HeaderTooLarge": _FIRST,
    "Refusal": _FIRST,
    "Damaged": _SECOND,
    "ForeignMarks": _SECOND,
    "done": _SECOND,
    "ruling": _SECOND,
    "words": _FIRST,
    "choice_because": _SECOND,
}
"""Numbers, from 1, of a callable's arguments that are messages; two are its singular and its plural."""
HEADER = """msgid ""
msgstr ""
"Language: {language}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"

"""


@cache
def template() -> Catalog:
    """The messages in use, with the files that say them."""
    catalogue = Catalog(project="nousu", charset="utf-8")
    for file, _, message, _, context in extract_from_dir(
        ROOT, METHODS, {}, KEYWORDS, strip_comment_tags=True
    ):
        catalogue.add(message, auto_comments=[file], context=context)
    for game in games().values():
        place = game.rules.__module__.removeprefix("nousu.").replace(".", "/") + ".py"
        for item in options(game.rules):
            catalogue.add(item.doc, auto_comments=[place])
    for family, about in families().items():
        for text in about.texts():
            catalogue.add(text, auto_comments=[f"games/{family}/{FILE}"])
    for text, place in texts():
        catalogue.add(text, auto_comments=[place])
    return catalogue


def english(message: Message) -> tuple[str, ...]:
    """The English of a message: one text, or singular and plural."""
    return tuple(map(str, message.id)) if isinstance(message.id, tuple) else (str(message.id),)


def said() -> dict[tuple[str, ...], list[str]]:
    """Messages without a context (one text, or singular and plural) with the files that say them."""
    plain = [message for message in template() if message.id and message.context is None]
    return {english(message): message.auto_comments for message in plain}


def used() -> dict[str, list[str]]:
    """Texts of messages without a context with the files that say them."""
    return {text: files for forms, files in said().items() for text in forms}


def read(language: str) -> Catalog:
    """A catalogue as it is on disk (empty if there is none)."""
    path = CATALOGUES / f"{language}.po"
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def missing(language: str) -> list[str]:
    """The messages that a catalogue lacks in one of their forms, or has only as a guess (fuzzy)."""
    known = read(language)
    lacking = []
    for message in template():
        entry = known.get(message.id, message.context) if message.id else message
        if message.id and (
            entry is None
            or entry.fuzzy
            or entry.id != message.id
            or not all(_forms(entry, known.num_plurals))
        ):
            lacking.append(english(message)[0])
    return lacking


def _forms(entry: Message, count: int) -> tuple[str, ...]:
    """The translations of a message: one, or as many as the language has plurals (empty where one lacks)."""
    if not entry.pluralizable:
        return (str(entry.string),)
    forms = entry.string if isinstance(entry.string, tuple) else (entry.string,)
    return (*forms, *[""] * (count - len(forms)))


def updated(language: str) -> bytes:
    """A catalogue with every message in use: it keeps its translations and drops unused messages."""
    before = read(language)
    after = Catalog(locale=language, charset="utf-8")
    for message in sorted(template(), key=lambda one: (english(one), one.context or "")):
        known = before.get(message.id, message.context) if message.id else None
        if message.id:
            after.add(
                message.id,
                known.string if known is not None and known.id == message.id else "",
                auto_comments=sorted(set(message.auto_comments)),
                flags=known.flags & {"fuzzy"} if known is not None else (),
                context=message.context,
            )
    written = BytesIO(HEADER.format(language=language, plurals=before.plural_forms.rstrip(";")).encode())
    written.seek(0, 2)
    write_po(written, after, width=100, omit_header=True)
    return written.getvalue()


def main() -> int:
    """Update every catalogue, begin those asked for by code, and list untranslated messages."""
    lacking = 0
    for language in {**dict.fromkeys(LANGUAGES), **dict.fromkeys(sys.argv[1:])}:
        if language == "en":
            continue
        (CATALOGUES / f"{language}.po").write_bytes(updated(language))
        for message in missing(language):
            lacking += 1
            print(f"{language}: {message}")
    print(f"{len(template())} messages, {lacking} translations missing")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
