"""Rows of standing tables: one evening a week, who belongs to it, and who comes next time."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as shared_insert
from sqlalchemy.dialects.sqlite import insert as lite_insert
from sqlalchemy.ext.asyncio import AsyncConnection

from nousu.server.storage.schema import sessions, standing, standing_people

_Opens = Callable[[], AbstractAsyncContextManager[AsyncConnection]]


class WeeklyTableRow(NamedTuple):
    """A table that meets every week."""

    id: str
    owner: str
    title: str
    preset: str
    weekday: int
    """0 is Monday."""
    minute: int
    """Of the day, in its zone."""
    zone: str
    created: float
    table_id: str
    """The table of the evening `date`; empty: none yet."""
    date: str
    reminded: str
    """The evening that notices were sent for."""


class WeeklyTablePerson(NamedTuple):
    """A person of a standing table."""

    session: str
    name: str
    sat: bool
    """Has sat at this table once."""
    date: str
    """Of the answer."""
    answer: str
    """come, perhaps, no, or empty."""


class WeeklyTableRows:
    """Reads and writes them over the connections of a `nousu.server.storage.store.Store`."""

    def __init__(self, read: _Opens, write: _Opens) -> None:
        self._read = read
        self._write = write

    async def add(self, row: WeeklyTableRow) -> None:
        """Store a standing table."""
        async with self._write() as connection:
            await connection.execute(standing.insert().values(**row._asdict()))

    async def find(self, id: str) -> WeeklyTableRow | None:
        """The standing table of that id."""
        async with self._read() as connection:
            row = (await connection.execute(sa.select(standing).where(standing.c.id == id))).first()
        return None if row is None else WeeklyTableRow(**row._mapping)

    async def all(self) -> Sequence[WeeklyTableRow]:
        """All standing tables."""
        async with self._read() as connection:
            return [WeeklyTableRow(**row._mapping) for row in await connection.execute(sa.select(standing))]

    async def of(self, session: str) -> Sequence[WeeklyTableRow]:
        """The standing tables that a person belongs to, the oldest first."""
        mine = sa.select(standing_people.c.standing).where(standing_people.c.session == session)
        wanted = sa.select(standing).where(standing.c.id.in_(mine)).order_by(standing.c.created)
        async with self._read() as connection:
            return [WeeklyTableRow(**row._mapping) for row in await connection.execute(wanted)]

    async def change(self, id: str, **values: str) -> None:
        """Change the table of the evening, or the evening that notices were sent for."""
        async with self._write() as connection:
            await connection.execute(standing.update().where(standing.c.id == id).values(**values))

    async def drop(self, id: str) -> None:
        """Delete a standing table with its people."""
        async with self._write() as connection:
            await connection.execute(standing_people.delete().where(standing_people.c.standing == id))
            await connection.execute(standing.delete().where(standing.c.id == id))

    async def people(self, id: str) -> Sequence[WeeklyTablePerson]:
        """The people of a standing table."""
        columns = standing_people.c
        wanted = (
            sa.select(columns.session, sessions.c.name, columns.sat, columns.date, columns.answer)
            .join(sessions, sessions.c.id == columns.session)
            .where(columns.standing == id)
            .order_by(sessions.c.created)
        )
        async with self._read() as connection:
            return [WeeklyTablePerson(*row) for row in (await connection.execute(wanted)).all()]

    async def set_person(self, id: str, session: str, **values: str | bool) -> None:
        """Store what is known of a person: ``sat``, or ``date`` and ``answer``."""
        usual: dict[str, str | bool] = {"sat": False, "date": "", "answer": ""}
        async with self._write() as connection:
            insert = lite_insert if connection.dialect.name == "sqlite" else shared_insert
            new = insert(standing_people).values(standing=id, session=session, **(usual | values))
            await connection.execute(
                new.on_conflict_do_update(index_elements=["standing", "session"], set_=values)
            )

    async def wipe(self, id: str, before: str) -> None:
        """Delete the answers to evenings before a date, and people who gave nothing else."""
        mine = standing_people.c.standing == id
        old = sa.and_(mine, standing_people.c.date < before, standing_people.c.answer != "")
        async with self._write() as connection:
            await connection.execute(standing_people.delete().where(old, standing_people.c.sat.is_(False)))
            await connection.execute(standing_people.update().where(old).values(answer="", date=""))
