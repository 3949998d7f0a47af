"""What plans for the last tricks gain: the last five cards of hands, with plans on one side and without.

python bench/plans.py                     300 hands of Tuppi, bid by rule and played by the nets till then
python bench/plans.py minnesota 2000 7    so many of Minnesota Whist, seed 7
python bench/plans.py searcher            this player plays the last cards instead of `expert`

From the moment on in which everybody has five cards, the hand is played to its end three times by the same
player with the same seeds: nobody looks for a plan (`nousu.players.whist.playouts.plan_values`) but judges
cards as if everybody, its own seat too, went on by habit or nets; North and South do, and then East and West.
So each hand tells twice what the side with plans gets more than it gets without: points a hand, and the
chance to win the match in percent, by rami and nolo. The 95 % intervals take the two of a hand as
independent.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Any, NamedTuple

from nousu.engine.game import Hand
from nousu.engine.match import Match
from nousu.engine.seats import side
from nousu.games import find
from nousu.games.whist import Facts
from nousu.players import DEFAULT_BUDGET, find_player, players
from nousu.players.searcher import LAST_CARDS
from nousu.players.seat_loop import derive_seed
from nousu.players.whist import searcher
from nousu.players.whist.equity import win_chance
from nousu.players.whist.playouts import PlayoutHands, WhistTable, plan_values, play_out
from tools.training.nets import alone


class Ending(NamedTuple):
    """A hand of which the last cards are to be played."""

    match: Match
    hand: Hand
    seed: int


class Ended(NamedTuple):
    """What North and South have of it."""

    points: float
    chance: float
    """In percent."""


def _by_habit(
    table: WhistTable,
    worlds: Sequence[PlayoutHands],
    ways: Sequence[float],
    worth: Callable[[int], float],
    *asked: Any,
) -> Sequence[float]:
    """What `plan_values` tells, if the viewer goes on by habit."""
    gained = play_out(table, worlds, *asked).gained
    return [sum(way * worth(one) for way, one in zip(ways, row, strict=True)) for row in gained]


@contextmanager
def _plans(wanted: bool) -> Iterator[None]:
    """Searching players look for plans meanwhile, or do not."""
    vars(searcher)["planned"] = plan_values if wanted else _by_habit
    try:
        yield
    finally:
        vars(searcher)["planned"] = plan_values


def ending(preset: str, number: int, seed: int) -> Ending | None:
    """The last cards of a hand; None where it was over before."""
    game, rules = find(preset)
    match = Match.start(game, rules, 4, dealer=number % 4).deal(Random(derive_seed(seed, number)))
    hand = match.hand
    while owed := hand.owed():
        view = hand.view(owed[0])
        facts = Facts.of(view.facts)
        if facts.phase == "play" and (facts.soloist is not None or max(view.counts) <= LAST_CARDS):
            return (
                None if facts.soloist is not None else Ending(match, hand, derive_seed(seed, number, "last"))
            )
        player = alone() if facts.phase == "play" else find_player("rules")
        action = player.choose(view, DEFAULT_BUDGET, derive_seed(seed, number, len(hand.log))).action
        hand = hand.apply(owed[0], action)
    return None


def ended(one: Ending, name: str, planning: int | None) -> Ended:
    """What comes of it where this side has plans."""
    hand = one.hand
    while owed := hand.owed():
        view = hand.view(owed[0])
        action = view.legal[0]
        if len(view.legal) > 1:
            with _plans(side(owed[0]) == planning):
                seed = derive_seed(one.seed, len(hand.log))
                action = find_player(name).choose(view, DEFAULT_BUDGET, seed).action
        hand = hand.apply(owed[0], action)
    result = hand.result()
    assert result is not None
    after = one.match.tally.add(result, hand.setup)
    return Ended(result.points[0] - result.points[1], 100 * (win_chance(after) or 0.0))


def main() -> None:
    """Play the hands and print what they show."""
    words = [word for word in sys.argv[1:] if word != "plans"]
    numbers = [int(word) for word in words if word.isdigit()]
    hands, seed = (*numbers, *(300, 1)[len(numbers) :])
    name = next((word for word in words if word in players()), "expert")
    preset = next((word for word in words if not word.isdigit() and word != name), "tuppi")
    found: dict[str, list[Ended]] = {"high": [], "low": []}
    for number in range(hands):
        one = ending(preset, number, seed)
        if one is not None:
            kind = str(Facts.of(one.hand.view(None).facts).kind)
            without = ended(one, name, None)
            for planning, sign in ((0, 1), (1, -1)):
                now = ended(one, name, planning)
                found[kind].append(
                    Ended(sign * (now.points - without.points), sign * (now.chance - without.chance))
                )
        if (number + 1) % 100 == 0 or number + 1 == hands:
            print(f"{number + 1} hands")
            for kind, gains in (*found.items(), ("all", found["high"] + found["low"])):
                print(f"  {kind:5} {_told(gains)}", flush=True)


def _told(gains: list[Ended]) -> str:
    if len(gains) < 2:
        return "too few"
    text = f"{len(gains)} times, {sum(one.points != 0 for one in gains)} with another score"
    for what, values in (
        ("points a hand", [one.points for one in gains]),
        ("percent of the match", [one.chance for one in gains]),
    ):
        half = 1.96 * stdev(values) / sqrt(len(values))
        text += f"; {what} {mean(values):+.3f} ({mean(values) - half:+.3f} … {mean(values) + half:+.3f})"
    return text


if __name__ == "__main__":
    main()
