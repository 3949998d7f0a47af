"""What people type into the form of a slip, and the words that the office reads.

A Tuppen slip has a box for every game and seat: places (1 = winner) or points. The slip of a match is the
score sheet in words, that of a drive two totals or words; they are read by the office as they are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nousu.engine.messages import sentence
from nousu.tournament.formats.tuppen import LETTERS
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Json, Tournament
from nousu.tournament.score_sheet import hand_points, whist_rules


@dataclass(frozen=True, slots=True)
class Box:
    """One box of a form: its name, what stands in it, and whether somebody plays there."""

    name: str
    value: str
    open: bool


@dataclass(frozen=True, slots=True)
class Seat:
    """One line of a form."""

    letter: str
    number: int
    name: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A slip's form, ready to print."""

    kind: str
    """boxes or words"""
    seats: tuple[Seat, ...]
    games: int = 0
    by: str = "places"
    """places or points: what is typed into the boxes."""
    points: tuple[int, ...] = ()
    """What the places bring."""
    words: str = ""
    """What is typed, where a slip is words."""
    sheet: bool = False
    """The words are the hands of a match."""
    possible: tuple[int, ...] = ()
    """The points a hand of the match can bring."""


def form_of(state: Tournament, table: str, typed: Mapping[str, str]) -> Form:
    """The form of a slip, with what has been typed."""
    kind, seats = state.kind(table), state.seats(table)
    if kind.slip == "places":
        games = kind.games_at(table)
        lines = []
        for at, number in enumerate(seats):
            boxes = []
            for game in range(1, games + 1):
                name = f"g{game}-{at}"
                there = not state.gone(number, table.partition(".")[0], game)
                boxes.append(Box(name, typed.get(name, ""), there))
            lines.append(Seat(LETTERS[at], number, state.who(number), tuple(boxes)))
        by = "points" if typed.get("by") == "points" else "places"
        return Form(kind="boxes", seats=tuple(lines), games=games, by=by, points=kind.place_points)
    sides = [seats[0::2], seats[1::2]]
    lines = [
        Seat("AB"[at], numbers[0], ", ".join(map(state.who, numbers)), ()) for at, numbers in enumerate(sides)
    ]
    sheet = kind.slip == "hands"
    possible = hand_points(whist_rules(kind.table_rules(table))) if sheet else ()
    return Form(
        kind="words", seats=tuple(lines), words=typed.get("words", ""), sheet=sheet, possible=possible
    )


def words_of(state: Tournament, table: str, typed: Mapping[str, str]) -> tuple[str, ...]:
    """What was typed as the office reads it. `Refusal` says what is missing or doubled."""
    kind = state.kind(table)
    if kind.slip != "places":
        return tuple(typed.get("words", "").replace(",", " ").split())
    form = form_of(state, table, typed)
    return tuple(_game(form, game) for game in range(form.games))


def _game(form: Form, game: int) -> str:
    """One game as a word."""
    where = f"game {game + 1}"
    boxes = [(seat, seat.boxes[game]) for seat in form.seats]
    if form.by == "points":
        return ",".join(box.value.strip() or "-" for _, box in boxes)
    there = [(seat, box.value.strip()) for seat, box in boxes if seat.boxes[game].open]
    if not there:
        return "-"
    for seat, value in there:
        if not (value.isascii() and value.isdecimal() and 1 <= int(value) <= len(there)):
            raise Refusal(
                sentence("{name} needs a place from 1 to {last}"),
                values={"name": seat.name, "last": len(there)},
                where=where,
            )
    for place in range(1, len(there) + 1):
        here = [seat.name for seat, value in there if int(value) == place]
        if len(here) > 1:
            raise Refusal(
                sentence("{names} both have place {place}"),
                values={"names": ", ".join(here), "place": place},
                where=where,
            )
    return "".join(seat.letter for seat, _ in sorted(there, key=lambda one: int(one[1])))


def typed_of(state: Tournament, table: str, result: Json) -> dict[str, str]:
    """What would have to be typed for a result: to show it, to compare it, to correct it."""
    kind, seats = state.kind(table), state.seats(table)
    if kind.slip == "places":
        return {
            f"g{game}-{at}": str(played["order"].index(number) + 1)
            for game, played in enumerate(result["games"], 1)
            for at, number in enumerate(seats)
            if number in played["order"]
        }
    if "sheet" in result:
        return {"words": " ".join(result["sheet"])}
    if "total" in result and "forfeit" not in result:
        total, peak = result["total"], result["peak"]
        winner = "" if result["winner"] < 0 else f" winner={'AB'[result['winner']]}"
        return {"words": f"{total[0]}:{total[1]} peaks={peak[0]}:{peak[1]} hands={result['hands']}{winner}"}
    if "scores" in result:
        return {"words": " ".join(map(str, result["scores"]))}
    return {}


def typed_so_far(state: Tournament, table: str) -> dict[str, str]:
    """What would have to be typed for what was played at Nousu's tables before a table went on on paper."""
    words = state.online[table].so_far
    if state.kind(table).slip != "places":
        return {"words": " ".join(words)}
    return {
        f"g{game}-{LETTERS.index(letter)}": str(place)
        for game, word in enumerate(words, 1)
        for place, letter in enumerate(word, 1)
        if letter in LETTERS
    }


@dataclass(frozen=True, slots=True)
class Difference:
    """One box in which two people typed something else."""

    name: str
    """Whose box, empty for a slip of words."""
    game: int
    first: str
    second: str


def differences(form: Form, first: Mapping[str, str], second: Mapping[str, str]) -> Sequence[Difference]:
    """Where two entries of a slip differ, shown after the second one."""
    if form.kind == "words":
        return [Difference("", 0, first.get("words", ""), second.get("words", ""))]
    return [
        Difference(seat.name, game, first.get(box.name, ""), second.get(box.name, ""))
        for seat in form.seats
        for game, box in enumerate(seat.boxes, 1)
        if first.get(box.name, "") != second.get(box.name, "")
    ]


def as_places(state: Tournament, table: str, typed: Mapping[str, str]) -> Mapping[str, str]:
    """What was typed, points turned into places: two entries can then be compared."""
    kind = state.kind(table)
    if kind.slip != "places" or typed.get("by") != "points":
        return typed
    result: Any = kind.parse(state, table, words_of(state, table, typed))
    return typed_of(state, table, result)
