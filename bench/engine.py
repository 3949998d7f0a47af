"""Random Tuppi hands through the public interface, and the same loop on OpenSpiel's bridge, in one run.

Both are measured in turns, a third of a second of CPU time each; the best turn counts, since other work on
the machine only ever slows a turn down. The median is printed too.
"""

import random
import time
from collections.abc import Callable
from typing import Any

from nousu.engine.game import Game, Setup
from nousu.engine.match import shuffled
from nousu.engine.seats import CHANCE
from nousu.games import find

BUDGET = 1600
"""Hands a second that are promised."""
TURNS, SECONDS = 15, 0.33


def tuppi_hand(rng: random.Random, game: Game, rules: Any) -> int:
    """One hand by chance: start, owed, legal, apply, result. Returns the number of actions, deal included."""
    hand = game.start(rules, Setup(4, rng.randrange(4), game.tally(rules, 4)))
    hand = hand.apply(CHANCE, shuffled(hand.dealing(), rng))
    choice = rng.choice
    while hand.result() is None:
        seat = hand.owed()[0]
        hand = hand.apply(seat, choice(hand.legal(seat)))
    return len(hand.log)


def bridge_hand(rng: random.Random, game: Any) -> int:
    """One deal of OpenSpiel's bridge by chance, the double-dummy table left out. Returns its actions."""
    state = game.new_initial_state()
    choice = rng.choice
    while not state.is_terminal():
        state.apply_action(choice(state.legal_actions()))
    state.returns()
    return len(state.history())


def rate(hand: Callable[[], int], seconds: float) -> tuple[float, float]:
    """How many hands, and actions, a second of CPU time."""
    done = actions = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        for _ in range(20):
            actions += hand()
        done += 20
    spent = time.process_time() - start
    return done / spent, actions / spent


def main() -> None:
    """Print both rates, their ratio and whether the budget is kept."""
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
        ours.append(rate(lambda: tuppi_hand(rng, family, rules), SECONDS))
        if bridge is not None:
            theirs.append(rate(lambda: bridge_hand(rng, bridge), SECONDS))
    _tell("tuppi, random players, one core", ours)
    print(f"budget {BUDGET} hands/s: {'kept' if max(ours)[0] >= BUDGET else 'MISSED'}")
    if theirs:
        _tell("OpenSpiel bridge (C++), the same loop", theirs)
        hands, actions = (one / other for one, other in zip(max(ours), max(theirs), strict=True))
        print(f"ratio of hands {hands:.3f}, of actions {actions:.3f}")


def _tell(what: str, rates: list[tuple[float, float]]) -> None:
    ordered = sorted(rates)
    hands, actions = ordered[-1]
    median = ordered[len(ordered) // 2][0]
    print(f"{what}: {hands:.0f} hands/s, {actions:.0f} actions/s of CPU time (median {median:.0f} hands/s)")


if __name__ == "__main__":
    main()
