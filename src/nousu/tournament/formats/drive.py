"""An evening of Minnesota or Norwegian Whist or of Huutopussi: fixed rounds, all points added up.

Pairs stay together (unit pairs), or everybody plays alone with a new partner every round (unit players).
Seats 1 and 3 are side A, seats 2 and 4 side B, and both partners get the points of their side.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, ClassVar

from nousu.engine.errors import BadRules
from nousu.engine.messages import Note, sentence
from nousu.extensions import Point, extension
from nousu.games import find
from nousu.tournament.drive_families import AddingUp
from nousu.tournament.form_fields import Field
from nousu.tournament.formats.base import (
    LOWEST_FIELD,
    RULES_FIELD,
    TEAMS_FIELD,
    all_begun,
    check_whole,
    enough_rounds,
    first_round,
    option_texts,
    option_values,
    read_options,
    unseated_todos,
)
from nousu.tournament.formats.drive_ranking import standings
from nousu.tournament.formats.drive_slip import DriveSlips
from nousu.tournament.messages import Refusal, Todo, refusal_of
from nousu.tournament.model import Called, Format, Json, Round, Standings, Tournament, order, round_of
from nousu.tournament.seating.pairings import full_rounds, round_robin, round_robin_apart, whist_drive

RULES: Mapping[str, Note] = {
    "conduct": Note("", "misconduct at the table, settled there"),
    "I6": Note("", "director’s ruling, in points of the event"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Drive:
    """The options of a drive."""

    preset: str = "minnesota"
    unit: str = "pairs"
    """pairs or players"""
    rounds: int = 6
    hands: int = 8
    """Number of hands of a round; 0 = any, and slips are checked less closely."""
    bye: str = "mean"
    """Points of a round of sitting out: mean (of one's own other rounds, rounded half up) or zero."""
    lowest: bool = False
    teams: int = 0

    name = "drive"
    title: ClassVar[str] = sentence("Whist drive")
    about: ClassVar[str] = sentence(
        "Minnesota, Norwegian Whist or Huutopussi: fixed rounds, all points added up."
    )
    fields: ClassVar[tuple[Field, ...]] = (
        RULES_FIELD,
        Field(
            "unit",
            sentence("Who enters"),
            sentence("Pairs stay together; players get a new partner every round."),
            choices=(("pairs", sentence("pairs")), ("players", sentence("single players"))),
        ),
        Field("rounds", sentence("Rounds"), "", 1, 60),
        Field("hands", sentence("Hands of a round"), sentence("0: as many as it takes."), 0, 60),
        Field(
            "bye",
            sentence("Points for sitting out a round"),
            "",
            choices=(
                ("mean", sentence("the average of the player’s other rounds")),
                ("zero", sentence("nothing")),
            ),
        ),
        LOWEST_FIELD,
        TEAMS_FIELD,
    )
    called: ClassVar[Called] = "round"
    everybody_meets: ClassVar[bool] = False
    length_option: ClassVar[str] = "rounds"

    @property
    def pairs(self) -> bool:
        """Whether pairs enter."""
        return self.unit == "pairs"

    @classmethod
    def from_json(cls, options: Mapping[str, Any]) -> "Drive":
        """The format from plain values; `Refusal` names the bad one."""
        drive = read_options(cls, options)
        check_whole("rounds", drive.rounds, 1, 60)
        check_whole("hands", drive.hands, 0, 60)
        check_whole("teams", drive.teams, 0, 50)
        for name, value, allowed in (("unit", drive.unit, "pairs players"), ("bye", drive.bye, "mean zero")):
            if value not in allowed.split():
                raise Refusal(
                    "{name} is {allowed}, not {value}",
                    values={"name": name, "allowed": " or ".join(allowed.split()), "value": value},
                    where="option",
                )
        try:
            game, rules = find(drive.preset)
        except BadRules as error:
            raise refusal_of(error) from None
        family = extension(AddingUp, Point.TOTALS, game.name)
        if game.sides != 2 or (family is not None and not family.adds_up(rules)):
            raise Refusal(
                "{preset}: the points of a round are not simply added up, so it cannot be a drive; use "
                "minnesota, norwegian_catsatcards, south_dakota, huutopussi or the like",
                values={"preset": drive.preset},
                where="preset",
            )
        return drive

    def to_json(self) -> Json:
        """The options as plain values, with the name of the format."""
        return {"name": self.name, **asdict(self)}

    def check_choice(self, before: Format | None) -> None:
        """Refuse a bye without points where the lowest sum wins: it would be the best result."""
        if (
            self.lowest
            and self.bye == "zero"
            and not (isinstance(before, Drive) and before.lowest and before.bye == "zero")
        ):
            raise Refusal(
                "where the lowest sum wins, a round sat out cannot score nothing, which would be the best "
                "result; use bye=mean",
                where="option",
                clause="2.6",
            )

    @property
    def texts(self) -> dict[str, str]:
        """The options as the form of `fields` shows them."""
        return option_texts(self.to_json())

    def from_texts(self, texts: Mapping[str, str]) -> "Drive":
        """The format of a filled form. `Refusal` names the option that cannot be."""
        return Drive.from_json(option_values(self.fields, texts))

    def facts(self, people: int, say: Callable[..., str]) -> list[str]:
        """Consequences of the format for this many people or pairs, in sentences."""
        seats = 2 if self.pairs else 4
        facts = [say("Tables in each round: {tables}.", tables=people // seats)]
        if people % seats:
            facts.append(say("Sitting out in each round: {count}.", count=people % seats))
        facts.append(say("Slips in all: {slips}.", slips=people // seats * self.rounds))
        return facts

    def rules(self) -> Mapping[str, Note]:
        """The rule numbers a penalty may name, with their texts."""
        return RULES

    # planning

    @property
    def _seats(self) -> int:
        return 2 if self.pairs else 4

    def check_round(self, tournament: Tournament, played: Round, *, all_sit: bool = True) -> None:
        """Raise `Refusal` if the tables of a round do not fit."""
        for key, table in played.named_tables():
            if len(table) not in (1, self._seats):
                raise Refusal(
                    "{seats} sit at a table, not {size}",
                    values={"seats": self._seats, "size": len(table)},
                    where=f"table {key}",
                )
        if order(played.label)[1] > self.rounds or order(played.label)[0]:
            raise Refusal(
                sentence("there is {rounds} round", "there are {rounds} rounds"),
                values={"rounds": self.rounds},
                where="round",
            )
        if all_sit:
            tournament.check_everybody_sits(played)

    def plan(self, tournament: Tournament, *, start: str, seed: int, seconds: float) -> tuple[Round, ...]:
        """The rounds that can be planned now, from label `start` on (empty: the first one not begun)."""
        none = sentence("there is no round {round} to plan; the event has {last}")
        first = first_round(tournament, start, self.rounds, none)
        numbers = tournament.playing(str(first))
        if len(numbers) < self._seats:
            raise Refusal(
                sentence("{count} is too few for a table", "{count} are too few for a table"),
                values={"count": len(numbers)},
            )
        count = self.rounds - first + 1
        apart = tournament.kept_apart()
        if self.pairs:
            rounds = self._pair_rounds(tournament, numbers, first, count, apart)
        else:
            partners, met, rested = self._history(tournament, first)
            rounds = whist_drive(
                numbers,
                count,
                seed=seed,
                seconds=seconds,
                partners=partners,
                met=met,
                rested=rested,
                apart=apart,
            )
        return tuple(Round(str(first + at), tables) for at, tables in enumerate(rounds))

    def with_newcomers(
        self, tables: Sequence[tuple[int, ...]], newcomers: Sequence[int]
    ) -> tuple[tuple[int, ...], ...]:
        """Newcomers at a table with those who sit out, if they are enough for one; else they sit out."""
        full = [table for table in tables if len(table) > 1]
        out = [number for table in tables if len(table) == 1 for number in table] + [*newcomers]
        while len(out) >= self._seats:
            full.append(tuple(out[: self._seats]))
            out = out[self._seats :]
        return (*full, *((number,) for number in out))

    def _pair_rounds(
        self,
        tournament: Tournament,
        numbers: tuple[int, ...],
        first: int,
        count: int,
        apart: Mapping[tuple[int, int], str],
    ) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The circle, continued if nothing has changed; else those of its rounds that repeat least."""
        if first == 1:
            return round_robin_apart(numbers, count, apart)
        _, met, rested = self._history(tournament, first)
        rounds = []
        turns = list(round_robin(numbers, max(1, full_rounds(len(numbers)))))
        for _ in range(count):
            best = min(turns, key=lambda tables: _again(tables, met, rested))
            rounds.append(best)
            for table in best:
                if len(table) == 1:
                    rested[table[0]] = rested.get(table[0], 0) + 1
                else:
                    pair = (min(table), max(table))
                    met[pair] = met.get(pair, 0) + 1
        return tuple(rounds)

    def _history(
        self, tournament: Tournament, before: int
    ) -> tuple[dict[tuple[int, int], int], dict[tuple[int, int], int], dict[int, int]]:
        """Partners, meetings and rests of the rounds before one."""
        partners: dict[tuple[int, int], int] = {}
        met: dict[tuple[int, int], int] = {}
        rested: dict[int, int] = {}
        for label, played in tournament.rounds.items():
            if order(label)[1] >= before:
                continue
            for table in played.tables:
                if len(table) == 1:
                    rested[table[0]] = rested.get(table[0], 0) + 1
                for (i, a), (j, b) in combinations(enumerate(table), 2):
                    pair = (min(a, b), max(a, b))
                    met[pair] = met.get(pair, 0) + 1
                    if j - i == 2:
                        partners[pair] = partners.get(pair, 0) + 1
        return partners, met, rested

    def stechen(self, tournament: Tournament) -> Round:
        """Raise a `Refusal`: there are no play-offs."""
        raise Refusal("a drive has no play-offs; equal points share the place")

    def void(self, tournament: Tournament) -> frozenset[str]:
        """Return no rounds: all of them count."""
        return frozenset()

    def check_change(self, tournament: Tournament, new: Format) -> None:
        """Raise `Refusal` if the options of `new` cannot be taken now."""
        assert isinstance(new, Drive)
        enough_rounds(tournament, new.rounds)
        if new.unit != self.unit and tournament.entrants:
            raise Refusal("people are already entered; the unit cannot be changed", where="option")

    def closed(self, tournament: Tournament) -> Note | None:
        """The reason for a closed list; None while people can join."""
        return all_begun(tournament, self.rounds)

    # slips

    @property
    def slips(self) -> DriveSlips:
        """The rules for writing and checking slips."""
        return DriveSlips(preset=self.preset, pairs=self.pairs, hands=self.hands)

    def check_table(self, tournament: Tournament, table: str) -> None:
        """Refuse nothing: every round stands."""

    # standings

    def unfinished(self, tournament: Tournament) -> tuple[Todo, ...]:
        """Steps still to be planned or decided; missing slips not included."""
        todos: list[Todo] = []
        if len(tournament.rounds) < self.rounds:
            values = {"planned": len(tournament.rounds), "rounds": self.rounds}
            note = Note("", "Planned rounds: only {planned} of {rounds}.", values)
            todos.append(Todo(note, "plan", start=tournament.next_round()))
        stale = [
            key
            for key, seats in tournament.tables()
            if tournament.slip(key).result is None
            and any(tournament.has_withdrawn(number, round_of(key)) for number in seats)
        ]
        if stale:
            note = Note(
                "", "Somebody who has withdrawn still sits at {tables}.", {"tables": ", ".join(stale)}
            )
            todos.append(Todo(note, "plan", start=round_of(stale[0])))
        return (*todos, *unseated_todos(tournament))

    def standings(self, tournament: Tournament) -> Standings:
        """The tables of results as far as confirmed slips reach."""
        return standings(self, tournament)


def _again(
    tables: tuple[tuple[int, ...], ...], met: Mapping[tuple[int, int], int], rested: Mapping[int, int]
) -> tuple[int, int]:
    """Numbers of rests and of meetings that these tables would repeat."""
    again = sum(met.get((min(table), max(table)), 0) for table in tables if len(table) == 2)
    return sum(rested.get(table[0], 0) for table in tables if len(table) == 1), again
