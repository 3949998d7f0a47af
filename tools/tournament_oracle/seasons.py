"""Second, plain computation of a season, straight from the lines of its file.

The evenings inside it are replayed by `replay`; their values are computed the long way round, from
the rule as the guide for directors states it. It shares nothing with the office.
"""

import hashlib
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from nousu.tournament.log_file import read
from nousu.tournament.season import core
from nousu.tournament.season_file import season_state
from tools.tournament_oracle import replay
from tools.tournament_oracle.book import Event, lines_of, when


def same(name: str) -> str:
    """The common key of names that differ only in capitals and spaces."""
    return " ".join(name.casefold().split())


class Evening:
    """An evening: the place and the points of each name."""

    def __init__(self, lines: Sequence[str], date: str, entry: int) -> None:
        self.lines, self.date, self.entry = list(lines), date, entry

    def read(self) -> "Evening":
        """Replay the log."""
        book = replay.replay(lines_of("".join(line + "\n" for line in self.lines).encode()))
        self.wrong = list(book.wrong)
        began = min((when(label) for label in book.rounds), default=None)
        there = []
        for number in range(1, len(book.numbers) + 1):
            left = book.gone.get(number)
            if left is None or (began is not None and left > (began, 1)):
                there.append(number)
        order: dict[int, Any] = {}
        points: dict[int, int | None] = {}
        for section in replay.core(book):
            if section[0] == "standings":
                for rank, number, _, cells in section[1]:
                    order[number] = rank
                    points[number] = None if book.options.get("lowest") else cells[0]
            elif section[0].startswith("pool "):
                for rank, number, _, cells in section[1]:
                    order.setdefault(number, 10_000 + rank)
                    points[number] = cells[0]
            elif section[0] == "cup rounds":
                for rank, number, _, _ in section[1]:
                    order[number] = rank
                    points.setdefault(number, None)
        rows = [number for number in order if number in there]
        self.count = len(rows)
        self.places: dict[str, int] = {}
        self.points: dict[str, int | None] = {}
        self.level: dict[str, int] = {}
        for number in rows:
            ahead = len([other for other in rows if order[other] < order[number]])
            level = len([other for other in rows if order[other] == order[number]])
            for name in book.person(number)["members"]:
                self.places[name] = ahead + 1
                self.level[name] = level
                self.points[name] = points[number]
        return self

    def worth(self, name: str, rule: dict[str, Any]) -> Fraction:
        """The value of the evening for a person."""
        place, level = self.places[name], self.level[name]
        if rule["counts"] == "points":
            return Fraction(self.points[name] or 0)
        if rule["counts"] == "beaten":
            behind = self.count - (place - 1) - level
            return behind + Fraction(level - 1, 2)
        figures = []
        for taken in range(place, place + level):
            scale = rule["scale"]
            figures.append(scale[taken - 1] if taken <= len(scale) else scale[-1])
        return Fraction(sum(figures), level)


class SeasonBook:
    """A season as the plain computation knows it."""

    def __init__(self) -> None:
        self.rule: dict[str, Any] = {}
        self.evenings: list[Evening] = []
        self.joins: dict[int, tuple[str, list[str]]] = {}
        self.guests: set[str] = set()
        self.wrong: list[str] = []

    def person(self, name: str) -> str:
        """The key for all spellings of a person."""
        for _, spellings in self.joins.values():
            if same(name) in [same(other) for other in spellings]:
                return "joined " + same(spellings[0])
        return same(name)

    def take(self, event: Event) -> None:
        """Carry out one entry."""
        do = "rule" if event["do"] == "season" else event["do"]
        carry_out = getattr(self, f"_do_{do}", None)
        if carry_out is not None:
            carry_out(event)

    def _do_rule(self, event: Event) -> None:
        self.rule = event["rule"]

    def _do_evening(self, event: Event) -> None:
        if any(set(evening.lines) >= set(event["lines"]) for evening in self.evenings):
            self.wrong.append(f"entry {event['n']}: an evening twice")
        self.evenings.append(Evening(event["lines"], event["date"], event["n"]).read())

    def _do_continued(self, event: Event) -> None:
        for evening in self.evenings:
            if evening.entry == event["entry"]:
                evening.lines += event["lines"]
                evening.read()

    def _do_removed(self, event: Event) -> None:
        self.evenings = [evening for evening in self.evenings if evening.entry != event["entry"]]

    def _do_joined(self, event: Event) -> None:
        spellings: list[str] = []
        for entry, (_, others) in list(self.joins.items()):
            if {self.person(name) for name in event["spellings"]} & {self.person(others[0])}:
                spellings += others
                del self.joins[entry]
        for name in event["spellings"]:
            if same(name) not in [same(other) for other in spellings]:
                spellings.append(name)
        self.joins[event["n"]] = (event["name"], spellings)

    def _do_separated(self, event: Event) -> None:
        del self.joins[event["entry"]]

    def _do_guests(self, event: Event) -> None:
        """The mark lies on a name; joining carries it to the whole person."""
        people = {self.person(name) for name in event["names"]}
        self.guests = {name for name in self.guests if self.person(name) not in people}
        if event["on"]:
            for name in event["names"]:
                first = [s for _, s in self.joins.values() if self.person(s[0]) == self.person(name)]
                self.guests.add(same(first[0][0]) if first else same(name))

    def rows(self) -> list[list[Any]]:
        """The ranking: rank, name, guest, total, and of every evening figure, place, whether it counts."""
        evenings = sorted(self.evenings, key=lambda evening: (evening.date, evening.entry))
        called: dict[str, str] = {}
        for evening in evenings:
            for name in evening.places:
                called[self.person(name)] = name
        for name, spellings in self.joins.values():
            if self.person(spellings[0]) in called:
                called[self.person(spellings[0])] = name
        people = []
        guests = {self.person(name) for name in self.guests}
        for person, shown in called.items():
            cells: list[Any] = []
            for evening in evenings:
                names = [name for name in evening.places if self.person(name) == person]
                if len(names) > 1:
                    self.wrong.append(f"{shown} sits twice on {evening.date}")
                cells.append(
                    [evening.worth(names[0], self.rule), evening.places[names[0]], True] if names else None
                )
            played = [at for at, cell in enumerate(cells) if cell]
            while self.rule["best"] and len(played) > self.rule["best"]:
                low = min(cells[at][0] for at in played)
                last = max(at for at in played if cells[at][0] == low)
                cells[last][2] = False
                played.remove(last)
            counting = sorted((cells[at][0] for at in played), reverse=True)
            total = sum(counting, Fraction(0))
            people.append([person in guests, total, counting, shown, cells])
        ranked: list[tuple[int, list[Any]]] = []
        for row in people:
            rivals = [other for other in people if self.rule["guests"] == "ranked" or other[0] == row[0]]
            rank = 1 + sum(ahead(other, row, len(evenings)) for other in rivals)
            ranked.append((rank, row))
        apart = self.rule["guests"] == "apart"
        ranked.sort(key=lambda pair: (apart and pair[1][0], pair[0], pair[1][3]))
        return [
            [rank, row[3], row[0], str(row[1]), [cell and [str(cell[0]), *cell[1:]] for cell in row[4]]]
            for rank, row in ranked
        ]


def ahead(one: list[Any], other: list[Any], evenings: int) -> bool:
    """Whether a row stands before another: total, then the counting results from the best."""
    if one[1] != other[1]:
        return bool(one[1] > other[1])
    for at in range(evenings):
        # A missed evening brings 0, wherever 0 belongs among the others.
        a = sorted(one[2] + [Fraction(0)] * (evenings - len(one[2])), reverse=True)[at]
        b = sorted(other[2] + [Fraction(0)] * (evenings - len(other[2])), reverse=True)[at]
        if a != b:
            return bool(a > b)
    return False


def season_differences(data: bytes) -> tuple[str, ...]:
    """Lines that the office and the plain computation give differently for a season's file; none if none.

    The digest that every entry holds is compared as well.
    """
    book = SeasonBook()
    lines = []
    for event in lines_of(data):
        book.take(event)
        text = json.dumps(book.rows(), ensure_ascii=False, separators=(",", ":"))
        if hashlib.sha256(text.encode()).hexdigest() != event["digest"]:
            lines.append(f"entry {event['n']} ({event['do']}): the ranking is another one")
    for evening in book.evenings:
        lines += [f"{evening.date}: {line}" for line in evening.wrong]
    office, other = core(season_state(read(data).events).season), book.rows()
    lines += [f"{a!r} against {b!r}" for a, b in zip(office, other, strict=False) if a != b]
    if len(office) != len(other):
        lines.append(f"rows: {len(office)} against {len(other)}")
    return (*lines, *book.wrong)
