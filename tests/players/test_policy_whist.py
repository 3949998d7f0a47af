"""The nets of the whist family: the compiled core rates card for card as Python does."""

from random import Random

import pytest

from nousu.engine.actions import Give, Play
from nousu.engine.cards import card_set
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.games.whist import Facts
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.whist import policy
from nousu.players.whist.playouts import WhistTable, play_out, public_table
from nousu.solver import native
from tools.training import sooli


def played_by_policy(match, rng, situations):
    """The match once its hand is over, cards by the nets and all else by `rules`.

    Also the view and all hands at each card; situations with a choice are added to `situations`.
    """
    due = []
    while not match.played and match.hand.owed() != (CHANCE,):
        seat = match.hand.owed()[0]
        view = match.hand.view(seat)
        action = find_player("rules").choose(view, DEFAULT_BUDGET, rng.randrange(1 << 32)).action
        if policy.is_covered(view):
            due.append((view, [card_set(match.hand.view(one).cards) for one in range(4)]))
            action = Play(policy.best_card(view))
            if len(view.legal) > 1:
                situations.add(policy.net_choice(view).situation)
        match = match.apply(seat, action)
    return match, due


@pytest.mark.native
@pytest.mark.skipif(native.core is None, reason="there is no compiled core")
@pytest.mark.parametrize("preset", ["tuppi", "minnesota"])
def test_core_plays_by_the_nets_as_python_does(preset):
    rng = Random(7)
    seen = set()
    for number in range(24):
        family, rules = find(preset)
        match = Match.start(family, rules, 4, dealer=number % 4).deal(rng)
        match, due = played_by_policy(match, rng, seen)
        if not due or len(due) < 52:  # thrown in, broken off, or a sooli
            continue
        taken = Facts.of(match.played[0].hand.view(None).facts).tricks[0]
        for view, hands in due[::6]:
            found = play_out(public_table(view), [(hands, 0)], nets=policy.packed_weights())
            assert found.gained == ((taken,),)
            assert found.deviations == (0,)
    assert seen >= set(policy.RAMI_AND_NOLO)


@pytest.mark.native
@pytest.mark.skipif(native.core is None, reason="there is no compiled core")
def test_core_plays_soolis_by_the_nets_as_python_does(subtests):
    rng = Random(3)
    seen = set()
    for preset in ("tuppi", "tuppi+sooli_order=rotation", "tuppi+sooli_exchange=receive_then_return"):
        with subtests.test(preset=preset):
            for _ in range(8):
                match, due = played_by_policy(sooli.deal(preset, rng), rng, seen)
                hand = match.played[0].hand
                soloist = Facts.of(hand.view(None).facts).soloist
                gifts = [one for _, one in hand.log if isinstance(one, Give) and one.to is None]
                aside = sum(card_set(gift.cards) for gift in gifts)
                made = int(hand.result().points[soloist % 2] > 0)
                for view, hands in due[::4]:
                    found = play_out(public_table(view), [(hands, aside)], nets=policy.packed_weights())
                    assert found.gained == ((made,),)
                    assert found.deviations == (0,)
    assert seen == set(policy.SOOLI)


@pytest.mark.native
@pytest.mark.skipif(native.core is None, reason="there is no compiled core")
def test_nets_of_another_size_are_refused():
    table = WhistTable("high", 0, None, None, 0)
    with pytest.raises(ValueError, match="not the nets"):
        play_out(table, [((1, 2, 4, 8), 0)], nets=b"\0\0")
