"""What people may be called at a table: something that can be seen, and not what somebody else is called.

Two names count as one when a reader could take one for the other: Latin, Cyrillic and Greek letters of the
same shape, wide and narrow ones, ``l`` and ``I`` and ``1``. It is the idea of Unicode's report 39 with the
letters that a nickname is written in here; accents make a difference, as they do to readers.
"""

import unicodedata
from collections.abc import Sequence

LENGTH = 24
_MARKS = 2
"""Marks that may stand on one letter."""
_INVISIBLE = frozenset(
    [*map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x16FE4))]
    + [chr(code) for first, last in ((0x180B, 0x180F), (0xFE00, 0xFE0F)) for code in range(first, last + 1)]
    + [chr(code) for code in range(0xE0100, 0xE01F0)]
)
"""Letters and marks by their category, but nothing is drawn for them."""
_SHAPES = str.maketrans(
    "АВЕЅІЈКМНОРСТХҮЗаеѕіјкорсухԁһӏѵԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορυχօոսհɑɡı",
    "ABESIJKMHOPCTXY3aesijkopcyxdhlvwABEZHIKMNOPTYXayikvopuxonuhagi",
)
_DOUBLES = {"rn": "m", "vv": "w", "1": "l", "i": "l", "|": "l", "0": "o"}


def skeleton(name: str) -> str:
    """The same text for names that look the same."""
    found = unicodedata.normalize("NFKC", name).translate(_SHAPES).casefold()
    for shape, other in _DOUBLES.items():
        found = found.replace(shape, other)
    return unicodedata.normalize("NFC", found)


def clean_name(text: str, taken: Sequence[str] = (), default: str = "Guest") -> str:
    """A name as it is shown: nothing invisible, no control or direction characters, single spaces, at most 24
    letters, and different from `taken` even to a quick look."""
    name = visible(text)[:LENGTH].strip() or default
    known = {skeleton(other) for other in taken}
    number, found = 2, name
    while skeleton(found) in known:
        found = f"{name[: LENGTH - 3].rstrip()} {number}"
        number += 1
    return found


def visible(text: str) -> str:
    """Text as it is shown to others: only what is drawn, in one line; empty where that would be marks and
    spaces alone."""
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(letter)[0]
        marks = marks + 1 if kind == "M" else 0
        if kind == "C" or letter in _INVISIBLE:
            kept.append(" ")
        elif marks <= _MARKS:
            kept.append(letter)
    drawn = any(unicodedata.category(letter)[0] in "LNPS" for letter in kept)
    return " ".join("".join(kept).split()) if drawn else ""
