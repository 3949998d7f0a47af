"""The value of a hand of Huutopussi under perfect play, from its first lead."""

from dataclasses import replace

from nousu.engine.cards import card_set
from nousu.env import Walk
from nousu.games.huutopussi import Facts
from nousu.solver import solve
from nousu.solver.position import Huutopussi
from nousu.solver.views.huutopussi import goal_of, position_of


def par(walk: Walk) -> int | None:
    """Points of North–South less those of East–West with all cards seen; None before the first lead.

    Both sides play for that difference and not for the contract.
    """
    match = walk.match
    view = match.hand.view(walk.seat)
    if Facts.of(view.facts).phase != "play" or view.trick or view.tricks:
        return None
    goal = goal_of(view, contract=False)
    assert isinstance(goal, Huutopussi)
    hands = tuple(card_set(match.hand.view(seat).cards) for seat in range(match.seats))
    return solve(position_of(view, hands), replace(goal, side=0), want="value").value
