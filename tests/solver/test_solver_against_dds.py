"""Rami is bridge without trumps: DDS, through the endplay package, must agree.

``python -m bench.solver dds`` does the same for 10,000 deals."""

import pytest

from nousu.solver import Position, Rami, compiled, solve_leaders

pytestmark = [
    pytest.mark.native,
    pytest.mark.slow,
    pytest.mark.skipif(compiled() is None, reason="no compiled core"),
]


def test_full_deals_for_every_leader() -> None:
    pytest.importorskip("endplay")
    solver_bench = pytest.importorskip("bench.solver")
    batch = solver_bench.deals("test", 60)
    truth = solver_bench.Dds().tricks_by_leader(batch)
    found = solve_leaders([Position(hands=hands, turn=0) for hands in batch], Rami(), threads=2)
    assert [[answer.value for answer in row] for row in found] == truth


def test_endings() -> None:
    """Ten cards a seat, and more of them."""
    pytest.importorskip("endplay")
    solver_bench = pytest.importorskip("bench.solver")
    batch = solver_bench.deals("endings", 400, 10)
    dds = solver_bench.Dds()
    found = solve_leaders([Position(hands=hands, turn=0) for hands in batch], Rami(), threads=2)
    for hands, row in zip(batch, found, strict=True):
        mine = [answer.value if leader % 2 == 0 else 10 - answer.value for leader, answer in enumerate(row)]
        assert mine == [dds.tricks(hands, leader) for leader in range(4)]
