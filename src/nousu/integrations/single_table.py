"""One table of the core with the interface that other packages expect: a row, a mask, a reward, an end.

`nousu.integrations.pettingzoo`, `gymnasium` and `rlcard` share the versioned names and `Episodes`.
"""

from copy import deepcopy
from operator import index
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

import nousu
from nousu.engine.messages import brief
from nousu.engine.seats import Seat, check_seat, seat_name
from nousu.env import HAND_OVER, MATCH_OVER, Lanes, Walk, replayed
from nousu.env.layout import Layout
from nousu.env.walk import EnvFamily
from nousu.extensions import Point, extension
from nousu.games import games
from nousu.players import DEFAULT_BUDGET, Interrupter, Player

Reward = Literal["points", "equity"]


def environment_names() -> dict[str, str]:
    """The versioned names of the environments, ``nousu/tuppi-v0`` and so on, with the preset of each."""
    return {
        f"nousu/{preset}-v{family.VERSION}": preset
        for game in games().values()
        if (family := extension(EnvFamily, Point.ENV, game.name)) is not None
        for preset in game.presets
    }


def player_action(walk: Walk, player: Player, seed: int) -> int:
    """The number of a player's action for the seat to act, chosen from the view of that seat.

    At a silent turn the player is asked whether it speaks out of turn.
    """
    view = walk.match.hand.view(walk.seat)
    if None not in walk.moves.values():
        return walk.number(player.choose(view, DEFAULT_BUDGET, seed).action)
    choice = player.interrupt(view, DEFAULT_BUDGET, seed) if isinstance(player, Interrupter) else None
    if choice is None:
        return next(number for number, move in walk.moves.items() if move is None)
    return walk.number(choice.action)


def observation_row(planes: NDArray[np.uint8], scalars: NDArray[np.int16]) -> NDArray[np.int16]:
    """An observation in one row, planes before scalars."""
    return np.concatenate([planes.reshape(-1), scalars])


def row_size(layout: Layout) -> int:
    """The length of such a row."""
    cards, planes, scalars, _ = layout.size
    return planes * cards + scalars


class Episodes:
    """One hand, or one match, after another at one table of the compiled core.

    >>> table = Episodes("tuppi")
    >>> table.reset(7)
    >>> table.step(table.legal()[0])
    >>> table.over, table.rewards
    (False, [0.0, 0.0, 0.0, 0.0])
    """

    def __init__(
        self, rules: str = "tuppi", *, seats: int = 0, matches: bool = False, reward: Reward = "points"
    ) -> None:
        """Set up a table of the compiled core.

        Args:
            rules: A preset, or preset+option=value.
            seats: Number of seats; 0 for the usual one.
            matches: Whether an episode is a whole match; else one hand from an empty score.
            reward: Points of the hand, or the change of the chance to win the match
                (`nousu.integrations.rewards`).

        Raises:
            BadRules: There are no such rules.
            ValueError: The reward is not possible.
            ImportError: There is no compiled core.
        """
        self._sit(Lanes(rules, 1, seats=seats, matches=matches))
        self._equity = None
        if reward == "equity":
            from nousu.integrations.rewards import Equity

            self._equity = Equity(self.lanes)
        elif reward != "points":
            raise ValueError(f"the reward is 'points' or 'equity', not {reward!r}")
        self._end = MATCH_OVER if matches else HAND_OVER
        self.over = True
        self.rewards = [0.0] * self.seats

    def _sit(self, lanes: Lanes) -> None:
        self.lanes = lanes
        self.layout = lanes.layout
        self.seats = lanes.seats
        self.actions = self.layout.size[3]
        self.size = row_size(self.layout)

    def __copy__(self) -> "Episodes":
        """An independent copy in mid-hand, like `copy.deepcopy` and pickle make one."""
        return deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        """The state without what follows from the lanes."""
        return {name: vars(self)[name] for name in ("lanes", "_equity", "_end", "over", "rewards")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take a state over."""
        vars(self).update(state)
        self._sit(state["lanes"])

    def reset(self, seed: int) -> None:
        """Begin a new episode; the seed decides everything left to chance in it."""
        self.lanes.reset([seed])
        if self._equity is not None:
            self._equity.reset()
        self.over = False
        self.rewards = [0.0] * self.seats

    @property
    def seat(self) -> Seat:
        """The seat to act."""
        return int(self.lanes.last_step.seat[0])

    def legal(self) -> list[int]:
        """The numbers of its legal actions."""
        return [] if self.over else [int(number) for number in np.flatnonzero(self.lanes.last_step.mask[0])]

    def mask(self, seat: Seat) -> NDArray[np.int8]:
        """1 for each action that is legal; all 0 for a seat that does not act now."""
        check_seat(seat, self.seats)
        if self.over or seat != self.seat:
            return np.zeros(self.actions, np.int8)
        mask: NDArray[np.int8] = self.lanes.last_step.mask[0].astype(np.int8)
        return mask

    def observe(self, seat: Seat) -> NDArray[np.int16]:
        """The observation of a seat in one row; all 0 after the end."""
        check_seat(seat, self.seats)
        if self.over:
            return np.zeros(self.size, np.int16)
        if seat == self.seat:
            return observation_row(self.lanes.last_step.planes[0], self.lanes.last_step.scalars[0])
        return observation_row(*self.lanes.observe(0, seat))

    def step(self, action: int) -> None:
        """Carry out an action of the seat to act.

        ValueError if it is not legal, or the episode is over, TypeError if it is no whole number; then
        the state is unchanged.
        """
        if self.over:
            raise ValueError("this is over: reset begins anew")
        step = self.lanes.step([action_number(action)])
        gains = step.reward if self._equity is None else self._equity.of(step)
        self.rewards = [float(gain) for gain in gains[0]]
        self.over = bool(step.done[0] & self._end)

    def history(self) -> list[int]:
        """The history of this episode, as `Lanes.history` returns it."""
        return self.lanes.history(0, finished=self.over)

    def back(self) -> bool:
        """Take the last action back; return whether there was one in this hand."""
        history = self.history()
        size = len(self.layout.pack)
        if len(history) <= 1 + size or self.lanes.matches:
            return False
        self.lanes.load(0, history[:-1])
        self.lanes.look()
        self.over, self.rewards = False, [0.0] * self.seats
        return True

    def walk(self) -> Walk:
        """The episode replayed by the Python rules; RuntimeError before the first `reset`."""
        if not self.history():
            raise RuntimeError("there is no episode yet: reset begins one")
        *_, walk = replayed(self.lanes.game, self.lanes.rules, self.seats, self.history())
        return walk


def action_number(action: object) -> int:
    """The number of an action as libraries pass it; `TypeError` where it is no whole number."""
    try:
        return index(action)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"an action is a whole number, not {brief(repr(action))}") from None


def record_text(walk: Walk) -> str:
    """The record of a match, all cards open, and the seat to act."""
    written = nousu.write(walk.match)
    seats = walk.match.seats
    return f"{written}# {seat_name(walk.seat, seats)} to act\n" if walk.seat >= 0 else written


def render_record(walk: Walk, mode: str | None) -> str | None:
    """Render a match as Gymnasium and PettingZoo ask for it: its record, all cards open.

    Returns:
        The record for the mode ``ansi``; else None, and the mode ``human`` prints it.
    """
    if mode == "human":
        print(record_text(walk))
    return record_text(walk) if mode == "ansi" else None


def spaces_of(layout: Layout) -> Any:
    """The spaces of Gymnasium for the observation and the actions of a family."""
    from gymnasium import spaces

    observation = spaces.Box(-32768, 32767, (row_size(layout),), np.int16)
    actions = layout.size[3]
    mask = spaces.Box(0, 1, (actions,), np.int8)
    return spaces.Dict({"observation": observation, "action_mask": mask}), spaces.Discrete(actions)
