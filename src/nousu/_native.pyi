"""The compiled core of `nousu.solver`; use that package, not this module."""

from typing import Any, Final

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

_Solved = tuple[int, int, list[tuple[int, int]], list[int], int | None]
"""Value, nodes, moves with their values, the line, and of a rami the cards of its pattern."""
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

HABITS: Final[list[str]]
"""The names of what the rule-based player weighs, habit by habit, each with a blank behind it."""

def playouts(
    weights: list[float],
    facts: list[int],
    history: bytes,
    first: bytes,
    hands: bytes,
    policy: bytes,
    strangest: int,
) -> tuple[bytes, list[int]]:
    """Hands of the whist family played out by rules of thumb: what each world and first card gained, and how
    many cards no such player would have played in each world. `facts`: kind, bidder, soloist, who plays last,
    leader, viewer. With a `policy` its nets decide in a rami and a nolo; a world is then as strange as the
    cards played are rated worse than the best, added up, each at most `strangest`."""

def plans(
    weights: list[float],
    facts: list[int],
    history: bytes,
    first: bytes,
    hands: bytes,
    policy: bytes,
    ways: list[float],
    worth: list[float],
) -> list[float]:
    """What each first card of the viewer's is worth in all these worlds together, each times its `ways`, if
    the viewer goes on by the best plan and the others as in `playouts`. `worth`: of 0 to 13 tricks of
    North–South, or of a sooli lost and made. The time grows as the factorial of the viewer's cards."""

def playouts_huutopussi(
    weights: list[float], facts: list[int], history: bytes, first: bytes, hands: bytes, policy: bytes
) -> tuple[bytes, list[float]]:
    """Hands of Huutopussi played out by rules of thumb: for each world and first move three numbers of two
    bytes (points of both sides, tricks of North–South), and how strange each world is. `facts`: the points of
    the thirteen ranks, of the four marriages and of the last trick; whether every winner may declare,
    questions cost rights, answers are true, the first trick is bound; the first leader and the viewer;
    declarer and contract. With a `policy` its nets decide about cards."""

def last_takers(places: bytes, playing: int, turn: int, trick: bytes, firsts: bytes, worlds: bytes) -> bytes:
    """Who takes the last trick of Tuppen: a seat for each world and first card, 255 for any. `places`: where
    each card stands in the order of the rules of thumb; a world is eight hands."""

def taken(
    places: bytes,
    playing: int,
    turn: int,
    trick: bytes,
    seat: int,
    seen: int,
    counts: bytes,
    held: bytes,
    times: int,
    seed: int,
) -> bytes:
    """How often of `times` the seat takes that trick with each of these hands, by what it has seen."""

def forget() -> None:
    """Give the memory of idle solvers back."""

RULES: Final[dict[str, str]]
"""The rules that the environment of each family reads, by name, in order."""

class Lanes:
    """Environments of one family; `nousu.env.Lanes` says what they do. Arrays are NumPy's, of fixed sizes:
    planes, scalars, mask, reward, place, done, seat."""

    def __init__(self, family: str, rules: list[int], lanes: int, seats: int, matches: bool) -> None: ...
    def shape(self) -> tuple[int, int, int, int, int]: ...
    def reset(self, seeds: Any, *arrays: Any) -> None: ...
    def look(self, *arrays: Any) -> None: ...
    def step(self, actions: Any, *arrays: Any) -> None: ...
    def choose(self, actions: Any) -> None: ...
    def observe(self, lane: int, seat: int, planes: Any, scalars: Any) -> None: ...
    def history(self, lane: int, finished: bool) -> list[int]: ...
    def load(self, lane: int, entries: list[int]) -> int: ...
    def leaves(self, lane: int, depth: int) -> int: ...
