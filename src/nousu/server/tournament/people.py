"""List of people: pasted or from a file with a preview, edited, struck off, ticked at the door."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from starlette.datastructures import UploadFile
from starlette.responses import Response

from nousu.server.tournament.paper import not_drawn
from nousu.server.tournament.roles import DIRECTION, OFFICE
from nousu.server.tournament.setup import step_page
from nousu.server.tournament.upload import read_list
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.alphabet import name_order, plain_letters, surname_first
from nousu.tournament.list_files import Source, reread, sample
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Entrant
from nousu.tournament.packed_lists import check_text
from nousu.tournament.people import People, from_text, preview


def show(visit: Visit) -> Response:
    """Show the list: ``/people``."""
    return _page(visit)


def _page(
    visit: Visit,
    *,
    text: str = "",
    commas: bool = False,
    lone: bool = False,
    people: People | None = None,
    source: Source | None = None,
    sheets: tuple[str, ...] = (),
    wrong: list[str] | None = None,
) -> Response:
    """The list, and the form to add to it, with a preview of `text` where there is one."""
    state = visit.state
    numbers = {entrant: number for number, entrant in enumerate(state.numbers, 1)}
    values = {
        "listed": [
            (numbers.get(entrant.id, at), entrant, entrant.id in state.arrived)
            for at, entrant in enumerate(state.active(), 1)
        ],
        "alone": [(entrant, entrant.id in state.arrived) for entrant in state.lone()],
        "text": text,
        "commas": commas,
        "lone": lone,
        "found": people,
        "lines": [] if people is None else _lines(text, people, visit),
        "strange": not_drawn(visit, _texts(people)),
        "notes": [] if people is None else [visit.text(note) for note in people.notes()],
        "encoding": "" if source is None else source.encoding,
        "readings": []
        if source is None
        else [(reading.encoding, sample(reading.text)) for reading in source.readings],
        "sheets": sheets,
        "wrong": wrong or [],
        "drawn": bool(state.numbers),
    }
    return step_page(visit, "/people", values, 400 if wrong else 200)


def _texts(people: People | None) -> Iterator[str]:
    """The names and teams that a list would put on paper."""
    for entry in () if people is None else people.given:
        yield entry.name
        yield entry.team


def _lines(text: str, people: People, visit: Visit) -> list[tuple[int, str, str, str]]:
    """Lines of a text: number, name, team and the reason why it cannot be entered."""
    wrong = {person.where: visit.text(person.note) for person in reversed(people.wrong)}
    given = {person.line: person for person in people.given}
    shown = []
    for number, line in enumerate(text.splitlines(), 1):
        reason = wrong.get(f"line {number}", "")
        if number in given:
            shown.append((number, given[number].name, given[number].team, reason))
        elif reason:
            shown.append((number, line.strip(), "", reason))
    return shown


async def add(visit: Visit) -> Response:
    """Preview a text or a file, or enter its people."""
    form = await visit.form()
    commas = form.get("commas") == "yes"
    source = Source(str(form.get("text", "")))
    lone = visit.state.format.pairs and form.get("lone") == "yes"
    file = form.get("file")
    try:
        if isinstance(file, UploadFile) and file.filename:
            data = await file.read()
            sheet = " ".join(str(form.get("sheet", "")).split())
            jobs, address = visit.halls.jobs, visit.guest.address
            source = await read_list(jobs, visit.hall.name, address, file.filename, data, sheet)
            commas = PurePath(file.filename).suffix.lower() == ".csv"
        elif form.get("encoding"):
            source = reread(source.text, str(form.get("encoding")), str(form.get("reading")))
        check_text(source.text)
        entrants = [entrant for entrant in visit.state.entrants if not entrant.struck]
        taken = [member for entrant in entrants for member in entrant.members]
        pairs = visit.state.format.pairs and not lone
        people = preview(source, pairs=pairs, taken=taken, commas=commas)
        if form.get("do") != "enter" or people.wrong or not people.given:
            if not people.given and not people.wrong:
                raise Refusal("the list is empty")
            return await visit.render(
                _page, visit, text=source.text, commas=commas, lone=lone, people=people, source=source
            )
        await visit.act(lambda office, by: office.enter(by, people.given, lone=lone))
    except Refusal as refusal:
        named = str(refusal.note.values.get("sheets", "")) if refusal.where == "sheet" else ""
        sheets = tuple(filter(None, named.split(", ")))
        wrong = visit.refusal_lines(refusal)
        return await visit.render(
            _page, visit, text=source.text, commas=commas, lone=lone, sheets=sheets, wrong=wrong
        )
    finally:
        await form.close()
    return visit.redirect("/people")


async def change(visit: Visit) -> Response:
    """Change a name or team, or strike an entrant off the list."""
    form = await visit.form()
    try:
        entrant = _entrant(visit, str(form.get("id", "")))
        if form.get("do") == "strike":
            await visit.act(lambda office, by: office.act(by, "struck", id=entrant.id))
        else:
            written_name = str(form.get("name", "")).replace("\n", " ").replace(";", " ")
            given = from_text(written_name, pairs=len(entrant.members) == 2).given
            if len(given) != 1:
                raise Refusal("give one new name", where="to")
            team = " ".join(str(form.get("team", "")).split())
            members = list(given[0].members)
            await visit.act(
                lambda office, by: office.act(by, "renamed", id=entrant.id, members=members, team=team)
            )
    except Refusal as refusal:
        return await visit.render(_page, visit, wrong=visit.refusal_lines(refusal))
    return visit.redirect("/people")


def _entrant(visit: Visit, text: str) -> Entrant:
    people = visit.state.entrants
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:6]) <= len(people)):
        raise Refusal("there is no player {text}", values={"text": text[:60]}, where="player")
    return people[int(text) - 1]


@dataclass(frozen=True, slots=True)
class DoorLine:
    """A line of the check-in list."""

    id: int
    at: int
    """Place in alphabetical order."""
    name: str
    surname: str
    firsts: str
    team: str
    here: bool
    find: str
    """The name in plain letters, which a search looks through."""


def _door_lines(visit: Visit) -> list[DoorLine]:
    """Lines for the people on the list, by surname as the visitor's language sorts."""
    here, lang = visit.state.arrived, visit.lang
    people = sorted(
        (*visit.state.active(), *visit.state.lone()),
        key=lambda entrant: (name_order(entrant.members, lang), entrant.id),
    )
    return [
        DoorLine(
            entrant.id,
            at,
            entrant.name,
            *surname_first(entrant.members),
            visit.say("looking for a partner") if entrant.lone else entrant.team,
            entrant.id in here,
            plain_letters(entrant.name),
        )
        for at, entrant in enumerate(people)
    ]


def door(visit: Visit) -> Response:
    """Show the check-in list, those who are missing first: ``/door``, with a search in ``q``."""
    lines = _door_lines(visit)
    query = " ".join(visit.request.query_params.get("q", "")[:60].split())
    words = plain_letters(query).split()
    shown = [line for line in lines if all(word in line.find for word in words)]
    values = {
        "groups": (
            ("absent", visit.say("Not here yet"), [line for line in shown if not line.here]),
            ("here", visit.say("Here"), [line for line in shown if line.here]),
        ),
        "come": sum(line.here for line in lines),
        "count": len(lines),
        "query": query,
    }
    return visit.page("door.html", values)


async def tick(visit: Visit) -> Response:
    """Set or clear the tick of an entrant."""
    form = await visit.form()
    entrant = _entrant(visit, str(form.get("id", "")))
    here = form.get("here") == "yes"
    await visit.act(lambda office, by: office.act(by, "arrived", ids=[entrant.id], here=here))
    return visit.redirect(f"/door#e{entrant.id}")


async def strike_absent(visit: Visit) -> Response:
    """Strike all entrants without a tick off the list."""
    await visit.act(lambda office, by: office.strike_absent(by))
    return visit.redirect("/people")


PAGES = (
    Page("/people", show, DIRECTION),
    Page("/people", add, DIRECTION, "POST"),
    Page("/people/change", change, DIRECTION, "POST"),
    Page("/people/absent", strike_absent, DIRECTION, "POST"),
    Page("/door", door, OFFICE),
    Page("/door", tick, OFFICE, "POST"),
)
