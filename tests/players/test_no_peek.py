"""No player looks at hidden cards: in another world that its seat cannot tell apart it does the same.

The other world is drawn by the sampler and replayed through the rules, so the player gets a view made from
a hand in which the hidden cards really lie elsewhere. ``NOUSU_PEEK`` sets how many positions are tried for
each player and game (``make bench`` tries more).
"""

import os
from random import Random

import pytest

from nousu.engine.laws import random_match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.players import Budget, named
from nousu.players.worlds import relived, worlds

POSITIONS = int(os.environ.get("NOUSU_PEEK", "1000"))
SMALL = Budget(seconds=0.002, worlds=3)
GAMES = [("tuppi", 4), ("minnesota", 4), ("huutopussi", 4), ("tuppen_zk", 4)]


def positions(preset, seats, count):
    """Positions of matches played by chance, with the seat that has a choice there."""
    rng = Random(preset)
    game, rules = find(preset)
    found = 0
    while True:
        for _, hand in random_match(game, rules, seats, rng, hands=30):
            owed = hand.owed()
            if not owed or owed == (CHANCE,) or len(hand.legal(owed[-1])) < 2 or rng.random() < 0.5:
                continue
            yield hand, owed[-1], rng
            found += 1
            if found == count:
                return


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "seats"), GAMES)
@pytest.mark.parametrize("player", ["rules", "searcher"])
def test_hidden_cards_never_change_a_move(player, preset, seats):
    moved = 0
    for hand, seat, rng in positions(preset, seats, POSITIONS):
        view = hand.view(seat)
        world = worlds(view).sample(rng)
        other = relived(view, world)
        table = getattr(hand, "table", None)
        moved += world.hands != tuple(table.hands if table is not None else hand.hands)
        seed = rng.randrange(1 << 32)
        here = named(player).choose(view, SMALL, seed)
        there = named(player).choose(other.view(seat), SMALL, seed)
        assert here == there
        assert here.action in view.legal
    assert moved > POSITIONS // 2
