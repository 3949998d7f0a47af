"""Computer players: they get the view of a seat, and return an action with the reason for it.

A player gets the same `View` as a person at that seat, a budget and a seed, and returns a `Choice`. The same
view, budget and seed give the same choice. Every module here with a ``PLAYERS`` mapping (name → player) is
found, not listed.
"""

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple, Protocol, runtime_checkable

from nousu.engine.actions import Action
from nousu.engine.game import View
from nousu.engine.messages import Explained, Note, brief, sentence

__all__ = [
    "DEFAULT_BUDGET",
    "BlindPlayer",
    "Budget",
    "Choice",
    "Interrupter",
    "Noticed",
    "Player",
    "choice_because",
    "find_player",
    "load_player",
    "notice",
    "players",
]


class Budget(NamedTuple):
    """Limits of one choice."""

    seconds: float = 1.0
    """Wall-clock limit. A player stays well below, and its choices do not depend on the clock."""
    worlds: int = 40
    """Worlds that a searching player samples; its choices depend on this."""


DEFAULT_BUDGET = Budget()


class Choice(NamedTuple):
    """An action with the reason for it, as a message of the catalogues."""

    action: Action
    reason: Note | None = None


def choice_because(action: Action, message: str, **values: int | str) -> Choice:
    """The choice of an action for a reason: a message of the catalogues with its values."""
    return Choice(action, Note("", message, values))


class Player(Protocol):
    """A player: it chooses one of ``view.legal``."""

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The action for the seat of `view`, which is owed one or may interrupt."""
        ...


class BlindPlayer(ABC):
    """A player that looks at the legal actions only, and so needs no view."""

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """One of ``view.legal``; the same seed gives the same one."""
        return self.choose_among(view.legal, seed)

    @abstractmethod
    def choose_among(self, legal: Sequence[Action], seed: int) -> Choice:
        """One of `legal`."""


@runtime_checkable
class Interrupter(Protocol):
    """A player that may also speak when it is not its turn. Other players are only asked when owed."""

    def interrupt(self, view: View, budget: Budget, seed: int) -> Choice | None:
        """One of ``view.legal``, or None for silence; the seat of `view` is not owed."""
        ...


@runtime_checkable
class Noticed(Protocol):
    """A player that does not know every family well."""

    def notice(self, game: str) -> Note | None:
        """The warning before it plays games of that family; None where there is none."""
        ...


@cache
def players() -> Mapping[str, Player]:
    """Players by name (``random``, ``rules``, ``searcher`` …)."""
    by_name: dict[str, Player] = {}
    for module in pkgutil.iter_modules(__path__):
        by_name |= getattr(importlib.import_module(f"{__name__}.{module.name}"), "PLAYERS", {})
    return by_name


def find_player(name: str) -> Player:
    """The player of that name, one of nousu's own; `Explained` lists the names."""
    try:
        return players()[name]
    except KeyError:
        values = {"word": brief(name), "players": ", ".join(players())}
        raise Explained(Note("", "there is no player ‘{word}’; choose one of {players}", values)) from None


def notice(player: Player, game: str) -> Note | None:
    """The warning to people before `player` plays games of that family; None where there is none."""
    return player.notice(game) if isinstance(player, Noticed) else None


def load_player(name: str) -> Player:
    """The player of that name, or the one behind ``cmd:./bot.py`` or ``py:package.module:function``.

    ``cmd:`` starts a program and ``py:`` calls a function: only for names typed at one's own machine, never
    for names from a network. `Explained` says what is wrong with a name.
    """
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
    return find_player(name)


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
    except (Exception, SystemExit) as error:  # any function may be named, and fail in any way
        is_plain = isinstance(error, ImportError | AttributeError | ValueError)
        reason = brief(error) if is_plain else brief(repr(error))
        values = {"path": brief(path), "reason": reason}
        raise Explained(Note("", "py:{path} is not a player: {reason}", values)) from None
    if not callable(getattr(player, "choose", None)):
        values = {"path": brief(path), "player": brief(repr(player))}
        message = sentence("py:{path} is not a player: {player} has no choose(view, budget, seed)")
        raise Explained(Note("", message, values))
    return player
