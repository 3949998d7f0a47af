"""Taking, changing, handing over and leaving places, and the table for the rematch.

A function returns the `Change` that it makes, or the number of the last event where there is nothing to
change. It raises a `RequestError` with a sentence for the person.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from nousu.engine.seats import Seat
from nousu.ids import made_id
from nousu.server.errors import NotYours, RequestError, Stale
from nousu.server.table import events
from nousu.server.table.chat import FACES
from nousu.server.table.commands import check_in_play
from nousu.server.table.display_names import clean_name
from nousu.server.table.options import TableOptions
from nousu.server.table.table import Change, Table

PLANNED = "plan"
"""The stand-in for a session at reserved places of a tournament's table: no browser has it."""


def join(
    table: Table, session: str, name: str, pledge: str, now: float, at: int | None = None, waits: bool = False
) -> Change:
    """Give a person a place: the one reserved for them, else the place `at`, else the first that is open.

    Between hands a computer player's will do, too; during a hand it is kept for a person who `waits`. An
    empty `pledge` promises no share of the shuffles.
    """
    _check_may_join(table, session)
    if table.options.event:
        raise NotYours("The seats here follow the plan of a tournament; use your own link to join it.")
    places = table.seats.places
    open_places = table.seats.open_places()
    free = [place for place in open_places if places[place].reserved in ("", session)]
    free.sort(key=lambda place: not places[place].reserved)
    late = table.chairs if not open_places else ()
    candidates = [place for place in (*free, *late) if at in (None, place)] or [*free, *late]
    if candidates and not open_places and not table.between_hands:
        if not waits:
            candidates = []
        elif table.seats.chair_of(session) is None:
            kept = clean_name(name, table.seats.names_but(candidates[0]))
            return table.change(events.ChairKept(candidates[0], kept, session), now)
        else:
            raise NotYours("A chair is kept for you already.")
    if not candidates:
        if any(place.reserved for place in places):
            raise NotYours("Free seats are kept for the players of the last match.")
        raise NotYours("All places at this table are taken.")
    place = candidates[0]
    # A match under way has its shares already, and one begun before there were pledges has none.
    if table.shuffles.version == 1 or table.match is not None:
        pledge = ""
    return table.change(
        events.PersonJoined(place, clean_name(name, table.seats.names_but(place)), session, pledge), now
    )


def _check_may_join(table: Table, session: str) -> None:
    if session in table.seats.barred:
        raise NotYours("The host has asked you to leave this table.")
    if table.seats.holds(session):
        raise NotYours("You already sit at this table.")


def join_by_plan(table: Table, place: int, session: str, pledge: str, now: float) -> Change | int:
    """Give a person their place of a tournament's table, also on another device or from a stand-in."""
    old = table.seats.places[place]
    if old.session == session and not old.stand_in:
        return table.seq
    if any(other.session == session for at, other in enumerate(table.seats.places) if at != place):
        raise NotYours(
            "This browser already has a seat here for somebody else; use another one, or a private window."
        )
    first = not old.session and table.match is None
    return table.change(events.PersonJoined(place, old.name, session, pledge if first else ""), now)


def release_chair(table: Table, session: str, now: float) -> Change | int:
    """Keep no chair for a person any more."""
    seat = table.seats.chair_of(session)
    if seat is None:
        return table.seq
    return table.change(events.ChairKept(table.seats.place_at(seat)), now)


def choose_face(table: Table, session: str, face: str, now: float) -> Change | int:
    """Let a drawn face stand for a person at this table; empty: the first letter of the name."""
    place = table.seats.place_of(session)
    if face and face not in FACES:
        raise RequestError("There is no such face.")
    if table.seats.places[place].face == face:
        return table.seq
    return table.change(events.FaceChosen(place, face), now)


def move(table: Table, session: str, to: int, now: float) -> Change | int:
    """Move a person to another open place before the match."""
    place = table.seats.place_of(session)
    if place == to:
        return table.seq
    if table.match is not None or not table.options.chosen:
        raise Stale("Seats can be changed only before the match, and only where people choose their own.")
    if to not in table.seats.open_places() or table.seats.places[to].reserved:
        raise NotYours("This place is taken.")
    return table.change(events.PersonMoved(place, to), now)


def check_handover(table: Table, session: str) -> int:
    """The place of a person who may hand it over; refused to all others."""
    place = table.seats.place_of(session)
    if table.options.event:
        raise NotYours("The seats here follow the plan of a tournament; use your own link to join it.")
    if table.over or table.options.branch is not None:
        raise Stale("The match is over.")
    return place


def hand_over(table: Table, giver: str, session: str, name: str, now: float) -> Change:
    """Give a person the place of another, the `giver`, with its cards."""
    _check_may_join(table, session)
    place = check_handover(table, giver)
    return table.change(
        events.PersonJoined(place, clean_name(name, table.seats.names_but(place)), session, ""), now
    )


def remove(table: Table, session: str, place: int, player: str, now: float) -> Change:
    """Let the host remove a person: the place is open again, during the match the computer player has it.

    A reserved place is opened to all, and a computer player leaves before the match.
    """
    if session != table.seats.host:
        raise NotYours("Only the host of the table may do that.")
    if not 0 <= place < len(table.seats) or table.over:
        raise Stale("Nobody sits there.")
    old = table.seats.places[place]
    if old.session == session or not (old.session or old.reserved or (old.player and not table.match)):
        raise Stale("Nobody sits there.")
    if table.match is None:
        return table.change(events.PersonRemoved(place), now)
    return table.change(events.PersonRemoved(place, table.seats.free_name, player), now)


def invite(table: Table, player: str, now: float) -> Change:
    """Give the first open place to a computer player."""
    free = table.seats.open_places()
    if not free:
        raise NotYours("All places at this table are taken.")
    return table.change(events.ComputerJoined(free[0], table.seats.free_name, player), now)


def leave(table: Table, session: str, player: str, now: float) -> Change:
    """Let a computer player stand in for a person who has left; the seat stays the person's."""
    place = table.seats.place_of(session)
    check_in_play(table)
    if table.seats.places[place].stand_in:
        raise Stale("A computer player is already playing for you.")
    return table.change(events.PersonLeft(place, player), now)


def come_back(table: Table, session: str, now: float) -> Change:
    """Give a person their seat back from a stand-in."""
    place = table.seats.place_of(session)
    if not table.seats.places[place].stand_in:
        raise Stale("Nobody plays for you.")
    return table.change(events.PersonReturned(place), now)


# ------------------------------------------------------------------------- tables that begin with people


def chain(empty: Table, happenings: Iterable[events.Happening], now: float) -> list[Change]:
    """Chain events as the first ones of an empty table, one after the other."""
    changes: list[Change] = []
    for happening in happenings:
        changes.append((changes[-1].table if changes else empty).change(happening, now))
    return changes


def reserve_planned_places(empty: Table, names: Sequence[str], now: float) -> list[Change]:
    """The first events of a table of a tournament: each place is reserved for the person of the plan."""
    return chain(empty, (events.PlaceReserved(place, name, PLANNED) for place, name in enumerate(names)), now)


def reserve(table: Table, people: Sequence[tuple[str, str]], now: float) -> list[Change]:
    """Reserve open places for people, given by name and session, in order."""
    places = zip(table.seats.open_places(), people, strict=False)
    return chain(table, (events.PlaceReserved(place, name, who) for place, (name, who) in places), now)


def rematch_id(table: Table) -> str:
    """The id of the table for the rematch: the same for all who ask, and impossible to guess."""
    secret = table.shuffles.secret + b" again"
    return made_id(lambda number: hashlib.sha256(secret + b" more" * number).digest()[:12])


def rematch_options(table: Table) -> TableOptions:
    """The options of the table for the rematch: chosen seats, the next dealer, the matches won so far."""
    match, options = table.match, table.options
    assert match is not None and table.over
    last = match.played[-1]
    dealer: Seat = last.tally.dealer(last.hand.setup)
    seats = len(table.seats)
    sides = table.game.sides or seats
    wins = table.wins or tuple(int(seat % sides in (match.winner or ())) for seat in range(seats))
    return TableOptions(
        pace=table.pace,
        window=table.window,
        chosen=True,
        learning=options.learning,
        undo=options.undo,
        clock=options.clock,
        dealer=dealer,
        evening=wins,
    )


def rematch(table: Table, empty: Table, now: float) -> list[Change]:
    """The first events of the table for the rematch.

    Computer players keep their seats, and those of persons are reserved for them.
    """
    return chain(empty, _rematch(table), now)


def _rematch(table: Table) -> Iterator[events.Happening]:
    for seat, place in enumerate(table.seats.by_seat):
        if place.player:
            yield events.ComputerJoined(seat, place.name, place.player)
        else:
            yield events.PlaceReserved(seat, place.name, place.session)
    # Mutes and agreed signals stay from one match to the next.
    seats = {place.session: seat for seat, place in enumerate(table.seats.by_seat) if place.session}
    for by, whom in sorted(table.chat.mutes):
        if by in seats and whom in seats:
            yield events.PersonMuted(seats[by], seats[whom])
    for side, card in enumerate(table.chat.signals):
        if card.signals or card.own:
            yield events.SignalsAgreed(side, card.signals, card.own)


def announce_rematch(table: Table, id: str, now: float) -> Change | int:
    """Announce the id of the table for the rematch to all at the table."""
    return table.seq if table.again else table.change(events.RematchOpened(id), now)
