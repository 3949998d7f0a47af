"""Ranks of a Tuppi championship: the tables of the pools and the cup.

Pool places: match points 2/1/0, then the sum of all points collected while rising, then the sum of the
highest rises, then the matches among those still level, then the lot (docs/host/tournament.md).
"""

from typing import Protocol

from nousu.engine.messages import Note, sentence
from nousu.tournament.draw import draw
from nousu.tournament.formats.ranking import Criterion, Placed, rank_numbers, ruling_notes
from nousu.tournament.formats.tuppi_slip import MatchResult
from nousu.tournament.model import Section, StandingsRow, Tournament, order


class Options(Protocol):
    """The options of a Tuppi event that its ranks depend on."""

    @property
    def pools(self) -> int:
        """Number of pools; 0 = cup only."""
        ...

    @property
    def legs(self) -> int:
        """Number of meetings of two pairs of a pool."""
        ...


def pool_of(options: Options, number: int) -> int:
    """The pool of a number, from 0; the draw of numbers is the draw of pools."""
    return (number - 1) % options.pools


def pool_figures(options: Options, tournament: Tournament, at: int) -> dict[int, dict[str, int]]:
    """Match points, matches, sums and rises of the pairs of a pool."""
    zero = {"match": 0, "won": 0, "drawn": 0, "lost": 0, "sum": 0, "peak": 0, "played": 0}
    numbers = range(1, len(tournament.numbers) + 1)
    figures = {number: dict(zero) for number in numbers if pool_of(options, number) == at}
    for table, seats, result in tournament.counted_results():
        if table[0] == "C" or seats[0] not in figures:
            continue
        assert isinstance(result, MatchResult)
        for side, number in enumerate(seats):
            row, points = figures[number], result.match_points(side)
            row["played"] += 1
            row[("lost", "drawn", "won")[points]] += 1
            row["match"] += points
            row["sum"] += result.total[side]
            row["peak"] += result.peak[side]
    for winner, loser in left_unplayed(options, tournament, at):
        for number, how in ((winner, "won"), (loser, "lost")):
            figures[number]["played"] += 1
            figures[number][how] += 1
        figures[winner]["match"] += 2
    for penalty in tournament.penalties:
        if penalty.number in figures:
            figures[penalty.number]["match"] += penalty.points
    return figures


def left_unplayed(options: Options, tournament: Tournament, at: int) -> list[tuple[int, int]]:
    """Matches (winner, loser) that stand in no plan because a pair had withdrawn when it was made.

    A pair that withdraws forfeits its remaining matches.
    """
    met: dict[frozenset[int], int] = {}
    for label, played in tournament.rounds.items():
        for table in played.tables if label[0] != "C" else ():
            for number in table:
                met.setdefault(frozenset((number,)), 0)
            met[frozenset(table)] = met.get(frozenset(table), 0) + 1
    pool = [
        number
        for number in range(1, len(tournament.numbers) + 1)
        if pool_of(options, number) == at and frozenset((number,)) in met
    ]
    return [
        (stays, left)
        for left in pool
        if tournament.has_withdrawn(left)
        for stays in pool
        if not tournament.has_withdrawn(stays)
        for _ in range(options.legs - met.get(frozenset((stays, left)), 0))
    ]


def _pool_matches(
    options: Options, tournament: Tournament, at: int
) -> list[tuple[tuple[int, ...], tuple[int, int]]]:
    """The matches of a pool, those won without play too: the pairs, and the match points of each."""
    matches: list[tuple[tuple[int, ...], tuple[int, int]]] = []
    for table, seats, result in tournament.counted_results():
        if table[0] != "C" and pool_of(options, seats[0]) == at:
            assert isinstance(result, MatchResult)
            matches.append((seats, (result.match_points(0), result.match_points(1))))
    return matches + [(match, (2, 0)) for match in left_unplayed(options, tournament, at)]


def pool_places(options: Options, tournament: Tournament, at: int) -> tuple[Placed, ...]:
    """The order of a pool, with reasons."""
    figures = pool_figures(options, tournament, at)
    matches = _pool_matches(options, tournament, at)

    def among(number: int, group: tuple[int, ...]) -> int:
        return sum(
            points[seats.index(number)]
            for seats, points in matches
            if number in seats and all(seat in group for seat in seats)
        )

    def all_met(group: tuple[int, ...]) -> bool:
        met = {frozenset(seats) for seats, _ in matches}
        return all(frozenset((a, b)) in met for a in group for b in group if a < b)

    def lot(number: int, group: tuple[int, ...]) -> int:
        label = f"lot pool {chr(65 + at)}"
        drawn = draw(tournament.seed, [tournament.entrant(member).name for member in group], label)
        return drawn.index(group.index(number)) + 1

    criteria = [
        Criterion(lambda number, group: figures[number]["match"], ""),
        Criterion(
            lambda number, group: figures[number]["sum"],
            sentence(
                "Level with {others} on match points; the sum of points collected while rising decides: "
                "{own} against {theirs}."
            ),
            "5.1",
        ),
        Criterion(
            lambda number, group: figures[number]["peak"],
            sentence(
                "Level with {others} on match points and sum; the highest rises decide: "
                "{own} against {theirs}."
            ),
            "5.1",
        ),
        Criterion(
            among,
            sentence(
                "Level with {others} on match points, sum and rises; their own matches decide: "
                "{own} match points against {theirs}."
            ),
            "5.1",
            applies=all_met,
        ),
        Criterion(
            lot,
            sentence(
                "Level with {others} on everything; a lot taken from the seed of the draw decides: "
                "drawn as number {own}, the others {theirs}."
            ),
            "5.1",
            lowest=True,
            applies=lambda group: any(figures[number]["played"] for number in group),
        ),
    ]
    shared = Note("", "Shares place {rank} with {others}: no match of theirs counts yet.")
    return rank_numbers(list(figures), criteria, tournament.who, shared)


def pool_section(options: Options, tournament: Tournament, at: int) -> Section:
    """The table of a pool (from 0)."""
    figures = pool_figures(options, tournament, at)
    rows = []
    for place in pool_places(options, tournament, at):
        figure = figures[place.number]
        entrant = tournament.entrant(place.number)
        cells = tuple(figure[name] for name in ("match", "played", "won", "drawn", "lost", "sum", "peak"))
        why = (*ruling_notes(tournament, place.number), *place.why)
        name = tournament.holders(place.number)
        rows.append(StandingsRow(place.rank, place.number, name, entrant.team, cells, why))
    title = Note("5.1", "Pool {pool}", {"pool": chr(65 + at)})
    if options.pools == 1:
        title = Note("5.1", "Round robin")
    columns = ("match points", "played", "won", "drawn", "lost", "sum", "rises")
    return Section(title, columns, tuple(rows), key=f"pool {chr(65 + at)}")


def cup_section(tournament: Tournament) -> Section:
    """The table of the cup: the later a pair went out, the better; those out together share the place."""
    cups = [played for label, played in tournament.rounds.items() if label[0] == "C"]
    stage: dict[int, int] = {}
    lost: dict[int, Note] = {}
    for depth, played in enumerate(cups):
        deciding = deciding_tables(tournament, played.label)
        for at, (key, seats) in enumerate(played.named_tables()):
            third = at >= deciding
            for number in seats:
                if not third:
                    stage[number] = 2 * depth
            slip = tournament.slip(key)
            if len(seats) < 2 or slip.result is None or slip.state not in ("confirmed", "accepted"):
                if len(seats) == 1:
                    stage[seats[0]] = 2 * depth + 2
                continue
            assert isinstance(slip.result, MatchResult)
            won, out = seats[slip.result.winner], seats[1 - slip.result.winner]
            values: dict[str, int | str] = {"other": tournament.who(won), "table": key}
            if third:
                stage[won] += 1
                continue
            stage[won] = 2 * depth + 2
            lost[out] = Note("5.1", "Lost to {other} at table {table}.", values)
    shared = Note("5.1", "Shares place {rank} with {others}: went out in the same round, or still in.")
    criterion = Criterion(lambda number, group: stage[number], "")
    rows = []
    for place in rank_numbers(list(stage), [criterion], tournament.who, shared):
        number, entrant = place.number, tournament.entrant(place.number)
        why = (*((lost[number],) if number in lost else ()), *place.why)
        name = tournament.holders(number)
        rows.append(StandingsRow(place.rank, number, name, entrant.team, (stage[number] // 2,), why))
    return Section(Note("5.1", "Cup"), ("rounds",), tuple(rows), key="cup rounds")


def deciding_tables(tournament: Tournament, label: str) -> int:
    """Number of tables of a cup round that lead on: half as many as before.

    A match for the third place stands behind them.
    """
    return len(tournament.rounds["C1"].tables) >> (order(label)[1] - 1)
