"""The rule-based player: one module per game family, ``<family>/rules.py``, each with a ``choose``."""

from nousu.engine.game import View
from nousu.engine.messages import Note
from nousu.games import part
from nousu.players import Budget, Choice
from nousu.players.random import RandomPlayer
from nousu.players.skill import FULL, Attention

_NONE = Note("", "No rules of thumb are known for this game, so any legal action is chosen at random")


class RulesPlayer:
    """Plays by rules of thumb written for the game at hand; by chance, and saying so, where none are."""

    def __init__(self, attention: Attention = FULL) -> None:
        self._attention = attention

    def notice(self, game: str) -> Note | None:
        """That this family has no rules of thumb, if so."""
        return None if part("nousu.players", game, "rules") is not None else _NONE

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The rule of thumb that fits `view`, with its reason; chance only where bluffing needs it."""
        family = part("nousu.players", view.game, "rules")
        if family is None:
            return Choice(RandomPlayer().choose(view, budget, seed).action, _NONE)
        attentive = getattr(family, "attentive", None)
        if attentive is None:
            found: Choice = family.choose(view, seed)
        else:
            found = attentive(view, seed, self._attention)
        return found

    def interrupt(self, view: View, budget: Budget, seed: int) -> Choice | None:
        """What the family's ``interrupt(view, seed)`` wants to say out of turn; silence where it has none."""
        family = part("nousu.players", view.game, "rules")
        attentive = getattr(family, "attentive_interrupt", None)
        if attentive is not None:
            heard: Choice | None = attentive(view, seed, self._attention)
            return heard
        speak = getattr(family, "interrupt", None)
        found: Choice | None = speak(view, seed) if speak is not None else None
        return found


PLAYERS = {"rules": RulesPlayer()}
