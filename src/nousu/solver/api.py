"""Functions that solve positions: by the compiled core if there is one, otherwise by the reference."""

import math
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from numbers import Real
from operator import index
from typing import Any, Final, Literal, TypeVar

from nousu.engine.seats import Seat
from nousu.solver import native, reference
from nousu.solver.position import Goal, Position, Solution, SolveStopped, check_all, stretches

Want = Literal["value", "one", "all"]
_WANT: dict[Want, int] = {"value": 0, "one": 1, "all": 2}
_LONG: Final = 40
"""Number of cards from which on a question may take long enough to be interrupted."""
_MANY_ROLLOUTS: Final = 100_000
_MOST: Final = 10**15
"""Number of nodes that counts as no limit: a search of that many never ends."""
_LONGEST: Final = 10**9
"""Number of seconds that counts as no limit."""
_MOST_THREADS: Final = 1024
_T = TypeVar("_T")
_warned = False


class Cancel:
    """A flag that stops the searches it was passed to; any thread may raise it."""

    __slots__ = ("_is_set", "raised")

    def __init__(self) -> None:
        self._is_set = False
        self.raised = native.core.Cancel() if native.core is not None else None

    def set(self) -> None:
        """Stop the searches; each notices within a millisecond or so."""
        self._is_set = True
        if self.raised is not None:
            self.raised.set()

    def is_set(self) -> bool:
        """Whether `set` has been called."""
        return self._is_set


def compiled() -> str | None:
    """The name of the compiled core in use (``bmi2`` or ``plain``), or None without one."""
    return None if native.core is None else str(native.core.BUILD)


def solve(
    position: Position,
    goal: Goal,
    *,
    want: Want = "all",
    line: bool = False,
    nodes: int | None = None,
    seconds: float | None = None,
    cancel: Cancel | None = None,
) -> Solution:
    """Solve one position.

    `want` says which moves are rated: ``all`` legal ones, ``one`` that is best, or only the ``value``.
    `nodes` and `seconds` limit the search and `cancel` ends it from another thread; then `SolveStopped` is
    raised. They are checked before the search begins and then every 1,024 nodes, so a search shorter than
    that is finished. `ValueError` says what is wrong with an impossible position, goal or limit.
    """
    answer = _answers([(position, goal)], 1, want, line, nodes, seconds, 1, cancel)[0]
    if isinstance(answer, SolveStopped):
        raise answer
    return answer


def solve_many(
    problems: Iterable[tuple[Position, Goal]],
    *,
    want: Want = "all",
    line: bool = False,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    cancel: Cancel | None = None,
) -> list[Solution | None]:
    """Solve many positions, `threads` at a time, without holding the interpreter lock.

    `nodes` limits each search, `seconds` the whole call. A position that a limit cut short has None in its
    place; every other answer is the same as `solve` gives. An interrupt from the keyboard (which raises
    `cancel` too) ends the call at once.
    """
    answers = _answers(list(problems), 1, want, line, nodes, seconds, threads, cancel)
    return [None if isinstance(answer, SolveStopped) else answer for answer in answers]


def solve_leaders(
    positions: Iterable[Position],
    goal: Goal,
    leaders: Sequence[Seat] = (0, 1, 2, 3),
    *,
    want: Want = "value",
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    cancel: Cancel | None = None,
) -> list[list[Solution | None]]:
    """Solve first leads of the same cards from several seats; what is learnt for one helps the others.

    One list per position, in the order of `leaders`. Limits as in `solve_many`. ValueError if a card is
    already on the table or no leader is named.
    """
    asked = list(positions)
    if any(position.trick for position in asked):
        raise ValueError("a card is on the table: only its owner could have led")
    if not leaders:
        raise ValueError("no leader is named")
    problems = [(replace(position, turn=leader), goal) for position in asked for leader in leaders]
    answers = iter(_answers(problems, len(leaders), want, False, nodes, seconds, threads, cancel))
    return [
        [None if isinstance(answer := next(answers), SolveStopped) else answer for _ in leaders]
        for _ in asked
    ]


def rollouts(
    problems: Iterable[tuple[Position, Goal]],
    times: int,
    seed: int,
    *,
    threads: int = 1,
    cancel: Cancel | None = None,
) -> list[float]:
    """The mean value of playing each position `times` times to the end, every legal card equally likely.

    The value is that of `solve`: tricks or points of the side that the goal counts for. Nothing is declared
    at random in Huutopussi. The result depends on the seed alone. An interrupt from the keyboard ends the
    call, and `cancel` from another thread does; then `SolveStopped` is raised. ValueError for a position that
    cannot arise, and for fewer than one time or thread.
    """
    asked = list(problems)
    alike = stretches(_check_problems(asked))
    check_all(alike)
    if not 1 <= times <= _MOST:
        raise ValueError(
            "at least one rollout is needed" if times < 1 else f"{times} rollouts are more than {_MOST}"
        )
    _check_limits(None, None, threads)
    if native.core is None:
        _warn()
        return [reference.rollouts(position, goal, times, seed) for position, goal in asked]
    stop, workers = cancel or Cancel(), min(threads, _MOST_THREADS)
    records, chance = native.records(alike), seed & (1 << 64) - 1

    def call() -> list[int]:
        totals: list[int] = native.core.rollouts(records, times, chance, workers, stop.raised)
        return totals

    sums = _interruptible(call, stop) if times * len(asked) > _MANY_ROLLOUTS else call()
    if stop.is_set():
        raise SolveStopped("the search was cancelled")
    return [
        native.mean(position, goal, gained, times)
        for (position, goal), gained in zip(asked, sums, strict=True)
    ]


def forget() -> None:
    """Give the memory of idle solvers back to the system."""
    if native.core is not None:
        native.core.release_memory()


def _answers(
    problems: Sequence[tuple[Position, Goal]],
    group: int,
    want: Want,
    line: bool,
    nodes: int | None,
    seconds: float | None,
    threads: int,
    cancel: Cancel | None,
) -> list[Solution | SolveStopped]:
    if want not in _WANT:
        raise ValueError(f"want is one of {', '.join(_WANT)}, not {want!r}")
    _check_limits(nodes, seconds, threads)
    alike = stretches(_check_problems(problems))
    check_all(alike)
    if native.core is None:
        return _solve_by_reference(problems, want, line, nodes, seconds, cancel)
    stop, workers = cancel or Cancel(), min(threads, _MOST_THREADS)
    records = native.records(alike)
    # The core takes 0 for "no limit"; to a caller 0 seconds (what is left of a deadline) means at once.
    time_left = 0.0 if seconds is None or seconds > _LONGEST else seconds if seconds > 0 else 1e-9

    def call() -> list[tuple[Any, ...]]:
        answers: list[tuple[Any, ...]] = native.core.solve(
            records, group, _WANT[want], line, min(nodes or 0, _MOST), time_left, workers, stop.raised
        )
        return answers

    # Every question has a card at least.
    cards = (hand.bit_count() for position, _ in problems for hand in position.hands)
    long = len(problems) > _LONG or sum(cards) > _LONG
    answers = _interruptible(call, stop) if long else call()
    return [
        SolveStopped(answer[2]) if answer[0] is None else native.decode(position, goal, answer)
        for (position, goal), answer in zip(problems, answers, strict=True)
    ]


def _check_problems(problems: Sequence[tuple[Position, Goal]]) -> Sequence[tuple[Position, Goal]]:
    """The problems; `TypeError` where one has no position."""
    for position, _ in problems:
        if not isinstance(position, Position):
            raise TypeError(
                f"a position is wanted, not a {type(position).__name__}; position_of(view, world) makes one"
            )
    return problems


def _check_limits(nodes: int | None, seconds: float | None, threads: int) -> None:
    """Raise TypeError or ValueError unless these can be limits."""
    for name, limit in (("nodes", nodes), ("threads", threads)):
        if limit is None:
            continue
        try:
            too_few = index(limit) < 1
        except TypeError as error:
            raise TypeError(f"{name} must be a whole number, not {limit!r}") from error
        if too_few:
            any_number = " (None: any number)" if name == "nodes" else ""
            raise ValueError(f"{name} must be 1 or more{any_number}, not {limit}")
    if seconds is None:
        return
    if not isinstance(seconds, Real):
        raise TypeError(f"seconds must be a number, not {seconds!r}")
    if math.isnan(seconds):
        raise ValueError("seconds must be a number, not nan")


def _interruptible(call: Callable[[], _T], stop: Cancel) -> _T:
    """The result of `call`, run in a second thread so that the main thread can handle signals.

    The core does not return to Python while it searches. An interrupt raises `stop`.
    """
    if threading.current_thread() is not threading.main_thread():
        return call()
    with ThreadPoolExecutor(1) as pool:
        try:
            future = pool.submit(call)
        except RuntimeError:  # without a thread the answer cannot be interrupted, but it comes
            return call()
        try:
            return future.result()
        except BaseException:
            if not future.done():
                stop.set()
            raise


def _solve_by_reference(
    problems: Sequence[tuple[Position, Goal]],
    want: Want,
    line: bool,
    nodes: int | None,
    seconds: float | None,
    cancel: Cancel | None,
) -> list[Solution | SolveStopped]:
    _warn()
    deadline = None if seconds is None else time.monotonic() + seconds

    def stop() -> bool:
        return (cancel is not None and cancel.is_set()) or (
            deadline is not None and time.monotonic() > deadline
        )

    solutions: list[Solution | SolveStopped] = []
    for position, goal in problems:
        try:
            full = reference.solve(position, goal, nodes=nodes, stop=stop)
        except SolveStopped as stopped:
            solutions.append(stopped)
            continue
        moves = {} if want == "value" else full.moves
        if want == "one":
            moves = {full.best[0]: full.value}
        solutions.append(Solution(full.value, moves, full.line if line else (), full.nodes))
    return solutions


def _warn() -> None:
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(
            "nousu was installed without its compiled core; solving is slow and only endings are in reach",
            RuntimeWarning,
            stacklevel=5,
        )
