"""The judgement of the cards of a choice, to which nets are fitted."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class CardValues(NamedTuple):
    """The average value of each card of a choice, less the mean of all; a trick is about one."""

    taken: Sequence[float]
    """Tricks, or the points in them."""
    scored: Sequence[float]
    """The score after the hand."""


def centred_means(rows: Sequence[Sequence[float]], weights: Sequence[float]) -> list[float]:
    """The weighted mean of each row, less the mean of these means."""
    means = np.array(rows) @ np.array(weights) / sum(weights)
    centred: list[float] = (means - means.mean()).tolist()
    return centred
