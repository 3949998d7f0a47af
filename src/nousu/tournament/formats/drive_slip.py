"""Slip of a drive: both totals (``12 -3``), or, for the whists, the hands by tricks.

``gA9 lB5``: A granded and took 9; low, B took 5.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from nousu.engine.game import Game
from nousu.engine.messages import Note, sentence
from nousu.extensions import Point, extension
from nousu.games import find
from nousu.tournament.drive_families import HandsByTricks, TotalsCheck
from nousu.tournament.form_fields import Form, typed_words, words_form
from nousu.tournament.messages import Address, Refusal, Speech
from nousu.tournament.model import Chair, Json, Seated, Tournament, round_of


@dataclass(frozen=True, slots=True)
class Totals:
    """The result of a round of a drive, however it was written."""

    scores: tuple[int, ...] = ()
    """The points of both sides; none where the round was not played."""
    sheet: tuple[str, ...] | None = None
    """The hands by tricks, where they were written."""
    forfeit: int | None = None
    """The side that did not come."""
    withdrawn: int | None = None
    """The number whose withdrawal left the round unplayed."""
    winner: ClassVar[None] = None

    def to_json(self) -> Json:
        """The result as the log stores it."""
        if self.withdrawn is not None:
            return {"void": self.withdrawn}
        scores = {"scores": list(self.scores)}
        if self.forfeit is not None:
            return {"forfeit": self.forfeit, **scores}
        return scores if self.sheet is None else {"sheet": list(self.sheet), **scores}

    def figures(self) -> object:
        """The figures that count, without the way in which they were written."""
        return self.scores, self.forfeit, self.withdrawn

    def words(self) -> tuple[str, ...]:
        """The words that `DriveSlips.parse` reads back; none where the round was not played."""
        if self.forfeit is not None or self.withdrawn is not None:
            return ()
        return tuple(map(str, self.scores)) if self.sheet is None else self.sheet

    def fields(self) -> dict[str, str]:
        """The result as it is typed into the form."""
        if self.withdrawn is not None:
            return {}
        return {"words": " ".join(self.words() or map(str, self.scores))}


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveSlips:
    """The slips of a drive under given options."""

    preset: str
    pairs: bool
    hands: int

    paper: ClassVar[str] = "slips"
    has_assistant: ClassVar[bool] = False

    def games_at(self, table: str) -> int:
        """Return 1: one round a slip."""
        return 1

    def lines_at(self, table: str) -> int:
        """Number of hands that have a line."""
        return self.hands

    # words, log and check

    def parse(self, tournament: Tournament, table: str, words: tuple[str, ...]) -> Totals:
        """The result that the words tell. `Refusal` says what is impossible."""
        game, rules = find(self.preset)
        if words and words[0][:1].isalpha():
            family = _by_tricks(game)
            if family is None:
                raise Refusal("write the totals of both sides, for example 120 -80", where="result")
            both = [family.trick_points(rules, word, f"hand {hand}") for hand, word in enumerate(words, 1)]
            return Totals((sum(a for a, _ in both), sum(b for _, b in both)), words)
        if len(words) != 2 or not all(map(_is_whole, words)):
            raise Refusal(
                "write the totals of both sides, for example 12 -3, not {given}",
                values={"given": " ".join(words) or "-"},
                where="result",
            )
        return Totals(tuple(int(word.replace("−", "-")) for word in words))

    def load(self, tournament: Tournament, table: str, result: Json) -> Totals:
        """The result that a log holds."""
        if "void" in result:
            return Totals(withdrawn=result["void"])
        a, b = result["scores"]
        sheet = tuple(result["sheet"]) if "sheet" in result else None
        return Totals((a, b), sheet, result.get("forfeit"))

    def check(self, tournament: Tournament, table: str, result: Totals) -> None:
        """Raise `Refusal` if a result is impossible."""
        if result.withdrawn is not None:
            return
        for number in tournament.seats(table):
            if tournament.has_withdrawn(number, round_of(table)):
                raise Refusal(
                    "{name} has withdrawn; plan the round again",
                    values={"name": tournament.who(number)},
                    where="table",
                    remedy="plan",
                )
        if result.sheet is not None:
            if self.hands and len(result.sheet) != self.hands:
                raise Refusal(
                    sentence(
                        "{count} hand is given; a round has {hands}",
                        "{count} hands are given; a round has {hands}",
                    ),
                    values={"count": len(result.sheet), "hands": self.hands},
                    where="result",
                )
            if self.parse(tournament, table, result.sheet).scores != result.scores:
                raise Refusal("the totals do not follow from the hands", where="result")
            return
        game, rules = find(self.preset)
        family = extension(TotalsCheck, Point.TOTALS, game.name)
        if family is not None and result.forfeit is None:
            family.check(rules, self.preset, self.hands, result.scores)

    def forfeit(self, tournament: Tournament, table: str, loser: int) -> Totals:
        """The result for a pair that does not come; the others sit out. `Refusal` if players enter alone."""
        if not self.pairs:
            raise Refusal("a player who is missing withdraws; plan the round again", where="table")
        return Totals((0, 0), forfeit=tournament.seats(table).index(loser))

    def after_withdrawal(self, tournament: Tournament, table: str, number: int) -> Totals | None:
        """The result of a round that has begun: not played. One that has not begun is planned again."""
        return Totals(withdrawn=number) if tournament.has_begun(round_of(table)) else None

    def describe(self, tournament: Tournament, table: str, result: Totals) -> tuple[Note, ...]:
        """A result in words."""
        tournament = tournament.at_round(table)
        if result.withdrawn is not None:
            name = tournament.who(result.withdrawn)
            return (Note("", "not played: {name} has withdrawn; the others sit out", {"name": name}),)
        seats = tournament.seats(table)
        a, b = (", ".join(tournament.who(number) for number in seats[at::2]) for at in (0, 1))
        if result.forfeit is not None:
            return (Note("5.1", "{name} forfeits; the others sit out", {"name": (a, b)[result.forfeit]}),)
        values: dict[str, int | str] = {"a": a, "b": b, "score_a": result.scores[0]}
        values["score_b"] = result.scores[1]
        return (Note("", "{a}: {score_a}   {b}: {score_b}", values),)

    def progress(self, tournament: Tournament, table: str, words: tuple[str, ...]) -> tuple[Note, ...]:
        """Return nothing: the totals are known only at the end of the round."""
        return ()

    # form and paper

    def form(self, tournament: Tournament, table: str, typed: Mapping[str, str]) -> Form:
        """The form of a slip, with what has been typed."""
        seats = tournament.seats(table)
        sides = {
            letter: tuple((number, tournament.who(number)) for number in seats[at::2])
            for at, letter in enumerate("AB")
        }
        return words_form(sides, typed)

    def typed_words(self, tournament: Tournament, table: str, typed: Mapping[str, str]) -> tuple[str, ...]:
        """The text typed into the form, as words."""
        return typed_words(typed)

    def fields(self, tournament: Tournament, table: str, words: tuple[str, ...]) -> dict[str, str]:
        """The field of the form that holds these words."""
        return {"words": " ".join(words)}

    def text_lines(self, tournament: Tournament, table: str, say: Callable[..., str]) -> list[str]:
        """The lines of a slip for a terminal: both sides, with room for their points."""
        seats, points = tournament.seats(table), say("points")
        lines = []
        for side, numbers in zip("AB", (seats[0::2], seats[1::2]), strict=True):
            names = ", ".join(f"{number} {tournament.who(number)}" for number in numbers)
            lines.append(f"   {side}  {names:<50}  {points} ________")
        return lines

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
        """The columns of a person's own card, with partners and opponents."""
        return (say("points"),), True

    # at Nousu's tables and in simulations

    def table_rules(self, table: str) -> str:
        """The rules at Nousu's tables; empty where the game knows no match of this many hands.

        A round without a number of hands is a match as it is; with one, a match that ends after them and not
        before.
        """
        game, rules = find(self.preset)
        if self.hands:
            family = _by_tricks(game)
            rules = family.of_hands(rules, self.hands) if family is not None else None
        return "" if rules is None else game.name_of(rules, self.preset.partition("+")[0])

    def chairs(self, tournament: Tournament, table: str, game: int) -> tuple[Chair, ...]:
        """People at Nousu's table, seat by seat; none if a number has withdrawn."""
        seats = tournament.seats(table)
        if any(tournament.has_withdrawn(number, round_of(table)) for number in seats):
            return ()
        return tuple((number, member) for member in range(2 if self.pairs else 1) for number in seats)

    def match_words(self, tournament: Tournament, table: str, games: Mapping[int, Seated]) -> tuple[str, ...]:
        """The totals of a match that is over; else its hands by tricks, where the game knows such words."""
        if 1 not in games:
            return ()
        match = games[1][1]
        if match.winner is not None:
            return tuple(map(str, match.tally.score()))
        family = _by_tricks(find(self.preset)[0])
        hands = [hand.result for hand in match.played if not hand.result.void]
        return tuple(map(family.by_tricks, hands)) if family is not None else ()

    def seat_points(self, table: str, result: Totals) -> Iterator[tuple[int, float]]:
        """Seats (from 0) with the points of their side."""
        for seat in range(2 if self.pairs else 4):
            yield seat, result.scores[seat % 2]


def _by_tricks(game: Game) -> HandsByTricks | None:
    return extension(HandsByTricks, Point.TOTALS, game.name)


def _is_whole(word: str) -> bool:
    digits = word.replace("−", "-").removeprefix("-")
    return digits.isascii() and digits.isdecimal()
