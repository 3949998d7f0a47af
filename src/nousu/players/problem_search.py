"""How good each choice of a seat is over the deals that fit what the seat knows, every one solved.

Problems are found and checked with it. A family says in ``<family>/judge.py`` what its choices bring in given
worlds (`Judge`); a family without such a module has no problems.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import mul
from random import Random

from nousu.engine.actions import Action, Call
from nousu.engine.game import View
from nousu.games import games, part
from nousu.players.worlds import World, worlds

Judge = Callable[[View, Sequence[World]], Sequence[tuple[Action, Sequence[float]]] | None]
"""What each action of a view brings in each of these worlds, more being better for the viewer; None where the
module does not judge such a choice, or a world is too large to be solved."""
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Which choices make a problem of a theme."""

    preset: str
    cards: tuple[int, int]
    """Cards in hand, from and to."""
    share: float
    """The least share of deals in which nothing is better."""
    lead: float
    """The least lead over the second on average."""
    kind: str = ""
    """What kind of hand it is, where the family has several."""
    words: bool | None = None
    """Whether something may be said (True), only cards may be played (False), or either."""


@cache
def themes() -> Mapping[str, Theme]:
    """The themes of all families with a judge."""
    judges = (part("nousu.players", name, "problem_search") for name in games())
    return {name: wanted for judge in judges for name, wanted in getattr(judge, "THEMES", {}).items()}


def is_of_theme(wanted: Theme, view: View) -> bool:
    """Whether a choice is one of that theme."""
    least, most = wanted.cards
    spoken = any(isinstance(action, Call) for action in view.legal)
    return (
        least <= len(view.cards) <= most
        and wanted.kind in ("", getattr(view.facts, "kind", None))
        and wanted.words in (None, spoken)
    )


@dataclass(frozen=True, slots=True)
class Judgement:
    """A choice weighed over deals."""

    best: tuple[Action, ...]
    """The best action on average, with all that bring the same in every deal."""
    mean: float
    """What it brings on average."""
    share: float
    """The share of the deals in which no other action brings more."""
    second: Action
    """The best of the others on average."""
    lead: float
    """How much less that one brings on average."""
    deals: int
    every: bool
    """Whether these are all the deals that fit, or a random sample of them."""


def judge_choice(view: View, deals: int, seed: int) -> Judgement | None:
    """The choice of a view over all deals that fit, or `deals` of them drawn at random where there are more;
    None where nothing is to be judged, or all actions bring the same."""
    judge: Judge | None = getattr(part("nousu.players", view.game, "problem_search"), "worths", None)
    if judge is None or len(view.legal) < 2:
        return None
    found, rng = worlds(view), Random(seed)
    every = found.layouts <= deals
    drawn = list(found.every(rng)) if every else [(found.sample(rng), 1) for _ in range(deals)]
    rows = judge(view, [world for world, _ in drawn])
    if rows is None:
        return None
    weights = [float(ways) for _, ways in drawn]
    total = sum(weights)
    means = {action: sum(map(mul, row, weights)) / total for action, row in rows}
    top, row = max(rows, key=lambda one: means[one[0]])
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
