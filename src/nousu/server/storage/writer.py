"""Writing of events: many tables' events in one transaction (group commit).

A transaction costs nearly the same whatever it holds. So while one is being written the
events that come meanwhile wait, and the next transaction takes them all, a moment after the last one; each is
answered after the transaction it was in. Within a batch an event whose number is taken is refused, and the
others are stored.
"""

import asyncio
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from nousu.server.storage.file_identity import FileIdentity
from nousu.server.table.events import EventRow

_APART = 0.01
"""Least seconds between the beginnings of two batches of several events: a batch shares more events so. A
person who plays alone never waits for it."""
BUSY_TIMEOUT = 5000
"""Milliseconds that another program may hold the file."""
_INSERT = (
    "INSERT INTO events (table_id, seq, kind, place, body, key, print, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_OVER = "UPDATE tables SET over = 1 WHERE id = ?"


class EventTaken(Exception):
    """An event whose number or key is taken."""


class PendingEvent(NamedTuple):
    """An event to be stored."""

    table: str
    row: EventRow
    over: bool
    """True if the event ends the match."""
    done: asyncio.Future[None]


class EventWriter(ABC):
    """A writer of events in batches, which holds `lock` meanwhile."""

    def __init__(self, lock: asyncio.Lock) -> None:
        self._lock = lock
        self._pending: list[PendingEvent] = []
        self._next = 0.0
        """The earliest time of the next batch."""
        self._writing: asyncio.Task[None] | None = None

    async def append(self, table: str, row: EventRow, over: bool) -> None:
        """Store an event; it is durable on return. `EventTaken`, or an error of the database."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending.append(PendingEvent(table, row, over, done))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        await done

    async def close(self) -> None:
        """Write all pending events."""
        while self._writing is not None:
            await self._writing

    @abstractmethod
    async def _store_batch(self, batch: Sequence[PendingEvent]) -> Sequence[BaseException | None]:
        """Store events; return for each its error, or None once it is durable."""

    async def _write(self) -> None:
        try:
            while self._pending:
                if (early := self._next - time.monotonic()) > 0:
                    await asyncio.sleep(early)
                async with self._lock:
                    batch, self._pending = self._pending, []
                    if len(batch) > 1:
                        self._next = time.monotonic() + _APART
                    errors: Sequence[BaseException | None]
                    try:
                        errors = await self._store_batch(batch)
                    except Exception as failure:
                        errors = [failure] * len(batch)
                for event, error in zip(batch, errors, strict=True):
                    if event.done.cancelled():
                        continue
                    if error is None:
                        event.done.set_result(None)
                    else:
                        event.done.set_exception(error)
        finally:
            self._writing = None


class FileEventWriter(EventWriter):
    """A writer of events to a SQLite file, in a thread of its own; a file has one writer at a time."""

    def __init__(
        self, path: Path, lock: asyncio.Lock, identity: Callable[[], FileIdentity | None] = lambda: None
    ) -> None:
        super().__init__(lock)
        self._path = path
        self._identity = identity
        self._thread = ThreadPoolExecutor(1, "events")
        self._open: sqlite3.Connection | None = None

    async def close(self) -> None:
        """Write all pending events, and close the file."""
        await super().close()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        self._thread.shutdown()

    async def _store_batch(self, batch: Sequence[PendingEvent]) -> Sequence[BaseException | None]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._store, batch)

    # -------------------------------------------------------------------------------- in the thread

    def _store(self, batch: Sequence[PendingEvent]) -> list[BaseException | None]:
        if (file := self._identity()) is not None:
            file.check()
        is_first = self._open is None
        connection = self._connection()
        errors: list[BaseException | None] = []
        connection.execute("BEGIN IMMEDIATE")
        try:
            for event in batch:
                try:
                    connection.execute(_INSERT, (event.table, *event.row, time.time()))
                    if event.over:
                        connection.execute(_OVER, (event.table,))
                    errors.append(None)
                except sqlite3.IntegrityError:
                    errors.append(EventTaken())
            connection.execute("COMMIT")
            if file is not None:
                file.check()
                if is_first:
                    file.follow_log()
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return errors

    def _connection(self) -> sqlite3.Connection:
        if self._open is None:
            connection = sqlite3.connect(self._path, isolation_level=None)
            prepare(connection)
            self._open = connection
        return self._open

    def _disconnect(self) -> None:
        if self._open is not None:
            self._open.close()


def prepare(connection: sqlite3.Connection) -> None:
    """Make the transactions of a connection to a file durable."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={BUSY_TIMEOUT}", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
