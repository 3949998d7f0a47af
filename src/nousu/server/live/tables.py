"""All tables of one server: opens them, finds them, seats people, passes on what they do."""

import asyncio
import contextlib
import json
import logging
import math
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from sqlalchemy.engine import URL
from starlette.requests import HTTPConnection

from nousu.engine.cards import Card
from nousu.engine.errors import BadRecord
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat
from nousu.engine.timeline import Story
from nousu.games import find
from nousu.i18n import LANGUAGES, best_language
from nousu.players import players
from nousu.players.claims import Kind
from nousu.server.errors import NoSuchTable, NotYours, RequestError, Stale, Unavailable
from nousu.server.failure_place import safe_traceback
from nousu.server.http.rate_limits import RateLimits
from nousu.server.live.input_checks import (
    address,
    asked_about,
    check_options,
    check_pledge,
    known_player,
    verdict,
)
from nousu.server.live.loading import folded
from nousu.server.live.reviews import Reviews
from nousu.server.live.room import Room
from nousu.server.live.turns import Turns
from nousu.server.live.workers import Thinkers, thinks
from nousu.server.notifications.webpush import Notices
from nousu.server.people.sessions import Session, check_session, hashed, session_of
from nousu.server.storage.store import Conflict, SessionRow, Store, TableRow
from nousu.server.table import claim_commands, seating, shuffle, what_if
from nousu.server.table.display_names import clean_name
from nousu.server.table.events import to_row
from nousu.server.table.table import Change, Table
from nousu.server.table.view import Advice, HandSeen, Seen

_LOG = logging.getLogger(__name__)
_FORGOTTEN = 400 * 86400.0
"""Seconds after which a session is deleted; its cookie lives for a year."""
_UNUSED = 90 * 86400.0
"""Seconds without use after which a session is nobody's any more: longer than any pause in a match."""
_DAY = 86400.0
_IDLE = 600.0
"""Seconds after which a table nobody looks at leaves the memory (never the disk)."""
_MANY = 300
"""Events after which a table in use gets a new snapshot."""
_WORTH = 40
"""Events that make a snapshot worth its while when a table leaves the memory."""
_LAST = 1.5
"""Seconds for snapshots when the server stops."""
_RESUMED = 7 * 86400.0
"""Tables opened within so many seconds are gone on with after a restart, also if nobody looks."""

_LOOK, _AT_A_TIME = 0.5, 50
"""Seconds between two looks at who is still there; tables looked at before others may act."""
_THINKING = 4
"""Tables in play at which a person may have searching players."""
_STAND_IN = "rules"
"""The computer player that does."""

Ask = Callable[[Table, str, float], Change | int]
"""What the person of a session asks of a table, at a time."""
OPEN = "open"
"""Stands for a place kept for a person who comes by the link."""


class Desk:
    """The server behind the pages. Every method raises a `RequestError` with a sentence for the person."""

    def __init__(
        self, url: URL, thinkers: Thinkers, limits: RateLimits, pace: float | None, notices: Notices
    ) -> None:
        self.notices = notices
        self._url = url
        self._thinkers = thinkers
        self.limits = limits
        self._pace = pace
        self._rooms: dict[str, Room] = {}
        self.turns = Turns()
        """At making pictures."""
        self._advised: set[str] = set()
        """Sessions whose hint is being thought about."""
        self._opening: dict[str, asyncio.Future[Room]] = {}
        self._lines: dict[str, set[Callable[[], None]]] = {}
        """What cuts the live lines of each session."""
        self._awaited: set[str] = set()
        """Tables being opened that somebody waits for."""
        self._tasks: list[asyncio.Task[None]] = []
        self.reviews = Reviews(thinkers.aside, lambda: self.store.mine)
        self._store: Store | None = None

    async def start(self) -> None:
        """Open the database and go on with the tables that were in play. `BadDatabase` says what is wrong."""
        self._store = await Store.open(self._url, serving=True)
        works = (self._resume, self._tidy, self._listen, self._stand_in, self._store.examined)
        self._tasks = [asyncio.create_task(work()) for work in works]

    async def stop(self) -> None:
        """Stop all tables where they are; everything accepted is on disk already."""
        for task in self._tasks:
            task.cancel()
        for opening in self._opening.values():
            opening.cancel()
        await asyncio.gather(*self._tasks, *self._opening.values(), return_exceptions=True)
        await self.reviews.stop()
        await asyncio.gather(*(room.close() for room in self._rooms.values()))
        with contextlib.suppress(Exception):
            async with asyncio.timeout(_LAST):
                for room in self._rooms.values():
                    await self._keep_snapshot(room, _WORTH)
        self._thinkers.close()
        if self._store is not None:
            await self._store.close()

    @property
    def store(self) -> Store:
        """The database."""
        if self._store is None:
            raise Unavailable("The server is starting; try again.")
        return self._store

    async def _resume(self) -> None:
        for table_id in await self.store.live(time.time() - _RESUMED):
            try:
                await self._opened(table_id, hurried=False)
            except Exception as error:
                _LOG.error("table %s cannot be resumed: %s", table_id, safe_traceback(error))

    async def _listen(self) -> None:
        """Follow what other processes on the same database do."""
        while self.store.shared:
            try:
                async for table_id, seq in self.store.heard():
                    rooms = list(self._rooms.values()) if not table_id else [self._rooms.get(table_id)]
                    for room in rooms:
                        if room is not None:
                            room.hear(seq)
            except Exception as error:
                _LOG.warning("not hearing of other processes: %s", safe_traceback(error))
            await asyncio.sleep(1)

    async def _tidy(self) -> None:
        forgot = -math.inf
        while True:
            await asyncio.sleep(60)
            now = time.monotonic()
            if now - forgot > 86400:
                forgot = now
                with contextlib.suppress(RequestError):
                    clock = self.store.clock.now()
                    await self.store.forget_sessions(clock - _FORGOTTEN, clock - _UNUSED)
            for table_id, room in list(self._rooms.items()):
                try:
                    if room.idle and now - room.used > _IDLE:
                        await self._keep_snapshot(room, _WORTH)
                        if room.idle:
                            del self._rooms[table_id]
                            await room.close()
                    else:
                        await self._keep_snapshot(room, _MANY)
                except RequestError as error:
                    _LOG.warning("table %s: no snapshot: %s", table_id, safe_traceback(error))

    async def _keep_snapshot(self, room: Room, worth: int) -> None:
        """Store a snapshot of a table if that saves folding so many events."""
        if room.unkept >= worth and (found := await room.snapshot()) is not None:
            await self.store.keep_snapshots({room.table.id: found})

    async def _stand_in(self) -> None:
        """Let computer players play on for persons who are away, and give the seats back."""
        before = time.monotonic()
        while True:
            await asyncio.sleep(_LOOK)
            late, before = time.monotonic() - before - _LOOK, time.monotonic()
            for number, room in enumerate(list(self._rooms.values())):
                if number % _AT_A_TIME == _AT_A_TIME - 1:
                    await asyncio.sleep(0)
                if late > _LOOK:
                    room.forgive(late)
                try:
                    for session in room.look():
                        await self._send_away(room, session)
                    for session in room.returned():
                        await self._fetch_back(room, session)
                    self.notices.look(room, before)
                except Exception as error:
                    _LOG.warning("table %s: nobody stands in: %s", room.table.id, safe_traceback(error))

    async def _send_away(self, room: Room, session: str) -> None:
        await room.commit(
            lambda table, now: table.seq if table.is_away(session) else table.away(session, _STAND_IN, now)
        )

    async def _fetch_back(self, room: Room, session: str) -> None:
        await room.commit(
            lambda table, now: table.back(session, now) if table.is_away(session) else table.seq
        )

    # ------------------------------------------------------------------------------------- sessions

    async def session(self, request: HTTPConnection) -> Session:
        """Who asks; a new session is made (and its cookie set) where there was none."""
        found = await self.known(request)
        if found is not None:
            return found
        await self.limits.hit("session", address(request))
        token = secrets.token_urlsafe(16)
        row = SessionRow(hashed(token), "", "", shuffle.new_secret())
        await self.store.add_session(row)
        request.state.token = token
        request.state.new_token = token  # the guard sets the cookie
        return session_of(row, request)

    async def visitor(self, request: HTTPConnection) -> Session:
        """The person asking, for a page that only shows something: whoever came without a session has none
        after it either, and their id is empty."""
        found = await self.known(request)
        return found or Session("", "", best_language(request.headers.get("accept-language")), "")

    async def known(self, request: HTTPConnection) -> Session | None:
        """The person asking, if they have a session that we know."""
        token = getattr(request.state, "token", "")
        row = await self.store.session(hashed(token)) if token else None
        if row is None or (idle := time.time() - row.used) > _UNUSED:
            return None
        if idle > _DAY:
            with contextlib.suppress(RequestError):  # a full disk keeps nobody from reading
                await self.store.change_session(row.id, used=time.time())
        return session_of(row, request)

    async def end(self, session: Session) -> None:
        """End a session for good: its token is worth nothing, its live lines are cut, and computer players go
        on where others wait."""
        check_session(session)
        for table in await self.store.mine.forget(session.id):
            if (room := self._rooms.pop(table, None)) is not None:
                await room.close()
        self.cut(session)
        for room in list(self._rooms.values()):
            seat = room.table.seat_of(session.id)
            if seat is not None:
                with contextlib.suppress(RequestError):
                    await self._walk_away(room, session, seat)

    def cut(self, session: Session) -> None:
        """Cut the live lines of a person; a device that still has the session comes back by itself."""
        for cut in list(self._lines.pop(session.id, ())):
            cut()

    @contextlib.contextmanager
    def line(self, session: Session | None, cut: Callable[[], None]) -> Iterator[None]:
        """While a live line of that session is open; `cut` is called when the session ends."""
        if session is None:
            yield
            return
        lines = self._lines.setdefault(session.id, set())
        lines.add(cut)
        try:
            yield
        finally:
            lines.discard(cut)
            if not lines:
                self._lines.pop(session.id, None)

    async def keep(self, session: Session, name: str | None = None, lang: str | None = None) -> Session:
        """Remember a name or a language for this session."""
        changes = {}
        if name is not None:
            changes["name"] = clean_name(name)
        if lang in LANGUAGES:
            changes["lang"] = lang
        if changes:
            await self.store.change_session(session.id, **changes)
        return replace(session, **changes)

    # --------------------------------------------------------------------------------------- tables

    def players(self) -> Sequence[str]:
        """Names of the computer players that may be asked to sit down."""
        return tuple(players())

    async def new_table(
        self,
        preset_text: str,
        name: str,
        lang: str,
        players: Sequence[str],
        options: Mapping[str, str],
        *,
        session: Session | None = None,
        pledge: str = "",
    ) -> str:
        """Open a table and sit its first person down; the new table's id. `preset_text` is
        ``preset+option=value``; `players` are the other places in order: a computer player's name, or
        ``open`` for a person who comes by the link. `options` are the table's own: ``window`` (seconds for
        interrupts, "2"), ``pace`` (seconds a computer player takes for a card). `pledge` is the SHA-256
        of the person's share of the shuffle (empty: they give none), which `open_share` opens when all places
        are taken. `BadRules` names a wrong rule option."""
        check_pledge(pledge)
        table_id = secrets.token_urlsafe(12)
        if session is not None:
            await self.limits.hit("table", session.id)
            session = await self.keep(session, name=name, lang=lang)
            row = await self.store.session(session.id)
            if row is None:
                raise NotYours("Your session is no longer known; reload the page.")
            secret = row.secret
            await self.store.mine.sits(session.id, table_id)
        else:
            secret = shuffle.new_secret()
        for player in players:
            if player != OPEN:
                known_player(player)
                self._check_thinking(session, player)
        seats = len(players) + (session is not None)
        check_options(options, preset_text)
        table = self._empty(table_id, preset_text, seats, secret, options)
        now, rows = time.monotonic(), []
        if session is not None:
            event, table = seating.join(table, session.id, name, pledge, now)
            rows.append(to_row(event, seats))
        # Computer players fill from the front, so open places come last, in the order of the link's guests.
        for player in sorted(players, key=lambda one: one == OPEN):
            if player != OPEN:
                event, table = table.invite(player, now)
                rows.append(to_row(event, seats))
        stored = TableRow(table.id, preset_text, seats, json.dumps(dict(options)), secret, False)
        opener = session.id if session is not None else None
        try:
            await self.store.add_table(stored, rows, opener, shuffle.new_secret())
        except Conflict:
            raise Unavailable("Two tables were opened at once; try again.") from None
        self._enter(table)
        return table.id

    def _empty(
        self, table_id: str, preset: str, seats: int, secret: bytes, options: Mapping[str, str]
    ) -> Table:
        table = Table.new(table_id, preset, seats, secret, options, find)
        return table if self._pace is None or "pace" in options else replace(table, pace=self._pace)

    def at_hand(self, table_id: str) -> Table | None:
        """The table of that id as it is in this process's memory; None where it is not there now."""
        room = self._rooms.get(table_id)
        return None if room is None else room.table

    def events(self) -> set[str]:
        """Where in tournaments the tables in memory stand."""
        return {room.table.event for room in self._rooms.values() if room.table.event}

    def open_tables(self) -> list[Table]:
        """Tables that wait for strangers, with somebody there."""
        waiting = (room.table for room in self._rooms.values() if room.watchers)
        return [table for table in waiting if table.public and table.match is None and table.open_places()]

    def states(self) -> list[str]:
        """What each table in memory does: lobby, playing or over."""
        found = [room.table for room in self._rooms.values()]
        return ["over" if one.over else "playing" if one.match is not None else "lobby" for one in found]

    def _enter(self, table: Table) -> Room:
        room = self._rooms.setdefault(table.id, Room(table, self.store, self._thinkers))
        room.drive()
        return room

    async def room(self, table_id: str) -> Room:
        """The table of that id, from memory or from disk; `NoSuchTable`."""
        room = await self._opened(table_id, hurried=True)
        room.used = time.monotonic()
        await room.current()
        return room

    async def _opened(self, table_id: str, hurried: bool) -> Room:
        """The room of a table; where it is not in memory it is folded, with haste once one who wants it is
        `hurried`."""
        if table_id in self._rooms:
            return self._rooms[table_id]
        if hurried:
            self._awaited.add(table_id)
        if table_id in self._opening:
            with contextlib.suppress(NoSuchTable):  # it may have been stored since that look began
                return await asyncio.shield(self._opening[table_id])
        if table_id not in self._opening:
            opening = asyncio.ensure_future(self._load(table_id))
            self._opening[table_id] = opening
            opening.add_done_callback(lambda _: self._forget_opening(table_id))
        return await asyncio.shield(self._opening[table_id])

    def _forget_opening(self, table_id: str) -> None:
        del self._opening[table_id]
        self._awaited.discard(table_id)

    async def _load(self, table_id: str) -> Room:
        row = await self.store.table(table_id)
        if row is None:
            raise NoSuchTable("There is no such table.")
        empty = self._empty(row.id, row.preset, row.seats, row.secret, json.loads(row.options))
        table = await folded(empty, self.store, time.monotonic, lambda: table_id in self._awaited)
        # The time of a restart counts as the time of the last event, so nobody loses time by it.
        return self._enter(replace(table, since=time.monotonic()))

    async def seen(self, table_id: str, session: Session | None) -> Seen:
        """The table as this session may see it (None: a spectator)."""
        room = await self.room(table_id)
        if session is None:
            return room.table.seen(None, time.monotonic(), "en")
        room.heard_of(session.id)
        return room.table.seen(session.id, time.monotonic(), session.lang)

    async def hand(self, table_id: str, session: Session | None, index: int) -> tuple[Seen, HandSeen]:
        """A finished hand, by its place among the finished hands (from 1)."""
        seen = await self.seen(table_id, session)
        if not 1 <= index <= len(seen.match.played):
            raise NoSuchTable("There is no such hand, or it is not over yet.")
        return seen, seen.match.played[index - 1]

    async def story(self, table_id: str, session: Session | None, index: int) -> tuple[Seen, HandSeen, Story]:
        """A finished hand, and the same told moment by moment."""
        seen, hand = await self.hand(table_id, session, index)
        room = await self.room(table_id)
        return seen, hand, room.table.story(session.id if session is not None else None, index)

    async def record(self, table_id: str, session: Session | None) -> str:
        """The written record: all of it when the match is over, else what this session may know."""
        room = await self.room(table_id)
        return room.table.record(session.id if session is not None else None)

    async def check(self, request: HTTPConnection, record: str) -> shuffle.Verdict:
        """Make every shuffle of a record again and compare, away from those who play. `BadRecord`, or
        `Unavailable` where too many ask for it."""
        await self.limits.hit("verify", address(request))
        found = await self._thinkers.check(verdict, record)
        if isinstance(found, shuffle.Verdict):
            return found
        raise BadRecord(*found)

    async def act(self, table_id: str, session: Session, text: str, seq: int, key: str) -> int:
        """Do an action (``play H9``), ask for the ``next`` hand, or let computer players ``hurry``; the
        number of the event it became, on disk, or of the last one. `IllegalAction` or `RequestError`."""
        check_session(session)
        await self.limits.hit("act", session.id)
        room = await self.room(table_id)
        room.heard_of(session.id)
        if room.table.is_away(session.id):
            await self._fetch_back(room, session.id)
        if text == "hurry":
            return room.hurry(session.id)
        return await room.act(session.id, text, seq, key)

    async def hint(self, table_id: str, session: Session, card: Card | None, act: str = "") -> Advice:
        """What a good player would consider at this seat now, and why not `card`, or the action `act`: from
        what the seat knows alone. `RequestError` at tables that are not for learning, and out of turn."""
        check_session(session)
        seen = await self.seen(table_id, session)
        asked = asked_about(seen, card, act)
        await self.limits.hit("hint", session.id)
        if session.id in self._advised:
            raise Stale("A good player is still thinking about your last question.")
        self._advised.add(session.id)
        try:
            found, beside = await self._thinkers.advise(seen.view, asked)
        finally:
            self._advised.discard(session.id)
        return Advice(seen, found, card, asked, beside)

    async def join(
        self, table_id: str, session: Session, name: str, pledge: str = "", at: Seat | None = None
    ) -> Seat | None:
        """Take the place `at` or the first open one, promising a share of the shuffles by its SHA-256.
        Whoever sits already moves there. The seat, once seats are drawn."""
        await self.limits.hit("act", session.id)
        room = await self.room(table_id)
        check_pledge(pledge)
        place = None if at is None else seating.place_at(room.table, at)
        if at is not None and place is not None and room.table.seat_of(session.id) is not None:
            await room.commit(lambda table, now: seating.move(table, session.id, place, now))
            return room.table.seat_of(session.id)
        session = await self.keep(session, name=name)
        await self.store.mine.sits(session.id, table_id)
        await room.commit(
            lambda table, now: seating.join(table, session.id, session.name, pledge, now, place)
        )
        return room.table.seat_of(session.id)

    async def remove(self, table_id: str, session: Session, seat: Seat) -> None:
        """The host asks somebody to leave the table."""
        check_session(session)
        await self.limits.hit("act", session.id)
        room = await self.room(table_id)
        place = seating.place_at(room.table, seat)
        await room.commit(lambda table, now: seating.remove(table, session.id, place, _STAND_IN, now))

    async def again(self, table_id: str, session: Session, pledge: str = "") -> str:
        """Meet again after the match: the same people at the same places, with the next dealer; the id of
        that table. Whoever asks first opens it."""
        check_session(session)
        room = await self.room(table_id)
        table = room.table
        if table.seat_of(session.id) is None:
            raise NotYours("You are watching; only those who sit at the table may act.")
        if not table.over:
            raise Stale("The match is not over yet.")
        if table.rehearses is not None:
            raise Stale("This was not a match: one hand was played on from the middle.")
        if table.event:
            raise Stale("This match belongs to a tournament; its plan says who meets next.")
        found = table.again or await self._gather(table, session)
        await room.commit(lambda now, at: seating.met_again(now, found, at))
        with contextlib.suppress(NotYours):  # who presses twice sits there already
            await self.join(found, session, session.name, pledge)
        return found

    async def _gather(self, table: Table, session: Session) -> str:
        """Open the table for the rematch, unless somebody has just done so."""
        await self.limits.hit("table", session.id)
        found, options, seats = seating.next_id(table), seating.next_options(table), len(table.places)
        if await self.store.table(found) is None:
            empty = self._empty(found, table.preset, seats, shuffle.new_secret(), options)
            changes = seating.gathered(table, empty, time.monotonic())
            with contextlib.suppress(Conflict):
                await self._begun(empty, options, changes)
        return found

    async def _begun(self, empty: Table, options: Mapping[str, str], first: Sequence[Change]) -> None:
        """Store a new table with its first events."""
        seats = len(empty.places)
        row = TableRow(
            empty.id, empty.preset, seats, json.dumps(dict(options)), empty.shuffles.secret, over=False
        )
        await self.store.add_table(row, [to_row(one.event, seats) for one in first])

    async def play_on(self, table_id: str, session: Session, index: int, at: int, seat: Seat | None) -> str:
        """Open a table at which this person plays on from a moment of a finished hand, against computer
        players; its id."""
        check_session(session)
        await self.limits.hit("table", session.id)
        _, _, story = await self.story(table_id, session, index)
        old = (await self.room(table_id)).table
        where = what_if.position(old, story, index, at, seat, session.id)
        options = {"seats": "chosen", "position": where.text}
        found, secret = secrets.token_urlsafe(12), shuffle.new_secret()
        empty = self._empty(found, old.preset, len(old.places), secret, options)
        name = session.name or old.names[where.seat]
        changes = what_if.opened(empty, where, story, session.id, name, _STAND_IN)
        await self._begun(empty, options, changes)
        self._enter(replace(changes[-1].table, since=time.monotonic()))
        return found

    async def plan(
        self, table_id: str, preset: str, names: Sequence[str], options: Mapping[str, str]
    ) -> None:
        """Open a table of a tournament: every place is kept for the person whom the plan seats there. Where
        it is open already nothing happens."""
        if await self.store.table(table_id) is not None:
            return
        empty = self._empty(table_id, preset, len(names), shuffle.new_secret(), options)
        changes = seating.planned(empty, names, time.monotonic())
        with contextlib.suppress(Conflict):
            await self._begun(empty, options, changes)

    async def sit_by_plan(self, table_id: str, session: Session, place: int, pledge: str) -> None:
        """Somebody who has shown their right to a place of a table of a tournament sits down there."""
        await self.limits.hit("act", session.id)
        check_pledge(pledge)
        room = await self.room(table_id)
        await room.commit(lambda table, now: seating.sit_by_plan(table, place, session.id, pledge, now))

    async def fill(self, table_id: str, session: Session, player: str) -> None:
        """Give all places that are still open to a computer player."""
        check_session(session)
        known_player(player)
        self._check_thinking(session, player)
        room = await self.room(table_id)
        if all(place.session != session.id for place in room.table.places):
            raise NotYours("Only those who sit at the table may fill its seats.")
        if room.table.event:
            raise NotYours("The seats here follow the plan of a tournament; no computer player may take one.")
        while room.table.open_places():
            await room.commit(
                lambda table, now: table.invite(player, now) if table.open_places() else table.seq
            )

    def _check_thinking(self, session: Session | None, player: str) -> None:
        """Refuse one more searching player to whoever has enough of them at work."""
        if session is None or not thinks(player):
            return
        count = sum(room.thinks_for(session.id) for room in self._rooms.values())
        if count >= _THINKING:
            raise RequestError(
                sentence(
                    "Strong players are already thinking at {count} table of yours; finish that match first.",
                    "Strong players are already thinking at {count} tables of yours; finish a match first.",
                ),
                {"count": count},
            )

    async def stand_in(self, table_id: str, session: Session, seat: int) -> int:
        """Let a computer player go on for the person of a seat whose line is gone, as somebody who sits at
        the table asks; the number of the table's last event."""
        check_session(session)
        room = await self.room(table_id)
        if room.table.seat_of(session.id) is None:
            raise NotYours("You are watching; only those who sit at the table may act.")
        gone = room.offered(seat)
        if gone is None:
            raise Stale("Nobody is missing there now.")
        await self.limits.hit("presence", session.id)
        await self._send_away(room, gone)
        return room.table.seq

    async def come(self, room: Room, session: Session, page: object) -> None:
        """A page of this person has connected: whoever was away has the seat back, at the latest when the
        disk takes it."""
        room.come(session.id, page)
        if room.table.is_away(session.id):
            with contextlib.suppress(RequestError):
                await self._fetch_back(room, session.id)

    async def leave(self, table_id: str, session: Session) -> None:
        """Leave the table: a computer player plays on until the person comes back. Where nobody else is
        waiting the table waits instead."""
        check_session(session)
        await self.limits.hit("act", session.id)
        room = await self.room(table_id)
        seat = room.table.seat_of(session.id)
        if seat is None:
            raise NotYours("You are watching; only those who sit at the table may act.")
        await self.limits.hit("presence", session.id)
        await self._walk_away(room, session, seat)

    async def _walk_away(self, room: Room, session: Session, seat: Seat) -> None:
        room.left(session.id)
        if set(room.table.persons()) - {seat} and not (room.table.match is None or room.table.over):
            await self._send_away(room, session.id)

    async def talk(self, table_id: str, session: Session, ask: Ask) -> int:
        """Let somebody at the table say, mute, report or agree on something
        (`nousu.server.table.chat_commands`); the number of its event."""
        check_session(session)
        await self.limits.hit("talk", session.id)
        room = await self.room(table_id)
        room.heard_of(session.id)
        return await room.commit(lambda table, now: ask(table, session.id, now))

    async def ask(self, table_id: str, session: Session, what: str, seq: int) -> int:
        """Let somebody ask something of the others (`nousu.server.table.claim_commands`); the number of
        its event."""
        check_session(session)
        await self.limits.hit("talk", session.id)
        room = await self.room(table_id)
        room.heard_of(session.id)
        table, proven = room.table, False
        seat = table.seat_of(session.id)
        if what.startswith("claim") and table.match is not None and what in table.asks_of(seat):
            kind: Kind = "mine" if what == "claim mine" else "theirs"
            proven = await self._thinkers.proven(table.match.hand.view(seat), kind)
        return await room.commit(
            lambda now, at: claim_commands.ask(
                now, session.id, what, seq, proven and now.match is table.match, at
            )
        )

    async def open_share(self, table_id: str, session: Session, share: str) -> int:
        """Open the share of the shuffles that was promised, once all places are taken; the number of its
        event."""
        check_session(session)
        await self.limits.hit("act", session.id)
        room = await self.room(table_id)
        return await room.commit(lambda table, now: table.open_share(session.id, share, now))
