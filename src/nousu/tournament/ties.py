"""Ties of the standings and their tie-breaks."""

from dataclasses import dataclass

from nousu.engine.messages import Note
from nousu.tournament.model import Section, Standings


@dataclass(frozen=True, slots=True)
class Tie:
    """People with the same first figure."""

    title: Note
    """The table of results."""
    figure: int | str
    names: tuple[tuple[int, str], ...]
    """Rank and name, best first."""
    notes: tuple[Note, ...]
    """The reasons that parted them, or a note that they share the place; each sentence once."""


def ties(standings: Standings) -> tuple[Tie, ...]:
    """Ties of the standings, table by table."""
    return tuple(tie for section in standings.sections for tie in _ties_of(section))


def _ties_of(section: Section) -> list[Tie]:
    groups: dict[int | str, list[int]] = {}
    for at, row in enumerate(section.rows):
        if any("others" in note.values for note in row.why):
            groups.setdefault(row.cells[0] if row.cells else "", []).append(at)
    ties = []
    for figure, places in groups.items():
        rows = [section.rows[at] for at in places]
        notes: dict[tuple[str, int | str], Note] = {}
        for row in rows:
            for note in row.why:
                if "others" in note.values:
                    key = (note.message, row.rank if "rank" in note.values else row.name)
                    notes.setdefault(key, note)
        names = tuple((row.rank, row.name) for row in rows)
        ties.append(Tie(section.title, figure, names, tuple(notes.values())))
    return ties
