"""A seating plan made by hand, read from text with one table per line.

A line is the round (or round.table), then its people in seat order, by number or name::

    1.1; 4; 9; 2; 7
    1.2  1 3 5 6
    2; Aino; Väinö; Ilma

Columns are separated by semicolons or tabs (then names are allowed), or by spaces or commas.
"""

import re

from nousu.tournament.messages import Refusal
from nousu.tournament.model import Round, Tournament, order

_FIRST = re.compile(r"([CcSs]?\d{1,3})(?:[.,-]\d{1,3})?")


def from_text(text: str, state: Tournament) -> tuple[Round, ...]:
    """The rounds of a plan. `Refusal` lists every line that cannot be read."""
    rounds: dict[str, list[tuple[int, ...]]] = {}
    wrong: list[Refusal] = []
    first = True
    for line, written in enumerate(text.splitlines(), 1):
        cells = _cells(written)
        if not cells:
            continue
        parts = _FIRST.fullmatch(cells[0])
        if parts is None and first:
            first = False  # a heading
            continue
        first = False
        try:
            if parts is None:
                raise Refusal(
                    "{round} is not a round; write 1, 2 …, C1 … or S1 …", values={"round": cells[0]}
                )
            order(parts[1].upper())
            rounds.setdefault(parts[1].upper(), []).append(tuple(state.find(cell) for cell in cells[1:]))
        except Refusal as refusal:
            wrong.append(_in_line(refusal, line))
    if wrong:
        raise _in_line(wrong[0], 0, tuple(wrong[1:]))
    if not rounds:
        raise Refusal("the plan is empty")
    return tuple(Round(label, tuple(rounds[label])) for label in sorted(rounds, key=order))


def _cells(written: str) -> list[str]:
    """The cells of a line; at the end empty ones do not count."""
    for sign in ("\t", ";"):
        if sign in written:
            return [cell.strip() for cell in written.strip().split(sign) if cell.strip()]
    head, _, rest = written.strip().partition(" ")
    return [head, *re.split(r"[ ,]+", rest.strip(" ,"))] if rest.strip(" ,") else [head] * bool(head)


def _in_line(refusal: Refusal, line: int, more: tuple[Refusal, ...] = ()) -> Refusal:
    return Refusal.of(refusal.note, where=f"line {line}" if line else refusal.where, more=more)
