"""What a seat sees, as something to solve: `position_of` and `goal_of`, each family in a module of its own.

A family of another package registers its module in the entry-point group ``nousu.solver.views``.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Protocol

from nousu.engine.cards import CardSet
from nousu.engine.game import View
from nousu.games import part
from nousu.solver.position import Goal, Position

__all__ = ["Lying", "goal_of", "position_of"]


class Lying(Protocol):
    """One way in which the cards may lie: a `nousu.players.worlds.World` is one."""

    @property
    def hands(self) -> Sequence[CardSet]:
        """What each seat holds now."""
        ...


def position_of(view: View, world: Lying) -> Position:
    """The position on the table if the cards lie as in `world`.

    Raises:
        ValueError: Before the first lead, after the last card, or for a family without solver views.
    """
    position: Position = _family(view).position_of(view, tuple(world.hands))
    return position


def goal_of(view: View) -> Goal:
    """The goal of that position.

    Rami, nolo or sooli in the whist family; in Huutopussi the viewer's side's lead in points; in Tuppen the
    last trick for the viewer.

    Raises:
        ValueError: As in `position_of`.
    """
    goal: Goal = _family(view).goal_of(view)
    return goal


def _family(view: View) -> ModuleType:
    family = part("nousu.solver.views", view.game)
    if family is None:
        raise ValueError(
            f"nothing is known of how to solve {view.game}: it has no module of nousu.solver.views"
        )
    if view.seat is None:
        raise ValueError("a position is solved for a seat; this is the view of a spectator")
    if not view.owed or (not view.trick and not any(view.counts)):
        raise ValueError("no card is left to play")
    return family
