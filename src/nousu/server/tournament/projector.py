"""Projector page: seats or standings, missing slips, withdrawals; readable from ten metres.

One page of the wall shows seating or standings, never both. The server cuts both into pages; the script turns
them and runs the clock.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from markupsafe import Markup
from starlette.responses import Response

from nousu.server.tournament.results import rankings, tree_of
from nousu.server.tournament.roles import EVERYBODY
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.alphabet import name_order, split_surname
from nousu.tournament.links import key_of, shown_link
from nousu.tournament.model import Tournament
from nousu.tournament.qr import picture

_SEEN = EVERYBODY - {"nobody", "read", "table"}
Value = TypeVar("Value")

GRIDS = ((1, 1), (2, 1), (3, 1), (2, 2), (3, 2), (4, 2), (4, 3), (4, 4), (5, 4), (5, 5))
"""Columns and rows of a page of tables."""
MOST_CARDS = 20
"""Most tables in cards; for more, people are listed by name."""
NAME_COLUMNS, NAME_ROWS = 4, 25
"""Columns and rows of a page of names."""
RANK_ROWS = 10
"""Most lines in one column of the standings."""
FIGURES = 6
"""Most results of single rounds beside a name."""
MISSING = 12
"""Most missing slips that are all named."""
OLDEST = 10
"""Missing slips that are named where there are more."""


def surnames(names: Sequence[str]) -> Mapping[str, str]:
    """Short names for the wall, by full name (pairs joined by ``&``).

    The surname, with an initial where several share it, the whole name where they share that too.
    """
    parts = [part for name in names for part in name.split(" & ")]
    last = Counter(split_surname(part)[0] for part in parts)
    initialled = Counter(map(_with_initials, parts))

    def short(part: str) -> str:
        if last[surname := split_surname(part)[0]] == 1:
            return surname
        return _with_initials(part) if initialled[_with_initials(part)] == 1 else part

    return {name: " & ".join(map(short, name.split(" & "))) for name in names}


def _with_initials(part: str) -> str:
    """Name with its first names cut to an initial: ``D. Groß``; a surname alone unchanged."""
    surname, firsts = split_surname(part)
    return f"{firsts[0]}. {surname}" if firsts else surname


def even_pages(values: Sequence[Value], most: int) -> list[Sequence[Value]]:
    """Values cut into the fewest pages of at most `most`, as equal as they can be."""
    count = -(-len(values) // most)
    size = -(-len(values) // count) if count else 0
    return [values[at * size : (at + 1) * size] for at in range(count)]


@dataclass(frozen=True, slots=True)
class SeatingCard:
    """A table and its people in seat order; no number: they sit out."""

    number: str
    sides: tuple[tuple[str, ...], ...]
    """Members of every number at the table."""
    online: bool


@dataclass(frozen=True, slots=True)
class CardPage:
    """Tables that are shown together."""

    cards: Sequence[SeatingCard]
    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class NameLine:
    """A person and the number of the table; empty: sits out."""

    surname: str
    firsts: str
    table: str


@dataclass(frozen=True, slots=True)
class RankLine:
    """A line of the standings."""

    rank: int | str
    name: str
    figures: tuple[str, ...]
    points: str
    marks: str
    """Classes of its look."""


@dataclass(frozen=True, slots=True)
class RankBlock:
    """Lines of one section, or a part of them, in a column."""

    title: str
    here: str
    """The range of these lines and the number of all; empty: all."""
    lines: Sequence[RankLine]

    @property
    def height(self) -> int:
        """Lines that it takes with its title."""
        return len(self.lines) + bool(self.title)


@dataclass(frozen=True, slots=True)
class RankPage:
    """Columns of the standings that are shown together."""

    columns: Sequence[Sequence[RankBlock]]
    here: str

    @property
    def rows(self) -> int:
        """Lines of the longest column."""
        return max(sum(block.height for block in column) for column in self.columns)


def card_pages(state: Tournament, label: str) -> list[CardPage]:
    """The tables of a round, on pages of cards."""
    cards = [
        SeatingCard(
            str(at) if len(seats) > 1 else "",
            tuple(state.entrant(number).members for number in seats),
            state.is_online(f"{label}.{at}"),
        )
        for at, seats in enumerate(state.rounds[label].tables, 1)
        if seats
    ]
    most = GRIDS[-1][0] * GRIDS[-1][1]
    pages = []
    for group in even_pages(cards, most):
        columns, rows = next(size for size in GRIDS if size[0] * size[1] >= len(group))
        pages.append(CardPage(group, columns, rows))
    return pages


def name_pages(state: Tournament, label: str, lang: str) -> list[list[Sequence[NameLine]]]:
    """The people of a round by surname with their tables: pages of columns."""
    seated = [
        (name, str(at) if len(seats) > 1 else "")
        for at, seats in enumerate(state.rounds[label].tables, 1)
        for number in seats
        for name in state.entrant(number).members
    ]
    seated.sort(key=lambda person: name_order((person[0],), lang))
    lines = [NameLine(*split_surname(name), table) for name, table in seated]
    pages = even_pages(lines, NAME_COLUMNS * NAME_ROWS)
    return [even_pages(page, -(-len(page) // NAME_COLUMNS)) for page in pages]


def rank_pages(visit: Visit) -> list[RankPage]:
    """The standings, on pages of columns."""
    sections = [(title, lines) for title, lines in _rank_lines(visit) if lines]
    if len(sections) == 1:
        return _pages_of_one(sections[0][1])
    columns: list[list[RankBlock]] = []
    for title, lines in sections:
        first = 1
        for part in even_pages(lines, RANK_ROWS):
            last = first + len(part) - 1
            block = RankBlock(title, f"{first}–{last} / {len(lines)}" if len(part) < len(lines) else "", part)
            first = last + 1
            if columns and sum(other.height for other in columns[-1]) + block.height <= RANK_ROWS + 1:
                columns[-1].append(block)
            else:
                columns.append([block])
    return [RankPage(columns[at : at + 2], "") for at in range(0, len(columns), 2)]


def _pages_of_one(lines: Sequence[RankLine]) -> list[RankPage]:
    """Pages of standings in one section, which needs no title."""
    pages, first = [], 1
    for page in even_pages(lines, 2 * RANK_ROWS):
        columns = even_pages(page, -(-len(page) // 2) if len(page) > RANK_ROWS else RANK_ROWS)
        last = first + len(page) - 1
        here = f"{first}–{last} / {len(lines)}" if len(page) < len(lines) else ""
        pages.append(RankPage([[RankBlock("", "", column)] for column in columns], here))
        first = last + 1
    return pages


def _rank_lines(visit: Visit) -> Iterator[tuple[str, list[RankLine]]]:
    """The sections of the standings with their lines."""
    state = visit.state
    late: dict[int, set[str]] = {}
    for key in state.missing():
        if state.has_begun(label := key.partition(".")[0]):
            for number in state.seats(key):
                late.setdefault(number, set()).add(label)
    for table, section in zip(rankings(visit), visit.standings().sections, strict=True):
        played = [at for at, column in enumerate(section.columns) if column.isdecimal()]
        shown = [at for at in played if any(row.cells[at] not in ("", "–") for row in section.rows)][
            -FIGURES:
        ]
        lines = []
        for line, row in zip(table.lines, section.rows, strict=True):
            open_rounds = late.get(row.number, set()) if row.number else set()
            figures = tuple("?" if section.columns[at] in open_rounds else str(row.cells[at]) for at in shown)
            first = line.rank == 1 and section.rows[-1].rank > 1
            looks = (("is-first", first), ("is-tied", line.shared), ("is-gone", line.gone))
            marks = " ".join(name for name, applies in looks if applies)
            lines.append(RankLine(line.rank, line.name, figures, str(line.first), marks))
        yield table.title, lines


def short_tables(tables: Sequence[str]) -> list[str]:
    """Tables by their number alone where all are of one round: ``7`` for ``2.7``."""
    one = len({key.partition(".")[0] for key in tables}) == 1
    return [key.partition(".")[2] if one else key for key in tables]


def view_of(state: Tournament, label: str) -> str:
    """The first view on the wall: ``seats`` while people look for their tables, else ``ranks``."""
    if not label or state.frozen or label in state.rounds_with_results():
        return "ranks"
    busy = any(state.has_begun(table.partition(".")[0]) for table in state.missing())
    return "ranks" if busy and state.rounds_with_results() else "seats"


def projector(visit: Visit) -> Response:
    """Show the projector page: ``/beamer``."""

    def values() -> Mapping[str, object]:
        state = visit.state
        label = "" if state.frozen else state.round_to_find()
        called = surnames([state.who(number) for number in range(1, len(state.numbers) + 1)])
        readers = shown_link(state, "read")
        address = visit.address(f"/in/{key_of(readers)}") if readers is not None else ""
        cards = card_pages(state, label) if label else []
        many = sum(len(page.cards) for page in cards) > MOST_CARDS
        missing = [key for key in state.missing() if state.has_begun(key.partition(".")[0])]
        return {
            "view": view_of(state, label),
            "ranks": rank_pages(visit),
            "tree": tree_of(visit),
            "short": called,
            "notes": [visit.hall_text(note) for note in visit.standings().notes],
            "label": label,
            "starts": "" if label in state.rounds_with_results() else state.starts.get(label, ""),
            "begun": state.current_round() if any(map(state.has_begun, state.rounds)) else "",
            "planned": sum(past[0].isdigit() for past in state.rounds),
            "cards": [] if many else cards,
            "names": name_pages(state, label, visit.lang) if many else [],
            "missing": short_tables(missing[: MISSING if len(missing) <= MISSING else OLDEST]),
            "missing_count": len(missing),
            "gone": [called[state.who(number)] for number in state.withdrawals],
            "qr": Markup(picture(address, visit.say("Follow on your phone"))) if address else "",
        }

    return visit.cached_page("projector.html", values, visit.address())


PAGES = (Page("/beamer", projector, _SEEN),)
