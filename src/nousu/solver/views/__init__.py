"""The problem that a view poses to the solver: `position_of` and `goal_of`, with a module for each family.

A family of another package registers its module in the entry-point group ``nousu.solver.views``.
"""

from collections.abc import Sequence
from typing import Protocol

from nousu.engine.cards import CardSet
from nousu.engine.game import View
from nousu.extensions import Point, extension
from nousu.solver.position import Goal, Position

__all__ = ["Lying", "goal_of", "position_of"]


class Lying(Protocol):
    """One way in which the cards may lie: a `nousu.players.worlds.World` is one."""

    @property
    def hands(self) -> Sequence[CardSet]:
        """The cards that each seat holds now."""


class SolverViews(Protocol):
    """The interface of ``nousu/solver/views/<family>.py``."""

    def position_of(self, view: View, hands: tuple[CardSet, ...]) -> Position:
        """The position on the table if the seats hold these hands."""

    def goal_of(self, view: View) -> Goal:
        """The goal of that position."""


def position_of(view: View, world: Lying) -> Position:
    """The position on the table if the cards lie as in `world`.

    Raises:
        ValueError: Before the first lead, after the last card, or for a family without solver views.
    """
    return _family(view).position_of(view, tuple(world.hands))


def goal_of(view: View) -> Goal:
    """The goal of that position.

    Rami, nolo or sooli in the whist family; in Huutopussi the viewer's side's lead in points; in Tuppen the
    last trick for the viewer.

    Raises:
        ValueError: As in `position_of`.
    """
    return _family(view).goal_of(view)


def _family(view: View) -> SolverViews:
    family = extension(SolverViews, Point.SOLVER_VIEWS, view.game)
    if family is None:
        raise ValueError(
            f"nothing is known of how to solve {view.game}: it has no module of nousu.solver.views"
        )
    if view.seat is None:
        raise ValueError("a position is solved for a seat; this is the view of a spectator")
    if not view.owed or (not view.trick and not any(view.counts)):
        raise ValueError("no card is left to play")
    return family
