"""Seating plans: repeats, bounds, spread of small tables and times, for five series and for ten; and against
a constraint solver on small sizes.

    python bench/seating.py [--json]

Prints one line a number of people: table mix, repeated meetings, lower bound, how often people sit at
smaller tables, CPU seconds of one core. Run by itself it ends with exit code 1 if a budget is missed.
"""

import json
import sys
import time
from collections import Counter
from itertools import combinations
from typing import Any

from nousu.tournament.seating.planner import plan_seating

SERIES = 5
BUDGET = 5.0
"""CPU seconds for 60 people and five series."""
NO_REPEATS = (16, 17, 24, 31, 40, 60)
LONG = ((29, 10), (30, 10), (31, 10), (32, 10))
"""A long evening, for which designs are known: nobody meets anybody twice."""
SPREAD = {(10, 5): 2, (11, 5): 1, (17, 5): 1, (18, 5): 0, (21, 5): 1, (22, 5): 1, (29, 5): 1}
SPREAD |= {(29, 10): 2, (30, 10): 0, (31, 10): 1, (32, 10): 0}
"""The smallest difference known between those who sit at smaller tables most and least often."""
PEOPLE = (*range(6, 33), 40, 48, 57, 59, 60, 61, 90, 120)
SMALL = ((6, 3), (7, 3), (8, 3), (9, 3), (9, 4), (10, 3), (11, 2), (12, 2))


def measured(people: int, rounds: int) -> dict[str, Any]:
    """One plan and what it costs."""
    begun = time.process_time()
    plan = plan_seating(range(1, people + 1), rounds)
    seconds = time.process_time() - begun
    sizes = Counter(plan.sizes)
    mixes = " / ".join(
        ("+".join(map(str, mix)) if len(mix) <= 8 else f"{len(mix)} tables of {mix[-1]}–{mix[0]}")
        + (f" ×{count}" if len(sizes) > 1 else "")
        for mix, count in sizes.items()
    )
    return {
        "people": people,
        "rounds": rounds,
        "tables": mixes,
        "repeats": plan.repeats,
        "lower_bound": plan.lower_bound,
        "small": dict(sorted(Counter(plan.small.values()).items())),
        "seconds": round(seconds, 2),
        "sizes": plan.sizes,
    }


def optimum(rounds: tuple[tuple[int, ...], ...], limit: float = 60.0) -> tuple[int, bool, float]:
    """Fewest repeats by OR-tools CP-SAT: (value, proven, CPU seconds)."""
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
    solver.parameters.max_time_in_seconds = limit
    begun = time.process_time()
    status = solver.solve(model)
    return round(solver.objective_value), status == cp_model.OPTIMAL, time.process_time() - begun


def main() -> int:
    """Measure, print, and say whether the budgets are kept: 0 if they are."""
    as_json = "--json" in sys.argv
    plans = [measured(*size) for size in (*((people, SERIES) for people in PEOPLE), *LONG)]
    small = []
    for people, rounds in SMALL:
        plan = measured(people, rounds)
        best, proven, seconds = optimum(plan["sizes"])
        small.append({**plan, "optimum": best, "proven": proven, "solver_seconds": round(seconds, 2)})
    missed = [
        f"{one['people']} people repeat"
        for one in plans
        if one["repeats"] and (one["people"] in NO_REPEATS or one["rounds"] != SERIES)
    ]
    missed += [
        f"{one['people']} people, {one['rounds']} rounds: small tables differ by {found}"
        for one in plans
        if (found := max(one["small"]) - min(one["small"]))
        > SPREAD.get((one["people"], one["rounds"]), one["rounds"])
    ]
    missed += [f"{one['people']} people took {one['seconds']} s" for one in plans if one["seconds"] > BUDGET]
    missed += [
        f"{one['people']} people, {one['rounds']} rounds: {one['repeats']} repeats, optimum {one['optimum']}"
        for one in small
        if one["proven"] and one["repeats"] > one["optimum"]
    ]
    if as_json:
        print(json.dumps({"plans": plans, "against_solver": small, "missed": missed}))
    else:
        print("people  rounds  repeats  bound  CPU s  at smaller tables (times: people)  tables")
        for one in plans:
            spread = " ".join(f"{times}:{count}" for times, count in one["small"].items())
            print(
                f"{one['people']:>6}  {one['rounds']:>6}  {one['repeats']:>7}  {one['lower_bound']:>5}  "
                f"{one['seconds']:>5}  {spread:<34}  {one['tables']}"
            )
        print("\npeople  rounds  planner  optimum  CPU s  solver's CPU s")
        for one in small:
            print(
                f"{one['people']:>6}  {one['rounds']:>6}  {one['repeats']:>7}  {one['optimum']:>7}"
                f"{' ' if one['proven'] else '?'} {one['seconds']:>5}  {one['solver_seconds']:>6}"
            )
        print("\nmissed: " + "; ".join(missed) if missed else "\nall budgets kept")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
