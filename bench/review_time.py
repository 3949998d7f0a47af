"""Time of a review (CPU s for one seat); goals: a first answer 2 s, a whole review 30 s, a nolo 3 s.

For each preset the longest of up to eight hands by the rule-based player is reviewed from every seat, and six
nolos of Tuppi. The accuracy of reviews is an experiment: `bench.experiments.review_accuracy`.
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
from nousu.review import FULL, QUICK, ReviewEffort, review_hand

TABLES = (
    *(("tuppi", 4), ("minnesota", 4), ("norwegian_spoken", 4), ("huutopussi", 4)),
    *(("tuppen_zk", 2), ("tuppen_zk", 4), ("toepen", 8)),
)
"""Presets and seats."""
HANDS = 8
"""Hands played to find a long one."""
NOLOS = 6
FIRST, WHOLE, NOLO = 2.0, 30.0, 3.0
"""Seconds allowed for a first answer, for a whole review and for that of a nolo."""


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


def nolo_hands() -> list[Hand]:
    """Nolos of Tuppi by the rule-based player."""
    found: list[Hand] = []
    number = 0
    while len(found) < NOLOS:
        match = Match.start(*find("tuppi"), 4, number % 4)
        while not match.played:
            after = advance(match, [find_player("rules")] * 4, derive_seed(number, "nolo"))
            assert after is not None
            match = after
        hand, number = match.played[0].hand, number + 1
        if getattr(hand.view(None).facts, "kind", "") == "low":
            found.append(hand)
    return found


def review_times(hand: Hand, effort: ReviewEffort) -> list[float]:
    """The seconds of the review of each seat."""
    times = []
    for seat in range(hand.setup.seats):
        began = process_time()
        review_hand(hand, seat, effort, 1)
        times.append(process_time() - began)
    return times


def main(words: Sequence[str] = ()) -> bool:
    """Measure every preset; return whether a goal is missed."""
    _, report = parse(options("review_time", __doc__), words)
    for preset, seats in TABLES:
        hand = longest_hand(preset, seats)
        for name, effort, goal in (("first answer", QUICK, FIRST), ("whole review", FULL, WHOLE)):
            times = review_times(hand, effort)
            figure = f"{preset}, {seats} seats, {name}"
            report.add(f"{figure}, shortest", min(times), "s", n=seats)
            report.add(f"{figure}, longest", max(times), "s", n=seats, at_most=goal)
    times = [seconds for hand in nolo_hands() for seconds in review_times(hand, FULL)]
    report.add("a nolo, whole review, mean", sum(times) / len(times), "s", n=len(times), at_most=NOLO)
    report.add("a nolo, whole review, longest", max(times), "s", n=len(times))
    return bool(report.problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
