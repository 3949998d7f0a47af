"""Season: the results of several evenings, and their ranking. Values and functions without I/O.

The ranking follows from the evenings' own standings:

* Participants: everybody with a number in it, but for those who had withdrawn before the first round. The
  place of an evening is one's place among those who took part. Both members of a pair get what the pair made.
* The value of an evening (`SeasonRule.counts`): ``points``, the points of its standings; ``place``, the
  figure that the scale has for the place, equals sharing the mean of the places that they take together;
  ``beaten``, 1 for everybody behind and one half for everybody level.
* The total is the sum of the best `SeasonRule.best` evenings, or of all, if there are fewer. Of equal results
  the later one is dropped.
* The order: total, then the counting results one by one from the best, a missing one being 0. All equal: the
  place is shared, and the next places stay empty.
* A play-off (Stechen) decides the cup of its evening alone (TU-ZK-I3).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

from nousu.engine.messages import Note, sentence
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Json, Section, Standings, StandingsRow, Tournament, order
from nousu.tournament.people import name_key, plain_spellings

SCALE = (20, 17, 15, *range(13, 0, -1))
"""Default figures by place; the last one is for all further places."""
COUNTS = {
    "points": sentence("Points of the evening"),
    "place": sentence("Points by place"),
    "beaten": sentence("People beaten"),
}
"""Ways to value an evening."""
GUESTS = {
    "ranked": sentence("Guests are ranked like members"),
    "apart": sentence("Guests have a list of their own"),
}
"""Treatments of guests."""
MOST_EVENINGS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRule:
    """The rule of a season."""

    counts: str = "points"
    """A key of `COUNTS`."""
    best: int = 0
    """Number of evenings that count, the best ones; 0: all."""
    evenings: int = 0
    """Planned number of evenings of the season; 0: not known."""
    scale: tuple[int, ...] = SCALE
    guests: str = "ranked"
    """A key of `GUESTS`."""

    @classmethod
    def from_json(cls, options: Json) -> "SeasonRule":
        """The rule from plain values; `Refusal` names the bad one."""
        known = cls().to_json()
        for name in options:
            if name not in known:
                raise Refusal(
                    "there is no option {name} here; the options are {known}",
                    values={"name": name, "known": ", ".join(known)},
                    where="option",
                )
        values = {**known, **options}
        for name, allowed in (("counts", COUNTS), ("guests", GUESTS)):
            if values[name] not in allowed:
                raise Refusal(
                    "{name} is {allowed}, not {value}",
                    values={"name": name, "allowed": " or ".join(allowed), "value": str(values[name])},
                    where="option",
                )
        for name in ("best", "evenings"):
            if type(values[name]) is not int or not 0 <= values[name] <= MOST_EVENINGS:
                raise Refusal(
                    "{name} is {value}; it must be between {low} and {high}",
                    values={"name": name, "value": str(values[name]), "low": 0, "high": MOST_EVENINGS},
                    where="option",
                )
        scale = tuple(values["scale"])
        good = 0 < len(scale) <= 200 and all(type(figure) is int and 0 <= figure < 1000 for figure in scale)
        if not good or list(scale) != sorted(scale, reverse=True):
            raise Refusal("the figures by place are whole numbers that do not rise", where="option")
        return cls(**{**values, "scale": scale})

    def to_json(self) -> Json:
        """The rule as plain values."""
        return {
            "counts": self.counts,
            "best": self.best,
            "evenings": self.evenings,
            "scale": list(self.scale),
            "guests": self.guests,
        }


@dataclass(frozen=True, slots=True)
class EveningResult:
    """The result of a person or pair at an evening."""

    names: tuple[str, ...]
    place: int
    points: int | None
    """The points; None where the evening has no points of its own, or its lowest sum wins."""


@dataclass(frozen=True, slots=True)
class SeasonEvening:
    """One evening of a season, as far as the ranking needs it."""

    entry: int
    """The entry of the season's file that added it."""
    date: str
    """``2026-11-07``"""
    name: str
    results: tuple[EveningResult, ...]
    revision: int = 1
    """The revision of its published result."""
    published: str = ""
    """The time at which its result was published."""

    @property
    def winners(self) -> tuple[EveningResult, ...]:
        """Results on the first place."""
        return tuple(result for result in self.results if result.place == 1)


@dataclass(frozen=True, slots=True)
class SeasonJoin:
    """Several spellings of one person."""

    entry: int
    name: str
    """The person's name."""
    spellings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EveningCell:
    """The value of one evening for a person."""

    value: Fraction
    place: int
    of: int
    """Number of participants."""
    counts: bool = True


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A person of the ranking."""

    rank: int
    name: str
    spellings: tuple[str, ...]
    guest: bool
    total: Fraction
    cells: tuple[EveningCell | None, ...]
    """Values by evening; None: did not take part."""
    why: tuple[Note, ...] = ()
    before: int = 0
    """The place before the newest evening; 0: not ranked then."""

    @property
    def counted(self) -> int:
        """Number of evenings that count."""
        return sum(cell is not None and cell.counts for cell in self.cells)


@dataclass(frozen=True, kw_only=True)
class Season:
    """A season at one moment."""

    name: str
    rule: SeasonRule = SeasonRule()
    evenings: tuple[SeasonEvening, ...] = ()
    """Evenings by date; those of one day in the order in which they were added."""
    joins: tuple[SeasonJoin, ...] = ()
    different: frozenset[frozenset[str]] = frozenset()
    """Pairs of spellings (`alike`) of two different people, by the direction's decision."""
    guests: frozenset[str] = frozenset()
    """Spellings (`alike`) of guests."""

    @cached_property
    def people(self) -> Mapping[str, str]:
        """Names by the key of the person.

        Spellings that differ in case and spaces alone are one person, called as at the newest evening.
        """
        named = {}
        for evening in self.evenings:
            for result in evening.results:
                named.update({self.key(name): name for name in result.names})
        return named | {self.key(join.spellings[0]): join.name for join in self.joins}

    @cached_property
    def _keys(self) -> Mapping[str, str]:
        return {name_key(name): name_key(join.spellings[0]) for join in self.joins for name in join.spellings}

    def key(self, name: str) -> str:
        """The key shared by all spellings of a person."""
        return self._keys.get(name_key(name), name_key(name))

    def is_guest(self, key: str) -> bool:
        """Whether a person is a guest."""
        return key in {self._keys.get(guest, guest) for guest in self.guests}

    @property
    def over(self) -> bool:
        """Whether all evenings have been played that were to be."""
        return 0 < self.rule.evenings <= len(self.evenings)

    def before_newest(self) -> "Season":
        """The season before its newest evening."""
        return replace(self, evenings=self.evenings[:-1])


# one evening


def evening_results(state: Tournament) -> tuple[EveningResult, ...]:
    """The places of an evening among those who took part, with their points; best first."""
    part = set(range(1, len(state.numbers) + 1)) - _never_there(state)
    rows = [(rank, number, points) for rank, number, points in _rows_at_evening(state) if number in part]
    placed = []
    for rank, number, points in sorted(rows, key=lambda row: (row[0], row[1])):
        place = 1 + sum(other < rank for other, _, _ in rows)
        placed.append(EveningResult(state.entrant(number).members, place, points))
    return tuple(placed)


def _never_there(state: Tournament) -> set[int]:
    """The numbers that had withdrawn before the first game of the event."""
    first = min(state.rounds, key=order, default="")
    return {number for number in state.withdrawals if not first or state.has_withdrawn(number, first)}


def _rows_at_evening(state: Tournament) -> list[tuple[tuple[int, int], int, int | None]]:
    """Rank, number and points of every person at an evening.

    In a cup the rank in it; behind all of them those of the pools by their rank there. The points of pools
    are match points.
    """
    sections = {section.key: section for section in state.format.standings(state).sections}
    if main := sections.get("standings"):
        lowest = bool(state.format.to_json().get("lowest"))
        return [((0, row.rank), row.number, None if lowest else _whole(row.cells[0])) for row in main.rows]
    pools = [section for key, section in sections.items() if key.startswith("pool ")]
    points = {row.number: _whole(row.cells[0]) for section in pools for row in section.rows}
    cup = sections.get("cup rounds")
    ranks = {row.number: (1, row.rank) for section in pools for row in section.rows}
    ranks |= {row.number: (0, row.rank) for row in (cup.rows if cup else ())}
    return [(rank, number, points.get(number)) for number, rank in ranks.items()]


def _whole(cell: int | str) -> int | None:
    return cell if isinstance(cell, int) else None


def check_counts(rule: SeasonRule, evening: SeasonEvening) -> None:
    """Refuse points of an evening that has none."""
    if rule.counts == "points" and any(result.points is None for result in evening.results):
        raise Refusal(
            "{name} has no points that add up over a season; let places count, or people beaten",
            values={"name": evening.name},
            where="option",
        )


def check_people(season: Season) -> None:
    """Refuse joined spellings that play at the same evening."""
    for evening in season.evenings:
        names: dict[str, str] = {}
        for result in evening.results:
            for name in result.names:
                key = season.key(name)
                if key in names:
                    raise Refusal(
                        "{name} and {other} both played on {date}; they are two people",
                        values={"name": names[key], "other": name, "date": evening.date},
                        where="player",
                    )
                names[key] = name


def values_of(rule: SeasonRule, evening: SeasonEvening) -> tuple[Fraction, ...]:
    """Values of the evening, one for each of its results."""
    places = [result.place for result in evening.results]
    if rule.counts == "points":
        points = [Fraction(result.points) for result in evening.results if result.points is not None]
        assert len(points) == len(places), "`check_counts` refuses an evening without points"
        return tuple(points)
    if rule.counts == "beaten":
        count = len(places)
        return tuple(
            Fraction(2 * (count - place + 1 - places.count(place)) + places.count(place) - 1, 2)
            for place in places
        )

    def mean(place: int) -> Fraction:
        level = places.count(place)
        taken = range(place - 1, place - 1 + level)
        return Fraction(sum(rule.scale[min(at, len(rule.scale) - 1)] for at in taken), level)

    return tuple(map(mean, places))


# the ranking


def ranking(season: Season) -> tuple[SeasonRow, ...]:
    """The ranking, best first; guests behind all others with places of their own, if they are apart."""
    return season_rows(season, moves=True)


def season_rows(season: Season, *, moves: bool = False) -> tuple[SeasonRow, ...]:
    """The ranking, without (or with) the places before the newest evening."""
    cells = _cells(season)
    apart = season.rule.guests == "apart"
    people = [
        SeasonRow(
            0,
            season.people[key],
            _spellings(season, key),
            season.is_guest(key),
            sum((cell.value for cell in row if cell is not None and cell.counts), Fraction(0)),
            row,
        )
        for key, row in cells.items()
    ]
    groups = [[row for row in people if not (apart and row.guest)]]
    groups.append([row for row in people if apart and row.guest])
    rows = [row for group in groups for row in _ranked_rows(group)]
    if moves and len(season.evenings) > 1:
        earlier = season.before_newest()
        ranks = {season.key(row.spellings[0]): row.rank for row in season_rows(earlier)}
        rows = [replace(row, before=ranks.get(season.key(row.spellings[0]), 0)) for row in rows]
    return tuple(rows)


def _spellings(season: Season, key: str) -> tuple[str, ...]:
    """Spellings of a person, the newest last."""
    names = [name for evening in season.evenings for result in evening.results for name in result.names]
    return tuple(dict.fromkeys(name for name in names if season.key(name) == key))


def _cells(season: Season) -> dict[str, tuple[EveningCell | None, ...]]:
    """Values of all evenings for each person, and whether they count."""
    rows: dict[str, list[EveningCell | None]] = {key: [] for key in season.people}
    for evening in season.evenings:
        values = values_of(season.rule, evening)
        cells = {
            season.key(name): EveningCell(value, result.place, len(evening.results))
            for result, value in zip(evening.results, values, strict=True)
            for name in result.names
        }
        for key, row in rows.items():
            row.append(cells.get(key))
    return {
        key: _with_dropped(row, season.rule.best) for key, row in rows.items() if any(cell for cell in row)
    }


def _with_dropped(row: Sequence[EveningCell | None], best: int) -> tuple[EveningCell | None, ...]:
    """The cells, those beyond the best ones marked as dropped: the lowest, and of equal ones the later."""
    played = [(-cell.value, at) for at, cell in enumerate(row) if cell is not None]
    dropped = {at for _, at in sorted(played)[best:]} if best else set()
    return tuple(
        replace(cell, counts=False) if cell is not None and at in dropped else cell
        for at, cell in enumerate(row)
    )


def _counting(row: SeasonRow) -> tuple[Fraction, ...]:
    """The results that count, from the best; as many as there are evenings, missing ones being 0."""
    values = [cell.value for cell in row.cells if cell is not None and cell.counts]
    return tuple(sorted(values + [Fraction(0)] * (len(row.cells) - len(values)), reverse=True))


def _ranked_rows(people: Sequence[SeasonRow]) -> list[SeasonRow]:
    """People with their places, and a sentence wherever the total does not decide."""
    keys = {row.spellings: (row.total, *_counting(row)) for row in people}
    ranked = []
    for row in sorted(people, key=lambda row: (*(-figure for figure in keys[row.spellings]), row.name)):
        key = keys[row.spellings]
        rank = 1 + sum(other > key for other in keys.values())
        level = [other for other in people if other.total == row.total and other is not row]
        ranked.append(replace(row, rank=rank, why=_reasons(row, level, keys, rank)))
    return ranked


ORDINALS = (
    sentence("Level with {others} on {points}; the best evening decides: {own} against {theirs}."),
    sentence("Level with {others} on {points}; the second-best evening decides: {own} against {theirs}."),
    sentence("Level with {others} on {points}; the third-best evening decides: {own} against {theirs}."),
)
LATER = sentence(
    "Level with {others} on {points}; evening {number}, counted from the best, decides: "
    "{own} against {theirs}."
)


def _reasons(
    row: SeasonRow,
    level: Sequence[SeasonRow],
    keys: Mapping[tuple[str, ...], tuple[Fraction, ...]],
    rank: int,
) -> tuple[Note, ...]:
    """The tie-break between a person and those with the same total, or a note that they share the place."""
    own = keys[row.spellings]
    apart: dict[int, list[SeasonRow]] = {}
    same = []
    for other in level:
        theirs = keys[other.spellings]
        at = next((at for at, (a, b) in enumerate(zip(own, theirs, strict=True)) if a != b), 0)
        if at:
            apart.setdefault(at, []).append(other)
        else:
            same.append(other)
    notes = []
    for at, others in sorted(apart.items()):
        values: dict[str, int | str] = {
            "others": ", ".join(other.name for other in others),
            "points": figure(row.total),
            "own": figure(own[at]),
            "theirs": ", ".join(str(figure(keys[other.spellings][at])) for other in others),
        }
        message = ORDINALS[at - 1] if at <= len(ORDINALS) else LATER
        notes.append(Note("", message, values if at <= len(ORDINALS) else {**values, "number": at}))
    if same:
        names = ", ".join(other.name for other in same)
        message = sentence("Shares place {rank} with {others}: the same total, evening for evening.")
        notes.append(Note("", message, {"rank": rank, "others": names}))
    return tuple(notes)


_SIGNS = {
    Fraction(1, 2): "½", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔", Fraction(1, 4): "¼", Fraction(3, 4): "¾",
}  # fmt: skip


def figure(value: Fraction) -> int | str:
    """A figure as people write it: whole, with a fraction sign, or with two decimals."""
    whole, rest = divmod(abs(value), 1)
    if not rest:
        return int(value)
    sign = "−" if value < 0 else ""
    if rest in _SIGNS:
        return f"{sign}{whole or ''}{_SIGNS[rest]}"
    return f"{sign}{float(abs(value)):.2f}"


def core(season: Season) -> list[Any]:
    """Places and figures alone, without any words: an entry of the season's file is sealed with them."""
    return [
        [
            row.rank,
            row.name,
            row.guest,
            str(row.total),
            [None if cell is None else [str(cell.value), cell.place, cell.counts] for cell in row.cells],
        ]
        for row in season_rows(season)
    ]


def season_standings(season: Season) -> Standings:
    """The ranking as a table like those of an evening: for CSV, XLSX and paper.

    Results that do not count stand in brackets; a dash means not taking part.
    """
    rows = ranking(season)
    columns = ("points", *short_dates(season))
    titles = [(False, Note("", "Season ranking"))]
    if season.rule.guests == "apart" and any(row.guest for row in rows):
        titles.append((True, Note("", "Guests")))
    sections = [
        Section(
            title,
            columns,
            tuple(
                StandingsRow(row.rank, 0, row.name, "", (figure(row.total), *map(_cell, row.cells)), row.why)
                for row in rows
                if len(titles) == 1 or row.guest == guests
            ),
            key="guests" if guests else "season",
        )
        for guests, title in titles
    ]
    notes = rule_notes(season)
    if any(cell is not None and not cell.counts for row in rows for cell in row.cells):
        notes = (*notes, Note("", "In brackets: does not count. –: did not take part."))
    return Standings(tuple(sections), notes)


def short_dates(season: Season) -> tuple[str, ...]:
    """The evenings' days, each column a name of its own."""
    names: list[str] = []
    for evening in season.evenings:
        again = sum(name.partition(" ")[0] == evening.date for name in names)
        names.append(f"{evening.date} ({again + 1})" if again else evening.date)
    return tuple(names)


def _cell(cell: EveningCell | None) -> int | str:
    if cell is None:
        return "–"
    value = figure(cell.value)
    return value if cell.counts else f"({value})"


def rule_notes(season: Season) -> tuple[Note, ...]:
    """The rule of the season, in sentences."""
    rule = season.rule
    if rule.best and rule.evenings:
        count = sentence(
            "The best {best} of {evenings} evenings counts.", "The best {best} of {evenings} evenings count."
        )
    elif rule.best:
        count = sentence("The best {best} evening counts.", "The best {best} evenings count.")
    else:
        count = sentence("All evenings count.")
    notes = [Note("", count, {"best": rule.best, "count": rule.best, "evenings": rule.evenings})]
    if rule.counts == "place":
        scale = ", ".join(map(str, rule.scale))
        message = sentence("An evening counts by place: {scale}; equals share the mean.")
        notes.append(Note("", message, {"scale": scale}))
    elif rule.counts == "beaten":
        message = sentence("An evening counts 1 for everybody beaten, and ½ for everybody level.")
        notes.append(Note("", message))
    else:
        notes.append(Note("TU-ZK-I3", "An evening counts with its points; no play-off changes them."))
    notes.append(Note("", "Equal totals: the better best evening decides, then the second-best, and so on."))
    return tuple(notes)


# two spellings of one person


@dataclass(frozen=True, slots=True)
class Doubt:
    """Two spellings that may be one person, and what joining them would change."""

    one: str
    other: str
    apart: tuple[SeasonRow, SeasonRow]
    """Their rows as two people."""
    together: SeasonRow


def doubts(season: Season) -> tuple[Doubt, ...]:
    """The pairs of names that may be one person, not yet decided.

    The last names are the same or one is the initial of the other, and so are the first names; they have
    never been at one evening.
    """
    rows = {season.key(row.spellings[0]): row for row in season_rows(season)}
    present = {
        key: {at for at, cell in enumerate(row.cells) if cell is not None} for key, row in rows.items()
    }
    alphabet: dict[tuple[str, str], list[str]] = {}
    for key, row in rows.items():
        for initials in dict.fromkeys(map(_initials, row.spellings)):
            alphabet.setdefault(initials, []).append(key)
    pairs = dict.fromkeys(pair for keys in alphabet.values() for pair in combinations(keys, 2))
    doubted = []
    for first, other in pairs:
        if present[first] & present[other] or _is_decided(season, rows[first], rows[other]):
            continue
        if not any(may_be_one(a, b) for a in rows[first].spellings for b in rows[other].spellings):
            continue
        names = (rows[first].spellings[-1], rows[other].spellings[-1])
        joined = with_join(season, 0, rows[first].name, names)
        key = joined.key(names[0])
        together = next(row for row in season_rows(joined) if joined.key(row.spellings[0]) == key)
        doubted.append(Doubt(rows[first].name, rows[other].name, (rows[first], rows[other]), together))
    return tuple(doubted)


def _is_decided(season: Season, one: SeasonRow, other: SeasonRow) -> bool:
    return any(
        frozenset((name_key(a), name_key(b))) in season.different
        for a in one.spellings
        for b in other.spellings
    )


def may_be_one(one: str, other: str) -> bool:
    """Whether two names may be two spellings of one person."""
    a, b = _words(one), _words(other)
    if len(a) < 2 or len(b) < 2:
        return False
    alike = plain_spellings(one) & plain_spellings(other)
    return bool(alike) or (_matches(a[0], b[0]) and _matches(a[-1], b[-1]))


def _words(name: str) -> list[str]:
    """The words of a name, those joined by a hyphen one by one."""
    return name.replace("-", " ").split()


def _initials(name: str) -> tuple[str, str]:
    """The first letters of the first and the last name, without accents."""
    words = _words(name)
    first, last = (min(plain_spellings(word), default="")[:1] for word in (words[0], words[-1]))
    return first, last


def _matches(one: str, other: str) -> bool:
    """Whether two words are the same but for accents, or one is the initial of the other."""
    a, b = plain_spellings(one), plain_spellings(other)
    if a & b:
        return True
    short, long = sorted((a, b), key=lambda forms: min(map(len, forms)))
    return any(len(initial) == 1 and form.startswith(initial) for initial in short for form in long)


def with_join(season: Season, entry: int, name: str, spellings: Sequence[str]) -> Season:
    """The season with these spellings joined, together with all that were joined to one of them before."""
    keys = {season.key(spelling) for spelling in spellings}
    absorbed = [join for join in season.joins if season.key(join.spellings[0]) in keys]
    merged: dict[str, str] = {}
    for spelling in (*(old for join in absorbed for old in join.spellings), *spellings):
        merged.setdefault(name_key(spelling), spelling)
    join = SeasonJoin(entry, name, tuple(merged.values()))
    rest = tuple(old for old in season.joins if old not in absorbed)
    return replace(season, joins=(*rest, join))


def season_json(season: Season, say: Callable[[Note], str]) -> dict[str, Any]:
    """The whole ranking as plain values for programs."""

    def number(value: Fraction) -> int | float:
        return int(value) if value.denominator == 1 else round(float(value), 6)

    return {
        "name": season.name,
        "rule": dict(season.rule.to_json()),
        "notes": [say(note) for note in rule_notes(season)],
        "evenings": [
            {
                "entry": evening.entry,
                "date": evening.date,
                "name": evening.name,
                "revision": evening.revision,
                "people": len(evening.results),
                "winners": [" & ".join(result.names) for result in evening.winners],
            }
            for evening in season.evenings
        ],
        "joins": [
            {"entry": join.entry, "name": join.name, "spellings": list(join.spellings)}
            for join in season.joins
        ],
        "rows": [
            {
                "rank": row.rank,
                "before": row.before or None,
                "name": row.name,
                "guest": row.guest,
                "total": number(row.total),
                "evenings": [
                    None
                    if cell is None
                    else {
                        "value": number(cell.value),
                        "place": cell.place,
                        "of": cell.of,
                        "counts": cell.counts,
                    }
                    for cell in row.cells
                ],
                "why": [say(note) for note in row.why],
            }
            for row in ranking(season)
        ],
    }
