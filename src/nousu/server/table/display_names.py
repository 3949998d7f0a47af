"""Names of people at a table: visible, and different from all others there even at a glance.

Two names are alike when a reader could take one for the other: Latin, Cyrillic and Greek letters of the same
shape, wide and narrow ones, ``l`` and ``I`` and ``1``. It is the idea of Unicode's report 39 for the letters
in which nicknames are written here; accents make a difference, as they do to readers.
"""

import unicodedata
from collections.abc import Sequence
from itertools import zip_longest

from nousu.engine.normal_forms import normal_form

LENGTH = 24
_LONGEST = 4000
"""Greatest number of letters of a text that are looked at."""
_MARKS = 2
"""Greatest number of marks on one letter."""
_INVISIBLE = frozenset(
    [*map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x16FE4))]
    + [chr(code) for first, last in ((0x180B, 0x180F), (0xFE00, 0xFE0F)) for code in range(first, last + 1)]
    + [chr(code) for code in range(0xE0100, 0xE01F0)]
)
"""Letters and marks without a shape."""
_SKINS = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
"""Colours of a face, which follow it."""
_JOINER, _COLOUR = "\u200d", "\ufe0f"
"""Joiner that makes one picture of several, as in a family or a flag; sign that gives another its colours."""
_SHAPES = str.maketrans(
    "АВЕЅІЈКМНОРСТХҮЗаеѕіјкорсухԁһӏѵԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορυχօոսհɑɡı",
    "ABESIJKMHOPCTXY3aesijkopcyxdhlvwABEZHIKMNOPTYXayikvopuxonuhagi",
)
_DOUBLES = {"rn": "m", "vv": "w", "1": "l", "i": "l", "|": "l", "0": "o"}


def skeleton(name: str) -> str:
    """A text that is the same for names that look the same."""
    seen = name.replace(_JOINER, "").replace(_COLOUR, "")
    text = normal_form("NFKC", seen).translate(_SHAPES).casefold()
    for shape, other in _DOUBLES.items():
        text = text.replace(shape, other)
    return normal_form("NFC", text)


def clean_name(text: str, taken: Sequence[str] = (), default: str = "Guest") -> str:
    """A name of at most `LENGTH` visible letters, in one line, that looks unlike the names in `taken`."""
    name = visible_text(text)[:LENGTH].strip(f" {_JOINER}") or default
    skeletons = {skeleton(other) for other in taken}
    number, free = 2, name
    while skeleton(free) in skeletons:
        free = f"{name[: LENGTH - 3].rstrip()} {number}"
        number += 1
    return free


def visible_text(text: str) -> str:
    """The visible characters of a text in one line; empty if those are only marks and spaces."""
    letters: list[str] = []
    marks = 0
    normal = normal_form("NFC", text[:_LONGEST])
    for letter, following in zip_longest(normal, normal[1:], fillvalue=""):
        category = unicodedata.category(letter)[0]
        marks = marks + 1 if category == "M" else 0
        if letters and _within_picture(letters[-1], letter, following):
            letters.append(letter)
        elif category == "C" or letter in _INVISIBLE:
            letters.append(" ")
        elif marks <= _MARKS:
            letters.append(letter)
    is_visible = any(unicodedata.category(letter)[0] in "LNPS" for letter in letters)
    return " ".join("".join(letters).split()) if is_visible else ""


def _within_picture(before: str, letter: str, following: str) -> bool:
    """Whether an invisible letter is part of a picture: it gives colours to one, or joins two."""
    if letter == _COLOUR:
        return _is_picture(before)
    return letter == _JOINER and (_is_picture(before) or before == _COLOUR) and _is_picture(following)


def _is_picture(letter: str) -> bool:
    """Whether a letter is a picture, or the colour of a face."""
    return bool(letter) and (unicodedata.category(letter) == "So" or letter in _SKINS)
