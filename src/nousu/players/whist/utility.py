"""The utility of a hand of the whist family to a side: the chance to win the match, or points."""

from collections.abc import Callable
from typing import Literal

from nousu.engine.game import Result, Setup, Tally, View
from nousu.engine.seats import side
from nousu.games.whist import TRICKS, Facts, Outcome, score, sooli_scores
from nousu.players.whist.equity import win_chance

MATCH = 25
"""The value of winning the match beyond the points that win it, where the chance to win it is not known."""

Utility = Callable[[View, tuple[int, int]], float]
"""The utility for the viewer's side of a hand that brings these points."""


def utility_for(view: View) -> Utility:
    """The utility that fits the rules: the chance to win the match where measured, else the standing."""
    return points_standing if win_chance(view.setup.tally) is None else win_percent


def trick_utility(view: View, by: Utility) -> Callable[[int], float]:
    """The utility of so many tricks of North and South, or in a sooli of its being made (1) or lost (0)."""
    facts = Facts.of(view.facts)
    bidder = None if facts.bidder is None else side(facts.bidder)
    if facts.soloist is not None:
        soloist = facts.soloist
        return [by(view, sooli_scores(view.rules, soloist, made)) for made in (False, True)].__getitem__
    return trick_values(view, by, "low" if facts.kind == "low" else "high", bidder).__getitem__


def trick_values(view: View, by: Utility, kind: Literal["high", "low"], bidder: int | None) -> list[float]:
    """The utilities of 0 to 13 tricks of North and South in such a hand."""
    return [by(view, score(view.rules, kind, bidder, (taken, TRICKS - taken))) for taken in range(TRICKS + 1)]


def trick_step(value: Callable[[int], float], view: View) -> float:
    """The median difference in utility between neighbouring numbers of tricks, where there is one; else 0."""
    last = TRICKS if Facts.of(view.facts).soloist is None else 1
    changes = sorted(filter(None, (abs(value(at + 1) - value(at)) for at in range(last))))
    return changes[len(changes) // 2] if changes else 0.0


def after_hand(tally: Tally, setup: Setup, points: tuple[int, int]) -> Tally:
    """The score after a hand that brings these points to both sides."""
    scorer = next((number for number in (0, 1) if points[number] > 0), 1 if points[0] < 0 else 0)
    return tally.add(Result(points=points, outcome=Outcome(scorer=scorer)), setup)


def win_percent(view: View, points: tuple[int, int]) -> float:
    """The chance of the viewer's side to win the match, in percent, after a hand that brings these points."""
    won = win_chance(after_hand(view.setup.tally, view.setup, points))
    assert won is not None and view.seat is not None, "asked where hands were measured only"
    return 100 * (won if side(view.seat) == 0 else 1 - won)


def points_standing(view: View, points: tuple[int, int]) -> float:
    """The points of the viewer's side less those of the others after a hand that brings these points."""
    assert view.seat is not None
    ours = side(view.seat)
    after = after_hand(view.setup.tally, view.setup, points)
    now = after.score()
    value = float(now[ours] - now[1 - ours])
    won = after.winner()
    if won:
        value += MATCH if ours in won else -MATCH
    return value
