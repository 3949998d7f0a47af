"""A table in use: the value, its lock, what its computer players are thinking, and who watches."""

import asyncio
import hmac
import logging
import math
import time
from collections.abc import Callable
from typing import NamedTuple

from nousu.engine.actions import Action, Entry
from nousu.engine.errors import IllegalAction
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE, Seat
from nousu.players.claims import Kind
from nousu.server.errors import KeyReused, RequestError, Stale, Unavailable
from nousu.server.failure_place import safe_traceback
from nousu.server.live import snapshots
from nousu.server.live.clock import Clock, Running
from nousu.server.live.loading import folded
from nousu.server.live.presence import Lost, Presence
from nousu.server.live.workers import Thinkers, thinks
from nousu.server.pages.table.live_picture import Viewings
from nousu.server.storage.store import Conflict, Snapshot, Store
from nousu.server.table import claim_commands
from nousu.server.table.events import to_row
from nousu.server.table.schedule import Step, steps
from nousu.server.table.seats import alone
from nousu.server.table.table import Change, Table

_LOG = logging.getLogger(__name__)
_RETRY = 1.0
"""Seconds between attempts to write what the table does by itself while the disk refuses."""
_QUANTUM = 0.25
"""A computer player that thinks longer than the pace answers at a whole multiple of this many seconds, so
that the time it took says less than a person's hesitation would (0 at pace 0)."""

_GRACE = 2.0
"""Seconds for which a table that another process goes on with is left to it."""

Now = Callable[[], float]
Decide = Callable[[Table, float], Change | int]
"""Turns a table, at a time, into a change; or into the number of an event that is already stored."""


class _Thought(NamedTuple):
    about: tuple[Match | None, Seat, str]
    """The position, who thinks, and which computer player that is."""
    task: asyncio.Task[Action | None]


class Room:
    """One table of this server process. `table` only changes after what changed it is on disk."""

    def __init__(self, table: Table, store: Store, thinkers: Thinkers, now: Now = time.monotonic) -> None:
        self.table = table
        self.pulse = asyncio.Event()
        """Set, and replaced, whenever `table` changes."""
        self.viewings = Viewings()
        self.watchers: set[Callable[[], None]] = set()
        """Called, one for each live page, whenever `table`, or who is at it, changes."""
        self.used = now()
        self._lock = asyncio.Lock()
        self._store = store
        self._thinkers = thinkers
        self._now = now
        self._declined: frozenset[Seat] = frozenset()
        self.presence = Presence(now())
        self.clock = Clock()
        self.clock.turn(table, now())
        self._watching = 0
        self._shown: tuple[object, ...] = (0,)
        self._left: set[str] = set()
        self._ahead: float = 0
        """The last event that was heard of."""
        self._heard_at = 0.0
        self._follower: asyncio.Task[None] | None = None
        self._thought: _Thought | None = None
        self._kept = table.seq
        """The last event that a snapshot has."""
        self._driver: asyncio.Task[None] | None = None
        self._hurried = False
        """Computer players finish the hand at once, and the next ones, until a person has cards."""

    # ------------------------------------------------------------------------------------ presence

    def come(self, session: str, page: object) -> None:
        """A page of this person has connected."""
        self.presence.come(session, page)
        self._left.discard(session)

    def gone(self, session: str, page: object) -> None:
        """A page of this person is connected no more."""
        self.presence.gone(session, page, self._now(), self.table.seat_of(session) is not None)

    def heard_of(self, session: str) -> None:
        """This person has asked for something; programs do without staying connected."""
        if self.table.seat_of(session) is not None:
            self.presence.heard(session, self._now())

    def beat(self, session: str, page: object) -> None:
        """A page of this person says that it is there."""
        self.presence.beat(session, page, self._now())

    def left(self, session: str) -> None:
        """This person has left on purpose, whatever pages of theirs are still open."""
        self._left.add(session)

    def look(self) -> tuple[str, ...]:
        """See whose line is gone, and let the pages know when that has changed; the persons for whom a
        computer player is to go on now."""
        if self.presence.empty and not self.watchers and self._shown == (0,):
            return ()
        lost = self.presence.lost(self.table, self._now())
        seated = sum(self.presence.pages(place.session) for place in self.table.places)
        self._watching = max(0, len(self.watchers) - seated)
        shown = (self._watching, *((one.seat, one.offered, one.left is None) for one in lost))
        if shown != self._shown:
            self._shown = shown
            self._beat_pages()
        away = tuple(self.table.by_seat[one.seat].session for one in lost if one.left == 0)
        return (*away, *self.clock.expired(self.table, self._now()))

    def clocks(self) -> tuple[Running, ...]:
        """The clocks that run now."""
        return self.clock.running(self.table, self._now())

    def forgive(self, seconds: float) -> None:
        """For so long this process heard nobody; that was nobody's fault."""
        self.presence.forgive(seconds)
        self.clock.forgive(seconds)

    def lost(self) -> tuple[Lost, ...]:
        """Whose line is gone now."""
        return self.presence.lost(self.table, self._now()) if len(self._shown) > 1 else ()

    @property
    def watching(self) -> int:
        """How many pages of people who do not sit here show this table, at the last look."""
        return self._watching

    def offered(self, seat: Seat) -> str | None:
        """The person of a seat for whom the others may let a computer player go on now."""
        found = (one for one in self.presence.lost(self.table, self._now()) if one.seat == seat)
        return next((self.table.by_seat[seat].session for one in found if one.offered), None)

    def returned(self) -> tuple[str, ...]:
        """Persons who are here and have not left on purpose although a computer player plays for them."""
        if self.presence.empty:
            return ()
        now = self._now()
        return tuple(
            place.session
            for place in self.table.places
            if place.stand_in
            and place.session not in self._left
            and not self.clock.late(place.session, self.table)
            and self.presence.here(place.session, now)
        )

    def thinks_for(self, session: str) -> bool:
        """Whether searching players sit here with that person, in a match that goes on."""
        places = self.table.places
        with_them = any(place.player and thinks(place.player) for place in places)
        return with_them and not self.table.over and any(place.session == session for place in places)

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
                    if (before := await self._stored(row.key, row.print)) is not None:
                        return before
                    continue
                self._become(found.table)
                return row.seq
        raise Unavailable("The table is busy; try again.")

    async def act(self, session: str, text: str, seq: int, key: str) -> int:
        """Let a person act (see `Table.act`); the number of the event."""
        try:
            return await self.commit(lambda table, now: table.act(session, text, seq, key, now))
        except (Stale, IllegalAction, Unavailable):
            # It may be one that was done before, and is forgotten here.
            before = await self._stored(key, self.table.mark(session, text, seq))
            if before is None:
                raise
        return before

    async def _stored(self, key: str | None, mark: str | None) -> int | None:
        """The number of the event that came with a key, as the disk knows it; None where none did."""
        found = None if key is None else await self._store.keyed(self.table.id, key)
        if found is None:
            return None
        number, known = found
        if known != mark:
            raise KeyReused("This key was used for another action; take a new one.")
        return number

    def hurry(self, session: str) -> int:
        """Let the computer players finish the hand at once, for a person at the table who has nothing left to
        play in it; the number of the last event. Like presence this is no event."""
        self.table.place_of(session)
        if not self.table.left_to_computers:
            raise Stale("Computer players finish a hand quickly when no person has cards left in it.")
        self._hurried = True
        self._beat()
        return self.table.seq

    def hear(self, seq: int) -> None:
        """Somebody, perhaps another process, has stored the event of this number (0: who knows). It is looked
        up at once where somebody watches, else when somebody asks."""
        self._ahead = max(self._ahead, seq or math.inf)
        self._heard_at = self._now()
        if self.watchers and self._behind and (self._follower is None or self._follower.done()):
            self._follower = asyncio.create_task(self.current())

    @property
    def _behind(self) -> bool:
        return self._ahead > self.table.seq

    async def current(self) -> None:
        """Take over what other processes have stored, if they have."""
        while self._behind:
            async with self._lock:
                if not self._behind:
                    return
                ahead = self._ahead
                await self._catch_up()
                if self._ahead == ahead:
                    self._ahead = 0

    async def _catch_up(self) -> None:
        """Take over events stored by another process, or by a write that seemed to fail."""
        table = await folded(self.table, self._store, self._now)
        if table is not self.table:
            self._become(table)

    @property
    def unkept(self) -> int:
        """How many events no snapshot has."""
        return self.table.seq - self._kept

    async def snapshot(self) -> Snapshot | None:
        """The table as it is now for a snapshot; None where there can be none."""
        table = self.table
        last = await self._store.events(table.id, table.seq - 1, 1)
        self._kept = table.seq
        return snapshots.taken(table, last[0]) if last else None

    def _become(self, table: Table) -> None:
        if table.match is not self.table.match:
            self._declined = frozenset()
        self.table = table
        self.used = self._now()
        self.clock.turn(table, self.used)
        self._beat()

    def _beat(self) -> None:
        pulse, self.pulse = self.pulse, asyncio.Event()
        pulse.set()
        self._beat_pages()

    def _beat_pages(self) -> None:
        for watcher in self.watchers:
            watcher()

    # --------------------------------------------------------------------------- what happens by itself

    def drive(self) -> None:
        """Begin to do what the table does by itself; ends by itself with the match."""
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive(), name=f"table {self.table.id}")

    @property
    def idle(self) -> bool:
        """Nobody watches, and the table waits for a person or is over."""
        return not self.watchers and not self._lock.locked() and not steps(self.table, self._declined)

    async def close(self) -> None:
        """Stop driving, and let what is being written get to disk."""
        if self._thought is not None:
            self._thought.task.cancel()
        if self._follower is not None:
            self._follower.cancel()
        if self._driver is not None:
            self._driver.cancel()
            await asyncio.gather(self._driver, return_exceptions=True)
        async with self._lock:
            self._driver = None

    async def _drive(self) -> None:
        while not self.table.over:
            pulse, table = self.pulse, self.table
            try:
                if self._behind:
                    await self._follow()
                    continue
                todo = steps(table, self._declined)
                if not todo:
                    await pulse.wait()
                else:
                    await self._do_next(table, min(todo, key=lambda one: one.at), pulse)
            except RequestError:
                await asyncio.sleep(_RETRY)
            except Exception as error:
                _LOG.error("table %s stopped: %s", table.id, safe_traceback(error))
                await pulse.wait()

    async def _follow(self) -> None:
        """Leave the table to the process whose people are at it, as long as that goes on with it."""
        while self._behind and (left := self._heard_at + _GRACE - self._now()) > 0:
            await asyncio.sleep(left)
        await self.current()

    async def _do_next(self, table: Table, step: Step, pulse: asyncio.Event) -> None:
        """Think and wait for the step that is due first, and do it, unless the table changes meanwhile."""
        match = table.match
        if self._hurried:
            self._hurried = match is not None and (
                table.resting or alone(match.hand.view(None), table.persons())
            )
        hurried = self._hurried and not table.resting
        calm = table.pace > 0 and not hurried
        if hurried:
            step = step._replace(at=table.since)
        thought = self._thinking(table, step)
        if step.what == "settle":
            if not await self._changed_before(pulse, step.at):
                await self._settle(table)
            return
        due = _answered_at(step.at, self._now()) if thought is not None and calm else step.at
        if await self._changed_before(pulse, due):
            return
        while thought is not None and not thought.done():
            if calm:
                due = max(due, self._now()) + _QUANTUM
                if await self._changed_before(pulse, due):
                    return
            else:
                await asyncio.wait((thought,))
        self._thought = None
        action = thought.result() if thought is not None else None
        if step.what == "interrupt" and action is None:
            if self.table is table:
                self._declined |= {step.seat}
            return
        await self.commit(lambda now, at: _change(now, step, action, at) if now is table else now.seq)

    async def _settle(self, table: Table) -> None:
        """Do what was asked for and agreed to."""
        request = table.requests.open
        plays: tuple[Entry, ...] = ()
        assert request is not None and table.match is not None
        if request.what != "undo":
            kind: Kind = "mine" if request.what == "claim mine" else "theirs"
            plays = await self._thinkers.played_out(table.match.hand, request.seat, kind)
        await self.commit(lambda now, at: claim_commands.settle(now, plays, at) if now is table else now.seq)

    def _thinking(self, table: Table, step: Step) -> "asyncio.Task[Action | None] | None":
        """The thought that a step needs: the one begun already if it is about the same, for whoever comes,
        goes or adds to the shuffles must not make others begin anew."""
        thinks = step.what in ("choose", "interrupt")
        about = (table.match, step.seat, table.by_seat[step.seat].played_by) if thinks else None
        if self._thought is not None:
            old, task = self._thought
            if about is not None and old[0] is about[0] and old[1:] == about[1:]:
                return task
            task.cancel()
        self._thought = None
        if about is not None:
            self._thought = _Thought(about, asyncio.create_task(self._choose(table, step.seat)))
            return self._thought.task
        return None

    async def _choose(self, table: Table, seat: Seat) -> Action | None:
        assert table.match is not None
        # What people say, and who comes and goes, must not make a computer player think again otherwise.
        seed = hmac.digest(table.shuffles.secret, f"player {seat} {table.settled}".encode(), "sha256")
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


def _answered_at(at: float, now: float) -> float:
    """When an answer that was due `at` comes: then, or at one of the whole multiples after it, however often
    somebody came, went or spoke meanwhile."""
    return at + max(0, math.ceil((now - at) / _QUANTUM)) * _QUANTUM


def _change(table: Table, step: Step, action: Action | None, now: float) -> Change:
    match step.what:
        case "start":
            return table.started(now)
        case "deal":
            return table.deal(now)
        case "turn up":
            return table.turned_up(step.seat, now)
        case "lapse":
            return claim_commands.lapse(table, now)
        case _:
            assert action is not None and step.seat != CHANCE
            return table.entry(step.seat, action, now)
