"""The plan for the wall: by name, so that everybody finds their tables; then every round by table."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from reportlab.pdfgen.canvas import Canvas

from nousu.tournament.alphabet import listed_name, name_order
from nousu.tournament.cup_tree import CupMatch, cup_tree, third_place
from nousu.tournament.messages import Refusal, Speech
from nousu.tournament.model import Entrant, Round, Tournament
from nousu.tournament.paper.canvas import (
    BOLD,
    SANS,
    TITLE,
    Box,
    Draw,
    chunks,
    document,
    draw_code,
    draw_frame,
    draw_rule,
    mm,
    sheet_of,
    write_text,
)
from nousu.tournament.print_language import round_heading, short_label

_ROUNDS = 10
"""Number of rounds beside a name on one sheet."""
_ROWS = 36
"""Number of names on one sheet."""


def plan(state: Tournament, labels: Sequence[str], speech: Speech, paper: str, address: str) -> bytes:
    """The plan of these rounds. `address`, if given, is the page on which phones follow the event."""
    sheet = sheet_of(paper)
    area = sheet.inset(13 * mm, 12 * mm)
    pages = [
        *_by_name(state, labels, speech, area, address),
        *(_by_table(state, state.rounds[label], speech, area, address) for label in labels),
    ]
    return document(sheet, state.name, pages, speech.language)


_DOOR = 36
"""Number of names on one sheet of the list for the door."""
_ROOMY = 13 * mm
"""Height of a line where there is room."""


def door(state: Tournament, speech: Speech, paper: str) -> bytes:
    """The list by the alphabet, with a box to tick at each arrival."""
    people = sorted(
        (*state.active(), *state.lone()),
        key=lambda entrant: (name_order(entrant.members, speech.language), entrant.id),
    )
    if not people:
        raise Refusal("nobody has been entered yet")
    sheet = sheet_of(paper)
    area = sheet.inset(13 * mm, 12 * mm)
    groups = list(chunks(people, -(-len(people) // -(-len(people) // _DOOR))))

    def draw_page(canvas: Canvas, page: int, group: Sequence[Entrant]) -> None:
        about = (state.name, f"{page} / {len(groups)}")
        rest = draw_head(canvas, area, speech.say("People at the door"), about)
        row = min(_ROOMY, rest.height / len(group))
        large = 15 if row > 9 * mm else 13
        for at, entrant in enumerate(group):
            line = Box(rest.left, rest.top - (at + 1) * row, rest.width, row)
            box, name, team = line.columns((11 * mm, line.width * 0.6, line.width * 0.4 - 11 * mm))
            side = min(5 * mm, row - 2)
            draw_frame(canvas, Box(box.left, box.low + (row - side) / 2, side, side), thick=1)
            names = " & ".join(map(listed_name, entrant.members))
            write_text(canvas, name.inset(0, 0.5 * mm), names, BOLD, large)
            words = speech.say("looking for a partner") if entrant.lone else entrant.team
            write_text(canvas, team.inset(2, 0.5 * mm), words, SANS, 10.5)
            draw_rule(canvas, line.left, line.right, line.low, thick=0.3)

    pages = (partial(draw_page, page=page, group=group) for page, group in enumerate(groups, 1))
    return document(sheet, state.name, pages, speech.language)


def cup(state: Tournament, speech: Speech, paper: str) -> bytes:
    """The cup as a tree, on a sheet across."""
    rounds = cup_tree(state)
    if not rounds:
        raise Refusal("The cup is not planned yet.", remedy="plan")
    sheet = sheet_of(paper, wide=True)
    area = sheet.inset(13 * mm, 12 * mm)
    third = third_place(state)

    def draw(canvas: Canvas) -> None:
        rest = draw_head(canvas, area, speech.say("The cup"), (state.name,))
        if third is not None:
            names = " – ".join(f"{side.name} {side.score}".strip() for side in third.sides)
            heading = speech.say("Third-place match")
            low = Box(rest.left, rest.low, rest.width, 8 * mm)
            write_text(canvas, low, f"{heading}: {names}", SANS, 11)
            rest = Box(rest.left, low.top, rest.width, rest.height - low.height)
        gap = 8 * mm
        width = (rest.width - gap * (len(rounds) - 1)) / len(rounds)
        tree = rest.below(8 * mm)
        for at, part in enumerate(rounds):
            left = rest.left + at * (width + gap)
            head = Box(left, tree.top, width, 7 * mm)
            title = round_heading(state, part.label, speech.say)
            write_text(canvas, head, title, TITLE, 12, lines=1)
            row = tree.height / len(part.matches)
            for place, match in enumerate(part.matches):
                high = min(row * 0.86, 18 * mm)
                middle = tree.top - (place + 0.5) * row
                box = Box(left, middle - high / 2, width, high)
                _draw_match(canvas, box, match)
                if at + 1 < len(rounds):
                    next_middle = tree.top - (place // 2 + 0.5) * 2 * row
                    canvas.setLineWidth(0.9)
                    canvas.line(box.right, middle, box.right + gap / 2, middle)
                    canvas.line(box.right + gap / 2, middle, box.right + gap / 2, next_middle)
                    canvas.line(box.right + gap / 2, next_middle, box.right + gap, next_middle)

    return document(sheet, state.name, [draw], speech.language)


def _draw_match(canvas: Canvas, box: Box, match: CupMatch) -> None:
    """A match: two lines, the winner bold."""
    draw_frame(canvas, box, round=1.5 * mm)
    draw_rule(canvas, box.left, box.right, box.low + box.height / 2, thick=0.3)
    for side, cell in zip(match.sides, box.grid(1, 2), strict=True):
        name, score = cell.inset(2 * mm, 0.3).columns((box.width - 16 * mm, 12 * mm))
        font = BOLD if side.won else SANS
        write_text(canvas, name, side.name, font, 12)
        write_text(canvas, score, side.score, font, 12, align="right", lines=1)


def draw_head(canvas: Canvas, box: Box, title: str, lines: Sequence[str], address: str = "") -> Box:
    """Draw the head of a list on the wall; return the rest of the box."""
    high = 27 * mm if address else 23 * mm
    area = box.head(high)
    if address:
        draw_code(canvas, Box(area.right - 25 * mm, area.top - 25 * mm, 25 * mm, 25 * mm), address)
        area = Box(area.left, area.low, area.width - 28 * mm, area.height)
    write_text(canvas, area.head(10 * mm), title, TITLE, 24, lines=1, at="top")
    for at, line in enumerate(lines):
        write_text(
            canvas, area.below(10.5 * mm + at * 5 * mm).head(5 * mm), line, SANS, 11, lines=1, at="top"
        )
    return box.below(high)


def _plan_line(state: Tournament, labels: Sequence[str], speech: Speech) -> str:
    numbers = {
        state.plans.get(key, 0)
        for label in labels
        for key, seats in state.rounds[label].named_tables()
        if len(seats) > 1
    }
    return speech.say("Plan {plan}", plan=", ".join(map(str, sorted(numbers))) or state.plan)


def places(state: Tournament, number: int, labels: Sequence[str], rest: str) -> list[str]:
    """The table of a number in each round; `rest` if it sits out, empty if it does not play."""
    cells = []
    for label in labels:
        at = next((at for at, table in enumerate(state.rounds[label].tables, 1) if number in table), 0)
        alone = at and len(state.rounds[label].tables[at - 1]) == 1
        cells.append(rest if alone else str(at or ""))
    return cells


class _WallEntry(NamedTuple):
    """One line of the plan by names; a pair has two, so that both partners find it."""

    number: int
    members: tuple[str, ...]
    """Names by which the line is ordered: the person first."""
    shown: str


def _wall_entries(state: Tournament, number: int, say: Callable[..., str]) -> Iterator[_WallEntry]:
    """Lines of a number: one for each of its people."""
    members = state.entrant(number).members
    for at, name in enumerate(members):
        others = (*members[:at], *members[at + 1 :])
        shown = listed_name(name)
        if others:
            shown = say("{name} (with {others})", name=shown, others=" & ".join(others))
        yield _WallEntry(number, (name, *others), shown)


def _by_name(
    state: Tournament, labels: Sequence[str], speech: Speech, area: Box, address: str
) -> Iterator[Draw]:
    """Tables of all rounds by name, in the order of the alphabet."""
    say = speech.say
    count = len(state.numbers) or len(state.active())
    seated = {number for label in labels for table in state.rounds[label].tables for number in table}
    entries = sorted(
        (
            entry
            for number in range(1, count + 1)
            if number in seated
            for entry in _wall_entries(state, number, say)
        ),
        key=lambda entry: (name_order(entry.members, speech.language), entry.number),
    )
    sheets = -(-len(entries) // _ROWS)
    size = -(-len(entries) // max(sheets, 1))
    turns = [(group, rounds) for rounds in chunks(labels, _ROUNDS) for group in chunks(entries, size or 1)]

    def draw_page(canvas: Canvas, page: int, group: Sequence[_WallEntry], rounds: Sequence[str]) -> None:
        lines = (state.name, f"{_plan_line(state, labels, speech)} · {page} / {len(turns)}")
        rest = draw_head(canvas, area, say("Where everybody sits"), lines, address)
        _draw_names(canvas, rest, state, group, rounds, say)

    for page, (group, rounds) in enumerate(turns, 1):
        yield partial(draw_page, page=page, group=group, rounds=rounds)


def _draw_names(
    canvas: Canvas,
    box: Box,
    state: Tournament,
    entries: Sequence[_WallEntry],
    labels: Sequence[str],
    say: Callable[..., str],
) -> None:
    """Draw names with their numbers and their tables in these rounds."""
    figure = min(17 * mm, (box.width - 14 * mm - 60 * mm) / len(labels))
    widths = [box.width - 14 * mm - figure * len(labels), 14 * mm, *[figure] * len(labels)]
    row = min(_ROOMY, (box.height - 8 * mm) / len(entries))
    large = 15 if row > 9 * mm else 13
    short = len(labels) > 6  # then only the first one has a word
    called = [label if at and short else short_label(state, label, say) for at, label in enumerate(labels)]
    heads = [say("name"), say("No."), *called]
    for at, (cell, text) in enumerate(zip(box.head(7 * mm).columns(widths), heads, strict=True)):
        write_text(canvas, cell.inset(1.5, 0), text, SANS, 9.5, align="center" if at else "left")
    draw_rule(canvas, box.left, box.right, box.top - 7 * mm, thick=1.2)
    for at, entry in enumerate(entries):
        line = Box(box.left, box.top - 7 * mm - (at + 1) * row, box.width, row)
        name, own, *tables = line.columns(widths)
        write_text(canvas, name.inset(1.5, 0.5 * mm), entry.shown, BOLD, large)
        write_text(canvas, own.inset(1.5, 0), str(entry.number), SANS, 12, align="center", lines=1)
        for cell, text in zip(tables, places(state, entry.number, labels, "–"), strict=True):
            write_text(canvas, cell.inset(1.5, 0), text, BOLD, large + 1, align="center", lines=1)
        draw_rule(canvas, line.left, line.right, line.low, thick=0.8 if at % 5 == 4 else 0.3)


def _by_table(state: Tournament, played: Round, speech: Speech, area: Box, address: str) -> Draw:
    """One round: every table with its people in seat order."""
    say = speech.say
    tables = [(at, seats) for at, seats in enumerate(played.tables, 1) if len(seats) > 1]
    resting = [state.who(seats[0]) for seats in played.tables if len(seats) == 1]

    def draw(canvas: Canvas) -> None:
        about = (state.name, _plan_line(state, (played.label,), speech))
        rest = draw_head(canvas, area, round_heading(state, played.label, say), about, address)
        if resting:
            low = Box(rest.left, rest.low, rest.width, 12 * mm)
            write_text(canvas, low, say("{name} sits out", name=", ".join(resting)), SANS, 12)
            rest = Box(rest.left, rest.low + 14 * mm, rest.width, rest.height - 14 * mm)
        across = 2 if len(tables) <= 16 else 3
        down = max(-(-len(tables) // across), 3)
        for (at, seats), cell in zip(
            tables, _downwards(rest.grid(across, down), across, len(tables)), strict=True
        ):
            card = cell.inset(1.5 * mm)
            draw_frame(canvas, card, round=2 * mm, thick=0.9)
            number, people = card.columns((17 * mm, card.width - 18.5 * mm))
            write_text(canvas, number.inset(1.5 * mm, 0), str(at), TITLE, 34, align="center", lines=1)
            lines = people.inset(0, 1 * mm).grid(1, len(seats))
            large = 14 if lines[0].height < 14 * mm else 18
            for seat, line in zip(seats, lines, strict=True):
                own, name = line.columns((8 * mm, line.width - 8 * mm))
                write_text(canvas, own.inset(0.5, 0), str(seat), SANS, 10, align="right", lines=1)
                write_text(canvas, name.inset(2.2 * mm, 0.4), state.who(seat), BOLD, large)

    return draw


def _downwards(cells: Sequence[Box], across: int, count: int) -> list[Box]:
    """The first `count` cells of a grid, one column after the other."""
    down = -(-count // across)
    columns = [cells[column::across][:down] for column in range(across)]
    return [cell for column in columns for cell in column][:count]
