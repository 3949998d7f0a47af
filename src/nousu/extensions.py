"""Extension points: places at which a game family adds to other packages of nousu.

An extension is a module. A family of this repository has it under the package of the point
(``nousu.players.whist.rules``). A family of another package registers it in the point's entry-point group,
under the same path without the package (``last_trick.rules``). The names of groups belong to other people's
packages: they stay what they are when a package of nousu is renamed.
"""

import importlib
from enum import StrEnum
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from types import ModuleType
from typing import TypeVar, cast

P = TypeVar("P")

GAMES = "nousu.games"
"""The entry-point group of the games themselves."""


class Point(StrEnum):
    """A point at which a family may add something; its value is the entry-point group."""

    PLAYERS = "nousu.players"
    """Computer players, and what they know of a game: ``rules``, ``searcher``, ``worlds``, ``claims`` …"""
    PAGES = "nousu.server.pages"
    """The table in the browser."""
    TERMINAL = "nousu.terminal"
    """The table in the terminal."""
    REVIEW = "nousu.review"
    """Texts on a finished hand."""
    PAR = "nousu.datasets.par"
    """The value of a hand under perfect play."""
    ENV = "nousu.env"
    """Observations and actions as numbers."""
    SOLVER_VIEWS = "nousu.solver.views"
    """The problem that a view poses to the solver."""
    TOTALS = "nousu.tournament.totals"
    """Totals of a tournament."""
    TEACHING = "nousu.words.teach"
    """The page that teaches a game, and comments on a worked hand."""

    @property
    def package(self) -> str:
        """The package in which families of this repository have their modules."""
        return _PACKAGES[self]


_PACKAGES = {
    Point.PLAYERS: "nousu.players",
    Point.PAGES: "nousu.server.pages.table",
    Point.TERMINAL: "nousu.terminal",
    Point.REVIEW: "nousu.review.families",
    Point.PAR: "nousu.datasets.par",
    Point.ENV: "nousu.env",
    Point.SOLVER_VIEWS: "nousu.solver.views",
    Point.TOTALS: "nousu.tournament.drive_families",
    Point.TEACHING: "nousu.teaching",
}


def extension(protocol: type[P], point: Point, family: str, name: str = "") -> P | None:
    """A family's module at a point, as the protocol that it follows.

    Args:
        protocol: The functions and values that the module must have.
        point: The point at which the family adds to nousu.
        family: A game's name.
        name: The module, if the point has several for each family.

    Returns:
        The module; None if there is none, or if it has nothing of the protocol. The point then falls back on
        what it does for all games: ``extension(Family, Point.REVIEW, game) or fallback``.

    Raises:
        TypeError: The module has some of the protocol's names and lacks others.
    """
    module = extension_module(point, family, name)
    if module is None:
        return None
    names = members(cast(type, protocol))
    missing = [wanted for wanted in names if not hasattr(module, wanted)]
    if len(missing) == len(names):
        return None
    if missing:
        raise TypeError(f"{module.__name__} lacks {', '.join(missing)} of {protocol.__qualname__}")
    return cast(P, module)


@cache
def members(protocol: type) -> list[str]:
    """The names that a protocol asks for."""
    bases = [base for base in protocol.__mro__ if getattr(base, "_is_protocol", False)]
    names = {name for base in bases for name in (*vars(base), *vars(base).get("__annotations__", ()))}
    return sorted(name for name in names if not name.startswith("_"))


@cache
def extension_module(point: Point, family: str, name: str = "") -> ModuleType | None:
    """A family's module at a point, or None if it has none."""
    path = f"{family}.{name}" if name else family
    if family.isidentifier() and find_spec(f"nousu.games.{family}") is not None:
        full = f"{point.package}.{path}"
        try:
            return importlib.import_module(full)
        except ModuleNotFoundError as error:
            if error.name is None or not full.startswith(error.name):
                raise
            return None
    entry = next((entry for entry in entry_points(group=point.value) if entry.name == path), None)
    module: ModuleType | None = None if entry is None else entry.load()
    return module
