"""The tournament office: opens a tournament file, does one thing in it, and says what is still missing."""

import json
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nousu.engine.notes import Note, sentence
from nousu.tournament.chain import Log, LogFile, Writer, read
from nousu.tournament.draw import draw
from nousu.tournament.formats import make
from nousu.tournament.history import FORMAT_VERSION, after, check_undo, publication_digest, tournament
from nousu.tournament.model import Format, Json, Round, Tournament
from nousu.tournament.notes import Refusal
from nousu.tournament.people import Given
from nousu.tournament.seating import SECONDS

PLANS = frozenset({"planned", "swapped"})
"""What makes a plan, with a number of its own."""

EXPORT = "nousu tournament export"
"""What an exported file calls itself."""


def now() -> str:
    """The time that goes into the log: UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class Opened:
    """A tournament as it stands in a file."""

    tournament: Tournament
    log: Log
    notices: tuple[Note, ...] = ()
    """What happened to the file itself: a torn line set aside."""


class Office:
    """One tournament file and what can be done in it. Everything is on disk before a method returns."""

    def __init__(self, path: Path, clock: Callable[[], str] = now) -> None:
        self.path = path
        self.clock = clock
        self.file = LogFile(path)

    # opening

    def begin(self, name: str, format: Format, by: str) -> Opened:
        """A new tournament in a new file."""
        body = self._body(
            1, by, "opened", {"version": FORMAT_VERSION, "name": name, "format": format.to_json()}
        )
        state = tournament([body])
        self.file.create(body)
        return Opened(state, self.file.read())

    def open(self) -> Opened:
        """The tournament as it stands; an exported file can be opened too, to look at."""
        exported = self._exported()
        log = exported if exported is not None else self.file.read()
        notices: tuple[Note, ...] = ()
        if log.torn:
            values = {"line": len(log.events) + 1}
            notices = (
                Note(
                    "",
                    "line {line} was cut short by a crash and was never acknowledged; it does not count",
                    values,
                ),
            )
        return Opened(tournament(log.events), log, notices)

    def restore(self, export: Path) -> Opened:
        """Make a new tournament file out of an exported one, line by line as it was."""
        other = Office(export)
        opened = other.open()
        lines = _exported_bytes(export) or export.read_bytes()
        if self.path.exists():
            raise Refusal("{path} exists already; choose another name", values={"path": str(self.path)})
        self.file.create(opened.log.events[0])
        with self.file.writing() as writer:
            for event in opened.log.events[1:]:
                writer.add(event)
        if not lines.startswith(self.path.read_bytes()):
            raise Refusal("the restored file differs from the exported one")
        return self.open()

    def _exported(self) -> Log | None:
        lines = _exported_bytes(self.path)
        return None if lines is None else read(lines)

    # acting

    def act(self, by: str, do: str, **fields: Any) -> Opened:
        """Do one thing: checked against the tournament as it is at this moment, then written."""
        return self._act(by, do, lambda state: fields)

    def _act(self, by: str, do: str, fields: Callable[[Tournament], Json]) -> Opened:
        if _exported_bytes(self.path) is not None:
            raise Refusal(
                "{path} is an export to look at; to go on with it: nousu tournament new FILE --from {path}",
                values={"path": str(self.path)},
            )
        with self.file.writing() as writer:
            events = writer.log.events
            state = tournament(events)
            body = self._body(len(events) + 1, by, do, fields(state))
            if not by.strip():
                raise Refusal("say who does this: --by NAME", where="by")
            if do == "undone":
                new = self._undone(events, body)
            else:
                if do in ("published", "seconded"):
                    body = {**body, "digest": publication_digest(after(state, {**body, "digest": ""}))}
                new = after(state, body)
            log = writer.add(body)
            return Opened(new, log, _set_aside(writer))

    def _body(self, number: int, by: str, do: str, fields: Json) -> Json:
        """An event as it will be read back."""
        body = {"n": number, "at": self.clock(), "by": " ".join(by.split()), "do": do, **fields}
        plain: Json = json.loads(json.dumps(body))
        return plain

    def _undone(self, events: tuple[Json, ...], body: Json) -> Tournament:
        check_undo(events, body)
        try:
            return tournament((*events, body))
        except Refusal as refusal:
            raise Refusal(
                "entry {entry} cannot be undone, because later entries rest on it ({why})",
                values={"entry": body["entry"], "why": refusal.note},
                where="entry",
            ) from None

    # what needs more than one field

    def enter(self, by: str, people: Iterable[Given]) -> Opened:
        """Put people on the list."""
        listed = [{"members": list(one.members), "team": one.team, "line": one.line} for one in people]
        if not listed:
            raise Refusal("the list is empty")
        return self.act(by, "entered", people=listed)

    def draw(self, by: str, seed: str | None = None) -> Opened:
        """Draw numbers for everybody on the list, by a seed (by chance, if none is given)."""
        used = " ".join(seed.split()) if seed else secrets.token_hex(16)

        def fields(state: Tournament) -> Json:
            people = state.active()
            names = [one.name for one in people]
            return {
                "seed": used,
                "names": names,
                "numbers": [people[at].id for at in draw(used, names)],
            }

        return self._act(by, "drawn", fields)

    def plan(self, by: str, *, start: str = "", seed: int = 1, seconds: float = SECONDS) -> Opened:
        """Plan the rounds that can be planned now, from `start` on (empty: the first not begun)."""
        state = self.open().tournament
        rounds, facts = state.format.plan(state, start=start, seed=seed, seconds=seconds)
        told = {
            "repeats": facts.repeats,
            "lower_bound": facts.lower_bound,
            "small": {str(number): count for number, count in facts.small.items()},
            "seed": seed,
        }
        return self._planned(by, {"rounds": _tables(rounds), "facts": told})

    def stechen(self, by: str) -> Opened:
        """Plan the next round of the Stechen for the cup."""
        state = self.open().tournament
        return self._planned(by, {"rounds": _tables([state.format.stechen(state)])})

    def _planned(self, by: str, fields: Json) -> Opened:
        """Put a plan into force under a number that no plan had before, not even one undone."""
        log = self.open().log.events
        number = max((event.get("plan", 0) for event in log if event["do"] in PLANS), default=0) + 1
        return self.act(by, "planned", **fields, plan=number)

    def slip(self, by: str, table: str, words: Iterable[str]) -> Opened:
        """Enter the slip of a table."""
        return self._act(
            by, "slip", lambda state: {"table": table, "result": self._parsed(state, table, words)}
        )

    def confirm(self, by: str, table: str, words: Iterable[str] = ()) -> Opened:
        """Confirm a slip as second person; `words`, if given, must say the same once more."""
        words = tuple(words)

        def fields(state: Tournament) -> Json:
            result = self._parsed(state, table, words) if words else None
            return {"table": table, "result": result}

        return self._act(by, "confirmed", fields)

    def correct(self, by: str, table: str, words: Iterable[str], reason: str) -> Opened:
        """Replace the result of a slip, with a reason."""
        return self._act(
            by,
            "corrected",
            lambda state: {"table": table, "result": self._parsed(state, table, words), "reason": reason},
        )

    def _parsed(self, state: Tournament, table: str, words: Iterable[str]) -> Json:
        state.seats(table)
        return state.kind(table).parse(state, table, tuple(words))


def missing(state: Tournament) -> tuple[Note, ...]:
    """What is still to do, in the order in which it should be done; shown at every command."""
    notes: list[Note] = []
    due = [key for key in state.missing() if state.begun(key.partition(".")[0])]
    later = [label for label in state.rounds if not state.begun(label)]
    for found, message in (
        (due, sentence("Missing slips ({count}): {listed}")),
        (state.waiting("entered"), sentence("Waiting for a second person ({count}): {listed}")),
        (state.waiting("confirmed"), sentence("Waiting to be accepted ({count}): {listed}")),
        (later, sentence("Rounds not begun ({count}): {listed}")),
    ):
        if found:
            notes.append(Note("", message, {"count": len(found), "listed": ", ".join(found)}))
    for proposal in state.proposals.values():
        values: dict[str, int | str] = {"entry": proposal.entry, "by": proposal.by}
        notes.append(
            Note(
                "",
                "Entry {entry} by {by} waits for a second person: nousu tournament confirm --entry {entry}",
                values,
            )
        )
    if not state.numbers and state.active():
        notes.append(Note("TU-ZK-I2", "Numbers are not drawn yet: nousu tournament draw"))
    if state.active():
        notes += state.format.unfinished(state)
    return tuple(notes)


def _tables(rounds: Iterable[Round]) -> dict[str, list[list[int]]]:
    return {one.label: [list(table) for table in one.tables] for one in rounds}


def _set_aside(writer: Writer) -> tuple[Note, ...]:
    if writer.aside is None:
        return ()
    message = sentence("a line cut short by a crash was never acknowledged; it was set aside in {path}")
    return (Note("", message, {"path": str(writer.aside)}),)


def _exported_bytes(path: Path) -> bytes | None:
    """The log inside an exported file; None if the file is a tournament file itself (or is not there)."""
    try:
        with open(path, "rb") as file:
            begin = file.read(64)
            if not begin.lstrip().startswith(b"{\n") and EXPORT.encode() not in begin:
                return None
            data = begin + file.read()
    except OSError:
        return None
    try:
        content = json.loads(data)
        lines = content["log"]
        return "".join(line + "\n" for line in lines).encode()
    except (ValueError, KeyError, TypeError):
        raise Refusal("{path} is no complete export", values={"path": str(path)}) from None


def make_format(name: str, **options: Any) -> Format:
    """A format by name with some options changed."""
    return make({"name": name, **options})
