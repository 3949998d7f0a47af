"""Standing tables: one link for an evening every week, who comes, and the table of the evening."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from nousu.games import find
from nousu.ids import new_id
from nousu.server.errors import NoSuchTable, RequestError, safe_traceback
from nousu.server.people.openings import OPEN
from nousu.server.people.server import Server
from nousu.server.people.sessions import Session, check_session
from nousu.server.storage.weekly_tables import WeeklyTablePerson, WeeklyTableRow
from nousu.server.table.display_names import clean_name
from nousu.server.table.options import TableOptions

_LOG = logging.getLogger(__name__)
ANSWERS = ("come", "perhaps", "no")
MOST = 20
"""The most standing tables of a person."""
LONG = timedelta(hours=4)
"""Time after its start for which an evening still is the next one."""
EARLY = timedelta(minutes=30)
"""Time before the start from which on people may sit down, and at which they are reminded."""
_OPENING = asyncio.Lock()
"""Held while the table of an evening is looked for or opened, so that two people at once open one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """The next evening of a standing table, as one person may see it."""

    row: WeeklyTableRow
    start: datetime
    """In the zone of the table."""
    opens: bool
    """True if people may sit down now."""
    mine: str
    """The viewer's own answer: come, perhaps, no, or empty."""
    people: tuple[WeeklyTablePerson, ...]
    """The people with their answers; empty for somebody who has never sat at this table."""
    owns: bool
    """True if the viewer has made the table."""
    listed: bool
    """True if the viewer has sat at the table, or has answered."""

    @property
    def day(self) -> str:
        """The date of the evening."""
        return self.start.date().isoformat()


def zone_of(name: str) -> tzinfo:
    """A zone by its name; UTC for one that is not known here."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC


def next_start(row: WeeklyTableRow, now: datetime) -> datetime:
    """The start of the evening that goes on now, or of the next one."""
    zone = zone_of(row.zone)
    here = (now - LONG).astimezone(zone)
    for ahead in range(8):
        day = here.date() + timedelta(days=ahead)
        start = datetime(day.year, day.month, day.day, row.minute // 60, row.minute % 60, tzinfo=zone)
        if day.weekday() == row.weekday and start + LONG > now:
            return start
    raise AssertionError("a week has every day")


async def create(
    server: Server, session: Session, title: str, preset: str, weekday: int, minute: int, zone: str
) -> str:
    """Make a standing table; its id.

    Raises:
        BadRules: There is no such preset.
    """
    check_session(session)
    await server.limits.hit("act", session.id)
    await server.limits.hit("standing tables", session.address)
    find(preset)
    if not (0 <= weekday < 7 and 0 <= minute < 1440):
        raise RequestError("Choose a day of the week and a time.")
    rows = server.store.weekly_tables
    if len(await rows.of(session.id)) >= MOST:
        raise RequestError("These are enough standing tables; give one up first.")
    known = zone if isinstance(zone_of(zone), ZoneInfo) else "UTC"
    id, name = new_id(9), clean_name(title, default="")
    await rows.add(
        WeeklyTableRow(id, session.id, name, preset, weekday, minute, known, time.time(), "", "", "")
    )
    await rows.set_person(id, session.id, sat=True)
    return id


async def evening(server: Server, session: Session, id: str, now: datetime | None = None) -> Evening:
    """The next evening of a standing table, as a person may see it.

    Raises:
        NoSuchTable: There is none of that id.
    """
    row = await server.store.weekly_tables.find(id)
    if row is None:
        raise NoSuchTable("There is no such standing table.")
    return (await evenings(server, session, [row], now))[0]


async def evenings(
    server: Server, session: Session, rows: Sequence[WeeklyTableRow], now: datetime | None = None
) -> list[Evening]:
    """The next evenings of standing tables, as a person may see them; old answers are deleted."""
    now = now or datetime.now(UTC)
    starts = {row.id: next_start(row, now) for row in rows}
    people = await server.store.weekly_tables.people(starts)
    for id, start in starts.items():
        day = start.date().isoformat()
        # A page that is only read writes nothing: an action at a table waits for every write.
        if any(person.answer and person.date < day for person in people.get(id, ())):
            await server.store.weekly_tables.delete_old_answers(id, day)
            people = {**people, **await server.store.weekly_tables.people([id])}
    return [_evening(row, session, starts[row.id], people.get(row.id, ()), now) for row in rows]


def _evening(
    row: WeeklyTableRow, session: Session, start: datetime, people: Sequence[WeeklyTablePerson], now: datetime
) -> Evening:
    me = next((person for person in people if person.session == session.id), None)
    return Evening(
        row=row,
        start=start,
        opens=start - EARLY <= now < start + LONG,
        mine=me.answer if me is not None else "",
        people=tuple(people) if me is not None and me.sat else (),
        owns=bool(session.id) and row.owner == session.id,
        listed=me is not None,
    )


async def answer(server: Server, session: Session, id: str, said: str, name: str) -> None:
    """Say whether a person comes to the next evening."""
    check_session(session)
    await server.limits.hit("act", session.id)
    if said not in ANSWERS:
        raise RequestError("Say whether you come, perhaps, or not.")
    if name:
        await server.sessions.update(session, name=name)
    seen = await evening(server, session, id)
    await server.store.weekly_tables.set_person(id, session.id, date=seen.day, answer=said)


async def sit(server: Server, session: Session, id: str, name: str, pledge: str) -> str:
    """Sit down at the table of the evening, which the first one opens; its id."""
    check_session(session)
    seen = await evening(server, session, id)
    if not seen.opens:
        raise RequestError("The table opens half an hour before its time.")
    name = name or session.name
    async with _OPENING:
        row = await server.store.weekly_tables.find(id)
        table = row.table_id if row is not None and row.date == seen.day else ""
        if table and (await server.tables.room(table)).table.over:
            table = ""
        opened = not table
        if opened:
            players = [OPEN] * (min(4, max(find(seen.row.preset)[0].seats)) - 1)
            options = TableOptions.parse_request({"seats": "chosen"})
            table = await server.openings.open(
                seen.row.preset, players, options, session, name=name, lang=session.lang, pledge=pledge
            )
            await server.store.weekly_tables.change(id, table_id=table, date=seen.day)
    if not opened and not (await server.tables.room(table)).table.seats.holds(session.id):
        await server.actions.join(table, session, name, pledge)
    await server.store.weekly_tables.set_person(id, session.id, sat=True)
    return table


async def leave(server: Server, session: Session, id: str) -> None:
    """Delete a standing table for all, if the person has made it; else take the person off its list."""
    check_session(session)
    seen = await evening(server, session, id)
    if seen.owns:
        await server.store.weekly_tables.drop(id)
    else:
        await server.store.weekly_tables.drop_person(id, session.id)


def calendar(row: WeeklyTableRow, title: str, link: str, now: datetime) -> str:
    """A calendar file: every week, with a reminder. Its times are those of the clock on the wall."""
    start = next_start(row, now)
    wall = "%Y%m%dT%H%M%S"
    lines = (
        *("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Nousu//Nousu//EN", "BEGIN:VEVENT"),
        f"UID:{row.id}@nousu",
        f"DTSTAMP:{now.astimezone(UTC):{wall}}Z",
        f"DTSTART:{start:{wall}}",
        f"DTEND:{start + timedelta(hours=2):{wall}}",
        f"RRULE:FREQ=WEEKLY;BYDAY={('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU')[row.weekday]}",
        f"SUMMARY:{_escape(title)}",
        f"URL:{link}",
        f"DESCRIPTION:{_escape(link)}",
        *("BEGIN:VALARM", "ACTION:DISPLAY", f"DESCRIPTION:{_escape(title)}", "TRIGGER:-PT30M", "END:VALARM"),
        *("END:VEVENT", "END:VCALENDAR"),
    )
    return "".join(f"{part}\r\n" for line in lines for part in _fold_line(line))


def _escape(text: str) -> str:
    """Text of a calendar (RFC 5545 3.3.11)."""
    for sign in "\\;,":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())


def _fold_line(line: str) -> list[str]:
    """A line in pieces of at most 75 bytes (RFC 5545 3.1)."""
    parts = [""]
    for sign in line:
        if len((parts[-1] + sign).encode()) > 74:
            parts.append(" ")
        parts[-1] += sign
    return parts


async def remind(server: Server, call: Callable[[str, WeeklyTableRow], None], now: datetime) -> None:
    """Call the people of the tables that begin soon, once an evening, but those who do not come."""
    tables = server.store.weekly_tables
    async for part in tables.all():
        for row in part:
            start = next_start(row, now)
            day = start.date().isoformat()
            if not start - EARLY <= now < start or row.reminded == day:
                continue
            await tables.change(row.id, reminded=day)
            for person in (await tables.people([row.id])).get(row.id, ()):
                said = person.answer if person.date == day else ""
                if said in ("come", "perhaps") or (person.sat and not said):
                    call(person.session, row)


async def remind_regularly(server: Server, call: Callable[[str, WeeklyTableRow], None]) -> None:
    """Look every minute whom to remind, until cancelled."""
    while True:
        await asyncio.sleep(60)
        try:
            await remind(server, call, datetime.now(UTC))
        except Exception as error:
            _LOG.warning("nobody was reminded: %s", safe_traceback(error))
