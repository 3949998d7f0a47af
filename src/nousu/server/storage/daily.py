"""Rows of answers to the problem of the day: one a person and day, the first."""

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from nousu.server.storage.rows import Rows, insert_into
from nousu.server.storage.schema import daily


class DailyRow(NamedTuple):
    """A person's answer."""

    day: str
    act: str
    """The action, as records write it."""
    good: bool


class DailyRows(Rows):
    """The answers of all people."""

    async def add(self, session: str, row: DailyRow) -> None:
        """Store a person's answer, unless they have given one that day."""
        async with self._write() as connection:
            new = insert_into(daily, connection.dialect.name).values(session=session, **row._asdict())
            await connection.execute(new.on_conflict_do_nothing())

    async def of(self, session: str) -> Sequence[DailyRow]:
        """A person's answers, the latest first."""
        mine = sa.select(daily.c.day, daily.c.act, daily.c.good).where(daily.c.session == session)
        async with self._read() as connection:
            return [DailyRow(*row) for row in await connection.execute(mine.order_by(daily.c.day.desc()))]

    async def count(self, day: str) -> dict[str, int]:
        """The number of people who gave each answer that day."""
        wanted = sa.select(daily.c.act, sa.func.count()).where(daily.c.day == day).group_by(daily.c.act)
        async with self._read() as connection:
            return {act: count for act, count in await connection.execute(wanted)}
