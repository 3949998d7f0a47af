"""Thinking time of computer players (CPU ms a choice); goals by level: median, 99th percentile.

Searching players: 150 ms and 1,000 ms; all others: 20 ms for the 99th percentile.

    python -m bench thinking_time                       every player, ten hands of every game
    python -m bench.thinking_time 40 rules club tuppi   forty hands, only these players and games
"""

import random
import sys
import time
from collections.abc import Sequence

from bench.results import options, parse
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.players import DEFAULT_BUDGET, find_player

MEDIAN, SEARCHING_P99, RULES_P99 = 150.0, 1000.0, 20.0
"""Milliseconds on one core."""
PLAYERS = ("rules", "beginner", "easy", "club", "searcher", "strong", "expert")
SEED = 1
"""Seed of deals and choices."""
SEARCHING = ("searcher", "strong", "expert")
GAMES = ("tuppi", "minnesota", "huutopussi", "tuppen_zk")


def choice_times(player: str, game: str, hands: int) -> list[float]:
    """CPU milliseconds of every choice among two or more actions.

    Args:
        player: Name of the player at every seat.
        game: The preset.
        hands: Hands to play.
    """
    family, rules = find(game)
    rng = random.Random(SEED)
    match = Match.start(family, rules, 4)
    spent: list[float] = []
    done = 0
    while done < hands:
        if match.winner is not None:
            match = Match.start(family, rules, 4)
        if match.hand.owed() == (CHANCE,):
            match = match.deal(rng)
            continue
        seat = match.hand.owed()[0]
        view = match.hand.view(seat)
        start = time.process_time()
        action = find_player(player).choose(view, DEFAULT_BUDGET, rng.getrandbits(32)).action
        if len(view.legal) > 1:
            spent.append(1000 * (time.process_time() - start))
        before = len(match.played)
        match = match.apply(seat, action)
        done += len(match.played) - before
    return spent


def main(words: Sequence[str] = ()) -> bool:
    """Measure each player in each game; return whether one misses its goal."""
    parser = options("thinking_time", __doc__)
    parser.add_argument("hands", nargs="?", type=int, default=10)
    parser.add_argument("names", nargs="*", choices=[*PLAYERS, *GAMES, []], help="players and games")
    arguments, report = parse(parser, words)
    for player in [name for name in PLAYERS if name in arguments.names] or PLAYERS:
        for game in [name for name in GAMES if name in arguments.names] or GAMES:
            p99 = SEARCHING_P99 if player in SEARCHING else RULES_P99
            spent = choice_times(player, game, arguments.hands)
            report.spread(f"{player}, {game}, choice", spent, "ms", p50=MEDIAN, p99=p99)
    return bool(report.problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
