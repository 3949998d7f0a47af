"""The database of a server: sessions, tables and their events, in SQLite or PostgreSQL.

An event is durable once `Store.append` returns (SQLite in WAL mode with synchronous=FULL). A table's events
are only ever added, each under the next number; two writers of the same number cannot both succeed, whatever
processes they live in. Schema changes are Alembic migrations, run on opening.
"""

import asyncio
import logging
import os
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from nousu.server.errors import Unavailable
from nousu.server.storage import sqlite
from nousu.server.storage.daily import DailyRows
from nousu.server.storage.file_identity import FileIdentity
from nousu.server.storage.friends import FriendRows
from nousu.server.storage.migration import TooNew, migrate
from nousu.server.storage.people import PeopleRows
from nousu.server.storage.postgres import CHANNEL, SharedEventWriter
from nousu.server.storage.push import Subscriptions
from nousu.server.storage.rows import insert_into
from nousu.server.storage.schema import devices, events, sessions, snapshots, tables
from nousu.server.storage.sqlite import BadDatabase, FileLock
from nousu.server.storage.trusted_clock import TrustedClock
from nousu.server.storage.weekly_tables import WeeklyTableRows
from nousu.server.storage.writer import EventTaken, EventWriter, FileEventWriter, prepare
from nousu.server.table.events import EventRow

__all__ = ["BadDatabase", "Conflict", "SessionRow", "Snapshot", "Store", "TableRow", "database_url"]

_LOG = logging.getLogger(__name__)
_SHARED: Mapping[str, Any] = {
    "pool_size": 10,
    "max_overflow": 10,
    "connect_args": {
        # No process waits long for a lock, and none that was stopped in a transaction keeps one.
        "options": "-c lock_timeout=3000 -c idle_in_transaction_session_timeout=4000",
        "connect_timeout": 5,
    },
}


class Conflict(Exception):
    """An event number, idempotency key or table for which another writer was first."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session as stored."""

    id: str
    name: str
    lang: str
    secret: bytes
    used: float = field(default=0.0, compare=False)
    """Time of last use (seconds since 1970, to within a day); a new session is used now."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as stored: the values that are fixed when it is opened."""

    id: str
    preset: str
    seats: int
    options: str
    secret: bytes
    over: bool


def database_url(text: str | None = None) -> URL:
    """The database of a URL, a path of a SQLite file, or (None) the environment's NOUSU_DATABASE.

    Without any it is ``nousu.db`` among the user's data.
    """
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
    """A table folded up to an event (see `nousu.server.live.loading`)."""

    seq: int
    state: bytes
    seal: str


class Store:
    """The store of all rows. Open one with `Store.open`."""

    def __init__(self, engine: AsyncEngine, lock: FileLock | None = None) -> None:
        self._engine = engine
        self._lock = lock
        self._writer = engine.execution_options(write=True)
        self._writing = asyncio.Lock()
        path = engine.url.database
        self.people = PeopleRows(self._read, self._write)
        self.subscriptions = Subscriptions(self._read, self._write)
        self.friends = FriendRows(self._read, self._write)
        self.weekly_tables = WeeklyTableRows(self._read, self._write)
        self.daily = DailyRows(self._read, self._write)
        self._events: EventWriter = (
            SharedEventWriter(engine)
            if self.shared
            else FileEventWriter(Path(path or ""), self._writing, lambda: self._file)
        )
        self._file: FileIdentity | None = None
        self.clock = TrustedClock(0.0)
        """The time by which old data are deleted."""

    @classmethod
    async def open(cls, url: URL, serving: bool = False) -> "Store":
        """Open the database, check it and bring its schema up to date.

        Args:
            url: The database.
            serving: Serve it: no other server may serve the same file (several may share a PostgreSQL).

        Raises:
            BadDatabase: One sentence on what is wrong.
        """
        lite = url.drivername.startswith("sqlite")
        lock = None
        if lite and (not url.database or url.database == sqlite.MEMORY):
            raise BadDatabase("tables are kept in a file or in PostgreSQL, not in memory")
        if lite and url.database:
            sqlite.check_file(
                Path(url.database), whole=not serving or not sqlite.is_large(Path(url.database))
            )
            lock = FileLock(Path(url.database)) if serving else None
        try:
            engine = create_async_engine(url, **({} if lite else _SHARED))
        except ImportError:
            raise BadDatabase("PostgreSQL needs one package more: pip install 'nousu[postgres]'") from None
        if lite:
            event.listen(engine.sync_engine, "connect", _lite_connection)
            event.listen(engine.sync_engine, "begin", _lite_begin)
        else:
            event.listen(engine.sync_engine, "connect", _shared_connection, insert=True)
        store = cls(engine, lock)
        marker = secrets.randbelow(1 << 31) if lite and serving else 0
        try:
            async with _transaction(store._writer) as connection:
                await connection.run_sync(migrate)
                if marker:
                    await connection.exec_driver_sql(f"PRAGMA user_version = {marker}")
                latest = sa.select(sa.func.max(sessions.c.used), sa.func.max(sessions.c.created))
                row = (await connection.execute(latest)).one()
            store.clock = TrustedClock(max(row[0] or 0.0, row[1] or 0.0))
            if lite:
                path = Path(url.database or "")
                if marker:
                    await asyncio.to_thread(sqlite.empty_log, path)
                store._file = FileIdentity(path, marker)
        except TooNew:
            await store.close()
            raise BadDatabase(f"{_url_text(url)} was written by a newer nousu; update the program") from None
        except BadDatabase as error:
            await store.close()
            raise BadDatabase(f"{_url_text(url)} {error}") from None
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            await store.close()
            raise BadDatabase(f"{_url_text(url)} cannot be opened: {_reason(error)}") from None
        return store

    @property
    def shared(self) -> bool:
        """True if several server processes may share this database."""
        return self._engine.dialect.name == "postgresql"

    async def examine(self, after: float = 60.0) -> None:
        """Check a file after a delay in seconds, because it was too large to check at the start.

        Log damage.
        """
        path = Path(self._engine.url.database or "")
        if self.shared or not sqlite.is_large(path):
            return
        await asyncio.sleep(after)
        try:
            await asyncio.to_thread(sqlite.check_pages, path)
        except BadDatabase as error:
            _LOG.error("%s; stop the server and put a copy back", error)

    async def close(self) -> None:
        """Close all connections; pending events get to disk."""
        await self._events.close()
        await self._engine.dispose()
        if self._file is not None:
            self._file.close()
        if self._lock is not None:
            self._lock.release()

    @asynccontextmanager
    async def _write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction, on disk when the block is left. SQLite has one writer at a time."""
        with _write_errors():
            if self.shared:
                async with _transaction(self._writer) as connection:
                    yield connection
            else:
                async with self._writing:
                    self._check_file()
                    async with _transaction(self._writer) as connection:
                        yield connection
                    self._check_file()

    def _check_file(self) -> None:
        """Raise `FileReplaced` where the file was deleted, moved or replaced."""
        if self._file is not None:
            self._file.check()

    @asynccontextmanager
    async def _read(self) -> AsyncIterator[AsyncConnection]:
        try:
            self._check_file()
            async with _connected(self._engine) as connection:
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

    async def change_session(self, id: str, **values: Any) -> None:
        """Change a session's name, language, next secret or time of use."""
        async with self._write() as connection:
            await connection.execute(sessions.update().where(sessions.c.id == id).values(**values))

    # --------------------------------------------------------------------------------------- tables

    async def add_table(
        self, row: TableRow, first: Sequence[EventRow], opener: str | None = None, next_secret: bytes = b""
    ) -> None:
        """Store a new table with its first events; `Conflict` where its id or the secret is used already.

        The session `opener` gives up its secret for it and gets the next one in the same transaction, so no
        secret is ever used twice.
        """
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
            for event_row in first:
                await connection.execute(events.insert().values(_values(row.id, event_row)))

    async def table(self, id: str) -> TableRow | None:
        """The table of that id."""
        columns = (tables.c[name] for name in ("id", "preset", "seats", "options", "secret", "over"))
        async with self._read() as connection:
            row = (await connection.execute(sa.select(*columns).where(tables.c.id == id))).first()
        return None if row is None else TableRow(*row)

    async def events(self, id: str, after: int = 0, most: int | None = None) -> list[EventRow]:
        """The events of a table after number `after`, in order, `most` at most."""
        columns = (events.c.seq, events.c.kind, events.c.place, events.c.body, events.c.key, events.c.print)
        wanted = sa.select(*columns).where(events.c.table_id == id, events.c.seq > after)
        async with self._read() as connection:
            rows = (await connection.execute(wanted.order_by(events.c.seq).limit(most))).all()
        return [EventRow(*row) for row in rows]

    async def append(self, id: str, new: EventRow, over: bool = False) -> None:
        """Store one event; it is durable on return. `over` marks the table as finished.

        Raises:
            Conflict: Its number or key is taken.
            Unavailable: The database cannot be written.
        """
        with _write_errors():
            await self._events.append(id, new, over)

    async def event_of_key(self, id: str, key: str) -> tuple[int, str] | None:
        """The number and fingerprint of a table's event with that idempotency key."""
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

    async def save_snapshot(self, id: str, snapshot: Snapshot) -> None:
        """Store a snapshot of a table in place of one of fewer events."""
        async with self._write() as connection:
            insert = _snapshot_insert(connection.dialect.name)
            await connection.execute(insert, {"table_id": id, **snapshot._asdict()})

    async def announced_events(self) -> AsyncIterator[tuple[str, int]]:
        """On PostgreSQL: the table and number of every event stored from now on, by any process.

        ``("", 0)`` says that events may have been missed. Ends only with an exception.
        """
        import psycopg

        plain = self._engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        async with await psycopg.AsyncConnection.connect(plain, autocommit=True) as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            yield "", 0
            # `connection.notifies()` waits anew for each of the two hundred notices a second of two busy
            # processes, which takes three times as long as a check whenever data have come.
            arrived, loop, raw = asyncio.Event(), asyncio.get_running_loop(), connection.pgconn
            socket = raw.socket
            loop.add_reader(socket, arrived.set)
            try:
                while True:
                    raw.consume_input()
                    while (notice := raw.notifies()) is not None:
                        for text in notice.extra.decode().split(","):
                            id, _, seq = text.partition(" ")
                            yield id, int(seq)
                    await arrived.wait()
                    arrived.clear()
            finally:
                loop.remove_reader(socket)

    async def unfinished(self, since: float) -> list[str]:
        """The ids of tables opened after `since` (seconds since 1970) whose match is not over."""
        wanted = sa.select(tables.c.id).where(tables.c.over.is_(False), tables.c.created > since)
        async with self._read() as connection:
            return [row[0] for row in await connection.execute(wanted.order_by(tables.c.created))]

    @asynccontextmanager
    async def moment(self) -> AsyncIterator[AsyncConnection]:
        """A connection with one consistent state of all rows, unchanged by later writes."""
        async with _connected(self._engine) as connection:
            if self.shared:
                await connection.execution_options(isolation_level="REPEATABLE READ")
            async with connection.begin():
                yield connection

    @asynccontextmanager
    async def fill(self) -> AsyncIterator[AsyncConnection]:
        """A transaction to put rows into an empty database."""
        async with _transaction(self._writer) as connection:
            yield connection

    async def last_event_time(self) -> float:
        """Time of the last event, in seconds since 1970; 0 where there is none."""
        async with self._read() as connection:
            return float((await connection.execute(sa.select(sa.func.max(events.c.at)))).scalar() or 0.0)

    async def counts(self) -> dict[str, int]:
        """The number of sessions, tables and events, by the name of the database table."""
        async with self._read() as connection:
            return {
                table.name: (
                    await connection.execute(sa.select(sa.func.count()).select_from(table))
                ).scalar_one()
                for table in (sessions, tables, events)
            }


@asynccontextmanager
async def _connected(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A connection, opened and closed to the end even for a task that is cancelled meanwhile.

    A connection that is half open belongs to nobody: its thread would answer a loop that is closed by then.
    """
    connection = engine.connect()
    try:
        await _completed(connection.start())
    except asyncio.CancelledError:
        await connection.close()
        raise
    try:
        yield connection
    finally:
        await _completed(connection.close())


async def _completed(work: Coroutine[Any, Any, object]) -> None:
    """Wait until some work is done, and only then be cancelled."""
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise


@asynccontextmanager
async def _transaction(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    async with _connected(engine) as connection, connection.begin():
        yield connection


@contextmanager
def _write_errors() -> Iterator[None]:
    try:
        yield
    except (EventTaken, IntegrityError) as error:
        raise Conflict from error
    except (DBAPIError, sqlite3.Error, OSError) as error:
        raise Unavailable("The table cannot be saved right now; nothing was lost, try again.") from error


@cache
def _snapshot_insert(dialect: str) -> sa.Insert:
    # Built once: SQLAlchemy leaves hundreds of objects in cycles for each statement with `excluded`.
    insert = insert_into(snapshots, dialect)
    return insert.on_conflict_do_update(
        index_elements=["table_id"],
        set_={name: insert.excluded[name] for name in Snapshot._fields},
        where=snapshots.c.seq < insert.excluded.seq,
    )


def _values(table_id: str, new: EventRow) -> Mapping[str, Any]:
    return {"table_id": table_id, "at": time.time(), **new._asdict()}


def _lite_connection(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions begin where _lite_begin says, DDL included
    prepare(connection)


def _lite_begin(connection: Connection) -> None:
    connection.exec_driver_sql(
        "BEGIN IMMEDIATE" if connection.get_execution_options().get("write") else "BEGIN"
    )


def _shared_connection(connection: Any, _record: object) -> None:
    """Refuse a database that cannot store every letter of a name.

    Where it stores bytes (``SQL_ASCII``), even its first answer could not be read.
    """
    encoding = connection.driver_connection.info.parameter_status("server_encoding")
    if encoding not in (None, "UTF8"):
        raise BadDatabase(
            f"keeps text as {encoding}: create the database with ENCODING 'UTF8' TEMPLATE template0"
        )


def _url_text(url: URL) -> str:
    return url.database or "" if url.drivername.startswith("sqlite") else url.render_as_string()


def _reason(error: BaseException) -> str:
    cause = getattr(error, "orig", None) or error
    return str(cause).strip().splitlines()[0]
