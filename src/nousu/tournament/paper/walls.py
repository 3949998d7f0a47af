"""The plan for the wall: by name, so that everybody finds their tables; then every round by table."""

import unicodedata
from collections.abc import Iterator, Sequence

from reportlab.pdfgen.canvas import Canvas

from nousu.tournament.model import Entrant, Round, Tournament
from nousu.tournament.notes import Refusal
from nousu.tournament.paper.ink import (
    BOLD,
    SANS,
    TITLE,
    Box,
    Draw,
    chunks,
    code,
    document,
    frame,
    mm,
    rule,
    sheet_of,
    write,
)
from nousu.tournament.people import alike
from nousu.tournament.speech import Speech, round_heading, short_label

_ROUNDS = 10
"""So many rounds stand beside a name on one sheet."""
_ROWS = 36
"""So many names stand on one sheet."""


def plan(state: Tournament, labels: Sequence[str], speech: Speech, paper: str, address: str) -> bytes:
    """The plan of these rounds. `address`, if there is one, is where a phone follows the event."""
    sheet = sheet_of(paper)
    area = sheet.inset(13 * mm, 12 * mm)
    pages = [
        *_by_name(state, labels, speech, area, address),
        *(_by_table(state, state.rounds[label], speech, area, address) for label in labels),
    ]
    return document(sheet, state.name, pages, speech.language)


_DOOR = 30
"""So many names stand on one sheet of the list for the door."""


def door(state: Tournament, speech: Speech, paper: str) -> bytes:
    """Everybody on the list by the alphabet, with a box to tick when they come."""
    people = sorted(
        (*state.active(), *state.lone()), key=lambda one: (alphabetical(one.name, speech.language), one.id)
    )
    if not people:
        raise Refusal("nobody is entered yet")
    sheet = sheet_of(paper)
    area = sheet.inset(13 * mm, 12 * mm)
    groups = list(chunks(people, -(-len(people) // -(-len(people) // _DOOR))))

    def drawn() -> Iterator[Draw]:
        for page, group in enumerate(groups, 1):

            def draw(canvas: Canvas, group: Sequence[Entrant] = group, page: int = page) -> None:
                about = (state.name, f"{page} / {len(groups)}")
                rest = page_head(canvas, area, speech.say("People at the door"), about)
                row = min(9 * mm, rest.height / len(group))
                for at, one in enumerate(group):
                    line = Box(rest.left, rest.top - (at + 1) * row, rest.width, row)
                    box, name, team = line.columns((11 * mm, line.width * 0.6, line.width * 0.4 - 11 * mm))
                    side = min(5 * mm, row - 2)
                    frame(canvas, Box(box.left, box.low + (row - side) / 2, side, side), thick=1)
                    write(canvas, name.inset(0, 0.5 * mm), one.name, BOLD, 13)
                    said = speech.say("looks for a partner") if one.lone else one.team
                    write(canvas, team.inset(2, 0.5 * mm), said, SANS, 10.5)
                    rule(canvas, line.left, line.right, line.low, thick=0.3)

            yield draw

    return document(sheet, state.name, drawn(), speech.language)


def page_head(canvas: Canvas, box: Box, title: str, lines: Sequence[str], address: str = "") -> Box:
    """What stands above a list on the wall. What is left of the box."""
    high = 27 * mm if address else 23 * mm
    area = box.head(high)
    if address:
        code(canvas, Box(area.right - 25 * mm, area.top - 25 * mm, 25 * mm, 25 * mm), address)
        area = Box(area.left, area.low, area.width - 28 * mm, area.height)
    write(canvas, area.head(10 * mm), title, TITLE, 24, lines=1, at="top")
    for at, line in enumerate(lines):
        write(canvas, area.below(10.5 * mm + at * 5 * mm).head(5 * mm), line, SANS, 11, lines=1, at="top")
    return box.below(high)


_OWN = {"fi": "åäö", "sv": "åäö", "nb": "æøå"}
"""Letters with a place of their own behind z, in their order, by language."""
_PLAIN = str.maketrans({"ß": "ss", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ŋ": "n", "ŧ": "t"})


def alphabetical(name: str, language: str) -> str:
    """What names are ordered by: as the alphabet of the language goes, other accents do not matter.

    >>> sorted(["Örn", "Otto", "Zoë"], key=lambda name: alphabetical(name, "fi"))
    ['Otto', 'Zoë', 'Örn']
    >>> sorted(["Örn", "Otto", "Zoë"], key=lambda name: alphabetical(name, "de"))
    ['Örn', 'Otto', 'Zoë']
    """
    own = _OWN.get(language, "")
    found = []
    for letter in alike(name):
        if letter in own:
            found.append("{" + str(own.index(letter)))  # { stands behind z
        else:
            bare = unicodedata.normalize("NFD", letter.translate(_PLAIN))
            found.append("".join(sign for sign in bare if not unicodedata.combining(sign)))
    return "".join(found)


def _plan_line(state: Tournament, labels: Sequence[str], speech: Speech) -> str:
    numbers = {
        state.plans.get(key, 0)
        for label in labels
        for key, seats in zip(state.rounds[label].names(), state.rounds[label].tables, strict=True)
        if len(seats) > 1
    }
    return speech.say("Plan {plan}", plan=", ".join(map(str, sorted(numbers))) or state.plan)


def places(state: Tournament, number: int, labels: Sequence[str], rest: str) -> list[str]:
    """The table of a number in each round; `rest` where it sits out, nothing where it does not play."""
    found = []
    for label in labels:
        at = next((at for at, table in enumerate(state.rounds[label].tables, 1) if number in table), 0)
        alone = at and len(state.rounds[label].tables[at - 1]) == 1
        found.append(rest if alone else str(at or ""))
    return found


def _by_name(
    state: Tournament, labels: Sequence[str], speech: Speech, area: Box, address: str
) -> Iterator[Draw]:
    """Everybody's table in every round, in the order of the alphabet."""
    say = speech.say
    count = len(state.numbers) or len(state.active())
    seated = {number for label in labels for table in state.rounds[label].tables for number in table}
    people = sorted(
        (number for number in range(1, count + 1) if number in seated),
        key=lambda number: (alphabetical(state.who(number), speech.language), number),
    )
    sheets = -(-len(people) // _ROWS)
    size = -(-len(people) // max(sheets, 1))
    turns = [(group, rounds) for rounds in chunks(labels, _ROUNDS) for group in chunks(people, size or 1)]
    for page, (group, rounds) in enumerate(turns, 1):

        def draw(
            canvas: Canvas,
            group: Sequence[int] = group,
            rounds: Sequence[str] = rounds,
            page: int = page,
        ) -> None:
            title = say("Where everybody sits")
            lines = (state.name, f"{_plan_line(state, labels, speech)} · {page} / {len(turns)}")
            rest = page_head(canvas, area, title, lines, address)
            figure = min(17 * mm, (rest.width - 14 * mm - 60 * mm) / len(rounds))
            widths = [rest.width - 14 * mm - figure * len(rounds), 14 * mm, *[figure] * len(rounds)]
            row = min(12 * mm, (rest.height - 8 * mm) / len(group))
            large = 15 if row > 9 * mm else 13
            short = len(rounds) > 6  # then only the first one says what they are
            called = [
                label if at and short else short_label(state, label, say) for at, label in enumerate(rounds)
            ]
            heads = [say("name"), say("No."), *called]
            for at, (cell, text) in enumerate(zip(rest.head(7 * mm).columns(widths), heads, strict=True)):
                write(canvas, cell.inset(1.5, 0), text, SANS, 9.5, align="center" if at else "left")
            rule(canvas, rest.left, rest.right, rest.top - 7 * mm, thick=1.2)
            for at, number in enumerate(group):
                line = Box(rest.left, rest.top - 7 * mm - (at + 1) * row, rest.width, row)
                name, own, *tables = line.columns(widths)
                write(canvas, name.inset(1.5, 0.5 * mm), state.who(number), BOLD, large)
                write(canvas, own.inset(1.5, 0), str(number), SANS, 12, align="center", lines=1)
                for cell, text in zip(tables, places(state, number, rounds, "–"), strict=True):
                    write(canvas, cell.inset(1.5, 0), text, BOLD, large + 1, align="center", lines=1)
                rule(canvas, line.left, line.right, line.low, thick=0.8 if at % 5 == 4 else 0.3)

        yield draw


def _by_table(state: Tournament, played: Round, speech: Speech, area: Box, address: str) -> Draw:
    """One round: every table with its people in seat order."""
    say = speech.say
    tables = [(at, seats) for at, seats in enumerate(played.tables, 1) if len(seats) > 1]
    resting = [state.who(seats[0]) for seats in played.tables if len(seats) == 1]

    def draw(canvas: Canvas) -> None:
        about = (state.name, _plan_line(state, (played.label,), speech))
        rest = page_head(canvas, area, round_heading(state, played.label, say), about, address)
        if resting:
            low = Box(rest.left, rest.low, rest.width, 12 * mm)
            write(canvas, low, say("{name} sits out", name=", ".join(resting)), SANS, 12)
            rest = Box(rest.left, rest.low + 14 * mm, rest.width, rest.height - 14 * mm)
        across = 2 if len(tables) <= 16 else 3
        down = max(-(-len(tables) // across), 3)
        for (at, seats), cell in zip(
            tables, _downwards(rest.grid(across, down), across, len(tables)), strict=True
        ):
            card = cell.inset(1.5 * mm)
            frame(canvas, card, round=2 * mm, thick=0.9)
            number, people = card.columns((17 * mm, card.width - 18.5 * mm))
            write(canvas, number.inset(1.5 * mm, 0), str(at), TITLE, 34, align="center", lines=1)
            lines = people.inset(0, 1 * mm).grid(1, len(seats))
            large = 14 if lines[0].height < 14 * mm else 18
            for seat, line in zip(seats, lines, strict=True):
                own, name = line.columns((8 * mm, line.width - 8 * mm))
                write(canvas, own.inset(0.5, 0), str(seat), SANS, 10, align="right", lines=1)
                write(canvas, name.inset(2.2 * mm, 0.4), state.who(seat), BOLD, large)

    return draw


def _downwards(cells: Sequence[Box], across: int, count: int) -> list[Box]:
    """So many cells of a grid, one column after the other."""
    down = -(-count // across)
    columns = [cells[column::across][:down] for column in range(across)]
    return [cell for column in columns for cell in column][:count]
