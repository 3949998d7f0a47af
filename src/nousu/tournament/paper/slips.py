"""Slips of a Tuppen table or of a drive: half a sheet each, two side by side, to be cut apart."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, zip_longest

from reportlab.pdfgen.canvas import Canvas

from nousu.games import find
from nousu.games.whist import Rules as WhistRules
from nousu.tournament.formats.tuppen import LETTERS
from nousu.tournament.model import Format, Tournament
from nousu.tournament.paper import ink
from nousu.tournament.speech import Speech, heading

Address = Callable[[str], str]
"""The address that the code of a table's slip leads to."""

_REMARKS = 5
"""So many lines are left for remarks, where there is room."""
_MOST_LINES = 16
"""So many hands of a drive stand on a slip; of more only the totals."""


def slip_name(state: Tournament, table: str) -> str:
    """What a slip is called, and is entered by: its table and the plan it was printed for."""
    return f"{table}/{state.plans.get(table, 0)}"


def slips(
    state: Tournament, tables: Sequence[str], speech: Speech, paper: str, address: Address | None
) -> bytes:
    """The slips of these tables. Every round begins a new sheet."""
    sheet = ink.sheet_of(paper, wide=True)
    halves = sheet.grid(2, 1)
    pages: list[tuple[str | None, ...]] = []
    for _, group in groupby(tables, key=lambda table: table.partition(".")[0]):
        keys = list(group)
        pages += zip_longest(keys[0::2], keys[1::2])

    def drawn() -> Iterator[ink.Draw]:
        for pair in pages:

            def page(canvas: Canvas, pair: tuple[str | None, ...] = pair) -> None:
                ink.cut(canvas, sheet.width / 2, 0, sheet.width / 2, sheet.height)
                for half, table in zip(halves, pair, strict=True):
                    if table is not None:
                        _slip(canvas, half.inset(9 * ink.mm), state, table, speech, address)

            yield page

    return ink.document(sheet, state.name, drawn(), speech.language)


def slip_head(
    canvas: Canvas,
    box: ink.Box,
    state: Tournament,
    table: str,
    speech: Speech,
    address: Address | None,
    hint: str,
) -> ink.Box:
    """What stands above every slip: table and round, event, plan and slip, what to write, the code. What is
    left of the box."""
    high = 30 * ink.mm
    name = slip_name(state, table)
    area = box.head(high)
    if address is not None:
        ink.code(
            canvas,
            ink.Box(area.right - 28 * ink.mm, area.top - 28 * ink.mm, 28 * ink.mm, 28 * ink.mm),
            address(table),
        )
        area = ink.Box(area.left, area.low, area.width - 31 * ink.mm, area.height)
    say = speech.say
    ink.write(canvas, area.head(9 * ink.mm), heading(state, table, say), ink.TITLE, 22, lines=1, at="top")
    ink.write(canvas, area.below(9.5 * ink.mm).head(7 * ink.mm), state.name, ink.SANS, 11.5, at="top")
    said = say("Plan {plan} · slip {slip}", plan=state.plans.get(table, 0), slip=name)
    ink.write(canvas, area.below(16.5 * ink.mm).head(5 * ink.mm), said, ink.BOLD, 11.5, lines=1, at="top")
    ink.write(canvas, area.below(22 * ink.mm).head(8 * ink.mm), hint, ink.SANS, 9, at="top")
    return box.below(high)


def signatures(canvas: Canvas, box: ink.Box, first: str, second: str) -> None:
    """Two lines to sign on, at the foot of a box."""
    for part, text in zip(box.grid(2, 1), (first, second), strict=True):
        line = ink.Box(part.left, part.low, part.width - 3 * ink.mm, part.height)
        ink.rule(canvas, line.left, line.right, part.low + 4.5 * ink.mm, thick=0.8)
        ink.write(
            canvas, line.head(part.height).below(part.height - 4 * ink.mm), text, ink.SANS, 8.5, lines=1
        )


def _slip(
    canvas: Canvas, box: ink.Box, state: Tournament, table: str, speech: Speech, address: Address | None
) -> None:
    say, kind = speech.say, state.kind(table)
    if kind.slip == "places":
        last = len(state.seats(table))
        hint = say("Write the place: 1 is the winner, {last} went out first.", last=last)
        rest = slip_head(canvas, box, state, table, speech, address, hint)
        rest = _tuppen(canvas, rest, state, table, kind, speech)
    else:
        hint = say("Write the points of both sides and add them up.")
        rest = slip_head(canvas, box, state, table, speech, address, hint)
        rest = _drive(canvas, rest, state, table, kind, speech)
    foot = ink.Box(box.left, box.low, box.width, 5 * ink.mm)
    label = table.partition(".")[0]
    keys = [key for key, _ in state.tables() if key.partition(".")[0] == label]
    if kind.slip == "places":
        points = " – ".join(map(str, kind.place_points[: len(state.seats(table))]))
        ink.write(canvas, foot, say("Points by place: {points}", points=points), ink.SANS, 8.5, lines=1)
    ink.write(canvas, foot, f"{keys.index(table) + 1} / {len(keys)}", ink.SANS, 8.5, align="right", lines=1)
    _remarks(
        canvas, ink.Box(rest.left, box.low + 6 * ink.mm, rest.width, rest.top - box.low - 6 * ink.mm), say
    )


def _remarks(canvas: Canvas, box: ink.Box, say: Callable[..., str]) -> None:
    """A few lines to write on, then two to sign on."""
    lines = min(_REMARKS, int((box.height - 26 * ink.mm) / (8 * ink.mm)))
    rest = box.below(3 * ink.mm)
    if lines > 0:
        ink.write(
            canvas,
            rest.head(4 * ink.mm),
            say("Penalties with rule number, who left, other remarks"),
            ink.SANS,
            8.5,
            lines=1,
        )
        for line in range(lines):
            ink.rule(canvas, box.left, box.right, rest.top - (line + 1) * 8 * ink.mm - 3 * ink.mm, thick=0.3)
        rest = rest.below(lines * 8 * ink.mm + 3 * ink.mm)
    signatures(
        canvas, rest.head(min(17 * ink.mm, rest.height)), say("signed for the table"), say("another player")
    )


def _tuppen(
    canvas: Canvas, box: ink.Box, state: Tournament, table: str, kind: Format, speech: Speech
) -> ink.Box:
    """Seats with a box for every game; what is left of the box."""
    say, seats, games = speech.say, state.seats(table), kind.games_at(table)
    seat, wide = 8 * ink.mm, 19 * ink.mm
    put = min(17 * ink.mm, (box.width - seat - wide - 40 * ink.mm) / games)
    name = box.width - seat - wide - put * games
    row = min(15 * ink.mm, 96 * ink.mm / len(seats))
    widths = [seat, name, *[put] * games, wide]
    heads = ["", say("player, in seat order")]
    heads += [say("game {number}", number=game) for game in range(1, games + 1)]
    head = box.head(6 * ink.mm)
    for at, (cell, text) in enumerate(zip(head.columns(widths), [*heads, say("penalty")], strict=True)):
        ink.write(canvas, cell.inset(1, 0), text, ink.SANS, 8.5, align="left" if at == 1 else "center")
    ink.rule(canvas, box.left, box.right, head.low)
    for at, number in enumerate(seats):
        line = ink.Box(box.left, head.low - (at + 1) * row, box.width, row)
        letter, called, *rest = line.columns(widths)
        ink.write(canvas, letter, LETTERS[at], ink.SANS, 12, align="center", lines=1)
        label = called.inset(1, 0.8 * ink.mm)
        ink.write(canvas, label.head(label.height * 0.64), state.who(number), ink.BOLD, 12, lines=2)
        small = label.below(label.height * 0.66)
        ink.write(canvas, small, say("No. {number}", number=number), ink.SANS, 7.5, lines=1)
        for cell in rest:
            ink.frame(
                canvas, cell.inset(min(1 * ink.mm, put / 12), 1.2 * ink.mm), round=1.5 * ink.mm, thick=1.1
            )
        ink.rule(canvas, box.left, box.right, line.low)
    return box.below(6 * ink.mm + row * len(seats))


def _drive(
    canvas: Canvas, box: ink.Box, state: Tournament, table: str, kind: Format, speech: Speech
) -> ink.Box:
    """Both sides, the hands of the round, the totals; what is left of the box."""
    say, seats = speech.say, state.seats(table)
    rest = box
    for side, numbers in zip("AB", (seats[0::2], seats[1::2]), strict=True):
        area, rest = rest.head(13 * ink.mm), rest.below(13 * ink.mm)
        letter, called = area.columns((9 * ink.mm, area.width - 9 * ink.mm))
        ink.write(canvas, letter, side, ink.TITLE, 20, lines=1)
        names = " · ".join(f"{state.who(number)} ({number})" for number in numbers)
        ink.write(canvas, called.inset(0, 0.8 * ink.mm), names, ink.BOLD, 12, lines=2)
        ink.rule(canvas, area.left, area.right, area.low)
    rest = rest.below(4 * ink.mm)
    whist = isinstance(find(kind.preset)[1], WhistRules)
    heads = [say("hand"), say("high or low, whose")] if whist else [say("hand"), say("bid, whose")]
    heads += [say("tricks {side}", side="A"), say("tricks {side}", side="B")] if whist else []
    heads += [say("points {side}", side="A"), say("points {side}", side="B")]
    first, figure = 11 * ink.mm, 17 * ink.mm
    figures = len(heads) - 2
    widths = [first, rest.width - first - figure * figures, *[figure] * figures]
    asked = kind.lines_at(table)
    hands = asked if 0 < asked <= _MOST_LINES else 0 if asked else 12
    lines = [[str(hand), *[""] * (len(heads) - 1)] for hand in range(1, hands + 1)]
    row = min(7.5 * ink.mm, (rest.height - 52 * ink.mm) / (hands + 1))
    if hands:
        rest = ink.grid(canvas, rest, widths, heads, lines, row, head=6 * ink.mm, size=9)
    total = rest.head(11 * ink.mm)
    cells = total.columns(widths)
    ink.write(
        canvas,
        ink.Box(total.left, total.low, total.width - 2 * figure - 2 * ink.mm, total.height),
        say("total"),
        ink.BOLD,
        11,
        align="right",
    )
    for cell in cells[-2:]:
        ink.frame(canvas, cell, thick=1.4)
    return rest.below(13 * ink.mm)
