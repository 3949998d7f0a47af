"""Reviews of finished hands: worked out beside the tables, one full one at a time, kept while they are used.

A review follows from the hand, the seat and the effort, so one that was forgotten comes out the same again.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from nousu.engine.game import Hand
from nousu.engine.seats import Seat
from nousu.engine.story import Story
from nousu.review import FULL, QUICK, HandReview, review_hand
from nousu.server.refusals import NoSuchTable, NotYours, Unavailable
from nousu.server.seen import Seen

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


Work = Callable[..., Awaitable[HandReview]]
"""Has a function done with its arguments, away from everybody who plays."""


class Reviews:
    """The reviews of this process. `work` has one done elsewhere; whoever asks for the same shares it."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._found: OrderedDict[Asked, asyncio.Task[HandReview]] = OrderedDict()
        self._waiting = 0
        self._full = asyncio.Lock()

    def permitted(self, asked: Asked, seen: Seen, story: Story) -> Asked:
        """What is asked for in full: the viewer's own seat where none (-1) is named, and the full review
        where that is there already. Until all cards of the hand are known to the viewer a seat's choices
        are reviewed for that seat alone: `NotYours`."""
        seat = (seen.seat or 0) if asked.seat < 0 else asked.seat
        if not 0 <= seat < len(seen.names):
            raise NoSuchTable("There is no such seat.")
        if seat != seen.seat and not story.whole:
            raise NotYours("Only the player who made these choices can have them reviewed.")
        full = asked._replace(seat=seat, seen=story.whole, full=True)
        return full._replace(full=asked.full or self.known(full))

    async def of(self, asked: Asked, hand: Hand) -> HandReview:
        """The review asked for; `Unavailable` where too many are being worked out."""
        task = self._found.get(asked)
        if task is None:
            if self._waiting >= WAITING:
                raise Unavailable("Too many reviews are being worked out; try again in a moment.")
            task = self._found[asked] = asyncio.create_task(self._made(asked, hand))
        self._found.move_to_end(asked)
        try:
            return await asyncio.shield(task)
        except Exception:
            self._found.pop(asked, None)
            raise

    def known(self, asked: Asked) -> bool:
        """Whether it is there already."""
        task = self._found.get(asked)
        return task is not None and task.done() and not task.cancelled() and task.exception() is None

    async def _made(self, asked: Asked, hand: Hand) -> HandReview:
        self._waiting += 1
        try:
            if not asked.full:
                return await self._work(review_hand, hand, asked.seat, QUICK, 0, asked.seen)
            async with self._full:  # a first answer never waits for two full ones
                return await self._work(review_hand, hand, asked.seat, FULL, 0, asked.seen)
        finally:
            self._waiting -= 1
            self._forget()

    def _forget(self) -> None:
        """Let those go that were asked for longest ago."""
        for asked in [one for one, task in self._found.items() if task.done()]:
            if len(self._found) <= KEPT:
                return
            del self._found[asked]
