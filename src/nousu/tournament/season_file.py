"""Season file: the history of a season, entry by entry, with the logs of its evenings inside.

A season file is a chained log like that of an evening (`log_file`): a changed byte is found, and nothing is
ever overwritten. Its first entry is ``season``. An evening's log lies in it line by line as it was written,
and everything else is computed from these lines. The entries:

* ``season``: version, name, rule.
* ``evening``: date, lines (the log of an evening whose result is published).
* ``continued``: entry (of the evening), lines (added to its log since: rulings by two people).
* ``removed``: entry (of the evening).
* ``rule``: rule (from now on).
* ``joined``: name, spellings (of one person); ``separated``: entry (of the joining).
* ``different``: names (two people that look like one).
* ``guests``: names, on.
* ``admitted``: who, key; ``revoked``: entry. Links of the direction, as in an evening's log.

Every entry holds the digest of the ranking after it.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date as calendar_date
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from nousu.engine.messages import Note, sentence
from nousu.ids import new_id
from nousu.tournament.events.people import without_link
from nousu.tournament.history import publication_digest, tournament
from nousu.tournament.log_file import Body, Log, LogFile, joined_lines, read, read_up_to
from nousu.tournament.messages import WRONG_EVENT, Damaged, Refusal, refusal_in_line
from nousu.tournament.model import Json, Link, Tournament
from nousu.tournament.people import clean, name_key
from nousu.tournament.season import (
    MOST_EVENINGS,
    Season,
    SeasonEvening,
    SeasonRule,
    check_counts,
    check_people,
    core,
    evening_results,
    with_join,
)
from nousu.tournament.tournament_file import event_body, exported_log, now, second_copy_notes

SEASON_VERSION = 1
SUFFIX = ".season"
"""The suffix of a season file."""
MOST_LINKS = 20
"""Greatest number of links in force."""


@dataclass(frozen=True, kw_only=True)
class SeasonState:
    """A season with all that its file holds: the logs of its evenings, and links."""

    season: Season
    logs: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """The lines of every evening's log, by the entry that added it."""
    links: dict[int, Link] = field(default_factory=dict)
    """The links in force, by their entries."""

    def evening(self, entry: int) -> SeasonEvening:
        """The evening that an entry added. `Refusal` if it is none."""
        for evening in self.season.evenings:
            if evening.entry == entry:
                return evening
        raise Refusal("entry {entry} is not an evening", values={"entry": entry}, where="entry")


@dataclass(frozen=True, slots=True)
class OpenedSeason:
    """A season as read from its file."""

    state: SeasonState
    log: Log
    notices: tuple[Note, ...] = ()
    damage: Damaged | None = None
    """The first line with a changed byte; everything before it is shown, and nothing can be added."""

    @property
    def season(self) -> Season:
        """The season as it is."""
        return self.state.season


# the log of an evening


@dataclass(frozen=True, slots=True)
class EveningLog:
    """The log of an evening as it is handed in, checked."""

    lines: tuple[str, ...]
    name: str
    people: int
    day: str
    """The day on which the first slip was entered, where this computer is."""
    revision: int
    """The revision of its published result."""


def evening_log(data: bytes) -> EveningLog:
    """An evening from its tournament file or an exported one.

    Raises:
        Refusal: It is neither, is not published, or gives another result than was published.
        Damaged: A byte of it was changed.
    """
    log_bytes = exported_log(data) or data
    events = read(log_bytes).events
    state = _published_tournament(events)
    lines = log_bytes.decode().split("\n")[: len(events)]
    entered = [event["at"] for event in events if event["do"] == "slip"]
    day = _day(entered[0] if entered else state.publications[0].at)
    people = len(evening_results(state))
    return EveningLog(tuple(lines), state.name, people, day, state.publications[-1].revision)


def evening_file(path: Path) -> EveningLog:
    """An evening from a file; `Refusal` and `Damaged` as for `evening_log`, with the file named."""
    try:
        return evening_log(LogFile(path).data())
    except Damaged as damage:
        damage.where = f"{path}, {damage.where}"
        raise
    except Refusal as refusal:
        where = ", ".join(filter(None, (str(path), refusal.where)))
        raise Refusal.of(refusal.note, where=where) from None


def _day(at: str) -> str:
    return datetime.fromisoformat(at).astimezone().date().isoformat()


def _published_tournament(events: Sequence[Body]) -> Tournament:
    """The tournament that the events make. `Refusal` unless its result is published and follows from them."""
    state = tournament(events)
    if not state.publications:
        raise Refusal("the result of {name} is not published yet", values={"name": state.name})
    if state.publications[-1].digest != publication_digest(state):
        raise Refusal(
            "{name}: recomputing gives another result than was published", values={"name": state.name}
        )
    return state


@lru_cache(64)  # a log may have 4 MiB
def _evening_of(lines: tuple[str, ...]) -> tuple[str, int, str, Any]:
    """Name, revision, time of publication and results of an evening, from the lines of its log."""
    state = _published_tournament(read(joined_lines(lines)).events)
    last = state.publications[-1]
    return state.name, last.revision, last.at, evening_results(state)


def _evening(entry: int, date: str, lines: tuple[str, ...]) -> SeasonEvening:
    name, revision, published, results = _evening_of(lines)
    return SeasonEvening(entry, date, name, results, revision, published)


# entries


def season_after(state: SeasonState, event: Json) -> SeasonState:
    """The season after one more entry."""
    handler = _HANDLERS.get(event["do"])
    if handler is None:
        raise Refusal("this version does not know the event {kind}", values={"kind": str(event["do"])})
    if not name_key(event["by"]):
        raise Refusal("say who is doing this", where="by")
    new = handler(state, event)
    check_people(new.season)
    for evening in new.season.evenings:
        check_counts(new.season.rule, evening)
    return new


def _with_evenings(state: SeasonState, evenings: Iterable[SeasonEvening]) -> SeasonState:
    ordered = tuple(sorted(evenings, key=lambda evening: (evening.date, evening.entry)))
    return replace(state, season=replace(state.season, evenings=ordered))


def _add(state: SeasonState, event: Json) -> SeasonState:
    lines = tuple(event["lines"])
    if len(state.season.evenings) >= MOST_EVENINGS:
        raise Refusal("a season has at most {most} evenings", values={"most": MOST_EVENINGS})
    if held_entry(state, lines):
        raise Refusal("this evening is already in the season")
    try:
        calendar_date.fromisoformat(event["date"])
    except ValueError:
        raise Refusal(
            "{text} is not a day; write it like 2026-11-07",
            values={"text": event["date"] or "-"},
            where="date",
        ) from None
    evening = _evening(event["n"], event["date"], lines)
    new = replace(state, logs={**state.logs, event["n"]: lines})
    return _with_evenings(new, (*state.season.evenings, evening))


def _continue(state: SeasonState, event: Json) -> SeasonState:
    old = state.evening(event["entry"])
    lines = (*state.logs[old.entry], *event["lines"])
    new = replace(state, logs={**state.logs, old.entry: lines})
    evening = _evening(old.entry, old.date, lines)
    return _with_evenings(new, (evening if other is old else other for other in state.season.evenings))


def _remove(state: SeasonState, event: Json) -> SeasonState:
    old = state.evening(event["entry"])
    logs = {entry: lines for entry, lines in state.logs.items() if entry != old.entry}
    rest = (evening for evening in state.season.evenings if evening is not old)
    return _with_evenings(replace(state, logs=logs), rest)


def _change_rule(state: SeasonState, event: Json) -> SeasonState:
    rule = SeasonRule.from_json(event["rule"])
    if rule == state.season.rule:
        raise Refusal("these options are already in force", where="option")
    return replace(state, season=replace(state.season, rule=rule))


def _join(state: SeasonState, event: Json) -> SeasonState:
    season, spellings = state.season, [clean(name) for name in event["spellings"]]
    known = {name_key(name) for key in season.people for name in _spellings_of(season, key)}
    for name in spellings:
        if name_key(name) not in known:
            raise Refusal("there is no player {text}", values={"text": name}, where="player")
    if len({season.key(name) for name in spellings}) < 2:
        raise Refusal("name two people who are one", where="player")
    return replace(state, season=with_join(season, event["n"], clean(event["name"]), spellings))


def _spellings_of(season: Season, key: str) -> Iterable[str]:
    for evening in season.evenings:
        for result in evening.results:
            yield from (name for name in result.names if season.key(name) == key)


def _separate(state: SeasonState, event: Json) -> SeasonState:
    rest = tuple(join for join in state.season.joins if join.entry != event["entry"])
    if len(rest) == len(state.season.joins):
        raise Refusal("entry {entry} joins nobody", values={"entry": event["entry"]}, where="entry")
    return replace(state, season=replace(state.season, joins=rest))


def _tell_apart(state: SeasonState, event: Json) -> SeasonState:
    names = [name_key(name) for name in event["names"]]
    if len(names) != 2 or state.season.key(names[0]) == state.season.key(names[1]):
        raise Refusal("name two people", where="player")
    different = state.season.different | {frozenset(names)}
    return replace(state, season=replace(state.season, different=different))


def _mark_guests(state: SeasonState, event: Json) -> SeasonState:
    season = state.season
    for name in event["names"]:
        if season.key(name) not in season.people:
            raise Refusal("there is no player {text}", values={"text": name}, where="player")
    keys = {season.key(name) for name in event["names"]}
    others = frozenset(guest for guest in season.guests if season.key(guest) not in keys)
    return replace(state, season=replace(season, guests=others | keys if event["on"] else others))


def _admit(state: SeasonState, event: Json) -> SeasonState:
    if len(state.links) >= MOST_LINKS:
        raise Refusal(
            sentence(
                "there is at most {most} such link; revoke one first",
                "there are at most {most} such links; revoke one first",
            ),
            values={"most": MOST_LINKS},
        )
    link = Link(event["n"], "direction", clean(event["who"], "who"), event["key"])
    return replace(state, links={**state.links, link.entry: link})


def _revoke(state: SeasonState, event: Json) -> SeasonState:
    return replace(state, links=without_link(state.links, event["entry"]))


_HANDLERS: dict[str, Callable[[SeasonState, Json], SeasonState]] = {
    "evening": _add,
    "continued": _continue,
    "removed": _remove,
    "rule": _change_rule,
    "joined": _join,
    "separated": _separate,
    "different": _tell_apart,
    "guests": _mark_guests,
    "admitted": _admit,
    "revoked": _revoke,
}


def _first_state(event: Json) -> SeasonState:
    """The season that a first entry begins."""
    if event.get("do") != "season" or event.get("version") != SEASON_VERSION:
        raise Refusal("the file does not begin as a season of this version does")
    rule = SeasonRule.from_json(event["rule"])
    return SeasonState(season=Season(name=clean(event["name"], "name"), rule=rule))


def season_states(events: Iterable[Json]) -> Iterable[SeasonState]:
    """The season after every entry. `Refusal` names the line of an entry that cannot be."""
    state: SeasonState | None = None
    for line, event in enumerate(events, 1):
        try:
            state = _first_state(event) if state is None else season_after(state, event)
        except Damaged as damage:
            raise Refusal(
                "the evening in this line is not as it was written", where=f"line {line}, {damage.where}"
            ) from None
        except WRONG_EVENT as error:
            raise refusal_in_line(line, error) from None
        yield state


def season_state(events: Iterable[Json]) -> SeasonState:
    """The season that the entries make. `Refusal` names the line of an entry that cannot be."""
    state = None
    for after in season_states(events):
        state = after
    if state is None:
        raise Refusal("the file is empty: no season was begun in it")
    return state


def season_digest(season: Season) -> str:
    """The digest of the ranking of this moment."""
    text = json.dumps(core(season), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def is_season(data: bytes) -> bool:
    """Whether a file is that of a season, by its first line."""
    first, _, _ = data.partition(b"\n")
    return b'"do":"season"' in first[:400]


class SeasonFile:
    """One season file: opened, copied, and added to. Everything is on disk before a method returns."""

    def __init__(self, path: Path, clock: Callable[[], str] = now, copy: Path | None = None) -> None:
        self.path = path
        self.clock = clock
        self.copy = copy
        self.file = LogFile(path)

    def begin(self, name: str, rule: SeasonRule, by: str) -> OpenedSeason:
        """A new season in a new file."""
        fields = {"version": SEASON_VERSION, "name": name, "rule": rule.to_json()}
        body = event_body(self.clock(), 1, by, "season", fields)
        state = season_state([body])
        if not name_key(by):
            raise Refusal("say who is doing this", where="by")
        self.file.create(_with_digest(body, state))
        return OpenedSeason(state, self.file.read(), second_copy_notes(self.path, self.copy))

    def open(self) -> OpenedSeason:
        """The season as it is; of a damaged file as far as it is whole."""
        log, damage = read_up_to(self.file.data())
        if damage is not None and not log.events:
            raise damage
        notices = () if damage is None else (damage.notice,)
        return OpenedSeason(season_state(log.events), log, notices, damage)

    def act(self, by: str, do: str, **fields: Any) -> OpenedSeason:
        """Add one entry: checked against the season as it is at this moment, then written."""
        return self.act_on(by, do, lambda state: fields)

    def act_on(self, by: str, do: str, fields: Callable[[SeasonState], Json]) -> OpenedSeason:
        """Add one entry whose fields follow from the season as it is at this moment."""
        with self.file.writing() as writer:
            events = writer.log.events
            state = season_state(events)
            body = event_body(self.clock(), len(events) + 1, by, do, fields(state))
            after = season_after(state, body)
            return OpenedSeason(
                after, writer.add(_with_digest(body, after)), second_copy_notes(self.path, self.copy)
            )

    def add(self, by: str, evening: EveningLog, date: str = "") -> OpenedSeason:
        """Add an evening, or the new lines of one.

        Args:
            by: The name of the person who does it.
            evening: The evening as it is now.
            date: Its day, ``2026-11-07``; empty: the day of its first slip.

        Raises:
            Refusal: It is in the season already, as it is or in another version.
        """
        state = self.open().state
        entry = held_entry(state, evening.lines)
        if not entry:
            return self.act(by, "evening", date=date or evening.day, lines=list(evening.lines))
        held = state.logs[entry]
        if evening.lines[: len(held)] != held[: len(evening.lines)]:
            at = next(at for at, (a, b) in enumerate(zip(held, evening.lines, strict=False), 1) if a != b)
            raise Refusal(
                "this is another version of an evening in the season; it differs from line {line} on",
                values={"line": at},
            )
        if len(evening.lines) <= len(held):
            raise Refusal("this evening is already in the season, and nothing was added to it since")
        return self.act(by, "continued", entry=entry, lines=list(evening.lines[len(held) :]))

    def admit(self, by: str, who: str) -> tuple[OpenedSeason, str]:
        """Make a link for the direction of the season; return its secret, which is stored nowhere."""
        secret = new_id(18)
        key = hashlib.sha256(secret.encode()).hexdigest()
        return self.act(by, "admitted", who=who, key=key), secret


def held_entry(state: SeasonState, lines: Sequence[str]) -> int:
    """The entry of the evening that has the same first result; 0: there is none."""
    first = first_result(lines)
    return next((entry for entry, held in state.logs.items() if first_result(held) == first), 0)


def first_result(lines: Sequence[str]) -> str:
    """The line with the first result of an evening; files with the same one are the same evening.

    Its hash follows from all lines before it. Files that begin alike, made from one with the list of people,
    are several evenings.
    """
    marks = ('"do":"slip"', '"do":"forfeited"')
    return next((line for line in lines if any(mark in line for mark in marks)), lines[0])


def _with_digest(body: Json, state: SeasonState) -> Json:
    return {**body, "digest": season_digest(state.season)}


def _evening_words(state: SeasonState, entry: int) -> str:
    for evening in state.season.evenings:
        if evening.entry == entry:
            return f"{evening.name} ({evening.date})"
    return str(entry)


_DESCRIPTIONS: dict[str, Callable[[Json, SeasonState], Note]] = {
    "season": lambda event, state: Note("", "began the season {name}", {"name": event["name"]}),
    "evening": lambda event, state: Note("", "added the evening of {date}", {"date": event["date"]}),
    "continued": lambda event, state: Note(
        "", "followed the corrections of {evening}", {"evening": _evening_words(state, event["entry"])}
    ),
    "removed": lambda event, state: Note(
        "", "took {evening} out", {"evening": _evening_words(state, event["entry"])}
    ),
    "rule": lambda event, state: Note("", "changed what counts"),
    "joined": lambda event, state: Note(
        "", "joined {names}: {name}", {"names": ", ".join(event["spellings"]), "name": event["name"]}
    ),
    "separated": lambda event, state: Note(
        "", "separated the names of entry {entry}", {"entry": event["entry"]}
    ),
    "different": lambda event, state: Note(
        "",
        "said that {name} and {other} are two people",
        dict(zip(("name", "other"), event["names"], strict=True)),
    ),
    "guests": lambda event, state: Note(
        "",
        sentence("marked as guests: {names}") if event["on"] else sentence("marked as members: {names}"),
        {"names": ", ".join(event["names"])},
    ),
    "admitted": lambda event, state: Note("", "gave {name} a link", {"name": event["who"]}),
    "revoked": lambda event, state: Note("", "revoked the link of entry {entry}", {"entry": event["entry"]}),
}


def describe_entry(event: Json, before: SeasonState) -> Note:
    """A sentence for an entry; `before` is the season before it."""
    return _DESCRIPTIONS[event["do"]](event, before)
