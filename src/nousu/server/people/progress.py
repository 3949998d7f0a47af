"""What a person learns from, by the reviews of their hands: clear mistakes, and what they give away by habit.

Reviews of finished matches that are not there yet are begun at a visit, behind everything else.
"""

import contextlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import Any, NamedTuple

from nousu.engine.actions import Action
from nousu.review import HandReview, Judged, codec
from nousu.server.errors import RequestError
from nousu.server.live.reviews import Asked, Finished, finished
from nousu.server.live.tables import Desk
from nousu.server.people.history import hands_of
from nousu.server.people.sessions import Session
from nousu.server.storage.people import ReviewRow, SeatRow

MOST = 600
"""Reviews that are read, those of late first."""
LATE = 12
"""Tables of late that are looked into for hands not reviewed yet."""
BEHIND = 60
"""Hands at most whose reviews are begun at one visit."""
FEW = 5
"""Choices of a kind below which nothing is said of a habit."""
MISTAKES = ("mistake", "lucky")


class Mistake(NamedTuple):
    """A clear mistake of this person."""

    table: str
    hand: int
    """The hand's place among the finished ones of the match."""
    review: HandReview
    judged: Judged


class Level(NamedTuple):
    """What computer players of a level give away."""

    name: str
    mean: float
    half: float


class Habit(NamedTuple):
    """What this person gives away by one kind of choice, in tricks a choice."""

    family: str
    kind: str
    times: int
    mean: float
    half: float
    """Half of the 95 % interval."""
    levels: tuple[Level, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """All of it."""

    mistakes: tuple[Mistake, ...]
    habits: tuple[Habit, ...]
    hands: int
    """Hands behind it."""
    waiting: int
    """Hands of late whose reviews are being worked out."""


async def gathered(desk: Desk, session: Session) -> Learned:
    """What this person may learn from."""
    await desk.limits.hit("mine", session.id)
    rows = await desk.store.mine.reviews(session.id, codec.VERSION, MOST)
    wanted = await _missing(desk, session, {(row.table_id, row.hand) for row in rows})
    found = await desk.reviews.all_of(wanted, session.id)
    if found:
        rows = await desk.store.mine.reviews(session.id, codec.VERSION, MOST)
    reviews = _read(rows)
    mistakes = [
        Mistake(table, hand, review, one)
        for (table, hand), review in reviews.items()
        for one in review.judged
        if one.verdict in MISTAKES
    ]
    return Learned(
        mistakes=tuple(mistakes),
        habits=habits(tuple(reviews.values())),
        hands=len(reviews),
        waiting=len(wanted) - len(found),
    )


async def mistake(desk: Desk, session: Session, table: str, hand: int, step: int) -> Mistake | None:
    """One of this person's mistakes; None where there is none there."""
    await desk.limits.hit("act", session.id)
    rows = await desk.store.mine.reviews(session.id, codec.VERSION, MOST)
    for (at, index), review in _read(rows).items():
        for one in review.judged:
            if (at, index, one.step) == (table, hand, step) and one.verdict in MISTAKES:
                return Mistake(table, hand, review, one)
    return None


async def _missing(desk: Desk, session: Session, known: set[tuple[str, int]]) -> dict[Asked, Finished]:
    """Hands of finished matches of late that are not reviewed yet for this person."""
    wanted: dict[Asked, Finished] = {}
    for row in await desk.store.mine.tables(session.id, LATE):
        done = sum(table == row.table_id for table, _ in known)
        if not row.over or _hands(row) <= done:
            continue
        with contextlib.suppress(RequestError):
            table = (await desk.room(row.table_id)).table
            if not table.over or table.rehearses is not None:
                continue
            for index, seat in hands_of(table, session.id).items():
                what = finished(table, index, seat)
                if what.session and (table.id, index) not in known and len(wanted) < BEHIND:
                    whole = table.story(session.id, index).whole
                    wanted[Asked(table.id, index, seat, whole, True)] = what
    return wanted


def _hands(row: SeatRow) -> float:
    """How many hands that match had; not known yet: very many."""
    result = json.loads(row.result) if row.result else {}
    return float(result.get("hands", 1e9))


def _read(rows: Sequence[ReviewRow]) -> dict[tuple[str, int], HandReview]:
    """The reviews by table and hand, those of late first; the one that speaks of all cards where there are
    two."""
    found: dict[tuple[str, int], HandReview] = {}
    for row in sorted(rows, key=lambda row: not row.seen):
        key = (row.table_id, row.hand)
        if key not in found:
            with contextlib.suppress(KeyError, TypeError, ValueError):
                found[key] = codec.read(row.body)
    order = {(row.table_id, row.hand): at for at, row in reversed(list(enumerate(rows)))}
    return dict(sorted(found.items(), key=lambda one: order[one[0]]))


def habits(reviews: Sequence[HandReview]) -> tuple[Habit, ...]:
    """What these choices gave away, by their kind, the dearest kind first."""
    costs: dict[tuple[str, str], list[float]] = defaultdict(list)
    for review in reviews:
        for one in review.weighed:
            costs[(review.game, one.kind)].append(one.cost / review.unit)
    found = [_habit(family, kind, some) for (family, kind), some in costs.items() if len(some) >= FEW]
    return tuple(sorted(found, key=lambda one: -one.mean))


def _habit(family: str, kind: str, costs: Sequence[float]) -> Habit:
    mean = sum(costs) / len(costs)
    spread = sum((cost - mean) ** 2 for cost in costs) / (len(costs) - 1)
    measured: Mapping[str, Any] = _levels().get(family, {}).get(kind, {})
    levels = tuple(Level(name, row[1], row[2]) for name, row in measured.items())
    return Habit(family, kind, len(costs), mean, 1.96 * sqrt(spread / len(costs)), levels)


@cache
def _levels() -> Mapping[str, Any]:
    text = files("nousu.review").joinpath("levels.json").read_text(encoding="utf-8")
    found: Mapping[str, Any] = json.loads(text)["levels"]
    return found


def answered(judged: Judged, action: Action) -> bool:
    """Whether that is what a strong player would do: the best action, or one that is worth as much."""
    if action == judged.best or (judged.best is None and action != judged.action):
        return True
    best = max((option.value for option in judged.options), default=0.0)
    enough = best - abs(judged.cost.mean) / 10
    return any(option.action == action and option.value >= enough for option in judged.options)
