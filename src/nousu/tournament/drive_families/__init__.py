"""Modules by which a family adds to an evening whose points add up (`formats.drive`).

A module has all functions of some of these protocols; without them the totals on a slip are taken as they
are.
"""

from typing import Any, Protocol

from nousu.engine.game import Result


class AddingUp(Protocol):
    """A check whether the points of hands add up; without it they do."""

    def adds_up(self, rules: Any) -> bool:
        """Whether they do under these rules."""


class HandsByTricks(Protocol):
    """Hands written by tricks, and matches of a number of hands."""

    def of_hands(self, rules: Any, hands: int) -> Any | None:
        """The rules of a match that ends after exactly this many hands; None where there are none."""

    def by_tricks(self, result: Result) -> str:
        """A hand that was played, as the word that `trick_points` reads."""

    def trick_points(self, rules: Any, word: str, where: str) -> tuple[int, int]:
        """The points of both sides for a hand written as a word; `Refusal` names the place `where`."""


class TotalsCheck(Protocol):
    """A check of totals; without it all are possible."""

    def check(self, rules: Any, preset: str, hands: int, scores: tuple[int, ...]) -> None:
        """Raise `Refusal` unless this many hands (0: unknown) make these totals."""
