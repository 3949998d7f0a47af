"""What happens at a table, as values; and the rows these are stored as.

The rows are the only truth about a table: `from_row` takes one apart, `to_row` is its inverse. Nobody else
reads a row's letters.
"""

import json
from dataclasses import dataclass
from typing import Any, NamedTuple, assert_never

from nousu.engine.actions import Action, Entry, parse_action
from nousu.engine.cards import Card, parse_card
from nousu.engine.record import entry_text, parse_entry
from nousu.engine.seats import CHANCE, Seat, parse_seat, seat_name

__all__ = [
    "ASIDE",
    "AddedChance",
    "Again",
    "Agreed",
    "Answered",
    "Asked",
    "AskedNext",
    "Began",
    "Came",
    "CameBack",
    "Did",
    "Drawn",
    "Event",
    "Happening",
    "Invited",
    "Kept",
    "Lapsed",
    "Left",
    "Moved",
    "Muted",
    "Opened",
    "Removed",
    "Reported",
    "Row",
    "Said",
    "Settled",
    "TakenBack",
    "from_row",
    "to_row",
]


@dataclass(frozen=True, slots=True)
class Came:
    """A person took a place, promising a share of the shuffles."""

    place: int
    name: str
    session: str
    """Hash of the session's token."""
    pledge: str = ""
    """SHA-256 of the share, in hex; empty: this person promises none."""
    chance: str | None = None
    """In a match of version 1: the share, open at once."""
    own: bool = False
    """In a match of version 1: the share came from the person's own device."""


@dataclass(frozen=True, slots=True)
class Invited:
    """A computer player took a place."""

    place: int
    name: str
    player: str


@dataclass(frozen=True, slots=True)
class Left:
    """A person left; the computer player of that name plays on for them."""

    place: int
    player: str


@dataclass(frozen=True, slots=True)
class CameBack:
    """A person who had left plays on."""

    place: int


@dataclass(frozen=True, slots=True)
class Kept:
    """A place is kept for somebody of the match before."""

    place: int
    name: str
    session: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A person went to another place, before the match began."""

    place: int
    to: int


@dataclass(frozen=True, slots=True)
class Removed:
    """The host asked a person to leave: the place is open again, or a computer player of that name has it."""

    place: int
    name: str = ""
    player: str = ""


@dataclass(frozen=True, slots=True)
class Began:
    """The match began at the places chosen, with that first dealer."""

    dealer: Seat


@dataclass(frozen=True, slots=True)
class Again:
    """After the match: its people meet again at that table."""

    table: str


@dataclass(frozen=True, slots=True)
class AddedChance:
    """A person added a share to the shuffles still to come of a match of version 1."""

    place: int
    chance: str
    own: bool


@dataclass(frozen=True, slots=True)
class Opened:
    """A person opened the share they had promised."""

    place: int
    share: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """The shuffled pack that seats and the first dealer are drawn from."""

    pack: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class AskedNext:
    """A seat asked for the next hand."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Did:
    """A seat, or chance, did an action of the game."""

    seat: Seat
    action: Action


@dataclass(frozen=True, slots=True)
class Said:
    """A person said something ready-made, or wrote something of their own."""

    place: int
    word: str = ""
    """The id of what is ready-made (`nousu.server.table.phrases`); empty where the person wrote."""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Muted:
    """A person does not want to read what another says, or wants to again."""

    place: int
    whom: int
    """The other's place."""
    off: bool = False
    """Again."""


@dataclass(frozen=True, slots=True)
class Reported:
    """A person showed something said to whoever hosts the server."""

    place: int
    said: int
    """The number of the event by which it was said."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """A pair agreed on its signals, which everybody at the table can read (T-CAT-38)."""

    place: int
    signals: tuple[str, ...]
    """Ids of ready-made ones (`nousu.server.table.phrases`)."""
    own: str = ""
    """What else the pair has agreed on, in its own words."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat asked something of others: to agree to a claim, or to let it take its last action back."""

    seat: Seat
    what: str
    """See `nousu.server.table.view.REQUESTS`."""
    of: tuple[Seat, ...] = ()
    """Who has to agree; nobody where the claim is proven."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A seat agreed to what was asked, or did not."""

    seat: Seat
    yes: bool


@dataclass(frozen=True, slots=True)
class Lapsed:
    """What was asked got no answer in time: that is a no."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What was claimed was played out, card by card."""

    plays: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last action was taken back by its seat."""

    seat: Seat


Happening = (
    Came
    | Invited
    | Kept
    | Moved
    | Removed
    | Left
    | CameBack
    | AddedChance
    | Opened
    | Drawn
    | Began
    | AskedNext
    | Did
    | Again
    | Said
    | Muted
    | Reported
    | Agreed
    | Asked
    | Answered
    | Lapsed
    | Settled
    | TakenBack
)
ASIDE = (AddedChance, Opened, Left, CameBack, Said, Muted, Reported, Agreed)
"""Happenings that concern nobody who decides meanwhile, and that stop no clock."""


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a table's history."""

    seq: int
    """Its number, from 1 without gaps."""
    what: Happening
    key: str | None = None
    """The idempotency key it came with."""
    print: str | None = None
    """A hash of everything else that came with the key."""


class Row(NamedTuple):
    """An event as it is stored."""

    seq: int
    kind: str
    place: int
    """The place, or for ``entry`` and ``next`` the seat; -1 for chance."""
    body: str
    key: str | None = None
    print: str | None = None


def to_row(event: Event, seats: int) -> Row:
    """The row of an event of a table with so many seats."""
    return Row(event.seq, *_written(event.what, seats), event.key, event.print)


def from_row(row: Row, seats: int) -> Event:
    """The event of a row; `ValueError` where it is none."""
    return Event(row.seq, _read(row.kind, row.place, row.body, seats), row.key, row.print)


def _written(what: Happening, seats: int) -> tuple[str, int, str]:
    match what:
        case Did(seat, action):
            return "entry", seat, entry_text((seat, action), seats)
        case AskedNext(seat):
            return "next", seat, ""
        case Came(place, name, session, _, str() as chance, own):
            return "person", place, _json(name=name, session=session, chance=chance, own=own)
        case Came(place, name, session, pledge):
            return "person", place, _json(name=name, session=session, pledge=pledge)
        case Invited(place, name, player):
            return "computer", place, _json(name=name, player=player)
        case Kept(place, name, session):
            return "kept", place, _json(name=name, session=session)
        case Moved(place, to):
            return "move", place, str(to)
        case Removed(place, name, player):
            return "remove", place, _json(name=name, player=player)
        case Began(dealer):
            return "begin", CHANCE, seat_name(dealer, seats)
        case Again(table):
            return "again", CHANCE, table
        case Left(place, player):
            return "away", place, _json(player=player)
        case CameBack(place):
            return "back", place, ""
        case AddedChance(place, chance, own):
            return "chance", place, _json(chance=chance, own=own)
        case Opened(place, share):
            return "open", place, share
        case Drawn(pack):
            return "start", CHANCE, " ".join(map(str, pack))
        case Said(place, word, text):
            return "say", place, _json(word=word, text=text)
        case Muted(place, whom, off):
            return "mute", place, _json(whom=whom, off=off)
        case Reported(place, said):
            return "report", place, str(said)
        case Agreed(place, signals, own):
            return "signals", place, _json(signals=signals, own=own)
        case Asked(seat, asked, of):
            return "ask", seat, _json(what=asked, of=of)
        case Answered(seat, yes):
            return "answer", seat, "yes" if yes else "no"
        case Lapsed():
            return "lapse", CHANCE, ""
        case Settled(plays):
            return "settle", CHANCE, "; ".join(entry_text(one, seats) for one in plays)
        case TakenBack(seat):
            return "undo", seat, ""
    assert_never(what)


def _read(kind: str, place: int, body: str, seats: int) -> Happening:
    match kind:
        case "entry":
            if place == CHANCE:
                return Did(CHANCE, parse_action(body))
            name, _, action = body.partition(" ")
            if name != seat_name(place, seats):
                raise ValueError(f"an action of seat {place} is stored as one of {name!r}")
            return Did(place, parse_action(action))
        case "next":
            return AskedNext(place)
        case "person":
            return Came(place, **json.loads(body))
        case "computer":
            return Invited(place, **json.loads(body))
        case "kept":
            return Kept(place, **json.loads(body))
        case "move":
            return Moved(place, int(body))
        case "remove":
            return Removed(place, **json.loads(body))
        case "begin":
            return Began(parse_seat(body, seats))
        case "again":
            return Again(body)
        case "away":
            return Left(place, **json.loads(body))
        case "back":
            return CameBack(place)
        case "chance":
            return AddedChance(place, **json.loads(body))
        case "open":
            return Opened(place, body)
        case "start":
            return Drawn(tuple(map(parse_card, body.split())))
        case "say":
            return Said(place, **json.loads(body))
        case "mute":
            return Muted(place, **json.loads(body))
        case "report":
            return Reported(place, int(body))
        case "signals":
            found = json.loads(body)
            return Agreed(place, tuple(found["signals"]), found["own"])
        case "ask":
            found = json.loads(body)
            return Asked(place, found["what"], tuple(found["of"]))
        case "answer":
            return Answered(place, body == "yes")
        case "lapse":
            return Lapsed()
        case "settle":
            return Settled(tuple(parse_entry(one, seats) for one in body.split("; ")))
        case "undo":
            return TakenBack(place)
    raise ValueError(f"{kind!r} is no kind of event")


def _json(**values: Any) -> str:
    return json.dumps(values, ensure_ascii=False)
