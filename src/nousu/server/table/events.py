"""Events of a table as values, and the stored rows they are written as.

The rows are the only truth about a table. `from_row` parses one, `to_row` is its inverse. Each class names
the kind that stands in its rows; kinds and bodies never change, for databases hold them.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, TypeVar

from nousu.engine.actions import Action, Entry, parse_action
from nousu.engine.cards import Card, parse_card
from nousu.engine.record import entry_text, parse_entry
from nousu.engine.seats import CHANCE, Seat, parse_seat, seat_name

_Class = TypeVar("_Class", bound=type)


class _Codec(NamedTuple):
    kind: str
    at: str
    """The field that is stored as the row's place; empty: none, the row has -1."""
    format: Callable[[Any, int], str]
    """The body of an event at a table with this many seats."""
    parse: Callable[[int, str, int], Any]
    """The event of a place and a body."""


_BY_CLASS: dict[type, _Codec] = {}
_BY_KIND: dict[str, _Codec] = {}


def _stored(
    kind: str,
    format_value: Callable[[Any, int], str] | None = None,
    parse_value: Callable[[str, int], Any] | None = None,
) -> Callable[[_Class], _Class]:
    """Register an event class under its kind.

    Its body is JSON of the fields beside the place, or the text of its one further field where that has a
    format of its own.
    """

    def register(cls: _Class) -> _Class:
        names = [field.name for field in fields(cls)]
        at = names[0] if names and names[0] in ("place", "seat") else ""
        rest = names[1:] if at else names

        def format_body(happening: Any, seats: int) -> str:
            if format_value is not None:
                return format_value(getattr(happening, rest[0]), seats)
            return _json({name: getattr(happening, name) for name in rest}) if rest else ""

        def parse(place: int, body: str, seats: int) -> Any:
            where = (place,) if at else ()
            if parse_value is not None:
                return cls(*where, parse_value(body, seats))
            values = json.loads(body) if rest else {}
            lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
            return cls(*where, **values | lists)

        _register(cls, _Codec(kind, at, format_body, parse))
        return cls

    return register


def _register(cls: type, codec: _Codec) -> None:
    _BY_CLASS[cls] = _BY_KIND[codec.kind] = codec


def _json(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class PersonJoined:
    """A person took a place, with a pledge for the shuffles."""

    place: int
    name: str
    session: str
    """Hash of the session's token."""
    pledge: str = ""
    """SHA-256 of the share, in hex; empty: no share."""
    chance: str | None = None
    """In a match of version 1: the share, open at once."""
    own: bool = False
    """In a match of version 1: the share came from the person's own device."""


def _person_body(person: PersonJoined, _: int) -> str:
    values: dict[str, Any] = {"name": person.name, "session": person.session}
    version_1 = {"chance": person.chance, "own": person.own}
    return _json(values | ({"pledge": person.pledge} if person.chance is None else version_1))


_register(
    PersonJoined,
    _Codec("person", "place", _person_body, lambda place, body, _: PersonJoined(place, **json.loads(body))),
)


@_stored("computer")
@dataclass(frozen=True, slots=True)
class ComputerJoined:
    """A computer player took a place."""

    place: int
    name: str
    player: str


@_stored("away")
@dataclass(frozen=True, slots=True)
class PersonLeft:
    """A person left; the computer player of that name plays on for them."""

    place: int
    player: str


@_stored("back")
@dataclass(frozen=True, slots=True)
class PersonReturned:
    """A person who had left plays on."""

    place: int


@_stored("kept")
@dataclass(frozen=True, slots=True)
class PlaceReserved:
    """A place is reserved for a person of the match before, or of a tournament."""

    place: int
    name: str
    session: str


@_stored("chair")
@dataclass(frozen=True, slots=True)
class ChairKept:
    """A computer player's place is kept for somebody who takes it when the hand ends."""

    place: int
    name: str = ""
    session: str = ""
    """Hash of the session's token; empty: it is released."""


@_stored("face", lambda face, _: face, lambda text, _: text)
@dataclass(frozen=True, slots=True)
class FaceChosen:
    """A person chose the face that stands for them at the table."""

    place: int
    face: str
    """One of `nousu.server.table.chat.FACES`; empty: the first letter of the name."""


@_stored("move", lambda to, _: str(to), lambda text, _: int(text))
@dataclass(frozen=True, slots=True)
class PersonMoved:
    """A person went to another place before the match."""

    place: int
    to: int


@_stored("remove")
@dataclass(frozen=True, slots=True)
class PersonRemoved:
    """The host removed a person: the place is open again, or a computer player of that name has it."""

    place: int
    name: str = ""
    player: str = ""


@_stored("begin", seat_name, parse_seat)
@dataclass(frozen=True, slots=True)
class MatchBegan:
    """The match began at chosen places, with that first dealer."""

    dealer: Seat


@_stored("again", lambda table, _: table, lambda text, _: text)
@dataclass(frozen=True, slots=True)
class RematchOpened:
    """After the match: the id of the table for the rematch."""

    table: str


@_stored("chance")
@dataclass(frozen=True, slots=True)
class ChanceAdded:
    """A person added a share to the shuffles still to come of a match of version 1."""

    place: int
    chance: str
    own: bool


@_stored("open", lambda share, _: share, lambda text, _: text)
@dataclass(frozen=True, slots=True)
class ShareOpened:
    """A person opened the share they had pledged."""

    place: int
    share: str


@_stored(
    "start", lambda pack, _: " ".join(map(str, pack)), lambda text, _: tuple(map(parse_card, text.split()))
)
@dataclass(frozen=True, slots=True)
class PackDrawn:
    """The shuffled pack from which seats and the first dealer are drawn."""

    pack: tuple[Card, ...]


@_stored("next")
@dataclass(frozen=True, slots=True)
class NextRequested:
    """A seat asked for the next hand."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ActionDone:
    """A seat, or chance, did an action of the game."""

    seat: Seat
    action: Action


def _parse_action_done(place: int, body: str, seats: int) -> ActionDone:
    if place == CHANCE:
        return ActionDone(CHANCE, parse_action(body))
    name, _, action = body.partition(" ")
    if name != seat_name(place, seats):
        raise ValueError(f"an action of seat {place} is stored as one of {name!r}")
    return ActionDone(place, parse_action(action))


_register(
    ActionDone,
    _Codec(
        "entry", "seat", lambda done, seats: entry_text((done.seat, done.action), seats), _parse_action_done
    ),
)


@_stored("say")
@dataclass(frozen=True, slots=True)
class ChatLineSaid:
    """A person said a ready-made phrase, or wrote a line of their own."""

    place: int
    word: str = ""
    """The id of the phrase (`nousu.server.table.chat`); empty for a line of their own."""
    text: str = ""


@_stored("mute")
@dataclass(frozen=True, slots=True)
class PersonMuted:
    """A person muted another one, or unmuted them."""

    place: int
    whom: int
    """The place of the other person."""
    off: bool = False
    """True to unmute."""


@_stored("report", lambda line, _: str(line), lambda text, _: int(text))
@dataclass(frozen=True, slots=True)
class ChatLineReported:
    """A person reported a chat line to the host of the server."""

    place: int
    line: int
    """The number of the event that was the line."""


@_stored("signals")
@dataclass(frozen=True, slots=True)
class SignalsAgreed:
    """A pair agreed on its signals, which everybody at the table can read (T-CAT-38)."""

    place: int
    signals: tuple[str, ...]
    """Ids of ready-made ones (`nousu.server.table.chat`)."""
    own: str = ""
    """Further agreements of the pair, in its own words."""


@_stored("ask")
@dataclass(frozen=True, slots=True)
class RequestMade:
    """A seat made a claim, or asked to take its last action back."""

    seat: Seat
    what: str
    """One of `nousu.server.table.view.REQUESTS`."""
    of: tuple[Seat, ...] = ()
    """The seats that have to agree; none where a claim is proven."""


@_stored("answer", lambda yes, _: "yes" if yes else "no", lambda text, _: text == "yes")
@dataclass(frozen=True, slots=True)
class RequestAnswered:
    """A seat agreed to the open request, or did not."""

    seat: Seat
    yes: bool


@_stored("lapse")
@dataclass(frozen=True, slots=True)
class RequestLapsed:
    """The open request got no answer in time, which is a no."""


@_stored(
    "settle",
    lambda plays, seats: "; ".join(entry_text(play, seats) for play in plays),
    lambda text, seats: tuple(parse_entry(play, seats) for play in text.split("; ")),
)
@dataclass(frozen=True, slots=True)
class ClaimSettled:
    """The hand was played out as claimed, card by card."""

    plays: tuple[Entry, ...]


@_stored("undo")
@dataclass(frozen=True, slots=True)
class ActionUndone:
    """The last action was taken back by its seat."""

    seat: Seat


Happening = (
    PersonJoined
    | ComputerJoined
    | PlaceReserved
    | ChairKept
    | FaceChosen
    | PersonMoved
    | PersonRemoved
    | PersonLeft
    | PersonReturned
    | ChanceAdded
    | ShareOpened
    | PackDrawn
    | MatchBegan
    | NextRequested
    | ActionDone
    | RematchOpened
    | ChatLineSaid
    | PersonMuted
    | ChatLineReported
    | SignalsAgreed
    | RequestMade
    | RequestAnswered
    | RequestLapsed
    | ClaimSettled
    | ActionUndone
)
ASIDE = (
    ChanceAdded,
    ShareOpened,
    ChairKept,
    FaceChosen,
    PersonLeft,
    PersonReturned,
    ChatLineSaid,
    PersonMuted,
    ChatLineReported,
    SignalsAgreed,
)
"""Kinds of events beside the game: they make no decision stale and stop no clock."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a table's history."""

    seq: int
    """The number of the event, from 1 without gaps."""
    what: Happening
    key: str | None = None
    """The idempotency key of the request it came from."""
    print: str | None = None
    """Fingerprint of that request, see `nousu.server.table.table.Table.fingerprint`."""


class EventRow(NamedTuple):
    """An event as it is stored."""

    seq: int
    kind: str
    place: int
    """The place, or for events of the game the seat; -1 for chance."""
    body: str
    key: str | None = None
    print: str | None = None


def to_row(event: Event, seats: int) -> EventRow:
    """The row of an event of a table with this many seats."""
    codec = _BY_CLASS[type(event.what)]
    place = getattr(event.what, codec.at) if codec.at else CHANCE
    return EventRow(event.seq, codec.kind, place, codec.format(event.what, seats), event.key, event.print)


def from_row(row: EventRow, seats: int) -> Event:
    """The event of a row of a table with this many seats. Raises `ValueError` for a row that is none."""
    codec = _BY_KIND.get(row.kind)
    if codec is None:
        raise ValueError(f"{row.kind!r} is no kind of event")
    return Event(row.seq, codec.parse(row.place, row.body, seats), row.key, row.print)
