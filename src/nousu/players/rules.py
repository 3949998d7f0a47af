"""The rule-based player: one module of rules of thumb per game family, ``<family>/rules.py``."""

from typing import Protocol, TypeVar

from nousu.engine.game import View
from nousu.engine.messages import Note
from nousu.extensions import Point, extension
from nousu.players import Budget, Choice
from nousu.players.random import RandomPlayer
from nousu.players.skill import FULL, Attention

P = TypeVar("P")

_NONE = Note("", "There are no rules of thumb for this game, so a legal action is chosen at random")


class RulesFamily(Protocol):
    """The interface of ``<family>/rules.py``."""

    def choose(self, view: View, seed: int) -> Choice:
        """The action of a careful player for the seat of `view`, which is owed one."""


class SkilledRules(Protocol):
    """An optional interface of families whose players differ in skill."""

    def choose_with_skill(self, view: View, seed: int, attention: Attention) -> Choice:
        """The action of a player with this much attention."""


class SpeakingRules(Protocol):
    """An optional interface of families in which a seat may speak although others are waited for."""

    def interrupt(self, view: View, seed: int) -> Choice | None:
        """One of the legal actions, or None for silence."""


class SkilledSpeakingRules(Protocol):
    """An optional interface of families with skill and with words out of turn."""

    def interrupt_with_skill(self, view: View, seed: int, attention: Attention) -> Choice | None:
        """One of the legal actions, or None for silence, of a player with this much attention."""


def _extension(protocol: type[P], game: str) -> P | None:
    return extension(protocol, Point.PLAYERS, game, "rules")


class RulesPlayer:
    """A player by rules of thumb written for the game; at random, with a notice, where there are none."""

    def __init__(self, attention: Attention = FULL) -> None:
        self._attention = attention

    def notice(self, game: str) -> Note | None:
        """A warning that this family has no rules of thumb; None where it has some."""
        return _NONE if _extension(RulesFamily, game) is None else None

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The action by the rule of thumb that fits `view`, with its reason; only bluffs need the seed."""
        skilled = _extension(SkilledRules, view.game)
        if skilled is not None:
            return skilled.choose_with_skill(view, seed, self._attention)
        family = _extension(RulesFamily, view.game)
        if family is not None:
            return family.choose(view, seed)
        return Choice(RandomPlayer().choose(view, budget, seed).action, _NONE)

    def interrupt(self, view: View, budget: Budget, seed: int) -> Choice | None:
        """The word of the family out of turn; None for silence."""
        skilled = _extension(SkilledSpeakingRules, view.game)
        if skilled is not None:
            return skilled.interrupt_with_skill(view, seed, self._attention)
        family = _extension(SpeakingRules, view.game)
        return None if family is None else family.interrupt(view, seed)


PLAYERS = {"rules": RulesPlayer()}
