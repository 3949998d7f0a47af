"""Who is to be called back to a table: persons whose page is gone, each at most once for each reason until
they are back."""

from collections.abc import Collection, Iterator
from enum import StrEnum

from nousu.engine.seats import Seat
from nousu.server.live.presence import Presence, awaited_seats
from nousu.server.table.table import Table

AFTER = 5.0
"""Seconds without a word after which a page counts as closed: who loads it again is not called."""
STAYED = 3.0
"""Seconds a friend has been there before somebody is told of it."""
_BLINK = 30.0
"""Seconds for which a friend may be gone without coming anew."""


class Reason(StrEnum):
    """Why somebody is called."""

    TURN = "turn"
    """The table waits for their action."""
    WAITING = "waiting"
    """A friend came to the table, or the others have gone on to the next hand."""


class Absences:
    """What one table knows of those who are not there. Times are seconds of the caller's clock."""

    def __init__(self) -> None:
        self._owed: dict[Seat, float] = {}
        """Since when the table waits for each seat."""
        self._came: dict[str, float] = {}
        """When each person who is here came."""
        self._here: dict[str, float] = {}
        """When they were here last."""
        self._sent: dict[str, set[Reason]] = {}
        """What those who are not here have been told."""

    def due(
        self, table: Table, presence: Presence, now: float, wanted: Collection[str]
    ) -> Iterator[tuple[str, Reason]]:
        """Who is to be told what now, of those `wanted`."""
        owed = awaited_seats(table)
        # Whatever happens at the table meanwhile, it waits anew: two turns may lie between two looks.
        self._owed = {seat: table.since for seat in owed}
        self._note_who_is_here(table, presence, now)
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

    def _note_who_is_here(self, table: Table, presence: Presence, now: float) -> None:
        for place in table.seats.places:
            who = place.session
            if who and presence.is_here(who, now):
                self._came.setdefault(who, now)
                self._here[who] = now
        for who in [one for one, at in self._here.items() if now - at > _BLINK]:
            del self._here[who], self._came[who]

    def _reasons(self, table: Table, who: str, heard: float, now: float) -> Iterator[Reason]:
        """Why a person heard last at that time is to come back."""
        seat = table.seats.seat_of(who)
        if seat is not None and not table.seats.is_away(who) and self._owed.get(seat, heard) > heard:
            acting = table.match is not None and seat in table.match.hand.owed() and not table.between_hands
            yield Reason.TURN if acting and table.requests.open is None else Reason.WAITING
        for other, came in self._came.items():
            if other != who and heard < came <= now - STAYED:
                yield Reason.WAITING
                return
