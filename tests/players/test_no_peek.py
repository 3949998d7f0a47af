"""No player looks at hidden cards: ``bench/nopeek.py`` has the positions and how they are compared, and tries
more of them under ``make bench``."""

from random import Random

import pytest
from bench.nopeek import GAMES, findings

from nousu.players import Choice, named

POSITIONS = 1000


@pytest.mark.slow
@pytest.mark.parametrize("preset", GAMES)
@pytest.mark.parametrize("player", ["rules", "beginner", "easy", "searcher"])
def test_hidden_cards_never_change_a_move(player, preset):
    seen = findings(named(player), preset, POSITIONS)
    assert not seen.peeked
    assert seen.moved > POSITIONS // 2
    assert player != "searcher" or seen.searched > POSITIONS // 10


def test_a_player_that_does_not_depend_on_its_view_alone_is_caught():
    class Fickle:
        dice = Random(1)

        def choose(self, view, budget, seed):
            return Choice(self.dice.choice(view.legal))

    assert findings(Fickle(), "tuppi", 40).peeked
