"""Points of hands and standings of matches: points for tricks, the rising side, totals."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from nousu.engine.game import Result, Setup
from nousu.engine.messages import Note, sentence
from nousu.engine.seats import Seat, left
from nousu.games.whist.facts import Outcome
from nousu.games.whist.rules import BOOK, TRICKS, Rules, clause, target_clause


def score(
    rules: Rules, kind: Literal["high", "low"], bidder: int | None, tricks: tuple[int, int]
) -> tuple[int, int]:
    """Points of both sides for a hand played out: `kind` high or low, the bidding side, tricks a side.

    >>> from nousu.games.whist import PRESETS
    >>> score(PRESETS["tuppi"], "high", 0, (9, 4))
    (12, 0)
    >>> score(PRESETS["minnesota"], "high", 0, (5, 8))
    (0, 4)
    """
    more = 0 if tricks[0] > BOOK else 1
    over = tricks[more] - BOOK
    points = [0, 0]
    if kind == "high":
        if more == bidder:
            points[more] = rules.high_points * over
        else:
            points[more] = rules.high_fail_points * over
            points[1 - more] = -rules.high_fail_debit * over
    elif rules.low_mode == "credit_winner":
        points[1 - more] = rules.low_points * over
    else:
        points[more] = -rules.low_points * over
    return points[0], points[1]


def payoffs(rules: Rules) -> Iterator[tuple[int, int]]:
    """The points of both sides for every way in which a high or low hand can be played out."""
    bids: tuple[tuple[Literal["high", "low"], int | None], ...] = (("high", 0), ("high", 1), ("low", None))
    for tricks in range(TRICKS + 1):
        for kind, bidder in bids:
            yield score(rules, kind, bidder, (tricks, TRICKS - tricks))


End = tuple[tuple[int, ...], Note]
"""The winner and the reason."""


@dataclass(frozen=True, slots=True)
class Rise:
    """The only side with points is *nousussa* (T-CAT-35, T-CAT-37, T-WIK-01, T-WIK-23)."""

    rules: Rules
    riser: int | None = None
    points: int = 0
    total: tuple[int, int] = (0, 0)
    """Points each side collected while rising, in all."""
    peak: tuple[int, int] = (0, 0)
    """The highest score each side reached while rising."""
    hands: int = 0
    extra: bool = False
    """True while extra hands from 0–0 decide; sums and peaks are frozen."""
    end: End | None = None
    last: tuple[Note, ...] = ()

    def add(self, result: Result, setup: Setup) -> "Rise":
        """The score after a hand: the side that scored in it rises, or topples the other."""
        scorer, points = Outcome.of(result.outcome).scorer, max(result.points)
        assert scorer is not None, "where one side rises every hand is somebody's"
        hands = self.hands + 1
        if self.extra:
            end = ((scorer,), Note("A-T-21", "{side} won the extra hand", {"side": scorer}))
            return replace(self, hands=hands, end=end, last=(end[1],))
        if self.riser == 1 - scorer:
            fallen = {"side": 1 - scorer}
            note = Note(clause(self.rules, "rise"), "{side} falls: the score is back at zero", fallen)
            return replace(self, riser=None, points=0, hands=hands, last=(note,))._at_limit()
        now = self.points + points
        totals = tuple(t + points if team == scorer else t for team, t in enumerate(self.total))
        peaks = tuple(max(p, now) if team == scorer else p for team, p in enumerate(self.peak))
        standing = {"side": scorer, "points": now}
        note = Note(clause(self.rules, "rise"), "{side} is rising with {points}", standing)
        after = Rise(
            self.rules, scorer, now, (totals[0], totals[1]), (peaks[0], peaks[1]), hands, last=(note,)
        )
        if now >= self.rules.target:
            won = Note(
                target_clause(self.rules),
                sentence("{side} wins with {points} point", "{side} wins with {points} points"),
                standing,
            )
            return replace(after, end=((scorer,), won), last=(note, won))
        return after._at_limit()

    def _at_limit(self) -> "Rise":
        """At the hand limit: extension while a side rises (T-WIKT-04), else the criterion decides."""
        rules = self.rules
        if rules.max_hands is None or self.hands < rules.max_hands:
            return self
        if rules.extension and self.riser is not None:
            note = Note(
                "T-WIKT-04", "Hand limit: play goes on until {side} loses a hand", {"side": self.riser}
            )
            return replace(self, last=(*self.last, note))
        return self._by_criteria()

    def _by_criteria(self) -> "Rise":
        rules = self.rules
        figures = {"sum": (self.total, "T-WIKT-03"), "peak": (self.peak, "T-CATT-05")}
        other = "peak" if rules.limit_criterion == "sum" else "sum"
        for step in ("criterion", *rules.limit_tiebreak):
            if step in ("criterion", "other_criterion"):
                criterion = rules.limit_criterion if step == "criterion" else other
                key, cited = figures[criterion]
                message = (
                    sentence(
                        "{side} wins: {points} point collected, against {other}",
                        "{side} wins: {points} points collected, against {other}",
                    )
                    if criterion == "sum"
                    else sentence("{side} wins: highest rise {points}, against {other}")
                )
                if key[0] != key[1]:
                    best = 0 if key[0] > key[1] else 1
                    values = {"side": best, "points": key[best], "other": key[1 - best]}
                    note = Note(cited, message, values)
                    return replace(self, end=((best,), note), last=(*self.last, note))
            elif step == "extra_hands":
                note = Note("A-T-21", "Hand limit and all equal: an extra hand decides")
                return replace(self, riser=None, points=0, extra=True, last=(*self.last, note))
            else:
                break
        drawn = Note("A-T-21", "Hand limit and all equal: the match is drawn")
        return replace(self, end=((), drawn), last=(*self.last, drawn))

    def dealer(self, setup: Setup) -> Seat:
        """The deal moves one seat left (T-CAT-07)."""
        return left(setup.dealer, 4)

    def score(self) -> tuple[int, ...]:
        return tuple(self.points if team == self.riser else 0 for team in (0, 1))

    def winner(self) -> tuple[int, ...] | None:
        return None if self.end is None else self.end[0]

    @classmethod
    def read(cls, rules: Rules, plain: Mapping[str, Any]) -> "Rise":
        """The standing whose `plain` form this is; KeyError or ValueError where it is none."""
        (total, other_total), (peak, other_peak) = plain["total"], plain["peak"]
        alike = {name: plain[name] for name in ("riser", "points", "hands", "extra")}
        return cls(rules, total=(total, other_total), peak=(peak, other_peak), **alike)

    def plain(self) -> Mapping[str, Any]:
        return {
            "model": "single_riser",
            "riser": self.riser,
            "points": self.points,
            "score": list(self.score()),
            "total": list(self.total),
            "peak": list(self.peak),
            "hands": self.hands,
            "target": self.rules.target,
            "extra": self.extra,
        }

    def notes(self) -> tuple[Note, ...]:
        return self.last


@dataclass(frozen=True, slots=True)
class Totals:
    """Totals of both sides (NW-CAT-15, MW-WIK-17), possibly negative (NW-CAT-14)."""

    rules: Rules
    points: tuple[int, int] = (0, 0)
    hands: int = 0
    extra: bool = False
    end: End | None = None
    last: tuple[Note, ...] = ()

    def add(self, result: Result, setup: Setup) -> "Totals":
        """The totals after a hand."""
        now = (self.points[0] + result.points[0], self.points[1] + result.points[1])
        after = replace(self, points=now, hands=self.hands + 1, last=())
        best = 0 if now[0] > now[1] else 1
        values = {"side": best, "points": now[best], "other": now[1 - best]}
        if max(now) >= self.rules.target:
            note = Note(
                target_clause(self.rules),
                sentence(
                    "{side} wins with {points} point against {other}",
                    "{side} wins with {points} points against {other}",
                ),
                values,
            )
            return replace(after, end=((best,), note), last=(note,))
        limit = self.rules.max_hands
        if limit is None or after.hands < limit:
            return after
        if now[0] != now[1]:
            note = Note(
                "A-T-18",
                sentence(
                    "Hand limit: {side} wins with {points} point against {other}",
                    "Hand limit: {side} wins with {points} points against {other}",
                ),
                values,
            )
            return replace(after, end=((best,), note), last=(note,))
        steps = [step for step in self.rules.limit_tiebreak if step != "other_criterion"]
        if steps[:1] == ["extra_hands"]:
            note = Note("A-T-21", "Hand limit and all equal: an extra hand decides")
            return replace(after, extra=True, last=(note,))
        drawn = Note("A-T-21", "Hand limit and all equal: the match is drawn")
        return replace(after, end=((), drawn), last=(drawn,))

    def dealer(self, setup: Setup) -> Seat:
        """The deal moves one seat left (MW-WIK-13)."""
        return left(setup.dealer, 4)

    def score(self) -> tuple[int, ...]:
        return self.points

    def winner(self) -> tuple[int, ...] | None:
        return None if self.end is None else self.end[0]

    @classmethod
    def read(cls, rules: Rules, plain: Mapping[str, Any]) -> "Totals":
        """The standing whose `plain` form this is; KeyError or ValueError where it is none."""
        one, two = plain["score"]
        return cls(rules, (one, two), plain["hands"], plain["extra"])

    def plain(self) -> Mapping[str, Any]:
        return {
            "model": "cumulative",
            "score": list(self.points),
            "hands": self.hands,
            "target": self.rules.target,
            "extra": self.extra,
        }

    def notes(self) -> tuple[Note, ...]:
        return self.last
