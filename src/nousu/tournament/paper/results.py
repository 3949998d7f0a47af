"""The result list, and certificates for the best."""

from collections.abc import Iterator
from html import escape
from typing import Any

from reportlab.lib.enums import TA_CENTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import LongTable, Paragraph

from nousu.tournament.model import Row, Section, Tournament
from nousu.tournament.notes import Refusal
from nousu.tournament.paper import ink
from nousu.tournament.paper.walls import page_head
from nousu.tournament.speech import Speech, day

_WIDE = 9
"""With more columns of figures the sheet is laid across."""
_MOST = 22
"""With more columns of figures only the first one stands on paper."""
BEST = 3
"""Certificates go to places 1 to 3, if nothing else is said."""


def results(state: Tournament, speech: Speech, paper: str) -> bytes:
    """The standings as they are, with the reason beside each rank that has one."""
    found = state.format.standings(state)
    if not found.sections:
        raise Refusal("there is no result yet: the numbers have not been drawn", remedy="draw")
    columns = max(len(section.columns) for section in found.sections)
    sheet = ink.sheet_of(paper, wide=_WIDE < columns <= _MOST)
    area = sheet.inset(13 * ink.mm, 12 * ink.mm)
    parts: list[tuple[Section, Any]] = []
    for section in found.sections:
        parts += [(section, part) for part in _parts(section, speech, area)]

    def drawn() -> Iterator[ink.Draw]:
        for page, (section, part) in enumerate(parts, 1):

            def draw(canvas: Canvas, section: Section = section, part: Any = part, page: int = page) -> None:
                lines = (state.name, f"{_standing(state, speech)} · {page} / {len(parts)}")
                rest = page_head(canvas, area, speech.note(section.title), lines)
                _, height = part.wrapOn(canvas, rest.width, rest.height)
                part.drawOn(canvas, rest.left, rest.top - height)
                if page == len(parts):
                    low = rest.below(height + 3 * ink.mm)
                    for number, note in enumerate(found.notes):
                        line = low.below(number * 10 * ink.mm).head(10 * ink.mm)
                        ink.write(canvas, line, speech.note(note), ink.SANS, 10, lines=3, at="top")

            yield draw

    return ink.document(sheet, state.name, drawn(), speech.language)


def _standing(state: Tournament, speech: Speech) -> str:
    """Whether the result is final."""
    if not state.publications:
        return speech.say("Interim standings, not published")
    last = state.publications[-1]
    return speech.say(
        "Published on {day}, revision {revision}", day=day(last.at, speech.say), revision=last.revision
    )


def _parts(section: Section, speech: Speech, area: ink.Box) -> list[Any]:
    """A section as tables, each of which fits on a sheet."""
    ink.fonts()
    plain = ParagraphStyle("cell", fontName=ink.SANS, fontSize=10, leading=12)
    small = ParagraphStyle("why", parent=plain, fontSize=8, leading=9.6)
    columns = section.columns if len(section.columns) <= _MOST else section.columns[:1]
    teams = any(row.team for row in section.rows)
    figure = min(19 * ink.mm, (area.width - 95 * ink.mm) / max(len(columns), 1))
    widths = [13 * ink.mm, 12 * ink.mm, 0.0, *[figure] * len(columns)]
    widths[2] = area.width - sum(widths)
    heads = [speech.column(name) for name in ("rank", "no", "name", *columns)]
    middle = ParagraphStyle("head", parent=small, alignment=TA_CENTER)
    rows: list[list[Any]] = [
        [Paragraph(escape(head), small if at < 3 else middle) for at, head in enumerate(heads)]
    ]
    explained: set[tuple[int, str]] = set()
    for row in section.rows:
        name = [Paragraph(f'<font name="{ink.BOLD}">{escape(row.name)}</font>', plain)]
        if teams and row.team and row.team != row.name:
            name.append(Paragraph(escape(row.team), small))
        for note in row.why:
            shared = (row.rank, note.message)
            if "others" not in note.values or shared not in explained:  # a shared reason stands once
                name.append(Paragraph(escape(speech.note(note)), small))
            explained.add(shared)
        cells = [str(cell).replace("-", "−") if isinstance(cell, int) else cell for cell in row.cells]
        rows.append([f"{row.rank}.", row.number or "", name, *cells[: len(columns)]])
    style = [
        ("FONT", (0, 1), (-1, -1), ink.SANS, 10),
        ("FONT", (0, 1), (0, -1), ink.BOLD, 11),
        ("FONT", (3, 1), (3, -1), ink.BOLD, 10),
        ("ALIGN", (3, 0), (-1, -1), "CENTER"),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, 0), 1, "black"),
        ("LINEBELOW", (0, 1), (-1, -1), 0.3, "black"),
        ("LEFTPADDING", (0, 0), (-1, -1), 3),
        ("RIGHTPADDING", (0, 0), (-1, -1), 3),
        ("TOPPADDING", (0, 0), (-1, -1), 2.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
    ]
    left: Any = LongTable(rows, colWidths=widths, repeatRows=1, style=style)
    found = []
    room = area.height - 23 * ink.mm - 14 * ink.mm
    while left is not None:
        split = left.split(area.width, room)
        found.append(split[0] if split else left)
        left = split[1] if len(split) > 1 else None
    return found


def certificates(state: Tournament, speech: Speech, paper: str, best: int = BEST) -> bytes:
    """A sheet for everybody on the first places of a published result (of the cup, where there is one, and
    of the teams)."""
    if not state.publications:
        raise Refusal("certificates are for a published result; publish it first", remedy="publish")
    found = state.format.standings(state)
    sections = [section for at, section in enumerate(found.sections) if not at or section.key == "teams"]
    winners = [(section, row) for section in sections for row in section.rows if row.rank <= best]
    sheet = ink.sheet_of(paper, wide=True)

    def drawn() -> Iterator[ink.Draw]:
        for section, row in winners:

            def page(canvas: Canvas, section: Section = section, row: Row = row) -> None:
                cup = row.number != 0 and row.number in found.cup
                _certificate(canvas, sheet, state, section, row, cup, speech)

            yield page

    return ink.document(sheet, state.name, drawn(), speech.language)


def _certificate(
    canvas: Canvas, sheet: ink.Box, state: Tournament, section: Section, row: Row, cup: bool, speech: Speech
) -> None:
    say = speech.say
    ink.frame(canvas, sheet.inset(9 * ink.mm), thick=2.2)
    ink.frame(canvas, sheet.inset(11 * ink.mm), thick=0.6)
    box = sheet.inset(26 * ink.mm, 18 * ink.mm)
    ink.mark(
        canvas,
        ink.Box(box.left + box.width / 2 - 8 * ink.mm, box.top - 17 * ink.mm, 16 * ink.mm, 16 * ink.mm),
    )
    lines: list[tuple[str, str, float, float, int]] = [
        (say("Certificate"), ink.SANS, 20, 12, 1),
        (row.name, ink.TITLE, 40, 34, 2),
        (say("Place {rank}", rank=row.rank), ink.BOLD, 30, 15, 1),
    ]
    if cup:
        lines.append((say("Winner of the cup"), ink.BOLD, 20, 11, 1))
    lines += [(state.name, ink.SANS, 22, 20, 2)]
    if len(state.format.standings(state).sections) > 1:
        lines.append((speech.note(section.title), ink.SANS, 14, 9, 1))
    if row.cells and section.columns[0] in ("points", "match points") and isinstance(row.cells[0], int):
        figure = f"{row.cells[0]}".replace("-", "−")
        lines.append((f"{speech.column(section.columns[0])}: {figure}", ink.SANS, 14, 9, 1))
    rest = box.below(21 * ink.mm)
    for text, font, size, height, most in lines:
        ink.write(canvas, rest.head(height * ink.mm), text, font, size, align="center", lines=most)
        rest = rest.below(height * ink.mm)
    foot = ink.Box(box.left, box.low, box.width, 14 * ink.mm)
    when, signed = (part.inset(12 * ink.mm, 0) for part in foot.grid(2, 1))
    for part, text in ((when, ""), (signed, say("for the director"))):
        ink.rule(canvas, part.left, part.right, part.low + 6 * ink.mm)
        ink.write(
            canvas,
            ink.Box(part.left, part.low, part.width, 5 * ink.mm),
            text,
            ink.SANS,
            10,
            align="center",
            lines=1,
        )
    date = day(state.publications[-1].at, say)
    ink.write(
        canvas,
        ink.Box(when.left, when.low + 7 * ink.mm, when.width, 6 * ink.mm),
        date,
        ink.SANS,
        13,
        align="center",
        lines=1,
    )
