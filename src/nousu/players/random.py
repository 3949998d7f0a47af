"""The player every other one is measured against: any legal action, each as likely."""

from collections.abc import Sequence
from typing import Final

from nousu.engine.actions import Action
from nousu.engine.game import View
from nousu.players import Budget, Choice

_SPREAD: Final = 0x9E3779B97F4A7C15
"""2⁶⁴ divided by the golden ratio: takes seeds with equal high bits, such as 1, 2, 3, far apart."""


class RandomPlayer:
    """Chooses uniformly among the legal actions."""

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """Any of ``view.legal``; the same seed gives the same one."""
        return self.among(view.legal, seed)

    def among(self, legal: Sequence[Action], seed: int) -> Choice:
        """The same without a view: nothing but what may be done matters here."""
        # The seed of a choice is a hash and needs no generator, which would take longer to set up than the
        # rules take for the action.
        return Choice(legal[(seed * _SPREAD & 0xFFFF_FFFF_FFFF_FFFF) * len(legal) >> 64])


PLAYERS = {"random": RandomPlayer()}
