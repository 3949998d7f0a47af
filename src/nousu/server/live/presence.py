"""Presence and clocks of the people at a table: kept in memory, no events of the table.

An open page sends a heartbeat every three seconds, and every second while its player is on turn; a connection
that is cut, a telephone in a tunnel and one that has been put away fall silent alike.

Where the table has a clock, each action has its seconds, and each hand a bank of extra seconds that is drawn
on when those are used up. When both are used up a computer player does this one action, as for an absent
person, and the seat is its person's again. While a request is open at the table, and between hands, no clock
runs. A server that was down or held up gives everybody their time back.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from nousu.engine.match import Match
from nousu.engine.seats import Seat
from nousu.server.table.seats import has_forced_reveal
from nousu.server.table.table import Table

QUIET = 4.5
"""Seconds without a heartbeat after which the connection of an open page counts as lost."""
QUIET_ON_TURN = 2.2
"""`QUIET` for a player on turn, whom the others wait for."""
RELOAD = 2.2
"""Seconds in which a person whose last page was closed may open another, as reloading does."""
OFFER = 10.0
"""Seconds of silence after which the others may let a computer player go on."""
STAND_IN_AFTER = 20.0
"""Seconds of silence after which one goes on by itself where the table waits."""
_PROGRAM = 60.0
"""Seconds between two requests of a program that never opened a page."""
RATES: Mapping[str, tuple[float, float]] = {"relaxed": (45.0, 120.0), "quick": (12.0, 40.0)}
"""Seconds for an action, and in the bank of a hand, by the table's option ``clock``."""


def _seats_on_turn(table: Table) -> tuple[Seat, ...]:
    """The seats that owe an action of the hand, as their pages know."""
    if table.match is None or table.over or table.between_hands or table.requests.open is not None:
        return ()
    hand = table.match.hand
    return tuple(seat for seat in hand.owed() if seat >= 0 and not has_forced_reveal(seat, hand))


def awaited_seats(table: Table) -> tuple[Seat, ...]:
    """The seats that owe an action or answer; between hands those that have not gone on, once one has."""
    if table.match is None or table.over:
        return ()
    if table.requests.open is not None:
        return table.requests.open.of
    if table.between_hands:
        return tuple(seat for seat in table.seats.persons() if table.ready and seat not in table.ready)
    return tuple(seat for seat in table.match.hand.owed() if seat >= 0)


class LostConnection(NamedTuple):
    """A person at the table who is disconnected."""

    seat: Seat
    offered: bool
    """True if the others may let a computer player go on."""
    left: float | None
    """Seconds until one does by itself; None: the table does not wait for this person."""


class Presence:
    """The people at one table, as this process hears of them. Times are seconds of the caller's clock."""

    def __init__(self, now: float) -> None:
        self._opened = now
        self._pages: dict[str, dict[object, float]] = {}
        """The connected pages of each person, and the time of the last sign of each; infinity for a page
        that never sends a heartbeat (a program's)."""
        self._last: dict[str, float] = {}
        """The last sign of each person without a page."""
        self._had_page: set[str] = set()

    def connect(self, session: str, page: object) -> None:
        """Note a new page of a person."""
        self._pages.setdefault(session, {})[page] = math.inf
        self._had_page.add(session)

    def beat(self, session: str, page: object, now: float) -> None:
        """Note a heartbeat of a page."""
        if page in self._pages.get(session, ()):
            self._pages[session][page] = now

    def disconnect(self, session: str, page: object, now: float, seated: bool) -> None:
        """Note that a page is closed; the time is remembered for players (`seated`) only."""
        pages = self._pages.get(session, {})
        pages.pop(page, None)
        if not pages:
            self._pages.pop(session, None)
        if not seated:
            self._had_page.discard(session)
        else:
            self.note_request(session, now)

    def note_request(self, session: str, now: float) -> None:
        """Note a request of a player."""
        self._last[session] = now

    def forgive(self, seconds: float) -> None:
        """Do not count this many seconds in which this process received nothing."""
        self._opened += seconds
        self._last = {session: at + seconds for session, at in self._last.items()}
        for pages in self._pages.values():
            pages.update({page: at + seconds for page, at in pages.items()})

    def silence(self, session: str, now: float, turn: float = 0.0) -> float:
        """Seconds since a person's connection was lost; 0 while they are here.

        Args:
            session: The person's session.
            now: The time.
            turn: Seconds for which they have been on turn; 0: they are not.
        """
        leeway = 0.0 if session in self._had_page else _PROGRAM
        seconds = self.unheard(session, now) - leeway
        limit = QUIET_ON_TURN if turn > QUIET_ON_TURN else self._limit(session)
        return seconds if seconds > limit else 0.0

    def _limit(self, session: str) -> float:
        """Seconds of silence that do not count."""
        return QUIET if session in self._pages else RELOAD

    def unheard(self, session: str, now: float) -> float:
        """Seconds since a person's last heartbeat or request; since the table was opened, without any."""
        return now - self._heard_at(session)

    def _heard_at(self, session: str) -> float:
        pages = self._pages.get(session)
        return max(pages.values()) if pages else self._last.get(session, self._opened)

    def is_here(self, session: str, now: float) -> bool:
        """Whether a page of this person is connected and answers."""
        return session in self._pages and not self.silence(session, now)

    def pages(self, session: str) -> int:
        """Number of connected pages of this person."""
        return len(self._pages.get(session, ()))

    @property
    def empty(self) -> bool:
        """True if no page is connected."""
        return not self._pages

    def lost(self, table: Table, now: float) -> tuple[LostConnection, ...]:
        """Disconnected players of a table in play with another person present."""
        if table.match is None or not self._pages or table.over:
            return ()
        # Every table is checked twice a second, and a lost connection is rare.
        persons = [place.session for place in table.seats.places if place.session]
        if all([self._heard_at(person) >= now - RELOAD for person in persons]):
            return ()
        lost, seats = [], table.seats.by_seat
        owed, on_turn = awaited_seats(table), _seats_on_turn(table)
        for seat, place in enumerate(seats):
            turn = now - table.since if seat in on_turn else 0.0
            if not place.session or place.stand_in or not (silence := self.silence(place.session, now, turn)):
                continue
            if any(other.session != place.session and self.is_here(other.session, now) for other in seats):
                left = max(0.0, STAND_IN_AFTER - silence) if seat in owed else None
                lost.append(LostConnection(seat, silence >= OFFER, left))
        return tuple(lost)


class RunningClock(NamedTuple):
    """A running clock."""

    seat: Seat
    left: float
    """Seconds for this action; 0 once the bank is drawn on."""
    bank: float
    """Seconds in the bank."""


class Clocks:
    """The clocks of one table. Times are seconds of the caller's clock."""

    def __init__(self) -> None:
        self._since: dict[Seat, float] = {}
        """The time since which the table waits for each seat."""
        self._bank: dict[Seat, float] = {}
        """Seconds left in banks that were drawn on in this hand."""
        self._deal = 0
        self._match: Match | None = None
        self._expired: dict[str, Match | None] = {}
        """Persons whose time is up, and the position at which a computer player acts for them."""

    def update(self, table: Table, now: float) -> None:
        """Start and stop clocks for a new state of the table."""
        each, bank = RATES.get(table.options.clock, (0.0, 0.0))
        if not each:
            return
        if table.deals != self._deal:
            self._deal, self._bank = table.deals, {}
        timed = _timed_seats(table)
        log = table.match.hand.log if table.match is not None else ()
        actor = log[-1][0] if log and table.match is not self._match else None
        self._match = table.match
        for seat in [seat for seat in self._since if seat not in timed or seat == actor]:
            over = now - self._since.pop(seat) - each
            if over > 0:
                self._bank[seat] = max(0.0, self._bank.get(seat, bank) - over)
        for seat in timed:
            self._since.setdefault(seat, now)

    def forgive(self, seconds: float) -> None:
        """Do not count this many seconds in which this process received nothing."""
        self._since = {seat: at + seconds for seat, at in self._since.items()}

    def running(self, table: Table, now: float) -> tuple[RunningClock, ...]:
        """The clocks that run now."""
        each, bank = RATES.get(table.options.clock, (0.0, 0.0))
        clocks = []
        for seat, since in self._since.items():
            used = now - since
            rest = self._bank.get(seat, bank) - max(0.0, used - each)
            clocks.append(RunningClock(seat, max(0.0, each - used), max(0.0, rest)))
        return tuple(clocks)

    def expired(self, table: Table, now: float) -> tuple[str, ...]:
        """The persons whose time is up: a computer player does this action for them."""
        if not self._since:
            return ()
        timed = _timed_seats(table)
        over = [clock.seat for clock in self.running(table, now) if clock.left + clock.bank <= 0]
        sessions = tuple(table.seats.by_seat[seat].session for seat in over if seat in timed)
        self._expired = {session: at for session, at in self._expired.items() if at is table.match}
        self._expired |= dict.fromkeys(sessions, table.match)
        return sessions

    def is_expired(self, session: str, table: Table) -> bool:
        """Whether a computer player still has to do the action for which this person's time was up."""
        if session in self._expired and self._expired[session] is not table.match:
            del self._expired[session]
        return session in self._expired


def _timed_seats(table: Table) -> tuple[Seat, ...]:
    """The seats of persons who have to act now, and whose clock runs."""
    match = table.match
    if match is None or table.resting or table.requests.open is not None:
        return ()
    persons = table.seats.persons()
    return tuple(
        seat for seat in awaited_seats(table) if seat in persons and not has_forced_reveal(seat, match.hand)
    )
