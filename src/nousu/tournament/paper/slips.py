"""Slips of a Tuppen table or of a drive: half a sheet each, two side by side, to be cut apart."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby, zip_longest

from reportlab.pdfgen.canvas import Canvas

from nousu.games import find
from nousu.games.whist import Rules as WhistRules
from nousu.tournament.form_fields import Form
from nousu.tournament.messages import Address, Speech
from nousu.tournament.model import Format, Tournament, round_of
from nousu.tournament.paper.canvas import (
    BOLD,
    SANS,
    TITLE,
    Box,
    document,
    draw_code,
    draw_cut_line,
    draw_frame,
    draw_rule,
    draw_table,
    mm,
    sheet_of,
    write_text,
)
from nousu.tournament.print_language import heading

_REMARKS = 5
"""Number of lines for remarks, where there is room."""
_MOST_LINES = 16
"""Greatest number of hands of a drive on a slip; for more only the totals."""


def slip_name(state: Tournament, table: str) -> str:
    """The name of a slip, by which it is entered: its table and the plan it was printed for."""
    return f"{table}/{state.plans.get(table, 0)}"


def slips(
    state: Tournament, tables: Sequence[str], speech: Speech, paper: str, address: Address | None
) -> bytes:
    """The slips of these tables. Every round begins a new sheet."""
    sheet = sheet_of(paper, wide=True)
    halves = sheet.grid(2, 1)
    pairs: list[tuple[str | None, ...]] = []
    for _, group in groupby(tables, key=round_of):
        keys = list(group)
        pairs += zip_longest(keys[0::2], keys[1::2])

    def draw_pair(canvas: Canvas, pair: tuple[str | None, ...]) -> None:
        draw_cut_line(canvas, sheet.width / 2, 0, sheet.width / 2, sheet.height)
        for half, table in zip(halves, pair, strict=True):
            if table is not None:
                _draw_slip(canvas, half.inset(9 * mm), state, table, speech, address)

    pages = (partial(draw_pair, pair=pair) for pair in pairs)
    return document(sheet, state.name, pages, speech.language)


def draw_slip_head(
    canvas: Canvas,
    box: Box,
    state: Tournament,
    table: str,
    speech: Speech,
    address: Address | None,
    hint: str,
) -> Box:
    """Draw the head of a slip: table and round, event, plan and slip, what to write, the code.

    Return the rest of the box.
    """
    high = 30 * mm
    name = slip_name(state, table)
    area = box.head(high)
    if address is not None:
        draw_code(canvas, Box(area.right - 28 * mm, area.top - 28 * mm, 28 * mm, 28 * mm), address(table))
        area = Box(area.left, area.low, area.width - 31 * mm, area.height)
    say = speech.say
    write_text(canvas, area.head(9 * mm), heading(state, table, say), TITLE, 22, lines=1, at="top")
    write_text(canvas, area.below(9.5 * mm).head(7 * mm), state.name, SANS, 11.5, at="top")
    words = say("Plan {plan} · slip {slip}", plan=state.plans.get(table, 0), slip=name)
    write_text(canvas, area.below(16.5 * mm).head(5 * mm), words, BOLD, 11.5, lines=1, at="top")
    write_text(canvas, area.below(22 * mm).head(8 * mm), hint, SANS, 9, at="top")
    return box.below(high)


def draw_signature_lines(canvas: Canvas, box: Box, first: str, second: str) -> None:
    """Draw two lines to sign on, at the foot of a box."""
    for part, text in zip(box.grid(2, 1), (first, second), strict=True):
        line = Box(part.left, part.low, part.width - 3 * mm, part.height)
        draw_rule(canvas, line.left, line.right, part.low + 4.5 * mm, thick=0.8)
        write_text(canvas, line.head(part.height).below(part.height - 4 * mm), text, SANS, 8.5, lines=1)


def _draw_slip(
    canvas: Canvas, box: Box, state: Tournament, table: str, speech: Speech, address: Address | None
) -> None:
    say, kind = speech.say, state.kind(table)
    form = kind.slips.form(state, table, {})
    if form.kind == "boxes":
        last = len(form.seats)
        hint = say("Write the place: 1 is the winner, {last} went out first.", last=last)
        rest = draw_slip_head(canvas, box, state, table, speech, address, hint)
        rest = _draw_places(canvas, rest, form, speech)
    else:
        hint = say("Write the points of both sides and add them up.")
        rest = draw_slip_head(canvas, box, state, table, speech, address, hint)
        rest = _draw_totals(canvas, rest, state, table, kind, speech)
    foot = Box(box.left, box.low, box.width, 5 * mm)
    label = round_of(table)
    keys = [key for key, _ in state.tables() if round_of(key) == label]
    if form.kind == "boxes":
        points = " – ".join(map(str, form.points[: len(form.seats)]))
        write_text(canvas, foot, say("Points by place: {points}", points=points), SANS, 8.5, lines=1)
    write_text(canvas, foot, f"{keys.index(table) + 1} / {len(keys)}", SANS, 8.5, align="right", lines=1)
    _draw_remarks(canvas, Box(rest.left, box.low + 6 * mm, rest.width, rest.top - box.low - 6 * mm), say)


def _draw_remarks(canvas: Canvas, box: Box, say: Callable[..., str]) -> None:
    """Draw a few lines to write on, then two to sign on."""
    lines = min(_REMARKS, int((box.height - 26 * mm) / (8 * mm)))
    rest = box.below(3 * mm)
    if lines > 0:
        write_text(
            canvas,
            rest.head(4 * mm),
            say("Penalties with rule number, who left, other remarks"),
            SANS,
            8.5,
            lines=1,
        )
        for line in range(lines):
            draw_rule(canvas, box.left, box.right, rest.top - (line + 1) * 8 * mm - 3 * mm, thick=0.3)
        rest = rest.below(lines * 8 * mm + 3 * mm)
    draw_signature_lines(
        canvas, rest.head(min(17 * mm, rest.height)), say("signed for the table"), say("another player")
    )


def _draw_places(canvas: Canvas, box: Box, form: Form, speech: Speech) -> Box:
    """Draw the seats with a box for every game; return the rest of the box."""
    say, seats, games = speech.say, form.seats, form.games
    seat, wide = 8 * mm, 19 * mm
    put = min(17 * mm, (box.width - seat - wide - 40 * mm) / games)
    name = box.width - seat - wide - put * games
    row = min(15 * mm, 96 * mm / len(seats))
    widths = [seat, name, *[put] * games, wide]
    heads = ["", say("player, in seat order")]
    heads += [say("game {number}", number=game) for game in range(1, games + 1)]
    head = box.head(6 * mm)
    for at, (cell, text) in enumerate(zip(head.columns(widths), [*heads, say("penalty")], strict=True)):
        write_text(canvas, cell.inset(1, 0), text, SANS, 8.5, align="left" if at == 1 else "center")
    draw_rule(canvas, box.left, box.right, head.low)
    for at, place in enumerate(seats):
        line = Box(box.left, head.low - (at + 1) * row, box.width, row)
        letter, called, *rest = line.columns(widths)
        write_text(canvas, letter, place.letter, SANS, 12, align="center", lines=1)
        label = called.inset(1, 0.8 * mm)
        write_text(canvas, label.head(label.height * 0.64), place.name, BOLD, 12, lines=2)
        small = label.below(label.height * 0.66)
        write_text(canvas, small, say("No. {number}", number=place.number), SANS, 7.5, lines=1)
        for cell in rest:
            draw_frame(canvas, cell.inset(min(1 * mm, put / 12), 1.2 * mm), round=1.5 * mm, thick=1.1)
        draw_rule(canvas, box.left, box.right, line.low)
    return box.below(6 * mm + row * len(seats))


def _draw_totals(
    canvas: Canvas, box: Box, state: Tournament, table: str, kind: Format, speech: Speech
) -> Box:
    """Draw both sides, the hands of the round and the totals; return the rest of the box."""
    say, seats = speech.say, state.seats(table)
    rest = box
    for side, numbers in zip("AB", (seats[0::2], seats[1::2]), strict=True):
        area, rest = rest.head(13 * mm), rest.below(13 * mm)
        letter, called = area.columns((9 * mm, area.width - 9 * mm))
        write_text(canvas, letter, side, TITLE, 20, lines=1)
        names = " · ".join(f"{state.who(number)} ({number})" for number in numbers)
        write_text(canvas, called.inset(0, 0.8 * mm), names, BOLD, 12, lines=2)
        draw_rule(canvas, area.left, area.right, area.low)
    rest = rest.below(4 * mm)
    whist = isinstance(find(kind.preset)[1], WhistRules)
    heads = [say("hand"), say("high or low, whose")] if whist else [say("hand"), say("bid, whose")]
    heads += [say("tricks {side}", side="A"), say("tricks {side}", side="B")] if whist else []
    heads += [say("points {side}", side="A"), say("points {side}", side="B")]
    first, figure = 11 * mm, 17 * mm
    figures = len(heads) - 2
    widths = [first, rest.width - first - figure * figures, *[figure] * figures]
    asked = kind.slips.lines_at(table)
    hands = asked if 0 < asked <= _MOST_LINES else 0 if asked else 12
    lines = [[str(hand), *[""] * (len(heads) - 1)] for hand in range(1, hands + 1)]
    row = min(7.5 * mm, (rest.height - 52 * mm) / (hands + 1))
    if hands:
        rest = draw_table(canvas, rest, widths, heads, lines, row, head=6 * mm, size=9)
    total = rest.head(11 * mm)
    cells = total.columns(widths)
    write_text(
        canvas,
        Box(total.left, total.low, total.width - 2 * figure - 2 * mm, total.height),
        say("total"),
        BOLD,
        11,
        align="right",
    )
    for cell in cells[-2:]:
        draw_frame(canvas, cell, thick=1.4)
    return rest.below(13 * mm)
