"""Forms that people fill in: the options of a format, and a slip.

A slip of places has a box for every game and seat; any other slip is typed as words.
"""

from collections.abc import Mapping
from dataclasses import dataclass

LETTERS = "abcdefgh"
"""The seats of a table, as slips of places call them; a play-off (Stechen) may have eight (A-U-25)."""


@dataclass(frozen=True, slots=True)
class Field:
    """An option of a format as a page asks for it."""

    name: str
    label: str
    about: str = ""
    low: int = 0
    high: int = 0
    """Upper bound of a whole number; 0 for other options."""
    choices: tuple[tuple[str, str], ...] = ()
    """Values with their names."""


@dataclass(frozen=True, slots=True)
class FormBox:
    """A box of a form: its name, its text, and whether somebody plays there."""

    name: str
    value: str
    open: bool


@dataclass(frozen=True, slots=True)
class SlipSeat:
    """A line of a form."""

    letter: str
    number: int
    name: str
    boxes: tuple[FormBox, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The form of a slip, ready to be shown."""

    kind: str
    """boxes or words"""
    seats: tuple[SlipSeat, ...]
    games: int = 0
    by: str = "places"
    """The content of the boxes: places or points."""
    points: tuple[int, ...] = ()
    """Points of the places."""
    words: str = ""
    """The typed text, for a slip of words."""
    sheet: bool = False
    """True if the words are the hands of a match."""
    possible: tuple[int, ...] = ()
    """The points a hand of the match can bring."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A box in which two people typed different texts."""

    name: str
    """The name at the box, empty for a slip of words."""
    game: int
    first: str
    second: str


def differences(form: Form, first: Mapping[str, str], second: Mapping[str, str]) -> tuple[Difference, ...]:
    """Differences between two entries of a slip, shown after the second one."""
    if form.kind == "words":
        return (Difference("", 0, first.get("words", ""), second.get("words", "")),)
    return tuple(
        Difference(seat.name, game, first.get(box.name, ""), second.get(box.name, ""))
        for seat in form.seats
        for game, box in enumerate(seat.boxes, 1)
        if first.get(box.name, "") != second.get(box.name, "")
    )


def words_form(sides: Mapping[str, tuple[tuple[int, str], ...]], typed: Mapping[str, str]) -> Form:
    """The form of a slip of words: `sides` are the numbers and names of both sides by letter."""
    seats = tuple(
        SlipSeat(letter, people[0][0], ", ".join(name for _, name in people))
        for letter, people in sides.items()
    )
    return Form(kind="words", seats=seats, words=typed.get("words", ""))


def typed_words(typed: Mapping[str, str]) -> tuple[str, ...]:
    """The words typed into a slip of words."""
    return tuple(typed.get("words", "").replace(",", " ").split())
