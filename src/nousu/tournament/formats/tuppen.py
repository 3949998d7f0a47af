"""Tuppen as the ZK plays it: tables of three to five, series of games, 5-3-2-1-0, a Stechen for the cup.

A slip says, game by game, who stayed longest. Three ways to write a game, seats being a, b, c …:

* ``bdac`` — the places, winner first;
* ``5,1,3,2`` — the points in seat order (``-`` for somebody who withdrew);
* ``-e!IV7,c=d,b`` — who went out, in the order of time: e at once by a penalty, then c and d together
  (c won the play-off for the better place), then b; who is left has won.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from nousu.engine.errors import BadRules
from nousu.engine.messages import Note, sentence
from nousu.games import find, tuppen
from nousu.tournament.draw import draw
from nousu.tournament.formats.options import checked, whole
from nousu.tournament.formats.rounds import all_begun, enough_rounds, first_round, unseated
from nousu.tournament.formats.tuppen_ranking import cup, over, scores, standings
from nousu.tournament.messages import Refusal, Todo, refused
from nousu.tournament.model import (
    Called,
    Chair,
    Format,
    Json,
    Round,
    Seated,
    Standings,
    Tournament,
    Written,
    order,
)
from nousu.tournament.seating.planner import mixes, plan_seating

LETTERS = "abcdefgh"
"""The seats of a table; a Stechen may have eight (A-U-25)."""

PENALTIES: Mapping[str, Note] = {
    **{rule: Note(offence.clause, offence.listed) for rule, offence in tuppen.PENALTIES.items()},
    "IV9": tuppen.WRONG_CLAIM,
    "I6": Note("TU-ZK-I6", "director’s ruling, in tournament points"),
}
"""What may be booked at an event, by the number of the rule: the game's penalties and the direction's own."""


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
    """The lowest sum wins."""
    teams: int = 0
    """How many results count for a team; 0 = no teams."""
    cup: bool = True
    """A tie at the top is played off."""

    name = "tuppen"
    everybody_meets: ClassVar[bool] = False
    length_option: ClassVar[str] = "series"
    slip: ClassVar[Written] = "places"
    called: ClassVar[Called] = "series"
    pairs = False

    @classmethod
    def from_json(cls, options: Mapping[str, Any]) -> "TuppenSeries":
        """The format from plain values; `Refusal` names the bad one."""
        one = checked(cls, options)
        whole("series", one.series, 1, 30)
        whole("games", one.games, 1, 10)
        whole("least", one.least, 2, 8)
        whole("most", one.most, one.least, 8)
        whole("teams", one.teams, 0, 50)
        try:
            rules = find(one.preset)[1]
        except BadRules as error:
            raise refused(error) from None
        if not (isinstance(rules, tuppen.Rules) and rules.dead_playoff):
            raise Refusal(
                "{preset} is not a rule set for a Tuppen tournament: players who go out together "
                "must play off the places",
                values={"preset": one.preset},
                where="preset",
                clause="A-U-17",
            )
        if len(one.place_points) < one.most:
            raise Refusal(
                "a table of {most} needs as many place points; given: {points}",
                values={"most": one.most, "points": len(one.place_points)},
                where="place_points",
                clause="TU-ZK-I1b",
            )
        return one

    def to_json(self) -> Json:
        return {"name": self.name, **asdict(self), "place_points": list(self.place_points)}

    def check_choice(self, before: Format | None) -> None:
        pass

    def rules(self) -> Mapping[str, Note]:
        return PENALTIES

    # planning

    def check_round(self, tournament: Tournament, played: Round) -> None:
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
        tournament.check_everybody_sits(played)

    def plan(self, tournament: Tournament, *, start: str, seed: int, seconds: float) -> tuple[Round, ...]:
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
        """The old plan of these rounds without those who left, newcomers at the smallest tables; None
        where there is none or a table gets too small or too large."""
        carried = []
        for number in range(first, self.series + 1):
            old = tournament.rounds.get(str(number))
            if old is None:
                return None
            tables = [[one for one in table if one in numbers] for table in old.tables]
            seated = {one for table in tables for one in table}
            for newcomer in numbers:
                if newcomer not in seated:
                    min(tables, key=len).append(newcomer)
            sizes = [len(table) for table in tables]
            if min(sizes) < self.least or max(sizes) > self.most or max(sizes) - min(sizes) > 1:
                return None
            carried.append(tables)
        return carried

    def _check_stechen(self, tournament: Tournament, played: Round) -> None:
        """Exactly those who are level play for the cup."""
        need = cup(tournament, played.label).need if self.cup else ()
        if sorted(need) != sorted(number for table in played.tables for number in table) or len(need) < 2:
            raise Refusal(
                "Stechen {round} is played by exactly those who are level at the top: {names}",
                values={"round": played.label, "names": ", ".join(map(tournament.who, need)) or "-"},
                clause="TU-ZK-I4",
            )

    def stechen(self, tournament: Tournament) -> Round:
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
        lot = draw(tournament.seed, [tournament.who(number) for number in leaders], f"Stechen {new}")
        drawn = iter([leaders[at] for at in lot])
        sizes = mixes(len(leaders), 3, 5)[0]
        return Round(new, tuple(tuple(next(drawn) for _ in range(size)) for size in sizes))

    def void(self, tournament: Tournament) -> frozenset[str]:
        if not any(label[0] == "S" for label in tournament.rounds):
            return frozenset()
        return cup(tournament).void

    def check_change(self, tournament: Tournament, new: Format) -> None:
        assert isinstance(new, TuppenSeries)
        enough_rounds(tournament, new.series)
        if not new.cup and any(label[0] == "S" for label in tournament.rounds):
            raise Refusal("the Stechen is already planned; undo its plan first", where="option")

    def closed(self, tournament: Tournament) -> Note | None:
        return all_begun(tournament, self.series)

    # slips

    def games_at(self, table: str) -> int:
        """How many games the slip of a table has."""
        return 1 if table[0] == "S" else self.games

    def lines_at(self, table: str) -> int:
        return 0

    def _present(self, tournament: Tournament, table: str, game: int) -> list[int]:
        label = table.partition(".")[0]
        return [one for one in tournament.seats(table) if not tournament.gone(one, label, game)]

    def parse(self, tournament: Tournament, table: str, words: tuple[str, ...]) -> Json:
        seats = tournament.seats(table)
        if len(words) != self.games_at(table):
            raise Refusal(
                sentence(
                    "{count} game is given, the slip has {games}: one word a game, for example {example}",
                    "{count} games are given, the slip has {games}: one word a game, for example {example}",
                ),
                values={
                    "count": len(words),
                    "games": self.games_at(table),
                    "example": " ".join([LETTERS[: len(seats)][::-1]] * self.games_at(table)),
                },
                where="result",
            )
        games: list[dict[str, Any]] = []
        for game, word in enumerate(words, 1):
            present = self._present(tournament, table, game)
            where = f"game {game}"
            if not present and word == "-":
                games.append({"order": []})
            elif word.startswith("-") and word.lstrip("-,0123456789") != "":
                games.append(_from_deaths(word[1:], seats, present, where))
            elif any(sign.isdigit() for sign in word):
                games.append({"order": self._from_points(tournament, word, seats, present, where)})
            else:
                games.append({"order": [_seat(letter, seats, where) for letter in word.lower()]})
        return {"games": games}

    def _from_points(
        self, tournament: Tournament, word: str, seats: Sequence[int], present: Sequence[int], where: str
    ) -> list[int]:
        """The order from points in seat order."""
        run = "," not in word and len(word) > 1 and max(self.place_points) < 10
        parts = list(word) if run else word.split(",")
        if len(parts) != len(seats):
            raise Refusal(
                sentence(
                    "{count} figure is given, but the table has {seats} seats",
                    "{count} figures are given, but the table has {seats} seats",
                ),
                values={"count": len(parts), "seats": len(seats)},
                where=where,
            )
        points: dict[int, int] = {}
        for number, part in zip(seats, parts, strict=True):
            if number in present:
                if not part.strip().isdecimal():
                    raise Refusal("{part} is not a number of points", values={"part": part}, where=where)
                points[number] = int(part)
            elif part.strip() not in ("-", "0"):
                raise Refusal(
                    "{name} has withdrawn and gets no points; write - there",
                    values={"name": tournament.who(number)},
                    where=where,
                    clause="5.5",
                )
        due = self.place_points[: len(present)]
        if not due:
            return []
        if len(due) < len(present):
            raise Refusal(
                "there are no points for this many places; write them by letters, winner first",
                where=where,
                clause="A-U-25",
            )
        winners = [number for number in points if points[number] == due[0]]
        if len(winners) > due.count(due[0]):
            raise Refusal(
                sentence(
                    "two winners: {names} have {points} point each",
                    "two winners: {names} have {points} points each",
                ),
                values={"names": ", ".join(map(tournament.who, winners)), "points": due[0]},
                where=where,
                clause="TU-ZK-I1b",
            )
        if sum(points.values()) != sum(due):
            raise Refusal(
                sentence(
                    "{count} player shares {due}, but the points add up to {sum}",
                    "{count} players share {due}, but the points add up to {sum}",
                ),
                values={"sum": sum(points.values()), "count": len(present), "due": sum(due)},
                where=where,
                clause="TU-ZK-I1b",
            )
        if sorted(points.values()) != sorted(due):
            raise Refusal(
                "the points must be {due}, each once",
                values={"due": ", ".join(map(str, due))},
                where=where,
                clause="TU-ZK-I1b",
            )
        return sorted(points, key=lambda number: due.index(points[number]))

    def check(self, tournament: Tournament, table: str, result: Json) -> None:
        seats = tournament.seats(table)
        if table.partition(".")[0] in self.void(tournament):
            raise Refusal(
                "Stechen {round} no longer decides: others are level since then; plan it again",
                values={"round": table.partition(".")[0]},
                where="table",
                clause="TU-ZK-I4",
            )
        games = result["games"]
        if len(games) != self.games_at(table):
            raise Refusal(
                sentence(
                    "{count} game is given, the slip has {games}",
                    "{count} games are given, the slip has {games}",
                ),
                values={"count": len(games), "games": self.games_at(table)},
                where="result",
            )
        for game, played in enumerate(games, 1):
            where = f"game {game}"
            present, found = self._present(tournament, table, game), played["order"]
            for number in found:
                if number not in seats:
                    raise Refusal(
                        "number {number} does not sit at table {table}",
                        values={"number": number, "table": table},
                        where=where,
                    )
                if number not in present:
                    raise Refusal(
                        "{name} has withdrawn and has no place in this game",
                        values={"name": tournament.who(number)},
                        where=where,
                        clause="5.5",
                    )
                if found.count(number) > 1:
                    raise Refusal(
                        "{name} (seat {seat}) has two places",
                        values={"name": tournament.who(number), "seat": LETTERS[seats.index(number)]},
                        where=where,
                    )
            for number in present:
                if number not in found:
                    raise Refusal(
                        "{name} (seat {seat}) has no place",
                        values={"name": tournament.who(number), "seat": LETTERS[seats.index(number)]},
                        where=where,
                    )
            dead = [number for death in played.get("deaths", ()) for number in death["players"]]
            if dead and len(set(present) - set(dead)) != 1:
                raise Refusal(
                    "still in: {count}; say who went out until one is left",
                    values={"count": len(set(present) - set(dead))},
                    where=where,
                    clause="TU-ZK-II1c",
                )
            if "deaths" in played and order_of_deaths(played["deaths"], present) != list(found):
                raise Refusal("the places do not follow from the order of going out", where=where)

    def forfeit(self, tournament: Tournament, table: str, loser: int) -> Json:
        raise Refusal(
            "in Tuppen nobody forfeits a table; a player who does not come withdraws, and the others play on",
            clause="5.5",
            where="table",
            remedy="withdraw",
        )

    def on_withdrawal(self, tournament: Tournament, table: str, number: int) -> Json | None:
        """The others play on; where nobody is left, there is nothing to enter."""
        if self._present(tournament, table, 1) or tournament.slip(table).result is not None:
            return None
        return {"games": [{"order": []}] * self.games_at(table)}

    def tell(self, tournament: Tournament, table: str, result: Json) -> tuple[Note, ...]:
        notes = []
        for game, played in enumerate(result["games"], 1):
            places = " · ".join(
                f"{place}. {tournament.who(number)} ({points})"
                for place, (number, points) in enumerate(
                    zip(played["order"], self.place_points, strict=False), 1
                )
            )
            notes.append(Note("TU-ZK-I1b", "game {game}: {places}", {"game": game, "places": places}))
            present = len(played["order"])
            for death in played.get("deaths", ()):
                notes.append(_tell_death(tournament, death, present))
                present -= len(death["players"])
        return tuple(notes)

    # at Nousu's tables

    def table_rules(self, table: str) -> str:
        return self.preset

    def chairs(self, tournament: Tournament, table: str, game: int) -> tuple[Chair, ...]:
        present = self._present(tournament, table, game)
        return tuple((number, 0) for number in present) if len(present) > 1 else ()

    def played(self, tournament: Tournament, table: str, games: Mapping[int, Seated]) -> tuple[str, ...]:
        seats, words = tournament.seats(table), []
        for game in range(1, self.games_at(table) + 1):
            order = self._present(tournament, table, game)
            if game in games:
                chairs, match = games[game]
                if match.winner is None:
                    break
                places = tuppen.Standing.of(match.tally).places
                order = [number for _, (number, _) in sorted(zip(places, chairs, strict=True))]
            elif len(order) > 1:
                break
            words.append("".join(LETTERS[seats.index(number)] for number in order) or "-")
        return tuple(words)

    # standings

    def scores(self, tournament: Tournament) -> dict[tuple[int, str], int]:
        """Points by number and series, from slips that count."""
        return scores(tournament)

    def unfinished(self, tournament: Tournament) -> tuple[Todo, ...]:
        found: list[Todo] = []
        planned = sum(label[0] != "S" for label in tournament.rounds)
        if planned != self.series:
            values = {"planned": planned, "series": self.series}
            said = Note("TU-ZK-I1a", "Planned series: only {planned} of {series}.", values)
            found.append(Todo(said, "plan", start=tournament.next_round()))
        race = cup(tournament) if self.cup else None
        if race is not None and len(race.need) > 1 and not race.shared and not race.playing:
            names = ", ".join(map(tournament.who, race.need))
            said = Note(
                "TU-ZK-I4",
                "{names} are level at the top; a play-off (Stechen) decides who gets the cup.",
                {"names": names},
            )
            found.append(Todo(said, "stechen"))
        return (*found, *unseated(tournament))

    def standings(self, tournament: Tournament) -> Standings:
        return standings(self, tournament)


def _seat(letter: str, seats: Sequence[int], where: str) -> int:
    """The number at a seat."""
    at = LETTERS.find(letter)
    if not letter or not 0 <= at < len(seats):
        raise Refusal(
            "there is no seat {letter} at this table; it has {first} to {last}",
            values={"letter": letter or "-", "first": LETTERS[0], "last": LETTERS[len(seats) - 1]},
            where=where,
        )
    return seats[at]


def _from_deaths(word: str, seats: Sequence[int], present: Sequence[int], where: str) -> dict[str, Any]:
    """A game from who went out when."""
    deaths: list[dict[str, Any]] = []
    for part in word.split(","):
        together, mark, rule = part.partition("!")
        players = [_seat(letter.strip().lower(), seats, where) for letter in together.split("=")]
        if mark:
            if rule not in PENALTIES or rule == "I6":
                raise Refusal(
                    "there is no penalty {rule} on the sheet; the penalties are {rules}",
                    values={"rule": rule or "-", "rules": ", ".join(one for one in PENALTIES if one != "I6")},
                    where=where,
                    clause="TU-ZK-IV1",
                )
            if len(players) > 1:
                raise Refusal(
                    "players go out by penalties one by one, in the order booked; write a!IV4,b!IV4",
                    where=where,
                    clause="A-U-21",
                )
            deaths.append({"players": players, "rule": rule})
        else:
            deaths.append({"players": players})
    return {"order": order_of_deaths(deaths, present), "deaths": deaths}


def order_of_deaths(deaths: Sequence[Mapping[str, Any]], present: Sequence[int]) -> list[int]:
    """Who came where, winner first, when people went out in this order (RULES 5.4): each takes the worst
    place still open; those who went out together take theirs as the play-off gave it, best first."""
    out = [number for death in reversed(deaths) for number in death["players"]]
    return [number for number in present if number not in out] + out


def _tell_death(tournament: Tournament, death: Mapping[str, Any], present: int) -> Note:
    """Why somebody came where, when so many were still in."""
    names = ", ".join(map(tournament.who, death["players"]))
    last: dict[str, int | str] = {"name": names, "place": present}
    if "rule" in death:
        return Note(
            "A-U-21",
            "{name} out by a penalty ({rule}): place {place} at once",
            {**last, "rule": death["rule"]},
        )
    if len(death["players"]) == 1:
        return Note("TU-ZK-III4a", "{name} out: place {place}, the worst still open", last)
    return Note(
        "TU-ZK-III4b",
        "{name} out together and played off: places {first} to {place} in this order",
        {**last, "first": present - len(death["players"]) + 1},
    )
