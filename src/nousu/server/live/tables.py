"""The tables of this server process: opens, finds, loads and tidies them."""

import asyncio
import contextlib
import json
import logging
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlalchemy.engine import URL

from nousu.engine.seats import Seat
from nousu.games import find
from nousu.server.errors import NoSuchTable, RequestError, Unavailable, safe_traceback
from nousu.server.live.loading import load_events
from nousu.server.live.room import Room
from nousu.server.live.workers import Workers
from nousu.server.storage.store import Store, TableRow
from nousu.server.table import seating
from nousu.server.table.events import to_row
from nousu.server.table.options import TableOptions
from nousu.server.table.table import Change, Table

_LOG = logging.getLogger(__name__)
_FORGOTTEN = 400 * 86400.0
"""Seconds after which a session is deleted; its cookie lives for a year."""
UNUSED = 90 * 86400.0
"""Seconds without use after which a session ends: longer than any pause in a match."""
_IDLE = 600.0
"""Seconds after which an unwatched table leaves the memory (never the disk)."""
_CROWDED, _CROWDED_IDLE = 2000, 60.0
"""Number of tables in memory from which on unused ones leave it sooner, and after how many seconds."""
_MANY = 300
"""Events after which a table in use gets a new snapshot."""
_WORTH = 40
"""Events that make a snapshot worth its while when a table leaves the memory."""
_LAST = 1.5
"""Seconds for snapshots when the server stops."""
_RESUMED = 7 * 86400.0
"""Age in seconds of tables that are resumed after a restart, also without an open page."""
_CHECK, _AT_A_TIME = 0.5, 50
"""Seconds between two checks of presence; tables checked before others may act."""
STAND_IN = "rules"
"""The computer player that plays for absent persons."""


class Tables:
    """The tables in the memory of this process, over one database."""

    def __init__(self, url: URL, workers: Workers, pace: float | None) -> None:
        self._url = url
        self._workers = workers
        self._pace = pace
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._urgent: set[str] = set()
        """Tables being loaded for a waiting person."""
        self._tasks: list[asyncio.Task[None]] = []
        self._store: Store | None = None
        self.observers: list[Callable[[Room, float], None]] = []
        """Functions called with each table, and the time, at every check of presence."""

    @property
    def store(self) -> Store:
        """The database; `Unavailable` until it is open."""
        if self._store is None:
            raise Unavailable("The server is starting; try again.")
        return self._store

    async def start(self) -> None:
        """Open the database and resume the tables in play; `BadDatabase` says what is wrong."""
        self._store = await Store.open(self._url, serving=True)
        works = (self._resume, self._tidy, self._listen, self._watch_presence, self._store.examine)
        self._tasks = [asyncio.create_task(work()) for work in works]

    async def stop(self) -> None:
        """Stop all tables where they are; everything accepted is on disk already."""
        for task in (*self._tasks, *self._loading.values()):
            task.cancel()
        await asyncio.gather(*self._tasks, *self._loading.values(), return_exceptions=True)
        await asyncio.gather(*(room.close() for room in self._rooms.values()))
        with contextlib.suppress(Exception):
            async with asyncio.timeout(_LAST):
                for room in self._rooms.values():
                    await self._save_snapshot(room, _WORTH)
        self._workers.close()
        if self._store is not None:
            await self._store.close()

    # ---------------------------------------------------------------------------------------- opening

    def new(self, table_id: str, preset: str, seats: int, secret: bytes, options: TableOptions) -> Table:
        """An empty table, not stored yet, at the server's pace where it has none of its own."""
        table = Table.new(table_id, preset, seats, secret, options, find)
        return table if self._pace is None or options.pace is not None else replace(table, pace=self._pace)

    async def add(
        self, empty: Table, first: Sequence[Change], opener: str | None = None, next_secret: bytes = b""
    ) -> None:
        """Store a new table with its first events; `Conflict` where it is stored already.

        The session that opens it gives up its secret for the table, and gets the next one.
        """
        seats = len(empty.seats)
        options = json.dumps(empty.options.format())
        row = TableRow(empty.id, empty.preset, seats, options, empty.shuffles.secret, over=False)
        rows = [to_row(change.event, seats) for change in first]
        await self.store.add_table(row, rows, opener, next_secret)

    def enter(self, table: Table) -> Room:
        """Put a stored table into memory; return its room."""
        room = self._rooms.setdefault(table.id, Room(table, self.store, self._workers))
        room.drive()
        return room

    # ---------------------------------------------------------------------------------------- finding

    async def room(self, table_id: str) -> Room:
        """The table of that id, from memory or from disk; `NoSuchTable`."""
        room = await self._load(table_id, urgent=True)
        room.used = time.monotonic()
        await room.refresh()
        return room

    def in_memory(self, table_id: str) -> Table | None:
        """The table of that id as it is in the memory of this process; None where it is not there."""
        room = self._rooms.get(table_id)
        return None if room is None else room.table

    def rooms(self) -> list[Room]:
        """The tables in memory."""
        return list(self._rooms.values())

    def open_to_strangers(self) -> list[Table]:
        """Tables that wait for strangers, with a person present."""
        waiting = (room.table for room in self._rooms.values() if room.subscribers)
        return [
            table
            for table in waiting
            if table.options.public and table.match is None and table.seats.open_places()
        ]

    async def drop(self, table_id: str) -> None:
        """Drop a table from memory, because its rows were changed."""
        if (room := self._rooms.pop(table_id, None)) is not None:
            await room.close()

    async def _load(self, table_id: str, urgent: bool) -> Room:
        """The room of a table, from disk where it is not in memory; others go first unless it is `urgent`."""
        if table_id in self._rooms:
            return self._rooms[table_id]
        if urgent:
            self._urgent.add(table_id)
        if table_id in self._loading:
            with contextlib.suppress(NoSuchTable):  # it may have been stored meanwhile
                return await asyncio.shield(self._loading[table_id])
        if table_id not in self._loading:
            loading = asyncio.ensure_future(self._from_disk(table_id))
            self._loading[table_id] = loading
            loading.add_done_callback(lambda _: self._forget_loading(table_id))
        return await asyncio.shield(self._loading[table_id])

    def _forget_loading(self, table_id: str) -> None:
        del self._loading[table_id]
        self._urgent.discard(table_id)

    async def _from_disk(self, table_id: str) -> Room:
        row = await self.store.table(table_id)
        if row is None:
            raise NoSuchTable("There is no such table.")
        options = TableOptions.parse(json.loads(row.options))
        empty = self.new(row.id, row.preset, row.seats, row.secret, options)
        table = await load_events(empty, self.store, time.monotonic, lambda: table_id in self._urgent)
        # The time of a restart counts as the time of the last event, so nobody loses time by it.
        return self.enter(replace(table, since=time.monotonic()))

    # ---------------------------------------------------------------------------------------- stand-ins

    async def let_stand_in(self, room: Room, session: str) -> None:
        """Let a computer player stand in for a person, unless one does."""
        await room.commit(
            lambda table, now: (
                table.seq if table.seats.is_away(session) else seating.leave(table, session, STAND_IN, now)
            )
        )

    async def fetch_back(self, room: Room, session: str) -> None:
        """Give a person their seat back, if a computer player stands in."""
        await room.commit(
            lambda table, now: (
                seating.come_back(table, session, now) if table.seats.is_away(session) else table.seq
            )
        )

    async def leave(self, room: Room, session: str, seat: Seat) -> None:
        """Let a person leave on purpose; a computer player stands in where others wait."""
        room.leave(session)
        table = room.table
        if set(table.seats.persons()) - {seat} and not (table.match is None or table.over):
            await self.let_stand_in(room, session)

    async def _watch_presence(self) -> None:
        """Let computer players stand in for disconnected persons, and give the seats back."""
        before = time.monotonic()
        while True:
            await asyncio.sleep(_CHECK)
            late, before = time.monotonic() - before - _CHECK, time.monotonic()
            for number, room in enumerate(self.rooms()):
                if number % _AT_A_TIME == _AT_A_TIME - 1:
                    await asyncio.sleep(0)
                if late > _CHECK:
                    room.forgive(late)
                try:
                    for session in room.check_presence():
                        await self.let_stand_in(room, session)
                    for session in room.returned():
                        await self.fetch_back(room, session)
                    for observe in self.observers:
                        observe(room, before)
                except Exception as error:
                    _LOG.warning("table %s: nobody stands in: %s", room.table.id, safe_traceback(error))

    # ------------------------------------------------------------------------------------ housekeeping

    async def _resume(self) -> None:
        for table_id in await self.store.unfinished(time.time() - _RESUMED):
            try:
                await self._load(table_id, urgent=False)
            except Exception as error:
                _LOG.error("table %s cannot be resumed: %s", table_id, safe_traceback(error))

    async def _listen(self) -> None:
        """Follow the events of other processes on the same database."""
        while self.store.shared:
            try:
                async for table_id, seq in self.store.announced_events():
                    rooms = self.rooms() if not table_id else [self._rooms.get(table_id)]
                    for room in rooms:
                        if room is not None:
                            room.hear(seq)
            except Exception as error:
                _LOG.warning("not hearing of other processes: %s", safe_traceback(error))
            await asyncio.sleep(1)

    async def _tidy(self) -> None:
        tidied = -math.inf
        while True:
            await asyncio.sleep(60)
            now = time.monotonic()
            if now - tidied > 86400:
                tidied = now
                with contextlib.suppress(RequestError):
                    clock = self.store.clock.now()
                    await self.store.people.forget_sessions(clock - _FORGOTTEN, clock - UNUSED)
            await self.release()

    async def release(self) -> None:
        """Let unused tables leave the memory, sooner where there are many."""
        now, most = time.monotonic(), _IDLE if len(self._rooms) < _CROWDED else _CROWDED_IDLE
        for table_id, room in list(self._rooms.items()):
            try:
                if room.idle and now - room.used > most:
                    await self._save_snapshot(room, _WORTH)
                    if room.idle:
                        await self.drop(table_id)
                else:
                    await self._save_snapshot(room, _MANY)
            except RequestError as error:
                _LOG.warning("table %s: no snapshot: %s", table_id, safe_traceback(error))

    async def _save_snapshot(self, room: Room, worth: int) -> None:
        """Store a snapshot of a table if that saves folding enough events."""
        if room.events_since_snapshot >= worth and (snapshot := await room.snapshot()) is not None:
            await self.store.save_snapshot(room.table.id, snapshot)
