"""Counts the tree: every position of tests/perft/*.perft has exactly so many continuations.

A block is ``id``, ``game``, optionally ``seats`` and ``dealer``, ``deal``, ``moves``, then depth and leaf
count in pairs. The files are plain data, to be shared with other implementations.
"""

from pathlib import Path
from typing import NamedTuple

import pytest

from nousu.engine.game import Hand, Setup
from nousu.engine.laws import leaves
from nousu.engine.record import parse_entry
from nousu.engine.seats import parse_seat
from nousu.games import find

FILES = sorted((Path(__file__).parent.parent / "perft").glob("*.perft"))
QUICK = 20_000
"""Leaves that are counted in the quick loop; larger counts are slow."""


class Position(NamedTuple):
    """One block of a file."""

    name: str
    fields: dict[str, str]
    counts: tuple[tuple[int, int], ...]


def positions(path: Path) -> list[Position]:
    """The blocks of a file."""
    text = "\n".join(line for line in path.read_text().splitlines() if not line.startswith("#"))
    found = []
    for block in text.strip().split("\n\n"):
        fields: dict[str, str] = {}
        numbers: list[int] = []
        for line in block.splitlines():
            word, _, rest = line.partition(" ")
            if word.isdecimal():
                numbers += map(int, line.split())
            else:
                fields[word] = rest
        pairs = tuple(zip(numbers[::2], numbers[1::2], strict=True))
        found.append(Position(fields["id"], fields, pairs))
    return found


CASES = [
    pytest.param(
        position,
        depth,
        count,
        id=f"{path.stem}-{position.name}-{depth}",
        marks=[pytest.mark.slow] if count > QUICK else [],
    )
    for path in FILES
    for position in positions(path)
    for depth, count in position.counts
]


def reached(position: Position) -> Hand:
    """The hand a position describes."""
    game, rules = find(position.fields["game"])
    seats = int(position.fields.get("seats", "4"))
    dealer = parse_seat(position.fields.get("dealer", "N" if seats == 4 else "P1"), seats)
    hand = game.start(rules, Setup(seats, dealer, game.tally(rules, seats)))
    entries = [f"deal {position.fields['deal']}", *position.fields.get("moves", "").split(";")]
    for entry in entries:
        if entry.strip():
            hand = hand.apply(*parse_entry(entry.strip(), seats))
    return hand


@pytest.mark.parametrize(("position", "depth", "count"), CASES)
def test_the_tree_has_so_many_leaves(position: Position, depth: int, count: int) -> None:
    assert leaves(reached(position), depth) == count


def test_there_is_something_to_count() -> None:
    assert {path.stem for path in FILES} >= {"whist"}
    assert len(CASES) >= 15
