"""List of people: pasted or from a file with a preview, edited, struck off, ticked at the door."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from starlette.datastructures import FormData, UploadFile
from starlette.responses import Response

from nousu.i18n.office import local_time
from nousu.server.tournament.draw import typed_number
from nousu.server.tournament.entrant_page import entrant_of
from nousu.server.tournament.paper import not_drawn
from nousu.server.tournament.roles import DIRECTION, OFFICE
from nousu.server.tournament.setup import step_page
from nousu.server.tournament.upload import read_list
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.alphabet import name_order, plain_letters, surname_first
from nousu.tournament.list_files import Source, check_sheet, reread, sample
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Entrant
from nousu.tournament.packed_lists import check_text
from nousu.tournament.people import People, from_text, preview


def show(
    visit: Visit,
    *,
    text: str = "",
    commas: bool = False,
    lone: bool = False,
    people: People | None = None,
    source: Source | None = None,
    wrong: list[str] | None = None,
) -> Response:
    """Show the list, and the form to add to it, with a preview of `text` where there is one: ``/people``."""
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
        "sheets": () if source is None else source.sheets,
        "sheet": "" if source is None else source.sheet,
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


def _sheet(form: FormData, source: Source) -> Source:
    """The text as it stands in the form, or another sheet of its workbook where that was chosen."""
    chosen, before = str(form["sheet"]), str(form.get("sheet_before", ""))
    names, texts = form.getlist("sheet_name"), form.getlist("sheet_text")
    sheets = dict(zip(map(str, names), map(str, texts), strict=False))
    text = sheets.get(chosen, "") if chosen != before else source.text
    return Source(text, "sheet", chosen, tuple(sheets.items()))


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
            jobs, address = visit.tournaments.jobs, visit.guest.address
            source = await read_list(jobs, visit.hosted.name, address, file.filename, data)
            commas = PurePath(file.filename).suffix.lower() == ".csv"
        elif form.get("sheet"):
            source = _sheet(form, source)
        elif form.get("encoding"):
            source = reread(source.text, str(form.get("encoding")), str(form.get("reading")))
        check_text(source.text)
        check_sheet(source)
        entrants = [entrant for entrant in visit.state.entrants if not entrant.struck]
        taken = [member for entrant in entrants for member in entrant.members]
        pairs = visit.state.format.pairs and not lone
        people = preview(source, pairs=pairs, taken=taken, commas=commas)
        unseen = source.sheet != str(form.get("sheet_before", ""))
        if form.get("do") != "enter" or unseen or people.wrong or not people.given:
            if not people.given and not people.wrong:
                raise Refusal("the list is empty")
            return await visit.render(
                show, visit, text=source.text, commas=commas, lone=lone, people=people, source=source
            )
        await visit.act(lambda office, by: office.enter(by, people.given, lone=lone))
    except Refusal as refusal:
        wrong = visit.refusal_lines(refusal)
        return await visit.render(
            show, visit, text=source.text, commas=commas, lone=lone, source=source, wrong=wrong
        )
    finally:
        await form.close()
    return visit.redirect("/people")


async def change(visit: Visit) -> Response:
    """Change a name or team, or strike an entrant off the list."""
    form = await visit.form()
    try:
        entrant = entrant_of(visit.state, str(form.get("id", "")))
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
        return await visit.render(show, visit, wrong=visit.refusal_lines(refusal))
    return visit.redirect("/people")


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
    paid: bool
    noted: str
    """Time and name of the person that noted the fee."""
    number: int
    """Number drawn at the door or in force; 0: none yet."""
    open: bool
    """Is here, and lacks the fee or the number that others have."""
    find: str
    """The name in plain letters, which a search looks through."""


def _door_lines(visit: Visit) -> list[DoorLine]:
    """Lines for the people on the list, by surname as the visitor's language sorts."""
    state, lang = visit.state, visit.lang
    drawn = {entrant: number for number, entrant in enumerate(state.numbers, 1)} or state.picked
    people = sorted(
        (*state.active(), *state.lone()), key=lambda entrant: (name_order(entrant.members, lang), entrant.id)
    )

    def line(at: int, entrant: Entrant) -> DoorLine:
        paid, number = state.paid.get(entrant.id), drawn.get(entrant.id, 0)
        here = entrant.id in state.arrived
        return DoorLine(
            entrant.id,
            at,
            entrant.name,
            *surname_first(entrant.members),
            visit.say("looking for a partner") if entrant.lone else entrant.team,
            here,
            paid is not None,
            f"{local_time(paid[0])} {paid[1]}" if paid else "",
            number,
            here and bool((state.paid and not paid) or (drawn and not number)),
            plain_letters(entrant.name),
        )

    return [line(at, entrant) for at, entrant in enumerate(people)]


def door(visit: Visit, *, wrong: list[str] | None = None) -> Response:
    """Show the check-in list: ``/door``, with a search in ``q``.

    The absent come first, then those with something open, then the others.
    """
    lines = _door_lines(visit)
    query = " ".join(visit.request.query_params.get("q", "")[:60].split())
    words = plain_letters(query).split()
    shown = [line for line in lines if all(word in line.find for word in words)]
    values = {
        "groups": (
            ("absent", visit.say("Not here yet"), [line for line in shown if not line.here]),
            ("open", visit.say("Something open"), [line for line in shown if line.open]),
            ("here", visit.say("Here"), [line for line in shown if line.here and not line.open]),
        ),
        "come": sum(line.here for line in lines),
        "drawn": sum(line.here and bool(line.number) for line in lines),
        "count": len(lines),
        "found": bool(shown),
        "query": query,
        "wrong": " ".join(wrong or []),
    }
    return visit.page("door.html", values, 400 if wrong else 200)


async def mark(visit: Visit) -> Response:
    """Set or clear a tick or the fee of an entrant, or write down the number drawn at the door."""
    form = await visit.form()
    try:
        entrant = entrant_of(visit.state, str(form.get("id", "")))
        if "number" in form:
            number = typed_number(str(form["number"]), entrant)
            if number != visit.state.picked.get(entrant.id, 0):
                await visit.act(lambda office, by: office.act(by, "picked", id=entrant.id, number=number))
        elif "paid" in form:
            paid = form["paid"] == "yes"
            await visit.act(lambda office, by: office.act(by, "paid", ids=[entrant.id], paid=paid))
        else:
            here = form.get("here") == "yes"
            await visit.act(lambda office, by: office.act(by, "arrived", ids=[entrant.id], here=here))
    except Refusal as refusal:
        return await visit.render(door, visit, wrong=visit.refusal_lines(refusal))
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
    Page("/door", mark, OFFICE, "POST"),
)
