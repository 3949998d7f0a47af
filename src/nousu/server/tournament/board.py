"""Board of the desk: the state of every slip, open tasks before publishing, and buttons for them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from starlette.responses import Response

from nousu.engine.messages import pgettext, sentence
from nousu.i18n.office import event_words
from nousu.i18n.sentences import capital
from nousu.server.tournament import slips
from nousu.server.tournament.roles import OFFICE
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.events.rulings import publication_digest
from nousu.tournament.history import proposed_changes
from nousu.tournament.messages import Todo
from nousu.tournament.model import Tournament, order
from nousu.tournament.print_language import round_heading
from nousu.tournament.todo import blocking, board, to_confirm, todo

WORDS: Mapping[str, str] = {
    "missing": sentence("missing"),
    "later": sentence("later"),
    "entered": sentence("entered"),
    "confirmed": sentence("confirmed"),
    "accepted": sentence("accepted"),
    "void": pgettext("slip", "void"),
}
"""The states of a slip on the board."""


@dataclass(frozen=True, slots=True)
class TodoStep:
    """An open task, with the button that does it."""

    said: str
    do: str = ""
    """Label of the button; empty: no button."""
    path: str = ""
    post: bool = False
    fields: tuple[tuple[str, str], ...] = ()
    blocks: bool = True
    details: tuple[str, ...] = ()
    """The matter to which a second person agrees: the ruling with its reason, and the change."""


def steps(visit: Visit) -> tuple[TodoStep, ...]:
    """Open tasks, each with its button where this visitor may press it."""
    return tuple(_step(visit, task) for task in todo(visit.state))


def _step(visit: Visit, task: Todo) -> TodoStep:
    text, say, directs = visit.text(task.said), visit.say, visit.guest.directs
    plain = TodoStep(text, blocks=task.blocks)
    if task.action == "enter" and (tables := _on_paper(visit.state, task.tables)):
        return TodoStep(text, say("Enter the slip"), f"/board?table={tables[0]}#slip", blocks=task.blocks)
    if task.action == "confirm":
        own = to_confirm(visit.state, visit.guest.who)
        return TodoStep(text, say("Type it again"), f"/board?table={own[0]}#slip") if own else plain
    if task.action == "accept" and directs:
        return TodoStep(text, say("Accept all"), "/accept", True)
    if task.action == "second":
        proposal = visit.state.proposals[task.entry]
        ruling = capital(event_words(proposal.body, visit.state, say))
        notes = proposed_changes(visit.state, task.entry)
        plain = replace(plain, details=(ruling, *map(visit.text, notes)))
        if proposal.by == visit.guest.who:
            return plain
        fields = (("entry", str(task.entry)),)
        return replace(plain, do=say("Agree"), path="/second", post=True, fields=fields)
    if task.action in ("draw", "pair", "plan") and directs:
        words = {"draw": say("Draw"), "pair": say("Draw the pairs"), "plan": say("Plan")}
        path = {"draw": "/draw", "pair": "/draw", "plan": f"/plan?start={task.start}"}
        return TodoStep(text, words[task.action], path[task.action], blocks=task.blocks)
    if task.action == "stechen" and directs:
        return TodoStep(text, say("Plan the Stechen"), "/stechen", True)
    return plain


def _on_paper(state: Tournament, tables: Sequence[str]) -> list[str]:
    """The tables among these whose slips are typed by hand."""
    return [table for table in tables if not state.is_online(table)]


@dataclass(frozen=True, slots=True)
class Cell:
    """A table on the board."""

    table: str
    state: str
    said: str
    chosen: bool
    online: bool
    """True if played at Nousu's tables."""


def cells(visit: Visit, chosen: str) -> list[tuple[int, list[Cell | None]]]:
    """Cells of the board: a row for every table number, a column for every round."""
    squares_by_round = board(visit.state)
    rows: dict[int, dict[str, Cell]] = {}
    for label, squares in squares_by_round.items():
        for square in squares:
            number = int(square.table.partition(".")[2])
            words = visit.say(
                "Table {table}, round {round}: {state}",
                table=number,
                round=label,
                state=visit.say(WORDS[square.state]),
            )
            online = visit.state.is_online(square.table)
            if online:
                where = visit.say("at Nousu’s table")
                words = f"{words}, {where}"
            cell = Cell(square.table, square.state, words, square.table == chosen, online)
            rows.setdefault(number, {})[label] = cell
    return [(number, [rows[number].get(label) for label in squares_by_round]) for number in sorted(rows)]


def open_slip(state: Tournament, asked: str, done: str, by: str) -> str:
    """Table whose slip is shown.

    It is the one asked for, else the missing one after `done`, else one to confirm, else the first of the
    coming round.
    """
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


def _coming(visit: Visit) -> list[tuple[str, str]]:
    """The rounds whose start can be announced (without a result), with titles; the next one first."""
    state = visit.state
    over = state.rounds_with_results() | state.format.void(state)
    labels = [label for label in sorted(state.rounds, key=order) if label not in over]
    return [(label, round_heading(state, label, visit.say)) for label in labels]


def show(visit: Visit) -> Response:
    """Show the board: ``/board``."""
    state, asked = visit.state, visit.request.query_params
    chosen = open_slip(state, asked.get("table", ""), asked.get("done", ""), visit.guest.who)
    planned = [label for label in state.rounds if label[0].isdigit()]
    blocks, find = blocking(state), state.round_to_find()
    values = {
        "rounds": list(state.rounds),
        "current": state.current_round() if any(map(state.has_begun, state.rounds)) else "",
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
        "next": state.next_round(),
        "games": state.format.slips.games_at("1.1"),
        "coming": _coming(visit),
        "starts": state.starts,
        "to_deal": "" if state.frozen or state.has_begun(find) else find,
        "closed": visit.text(closed) if (closed := state.format.closed(state)) else "",
    }
    return visit.page("board.html", values)


PAGES = (Page("/board", show, OFFICE),)
