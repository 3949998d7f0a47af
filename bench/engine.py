"""Speed of the rules (hands a second of CPU time) and cost of a view (µs); goals: 1,600 hands/s, 25 µs.

Random Tuppi hands are played through the public interface and, where OpenSpiel is installed, random deals of
its bridge by the same loop. Both are measured in turns of a third of a second of CPU time; the best turn
counts, since other programs only slow a turn down.
"""

import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from bench.results import Report, options, parse
from nousu.engine.game import Game, Hand, Setup
from nousu.engine.match import shuffled
from nousu.engine.seats import CHANCE, Seat
from nousu.games import find, games

GOAL = 1600
"""Hands a second."""
VIEW_GOAL = 25.0
"""Microseconds a view, on average over the hands of a family."""
TURNS, SECONDS = 15, 0.33


def play_tuppi_hand(rng: random.Random, game: Game, rules: Any) -> int:
    """Play a hand at random and return the number of actions, the deal included."""
    hand = game.start(rules, Setup(4, rng.randrange(4), game.tally(rules, 4)))
    hand = hand.apply(CHANCE, shuffled(hand.dealing(), rng))
    choice = rng.choice
    while hand.result() is None:
        seat = hand.owed()[0]
        hand = hand.apply(seat, choice(hand.legal(seat)))
    return len(hand.log)


def play_bridge_deal(rng: random.Random, game: Any) -> int:
    """Play a deal of OpenSpiel's bridge at random, without double-dummy table; return the action count."""
    state = game.new_initial_state()
    choice = rng.choice
    while not state.is_terminal():
        state.apply_action(choice(state.legal_actions()))
    state.returns()
    return len(state.history())


def play_rate(play: Callable[[], int], seconds: float) -> tuple[float, float]:
    """Hands and actions a second of CPU time.

    Args:
        play: Plays one hand and returns its number of actions.
        seconds: CPU time to spend.
    """
    hands = actions = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        for _ in range(20):
            actions += play()
        hands += 20
    spent = time.process_time() - start
    return hands / spent, actions / spent


def positions(rng: random.Random, game: Game, rules: Any, hands: int) -> list[tuple[Hand, Seat]]:
    """Yield the positions of so many random hands, each with a seat that owes an action there."""
    sample: list[tuple[Hand, Seat]] = []
    seats = 4 if 4 in game.seats else game.seats.start
    for _ in range(hands):
        hand = game.start(rules, Setup(seats, rng.randrange(seats), game.tally(rules, seats)))
        while owed := hand.owed():
            if owed == (CHANCE,):
                hand = hand.apply(CHANCE, shuffled(hand.dealing(), rng))
                continue
            sample.append((hand, owed[0]))
            hand = hand.apply(owed[0], rng.choice(hand.legal(owed[0])))
    return sample


def view_cost(sample: list[tuple[Hand, Seat]]) -> float:
    """Microseconds of CPU time a view, the best of five turns over these positions."""
    turns = []
    for _ in range(5):
        start = time.process_time()
        for hand, seat in sample:
            hand.view(seat)
        turns.append(time.process_time() - start)
    return min(turns) / len(sample) * 1e6


def main(words: Sequence[str] = ()) -> bool:
    """Measure both rates and the views; return whether a goal is missed."""
    _, report = parse(options("engine", __doc__), words)
    rng = random.Random(1)
    family, rules = find("tuppi")
    try:
        import pyspiel

        bridge = pyspiel.load_game("bridge(use_double_dummy_result=false)")
    except ImportError:
        print("OpenSpiel is not installed: pip install 'nousu[bench]'")
        bridge = None
    ours, theirs = [], []
    for _ in range(TURNS):
        ours.append(play_rate(lambda: play_tuppi_hand(rng, family, rules), SECONDS))
        if bridge is not None:
            theirs.append(play_rate(lambda: play_bridge_deal(rng, bridge), SECONDS))
    _report_rates(report, "Tuppi, random players", ours, GOAL)
    if theirs:
        _report_rates(report, "OpenSpiel bridge (C++), the same loop", theirs)
        hands, actions = (own / other for own, other in zip(max(ours), max(theirs), strict=True))
        report.add("ratio of hands, Tuppi to bridge", hands, "times")
        report.add("ratio of actions, Tuppi to bridge", actions, "times")
    for game in games().values():
        preset, preset_rules = next(iter(game.presets.items()))
        cost = view_cost(positions(rng, game, preset_rules, 50))
        report.add(f"view of {preset}, mean", cost, "µs", at_most=VIEW_GOAL)
    return bool(report.problems)


def _report_rates(
    report: Report, name: str, rates: list[tuple[float, float]], goal: float | None = None
) -> None:
    ordered = sorted(rates)
    hands, actions = ordered[-1]
    report.add(f"{name}, best turn", hands, "hands/s", n=len(rates), at_least=goal)
    report.add(f"{name}, actions", actions, "actions/s")
    report.add(f"{name}, median turn", ordered[len(ordered) // 2][0], "hands/s")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
