"""The clocks of a table: how long the player to act may still think.

Each action has its seconds, and each hand a bank of extra seconds, which is drawn on when those are used up.
When both are used up a computer player does this one action, as for somebody who is away, and the seat is its
person's again.

Like presence this is no event: it is kept in memory, and a server that was down or held up gives everybody
their time back. While something is asked at the table, and between hands, no clock runs.
"""

from collections.abc import Mapping
from typing import NamedTuple

from nousu.engine.match import Match
from nousu.engine.seats import Seat
from nousu.server.live.presence import awaited
from nousu.server.table.seats import turns_up
from nousu.server.table.table import Table

RATES: Mapping[str, tuple[float, float]] = {"relaxed": (45.0, 120.0), "quick": (12.0, 40.0)}
"""Seconds for an action, and in the bank of a hand."""


class Running(NamedTuple):
    """A clock that runs."""

    seat: Seat
    left: float
    """Seconds for this action; 0 once the bank is drawn on."""
    bank: float
    """Seconds in the bank."""


class Clock:
    """The clocks of one table. Times are seconds of the caller's clock."""

    def __init__(self) -> None:
        self._since: dict[Seat, float] = {}
        """Since when each seat is waited for."""
        self._bank: dict[Seat, float] = {}
        """What is left in banks that were drawn on in this hand."""
        self._deal = 0
        self._match: Match | None = None
        self._late: dict[str, Match | None] = {}
        """For whom a computer player acts because time was up, and at which position."""

    def turn(self, table: Table, now: float) -> None:
        """The table is another now."""
        each, bank = RATES.get(table.clock, (0.0, 0.0))
        if not each:
            return
        if table.dealt != self._deal:
            self._deal, self._bank = table.dealt, {}
        waited = _waited(table)
        log = table.match.hand.log if table.match is not None else ()
        acted = log[-1][0] if log and table.match is not self._match else None
        self._match = table.match
        for seat in [one for one in self._since if one not in waited or one == acted]:
            over = now - self._since.pop(seat) - each
            if over > 0:
                self._bank[seat] = max(0.0, self._bank.get(seat, bank) - over)
        for seat in waited:
            self._since.setdefault(seat, now)

    def forgive(self, seconds: float) -> None:
        """For so long this process could hear nobody."""
        self._since = {seat: at + seconds for seat, at in self._since.items()}

    def running(self, table: Table, now: float) -> tuple[Running, ...]:
        """The clocks that run now."""
        each, bank = RATES.get(table.clock, (0.0, 0.0))
        found = []
        for seat, since in self._since.items():
            used = now - since
            kept = self._bank.get(seat, bank) - max(0.0, used - each)
            found.append(Running(seat, max(0.0, each - used), max(0.0, kept)))
        return tuple(found)

    def expired(self, table: Table, now: float) -> tuple[str, ...]:
        """The persons whose time is up: a computer player does this action for them."""
        if not self._since:
            return ()
        waited = _waited(table)
        over = [
            one.seat for one in self.running(table, now) if one.left + one.bank <= 0 and one.seat in waited
        ]
        found = tuple(table.by_seat[seat].session for seat in over)
        self._late = {who: at for who, at in self._late.items() if at is table.match}
        self._late |= dict.fromkeys(found, table.match)
        return found

    def late(self, session: str, table: Table) -> bool:
        """Whether a computer player still has to do the action for which this person's time was up."""
        if session in self._late and self._late[session] is not table.match:
            del self._late[session]
        return session in self._late


def _waited(table: Table) -> tuple[Seat, ...]:
    """The persons who have to act now, and whose clock runs."""
    match = table.match
    if match is None or table.resting or table.requests.open is not None:
        return ()
    persons = table.persons()
    return tuple(seat for seat in awaited(table) if seat in persons and not turns_up(seat, match.hand))
