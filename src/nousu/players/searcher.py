"""Players that search: they imagine worlds that fit what they have seen and try every action in each of them.

Worlds are sampled uniformly (`nousu.players.worlds`) and played out by players that see only their own cards,
or solved with all cards seen; the action that is best on average is taken. The choice of the rule-based
player breaks near-ties, and stands where a world is too large for the effort allowed. In the last tricks,
where the exact count of worlds is small, all of them are solved and a certain result is preferred
(`safest_action`). A choice depends on view, budget and seed alone: effort is counted in worlds and in nodes
of the search, never in time.

``<family>/searcher.py`` searches the games of a family; `SearcherFamily` is its interface.
"""

from collections.abc import Iterable, Sequence
from operator import mul
from random import Random
from typing import NamedTuple, Protocol, TypeVar

from nousu.engine.actions import Action
from nousu.engine.game import View
from nousu.engine.messages import Note, sentence
from nousu.extensions import Point, extension
from nousu.players import DEFAULT_BUDGET, Budget, Choice, Interrupter, choice_because, find_player, notice
from nousu.players.worlds import World, worlds
from nousu.solver.api import Want, compiled, solve_many
from nousu.solver.position import Goal, Position, Solution


class SearchEffort(NamedTuple):
    """Limits of the search for one choice."""

    worlds: int
    """Worlds at most."""
    nodes: int
    """Nodes of the search, over all worlds together."""
    cards: int
    """Greatest number of cards in a hand; larger positions are left to the rule-based player."""
    learned: bool = False
    """Whether worlds are played out by the nets (`policy`) of the family, where it has some."""
    talks: bool = True
    """Whether words in Tuppen are searched, or said by odds; else rules of thumb say them."""


class SearcherFamily(Protocol):
    """The interface of ``<family>/searcher.py``; `usual` is always the choice of the rule-based player."""

    def choose(self, view: View, effort: SearchEffort, seed: int, usual: Choice) -> Choice:
        """The action of a searching player for the seat of `view`, which is owed one."""


class SpeakingSearcher(Protocol):
    """An optional interface of families in which a seat may speak although others are waited for."""

    def interrupt(self, view: View, effort: SearchEffort, seed: int, usual: Choice | None) -> Choice | None:
        """One of the legal actions, or None for silence."""


class CertainSearcher(Protocol):
    """An optional interface of families whose last tricks can be solved."""

    def sure_choice(self, view: View, effort: SearchEffort, rng: Random, usual: Choice) -> Choice | None:
        """An action that reaches the goal of the hand in every world, where `usual` does not; else None."""


P = TypeVar("P")


def searcher_extension(protocol: type[P], game: str) -> P | None:
    """The search of a family as one of these protocols; None where it has none."""
    return extension(protocol, Point.PLAYERS, game, "searcher")


NODES_A_SECOND = 4_000_000
"""Nodes allowed for each second of the budget; the compiled core makes several times as many."""
LAST_CARDS = 5
"""Greatest number of cards in a hand at which every world is looked at."""
EVERY = 3
"""The same of worlds, for each one that the effort allows."""
PLAIN_CARDS, PLAIN_WORLDS = 3, 6
"""Limits of cards and worlds without the compiled core."""

_NONE = Note("", "There is no search for this game, so rules of thumb decide")
RATED = Note("", "A card like this does best when many hands are played out")
"""The reason given for a card that the nets of a family rate highest."""


class Searcher:
    """A searching player of one playing level."""

    def __init__(
        self,
        worlds: float = 1.0,
        nodes: float = 1.0,
        cards: int = 13,
        learned: bool = False,
        talks: bool = True,
    ) -> None:
        self._worlds = worlds
        self._nodes = nodes
        self._cards = cards
        self._learned = learned
        self._talks = talks

    def notice(self, game: str) -> Note | None:
        """A warning that this family has no search, naming the player in its place; None if it has one."""
        known = searcher_extension(SearcherFamily, game) is not None
        return None if known else notice(find_player("rules"), game) or _NONE

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The action that does best over imagined worlds, as far as the budget reaches."""
        if len(view.legal) == 1:
            return Choice(view.legal[0])
        usual = find_player("rules").choose(view, DEFAULT_BUDGET, seed)
        family = searcher_extension(SearcherFamily, view.game)
        return usual if family is None else family.choose(view, self._effort(budget), seed, usual)

    def interrupt(self, view: View, budget: Budget, seed: int) -> Choice | None:
        """The word of the family's search out of turn, else that of the rule-based player."""
        rules = find_player("rules")
        usual = rules.interrupt(view, budget, seed) if isinstance(rules, Interrupter) else None
        family = searcher_extension(SpeakingSearcher, view.game)
        return usual if family is None else family.interrupt(view, self._effort(budget), seed, usual)

    def _effort(self, budget: Budget) -> SearchEffort:
        count = max(1, round(self._worlds * budget.worlds))
        nodes = max(1000, round(self._nodes * budget.seconds * NODES_A_SECOND))
        if compiled() is None:
            count, cards = min(count, PLAIN_WORLDS), min(self._cards, PLAIN_CARDS)
            return SearchEffort(count, nodes, cards, self._learned, self._talks)
        return SearchEffort(count, nodes, self._cards, self._learned, self._talks)


PLAYERS = {
    "searcher": Searcher(),
    "strong": Searcher(worlds=3.0, nodes=2.0, talks=False),
    "expert": Searcher(worlds=3.0, nodes=2.0, learned=True),
}


# ---------------------------------------------------------------------------- what the games share


def sample_worlds(view: View, count: int, rng: Random) -> list[World]:
    """Sample so many worlds of the view; where there are fewer, each about as often as the others."""
    possible = worlds(view)
    return [possible.sample(rng) for _ in range(count)]


def all_worlds(view: View, effort: SearchEffort, rng: Random) -> tuple[list[World], list[float]] | None:
    """The worlds with their weights; None if they are too many to look at each."""
    if max(view.counts) > LAST_CARDS:
        return None
    possible = worlds(view)
    if possible.layouts > EVERY * effort.worlds:
        return None
    known = list(possible.every(rng))
    return [world for world, _ in known], [float(ways) for _, ways in known]


def solve_within(
    problems: Iterable[tuple[Position, Goal]], effort: SearchEffort, want: Want = "all"
) -> dict[int, Solution]:
    """Solve as many problems as the effort allows; returns solutions by their numbers, ascending.

    Problems that would take too large a share of it are left out.
    """
    waiting = list(enumerate(problems))
    left, limit = effort.nodes, max(1000, effort.nodes // 10)
    solutions: dict[int, Solution] = {}
    missed = 0
    while waiting and left > 0 and missed <= max(1, len(solutions)):
        batch, waiting = waiting[:2], waiting[2:]
        answers = solve_many([problem for _, problem in batch], want=want, nodes=min(limit, left))
        for (number, _), answer in zip(batch, answers, strict=True):
            left -= limit if answer is None else answer.nodes
            missed += answer is None
            if answer is not None:
                solutions[number] = answer
    return solutions


def best_on_average(
    actions: Sequence[Action], values: Sequence[Sequence[float]], usual: Action, leaning: float
) -> tuple[Action, float]:
    """The action with the highest mean (a row of `values` for each) and that mean.

    The usual action is preferred unless another is better by more than `leaning`.
    """
    means = [sum(row) / len(row) for row in values]
    tops = [mean + leaning * (action == usual) for action, mean in zip(actions, means, strict=True)]
    at = max(range(len(actions)), key=lambda number: (tops[number], -number))
    return actions[at], means[at]


def shares_reached(goals: Sequence[Sequence[bool]], weights: Sequence[float]) -> list[float]:
    """The share of each row's goals that are reached, by these weights, in percent."""
    return [100 * mean for mean in weighted_means(goals, weights)]


def weighted_means(values: Sequence[Sequence[float]], weights: Sequence[float]) -> list[float]:
    """The weighted mean of each row."""
    total = sum(weights)
    return [sum(map(mul, row, weights)) / total for row in values]


class SafeAction(NamedTuple):
    """An action chosen where every world was looked at."""

    action: Action
    mean: float
    secured: bool
    """Whether the goal of the hand is reached in each of these worlds."""


def safest_action(
    actions: Sequence[Action],
    means: Sequence[float],
    values: Sequence[Sequence[float]],
    usual: Action,
    leaning: float,
    reached: Sequence[bool],
    premium: float,
) -> SafeAction:
    """The best action where no world is left out.

    Args:
        actions: The actions.
        means: The value of each action over all worlds.
        values: The value of each action in each world.
        usual: The action that is preferred to equals.
        leaning: Means within this of the highest count as equal.
        reached: Whether each action reaches the goal of the hand in every world.
        premium: Average loss allowed for reaching it: solved worlds promise more than can be had,
            since they suppose that the player will learn in time which world it is.

    Returns:
        An action that reaches the goal in every world, if it costs no more than the premium. Else, of the
        actions within `leaning` of the highest mean, the one whose worst world is best.
    """
    best = max(means)
    sure = [at for at in range(len(actions)) if reached[at] and means[at] >= best - premium]
    near = sure or [at for at in range(len(actions)) if means[at] >= best - leaning]

    def rank(at: int) -> tuple[float, ...]:
        usually = leaning * (actions[at] == usual)
        return (means[at] + usually, -at) if sure else (min(values[at]), means[at] + usually, -at)

    at = max(near, key=rank)
    return SafeAction(actions[at], means[at], reached[at])


def certain_choice(
    actions: Sequence[Action], reached: Sequence[bool], usual: Choice, count: int
) -> Choice | None:
    """An action that reaches the goal of the hand in each of `count` deals, the only ones left.

    None where the usual one does, or none.
    """
    sure = [action for action, safe in zip(actions, reached, strict=True) if safe]
    if not sure or usual.action in sure:
        return None
    return explain_safest(SafeAction(sure[0], 0.0, True), count, "")


def explain_safest(safest: SafeAction, count: int, points: str) -> Choice:
    """The choice where every world was looked at, with its reason."""
    if safest.secured and count == 1:
        return choice_because(safest.action, "Safe: it is now certain who holds what")
    if count == 1:
        message = sentence("Best: it is now certain who holds what, and this scores {points}")
        return choice_because(safest.action, message, points=points)
    if safest.secured:
        return choice_because(
            safest.action,
            sentence(
                "Safe in the {worlds} deal that is left", "Safe in each of the {worlds} deals that are left"
            ),
            worlds=count,
        )
    message = sentence(
        "Best in the {worlds} deal that is left: {average} points on average",
        "Best in all {worlds} deals that are left: {average} points on average",
    )
    return choice_because(safest.action, message, worlds=count, average=points)


def explain_comparison(
    actions: Sequence[Action],
    action: Action,
    means: Sequence[float],
    reached: Sequence[float],
    count: int,
    goal: str,
    percent: bool,
) -> Choice:
    """The choice with what `count` imagined deals tell of it and of the next best action.

    All figures are those by which the player chose: its deals count as likely as it believes them to be.

    Args:
        actions: The actions.
        action: The one that is taken.
        means: The value of each: points, or the chance to win the match in percent.
        reached: The chance that each action reaches the goal of the hand, in percent.
        count: Number of imagined deals.
        goal: The goal, as a message; used where the action reaches it more often than the next best.
        percent: Whether the means are chances.
    """
    at = next(number for number, other_action in enumerate(actions) if other_action == action)
    others = [number for number in range(len(actions)) if number != at]
    next_best = max(others, key=lambda number: means[number])
    own, other = round(reached[at]), round(reached[next_best])
    if own > other:
        return choice_because(action, goal, made=own, other=other)
    if percent and means[at] <= means[next_best]:
        message = sentence("As good as any: the chance to win the match is {chance}%")
        return choice_because(action, message, chance=round(means[at]))
    if percent:
        message = sentence("The chance to win the match is {chance}%, with the next best choice {other}%")
        chances = f"{means[at]:.0f}", f"{means[next_best]:.0f}"
        if chances[0] == chances[1]:
            chances = f"{means[at]:.1f}", f"{means[next_best]:.1f}"
        return choice_because(action, message, chance=chances[0], other=chances[1])
    if means[at] <= means[next_best]:
        message = sentence(
            "As good as any in {worlds} imagined deal: {average} points on average",
            "As good as any in {worlds} imagined deals: {average} points on average",
        )
        return choice_because(action, message, worlds=count, average=f"{means[at]:+.1f}")
    message = sentence(
        "{average} points on average in {worlds} imagined deal, the next best choice {other}",
        "{average} points on average in {worlds} imagined deals, the next best choice {other}",
    )
    better, behind = f"{means[at]:+.1f}", f"{means[next_best]:+.1f}"
    if better == behind:
        better, behind = f"{means[at]:+.2f}", f"{means[next_best]:+.2f}"
    return choice_because(action, message, worlds=count, average=better, other=behind)
