"""Reviews of finished hands: worked out beside the tables, one full one at a time, and kept with the record.

A review follows from the hand, the seat and the effort. A full one is stored once it is found; a first answer
is kept in memory only, and the full one is begun after it.
"""

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from nousu.engine.game import Hand
from nousu.engine.seats import Seat
from nousu.engine.timeline import Story
from nousu.review import FULL, QUICK, HandReview, codec, review_hand
from nousu.server.errors import NoSuchTable, NotYours, RequestError, Unavailable
from nousu.server.failure_place import safe_traceback
from nousu.server.storage.people import Belongings, ReviewRow
from nousu.server.table.table import Table
from nousu.server.table.view import Seen

_LOG = logging.getLogger(__name__)
KEPT = 500
"""Reviews that are kept in memory."""
WAITING = 24
"""Reviews that may wait for one another; more are refused."""


class Asked(NamedTuple):
    """Which review."""

    table: str
    hand: int
    """The hand, by its place among the finished ones, from 1."""
    seat: Seat
    seen: bool
    """Whether it may speak of all cards."""
    full: bool


class Finished(NamedTuple):
    """A finished hand that may be reviewed, and who made the choices."""

    hand: Hand
    session: str
    """Of the person who made all of the seat's choices; empty where there is none."""


Work = Callable[..., Awaitable[HandReview]]
"""Has a function done with its arguments, away from everybody who plays."""


def permitted(asked: Asked, seen: Seen, story: Story) -> Asked:
    """What is asked for in full: the viewer's own seat where none (-1) is named. Until all cards of the hand
    are known to the viewer a seat's choices are reviewed for that seat alone: `NotYours`."""
    seat = (seen.seat or 0) if asked.seat < 0 else asked.seat
    if not 0 <= seat < len(seen.names):
        raise NoSuchTable("There is no such seat.")
    if seat != seen.seat and not story.whole:
        raise NotYours("Only the player who made these choices can have them reviewed.")
    return asked._replace(seat=seat, seen=story.whole)


def finished(table: Table, index: int, seat: Seat) -> Finished:
    """The hand of that place among the finished ones of a table, as `seat` played it."""
    assert table.match is not None, "a hand is finished"
    holders = table.holders(seat, index)
    alone = len(holders) == 1 and (seat, index) not in table.stood_in
    return Finished(table.match.played[index - 1].hand, holders[0] if alone else "")


class Reviews:
    """The reviews of this process. `work` has one done elsewhere; whoever asks for the same shares it. `mine`
    is where full ones are kept for good."""

    def __init__(self, work: Work, mine: Callable[[], Belongings]) -> None:
        self._work = work
        self._mine = mine
        self._found: OrderedDict[Asked, asyncio.Task[HandReview]] = OrderedDict()
        self._waiting = 0
        self._full = asyncio.Lock()
        self._behind: dict[str, asyncio.Task[None]] = {}

    async def of(self, asked: Asked, what: Finished) -> HandReview:
        """The review asked for; `Unavailable` where too many are being worked out. After a first answer the
        full one is begun."""
        task = self._found.get(asked)
        if task is None:
            if self._waiting >= WAITING:
                raise Unavailable("Too many reviews are being worked out; try again in a moment.")
            task = self._begun(asked, what)
        self._found.move_to_end(asked)
        found = await asyncio.shield(task)
        full = asked._replace(full=True)
        if full not in self._found and self._waiting < WAITING // 2:  # others' first answers find room still
            self._begun(full, what)
        return found

    def _begun(self, asked: Asked, what: Finished) -> asyncio.Task[HandReview]:
        task = self._found[asked] = asyncio.create_task(self._made(asked, what))
        task.add_done_callback(lambda done: self._ended(asked, done))
        return task

    def _ended(self, asked: Asked, task: asyncio.Task[HandReview]) -> None:
        """One that failed is tried again when it is asked for again."""
        if (task.cancelled() or task.exception() is not None) and self._found.get(asked) is task:
            del self._found[asked]

    async def known(self, asked: Asked) -> bool:
        """Whether it is there already: in memory, or stored."""
        task = self._found.get(asked)
        if task is None and asked.full:
            stored = await self._stored(asked)
            if stored is not None:
                task = self._found[asked] = asyncio.create_task(_ready(stored))
                await asyncio.sleep(0)
        return task is not None and task.done() and not task.cancelled() and task.exception() is None

    async def all_of(self, wanted: Mapping[Asked, Finished], whose: str) -> dict[Asked, HandReview]:
        """Those of the full reviews that are there already. The others are begun, one after the other; for
        each of `whose` (a person, a table) once at a time."""
        found = {}
        stored = {table: await self._kept_of(table) for table in {asked.table for asked in wanted}}
        for asked in wanted:
            there = asked in self._found or (asked.hand, asked.seat, asked.seen) in stored[asked.table]
            if there and await self.known(asked):
                found[asked] = self._found[asked].result()
        missing = {asked: what for asked, what in wanted.items() if asked not in found}
        if missing and whose not in self._behind and len(self._behind) < WAITING:
            task = self._behind[whose] = asyncio.create_task(self._after_one_another(missing))
            task.add_done_callback(lambda _: self._behind.pop(whose, None))
        return found

    async def _after_one_another(self, wanted: Mapping[Asked, Finished]) -> None:
        for asked, what in wanted.items():
            try:
                await self.of(asked, what)
            except Unavailable:
                await asyncio.sleep(1)  # others ask for reviews now; what is left comes at the next visit
            except Exception as error:
                _LOG.warning("no review of table %s: %s", asked.table, safe_traceback(error))

    async def stop(self) -> None:
        """Let go of everything that is being worked out."""
        tasks = [*self._found.values(), *self._behind.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _kept_of(self, table: str) -> set[tuple[int, Seat, bool]]:
        with contextlib.suppress(RequestError):
            return await self._mine().reviews_of(table, codec.VERSION)
        return set()

    async def _stored(self, asked: Asked) -> HandReview | None:
        with contextlib.suppress(RequestError):
            row = await self._mine().review(asked.table, asked.hand, asked.seat, asked.seen)
            if row is not None and row.version == codec.VERSION:
                try:
                    return codec.read(row.body)
                except (KeyError, TypeError, ValueError) as error:
                    why = safe_traceback(error)
                    _LOG.warning("a stored review of table %s cannot be read: %s", asked.table, why)
        return None

    async def _made(self, asked: Asked, what: Finished) -> HandReview:
        self._waiting += 1
        try:
            if not asked.full:
                return await self._work(review_hand, what.hand, asked.seat, QUICK, 0, asked.seen)
            stored = await self._stored(asked)
            if stored is not None:
                return stored
            async with self._full:  # a first answer never waits for two full ones
                found = await self._work(review_hand, what.hand, asked.seat, FULL, 0, asked.seen)
            row = ReviewRow(
                asked.table,
                asked.hand,
                asked.seat,
                asked.seen,
                what.session,
                codec.VERSION,
                codec.written(found),
                time.time(),
            )
            with contextlib.suppress(RequestError):  # a full disk keeps nobody from reading
                await self._mine().keep_review(row)
            return found
        finally:
            self._waiting -= 1
            self._forget()

    def _forget(self) -> None:
        """Let those go that were asked for longest ago."""
        for asked in [one for one, task in self._found.items() if task.done()]:
            if len(self._found) <= KEPT:
                return
            del self._found[asked]


async def _ready(found: HandReview) -> HandReview:
    return found
