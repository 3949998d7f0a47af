"""How much what was said in Tuppen tells of the hidden cards: held-out log loss of the true deal.

python bench/inference.py          250 hands of the rule-based player and 100 of `easy`, some minutes
python bench/inference.py 1000     so many hands of the rule-based player
python bench/inference.py 300 2    300 hands for two of `rules`, `easy`, and `searcher`, who speaks by odds

In one position of each hand the true deal is weighed beside 300 drawn ones that fit what was seen. Printed is
by how many nats the weights make it likelier than drawing alone does: 0 says nothing, less than 0 misleads.
"""

import sys
from math import log, sqrt
from random import Random

from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.games.tuppen import Hand
from nousu.players import Player, named
from nousu.players.company import moved
from nousu.players.searcher import imagined
from nousu.players.tuppen.heard import likelihoods

PRESET, DEALS, SEED = "tuppen_zk+four_pictures=off", 300, 9


def positions(player: Player, seats: int, deal: int) -> list[Hand]:
    """The positions of one hand, that player in all seats, in which somebody has a choice."""
    match, found = Match.start(*find(PRESET), seats, dealer=deal % seats), []
    while not match.played:
        after = moved(match, [player] * seats, SEED * 1000 + deal)
        assert after is not None
        match = after
        hand = match.hand
        assert isinstance(hand, Hand)
        owed = hand.owed() if not match.played else ()
        if owed and owed != (CHANCE,) and len(hand.legal(owed[0])) > 1:
            found.append(hand)
    return found


def gain(hand: Hand, rng: Random) -> float:
    """By how many nats the weights make the true deal likelier."""
    view = hand.view(hand.owed()[0])
    drawn = imagined(view, DEALS, rng)
    assert hand.table is not None
    true = drawn[0]._replace(hands=tuple(hand.table.hands))
    first, *others = likelihoods(view, [true, *drawn], rng.getrandbits(32))
    return log(first / (sum(others) / len(others)))


def main(hands: int = 250, seats: int = 4) -> None:
    """Print the gain among players of two levels; for two, of three."""
    four, two = {"rules": hands, "easy": 100}, dict.fromkeys(("rules", "easy", "searcher"), hands)
    for level, count in (two if seats == 2 else four).items():
        rng = Random(SEED)
        some = [positions(named(level), seats, deal) for deal in range(count)]
        gains = [gain(rng.choice(one), rng) for one in some if one]
        mean = sum(gains) / len(gains)
        spread = sqrt(sum((one - mean) ** 2 for one in gains) / (len(gains) - 1) / len(gains))
        print(f"{level:8} {mean:+.2f} ± {1.96 * spread:.2f} nats ({len(gains)} positions)", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
