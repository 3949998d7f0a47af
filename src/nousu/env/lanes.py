"""Many hands at once in the compiled core: arrays of observations, masks, rewards."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import index
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nousu.engine.game import Game
from nousu.engine.messages import brief
from nousu.engine.seats import Seat
from nousu.env.layout import Layout, Planes, Scalars, encode_options
from nousu.env.walk import family_of
from nousu.games import find, seats_of
from nousu.solver import native

HAND_OVER: Final = 1
"""In `Step.done`: a hand is over, and the next one dealt."""
MATCH_OVER: Final = 2
"""In `Step.done`: the match is over, and a new one begun."""
_ACTION: Final = np.dtype(np.int32)
_MOST_LANES: Final = 1_000_000
_SEED_LIMIT: Final = 2**64
_DEEPEST: Final = 10_000
"""Upper bound of the number of actions in a hand."""


@dataclass(frozen=True)
class Step:
    """The state of every lane after a step, in arrays that change with the next step."""

    planes: NDArray[np.uint8]
    """Sets of cards that the seat to act knows: lanes × planes × cards."""
    scalars: NDArray[np.int16]
    """Numbers that it knows: lanes × scalars."""
    mask: NDArray[np.uint8]
    """1 for each action that is legal: lanes × actions."""
    reward: NDArray[np.float32]
    """Points of each seat in the hand that this step ended, else 0: lanes × seats."""
    place: NDArray[np.int8]
    """The place of each seat in the match that this step ended: 1 has won, all are 1 when it is drawn; else
    0: lanes × seats."""
    done: NDArray[np.uint8]
    """`HAND_OVER`, and `MATCH_OVER` with it; 0 while the hand goes on."""
    seat: NDArray[np.int8]
    """The seat to act: lanes."""


def _core() -> Any:
    """The compiled module; `ImportError` says why there is none."""
    if native.core is None:
        raise ImportError(f"Lanes need the compiled core: {native.missing}")
    return native.core


def _whole_number(value: object, name: str, least: int, most: int) -> int:
    """The value as an int from `least` to `most`.

    Raises:
        TypeError: It is no whole number.
        ValueError: It is too small or too large.
    """
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {brief(repr(value))}") from None
    if not least <= number <= most:
        raise ValueError(f"{name} is a number from {least} to {most}, not {brief(number)}")
    return number


def _whole_numbers(values: ArrayLike, name: str) -> NDArray[Any]:
    """The values as an array of integers; `TypeError` where one is no whole number."""
    numbers = np.asarray(values)
    if numbers.dtype.kind in "iu" or not numbers.size:
        return numbers
    if not isinstance(values, np.ndarray) or numbers.dtype.kind == "O":
        numbers = np.asarray(values, object)  # NumPy makes floats of a row with numbers of 64 bits
        if all(isinstance(value, int | np.integer) for value in numbers.flat):
            return numbers
    raise TypeError(f"{name} are whole numbers, not {brief(repr(values))}")


class Lanes:
    """A number of tables side by side, each with its own chance. Every lane deals its next hand by itself.

    >>> lanes = Lanes("tuppi", 4)
    >>> step = lanes.reset([1, 2, 3, 4])
    >>> step.planes.shape, step.scalars.shape, step.mask.shape
    ((4, 14, 52), (4, 31), (4, 162))
    >>> step = lanes.step(lanes.choose())
    """

    def __init__(self, rules: str, lanes: int, *, seats: int = 0, matches: bool = False) -> None:
        """Create lanes of one preset.

        Args:
            rules: A preset with options, as `nousu.find` reads it.
            lanes: The number of lanes.
            seats: Players at each table; 0 for the usual number.
            matches: Whether hands follow one another to the end of a match; else every hand starts from an
                empty score.

        Raises:
            BadRules: Rules that the environments do not know.
            ImportError: There is no compiled core.
            TypeError: The number of lanes is no whole number.
            ValueError: There are fewer lanes than 1 or more than a million.
        """
        core = _core()
        lanes = _whole_number(lanes, "the number of lanes", 1, _MOST_LANES)
        self._preset = rules
        self.game: Game
        self.game, self.rules = find(rules)
        family = family_of(self.game)
        self.seats = seats_of(rules, seats)
        self.layout: Layout = family.LAYOUT
        codes = encode_options(self.rules, core.RULES[self.game.name], family.own_codes(self.rules))
        self.matches = matches
        self._core = core.Lanes(self.game.name, codes, lanes, self.seats, matches)
        cards, planes, scalars, actions = self.layout.size
        if self._core.shape() != (self.seats, cards, planes, scalars, actions):
            raise RuntimeError("the compiled core has other tables: build it again")
        self._step = Step(
            np.zeros((lanes, planes, cards), np.uint8),
            np.zeros((lanes, scalars), np.int16),
            np.zeros((lanes, actions), np.uint8),
            np.zeros((lanes, self.seats), np.float32),
            np.zeros((lanes, self.seats), np.int8),
            np.zeros(lanes, np.uint8),
            np.zeros(lanes, np.int8),
        )
        self._actions = np.zeros(lanes, np.int32)
        self._begun: set[int] | None = set()
        """The lanes that `load` has begun; None for all of them."""
        self._share()

    def _share(self) -> None:
        """Let the core fill these arrays."""
        step = self._step
        self._core.share(step.planes, step.scalars, step.mask, step.reward, step.place, step.done, step.seat)

    def __copy__(self) -> Self:
        """An independent copy in mid-hand: the same hands, cards to come and arrays."""
        copy = object.__new__(type(self))
        vars(copy).update(vars(self))
        copy._core = self._core.copy()
        copy._step = replace(self._step, **{name: value.copy() for name, value in vars(self._step).items()})
        copy._actions = self._actions.copy()
        copy._begun = None if self._begun is None else set(self._begun)
        copy._share()
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Copy like `__copy__`: no changing part is shared."""
        return self.__copy__()

    def __getstate__(self) -> dict[str, Any]:
        """The rules, and for each lane its histories and the state of its chance, which any build reads."""
        lanes = range(len(self))
        return {
            "rules": self._preset,
            "seats": self.seats,
            "matches": self.matches,
            "histories": [(self.history(lane, finished=True), self.history(lane)) for lane in lanes],
            "chance": [self._core.random_state(lane) for lane in lanes],
            "step": vars(self._step),
            "actions": self._actions,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Replay the histories."""
        lanes = len(state["chance"])
        self.__init__(state["rules"], lanes, seats=state["seats"], matches=state["matches"])  # type: ignore[misc]
        for lane, (finished, history) in enumerate(state["histories"]):
            for entries in filter(None, (finished, history)):
                self.load(lane, entries)
            self._core.set_random_state(lane, state["chance"][lane])
        self._step, self._actions = Step(**state["step"]), state["actions"]
        self._share()

    def __len__(self) -> int:
        return len(self._actions)

    def __repr__(self) -> str:
        kind = "matches" if self.matches else "hands"
        begun = "" if self._begun is None else ", to be reset"
        return f"<Lanes {self._preset}: {len(self)} lanes of {kind} with {self.seats} seats{begun}>"

    def _lane(self, lane: int) -> int:
        return _whole_number(lane, "a lane", 0, len(self) - 1)

    def _check_begun(self, lane: int | None = None) -> None:
        """Raise RuntimeError where a lane, or any of them, has no cards yet."""
        if self._begun is not None and (lane is None or lane not in self._begun):
            raise RuntimeError("there are no hands yet: reset begins them in all lanes, load in one")

    @property
    def last_step(self) -> Step:
        """The arrays as the last call filled them."""
        return self._step

    @property
    def name(self) -> str:
        """The versioned name of observations and actions: weights fit environments of the same name."""
        return f"nousu/{self.game.name}-{self.layout.version}"

    def reset(self, seeds: ArrayLike) -> Step:
        """Begin new matches: the same seeds and the same actions give the same cards.

        Args:
            seeds: One whole number from 0 to 2**64 - 1 per lane.

        Raises:
            TypeError: A seed is no whole number.
            ValueError: There is not one seed per lane, or one is too small or too large.
        """
        numbers = _whole_numbers(seeds, "seeds")
        if numbers.shape != (len(self),):
            given = "one number" if numbers.ndim == 0 else f"an array of shape {numbers.shape}"
            raise ValueError(f"seeds are {len(self)} numbers, one per lane, not {given}")
        if not 0 <= (least := int(numbers.min())) <= (most := int(numbers.max())) < _SEED_LIMIT:
            raise ValueError(f"seeds are from 0 to 2**64 - 1, not {brief(least if least < 0 else most)}")
        self._core.reset(np.ascontiguousarray(numbers, np.uint64))
        self._begun = None
        return self._step

    def look(self) -> Step:
        """The state of every lane, after `load`; RuntimeError before all lanes have begun."""
        self._check_begun()
        self._core.write_all()
        return self._step

    def step(self, actions: ArrayLike) -> Step:
        """Take one action in every lane.

        Raises:
            RuntimeError: Before `reset`.
            TypeError: An action is no whole number.
            ValueError: The first lane whose action is not legal; no lane has moved.
        """
        if self._begun is not None:
            self._check_begun()
        if getattr(actions, "dtype", None) is not _ACTION:
            actions = self._actions_of(actions)
        self._core.step(np.ascontiguousarray(actions, np.int32))
        return self._step

    def _actions_of(self, actions: ArrayLike) -> NDArray[Any]:
        """Actions of any whole type as 32-bit integers; numbers out of range stay illegal."""
        numbers = _whole_numbers(actions, "actions")
        if np.can_cast(numbers.dtype, np.int32):
            return numbers
        clipped: NDArray[Any] = np.clip(numbers, 0 if numbers.dtype.kind == "u" else -1, self.layout.size[3])
        return clipped

    def choose(self) -> NDArray[np.int32]:
        """A legal action for every lane, all equally likely; the array changes with the next call.

        RuntimeError before `reset`.
        """
        if self._begun is not None:
            self._check_begun()
        self._core.choose_at_random(self._actions)
        return self._actions

    def observe(self, lane: int, seat: Seat) -> tuple[Planes, Scalars]:
        """Observation of a seat at this moment, whether or not it is to act.

        Raises:
            RuntimeError: Before the lane has begun.
            ValueError: There is no such lane or seat.
        """
        lane, seat = self._lane(lane), _whole_number(seat, "a seat", 0, self.seats - 1)
        self._check_begun(lane)
        planes, scalars = self.layout.empty()
        self._core.observe(lane, seat, planes, scalars)
        return planes, scalars

    def history(self, lane: int, finished: bool = False) -> list[int]:
        """The history of the match in a lane: first dealer, then pack and actions of each hand.

        `nousu.env.replayed` replays it by the Python rules.

        Args:
            lane: The number of the lane, from 0.
            finished: Whether the match before is meant.

        Returns:
            The numbers; none before `reset` and, where there is no match before, of that.
        """
        numbers: list[int] = self._core.history(self._lane(lane), bool(finished))
        return numbers

    def load(self, lane: int, history: Sequence[int]) -> None:
        """Bring a lane to the end of a history.

        Raises:
            TypeError: The history is no row of whole numbers.
            ValueError: The history is impossible; the lane stays at the first wrong action.
        """
        lane = self._lane(lane)
        entries = [int(entry) for entry in _whole_numbers(np.asarray(history).reshape(-1), "a history")]
        used = self._core.load(lane, [entry if 0 <= entry < 2**16 else 2**16 - 1 for entry in entries])
        if used and self._begun is not None:
            self._begun.add(lane)
            self._begun = None if len(self._begun) == len(self) else self._begun
        if used != len(entries) or not used:
            raise ValueError(f"entry {used} of the history is not possible")

    def leaves(self, lane: int, depth: int) -> int:
        """Count the ways in which the next `depth` actions of the hand can go.

        Each action multiplies the time by the number of choices; an interrupt from the keyboard ends it.

        Args:
            lane: The number of the lane, from 0.
            depth: The number of actions, from 0.

        Raises:
            RuntimeError: Before the lane has begun.
            ValueError: There is no such lane, or the depth is negative.
        """
        lane, depth = self._lane(lane), _whole_number(depth, "a depth", 0, _DEEPEST)
        self._check_begun(lane)
        count: int = self._core.count_lines(lane, depth)
        return count
