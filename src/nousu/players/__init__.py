"""Computer players: they are given what a seat may see, and return an action.

A player gets the same `View` a person at that seat would get, a budget and a seed, and returns a `Choice`:
an action and a reason that can be shown. The same view, budget and seed give the same choice. Every
module here that has a ``PLAYERS`` mapping (name → player) is found, not listed.
"""

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple, Protocol, runtime_checkable

from nousu.engine.actions import Action
from nousu.engine.game import View
from nousu.engine.messages import Explained, Note, brief, sentence

__all__ = [
    "DEFAULT_BUDGET",
    "Budget",
    "Choice",
    "Interrupter",
    "Player",
    "Unseeing",
    "named",
    "notice",
    "players",
    "summoned",
]


class Budget(NamedTuple):
    """What a player may spend on one choice."""

    seconds: float = 1.0
    """Wall-clock ceiling; a player stays well below and never needs it to be reproducible."""
    worlds: int = 40
    """How many deals a searching player imagines. Reproducible choices depend on this, not on time."""


DEFAULT_BUDGET = Budget()


class Choice(NamedTuple):
    """An action with the reason for it, as a message of the catalogues."""

    action: Action
    reason: Note | None = None


class Player(Protocol):
    """Anything that chooses one of ``view.legal``."""

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The action for the seat of `view`, which is owed or may interrupt."""
        ...


class Unseeing(Protocol):
    """A player that looks at nothing but what may be done, so that no view need be built for it."""

    def among(self, legal: Sequence[Action], seed: int) -> Choice:
        """One of `legal`: the one that ``choose`` takes of a view in which these actions are legal."""
        ...


@runtime_checkable
class Interrupter(Protocol):
    """A player that may also speak when it is not its turn. One that cannot is only asked when owed."""

    def interrupt(self, view: View, budget: Budget, seed: int) -> Choice | None:
        """One of ``view.legal``, or None to keep silent; the seat of `view` is not owed."""
        ...


@cache
def players() -> Mapping[str, Player]:
    """All players by name (``random``, ``rules``, ``searcher`` …)."""
    found: dict[str, Player] = {}
    for module in pkgutil.iter_modules(__path__):
        found |= getattr(importlib.import_module(f"{__name__}.{module.name}"), "PLAYERS", {})
    return found


def named(name: str) -> Player:
    """The player of that name, one of nousu's own; `Explained` lists the names."""
    try:
        return players()[name]
    except KeyError:
        values = {"word": brief(name), "players": ", ".join(players())}
        raise Explained(Note("", "there is no player ‘{word}’; choose one of {players}", values)) from None


def notice(player: Player, game: str) -> Note | None:
    """What people should be told before `player` plays games of that family, which it may not know well."""
    notice = getattr(player, "notice", None)
    found: Note | None = None if notice is None else notice(game)
    return found


def summoned(name: str) -> Player:
    """The player of that name, the program behind ``cmd:./bot.py``, or what the function of
    ``py:package.module:function`` returns. It runs what it is told: for names typed at one's own machine,
    never for names that come over a network."""
    if name.startswith("cmd:"):
        return _program(name.removeprefix("cmd:"))
    if name.startswith("py:"):
        return _imported(name.removeprefix("py:"))
    if name not in players():
        values = {"word": brief(name), "players": ", ".join(players())}
        message = sentence(
            "there is no player ‘{word}’; choose one of {players}, or cmd:COMMAND or py:MODULE:FUNCTION"
        )
        raise Explained(Note("", message, values))
    return named(name)


@cache
def _program(command: str) -> Player:
    from nousu.players.external import ExternalPlayer

    return ExternalPlayer(command)


@cache
def _imported(path: str) -> Player:
    module, _, function = path.partition(":")
    try:
        if not module or not function:
            raise ValueError("write py:MODULE:FUNCTION")
        player: Player = getattr(importlib.import_module(module), function)()
    except (Exception, SystemExit) as error:  # any function may be named, with any way to fail
        is_plain = isinstance(error, ImportError | AttributeError | ValueError)
        reason = brief(error) if is_plain else brief(repr(error))
        values = {"path": brief(path), "reason": reason}
        raise Explained(Note("", "py:{path} is not a player: {reason}", values)) from None
    if not callable(getattr(player, "choose", None)):
        values = {"path": brief(path), "player": brief(repr(player))}
        message = sentence("py:{path} is not a player: {player} has no choose(view, budget, seed)")
        raise Explained(Note("", message, values))
    return player
