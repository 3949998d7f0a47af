"""The player every other one is measured against: any legal action, each as likely."""

from random import Random

from nousu.engine.game import View
from nousu.players import Budget, Choice


class RandomPlayer:
    """Chooses uniformly among the legal actions."""

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """Any of ``view.legal``; the same seed gives the same one."""
        return Choice(Random(seed).choice(view.legal))


PLAYERS = {"random": RandomPlayer()}
