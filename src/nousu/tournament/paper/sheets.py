"""The score sheet of a Tuppi match (pöytäkirja).

A whole sheet for each match, with lines for the extension.
"""

from collections.abc import Callable, Iterator, Sequence

from reportlab.pdfgen.canvas import Canvas

from nousu.games.whist import Rules
from nousu.tournament.drive_families.whist import trick_points
from nousu.tournament.messages import Address, Speech
from nousu.tournament.model import Tournament
from nousu.tournament.paper.canvas import (
    BOLD,
    SANS,
    TITLE,
    Box,
    Draw,
    document,
    draw_frame,
    draw_table,
    mm,
    sheet_of,
    write_text,
)
from nousu.tournament.paper.slips import signatures, slip_head
from nousu.tournament.score_sheet import whist_rules

EXTRA = 8
"""Lines for hands of the extension, or for extra hands."""


def sheets(
    state: Tournament, tables: Sequence[str], speech: Speech, paper: str, address: Address | None
) -> bytes:
    """The score sheets of these tables."""
    sheet = sheet_of(paper)

    def drawn() -> Iterator[Draw]:
        for table in tables:
            rules = whist_rules(state.kind(table).slips.table_rules(table))

            def page(canvas: Canvas, table: str = table, rules: Rules = rules) -> None:
                _sheet(canvas, sheet.inset(14 * mm, 12 * mm), state, table, rules, speech, address)

            yield page

    return document(sheet, state.name, drawn(), speech.language)


def _sheet(
    canvas: Canvas,
    box: Box,
    state: Tournament,
    table: str,
    rules: Rules,
    speech: Speech,
    address: Address | None,
) -> None:
    say = speech.say
    hint = say(
        "Only the rising side has points: write its score after each hand, and 0 when it is toppled. "
        "The first to reach {target} wins.",
        target=rules.target,
    )
    rest = slip_head(canvas, box, state, table, speech, address, hint)
    a, b = state.seats(table)
    names = rest.head(15 * mm)
    for side, number, cell in zip("AB", (a, b), names.grid(2, 1), strict=True):
        letter, called = cell.columns((9 * mm, cell.width - 9 * mm))
        write_text(canvas, letter, side, TITLE, 20, lines=1)
        write_text(
            canvas,
            Box(called.left, called.low + 5 * mm, called.width - 3 * mm, 9.5 * mm),
            state.who(number),
            BOLD,
            12,
        )
        small = Box(called.left, called.low, called.width, 4.5 * mm)
        write_text(canvas, small, say("No. {number}", number=number), SANS, 8, lines=1)
    rest = rest.below(16 * mm)
    limit, extended = rules.max_hands or 0, _after(rules, say)
    foot = 58 * mm
    lines = limit + (EXTRA if extended else 0)
    row = min(7.2 * mm, (rest.height - foot - 17 * mm) / lines)
    heads = [
        say("hand"),
        say("dealer"),
        say("rami: whose"),
        say("nolo"),
        say("tricks {side}", side="A"),
        say("tricks {side}", side="B"),
    ]
    heads += [say("score {side}", side="A"), say("score {side}", side="B")]
    narrow = [
        13 * mm,
        20 * mm,
        24 * mm,
        14 * mm,
        21 * mm,
        21 * mm,
    ]
    score = (rest.width - sum(narrow)) / 2
    widths = [*narrow, score, score]
    blank = [""] * (len(heads) - 1)
    rest = draw_table(
        canvas,
        rest,
        widths,
        heads,
        [[str(hand), *blank] for hand in range(1, limit + 1)],
        row,
        head=7 * mm,
        size=9,
    )
    if extended:
        write_text(canvas, rest.head(7 * mm), extended, BOLD, 9, lines=1)
        more = [[str(hand), *blank] for hand in range(limit + 1, limit + EXTRA + 1)]
        rest = draw_table(canvas, rest.below(7 * mm), widths, [""] * len(heads), more, row, head=0, size=9)
    _foot(canvas, Box(box.left, box.low, box.width, foot), rules, speech)


def _after(rules: Rules, say: Callable[..., str]) -> str:
    """The play after the last hand of the limit; empty if there is none."""
    if rules.extension:
        return say("Extension: while a side is rising, play goes on until it loses a hand.")
    if "extra_hands" in rules.limit_tiebreak:
        return say("Extra hand, if everything is equal: whoever scores wins.")
    return ""


def _foot(canvas: Canvas, box: Box, rules: Rules, speech: Speech) -> None:
    """Draw the sums, the worth of tricks, and two lines to sign on."""
    say = speech.say
    fields = box.head(22 * mm)
    parts = fields.grid(4, 1)
    for part, text, boxes in zip(
        parts,
        (say("collected while rising"), say("highest rise"), say("hands played"), say("winner")),
        ("AB", "AB", " ", " "),
        strict=True,
    ):
        write_text(canvas, part.head(9 * mm).inset(1, 0), text, SANS, 9, align="center")
        low = Box(part.left, part.low, part.width, 12 * mm)
        for cell, side in zip(low.grid(len(boxes), 1), boxes, strict=True):
            inner = cell.inset(1.5 * mm, 0)
            draw_frame(canvas, inner, round=1.5 * mm, thick=1.1)
            write_text(canvas, inner.inset(1.5 * mm, 1), side.strip(), SANS, 8, at="top", lines=1)
    more = range(7, 14)
    worth = (
        (say("rami, for the bidder"), [trick_points(rules, f"rA{tricks}", "")[0] for tricks in more]),
        (
            say("rami failed, for the others"),
            [trick_points(rules, f"rA{13 - tricks}", "")[1] for tricks in more],
        ),
        (
            say("nolo, for the side with fewer"),
            [trick_points(rules, f"nB{tricks}", "")[0] for tricks in more],
        ),
    )
    first = 58 * mm
    widths = [first, *[(box.width - first) / len(more)] * len(more)]
    heads = [say("tricks of the side that has more"), *map(str, more)]
    rows = [[text, *map(str, points)] for text, points in worth]
    table = Box(box.left, box.low, box.width, box.height - 26 * mm)
    draw_table(canvas, table, widths, heads, rows, 4.4 * mm, head=4.4 * mm, size=8, left=(0,))
    signatures(canvas, Box(box.left, box.low, box.width, 13 * mm), say("signed for A"), say("signed for B"))
