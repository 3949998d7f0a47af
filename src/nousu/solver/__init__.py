"""Perfect play with all hands open.

>>> from nousu.solver import Rami, parse_deal, solve
>>> solution = solve(parse_deal("N:A.K.Q.J K.Q.J.A Q.J.A.K J.A.K.Q"), Rami())
>>> solution.value, len(solution.moves)
(2, 4)

A `Position` says who holds what and who is to play; it may be in the middle of a trick and have fewer cards
than were dealt. `position_of(view, world)` is the position at a table if the cards lie as in that world of
`nousu.worlds(view)`, and `goal_of(view)` is what is being played for there. A goal says what the seats want:
`Rami()`, `Nolo()`, `Sooli(soloist)`, `Huutopussi(...)`, `Tuppen(seat)`. `sooli_position`,
`huutopussi_position` and `tuppen_position` set up first leads.

- `solve(position, goal)` gives a `Solution`: value, the value after every legal move, a line of best play,
  nodes. `want="one"` rates one best move, ``want="value"`` none; both are faster. `line=True` gives
  the line as well.
- `solve_many(problems, ...)` does the same for many at once, on several threads, outside the interpreter
  lock: for a player, the values of all legal cards in a hundred sampled worlds are one call.
- `solve_leaders(positions, goal)` solves the same cards for every opening leader.
- `covered(position, solution, other)` says whether another deal is worth the same because only small cards
  lie elsewhere (rami): one solution stands for all deals of its `pattern`.
- `rollouts(problems, times, seed)` plays at random to the end and gives mean values.
- `nodes=` and `seconds=` limit a search, `cancel=` stops it from another thread within milliseconds
  (`Cancel`); then `solve` raises `SolveStopped` and `solve_many` has None in that place.

Answers and node counts depend on nothing but the question. Without the compiled core everything still works,
through `nousu.solver.reference`, for endings of a few cards; a warning says so once.
"""

from nousu.solver.api import Cancel, compiled, forget, rollouts, solve, solve_leaders, solve_many
from nousu.solver.deals import parse_deal
from nousu.solver.position import (
    Declaration,
    Goal,
    Huutopussi,
    Marriages,
    Move,
    Nolo,
    Position,
    Rami,
    Solution,
    SolveStopped,
    Sooli,
    Tuppen,
    check,
    covered,
    huutopussi_position,
    sooli_position,
    tuppen_position,
)
from nousu.solver.reference import replay
from nousu.solver.views import goal_of, position_of

__all__ = [
    "Cancel",
    "Declaration",
    "Goal",
    "Huutopussi",
    "Marriages",
    "Move",
    "Nolo",
    "Position",
    "Rami",
    "Solution",
    "SolveStopped",
    "Sooli",
    "Tuppen",
    "check",
    "compiled",
    "covered",
    "forget",
    "goal_of",
    "huutopussi_position",
    "parse_deal",
    "position_of",
    "replay",
    "rollouts",
    "solve",
    "solve_leaders",
    "solve_many",
    "sooli_position",
    "tuppen_position",
]
