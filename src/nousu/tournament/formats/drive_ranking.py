"""Ranks of a drive: the points of all rounds, byes and missed rounds included."""

from collections.abc import Mapping
from typing import Protocol

from nousu.engine.messages import Note
from nousu.tournament.formats.drive_slip import Totals
from nousu.tournament.formats.ranking import (
    Criterion,
    prize_sections,
    rank_numbers,
    ruling_notes,
    team_section,
)
from nousu.tournament.model import Section, Standings, StandingsRow, Tournament, round_of


class Options(Protocol):
    """The options of a drive that its ranks depend on."""

    @property
    def rounds(self) -> int:
        """Number of rounds."""
        ...

    @property
    def bye(self) -> str:
        """Points of a round of sitting out: mean or zero."""
        ...

    @property
    def lowest(self) -> bool:
        """Whether the lowest sum wins."""
        ...

    @property
    def teams(self) -> int:
        """Number of results that count for a team; 0 = no teams."""
        ...


def scores(options: Options, tournament: Tournament) -> dict[int, dict[str, int | None]]:
    """Points by number and round.

    None for sitting out in a round that has been played (a slip of it counts). Where the lowest sum wins,
    a round missed or given up counts as its worst result.
    """
    made_by: dict[int, dict[str, int | None]] = {
        number: {} for number in range(1, len(tournament.numbers) + 1)
    }
    counted = list(tournament.counted_results())
    played_rounds = dict.fromkeys(round_of(key) for key, _, _ in counted)
    for label in played_rounds:
        for table in tournament.rounds[label].tables:
            if len(table) == 1 and not tournament.has_withdrawn(table[0], label):
                made_by[table[0]][label] = None
    for key, seats, result in counted:
        assert isinstance(result, Totals)
        label = round_of(key)
        for at, number in enumerate(seats):
            if number == result.withdrawn or at == result.forfeit:
                if not options.lowest:
                    made_by[number][label] = 0
            elif result.withdrawn is not None or result.forfeit is not None:
                made_by[number][label] = None
            else:
                made_by[number][label] = result.scores[at % 2]
    if options.lowest:
        _add_missed_rounds(made_by, tuple(played_rounds))
    return made_by


def _add_missed_rounds(made_by: dict[int, dict[str, int | None]], labels: tuple[str, ...]) -> None:
    """Give everybody who did not play a round the worst result made in it, as in Tuppen (A-U-24).

    A bye is no result. Where nobody made one in the round, it is the worst of the event.
    """
    results = {
        label: [points for row in made_by.values() if (points := row.get(label)) is not None]
        for label in labels
    }
    worst_of_all = max((points for row in results.values() for points in row), default=0)
    for label in labels:
        worst = max(results[label], default=worst_of_all)
        for row in made_by.values():
            row.setdefault(label, worst)


def bye_points(options: Options, made: Mapping[str, int | None]) -> int:
    """Points of one round of sitting out."""
    played = [points for points in made.values() if points is not None]
    if options.bye == "zero" or not played:
        return 0
    return (2 * sum(played) + len(played)) // (2 * len(played))


def standings(options: Options, tournament: Tournament) -> Standings:
    """The tables of results as far as confirmed slips reach."""
    made_by = scores(options, tournament)
    totals: dict[int, int] = {}
    for number, rounds in made_by.items():
        totals[number] = sum(bye_points(options, rounds) if one is None else one for one in rounds.values())
    for penalty in tournament.penalties:
        totals[penalty.number] += penalty.points
    criteria = [Criterion(lambda number, group: totals[number], "", lowest=options.lowest)]
    behind: tuple[Note, ...] = ()
    if options.lowest:
        criteria.insert(
            0, Criterion(lambda number, group: int(tournament.has_withdrawn(number)), "", lowest=True)
        )
        behind = (Note("5.5", "Has withdrawn: ranked behind all who finished."),)
    shared = Note("", "Shares place {rank} with {others}: the same points.")
    labels = [str(number) for number in range(1, options.rounds + 1)]
    rows = []
    for placed in rank_numbers(list(totals), criteria, tournament.who, shared):
        entrant, rounds = tournament.entrant(placed.number), made_by[placed.number]
        cells: list[int | str] = [totals[placed.number]]
        for label in labels:
            points = rounds.get(label, "")
            cells.append(f"*{bye_points(options, rounds)}" if points is None else points)
        rows.append(
            StandingsRow(
                placed.rank,
                placed.number,
                tournament.holders(placed.number),
                entrant.team,
                tuple(cells),
                (
                    *ruling_notes(tournament, placed.number),
                    *(behind if tournament.has_withdrawn(placed.number) else ()),
                    *placed.why,
                ),
            )
        )
    sections: list[Section] = [
        Section(Note("", "Standings"), ("points", *labels), tuple(rows), key="standings")
    ]
    counting = {
        n: points for n, points in totals.items() if not (options.lowest and tournament.has_withdrawn(n))
    }
    teams = team_section(tournament, counting, options.teams, options.lowest)
    sections += [*([teams] if teams else []), *prize_sections(tournament, sections[0])]
    notes: tuple[Note, ...] = ()
    if any(points is None for row in made_by.values() for points in row.values()):
        notes = (
            Note("", "Points marked *: a round sat out counts as the average of the player’s other rounds.")
            if options.bye == "mean"
            else Note("", "Points marked *: a round sat out counts as zero."),
        )
    return Standings(tuple(sections), notes)
