"""The cost of choices: finished hands reviewed by the knowledge of each seat at the time.

``review_hand(hand, seat)`` is the review of a hand. docs/research/review.md says what is measured, how, and
how well.
`nousu.review.families` says what a game family adds; families without a module are reviewed more slowly.
"""

from nousu.review import codec
from nousu.review.comparison import Comparison, compare_actions
from nousu.review.hand import is_all_seen, review_hand
from nousu.review.match_curve import no_par_reason, win_curve
from nousu.review.model import (
    FULL,
    QUICK,
    CurvePoint,
    HandReview,
    Interval,
    JudgedChoice,
    KeyLayout,
    ReviewEffort,
    ReviewOption,
    Verdict,
)

__all__ = [
    "FULL",
    "QUICK",
    "Comparison",
    "CurvePoint",
    "HandReview",
    "Interval",
    "JudgedChoice",
    "KeyLayout",
    "ReviewEffort",
    "ReviewOption",
    "Verdict",
    "codec",
    "compare_actions",
    "is_all_seen",
    "no_par_reason",
    "review_hand",
    "win_curve",
]
