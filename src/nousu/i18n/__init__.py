"""The words people read, in their language: message ids are English sentences with named places.

A language is a gettext catalogue in ``catalogues/``; to add one, put it there. A checkout keeps the ``.po``
that translators write and compiles it when it has changed; an installed package has only the ``.mo``.
A sentence is always one message; it is never built from pieces. The texts of clauses are messages too:
English in ``rules/*.md``, translated in ``rules/<language>/*.md`` under the same ids.
"""

import os
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from nousu.engine.messages import Counted, number_in

CATALOGUES = Path(__file__).parent / "catalogues"
RULES = Path(__file__).parent / "rules"
GLOSSARY = Path(__file__).parent / "glossary"
"""The terms of each language, for translators and tests."""
_ORDER = ("fi", "en", "sv", "nb", "de")


def languages(folder: Path = CATALOGUES) -> tuple[str, ...]:
    """The languages that have a catalogue there, and English, by code in the order people choose from; one
    that is not in `_ORDER` comes behind the others."""
    found = {path.stem for path in folder.iterdir() if path.suffix in (".po", ".mo")} | {"en"}
    return (*(code for code in _ORDER if code in found), *sorted(found - set(_ORDER)))


LANGUAGES = languages()
"""Languages by code, the first one being home."""

Translate = Callable[..., str]


@cache
def catalogue(language: str) -> NullTranslations:
    """The catalogue of a language; one without a catalogue, like English, says messages as they are."""
    written, compiled = (CATALOGUES / f"{language}{suffix}" for suffix in (".po", ".mo"))
    if written.exists() and (not compiled.exists() or compiled.stat().st_mtime < written.stat().st_mtime):
        return GNUTranslations(BytesIO(compile_catalogue(written)))
    if not compiled.exists():
        return NullTranslations()
    with compiled.open("rb") as file:
        return GNUTranslations(file)


def compile_catalogue(written: Path) -> bytes:
    """The ``.mo`` of a ``.po``, which is put beside it where that is allowed. Needs Babel."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with written.open("rb") as source:
        messages = read_po(source, locale=written.stem)
    made = BytesIO()
    write_mo(made, messages)
    own = written.with_suffix(f".{os.getpid()}")
    try:
        own.write_bytes(made.getvalue())
        own.replace(written.with_suffix(".mo"))  # whole or not at all: others may be reading it
    except OSError:
        own.unlink(missing_ok=True)
    return made.getvalue()


@cache
def _clause_words(language: str) -> Mapping[str, str]:
    """The texts and titles of clauses in a language by what they are in English."""
    both = ((clause_texts(), clause_texts(language)), (titles(), titles(language)))
    return {text: ours[key] for english, ours in both for key, text in english.items() if key in ours}


CLAUSE = re.compile(r"\*\*(?P<id>[A-Z]+-[A-Z]+-\w+)\*\* \((?P<topic>[^)]*)\) (?P<text>\S.*)")
"""A paragraph that is a clause: id, what it is about (a phase, or the topic of a resolution), text."""


@cache
def clause_texts(language: str = "en") -> dict[str, str]:
    """The text of every clause and resolution by id, in one language; what is not translated is missing.
    A resolution (``A-…``) begins with its topic."""
    paragraphs = (
        " ".join(paragraph.split()) for text in _texts(language).values() for paragraph in text.split("\n\n")
    )
    return {
        found["id"]: f"{found['topic']} – {found['text']}" if found["id"].startswith("A-") else found["text"]
        for found in map(CLAUSE.fullmatch, paragraphs)
        if found
    }


@cache
def titles(language: str = "en") -> dict[str, str]:
    """The title of every text of clauses by the name of its file: ``t_cat``."""
    return {
        name: text.partition("\n")[0].removeprefix("# ").strip() for name, text in _texts(language).items()
    }


def _texts(language: str) -> dict[str, str]:
    return {path.stem: path.read_text("utf-8") for path in sorted((RULES / language).glob("*.md"))}


@cache
def translator(language: str) -> Translate:
    """The function that says a message in that language: ``t("{name} leads", name="Aino")``.

    A message with a plural (`nousu.engine.messages.sentence`) takes the form its number needs. What is
    missing from a catalogue is said in English.
    """
    words = catalogue(language)
    clauses = {} if language == "en" else _clause_words(language)

    @lru_cache(4096)
    def plain(message: str) -> str:
        return clauses.get(message) or words.gettext(message)

    def say(message: str, /, **values: object) -> str:
        if not values and type(message) is str:
            return plain(message)
        if type(message) is Counted:
            number = number_in(message, values)
            text = words.ngettext(message, message.many, 2 if number is None else number)
        else:
            text = plain(message)
        if not values:
            return text
        return text.format(**{name: _written(value, language) for name, value in values.items()})

    return say


def language_name(language: str) -> str:
    """What a language calls itself: ``Suomi``."""
    pgettext = catalogue(language).pgettext
    return pgettext("the name of this language in this language", "English")


def numeral(value: int) -> str:
    """A number as people write it: with a minus sign, not a hyphen.

    >>> numeral(-55)
    '−55'
    """
    return str(value).replace("-", "−")


def signed(value: int) -> str:
    """A gain or a loss: ``+12`` or ``−55``."""
    return f"{value:+d}".replace("-", "−")


def decimal(value: float, language: str, *, signed: bool = True) -> str:
    """A number with one decimal as people write it; a gain or a loss has its sign, nothing at all has none.

    >>> decimal(-2.41, "fi"), decimal(0.02, "en")
    ('−2,4', '0.0')
    """
    text = f"{abs(value):.1f}"
    sign = "" if not signed or float(text) == 0 else "+" if value > 0 else "−"
    return sign + (text if language == "en" else text.replace(".", ","))


def gained(value: float, language: str) -> str:
    """A gain or a loss with its sign, and with a decimal only where there is one.

    >>> gained(10.0, "en"), gained(-2.5, "fi"), gained(0.0, "en")
    ('+10', '−2,5', '0')
    """
    return decimal(value, language).removesuffix(".0").removesuffix(",0")


class Signed(int):
    """A gain or a loss in a sentence: it chooses the plural like a number, and is written with its sign."""

    __slots__ = ()


_SIGNS = ("-", "+")
_SIGNED = re.compile(r"-\d+|[-+]\d+\.\d+")


def _written(value: object, language: str) -> object:
    """What stands in a sentence for `value`: numbers with a minus sign and, but in English, a comma."""
    if isinstance(value, str) and value[:1] not in _SIGNS:
        return value
    if isinstance(value, Signed):
        return signed(value)
    text = str(value)
    if not _SIGNED.fullmatch(text):
        return value
    return text.replace("-", "−").replace(".", "." if language == "en" else ",")


def best_language(header: str | None) -> str:
    """The language of ours that an ``Accept-Language`` header (or a locale name) likes best."""
    wanted: list[tuple[float, int, str]] = []
    for part in (header or "").replace("_", "-").split(","):
        code, _, quality = part.strip().partition(";q=")
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            weight = 0.0
        wanted.append((-weight, len(wanted), code.lower().split("-")[0].split(".")[0]))
    for _, _, code in sorted(wanted):
        code = "nb" if code in ("no", "nn") else code
        if code in LANGUAGES:
            return code
    return "en"


def corner(letter: str, language: str) -> str:
    """The rank letter of a card (``A``, ``10``, ``Q``) as it stands on its corner in that language."""
    return _corners(language).get(letter, letter)


def typed_corners() -> Mapping[str, str]:
    """The rank letters by what stands on corners in any language, in capitals: ``D`` is a queen."""
    return {sign.upper(): rank for code in LANGUAGES for rank, sign in _corners(code).items() if sign != rank}


@cache
def _corners(language: str) -> Mapping[str, str]:
    pgettext = catalogue(language).pgettext
    return {
        "A": pgettext("corner of a card", "A"),
        "K": pgettext("corner of a card", "K"),
        "Q": pgettext("corner of a card", "Q"),
        "J": pgettext("corner of a card", "J"),
    }
