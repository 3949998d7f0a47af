"""Events on their way to the disk: many tables' events in one transaction.

A transaction costs the disk the same whatever it holds. So while one is being written the events that come
meanwhile wait, and the next transaction takes them all; each is answered after the transaction it was in.
Among them every event stands for itself: one whose number is taken is refused, the others are stored.
"""

import asyncio
import sqlite3
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from nousu.server.events import Row

PATIENCE = 5000
"""Milliseconds that another program may hold the file."""
_INSERT = (
    "INSERT INTO events (table_id, seq, kind, place, body, key, print, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_OVER = "UPDATE tables SET over = 1 WHERE id = ?"


class Taken(Exception):
    """The number or the key of an event is taken."""


class _Wanted(NamedTuple):
    table: str
    row: Row
    over: bool
    done: asyncio.Future[None]


class FileWriter:
    """Writes events to a SQLite file from a thread of its own. `lock` is held while it does: a file has one
    writer at a time."""

    def __init__(self, path: Path, lock: asyncio.Lock) -> None:
        self._path = path
        self._lock = lock
        self._thread = ThreadPoolExecutor(1, "events")
        self._wanted: list[_Wanted] = []
        self._writing: asyncio.Task[None] | None = None
        self._open: sqlite3.Connection | None = None

    async def append(self, table: str, row: Row, over: bool) -> None:
        """Store an event; it is durable on return. `Taken`, or an error of the disk."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._wanted.append(_Wanted(table, row, over, done))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        await done

    async def close(self) -> None:
        """Write what is wanted, and let go of the file."""
        while self._writing is not None:
            await self._writing
        await asyncio.get_running_loop().run_in_executor(self._thread, self._shut)
        self._thread.shutdown()

    async def _write(self) -> None:
        try:
            while self._wanted:
                async with self._lock:
                    batch, self._wanted = self._wanted, []
                    found: Sequence[BaseException | None]
                    try:
                        found = await asyncio.get_running_loop().run_in_executor(
                            self._thread, self._store, batch
                        )
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

    # -------------------------------------------------------------------------------- in the thread

    def _store(self, batch: Sequence[_Wanted]) -> list[BaseException | None]:
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
