"""Slip of a Tuppen table: the places, game by game.

A game is written in one of three ways, seats being a, b, c …:

* ``bdac`` — the places, winner first;
* ``5,1,3,2`` — the points in seat order (``-`` for somebody who withdrew), without commas where they cannot
  be places;
* ``-e!IV7,c=d,b`` — the deaths, in the order of time: e at once by a penalty, then c and d together
  (c won the play-off for the better place), then b; the one left has won.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from nousu.engine.messages import Note, sentence
from nousu.games import tuppen
from nousu.tournament.form_fields import LETTERS, Form, FormBox, SlipSeat
from nousu.tournament.messages import Address, Refusal, Speech
from nousu.tournament.model import Chair, Json, Seated, Tournament, round_of

PENALTIES: Mapping[str, Note] = {
    **{rule: Note(offence.clause, offence.listed) for rule, offence in tuppen.PENALTIES.items()},
    "IV9": tuppen.WRONG_CLAIM,
    "I6": Note("TU-ZK-I6", "director’s ruling, in tournament points"),
}
"""Penalties of an event, by the number of the rule: the game's own and the direction's."""


@dataclass(frozen=True, slots=True)
class Death:
    """Players who went out at one moment, in the order of their places, best first."""

    players: tuple[int, ...]
    rule: str = ""
    """The penalty that took the last point; empty: they lost a hand."""

    def to_json(self) -> Json:
        """The death as the log stores it."""
        return {"players": list(self.players)} | ({"rule": self.rule} if self.rule else {})


@dataclass(frozen=True, slots=True)
class GamePlaces:
    """One game: the numbers in the order of their places, winner first."""

    order: tuple[int, ...]
    deaths: tuple[Death, ...] | None = None
    """Deaths with their moments; None if the slip says only the places."""

    def to_json(self) -> Json:
        """The game as the log stores it."""
        order = {"order": list(self.order)}
        return (
            order if self.deaths is None else order | {"deaths": [death.to_json() for death in self.deaths]}
        )


@dataclass(frozen=True, slots=True)
class Places:
    """The result of a Tuppen table, however it was written."""

    seats: tuple[int, ...]
    games: tuple[GamePlaces, ...]
    winner: ClassVar[None] = None

    def to_json(self) -> Json:
        """The result as the log stores it."""
        return {"games": [game.to_json() for game in self.games]}

    def figures(self) -> object:
        """The places, without the way in which they were written."""
        return tuple(game.order for game in self.games)

    def words(self) -> tuple[str, ...]:
        """One word for each game, which `TuppenSlips.parse` reads back."""
        return tuple(self._word(game) for game in self.games)

    def _word(self, game: GamePlaces) -> str:
        if game.deaths is None:
            return "".join(map(self._letter, game.order)) or "-"
        parts = ["=".join(map(self._letter, death.players)) for death in game.deaths]
        marks = [f"!{death.rule}" if death.rule else "" for death in game.deaths]
        return "-" + ",".join(part + mark for part, mark in zip(parts, marks, strict=True))

    def _letter(self, number: int) -> str:
        return LETTERS[self.seats.index(number)]

    def fields(self) -> dict[str, str]:
        """The places as they are typed into the boxes of the form."""
        return {
            f"g{number}-{at}": str(game.order.index(seat) + 1)
            for number, game in enumerate(self.games, 1)
            for at, seat in enumerate(self.seats)
            if seat in game.order
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TuppenSlips:
    """The slips of a Tuppen event under given options."""

    preset: str
    games: int
    place_points: tuple[int, ...]

    paper: ClassVar[str] = "slips"
    has_assistant: ClassVar[bool] = True

    def games_at(self, table: str) -> int:
        """Number of games on the slip of a table."""
        return 1 if table[0] == "S" else self.games

    def lines_at(self, table: str) -> int:
        """Return 0: the number of hands is open, so the slip has no lines for them."""
        return 0

    def present(self, tournament: Tournament, table: str, game: int) -> list[int]:
        """The numbers that play a game, in seat order."""
        label = round_of(table)
        return [seat for seat in tournament.seats(table) if not tournament.has_withdrawn(seat, label, game)]

    # words, log and check

    def parse(self, tournament: Tournament, table: str, words: tuple[str, ...]) -> Places:
        """The result that the words tell. `Refusal` says what is impossible."""
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
        games = []
        for game, word in enumerate(words, 1):
            present = self.present(tournament, table, game)
            where = f"game {game}"
            if not present and word == "-":
                games.append(GamePlaces(()))
            elif word.startswith("-") and word.lstrip("-,0123456789") != "":
                games.append(_parse_deaths(word[1:], seats, present, where))
            elif any(sign.isdigit() for sign in word):
                games.append(GamePlaces(self._parse_points(tournament, word, seats, present, where)))
            else:
                games.append(GamePlaces(tuple(_seat(letter, seats, where) for letter in word.lower())))
        return Places(seats, tuple(games))

    def load(self, tournament: Tournament, table: str, result: Json) -> Places:
        """The result that a log holds."""
        return Places(tournament.seats(table), tuple(map(_load_game, result["games"])))

    def _parse_points(
        self, tournament: Tournament, word: str, seats: Sequence[int], present: Sequence[int], where: str
    ) -> tuple[int, ...]:
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
            return ()
        if run and sorted(due) == [*range(1, len(due) + 1)]:
            raise Refusal(
                "{word} can be places as well as points; write the letters of the seats, winner first",
                values={"word": word},
                where=where,
            )
        self._check_points(tournament, points, due, where)
        return tuple(sorted(points, key=lambda number: due.index(points[number])))

    @staticmethod
    def _check_points(
        tournament: Tournament, points: Mapping[int, int], due: tuple[int, ...], where: str
    ) -> None:
        """Raise `Refusal` unless these are the points of the places, each once."""
        if len(due) < len(points):
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
                values={"sum": sum(points.values()), "count": len(points), "due": sum(due)},
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

    def check(self, tournament: Tournament, table: str, result: Places) -> None:
        """Raise `Refusal` if a result is impossible."""
        if len(result.games) != self.games_at(table):
            raise Refusal(
                sentence(
                    "{count} game is given, the slip has {games}",
                    "{count} games are given, the slip has {games}",
                ),
                values={"count": len(result.games), "games": self.games_at(table)},
                where="result",
            )
        for number, game in enumerate(result.games, 1):
            present, where = self.present(tournament, table, number), f"game {number}"
            _check_places(tournament, table, game.order, present, where)
            _check_deaths(game, present, where)

    def forfeit(self, tournament: Tournament, table: str, loser: int) -> Places:
        """Raise a `Refusal`: the others play on."""
        raise Refusal(
            "in Tuppen nobody forfeits a table; a player who does not come withdraws, and the others play on",
            clause="5.5",
            where="table",
            remedy="withdraw",
        )

    def after_withdrawal(self, tournament: Tournament, table: str, number: int) -> Places | None:
        """Return None, as the others play on; if nobody is left, a result without places."""
        if self.present(tournament, table, 1) or tournament.slip(table).result is not None:
            return None
        return Places(tournament.seats(table), (GamePlaces(()),) * self.games_at(table))

    def describe(self, tournament: Tournament, table: str, result: Places) -> tuple[Note, ...]:
        """A result in words, with the reasons."""
        tournament = tournament.at_round(table)
        notes = []
        for number, game in enumerate(result.games, 1):
            places = " · ".join(
                f"{place}. {tournament.who(seat)} ({points})"
                for place, (seat, points) in enumerate(zip(game.order, self.place_points, strict=False), 1)
            )
            notes.append(Note("TU-ZK-I1b", "game {game}: {places}", {"game": number, "places": places}))
            present = len(game.order)
            for death in game.deaths or ():
                notes.append(_describe_death(tournament, death, present))
                present -= len(death.players)
        return tuple(notes)

    def progress(self, tournament: Tournament, table: str, words: tuple[str, ...]) -> tuple[Note, ...]:
        """Return nothing: the places of a game are known only at its end."""
        return ()

    # form and paper

    def form(self, tournament: Tournament, table: str, typed: Mapping[str, str]) -> Form:
        """The form of a slip, with what has been typed."""
        label, games = round_of(table), self.games_at(table)
        seats = tuple(
            SlipSeat(
                LETTERS[at],
                number,
                tournament.who(number),
                tuple(
                    FormBox(name, typed.get(name, ""), not tournament.has_withdrawn(number, label, game))
                    for game in range(1, games + 1)
                    for name in (f"g{game}-{at}",)
                ),
            )
            for at, number in enumerate(tournament.seats(table))
        )
        by = "points" if typed.get("by") == "points" else "places"
        return Form(kind="boxes", seats=seats, games=games, by=by, points=self.place_points)

    def typed_words(self, tournament: Tournament, table: str, typed: Mapping[str, str]) -> tuple[str, ...]:
        """The text typed into the form, as words. `Refusal` says what is missing or doubled."""
        form = self.form(tournament, table, typed)
        return tuple(_typed_game(form, game) for game in range(form.games))

    def fields(self, tournament: Tournament, table: str, words: tuple[str, ...]) -> dict[str, str]:
        """The boxes that hold these words of places; games may be missing."""
        seats = tournament.seats(table)
        orders = [tuple(seats[LETTERS.index(sign)] for sign in word if sign in LETTERS) for word in words]
        return Places(seats, tuple(map(GamePlaces, orders))).fields()

    def text_lines(self, tournament: Tournament, table: str, say: Callable[..., str]) -> list[str]:
        """The lines of a slip for a terminal: the seats, with room for the places."""
        games = self.games_at(table)
        heads = [say("game {number}", number=game) for game in range(1, games + 1)]
        seat, no, called = say("seat"), say("No."), say("name")
        lines = [f"   {seat:<5} {no:>3}  {called:<30}" + "".join(f"  {head:<9}" for head in heads)]
        for letter, number in zip(LETTERS, tournament.seats(table), strict=False):
            name = tournament.who(number)[:30]
            lines.append(f"   {letter:<5} {number:>3}  {name:<30}" + "  ________ " * games)
        points = "-".join(map(str, self.place_points))
        return [*lines, "   " + say("places by seat letter, winner first; points {points}", points=points)]

    def pdf(
        self,
        tournament: Tournament,
        tables: Sequence[str],
        speech: Speech,
        paper: str,
        address: Address | None,
    ) -> bytes:
        """The slips of these tables on paper."""
        from nousu.tournament.paper.slips import slips

        return slips(tournament, tables, speech, paper, address)

    def card_columns(self, say: Callable[..., str]) -> tuple[tuple[str, ...], bool]:
        """The columns of a person's own card, without partners and opponents."""
        games = (say("game {number}", number=game) for game in range(1, self.games_at("1.1") + 1))
        return (*games, say("points")), False

    # at Nousu's tables and in simulations

    def table_rules(self, table: str) -> str:
        """The rules at Nousu's tables."""
        return self.preset

    def chairs(self, tournament: Tournament, table: str, game: int) -> tuple[Chair, ...]:
        """People at Nousu's table in a game; none if it is decided."""
        present = self.present(tournament, table, game)
        return tuple((number, 0) for number in present) if len(present) > 1 else ()

    def match_words(self, tournament: Tournament, table: str, games: Mapping[int, Seated]) -> tuple[str, ...]:
        """The words of the slip, game by game, as far as the matches have come."""
        seats, words = tournament.seats(table), []
        for game in range(1, self.games_at(table) + 1):
            order = self.present(tournament, table, game)
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

    def seat_points(self, table: str, result: Places) -> Iterator[tuple[int, float]]:
        """Seats (from 0) with their points in a game; a play-off gives none."""
        for game in result.games if table[0] != "S" else ():
            for points, number in zip(self.place_points, game.order, strict=False):
                yield result.seats.index(number), points


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


def _load_game(game: Json) -> GamePlaces:
    deaths = None
    if "deaths" in game:
        deaths = tuple(Death(tuple(death["players"]), death.get("rule", "")) for death in game["deaths"])
    return GamePlaces(tuple(game["order"]), deaths)


def _parse_deaths(word: str, seats: Sequence[int], present: Sequence[int], where: str) -> GamePlaces:
    """A game from its deaths in the order of time."""
    deaths = []
    for part in word.split(","):
        together, mark, rule = part.partition("!")
        players = tuple(_seat(letter.strip().lower(), seats, where) for letter in together.split("="))
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
        deaths.append(Death(players, rule))
    return GamePlaces(order_of_deaths(deaths, present), tuple(deaths))


def order_of_deaths(deaths: Sequence[Death], present: Sequence[int]) -> tuple[int, ...]:
    """The numbers by places, winner first, when people went out in this order (TU-ZK-III4a).

    Each takes the worst place still open; those who went out together take theirs by the play-off, best
    first.
    """
    out = [number for death in reversed(deaths) for number in death.players]
    return tuple([number for number in present if number not in out] + out)


def _check_places(
    tournament: Tournament, table: str, order: Sequence[int], present: Sequence[int], where: str
) -> None:
    """Raise `Refusal` unless everybody who plays has one place."""
    seats = tournament.seats(table)
    for number in order:
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
        if order.count(number) > 1:
            raise Refusal(
                "{name} (seat {seat}) has two places",
                values={"name": tournament.who(number), "seat": LETTERS[seats.index(number)]},
                where=where,
            )
    for number in present:
        if number not in order:
            raise Refusal(
                "{name} (seat {seat}) has no place",
                values={"name": tournament.who(number), "seat": LETTERS[seats.index(number)]},
                where=where,
            )


def _check_deaths(game: GamePlaces, present: Sequence[int], where: str) -> None:
    """Raise `Refusal` unless the deaths leave one winner and give these places."""
    if game.deaths is None:
        return
    dead = [number for death in game.deaths for number in death.players]
    if dead and len(set(present) - set(dead)) != 1:
        raise Refusal(
            "still in: {count}; say who went out until one is left",
            values={"count": len(set(present) - set(dead))},
            where=where,
            clause="TU-ZK-II1c",
        )
    if order_of_deaths(game.deaths, present) != game.order:
        raise Refusal("the places do not follow from the order of going out", where=where)


def _describe_death(tournament: Tournament, death: Death, present: int) -> Note:
    """The reason for a place, with this many players still in."""
    names = ", ".join(map(tournament.who, death.players))
    last: dict[str, int | str] = {"name": names, "place": present}
    if death.rule:
        return Note(
            "A-U-21", "{name} out by a penalty ({rule}): place {place} at once", {**last, "rule": death.rule}
        )
    if len(death.players) == 1:
        return Note("TU-ZK-III4a", "{name} out: place {place}, the worst still open", last)
    return Note(
        "TU-ZK-III4b",
        "{name} out together and played off: places {first} to {place} in this order",
        {**last, "first": present - len(death.players) + 1},
    )


def _typed_game(form: Form, game: int) -> str:
    """One game of a form as a word."""
    where = f"game {game + 1}"
    boxes = [(seat, seat.boxes[game]) for seat in form.seats]
    if form.by == "points":
        return ",".join(box.value.strip() or "-" for _, box in boxes)
    typed = [(seat, box.value.strip()) for seat, box in boxes if box.open]
    if not typed:
        return "-"
    for seat, value in typed:
        if not (value.isascii() and value.isdecimal() and 1 <= int(value) <= len(typed)):
            raise Refusal(
                sentence("{name} needs a place from 1 to {last}"),
                values={"name": seat.name, "last": len(typed)},
                where=where,
            )
    for place in range(1, len(typed) + 1):
        names = [seat.name for seat, value in typed if int(value) == place]
        if len(names) > 1:
            raise Refusal(
                sentence("{names} both have place {place}"),
                values={"names": ", ".join(names), "place": place},
                where=where,
            )
    return "".join(seat.letter for seat, _ in sorted(typed, key=lambda line: int(line[1])))
