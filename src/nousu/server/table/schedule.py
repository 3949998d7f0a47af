"""What a table does by itself, and when: deal, play for computer players, turn up, go on after a while."""

from typing import Literal, NamedTuple

from nousu.engine.seats import CHANCE, Seat
from nousu.players.seat_loop import free_to_speak
from nousu.server.table.seats import turns_up
from nousu.server.table.table import Table
from nousu.server.table.view import Request

OPEN_WAIT = 5.0
"""Seconds, after the last place is taken, in which the shares that were promised must be opened."""
ANSWER_WAIT = 20.0
"""Seconds after which what was asked of others counts as refused."""
NEXT_WAIT = 20.0
"""Seconds after which the next hand is dealt when only some persons have asked for it."""


class Step(NamedTuple):
    """Something the table does by itself, not before `at` (seconds on the caller's clock)."""

    at: float
    what: Literal["start", "deal", "turn up", "choose", "interrupt", "lapse", "settle"]
    seat: Seat = CHANCE


def steps(table: Table, declined: frozenset[Seat] = frozenset()) -> tuple[Step, ...]:
    """What the table is to do by itself as things stand. `declined` are computer players that were asked
    since the last event whether they interrupt and did not want to."""
    match = table.match
    if match is None:
        wait = OPEN_WAIT if table.closed_shares else 0.0
        return () if table.open_places() else (Step(table.since + wait, "start"),)
    if table.over:
        return ()
    if table.requests.open is not None:
        return _requested(table, table.requests.open)
    if table.between_hands:
        return _next_hand(table)
    owed = match.hand.owed()
    if owed == (CHANCE,):
        return (Step(table.since, "deal"),)
    seats = table.by_seat
    free = free_to_speak(match.hand)
    contested = table.window if any(not seats[seat].played_by for seat in free) else 0.0
    at = table.since + max(_pause(table), contested)
    asked = tuple(
        Step(at, "interrupt", seat) for seat in free if seats[seat].played_by and seat not in declined
    )
    found = []
    for seat in owed:
        if turns_up(seat, match.hand):
            found.append(Step(at, "turn up", seat))
        elif seats[seat].played_by:
            found.append(Step(at, "choose", seat))
    return (*asked, *found)


def _requested(table: Table, request: Request) -> tuple[Step, ...]:
    if request.of:
        return (Step(table.since + ANSWER_WAIT, "lapse"),)
    return (Step(table.since + 2 * table.pace * (request.what != "undo"), "settle"),)


def _next_hand(table: Table) -> tuple[Step, ...]:
    persons = table.persons()
    if table.match is not None and table.match.hand.owed() != (CHANCE,):
        return ()
    if all(seat in table.ready for seat in persons):
        return (Step(table.since + (0.0 if persons else 4 * table.pace), "deal"),)
    return (Step(table.since + NEXT_WAIT, "deal"),) if table.ready else ()


def _pause(table: Table) -> float:
    """How long people are to see the last action before a computer player answers it."""
    assert table.match is not None
    if table.among:
        return table.pace / 4
    view = table.match.hand.view(None)
    return table.pace * (2 if view.tricks and not view.trick else 1)
