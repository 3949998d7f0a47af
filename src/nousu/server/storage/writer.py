"""Events on their way to the disk: many tables' events in one transaction.

A transaction costs the disk, and us, nearly the same whatever it holds. So while one is being written the
events that come meanwhile wait, and the next transaction takes them all, a moment after the last one; each is
answered after the transaction it was in.
Among them every event stands for itself: one whose number is taken is refused, the others are stored.
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
from nousu.server.table.events import Row

_APART = 0.01
"""Seconds from the beginning of a batch of several events to that of the next, at least, so that where many
people act at once more events share one. A person who plays alone never waits for it."""
PATIENCE = 5000
"""Milliseconds that another program may hold the file."""
_INSERT = (
    "INSERT INTO events (table_id, seq, kind, place, body, key, print, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_OVER = "UPDATE tables SET over = 1 WHERE id = ?"


class Taken(Exception):
    """The number or the key of an event is taken."""


class Wanted(NamedTuple):
    """An event that is to be stored."""

    table: str
    row: Row
    over: bool
    """It ends the match."""
    done: asyncio.Future[None]


class Writer(ABC):
    """Stores events, those together that have come while others were being stored. `lock` is held
    meanwhile."""

    def __init__(self, lock: asyncio.Lock) -> None:
        self._lock = lock
        self._wanted: list[Wanted] = []
        self._next = 0.0
        """When the next batch may begin."""
        self._writing: asyncio.Task[None] | None = None

    async def append(self, table: str, row: Row, over: bool) -> None:
        """Store an event; it is durable on return. `Taken`, or an error of the database."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._wanted.append(Wanted(table, row, over, done))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        await done

    async def close(self) -> None:
        """Write what is wanted."""
        while self._writing is not None:
            await self._writing

    @abstractmethod
    async def _stored(self, batch: Sequence[Wanted]) -> Sequence[BaseException | None]:
        """Store events; for each what is wrong with it, or None once it is durable."""

    async def _write(self) -> None:
        try:
            while self._wanted:
                if (early := self._next - time.monotonic()) > 0:
                    await asyncio.sleep(early)
                async with self._lock:
                    batch, self._wanted = self._wanted, []
                    if len(batch) > 1:
                        self._next = time.monotonic() + _APART
                    found: Sequence[BaseException | None]
                    try:
                        found = await self._stored(batch)
                    except Exception as error:
                        found = [error] * len(batch)
                for one, wrong in zip(batch, found, strict=True):
                    if one.done.cancelled():
                        continue
                    if wrong is None:
                        one.done.set_result(None)
                    else:
                        one.done.set_exception(wrong)
        finally:
            self._writing = None


class FileWriter(Writer):
    """Writes events to a SQLite file from a thread of its own. A file has one writer at a time, who holds
    `lock`."""

    def __init__(
        self, path: Path, lock: asyncio.Lock, identity: Callable[[], FileIdentity | None] = lambda: None
    ) -> None:
        super().__init__(lock)
        self._path = path
        self._identity = identity
        self._thread = ThreadPoolExecutor(1, "events")
        self._open: sqlite3.Connection | None = None

    async def close(self) -> None:
        """Write what is wanted, and let go of the file."""
        await super().close()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._shut)
        self._thread.shutdown()

    async def _stored(self, batch: Sequence[Wanted]) -> Sequence[BaseException | None]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._store, batch)

    # -------------------------------------------------------------------------------- in the thread

    def _store(self, batch: Sequence[Wanted]) -> list[BaseException | None]:
        if (file := self._identity()) is not None:
            file.check()
        is_first = self._open is None
        connection = self._opened()
        found: list[BaseException | None] = []
        connection.execute("BEGIN IMMEDIATE")
        try:
            for one in batch:
                try:
                    connection.execute(_INSERT, (one.table, *one.row, time.time()))
                    if one.over:
                        connection.execute(_OVER, (one.table,))
                    found.append(None)
                except sqlite3.IntegrityError:
                    found.append(Taken())
            connection.execute("COMMIT")
            if file is not None:
                file.check()
                if is_first:
                    file.follow_log()
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return found

    def _opened(self) -> sqlite3.Connection:
        if self._open is None:
            found = sqlite3.connect(self._path, isolation_level=None)
            prepare(found)
            self._open = found
        return self._open

    def _shut(self) -> None:
        if self._open is not None:
            self._open.close()


def prepare(connection: sqlite3.Connection) -> None:
    """What makes a transaction durable, on every connection to a file."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={PATIENCE}", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
