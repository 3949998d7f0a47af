"""Many hands at once in the compiled core: arrays of observations, masks, rewards."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nousu.engine.game import Game
from nousu.engine.seats import Seat
from nousu.env.layout import Layout, Planes, Scalars, coded
from nousu.env.walk import family_of
from nousu.games import find

HAND_OVER: Final = 1
"""In `Step.done`: a hand is over, and the next one dealt."""
MATCH_OVER: Final = 2
"""In `Step.done`: the match is over, and a new one begun."""


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
    """Who acts next."""


def uncompiled() -> str:
    """Why there is no compiled core; nothing where there is one."""
    try:
        from nousu import _native
    except ImportError as error:
        return str(error)
    return "" if hasattr(_native, "Lanes") else "its compiled core is of another version"


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
        """
        from nousu import _native

        self._preset = rules
        self.game: Game
        self.game, self.rules = find(rules)
        family = family_of(self.game)
        takes = self.game.seats_for(rules)
        self.seats = seats or (4 if 4 in takes else takes.start)
        self.game.check_seats(rules, self.seats)
        self.layout: Layout = family.LAYOUT
        codes = coded(self.rules, _native.RULES[self.game.name], family.own_codes(self.rules))
        self.matches = matches
        self._core = _native.Lanes(self.game.name, codes, lanes, self.seats, matches)
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
        self._share()

    def _share(self) -> None:
        """Keep the arrays as the core takes them."""
        step = self._step
        self._out = (step.planes, step.scalars, step.mask, step.reward, step.place, step.done, step.seat)

    def __copy__(self) -> Self:
        """An independent copy in mid-hand: the same hands, cards to come and arrays."""
        copy = object.__new__(type(self))
        vars(copy).update(vars(self))
        copy._core = self._core.copy()
        copy._step = replace(self._step, **{name: value.copy() for name, value in vars(self._step).items()})
        copy._actions = self._actions.copy()
        copy._share()
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """The same: nothing is shared that changes."""
        return self.__copy__()

    def __getstate__(self) -> dict[str, Any]:
        """The rules, and for each lane its histories and the state of its chance, which any build reads."""
        lanes = range(len(self))
        return {
            "rules": self._preset,
            "seats": self.seats,
            "matches": self.matches,
            "histories": [(self.history(lane, finished=True), self.history(lane)) for lane in lanes],
            "chance": [self._core.chance(lane) for lane in lanes],
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
            self._core.set_chance(lane, state["chance"][lane])
        self._step, self._actions = Step(**state["step"]), state["actions"]
        self._share()

    def __len__(self) -> int:
        return len(self._actions)

    @property
    def last_step(self) -> Step:
        """The arrays as the last call filled them."""
        return self._step

    @property
    def name(self) -> str:
        """The versioned name of what is observed and numbered: weights fit environments of the same name."""
        return f"nousu/{self.game.name}-{self.layout.version}"

    def reset(self, seeds: ArrayLike) -> Step:
        """New matches, one seed per lane: the same seed and the same actions give the same cards."""
        self._core.reset(np.ascontiguousarray(seeds, np.uint64), *self._out)
        return self._step

    def look(self) -> Step:
        """Every lane as it is, after `load`."""
        self._core.look(*self._out)
        return self._step

    def step(self, actions: ArrayLike) -> Step:
        """Take one action in every lane.

        Raises:
            ValueError: The first lane whose action is not legal; no lane has moved.
        """
        self._core.step(np.ascontiguousarray(actions, np.int32), *self._out)
        return self._step

    def choose(self) -> NDArray[np.int32]:
        """A legal action for every lane, all equally likely; the array changes with the next call."""
        self._core.choose(self._actions)
        return self._actions

    def observe(self, lane: int, seat: Seat) -> tuple[Planes, Scalars]:
        """What a seat knows now, to act or not."""
        planes, scalars = self.layout.empty()
        self._core.observe(lane, seat, planes, scalars)
        return planes, scalars

    def history(self, lane: int, finished: bool = False) -> list[int]:
        """The history of the match in a lane: first dealer, then pack and actions of each hand.

        `nousu.env.replayed` replays it by the Python rules.

        Args:
            lane: The number of the lane, from 0.
            finished: Whether the match before is meant.
        """
        numbers: list[int] = self._core.history(lane, finished)
        return numbers

    def load(self, lane: int, history: Sequence[int]) -> None:
        """Bring a lane to the end of a history.

        Raises:
            ValueError: The history is impossible; the lane stays at the first wrong action.
        """
        used = self._core.load(lane, list(history))
        if used != len(history):
            raise ValueError(f"entry {used} of the history is not possible")

    def leaves(self, lane: int, depth: int) -> int:
        """In how many ways the next `depth` actions of the hand can go."""
        count: int = self._core.leaves(lane, depth)
        return count
