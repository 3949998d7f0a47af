"""The value of each choice of a seat over the deals that fit its knowledge, every one solved.

Problems are searched and checked with it. ``<family>/problem_search.py`` has the values of choices in given
worlds (`ProblemFamily`); a family without that module has no problems.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import mul
from random import Random
from typing import Protocol

from nousu.engine.actions import Action, Call
from nousu.engine.game import View
from nousu.engine.messages import Note
from nousu.extensions import Point, extension
from nousu.games import games
from nousu.players.worlds import World, worlds

_EQUAL = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemTheme:
    """A theme of problems: which choices belong to it."""

    preset: str
    cards: tuple[int, int]
    """Cards in hand, from and to."""
    share: float
    """The least share of deals in which no other action is better than the best."""
    lead: float
    """The least lead of the best over the second on average."""
    kind: str = ""
    """The kind of hand, where the family has several."""
    words: bool | None = None
    """True: a word is legal; False: only cards are; None: either."""
    hard: bool = False
    """Whether the weakest players must miss the solution, and the strongest find it."""


class ProblemFamily(Protocol):
    """The interface of ``<family>/problem_search.py``."""

    THEMES: Mapping[str, ProblemTheme]

    def action_values(
        self, view: View, worlds: Sequence[World]
    ) -> Sequence[tuple[Action, Sequence[float]]] | None:
        """The value of each action of a view in each of these worlds, more being better for the viewer.

        None for choices that are not judged, and where a world is too large to be solved.
        """


class BoldProblems(Protocol):
    """An optional interface of families whose hard problems come of bold choices."""

    def bold_action(self, view: View) -> Action | None:
        """A choice that careful players would not make, and that leads to problems; None elsewhere."""


def bold_action(view: View) -> Action | None:
    """A bold choice that leads to hard problems; None where the usual one is made."""
    family = extension(BoldProblems, Point.PLAYERS, view.game, "problem_search")
    return None if family is None else family.bold_action(view)


class ChanceProblems(Protocol):
    """An optional interface of families whose problems are decided by the chance to win."""

    def chance_note(self, view: View, right: Action, lead: float) -> Note:
        """The chance that is needed, and the one that there is where `right` leads by so many points."""


def chance_note(view: View, right: Action, lead: float) -> Note | None:
    """The chances behind the solution of a problem; None where it is not decided by them."""
    family = extension(ChanceProblems, Point.PLAYERS, view.game, "problem_search")
    return None if family is None else family.chance_note(view, right, lead)


def _family(game: str) -> ProblemFamily | None:
    return extension(ProblemFamily, Point.PLAYERS, game, "problem_search")


@cache
def themes() -> Mapping[str, ProblemTheme]:
    """The themes of all families by name."""
    families = [family for family in map(_family, games()) if family is not None]
    return {name: theme for family in families for name, theme in family.THEMES.items()}


def is_of_theme(theme: ProblemTheme, view: View) -> bool:
    """Whether the choice of a view is one of that theme."""
    least, most = theme.cards
    has_words = any(isinstance(action, Call) for action in view.legal)
    return (
        least <= len(view.cards) <= most
        and theme.kind in ("", getattr(view.facts, "kind", None))
        and theme.words in (None, has_words)
    )


@dataclass(frozen=True, slots=True)
class Judgement:
    """A choice judged over deals."""

    best: tuple[Action, ...]
    """The best action on average, with all that bring the same in every deal."""
    mean: float
    """Its average value."""
    share: float
    """The share of the deals in which no other action brings more."""
    second: Action
    """The best of the others on average."""
    lead: float
    """Average margin over that one."""
    deals: int
    every: bool
    """Whether these are all the deals that fit, or a random sample of them."""


def judge_choice(view: View, deals: int, seed: int) -> Judgement | None:
    """Judge the choice of a view over all deals that fit, or a random sample of `deals` where there are more.

    None where the family does not judge such a choice, or all actions bring the same.
    """
    family = _family(view.game)
    if family is None or len(view.legal) < 2:
        return None
    possible, rng = worlds(view), Random(seed)
    every = possible.layouts <= deals
    drawn = list(possible.every(rng)) if every else [(possible.sample(rng), 1) for _ in range(deals)]
    rows = family.action_values(view, [world for world, _ in drawn])
    if rows is None:
        return None
    weights = [float(ways) for _, ways in drawn]
    total = sum(weights)
    means = {action: sum(map(mul, row, weights)) / total for action, row in rows}
    top, row = max(rows, key=lambda row: means[row[0]])
    alike = tuple(
        action for action, other in rows if all(abs(a - b) < _EQUAL for a, b in zip(row, other, strict=True))
    )
    others = [action for action, _ in rows if action not in alike]
    if not others:
        return None
    second = max(others, key=means.__getitem__)
    tops = [max(values) for values in zip(*(other for _, other in rows), strict=True)]
    share = sum(
        weight for value, most, weight in zip(row, tops, weights, strict=True) if value >= most - _EQUAL
    )
    return Judgement(
        best=alike,
        mean=means[top],
        share=share / total,
        second=second,
        lead=means[top] - means[second],
        deals=len(drawn),
        every=every,
    )
