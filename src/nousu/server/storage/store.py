"""Events on disk. What `append` has returned from is durable: SQLite in WAL mode with synchronous=FULL, or
PostgreSQL.

A table's events are only ever added, each under the next number; two writers of the same number cannot both
succeed, whatever processes they live in. Schema changes are Alembic migrations, run on opening.
"""

import asyncio
import logging
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.dialects.postgresql import insert as shared_insert
from sqlalchemy.dialects.sqlite import insert as lite_insert
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from nousu.server.errors import Unavailable
from nousu.server.storage import sqlite
from nousu.server.storage.file_identity import FileIdentity
from nousu.server.storage.migration import TooNew, migrate
from nousu.server.storage.people import Belongings
from nousu.server.storage.postgres import CHANNEL, SharedWriter
from nousu.server.storage.push import Subscriptions
from nousu.server.storage.schema import devices, events, sessions, snapshots, subscriptions, tables
from nousu.server.storage.sqlite import BadDatabase, Claim
from nousu.server.storage.trusted_clock import TrustedClock
from nousu.server.storage.writer import FileWriter, Taken, Writer, prepare
from nousu.server.table.events import Row

__all__ = ["BadDatabase", "Conflict", "SessionRow", "Snapshot", "Store", "TableRow", "database_url"]

_LOG = logging.getLogger(__name__)
_SHARED: Mapping[str, Any] = {
    "pool_size": 10,
    "max_overflow": 10,
    "connect_args": {
        # Nobody waits long for a lock, and nobody who was stopped in a transaction keeps one.
        "options": "-c lock_timeout=3000 -c idle_in_transaction_session_timeout=4000",
        "connect_timeout": 5,
    },
}


class Conflict(Exception):
    """Somebody else has written this event number, or this idempotency key, first."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session as stored."""

    id: str
    name: str
    lang: str
    secret: bytes
    used: float = field(default=0.0, compare=False)
    """When it was used last (seconds since 1970, to within a day); what is added is used now."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """What is fixed when a table is opened."""

    id: str
    preset: str
    seats: int
    options: str
    secret: bytes
    over: bool


def database_url(text: str | None = None) -> URL:
    """The database meant by a URL, a path of a SQLite file, or (None) the environment's NOUSU_DATABASE;
    without any, ``nousu.db`` among the user's data."""
    text = text or os.environ.get("NOUSU_DATABASE") or str(default_path())
    if "://" not in text:
        return URL.create("sqlite+aiosqlite", database=text)
    try:
        url = make_url(text)
    except ArgumentError:
        raise BadDatabase(f"{text!r} is no database; write a file name or postgresql://…") from None
    drivers = {
        "sqlite": "sqlite+aiosqlite",
        "postgresql": "postgresql+psycopg",
        "postgres": "postgresql+psycopg",
    }
    family = url.drivername.split("+")[0]
    if family not in drivers:
        raise BadDatabase(f"{family} is not supported; write a file name or postgresql://…")
    return url.set(drivername=drivers[family])


def default_path() -> Path:
    """``nousu.db`` among the user's data."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home) / "nousu" / "nousu.db"


class Snapshot(NamedTuple):
    """A table folded up to an event (see `nousu.server.live.snapshots`)."""

    seq: int
    state: bytes
    seal: str


class Store:
    """All reading and writing. Open one with `Store.open`."""

    def __init__(self, engine: AsyncEngine, claim: Claim | None = None) -> None:
        self._engine = engine
        self._claim = claim
        self._writer = engine.execution_options(write=True)
        self._writing = asyncio.Lock()
        path = engine.url.database
        self.mine = Belongings(self._read, self._write)
        self.subscriptions = Subscriptions(self._read, self._write)
        self._events: Writer = (
            SharedWriter(engine)
            if self.shared
            else FileWriter(Path(path or ""), self._writing, lambda: self._file)
        )
        self._file: FileIdentity | None = None
        self.clock = TrustedClock(0.0)
        """The time by which old data are deleted."""

    @classmethod
    async def open(cls, url: URL, serving: bool = False) -> "Store":
        """Open the database, check it and bring its schema up to date; `BadDatabase` says what is wrong.
        `serving`: also where another server serves this file (several may share a PostgreSQL)."""
        lite = url.drivername.startswith("sqlite")
        claim = None
        if lite and (not url.database or url.database == sqlite.MEMORY):
            raise BadDatabase("tables are kept in a file or in PostgreSQL, not in memory")
        if lite and url.database:
            sqlite.check(Path(url.database), whole=not serving or not sqlite.large(Path(url.database)))
            claim = Claim(Path(url.database)) if serving else None
        try:
            engine = create_async_engine(url, **({} if lite else _SHARED))
        except ImportError:
            raise BadDatabase("PostgreSQL needs one package more: pip install 'nousu[postgres]'") from None
        if lite:
            event.listen(engine.sync_engine, "connect", _lite_connection)
            event.listen(engine.sync_engine, "begin", _lite_begin)
        else:
            event.listen(engine.sync_engine, "connect", _shared_connection, insert=True)
        store = cls(engine, claim)
        try:
            async with store._writer.begin() as connection:
                await connection.run_sync(migrate)
                latest = sa.select(sa.func.max(sessions.c.used), sa.func.max(sessions.c.created))
                row = (await connection.execute(latest)).one()
            store.clock = TrustedClock(max(row[0] or 0.0, row[1] or 0.0))
            if lite:
                store._file = FileIdentity(Path(url.database or ""))
        except TooNew:
            await store.close()
            raise BadDatabase(f"{_shown(url)} was written by a newer nousu; update the program") from None
        except BadDatabase as error:
            await store.close()
            raise BadDatabase(f"{_shown(url)} {error}") from None
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            await store.close()
            raise BadDatabase(f"{_shown(url)} cannot be opened: {_reason(error)}") from None
        return store

    @property
    def shared(self) -> bool:
        """Several server processes may share this database and hear of one another's events."""
        return self._engine.dialect.name == "postgresql"

    async def examined(self, after: float = 60.0) -> None:
        """After so many seconds look all through a file that was too large for that while people waited; what
        is wrong with it is logged."""
        path = Path(self._engine.url.database or "")
        if self.shared or not sqlite.large(path):
            return
        await asyncio.sleep(after)
        try:
            await asyncio.to_thread(sqlite.check, path)
        except BadDatabase as error:
            _LOG.error("%s; stop the server and put a copy back", error)

    async def close(self) -> None:
        """Close all connections; what is being written gets to disk."""
        await self._events.close()
        await self._engine.dispose()
        if self._claim is not None:
            self._claim.give_up()

    @asynccontextmanager
    async def _write(self) -> AsyncIterator[AsyncConnection]:
        """One transaction, on disk when the block is left. SQLite has one writer at a time."""
        with _written():
            if self.shared:
                async with self._writer.begin() as connection:
                    yield connection
            else:
                async with self._writing:
                    self._check_file()
                    async with self._writer.begin() as connection:
                        yield connection
                    self._check_file()

    def _check_file(self) -> None:
        """`FileReplaced` where the file was deleted, moved or replaced."""
        if self._file is not None:
            self._file.check()

    @asynccontextmanager
    async def _read(self) -> AsyncIterator[AsyncConnection]:
        try:
            self._check_file()
            async with self._engine.connect() as connection:
                yield connection
        except (DBAPIError, sqlite3.Error, OSError) as error:
            raise Unavailable("The database cannot be read right now; try again.") from error

    # ------------------------------------------------------------------------------------- sessions

    async def session(self, id: str) -> SessionRow | None:
        """The session of that id, or of the further device of that id."""
        columns = (sessions.c.id, sessions.c.name, sessions.c.lang, sessions.c.secret, sessions.c.used)
        further = sa.select(devices.c.session).where(devices.c.id == id).scalar_subquery()
        wanted = sa.select(*columns).where(sa.or_(sessions.c.id == id, sessions.c.id == further))
        async with self._read() as connection:
            row = (await connection.execute(wanted)).first()
        return None if row is None else SessionRow(*row)

    async def add_session(self, row: SessionRow) -> None:
        """Store a new session."""
        values = {"id": row.id, "name": row.name, "lang": row.lang, "secret": row.secret}
        async with self._write() as connection:
            now = time.time()
            await connection.execute(sessions.insert().values(created=now, used=now, **values))

    async def forget_sessions(self, made: float, used: float) -> int:
        """Delete the sessions made before a time (seconds since 1970) or used last before another; how many
        they were."""
        old = sa.or_(sessions.c.created < made, sessions.c.used < used)
        gone = sa.select(sessions.c.id).where(old)
        async with self._write() as connection:
            await connection.execute(subscriptions.delete().where(subscriptions.c.session.in_(gone)))
            done = await connection.execute(sessions.delete().where(old))
        return done.rowcount

    async def change_session(self, id: str, **values: Any) -> None:
        """Change a session's name, language, next secret or time of use."""
        async with self._write() as connection:
            await connection.execute(sessions.update().where(sessions.c.id == id).values(**values))

    # --------------------------------------------------------------------------------------- tables

    async def add_table(
        self, row: TableRow, first: Sequence[Row], opener: str | None = None, next_secret: bytes = b""
    ) -> None:
        """Store a new table with its first events. The session that opened it gives up its secret for it
        and gets the next one in the same transaction, so no secret is ever used twice."""
        async with self._write() as connection:
            await connection.execute(
                tables.insert().values(
                    id=row.id,
                    preset=row.preset,
                    seats=row.seats,
                    options=row.options,
                    secret=row.secret,
                    over=row.over,
                    created=time.time(),
                )
            )
            if opener is not None:
                mine = sa.and_(sessions.c.id == opener, sessions.c.secret == row.secret)
                done = await connection.execute(sessions.update().where(mine).values(secret=next_secret))
                if done.rowcount != 1:
                    raise Conflict
            for one in first:
                await connection.execute(events.insert().values(_values(row.id, one)))

    async def table(self, id: str) -> TableRow | None:
        """The table of that id."""
        columns = (
            tables.c.id,
            tables.c.preset,
            tables.c.seats,
            tables.c.options,
            tables.c.secret,
            tables.c.over,
        )
        async with self._read() as connection:
            row = (await connection.execute(sa.select(*columns).where(tables.c.id == id))).first()
        return None if row is None else TableRow(*row)

    async def events(self, id: str, after: int = 0, most: int | None = None) -> list[Row]:
        """The events of a table in order, those after number `after`, at `most` so many."""
        columns = (events.c.seq, events.c.kind, events.c.place, events.c.body, events.c.key, events.c.print)
        wanted = sa.select(*columns).where(events.c.table_id == id, events.c.seq > after)
        async with self._read() as connection:
            rows = (await connection.execute(wanted.order_by(events.c.seq).limit(most))).all()
        return [Row(*row) for row in rows]

    async def append(self, id: str, new: Row, over: bool = False) -> None:
        """Store one event; it is durable on return. `Conflict` if its number or key is taken; `over` marks
        the table as finished."""
        with _written():
            await self._events.append(id, new, over)

    async def keyed(self, id: str, key: str) -> tuple[int, str] | None:
        """The number of the event of a table that came with that idempotency key, and its print."""
        wanted = sa.select(events.c.seq, events.c.print).where(events.c.table_id == id, events.c.key == key)
        async with self._read() as connection:
            row = (await connection.execute(wanted)).first()
        return None if row is None else (row[0], row[1] or "")

    # ------------------------------------------------------------------------------------ snapshots

    async def snapshot(self, id: str) -> Snapshot | None:
        """The snapshot of a table, if there is one."""
        columns = (snapshots.c.seq, snapshots.c.state, snapshots.c.seal)
        async with self._read() as connection:
            row = (await connection.execute(sa.select(*columns).where(snapshots.c.table_id == id))).first()
        return None if row is None else Snapshot(*row)

    async def keep_snapshots(self, found: Mapping[str, Snapshot]) -> None:
        """Store snapshots by table, in place of those of fewer events."""
        insert = shared_insert if self.shared else lite_insert
        async with self._write() as connection:
            for id, one in found.items():
                new = insert(snapshots).values(table_id=id, **one._asdict())
                await connection.execute(
                    new.on_conflict_do_update(
                        index_elements=["table_id"],
                        set_=one._asdict(),
                        where=snapshots.c.seq < new.excluded.seq,
                    )
                )

    async def heard(self) -> AsyncIterator[tuple[str, int]]:
        """On PostgreSQL: the table and number of every event stored from now on, by whatever process; ids
        only. ``("", 0)`` says that events may have been missed. Ends only with an exception."""
        import psycopg

        plain = self._engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        async with await psycopg.AsyncConnection.connect(plain, autocommit=True) as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            yield "", 0
            # `connection.notifies()` waits anew for each of the two hundred notices a second of two busy
            # processes, which takes three times as long as to look whenever something has come.
            come, loop, line = asyncio.Event(), asyncio.get_running_loop(), connection.pgconn
            socket = line.socket
            loop.add_reader(socket, come.set)
            try:
                while True:
                    line.consume_input()
                    while (notice := line.notifies()) is not None:
                        for one in notice.extra.decode().split(","):
                            id, _, seq = one.partition(" ")
                            yield id, int(seq)
                    await come.wait()
                    come.clear()
            finally:
                loop.remove_reader(socket)

    async def live(self, since: float) -> list[str]:
        """Tables opened after `since` (seconds since 1970) whose match is not over."""
        wanted = sa.select(tables.c.id).where(tables.c.over.is_(False), tables.c.created > since)
        async with self._read() as connection:
            return [row[0] for row in await connection.execute(wanted.order_by(tables.c.created))]

    @asynccontextmanager
    async def moment(self) -> AsyncIterator[AsyncConnection]:
        """One consistent reading of everything, whatever is written meanwhile."""
        async with self._engine.connect() as connection:
            if self.shared:
                await connection.execution_options(isolation_level="REPEATABLE READ")
            async with connection.begin():
                yield connection

    @asynccontextmanager
    async def filling(self) -> AsyncIterator[AsyncConnection]:
        """One transaction that puts rows into an empty database."""
        async with self._writer.begin() as connection:
            yield connection

    async def latest(self) -> float:
        """When the last event was stored, in seconds since 1970; 0 where there is none."""
        async with self._read() as connection:
            return float((await connection.execute(sa.select(sa.func.max(events.c.at)))).scalar() or 0.0)

    async def counts(self) -> dict[str, int]:
        """How many rows each table of the database has."""
        async with self._read() as connection:
            return {
                table.name: (
                    await connection.execute(sa.select(sa.func.count()).select_from(table))
                ).scalar_one()
                for table in (sessions, tables, events)
            }


@contextmanager
def _written() -> Iterator[None]:
    try:
        yield
    except (Taken, IntegrityError) as error:
        raise Conflict from error
    except (DBAPIError, sqlite3.Error, OSError) as error:
        raise Unavailable("The table cannot be saved right now; nothing was lost, try again.") from error


def _values(table_id: str, new: Row) -> Mapping[str, Any]:
    return {"table_id": table_id, "at": time.time(), **new._asdict()}


def _lite_connection(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions begin where _lite_begin says, DDL included
    prepare(connection)


def _lite_begin(connection: Connection) -> None:
    connection.exec_driver_sql(
        "BEGIN IMMEDIATE" if connection.get_execution_options().get("write") else "BEGIN"
    )


def _shared_connection(connection: Any, _record: object) -> None:
    """Refuse a database that cannot store every letter of a name. Where it keeps bytes (``SQL_ASCII``), even
    its first answer could not be read."""
    encoding = connection.driver_connection.info.parameter_status("server_encoding")
    if encoding not in (None, "UTF8"):
        raise BadDatabase(
            f"keeps text as {encoding}: create the database with ENCODING 'UTF8' TEMPLATE template0"
        )


def _shown(url: URL) -> str:
    return url.database or "" if url.drivername.startswith("sqlite") else url.render_as_string()


def _reason(error: BaseException) -> str:
    cause = getattr(error, "orig", None) or error
    return str(cause).strip().splitlines()[0]
