"""The compiled core of `nousu.solver`; use that package, not this module."""

from typing import Any, Final

BUILD: Final[str]
"""The build of the core that this processor runs: ``plain`` or ``bmi2``."""
RECORD: Final[int]
"""Bytes of a position."""
FIELDS: Final[list[tuple[str, int, int]]]
"""Name, offset and bytes of every field of a position."""

class Cancel:
    """A flag, raised by any thread, that stops the searches it was given to."""

    def __init__(self) -> None: ...
    def set(self) -> None: ...
    def is_set(self) -> bool: ...

_Solved = tuple[int, int, list[tuple[int, int]], list[int], int | None]
"""Value, nodes, moves with their values, line of play; for a rami the cards of its pattern."""
_Stopped = tuple[None, int, str, None]
"""Nodes, and the reason why the search stopped."""

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
    """A solution for each position; those of a group have the same cards. A limit of 0 is none."""

def rollouts(records: bytes, times: int, seed: int, threads: int, cancel: Cancel) -> list[int]:
    """For each position the sum of the values of `times` random playouts; fewer once `cancel` is set."""

HABITS: Final[list[str]]
"""The names of the rule-based player's weights in each group, each followed by a blank."""

def playouts_whist(
    weights: list[float],
    facts: list[int],
    history: bytes,
    first: bytes,
    hands: bytes,
    policy: bytes,
    max_strangeness: int,
) -> tuple[bytes, list[int]]:
    """Hands of the whist family played out by the rule-based player.

    `facts`: kind, bidder, soloist, last seat, leader, viewer. Returns the result of each world and first
    card, and the strangeness of each world: the number of cards so far that the player would not have
    played. With a `policy` its nets choose the cards of ramis and nolos; strangeness then is the rating by
    which the cards fell short of the best, at most `max_strangeness` for each."""

def plans_whist(
    weights: list[float],
    facts: list[int],
    history: bytes,
    first: bytes,
    hands: bytes,
    policy: bytes,
    world_weights: list[float],
    utility: list[float],
) -> list[float]:
    """Value of each first card of the viewer, summed over the weighted worlds.

    The viewer goes on by its best plan, and the others play as in `playouts_whist`.

    `utility`: of 0 to 13 tricks of North–South, or of a sooli lost and made. The time grows as the
    factorial of the viewer's cards."""

def playouts_huutopussi(
    weights: list[float], facts: list[int], history: bytes, first: bytes, hands: bytes, policy: bytes
) -> tuple[bytes, list[float]]:
    """Hands of Huutopussi played out by the rule-based player.

    `facts`: the points of the thirteen ranks, of the four marriages and of the last trick; whether any
    winner may declare, questions cost rights, answers are true, the first trick is bound; leader, viewer,
    declarer, contract. Returns three 16-bit numbers per world and first move (points of both sides, tricks
    of North–South), and the strangeness of each world. With a `policy` its nets choose the cards."""

def last_takers(places: bytes, playing: int, turn: int, trick: bytes, firsts: bytes, worlds: bytes) -> bytes:
    """The seat that takes the last trick of Tuppen, for each world and first card (255: any).

    `places`: the place of each card in the order of play; a world is eight hands."""

def last_trick_wins(
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
    """How often of `times` the seat takes the last trick with each of these hands, by what it has seen."""

def release_memory() -> None:
    """Free the tables of idle solvers."""

RULES: Final[dict[str, str]]
"""By family: the names of the rules that its environment reads, in order."""

class Lanes:
    """Environments of one family, as described at `nousu.env.Lanes`.

    `share` names the NumPy arrays that calls fill: planes, scalars, mask, reward, place, done, seat.
    """

    def __init__(self, family: str, rules: list[int], lanes: int, seats: int, matches: bool) -> None: ...
    def copy(self) -> Lanes: ...
    def random_state(self, lane: int) -> int: ...
    def set_random_state(self, lane: int, state: int) -> None: ...
    def shape(self) -> tuple[int, int, int, int, int]: ...
    def share(self, *arrays: Any) -> None: ...
    def reset(self, seeds: Any) -> None: ...
    def write_all(self) -> None: ...
    def step(self, actions: Any) -> None: ...
    def choose_at_random(self, actions: Any) -> None: ...
    def observe(self, lane: int, seat: int, planes: Any, scalars: Any) -> None: ...
    def history(self, lane: int, finished: bool) -> list[int]: ...
    def load(self, lane: int, entries: list[int]) -> int: ...
    def count_lines(self, lane: int, depth: int) -> int: ...
