"""The chance to win a match of the whist family from its score, by backward induction over measured hands.

The rules decide the effect of a hand on the score: one side rises and falls back, or both add up
points, for good or up to a limit of hands.

    from nousu.players.whist.equity import equity, outcomes
    equity("tuppi", outcomes("tuppi"), riser=0, points=48)  # North–South rise with 48
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from math import inf
from typing import Any

from nousu.engine.game import Result, Setup, Tally
from nousu.games import find
from nousu.games.whist import Outcome, Rise, Rules, Totals
from nousu.players.equity import (
    EquityReport,
    MatchScore,
    Measured,
    MeasuredHands,
    SideOutcome,
    both_ways,
    chance_when_over,
    settle,
    side_report,
)

__all__ = ["HANDS", "balance", "chance_after", "equity", "equity_report", "outcomes", "win_chance"]

CLOSE = 1e-10
"""Chances that change by less than this are settled."""
DEEPEST = -1
"""Totals below this many targets count as that many: such a side has all but lost."""
HANDS = MeasuredHands(__package__)
"""The measured hands of the whist family."""

Ways = tuple[SideOutcome, ...]


@lru_cache(64)
def outcomes(preset: str) -> Measured[Ways]:
    """The measured endings of a hand of that preset; ValueError lists the presets that have some."""
    counts = HANDS.counts(preset)
    rows = [((one, two), scorer, count) for one, two, scorer, count in counts.ways]
    return balance(rows, counts.hands, counts.source)


def balance(
    counts: Sequence[tuple[tuple[int, int], int | None, int]], hands: int, source: str
) -> Measured[Ways]:
    """Counted endings (points, scorer, count) as shares, each counted once for either side."""
    shares: dict[tuple[tuple[int, int], int | None], float] = {}
    for points, scorer, share in both_ways(counts):
        shares[points, scorer] = shares.get((points, scorer), 0.0) + share
    ways = sorted(shares.items(), key=str)
    return Measured(tuple(SideOutcome(*key, share) for key, share in ways), hands, source)


def equity(
    preset: str,
    measured: Measured[Ways],
    *,
    riser: int | None = None,
    points: int = 0,
    totals: tuple[int, int] = (0, 0),
    peaks: tuple[int, int] = (0, 0),
    hands: int = 0,
) -> float:
    """The chance of North–South to win the match, a drawn one counted half.

    Where one side rises: which (`riser`: 0 North–South) with how many `points`; with a hand limit also the
    `hands` played (the limit and more while an extension is played) and, as the limit asks for one or the
    other, the `totals` collected or the highest rises (`peaks`) of both sides. Elsewhere the `totals` of both
    sides. Where the limit finds both level the sides are taken to win as often. ValueError if the preset is
    another family's, or if the score is that of a finished match.
    """
    _, rules = find(preset)
    if not isinstance(rules, Rules):
        raise ValueError(f"{preset} is no game of two sides that add up points of tricks")
    _check(rules, riser, points, totals, hands)
    if rules.score_model == "cumulative":
        return _totals(rules.target, measured.ways)(totals)
    if rules.max_hands is None:
        return _rising(rules.target, measured.ways)[(riser, points)]
    highest = [max(peak, points * (riser == side)) for side, peak in enumerate(peaks)]
    return _limited_chance(rules, measured.ways, hands, riser, points, totals, (highest[0], highest[1]))


def equity_report(preset: str, score: MatchScore) -> EquityReport:
    """Report of `nousu equity` on a score; errors as in `equity`."""
    _, rules = find(preset)
    measured, points = outcomes(preset), score.points or (0, 0)
    if len(points) != 2:
        raise ValueError("two sides play: write 48-0")
    ours, theirs = points
    if rules.score_model == "cumulative":
        won = equity(preset, measured, totals=(ours, theirs))
    elif ours and theirs:
        raise ValueError("only one side can be rising: write 48-0 or 0-48")
    else:
        won = equity(
            preset,
            measured,
            riser=0 if ours else 1 if theirs else None,
            points=ours or theirs,
            totals=score.totals or (ours, theirs),
            peaks=score.peaks or (ours, theirs),
            hands=score.hands,
        )
    return side_report(points, won, measured)


def chance_after(tally: Tally, setup: Setup, ahead: float) -> float | None:
    """The chance of North–South to win the match after a hand in which they score `ahead` points more.

    Args:
        tally: The score before the hand.
        setup: The hand.
        ahead: Points of North–South less those of East–West.

    Returns:
        The chance from 0 to 1; None where no hands by these rules were measured, or where points of a hand
        may be lost instead of going to the others.
    """
    if not isinstance(tally, Rise | Totals):
        return None
    rules = tally.rules
    if HANDS.preset_of(rules) is None or rules.high_fail_debit or rules.low_mode != "credit_winner":
        return None
    if ahead:
        scorer, points = int(ahead < 0), round(abs(ahead))
        gained = (points, 0) if scorer == 0 else (0, points)
        tally = tally.add(Result(points=gained, outcome=Outcome(scorer=scorer)), setup)
    return win_chance(tally)


def win_chance(tally: Tally) -> float | None:
    """The chance of North–South to win the match; None where no hands by these rules were measured."""
    if not isinstance(tally, Rise | Totals):
        return None
    winner = tally.winner()
    if winner is not None:
        return chance_when_over(winner)
    rules = tally.rules
    preset = HANDS.preset_of(rules)
    if preset is None:
        return None
    ways = outcomes(preset).ways
    if isinstance(tally, Totals):
        return _totals(rules.target, ways)(tally.points)
    if tally.extra:
        return 0.5
    if rules.max_hands is None:
        return _rising(rules.target, ways)[(tally.riser, tally.points)]
    return _limited_chance(rules, ways, tally.hands, tally.riser, tally.points, tally.total, tally.peak)


def _check(rules: Rules, riser: int | None, points: int, totals: tuple[int, int], hands: int) -> None:
    if rules.score_model == "cumulative":
        if max(totals) >= rules.target:
            raise ValueError(f"with {max(totals)} points the match is over: the target is {rules.target}")
        if rules.max_hands is not None:
            raise ValueError("totals with a hand limit are not reckoned")
        return
    if (riser is None) != (points == 0) or points < 0:
        raise ValueError("who rises has points, and who has points rises")
    if points >= rules.target:
        raise ValueError(f"with {points} points the match is over: the target is {rules.target}")
    if rules.max_hands is None or (rules.extension and riser is not None and hands >= rules.max_hands):
        return
    if not 0 <= hands < rules.max_hands:
        raise ValueError(f"a match of {rules.max_hands} hands is over after them; {hands} were given")


State = tuple[int | None, int]
"""The rising side (0 North–South, None nobody) and its points."""


@lru_cache(64)
def _rising(target: int, ways: Ways) -> Mapping[State, float]:
    """The chance of North–South where one side rises, for each state."""
    level: State = (None, 0)
    chances = {level: 0.5}

    def after(riser: int | None, points: int, way: SideOutcome) -> float:
        if riser is not None and way.side == 1 - riser:
            return chances[level]
        now = points + max(way.points)
        if now >= target:
            return 1.0 if way.side == 0 else 0.0
        return chances[(way.side, now)]

    def value(state: State) -> float:
        return sum(way.share * after(*state, way) for way in ways)

    order: list[State] = [(riser, points) for points in range(target - 1, 0, -1) for riser in (0, 1)]
    settle(chances, [*order, level], value, CLOSE, frozenset([level]))
    return chances


Standing = Any
"""The tie-break at the limit of hands: points by which North–South are ahead, or the highest rise and its
side."""


def _limited_chance(
    rules: Rules,
    ways: Ways,
    hands: int,
    riser: int | None,
    points: int,
    totals: tuple[int, int],
    peaks: tuple[int, int],
) -> float:
    """The chance of North–South where a number of hands ends the match and totals or peaks decide."""
    assert rules.max_hands is not None
    standing: Standing = totals[0] - totals[1]
    if rules.limit_criterion == "peak":
        standing = max(peaks), None if peaks[0] == peaks[1] else int(peaks[1] > peaks[0])
    return _limited(rules, ways)(min(hands, rules.max_hands), riser, points, standing)


@lru_cache(64)
def _limited(rules: Rules, ways: Ways) -> Callable[[int, int | None, int, Standing], float]:
    """The chance by hands played, the rising side, its points, and the tie-break at the limit."""
    limit, target, extension = rules.max_hands, rules.target, rules.extension
    assert limit is not None
    by_peak = rules.limit_criterion == "peak"

    @cache
    def chance(hands: int, riser: int | None, points: int, standing: Standing) -> float:
        if by_peak and (riser == 1 or (riser is None and standing[1] == 1)):
            # Half of all standings are the other half turned.
            turned = standing[0], None if standing[1] is None else 1 - standing[1]
            return 1 - chance(hands, None if riser is None else 0, points, turned)
        total = 0.0
        for way in ways:
            scorer, gained = way.side, max(way.points)
            if riser is not None and scorer == 1 - riser:
                state: tuple[int | None, int, Standing] = (None, 0, standing)
            else:
                now = points + gained
                state = (scorer, now, (_peak if by_peak else _ahead)(standing, scorer, gained, now))
            if state[1] >= target:
                won = float(scorer == 0)
            elif hands + 1 >= limit and not (extension and state[0] is not None):
                won = _decided(state[2][1] if by_peak else _leader(state[2]))
            else:
                won = chance(min(hands + 1, limit), *state)
            total += way.share * won
        return total

    return chance


def _ahead(ahead: int, scorer: int | None, gained: int, _points: int) -> int:
    """Points by which North–South are ahead after a hand."""
    return ahead + (gained if scorer == 0 else -gained)


def _peak(
    peak: tuple[int, int | None], scorer: int | None, _gained: int, points: int
) -> tuple[int, int | None]:
    """The highest rise after a hand and its side; None where both have reached it."""
    best, holder = peak
    if points > best:
        return points, scorer
    return (best, None) if points == best and scorer != holder else peak


def _leader(ahead: int) -> int | None:
    return None if ahead == 0 else int(ahead < 0)


def _decided(leader: int | None) -> float:
    """The chance of North–South where this side leads at the limit; level sides are taken to win as often."""
    return 0.5 if leader is None else float(leader == 0)


@lru_cache(64)
def _totals(target: int, ways: Ways) -> Callable[[tuple[int, int]], float]:
    """The chance of North–South by the totals of both sides; from the target on the higher total wins."""
    lowest = 0 if all(min(way.points) >= 0 for way in ways) else DEEPEST * target
    steps = range(target - 1, lowest - 1, -1)
    scores = sorted([(one, two) for one in steps for two in steps], key=sum, reverse=True)
    chances = dict.fromkeys(scores, 0.5)
    still = sum(way.share for way in ways if way.points == (0, 0))
    moving = [way for way in ways if way.points != (0, 0)]

    def after(score: tuple[int, int], way: SideOutcome) -> float:
        one, two = score[0] + way.points[0], score[1] + way.points[1]
        if max(one, two) >= target:
            return 1.0 if one > two else 0.0
        return chances[(max(one, lowest), max(two, lowest))]

    def value(score: tuple[int, int]) -> float:
        return sum(way.share * after(score, way) for way in moving) / (1 - still)

    settle(chances, scores, value, inf if lowest == 0 else CLOSE)
    return lambda score: chances[(max(score[0], lowest), max(score[1], lowest))]
