"""Who sits down where: coming, moving, being asked to leave, and meeting again after the match."""

import hashlib
from collections.abc import Iterator, Sequence

from nousu.engine.seats import Seat
from nousu.ids import made_id
from nousu.server.errors import NotYours, Stale
from nousu.server.table.display_names import clean_name, skeleton
from nousu.server.table.events import Again, Agreed, Came, Invited, Kept, Moved, Muted, Removed
from nousu.server.table.seats import NAMES, computers
from nousu.server.table.table import Change, Place, Table


def join(table: Table, session: str, name: str, pledge: str, now: float, at: int | None = None) -> Change:
    """A person takes a place, promising a share of the shuffles (or none: ""): the one kept for them, else
    the place `at`, else the first that is open. Between hands a computer player's will do, too."""
    if session in table.barred:
        raise NotYours("The host has asked you to leave this table.")
    if any(place.session == session for place in table.places):
        raise NotYours("You already sit at this table.")
    if table.event:
        raise NotYours("The seats here follow the plan of a tournament; use your own link to join it.")
    free = [one for one in table.open_places() if table.places[one].kept in ("", session)]
    free.sort(key=lambda one: not table.places[one].kept)
    late = computers(table.places) if table.between_hands and not (free or table.open_places()) else ()
    wanted = [one for one in (*free, *late) if at in (None, one)] or [*free, *late]
    if not wanted:
        kept = any(place.kept for place in table.places)
        if kept:
            raise NotYours("Free seats are kept for the players of the last match.")
        raise NotYours("All places at this table are taken.")
    place = wanted[0]
    names = [one.name for number, one in enumerate(table.places) if one.name and number != place]
    shown = clean_name(name, names)
    # A match under way has its shares already, and one begun before there were pledges has none.
    promised = pledge if table.shuffles.version > 1 and table.match is None else ""
    return table.change(Came(place, shown, session, promised), now)


PLANNED = "plan"
"""Stands for the session that a place is kept for at a table of a tournament: no browser has it."""


def planned(empty: Table, names: Sequence[str], now: float) -> list[Change]:
    """The first events of a table of a tournament: every place is kept for the person whom the plan seats
    there."""
    found: list[Change] = []
    for place, name in enumerate(names):
        found.append((found[-1].table if found else empty).change(Kept(place, name, PLANNED), now))
    return found


def sit_by_plan(table: Table, place: int, session: str, pledge: str, now: float) -> Change | int:
    """The person of a place at a table of a tournament comes, or goes on from another device, and back from
    a computer player that stood in."""
    found = table.places[place]
    if found.session == session and not found.stand_in:
        return table.seq
    if any(one.session == session for at, one in enumerate(table.places) if at != place):
        raise NotYours(
            "This browser already has a seat here for somebody else; use another one, or a private window."
        )
    first = not found.session and table.match is None
    return table.change(Came(place, found.name, session, pledge if first else ""), now)


def move(table: Table, session: str, to: int, now: float) -> Change | int:
    """A person goes to another open place before the match."""
    place = table.place_of(session)
    if place == to:
        return table.seq
    if table.match is not None or not table.chosen:
        raise Stale("Places can be changed only before the match, where people sit as they like.")
    if to not in table.open_places() or table.places[to].kept:
        raise NotYours("This place is taken.")
    return table.change(Moved(place, to), now)


def check_handing(table: Table, session: str) -> int:
    """The place of a person who may hand it over; refused to everybody else."""
    place = table.place_of(session)
    if table.event:
        raise NotYours("The seats here follow the plan of a tournament; use your own link to join it.")
    if table.over or table.rehearses is not None:
        raise Stale("The match is over.")
    return place


def hand_over(table: Table, giver: str, session: str, name: str, now: float) -> Change:
    """A person takes the place that another one has handed to them, with its cards."""
    if session in table.barred:
        raise NotYours("The host has asked you to leave this table.")
    if any(place.session == session for place in table.places):
        raise NotYours("You already sit at this table.")
    place = check_handing(table, giver)
    names = [one.name for number, one in enumerate(table.places) if one.name and number != place]
    return table.change(Came(place, clean_name(name, names), session, ""), now)


def remove(table: Table, session: str, place: int, player: str, now: float) -> Change:
    """The host asks somebody to leave: before the match the place is open again, else a computer player has
    it. A place kept for somebody is opened to all, and a computer player leaves before the match."""
    if session != table.host:
        raise NotYours("Only the host of the table may do that.")
    if not 0 <= place < len(table.places) or table.over:
        raise Stale("Nobody sits there.")
    found = table.places[place]
    if found.session == session or not (found.session or found.kept or (found.player and not table.match)):
        raise Stale("Nobody sits there.")
    if table.match is None:
        return table.change(Removed(place), now)
    return table.change(Removed(place, free_name(table), player), now)


def place_at(table: Table, seat: Seat) -> int:
    """The place of a seat: places are numbered as people came, seats around the table."""
    if table.match is None or table.match.seating is None or not 0 <= seat < len(table.places):
        return seat
    return table.match.seating.places.index(seat)


def free_name(table: Table) -> str:
    """A name for a computer player."""
    taken = {skeleton(place.name) for place in table.places}
    return next((name for name in NAMES if skeleton(name) not in taken), NAMES[0])


def next_id(table: Table) -> str:
    """The id of the table for the rematch: the same whoever asks first, and nobody else's to guess."""
    secret = table.shuffles.secret + b" again"
    return made_id(lambda number: hashlib.sha256(secret + b" more" * number).digest()[:12])


def next_options(table: Table) -> dict[str, str]:
    """The options of the table for the rematch: chosen seats, the next dealer, the matches won so far."""
    match = table.match
    assert match is not None and table.over
    last = match.played[-1]
    dealer: Seat = last.tally.dealer(last.hand.setup)
    seats = len(table.places)
    sides = table.game.sides or seats
    won = table.won or tuple(int(seat % sides in (match.winner or ())) for seat in range(seats))
    kept = {"learning": table.learning and "yes", "undo": table.takes_back and "yes", "clock": table.clock}
    kept |= {"pace": f"{table.pace:g}", "window": f"{table.window:g}"}
    found = {"seats": "chosen", "dealer": str(dealer), "evening": " ".join(map(str, won))}
    return found | {name: str(value) for name, value in kept.items() if value}


def gathered(table: Table, empty: Table, now: float) -> list[Change]:
    """The first events of the table for the rematch: everybody has the seat of before, computer players sit
    down at once, and for persons theirs is kept."""
    found: list[Change] = []
    for seat, place in enumerate(table.by_seat):
        happening = _expected(seat, place)
        found.append((found[-1].table if found else empty).change(happening, now))
    for kept in _kept_talk(table):
        found.append(found[-1].table.change(kept, now))
    return found


def _kept_talk(table: Table) -> Iterator[Muted | Agreed]:
    """What stays from one match to the next: who does not read whom, and the signals agreed on."""
    seats = {place.session: seat for seat, place in enumerate(table.by_seat) if place.session}
    for by, whom in sorted(table.talk.mutes):
        if by in seats and whom in seats:
            yield Muted(seats[by], seats[whom])
    for side, card in enumerate(table.talk.signals):
        if card.signals or card.own:
            yield Agreed(side, card.signals, card.own)


def _expected(seat: Seat, place: Place) -> Invited | Kept:
    if place.player:
        return Invited(seat, place.name, place.player)
    return Kept(seat, place.name, place.session)


def met_again(table: Table, id: str, now: float) -> Change | int:
    """Everybody at this table is told where its people meet again."""
    return table.seq if table.again else table.change(Again(id), now)
