"""The values of moves in solved deals of Huutopussi: half the difference of points, and the contract."""

from collections.abc import Sequence

from nousu.engine.actions import Action
from nousu.engine.game import View
from nousu.games.huutopussi import Facts
from nousu.players.huutopussi.searcher import contract_stake, may_succeed, solver_move
from nousu.players.problem_search import ProblemTheme
from nousu.players.searcher import SearchEffort, solve_within
from nousu.players.worlds import World
from nousu.solver.views.huutopussi import goal_of, position_of

NODES = 200_000
"""Nodes of the search for each deal."""
THEMES = {"marriages": ProblemTheme(preset="huutopussi", cards=(4, 6), share=0.85, lead=8.0, words=True)}


def action_values(view: View, worlds: Sequence[World]) -> list[tuple[Action, list[float]]] | None:
    """Points after each card, declaration or question that may succeed.

    They are half the difference of the sides, and the stake of the contract where it is made.
    """
    facts = Facts.of(view.facts)
    if facts.phase != "play" or facts.contract is None:
        return None
    actions = [action for action in view.legal if may_succeed(view, action, list(worlds))]
    effort = SearchEffort(len(worlds), NODES * len(worlds), 9)
    halves = solve_within(
        [(position_of(view, world.hands), goal_of(view, False)) for world in worlds], effort
    )
    solved = solve_within([(position_of(view, world.hands), goal_of(view, True)) for world in worlds], effort)
    if min(len(halves), len(solved)) < len(worlds):
        return None
    stake = contract_stake(view)
    return [
        (
            action,
            [
                halves[number].moves[solver_move(action)] / 2
                + stake * solved[number].moves[solver_move(action)]
                for number in range(len(worlds))
            ],
        )
        for action in actions
    ]
