"""Time of a review (CPU s for one seat); goals: 2 s for a first answer, 30 s for a whole review.

For each preset the longest of up to eight hands by the rule-based player is reviewed from every seat. The
accuracy of reviews is an experiment: `bench.experiments.review_accuracy`.
"""

import sys
from collections.abc import Sequence
from time import process_time

from bench.results import options, parse
from nousu.engine.game import Hand
from nousu.engine.match import Match
from nousu.games import find
from nousu.players import find_player
from nousu.players.seat_loop import advance, derive_seed
from nousu.review import FULL, QUICK, review_hand

TABLES = (
    *(("tuppi", 4), ("minnesota", 4), ("norwegian_spoken", 4), ("huutopussi", 4)),
    *(("tuppen_zk", 2), ("tuppen_zk", 4), ("toepen", 8)),
)
"""Presets and seats."""
HANDS = 8
"""Hands played to find a long one."""
FIRST, WHOLE = 2.0, 30.0
"""Seconds allowed for a first answer and for a whole review."""


def longest_hand(preset: str, seats: int) -> Hand:
    """The longest of the first hands of a match by the rule-based player."""
    match = Match.start(*find(preset), seats)
    while len(match.played) < HANDS:
        after = advance(match, [find_player("rules")] * seats, derive_seed(0, preset))
        if after is None:
            break
        match = after
    return max(
        (entry.hand for entry in match.played if not entry.result.void), key=lambda hand: len(hand.log)
    )


def main(words: Sequence[str] = ()) -> bool:
    """Measure every preset; return whether a goal is missed."""
    _, report = parse(options("review_time", __doc__), words)
    for preset, seats in TABLES:
        hand = longest_hand(preset, seats)
        for name, effort, goal in (("first answer", QUICK, FIRST), ("whole review", FULL, WHOLE)):
            times = []
            for seat in range(seats):
                began = process_time()
                review_hand(hand, seat, effort, 1)
                times.append(process_time() - began)
            figure = f"{preset}, {seats} seats, {name}"
            report.add(f"{figure}, shortest", min(times), "s", n=seats)
            report.add(f"{figure}, longest", max(times), "s", n=seats, at_most=goal)
    return bool(report.problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
