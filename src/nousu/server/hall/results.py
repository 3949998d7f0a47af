"""Standings with shared ranks and their reasons, and the page of results that stays."""

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.responses import Response

from nousu.engine.notes import Note
from nousu.server.hall.roles import HALL
from nousu.server.hall.site import Page, Visit
from nousu.tournament.model import Row, Section
from nousu.words.office import column_words


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the standings, ready to print."""

    rank: int
    name: str
    team: str
    first: int | str
    """The figure that ranks."""
    rest: tuple[int | str, ...]
    why: tuple[str, ...]
    shared: bool
    """Somebody else has the same rank."""
    opens: bool
    """The first of those who share it: the reason stands here."""
    gone: bool


@dataclass(frozen=True, slots=True)
class Table:
    """One section of the standings, ready to print."""

    title: str
    ranking: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]


def tables(visit: Visit) -> tuple[Table, ...]:
    """The standings as they are."""
    standings = visit.state.format.standings(visit.state)
    return tuple(_table(visit, section) for section in standings.sections)


def _table(visit: Visit, section: Section) -> Table:
    ranks = [row.rank for row in section.rows]
    shared = {rank for rank in ranks if ranks.count(rank) > 1}
    first: Mapping[int, Row] = {row.rank: row for row in reversed(section.rows)}
    lines = tuple(
        Line(
            row.rank,
            row.name,
            row.team,
            row.cells[0] if row.cells else "",
            tuple(row.cells[1:]),
            tuple(visit.told(note) for note in row.why if first[row.rank] is row or not _of_group(note)),
            row.rank in shared,
            first[row.rank] is row,
            bool(row.number) and visit.state.gone(row.number),
        )
        for row in section.rows
    )
    heads = [column_words(column, visit.say) for column in section.columns]
    title = visit.told(Note("", section.title.message, section.title.values))
    return Table(title, heads[0] if heads else "", tuple(heads[1:]), lines)


def _of_group(note: Note) -> bool:
    """Whether a reason is that of all who share a rank; it stands once, at the first of them."""
    return {"rank", "others"} <= note.values.keys()


async def standings(visit: Visit) -> Response:
    """``/standings``"""
    notes = [visit.told(note) for note in visit.state.format.standings(visit.state).notes]
    return visit.page("standings.html", {"tables": tables(visit), "notes": notes})


PAGES = (Page("/standings", standings, HALL),)
