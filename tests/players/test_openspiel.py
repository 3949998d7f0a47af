"""Our hands as an OpenSpiel game: its own checks pass, and its search plays by our worlds."""

from random import Random

import pytest

from nousu.engine.match import Match
from nousu.games import find
from nousu.players import DEFAULT_BUDGET, summoned

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def research():
    from nousu.research import openspiel

    return openspiel


@pytest.mark.parametrize("rules", ["tuppi", "minnesota", "norwegian_parlett"])
def test_openspiel_walks_through_hands(research, rules):
    game = pyspiel.load_game("python_nousu_whist", {"rules": rules})
    rng = Random(rules)
    for _ in range(5):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                cards, chances = zip(*state.chance_outcomes(), strict=True)
                assert sum(chances) == pytest.approx(1)
                state.apply_action(rng.choices(cards, chances)[0])
            else:
                legal = state.legal_actions()
                assert len(legal) > 1
                state = state.clone()
                state.apply_action(rng.choice(legal))
        assert sum(state.returns()) == 0


def test_a_clone_lives_its_own_life(research):
    state = pyspiel.load_game("python_nousu_whist").new_initial_state()
    other = state.clone()
    other.apply_action(5)
    assert len(other.chance_outcomes()) == 51
    assert len(state.chance_outcomes()) == 52


def test_a_seat_that_hears_the_same_is_told_the_same(research):
    """Sampled worlds have the information state of the true one."""
    from nousu.players.worlds import relived, worlds

    match = Match.start(*find("tuppi"), 4).deal(Random(2))
    game = research.WhistGame()
    rng = Random(1)
    while not match.played:
        seat = match.hand.owed()[0]
        view = match.hand.view(seat)
        other = relived(view, worlds(view).sample(rng))
        here, there = (
            research.WhistState(game, research._Table(hand)).information_state_string(seat)
            for hand in (match.hand, other)
        )
        assert here == there
        match = match.apply(seat, rng.choice(match.hand.legal(seat)))


def test_the_search_of_openspiel_plays(research):
    player = research.IsmctsPlayer(simulations=30)
    match = Match.start(*find("tuppi"), 4).deal(Random(2))
    steps = 0
    while not match.played and steps < 12:
        seat = match.hand.owed()[0]
        view = match.hand.view(seat)
        choice = player.choose(view, DEFAULT_BUDGET, steps)
        assert choice == player.choose(view, DEFAULT_BUDGET, steps)
        match = match.apply(seat, choice.action)
        steps += 1


def test_players_by_module_name():
    assert summoned("py:nousu.research.openspiel:one_second") is summoned(
        "py:nousu.research.openspiel:one_second"
    )
    with pytest.raises(ValueError, match="is no player"):
        summoned("py:nousu.research.openspiel:nobody")
