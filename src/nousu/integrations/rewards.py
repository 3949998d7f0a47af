"""Rewards in match equity: the change of each side's chance to win the match by a hand.

The chances are those of `nousu.players.whist.equity`: backward induction over measured hands, for the presets
of the whist family that ``nousu equity`` knows. Over a whole match the rewards of a side add up to its result
(1 won, 0 lost, ½ drawn) less the ½ it began with.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nousu.env import HAND_OVER, MATCH_OVER, Lanes, Step
from nousu.players.whist.equity import equity, outcomes

Chance = Callable[[tuple[int, int], tuple[int, int], int], float]


@cache
def chance_by_score(preset: str) -> Chance:
    """The chance of North–South by score, totals collected while one side rose, and hands played.

    ValueError lists the presets for which hands were measured.
    """
    from nousu.games import find

    measured, rules = outcomes(preset), find(preset)[1]
    if rules.max_hands is not None and rules.limit_criterion == "peak":
        raise ValueError(f"in {preset} the highest rise decides, which observations do not tell")
    rising = rules.score_model == "single_riser"

    @cache
    def found(score: tuple[int, int], totals: tuple[int, int], hands: int) -> float:
        if not rising:
            return equity(preset, measured, totals=score)
        riser = 0 if score[0] else 1 if score[1] else None
        if rules.max_hands is not None and riser is None and hands >= rules.max_hands:
            return 0.5  # level after the last hand: the next to score wins
        return equity(preset, measured, riser=riser, points=max(score), totals=totals, hands=hands)

    return found


class Equity:
    """Rewards in match equity for the steps of lanes that play whole matches.

    >>> lanes = Lanes("minnesota", 8, matches=True)
    >>> reward = Equity(lanes)
    >>> step = lanes.reset(range(8))
    >>> reward.of(lanes.step(lanes.choose())).shape
    (8, 4)
    """

    def __init__(self, lanes: Lanes) -> None:
        """Start for lanes at the beginning of their matches.

        ValueError where they play single hands, or rules for which no hands were measured.
        """
        if not lanes.matches:
            raise ValueError("match equity is a reward of whole matches: Lanes(…, matches=True)")
        self._preset = lanes.game.name_of(lanes.rules)
        self._chance = chance_by_score(self._preset)
        start = lanes.layout.start
        self._score, self._total, self._hands = start["score"], start["total"], start["hands"]
        self._seats = lanes.seats
        self._north = np.full(len(lanes), self._chance((0, 0), (0, 0), 0), np.float32)
        self._begin = float(self._north[0])

    def __getstate__(self) -> dict[str, Any]:
        """The state without the function, which is loaded by its preset."""
        return {name: value for name, value in vars(self).items() if name != "_chance"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take a state over."""
        vars(self).update(state)
        self._chance = chance_by_score(self._preset)

    def reset(self) -> None:
        """Begin anew after `Lanes.reset`."""
        self._north[:] = self._begin

    def of(self, step: Step) -> NDArray[np.float32]:
        """The reward of every seat, 0 unless a hand has ended. Give each step once, in order."""
        rewards = np.zeros((len(self._north), self._seats), np.float32)
        for lane in np.flatnonzero(step.done & HAND_OVER):
            if step.done[lane] & MATCH_OVER:
                places = step.place[lane]
                after, begin = 0.5 + 0.5 * (int(places[0] == 1) - int(places[1] == 1)), self._begin
            else:
                begin = after = self._at(step, int(lane))
            gained = after - float(self._north[lane])
            rewards[lane] = [gained if seat % 2 == 0 else -gained for seat in range(self._seats)]
            self._north[lane] = begin
        return rewards

    def _at(self, step: Step, lane: int) -> float:
        """The chance of North–South by the present score of a lane.

        An observation names the side of the seat to act first.
        """
        turn = 1 if step.seat[lane] % 2 == 0 else -1
        one, two = step.scalars[lane, self._score : self._score + 2].tolist()[::turn]
        ours, theirs = step.scalars[lane, self._total : self._total + 2].tolist()[::turn]
        return self._chance((one, two), (ours, theirs), int(step.scalars[lane, self._hands]))
