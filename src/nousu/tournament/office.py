"""The tournament office: opens a tournament file and does one thing in it at a time.

Commands and pages both use this interface. Every method that changes something takes the name of the person
(`by`), checks the change against the file at that moment, stores it, and returns the tournament after it. A
`Refusal` says what is impossible and what would help. `board` lists what is still to do, `figures` what a
plan is worth.
"""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nousu.engine.messages import Note, sentence
from nousu.tournament.backup import follow
from nousu.tournament.draw import draw
from nousu.tournament.events.people import PAIRS_LABEL
from nousu.tournament.events.slips import void_slip
from nousu.tournament.formats import make
from nousu.tournament.history import (
    EVENTS,
    FORMAT_VERSION,
    after,
    check_undo,
    effective_undo,
    publication_digest,
    tournament,
)
from nousu.tournament.log_file import Log, LogFile, Writer, read, read_up_to
from nousu.tournament.messages import Damaged, Refusal
from nousu.tournament.model import Format, Json, Link, Round, SlipResult, Tournament, order, table_named
from nousu.tournament.people import Given
from nousu.tournament.seating.planner import SECONDS
from nousu.tournament.seating.quality import Figures, figures

EXPORT = "nousu tournament export"
"""What an exported file calls itself."""


def now() -> str:
    """The time that goes into the log: UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class Opened:
    """A tournament as read from its file."""

    tournament: Tournament
    log: Log
    notices: tuple[Note, ...] = ()
    """What happened to the file itself: a torn line set aside, a copy that could not be written."""
    damage: Damaged | None = None
    """The first line with a changed byte. Everything before it is shown; nothing can be added."""


class Office:
    """One tournament file and what can be done in it. Everything is on disk before a method returns."""

    def __init__(self, path: Path, clock: Callable[[], str] = now, copy: Path | None = None) -> None:
        self.path = path
        self.clock = clock
        self.copy = copy
        """A folder on another disk or a stick, where a second copy is kept up with every entry."""
        self.file = LogFile(path)

    # opening

    def begin(self, name: str, format: Format, by: str) -> Opened:
        """A new tournament in a new file."""
        format.check_choice(None)
        body = self._body(
            1, by, "opened", {"version": FORMAT_VERSION, "name": name, "format": format.to_json()}
        )
        state = tournament([body])
        self.file.create(body)
        return Opened(state, self.file.read(), self._followed())

    def open(self) -> Opened:
        """The tournament at this point. An exported file can be opened too, for reading only, and a damaged
        one up to the damage."""
        exported = _exported_bytes(self.path)
        log, damage = read_up_to(self.file.data() if exported is None else exported)
        notices: list[Note] = []
        if damage is not None:
            if not log.events:
                raise damage
            values: dict[str, int | str] = {"line": damage.line}
            notices.append(
                Note(
                    "",
                    "line {line} is not as it was written; everything before it is shown, but nothing "
                    "can be added: save what is left in a new file",
                    values,
                )
            )
        if log.torn:
            values = {"line": len(log.events) + 1}
            notices.append(
                Note(
                    "",
                    "line {line} was cut short by a crash and was never acknowledged; it does not count",
                    values,
                )
            )
        return Opened(tournament(log.events), log, tuple(notices), damage)

    def restore(self, export: Path) -> Opened:
        """Make a new tournament file out of an exported one, line by line as it was; `Refusal` if it would
        differ or the file exists."""
        lines = Office(export).log_bytes()
        opened = self.take(read(lines).events)
        if not lines.startswith(self.path.read_bytes()):
            raise Refusal("the restored file differs from the exported one")
        return opened

    def take(self, events: Sequence[Json]) -> Opened:
        """Make a new tournament file of events that were written elsewhere; `Refusal` if it already exists,
        or names the impossible event."""
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
        """Do one thing: checked against the tournament as it is at this moment, then written."""
        return self._act(by, do, lambda state: fields)

    def _act(self, by: str, do: str, fields: Callable[[Tournament], Json]) -> Opened:
        if _exported_bytes(self.path) is not None:
            raise Refusal(
                "{path} is an export, for reading only; make a new tournament file from it to go on",
                values={"path": str(self.path)},
                remedy="new",
            )
        with self.file.writing() as writer:
            events = writer.log.events
            state = tournament(events)
            body = self._body(len(events) + 1, by, do, fields(state))
            if not by.strip():
                raise Refusal("say who is doing this", where="by")
            kind = EVENTS.get(do)
            if kind is not None and kind.makes_plan:
                plans = [event.get("plan", 0) for event in events if EVENTS[event["do"]].makes_plan]
                number = max(plans, default=0)
                body = {**body, "plan": max(number, state.plan) + 1}
            if do == "undone":
                new = self._undone(events, body)
            else:
                if kind is not None and kind.publishes:
                    body = {**body, "digest": publication_digest(after(state, {**body, "digest": ""}))}
                new = after(state, body)
            log = writer.add(body)
            return Opened(new, log, (*_set_aside(writer), *self._followed()))

    def _followed(self) -> tuple[Note, ...]:
        """Keep the second copy up; what went wrong with it, if anything."""
        said = follow(self.path, self.copy) if self.copy is not None else None
        return () if said is None else (said,)

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
                "entry {entry} cannot be undone, because later entries depend on it ({why})",
                values={"entry": body["entry"], "why": refusal.note},
                where="entry",
            ) from None

    def undo(self, by: str, entry: int = 0, reason: str = "") -> Opened:
        """Take an entry back; without a number the last one that still counts and is not an undoing."""

        def fields(state: Tournament) -> Json:
            return {"entry": entry or self.last_standing(), "reason": reason}

        return self._act(by, "undone", fields)

    def last_standing(self) -> int:
        """The last entry that counts, is not an undoing and says something about the event itself (links are
        revoked, not taken back). `Refusal` if only the beginning is left."""
        events = self.open().log.events
        undone = effective_undo(events)
        standing = [one["n"] for one in events[1:] if EVENTS[one["do"]].undoable and one["n"] not in undone]
        if not standing:
            raise Refusal("there is nothing left to undo")
        return int(standing[-1])

    def change(self, by: str, options: Mapping[str, Any], reason: str) -> Opened:
        """Change options of the event, for rounds that have not begun."""
        before = self.open().tournament.format
        make({**before.to_json(), **options}).check_choice(before)
        return self.act(by, "options", options=dict(options), reason=reason)

    # people

    def enter(self, by: str, people: Iterable[Given], *, lone: bool = False) -> Opened:
        """Put people on the list; `lone` ones wait for a partner to be drawn. `Refusal` if nobody is named,
        or somebody who is already on it."""
        listed = [{"members": list(one.members), "team": one.team, "line": one.line} for one in people]
        if not listed:
            raise Refusal("the list is empty")
        return self.act(by, "lone" if lone else "entered", people=listed)

    def pair_up(self, by: str, seed: str | None = None) -> Opened:
        """Join all single players into pairs, by a seed (a random one, if none is given)."""
        used = _seed(seed)

        def fields(state: Tournament) -> Json:
            people = state.lone()
            names = [one.name for one in people]
            drawn = [people[at].id for at in draw(used, names, PAIRS_LABEL)]
            return {
                "seed": used,
                "names": names,
                "pairs": [drawn[at : at + 2] for at in range(0, len(drawn), 2)],
            }

        return self._act(by, "joined", fields)

    def draw(self, by: str, seed: str | None = None) -> Opened:
        """Draw numbers for everybody on the list, by a seed (a random one, if none is given)."""
        used = _seed(seed)

        def fields(state: Tournament) -> Json:
            people = state.active()
            names = [one.name for one in people]
            return {
                "seed": used,
                "names": names,
                "numbers": [people[at].id for at in draw(used, names)],
            }

        return self._act(by, "drawn", fields)

    def number(self, by: str, drawn: Mapping[int, int]) -> Opened:
        """The numbers that people drew with cards: for every entrant's id the number (TU-ZK-I2)."""

        def fields(state: Tournament) -> Json:
            order = _by_number(state, drawn)
            return {"numbers": order, "seed": _seed(None)}

        return self._act(by, "numbered", fields)

    def keep_apart(self, by: str, how: str, one: str = "", other: str = "") -> Opened:
        """Two people who must not meet or preferably should not (`free`: may meet again); without names, all
        who share a team."""

        def fields(state: Tournament) -> Json:
            if not one and not other:
                return {"how": how, "teams": True}
            a, b = (state.entrant(state.find(name)).id for name in (one, other))
            return {"how": how, "a": a, "b": b}

        return self._act(by, "apart", fields)

    # helpers and screens

    def admit(self, by: str, role: str, who: str) -> tuple[Opened, str]:
        """A link for a helper or a screen, good until it is revoked: the tournament and the link's secret,
        which is stored nowhere."""
        secret = secrets.token_urlsafe(18)
        opened = self.act(by, "admitted", role=role, who=who, key=fingerprint(secret))
        return opened, secret

    # plans

    def propose(
        self, *, start: str = "", seed: int = 1, seconds: float = SECONDS
    ) -> tuple[tuple[Round, ...], Figures]:
        """A plan of the rounds that can be planned now, from `start` on (empty: the first not begun), and
        what the whole event would be worth with it. Nothing is stored."""
        opened = self.open()
        state = opened.tournament
        rounds = state.format.plan(state, start=start, seed=seed, seconds=seconds)
        body = self._body(
            len(opened.log.events) + 1, "-", "planned", {"rounds": _tables(rounds), "seed": seed}
        )
        return rounds, figures(after(state, body))

    def plan(self, by: str, *, start: str = "", seed: int = 1, seconds: float = SECONDS) -> Opened:
        """Plan the rounds that can be planned now, from `start` on (empty: the first not begun)."""
        state = self.open().tournament
        rounds = state.format.plan(state, start=start, seed=seed, seconds=seconds)
        return self.seat(by, rounds, seed=seed)

    def seat(self, by: str, rounds: Iterable[Round], *, seed: int = 0) -> Opened:
        """Put a plan into force: a proposed one, or one made by hand."""
        return self.act(by, "planned", rounds=_tables(rounds), seed=seed)

    def swap(self, by: str, label: str, one: str, other: str) -> Opened:
        """Let two people change seats in one round."""
        return self._act(
            by, "swapped", lambda state: {"round": label, "a": state.find(one), "b": state.find(other)}
        )

    def stechen(self, by: str) -> Opened:
        """Plan the next round of the Stechen for the cup."""
        return self._act(by, "planned", lambda state: {"rounds": _tables([state.format.stechen(state)])})

    def withdraw(self, by: str, number: int, label: str = "", game: int = 1, reason: str = "") -> Opened:
        """Somebody no longer plays from a round on (empty: the first not begun): a round that is planned, or
        the next one of the plan, the cup or the Stechen."""

        def fields(state: Tournament) -> Json:
            start = label or state.next_round()
            stage, at = order(start)
            planned = [order(one)[1] for one in state.rounds if order(one)[0] == stage]
            coming = max(planned, default=0) + 1 if stage else int(state.next_round())
            if at > max([coming, *planned]):
                raise Refusal("round {round} is not planned", values={"round": start}, where="round")
            return {"number": number, "round": start, "game": game, "reason": reason}

        return self._act(by, "withdrawn", fields)

    # Nousu's tables

    def play_online(self, by: str, tables: Iterable[str]) -> Opened:
        """Tables of the plan are played at Nousu's tables; their slips come from there."""
        named = [table_named(table)[0] for table in tables]
        if not named:
            raise Refusal("tick the tables first", where="table")
        return self.act(
            by, "online", on=True, tables=named, key={one: secrets.token_urlsafe(12) for one in named}
        )

    def play_on_paper(
        self, by: str, tables: Iterable[str], so_far: Mapping[str, Sequence[str]] | None = None
    ) -> Opened:
        """Tables go on with real cards and paper; `so_far` is what was played of them, as slips say it."""
        named = [table_named(table)[0] for table in tables]
        if not named:
            raise Refusal("tick the tables first", where="table")
        return self.act(by, "online", on=False, tables=named, so_far=so_far or {})

    # slips

    def slip(self, by: str, table: str, words: Iterable[str], online: Json | None = None) -> Opened:
        """Enter the slip of a table, written ``1.4``, ``1,4`` or with the plan it was printed for
        (``1.4/3``): a slip of another plan is void. `online` says where it comes from, if from Nousu's
        tables (see `Slip.online`)."""
        key, plan = table_named(table)
        words = tuple(words)

        def fields(state: Tournament) -> Json:
            about: dict[str, Any] = {"table": key} if plan is None else {"table": key, "plan": plan}
            if online is not None:
                about["online"] = online
            return {**about, "result": self._parsed(state, key, words, plan)}

        return self._act(by, "slip", fields)

    def confirm(self, by: str, table: str, words: Iterable[str] = ()) -> Opened:
        """Confirm a slip as the second person; `words`, if given, must say the same."""
        key, plan = table_named(table)
        words = tuple(words)

        def fields(state: Tournament) -> Json:
            result = self._parsed(state, key, words, plan) if words else None
            return {"table": key, "result": result}

        return self._act(by, "confirmed", fields)

    def confirm_all(self, by: str, tables: Iterable[str]) -> Opened:
        """Confirm several slips as they are: all of them or, if one cannot be, none (`Refusal`)."""
        keys = [table_named(table)[0] for table in tables]
        if not keys:
            raise Refusal("no slip is waiting for you to confirm it")
        return self.act(by, "confirmed", tables=keys)

    def correct(self, by: str, table: str, words: Iterable[str], reason: str) -> Opened:
        """Replace the result of a slip, with a reason."""
        key, plan = table_named(table)
        words = tuple(words)
        return self._act(
            by,
            "corrected",
            lambda state: {
                "table": key,
                "result": self._parsed(state, key, words, plan),
                "reason": reason,
            },
        )

    def _parsed(self, state: Tournament, table: str, words: tuple[str, ...], plan: int | None) -> Json:
        seats = state.seats(table)
        if plan is not None and plan != state.plans.get(table):
            raise void_slip(state, table, seats, plan)
        result: SlipResult = state.kind(table).slips.parse(state, table, words)
        return result.to_json()


def fingerprint(secret: str) -> str:
    """What the log keeps of a link."""
    return hashlib.sha256(secret.encode()).hexdigest()


def holder(state: Tournament, secret: str) -> Link | None:
    """Whose link that is; None if there is none or it is revoked."""
    key = fingerprint(secret)
    return next((link for link in state.links.values() if secrets.compare_digest(link.key, key)), None)


def _seed(given: str | None) -> str:
    """A seed as typed, its spaces made single; by chance if none is given."""
    return " ".join((given or "").split()) or secrets.token_hex(16)


def _by_number(state: Tournament, drawn: Mapping[int, int]) -> list[int]:
    """The ids in the order of numbers. `Refusal` names who has none and which number is doubled."""
    people = {one.id: one.name for one in state.active()}
    missing = [name for entrant, name in people.items() if entrant not in drawn]
    if missing:
        raise Refusal("{names} have no number yet", values={"names": ", ".join(missing)}, clause="TU-ZK-I2")
    by_number: dict[int, int] = {}
    for entrant, number in drawn.items():
        name = people.get(entrant, str(entrant))
        if not 1 <= number <= len(people) or entrant not in people:
            raise Refusal(
                "{name} cannot have number {number}; there are 1 to {last}",
                values={"name": name, "number": number, "last": len(people)},
                clause="TU-ZK-I2",
            )
        if number in by_number:
            raise Refusal(
                "{name} and {other} both have number {number}",
                values={"name": people[by_number[number]], "other": name, "number": number},
                clause="TU-ZK-I2",
            )
        by_number[number] = entrant
    return [by_number[number] for number in sorted(by_number)]


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
        raise Refusal("{path} is not a complete export", values={"path": str(path)}) from None


def make_format(name: str, **options: Any) -> Format:
    """A format by name with some options changed."""
    return make({"name": name, **options})
