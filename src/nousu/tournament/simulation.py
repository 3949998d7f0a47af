"""Whole events with computer players.

They measure the wins of the strongest, the worth of seats and table sizes, the hands of an evening. This
file knows no cards: `Play` is passed in from above and plays one table. Everything else is the office's own:
draw, plan, slips, standings. The same seed gives the same events, whatever executor runs them.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from nousu.tournament.draw import draw
from nousu.tournament.history import after, tournament
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Format, Json, Round, Tournament, round_of


class Job(NamedTuple):
    """A table to play."""

    kind: str
    """tuppen, tuppi or drive"""
    preset: str
    seats: tuple[str, ...]
    """The computer player at each seat of the slip; in pairs both partners are the same."""
    games: int
    """Games of a series; else 1."""
    hands: int
    """Number of hands of a match or of a round of a drive; 0: any."""
    decided: bool
    """True if the match must have a winner (a cup match)."""
    seed: str


class SimulatedResult(NamedTuple):
    """The result of a table."""

    words: tuple[str, ...]
    """The words of the slip."""
    hands: tuple[int, ...]
    """Hands played, game by game."""


Play = Callable[[Job], SimulatedResult]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationSetup:
    """The event to simulate."""

    format: Format
    entrants: int
    """People, or pairs where pairs enter."""
    seed: int = 1
    strong: str = "rules"
    """The computer player that is the strongest one."""
    others: str = "random"
    """The player of all others."""
    rounds: tuple[Round, ...] = ()
    """The plan that all events share, as TU-ZK-I2 has it; numbers are drawn anew in each."""


@dataclass(frozen=True, slots=True)
class SimulatedEvent:
    """The result of one event."""

    number: int
    rank: int
    """The final rank of the strongest."""
    share: float
    """1 if the strongest won alone, 1/k where k share the first rank and no play-off decided."""
    points: tuple[tuple[int, int, float], ...]
    """(table size, seat from 0, points) for every game a seat played."""
    hands: tuple[int, ...]
    """Hands of every game."""
    longest: int
    """Number of hands one after another: the slowest table of every round, summed."""


def with_plan(setup: SimulationSetup, seconds: float) -> SimulationSetup:
    """The setup with the plan that all its events share."""
    state = _simulated_event(setup, 0)
    return replace(setup, rounds=setup.format.plan(state, start="", seed=setup.seed, seconds=seconds))


def _simulated_event(setup: SimulationSetup, number: int) -> Tournament:
    """An event with everybody entered and numbered; the first one entered is the strongest."""
    names = [f"E{at}" for at in range(1, setup.entrants + 1)]
    people = [{"members": [f"{name}a", f"{name}b"] if setup.format.pairs else [name]} for name in names]
    shown = [" & ".join(person["members"]) for person in people]
    seed = f"{setup.seed}/{number}"
    return tournament(
        [
            _body(1, "opened", version=1, name="Simulation", format=setup.format.to_json()),
            _body(2, "entered", people=people),
            _body(3, "drawn", seed=seed, names=shown, numbers=[at + 1 for at in draw(seed, shown)]),
        ]
    )


def _body(entry: int, do: str, by: str = "one", **fields: Any) -> Json:
    return {"n": entry, "at": "2026-01-01T00:00:00+00:00", "by": by, "do": do, **fields}


class _Evening:
    """An event being played."""

    def __init__(self, setup: SimulationSetup, number: int, play: Play) -> None:
        self.setup, self.number, self.play = setup, number, play
        self.state = _simulated_event(setup, number)
        self.entry = 3
        self.points: list[tuple[int, int, float]] = []
        self.hands: list[int] = []
        self.longest = 0

    def do(self, kind: str, by: str = "one", **fields: Any) -> None:
        self.entry += 1
        self.state = after(self.state, _body(self.entry, kind, by, **fields))

    def plan(self, rounds: Sequence[Round]) -> None:
        self.do("planned", rounds={played.label: played.tables for played in rounds})

    def play_open(self) -> None:
        """Play every table that has no slip, and settle it."""
        slowest: dict[str, int] = {}
        for table in self.state.missing():
            label, seats = round_of(table), self.state.seats(table)
            players = tuple(
                self.setup.strong if self.state.numbers[seat - 1] == 1 else self.setup.others
                for seat in seats
            )
            kind = self.setup.format
            job = Job(
                kind.name,
                kind.preset,
                players,
                kind.slips.games_at(table),
                kind.slips.lines_at(table),
                label[0] == "C",
                f"{self.setup.seed}/{self.number}/{table}",
            )
            outcome = self.play(job)
            result = kind.slips.parse(self.state, table, outcome.words)
            self.points += [
                (len(seats), seat, points) for seat, points in kind.slips.seat_points(table, result)
            ]
            self.do("slip", table=table, result=result.to_json())
            self.do("confirmed", by="two", table=table)
            self.do("accepted", tables=[table])
            self.hands += outcome.hands
            slowest[label] = max(slowest.get(label, 0), sum(outcome.hands))
        self.longest += sum(slowest.values())

    def finish(self) -> SimulatedEvent:
        """Play to the very end: later cup rounds and the Stechen too."""
        self.plan(self.setup.rounds)
        self.play_open()
        while self.state.format.unfinished(self.state):
            if any(todo.action == "stechen" for todo in self.state.format.unfinished(self.state)):
                self.plan([self.state.format.stechen(self.state)])
            else:
                self.plan(self.state.format.plan(self.state, start="", seed=1, seconds=0.1))
            self.play_open()
        standings = self.state.format.standings(self.state)
        rows = standings.sections[0].rows
        mine = self.state.numbers.index(1) + 1
        rank = next((row.rank for row in rows if row.number == mine), len(rows) + 1)
        first = [row.number for row in rows if row.rank == 1]
        share = float(mine in standings.cup) if standings.cup else (1 / len(first) if mine in first else 0.0)
        return SimulatedEvent(self.number, rank, share, tuple(self.points), tuple(self.hands), self.longest)


def run_event(setup: SimulationSetup, number: int, play: Play) -> SimulatedEvent:
    """Play one event: the unit of work that is handed to an executor."""
    return _Evening(setup, number, play).finish()


def run_events(
    setup: SimulationSetup, runs: int, play: Play, executor: Executor | None = None
) -> Iterator[SimulatedEvent]:
    """Simulate `runs` events; yield each as it is finished. A setup without a plan is refused."""
    if not setup.rounds:
        raise Refusal("plan the event first")
    if executor is None:
        for number in range(1, runs + 1):
            yield run_event(setup, number, play)
        return
    waiting = [executor.submit(run_event, setup, number, play) for number in range(1, runs + 1)]
    for future in as_completed(waiting):
        yield future.result()


@dataclass(frozen=True, slots=True)
class SimulationFigure:
    """A mean and half the width of its 95 % interval."""

    mean: float
    half: float
    count: int


def figure(values: Sequence[float]) -> SimulationFigure:
    """Mean and interval of some values."""
    count = len(values)
    if not count:
        return SimulationFigure(0.0, 0.0, 0)
    mean = sum(values) / count
    if count == 1:
        return SimulationFigure(mean, math.inf, 1)
    spread = sum((value - mean) ** 2 for value in values) / (count - 1)
    return SimulationFigure(mean, 1.96 * math.sqrt(spread / count), count)


@dataclass(frozen=True, slots=True)
class SimulatedShare:
    """The frequency of an outcome, with the 95 % interval of Wilson (which stays honest near 0 and 1)."""

    part: float
    low: float
    high: float
    count: int


def share(values: Sequence[float]) -> SimulatedShare:
    """The mean of values between 0 and 1."""
    count = len(values)
    if not count:
        return SimulatedShare(0.0, 0.0, 1.0, 0)
    part, z = sum(values) / count, 1.96
    middle = (part + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(part * (1 - part) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return SimulatedShare(part, max(0.0, middle - half), min(1.0, middle + half), count)


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of all events together."""

    runs: int
    entrants: int
    wins: SimulatedShare
    """Share of events won by the strongest (shared first places in parts)."""
    chance: float
    """Share of events that one of this many equals would win."""
    rank: SimulationFigure
    ranks: dict[int, int] = field(default_factory=dict)
    """Number of events by rank of the strongest."""
    seats: dict[tuple[int, int], SimulationFigure] = field(default_factory=dict)
    """Points a game by (table size, seat from 1)."""
    sizes: dict[int, SimulationFigure] = field(default_factory=dict)
    """Points a game by table size."""
    hands: SimulationFigure = SimulationFigure(0.0, 0.0, 0)
    """Hands a game (a match, a round)."""
    longest: SimulationFigure = SimulationFigure(0.0, 0.0, 0)
    """Hands one after another in an event."""


def summary(setup: SimulationSetup, events: Sequence[SimulatedEvent]) -> Summary:
    """The figures of all events; the order in which they finished does not matter."""
    ordered = sorted(events, key=lambda event: event.number)
    by_seat: dict[tuple[int, int], list[float]] = {}
    by_size: dict[int, list[float]] = {}
    ranks: dict[int, int] = {}
    for event in ordered:
        ranks[event.rank] = ranks.get(event.rank, 0) + 1
        for size, seat, points in event.points:
            by_seat.setdefault((size, seat + 1), []).append(points)
            by_size.setdefault(size, []).append(points)
    return Summary(
        len(ordered),
        setup.entrants,
        share([event.share for event in ordered]),
        1 / setup.entrants,
        figure([event.rank for event in ordered]),
        dict(sorted(ranks.items())),
        {key: figure(by_seat[key]) for key in sorted(by_seat)},
        {key: figure(by_size[key]) for key in sorted(by_size)},
        figure([hands for event in ordered for hands in event.hands]),
        figure([event.longest for event in ordered]),
    )
