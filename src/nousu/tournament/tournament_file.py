"""Tournament file: opens it, adds one event at a time to it, and takes entries back.

Every method that changes something checks the change against the file at that moment, stores it, and returns
the tournament after it. A `Refusal` says what is impossible and what would help.
"""

import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nousu.engine.messages import Note, sentence
from nousu.tournament.backup import follow
from nousu.tournament.formats import make
from nousu.tournament.history import (
    EVENTS,
    FORMAT_VERSION,
    after,
    check_undo,
    publication_digest,
    tournament,
    undone_entries,
)
from nousu.tournament.log_file import Log, LogFile, Writer, joined_lines, read, read_up_to
from nousu.tournament.messages import Damaged, Refusal
from nousu.tournament.model import Format, Json, Tournament

MOST_UNDONE = 500
"""Greatest number of entries that can be taken back: each makes reading the file longer."""
EXPORT = "nousu tournament export"
"""The name of its format in an exported file."""


def now() -> str:
    """The time that goes into the log: UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def event_body(at: str, number: int, by: str, do: str, fields: Json) -> Json:
    """An event of a log as it will be read back."""
    body = {"n": number, "at": at, "by": " ".join(by.split()), "do": do, **fields}
    plain: Json = json.loads(json.dumps(body))
    return plain


def second_copy_notes(path: Path, copy: Path | None) -> tuple[Note, ...]:
    """Update the second copy of a file, if there is one; return what went wrong with it, if anything."""
    note = follow(path, copy) if copy is not None else None
    return () if note is None else (note,)


@dataclass(frozen=True, slots=True)
class Opened:
    """A tournament as read from its file."""

    tournament: Tournament
    log: Log
    notices: tuple[Note, ...] = ()
    """Notices on the file itself: a torn line set aside, a copy that could not be written."""
    damage: Damaged | None = None
    """The first line with a changed byte. Everything before it is shown; nothing can be added."""


class TournamentFile:
    """One tournament file: opened, copied, and added to. Everything is on disk before a method returns."""

    def __init__(self, path: Path, clock: Callable[[], str] = now, copy: Path | None = None) -> None:
        self.path = path
        self.clock = clock
        self.copy = copy
        """A folder on another disk or a stick, where a second copy is kept up with every entry."""
        self.file = LogFile(path)
        self._known: tuple[tuple[Json, ...], Tournament | None] = ((), None)
        """The events that were read last, and the tournament that they make."""

    # opening

    def begin(self, name: str, format: Format, by: str) -> Opened:
        """A new tournament in a new file."""
        format.check_choice(None)
        body = event_body(
            self.clock(),
            1,
            by,
            "opened",
            {"version": FORMAT_VERSION, "name": name, "format": format.to_json()},
        )
        state = tournament([body])
        self.file.create(body)
        return Opened(state, self.file.read(), second_copy_notes(self.path, self.copy))

    def open(self) -> Opened:
        """The tournament at this point.

        An exported file can be opened too, for reading only, and a damaged one up to the damage.
        """
        exported = _exported_bytes(self.path)
        log, damage = self.file.read_up_to(self.file.data()) if exported is None else read_up_to(exported)
        notices: list[Note] = []
        if damage is not None:
            if not log.events:
                raise damage
            notices.append(damage.notice)
        if log.torn:
            message = sentence(
                "line {line} was cut short by a crash and was never acknowledged; it does not count"
            )
            notices.append(Note("", message, {"line": len(log.events) + 1}))
        return Opened(self._state(log.events), log, tuple(notices), damage)

    def _state(self, events: tuple[Json, ...]) -> Tournament:
        """The tournament that the events make; only what is new since the last time is played again."""
        known, state = self._known
        new = events[len(known) :]
        is_further = bool(known) and len(events) >= len(known) and events[len(known) - 1] is known[-1]
        if state is None or not is_further or any(event.get("do") == "undone" for event in new):
            state = tournament(events)
        else:
            try:
                for event in new:
                    state = after(state, event)
            except (Refusal, KeyError, TypeError, ValueError, IndexError, AttributeError):
                state = tournament(events)  # the full reading names the line
        self._known = events, state
        return state

    def restore(self, export: Path) -> Opened:
        """Make a new tournament file out of an exported one, line by line as it was.

        `Refusal` if it would differ or the file exists.
        """
        lines = TournamentFile(export).log_bytes()
        try:
            events = read(lines).events
        except Damaged as error:
            error.where = f"{export}, {error.where}"
            raise
        opened = self.take(events)
        if not lines.startswith(self.path.read_bytes()):
            raise Refusal("the restored file differs from the exported one")
        return opened

    def take(self, events: Sequence[Json]) -> Opened:
        """Make a new tournament file of events that were written elsewhere.

        `Refusal` if it already exists, or names the impossible event.
        """
        tournament(events)
        if self.path.exists():
            raise Refusal("{path} already exists; choose another name", values={"path": str(self.path)})
        self.file.create(events[0])
        with self.file.writing() as writer:
            for event in events[1:]:
                writer.add(event)
        return self.open()

    def log_bytes(self) -> bytes:
        """The log as it is in the file (or in an exported one), byte for byte."""
        return _exported_bytes(self.path) or self.file.data()

    # acting

    def act(self, by: str, do: str, **fields: Any) -> Opened:
        """Add one entry: checked against the tournament as it is at this moment, then written."""
        return self.act_on(by, do, lambda state: fields)

    def act_on(self, by: str, do: str, fields: Callable[[Tournament], Json]) -> Opened:
        """Add one entry whose fields follow from the tournament as it is at this moment."""
        return self.act_each(by, do, lambda state: [fields(state)])

    def act_each(self, by: str, do: str, each: Callable[[Tournament], Iterable[Json]]) -> Opened:
        """Add an entry for each of these fields, or for none if one of them is refused."""
        if _exported_bytes(self.path) is not None:
            raise Refusal(
                "{path} is an export, for reading only; make a new tournament file from it to go on",
                values={"path": str(self.path)},
                remedy="new",
            )
        with self.file.writing() as writer:
            state = self._state(writer.log.events)
            bodies: list[Json] = []
            for fields in each(state):
                body, state = self._next((*writer.log.events, *bodies), state, by, do, fields)
                bodies.append(body)
            for body in bodies:
                writer.add(body)
            return Opened(state, writer.log, (*_set_aside(writer), *second_copy_notes(self.path, self.copy)))

    def _next(
        self, events: tuple[Json, ...], state: Tournament, by: str, do: str, fields: Json
    ) -> tuple[Json, Tournament]:
        """The event that follows on these, and the tournament after it."""
        kind = EVENTS.get(do)
        marks = {} if kind is None else kind.marks
        body = event_body(self.clock(), len(events) + 1, by, do, {**fields, **marks})
        if not by.strip():
            raise Refusal("say who is doing this", where="by")
        if kind is not None and kind.makes_plan:
            plans = [event.get("plan", 0) for event in events if EVENTS[event["do"]].makes_plan]
            number = max(plans, default=0)
            body = {**body, "plan": max(number, state.plan) + 1}
        if do == "undone":
            return body, self._undo(events, body)
        if kind is not None and kind.publishes:
            body = {**body, "digest": publication_digest(after(state, {**body, "digest": ""}))}
        return body, after(state, body)

    def _undo(self, events: tuple[Json, ...], body: Json) -> Tournament:
        if sum(event["do"] == "undone" for event in events) >= MOST_UNDONE:
            raise Refusal(sentence("so many entries have been taken back that no more can be"))
        check_undo(events, body)
        try:
            return tournament((*events, body))
        except Refusal as refusal:
            raise Refusal(
                "entry {entry} cannot be undone, because later entries depend on it ({why})",
                values={"entry": body["entry"], "why": refusal.note},
                where="entry",
            ) from None

    def undo(self, by: str, entry: int = 0, reason: str = "") -> Opened:
        """Take an entry back; without a number the last one that still counts and is not an undoing."""

        def fields(state: Tournament) -> Json:
            return {"entry": entry or self.last_standing(), "reason": reason}

        return self.act_on(by, "undone", fields)

    def last_standing(self) -> int:
        """Number of the last entry that counts and that undoing without a number takes back.

        Links are revoked, not taken back. `Refusal` if only the beginning is left.
        """
        events = self.open().log.events
        undone = undone_entries(events)
        standing = [one["n"] for one in events[1:] if EVENTS[one["do"]].undoable and one["n"] not in undone]
        if not standing:
            raise Refusal("there is nothing left to undo")
        return int(standing[-1])

    def change(self, by: str, options: Mapping[str, Any], reason: str) -> Opened:
        """Change options of the event, for rounds that have not begun."""
        before = self.open().tournament.format
        make({**before.to_json(), **options}).check_choice(before)
        return self.act(by, "options", options=dict(options), reason=reason)


def _set_aside(writer: Writer) -> tuple[Note, ...]:
    if writer.aside is None:
        return ()
    message = sentence("a line cut short by a crash was never acknowledged; it was set aside in {path}")
    return (Note("", message, {"path": str(writer.aside)}),)


def _exported_bytes(path: Path) -> bytes | None:
    """The log inside an exported file; None if the file is a tournament file itself (or is not there)."""
    try:
        with open(path, "rb") as file:
            begin = file.read(_BEGIN)
            if not _looks_exported(begin):
                return None
            data = begin + file.read()
    except OSError:
        return None
    try:
        return exported_log(data)
    except Refusal:
        raise Refusal("{path} is not a complete export", values={"path": str(path)}) from None


_BEGIN = 64
"""Number of bytes that tell an exported file from a log."""


def _looks_exported(data: bytes) -> bool:
    begin = data[:_BEGIN].removeprefix(BOM_UTF8)
    return begin.lstrip().startswith((b"{\n", b"{\r")) or EXPORT.encode() in begin


def exported_log(data: bytes) -> bytes | None:
    """The log inside an exported file; None if the bytes are no export. `Refusal` if it is not complete."""
    if not _looks_exported(data):
        return None
    try:
        lines = json.loads(data.removeprefix(BOM_UTF8))["log"]
        return joined_lines(lines)
    except (ValueError, KeyError, TypeError):
        raise Refusal("this is not a complete export") from None
