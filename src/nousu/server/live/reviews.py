"""Reviews of finished hands: made beside the tables, one full review at a time, and stored.

A review follows from the hand, the seat and the effort. A full one is stored; a quick first answer is kept in
memory only, and the full one is begun after it.
"""

import asyncio
import contextlib
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from nousu.engine.game import Hand
from nousu.engine.seats import Seat
from nousu.engine.timeline import Story
from nousu.review import FULL, QUICK, HandReview, codec, review_hand
from nousu.server.errors import NoSuchTable, NotYours, RequestError, Unavailable, safe_traceback
from nousu.server.storage.people import PeopleRows, ReviewRow
from nousu.server.table.table import Table
from nousu.server.table.view import SeatView

_LOG = logging.getLogger(__name__)
CACHED = 500
"""Greatest number of reviews in memory."""
WAITING = 24
"""Greatest number of waiting first answers, and of full reviews; more are refused."""


class ReviewKey(NamedTuple):
    """The address of a review."""

    table: str
    hand: int
    """The index of the hand among the finished ones, from 1."""
    seat: Seat
    whole: bool
    """True if the review may speak of all cards."""
    full: bool
    """True for the full review, false for the quick first answer."""


class ReviewSubject(NamedTuple):
    """A finished hand to be reviewed."""

    hand: Hand
    session: str
    """Session of the person who made all choices of the seat; empty where there is none."""


Work = Callable[..., Awaitable[HandReview]]
"""A function that calls another with its arguments, away from the tables in play."""


def check_key(key: ReviewKey, view: SeatView, story: Story) -> ReviewKey:
    """The key with the viewer's own seat where it names none (-1), and with the cards they may know.

    Raises:
        NoSuchTable: There is no such seat.
        NotYours: Another seat's choices, before all cards of the hand are known to the viewer.
    """
    seat = (view.seat or 0) if key.seat < 0 else key.seat
    if not 0 <= seat < len(view.names):
        raise NoSuchTable("There is no such seat.")
    if seat != view.seat and not story.whole:
        raise NotYours("Only the player who made these choices can have them reviewed.")
    return key._replace(seat=seat, whole=story.whole)


def review_subject(table: Table, index: int, seat: Seat) -> ReviewSubject:
    """The finished hand of an index (from 1) at a table, as `seat` played it."""
    assert table.match is not None, "a hand is finished"
    holders = table.seats.holders(seat, index)
    alone = len(holders) == 1 and (seat, index) not in table.seats.substituted
    return ReviewSubject(table.match.played[index - 1].hand, holders[0] if alone else "")


class Reviews:
    """The reviews of this process.

    Args:
        work: Makes one elsewhere; requests for the same review share it.
        rows: The stored reviews.
    """

    def __init__(self, work: Work, rows: Callable[[], PeopleRows]) -> None:
        self._work = work
        self._rows = rows
        self._tasks: OrderedDict[ReviewKey, asyncio.Future[HandReview]] = OrderedDict()
        self._waiting: Counter[bool] = Counter()
        """The waiting first answers (False) and full reviews (True), which take longer."""
        self._full = asyncio.Lock()
        self._series: dict[str, asyncio.Task[None]] = {}

    async def get(self, key: ReviewKey, subject: ReviewSubject) -> HandReview:
        """A review; after a first answer the full one is begun. `Unavailable` where too many are waiting."""
        task = self._tasks.get(key)
        if task is None:
            if self._waiting[key.full] >= WAITING:
                raise Unavailable("Too many reviews are being worked out; try again in a moment.")
            task = self._begin(key, subject)
        self._tasks.move_to_end(key)
        review = await asyncio.shield(task)
        full = key._replace(full=True)
        if full not in self._tasks and self._waiting[True] < WAITING // 2:  # leaves room for others
            self._begin(full, subject)
        return review

    def _begin(self, key: ReviewKey, subject: ReviewSubject) -> asyncio.Future[HandReview]:
        task = self._tasks[key] = asyncio.create_task(self._make(key, subject))
        task.add_done_callback(lambda done: self._forget_failure(key, done))
        return task

    def _forget_failure(self, key: ReviewKey, task: asyncio.Future[HandReview]) -> None:
        """Forget a failed review, so that the next request tries again."""
        if (task.cancelled() or task.exception() is not None) and self._tasks.get(key) is task:
            del self._tasks[key]

    async def is_ready(self, key: ReviewKey) -> bool:
        """Whether a review is there already: in memory, or stored."""
        task = self._tasks.get(key)
        if task is None and key.full:
            stored = await self._stored(key)
            if stored is not None:
                task = self._tasks[key] = asyncio.get_running_loop().create_future()
                task.set_result(stored)
        return task is not None and task.done() and not task.cancelled() and task.exception() is None

    async def ready(
        self, subjects: Mapping[ReviewKey, ReviewSubject], owner: str
    ) -> dict[ReviewKey, HandReview]:
        """The full reviews that are there already.

        The others are begun, one after the other; one such series at a time for each `owner` (a person, a
        table).
        """
        reviews = {}
        stored = {table: await self._stored_keys(table) for table in {key.table for key in subjects}}
        for key in subjects:
            there = key in self._tasks or (key.hand, key.seat, key.whole) in stored[key.table]
            if there and await self.is_ready(key):
                reviews[key] = self._tasks[key].result()
        missing = {key: subject for key, subject in subjects.items() if key not in reviews}
        if missing and owner not in self._series and len(self._series) < WAITING // 2:
            task = self._series[owner] = asyncio.create_task(self._make_series(missing))
            task.add_done_callback(lambda _: self._series.pop(owner, None))
        return reviews

    async def _make_series(self, subjects: Mapping[ReviewKey, ReviewSubject]) -> None:
        for key, subject in subjects.items():
            try:
                await self.get(key, subject)
            except Unavailable:
                await asyncio.sleep(1)  # others ask for reviews now; the rest comes at the next visit
            except Exception as error:
                _LOG.warning("no review of table %s: %s", key.table, safe_traceback(error))

    async def stop(self) -> None:
        """Cancel all reviews that are being made."""
        tasks: list[asyncio.Future[Any]] = [*self._tasks.values(), *self._series.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _stored_keys(self, table: str) -> set[tuple[int, Seat, bool]]:
        with contextlib.suppress(RequestError):
            return await self._rows().reviews_of(table, codec.VERSION)
        return set()

    async def _stored(self, key: ReviewKey) -> HandReview | None:
        with contextlib.suppress(RequestError):
            row = await self._rows().review(key.table, key.hand, key.seat, key.whole)
            if row is not None and row.version == codec.VERSION:
                try:
                    return codec.decode(row.body)
                except (KeyError, TypeError, ValueError) as error:
                    text = safe_traceback(error)
                    _LOG.warning("a stored review of table %s cannot be read: %s", key.table, text)
        return None

    async def _make(self, key: ReviewKey, subject: ReviewSubject) -> HandReview:
        self._waiting[key.full] += 1
        try:
            if not key.full:
                return await self._work(review_hand, subject.hand, key.seat, QUICK, 0, key.whole)
            stored = await self._stored(key)
            if stored is not None:
                return stored
            async with self._full:  # a first answer never waits for two full ones
                review = await self._work(review_hand, subject.hand, key.seat, FULL, 0, key.whole)
            text = codec.encode(review)
            row = ReviewRow(*key[:4], subject.session, codec.VERSION, text, time.time())
            with contextlib.suppress(RequestError):  # a full disk must not prevent reading
                await self._rows().add_review(row)
            return review
        finally:
            self._waiting[key.full] -= 1
            self._trim()

    def _trim(self) -> None:
        """Forget the reviews that were asked for longest ago."""
        for key in [key for key, task in self._tasks.items() if task.done()]:
            if len(self._tasks) <= CACHED:
                return
            del self._tasks[key]
