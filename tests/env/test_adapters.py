"""The environments as other packages take them: their own conformance suites pass, for every preset."""

import importlib
import re
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np
import pytest

import nousu
from lockstep import texts
from nousu.engine.errors import BadRules
from nousu.env import MATCH_OVER, Lanes, replayed
from nousu.env.walk import family_of
from nousu.games import games
from nousu.integrations.rewards import Equity
from nousu.integrations.single_table import Episodes, environment_names
from nousu.solver import native

pettingzoo = pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed")
rlcard = pytest.importorskip("rlcard", reason="RLCard is not installed")

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(bool(native.missing), reason="there is no compiled core"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros:UserWarning"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning"),
]
FAMILIES = ["tuppi", "huutopussi", "tuppen_zk"]


def test_version_stands_for_one_table() -> None:
    """A table that has changed needs a new number here, and so new names."""
    known = {
        ("whist", 0): "0337c63a",
        ("huutopussi", 0): "8710f42e",
        ("tuppen", 0): "73161003",
    }
    for family, modules in ((name, family_of(game)) for name, game in games().items()):
        assert known[family, modules.VERSION] == modules.LAYOUT.version
    assert environment_names()["nousu/tuppen_zk-v0"] == "tuppen_zk"
    assert set(environment_names().values()) == {
        preset for game in games().values() for preset in game.presets
    }


def agents(preset: str) -> Callable[..., Any]:
    importlib.import_module("nousu.integrations.pettingzoo")

    def made(**settings: Any) -> Any:
        return pettingzoo.make("aec", f"nousu/{preset}-v0", **settings)

    return made


@pytest.mark.parametrize("preset", environment_names().values())
def test_pettingzoo_accepts_it(preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    from pettingzoo.test import api_test, render_test, seed_test

    made = agents(preset)
    api_test(made(), num_cycles=40)
    seed_test(made, num_cycles=20)
    if preset in FAMILIES:  # five times some actions into a hand
        render_test(made, {"ansi": lambda found: found.startswith("nousu record 1")})


def rule_sets() -> list[tuple[str, int]]:
    """Every preset and some random options of each family, with a number of seats."""
    return [pair for game in games().values() for pair in islice(texts(game, 51), len(game.presets) + 6)]


def test_every_package_shows_a_hand_before_its_first_action(subtests: pytest.Subtests) -> None:
    """Where blind raises come before the deal, there are no cards yet."""
    for rules, seats in rule_sets():
        with subtests.test(rules=rules, seats=seats):
            head = "nousu record 1"
            pettingzoo_env = importlib.import_module("nousu.integrations.pettingzoo").env
            table = pettingzoo_env(rules, seats=seats, render_mode="ansi")
            table.reset(seed=1)
            first = table.last()[0]
            assert table.render().startswith(head) and first["action_mask"].any()
            table.step(int(first["action_mask"].argmax()))
            assert table.render().startswith(head)
            cards = importlib.import_module("nousu.integrations.rlcard").make(rules, {"seed": 1}, seats=seats)
            state, _ = cards.reset()
            assert cards.get_perfect_information()["record"].startswith(head) and state["raw_legal_actions"]
            single = importlib.import_module("nousu.integrations.gymnasium")
            seat = single.GymnasiumEnv(rules, seats=seats, opponents="random", render_mode="ansi")
            seat.reset(seed=1)
            assert seat.render().startswith(head)
            lanes = Lanes(rules, 1, seats=seats)
            lanes.reset([1])
            *_, walk = replayed(lanes.game, lanes.rules, lanes.seats, lanes.history(0))
            assert nousu.write(walk.match).startswith(head) and walk.seat == lanes.last_step.seat[0]
            assert sorted(walk.moves) == np.flatnonzero(lanes.last_step.mask[0]).tolist()


def test_adapters_say_before_the_first_reset_how_an_episode_begins() -> None:
    table = agents("tuppi")(render_mode="ansi")
    for call in (table.render, table.last, lambda: table.rewards):
        with pytest.raises((RuntimeError, AttributeError), match=r"yet: reset begins (one|an episode)"):
            call()
    with pytest.raises(ValueError, match="reset begins anew"):
        table.table.step(0)
    table.reset(seed=1)
    for action in (1.0, 155.5, "ace", None):
        with pytest.raises((TypeError, ValueError), match=r"whole number|is to act"):
            table.step(action)


@pytest.mark.parametrize("settings", [{"matches": True, "reward": "equity"}, {"matches": True}])
def test_pettingzoo_plays_whole_matches(settings: dict[str, Any]) -> None:
    env = agents("minnesota")(**settings)
    env.reset(seed=4)
    total, rng = dict.fromkeys(env.possible_agents, 0.0), np.random.default_rng(1)
    for agent in env.agent_iter():
        seen, reward, ended, _, _ = env.last()
        total[agent] += reward
        env.step(None if ended else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    match = env.table.walk().match
    assert match.winner is not None
    assert nousu.read(nousu.write(match)).match == match
    if "reward" in settings:
        side = {0: 0.5, 1: -0.5} if match.winner == (0,) else {0: -0.5, 1: 0.5}
        expected = [side[seat % 2] for seat in range(4)] if match.winner else [0.0] * 4
        assert list(total.values()) == pytest.approx(expected, abs=1e-5)
    else:
        score = match.tally.score()
        assert list(total.values()) == [score[seat % 2] for seat in range(4)]


def test_action_that_is_not_legal_is_refused_and_nothing_happens() -> None:
    env = agents("tuppi")()
    env.reset(seed=1)
    wrong = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    history = env.table.history()
    with pytest.raises(ValueError, match=f"action {wrong} is not legal"):
        env.step(wrong)
    assert env.table.history() == history


@pytest.mark.parametrize("preset", environment_names().values())
@pytest.mark.filterwarnings("error")
def test_gymnasium_accepts_it(preset: str) -> None:
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make(f"nousu.integrations.gymnasium:nousu/{preset}-v0", opponents="random")
    check_env(env.unwrapped)


@pytest.mark.parametrize("preset", FAMILIES)
def test_gymnasium_plays_against_named_players(preset: str) -> None:
    """The same seed and the same actions bring the same hand; what was played is a record."""

    def hand(seed: int) -> tuple[list[Any], str]:
        made = f"nousu.integrations.gymnasium:nousu/{preset}-v0"
        env = gymnasium.make(made, opponents="rules", seat=1, render_mode="ansi")
        seen, info = env.reset(seed=seed)
        rng, found, ended = np.random.default_rng(seed), [], False
        while not ended:
            assert (env.unwrapped.action_masks() == info["action_mask"]).all()
            action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
            seen, reward, ended, _, info = env.step(action)
            found.append((action, reward, seen["observation"].tobytes()))
        return found, env.render()

    once = hand(5)
    assert once == hand(5) != hand(6)
    match = nousu.read(once[1]).match
    points = match.played[0].result.points
    mine = points[1] - points[0] if match.game.sides else points[1]
    assert sum(reward for _, reward, _ in once[0]) == mine


def test_gymnasium_rewards_a_match_by_the_chance_to_win_it() -> None:
    made = "nousu.integrations.gymnasium:nousu/minnesota-v0"
    env = gymnasium.make(made, opponents="random", matches=True, reward="equity")
    seen, _ = env.reset(seed=2)
    total, ended, rng = 0.0, False, np.random.default_rng(2)
    while not ended:
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        seen, reward, ended, _, _ = env.step(action)
        total += reward
    assert abs(total) == pytest.approx(0.5)


def test_gymnasium_takes_an_illegal_action_as_forfeit_or_as_an_error() -> None:
    made = "nousu.integrations.gymnasium:nousu/tuppi-v0"
    for illegal in ("forfeit", "error"):
        env = gymnasium.make(made, opponents="random", illegal=illegal)
        seen, _ = env.reset(seed=3)
        wrong = int(np.flatnonzero(seen["action_mask"] == 0)[0])
        if illegal == "error":
            with pytest.raises(ValueError, match=rf"action {wrong} \(.+\) is not legal"):
                env.step(wrong)
        else:
            _, reward, ended, _, info = env.step(wrong)
            assert ended and reward < -20 and info["forfeit"]


@pytest.mark.parametrize("preset", FAMILIES)
def test_rlcard_runs_it(preset: str) -> None:
    from rlcard.agents import RandomAgent

    importlib.import_module("nousu.integrations.rlcard")

    def hands(seed: int) -> list[Any]:
        env = rlcard.make(f"nousu/{preset}-v0", config={"seed": seed})
        env.set_agents([RandomAgent(env.num_actions)] * env.num_players)
        np.random.seed(seed)
        found = []
        for _ in range(2):
            paths, payoffs = env.run(is_training=True)
            states = [one for path in paths for one in path if isinstance(one, dict)]
            found.append((payoffs.tolist(), [state["obs"].tobytes() for state in states]))
            assert {state["obs"].shape for state in states} == {tuple(env.state_shape[0])}
        return found

    assert hands(3) == hands(3) != hands(4)


def test_rlcard_takes_actions_back() -> None:
    from nousu.integrations.rlcard import make

    env = make("tuppi+sooli=off", {"seed": 2, "allow_step_back": True})
    state, player = env.reset()
    before = (state["obs"].tobytes(), list(state["legal_actions"]), player)
    for action in before[1]:
        env.step(action)
        state, player = env.step_back()
        assert (state["obs"].tobytes(), list(state["legal_actions"]), player) == before
    assert env.step_back() is False
    assert env.get_perfect_information()["record"].startswith("nousu record 1")


@pytest.mark.parametrize("preset", ["tuppi", "tuppi_tournament", "minnesota", "south_dakota"])
def test_rewards_in_equity_add_up_to_the_result(preset: str) -> None:
    lanes = Lanes(preset, 6, matches=True)
    step = lanes.reset(range(6))
    reward = Equity(lanes)
    total, finished = np.zeros((6, 4)), 0
    for _ in range(4000):
        step = lanes.step(lanes.choose())
        total += reward.of(step)
        for lane in np.flatnonzero(step.done & MATCH_OVER):
            won = step.place[lane] == 1
            expected = np.zeros(4) if won.all() else np.where(won, 0.5, -0.5)
            assert total[lane] == pytest.approx(expected, abs=1e-4)
            total[lane] = 0
            finished += 1
    assert finished > 2


def test_adapters_refuse_impossible_arguments() -> None:
    with pytest.raises(ValueError, match="whole matches"):
        Episodes("tuppi", reward="equity")
    with pytest.raises(ValueError, match="no hands of huutopussi were measured"):
        Episodes("huutopussi", matches=True, reward="equity")
    with pytest.raises(ValueError, match="'points' or 'equity'"):
        Episodes("tuppi", reward="pints")  # type: ignore[arg-type]
    with pytest.raises(BadRules, match=re.escape("the environments do not know")):
        gymnasium.make("nousu.integrations.gymnasium:nousu/tuppen_zk-v0", rules="tuppen_zk+conduct=director")
