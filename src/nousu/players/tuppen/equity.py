"""The value of a game of Tuppen to each player, by backward induction over measured hands.

It is in points of a tournament's table: 5 for the first place, then 3, 2, 1 and 0. Between equal players each
is as likely to win the next hand; its cost to the others was measured, by the number of players left. Its
winner loses nothing and all others at least a point, so the induction ends. In a play-off of the dead for
places, and of new poor men for survival, each is as likely to win.

    from nousu.players.tuppen.equity import equity
    equity("tuppen_zk", (7, 5, 3, 2))  # for each of the four, 2.75 on average
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations

from nousu.games import find
from nousu.games.tuppen import Rules
from nousu.players.equity import EquityReport, MatchScore, Measured, MeasuredHands

__all__ = ["HANDS", "PLACES", "equity", "equity_report", "expected_after", "outcomes"]

PLACES = (5.0, 3.0, 2.0, 1.0, 0.0)
"""Points for the places from the first; further ones bring nothing."""
RARE = 0.004
"""Share below which a way to end is left out."""
MOST = 4
"""The most players left for whom hands were measured."""
HANDS = MeasuredHands(__package__)
"""The measured hands of Tuppen."""


_Ways = tuple[tuple[tuple[int, ...], float], ...]
"""The losses of a hand for those who do not win it, each with its share."""


@lru_cache(64)
def outcomes(preset: str) -> Measured[Mapping[int, _Ways]]:
    """The measured costs of a hand of that preset by the number of players in it.

    ValueError lists the presets for which hands were measured.
    """
    counts = HANDS.counts(preset)
    by_players: dict[int, Counter[tuple[int, ...]]] = {}
    for *losses, count in counts.ways:
        by_players.setdefault(len(losses) + 1, Counter())[tuple(losses)] += count
    ways = {players: shares(losses) for players, losses in by_players.items()}
    return Measured(ways, counts.hands, counts.source)


def shares(counts: Counter[tuple[int, ...]]) -> _Ways:
    """Each way with its share, the rare ones left out."""
    often = [(way, count) for way, count in sorted(counts.items()) if count >= RARE * counts.total()]
    total = sum(count for _, count in often)
    return tuple((way, count / total) for way, count in often)


def equity(preset: str, points: Sequence[int]) -> tuple[float, ...]:
    """The points of the table that each player may expect before a regular hand.

    Args:
        preset: A preset of Tuppen.
        points: The points of each player; 0: out of the game, behind those still in it.

    Raises:
        ValueError: Nobody or more than `MOST` are left, nobody can have such points, or the preset is another
            family's.
    """
    _, rules = find(preset)
    if not isinstance(rules, Rules):
        raise ValueError(f"{preset} is no game of Tuppen")
    alive = sum(had > 0 for had in points)
    if not 1 <= alive <= MOST:
        raise ValueError(f"give the points of 1 to {MOST} players who are left, not of {alive}")
    if min(points) < 0 or max(points) > rules.start_points:
        raise ValueError(f"a player has 0 to {rules.start_points} points")
    table = _table(preset)
    expected = dict(zip(*table.ranked(points), strict=True))
    rest = [seat for seat, had in enumerate(points) if not had]
    return tuple(expected.get(seat, table.mean(alive + 1, len(rest))) for seat in range(len(points)))


def expected_after(rules: Rules, before: Sequence[int], after: Sequence[int]) -> tuple[float, ...] | None:
    """The points of the table that each player may expect after a regular hand.

    Args:
        rules: The rules.
        before: The points of each player before the hand; players without any get 0.
        after: Those after it.

    Returns:
        None where no hands by these rules were measured, or more players are left than they were measured
        for.
    """
    preset = HANDS.preset_of(rules)
    if preset is None or not 2 <= sum(had > 0 for had in before) <= MOST:
        return None
    return _table(preset).settled(tuple(before), tuple(after))


def equity_report(preset: str, score: MatchScore) -> EquityReport:
    """Report of `nousu equity` on a score; errors as in `equity`."""
    if score.totals or score.peaks or score.hands:
        raise ValueError("in Tuppen only everybody's points count: write 7-5-3-2")
    points = score.points or (find(preset)[1].start_points,) * MOST
    measured, expected = outcomes(preset), equity(preset, points)
    sentence = f"their places bring {', '.join(f'{value:.2f}' for value in expected)} points on average"
    figures = {"expected": [round(value, 6) for value in expected]}
    ways = measured.ways.get(sum(had > 0 for had in points), ())
    return EquityReport(points, figures, sentence, "costs", ways, measured.hands, measured.source)


class _PlacesInduction:
    """The expectations of one preset, calculated when they are asked for."""

    def __init__(self, rules: Rules, measured: Measured[Mapping[int, _Ways]]) -> None:
        self._rules = rules
        self._ways = measured.ways
        self._known: dict[tuple[int, ...], tuple[float, ...]] = {}
        self._settled: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[float, ...]] = {}

    def mean(self, first: int, count: int) -> float:
        """The points for the places from `first` on, shared by `count` players."""
        if not self._rules.dead_playoff:
            return _worth(first)
        return sum(map(_worth, range(first, first + count))) / max(1, count)

    def ranked(self, points: Sequence[int]) -> tuple[list[int], tuple[float, ...]]:
        """The seats still in the game, most points first, and their expectations before a regular hand."""
        seats = sorted([seat for seat, had in enumerate(points) if had], key=lambda seat: -points[seat])
        return seats, self._before(tuple(points[seat] for seat in seats))

    def _before(self, points: tuple[int, ...]) -> tuple[float, ...]:
        """The same for points in falling order."""
        if len(points) == 1:
            return (_worth(1),)
        expected = self._known.get(points)
        if expected is None:
            sums = [0.0] * len(points)
            for change, share in _spread(self._ways[len(points)], max(points)):
                after = tuple(max(0, had - lost) for had, lost in zip(points, change, strict=True))
                for seat, value in enumerate(self.settled(points, after)):
                    sums[seat] += share * value
            expected = self._known[points] = tuple(sums)
        return expected

    def settled(self, before: tuple[int, ...], after: tuple[int, ...]) -> tuple[float, ...]:
        """The expectations after a regular hand: first the dead play off, then new poor men."""
        key = before, after
        known = self._settled.get(key)
        if known is not None:
            return known
        expected = [0.0] * len(before)
        dead = [seat for seat, had in enumerate(after) if before[seat] and not had]
        alive = sum(had > 0 for had in after)
        for seat in dead:
            expected[seat] = self.mean(alive + 1, len(dead))
        poor = self._new_poor(before, after)
        for survivor in poor or (None,):
            points = [0 if seat in poor and seat != survivor else had for seat, had in enumerate(after)]
            share = 1 / max(1, len(poor))
            left = sum(had > 0 for had in points)
            for seat in poor:
                if seat != survivor:
                    expected[seat] += share * self.mean(left + 1, len(poor) - 1)
            for seat, value in zip(*self.ranked(points), strict=True):
                expected[seat] += share * value
        self._settled[key] = tuple(expected)
        return self._settled[key]

    def _new_poor(self, before: tuple[int, ...], after: tuple[int, ...]) -> tuple[int, ...]:
        """The players that have one point now and play for survival (A-U-16); none if there is only one."""
        rules = self._rules
        if "off" in (rules.poor_man, rules.poor_playoff):
            return ()
        old = rules.poor_playoff == "any"
        poor = tuple(seat for seat, had in enumerate(after) if had == 1 and (old or before[seat] > 1))
        return poor if len(poor) > 1 else ()


def _worth(place: int) -> float:
    return PLACES[place - 1] if place <= len(PLACES) else 0.0


@lru_cache(64)
def _table(preset: str) -> _PlacesInduction:
    rules = find(preset)[1]
    assert isinstance(rules, Rules)
    return _PlacesInduction(rules, outcomes(preset))


@lru_cache(64)
def _spread(ways: _Ways, most: int) -> _Ways:
    """The losses of each seat with their shares: each is as likely to win, and losses are dealt at random.

    A loss of more than `most`, the points of the richest, counts as that.
    """
    shares_by_change: dict[tuple[int, ...], float] = {}
    for losses, share in ways:
        arranged = Counter(permutations((0, *(min(most, lost) for lost in losses))))
        for change, count in arranged.items():
            shares_by_change[change] = shares_by_change.get(change, 0.0) + share * count / arranged.total()
    return tuple(shares_by_change.items())
