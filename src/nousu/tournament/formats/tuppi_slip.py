"""Slip of a Tuppi match: the score sheet, hand by hand, or its totals.

The sheet is that of `nousu.tournament.score_sheet`::

A8 A8 B B12 B8 A A8 B B4 A A4 B A4 B B4 A
32:28 16:20 16 [A]

The totals are points, highest rises, hands and the winner of a tie; their names may stand before them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from nousu.engine.messages import Note, sentence
from nousu.games.whist import GAME, Rules, never_drawn
from nousu.tournament.form_fields import Form, typed_words, words_form
from nousu.tournament.messages import Address, Refusal, Speech
from nousu.tournament.model import Chair, Json, Seated, Tournament
from nousu.tournament.score_sheet import (
    SheetMatch,
    from_totals,
    hand_points,
    hand_word,
    play_sheet,
    sheet_so_far,
    whist_rules,
    with_names,
)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match, however it was written."""

    written: Literal["sheet", "totals", "forfeit"]
    winner: int
    """0 = A, 1 = B, -1 = drawn."""
    total: tuple[int, int]
    """Points that each side collected while rising."""
    peak: tuple[int, int]
    """The highest rise of each side, in points."""
    hands: int
    sheet: tuple[str, ...] = ()

    def to_json(self) -> Json:
        """The result as the log stores it."""
        written: Mapping[str, Json] = {
            "sheet": {"sheet": list(self.sheet)},
            "totals": {"totals_only": True},
            "forfeit": {"forfeit": 1 - self.winner},
        }
        counted = {"total": list(self.total), "peak": list(self.peak), "hands": self.hands}
        return {**written[self.written], "winner": self.winner, **counted}

    def figures(self) -> object:
        """The figures that count in the tournament, and whether they were written as a forfeit."""
        return self.written == "forfeit", self.winner, self.total, self.peak, self.hands

    def words(self) -> tuple[str, ...]:
        """The words that `TuppiSlips.parse` reads back; none for a forfeit."""
        if self.written != "totals":
            return self.sheet
        winner = () if self.winner < 0 else (f"winner={'AB'[self.winner]}",)
        (a, b), (peak_a, peak_b) = self.total, self.peak
        return (f"{a}:{b}", f"peaks={peak_a}:{peak_b}", f"hands={self.hands}", *winner)

    def fields(self) -> dict[str, str]:
        """The result as it is typed into the form."""
        if self.written == "forfeit":
            return {}
        return {"words": " ".join(word.rpartition("=")[2] for word in self.words())}

    def match_points(self, side: int) -> int:
        """Match points of a side: 2 for a win, 1 for a draw, 0 for a loss."""
        return 1 if self.winner < 0 else 2 if self.winner == side else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TuppiSlips:
    """The slips of a Tuppi event under given options."""

    preset: str

    paper: ClassVar[str] = "sheets"
    has_assistant: ClassVar[bool] = False

    def games_at(self, table: str) -> int:
        """Return 1: one match a slip."""
        return 1

    def lines_at(self, table: str) -> int:
        """Number of hands that have a line: those after which the match ends."""
        return whist_rules(self.preset).max_hands or 0

    def match_rules(self, table: str) -> Rules:
        """The rules of a match: in the cup nothing ends in a draw."""
        rules = whist_rules(self.preset)
        return never_drawn(rules) if table[0] == "C" else rules

    # words, log and check

    def parse(self, tournament: Tournament, table: str, words: tuple[str, ...]) -> MatchResult:
        """The result that the words tell. `Refusal` says what is impossible."""
        rules = self.match_rules(table)
        if any(":" in word for word in words):
            return _parse_totals(rules, words)
        if not words:
            raise Refusal("the slip is empty", where="result")
        _, match = play_sheet(rules, words)
        return _result("sheet", match, words)

    def load(self, tournament: Tournament, table: str, result: Json) -> MatchResult:
        """The result that a log holds; all counts of a forfeit are 0 for both sides."""
        (total_a, total_b), (peak_a, peak_b) = result["total"], result["peak"]
        written: Literal["sheet", "totals"] = "sheet" if "sheet" in result else "totals"
        loaded = MatchResult(
            written,
            result["winner"],
            (total_a, total_b),
            (peak_a, peak_b),
            result["hands"],
            tuple(result.get("sheet", ())),
        )
        if "forfeit" in result:
            lost = _forfeit(result["forfeit"])
            if replace(loaded, written="forfeit", sheet=()) != lost:
                raise _does_not_follow()
            return lost
        return loaded

    def _match(self, table: str, result: MatchResult) -> SheetMatch:
        """The match behind a result that is no forfeit, computed anew."""
        rules = self.match_rules(table)
        if result.written == "sheet":
            return play_sheet(rules, result.sheet)[1]
        winner = result.winner if result.winner >= 0 else None
        return from_totals(rules, result.total, result.peak, result.hands, winner)

    def check(self, tournament: Tournament, table: str, result: MatchResult) -> None:
        """Raise `Refusal` if a result is impossible."""
        tournament.seats(table)
        if result.written == "forfeit":
            return
        if _result(result.written, self._match(table, result), result.sheet) != result:
            raise _does_not_follow()

    def forfeit(self, tournament: Tournament, table: str, loser: int) -> MatchResult:
        """The result of a lost match; all counts of both sides are 0."""
        return _forfeit(tournament.seats(table).index(loser))

    def after_withdrawal(self, tournament: Tournament, table: str, number: int) -> MatchResult:
        """The forfeit of a pair that withdraws."""
        return self.forfeit(tournament, table, number)

    def describe(self, tournament: Tournament, table: str, result: MatchResult) -> tuple[Note, ...]:
        """A result in words, with the reasons."""
        tournament = tournament.at_round(table)
        a, b = (tournament.who(number) for number in tournament.seats(table))
        if result.written == "forfeit":
            loser = (a, b)[1 - result.winner]
            return (Note("5.1", "{name} forfeits the match: no points on any count.", {"name": loser}),)
        notes = []
        if result.written == "sheet":
            lines, _ = play_sheet(self.match_rules(table), result.sheet)
            notes = [note for line in lines for note in line.notes if note.clause == "T-WIKT-04"][:1]
        match = self._match(table, result)
        figures = Note(
            "5.1",
            sentence(
                "{hands} hand. Collected while rising: {a} {sum_a}, {b} {sum_b}; highest rises "
                "{peak_a} and {peak_b}.",
                "{hands} hands. Collected while rising: {a} {sum_a}, {b} {sum_b}; highest rises "
                "{peak_a} and {peak_b}.",
            ),
            {
                "a": a,
                "b": b,
                "sum_a": match.total[0],
                "sum_b": match.total[1],
                "peak_a": match.peak[0],
                "peak_b": match.peak[1],
                "hands": match.hands,
            },
        )
        return (*(with_names(note, a, b) for note in (*notes, match.reason)), figures)

    def progress(self, tournament: Tournament, table: str, words: tuple[str, ...]) -> tuple[Note, ...]:
        """The rising side and its points in a match that is not over; nothing once it is."""
        if not words or ":" in words[0]:
            return ()
        lines, tally = sheet_so_far(self.match_rules(table), words)
        if tally.end is not None:
            return ()
        hands = Note("", sentence("{count} hand", "{count} hands"), {"count": len(lines)})
        if tally.riser is None:
            return hands, Note("", "Nobody is rising: 0–0")
        name = tournament.who(tournament.seats(table)[tally.riser])
        return hands, Note("", "{name} is rising with {points}", {"name": name, "points": tally.points})

    # form and paper

    def form(self, tournament: Tournament, table: str, typed: Mapping[str, str]) -> Form:
        """The form of a slip, with what has been typed."""
        sides = {
            letter: ((number, tournament.who(number)),)
            for letter, number in zip("AB", tournament.seats(table), strict=True)
        }
        possible = hand_points(self.match_rules(table))
        return replace(words_form(sides, typed), sheet=True, possible=possible)

    def typed_words(self, tournament: Tournament, table: str, typed: Mapping[str, str]) -> tuple[str, ...]:
        """The text typed into the form, as words."""
        return typed_words(typed)

    def fields(self, tournament: Tournament, table: str, words: tuple[str, ...]) -> dict[str, str]:
        """The field of the form that holds these words."""
        return {"words": " ".join(words)}

    def text_lines(self, tournament: Tournament, table: str, say: Callable[..., str]) -> list[str]:
        """The lines of a slip for a terminal: both pairs, with room for the hands and the totals."""
        lines = [
            f"   {side}  {number:>3}  {tournament.who(number)}"
            for side, number in zip("AB", tournament.seats(table), strict=True)
        ]
        for first in range(1, self.lines_at(table) + 1, 8):
            hands = range(first, min(first + 8, self.lines_at(table) + 1))
            lines.append("   " + "  ".join(f"{hand:>2} ____" for hand in hands))
        gaps = {"sums": "A ____ B ____", "rises": "A ____ B ____", "gap": "____"}
        sums = say("sums {sums}   highest rises {rises}   hands {gap}   winner {gap}", **gaps)
        return [*lines, "   " + sums]

    def pdf(
        self,
        tournament: Tournament,
        tables: Sequence[str],
        speech: Speech,
        paper: str,
        address: Address | None,
    ) -> bytes:
        """The score sheets of these tables on paper."""
        from nousu.tournament.paper.sheets import sheets

        return sheets(tournament, tables, speech, paper, address)

    def card_columns(self, say: Callable[..., str]) -> tuple[tuple[str, ...], bool]:
        """The columns of a person's own card, with opponents."""
        return (say("points"), say("sum"), say("rises")), True

    # at Nousu's tables and in simulations

    def table_rules(self, table: str) -> str:
        """The rules at Nousu's tables."""
        return GAME.name_of(self.match_rules(table), self.preset.partition("+")[0])

    def chairs(self, tournament: Tournament, table: str, game: int) -> tuple[Chair, ...]:
        """People at Nousu's table, seat by seat."""
        return tuple((number, member) for member in (0, 1) for number in tournament.seats(table))

    def match_words(self, tournament: Tournament, table: str, games: Mapping[int, Seated]) -> tuple[str, ...]:
        """The words of the slip, hand by hand, as far as the match has come."""
        if 1 not in games:
            return ()
        return tuple(hand_word(played.result) for played in games[1][1].played if not played.result.void)

    def seat_points(self, table: str, result: MatchResult) -> Iterator[tuple[int, float]]:
        """Sides (from 0) with their match points."""
        for side in (0, 1):
            yield side, float(result.match_points(side))


def _totals_place(given: Mapping[str, str], word: str) -> str:
    """The meaning of a word without a name: points, then rises, hands, winner."""
    if ":" in word:
        return "totals" if not given["totals"] else "peaks"
    return "hands" if word.isdecimal() else "winner" if word.upper() in ("A", "B") else ""


def _parse_totals(rules: Rules, words: tuple[str, ...]) -> MatchResult:
    """A result from ``32:28 16:20 16 [A]``, or with names: ``32:28 peaks=16:20 hands=16 [winner=A]``."""
    given = dict.fromkeys(("totals", "peaks", "hands", "winner"), "")
    for word in sorted(words, key=lambda word: "=" not in word):  # named words first
        name, equals, value = word.partition("=")
        if not equals:
            name, value = _totals_place(given, word), word
        if name not in given or given[name]:
            raise Refusal(
                "{word} does not belong here; write points, highest rises and hands: 32:28 16:20 16",
                values={"word": word},
                where="result",
            )
        given[name] = value
    figures: dict[str, tuple[int, int]] = {}
    for name in ("totals", "peaks"):
        parts = given[name].split(":")
        if len(parts) != 2 or not all(part.isdecimal() for part in parts):
            raise Refusal(
                "write two numbers, for example 32:28, not {given}",
                values={"given": given[name] or "-"},
                where=name,
            )
        figures[name] = (int(parts[0]), int(parts[1]))
    if not given["hands"].isdecimal() or not int(given["hands"]):
        raise Refusal("say how many hands were played, for example 32:28 16:20 16", where="hands")
    if given["winner"].upper() not in ("", "A", "B"):
        raise Refusal("the winner is A or B", where="winner")
    winner = "AB".index(given["winner"].upper()) if given["winner"] else None
    match = from_totals(rules, figures["totals"], figures["peaks"], int(given["hands"]), winner)
    return _result("totals", match)


def _result(
    written: Literal["sheet", "totals"], match: SheetMatch, sheet: tuple[str, ...] = ()
) -> MatchResult:
    return MatchResult(written, match.winner, match.total, match.peak, match.hands, sheet)


def _forfeit(loser: int) -> MatchResult:
    return MatchResult("forfeit", 1 - loser, (0, 0), (0, 0), 0)


def _does_not_follow() -> Refusal:
    return Refusal("the result does not follow from the hands", where="result")
