"""Tuppen as the ZK plays it: tables of three to five, series of games, 5-3-2-1-0, a Stechen for the cup.

A slip says, game by game, who stayed longest. Three ways to write a game, seats being a, b, c …:

* ``bdac`` — the places, winner first;
* ``5,1,3,2`` — the points in seat order (``-`` for somebody who withdrew);
* ``-e!IV7,c=d,b`` — who went out, in the order of time: e at once by a penalty, then c and d together
  (c won the play-off for the better place), then b; who is left has won.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from nousu.engine.errors import BadRules
from nousu.engine.notes import Note
from nousu.games import find
from nousu.tournament.draw import draw
from nousu.tournament.formats.options import checked, whole
from nousu.tournament.formats.ranking import Criterion, Placed, ranked, team_section, told_rulings
from nousu.tournament.model import Json, PlanFacts, Round, Row, Section, Standings, Tournament, order
from nousu.tournament.notes import Refusal, refused
from nousu.tournament.seating import Seating, mixes, plan_seating

LETTERS = "abcdefgh"
"""The seats of a table; a Stechen may have eight (A-U-25)."""

PENALTIES: Mapping[str, Note] = {
    "II4": Note("TU-ZK-II4", "looked at closed cards, or took open cards away early: -1"),
    "IV2": Note("TU-ZK-IV2", "die not turned down by the first lead of the next hand: -1"),
    "IV3": Note("TU-ZK-IV3", "pointed out another player's wrong die: -1"),
    "IV4": Note("TU-ZK-IV4", "misdeal: -1, the cards are dealt again"),
    "IV5": Note("TU-ZK-IV5", "cut the pack before the deal: -1"),
    "IV6": Note("TU-ZK-IV6", "looked at another player's cards: -1"),
    "IV7": Note("TU-ZK-IV7", "revoke: -1 and the stake, out of the hand"),
    "IV8": Note("TU-ZK-IV8", "played out of turn: -1"),
    "IV9": Note("TU-ZK-IV9", "wrong claim of four pictures, or wrong doubt: -1"),
    "I6": Note("TU-ZK-I6", "ruling of the direction, in tournament points"),
}


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
            game, rules = find(one.preset)
        except BadRules as error:
            raise refused(error) from None
        if game.name != "tuppen" or not rules.dead_playoff:
            raise Refusal(
                "{preset} is no rule set for a Tuppen tournament: who dies together must play off the places",
                values={"preset": one.preset},
                where="preset",
                clause="A-U-17",
            )
        if len(one.place_points) < one.most:
            raise Refusal(
                "a table of {most} needs {most} place points, {points} are given",
                values={"most": one.most, "points": len(one.place_points)},
                where="place_points",
                clause="TU-ZK-I1b",
            )
        return one

    def to_json(self) -> Json:
        return {"name": self.name, **asdict(self), "place_points": list(self.place_points)}

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
            return
        if order(played.label)[1] > self.series:
            raise Refusal("there are {series} series", values={"series": self.series}, where="round")
        tournament.check_everybody_sits(played)

    def plan(
        self, tournament: Tournament, *, start: str, seed: int, seconds: float
    ) -> tuple[tuple[Round, ...], PlanFacts]:
        start = start or tournament.next_round()
        order(start)
        first = int(start) if start.isdecimal() else 0
        if not 1 <= first <= self.series:
            raise Refusal(
                "there is no series {round} to plan; the event has {series}",
                values={"round": start, "series": self.series},
                where="round",
            )
        numbers = tournament.playing(start)
        mixes(len(numbers), self.least, self.most)
        met: dict[tuple[int, int], int] = {}
        small: dict[int, int] = {}
        for label, played in tournament.rounds.items():
            if label[0] != "S" and order(label) < order(start):
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
            seed=seed,
            seconds=seconds,
        )
        labels = [str(number) for number in range(first, self.series + 1)]
        rounds = tuple(Round(label, tables) for label, tables in zip(labels, seating.rounds, strict=True))
        return rounds, _facts(seating, seed)

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

    def stechen(self, tournament: Tournament) -> Round:
        if not self.cup:
            raise Refusal("this event has no cup to play off", clause="TU-ZK-I3")
        if not self._over(tournament):
            raise Refusal("the series are not over: slips are missing or not confirmed", clause="TU-ZK-I3")
        leaders, label = self._contenders(tournament)
        if len(leaders) < 2:
            raise Refusal(
                "{name} has the cup; there is nothing to play off",
                values={"name": tournament.who(leaders[0])},
                clause="TU-ZK-I4",
            )
        if label in tournament.rounds and any(
            tournament.slip(key).state not in ("confirmed", "accepted")
            for key in tournament.rounds[label].names()
        ):
            raise Refusal("the Stechen {round} is still being played", values={"round": label})
        new = f"S{order(label)[1] + 1}" if label in tournament.rounds else label
        if len(leaders) <= len(LETTERS):
            return Round(new, (tuple(leaders),))
        lot = draw(tournament.seed, [tournament.who(number) for number in leaders], f"Stechen {new}")
        drawn = iter([leaders[at] for at in lot])
        sizes = mixes(len(leaders), 3, 5)[0]
        return Round(new, tuple(tuple(next(drawn) for _ in range(size)) for size in sizes))

    def _contenders(self, tournament: Tournament) -> tuple[list[int], str]:
        """Who can still win the cup, and the last Stechen planned (or the first to come)."""
        totals = self._totals(tournament)
        best = (min if self.lowest else max)(totals.values())
        leaders = [number for number, points in totals.items() if points == best]
        staying = [number for number in leaders if not tournament.gone(number)]
        leaders = staying or leaders
        last = "S1"
        for label, played in tournament.rounds.items():
            if label[0] == "S":
                last = label
                winners = [self._winner(tournament, key) for key in played.names()]
                if all(winners):
                    leaders = [winner for winner in winners if winner]
        return leaders, last

    def _winner(self, tournament: Tournament, table: str) -> int:
        """Who won a table of the Stechen; 0 while its slip does not count."""
        slip = tournament.slip(table)
        if slip.result is None or slip.state not in ("confirmed", "accepted"):
            return 0
        return int(slip.result["games"][0]["order"][0])

    # slips

    def _games(self, table: str) -> int:
        return 1 if table[0] == "S" else self.games

    def _present(self, tournament: Tournament, table: str, game: int) -> list[int]:
        label = table.partition(".")[0]
        return [one for one in tournament.seats(table) if not tournament.gone(one, label, game)]

    def parse(self, tournament: Tournament, table: str, words: tuple[str, ...]) -> Json:
        seats = tournament.seats(table)
        if len(words) != self._games(table):
            raise Refusal(
                "{count} games are given, the slip has {games}: one word a game, for example {example}",
                values={
                    "count": len(words),
                    "games": self._games(table),
                    "example": " ".join([LETTERS[: len(seats)][::-1]] * self._games(table)),
                },
                where="result",
            )
        games = []
        for game, word in enumerate(words, 1):
            present = self._present(tournament, table, game)
            where = f"game {game}"
            if word.startswith("-") and word.lstrip("-,0123456789") != "":
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
        parts = word.split(",")
        if len(parts) != len(seats):
            raise Refusal(
                "{count} figures for {seats} seats",
                values={"count": len(parts), "seats": len(seats)},
                where=where,
            )
        points: dict[int, int] = {}
        for number, part in zip(seats, parts, strict=True):
            if number in present:
                if not part.strip().isdecimal():
                    raise Refusal("{part} is no number of points", values={"part": part}, where=where)
                points[number] = int(part)
            elif part.strip() not in ("-", "0"):
                raise Refusal(
                    "{name} has withdrawn and gets no points; write - there",
                    values={"name": tournament.who(number)},
                    where=where,
                    clause="5.5",
                )
        due = self.place_points[: len(present)]
        winners = [number for number in points if points[number] == due[0]]
        if len(winners) > 1:
            raise Refusal(
                "two winners: {names} have {points} points each",
                values={"names": ", ".join(map(tournament.who, winners)), "points": due[0]},
                where=where,
                clause="TU-ZK-I1b",
            )
        if sum(points.values()) != sum(due):
            raise Refusal(
                "the points add up to {sum}; {count} players share {due}",
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
        return sorted(points, key=lambda number: -points[number])

    def check(self, tournament: Tournament, table: str, result: Json) -> None:
        seats = tournament.seats(table)
        games = result["games"]
        if len(games) != self._games(table):
            raise Refusal(
                "{count} games are given, the slip has {games}",
                values={"count": len(games), "games": self._games(table)},
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
                    "{count} are left; say who went out until one is",
                    values={"count": len(set(present) - set(dead))},
                    where=where,
                    clause="TU-ZK-II1c",
                )
            if "deaths" in played and order_of_deaths(played["deaths"], present) != list(found):
                raise Refusal("the places do not follow from the order of going out", where=where)

    def forfeit(self, tournament: Tournament, table: str, loser: int) -> Json:
        raise Refusal(
            "in Tuppen nobody forfeits a table; use withdraw, the others play on", clause="5.5", where="table"
        )

    def on_withdrawal(self, tournament: Tournament, table: str, number: int) -> Json | None:
        return None

    def tell(self, tournament: Tournament, table: str, result: Json) -> tuple[Note, ...]:
        notes = []
        for game, played in enumerate(result["games"], 1):
            places = "  ".join(
                f"{place} {tournament.who(number)} {points}"
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

    # standings

    def _totals(self, tournament: Tournament) -> dict[int, int]:
        """Everybody's tournament points, rulings included."""
        totals = {number: 0 for number in range(1, len(tournament.numbers) + 1)}
        for (number, _), points in self.scores(tournament).items():
            totals[number] += points
        for penalty in tournament.penalties:
            totals[penalty.number] += penalty.points
        return totals

    def scores(self, tournament: Tournament) -> dict[tuple[int, str], int]:
        """Points by number and series, from slips that count; the Stechen gives none (TU-ZK-I3)."""
        scores: dict[tuple[int, str], int] = {}
        for table, seats, result in tournament.counted():
            label = table.partition(".")[0]
            if label[0] == "S":
                continue
            for number in seats:
                scores[number, label] = 0
            for played in result["games"]:
                for number, points in zip(played["order"], self.place_points, strict=False):
                    scores[number, label] += points
        return scores

    def _unplanned(self, tournament: Tournament) -> list[Note]:
        planned = sum(label[0] != "S" for label in tournament.rounds)
        values = {"planned": planned, "series": self.series}
        if planned == self.series:
            return []
        return [
            Note("TU-ZK-I1a", "Only {planned} of {series} series are planned: nousu tournament plan", values)
        ]

    def _over(self, tournament: Tournament) -> bool:
        """Whether all series are planned and all their slips count."""
        return not self._unplanned(tournament) and all(
            tournament.slip(key).state in ("confirmed", "accepted")
            for key, _ in tournament.tables()
            if key[0] != "S"
        )

    def unfinished(self, tournament: Tournament) -> tuple[Note, ...]:
        notes = self._unplanned(tournament)
        if self.cup and self._over(tournament):
            leaders, _ = self._contenders(tournament)
            if len(leaders) > 1:
                names = ", ".join(map(tournament.who, leaders))
                notes.append(
                    Note(
                        "TU-ZK-I4",
                        "{names} are level at the top; a Stechen decides who takes the cup: "
                        "nousu tournament stechen",
                        {"names": names},
                    )
                )
        for number in tournament.unseated():
            notes.append(
                Note(
                    "",
                    "{name} is in no round yet; plan again: nousu tournament plan",
                    {"name": tournament.who(number)},
                )
            )
        return tuple(notes)

    def standings(self, tournament: Tournament) -> Standings:
        totals, scores = self._totals(tournament), self.scores(tournament)
        labels = [str(number) for number in range(1, self.series + 1)]
        rulings = {penalty.number: 0 for penalty in tournament.penalties if penalty.points}
        for penalty in tournament.penalties:
            if penalty.points:
                rulings[penalty.number] += penalty.points
        criterion = Criterion(lambda number, group: totals[number], "", lowest=self.lowest)
        shared = Note("TU-ZK-I3", "Shares place {rank} with {others}: the same points.")
        placed = ranked(list(totals), [criterion], tournament.who, shared)
        notes, cup = self._cup(tournament, placed)
        rows = tuple(
            Row(
                one.rank,
                one.number,
                tournament.who(one.number),
                tournament.entrant(one.number).team,
                (
                    totals[one.number],
                    *(scores.get((one.number, label), "") for label in labels),
                    *((rulings.get(one.number, ""),) if rulings else ()),
                ),
                (*told_rulings(tournament, one.number), *one.why, *cup.get(one.number, ())),
            )
            for one in placed
        )
        columns = ("points", *labels, *(("rulings",) if rulings else ()))
        sections = [Section(Note("TU-ZK-I3", "Standings"), columns, rows)]
        teams = team_section(tournament, totals, self.teams, self.lowest)
        return Standings((*sections, teams) if teams else tuple(sections), notes)

    def _cup(
        self, tournament: Tournament, placed: Sequence[Placed]
    ) -> tuple[tuple[Note, ...], dict[int, tuple[Note, ...]]]:
        """What there is to say of the cup: to all, and beside a rank."""
        if not self.cup or not placed or not self._over(tournament):
            return (), {}
        level = [one.number for one in placed if one.rank == 1]
        leaders, _ = self._contenders(tournament)
        if len(leaders) > 1:
            names = ", ".join(map(tournament.who, leaders))
            return (
                Note("TU-ZK-I4", "A Stechen among {names} decides who takes the cup.", {"names": names}),
            ), {}
        winner = leaders[0]
        said: dict[int, tuple[Note, ...]] = {}
        if len(level) > 1:
            won = Note("TU-ZK-I4", "Takes the cup: won the Stechen. The published points stay as they are.")
            if not any(label[0] == "S" for label in tournament.rounds):
                won = Note("TU-ZK-I4", "Takes the cup: the others who were level have withdrawn.")
            lost = Note("TU-ZK-I4", "Second for the cup after the Stechen; shares the place all the same.")
            said = {number: (won,) if number == winner else (lost,) for number in level}
        return (Note("TU-ZK-I3", "The cup goes to {name}.", {"name": tournament.who(winner)}),), said


def _facts(seating: Seating, seed: int) -> PlanFacts:
    return PlanFacts(seating.repeats, seating.lower_bound, seating.small, seed)


def _seat(letter: str, seats: Sequence[int], where: str) -> int:
    """The number at a seat."""
    at = LETTERS.find(letter)
    if not letter or not 0 <= at < len(seats):
        raise Refusal(
            "{letter} is no seat of this table; it has {first} to {last}",
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
                    "{rule} is no penalty of the sheet; there are {rules}",
                    values={"rule": rule or "-", "rules": ", ".join(one for one in PENALTIES if one != "I6")},
                    where=where,
                    clause="TU-ZK-IV1",
                )
            if len(players) > 1:
                raise Refusal(
                    "penalty deaths come one by one, in the order booked; write a!IV4,b!IV4",
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
