"""The compiled core of `nousu.solver`; use that package, not this module."""

from typing import Final

BUILD: Final[str]
"""Which build of the core this processor runs: ``plain`` or ``bmi2``."""
RECORD: Final[int]
"""Bytes of one problem."""
FIELDS: Final[list[tuple[str, int, int]]]
"""Name, offset and bytes of every field of a problem."""

class Cancel:
    """A flag, raised by any thread, that stops the searches it was given to."""

    def __init__(self) -> None: ...
    def set(self) -> None: ...
    def is_set(self) -> bool: ...

_Solved = tuple[int, int, list[tuple[int, int]], list[int]]
"""Value, nodes, moves with their values, the line."""
_Stopped = tuple[None, int, str, None]
"""Nodes, and what stopped the search."""

def solve(
    records: bytes,
    group: int,
    want: int,
    line: bool,
    nodes: int,
    seconds: float,
    threads: int,
    cancel: Cancel | None,
) -> list[_Solved | _Stopped]:
    """An answer for each problem; those of a group have the same cards. No limit is 0."""

def rollouts(records: bytes, times: int, seed: int, threads: int) -> list[int]:
    """The sum of what each problem gained in so many random plays."""

def forget() -> None:
    """Give the memory of idle solvers back."""
