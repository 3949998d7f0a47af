"""Reviewing a family that has no module of its own here: its hands are played out in Python."""

from collections.abc import Sequence

from nousu.engine.actions import Action, Play
from nousu.engine.game import View
from nousu.games import part
from nousu.players.worlds import World
from nousu.review.model import ReviewEffort
from nousu.review.playouts import play_out_slowly


def slow(view: View) -> bool:
    """Whether a world costs milliseconds: always."""
    return True


def unit(view: View) -> float:
    """What counts as a trick: a point."""
    return 1.0


def options(view: View, taken: Action) -> list[Action]:
    """What is compared: cards with cards. Nothing where it is not known how the hidden cards may lie."""
    if part("nousu.players", view.game, "worlds") is None or not isinstance(taken, Play):
        return []
    return [action for action in view.legal if isinstance(action, Play)]


def same(view: View, one: Action, other: Action) -> bool:
    """Whether two actions mean the same: only if they are the same."""
    return one == other


def comparable(view: View, one: Action, other: Action) -> bool:
    """Whether two actions can be played out beside each other: cards whose deals are known."""
    return part("nousu.players", view.game, "worlds") is not None and all(
        isinstance(action, Play) for action in (one, other)
    )


measure = screen = play_out_slowly


def weights(view: View, worlds: Sequence[World]) -> list[float]:
    """All worlds are as likely."""
    return [1.0] * len(worlds)


def solved(
    view: View, actions: Sequence[Action], worlds: Sequence[World], effort: ReviewEffort
) -> list[list[float]] | None:
    """No goal of the solver is known for it."""
    return None
