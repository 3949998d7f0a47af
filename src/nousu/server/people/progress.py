"""A person's progress by the reviews of their hands: clear mistakes, and costly habits.

Missing reviews of finished matches are begun at a visit, behind everything else.
"""

import contextlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import sqrt
from statistics import fmean, variance
from typing import Any, NamedTuple

from nousu.engine.actions import Action
from nousu.review import HandReview, JudgedChoice, codec
from nousu.server.errors import RequestError
from nousu.server.live.reviews import ReviewKey, ReviewSubject, review_subject
from nousu.server.people.history import hands_of
from nousu.server.people.server import Server
from nousu.server.people.sessions import Session
from nousu.server.storage.people import ReviewRow, SeatRow
from nousu.server.table.record import timeline

MOST = 600
"""Greatest number of reviews that are read, latest first."""
LATE = 12
"""Number of latest tables searched for hands without review."""
BEHIND = 60
"""Greatest number of hands whose reviews are begun at one visit."""
FEW = 20
"""Least number of choices of a kind that make a habit."""
MISTAKES = ("mistake", "lucky")
"""Verdicts of clear mistakes."""


class Mistake(NamedTuple):
    """A clear mistake of this person."""

    table: str
    hand: int
    """The index of the hand among the finished ones, from 1."""
    review: HandReview
    judged: JudgedChoice


class LevelCost(NamedTuple):
    """The average cost of a kind of choice for computer players of a level, in tricks a choice."""

    name: str
    mean: float
    half: float
    """Half of the 95 % interval."""


class Habit(NamedTuple):
    """The average cost of a person's choices of one kind, in tricks a choice."""

    family: str
    kind: str
    times: int
    mean: float
    half: float
    """Half of the 95 % interval."""
    levels: tuple[LevelCost, ...]


class CostChange(NamedTuple):
    """The change of the average cost of a person's choices of one kind, in tricks a choice."""

    kind: str
    before: float
    now: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningProgress:
    """Mistakes and habits of a person."""

    mistakes: tuple[Mistake, ...]
    """The mistakes, the costliest first, in tricks."""
    habits: tuple[Habit, ...]
    changes: tuple[CostChange, ...]
    """Kinds of choices with a clear change lately, the greatest change first."""
    hands: int
    """Number of hands reviewed."""
    waiting: int
    """Number of latest hands whose reviews are being made."""


async def load_progress(server: Server, session: Session) -> LearningProgress:
    """The progress of a person; missing reviews are begun."""
    await server.limits.hit("mine", session.id)
    rows = await server.store.people.reviews(session.id, codec.VERSION, MOST)
    wanted = await _missing(server, session, {(row.table_id, row.hand) for row in rows})
    ready = await server.reviews.ready(wanted, session.id)
    if ready:
        rows = await server.store.people.reviews(session.id, codec.VERSION, MOST)
    reviews = _read(rows)
    mistakes = [
        Mistake(table, hand, review, judged)
        for (table, hand), review in reviews.items()
        for judged in review.judged
        if judged.verdict in MISTAKES
    ]
    mistakes.sort(key=lambda mistake: -mistake.judged.cost.mean / mistake.review.unit)
    return LearningProgress(
        mistakes=tuple(mistakes),
        habits=habits_of(tuple(reviews.values())),
        changes=changes_of(tuple(reviews.values())),
        hands=len(reviews),
        waiting=len(wanted) - len(ready),
    )


async def earlier_reviews(server: Server, session: Session, table: str, game: str) -> list[HandReview]:
    """The reviews of a person's hands of a game family at other tables."""
    rows = await server.store.people.reviews(session.id, codec.VERSION, MOST)
    reviews = _read([row for row in rows if row.table_id != table])
    return [review for review in reviews.values() if review.game == game]


async def find_mistake(server: Server, session: Session, table: str, hand: int, step: int) -> Mistake | None:
    """The mistake of a person at a step of a hand; None where there is none."""
    await server.limits.hit("act", session.id)
    rows = await server.store.people.reviews(session.id, codec.VERSION, MOST)
    for (at, index), review in _read(rows).items():
        for judged in review.judged:
            if (at, index, judged.step) == (table, hand, step) and judged.verdict in MISTAKES:
                return Mistake(table, hand, review, judged)
    return None


async def _missing(
    server: Server, session: Session, reviewed: set[tuple[str, int]]
) -> dict[ReviewKey, ReviewSubject]:
    """Hands of the latest finished matches without review for this person."""
    wanted: dict[ReviewKey, ReviewSubject] = {}
    for row in await server.store.people.tables(session.id, LATE):
        done = sum(table == row.table_id for table, _ in reviewed)
        if not row.over or _hands(row) <= done:
            continue
        with contextlib.suppress(RequestError):
            table = (await server.tables.room(row.table_id)).table
            if not table.over or table.options.branch is not None:
                continue
            for index, seat in hands_of(table, session.id).items():
                subject = review_subject(table, index, seat)
                if subject.session and (table.id, index) not in reviewed and len(wanted) < BEHIND:
                    whole = timeline(table, session.id, index).whole
                    wanted[ReviewKey(table.id, index, seat, whole, True)] = subject
    return wanted


def _hands(row: SeatRow) -> float:
    """Number of hands of a match; very many if it is not known."""
    result = json.loads(row.result) if row.result else {}
    return float(result.get("hands", 1e9))


def _read(rows: Sequence[ReviewRow]) -> dict[tuple[str, int], HandReview]:
    """The reviews by table and hand, latest first; the one that speaks of all cards where there are two."""
    reviews: dict[tuple[str, int], HandReview] = {}
    for row in sorted(rows, key=lambda row: not row.seen):
        key = (row.table_id, row.hand)
        if key not in reviews:
            with contextlib.suppress(KeyError, TypeError, ValueError):
                reviews[key] = codec.decode(row.body)
    order = {(row.table_id, row.hand): at for at, row in reversed(list(enumerate(rows)))}
    return dict(sorted(reviews.items(), key=lambda item: order[item[0]]))


def _costs(reviews: Sequence[HandReview]) -> Mapping[tuple[str, str], Sequence[float]]:
    """The costs of choices in tricks, by family and kind of choice, in the order of the reviews."""
    costs: dict[tuple[str, str], list[float]] = defaultdict(list)
    for review in reviews:
        for choice in review.weighed:
            costs[review.game, choice.kind].append(choice.cost / review.unit)
    return costs


def habits_of(reviews: Sequence[HandReview]) -> tuple[Habit, ...]:
    """The average costs of choices by kind, the costliest first, without kinds of few or unclear costs."""
    costs = _costs(reviews)
    habits = [_habit(family, kind, some) for (family, kind), some in costs.items() if len(some) >= FEW]
    clear = [habit for habit in habits if habit.mean > habit.half]
    return tuple(sorted(clear, key=lambda habit: -habit.mean))


def changes_of(reviews: Sequence[HandReview]) -> tuple[CostChange, ...]:
    """The kinds of choices whose last `FEW` cost clearly more or less than the `FEW` before them.

    Args:
        reviews: Of a person's hands, the latest first.
    """
    found = []
    for (_, kind), some in _costs(reviews).items():
        now, before = some[:FEW], some[FEW : 2 * FEW]
        if len(before) == FEW:
            change = CostChange(kind, fmean(before), fmean(now))
            half = 1.96 * sqrt((variance(before) + variance(now)) / FEW)
            if abs(change.now - change.before) > half:
                found.append(change)
    return tuple(sorted(found, key=lambda change: -abs(change.now - change.before)))


def _habit(family: str, kind: str, costs: Sequence[float]) -> Habit:
    measured: Mapping[str, Any] = _levels().get(family, {}).get(kind, {})
    levels = tuple(LevelCost(name, row[1], row[2]) for name, row in measured.items())
    return Habit(family, kind, len(costs), fmean(costs), 1.96 * sqrt(variance(costs) / len(costs)), levels)


@cache
def _levels() -> Mapping[str, Any]:
    text = files("nousu.review").joinpath("levels.json").read_text(encoding="utf-8")
    levels: Mapping[str, Any] = json.loads(text)["levels"]
    return levels


def is_solution(judged: JudgedChoice, action: Action) -> bool:
    """Whether an action is the best one, or worth as much."""
    if action == judged.best or (judged.best is None and action != judged.action):
        return True
    best = max((option.value for option in judged.options), default=0.0)
    enough = best - abs(judged.cost.mean) / 10
    return any(option.action == action and option.value >= enough for option in judged.options)
