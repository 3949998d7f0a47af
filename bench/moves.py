"""How long a computer player thinks: CPU milliseconds a choice, median, 99th percentile and slowest.

python -m bench moves                          every player, ten hands of every game
python bench/moves.py 40 rules club tuppi      forty hands, only these players and games
"""

import random
import sys
import time

from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.players import DEFAULT_BUDGET, find_player

MEDIAN, MOST, QUICK = 150.0, 1000.0, 20.0
"""Milliseconds allowed on one core: median and 99th percentile of who searches, the 99th of all others."""
PLAYERS = ("rules", "beginner", "easy", "club", "searcher", "strong", "expert")
SEARCHING = ("searcher", "strong", "expert")
GAMES = ("tuppi", "minnesota", "huutopussi", "tuppen_zk")


def times(player: str, game: str, hands: int, seed: int = 1) -> list[float]:
    """CPU milliseconds of every real choice of so many hands, in order of size."""
    family, rules = find(game)
    rng = random.Random(seed)
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
    return sorted(spent)


def main() -> None:
    """Print one line a player and game, and whether the level keeps its budget."""
    hands = next((int(word) for word in sys.argv[1:] if word.isdigit()), 10)
    asked = sys.argv[1:]
    for player in [one for one in PLAYERS if one in asked] or PLAYERS:
        for game in [one for one in GAMES if one in asked] or GAMES:
            spent = times(player, game, hands)
            median, most = spent[len(spent) // 2], spent[len(spent) * 99 // 100]
            within = median <= MEDIAN and most <= (MOST if player in SEARCHING else QUICK)
            kept = "budget kept" if within else "budget MISSED"
            print(
                f"{player:9} {game:11} {len(spent):5} choices: median {median:7.2f} ms, p99 {most:8.2f} ms, "
                f"slowest {spent[-1]:8.2f} ms  {kept}",
                flush=True,
            )


if __name__ == "__main__":
    main()
