"""Hands of every family as an OpenSpiel game: OpenSpiel's own checks pass."""

import numpy as np
import pytest

from nousu.games import games

pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("nousu.research.openspiel")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
PRESETS = [preset for game in games().values() for preset in game.presets]


@pytest.mark.parametrize("rules", [*PRESETS, "minnesota+high_points:90"])
def test_random_simulations(rules: str) -> None:
    game = pyspiel.load_game("python_nousu", {"rules": rules})
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("rules", ["tuppi", "huutopussi", "tuppen_zk"])
def test_random_simulations_with_serialisation(rules: str) -> None:
    game = pyspiel.load_game("python_nousu", {"rules": rules})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_a_name_with_options_is_read_back() -> None:
    game = pyspiel.load_game("python_nousu", {"rules": "tuppi+sooli=off", "seats": 4})
    again = pyspiel.load_game(str(game))
    assert not again.rules.sooli and str(again) == str(game)


def test_the_tensor_is_the_observation_of_the_environment() -> None:
    state = pyspiel.load_game("python_nousu", {"rules": "toepen", "seats": 5}).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    for player in range(5):
        planes, scalars = state.walk.observe(player)
        assert state.observation_tensor(player) == [*planes.reshape(-1).astype(float), *scalars.astype(float)]
    assert np.sum(state.observation_tensor(0)) > 4


@pytest.mark.parametrize("rules", ["tuppi", "minnesota", "norwegian_parlett", "tuppi+high_fail_points=100"])
def test_the_game_of_the_whist_family_alone_is_simulated_too(rules: str) -> None:
    pytest.importorskip("nousu.research.whist.openspiel")
    game = pyspiel.load_game("python_nousu_whist", {"rules": rules})
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)


def test_a_utility_is_bounded_by_the_options() -> None:
    pytest.importorskip("nousu.research.whist.openspiel")
    most = [
        pyspiel.load_game(name, {"rules": "tuppi+high_fail_points=100"}).max_utility()
        for name in ("python_nousu_whist", "python_nousu")
    ]
    assert most == [700, 700]
