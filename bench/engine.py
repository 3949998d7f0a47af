"""Random Tuppi hands through the public interface, and the same loop on OpenSpiel's bridge, in one run; then
what a view costs in every family.

Both loops are measured in turns, a third of a second of CPU time each; the best turn counts, since other
work on the machine only ever slows a turn down. The median is printed too.
"""

import random
import time
from collections.abc import Callable
from typing import Any

from nousu.engine.game import Game, Hand, Setup
from nousu.engine.match import shuffled
from nousu.engine.seats import CHANCE, Seat
from nousu.games import find, games

BUDGET = 1600
"""Hands a second that are promised."""
VIEW_BUDGET = 25.0
"""Microseconds a view may cost on average over the hands of a family."""
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


def positions(rng: random.Random, game: Game, rules: Any, hands: int) -> list[tuple[Hand, Seat]]:
    """Every position of so many random hands, with a seat that is owed there."""
    found: list[tuple[Hand, Seat]] = []
    seats = 4 if 4 in game.seats else game.seats.start
    for _ in range(hands):
        hand = game.start(rules, Setup(seats, rng.randrange(seats), game.tally(rules, seats)))
        while owed := hand.owed():
            if owed == (CHANCE,):
                hand = hand.apply(CHANCE, shuffled(hand.dealing(), rng))
                continue
            found.append((hand, owed[0]))
            hand = hand.apply(owed[0], rng.choice(hand.legal(owed[0])))
    return found


def view_cost(found: list[tuple[Hand, Seat]]) -> float:
    """Microseconds of CPU time a view, the best of five turns over these positions."""
    turns = []
    for _ in range(5):
        start = time.process_time()
        for hand, seat in found:
            hand.view(seat)
        turns.append(time.process_time() - start)
    return min(turns) / len(found) * 1e6


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
    for game in games().values():
        preset, chosen = next(iter(game.presets.items()))
        cost = view_cost(positions(rng, game, chosen, 50))
        kept = "kept" if cost <= VIEW_BUDGET else "MISSED"
        print(f"a view of {preset}: {cost:.1f} µs on average; budget {VIEW_BUDGET:.0f} µs: {kept}")


def _tell(what: str, rates: list[tuple[float, float]]) -> None:
    ordered = sorted(rates)
    hands, actions = ordered[-1]
    median = ordered[len(ordered) // 2][0]
    print(f"{what}: {hands:.0f} hands/s, {actions:.0f} actions/s of CPU time (median {median:.0f} hands/s)")


if __name__ == "__main__":
    main()
