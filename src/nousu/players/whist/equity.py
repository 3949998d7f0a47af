"""How likely a side is to win a match from a score: backward induction over measured hand outcomes.

A hand between equal sides ends in one of the ways that were measured, with the share it had; what it does
to the score is the rules' business. From the last scores back to the one asked for, the chance to win is the
mean over the ways the next hand may end. Where a score can come back (the rising side falls, points are
lost again) the chances are those that agree with themselves, found by repeating until nothing changes.

    from nousu.players.whist.equity import equity, outcomes
    equity("tuppi", outcomes("tuppi"), riser=0, points=48)  # North–South rise with 48
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from nousu.engine.game import Result, Setup, Tally
from nousu.games import find
from nousu.games.whist import Outcome as Ended
from nousu.games.whist import Rise, Rules, Totals
from nousu.players.equity import Asked, MeasuredHands, Reckoned, side_wins

__all__ = [
    "HANDS",
    "Measured",
    "Outcome",
    "chance",
    "equity",
    "outcomes",
    "reckoned",
    "standing",
]

CLOSE = 1e-10
"""Chances that change by less than this are taken as found."""
DEEPEST = -1
"""Totals lower than so many targets are not told apart: who is so far behind has all but lost."""
HANDS = MeasuredHands(__package__)
"""How hands of whist games were seen to end."""


class Outcome(NamedTuple):
    """One way for a hand to end."""

    points: tuple[int, int]
    scorer: int | None
    """The side that scored, where only it may rise."""
    share: float


class Measured(NamedTuple):
    """How hands end, and where that was seen."""

    ways: tuple[Outcome, ...]
    hands: int
    """Hands played to see it; each counts for both sides."""
    source: str
    """The command that measured it."""


def outcomes(preset: str) -> Measured:
    """The measured outcomes of a hand of that preset; ValueError names the presets that have some."""
    found = HANDS.seen(preset)
    return balanced(
        [((one, two), scorer, count) for one, two, scorer, count in found.ways], found.hands, found.source
    )


def balanced(seen: Sequence[tuple[tuple[int, int], int | None, int]], hands: int, source: str) -> Measured:
    """Outcomes with their shares, each counted once for either side: the sides are equally strong."""
    shares: dict[tuple[tuple[int, int], int | None], float] = {}
    total = sum(count for _, _, count in seen)
    for (one, two), scorer, count in seen:
        turned = None if scorer is None else 1 - scorer
        for key in (((one, two), scorer), ((two, one), turned)):
            shares[key] = shares.get(key, 0.0) + count / (2 * total)
    ways = tuple(
        Outcome(points, scorer, share) for (points, scorer), share in sorted(shares.items(), key=str)
    )
    return Measured(ways, hands, source)


def equity(
    preset: str,
    measured: Measured,
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
    here = min(hands, rules.max_hands)
    if rules.limit_criterion == "sum":
        return _limited(rules, measured.ways)(here, riser, points, totals[0] - totals[1])
    highest = [max(peak, points * (riser == one)) for one, peak in enumerate(peaks)]
    return _peaking(rules, measured.ways)(here, riser, points, max(highest), _ahead(*highest))


def reckoned(preset: str, asked: Asked) -> Reckoned:
    """What `nousu equity` prints of a score; errors as in `equity`."""
    _, rules = find(preset)
    measured, points = outcomes(preset), asked.points or (0, 0)
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
            totals=asked.totals or (ours, theirs),
            peaks=asked.peaks or (ours, theirs),
            hands=asked.hands,
        )
    ways = [(way.points, way.share) for way in measured.ways]
    return side_wins(points, won, ways, measured.hands, measured.source)


def standing(tally: Tally, setup: Setup, ahead: float) -> float | None:
    """The chance of North–South to win the match once the hand of `setup`, which begins at `tally`, has
    brought them so many points more than the others (fewer: a negative number); None where no hands by these
    rules were measured, or where points of a hand may be lost instead of going to the others."""
    if not isinstance(tally, Rise | Totals):
        return None
    rules = tally.rules
    if HANDS.preset_of(rules) is None or rules.high_fail_debit or rules.low_mode != "credit_winner":
        return None
    if ahead:
        scorer, points = int(ahead < 0), round(abs(ahead))
        gained = (points, 0) if scorer == 0 else (0, points)
        tally = tally.add(Result(points=gained, outcome=Ended(scorer=scorer)), setup)
    return chance(tally)


def chance(tally: Tally) -> float | None:
    """The chance of North–South to win the match from where it stands between two hands; None where no hands
    by these rules were measured."""
    if not isinstance(tally, Rise | Totals):
        return None
    winner = tally.winner()
    if winner is not None:
        return 0.5 if len(winner) != 1 else float(winner[0] == 0)
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
    hands = min(tally.hands, rules.max_hands)
    if rules.limit_criterion == "sum":
        return _limited(rules, ways)(hands, tally.riser, tally.points, tally.total[0] - tally.total[1])
    return _peaking(rules, ways)(hands, tally.riser, tally.points, max(tally.peak), _ahead(*tally.peak))


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


@cache
def _rising(target: int, ways: tuple[Outcome, ...]) -> Mapping[State, float]:
    """For each side that may rise and its points: the chance of North–South."""
    chances: dict[State, float] = {(None, 0): 0.5}

    def after(riser: int | None, points: int, way: Outcome) -> float:
        if riser is not None and way.scorer == 1 - riser:
            return chances[(None, 0)]
        now = points + max(way.points)
        if now >= target:
            return 1.0 if way.scorer == 0 else 0.0
        return chances[(way.scorer, now)]

    change = 1.0
    while change > CLOSE:
        start = chances[(None, 0)]
        for points in range(target - 1, 0, -1):
            for riser in (0, 1):
                chances[(riser, points)] = sum(way.share * after(riser, points, way) for way in ways)
        chances[(None, 0)] = sum(way.share * after(None, 0, way) for way in ways)
        change = abs(chances[(None, 0)] - start)
    return chances


@cache
def _limited(rules: Rules, ways: tuple[Outcome, ...]) -> Callable[[int, int | None, int, int], float]:
    """The same where a number of hands ends the match: by hands, who rises, with how many points, and by how
    much North–South have collected more in all."""
    limit, target, extension = rules.max_hands, rules.target, rules.extension
    assert limit is not None

    def decided(ahead: int) -> float:
        return 0.5 if ahead == 0 else float(ahead > 0)

    @cache
    def chance(hands: int, riser: int | None, points: int, ahead: int) -> float:
        total = 0.0
        for way in ways:
            scorer, gained = way.scorer, max(way.points)
            if riser is not None and scorer == 1 - riser:
                now: tuple[int | None, int, int] = (None, 0, ahead)
            else:
                now = (scorer, points + gained, ahead + (gained if scorer == 0 else -gained))
            if now[1] >= target:
                won = float(scorer == 0)
            elif hands + 1 >= limit and not (extension and now[0] is not None):
                won = decided(now[2])
            else:
                won = chance(min(hands + 1, limit), *now)
            total += way.share * won
        return total

    return chance


def _ahead(one: int, two: int) -> int | None:
    """The side with more; None where both have as much."""
    return None if one == two else int(two > one)


@cache
def _peaking(
    rules: Rules, ways: tuple[Outcome, ...]
) -> Callable[[int, int | None, int, int, int | None], float]:
    """The same where the highest rise decides at the limit: by hands, who rises, with how many points, the
    highest rise so far, and whose it is (None: both have reached it). The lower of the two highest rises
    decides nothing any more."""
    limit, target, extension = rules.max_hands, rules.target, rules.extension
    assert limit is not None

    @cache
    def chance(hands: int, riser: int | None, points: int, best: int, holder: int | None) -> float:
        if riser == 1 or (riser is None and holder == 1):  # half of all standings are the other half turned
            turned = None if holder is None else 1 - holder
            return 1 - chance(hands, None if riser is None else 0, points, best, turned)
        total = 0.0
        for way in ways:
            scorer, gained = way.scorer, max(way.points)
            rises, now, top, whose = scorer, points + gained, best, holder
            if riser is not None and scorer == 1 - riser:
                rises, now = None, 0
            elif now > best:
                top, whose = now, scorer
            elif now == best and scorer != holder:
                whose = None
            if now >= target:
                won = float(scorer == 0)
            elif hands + 1 >= limit and not (extension and rises is not None):
                won = 0.5 if whose is None else float(whose == 0)
            else:
                won = chance(min(hands + 1, limit), rises, now, top, whose)
            total += way.share * won
        return total

    return chance


@cache
def _totals(target: int, ways: tuple[Outcome, ...]) -> Callable[[tuple[int, int]], float]:
    """For the totals of both sides: the chance of North–South. The higher total wins once the target is
    reached."""
    lowest = 0 if all(min(way.points) >= 0 for way in ways) else DEEPEST * target
    scores = [
        (one, two) for one in range(target - 1, lowest - 1, -1) for two in range(target - 1, lowest - 1, -1)
    ]
    scores.sort(key=sum, reverse=True)
    chances = dict.fromkeys(scores, 0.5)

    def after(score: tuple[int, int], way: Outcome) -> float:
        one, two = score[0] + way.points[0], score[1] + way.points[1]
        if max(one, two) >= target:
            return 1.0 if one > two else 0.0
        return chances[(max(one, lowest), max(two, lowest))]

    change = 1.0
    while change > CLOSE:
        change = 0.0
        for score in scores:
            still = sum(way.share for way in ways if way.points == (0, 0))
            now = sum(way.share * after(score, way) for way in ways if way.points != (0, 0)) / (1 - still)
            change = max(change, abs(now - chances[score]))
            chances[score] = now
        if lowest == 0:
            break

    return lambda score: chances[(max(score[0], lowest), max(score[1], lowest))]
