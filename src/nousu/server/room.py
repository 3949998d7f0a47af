"""A table in use: the value, its lock, what its computer players are thinking, and who watches."""

import asyncio
import hmac
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable

from nousu.engine.actions import Action
from nousu.engine.seats import CHANCE, Seat
from nousu.server.blame import blame
from nousu.server.events import Row, from_row, to_row
from nousu.server.refusals import Refused, Unavailable
from nousu.server.store import Conflict, Store
from nousu.server.table import Change, Step, Table
from nousu.server.thinking import Thinkers
from nousu.server.viewing import Viewings

_LOG = logging.getLogger(__name__)
_RETRY = 1.0
"""Seconds between attempts to write what the table does by itself while the disk refuses."""
_QUANTUM = 0.25
"""A computer player that thinks longer than the pace answers at a whole multiple of this many seconds, so
that the time it took says less than a person's hesitation would (0 at pace 0)."""

Now = Callable[[], float]
Decide = Callable[[Table, float], Change | int]
"""Turns a table, at a time, into a change; or into the number of an event that is already stored."""


class Room:
    """One table of this server process. `table` only changes after what changed it is on disk."""

    def __init__(self, table: Table, store: Store, thinkers: Thinkers, now: Now = time.monotonic) -> None:
        self.table = table
        self.pulse = asyncio.Event()
        """Set, and replaced, whenever `table` changes."""
        self.viewings = Viewings()
        self.watchers: set[asyncio.Event] = set()
        """Set, one for each live page, whenever `table` changes."""
        self.used = now()
        self._lock = asyncio.Lock()
        self._store = store
        self._thinkers = thinkers
        self._now = now
        self._declined: frozenset[Seat] = frozenset()
        self._here: Counter[str] = Counter()
        self._heard: dict[str, float] = {}
        self._left: set[str] = set()
        self._opened = now()
        self._driver: asyncio.Task[None] | None = None

    # ------------------------------------------------------------------------------------ presence

    def come(self, session: str) -> None:
        """A page of this person has connected."""
        self._here[session] += 1
        self._left.discard(session)

    def gone(self, session: str) -> None:
        """A page of this person is connected no more."""
        self._here[session] -= 1
        if self._here[session] <= 0:
            del self._here[session]
        self.heard_of(session)

    def heard_of(self, session: str) -> None:
        """This person has asked for something; programs do without staying connected."""
        if self.table.seat_of(session) is not None:
            self._heard[session] = self._now()

    def left(self, session: str) -> None:
        """This person has left on purpose, whatever pages of theirs are still open."""
        self._left.add(session)

    def missing(self, patience: float) -> tuple[str, ...]:
        """Persons whom the table waits for in vain: not heard of for `patience` seconds while somebody else
        is here."""
        table = self.table
        if table.match is None or table.over or table.between_hands:
            return ()
        here = self._here.keys()
        seats = table.by_seat
        owed = (seats[seat] for seat in table.match.hand.owed() if seat >= 0)
        since = self._now() - patience
        return tuple(
            place.session
            for place in owed
            if place.session
            and not place.stand_in
            and place.session not in here
            and self._heard.get(place.session, self._opened) < since
            and any(other.session in here for other in seats if other is not place and not other.stand_in)
        )

    def returned(self) -> tuple[str, ...]:
        """Persons who are here and have not left on purpose although a computer player plays for them:
        another server process has missed them."""
        return tuple(
            place.session
            for place in self.table.places
            if place.stand_in and place.session in self._here and place.session not in self._left
        )

    # ------------------------------------------------------------------------------------- changing

    async def commit(self, decide: Decide) -> int:
        """Let `decide` change the table, store the event, and go on from there; the event's number. Refusals
        of `decide` pass through."""
        # The task goes on when the caller is cancelled: what is on disk must also be in memory.
        return await asyncio.shield(asyncio.ensure_future(self._commit(decide)))

    async def _commit(self, decide: Decide) -> int:
        async with self._lock:
            for attempt in range(3):
                found = decide(self.table, self._now())
                if isinstance(found, int):
                    return found
                row = to_row(found.event, len(found.table.places))
                try:
                    await self._store.append(self.table.id, row, found.table.over)
                except Conflict:
                    _LOG.info("table %s was changed elsewhere (attempt %d)", self.table.id, attempt + 1)
                    await self._catch_up()
                    continue
                self._become(found.table)
                return row.seq
        raise Unavailable("The table is busy; try again.")

    async def hear(self, seq: int) -> None:
        """Somebody, perhaps another process, has stored the event of this number (0: who knows)."""
        async with self._lock:
            if seq == 0 or seq > self.table.seq:
                await self._catch_up()

    async def _catch_up(self) -> None:
        """Take over events stored by another process, or by a write that seemed to fail."""
        rows = await self._store.events(self.table.id, self.table.seq)
        if rows:
            self._become(folded(self.table, rows, self._now()))

    def _become(self, table: Table) -> None:
        self.table = table
        self.used = self._now()
        self._declined = frozenset()
        self._beat()

    def _beat(self) -> None:
        pulse, self.pulse = self.pulse, asyncio.Event()
        pulse.set()
        for watcher in self.watchers:
            watcher.set()

    # --------------------------------------------------------------------------- what happens by itself

    def drive(self) -> None:
        """Begin to do what the table does by itself; ends by itself with the match."""
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive(), name=f"table {self.table.id}")

    @property
    def idle(self) -> bool:
        """Nobody watches, and the table waits for a person or is over."""
        return not self.watchers and not self._lock.locked() and not self.table.steps(self._declined)

    async def close(self) -> None:
        """Stop driving, and let what is being written get to disk."""
        if self._driver is not None:
            self._driver.cancel()
            await asyncio.gather(self._driver, return_exceptions=True)
        async with self._lock:
            self._driver = None

    async def _drive(self) -> None:
        while not self.table.over:
            pulse, table = self.pulse, self.table
            try:
                steps = table.steps(self._declined)
                if not steps:
                    await pulse.wait()
                else:
                    await self._do_next(table, steps, pulse)
            except Refused:
                await asyncio.sleep(_RETRY)
            except Exception as error:
                _LOG.error("table %s stopped: %s", table.id, blame(error))
                await pulse.wait()

    async def _do_next(self, table: Table, steps: tuple[Step, ...], pulse: asyncio.Event) -> None:
        """Think and wait for the first step that is due, and do it, unless the table changes meanwhile."""
        step = min(steps, key=lambda one: one.at)
        thought: asyncio.Task[Action | None] | None = None
        if step.what in ("choose", "interrupt"):
            thought = asyncio.create_task(self._thought(table, step.seat))
        try:
            if await self._changed_before(pulse, step.at):
                return
            due = step.at
            while thought is not None and not thought.done():
                if table.pace:
                    due = max(due, self._now()) + _QUANTUM
                    if await self._changed_before(pulse, due):
                        return
                else:
                    await asyncio.wait((thought,))
            action = thought.result() if thought is not None else None
        finally:
            if thought is not None:
                thought.cancel()
        if step.what == "interrupt" and action is None:
            if self.table is table:
                self._declined |= {step.seat}
            return
        await self.commit(lambda now, at: _change(now, step, action, at) if now is table else now.seq)

    async def _thought(self, table: Table, seat: Seat) -> Action | None:
        assert table.match is not None
        seed = hmac.digest(table.shuffles.secret, f"player {seat} {table.seq}".encode(), "sha256")
        view = table.match.hand.view(seat)
        player = table.by_seat[seat].played_by
        return await self._thinkers.choose(player, view, int.from_bytes(seed[:6], "big"))

    async def _changed_before(self, pulse: asyncio.Event, at: float) -> bool:
        """Wait until the table changes (True) or the time has come (False)."""
        left = at - self._now()
        if left <= 0:
            return pulse.is_set()
        try:
            async with asyncio.timeout(left):
                await pulse.wait()
        except TimeoutError:
            return False
        return True


def _change(table: Table, step: Step, action: Action | None, now: float) -> Change:
    match step.what:
        case "start":
            return table.started(now)
        case "deal":
            return table.deal(now)
        case "turn up":
            return table.turned_up(step.seat, now)
        case _:
            assert action is not None and step.seat != CHANCE
            return table.entry(step.seat, action, now)


def folded(table: Table, rows: Iterable[Row], now: float) -> Table:
    """A table with stored events folded in, all of which are taken to have happened at `now`."""
    for row in rows:
        table = table.after(from_row(row, len(table.places)), now)
    return table
