"""Page of one entrant (further columns of the list, paid, a substitute), and page of the prize groups."""

from starlette.responses import Response

from nousu.i18n.office import local_time
from nousu.server.pages.visit import whole_number
from nousu.server.tournament.roles import DIRECTION
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Entrant, Tournament, order
from nousu.tournament.print_language import round_heading


def entrant_of(state: Tournament, id: str) -> Entrant:
    """The entrant of an id. `Refusal` if there is none."""
    if not 1 <= whole_number(id) <= len(state.entrants):
        raise Refusal("there is no player {text}", values={"text": id[:60]}, where="player")
    return state.entrants[whole_number(id) - 1]


def show_entrant(visit: Visit, wrong: list[str] | None = None) -> Response:
    """Show one entrant: ``/people/{id}``; after a refusal with its reasons."""
    state, entrant = visit.state, entrant_of(visit.state, visit.request.path_params["id"])
    number = state.numbers.index(entrant.id) + 1 if entrant.id in state.numbers else 0
    columns = dict.fromkeys(column for other in state.active() for column in other.columns)
    mark = state.paid.get(entrant.id)
    rounds = [label for label in sorted(state.rounds, key=order) if not _is_played(visit, number, label)]
    values = {
        "entrant": entrant,
        "number": number,
        "cells": [(column, entrant.columns.get(column, "")) for column in columns],
        "paid": None if mark is None else (local_time(mark[0]), mark[1]),
        "members": state.members(number) if number else entrant.members,
        "chain": [
            (substitute.name, round_heading(state, substitute.round, visit.say))
            for substitute in state.substitutes.get(number, ())
        ],
        "rounds": [(label, round_heading(state, label, visit.say)) for label in rounds]
        if number and not state.frozen
        else [],
        "wrong": wrong or [],
    }
    return visit.page("entrant.html", values, 400 if wrong else 200)


def _is_played(visit: Visit, number: int, label: str) -> bool:
    """Whether a slip of an entrant is entered for a round or a later one."""
    state = visit.state
    return any(
        number in seats
        and order(key.partition(".")[0]) >= order(label)
        and state.slip(key).result is not None
        for key, seats in state.tables()
    )


async def change_entrant(visit: Visit) -> Response:
    """Mark an entrant as paid, write a column, or let another person play on."""
    entrant, form = entrant_of(visit.state, visit.request.path_params["id"]), await visit.form()
    column, text, name, label, reason = (
        " ".join(str(form.get(field, "")).split())[:100]
        for field in ("column", "text", "name", "round", "reason")
    )
    member = 1 if form.get("member") == "1" else 0
    try:
        match form.get("do"):
            case "paid" | "unpaid":
                paid = form.get("do") == "paid"
                await visit.act(lambda office, by: office.act(by, "paid", ids=[entrant.id], paid=paid))
            case "column":
                await visit.act(
                    lambda office, by: office.act(by, "noted", id=entrant.id, column=column, text=text)
                )
            case "substitute":
                if entrant.id not in visit.state.numbers:
                    raise Refusal("the numbers have not been drawn yet", clause="TU-ZK-I2", remedy="draw")
                number = visit.state.numbers.index(entrant.id) + 1
                fields = {"number": number, "member": member, "round": label, "name": name, "reason": reason}
                await visit.act(lambda office, by: office.act(by, "substituted", **fields))
            case _:
                raise Refusal("nothing has changed")
    except Refusal as refusal:
        return await visit.render(show_entrant, visit, visit.refusal_lines(refusal))
    return visit.redirect(f"/people/{entrant.id}")


def show_prizes(visit: Visit, wrong: list[str] | None = None) -> Response:
    """Show the prize groups: ``/prizes``; after a refusal with its reasons."""
    groups: dict[tuple[str, str], int] = {}
    for entrant in visit.state.active():
        for cell in entrant.columns.items():
            groups[cell] = groups.get(cell, 0) + 1
    values = {
        "groups": [
            (column, value, count, (column, value) in visit.state.prizes)
            for (column, value), count in groups.items()
        ],
        "wrong": wrong or [],
    }
    return visit.page("prizes.html", values, 400 if wrong else 200)


async def change_prizes(visit: Visit) -> Response:
    """Store the ticked prize groups."""
    form = await visit.form()
    groups = [str(group)[:200].split("\t", 1) for group in form.getlist("group")]
    try:
        if any(len(group) != 2 for group in groups):
            raise Refusal("nothing has changed")
        await visit.act(lambda office, by: office.act(by, "prizes", groups=groups))
    except Refusal as refusal:
        return await visit.render(show_prizes, visit, visit.refusal_lines(refusal))
    return visit.redirect("/prizes")


PAGES = (
    Page("/people/{id}", show_entrant, DIRECTION),
    Page("/people/{id}", change_entrant, DIRECTION, "POST"),
    Page("/prizes", show_prizes, DIRECTION),
    Page("/prizes", change_prizes, DIRECTION, "POST"),
)
