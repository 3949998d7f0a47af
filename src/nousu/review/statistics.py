"""Means of paired differences with their intervals, and the verdict they allow."""

from collections.abc import Sequence
from math import inf, sqrt

from nousu.review.model import Interval, Verdict

CLEAR = 0.15
"""Least cost of a mistake, in tricks, with all but certainty."""
CLOSE = 0.05
"""Half an interval, in tricks, below which no more deals are tried."""
FEW = 12
"""Least number of deals of equal weight; with fewer the verdict is unsure."""
_WIDE = 1.96


def effective(weights: Sequence[float]) -> float:
    """The number of deals of equal weight that these weights count as."""
    total = sum(weights)
    return total * total / sum(weight * weight for weight in weights) if total > 0 else 0.0


def weighted_mean(values: Sequence[float], weights: Sequence[float]) -> float:
    """The mean of `values` by `weights`, whose sum is not 0."""
    return sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights)


def interval(values: Sequence[float], weights: Sequence[float]) -> Interval:
    """The weighted mean of `values` with its 95 % interval."""
    total = sum(weights)
    if total <= 0 or len(values) < 2:
        return Interval(0.0, -inf, inf)
    mean = weighted_mean(values, weights)
    spread = sum((weight * (value - mean)) ** 2 for value, weight in zip(values, weights, strict=True))
    half = _WIDE * sqrt(spread * len(values) / (len(values) - 1)) / total
    return Interval(mean, mean - half, mean + half)


def verdict(
    cost: Interval,
    uniform: Interval,
    open_cost: float | None,
    second: Interval | None,
    deals: float,
    unit: float,
    mixed: bool = False,
    match: Interval | None = None,
) -> Verdict:
    """The verdict on a choice that these figures allow.

    Args:
        cost: The cost of the choice, deals weighted by how all have played, in points.
        uniform: The same with all deals equally likely.
        open_cost: The cost with all hands open; None where unknown.
        second: The cost by another kind of strong play. Where it finds none, the verdict is unsure; where it
            is as clear by itself, it is enough that both agree.
        deals: The number of deals of equal weight.
        unit: The value of a trick, in points.
        mixed: Whether strong players choose by odds here, and often so.
        match: The chance to win the match given away; None where it is not measured. A choice that costs
            points, but not clearly a chance to win, is no mistake at this score.
    """
    least = CLEAR * unit
    agreed = second is not None and second.low > least
    if mixed and cost.low > 0:
        return "style"
    if min(cost.low, uniform.low) > (0 if agreed else least) and deals >= FEW:
        if (second is not None and second.mean <= 0) or (match is not None and match.low <= 0):
            return "unsure"
        return "lucky" if open_cost is not None and open_cost <= 0 else "mistake"
    if cost.mean <= 0:
        return "good"
    return "style" if cost.mean < least and cost.low <= 0 else "unsure"
