"""The words people read, in their language: message ids are English sentences with named places.

Catalogues are gettext ``.po`` files in ``catalogues/``; they are read as they are, nothing is compiled.
A sentence is always one message; it is never built from pieces. The texts of clauses are messages too:
English in ``rules/*.md``, translated in ``rules/<language>/*.md`` under the same ids.
"""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

CATALOGUES = Path(__file__).parent / "catalogues"
RULES = Path(__file__).parent / "rules"
LANGUAGES = ("fi", "en", "sv", "nb", "de")
"""Languages by code, the first one being home."""

Translate = Callable[..., str]


@cache
def _catalogue(language: str) -> dict[str, str]:
    from babel.messages.pofile import read_po

    told: dict[str, str] = {}
    for english, ours in ((clause_texts(), clause_texts(language)), (titles(), titles(language))):
        told |= {text: ours[key] for key, text in english.items() if key in ours}
    path = CATALOGUES / f"{language}.po"
    if not path.exists():
        return told
    with path.open("rb") as file:
        return told | {
            str(message.id): str(message.string)
            for message in read_po(file, locale=language)
            if message.id and message.string and not message.fuzzy
        }


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
    folder = RULES if language == "en" else RULES / language
    return {path.stem: path.read_text("utf-8") for path in sorted(folder.glob("*.md"))}


def translator(language: str) -> Translate:
    """A function that says a message in that language: ``t("{name} leads", name="Aino")``.

    English is the message itself, and what is missing from a catalogue is said in English.
    """
    words = {} if language == "en" else _catalogue(language)

    def say(message: str, /, **values: object) -> str:
        text = words.get(message, message)
        return (
            text.format(**{name: _told(value, language) for name, value in values.items()})
            if values
            else text
        )

    return say


def numeral(value: int) -> str:
    """A number as people write it: with a minus sign, not a hyphen.

    >>> numeral(-55)
    '−55'
    """
    return str(value).replace("-", "−")


def signed(value: int) -> str:
    """A gain or a loss: ``+12`` or ``−55``."""
    return f"{value:+d}".replace("-", "−")


_SIGNED = re.compile(r"-\d+|[-+]\d+\.\d+")


def _told(value: object, language: str) -> object:
    """What stands in a sentence for `value`: numbers with a minus sign and, but in English, a comma."""
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


COURT = {
    "fi": {},
    "en": {},
    "sv": {"A": "E", "Q": "D", "J": "Kn"},
    "nb": {"A": "E", "Q": "D", "J": "Kn"},
    "de": {"Q": "D", "J": "B"},
}
"""What stands on the corner of court cards and aces, where it is not A K Q J."""


def corner(letter: str, language: str) -> str:
    """The rank letter of a card (``A``, ``10``, ``Q``) as it stands on its corner in that language."""
    return COURT.get(language, {}).get(letter, letter)
