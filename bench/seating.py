"""Quality of seating plans (repeated meetings, turns at smaller tables) and their CPU time (s).

    python -m bench seating

Goals: no repeats for the numbers of people in `NO_REPEATS` and for ten rounds, turns at smaller tables spread
as evenly as known (`SPREAD`), at most 5 s, and the proven optimum of a constraint solver for small numbers.
"""

import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from bench.results import options, parse
from nousu.tournament.seating.planner import plan_seating

SERIES = 5
GOAL = 5.0
"""CPU seconds for a plan."""
NO_REPEATS = (16, 17, 24, 31, 40, 60)
LONG = ((29, 10), (30, 10), (31, 10), (32, 10))
"""People and rounds for which designs without repeated meetings are known."""
SPREAD = {(10, 5): 2, (11, 5): 1, (17, 5): 1, (18, 5): 0, (21, 5): 1, (22, 5): 1, (29, 5): 1}
SPREAD |= {(29, 10): 2, (30, 10): 0, (31, 10): 1, (32, 10): 0}
"""The smallest difference known between the most and the fewest turns at smaller tables."""
PEOPLE = (*range(6, 33), 40, 48, 57, 59, 60, 61, 90, 120)
LIMIT = 60.0
"""Seconds after which the constraint solver ends."""
SMALL = ((6, 3), (7, 3), (8, 3), (9, 3), (9, 4), (10, 3), (11, 2), (12, 2))


class Measurement(NamedTuple):
    """A plan and its cost."""

    people: int
    rounds: int
    tables: str
    """Sizes of the tables, in words."""
    repeats: int
    lower_bound: int
    """Fewest repeats possible, as far as known."""
    smaller_tables: dict[int, int]
    """Number of people by turns at smaller tables."""
    seconds: float
    sizes: tuple[tuple[int, ...], ...]
    """Sizes of the tables of each round."""


def measure(people: int, rounds: int) -> Measurement:
    """Plan the seating and measure the CPU time."""
    begun = time.process_time()
    plan = plan_seating(range(1, people + 1), rounds)
    seconds = time.process_time() - begun
    sizes = Counter(plan.sizes)
    mixes = " / ".join(
        ("+".join(map(str, mix)) if len(mix) <= 8 else f"{len(mix)} tables of {mix[-1]}–{mix[0]}")
        + (f" ×{count}" if len(sizes) > 1 else "")
        for mix, count in sizes.items()
    )
    small = dict(sorted(Counter(plan.small.values()).items()))
    return Measurement(people, rounds, mixes, plan.repeats, plan.lower_bound, small, seconds, plan.sizes)


def optimum(rounds: tuple[tuple[int, ...], ...]) -> tuple[int, bool, float]:
    """Fewest repeats by OR-tools CP-SAT.

    Args:
        rounds: Sizes of the tables of each round.

    Returns:
        The number of repeats, whether it is proven to be the fewest, and the CPU seconds.
    """
    from ortools.sat.python import cp_model

    people = sum(rounds[0])
    model = cp_model.CpModel()
    sits: dict[tuple[int, int, int], Any] = {}
    for r, sizes in enumerate(rounds):
        for t, size in enumerate(sizes):
            for p in range(people):
                sits[p, r, t] = model.new_bool_var("")
            model.add(sum(sits[p, r, t] for p in range(people)) == size)
        for p in range(people):
            model.add_exactly_one(sits[p, r, t] for t in range(len(sizes)))
    for p, t in enumerate(t for t, size in enumerate(rounds[0]) for _ in range(size)):
        model.add(sits[p, 0, t] == 1)
    again = []
    for a, b in combinations(range(people), 2):
        together = []
        for r, sizes in enumerate(rounds):
            for t in range(len(sizes)):
                both = model.new_bool_var("")
                model.add_bool_or(~sits[a, r, t], ~sits[b, r, t], both)
                together.append(both)
        again.append(model.new_int_var(0, len(rounds), ""))
        model.add(again[-1] >= sum(together) - 1)
    model.minimize(sum(again))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.max_time_in_seconds = LIMIT
    begun = time.process_time()
    status = solver.solve(model)
    return round(solver.objective_value), status == cp_model.OPTIMAL, time.process_time() - begun


def main(words: Sequence[str] = ()) -> bool:
    """Measure every plan, small ones against the constraint solver; return whether a goal is missed."""
    _, report = parse(options("seating", __doc__), words)
    for people, rounds in (*((people, SERIES) for people in PEOPLE), *LONG):
        plan = measure(people, rounds)
        name = f"{people} people, {rounds} rounds"
        print(f"{name}: {plan.tables}; lower bound of repeats {plan.lower_bound}")
        without = people in NO_REPEATS or rounds != SERIES
        report.add(f"{name}: repeats", plan.repeats, "meetings", at_most=0 if without else None)
        spread = max(plan.smaller_tables) - min(plan.smaller_tables)
        goal = SPREAD.get((people, rounds), rounds)
        report.add(f"{name}: spread of turns at smaller tables", spread, "turns", at_most=goal)
        report.add(f"{name}: time", plan.seconds, "s", at_most=GOAL)
    for people, rounds in SMALL:
        plan = measure(people, rounds)
        best, proven, seconds = optimum(plan.sizes)
        name = f"{people} people, {rounds} rounds, small sizes"
        report.add(f"{name}: repeats", plan.repeats, "meetings", at_most=best if proven else None)
        report.add(f"{name}: time of the constraint solver", seconds, "s")
    return bool(report.problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
