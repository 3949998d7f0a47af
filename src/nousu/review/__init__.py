"""What a choice cost: finished hands reviewed by what each seat knew at the time.

``review_hand(hand, seat)`` is the review of a hand. docs/research/review.md says what is measured, how, and
how well. A family adds its own module here (`nousu.games.part`); families without one are reviewed more
slowly.
"""

from nousu.review import codec
from nousu.review.comparison import Pair, paired
from nousu.review.hand import all_seen, review_hand
from nousu.review.match_curve import course, without_par
from nousu.review.model import (
    FULL,
    QUICK,
    Effort,
    HandReview,
    Interval,
    Judged,
    Layout,
    Option,
    Point,
    Verdict,
)

__all__ = [
    "FULL",
    "QUICK",
    "Effort",
    "HandReview",
    "Interval",
    "Judged",
    "Layout",
    "Option",
    "Pair",
    "Point",
    "Verdict",
    "all_seen",
    "codec",
    "course",
    "paired",
    "review_hand",
    "without_par",
]
