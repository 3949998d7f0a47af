"""Cards: one that stands on each table, and one for everybody to keep, with room for their results."""

from collections.abc import Callable, Sequence
from functools import partial

from reportlab.pdfgen.canvas import Canvas

from nousu.tournament.messages import Speech
from nousu.tournament.model import Tournament
from nousu.tournament.paper.canvas import (
    BOLD,
    SANS,
    TITLE,
    Box,
    chunks,
    document,
    draw_code,
    draw_cut_line,
    draw_rule,
    draw_table,
    mm,
    sheet_of,
    write_text,
)
from nousu.tournament.print_language import round_heading, short_label

_LISTED = 8
"""Greatest number of rounds listed on a table's card; for more it shows the number alone."""
_LINES = 14
"""Number of rounds on one card of a person."""


def table_cards(state: Tournament, labels: Sequence[str], speech: Speech, paper: str, address: str) -> bytes:
    """A sheet for each table, to be folded into a tent: its number on both sides, and its people by round."""
    sheet = sheet_of(paper)
    count = max((len(state.rounds[label].tables) for label in labels), default=0)
    used = [at for at in range(1, count + 1) if any(_people(state, label, at) for label in labels)]

    def draw_tent(canvas: Canvas, at: int) -> None:
        middle = sheet.height / 2
        draw_cut_line(canvas, 0, middle, sheet.width, middle)
        half = Box(0, 0, sheet.width, middle).inset(14 * mm, 9 * mm)
        _draw_face(canvas, half, state, labels, at, speech, address)
        canvas.saveState()
        canvas.translate(sheet.width, sheet.height)
        canvas.rotate(180)
        _draw_face(canvas, half, state, labels, at, speech, address)
        canvas.restoreState()

    return document(sheet, state.name, (partial(draw_tent, at=at) for at in used), speech.language)


def _people(state: Tournament, label: str, at: int) -> tuple[int, ...]:
    """Numbers that sit at a table in a round; none if it does not play."""
    tables = state.rounds[label].tables
    return tables[at - 1] if at <= len(tables) and len(tables[at - 1]) > 1 else ()


def _draw_face(
    canvas: Canvas, box: Box, state: Tournament, labels: Sequence[str], at: int, speech: Speech, address: str
) -> None:
    """Draw one side of a tent."""
    top = box.head(10 * mm)
    if address:
        draw_code(canvas, Box(box.right - 26 * mm, box.top - 26 * mm, 26 * mm, 26 * mm), address)
        top = Box(top.left, top.low, top.width - 30 * mm, top.height)
    write_text(canvas, top, state.name, SANS, 13, at="top")
    shown = [label for label in labels if _people(state, label, at)]
    listed = shown if len(shown) <= _LISTED else []
    row = min(9 * mm, 66 * mm / max(len(listed), 1))
    low = Box(box.left, box.low, box.width, row * len(listed))
    big = Box(box.left, low.top, box.width, box.height - low.height - 8 * mm)
    write_text(
        canvas,
        big,
        speech.say("Table {table}", table=at),
        TITLE,
        110 if len(listed) < 6 else 84,
        align="center",
        lines=1,
    )
    for number, label in enumerate(listed):
        line = Box(low.left, low.top - (number + 1) * row, low.width, row)
        draw_rule(canvas, line.left, line.right, line.top, thick=0.3)
        called, names = line.columns((26 * mm, line.width - 26 * mm))
        write_text(canvas, called, round_heading(state, label, speech.say), SANS, 10.5)
        people = " · ".join(f"{seat} {state.who(seat)}" for seat in _people(state, label, at))
        write_text(canvas, names.inset(0, 0.3 * mm), people, BOLD, 11.5)


def score_cards(state: Tournament, labels: Sequence[str], speech: Speech, paper: str) -> bytes:
    """Personal cards: four to a sheet, to be cut."""
    sheet = sheet_of(paper)
    count = len(state.numbers) or len(state.active())
    parts = [
        (number, own[start : start + _LINES])
        for number in range(1, count + 1)
        if (own := [label for label in labels if _seat(state, label, number)])
        for start in range(0, len(own), _LINES)
    ]

    def draw_four(canvas: Canvas, group: Sequence[tuple[int, list[str]]]) -> None:
        draw_cut_line(canvas, sheet.width / 2, 0, sheet.width / 2, sheet.height)
        draw_cut_line(canvas, 0, sheet.height / 2, sheet.width, sheet.height / 2)
        for cell, (number, own) in zip(sheet.grid(2, 2), group, strict=False):
            _draw_score_card(canvas, cell.inset(7 * mm, 8 * mm), state, number, own, speech)

    pages = (partial(draw_four, group=group) for group in chunks(parts, 4))
    return document(sheet, state.name, pages, speech.language)


def _seat(state: Tournament, label: str, number: int) -> tuple[int, tuple[int, ...]] | None:
    """The table of a number in a round (from 1) and its people; None if it has none."""
    for at, seats in enumerate(state.rounds[label].tables, 1):
        if number in seats:
            return at, seats
    return None


def _draw_score_card(
    canvas: Canvas, box: Box, state: Tournament, number: int, labels: Sequence[str], speech: Speech
) -> None:
    """Draw the card of a number, with a line for each of these rounds."""
    say = speech.say
    own, name = box.head(13 * mm).columns((17 * mm, box.width - 17 * mm))
    write_text(canvas, own, str(number), TITLE, 30, lines=1)
    write_text(canvas, name, state.who(number), BOLD, 13, lines=2)
    about = box.below(13.5 * mm).head(9 * mm)
    words = say("{event}. Plan {plan}. Keep this card; the slip counts.", event=state.name, plan=state.plan)
    write_text(canvas, about, words, SANS, 8.5, lines=2, at="top")
    rest = box.below(24 * mm)
    narrow = [17 * mm, 10.5 * mm]
    figures, with_people = state.format.slips.card_columns(say)
    if not with_people:
        heads = list(figures)
        widths = [*narrow, *[(rest.width - sum(narrow)) / len(heads)] * len(heads)]
        free: tuple[int, ...] = ()
    else:
        figure = 13 * mm if len(figures) == 1 else 11 * mm
        heads = [say("with and against"), *figures]
        widths = [*narrow, rest.width - sum(narrow) - figure * len(figures), *[figure] * len(figures)]
        free = (2,)
    rows = [_line(state, label, number, len(heads), bool(free), say) for label in labels]
    row = min(12.5 * mm, (rest.height - 16 * mm) / len(rows))
    rest = draw_table(
        canvas,
        rest,
        widths,
        ["", say("table"), *heads],
        rows,
        row,
        head=6 * mm,
        size=11 if not free else 8.5,
        left=(0, *free),
        bold=(1,),
    )
    total = rest.head(8 * mm)
    write_text(
        canvas,
        Box(total.left, total.low, total.width - widths[-1] - 2 * mm, total.height),
        say("total"),
        BOLD,
        10,
        align="right",
    )
    last = total.columns(widths)[-1]
    canvas.rect(last.left, last.low, last.width, last.height)


def _line(
    state: Tournament, label: str, number: int, free: int, people: bool, say: Callable[..., str]
) -> list[str]:
    """The line of a round on a person's card."""
    place = _seat(state, label, number)
    assert place is not None
    at, seats = place
    called = short_label(state, label, say)
    if len(seats) == 1:
        return [called, "–", *(["–"] if people else [""]), *[""] * (free - 1)]
    who = ""
    if people:
        side = seats.index(number) % 2
        partners = [state.who(other) for other in seats[side::2] if other != number]
        others = " & ".join(state.who(other) for other in seats[1 - side :: 2])
        who = (
            say("with {partner}, against {others}", partner=partners[0], others=others)
            if partners
            else others
        )
    return [called, str(at), who, *[""] * (free - 1)]
