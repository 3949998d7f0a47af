"""Commands of a person at a table. Messages, forms and the API make them; `actions` carries them out.

A command that the table alone decides has a method `decide`, a call of `nousu.server.table.commands` or
`nousu.server.table.seating`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nousu.engine.seats import Seat
from nousu.server.live.tables import STAND_IN
from nousu.server.table import commands, seating
from nousu.server.table.table import Change, Table


@dataclass(frozen=True, slots=True)
class DoAction:
    """Do an action of the game (``play H9``), ask for the ``next`` hand, or let computers ``hurry``."""

    text: str
    seq: int
    """The number of the table's event at which the person decided."""
    key: str
    """The idempotency key."""


@dataclass(frozen=True, slots=True)
class OpenPledge:
    """Open the share of the shuffles that was pledged."""

    share: str

    def decide(self, table: Table, session: str, now: float) -> Change | int:
        """The change of the table, or the number of an event that stands already."""
        return commands.open_share(table, session, self.share, now)


@dataclass(frozen=True, slots=True)
class WriteChatLine:
    """Say the phrase of the id `word`, or, if it is empty, write a line."""

    word: str
    text: str
    key: str

    def decide(self, table: Table, session: str, now: float) -> Change | int:
        """The change of the table, or the number of an event that stands already."""
        return commands.write_chat_line(table, session, self.word, self.text, self.key, now)


@dataclass(frozen=True, slots=True)
class MutePerson:
    """Mute the person of a seat, or unmute them (`off`)."""

    seat: Seat
    off: bool

    def decide(self, table: Table, session: str, now: float) -> Change | int:
        """The change of the table, or the number of an event that stands already."""
        return commands.mute(table, session, self.seat, self.off, now)


@dataclass(frozen=True, slots=True)
class ReportChatLine:
    """Show a chat line to the host of the server."""

    number: int

    def decide(self, table: Table, session: str, now: float) -> Change | int:
        """The change of the table, or the number of an event that stands already."""
        return commands.report_chat_line(table, session, self.number, now)


@dataclass(frozen=True, slots=True)
class AgreeSignals:
    """Rewrite the card of the pair."""

    signals: tuple[str, ...]
    own: str

    def decide(self, table: Table, session: str, now: float) -> Change | int:
        """The change of the table, or the number of an event that stands already."""
        return commands.set_signals(table, session, self.signals, self.own, now)


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """Agree to the open request at the table, or do not."""

    yes: bool

    def decide(self, table: Table, session: str, now: float) -> Change | int:
        """The change of the table, or the number of an event that stands already."""
        return commands.answer(table, session, self.yes, now)


@dataclass(frozen=True, slots=True)
class ChooseFace:
    """Let a drawn face stand for the person at the table."""

    face: str

    def decide(self, table: Table, session: str, now: float) -> Change | int:
        """The change of the table, or the number of an event that stands already."""
        return seating.choose_face(table, session, self.face, now)


@dataclass(frozen=True, slots=True)
class RemovePerson:
    """Send the person of a seat away from a table that has not begun."""

    seat: Seat

    def decide(self, table: Table, session: str, now: float) -> Change | int:
        """The change of the table, or the number of an event that stands already."""
        return seating.remove(table, session, table.seats.place_at(self.seat), STAND_IN, now)


@dataclass(frozen=True, slots=True)
class MakeRequest:
    """Claim the rest, give it away, or ask to take the last action back."""

    what: str
    seq: int


@dataclass(frozen=True, slots=True)
class LetStandIn:
    """Let a computer player go on for the disconnected person of a seat."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """Leave the table; a computer player plays on until the person returns."""


Decision = (
    OpenPledge
    | WriteChatLine
    | MutePerson
    | ReportChatLine
    | AgreeSignals
    | AnswerRequest
    | ChooseFace
    | RemovePerson
)
"""A command that the table alone decides."""
Command = DoAction | MakeRequest | LetStandIn | LeaveTable | Decision


_MESSAGES: Sequence[tuple[Mapping[str, type], Callable[[Mapping[str, Any]], Command | None]]] = (
    ({"next": bool, "key": str}, lambda one: DoAction("next", 0, one["key"]) if one["next"] else None),
    ({"act": str, "seq": int, "key": str}, lambda one: DoAction(one["act"], one["seq"], one["key"])),
    ({"stand_in": int, "key": str}, lambda one: LetStandIn(one["stand_in"])),
    ({"share": str}, lambda one: OpenPledge(one["share"])),
    ({"ask": str, "seq": int, "key": str}, lambda one: MakeRequest(one["ask"], one["seq"])),
    ({"say": str, "key": str}, lambda one: WriteChatLine(one["say"], "", one["key"]) if one["say"] else None),
    ({"write": str, "key": str}, lambda one: WriteChatLine("", one["write"], one["key"])),
    ({"answer": bool, "key": str}, lambda one: AnswerRequest(one["answer"])),
    ({"mute": int, "off": bool, "key": str}, lambda one: MutePerson(one["mute"], one["off"])),
    ({"face": str, "key": str}, lambda one: ChooseFace(one["face"])),
    ({"report": int, "key": str}, lambda one: ReportChatLine(one["report"])),
    (
        {"agree": list, "own": str, "key": str},
        lambda one: AgreeSignals(tuple(map(str, one["agree"])), one["own"]),
    ),
)
"""Members of each message on the live line, and the function that makes its command of them."""


MEMBERS = tuple([members for members, _ in _MESSAGES])
"""The members of each message that is a command, with their types."""


def parse_command(message: Mapping[str, Any]) -> Command | None:
    """The command in a message of the live line; None if it holds none."""
    for members, make in _MESSAGES:
        if all(isinstance(message.get(name), kind) for name, kind in members.items()):
            return make(message)
    return None
