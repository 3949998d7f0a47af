"""The compiled searches agree with plain minimax on every kind of position."""

from random import Random

import pytest

from nousu.solver import compiled, reference, replay, solve, solve_many

pytestmark = [pytest.mark.native, pytest.mark.skipif(compiled() is None, reason="no compiled core")]


def test_small_positions(make, kind):
    """Value, the value of every legal move, and a line that replays to the value."""
    dice = Random(f"small {kind}")
    problems = [make(dice, dice.choice((1, 2, 2, 3))) for _ in range(250)]
    for (position, goal), found in zip(problems, solve_many(problems, line=True, threads=2), strict=True):
        truth = reference.solve(position, goal)
        assert found.value == truth.value, (position, goal)
        assert found.moves == truth.moves, (position, goal)
        assert replay(position, goal, found.line) == truth.value, (position, goal)


def test_one_best_move_and_value_alone(make, kind):
    dice = Random(f"one {kind}")
    for _ in range(60):
        position, goal = make(dice, 3)
        full = solve(position, goal)
        one = solve(position, goal, want="one")
        assert solve(position, goal, want="value").value == full.value == one.value
        assert list(one.moves.values()) == [full.value]
        assert set(one.best) <= set(full.best)


@pytest.mark.slow
def test_many_small_positions(make, kind):
    """17,000 of each of the six kinds, more than 100,000 in all."""
    dice = Random(f"many {kind}")
    for _ in range(17):
        problems = [make(dice, dice.choice((1, *(2,) * 14, 3))) for _ in range(1000)]
        found = solve_many(problems, want="value", threads=2)
        for (position, goal), solution in zip(problems, found, strict=True):
            assert solution.value == reference.solve(position, goal).value, (position, goal)
