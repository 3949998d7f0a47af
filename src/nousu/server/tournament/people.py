"""The list of people: pasted or from a file, with a preview; put right, struck off, ticked at the door."""

from pathlib import PurePath

from starlette.datastructures import UploadFile
from starlette.responses import Response

from nousu.server.tournament.paper import not_drawn
from nousu.server.tournament.roles import DIRECTION, OFFICE
from nousu.server.tournament.setup import step
from nousu.server.tournament.upload import check_text, read_list
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Entrant
from nousu.tournament.people import People, alike, from_text, preview


def show(visit: Visit) -> Response:
    """``/people``"""
    return _page(visit)


def _page(
    visit: Visit,
    *,
    text: str = "",
    commas: bool = False,
    lone: bool = False,
    found: People | None = None,
    encoding: str = "",
    wrong: list[str] | None = None,
) -> Response:
    """The list, and the form to add to it: empty, or with a text and what it would enter."""
    state = visit.state
    listed = [*enumerate(state.active(), 1)]
    numbers = {one: number for number, one in enumerate(state.numbers, 1)}
    values = {
        "listed": [(numbers.get(one.id, at), one, one.id in state.arrived) for at, one in listed],
        "alone": [(one, one.id in state.arrived) for one in state.lone()],
        "absent": visit.state.absent(),
        "text": text,
        "commas": commas,
        "lone": lone,
        "found": found,
        "lines": [] if found is None else _lines(text, found, visit),
        "strange": [] if found is None else not_drawn(visit, (one.name for one in found.given)),
        "encoding": encoding,
        "wrong": wrong or [],
        "drawn": bool(state.numbers),
    }
    return step(visit, "/people", values, 400 if wrong else 200)


def _lines(text: str, found: People, visit: Visit) -> list[tuple[int, str, str, str]]:
    """Every line of a text with what it means: number, name, team, and what is wrong with it."""
    wrong = {one.where: visit.text(one.note) for one in reversed(found.wrong)}
    given = {one.line: one for one in found.given}
    shown = []
    for number, line in enumerate(text.splitlines(), 1):
        reason = wrong.get(f"line {number}", "")
        if number in given:
            shown.append((number, given[number].name, given[number].team, reason))
        elif reason:
            shown.append((number, line.strip(), "", reason))
    return shown


async def add(visit: Visit) -> Response:
    """Preview a text or a file, or enter what was previewed."""
    form = await visit.form()
    text, commas, encoding = str(form.get("text", "")), form.get("commas") == "yes", ""
    lone = visit.state.format.pairs and form.get("lone") == "yes"
    file = form.get("file")
    try:
        if isinstance(file, UploadFile) and file.filename:
            data = await file.read()
            jobs, address = visit.halls.jobs, visit.guest.address
            text, encoding = await read_list(jobs, visit.hall.name, address, file.filename, data)
            commas = PurePath(file.filename).suffix.lower() == ".csv"
        check_text(text)
        name = "list.csv" if commas else ""
        taken = [member for one in visit.state.entrants if not one.struck for member in one.members]
        found = preview(name, text.encode(), pairs=visit.state.format.pairs and not lone, taken=taken)
        if form.get("do") != "enter" or found.wrong or not found.given:
            if not found.given and not found.wrong:
                raise Refusal("the list is empty")
            return await visit.render(
                _page, visit, text=text, commas=commas, lone=lone, found=found, encoding=encoding
            )
        await visit.act(lambda office, by: office.enter(by, found.given, lone=lone))
    except Refusal as refusal:
        return await visit.render(
            _page, visit, text=text, commas=commas, lone=lone, wrong=visit.refused(refusal)
        )
    finally:
        await form.close()
    return visit.go("/people")


async def change(visit: Visit) -> Response:
    """Write somebody's name or team anew, or strike them off the list."""
    form = await visit.form()
    try:
        one = _entrant(visit, str(form.get("id", "")))
        if form.get("do") == "strike":
            await visit.act(lambda office, by: office.act(by, "struck", id=one.id))
        else:
            written_name = str(form.get("name", "")).replace("\n", " ").replace(";", " ")
            given = from_text(written_name, pairs=len(one.members) == 2).given
            if len(given) != 1:
                raise Refusal("give one new name", where="to")
            team = " ".join(str(form.get("team", "")).split())
            members = list(given[0].members)
            await visit.act(
                lambda office, by: office.act(by, "renamed", id=one.id, members=members, team=team)
            )
    except Refusal as refusal:
        return await visit.render(_page, visit, wrong=visit.refused(refusal))
    return visit.go("/people")


def _entrant(visit: Visit, text: str) -> Entrant:
    people = visit.state.entrants
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:6]) <= len(people)):
        raise Refusal("there is no player {text}", values={"text": text[:60]}, where="player")
    return people[int(text) - 1]


def door(visit: Visit) -> Response:
    """``/door``: the list to tick at the door, in the order of the alphabet."""
    people = sorted((*visit.state.active(), *visit.state.lone()), key=lambda one: alike(one.name))
    here = visit.state.arrived
    values = {
        "people": [(one, one.id in here) for one in people],
        "come": sum(one.id in here for one in people),
    }
    return visit.page("door.html", values)


async def tick(visit: Visit) -> Response:
    """Somebody has come, or has not after all."""
    form = await visit.form()
    one = _entrant(visit, str(form.get("id", "")))
    here = form.get("here") == "yes"
    await visit.act(lambda office, by: office.act(by, "arrived", ids=[one.id], here=here))
    return visit.go("/door")


async def strike_absent(visit: Visit) -> Response:
    """Strike everybody who has not arrived off the list."""
    for one in visit.state.absent():
        await visit.act(lambda office, by, one=one: office.act(by, "struck", id=one.id))  # type: ignore[misc]
    return visit.go("/people")


PAGES = (
    Page("/people", show, DIRECTION),
    Page("/people", add, DIRECTION, "POST"),
    Page("/people/change", change, DIRECTION, "POST"),
    Page("/people/absent", strike_absent, DIRECTION, "POST"),
    Page("/door", door, OFFICE),
    Page("/door", tick, OFFICE, "POST"),
)
