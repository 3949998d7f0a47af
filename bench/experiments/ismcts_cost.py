"""Cost of one simulation of OpenSpiel's ISMCTS in a hand of Tuppi (µs of CPU time).

Compared are light states with playouts in the compiled core (``tools.ismcts.openspiel``) and the
engine's states with OpenSpiel's own playouts. The last column is simulations a second.
"""

from random import Random
from time import process_time
from typing import Any

import numpy as np
from open_spiel.python.algorithms import ismcts
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.games import find
from nousu.games.whist import Facts, Hand
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.worlds import replay_world, worlds
from tools.ismcts.light import NUMBER
from tools.ismcts.openspiel import IsmctsPlayer, WhistGame

SIMULATIONS, FEW = 3000, 50


def light(view: View) -> float:
    """Microseconds a simulation over light states."""
    start = process_time()
    IsmctsPlayer(simulations=SIMULATIONS).choose(view, DEFAULT_BUDGET, 1)
    return 1e6 * (process_time() - start) / SIMULATIONS


def plain(view: View) -> float:
    """Microseconds a simulation over the engine's states."""
    game, found, rng = WhistGame(), worlds(view), Random(1)

    def drawn(*_: Any) -> Any:
        hand = replay_world(view, found.sample(rng))
        assert isinstance(hand, Hand)
        return game.state_of(hand)

    chance = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, RandomRolloutEvaluator(1, chance), 12.0, FEW, random_state=chance)
    bot.set_resampler(drawn)
    start = process_time()
    bot.step(drawn())
    return 1e6 * (process_time() - start) / FEW


def main() -> None:
    """Print one line for each place in the hand."""
    print("where      legal   light, µs   engine, µs   simulations a second")
    match = Match.start(*find("tuppi"), 4).deal(Random(2))
    seen = set()
    while not match.played:
        seat = match.hand.owed()[0]
        view = match.hand.view(seat)
        phase, tricks = Facts.of(view.facts).phase, len(view.tricks)
        choices = sum(action in NUMBER for action in view.legal)
        where = f"trick {tricks + 1}" if phase == "play" else phase
        if choices > 1 and not view.trick and tricks % 3 == 0 and where not in seen:
            seen.add(where)
            ours = light(view)
            print(f"{where:10} {choices:5} {ours:11.0f} {plain(view):12.0f} {1e6 / ours:22.0f}", flush=True)
        match = match.apply(seat, find_player("rules").choose(view, DEFAULT_BUDGET, 1).action)


if __name__ == "__main__":
    main()
