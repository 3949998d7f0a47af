"""Rows of people: the tables they joined, their devices, codes, reviews and reports."""

import json
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from nousu.server.storage.friends import forget_ties
from nousu.server.storage.rows import Rows, insert_into
from nousu.server.storage.schema import (
    codes,
    devices,
    events,
    reports,
    reviews,
    seats,
    sessions,
    snapshots,
    subscriptions,
    tables,
)

_LONG = 86400.0
"""Seconds of validity above which a code is a recovery code."""


class SeatRow(NamedTuple):
    """A table that a person joined."""

    table_id: str
    since: float
    """The time, in seconds since 1970."""
    over: bool
    options: str
    """The options of the table, as JSON."""
    result: str
    """The result for this person, as JSON; empty: not known yet."""


class DeviceRow(NamedTuple):
    """A further device of a person."""

    id: str
    created: float


class ReviewRow(NamedTuple):
    """The review of a finished hand for a seat."""

    table_id: str
    hand: int
    """The index among the finished hands of the match, from 1."""
    seat: int
    seen: bool
    """True if the review speaks of all cards."""
    session: str
    """The person who made the choices; empty: a computer player."""
    version: int
    """Format version, see `nousu.review.codec`."""
    body: str
    """JSON, see `nousu.review.codec`."""
    at: float
    """The time, in seconds since 1970."""


class ReportRow(NamedTuple):
    """A report to the host."""

    id: str
    created: float
    table_id: str
    session: str
    body: str
    """JSON, see `nousu.server.people.reports`."""


class PeopleRows(Rows):
    """The rows of people."""

    async def add_table(self, session: str, table: str) -> None:
        """Note that a person joins a table; a second time changes nothing."""
        values = {"session": session, "table_id": table, "since": time.time(), "result": ""}
        async with self._write() as connection:
            new = insert_into(seats, connection.dialect.name).values(**values)
            await connection.execute(new.on_conflict_do_nothing())

    async def tables(self, session: str, most: int) -> list[SeatRow]:
        """The latest tables of a person, `most` at most."""
        wanted = (
            sa.select(seats.c.table_id, seats.c.since, tables.c.over, tables.c.options, seats.c.result)
            .join(tables, tables.c.id == seats.c.table_id)
            .where(seats.c.session == session)
            .order_by(seats.c.since.desc())
            .limit(most)
        )
        async with self._read() as connection:
            return [SeatRow(*row) for row in (await connection.execute(wanted)).all()]

    async def set_result(self, session: str, table: str, result: Mapping[str, Any]) -> None:
        """Store the result of a match for a person."""
        mine = sa.and_(seats.c.session == session, seats.c.table_id == table)
        async with self._write() as connection:
            await connection.execute(
                seats.update().where(mine).values(result=json.dumps(result, ensure_ascii=False))
            )

    # -------------------------------------------------------------------------------------- devices

    async def add_code(self, id: str, session: str, until: float) -> None:
        """Store a code of a person in place of an earlier one of its kind (for minutes, or for months)."""
        border = time.time() + _LONG
        alike = codes.c.until > border if until > border else codes.c.until <= border
        async with self._write() as connection:
            await connection.execute(codes.delete().where(codes.c.session == session, alike))
            await connection.execute(codes.insert().values(id=id, session=session, until=until))

    async def drop_code(self, id: str) -> None:
        """Invalidate a code."""
        async with self._write() as connection:
            await connection.execute(codes.delete().where(codes.c.id == id))

    async def drop_codes(self, session: str) -> None:
        """Invalidate all codes of a person."""
        async with self._write() as connection:
            await connection.execute(codes.delete().where(codes.c.session == session))

    async def code(self, id: str) -> tuple[str, str] | None:
        """Session and name of the person of a valid code."""
        wanted = (
            sa.select(codes.c.session, sessions.c.name)
            .join(sessions, sessions.c.id == codes.c.session)
            .where(codes.c.id == id, codes.c.until > time.time())
        )
        async with self._read() as connection:
            row = (await connection.execute(wanted)).first()
        return None if row is None else (row[0], row[1])

    async def redeem(self, id: str, device: str) -> bool:
        """Use a code up for a device; False where it is not valid. Of two who use it at once one succeeds."""
        counts = sa.and_(codes.c.id == id, codes.c.until > time.time())
        async with self._write() as connection:
            row = (await connection.execute(sa.select(codes.c.session).where(counts))).first()
            gone = await connection.execute(codes.delete().where(counts))
            if row is None or gone.rowcount != 1:
                return False
            now = time.time()
            await connection.execute(devices.insert().values(id=device, session=row[0], created=now))
            # A return after months counts as use.
            await connection.execute(sessions.update().where(sessions.c.id == row[0]).values(used=now))
        return True

    async def devices(self, session: str) -> list[DeviceRow]:
        """The further devices of a person."""
        wanted = sa.select(devices.c.id, devices.c.created).where(devices.c.session == session)
        async with self._read() as connection:
            rows = (await connection.execute(wanted.order_by(devices.c.created))).all()
        return [DeviceRow(*row) for row in rows]

    async def drop_devices(self, session: str) -> None:
        """Delete the further devices of a person, with their push subscriptions."""
        theirs = sa.select(devices.c.id).where(devices.c.session == session)
        async with self._write() as connection:
            await connection.execute(subscriptions.delete().where(subscriptions.c.device.in_(theirs)))
            await connection.execute(devices.delete().where(devices.c.session == session))

    # ------------------------------------------------------------------------------------- the end

    async def forget(self, session: str, name: str) -> list[str]:
        """Delete all rows of a person; `name` replaces theirs in records of finished matches.

        Returns:
            The ids of the tables whose events changed.
        """
        sat = (
            sa.select(seats.c.table_id)
            .join(tables, tables.c.id == seats.c.table_id)
            .where(seats.c.session == session, tables.c.over.is_(True))
        )
        naming = sa.select(events.c.table_id, events.c.seq, events.c.body).where(
            events.c.table_id.in_(sat), events.c.kind.in_(("person", "kept"))
        )
        async with self._write() as connection:
            changed = set()
            for id, seq, body in (await connection.execute(naming)).all():
                values = json.loads(body)
                if values["session"] == session:
                    values |= {"name": name, "session": ""}
                    row = sa.and_(events.c.table_id == id, events.c.seq == seq)
                    text = json.dumps(values, ensure_ascii=False)
                    await connection.execute(events.update().where(row).values(body=text))
                    changed.add(id)
            if changed:
                await connection.execute(snapshots.delete().where(snapshots.c.table_id.in_(changed)))
            await _delete(connection, sa.select(sa.literal(session)))
        return sorted(changed)

    async def forget_sessions(self, made: float, used: float) -> int:
        """Delete all rows of people whose session was made, or used last, before a time; the number of them.

        Args:
            made: Seconds since 1970.
            used: Seconds since 1970.
        """
        old = sa.or_(sessions.c.created < made, sessions.c.used < used)
        async with self._write() as connection:
            return await _delete(connection, sa.select(sessions.c.id).where(old))

    # ------------------------------------------------------------------------------------- reviews

    async def add_review(self, row: ReviewRow) -> None:
        """Store a review, in place of an earlier one."""
        async with self._write() as connection:
            new = insert_into(reviews, connection.dialect.name).values(**row._asdict())
            changed = {name: new.excluded[name] for name in ("session", "version", "body", "at")}
            key = ["table_id", "hand", "seat", "seen"]
            await connection.execute(new.on_conflict_do_update(index_elements=key, set_=changed))

    async def review(self, table: str, hand: int, seat: int, seen: bool) -> ReviewRow | None:
        """The stored review of a hand for a seat."""
        here = sa.and_(reviews.c.table_id == table, reviews.c.hand == hand)
        this = sa.and_(here, reviews.c.seat == seat, reviews.c.seen.is_(seen))
        async with self._read() as connection:
            row = (await connection.execute(sa.select(reviews).where(this))).first()
        return None if row is None else ReviewRow(**row._mapping)

    async def reviews_of(self, table: str, version: int) -> set[tuple[int, int, bool]]:
        """Hand, seat and `seen` of the stored reviews of a table, of a format version."""
        here = sa.and_(reviews.c.table_id == table, reviews.c.version == version)
        wanted = sa.select(reviews.c.hand, reviews.c.seat, reviews.c.seen).where(here)
        async with self._read() as connection:
            return {(hand, seat, seen) for hand, seat, seen in await connection.execute(wanted)}

    async def reviews(self, session: str, version: int, most: int) -> list[ReviewRow]:
        """The latest reviews of a person's choices, of a format version, `most` at most."""
        mine = sa.and_(reviews.c.session == session, reviews.c.version == version)
        order = (reviews.c.at.desc(), reviews.c.table_id, reviews.c.hand)
        async with self._read() as connection:
            rows = await connection.execute(sa.select(reviews).where(mine).order_by(*order).limit(most))
            return [ReviewRow(**row._mapping) for row in rows]

    # ------------------------------------------------------------------------------------- reports

    async def add_report(self, row: ReportRow) -> None:
        """Store a report."""
        async with self._write() as connection:
            await connection.execute(reports.insert().values(**row._asdict()))

    async def count_reports(self) -> int:
        """The number of reports."""
        async with self._read() as connection:
            count = await connection.execute(sa.select(sa.func.count()).select_from(reports))
            return int(count.scalar_one())

    async def reported_lines(self) -> list[tuple[str, int, int, float]]:
        """Reported chat lines.

        Table, the line's event number, the reporter's place, seconds since 1970.
        """
        columns = (events.c.table_id, events.c.body, events.c.place, events.c.at)
        wanted = sa.select(*columns).where(events.c.kind == "report").order_by(events.c.at)
        async with self._read() as connection:
            return [(row[0], int(row[1]), row[2], row[3]) for row in await connection.execute(wanted)]

    async def reports(self, id: str = "") -> list[ReportRow]:
        """The reports in order, or the one whose id begins with `id`."""
        columns = (reports.c.id, reports.c.created, reports.c.table_id, reports.c.session, reports.c.body)
        wanted = sa.select(*columns).where(reports.c.id.startswith(id, autoescape=True))
        async with self._read() as connection:
            return [ReportRow(*row) for row in (await connection.execute(wanted.order_by(reports.c.created)))]

    async def drop_reports(self, ids: list[str]) -> int:
        """Delete reports; return the number of those deleted."""
        async with self._write() as connection:
            return (await connection.execute(reports.delete().where(reports.c.id.in_(ids)))).rowcount


async def _delete(connection: AsyncConnection, gone: sa.Select[tuple[str]]) -> int:
    """Delete all rows of sessions; return the number of sessions."""
    for table in (seats, devices, codes, reports, reviews, subscriptions):
        await connection.execute(table.delete().where(table.c.session.in_(gone)))
    await forget_ties(connection, gone)
    return (await connection.execute(sessions.delete().where(sessions.c.id.in_(gone)))).rowcount
