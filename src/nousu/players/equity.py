"""Match equity: the worth of a score between two hands when all play equally well.

Equity rests on measured hands: the endings of a preset's hands between equal players, with the share of
each. Backward induction over these endings gives the value of every score. Where a score can come
back, the values are those that agree with themselves (`settle`). ``<family>/equity.py`` knows the scores and
the effect of an ending on them; `EquityFamily` is its interface.

    from nousu.players.equity import MatchScore, equity_report
    equity_report("tuppi", MatchScore((48, 0))).sentence
"""

import json
from collections.abc import Callable, Hashable, Iterator, Mapping, MutableMapping, MutableSequence, Sequence
from functools import cached_property
from importlib.resources import files
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

from nousu.engine.game import Tally
from nousu.extensions import Point, extension
from nousu.games import find

__all__ = [
    "EquityFamily",
    "EquityReport",
    "HandCounts",
    "MatchScore",
    "Measured",
    "MeasuredHands",
    "SideOutcome",
    "WinChances",
    "both_ways",
    "chance_when_over",
    "equity_report",
    "settle",
    "side_report",
    "win_chances",
]


class MatchScore(NamedTuple):
    """A score between two hands."""

    points: tuple[int, ...] = ()
    """Points of both sides, or of every player where each plays alone; empty: the start of a match."""
    totals: tuple[int, int] | None = None
    """Points collected in all, where the number of hands is limited."""
    peaks: tuple[int, int] | None = None
    """The highest rises, where they decide at that limit."""
    hands: int = 0
    """Hands played, where their number is limited."""


class EquityReport(NamedTuple):
    """The value of a score, and the measured hands behind it."""

    points: Sequence[int]
    figures: Mapping[str, object]
    """The value by name, for programs."""
    sentence: str
    verb: str
    """The verb for the ways listed: a hand ends so, or costs so much."""
    ways: Sequence[tuple[Sequence[int], float]]
    """The measured endings of a hand, with their shares."""
    hands: int
    """Hands played to measure them."""
    source: str
    """The command that measured them."""


class EquityFamily(Protocol):
    """The interface of ``<family>/equity.py``."""

    def equity_report(self, preset: str, score: MatchScore) -> EquityReport:
        """The value of a score by these rules; ValueError where its matches have no such score."""


class WinChances(Protocol):
    """An optional part of ``<family>/equity.py``, for games of two sides."""

    def win_chance(self, tally: Tally) -> float | None:
        """The chance of North–South to win the match; None where no hands by these rules were measured."""


def win_chances(game: str) -> WinChances | None:
    """The measured chances of two sides in this family of games; None where it has none."""
    return extension(WinChances, Point.PLAYERS, game, "equity")


def equity_report(preset: str, score: MatchScore) -> EquityReport:
    """The value of a score by these rules when all play equally well.

    Raises:
        BadRules: There is no such preset.
        ValueError: No hands of it were measured, or its matches have no such score.
    """
    family = extension(EquityFamily, Point.PLAYERS, find(preset)[0].name, "equity")
    if family is None:
        raise ValueError(f"no hands of {preset} were measured")
    return family.equity_report(preset, score)


# ---------------------------------------------------------------------------------------- measured hands


class HandCounts(NamedTuple):
    """Frequencies of the ways in which hands of a preset ended."""

    ways: Sequence[Sequence[Any]]
    """A way for a hand to end, as the family writes it, followed by its count."""
    hands: int
    source: str
    """The command that measured them."""


Ways = TypeVar("Ways")


class Measured(NamedTuple, Generic[Ways]):
    """The measured endings of a hand, each with its share of the hands."""

    ways: Ways
    hands: int
    """Hands played to measure them; where two sides play each counts for both."""
    source: str
    """The command that measured them."""


class SideOutcome(NamedTuple):
    """One ending of a hand of two sides."""

    points: tuple[int, int]
    side: int | None
    """The side that scored, or that played a contract; None where there was none."""
    share: float


class MeasuredHands:
    """The file ``outcomes.json`` of a family: measured hands by preset."""

    def __init__(self, package: str) -> None:
        self._package = package

    @cached_property
    def _counts(self) -> Mapping[str, Mapping[str, Any]]:
        text = files(self._package).joinpath("outcomes.json").read_text(encoding="utf-8")
        counts: Mapping[str, Mapping[str, Any]] = json.loads(text)
        return counts

    @cached_property
    def presets(self) -> tuple[str, ...]:
        """The presets for which hands were measured."""
        return tuple(self._counts)

    @cached_property
    def _presets_by_rules(self) -> Mapping[object, str]:
        return {find(name)[1]: name for name in reversed(self.presets)}

    def counts(self, preset: str) -> HandCounts:
        """The measured hands of that preset; ValueError lists the presets that have some."""
        if preset not in self.presets:
            raise ValueError(f"no hands of {preset} were measured; there are {', '.join(self.presets)}")
        return HandCounts(**self._counts[preset])

    def preset_of(self, rules: Hashable) -> str | None:
        """The measured preset that has exactly these rules; None where there is none."""
        return self._presets_by_rules.get(rules)


def both_ways(counts: Sequence[tuple[tuple[int, int], int | None, int]]) -> Iterator[SideOutcome]:
    """Each counted ending (points, side, count) once for either side: the sides are equally strong."""
    total = 2 * sum(count for *_, count in counts)
    for (one, two), side, count in counts:
        yield SideOutcome((one, two), side, count / total)
        yield SideOutcome((two, one), None if side is None else 1 - side, count / total)


# --------------------------------------------------------------------------------------- backward induction

State = TypeVar("State")


def settle(
    values: MutableMapping[State, float] | MutableSequence[float],
    order: Sequence[State],
    value: Callable[[State], float],
    close: float,
    followed: frozenset[State] | None = None,
    after_sweep: Callable[[], None] | None = None,
) -> None:
    """Calculate values that depend on each other by sweeps, in place, until they agree with themselves.

    Args:
        values: The value of each state; the ones given are where the first sweep starts.
        order: The states of a sweep; a state that depends on later ones only is settled by one sweep.
        value: The value of a state by the present values of the others.
        close: The sweeps end once no followed value changes by more; infinity for a single sweep.
        followed: The states whose change counts; all where None.
        after_sweep: A call after each sweep.
    """
    known = cast("MutableMapping[State, float]", values)
    while True:
        change = 0.0
        for state in order:
            now = value(state)
            if followed is None or state in followed:
                change = max(change, abs(now - known[state]))
            known[state] = now
        if after_sweep is not None:
            after_sweep()
        if change <= close:
            return


def chance_when_over(winner: Sequence[int]) -> float:
    """The chance of North–South once a match is over: 1 won, 0 lost, one half drawn."""
    return 0.5 if len(winner) != 1 else float(winner[0] == 0)


def side_report(
    points: Sequence[int], won: float, measured: Measured[tuple[SideOutcome, ...]]
) -> EquityReport:
    """The report where two sides play; `won` is the chance of North–South."""
    sentence = f"North–South win {100 * won:.1f} % of the matches"
    ways = [(way.points, way.share) for way in measured.ways]
    figures = {"wins": round(won, 6)}
    return EquityReport(points, figures, sentence, "ends", ways, measured.hands, measured.source)
