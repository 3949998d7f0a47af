"""Counts the tree: every position of tests/perft/*.perft has exactly this many continuations.

A block is ``id``, ``game``, optionally ``seats`` and ``dealer``, ``deal``, ``moves``, then depth and leaf
count in pairs. The files are plain data, to be shared with other implementations.
"""

import pytest

from leaf_counts import FILES, positions, reached
from nousu.engine.laws import leaves

QUICK = 20_000
"""Leaves that are counted in the quick loop; larger counts are slow."""


CASES = [
    (path.stem, position, depth, count)
    for path in FILES
    for position in positions(path)
    for depth, count in position.counts
]


def check_leaves(subtests: pytest.Subtests, file: str, slow: bool) -> None:
    for stem, position, depth, count in CASES:
        if stem == file and (count > QUICK) is slow:
            with subtests.test(position=position.name, depth=depth):
                assert leaves(reached(position).hand, depth) == count


@pytest.mark.parametrize("file", [path.stem for path in FILES])
def test_tree_has_so_many_leaves(file: str, subtests: pytest.Subtests) -> None:
    check_leaves(subtests, file, slow=False)


@pytest.mark.slow
@pytest.mark.parametrize("file", [path.stem for path in FILES])
def test_deep_tree_has_so_many_leaves(file: str, subtests: pytest.Subtests) -> None:
    check_leaves(subtests, file, slow=True)


def test_perft_files_exist() -> None:
    assert {path.stem for path in FILES} >= {"whist"}
    assert len(CASES) >= 15
