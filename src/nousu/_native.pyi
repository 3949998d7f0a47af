"""The compiled core of `nousu.solver`; use that package, not this module."""

from typing import Any, Final

BUILD: Final[str]
"""The build of the core that this processor runs: ``plain`` or ``bmi2``."""
RECORD: Final[int]
"""The size of one problem in bytes."""
FIELDS: Final[list[tuple[str, int, int]]]
"""Name, offset and bytes of every field of a problem."""

class Cancel:
    """A flag that any thread may raise; it stops all searches that have it."""

    def __init__(self) -> None: ...
    def set(self) -> None: ...
    def is_set(self) -> bool: ...

_Solved = tuple[int, int, list[tuple[int, int]], list[int], int | None]
"""Value, nodes, moves with their values, the line, and of a rami the cards of its pattern."""
_Stopped = tuple[None, int, str, None]
"""Nodes, and the reason of the stop."""

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
    """Solve problems in groups of the same cards; 0 is no limit."""

def rollouts(records: bytes, times: int, seed: int, threads: int) -> list[int]:
    """The sum of the results of each problem in so many random plays."""

HABITS: Final[list[str]]
"""The names of the rule-based player's weights, habit by habit, each followed by a blank."""

def playouts(
    weights: list[float],
    facts: list[int],
    history: bytes,
    first: bytes,
    hands: bytes,
    policy: bytes,
    strangest: int,
) -> tuple[bytes, list[int]]:
    """Play out hands of the whist family by rules of thumb.

    Args:
        weights: The weights of the habits.
        facts: Kind, bidder, soloist, the last to play, leader, viewer.
        history: The cards played so far.
        first: The first cards to try.
        hands: The hands of each world.
        policy: Nets that decide in a rami and a nolo; empty for none.
        strangest: The most that one card adds to the strangeness of a world.

    Returns:
        The result of each world and first card, and the strangeness of each world: the number of played
        cards that no such player would play. With a policy it is the sum of the differences in rating
        between the cards played and the best ones.
    """

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
    """The value of each first card of the viewer in all worlds together, if the viewer follows the best plan.

    The others play as in `playouts`. The time grows as the factorial of the number of the viewer's cards.

    Args:
        weights: As in `playouts`, like the arguments up to `policy`.
        facts: See there.
        history: See there.
        first: See there.
        hands: See there.
        policy: See there.
        ways: The weight of each world.
        worth: The values of 0 to 13 tricks of North–South, or of a sooli lost and made.
    """

def playouts_huutopussi(
    weights: list[float], facts: list[int], history: bytes, first: bytes, hands: bytes, policy: bytes
) -> tuple[bytes, list[float]]:
    """Play out hands of Huutopussi by rules of thumb; with a policy its nets decide about cards.

    Args:
        weights: As in `playouts`, like the arguments from `history` on.
        facts: The points of the thirteen ranks, of the four marriages and of the last trick; whether every
            winner may declare, questions cost rights, answers are true, the first trick is bound; the first
            leader and the viewer; declarer and contract.
        history: See there.
        first: See there.
        hands: See there.
        policy: See there.

    Returns:
        Three numbers of two bytes for each world and first move (points of both sides, tricks of
        North–South), and the strangeness of each world.
    """

def last_takers(places: bytes, playing: int, turn: int, trick: bytes, firsts: bytes, worlds: bytes) -> bytes:
    """The winner of the last trick of Tuppen: a seat for each world and first card, 255 for any.

    `places` has the rank of each card in the order of the rules of thumb; a world is eight hands.
    """

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
    """How often of `times` the seat takes that trick with each of these hands, by its knowledge."""

def forget() -> None:
    """Free the memory of idle solvers."""

RULES: Final[dict[str, str]]
"""The names of the rules that the environment of each family reads, in order."""

class Lanes:
    """Environments of one family, as described at `nousu.env.Lanes`.

    Arrays are NumPy's, of fixed sizes: planes, scalars, mask, reward, place, done, seat.
    """

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
