"""The problem of the day, a person's answers to it, and their days in a row with an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from nousu.server.people.server import Server
from nousu.server.people.sessions import Session
from nousu.server.storage.daily import DailyRow
from nousu.teaching.problems import SolvedProblem, daily, problem, sealed

ENOUGH = 20
"""Answers of others from which on these are told."""
FIRST = date(2026, 1, 1)
"""The day of number 1."""
LATELY = 14
"""Days that count as lately."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyProblem:
    """The problem of a day, and what a person may know of the answers."""

    task: SolvedProblem
    number: int
    answered: int
    """The number of answers, the person's own included."""
    mine: DailyRow | None
    """The person's own answer."""
    streak: int
    others: Mapping[str, int]
    """The number of others who gave each answer; empty before the own one, and while they are few."""
    line: str
    """The line that the seal of this day was made of; empty before the own answer."""
    seal: str
    next_seal: str
    """The seal of the next day."""


async def daily_problem(server: Server, session: Session, day: date) -> DailyProblem:
    """The problem of a day as a person may see it."""
    secret = server.daily_secret
    task = problem(*daily(day, secret))
    assert task is not None
    rows = server.store.daily
    mine = await rows.of(session.id) if session.id else ()
    own = next((row for row in mine if row.day == day.isoformat()), None)
    counts = await rows.count(day.isoformat())
    others = dict(counts)
    if own is not None:
        others[own.act] = others.get(own.act, 1) - 1
    told = own is not None and sum(others.values()) >= ENOUGH
    line, seal = sealed(day, secret)
    return DailyProblem(
        task=task,
        number=(day - FIRST).days + 1,
        answered=sum(counts.values()),
        mine=own,
        streak=streak(mine, day),
        others={act: count for act, count in others.items() if count} if told else {},
        line=line if own is not None else "",
        seal=seal,
        next_seal=sealed(day + timedelta(days=1), secret)[1],
    )


async def answer(server: Server, session: Session, day: date, act: str) -> bool:
    """Store the first answer of a person to the problem of a day; False where the rules forbid it."""
    await server.limits.hit("act", session.id)
    task = (await daily_problem(server, session, day)).task
    legal = {str(action) for action in task.hand.legal(task.seat)}
    if act not in legal:
        return False
    await server.store.daily.add(session.id, DailyRow(day.isoformat(), act, act in task.right))
    return True


def streak(rows: Sequence[DailyRow], today: date) -> int:
    """Days in a row with an answer, up to today or, while today's is open, up to yesterday."""
    days = {row.day for row in rows}
    day = today if today.isoformat() in days else today - timedelta(days=1)
    count = 0
    while day.isoformat() in days:
        count, day = count + 1, day - timedelta(days=1)
    return count


def found_lately(rows: Sequence[DailyRow], today: date) -> tuple[int, int]:
    """The number of answers of the last days, and of the best ones among them."""
    since = (today - timedelta(days=LATELY)).isoformat()
    recent = [row for row in rows if row.day > since]
    return len(recent), sum(row.good for row in recent)
