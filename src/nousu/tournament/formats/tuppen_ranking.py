"""Places of a Tuppen event, and the winner of the cup.

It is computed from all slips at each call.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, cast

from nousu.engine.messages import Note
from nousu.tournament.formats.ranking import (
    Criterion,
    Placed,
    prize_sections,
    rank_numbers,
    ruling_notes,
    team_section,
)
from nousu.tournament.formats.tuppen_slip import Places
from nousu.tournament.model import Section, Standings, StandingsRow, Tournament, order, round_of


class Options(Protocol):
    """The options of a Tuppen event that its ranks depend on."""

    @property
    def series(self) -> int:
        """Number of series."""
        ...

    @property
    def games(self) -> int:
        """Number of games in a series."""
        ...

    @property
    def most(self) -> int:
        """The largest table."""
        ...

    @property
    def place_points(self) -> tuple[int, ...]:
        """Points by place, winner first."""
        ...

    @property
    def lowest(self) -> bool:
        """Whether the lowest sum wins."""
        ...

    @property
    def teams(self) -> int:
        """Number of results that count for a team; 0 = no teams."""
        ...

    @property
    def cup(self) -> bool:
        """Whether a tie at the top is played off."""
        ...


@dataclass(frozen=True, slots=True)
class Cup:
    """The state of the race for the cup."""

    need: tuple[int, ...]
    """Numbers that can still win it; one number: that one has it. Empty before the series are over."""
    level: tuple[int, ...] = ()
    """Numbers that are level on points at the top."""
    playing: str = ""
    """The Stechen that is being played."""
    void: frozenset[str] = frozenset()
    """Stechen that decide nothing: others are level now, or other people won the Stechen before it."""
    shared: bool = False
    """True if all who were level have gone: nobody is left to play it off."""


def kind_of(tournament: Tournament, label: str) -> Options:
    """The options a series is played by."""
    return cast(Options, tournament.kind(label))


def scores(tournament: Tournament) -> dict[tuple[int, str], int]:
    """Points by number and series, from slips that count; the Stechen gives none (TU-ZK-I3).

    Where the lowest sum wins, missed games count as the worst place's points (A-U-24).
    """
    sums: dict[tuple[int, str], int] = {}
    for table, seats, result in tournament.counted_results():
        label = round_of(table)
        if label[0] == "S":
            continue
        points = kind_of(tournament, label).place_points
        for number in seats:
            sums[number, label] = 0
        assert isinstance(result, Places)
        for game in result.games:
            for number, earned in zip(game.order, points, strict=False):
                sums[number, label] += earned
            if _lowest(tournament):
                for number in seats:
                    if number not in game.order:
                        sums[number, label] += _worst(tournament, label)
    if _lowest(tournament):
        for label in dict.fromkeys(label for _, label in sums):
            missed = kind_of(tournament, label).games * _worst(tournament, label)
            for number in range(1, len(tournament.numbers) + 1):
                if all(number not in table for table in tournament.rounds[label].tables):
                    sums[number, label] = missed
    return sums


def _lowest(tournament: Tournament) -> bool:
    return cast(Options, tournament.format).lowest


def _worst(tournament: Tournament, label: str) -> int:
    """Points of the worst place of a game if the lowest sum wins."""
    kind = kind_of(tournament, label)
    return max(kind.place_points[: kind.most])


def totals(tournament: Tournament) -> dict[int, int]:
    """Tournament points by number, rulings included."""
    sums = {number: 0 for number in range(1, len(tournament.numbers) + 1)}
    for (number, _), points in scores(tournament).items():
        sums[number] += points
    for penalty in tournament.penalties:
        sums[penalty.number] += penalty.points
    return sums


def places(tournament: Tournament) -> tuple[Placed, ...]:
    """Ranks; if the lowest sum wins, those who have gone are behind all who finished (A-U-24)."""
    sums, lowest = totals(tournament), _lowest(tournament)
    criteria = [Criterion(lambda number, group: sums[number], "", lowest=lowest)]
    if lowest:
        gone = Criterion(lambda number, group: int(tournament.has_withdrawn(number)), "", lowest=True)
        criteria.insert(0, gone)
    shared = Note("TU-ZK-I3", "Shares place {rank} with {others}: the same points.")
    return rank_numbers(list(sums), criteria, tournament.who, shared)


def over(tournament: Tournament) -> bool:
    """Whether all series are planned and all their slips count."""
    planned = sum(label[0] != "S" for label in tournament.rounds)
    return planned == cast(Options, tournament.format).series and all(
        tournament.slip(key).state in ("confirmed", "accepted")
        for key, _ in tournament.tables()
        if key[0] != "S"
    )


def cup(tournament: Tournament, before: str = "") -> Cup:
    """The race for the cup as it stands (or stood before a round of the Stechen).

    A Stechen counts only as long as exactly those who are level now sit in it: a ruling or correction makes
    it void or lets it count again (TU-ZK-I4).
    """
    if not over(tournament):
        return Cup(())
    level = tuple(placed.number for placed in places(tournament) if placed.rank == 1)
    labels = sorted((label for label in tournament.rounds if label[0] == "S"), key=order)
    if before:
        labels = [label for label in labels if order(label) < order(before)]
    need, playing, void = level, "", set()
    for label in labels:
        staying = {number for number in need if not tournament.has_withdrawn(number, label)}
        seated = {number for table in tournament.rounds[label].tables for number in table}
        if len(staying) < 2 or seated != staying or playing:
            void.add(label)
            continue
        winners = [winner(tournament, key) for key in tournament.rounds[label].names()]
        if all(winners):
            need = tuple(winners)
        else:
            playing = label
    staying_now = tuple(number for number in need if not tournament.has_withdrawn(number, before or "S9999"))
    shared = len(need) > 1 and not staying_now
    if len(need) > 1 and staying_now and not playing:
        need = staying_now
    return Cup(need, level, playing, frozenset(void), shared)


def winner(tournament: Tournament, table: str) -> int:
    """The winner of a table of the Stechen; 0 while its slip does not count."""
    slip = tournament.slip(table)
    if slip.result is None or slip.state not in ("confirmed", "accepted"):
        return 0
    assert isinstance(slip.result, Places)
    return slip.result.games[0].order[0]


def standings(kind: Options, tournament: Tournament) -> Standings:
    """The tables of results as far as confirmed slips reach."""
    sums, by_round = totals(tournament), scores(tournament)
    labels = [str(number) for number in range(1, kind.series + 1)]
    rulings = {penalty.number: 0 for penalty in tournament.penalties if penalty.points}
    for penalty in tournament.penalties:
        if penalty.points:
            rulings[penalty.number] += penalty.points
    placed = places(tournament)
    notes, reasons, settled = _cup_notes(kind, tournament)
    rows = tuple(
        StandingsRow(
            row.rank,
            row.number,
            tournament.holders(row.number),
            tournament.entrant(row.number).team,
            (
                sums[row.number],
                *(by_round.get((row.number, label), "") for label in labels),
                *((rulings.get(row.number, ""),) if rulings else ()),
            ),
            (
                *ruling_notes(tournament, row.number),
                *_withdrawal_note(kind, tournament, row.number),
                *row.why,
                *reasons.get(row.number, ()),
            ),
        )
        for row in placed
    )
    columns = ("points", *labels, *(("rulings",) if rulings else ()))
    sections = [Section(Note("TU-ZK-I3", "Standings"), columns, rows, key="standings")]
    counting = {n: points for n, points in sums.items() if not (kind.lowest and tournament.has_withdrawn(n))}
    teams = team_section(tournament, counting, kind.teams, kind.lowest)
    sections += [*([teams] if teams else []), *prize_sections(tournament, sections[0])]
    return Standings(tuple(sections), notes, settled)


def _withdrawal_note(kind: Options, tournament: Tournament, number: int) -> tuple[Note, ...]:
    """The reason why a person with few points stands last."""
    if not kind.lowest or not tournament.has_withdrawn(number):
        return ()
    return (Note("5.5", "Has withdrawn: ranked behind all who finished."),)


def _cup_notes(
    kind: Options, tournament: Tournament
) -> tuple[tuple[Note, ...], Mapping[int, tuple[Note, ...]], tuple[int, ...]]:
    """Notes on the cup, for all and beside a rank, and the holders of the cup if several were level."""
    race = cup(tournament)
    if not kind.cup or not race.need:
        return (), {}, ()
    old: tuple[Note, ...] = tuple(
        Note("TU-ZK-I4", "Stechen {round} no longer decides: others are level since then.", {"round": label})
        for label in sorted(race.void, key=order)
    )
    if race.shared:
        names = ", ".join(map(tournament.who, race.need))
        note = Note(
            "TU-ZK-I4",
            "{names} share the cup: all of them had left before a play-off (Stechen).",
            {"names": names},
        )
        return (note, *old), {}, race.need
    if len(race.need) > 1:
        names = ", ".join(map(tournament.who, race.need))
        note = Note(
            "TU-ZK-I4", "A play-off (Stechen) among {names} decides who gets the cup.", {"names": names}
        )
        return (note, *old), {}, ()
    has = race.need[0]
    beside: dict[int, tuple[Note, ...]] = {}
    if len(race.level) > 1:
        won = Note("TU-ZK-I4", "Takes the cup: won the Stechen. The published points stay as they are.")
        if not {label for label in tournament.rounds if label[0] == "S"} - race.void:
            won = Note("TU-ZK-I4", "Takes the cup: the others who were level have withdrawn.")
        lost = Note("TU-ZK-I4", "Second for the cup after the Stechen; shares the place all the same.")
        beside = {number: (won,) if number == has else (lost,) for number in race.level}
    note = Note("TU-ZK-I3", "The cup goes to {name}.", {"name": tournament.who(has)})
    return (note, *old), beside, (has,) if len(race.level) > 1 else ()
