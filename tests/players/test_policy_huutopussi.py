"""The nets of Huutopussi: the compiled core rates card for card as Python does, whatever the weights."""

from random import Random

import pytest

from nousu.engine.actions import Give, Play
from nousu.engine.cards import card_set
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.games.huutopussi import PlayedHand
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.huutopussi import policy
from nousu.players.huutopussi.playouts import HuutopussiTable, play_out, playout_hands, public_table
from nousu.players.nets import HIDDEN
from nousu.players.worlds import World
from nousu.solver import native

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(native.core is None, reason="there is no compiled core"),
]
PRESETS = [
    "huutopussi",
    "huutopussi_illisoft",
    "huutopussi+lockouts=none+declare_right=won+marriage_values=spades_high+all_pass=no_contract",
    "huutopussi+card_values=matrix+answers=optional",
]


def any_weights(rng: Random) -> bytes:
    """Weights that make every input matter, small enough for no sum to leave its bits."""
    many = len(policy.SHAPE.situations) * (policy.SHAPE.inputs + 1) * HIDDEN
    return b"".join(rng.randrange(-400, 400).to_bytes(2, "little", signed=True) for _ in range(many))


def test_core_plays_by_the_nets_as_python_does(subtests: pytest.Subtests) -> None:
    """From every moment of hands in which everybody plays by them."""
    for preset in PRESETS:
        with subtests.test(preset=preset):
            rng = Random(11)
            weights = any_weights(rng)
            seen = set()
            for number in range(8):
                family, rules = find(preset)
                match = Match.start(family, rules, 4, dealer=number % 4).deal(rng)
                due = []
                while not match.played and match.hand.owed() != (CHANCE,):
                    seat = match.hand.owed()[0]
                    view = match.hand.view(seat)
                    action = find_player("rules").choose(view, DEFAULT_BUDGET, 1).action
                    if isinstance(action, Play) and policy.is_covered(view):
                        due.append(match.hand)
                        action = Play(policy.best_card(view, weights))
                        seen.add(policy.net_choice(view).situation)
                    match = match.apply(seat, action)
                if not due:  # dealt again
                    continue
                result = match.played[0].hand.result()
                assert result is not None and isinstance(result.outcome, PlayedHand)
                log = match.played[0].hand.log
                given = tuple(action.cards for _, action in log if isinstance(action, Give))
                for hand in due[::4]:
                    world = World(tuple(card_set(hand.view(seat).cards) for seat in range(4)), (), (), given)
                    view = hand.view(hand.owed()[0])
                    found = play_out(public_table(view), [playout_hands(view, world)], nets=weights)
                    assert found.ended == (((result.outcome.earned, result.outcome.tricks),),)
                    assert found.deviations == (0,)
            assert len(seen) == len(policy.SHAPE.situations)


def test_nets_of_another_size_are_refused() -> None:
    rules = find("huutopussi")[1]
    with pytest.raises(ValueError, match="not the nets"):
        play_out(HuutopussiTable(rules, 0), [(1 << 4, 1 << 5, 1 << 6, 1 << 7, 0, 0, 0, 0)], nets=b"\0\0")
