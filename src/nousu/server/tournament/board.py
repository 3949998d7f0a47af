"""The board: how far every slip has come, what blocks publishing, and the button that removes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.responses import Response

from nousu.engine.messages import sentence
from nousu.server.tournament import slips
from nousu.server.tournament.projector import coming
from nousu.server.tournament.roles import OFFICE
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.events.rulings import publication_digest
from nousu.tournament.messages import Todo
from nousu.tournament.model import Tournament
from nousu.tournament.todo import blocking, board, stale, to_confirm, todo

WORDS: Mapping[str, str] = {
    "missing": sentence("missing"),
    "later": sentence("later"),
    "entered": sentence("entered"),
    "confirmed": sentence("confirmed"),
    "accepted": sentence("accepted"),
    "void": sentence("void"),
}
"""The states of a slip on the board."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do, with what does it."""

    said: str
    do: str = ""
    """What the button says; empty: there is none."""
    path: str = ""
    post: bool = False
    fields: tuple[tuple[str, str], ...] = ()
    blocks: bool = True


def steps(visit: Visit) -> tuple[Step, ...]:
    """What is still to do, each with its button where this person may press it."""
    return tuple(_step(visit, one) for one in todo(visit.state))


def _step(visit: Visit, one: Todo) -> Step:
    said, say, directs = visit.text(one.said), visit.say, visit.guest.directs
    plain = Step(said, blocks=one.blocks)
    if one.action == "enter" and (tables := _on_paper(visit.state, one.tables)):
        return Step(said, say("Enter the slip"), f"/board?table={tables[0]}#slip", blocks=one.blocks)
    if one.action == "confirm":
        own = to_confirm(visit.state, visit.guest.who)
        return Step(said, say("Type it again"), f"/board?table={own[0]}#slip") if own else plain
    if one.action == "accept" and directs:
        return Step(said, say("Accept all"), "/accept", True)
    if one.action == "second":
        proposal = visit.state.proposals[one.entry]
        fields = (("entry", str(one.entry)),)
        mine = proposal.by == visit.guest.who
        return plain if mine else Step(said, say("Agree"), "/second", True, fields, one.blocks)
    if one.action in ("draw", "pair", "plan") and directs:
        words = {"draw": say("Draw"), "pair": say("Draw the pairs"), "plan": say("Plan")}
        path = {"draw": "/draw", "pair": "/draw", "plan": f"/plan?start={one.start}"}
        return Step(said, words[one.action], path[one.action], blocks=one.blocks)
    if one.action == "stechen" and directs:
        return Step(said, say("Plan the Stechen"), "/stechen", True)
    return plain


def _on_paper(state: Tournament, tables: Sequence[str]) -> list[str]:
    """The tables whose slips are typed."""
    return [table for table in tables if not state.is_online(table)]


@dataclass(frozen=True, slots=True)
class Cell:
    """One table on the board."""

    table: str
    state: str
    said: str
    chosen: bool
    online: bool
    """Played at Nousu's tables."""


def cells(visit: Visit, chosen: str) -> list[tuple[int, list[Cell | None]]]:
    """The board by tables: a row for every table number, a cell for every round."""
    found = board(visit.state)
    rows: dict[int, dict[str, Cell]] = {}
    for label, squares in found.items():
        for square in squares:
            at = int(square.table.partition(".")[2])
            said = visit.say(
                "Table {table}, round {round}: {state}",
                table=at,
                round=label,
                state=visit.say(WORDS[square.state]),
            )
            online = visit.state.is_online(square.table)
            if online:
                where = visit.say("at Nousu’s table")
                said = f"{said}, {where}"
            cell = Cell(square.table, square.state, said, square.table == chosen, online)
            rows.setdefault(at, {})[label] = cell
    return [(at, [rows[at].get(label) for label in found]) for at in sorted(rows)]


def open_slip(state: Tournament, asked: str, done: str, by: str) -> str:
    """Which slip is open: the one asked for, else the missing one behind the last, else one to confirm, else
    the first of the round that comes."""
    squares = [square for row in board(state).values() for square in row]
    if any(square.table == asked for square in squares):
        return asked
    due = [square.table for square in squares if square.state == "missing"]
    missing = _on_paper(state, due)
    tables = [square.table for square in squares]
    if done in tables:
        behind = [table for table in missing if tables.index(table) > tables.index(done)]
        missing = behind or missing
    later = [square.table for square in squares if square.state == "later"]
    return next(iter((*missing, *to_confirm(state, by), *due, *later)), "")


def show(visit: Visit) -> Response:
    """``/board``"""
    state, asked = visit.state, visit.request.query_params
    chosen = open_slip(state, asked.get("table", ""), asked.get("done", ""), visit.guest.who)
    begun = [label for label in state.rounds if state.has_begun(label)]
    planned = [label for label in state.rounds if label[0].isdigit()]
    blocks = blocking(state)
    values = {
        "rounds": list(state.rounds),
        "current": begun[-1] if begun else "",
        "planned": len(planned),
        "cells": cells(visit, chosen),
        "steps": steps(visit),
        "blocks": len(blocks),
        "published": state.frozen and state.publications[-1].digest == publication_digest(state),
        "slip": slips.picture(visit, chosen) if chosen else None,
        "people": [(number, state.who(number)) for number in state.playing()],
        "waiting": len(to_confirm(state, visit.guest.who)),
        "legend": [
            (name, visit.say(WORDS[name])) for name in ("missing", "entered", "confirmed", "accepted")
        ],
        "online": any(state.is_online(table) for table in state.online),
        "stale": stale(state)[0],
        "next": state.next_round(),
        "coming": coming(state),
        "starts": state.starts.get(coming(state), ""),
        "closed": visit.text(closed) if (closed := state.format.closed(state)) else "",
    }
    return visit.page("board.html", values)


PAGES = (Page("/board", show, OFFICE),)
