"""Steps a second of the environments on one core: random players, with observation and mask; then the same of
other packages that are installed (bridge in OpenSpiel and RLCard, sparrow mahjong in pgx), and of Nousu in
theirs.

Time is what this program had cores for, all its threads together, so that a busy machine changes little.
"""

import random
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from nousu.env import Lanes

GOAL = 5.0
"""Million steps a second."""


def rate(rules: str, lanes: int, steps: int) -> float:
    """Million steps a second: choosing at random, stepping, writing observation and mask of every lane."""
    here = Lanes(rules, lanes, matches=True)
    here.reset(range(lanes))
    for _ in range(200):
        here.step(here.choose())
    start = time.thread_time()
    for _ in range(steps):
        here.step(here.choose())
    return lanes * steps / (time.thread_time() - start) / 1e6


def _nousu_aec() -> Callable[[int], object]:
    from nousu.integrations.pettingzoo import env

    return _agents(env("tuppi"))


def _nousu_rlcard() -> Callable[[int], object]:
    from nousu.integrations.rlcard import make

    return _cards(make("tuppi", {"seed": 1}))


def _rlcard_bridge() -> Callable[[int], object]:
    import rlcard

    return _cards(rlcard.make("bridge", config={"seed": 1}))


def _open_spiel_bridge() -> Callable[[int], object]:
    import pyspiel

    return _states(pyspiel.load_game("bridge(use_double_dummy_result=false)"))


def _nousu_open_spiel() -> Callable[[int], object]:
    import pyspiel

    import_module("nousu.integrations.openspiel")
    return _states(pyspiel.load_game("python_nousu", {"rules": "tuppi"}))


def _pgx_mahjong() -> Callable[[int], object]:
    """As it is meant to be used: compiled, 1024 tables at once, a finished one begun anew."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env, tables = pgx.make("sparrow_mahjong"), 1024
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(_: int, now: Any) -> Any:
        state, key = now
        key, choosing, dealing = jax.random.split(key, 3)
        action = jax.random.categorical(choosing, jax.numpy.log(state.legal_action_mask * 1.0))
        return step(state, action, jax.random.split(dealing, tables)), key

    many = jax.jit(lambda steps, now: jax.lax.fori_loop(0, steps, one, now))
    key = jax.random.PRNGKey(1)
    start = jax.vmap(env.init)(jax.random.split(key, tables)), key

    def run(steps: int) -> None:
        jax.block_until_ready(many(steps // tables, start))

    return run


def _agents(env: Any) -> Callable[[int], object]:
    rng = np.random.default_rng(1)

    def run(steps: int) -> None:
        env.reset(seed=1)
        for _ in range(steps):
            if not env.agents or env.terminations[env.agent_selection]:
                env.reset()
            seen = env.last()[0]
            env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))

    return run


def _cards(env: Any) -> Callable[[int], object]:
    rng = random.Random(1)

    def run(steps: int) -> None:
        state, _ = env.reset()
        for _ in range(steps):
            if env.is_over():
                state, _ = env.reset()
            state, _ = env.step(rng.choice(list(state["legal_actions"])))

    return run


def _states(game: Any) -> Callable[[int], object]:
    rng = random.Random(1)

    def run(steps: int) -> None:
        state, done = game.new_initial_state(), 0
        while done < steps:
            if state.is_terminal():
                state = game.new_initial_state()
            if state.is_chance_node():
                state.apply_action(rng.choice(state.chance_outcomes())[0])
                continue
            state.observation_tensor(state.current_player())
            state.apply_action(rng.choice(state.legal_actions()))
            done += 1

    return run


PEERS: dict[str, tuple[Callable[[], Callable[[int], object]], int]] = {
    "Nousu in PettingZoo": (_nousu_aec, 20_000),
    "Nousu in RLCard": (_nousu_rlcard, 20_000),
    "Nousu in OpenSpiel": (_nousu_open_spiel, 1_000),
    "RLCard, bridge": (_rlcard_bridge, 10_000),
    "OpenSpiel, bridge": (_open_spiel_bridge, 50_000),
    "pgx, sparrow mahjong": (_pgx_mahjong, 500_000),
}
"""What is measured, by its name, and how many steps."""


def peers() -> None:
    """Print steps a second of each package that is installed, and name those that are not."""
    for name, (made, steps) in PEERS.items():
        try:
            run = made()
        except ImportError as error:
            print(f"{name:21} not measured: {error}", flush=True)
            continue
        run(100)
        start = time.process_time()
        run(steps)
        print(f"{name:21} {steps / (time.process_time() - start):10,.0f} steps a second", flush=True)


def main() -> bool:
    """Print one line a preset; whether one missed the goal."""
    lanes = next((int(word) for word in sys.argv[1:] if word.isdigit()), 256)
    missed = False
    for rules in (
        "tuppi",
        "tuppi_tournament",
        "minnesota",
        "norwegian_parlett",
        "huutopussi",
        "huutopussi_illisoft",
        "tuppen_zk",
        "siebenschraem",
        "toepen",
    ):
        found = rate(rules, lanes, 2_000_000 // lanes)
        missed |= found < GOAL
        print(f"{rules:20} {found:6.1f} million steps a second ({lanes} lanes)", flush=True)
    peers()
    return missed


if __name__ == "__main__":
    main()
