"""One file here is one game family; they are found, not listed.

A module of this package (or of the entry-point group ``nousu.games`` in another package) that has a
``GAME`` is a game. Its preset names are what people type: ``tuppi``, ``minnesota``, ``tuppen_zk``.
"""

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from nousu.engine.game import Game, unknown_preset
from nousu.extensions import GAMES

__all__ = ["USUAL", "find", "games", "offered"]

USUAL = "tuppi"
"""The preset that is meant where none is named."""


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


def offered() -> tuple[str, ...]:
    """The first preset of each family; Tuppi's comes first of all.

    >>> offered()[:3]
    ('tuppi', 'huutopussi', 'tuppen_zk')
    """
    return tuple(
        sorted([next(iter(game.presets)) for game in games().values()], key=lambda one: one != USUAL)
    )


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
