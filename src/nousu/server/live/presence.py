"""Who is at a table: whose page is connected and answers, and since when nothing was heard of the others.

Presence is not an event: it is kept in memory, changes neither the table nor its clock, and is drawn by the
page beside the picture. An open page sends a heartbeat every three seconds; a connection that is cut, a
telephone in a tunnel and one that has been put away fall silent alike.
"""

import math
from typing import NamedTuple

from nousu.engine.seats import Seat
from nousu.server.table.table import Table

QUIET = 4.5
"""Seconds without a heartbeat after which the connection of an open page counts as lost."""
RELOAD = 2.2
"""Seconds in which a user whose last page was closed may open another, as reloading does."""
OFFER = 10.0
"""Seconds after which the others may let a computer player go on."""
PATIENCE = 30.0
"""Seconds, from when the others see it, after which one goes on by itself where the table waits."""
_PROGRAM = 60.0
"""Seconds between two requests of a program that never opened a page."""


class Lost(NamedTuple):
    """Somebody at the table whose line is gone."""

    seat: Seat
    offered: bool
    """The others may let a computer player go on."""
    left: float | None
    """Seconds until one does by itself; None: the table does not wait for this person."""


class Presence:
    """Of the persons at one table, as this process hears of them. Times are seconds of the caller's clock."""

    def __init__(self, now: float) -> None:
        self._opened = now
        self._pages: dict[str, dict[object, float]] = {}
        """For each person the pages connected, and when each was heard last; for ever, where a page never
        says a beat (a program's)."""
        self._last: dict[str, float] = {}
        """When persons without a page were heard last."""
        self._had_page: set[str] = set()

    def come(self, session: str, page: object) -> None:
        """A page of this person has connected."""
        self._pages.setdefault(session, {})[page] = math.inf
        self._had_page.add(session)

    def beat(self, session: str, page: object, now: float) -> None:
        """That page has said that it is there."""
        if page in self._pages.get(session, ()):
            self._pages[session][page] = now

    def gone(self, session: str, page: object, now: float, seated: bool) -> None:
        """That page is connected no more; only of those `seated` is remembered when that was."""
        pages = self._pages.get(session, {})
        pages.pop(page, None)
        if not pages:
            self._pages.pop(session, None)
        if not seated:
            self._had_page.discard(session)
        else:
            self.heard(session, now)

    def heard(self, session: str, now: float) -> None:
        """This person, who sits at the table, has asked for something."""
        self._last[session] = now

    def forgive(self, seconds: float) -> None:
        """For so long this process heard nobody; that was nobody's silence."""
        self._opened += seconds
        self._last = {session: at + seconds for session, at in self._last.items()}
        for pages in self._pages.values():
            pages.update({page: at + seconds for page, at in pages.items()})

    def silent(self, session: str, now: float) -> float:
        """Seconds since this person's line went; 0 while they are here."""
        leeway = 0.0 if session in self._had_page else _PROGRAM
        silence = self.unheard(session, now) - leeway
        return silence if silence > self._limit(session) else 0.0

    def _limit(self, session: str) -> float:
        """Seconds of silence that mean nothing."""
        return QUIET if session in self._pages else RELOAD

    def unheard(self, session: str, now: float) -> float:
        """Seconds since a page of this person said a word or they asked for something; since the table was
        opened here, where they never did."""
        return now - self._at(session)

    def _at(self, session: str) -> float:
        """When that was."""
        pages = self._pages.get(session)
        return max(pages.values()) if pages else self._last.get(session, self._opened)

    def here(self, session: str, now: float) -> bool:
        """Whether a page of this person is connected and answers."""
        return session in self._pages and not self.silent(session, now)

    def pages(self, session: str) -> int:
        """How many pages of this person are connected."""
        return len(self._pages.get(session, ()))

    @property
    def empty(self) -> bool:
        """Nobody has a page."""
        return not self._pages

    def lost(self, table: Table, now: float) -> tuple[Lost, ...]:
        """Whose line is gone at a table in play at which somebody else is here."""
        if table.match is None or not self._pages or table.over:
            return ()
        # Every table is looked at twice a second, and hardly ever is anybody's line gone.
        persons = [place.session for place in table.places if place.session]
        if all([self._at(person) >= now - self._limit(person) for person in persons]):
            return ()
        found, seats = [], table.by_seat
        owed = awaited(table)
        for seat, place in enumerate(seats):
            if not place.session or place.stand_in or not (silent := self.silent(place.session, now)):
                continue
            if any(other.session != place.session and self.here(other.session, now) for other in seats):
                limit = self._limit(place.session)
                left = max(0.0, limit + PATIENCE - silent) if seat in owed else None
                found.append(Lost(seat, silent >= OFFER, left))
        return tuple(found)


def awaited(table: Table) -> tuple[Seat, ...]:
    """The seats others wait for: those that owe an action; between hands those that have not gone on, once
    somebody has."""
    if table.match is None or table.over:
        return ()
    if table.requests.open is not None:
        return table.requests.open.of
    if table.between_hands:
        return tuple(seat for seat in table.persons() if table.ready and seat not in table.ready)
    return tuple(seat for seat in table.match.hand.owed() if seat >= 0)
