"""Messages of a table's live line: their types, and the JSON Schema that describes them to other clients."""

from dataclasses import dataclass
from functools import cache, reduce
from operator import or_
from typing import Any, get_type_hints

from pydantic import TypeAdapter

from nousu.engine.seats import Seat
from nousu.games import games
from nousu.server.pages.table.family import table_page
from nousu.server.pages.table.lobby import LobbyView
from nousu.server.people.commands import MEMBERS

VERSION = 1
"""Version of the messages: another one once a member changes its meaning or goes; new ones may come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewChange:
    """The fields of the view that changed since event `after`.

    A client that does not hold the view of that event sends ``{"whole": true}`` and gets a whole one.
    """

    set: dict[str, Any]
    seq: int
    """The number of the table's last event."""
    after: int
    say: str = ""
    """A text for a live region: events since the last text, then the viewer's task."""
    window: float | None = None
    """Seconds left in which the viewer may interrupt."""
    next_in: float | None = None
    """Seconds until the next hand is dealt, although somebody has not asked for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """The answer to a command that was carried out, and is on disk."""

    ok: str | None
    """The key of the message; null for a message without one."""
    seq: int
    """The number of its event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRefusal:
    """The answer to a refused command."""

    error: str
    clause: str
    """The clause that forbids it, where a rule does."""
    key: str | None
    """The key of the message; null for a message without one."""
    seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LostPlayer:
    """A player whose connection is lost."""

    seat: Seat
    note: str
    """A word for the plate."""
    text: str
    """A sentence; ``{left}`` stands for the seconds left."""
    left: float | None
    """Seconds until a computer player goes on; null: the table does not wait for this player."""
    offer: str
    """The label of the button that lets a computer player go on now; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceChange:
    """Lost connections and spectators."""

    lost: tuple[LostPlayer, ...]
    watching: str
    """Number of watchers, as a text; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockTime:
    """A running clock."""

    seat: Seat
    left: float
    """Seconds for this action; 0 once the bank is drawn on."""
    bank: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockTimes:
    """The running clocks; the client counts them down."""

    clocks: tuple[ClockTime, ...]
    me: Seat | None
    warn: str
    """The text for the moment when ten seconds are left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareInvitation:
    """The later content of the record, for a client that pledged a share of the shuffles."""

    commitment: str
    pledges: dict[str, str]
    """Pledges by place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareRequest:
    """The request to open the share that was pledged."""

    open: ShareInvitation


Message = Acceptance | CommandRefusal | PresenceChange | ClockTimes | ShareRequest
"""A message of the server beside views."""
_ENCODER = TypeAdapter[Message](Message).serializer
_NAMES: dict[type, str] = {str: "string", int: "integer", bool: "boolean", list: "array"}


def encode_message(message: Message) -> str:
    """A message as JSON."""
    return _ENCODER.to_json(message).decode()


@cache
def live_line_schema() -> dict[str, Any]:
    """The JSON Schema of the live line: messages of the server, and messages of a client."""
    kinds = [get_type_hints(table_page(game).table)["return"] for game in (*games(), "")]
    views: Any = reduce(or_, (*kinds, LobbyView))
    sent: Any = ViewChange | Message
    schema = TypeAdapter(sent).json_schema(mode="serialization", ref_template="#/$defs/{model}")
    view = TypeAdapter(views).json_schema(mode="serialization", ref_template="#/$defs/{model}")
    whole = {
        "title": "WholeView",
        "description": "The whole view: first, and where the viewer's seat or the kind of page changes.",
        "type": "object",
        "properties": {
            "view": {"anyOf": view["anyOf"]},
            "seq": {"type": "integer"},
            "version": {"const": VERSION},
            "say": {"type": "string"},
            "window": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            "next_in": {"type": "number"},
        },
        "required": ["view", "seq", "version"],
    }
    commands = [
        {
            "type": "object",
            "properties": {name: {"type": _NAMES[kind]} for name, kind in members.items()},
            "required": list(members),
        }
        for members in (*MEMBERS, {"whole": bool})
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Nousu live line, version {VERSION}",
        "anyOf": [{"$ref": "#/$defs/FromServer"}, {"$ref": "#/$defs/FromClient"}],
        "$defs": {
            **view["$defs"],
            **schema["$defs"],
            "WholeView": whole,
            "FromServer": {"anyOf": [{"$ref": "#/$defs/WholeView"}, *schema["anyOf"]]},
            "FromClient": {"anyOf": commands},
        },
    }
