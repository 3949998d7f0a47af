"""A digest of random matches, to compare the rules of two checkouts: ``python -m tools.rules_digest``.

Two versions of the rules with the same digest owed, allowed and scored the same in every step of these
matches. Then the digits of `nousu.about.rules_hash` in docs/results/leaderboard may be replaced.
"""

import argparse
import random
from hashlib import sha256

import nousu
from nousu.engine.seats import CHANCE
from nousu.players.leaderboard import SETS

_HANDS = 20
"""Greatest number of hands of a match: random bids may go on below zero for ever."""


def rules_digest(rules: str, matches: int) -> str:
    """The digest of so many random matches by these rules: seats to act, legal actions, scores."""
    seen = sha256()
    for number in range(matches):
        chance = random.Random(f"{rules} {number}")
        match = nousu.start(rules, seed=number)
        while match.winner is None and len(match.played) < _HANDS:
            seat = chance.choice(match.hand.owed())
            if seat == CHANCE:
                match = match.deal(chance)
                continue
            legal = match.hand.legal(seat)
            seen.update(f"{match.hand.owed()} {legal} {match.tally.score()}\n".encode())
            match = match.apply(seat, chance.choice(legal))
        seen.update(f"{match.winner} {match.tally.score()} {match.hand.log}\n".encode())
    return seen.hexdigest()[:16]


def main() -> None:
    """Print a digest for each game of the leaderboard."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("matches", nargs="?", type=int, default=300, help="matches of each game")
    parser.add_argument("--rules", nargs="*", default=sorted(SETS), help="presets with options")
    wanted = parser.parse_args()
    for rules in wanted.rules:
        print(f"{rules}: {rules_digest(rules, wanted.matches)} by {wanted.matches} matches")


if __name__ == "__main__":
    main()
