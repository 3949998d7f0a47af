"""Counts the tree: every position of tests/perft/*.perft has exactly so many continuations.

A block is ``id``, ``game``, optionally ``seats`` and ``dealer``, ``deal``, ``moves``, then depth and leaf
count in pairs. The files are plain data, to be shared with other implementations.
"""

import pytest

from leaf_counts import FILES, Position, positions, reached
from nousu.engine.laws import leaves

QUICK = 20_000
"""Leaves that are counted in the quick loop; larger counts are slow."""


CASES = [
    pytest.param(
        position,
        depth,
        count,
        id=f"{path.stem}-{position.name}-{depth}",
        marks=[pytest.mark.slow] if count > QUICK else [],
    )
    for path in FILES
    for position in positions(path)
    for depth, count in position.counts
]


@pytest.mark.parametrize(("position", "depth", "count"), CASES)
def test_tree_has_so_many_leaves(position: Position, depth: int, count: int) -> None:
    assert leaves(reached(position).hand, depth) == count


def test_there_is_something_to_count() -> None:
    assert {path.stem for path in FILES} >= {"whist"}
    assert len(CASES) >= 15
