"""The strength of a hand for a high bid, and the lines from which hands are bid high.

A line depends on the score and on when the bid is turned up. ``bid_lines.json`` holds what the strength
counts, and the lines of each way to pay: ``python -m tools.training.bid_lines`` finds both in deals played
out by the nets, by the chance to win the match.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import ceil
from typing import Any, NamedTuple

from nousu.engine.cards import LANE, RANKS, CardSet
from nousu.engine.game import Tally
from nousu.games import find
from nousu.games.whist import Rise, Rules, Totals

SCORES = 13
"""Scores of a side that are told apart, by what it still lacks to the target."""
LEAST, STEP = 5.0, 0.25
"""The line that the first of `LETTERS` stands for, and the distance to the next."""
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
FEATURES = (*RANKS, "suit", "void", "one", "two", "five", "six", "seven", "ace_king", "long_ace")
"""Features that the strength counts in each suit: the cards by rank, the suit itself, its length if that is
nought, one or two, or at least five, six or seven, ace and king together, an ace with four more."""


@cache
def _stored() -> Mapping[str, Any]:
    stored: Mapping[str, Any] = json.loads(
        files(__package__).joinpath("bid_lines.json").read_text(encoding="utf-8")
    )
    return stored


# ---------------------------------------------------------------------------------------- strength


def suit_features(ranks: int) -> tuple[int, ...]:
    """How often each of `FEATURES` is found in a suit of these ranks."""
    length = ranks.bit_count()
    ace, king = ranks >> 12 & 1, ranks >> 11 & 1
    return (
        *(ranks >> rank & 1 for rank in range(13)),
        1,
        *(int(length == few) for few in (0, 1, 2)),
        *(int(length >= many) for many in (5, 6, 7)),
        ace & king,
        ace & (length >= 5),
    )


@cache
def _suit_strength(ranks: int) -> float:
    weights: Sequence[float] = _stored()["strength"]["weights"]
    return sum([many * weight for many, weight in zip(suit_features(ranks), weights, strict=True)])


def bid_strength(cards: CardSet) -> float:
    """Strength of a hand for a high bid rather than a low one; 9 is average.

    Small cards and short suits count against it: they lose tricks, which is the aim of a low hand.
    """
    return sum([_suit_strength(cards >> 16 * suit & LANE) for suit in range(4)])


# ------------------------------------------------------------------------------------------- lines


class Payment(NamedTuple):
    """The pay of hands, in high tricks won: rules that pay alike share their lines."""

    model: str
    failed: float
    debit: float
    low: float
    low_mode: str
    sooli: float
    """0 where there is none."""

    @classmethod
    def of(cls, rules: Rules) -> "Payment":
        """The payment of these rules."""
        unit = max(1, rules.high_points)
        return cls(
            rules.score_model,
            rules.high_fail_points / unit,
            rules.high_fail_debit / unit,
            rules.low_points / unit,
            rules.low_mode,
            rules.sooli_points / unit if rules.sooli else 0.0,
        )


Lines = Sequence[Sequence[str]]
"""Four letters, one for each place, by what the own side and by what the others lack (see `lacks`).

Where one side rises, a row of its own scores has one entry: the others lack all.
"""


@cache
def _measured() -> Mapping[Payment, Lines]:
    tables = {}
    for preset, table in _stored()["lines"].items():
        rules = find(preset)[1]
        assert isinstance(rules, Rules)
        tables[Payment.of(rules)] = [row.split(" ") for row in table["lines"]]
    return tables


@cache
def _lines(rules: Rules) -> Lines | None:
    return _measured().get(Payment.of(rules))


def lacks(tally: Rise | Totals, ours: int) -> tuple[int, int]:
    """The points that side `ours` and the others lack to the target, in steps of a high trick.

    Where one side rises, the other lacks most (`SCORES`), and with an empty score both do.
    """
    rules = tally.rules
    steps = [
        min(SCORES, max(1, ceil((rules.target - points) / max(1, rules.high_points))))
        for points in tally.score()
    ]
    return steps[ours], steps[1 - ours]


def bid_line(tally: Tally, ours: int, place: int) -> float | None:
    """The strength (`bid_strength`) from which a seat of side `ours` bids high.

    Args:
        tally: The score before the hand.
        ours: The side of the seat.
        place: How many bids are turned up, or spoken, before its own.

    Returns:
        The line; None where the lines of rules that pay so are not known.
    """
    if not isinstance(tally, Rise | Totals):
        return None
    lines = _lines(tally.rules)
    if lines is None:
        return None
    own, other = lacks(tally, ours)
    row = lines[own - 1]
    return LEAST + STEP * LETTERS.index(row[min(other, len(row)) - 1][place])
