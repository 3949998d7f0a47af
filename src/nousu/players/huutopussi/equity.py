"""The chance to win a match of Huutopussi from its score, by backward induction over measured hands.

Points are taken in steps of ten; a hand that brings something in between counts partly as the step below and
partly as the step above, so that its mean stays. A missed contract takes a side back, so scores come back.

    from nousu.players.huutopussi.equity import equity, outcomes
    equity("huutopussi", outcomes("huutopussi"), (400, 250))
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from math import ceil, floor
from operator import mul

from nousu.engine.game import Tally
from nousu.games import find
from nousu.games.huutopussi import Rules, Totals
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

__all__ = [
    "HANDS",
    "balance",
    "chance_after",
    "defence_scores",
    "equity",
    "equity_report",
    "hand_utility",
    "outcomes",
    "win_chance",
]

STEP = 10
"""Resolution of points."""
CLOSE = 1e-5
"""Chances that change by less than this are settled."""
COARSE = 20
"""Resolution of the points of the side without a contract where contracts are weighed."""
DEEPEST = 1.5
"""Greatest distance from winning, in targets; totals further away count as that."""
HANDS = MeasuredHands(__package__)
"""The measured hands of Huutopussi."""

Ways = tuple[SideOutcome, ...]


@lru_cache(64)
def outcomes(preset: str) -> Measured[Ways]:
    """The measured endings of a hand of that preset; ValueError lists the presets that have some."""
    counts = HANDS.counts(preset)
    rows = [(one, two, bool(contract), count) for one, two, contract, count in counts.ways]
    return balance(rows, counts.hands, counts.source)


def balance(counts: Sequence[tuple[int, int, bool, int]], hands: int, source: str) -> Measured[Ways]:
    """Counted endings as shares, each counted once for either side.

    Args:
        counts: Points of the declarer's side, those of the others, whether there was a contract, the count.
        hands: Hands played.
        source: The command that measured them.
    """
    rows = [((one, two), 0 if contract else None, count) for one, two, contract, count in counts]
    return Measured(tuple(both_ways(rows)), hands, source)


def win_chance(tally: Tally) -> float | None:
    """The chance of North–South to win the match; None where no hands by these rules were measured."""
    if not isinstance(tally, Totals):
        return None
    winner = tally.winner()
    if winner is not None:
        return chance_when_over(winner)
    preset = HANDS.preset_of(tally.rules)
    if preset is None:
        return None
    return _looked_up(tally.rules, _chances(preset, tally.rules), tally.points)


def chance_after(tally: Totals, points: tuple[int, int], declarer: int | None) -> float | None:
    """The chance of North–South to win the match after a hand; None where no hands were measured.

    Args:
        tally: The score before the hand.
        points: Points of the hand for both sides.
        declarer: The side that played the contract; None where there was none.
    """
    rules = tally.rules
    preset = HANDS.preset_of(rules)
    if preset is None:
        return None
    north, east = (had + more for had, more in zip(tally.points, points, strict=True))
    there = [total >= _least(rules) for total in (north, east)]
    if all(there) and declarer is not None and rules.both_reach == "declarer_first":
        return float(declarer == 0)
    if any(there):
        return 0.5 if all(there) and north == east else float(there[0] and (north > east or not there[1]))
    return _looked_up(rules, _chances(preset, rules), (north, east))


def hand_utility(tally: Tally, ours: int, declaring: int | None) -> Callable[[tuple[int, int]], float]:
    """The utility of the points of a hand for side `ours`, when `declaring` played the contract.

    It is the chance to win the match, in percent; points ahead where no hands by these rules were measured.
    """

    @cache
    def worth(points: tuple[int, int]) -> float:
        chance = chance_after(tally, points, declaring) if isinstance(tally, Totals) else None
        if chance is None:
            return float(points[ours] - points[1 - ours])
        return 100 * (chance if ours == 0 else 1 - chance)

    return worth


@lru_cache(64)
def defence_scores(preset: str, made: bool) -> tuple[tuple[int, float], ...]:
    """The scores of the side without the contract where it was made or missed, with their shares.

    Scores are rounded to a multiple of `COARSE`.
    """
    shares: dict[int, float] = {}
    for points, declarer, share in outcomes(preset).ways:
        if declarer is not None and (points[declarer] > 0) == made:
            about = COARSE * round(points[1 - declarer] / COARSE)
            shares[about] = shares.get(about, 0.0) + share
    total = sum(shares.values())
    return tuple((points, share / total) for points, share in sorted(shares.items()))


def equity(preset: str, measured: Measured[Ways], totals: tuple[int, int]) -> float:
    """The chance of North–South to win the match from these totals.

    ValueError if the preset is another family's, or if the match is over.
    """
    _, rules = find(preset)
    if not isinstance(rules, Rules):
        raise ValueError(f"{preset} is no game of Huutopussi")
    if max(totals) >= _least(rules):
        raise ValueError(f"with {max(totals)} points the match is over: the target is {rules.target}")
    return _looked_up(rules, _table(rules, measured.ways), totals)


def equity_report(preset: str, score: MatchScore) -> EquityReport:
    """Report of `nousu equity` on a score; errors as in `equity`."""
    points = score.points or (0, 0)
    if len(points) != 2 or score.totals or score.peaks or score.hands:
        raise ValueError("in Huutopussi only the points of both sides count: write 400-250")
    measured = outcomes(preset)
    return side_report(points, equity(preset, measured, (points[0], points[1])), measured)


def _least(rules: Rules) -> int:
    return rules.target + (rules.win_condition == "exceed")


@lru_cache(64)
def _chances(preset: str, rules: Rules) -> list[list[float]]:
    """The table of a measured preset; cached by its name, so that its outcomes are not hashed again."""
    return _table(rules, outcomes(preset).ways)


def _looked_up(rules: Rules, table: list[list[float]], totals: tuple[int, int]) -> float:
    ours, theirs = (max(1, min(len(table), ceil((_least(rules) - total) / STEP))) for total in totals)
    return table[ours - 1][theirs - 1]


def _stepped(ways: Ways) -> list[tuple[int, int, int | None, float]]:
    """The ways in steps; points between two steps are shared out."""
    shares: dict[tuple[int, int, int | None], float] = {}
    for (one, two), declarer, share in ways:
        for ours, often in _shared(one):
            for theirs, as_often in _shared(two):
                key = (ours, theirs, declarer)
                shares[key] = shares.get(key, 0.0) + share * often * as_often
    return [(*key, share) for key, share in shares.items() if share]


def _shared(points: int) -> tuple[tuple[int, float], tuple[int, float]]:
    low = floor(points / STEP)
    above = points / STEP - low
    return (low, 1 - above), (low + 1, above)


@lru_cache(64)
def _table(rules: Rules, ways: Ways) -> list[list[float]]:
    """The chance of North–South by the steps that both sides are away from winning, less one.

    All chances lie in one row, those of won and lost matches too, so that what a hand brings is found at a
    fixed distance.
    """
    deepest = ceil(DEEPEST * rules.target / STEP)
    steps = _stepped(ways)
    still = sum(share for ours_left, theirs_left, _, share in steps if ours_left == theirs_left == 0)
    moving = [way for way in steps if way[:2] != (0, 0)]
    most, least = (extreme(ours_left for ours_left, *_ in moving) for extreme in (max, min))
    width = most + deepest - min(0, least) + 1

    def at(ours: int, theirs: int) -> int:
        return (ours + most) * width + theirs + most

    def known(ours: int, theirs: int) -> float:
        return float(ours <= 0) if min(ours, theirs) <= 0 < max(ours, theirs) else 0.5 * (ours > 0)

    def both(ours: int, theirs: int, declarer: int | None) -> float:
        if max(ours, theirs) > 0:
            return 0.0
        if declarer is not None and rules.both_reach == "declarer_first":
            return float(declarer == 0)
        return 0.5 if ours == theirs else float(ours < theirs)

    row = [
        known(ours, theirs) for ours in range(-most, width - most) for theirs in range(-most, width - most)
    ]
    shares = [share for *_, share in moving]
    distances = [at(-ours_left, -theirs_left) - at(0, 0) for ours_left, theirs_left, *_ in moving]
    places = [
        (ours_left, theirs_left)
        for ours_left in range(1, deepest + 1)
        for theirs_left in range(ours_left + 1, deepest + 1)
    ]
    places.sort(key=sum)
    reached = {
        (ours_left, theirs_left): sum(
            share * both(ours_left - gained, theirs_left - lost, declarer)
            for gained, lost, declarer, share in moving
        )
        for ours_left, theirs_left in places
        if theirs_left <= most
    }
    deeper = [
        (at(ours_left, theirs_left), at(min(ours_left, deepest), min(theirs_left, deepest)))
        for ours_left in range(1, width - most)
        for theirs_left in range(1, width - most)
        if max(ours_left, theirs_left) > deepest
    ]
    order = [at(ours_left, theirs_left) for ours_left, theirs_left in places]
    mirror = {at(ours_left, theirs_left): at(theirs_left, ours_left) for ours_left, theirs_left in places}
    reached_at = {at(ours_left, theirs_left): share for (ours_left, theirs_left), share in reached.items()}

    def value(here: int) -> float:
        won: float = sum(map(mul, shares, [row[here + distance] for distance in distances]))
        won = (won + reached_at.get(here, 0.0)) / (1 - still)
        row[mirror[here]] = 1 - won  # the same score seen from the other side, which the next ones look up
        return won

    def copy_edges() -> None:
        for there, edge in deeper:
            row[there] = row[edge]

    settle(row, order, value, CLOSE, after_sweep=copy_edges)
    return [
        [row[at(ours_left, theirs_left)] for theirs_left in range(1, deepest + 1)]
        for ours_left in range(1, deepest + 1)
    ]
