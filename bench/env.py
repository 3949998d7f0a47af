"""Steps a second of the environments on one core: random players, with observation and mask.

Time is what this thread had a core for, so that a busy machine changes little.
"""

import sys
import time

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
    return missed


if __name__ == "__main__":
    main()
