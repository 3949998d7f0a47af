"""Two actions of one seat over the same deals, played out by players who see only their own cards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import NamedTuple

from nousu.engine.actions import Action
from nousu.engine.game import View
from nousu.engine.messages import Note
from nousu.games import part
from nousu.players.seat_loop import derive_seed, view_seed
from nousu.players.worlds import World, worlds
from nousu.review.families import fallback
from nousu.review.model import QUICK, Interval, ReviewEffort, ReviewOption
from nousu.review.statistics import CLEAR, CLOSE, interval

BATCH = 50
"""Worlds that are tried before it is asked anew whether they are enough."""
SLOW_BATCH = 20
FLOOR = 0.1
"""The weight no world falls below, as a share of the mean: no belief is certain."""


class Trial(NamedTuple):
    """What two actions brought in the same worlds."""

    taken: Sequence[float]
    other: Sequence[float]
    weights: Sequence[float]
    """How likely each world is by how everybody has played, the mean being 1."""
    cost: Interval
    """By how much the other action brought more, worlds weighed so."""
    uniform: Interval
    """The same with all worlds as likely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One action compared with another, given what their seat knew."""

    action: Action
    other: Action
    alike: bool
    """They mean the same: touching cards, bids of one meaning. Nothing was measured then."""
    cost: float | None
    """Points that the other action brings more on average; None where the family has a measure of its own."""
    clear: int
    """1 where the other action is clearly better, -1 where this one is, 0 where neither is."""
    ahead: tuple[float, float]
    """The share of the deals in which the seat's side comes out ahead, with this action and the other."""
    deals: int
    """Deals that were played out."""
    every: bool
    """Whether these are all the deals that fit, or drawn of them."""
    reason: Note | None = None
    """What the family says of such a choice, if it has words of its own for it."""


def compare_actions(
    view: View, action: Action, other: Action, effort: ReviewEffort = QUICK
) -> Comparison | None:
    """`action` beside `other`, both legal in `view`; None where the family cannot play both out.

    It follows from the view alone: the same view gives the same answer.
    """
    family = part("nousu.review.families", view.game) or fallback
    if action == other or family.same(view, action, other):
        return Comparison(
            action=action, other=other, alike=True, cost=None, clear=0, ahead=(0.0, 0.0), deals=0, every=False
        )
    if not family.comparable(view, action, other):
        return None
    seed = view_seed(view)
    most = effort.slow_worlds if family.slow(view) else effort.worlds
    found, rng = worlds(view), Random(seed)
    every = found.layouts <= most
    drawn = list(found.every(rng)) if every else [(found.sample(rng), 1) for _ in range(most)]
    deals, ways = [world for world, _ in drawn], [float(count) for _, count in drawn]
    got = compare_in_worlds(
        family, view, (action, other), deals, ways, lambda at: derive_seed(seed, at), every
    )
    spans = [Interval(one.mean, one.mean, one.mean) if every else one for one in (got.cost, got.uniform)]
    least, side = CLEAR * family.unit(view), 0
    if got.cost.mean >= least and min(span.low for span in spans) > 0:
        side = 1
    elif got.cost.mean <= -least and max(span.high for span in spans) < 0:
        side = -1
    mine, others = (_share(row, got.weights) for row in (got.taken, got.other))
    say = getattr(family, "reason", None)
    options = [
        ReviewOption(one, sum(row) / len(row), share)
        for one, row, share in ((action, got.taken, mine), (other, got.other, others))
    ]
    return Comparison(
        action=action,
        other=other,
        alike=False,
        cost=None if hasattr(family, "outcome") else got.cost.mean,  # with that it has a measure of its own
        clear=side,
        ahead=(mine, others),
        deals=len(got.taken),
        every=every,
        reason=None if say is None else say(view, other, options),
    )


def compare_in_worlds(
    family: ModuleType,
    view: View,
    pair: Sequence[Action],
    drawn: Sequence[World],
    ways: Sequence[float],
    seed: Callable[[int], int],
    every: bool = False,
) -> Trial:
    """Two actions in so many of the worlds as make the difference clear; in all of them with `every`.

    `ways` says how many histories each world stands for, `seed` chance for the batch that begins there.
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
        weights = floor_weights([one * two for one, two in zip(likely, tries, strict=True)])
        costs = [two - one for one, two in zip(taken, other, strict=True)]
        cost, uniform = interval(costs, weights), interval(costs, tries)
        if not every and max(cost.high - cost.low, uniform.high - uniform.low) / 2 < close:
            break
    return Trial(taken, other, weights, cost, uniform)


def floor_weights(found: Sequence[float]) -> list[float]:
    """Weights of worlds, their mean being 1 and none next to nothing."""
    total = sum(found)
    if total <= 0:
        return [1.0] * len(found)
    return [(1 - FLOOR) * one * len(found) / total + FLOOR for one in found]


def _share(row: Sequence[float], weights: Sequence[float]) -> float:
    return sum(weight for value, weight in zip(row, weights, strict=True) if value > 0) / sum(weights)
