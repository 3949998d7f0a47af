"""No player looks at hidden cards; ``python -m bench hidden_cards`` compares more positions."""

from random import Random

import pytest

from bench.hidden_cards import GAMES, compare
from nousu.players import Choice, find_player

POSITIONS = 1000


CASES = [(player, preset, 4) for player in ("rules", "beginner", "easy", "searcher") for preset in GAMES]
LEARNED = [("expert", preset, 4) for preset in ("tuppi", "minnesota", "huutopussi", "tuppen_zk")]
LEARNED += [("expert", "tuppen_zk", 2)]


@pytest.mark.slow
@pytest.mark.parametrize(("player", "preset", "seats"), CASES + LEARNED)
def test_moves_do_not_depend_on_hidden_cards(player, preset, seats):
    positions = POSITIONS // 10 if player == "expert" else POSITIONS
    seen = compare(find_player(player), preset, positions, seats)
    assert not seen.changed
    assert seen.moved > positions // 2
    assert player not in ("searcher", "expert") or seen.searched > positions // 10


@pytest.mark.parametrize(("preset", "seats"), [("tuppi", 4), ("huutopussi", 4), ("tuppen_zk", 2)])
def test_trained_weights_see_no_hidden_card(preset, seats):
    seen = compare(find_player("expert"), preset, 20, seats)
    assert seen.moved > 10 and not seen.changed


def test_peeking_player_is_caught():
    class Fickle:
        dice = Random(1)

        def choose(self, view, budget, seed):
            return Choice(self.dice.choice(view.legal))

    assert compare(Fickle(), "tuppi", 40).changed
