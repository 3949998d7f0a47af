"""Rows of standing tables: one evening a week, who belongs to it, and who comes next time."""

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from nousu.server.storage.rows import Rows, insert_into
from nousu.server.storage.schema import sessions, standing, standing_people

_LISTED = 40
"""Greatest number of standing tables that are listed for a person."""
MOST_PEOPLE = 60
"""Greatest number of people of a standing table; the newest who never sat there makes room for the next."""
_AT_ONCE = 200
"""Standing tables that are read at once: nobody waits for the rest."""


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


class WeeklyTableRows(Rows):
    """The standing tables with their people."""

    async def add(self, row: WeeklyTableRow) -> None:
        """Store a standing table."""
        async with self._write() as connection:
            await connection.execute(standing.insert().values(**row._asdict()))

    async def find(self, id: str) -> WeeklyTableRow | None:
        """The standing table of that id."""
        async with self._read() as connection:
            row = (await connection.execute(sa.select(standing).where(standing.c.id == id))).first()
        return None if row is None else WeeklyTableRow(**row._mapping)

    async def all(self) -> AsyncIterator[Sequence[WeeklyTableRow]]:
        """Yield all standing tables, in parts."""
        part: Sequence[WeeklyTableRow] = ()
        while not part or len(part) == _AT_ONCE:
            after = standing.c.id > (part[-1].id if part else "")
            wanted = sa.select(standing).where(after).order_by(standing.c.id).limit(_AT_ONCE)
            async with self._read() as connection:
                part = [WeeklyTableRow(**row._mapping) for row in await connection.execute(wanted)]
            if not part:
                return
            yield part

    async def of(self, session: str) -> Sequence[WeeklyTableRow]:
        """The standing tables that a person belongs to: their own, then others, each the oldest first."""
        mine = sa.select(standing_people.c.standing).where(standing_people.c.session == session)
        order = (standing.c.owner != session, standing.c.created)
        wanted = sa.select(standing).where(standing.c.id.in_(mine)).order_by(*order).limit(_LISTED)
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

    async def drop_person(self, id: str, session: str) -> None:
        """Delete what is known of a person at a standing table."""
        columns = standing_people.c
        async with self._write() as connection:
            await connection.execute(
                standing_people.delete().where(columns.standing == id, columns.session == session)
            )

    async def people(self, ids: Collection[str]) -> Mapping[str, Sequence[WeeklyTablePerson]]:
        """The people of standing tables, by the ids of these."""
        columns = standing_people.c
        wanted = (
            sa.select(
                *(columns.standing, columns.session, sessions.c.name),
                *(columns.sat, columns.date, columns.answer),
            )
            .join(sessions, sessions.c.id == columns.session)
            .where(columns.standing.in_(ids))
            .order_by(sessions.c.created)
        )
        people: dict[str, list[WeeklyTablePerson]] = defaultdict(list)
        async with self._read() as connection:
            for id, *row in await connection.execute(wanted):
                people[id].append(WeeklyTablePerson(*row))
        return people

    async def set_person(self, id: str, session: str, **values: str | bool) -> None:
        """Store what is known of a person: ``sat``, or ``date`` and ``answer``.

        Where there are too many people the newest that has never sat there goes, so that a flood of answers
        takes the place of none that was there before it.
        """
        usual: dict[str, str | bool] = {"sat": False, "date": "", "answer": ""}
        columns = standing_people.c
        people = sa.select(columns.session).where(columns.standing == id)
        guests = people.join(sessions, sessions.c.id == columns.session).where(columns.sat.is_(False))
        newest = guests.where(columns.session != session).order_by(sessions.c.created.desc())
        async with self._write() as connection:
            new = insert_into(standing_people, connection.dialect.name)
            new = new.values(standing=id, session=session, **(usual | values))
            await connection.execute(
                new.on_conflict_do_update(index_elements=["standing", "session"], set_=values)
            )
            count = sa.select(sa.func.count()).select_from(people.subquery())
            many = (await connection.execute(count)).scalar_one() - MOST_PEOPLE
            if many > 0:
                gone = columns.session.in_(newest.limit(many))
                await connection.execute(standing_people.delete().where(columns.standing == id, gone))

    async def delete_old_answers(self, id: str, before: str) -> None:
        """Delete the answers to evenings before a date, and people who gave nothing else."""
        mine = standing_people.c.standing == id
        old = sa.and_(mine, standing_people.c.date < before, standing_people.c.answer != "")
        async with self._write() as connection:
            await connection.execute(standing_people.delete().where(old, standing_people.c.sat.is_(False)))
            await connection.execute(standing_people.update().where(old).values(answer="", date=""))
