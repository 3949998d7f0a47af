"""Numbers of a family's observations and actions: one table, which the documentation prints."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nousu.engine.cards import CARDS, RANKS, SUITS, Card
from nousu.engine.errors import BadRules
from nousu.engine.game import View
from nousu.engine.options import options, value_text

Planes = NDArray[np.uint8]
"""Sets of cards: one row per plane, one byte per card of the pack."""
Scalars = NDArray[np.int16]

PLACES: Final = ("me", "left", "partner", "right")
"""The seats of a table of four as an observing seat names them, clockwise from itself."""


class Row(NamedTuple):
    """A plane, some scalars, or some actions: a row of the table."""

    name: str
    width: int
    meaning: str


@dataclass(frozen=True)
class Layout:
    """The arrays of one family.

    Cards are numbered suit by suit (spades, hearts, diamonds, clubs), each suit from its weakest card in
    play to its strongest. Actions are blocks of all cards, then words.
    """

    family: str
    ranks: str
    """The ranks of the pack from the weakest, as `nousu.engine.cards.RANKS` writes them."""
    planes: tuple[Row, ...]
    scalars: tuple[Row, ...]
    blocks: tuple[Row, ...]
    """Actions with a card: one number a card of the pack."""
    words: tuple[Row, ...]
    """The other actions, numbered behind the blocks."""

    @cached_property
    def pack(self) -> tuple[Card, ...]:
        """The cards by their numbers."""
        return tuple(
            CARDS[16 * suit + RANKS.index(rank)] for suit in range(len(SUITS)) for rank in self.ranks
        )

    @cached_property
    def number(self) -> Mapping[Card, int]:
        """The number of each card."""
        return {card: at for at, card in enumerate(self.pack)}

    @cached_property
    def start(self) -> Mapping[str, int]:
        """Start of each plane, scalar, block and word, by name."""
        starts: dict[str, int] = {}
        for rows, each in ((self.planes, 1), (self.scalars, 1), (self.blocks, len(self.pack))):
            at = 0
            for row in rows:
                assert row.name not in starts, row.name
                starts[row.name] = at
                at += row.width * each
        at = len(self.blocks) * len(self.pack)
        for row in self.words:
            assert row.name not in starts, row.name
            starts[row.name] = at
            at += row.width
        return starts

    @cached_property
    def size(self) -> tuple[int, int, int, int]:
        """Cards, planes, scalars and actions."""
        planes, scalars, words = (
            sum(row.width for row in rows) for rows in (self.planes, self.scalars, self.words)
        )
        return len(self.pack), planes, scalars, len(self.blocks) * len(self.pack) + words

    @cached_property
    def version(self) -> str:
        """Eight hexadecimal digits that change with the layout: weights learnt by another one do not fit."""
        return sha256(
            repr((self.ranks, self.planes, self.scalars, self.blocks, self.words)).encode()
        ).hexdigest()[:8]

    def empty(self) -> tuple[Planes, Scalars]:
        """An empty observation."""
        cards, planes, scalars, _ = self.size
        return np.zeros((planes, cards), np.uint8), np.zeros(scalars, np.int16)

    def begun(self, view: View) -> tuple[Planes, Scalars]:
        """An observation that holds the hand, the trick and the cards played, as in all families."""
        assert view.seat is not None
        at, (planes, scalars) = self.start, self.empty()
        self.mark(planes[at["hand"]], view.cards)
        self.mark(planes[at["trick"]], (card for _, card in view.trick))
        played = [play for trick in view.tricks for play in trick.plays] + list(view.trick)
        for when, (by, card) in enumerate(played, 1):
            planes[at["played"] + (by - view.seat) % view.setup.seats, self.number[card]] = 1
            planes[at["when"], self.number[card]] = when
        return planes, scalars

    def label(self, action: int) -> str:
        """An action in words: its name in the table, with the card, or its number there."""
        cards = len(self.pack)
        if action < len(self.blocks) * cards:
            return f"{self.blocks[action // cards].name} {self.pack[action % cards]}"
        row = next(row for row in reversed(self.words) if self.start[row.name] <= action)
        return row.name if row.width == 1 else f"{row.name} {action - self.start[row.name] + 1}"

    def mark(self, plane: Planes, cards: Iterable[Card]) -> None:
        """Put these cards into a plane."""
        for card in cards:
            plane[self.number[card]] = 1


def clip_score(value: int) -> int:
    """A score as a scalar holds it."""
    return max(-32767, min(32767, value))


def unknown(rules: Any, name: str) -> BadRules:
    """The error for an option value that the environments do not know."""
    item = next(item for item in options(rules) if item.name == name)
    setting = {"setting": f"{name}={value_text(getattr(rules, name))}"}
    return BadRules(name, "the environments do not know {setting}", item.clauses[0], setting)


def encode_options(rules: Any, names: str, own: Mapping[str, int]) -> list[int]:
    """The rules as integers in the order of the core.

    An option is the index of its value among those it may have, a switch 0 or 1, a number itself, none 0.
    `own` holds the integers that a family calculates.
    """
    known = {item.name: item for item in options(rules)}
    codes: list[int] = []
    for name in names.split():
        if name in own:
            codes.append(own[name])
            continue
        value, values = getattr(rules, name), known[name].values
        if values is None or isinstance(value, bool):
            codes.append(int(value or 0))
        else:
            codes.append(values.index(value))
    return codes


def table(layout: Layout) -> str:
    """The tables of a family as the documentation prints them."""
    cards, planes, scalars, actions = layout.size
    suit = " ".join(layout.ranks)
    parts = [
        f"`{layout.family}-{layout.version}`: {planes} planes of {cards} cards, {scalars} scalars, "
        f"{actions} actions.\nA suit from its weakest card: {suit}."
    ]
    for title, rows, each in (
        ("plane", layout.planes, 1),
        ("scalar", layout.scalars, 1),
        ("action", (*layout.blocks, *layout.words), cards),
    ):
        lines = [f"| {title} | | |", "|---|---|---|"]
        for row in rows:
            first = layout.start[row.name]
            last = first + row.width * (each if row in layout.blocks else 1) - 1
            numbers = f"{first}" if first == last else f"{first}–{last}"
            lines.append(f"| {numbers} | {row.name} | {row.meaning} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)
