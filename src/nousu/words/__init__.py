"""The words people read, in their language: message ids are English sentences with named places.

Catalogues are gettext ``.po`` files in ``catalogues/``; they are read as they are, nothing is compiled.
A sentence is always one message; it is never built from pieces.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

CATALOGUES = Path(__file__).parent / "catalogues"
LANGUAGES = ("fi", "en", "sv", "nb", "de")
"""Languages by code, the first one being home."""

Translate = Callable[..., str]


@cache
def _catalogue(language: str) -> dict[str, str]:
    from babel.messages.pofile import read_po

    path = CATALOGUES / f"{language}.po"
    if not path.exists():
        return {}
    with path.open("rb") as file:
        return {
            str(message.id): str(message.string)
            for message in read_po(file, locale=language)
            if message.id and message.string and not message.fuzzy
        }


def translator(language: str) -> Translate:
    """A function that says a message in that language: ``t("{name} leads", name="Aino")``.

    English is the message itself, and what is missing from a catalogue is said in English.
    """
    words = {} if language == "en" else _catalogue(language)

    def say(message: str, /, **values: object) -> str:
        text = words.get(message, message)
        return text.format(**values) if values else text

    return say


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
