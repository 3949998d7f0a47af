"""Ranks from figures, with a sentence for each rank that is shared or was decided by a further figure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from nousu.engine.messages import Note, sentence
from nousu.tournament.model import Section, StandingsRow, Tournament
from nousu.tournament.people import name_key


@dataclass(frozen=True, slots=True)
class Criterion:
    """A figure to rank by. `value` may look at the group that is still tied."""

    value: Callable[[int, tuple[int, ...]], int]
    decided: str
    """A message for people equal so far whom this figure parts: placeholders others, own, theirs."""
    clause: str = ""
    lowest: bool = False
    """True if the smaller figure is the better one."""
    applies: Callable[[tuple[int, ...]], bool] = lambda group: True
    """Whether the figure can be used for this group at all."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A number and its rank."""

    number: int
    rank: int
    why: tuple[Note, ...]


_NAMED = 8
"""Number of people named by a reason."""


def rank_numbers(
    numbers: Sequence[int],
    criteria: Sequence[Criterion],
    names: Callable[[int], str],
    shared: Note,
) -> tuple[Placed, ...]:
    """All numbers with rank and reasons, best first.

    Equal ones share the rank and the next ranks stay empty (1, 2, 2, 4). `shared` is for those that no
    criterion parts: a message with the places rank, others.
    """
    placed: list[Placed] = []

    def place(group: tuple[int, ...], level: int, why: Mapping[int, tuple[Note, ...]]) -> None:
        while level < len(criteria) and not criteria[level].applies(group):
            level += 1
        if len(group) == 1 or level == len(criteria):
            rank = len(placed) + 1
            for number in group:
                notes = why[number]
                if len(group) > 1:
                    values = {**shared.values, "rank": rank, "others": _names(group, number, names)}
                    notes = (*notes, Note(shared.clause, shared.message, values))
                placed.append(Placed(number, rank, notes))
            return
        criterion = criteria[level]
        figures = {number: criterion.value(number, group) for number in group}
        parts = sorted(set(figures.values()), reverse=not criterion.lowest)
        if level > 0 and len(parts) > 1 and criterion.decided:
            why = {
                number: (
                    *why[number],
                    Note(
                        criterion.clause,
                        criterion.decided,
                        {
                            "others": _names(group, number, names),
                            "own": figures[number],
                            "theirs": ", ".join(str(figures[other]) for other in group if other != number),
                        },
                    ),
                )
                for number in group
            }
        for figure in parts:
            place(tuple(number for number in group if figures[number] == figure), level + 1, why)

    if numbers:
        place(tuple(numbers), 0, {number: () for number in numbers})
    return tuple(placed)


def _names(group: Sequence[int], own: int, names: Callable[[int], str]) -> str:
    """The others of a group; of a long one the first few, and the number of the rest."""
    others = (names(number) for number in group if number != own)
    listed = ", ".join(islice(others, _NAMED))
    count = len(group) - 1
    return listed if count <= _NAMED else f"{listed} … ({count})"


def ruling_notes(tournament: Tournament, number: int) -> tuple[Note, ...]:
    """The rulings that changed the points of a number."""
    return tuple(
        Note(
            penalty.rule,
            "Director’s ruling: {points} ({reason}).",
            {"points": f"{penalty.points:+d}", "reason": penalty.reason},
        )
        for penalty in tournament.penalties
        if penalty.number == number and penalty.points
    )


def team_section(
    tournament: Tournament, totals: Mapping[int, int], best: int, lowest: bool = False
) -> Section | None:
    """Teams by the sum of their best `best` members.

    Teams with fewer members count what they have, and stand behind all full teams where the lowest sum wins.
    """
    teams: dict[str, list[int]] = {}
    for number in totals:
        team = tournament.entrant(number).team
        if team:
            teams.setdefault(team, []).append(number)
    if not best or not teams:
        return None
    names = sorted(teams)
    counted = {
        at: sorted((totals[number] for number in teams[team]), reverse=not lowest)[:best]
        for at, team in enumerate(names)
    }
    shared = Note(
        "",
        sentence(
            "The same sum of the best {best} result: shares place {rank} with {others}.",
            "The same sum of the best {best} results: shares place {rank} with {others}.",
        ),
        {"best": best},
    )
    figures = [Criterion(lambda at, group: sum(counted[at]), "", lowest=lowest)]
    if lowest:
        figures.insert(0, Criterion(lambda at, group: len(counted[at]), ""))
    placed = rank_numbers(list(counted), figures, lambda at: names[at], shared)
    rows = [
        StandingsRow(
            one.rank, 0, names[one.number], "", (sum(counted[one.number]), len(counted[one.number])), one.why
        )
        for one in placed
    ]
    return Section(
        Note("", "Teams (results that count: {best})", {"best": best}),
        ("points", "counted"),
        tuple(rows),
        key="teams",
    )


def prize_sections(tournament: Tournament, main: Section) -> tuple[Section, ...]:
    """The rankings of the prize groups, in the order of the ranking of all.

    In a group the places are counted anew; the second figure is the place among all.
    """
    sections = []
    for column, value in tournament.prizes:
        rows = [
            row
            for row in main.rows
            if name_key(tournament.entrant(row.number).columns.get(column, "")) == name_key(value)
        ]
        if rows:
            placed = tuple(
                StandingsRow(
                    1 + sum(other.rank < row.rank for other in rows),
                    row.number,
                    row.name,
                    row.team,
                    (row.cells[0], row.rank),
                )
                for row in rows
            )
            title = Note("", "{column}: {value}", {"column": column, "value": value})
            key = f"prize {column}: {value}"
            sections.append(Section(title, (main.columns[0], "overall"), placed, key=key))
    return tuple(sections)
