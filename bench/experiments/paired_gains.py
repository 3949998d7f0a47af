"""Text about gains in pairs of hands, shared by the experiments."""

from collections.abc import Sequence

from bench.results import interval


def describe(points: Sequence[float], chances: Sequence[float]) -> str:
    """Mean gains with 95 % intervals: points a hand, and the chance to win the match in percent."""
    texts = []
    for what, values in (("points a hand", points), ("percent of the match", chances)):
        mean, low, high = interval(values)
        texts.append(f"{what} {mean:+.3f} ({low:+.3f} … {high:+.3f})")
    return "; ".join(texts)
