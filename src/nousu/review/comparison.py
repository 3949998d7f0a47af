"""Two actions of one seat over the same deals, played out by players that see only their own cards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from nousu.engine.actions import Action
from nousu.engine.game import View
from nousu.engine.messages import Note
from nousu.players.seat_loop import derive_seed, view_seed
from nousu.players.worlds import World, Worlds
from nousu.review.families import (
    OwnMeasure,
    OwnReasons,
    ReviewFamily,
    deals_of,
    review_extension,
    review_family,
)
from nousu.review.model import QUICK, Interval, ReviewEffort, ReviewOption
from nousu.review.statistics import CLEAR, CLOSE, interval

BATCH = 50
"""Number of worlds tried before each check whether they are enough."""
SLOW_BATCH = 20
FLOOR = 0.1
"""The least weight of a world, as a share of the mean: no belief is certain."""


class Trial(NamedTuple):
    """The values of two actions in the same worlds, in points."""

    taken: Sequence[float]
    other: Sequence[float]
    weights: Sequence[float]
    """Likelihood of each world by the play of all seats, the mean being 1."""
    cost: Interval
    """The value of the other action less that of the action taken, worlds weighted so."""
    uniform: Interval
    """The cost with all worlds equally likely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One action compared with another, given the knowledge of their seat."""

    action: Action
    other: Action
    alike: bool
    """True if the actions mean the same: touching cards, bids of one meaning. They are not measured then."""
    cost: float | None
    """Points that the other action brings more on average; None where the family has a measure of its own."""
    clear: int
    """1 where the other action is clearly better, -1 where this one is, 0 where neither is."""
    ahead: tuple[float, float]
    """The share of the deals in which the seat's side comes out ahead, with this action and the other."""
    deals: int
    """The number of deals played out."""
    every: bool
    """Whether these are all the deals that fit, or a random sample of them."""
    reason: Note | None = None
    """The words of the family for such a choice, if any."""


def compare_actions(
    view: View, action: Action, other: Action, effort: ReviewEffort = QUICK
) -> Comparison | None:
    """Compare `action` with `other`, both legal in `view`; None where the family cannot play both out.

    The answer depends on the view alone.
    """
    family = review_family(view.game)
    if action == other or family.same(view, action, other):
        return Comparison(
            action=action, other=other, alike=True, cost=None, clear=0, ahead=(0.0, 0.0), deals=0, every=False
        )
    if not family.comparable(view, action, other):
        return None
    seed = view_seed(view)
    most = effort.slow_worlds if family.slow(view) else effort.worlds
    source, rng = deals_of(view), Random(seed)
    drawn = list(source.every(rng)) if isinstance(source, Worlds) and source.layouts <= most else []
    every = bool(drawn)  # deals by a family's own odds are drawn even where they are few
    drawn = drawn or [(source.sample(rng), 1) for _ in range(most)]
    deals, ways = [world for world, _ in drawn], [float(count) for _, count in drawn]
    trial = compare_in_worlds(
        family, view, (action, other), deals, ways, lambda at: derive_seed(seed, at), every
    )
    shares = [_share_ahead(row, trial.weights) for row in (trial.taken, trial.other)]
    words = review_extension(OwnReasons, view.game)
    options = [
        ReviewOption(option, sum(row) / len(row), share)
        for option, row, share in zip((action, other), (trial.taken, trial.other), shares, strict=True)
    ]
    measures = review_extension(OwnMeasure, view.game) is not None
    return Comparison(
        action=action,
        other=other,
        alike=False,
        cost=None if measures else trial.cost.mean,
        clear=_clearly_better(trial, every, CLEAR * family.unit(view)),
        ahead=(shares[0], shares[1]),
        deals=len(trial.taken),
        every=every,
        reason=None if words is None else words.reason(view, other, options),
    )


def _clearly_better(trial: Trial, every: bool, least: float) -> int:
    """1 if the other action is clearly worth at least so much more, -1 if the one taken is, else 0."""
    spans = [
        Interval(span.mean, span.mean, span.mean) if every else span for span in (trial.cost, trial.uniform)
    ]
    if trial.cost.mean >= least and min(span.low for span in spans) > 0:
        return 1
    return -1 if trial.cost.mean <= -least and max(span.high for span in spans) < 0 else 0


def compare_in_worlds(
    family: ReviewFamily,
    view: View,
    pair: Sequence[Action | None],
    drawn: Sequence[World],
    ways: Sequence[float],
    seed: Callable[[int], int],
    every: bool = False,
) -> Trial:
    """Compare two actions in as many of the worlds as make the difference clear.

    Args:
        family: The family's module, which plays hands out.
        view: The view of the choice.
        pair: The action taken and the other one.
        drawn: The worlds.
        ways: Number of histories of each world.
        seed: The seed of the batch that begins at that world.
        every: Whether all worlds are played out.
    """
    batch = SLOW_BATCH if family.slow(view) else BATCH
    close = CLOSE * family.unit(view)
    taken: list[float] = []
    other: list[float] = []
    likely: list[float] = []
    cost = uniform = Interval(0.0, 0.0, 0.0)
    weights: list[float] = []
    for start in range(0, len(drawn), batch):
        now = drawn[start : start + batch]
        rows = family.measure(view, pair, now, seed(start))
        taken += rows[0]
        other += rows[1]
        likely += family.weights(view, now)
        tries = ways[: len(likely)]
        weights = floor_weights([weight * count for weight, count in zip(likely, tries, strict=True)])
        costs = [better - value for value, better in zip(taken, other, strict=True)]
        cost, uniform = interval(costs, weights), interval(costs, tries)
        if not every and max(cost.high - cost.low, uniform.high - uniform.low) / 2 < close:
            break
    return Trial(taken, other, weights, cost, uniform)


def floor_weights(weights: Sequence[float]) -> list[float]:
    """Weights of worlds scaled to a mean of 1, each at least `FLOOR`."""
    total = sum(weights)
    if total <= 0:
        return [1.0] * len(weights)
    return [(1 - FLOOR) * weight * len(weights) / total + FLOOR for weight in weights]


def _share_ahead(row: Sequence[float], weights: Sequence[float]) -> float:
    return sum(weight for value, weight in zip(row, weights, strict=True) if value > 0) / sum(weights)
