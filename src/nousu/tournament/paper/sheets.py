"""The score sheet of a Tuppi match (pöytäkirja).

A whole sheet for each match, with lines for the extension.
"""

from collections.abc import Callable, Sequence
from functools import partial

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
    document,
    draw_frame,
    draw_table,
    mm,
    sheet_of,
    write_text,
)
from nousu.tournament.paper.slips import draw_signature_lines, draw_slip_head
from nousu.tournament.score_sheet import whist_rules

EXTRA = 8
"""Lines for hands of the extension, or for extra hands."""


def sheets(
    state: Tournament, tables: Sequence[str], speech: Speech, paper: str, address: Address | None
) -> bytes:
    """The score sheets of these tables."""
    sheet = sheet_of(paper)
    box = sheet.inset(14 * mm, 12 * mm)
    pages = (
        partial(_draw_sheet, box=box, state=state, table=table, speech=speech, address=address)
        for table in tables
    )
    return document(sheet, state.name, pages, speech.language)


def _draw_sheet(
    canvas: Canvas, box: Box, state: Tournament, table: str, speech: Speech, address: Address | None
) -> None:
    """Draw the sheet of a table: its head, both sides, a line for each hand, the sums."""
    rules, say = whist_rules(state.kind(table).slips.table_rules(table)), speech.say
    hint = say(
        "Only the rising side has points: write its score after each hand, and 0 when it is toppled. "
        "The first to reach {target} wins.",
        target=rules.target,
    )
    rest = draw_slip_head(canvas, box, state, table, speech, address, hint)
    sides = rest.head(15 * mm).grid(2, 1)
    for side, number, cell in zip("AB", state.seats(table), sides, strict=True):
        letter, called = cell.columns((9 * mm, cell.width - 9 * mm))
        write_text(canvas, letter, side, TITLE, 20, lines=1)
        name = Box(called.left, called.low + 5 * mm, called.width - 3 * mm, 9.5 * mm)
        write_text(canvas, name, state.who(number), BOLD, 12)
        small = Box(called.left, called.low, called.width, 4.5 * mm)
        write_text(canvas, small, say("No. {number}", number=number), SANS, 8, lines=1)
    rest = rest.below(16 * mm)
    limit, extended = rules.max_hands or 0, _after(rules, say)
    foot = 58 * mm
    lines = limit + (EXTRA if extended else 0)
    row = min(7.2 * mm, (rest.height - foot - 17 * mm) / lines)
    heads = [say("hand"), say("dealer"), say("rami: whose"), say("nolo")]
    heads += [say("tricks {side}", side="A"), say("tricks {side}", side="B")]
    heads += [say("score {side}", side="A"), say("score {side}", side="B")]
    narrow = [width * mm for width in (13, 20, 24, 14, 21, 21)]
    score = (rest.width - sum(narrow)) / 2
    widths = [*narrow, score, score]
    rows = [[str(hand), *[""] * (len(heads) - 1)] for hand in range(1, lines + 1)]
    rest = draw_table(canvas, rest, widths, heads, rows[:limit], row, head=7 * mm, size=9)
    if extended:
        write_text(canvas, rest.head(7 * mm), extended, BOLD, 9, lines=1)
        rest = rest.below(7 * mm)
        draw_table(canvas, rest, widths, [""] * len(heads), rows[limit:], row, head=0, size=9)
    _draw_foot(canvas, Box(box.left, box.low, box.width, foot), rules, speech)


def _after(rules: Rules, say: Callable[..., str]) -> str:
    """The play after the last hand of the limit; empty if there is none."""
    if rules.extension:
        return say("Extension: while a side is rising, play goes on until it loses a hand.")
    if "extra_hands" in rules.limit_tiebreak:
        return say("Extra hand, if everything is equal: whoever scores wins.")
    return ""


def _draw_foot(canvas: Canvas, box: Box, rules: Rules, speech: Speech) -> None:
    """Draw the sums, the worth of tricks, and two lines to sign on."""
    say = speech.say
    for part, text, boxes in zip(
        box.head(22 * mm).grid(4, 1),
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
    made = [trick_points(rules, f"rA{tricks}", "")[0] for tricks in more]
    failed = [trick_points(rules, f"rA{13 - tricks}", "")[1] for tricks in more]
    nolo = [trick_points(rules, f"nB{tricks}", "")[0] for tricks in more]
    first = 58 * mm
    widths = [first, *[(box.width - first) / len(more)] * len(more)]
    heads = [say("tricks of the side that has more"), *map(str, more)]
    rows = [
        [say("rami, for the bidder"), *map(str, made)],
        [say("rami failed, for the others"), *map(str, failed)],
        [say("nolo, for the side with fewer"), *map(str, nolo)],
    ]
    table = Box(box.left, box.low, box.width, box.height - 26 * mm)
    draw_table(canvas, table, widths, heads, rows, 4.4 * mm, head=4.4 * mm, size=8, left=(0,))
    draw_signature_lines(
        canvas, Box(box.left, box.low, box.width, 13 * mm), say("signed for A"), say("signed for B")
    )
