"""Slips of a Tuppen table or of a drive: half a sheet each, two side by side, to be cut apart."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, zip_longest

from reportlab.pdfgen.canvas import Canvas

from nousu.games import find
from nousu.games.whist import Rules as WhistRules
from nousu.tournament.form_fields import Form
from nousu.tournament.messages import Address, Speech
from nousu.tournament.model import Format, Tournament
from nousu.tournament.paper import canvas as canvas_module
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
    sheet = canvas_module.sheet_of(paper, wide=True)
    halves = sheet.grid(2, 1)
    pages: list[tuple[str | None, ...]] = []
    for _, group in groupby(tables, key=lambda table: table.partition(".")[0]):
        keys = list(group)
        pages += zip_longest(keys[0::2], keys[1::2])

    def drawn() -> Iterator[canvas_module.Draw]:
        for pair in pages:

            def page(canvas: Canvas, pair: tuple[str | None, ...] = pair) -> None:
                canvas_module.cut(canvas, sheet.width / 2, 0, sheet.width / 2, sheet.height)
                for half, table in zip(halves, pair, strict=True):
                    if table is not None:
                        _slip(canvas, half.inset(9 * canvas_module.mm), state, table, speech, address)

            yield page

    return canvas_module.document(sheet, state.name, drawn(), speech.language)


def slip_head(
    canvas: Canvas,
    box: canvas_module.Box,
    state: Tournament,
    table: str,
    speech: Speech,
    address: Address | None,
    hint: str,
) -> canvas_module.Box:
    """Draw the head of a slip: table and round, event, plan and slip, what to write, the code.

    Return the rest of the box.
    """
    high = 30 * canvas_module.mm
    name = slip_name(state, table)
    area = box.head(high)
    if address is not None:
        canvas_module.code(
            canvas,
            canvas_module.Box(
                area.right - 28 * canvas_module.mm,
                area.top - 28 * canvas_module.mm,
                28 * canvas_module.mm,
                28 * canvas_module.mm,
            ),
            address(table),
        )
        area = canvas_module.Box(area.left, area.low, area.width - 31 * canvas_module.mm, area.height)
    say = speech.say
    canvas_module.write(
        canvas,
        area.head(9 * canvas_module.mm),
        heading(state, table, say),
        canvas_module.TITLE,
        22,
        lines=1,
        at="top",
    )
    canvas_module.write(
        canvas,
        area.below(9.5 * canvas_module.mm).head(7 * canvas_module.mm),
        state.name,
        canvas_module.SANS,
        11.5,
        at="top",
    )
    words = say("Plan {plan} · slip {slip}", plan=state.plans.get(table, 0), slip=name)
    canvas_module.write(
        canvas,
        area.below(16.5 * canvas_module.mm).head(5 * canvas_module.mm),
        words,
        canvas_module.BOLD,
        11.5,
        lines=1,
        at="top",
    )
    canvas_module.write(
        canvas,
        area.below(22 * canvas_module.mm).head(8 * canvas_module.mm),
        hint,
        canvas_module.SANS,
        9,
        at="top",
    )
    return box.below(high)


def signatures(canvas: Canvas, box: canvas_module.Box, first: str, second: str) -> None:
    """Draw two lines to sign on, at the foot of a box."""
    for part, text in zip(box.grid(2, 1), (first, second), strict=True):
        line = canvas_module.Box(part.left, part.low, part.width - 3 * canvas_module.mm, part.height)
        canvas_module.rule(canvas, line.left, line.right, part.low + 4.5 * canvas_module.mm, thick=0.8)
        canvas_module.write(
            canvas,
            line.head(part.height).below(part.height - 4 * canvas_module.mm),
            text,
            canvas_module.SANS,
            8.5,
            lines=1,
        )


def _slip(
    canvas: Canvas,
    box: canvas_module.Box,
    state: Tournament,
    table: str,
    speech: Speech,
    address: Address | None,
) -> None:
    say, kind = speech.say, state.kind(table)
    form = kind.slips.form(state, table, {})
    if form.kind == "boxes":
        last = len(form.seats)
        hint = say("Write the place: 1 is the winner, {last} went out first.", last=last)
        rest = slip_head(canvas, box, state, table, speech, address, hint)
        rest = _places(canvas, rest, form, speech)
    else:
        hint = say("Write the points of both sides and add them up.")
        rest = slip_head(canvas, box, state, table, speech, address, hint)
        rest = _totals(canvas, rest, state, table, kind, speech)
    foot = canvas_module.Box(box.left, box.low, box.width, 5 * canvas_module.mm)
    label = table.partition(".")[0]
    keys = [key for key, _ in state.tables() if key.partition(".")[0] == label]
    if form.kind == "boxes":
        points = " – ".join(map(str, form.points[: len(form.seats)]))
        canvas_module.write(
            canvas, foot, say("Points by place: {points}", points=points), canvas_module.SANS, 8.5, lines=1
        )
    canvas_module.write(
        canvas,
        foot,
        f"{keys.index(table) + 1} / {len(keys)}",
        canvas_module.SANS,
        8.5,
        align="right",
        lines=1,
    )
    _remarks(
        canvas,
        canvas_module.Box(
            rest.left, box.low + 6 * canvas_module.mm, rest.width, rest.top - box.low - 6 * canvas_module.mm
        ),
        say,
    )


def _remarks(canvas: Canvas, box: canvas_module.Box, say: Callable[..., str]) -> None:
    """Draw a few lines to write on, then two to sign on."""
    lines = min(_REMARKS, int((box.height - 26 * canvas_module.mm) / (8 * canvas_module.mm)))
    rest = box.below(3 * canvas_module.mm)
    if lines > 0:
        canvas_module.write(
            canvas,
            rest.head(4 * canvas_module.mm),
            say("Penalties with rule number, who left, other remarks"),
            canvas_module.SANS,
            8.5,
            lines=1,
        )
        for line in range(lines):
            canvas_module.rule(
                canvas,
                box.left,
                box.right,
                rest.top - (line + 1) * 8 * canvas_module.mm - 3 * canvas_module.mm,
                thick=0.3,
            )
        rest = rest.below(lines * 8 * canvas_module.mm + 3 * canvas_module.mm)
    signatures(
        canvas,
        rest.head(min(17 * canvas_module.mm, rest.height)),
        say("signed for the table"),
        say("another player"),
    )


def _places(canvas: Canvas, box: canvas_module.Box, form: Form, speech: Speech) -> canvas_module.Box:
    """Draw the seats with a box for every game; return the rest of the box."""
    say, seats, games = speech.say, form.seats, form.games
    seat, wide = 8 * canvas_module.mm, 19 * canvas_module.mm
    put = min(17 * canvas_module.mm, (box.width - seat - wide - 40 * canvas_module.mm) / games)
    name = box.width - seat - wide - put * games
    row = min(15 * canvas_module.mm, 96 * canvas_module.mm / len(seats))
    widths = [seat, name, *[put] * games, wide]
    heads = ["", say("player, in seat order")]
    heads += [say("game {number}", number=game) for game in range(1, games + 1)]
    head = box.head(6 * canvas_module.mm)
    for at, (cell, text) in enumerate(zip(head.columns(widths), [*heads, say("penalty")], strict=True)):
        canvas_module.write(
            canvas, cell.inset(1, 0), text, canvas_module.SANS, 8.5, align="left" if at == 1 else "center"
        )
    canvas_module.rule(canvas, box.left, box.right, head.low)
    for at, place in enumerate(seats):
        line = canvas_module.Box(box.left, head.low - (at + 1) * row, box.width, row)
        letter, called, *rest = line.columns(widths)
        canvas_module.write(canvas, letter, place.letter, canvas_module.SANS, 12, align="center", lines=1)
        label = called.inset(1, 0.8 * canvas_module.mm)
        canvas_module.write(
            canvas, label.head(label.height * 0.64), place.name, canvas_module.BOLD, 12, lines=2
        )
        small = label.below(label.height * 0.66)
        canvas_module.write(
            canvas, small, say("No. {number}", number=place.number), canvas_module.SANS, 7.5, lines=1
        )
        for cell in rest:
            canvas_module.frame(
                canvas,
                cell.inset(min(1 * canvas_module.mm, put / 12), 1.2 * canvas_module.mm),
                round=1.5 * canvas_module.mm,
                thick=1.1,
            )
        canvas_module.rule(canvas, box.left, box.right, line.low)
    return box.below(6 * canvas_module.mm + row * len(seats))


def _totals(
    canvas: Canvas, box: canvas_module.Box, state: Tournament, table: str, kind: Format, speech: Speech
) -> canvas_module.Box:
    """Draw both sides, the hands of the round and the totals; return the rest of the box."""
    say, seats = speech.say, state.seats(table)
    rest = box
    for side, numbers in zip("AB", (seats[0::2], seats[1::2]), strict=True):
        area, rest = rest.head(13 * canvas_module.mm), rest.below(13 * canvas_module.mm)
        letter, called = area.columns((9 * canvas_module.mm, area.width - 9 * canvas_module.mm))
        canvas_module.write(canvas, letter, side, canvas_module.TITLE, 20, lines=1)
        names = " · ".join(f"{state.who(number)} ({number})" for number in numbers)
        canvas_module.write(
            canvas, called.inset(0, 0.8 * canvas_module.mm), names, canvas_module.BOLD, 12, lines=2
        )
        canvas_module.rule(canvas, area.left, area.right, area.low)
    rest = rest.below(4 * canvas_module.mm)
    whist = isinstance(find(kind.preset)[1], WhistRules)
    heads = [say("hand"), say("high or low, whose")] if whist else [say("hand"), say("bid, whose")]
    heads += [say("tricks {side}", side="A"), say("tricks {side}", side="B")] if whist else []
    heads += [say("points {side}", side="A"), say("points {side}", side="B")]
    first, figure = 11 * canvas_module.mm, 17 * canvas_module.mm
    figures = len(heads) - 2
    widths = [first, rest.width - first - figure * figures, *[figure] * figures]
    asked = kind.slips.lines_at(table)
    hands = asked if 0 < asked <= _MOST_LINES else 0 if asked else 12
    lines = [[str(hand), *[""] * (len(heads) - 1)] for hand in range(1, hands + 1)]
    row = min(7.5 * canvas_module.mm, (rest.height - 52 * canvas_module.mm) / (hands + 1))
    if hands:
        rest = canvas_module.grid(canvas, rest, widths, heads, lines, row, head=6 * canvas_module.mm, size=9)
    total = rest.head(11 * canvas_module.mm)
    cells = total.columns(widths)
    canvas_module.write(
        canvas,
        canvas_module.Box(
            total.left, total.low, total.width - 2 * figure - 2 * canvas_module.mm, total.height
        ),
        say("total"),
        canvas_module.BOLD,
        11,
        align="right",
    )
    for cell in cells[-2:]:
        canvas_module.frame(canvas, cell, thick=1.4)
    return rest.below(13 * canvas_module.mm)
