"""Steps that a table takes by itself (draw, deal, play for computer players, turn up, go on), with times."""

from typing import Literal, NamedTuple

from nousu.engine.actions import Action
from nousu.engine.seats import CHANCE, Seat
from nousu.players.seat_loop import free_to_speak
from nousu.server.table import commands, events
from nousu.server.table.seats import has_forced_reveal
from nousu.server.table.table import Change, Table
from nousu.server.table.view import TableRequest

OPEN_WAIT = 5.0
"""Seconds, after the last place is taken, in which pledged shares must be opened."""
ANSWER_WAIT = 20.0
"""Seconds after which an open request counts as refused."""
NEXT_WAIT = 20.0
"""Seconds after which the next hand is dealt when only some persons have asked for it."""


class DueStep(NamedTuple):
    """A step of the table, due at `at` (seconds on the caller's clock) or later."""

    at: float
    what: Literal["start", "deal", "turn up", "choose", "interrupt", "lapse", "settle", "sit down"]
    seat: Seat = CHANCE


def due_steps(table: Table, declined: frozenset[Seat] = frozenset()) -> tuple[DueStep, ...]:
    """The steps that are due now or later.

    `declined` are seats of computer players that were asked to interrupt since the last event and did not.
    """
    match = table.match
    if match is None:
        wait = OPEN_WAIT if table.closed_shares else 0.0
        return () if table.seats.open_places() else (DueStep(table.since + wait, "start"),)
    if table.over:
        return ()
    if table.requests.open is not None:
        return (_request_step(table, table.requests.open),)
    if table.between_hands:
        return _next_hand(table)
    owed = match.hand.owed()
    if owed == (CHANCE,):
        return (DueStep(table.since, "deal"),)
    seats = table.seats.by_seat
    free = free_to_speak(match.hand)
    window = table.window if any(not seats[seat].played_by for seat in free) else 0.0
    at = table.since + max(_pause(table), window)
    steps = [
        DueStep(at, "interrupt", seat) for seat in free if seats[seat].played_by and seat not in declined
    ]
    for seat in owed:
        if has_forced_reveal(seat, match.hand):
            steps.append(DueStep(at, "turn up", seat))
        elif seats[seat].played_by:
            steps.append(DueStep(at, "choose", seat))
    return tuple(steps)


def _request_step(table: Table, request: TableRequest) -> DueStep:
    if request.of:
        return DueStep(table.since + ANSWER_WAIT, "lapse")
    return DueStep(table.since + 2 * table.pace * (request.what != "undo"), "settle")


def _next_hand(table: Table) -> tuple[DueStep, ...]:
    persons = table.seats.persons()
    heir = next((place for place in table.seats.places if place.heir), None)
    if heir is not None:
        return (DueStep(table.since, "sit down", table.seats.by_seat.index(heir)),)
    if table.match is not None and table.match.hand.owed() != (CHANCE,):
        return ()
    if all(seat in table.ready for seat in persons):
        return (DueStep(table.since + (0.0 if persons else 4 * table.pace), "deal"),)
    return (DueStep(table.since + NEXT_WAIT, "deal"),) if table.ready else ()


def next_hand_in(table: Table, now: float) -> float | None:
    """Seconds until the next hand is dealt although somebody has not asked for it; None: nothing is timed."""
    if not table.between_hands or not table.ready or set(table.seats.persons()) <= set(table.ready):
        return None
    return round(max(0.0, table.since + NEXT_WAIT - now), 1)


def _pause(table: Table) -> float:
    """Seconds for which the last action is seen before a computer player answers it."""
    assert table.match is not None
    if table.unanswered:
        return table.pace / 4
    view = table.match.hand.view(None)
    return table.pace * (2 if view.tricks and not view.trick else 1)


def take_step(table: Table, step: DueStep, action: Action | None, now: float) -> Change:
    """The change of a step other than settling a request; `action` is a computer player's."""
    match step.what:
        case "start":
            return start(table, now)
        case "deal":
            return deal(table, now)
        case "turn up":
            return turn_up(table, step.seat, now)
        case "lapse":
            return commands.lapse(table, now)
        case "sit down":
            return sit_down(table, table.seats.place_at(step.seat), now)
    assert action is not None and step.seat != CHANCE
    return table.change(events.ActionDone(step.seat, action), now)


def start(table: Table, now: float) -> Change:
    """The draw for seats and first dealer, as far as they are not chosen and known."""
    options = table.options
    if not options.chosen:
        return table.change(events.PackDrawn(table.shuffles.pack(table.game)), now)
    dealer = table.shuffles.first_dealer(len(table.seats)) if options.dealer is None else options.dealer
    return table.change(events.MatchBegan(dealer), now)


def deal(table: Table, now: float) -> Change:
    """The deal of the next hand."""
    assert table.match is not None
    cards = table.shuffles.deal(table.match.hand.dealing(), table.deals + 1)
    return table.change(events.ActionDone(CHANCE, cards), now)


def sit_down(table: Table, place: int, now: float) -> Change:
    """The change by which the person a place was kept for takes it from the computer player."""
    kept = table.seats.places[place]
    return table.change(events.PersonJoined(place, kept.heir_name, kept.heir), now)


def turn_up(table: Table, seat: Seat, now: float) -> Change:
    """The only action of a seat."""
    assert table.match is not None
    return table.change(events.ActionDone(seat, table.match.hand.legal(seat)[0]), now)
