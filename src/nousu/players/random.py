"""The random player: any legal action, each as likely."""

from collections.abc import Sequence
from typing import Final

from nousu.engine.actions import Action
from nousu.players import BlindPlayer, Choice

_SPREAD: Final = 0x9E3779B97F4A7C15
"""2⁶⁴ divided by the golden ratio: it spreads seeds with equal high bits, such as 1, 2, 3."""


class RandomPlayer(BlindPlayer):
    """Chooses uniformly among the legal actions."""

    def choose_among(self, legal: Sequence[Action], seed: int) -> Choice:
        """One of `legal`; the same seed gives the same one."""
        # The seed of a choice is a hash and needs no generator, which would take longer to set up than the
        # rules take for the action.
        return Choice(legal[(seed * _SPREAD & 0xFFFF_FFFF_FFFF_FFFF) * len(legal) >> 64])


PLAYERS = {"random": RandomPlayer()}
