"""Environments copy, deep-copy and pickle in mid-hand; what follows is the same in both."""

import copy
import importlib
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import nousu.research as former_name
from nousu.env import Lanes, Walk
from nousu.games import find
from nousu.integrations import aec
from nousu.solver import native

PRESETS = ["tuppi", "huutopussi", "tuppen_zk"]
needs_core = pytest.mark.skipif(bool(native.missing), reason="there is no compiled core")

Copier = Callable[[Any], Any]
COPIES: dict[str, Copier] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
}
copied = pytest.mark.parametrize("made", COPIES.values(), ids=COPIES)


@needs_core
@copied
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("matches", [False, True])
def test_lanes(preset: str, matches: bool, made: Copier) -> None:
    lanes = Lanes(preset, 3, matches=matches)
    lanes.reset([1, 2, 3])
    for _ in range(150):
        lanes.step(lanes.choose())
    other = made(lanes)
    before = [lanes.history(lane) for lane in range(3)]
    twin = made(other)
    for _ in range(100):
        other.step(other.choose())
    assert [lanes.history(lane) for lane in range(3)] == before
    for _ in range(100):
        step, same = lanes.step(lanes.choose()), twin.step(twin.choose())
        assert all(np.array_equal(vars(step)[name], vars(same)[name]) for name in vars(step))
    assert [lanes.history(lane, True) for lane in range(3)] == [twin.history(lane, True) for lane in range(3)]


@copied
@pytest.mark.parametrize("preset", PRESETS)
def test_walks(preset: str, made: Copier) -> None:
    game, rules = find(preset)
    walk, rng = Walk.start(game, rules, 4), Random(5)
    for _ in range(120):
        if walk.match.winner is not None:
            break
        walk = walk.act(rng.choice(list(walk.moves))) if walk.moves else walk.shuffled(rng)
        if rng.random() < 0.2:
            other = made(walk)
            assert (other.match, other.part, other.silent) == (walk.match, walk.part, walk.silent)
            assert list(other.moves) == list(walk.moves)


def play(env: Any, steps: int, seed: int) -> list[Any]:
    """What an environment of PettingZoo shows on the way."""
    rng, shown = np.random.default_rng(seed), []
    for _ in range(steps):
        if not env.agents:
            env.reset()
        seen, reward, ended, _, _ = env.last()
        shown.append((env.agent_selection, seen["observation"].tobytes(), reward))
        env.step(None if ended else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    return shown


@needs_core
@copied
@pytest.mark.parametrize("settings", [{}, {"matches": True, "reward": "equity"}])
@pytest.mark.parametrize("package", ["numpy", "pettingzoo"])
def test_agents_one_by_one(package: str, settings: dict[str, Any], made: Copier) -> None:
    preset = "minnesota" if settings else "tuppi"
    if package == "numpy":
        env: Any = aec.env(preset, **settings)
    else:
        pettingzoo = pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
        importlib.import_module("nousu.integrations.pettingzoo")
        env = pettingzoo.make("aec", f"nousu/{preset}-v0", **settings)
    fresh = made(env)
    fresh.reset(seed=1)
    env.reset(seed=1)
    play(env, 60, 2)
    other, twin = made(env), made(env)
    play(other, 200, 3)
    assert play(env, 200, 4) == play(twin, 200, 4)


@copied
@pytest.mark.parametrize("settings", [{}, {"matches": True, "reward": "equity"}])
def test_gymnasium(settings: dict[str, Any], made: Copier) -> None:
    gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed")
    env = gymnasium.make("nousu.integrations.gymnasium:nousu/minnesota-v0", opponents="rules", **settings)

    def course(env: Any, seed: int) -> list[Any]:
        rng, shown = np.random.default_rng(seed), []
        for _ in range(20):
            mask = env.unwrapped.action_masks()
            seen, reward, ended, _, _ = env.step(int(rng.choice(np.flatnonzero(mask))))
            shown.append((seen["observation"].tobytes(), reward, ended))
            if ended:
                env.reset()
        return shown

    made(env).reset(seed=3)
    env.reset(seed=3)
    course(env, 1)
    other, twin = made(env), made(env)
    if made is not copy.copy:  # a wrapper of Gymnasium copies nothing but itself
        course(other, 2)
    else:
        env, twin = env.unwrapped, copy.copy(env.unwrapped)
        course(copy.copy(env), 2)
    assert course(env, 3) == course(twin, 3)


@needs_core
@copied
def test_rlcard(made: Copier) -> None:
    pytest.importorskip("rlcard", reason="RLCard is not installed")
    from nousu.integrations.rlcard import make

    env = make("tuppi", {"seed": 4, "allow_step_back": True})
    state, _ = env.reset()
    for _ in range(10):
        state, _ = env.step(next(iter(state["legal_actions"])))
    other, twin = made(env), made(env)
    for _ in range(2):
        other.step(other.table.legal()[0])

    def course(env: Any) -> list[bytes]:
        shown = []
        while not env.is_over():
            state, _ = env.step(env.table.legal()[-1])
            shown.append(state["obs"].tobytes())
        return shown

    assert course(env) == course(twin)


@copied
def test_openspiel(made: Copier) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    importlib.import_module("nousu.integrations.openspiel")
    state = pyspiel.load_game("python_nousu", {"rules": "tuppi"}).new_initial_state()
    for _ in range(60):
        state.apply_action(state.legal_actions()[0])
    other = made(state)
    before = str(state)
    other.apply_action(other.legal_actions()[-1])
    assert str(state) == before
    assert str(other) != before


def test_former_name_is_the_same_modules() -> None:
    for former, module in (
        ("nousu.research.aec", aec),
        ("nousu.research.table", importlib.import_module("nousu.integrations.single_table")),
        ("nousu.research.data", importlib.import_module("nousu.datasets.hands")),
    ):
        assert importlib.import_module(former) is module
        assert module.__spec__ is not None
        assert module.__spec__.name == module.__name__ != former
    assert former_name.rewards is importlib.import_module("nousu.integrations.rewards")
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("nousu.research.nothing")


def test_gymnasium_finds_environments_by_the_former_name() -> None:
    gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed")
    env = gymnasium.make("nousu.research.gymnasium:nousu/tuppi-v0", opponents="random")
    assert type(env.unwrapped) is importlib.import_module("nousu.integrations.gymnasium").GymnasiumEnv
