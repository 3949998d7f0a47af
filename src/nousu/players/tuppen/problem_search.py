"""The costs of going along and of leaving in imagined deals of Tuppen, played out by rules of thumb."""

from collections.abc import Sequence

from nousu.engine.actions import Action
from nousu.engine.game import View
from nousu.games.tuppen import HOLD, LEAVE, Facts, leaving_costs, losing_costs
from nousu.players.problem_search import ProblemTheme
from nousu.players.tuppen.playouts import last_trick_winner
from nousu.players.worlds import World

THEMES = {"fold": ProblemTheme(preset="tuppen_zk", kind="regular", cards=(1, 4), share=0.0, lead=0.25)}


def action_values(view: View, worlds: Sequence[World]) -> list[tuple[Action, list[float]]] | None:
    """Points lost (as negative numbers) by going along and by leaving, where both are asked."""
    facts, seat = Facts.of(view.facts), view.seat
    if HOLD not in view.legal or LEAVE not in view.legal or seat is None or facts.turn is None:
        return None
    playing = facts.in_hand
    turn = facts.turn if facts.turn in playing else playing[0]
    losing = float(losing_costs(facts, seat))
    held = [
        0.0 if last_trick_winner(list(world.hands), playing, turn, view.trick, None) == seat else -losing
        for world in worlds
    ]
    return [(HOLD, held), (LEAVE, [-float(leaving_costs(view.rules, facts, seat))] * len(worlds))]
