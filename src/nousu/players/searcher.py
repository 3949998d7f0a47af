"""Players that search: they imagine worlds that fit what they have seen and solve each one exactly.

Perfect-information Monte Carlo: draw worlds (`worlds`), solve every one with all cards open, and take the
action that is best on average. Where a world is too large for the effort allowed, or nothing can be solved,
the rule-based player decides; its choice also settles near-ties. Each game has its own module
``searcher_<game>``. A choice depends on view, budget and seed alone: effort is counted in worlds and in
nodes of the search, never in time.
"""

import importlib
from collections.abc import Iterable, Sequence
from functools import cache
from random import Random
from typing import NamedTuple, Protocol

from nousu.engine.actions import Action
from nousu.engine.game import View
from nousu.engine.notes import Note
from nousu.players import DEFAULT_BUDGET, Budget, Choice, Interrupter, named
from nousu.players.worlds import World, worlds
from nousu.solver.api import Want, compiled, solve_many
from nousu.solver.position import Goal, Position, Solution


class Effort(NamedTuple):
    """How much may be spent on one choice."""

    worlds: int
    """Worlds at most."""
    nodes: int
    """Nodes of the search, over all worlds together."""
    cards: int
    """Positions with more cards in a hand are left to the rule-based player."""


NODES_A_SECOND = 4_000_000
"""Nodes allowed for each second of the budget; the compiled core makes several times as many."""
PLAIN_CARDS, PLAIN_WORLDS = 3, 6
"""What is searched without the compiled core."""


class _Family(Protocol):
    def choose(self, view: View, effort: Effort, seed: int, usual: Choice) -> Choice: ...


@cache
def _family(game: str) -> _Family:
    module: _Family = importlib.import_module(f"nousu.players.searcher_{game}")
    return module


class Searcher:
    """A searching player of one playing level."""

    def __init__(self, worlds: float = 1.0, nodes: float = 1.0, cards: int = 13) -> None:
        self._worlds = worlds
        self._nodes = nodes
        self._cards = cards

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The action that does best over imagined worlds, as far as the budget reaches."""
        if len(view.legal) == 1:
            return Choice(view.legal[0])
        usual = named("rules").choose(view, DEFAULT_BUDGET, seed)
        return _family(view.game).choose(view, self._effort(budget), seed, usual)

    def interrupt(self, view: View, budget: Budget, seed: int) -> Choice | None:
        """Out of turn it speaks when the rule-based player would."""
        usual = named("rules")
        return usual.interrupt(view, budget, seed) if isinstance(usual, Interrupter) else None

    def _effort(self, budget: Budget) -> Effort:
        count = max(1, round(self._worlds * budget.worlds))
        nodes = max(1000, round(self._nodes * budget.seconds * NODES_A_SECOND))
        if compiled() is None:
            return Effort(min(count, PLAIN_WORLDS), nodes, min(self._cards, PLAIN_CARDS))
        return Effort(count, nodes, self._cards)


PLAYERS = {
    "searcher": Searcher(),
    "beginner": Searcher(worlds=0.1, nodes=0.1, cards=4),
    "club": Searcher(worlds=0.4, nodes=0.4, cards=8),
    "strong": Searcher(worlds=3.0, nodes=4.0),
}


# ---------------------------------------------------------------------------- what the games share


def imagined(view: View, count: int, rng: Random) -> list[World]:
    """So many worlds of the view; where there are fewer, each of them about as often as the others."""
    found = worlds(view)
    return [found.sample(rng) for _ in range(count)]


def solved(problems: Iterable[tuple[Position, Goal]], effort: Effort, want: Want = "all") -> list[Solution]:
    """The solutions of as many problems as the effort allows, in order. Problems that would take too large
    a share of it are left out."""
    waiting = list(problems)
    left, limit = effort.nodes, max(1000, effort.nodes // 10)
    found: list[Solution] = []
    missed = 0
    while waiting and left > 0 and missed <= max(1, len(found)):
        batch, waiting = waiting[:2], waiting[2:]
        for answer in solve_many(batch, want=want, nodes=min(limit, left)):
            left -= limit if answer is None else answer.nodes
            missed += answer is None
            if answer is not None:
                found.append(answer)
    return found


def best_on_average(
    actions: Sequence[Action],
    values: Sequence[Sequence[float]],
    usual: Action,
    leaning: float,
    fear: float = 0.0,
) -> tuple[Action, float]:
    """The action with the highest mean (a row of `values` for each) and that mean; the usual one is
    preferred unless another is better by more than `leaning`. `fear` is the weight of the worst case."""
    means = [sum(row) / len(row) for row in values]
    tops = [
        mean + fear * min(row) + leaning * (action == usual)
        for action, mean, row in zip(actions, means, values, strict=True)
    ]
    at = max(range(len(actions)), key=lambda one: (tops[one], -one))
    return actions[at], means[at]


def reasoned(action: Action, message: str, **numbers: int | str) -> Choice:
    """A choice with its reason."""
    return Choice(action, Note("", message, numbers))
