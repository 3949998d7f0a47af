"""The costs of going along and of leaving in imagined deals of Tuppen, played out by rules of thumb."""

from collections.abc import Sequence

from nousu.engine.actions import Action
from nousu.engine.game import View
from nousu.engine.messages import Note
from nousu.games.tuppen import HOLD, LEAVE, Facts, leaving_costs, losing_costs
from nousu.players.problem_search import ProblemTheme
from nousu.players.tuppen.playouts import last_trick_winner, needed_to_hold, spite
from nousu.players.worlds import World

THEMES = {"fold": ProblemTheme(preset="tuppen_zk", kind="regular", cards=(1, 4), share=0.0, lead=0.25)}


def action_values(view: View, worlds: Sequence[World]) -> list[tuple[Action, list[float]]] | None:
    """Points after going along and after leaving, where both are asked: lost, or won as far as `spite`."""
    facts, seat = Facts.of(view.facts), view.seat
    if HOLD not in view.legal or LEAVE not in view.legal or seat is None or facts.turn is None:
        return None
    playing = facts.in_hand
    turn = facts.turn if facts.turn in playing else playing[0]
    losing = float(losing_costs(facts, seat))
    held = [
        spite(facts) * losing
        if last_trick_winner(list(world.hands), playing, turn, view.trick, None) == seat
        else -losing
        for world in worlds
    ]
    return [(HOLD, held), (LEAVE, [-float(leaving_costs(view.rules, facts, seat))] * len(worlds))]


def chance_note(view: View, right: Action, lead: float) -> Note:
    """The chance to win that going along needs, and the one it has where `right` leads by so many points."""
    facts, seat = Facts.of(view.facts), view.seat
    assert seat is not None
    leaving, losing = leaving_costs(view.rules, facts, seat), losing_costs(facts, seat)
    needed = needed_to_hold(leaving, losing, spite(facts))
    chance = needed + (lead if right == HOLD else -lead) / (losing * (1 + spite(facts)))
    values = {"needed": round(100 * needed), "chance": round(100 * chance)}
    return Note("", "Going along needs a chance of {needed}% to win; these cards have {chance}%", values)
