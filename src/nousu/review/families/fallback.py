"""The review of a family that has no module of its own here: its hands are played out in Python."""

from collections.abc import Sequence

from nousu.engine.actions import Action, Play
from nousu.engine.game import View
from nousu.players.worlds import World, worlds_family
from nousu.review.model import ReviewEffort
from nousu.review.playouts import play_out_slowly


def slow(view: View) -> bool:
    """Return True: a world takes milliseconds."""
    return True


def unit(view: View) -> float:
    """Return 1: a point counts as a trick."""
    return 1.0


def options(view: View, taken: Action) -> list[Action]:
    """Cards to compare with a card; none where the worlds of the family are not known."""
    if worlds_family(view.game) is None or not isinstance(taken, Play):
        return []
    return [action for action in view.legal if isinstance(action, Play)]


def same(view: View, one: Action, other: Action) -> bool:
    """Compare two actions: only equal ones mean the same."""
    return one == other


def comparable(view: View, one: Action, other: Action) -> bool:
    """Whether both actions are cards whose worlds are known."""
    return worlds_family(view.game) is not None and isinstance(one, Play) and isinstance(other, Play)


measure = first_values = play_out_slowly


def weights(view: View, worlds: Sequence[World]) -> list[float]:
    """Weights of the worlds: all equally likely."""
    return [1.0] * len(worlds)


def solved(
    view: View, actions: Sequence[Action | None], worlds: Sequence[World], effort: ReviewEffort
) -> list[list[float]] | None:
    """Return None: no goal of the solver is known for such a family."""
    return None
