"""The value of a hand of the whist family under perfect play, from its first lead."""

from nousu.engine.cards import card_set
from nousu.env import Walk
from nousu.players.whist.searcher import problem_of
from nousu.solver import solve


def par(walk: Walk) -> int | None:
    """Tricks of North–South with all cards seen, in a sooli 1 if made, else 0; None before the first lead.

    Nolos take about a second.
    """
    match = walk.match
    view = match.hand.view(walk.seat)
    if view.phase != "play" or view.trick or view.tricks:
        return None
    hands = [card_set(match.hand.view(seat).cards) for seat in range(match.seats)]
    return solve(*problem_of(view, hands)).value
