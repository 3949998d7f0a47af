"""The game families: each module here is one. They are found, not listed.

A module of this package (or of the entry-point group ``nousu.games`` in another package) that has a
``GAME`` is a game. Its preset names are what people type: ``tuppi``, ``minnesota``, ``tuppen_zk``.
"""

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from typing import Any, TypeVar, overload

from nousu.engine.game import Game, unknown_preset
from nousu.extensions import GAMES

__all__ = ["USUAL", "find", "games", "seats_of"]

_Rules = TypeVar("_Rules")
USUAL = "tuppi"
"""The default preset."""


@cache
def games() -> dict[str, Game]:
    """All game families by name: this package's own first, then those of entry points."""
    by_name = {}
    for module in pkgutil.iter_modules(__path__):
        game = getattr(importlib.import_module(f"{__name__}.{module.name}"), "GAME", None)
        if game is not None:
            by_name[game.name] = game
    for entry in entry_points(group=GAMES):
        game = entry.load()
        by_name.setdefault(game.name, game)
    return by_name


@overload
def find(text: str) -> tuple[Game, Any]: ...
@overload
def find(text: str, kind: type[_Rules]) -> tuple[Game, _Rules]: ...
def find(text: str, kind: type[Any] = object) -> tuple[Game, Any]:
    """The game and rules written ``preset`` or ``preset+option=value``.

    Args:
        text: The preset, and options that differ from it.
        kind: The rules of one family (``nousu.games.whist.Rules``), for programs that know it: type checkers
            then know its options.

    Raises:
        BadRules: There is no such preset, option or value.
        TypeError: The rules are no text, or those of another family.

    >>> find("tuppi+high_fail_points=6")[1].high_fail_points
    6
    """
    if not isinstance(text, str):
        raise TypeError(f"rules are a text, preset+option=value, not a {type(text).__name__}")
    preset = text.split("+")[0]
    for game in games().values():
        if preset not in game.presets:
            continue
        if not issubclass(game.rules, kind):
            wanted = f"{kind.__module__}.{kind.__name__}"
            raise TypeError(f"{preset} has the rules of {game.name}, which are no {wanted}")
        return game, game.rules_named(text)
    raise unknown_preset(preset, [name for game in games().values() for name in game.presets])


def seats_of(text: str, seats: int = 0) -> int:
    """The number of players at a table with these rules.

    Args:
        text: The rules, as for `find`.
        seats: A number to check; for 0 the usual one is taken: four, or the fewest there can be.

    Raises:
        BadRules: There are no such rules, or they are not for that many players.
    """
    game, _ = find(text)
    takes = game.seats_for(text)
    count = seats or (4 if 4 in takes else takes.start)
    game.check_seats(text, count)
    return count
