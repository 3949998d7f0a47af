"""The values of cards in solved deals of the whist family: tricks, or the sooli."""

from collections.abc import Sequence

from nousu.engine.actions import Action, Play
from nousu.engine.cards import card_set
from nousu.engine.game import View
from nousu.engine.seats import side
from nousu.games.whist import SOOLI, Facts
from nousu.players.problem_search import ProblemTheme
from nousu.players.searcher import SearchEffort, solve_within
from nousu.players.whist.rules import danger_left
from nousu.players.whist.searcher import problem_of
from nousu.players.worlds import World

NODES = 40_000
"""Nodes of the search for each deal; problems are endings, which take far fewer."""
CALLED = 3.0
"""The danger up to which a sooli is called: sure soolis teach nothing."""
THEMES = {
    "nolo": ProblemTheme(preset="tuppi", kind="low", cards=(5, 7), share=0.9, lead=0.5, words=False),
    "rami": ProblemTheme(preset="tuppi", kind="high", cards=(5, 7), share=0.9, lead=0.5, words=False),
    "sooli": ProblemTheme(
        preset="tuppi", kind="sooli", cards=(5, 11), share=0.9, lead=0.3, words=False, hard=True
    ),
}


def bold_action(view: View) -> Action | None:
    """A sooli on a hand that might just make it."""
    sooli = SOOLI in view.legal and danger_left(card_set(view.cards), view.rules) <= CALLED
    return SOOLI if sooli else None


def action_values(view: View, worlds: Sequence[World]) -> list[tuple[Action, list[float]]] | None:
    """Tricks of the viewer's side after each card; in a low hand, tricks it is spared.

    In a sooli 1 where the viewer's side wins it, else 0.
    """
    facts = Facts.of(view.facts)
    cards = [action for action in view.legal if isinstance(action, Play)]
    if facts.phase != "play" or not cards or view.seat is None:
        return None
    problems = [problem_of(view, world.hands) for world in worlds]
    answers = solve_within(problems, SearchEffort(len(problems), NODES * len(problems), 13))
    if len(answers) < len(problems):
        return None
    sign = (1 if side(view.seat) == 0 else -1) * (-1 if facts.kind == "low" else 1)
    if facts.soloist is not None:
        sign = 1 if side(view.seat) == side(facts.soloist) else -1
    return [
        (play, [float(sign * answers[number].moves[play.card]) for number in range(len(problems))])
        for play in cards
    ]
