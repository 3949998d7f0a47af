"""The rule-based player: one module per game family, ``<family>/rules.py``, each with a ``choose``."""

import importlib
from functools import cache
from typing import Protocol

from nousu.engine.game import View
from nousu.players import Budget, Choice


class _Family(Protocol):
    def choose(self, view: View, seed: int) -> Choice: ...


@cache
def _family(game: str) -> _Family:
    module: _Family = importlib.import_module(f"nousu.players.{game}.rules")
    return module


class RulesPlayer:
    """Plays by rules of thumb written for the game at hand."""

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The rule of thumb that fits `view`, with its reason; chance only where bluffing needs it."""
        return _family(view.game).choose(view, seed)

    def interrupt(self, view: View, budget: Budget, seed: int) -> Choice | None:
        """What the family's ``interrupt(view, seed)`` wants to say out of turn; silence where it has none."""
        speak = getattr(_family(view.game), "interrupt", None)
        found: Choice | None = speak(view, seed) if speak is not None else None
        return found


PLAYERS = {"rules": RulesPlayer()}
