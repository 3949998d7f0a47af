"""Speed of the environments (million steps a second of CPU time on one core); goal: 5.

Random players; a step includes observation and mask. Then the same of other packages that are installed
(bridge in OpenSpiel and RLCard, sparrow mahjong in pgx), and of Nousu inside them. CPU time counts all
threads, so that a busy machine changes little.
"""

import random
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from bench.results import Report, options, parse
from nousu.env import Lanes

GOAL = 5.0
"""Million steps a second."""
PRESETS = (
    "tuppi",
    "tuppi_tournament",
    "minnesota",
    "norwegian_parlett",
    "huutopussi",
    "huutopussi_illisoft",
    "tuppen_zk",
    "siebenschraem",
    "toepen",
)
Run = Callable[[int], object]
"""A function that plays so many steps."""


def step_rate(rules: str, lanes: int, steps: int) -> float:
    """Million steps a second: random choice, step, observation and mask of every lane.

    Args:
        rules: The preset.
        lanes: Matches played side by side.
        steps: Steps of each lane.
    """
    batch = Lanes(rules, lanes, matches=True)
    batch.reset(range(lanes))
    for _ in range(200):
        batch.step(batch.choose())
    start = time.thread_time()
    for _ in range(steps):
        batch.step(batch.choose())
    return lanes * steps / (time.thread_time() - start) / 1e6


def _nousu_aec() -> Run:
    from nousu.integrations.pettingzoo import env

    return _pettingzoo_run(env("tuppi"))


def _nousu_rlcard() -> Run:
    from nousu.integrations.rlcard import make

    return _rlcard_run(make("tuppi", {"seed": 1}))


def _rlcard_bridge() -> Run:
    import rlcard

    return _rlcard_run(rlcard.make("bridge", config={"seed": 1}))


def _open_spiel_bridge() -> Run:
    import pyspiel

    return _openspiel_run(pyspiel.load_game("bridge(use_double_dummy_result=false)"))


def _nousu_open_spiel() -> Run:
    import pyspiel

    import_module("nousu.integrations.openspiel")
    return _openspiel_run(pyspiel.load_game("python_nousu", {"rules": "tuppi"}))


def _pgx_mahjong() -> Run:
    """Sparrow mahjong of pgx: compiled, 1024 tables at once, each restarted when it ends."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env, tables = pgx.make("sparrow_mahjong"), 1024
    step = jax.vmap(auto_reset(env.step, env.init))

    def play_step(_: int, before: Any) -> Any:
        state, key = before
        key, choosing, dealing = jax.random.split(key, 3)
        action = jax.random.categorical(choosing, jax.numpy.log(state.legal_action_mask * 1.0))
        return step(state, action, jax.random.split(dealing, tables)), key

    play_steps = jax.jit(lambda steps, before: jax.lax.fori_loop(0, steps, play_step, before))
    key = jax.random.PRNGKey(1)
    start = jax.vmap(env.init)(jax.random.split(key, tables)), key

    def run(steps: int) -> None:
        jax.block_until_ready(play_steps(steps // tables, start))

    return run


def _pettingzoo_run(env: Any) -> Run:
    rng = np.random.default_rng(1)

    def run(steps: int) -> None:
        env.reset(seed=1)
        for _ in range(steps):
            if not env.agents or env.terminations[env.agent_selection]:
                env.reset()
            observation = env.last()[0]
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))

    return run


def _rlcard_run(env: Any) -> Run:
    rng = random.Random(1)

    def run(steps: int) -> None:
        state, _ = env.reset()
        for _ in range(steps):
            if env.is_over():
                state, _ = env.reset()
            state, _ = env.step(rng.choice(list(state["legal_actions"])))

    return run


def _openspiel_run(game: Any) -> Run:
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


PEERS: dict[str, tuple[Callable[[], Run], int]] = {
    "Nousu in PettingZoo": (_nousu_aec, 20_000),
    "Nousu in RLCard": (_nousu_rlcard, 20_000),
    "Nousu in OpenSpiel": (_nousu_open_spiel, 1_000),
    "RLCard, bridge": (_rlcard_bridge, 10_000),
    "OpenSpiel, bridge": (_open_spiel_bridge, 50_000),
    "pgx, sparrow mahjong": (_pgx_mahjong, 500_000),
}
"""Function that prepares a package, and the number of steps, by name."""


def report_peers(report: Report) -> None:
    """Report steps a second of each package that is installed, and name those that are not."""
    for name, (prepare, steps) in PEERS.items():
        try:
            run = prepare()
        except ImportError as error:
            print(f"  {name}: not measured: {error}", flush=True)
            continue
        run(100)
        start = time.process_time()
        run(steps)
        report.add(name, steps / (time.process_time() - start), "steps/s", n=steps)


def main(words: Sequence[str] = ()) -> bool:
    """Measure every preset and the other packages; return whether a preset misses the goal."""
    parser = options("env", __doc__)
    parser.add_argument("lanes", nargs="?", type=int, default=256, help="matches played side by side")
    arguments, report = parse(parser, words)
    for rules in PRESETS:
        speed = step_rate(rules, arguments.lanes, 2_000_000 // arguments.lanes)
        report.add(f"{rules}, {arguments.lanes} lanes", speed, "million steps/s", at_least=GOAL)
    report_peers(report)
    return bool(report.problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
