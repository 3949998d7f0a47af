"""A table in use: the value, its lock, the people present, and the pages that show it."""

import asyncio
import logging
import math
import time
from collections.abc import Callable
from typing import Protocol

from nousu.engine.errors import IllegalAction
from nousu.engine.seats import Seat
from nousu.server.errors import KeyReused, Stale, Unavailable
from nousu.server.live.driver import Decide, Driver
from nousu.server.live.loading import load_events, snapshot_of
from nousu.server.live.presence import Clocks, LostConnection, Presence, RunningClock
from nousu.server.live.workers import Workers, is_searching
from nousu.server.storage.store import Conflict, Snapshot, Store
from nousu.server.table import commands
from nousu.server.table.events import to_row
from nousu.server.table.table import Table

_LOG = logging.getLogger(__name__)
_GRACE = 2.0
"""Grace period, in seconds, before taking over a table from another process."""


class Subscriber(Protocol):
    """An open page that shows a table."""

    def notify(self) -> None:
        """Note that the table, or the people present there, have changed."""
        ...


class Room:
    """A table of this server process. `table` changes only after its event is on disk."""

    def __init__(
        self, table: Table, store: Store, workers: Workers, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.table = table
        self.pulse = asyncio.Event()
        """An event; when `table` changes it is set, and a new one takes its place."""
        self.subscribers: set[Subscriber] = set()
        """The open pages of the table."""
        self.now = now
        self.used = now()
        self.presence = Presence(now())
        self.clocks = Clocks()
        self.clocks.update(table, now())
        self.spectators = 0
        """Open pages of people who have no seat, at the last check of presence."""
        self._shown: tuple[object, ...] = (0,)
        """Spectators and lost connections as the pages know them."""
        self._left: set[str] = set()
        """Persons who have left on purpose."""
        self._lock = asyncio.Lock()
        self._store = store
        self._latest: float = 0
        """The last event of the table that this process has heard of; infinity: unknown."""
        self._heard_at = 0.0
        self._follower: asyncio.Task[None] | None = None
        self._snapshot_seq = table.seq
        """The last event that a snapshot has."""
        self._driver = Driver(self, workers)

    # ------------------------------------------------------------------------------------ presence

    def connect(self, session: str, page: object) -> None:
        """Note a new page of a person."""
        self.presence.connect(session, page)
        self._left.discard(session)

    def disconnect(self, session: str, page: object) -> None:
        """Note that a page is closed."""
        seated = self.table.seats.seat_of(session) is not None
        self.presence.disconnect(session, page, self.now(), seated)

    def note_request(self, session: str) -> None:
        """Note a request of a person; programs send some without staying connected."""
        if self.table.seats.seat_of(session) is not None:
            self.presence.note_request(session, self.now())

    def beat(self, session: str, page: object) -> None:
        """Note a heartbeat of a page."""
        self.presence.beat(session, page, self.now())

    def leave(self, session: str) -> None:
        """Note that a person leaves on purpose, even with open pages."""
        self._left.add(session)

    def check_presence(self) -> tuple[str, ...]:
        """Tell pages of lost connections; return the persons for whom a computer player is to go on now."""
        if self.presence.empty and not self.subscribers and self._shown == (0,):
            return ()
        lost = self.presence.lost(self.table, self.now())
        seated = sum(self.presence.pages(place.session) for place in self.table.seats.places)
        self.spectators = max(0, len(self.subscribers) - seated)
        shown = (self.spectators, *((person.seat, person.offered, person.left is None) for person in lost))
        if shown != self._shown:
            self._shown = shown
            self._notify()
        away = tuple(self.table.seats.by_seat[person.seat].session for person in lost if person.left == 0)
        return (*away, *self.clocks.expired(self.table, self.now()))

    def running_clocks(self) -> tuple[RunningClock, ...]:
        """The clocks that run now."""
        return self.clocks.running(self.table, self.now())

    def forgive(self, seconds: float) -> None:
        """Do not count this many seconds in which this process received nothing."""
        self.presence.forgive(seconds)
        self.clocks.forgive(seconds)

    def lost(self) -> tuple[LostConnection, ...]:
        """The players that are disconnected now, if any were at the last check of presence."""
        return self.presence.lost(self.table, self.now()) if len(self._shown) > 1 else ()

    def replaceable(self, seat: Seat) -> str | None:
        """The disconnected person of a seat, if the others may let a computer player go on now."""
        lost = (person for person in self.presence.lost(self.table, self.now()) if person.seat == seat)
        return next((self.table.seats.by_seat[seat].session for person in lost if person.offered), None)

    def returned(self) -> tuple[str, ...]:
        """Persons with a stand-in who are here and have not left on purpose."""
        if self.presence.empty:
            return ()
        now = self.now()
        return tuple(
            place.session
            for place in self.table.seats.places
            if place.stand_in
            and place.session not in self._left
            and not self.clocks.is_expired(place.session, self.table)
            and self.presence.is_here(place.session, now)
        )

    def has_searching_players(self, session: str) -> bool:
        """Whether searching players play with that person, in a match that goes on."""
        seats = self.table.seats
        searching = any(place.player and is_searching(place.player) for place in seats.places)
        return searching and not self.table.over and seats.holds(session)

    # ------------------------------------------------------------------------------------- changing

    async def commit(self, decide: Decide) -> int:
        """Let `decide` change the table, store the event, and go on from there.

        Returns:
            The number of the event.

        Raises:
            RequestError: As `decide` raises it.
            Unavailable: The database cannot be written.
        """
        # The task goes on when the caller is cancelled: what is on disk must also be in memory.
        return await asyncio.shield(asyncio.ensure_future(self._commit(decide)))

    async def _commit(self, decide: Decide) -> int:
        async with self._lock:
            for attempt in range(3):
                change = decide(self.table, self.now())
                if isinstance(change, int):
                    return change
                row = to_row(change.event, len(change.table.seats))
                try:
                    await self._store.append(self.table.id, row, change.table.over)
                except Conflict:
                    _LOG.info("table %s was changed elsewhere (attempt %d)", self.table.id, attempt + 1)
                    await self._catch_up()
                    if (before := await self._stored(row.key, row.print)) is not None:
                        return before
                    continue
                self._become(change.table)
                return row.seq
        raise Unavailable("The table is busy; try again.")

    async def act(self, session: str, text: str, seq: int, key: str) -> int:
        """Let a person act (see `nousu.server.table.commands.act`); return the number of the event."""
        try:
            return await self.commit(lambda table, now: commands.act(table, session, text, seq, key, now))
        except (Stale, IllegalAction, Unavailable):
            # The action may have been done before, and be forgotten here.
            before = await self._stored(key, self.table.fingerprint(session, text, seq))
            if before is None:
                raise
        return before

    async def _stored(self, key: str | None, mark: str | None) -> int | None:
        """The number of the stored event with that key; None without one."""
        row = None if key is None else await self._store.event_of_key(self.table.id, key)
        if row is None:
            return None
        number, stored_mark = row
        if stored_mark != mark:
            raise KeyReused("This key already belongs to another action; use a new one.")
        return number

    def hurry(self, session: str) -> int:
        """Let computer players finish the hand at once, for a player without cards left in it.

        Like presence this is no event.

        Returns:
            The number of the last event.
        """
        self.table.seats.place_of(session)
        if not self.table.left_to_computers:
            raise Stale("Computer players finish a hand quickly when no person has cards left in it.")
        self._driver.hurry()
        self._pulse()
        return self.table.seq

    def _become(self, table: Table) -> None:
        if table.match is not self.table.match:
            self._driver.forget_declined()
        self.table = table
        self.used = self.now()
        self.clocks.update(table, self.used)
        self._pulse()

    def _pulse(self) -> None:
        pulse, self.pulse = self.pulse, asyncio.Event()
        pulse.set()
        if self.subscribers:
            # Two turns of the loop later: the acknowledgement goes out before the views are rendered.
            loop = asyncio.get_running_loop()
            loop.call_soon(loop.call_soon, self._notify)

    def _notify(self) -> None:
        for subscriber in self.subscribers:
            subscriber.notify()

    # -------------------------------------------------------------------------- events of other processes

    def hear(self, seq: int) -> None:
        """Note that some process has stored the event of this number (0: unknown).

        It is loaded at once if a page is open, else with the next request.
        """
        self._latest = max(self._latest, seq or math.inf)
        self._heard_at = self.now()
        if self.subscribers and self.is_behind and (self._follower is None or self._follower.done()):
            self._follower = asyncio.create_task(self.refresh())

    @property
    def is_behind(self) -> bool:
        """Whether another process has stored events that are not loaded here."""
        return self._latest > self.table.seq

    async def refresh(self) -> None:
        """Load events stored by other processes, if there are any."""
        while self.is_behind:
            async with self._lock:
                if not self.is_behind:
                    return
                latest = self._latest
                await self._catch_up()
                if self._latest == latest:
                    self._latest = 0

    async def follow(self) -> None:
        """Leave the table to the process whose people are at it, as long as that goes on with it."""
        while self.is_behind and (left := self._heard_at + _GRACE - self.now()) > 0:
            await asyncio.sleep(left)
        await self.refresh()

    async def _catch_up(self) -> None:
        """Load events stored by another process, or by a write that seemed to fail."""
        table = await load_events(self.table, self._store, self.now)
        if table is not self.table:
            self._become(table)

    # --------------------------------------------------------------------------------- memory and disk

    @property
    def events_since_snapshot(self) -> int:
        """Number of events that no snapshot has."""
        return self.table.seq - self._snapshot_seq

    async def snapshot(self) -> Snapshot | None:
        """A snapshot of the table as it is now; None where there can be none."""
        table = self.table
        last = await self._store.events(table.id, table.seq - 1, 1)
        self._snapshot_seq = table.seq
        return snapshot_of(table, last[0]) if last else None

    def drive(self) -> None:
        """Start the driver, which ends with the match."""
        self._driver.start()

    @property
    def idle(self) -> bool:
        """True if there are no watchers, and the table waits for a person or is over."""
        return not self.subscribers and not self._lock.locked() and not self._driver.due_steps()

    async def close(self) -> None:
        """Stop the driver, and wait for pending writes."""
        if self._follower is not None:
            self._follower.cancel()
        await self._driver.stop()
        async with self._lock:
            pass
