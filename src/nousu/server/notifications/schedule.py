"""Schedule of notices: people with a closed page, each notified once per reason until they return."""

from collections.abc import Collection, Iterator
from enum import StrEnum

from nousu.engine.seats import Seat
from nousu.server.live.presence import Presence, awaited_seats
from nousu.server.table.table import Table

AFTER = 5.0
"""Seconds of silence after which a page counts as closed; a reload takes less."""
STAYED = 3.0
"""Seconds of a friend's presence before a notice is sent."""
_BLINK = 30.0
"""Seconds of absence that do not count as leaving."""


class Reason(StrEnum):
    """Reason of a notice."""

    TURN = "turn"
    """The table waits for an action of the person."""
    WAITING = "waiting"
    """A friend came to the table, or the others have gone on to the next hand."""


class Absences:
    """Absent people of one table. Times are seconds of the caller's clock."""

    def __init__(self) -> None:
        self._owed: dict[Seat, float] = {}
        """The time since which the table waits for a seat."""
        self._came: dict[str, float] = {}
        """Time of arrival of those present, by session."""
        self._here: dict[str, float] = {}
        """Time of the last sign of presence, by session."""
        self._sent: dict[str, set[Reason]] = {}
        """Reasons already sent during this absence, by session."""

    def due(
        self, table: Table, presence: Presence, now: float, wanted: Collection[str]
    ) -> Iterator[tuple[str, Reason]]:
        """Yield the notices due now, for sessions among `wanted`."""
        owed = awaited_seats(table)
        # Every event at the table restarts the wait: two turns may lie between two checks.
        self._owed = {seat: table.since for seat in owed}
        self._note_presence(table, presence, now)
        for place in table.seats.places:
            who = place.owner
            if who not in wanted or table.over:
                continue
            if presence.is_here(who, now):
                self._sent.pop(who, None)
                continue
            silence = presence.unheard(who, now)
            if silence < AFTER:
                continue
            sent = self._sent.setdefault(who, set())
            for reason in self._reasons(table, who, now - silence, now):
                if reason not in sent:
                    sent.add(reason)
                    yield who, reason

    def _note_presence(self, table: Table, presence: Presence, now: float) -> None:
        for place in table.seats.places:
            who = place.session
            if who and presence.is_here(who, now):
                self._came.setdefault(who, now)
                self._here[who] = now
        for who in [session for session, at in self._here.items() if now - at > _BLINK]:
            del self._here[who], self._came[who]

    def _reasons(self, table: Table, who: str, heard: float, now: float) -> Iterator[Reason]:
        """Reasons to notify a person whose last sign of presence was at `heard`."""
        seat = table.seats.seat_of(who)
        if seat is not None and not table.seats.is_away(who) and self._owed.get(seat, heard) > heard:
            acting = table.match is not None and seat in table.match.hand.owed() and not table.between_hands
            yield Reason.TURN if acting and table.requests.open is None else Reason.WAITING
        for other, came in self._came.items():
            if other != who and heard < came <= now - STAYED:
                yield Reason.WAITING
                return
