"""One file here is one game family; they are found, not listed.

A module of this package (or of the entry-point group ``nousu.games`` in another package) that has a
``GAME`` is a game. Its preset names are what people type: ``tuppi``, ``minnesota``, ``tuppen_zk``.
"""

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

from nousu.engine.game import Game, unknown_preset
from nousu.extensions import GAMES, Point, extension_module

__all__ = ["USUAL", "find", "games", "part"]

USUAL = "tuppi"
"""The preset that is meant where none is named."""


@cache
def games() -> dict[str, Game]:
    """All game families by name: this package's own first, then those of entry points."""
    found = {}
    for module in pkgutil.iter_modules(__path__):
        game = getattr(importlib.import_module(f"{__name__}.{module.name}"), "GAME", None)
        if game is not None:
            found[game.name] = game
    for entry in entry_points(group=GAMES):
        game = entry.load()
        found.setdefault(game.name, game)
    return found


def find(text: str) -> tuple[Game, Any]:
    """The game and rules written ``preset`` or ``preset+option=value``; `BadRules` lists the presets.

    >>> find("tuppi+high_fail_points=6")[1].high_fail_points
    6
    """
    preset = text.split("+")[0]
    for game in games().values():
        if preset in game.presets:
            return game, game.rules_named(text)
    raise unknown_preset(preset, [name for game in games().values() for name in game.presets])


def part(floor: str, family: str, name: str = "") -> ModuleType | None:
    """The module with which a family adds to a package of nousu, or None if it has none.

    ``part("nousu.players", "whist", "rules")`` is the module ``nousu.players.whist.rules``. `floor` is the
    package of a `Point`; `extension` gives the same module with a type.
    """
    return extension_module(next(point for point in Point if point.package == floor), family, name)
