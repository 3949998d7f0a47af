"""Friends without accounts: people who have finished a hand together, and tables opened for them."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from weakref import WeakKeyDictionary

from nousu.server.errors import safe_traceback
from nousu.server.live.room import Room
from nousu.server.live.tables import Tables
from nousu.server.people.sessions import Session, check_session
from nousu.server.storage.friends import FriendRow, FriendRows, SharedHand
from nousu.server.table.table import Table

_LOG = logging.getLogger(__name__)
MOST = 60
"""The most people listed."""


class Companions:
    """Notes who has finished a hand together; an observer of `Tables`."""

    def __init__(self, rows: Callable[[], FriendRows]) -> None:
        self._rows = rows
        self._known: WeakKeyDictionary[Room, int] = WeakKeyDictionary()
        """The finished hands of each table that need not be noted any more."""
        self._finished: list[SharedHand] = []
        """Hands that are not stored yet."""
        self._task: asyncio.Task[None] | None = None

    def observe(self, room: Room, now: float) -> None:
        """Note the hand that a table has finished since the last look, if two people or more sat there."""
        table = room.table
        hands = len(table.finished_hands)
        before = self._known.get(room, hands)
        self._known[room] = hands
        people = {place.session for place in table.seats.places if place.session and not place.stand_in}
        if hands == before or len(people) < 2 or table.options.event or table.options.branch is not None:
            return
        self._finished.append(SharedHand(sorted(people), table.written, f"{table.id}:{hands}"))
        if self._task is None:
            self._task = asyncio.create_task(self._store())

    async def _store(self) -> None:
        # One transaction for all hands that end while another is written: events wait for each.
        try:
            while self._finished:
                hands, self._finished = self._finished, []
                try:
                    await self._rows().add_hands(hands)
                except Exception as error:
                    _LOG.warning("who played together was not stored: %s", safe_traceback(error))
        finally:
            self._task = None

    async def stop(self) -> None:
        """Wait until everything is stored."""
        if self._task is not None:
            await self._task


def latest_group(friends: Sequence[FriendRow]) -> Sequence[FriendRow]:
    """The people of the last hand on a list, latest first."""
    return [friend for friend in friends if friend.seen == friends[0].seen] if friends else []


def tables_that_wait(tables: Tables, session: Session) -> list[Table]:
    """Open tables with a chair that is reserved for a person, with somebody there; the last of each host."""
    found = {
        room.table.seats.host: room.table
        for room in tables.rooms()
        if session.id
        and room.table.match is None
        and any(place.reserved == session.id for place in room.table.seats.places)
        and any(place.session for place in room.table.seats.places)
    }
    return list(found.values())


async def friend_of(rows: FriendRows, session: Session, id: str) -> FriendRow | None:
    """The person of a row of somebody's list."""
    check_session(session)
    return next((friend for friend in await rows.of(session.id) if friend.id == id), None)
