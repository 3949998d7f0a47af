"""Gain of plans for the last tricks (points a hand, and percent of the match).

    python -m bench.experiments.endgame_plans                     300 hands of Tuppi
    python -m bench.experiments.endgame_plans minnesota 2000 7    so many of Minnesota Whist, seed 7
    python -m bench.experiments.endgame_plans searcher            instead of `expert`

Hands are bid by rule and played by the nets until everybody has five cards. The rest is played three times by
the same player with the same seeds: without plans (`nousu.players.whist.playouts.plan_values` judges cards as if
everybody went on by habit), with plans for North and South, and with plans for East and West. So each hand
gives two differences. The 95 % intervals take them as independent.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple

from bench.experiments.paired_gains import describe
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
    """A hand before its last cards."""

    match: Match
    hand: Hand
    seed: int


class Outcome(NamedTuple):
    """Result of North and South."""

    points: float
    chance: float
    """Chance to win the match, in percent."""


def _by_habit(
    table: WhistTable,
    worlds: Sequence[PlayoutHands],
    ways: Sequence[float],
    worth: Callable[[int], float],
    *asked: Any,
) -> Sequence[float]:
    """In place of `plan_values`: the values of the cards if the viewer goes on by habit."""
    gained = play_out(table, worlds, *asked).gained
    return [sum(way * worth(one) for way, one in zip(ways, row, strict=True)) for row in gained]


@contextmanager
def _plans(wanted: bool) -> Iterator[None]:
    """Let searching players follow plans meanwhile, or not."""
    vars(searcher)["planned"] = plan_values if wanted else _by_habit
    try:
        yield
    finally:
        vars(searcher)["planned"] = plan_values


def ending(preset: str, number: int, seed: int) -> Ending | None:
    """A hand before its last cards; None if it was over earlier."""
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


def play_out_ending(ending_: Ending, name: str, planning: int | None) -> Outcome:
    """The result where this side follows plans."""
    hand = ending_.hand
    while owed := hand.owed():
        view = hand.view(owed[0])
        action = view.legal[0]
        if len(view.legal) > 1:
            with _plans(side(owed[0]) == planning):
                seed = derive_seed(ending_.seed, len(hand.log))
                action = find_player(name).choose(view, DEFAULT_BUDGET, seed).action
        hand = hand.apply(owed[0], action)
    result = hand.result()
    assert result is not None
    after = ending_.match.tally.add(result, hand.setup)
    return Outcome(result.points[0] - result.points[1], 100 * (win_chance(after) or 0.0))


def main() -> None:
    """Play the hands and print the gains."""
    words = sys.argv[1:]
    numbers = [int(word) for word in words if word.isdigit()]
    hands, seed = (*numbers, *(300, 1)[len(numbers) :])
    name = next((word for word in words if word in players()), "expert")
    preset = next((word for word in words if not word.isdigit() and word != name), "tuppi")
    found: dict[str, list[Outcome]] = {"high": [], "low": []}
    for number in range(hands):
        last = ending(preset, number, seed)
        if last is not None:
            kind = str(Facts.of(last.hand.view(None).facts).kind)
            without = play_out_ending(last, name, None)
            for planning, sign in ((0, 1), (1, -1)):
                now = play_out_ending(last, name, planning)
                found[kind].append(
                    Outcome(sign * (now.points - without.points), sign * (now.chance - without.chance))
                )
        if (number + 1) % 100 == 0 or number + 1 == hands:
            print(f"{number + 1} hands")
            for kind, gains in (*found.items(), ("all", found["high"] + found["low"])):
                print(f"  {kind:5} {_description(gains)}", flush=True)


def _description(gains: list[Outcome]) -> str:
    if len(gains) < 2:
        return "too few"
    differing = sum(gain.points != 0 for gain in gains)
    text = describe([gain.points for gain in gains], [gain.chance for gain in gains])
    return f"{len(gains)} times, {differing} with another score; {text}"


if __name__ == "__main__":
    main()
