"""Tuppen as the ZK plays it: tables of three to five, series of games, 5-3-2-1-0, a Stechen for the cup."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from nousu.engine.errors import BadRules
from nousu.engine.messages import Note, sentence
from nousu.games import find, tuppen
from nousu.tournament.draw import draw
from nousu.tournament.form_fields import LETTERS, Field
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
    table_sizes,
    unseated_todos,
)
from nousu.tournament.formats.tuppen_ranking import cup, over, scores, standings
from nousu.tournament.formats.tuppen_slip import PENALTIES, TuppenSlips
from nousu.tournament.messages import Refusal, Todo, refusal_of
from nousu.tournament.model import Called, Format, Json, Round, Standings, Tournament, order, round_of
from nousu.tournament.seating.planner import mixes, plan_seating


@dataclass(frozen=True, slots=True, kw_only=True)
class TuppenSeries:
    """The options of a Tuppen event; the defaults are the ZK's (preset tuppen_zk_tournament)."""

    preset: str = "tuppen_zk_tournament"
    series: int = 5
    games: int = 2
    least: int = 3
    most: int = 5
    place_points: tuple[int, ...] = (5, 3, 2, 1, 0)
    lowest: bool = False
    """True if the lowest sum wins."""
    teams: int = 0
    """Number of results that count for a team; 0 = no teams."""
    cup: bool = True
    """True if a tie at the top is played off."""

    name = "tuppen"
    title: ClassVar[str] = sentence("Tuppen evening (ZK)")
    about: ClassVar[str] = sentence(
        "Tables of three to five, five series of two games, a Stechen for the cup."
    )
    fields: ClassVar[tuple[Field, ...]] = (
        RULES_FIELD,
        Field("series", sentence("Series"), sentence("How often everybody gets a new table."), 1, 30),
        Field(
            "games",
            sentence("Games in a series"),
            sentence("How many are played before everybody changes tables."),
            1,
            10,
        ),
        Field("least", sentence("Smallest table"), "", 2, 8),
        Field("most", sentence("Largest table"), "", 2, 8),
        Field(
            "place_points",
            sentence("Points by place"),
            sentence("The winner first, with commas between them: 5,3,2,1,0."),
        ),
        Field(
            "cup",
            sentence("A tie at the top is played off"),
            sentence("A play-off (Stechen), for the cup only."),
        ),
        LOWEST_FIELD,
        TEAMS_FIELD,
    )
    everybody_meets: ClassVar[bool] = False
    length_option: ClassVar[str] = "series"
    called: ClassVar[Called] = "series"
    pairs = False

    @classmethod
    def from_json(cls, options: Mapping[str, Any]) -> "TuppenSeries":
        """The format from plain values; `Refusal` names the bad one."""
        event = read_options(cls, options)
        check_whole("series", event.series, 1, 30)
        check_whole("games", event.games, 1, 10)
        check_whole("least", event.least, 2, 8)
        check_whole("most", event.most, event.least, 8)
        check_whole("teams", event.teams, 0, 50)
        try:
            rules = find(event.preset)[1]
        except BadRules as error:
            raise refusal_of(error) from None
        if not (isinstance(rules, tuppen.Rules) and rules.dead_playoff):
            raise Refusal(
                "{preset} is not a rule set for a Tuppen tournament: players who go out together "
                "must play off the places",
                values={"preset": event.preset},
                where="preset",
                clause="A-U-17",
            )
        standard = tuppen.PRESETS["tuppen_zk_tournament"]
        for option in ("game_form", "last_jack", "raise_in_answer"):
            if getattr(rules, option) != getattr(standard, option):
                raise Refusal(
                    "{preset} is not a rule set for a Tuppen tournament: slips and the assistant do not know "
                    "{option}",
                    values={"preset": event.preset, "option": option},
                    where="preset",
                    clause="A-U-36",
                )
        if len(event.place_points) < event.most:
            raise Refusal(
                "a table of {most} needs as many place points; given: {points}",
                values={"most": event.most, "points": len(event.place_points)},
                where="place_points",
                clause="TU-ZK-I1b",
            )
        return event

    def to_json(self) -> Json:
        """The options as plain values, with the name of the format."""
        return {"name": self.name, **asdict(self), "place_points": list(self.place_points)}

    def check_choice(self, before: Format | None) -> None:
        """Refuse nothing."""

    @property
    def texts(self) -> dict[str, str]:
        """The options as the form of `fields` shows them."""
        return option_texts(self.to_json())

    def from_texts(self, texts: Mapping[str, str]) -> "TuppenSeries":
        """The format of a filled form. `Refusal` names the option that cannot be."""
        return TuppenSeries.from_json(option_values(self.fields, texts))

    def facts(self, people: int, say: Callable[..., str]) -> list[str]:
        """Consequences of the format for this many people or pairs, in sentences."""
        sizes = mixes(people, self.least, self.most)[0]
        return [
            say("Tables in each series: {tables}.", tables=table_sizes(sizes, say)),
            say(
                sentence("Everybody plays {games} game.", "Everybody plays {games} games."),
                games=self.series * self.games,
            ),
            *(
                say(
                    "Points at a table of {size}: {points}.",
                    size=size,
                    points=" – ".join(map(str, self.place_points[:size])),
                )
                for size in sorted(set(sizes), reverse=True)
            ),
            say("Slips in all: {slips}.", slips=len(sizes) * self.series),
        ]

    def rules(self) -> Mapping[str, Note]:
        """The rule numbers a penalty may name, with their texts."""
        return PENALTIES

    # planning

    def check_round(self, tournament: Tournament, played: Round, *, all_sit: bool = True) -> None:
        """Raise `Refusal` if the tables of a round do not fit."""
        sizes = [len(table) for table in played.tables]
        least, most = (2, len(LETTERS)) if played.label[0] == "S" else (self.least, self.most)
        for key, size in zip(played.names(), sizes, strict=True):
            if not least <= size <= most:
                raise Refusal(
                    "a table of {size}; tables have {least} to {most}",
                    values={"size": size, "least": least, "most": most},
                    where=f"table {key}",
                    clause="TU-ZK-I1a",
                )
        if played.label[0] == "S":
            self._check_stechen(tournament, played)
            return
        if order(played.label)[1] > self.series:
            raise Refusal(
                sentence("there is {series} series", "there are {series} series"),
                values={"series": self.series},
                where="round",
            )
        if all_sit:
            tournament.check_everybody_sits(played)

    def plan(self, tournament: Tournament, *, start: str, seed: int, seconds: float) -> tuple[Round, ...]:
        """The rounds that can be planned now, from label `start` on (empty: the first one not begun)."""
        none = sentence("there is no series {round} to plan; the event has {last}")
        first = first_round(tournament, start, self.series, none)
        numbers = tournament.playing(str(first))
        mixes(len(numbers), self.least, self.most)
        met: dict[tuple[int, int], int] = {}
        small: dict[int, int] = {}
        for label, played in tournament.rounds.items():
            if label[0] != "S" and order(label) < (0, first):
                largest = max(map(len, played.tables))
                for table in played.tables:
                    for a in table:
                        small[a] = small.get(a, 0) + (len(table) < largest)
                        for b in table:
                            if a < b:
                                met[a, b] = met.get((a, b), 0) + 1
        seating = plan_seating(
            numbers,
            self.series - first + 1,
            least=self.least,
            most=self.most,
            met=met,
            small=small,
            start=self._carried_on(tournament, first, numbers),
            apart=tournament.kept_apart(),
            seed=seed,
            seconds=seconds,
        )
        labels = [str(number) for number in range(first, self.series + 1)]
        return tuple(Round(label, tables) for label, tables in zip(labels, seating.rounds, strict=True))

    def _carried_on(
        self, tournament: Tournament, first: int, numbers: Sequence[int]
    ) -> list[list[list[int]]] | None:
        """The old plan of these rounds without those who left, newcomers at the smallest tables.

        None where there is none or a table gets too small or too large.
        """
        carried = []
        for number in range(first, self.series + 1):
            old = tournament.rounds.get(str(number))
            if old is None:
                return None
            tables = [[number for number in table if number in numbers] for table in old.tables]
            seated = {number for table in tables for number in table}
            for newcomer in numbers:
                if newcomer not in seated:
                    min(tables, key=len).append(newcomer)
            sizes = [len(table) for table in tables]
            if min(sizes) < self.least or max(sizes) > self.most or max(sizes) - min(sizes) > 1:
                return None
            carried.append(tables)
        return carried

    def with_newcomers(
        self, tables: Sequence[tuple[int, ...]], newcomers: Sequence[int]
    ) -> tuple[tuple[int, ...], ...] | None:
        """Newcomers at the smallest tables, behind those who sit there; None where all tables are full."""
        new = list(tables)
        for number in newcomers:
            at = min(range(len(new)), key=lambda at: len(new[at]))
            new[at] = (*new[at], number)
        return tuple(new) if max(map(len, new)) <= self.most else None

    def _check_stechen(self, tournament: Tournament, played: Round) -> None:
        """Refuse a Stechen of others than exactly those who are level."""
        need = cup(tournament, played.label).need if self.cup else ()
        if sorted(need) != sorted(number for table in played.tables for number in table) or len(need) < 2:
            raise Refusal(
                "Stechen {round} is played by exactly those who are level at the top: {names}",
                values={"round": played.label, "names": ", ".join(map(tournament.who, need)) or "-"},
                clause="TU-ZK-I4",
            )

    def stechen(self, tournament: Tournament) -> Round:
        """The next play-off for the cup; `Refusal` if nothing is left to decide."""
        if not self.cup:
            raise Refusal("this event has no cup to play off", clause="TU-ZK-I3")
        if not over(tournament):
            raise Refusal("the series are not over: slips are missing or not confirmed", clause="TU-ZK-I3")
        race = cup(tournament)
        if len(race.need) < 2 or race.shared:
            raise Refusal(
                "{name} has the cup; there is nothing to play off",
                values={"name": ", ".join(map(tournament.who, race.need))},
                clause="TU-ZK-I4",
            )
        if race.playing:
            raise Refusal("the Stechen {round} is still being played", values={"round": race.playing})
        played = [order(label)[1] for label in tournament.rounds if label[0] == "S"]
        new = f"S{max(played, default=0) + 1}"
        leaders = race.need
        if len(leaders) <= len(LETTERS):
            return Round(new, (tuple(leaders),))
        lot = draw(tournament.seed, [tournament.entrant(number).name for number in leaders], f"Stechen {new}")
        drawn = iter([leaders[at] for at in lot])
        sizes = mixes(len(leaders), 3, 5)[0]
        return Round(new, tuple(tuple(next(drawn) for _ in range(size)) for size in sizes))

    def void(self, tournament: Tournament) -> frozenset[str]:
        """The labels of play-offs that decide nothing any more."""
        if not any(label[0] == "S" for label in tournament.rounds):
            return frozenset()
        return cup(tournament).void

    def check_change(self, tournament: Tournament, new: Format) -> None:
        """Raise `Refusal` if the options of `new` cannot be taken now."""
        assert isinstance(new, TuppenSeries)
        enough_rounds(tournament, new.series)
        if not new.cup and any(label[0] == "S" for label in tournament.rounds):
            raise Refusal("the Stechen is already planned; undo its plan first", where="option")

    def closed(self, tournament: Tournament) -> Note | None:
        """The reason for a closed list; None while people can join."""
        return all_begun(tournament, self.series)

    # slips

    @property
    def slips(self) -> TuppenSlips:
        """The rules for writing and checking slips."""
        return TuppenSlips(preset=self.preset, games=self.games, place_points=self.place_points)

    def check_table(self, tournament: Tournament, table: str) -> None:
        """Raise `Refusal` if a play-off (Stechen) no longer decides."""
        label = round_of(table)
        if label in self.void(tournament):
            raise Refusal(
                "Stechen {round} no longer decides: others are level since then; plan it again",
                values={"round": label},
                where="table",
                clause="TU-ZK-I4",
            )

    # standings

    def scores(self, tournament: Tournament) -> dict[tuple[int, str], int]:
        """Points by number and series, from slips that count."""
        return scores(tournament)

    def unfinished(self, tournament: Tournament) -> tuple[Todo, ...]:
        """Steps still to be planned or decided; missing slips not included."""
        todos: list[Todo] = []
        planned = sum(label[0] != "S" for label in tournament.rounds)
        if planned != self.series:
            values = {"planned": planned, "series": self.series}
            note = Note("TU-ZK-I1a", "Planned series: only {planned} of {series}.", values)
            todos.append(Todo(note, "plan", start=tournament.next_round()))
        race = cup(tournament) if self.cup else None
        if race is not None and len(race.need) > 1 and not race.shared and not race.playing:
            names = ", ".join(map(tournament.who, race.need))
            note = Note(
                "TU-ZK-I4",
                "{names} are level at the top; a play-off (Stechen) decides who gets the cup.",
                {"names": names},
            )
            todos.append(Todo(note, "stechen"))
        return (*todos, *unseated_todos(tournament))

    def standings(self, tournament: Tournament) -> Standings:
        """The tables of results as far as confirmed slips reach."""
        return standings(self, tournament)
