"""Messages in the language of the reader: their ids are English sentences with named places.

A language is a gettext catalogue in ``catalogues/``; to add one, put it there. A checkout keeps the ``.po``
of the translators and compiles it when it has changed; an installed package has only the ``.mo``. A sentence
is always one message, never built from pieces. The texts of clauses are messages too: English in
``rules/en/*.md``, translated in ``rules/<language>/*.md`` under the same ids.
"""

import os
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from nousu.engine.messages import Counted, InContext, number_in

CATALOGUES = Path(__file__).parent / "catalogues"
RULES = Path(__file__).parent / "rules"
GLOSSARY = Path(__file__).parent / "glossary"
"""The terms of each language, for translators and tests."""
_ORDER = ("fi", "en", "sv", "nb", "de")


def languages(folder: Path = CATALOGUES) -> tuple[str, ...]:
    """The codes of English and of all languages with a catalogue, in the order of the list of languages."""
    codes = {path.stem for path in folder.iterdir() if path.suffix in (".po", ".mo")} | {"en"}
    return (*(code for code in _ORDER if code in codes), *sorted(codes - set(_ORDER)))


LANGUAGES = languages()
"""The codes of all languages; the first one is that of the games' home."""

Translate = Callable[..., str]


@cache
def catalogue(language: str) -> NullTranslations:
    """The catalogue of a language; a language without one, like English, keeps messages as they are."""
    written, compiled = (CATALOGUES / f"{language}{suffix}" for suffix in (".po", ".mo"))
    if written.exists() and (not compiled.exists() or compiled.stat().st_mtime < written.stat().st_mtime):
        return GNUTranslations(BytesIO(compile_catalogue(written)))
    if not compiled.exists():
        return NullTranslations()
    with compiled.open("rb") as file:
        return GNUTranslations(file)


def compile_catalogue(written: Path) -> bytes:
    """Compile a ``.po`` and store the ``.mo`` beside it if the folder is writable; needs Babel."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with written.open("rb") as source:
        messages = read_po(source, locale=written.stem)
    compiled = BytesIO()
    write_mo(compiled, messages)
    temporary = written.with_suffix(f".{os.getpid()}")
    try:
        temporary.write_bytes(compiled.getvalue())
        temporary.replace(written.with_suffix(".mo"))  # atomic, as other processes may read it
    except OSError:
        temporary.unlink(missing_ok=True)
    return compiled.getvalue()


@cache
def _clause_words(language: str) -> Mapping[str, str]:
    """The texts and titles of clauses in a language, by the English ones."""
    pairs = ((clause_texts(), clause_texts(language)), (titles(), titles(language)))
    return {text: other[key] for english, other in pairs for key, text in english.items() if key in other}


CLAUSE = re.compile(r"\*\*(?P<id>[A-Z]+-[A-Z]+-\w+)\*\* \((?P<topic>[^)]*)\) (?P<text>\S.*)")
"""A paragraph that is a clause: id, topic (a phase, or the question of a resolution), text."""


@cache
def clause_texts(language: str = "en") -> dict[str, str]:
    """The texts of all translated clauses and resolutions in one language, by id.

    A resolution (``A-…``) begins with its topic.
    """
    paragraphs = (
        " ".join(paragraph.split()) for text in _texts(language).values() for paragraph in text.split("\n\n")
    )
    return {
        match["id"]: f"{match['topic']} – {match['text']}" if match["id"].startswith("A-") else match["text"]
        for match in map(CLAUSE.fullmatch, paragraphs)
        if match
    }


@cache
def titles(language: str = "en") -> dict[str, str]:
    """The titles of all texts of clauses, by the names of their files: ``t_cat``."""
    return {
        name: text.partition("\n")[0].removeprefix("# ").strip() for name, text in _texts(language).items()
    }


def _texts(language: str) -> dict[str, str]:
    return {path.stem: path.read_text("utf-8") for path in sorted((RULES / language).glob("*.md"))}


@cache
def translator(language: str) -> Translate:
    """The function that translates messages into a language: ``say("{name} leads", name="Aino")``.

    A message with a plural (`nousu.engine.messages.sentence`) gets the form of its number, one with a
    context (`nousu.engine.messages.pgettext`) the translation for that place. A message that the catalogue
    lacks stays English.
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
        elif type(message) is InContext:
            text = words.pgettext(message.context, message)
        else:
            text = plain(message)
        if not values:
            return text
        return text.format(**{name: _format_value(value, language) for name, value in values.items()})

    return say


def language_name(language: str) -> str:
    """The name of a language in that language: ``Suomi``."""
    pgettext = catalogue(language).pgettext
    return pgettext("the name of this language in this language", "English")


def numeral(value: int) -> str:
    """A number with a minus sign instead of a hyphen.

    >>> numeral(-55)
    '−55'
    """
    return str(value).replace("-", "−")


def signed_number(value: int) -> str:
    """A gain or a loss with its sign: ``+12`` or ``−55``."""
    return f"{value:+d}".replace("-", "−")


def decimal(value: float, language: str, *, signed: bool = True) -> str:
    """A number with one decimal; a gain or a loss has its sign, zero has none.

    >>> decimal(-2.41, "fi"), decimal(0.02, "en")
    ('−2,4', '0.0')
    """
    text = f"{abs(value):.1f}"
    sign = "" if not signed or float(text) == 0 else "+" if value > 0 else "−"
    return sign + (text if language == "en" else text.replace(".", ","))


def signed_amount(value: float, language: str) -> str:
    """A gain or a loss with its sign, and with a decimal only if it is not whole.

    >>> signed_amount(10.0, "en"), signed_amount(-2.5, "fi"), signed_amount(0.0, "en")
    ('+10', '−2,5', '0')
    """
    return decimal(value, language).removesuffix(".0").removesuffix(",0")


class Signed(int):
    """A gain or a loss in a message: it chooses the plural like a number, and is written with its sign."""

    __slots__ = ()


_SIGNS = ("-", "+")
_SIGNED = re.compile(r"-\d+|[-+]\d+\.\d+")


def _format_value(value: object, language: str) -> object:
    """A value as a message shows it: numbers with a minus sign and, except in English, a comma."""
    if isinstance(value, str) and value[:1] not in _SIGNS:
        return value
    if isinstance(value, Signed):
        return signed_number(value)
    text = str(value)
    if not _SIGNED.fullmatch(text):
        return value
    return text.replace("-", "−").replace(".", "." if language == "en" else ",")


def best_language(header: str | None) -> str:
    """The best language of `LANGUAGES` for an ``Accept-Language`` header or a locale name."""
    ranked: list[tuple[float, int, str]] = []
    for part in (header or "").replace("_", "-").split(","):
        code, _, quality = part.strip().partition(";q=")
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            weight = 0.0
        ranked.append((-weight, len(ranked), code.lower().split("-")[0].split(".")[0]))
    for _, _, code in sorted(ranked):
        code = "nb" if code in ("no", "nn") else code
        if code in LANGUAGES:
            return code
    return "en"


def corner(letter: str, language: str) -> str:
    """The rank letter of a card (``A``, ``10``, ``Q``) as printed on its corner in a language."""
    return _corners(language).get(letter, letter)


def corner_ranks() -> Mapping[str, str]:
    """The rank letters by the corner letters of any language, in capitals: ``D`` is a queen."""
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
