"""The rule-based player: one module of rules of thumb per game family, ``<family>/rules.py``."""

from typing import Protocol, cast, runtime_checkable

from nousu.engine.game import View
from nousu.engine.messages import Note
from nousu.games import part
from nousu.players import Budget, Choice
from nousu.players.random import RandomPlayer
from nousu.players.skill import FULL, Attention

_NONE = Note("", "No rules of thumb are known for this game, so any legal action is chosen at random")


class RulesFamily(Protocol):
    """The interface of ``<family>/rules.py``."""

    def choose(self, view: View, seed: int) -> Choice:
        """The action of a careful player for the seat of `view`, which is owed one."""


@runtime_checkable
class SkilledRules(Protocol):
    """What a family has besides whose players differ in skill."""

    def choose_with_skill(self, view: View, seed: int, attention: Attention) -> Choice:
        """The action of a player with this much attention."""


@runtime_checkable
class SpeakingRules(Protocol):
    """What a family has besides in which a seat may speak although others are waited for."""

    def interrupt(self, view: View, seed: int) -> Choice | None:
        """One of the legal actions, or None for silence."""


@runtime_checkable
class SkilledSpeakingRules(Protocol):
    """What a family has besides with both."""

    def interrupt_with_skill(self, view: View, seed: int, attention: Attention) -> Choice | None:
        """One of the legal actions, or None for silence, of a player with this much attention."""


def rules_family(game: str) -> RulesFamily | None:
    """The rules of thumb of a family; None where it has none."""
    return cast("RulesFamily | None", part("nousu.players", game, "rules"))


class RulesPlayer:
    """Plays by rules of thumb written for the game; at random, and saying so, where there are none."""

    def __init__(self, attention: Attention = FULL) -> None:
        self._attention = attention

    def notice(self, game: str) -> Note | None:
        """A warning that this family has no rules of thumb; None where it has some."""
        return _NONE if rules_family(game) is None else None

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The action by the rule of thumb that fits `view`, with its reason; the seed matters to bluffs only."""
        family = rules_family(view.game)
        if family is None:
            return Choice(RandomPlayer().choose(view, budget, seed).action, _NONE)
        if isinstance(family, SkilledRules):
            return family.choose_with_skill(view, seed, self._attention)
        return family.choose(view, seed)

    def interrupt(self, view: View, budget: Budget, seed: int) -> Choice | None:
        """What the family wants to say out of turn; None for silence."""
        family = rules_family(view.game)
        if isinstance(family, SkilledSpeakingRules):
            return family.interrupt_with_skill(view, seed, self._attention)
        return family.interrupt(view, seed) if isinstance(family, SpeakingRules) else None


PLAYERS = {"rules": RulesPlayer()}
