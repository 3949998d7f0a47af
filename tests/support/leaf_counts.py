"""The positions of tests/perft/*.perft."""

from pathlib import Path
from typing import NamedTuple

from nousu.engine.match import Match
from nousu.engine.record import parse_entry
from nousu.engine.seats import parse_seat
from nousu.games import find

FILES = sorted((Path(__file__).parent.parent / "perft").glob("*.perft"))


class Position(NamedTuple):
    """A block of a file."""

    name: str
    fields: dict[str, str]
    counts: tuple[tuple[int, int], ...]


def positions(path: Path) -> list[Position]:
    """The blocks of a file."""
    text = "\n".join(line for line in path.read_text().splitlines() if not line.startswith("#"))
    blocks = []
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
        blocks.append(Position(fields["id"], fields, pairs))
    return blocks


def reached(position: Position) -> Match:
    """The match a position describes."""
    game, rules = find(position.fields["game"])
    seats = int(position.fields.get("seats", "4"))
    dealer = parse_seat(position.fields.get("dealer", "N" if seats == 4 else "P1"), seats)
    match = Match.start(game, rules, seats, dealer)
    entries = [f"deal {position.fields['deal']}", *position.fields.get("moves", "").split(";")]
    for entry in entries:
        if entry.strip():
            match = match.apply(*parse_entry(entry.strip(), seats))
    return match
