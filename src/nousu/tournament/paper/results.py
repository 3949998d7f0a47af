"""The result list, and certificates for the best."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

from reportlab.lib.enums import TA_CENTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import LongTable, Paragraph

from nousu.tournament.messages import Refusal, Speech
from nousu.tournament.model import Section, Standings, StandingsRow, Tournament
from nousu.tournament.paper.canvas import (
    BOLD,
    LEAST,
    SANS,
    TITLE,
    Box,
    document,
    draw_frame,
    draw_rule,
    draw_sign,
    mm,
    register_fonts,
    sheet_of,
    width_of,
    write_text,
)
from nousu.tournament.paper.posters import draw_head
from nousu.tournament.print_language import day

_WIDE = 9
"""Greatest number of columns of figures on an upright sheet."""
_MOST = 22
"""Greatest number of columns of figures; of more only the first one stands on paper."""
BEST = 3
"""Certificates go to places 1 to 3."""


def results(state: Tournament, speech: Speech, paper: str) -> bytes:
    """The standings as they are, with the reason beside each rank that has one."""
    standings = state.format.standings(state)
    if not standings.sections:
        raise Refusal("there is no result yet: the numbers have not been drawn", remedy="draw")
    return result_list(standings, state.name, _standing(state, speech), speech, paper)


def result_list(standings: Standings, name: str, about: str, speech: Speech, paper: str) -> bytes:
    """Tables of results on as many sheets as they need, with the notes below the last one.

    Args:
        standings: The tables.
        name: The name of the event.
        about: Whether the result is final, in a few words.
        speech: The language.
        paper: A key of `PAPERS`.

    Returns:
        The PDF.
    """
    columns = max(len(section.columns) for section in standings.sections)
    sheet = sheet_of(paper, wide=_WIDE < columns <= _MOST)
    area = sheet.inset(13 * mm, 12 * mm)
    parts: list[tuple[Section, Any]] = []
    notes = len(standings.notes) * 6 * mm
    for section in standings.sections:
        parts += [(section, part) for part in _parts(section, speech, area, notes)]

    def draw_page(canvas: Canvas, page: int) -> None:
        section, part = parts[page - 1]
        lines = (name, f"{about} · {page} / {len(parts)}" if about else f"{page} / {len(parts)}")
        rest = draw_head(canvas, area, speech.note(section.title), lines)
        _, height = part.wrapOn(canvas, rest.width, rest.height)
        part.drawOn(canvas, rest.left, rest.top - height)
        if page == len(parts):
            low = rest.below(height + 3 * mm)
            for note in standings.notes:
                line = low.head(10 * mm)
                tall = write_text(canvas, line, speech.note(note), SANS, 10, lines=3, at="top")
                low = low.below(tall + 1.5 * mm)

    pages = (partial(draw_page, page=page) for page in range(1, len(parts) + 1))
    return document(sheet, name, pages, speech.language)


def _standing(state: Tournament, speech: Speech) -> str:
    """Whether the result is final."""
    if not state.publications:
        return speech.say("Interim standings, not published")
    last = state.publications[-1]
    return speech.say(
        "Published on {day}, revision {revision}", day=day(last.at, speech.say), revision=last.revision
    )


_HEAD = 8.0
"""Size of the headings where there is room."""
_FIGURE = 8 * mm
"""Least width of a figure."""


def _figure_widths(heads: Sequence[str], room: float) -> tuple[float, list[float]]:
    """Size of headings, and widths of their columns, at which no word is broken if that can be."""
    size = _HEAD
    while True:
        words = [[width_of(word, SANS, size) for word in head.split()] for head in heads]
        widths = [max([_FIGURE, *sizes]) + 7 for sizes in words]
        if sum(widths) <= room or size <= LEAST:
            shrink = min(1.0, room / sum(widths)) if widths else 1.0
            return size, [width * shrink for width in widths]
        size -= 0.5


def _parts(section: Section, speech: Speech, area: Box, notes: float) -> list[Any]:
    """A section as tables, each of which fits on a sheet; below the last one is room for notes."""
    register_fonts()
    plain = ParagraphStyle("cell", fontName=SANS, fontSize=10, leading=12)
    small = ParagraphStyle("why", parent=plain, fontSize=8, leading=9.6)
    columns = section.columns if len(section.columns) <= _MOST else section.columns[:1]
    teams = any(row.team for row in section.rows)
    numbered = any(row.number for row in section.rows)
    about = ("rank", "no", "name") if numbered else ("rank", "name")
    first = len(about)
    heads = [speech.column(name) for name in (*about, *columns)]
    size, figures = _figure_widths(heads[first:], area.width - 95 * mm)
    widths = [13 * mm, *[12 * mm] * numbered, 0.0, *figures]
    widths[first - 1] = area.width - sum(widths)
    middle = ParagraphStyle("head", parent=small, alignment=TA_CENTER, fontSize=size)
    rows: list[list[Any]] = [
        [Paragraph(escape(head), small if at < first else middle) for at, head in enumerate(heads)]
    ]
    explained: set[tuple[int, str]] = set()
    for row in section.rows:
        name = [Paragraph(f'<font name="{BOLD}">{escape(row.name)}</font>', plain)]
        if teams and row.team and row.team != row.name:
            name.append(Paragraph(escape(row.team), small))
        for note in row.why:
            shared = (row.rank, note.message)
            if "others" not in note.values or shared not in explained:  # a shared reason is printed once
                name.append(Paragraph(escape(speech.note(note)), small))
            explained.add(shared)
        cells = [str(cell).replace("-", "−") if isinstance(cell, int) else cell for cell in row.cells]
        number = [row.number or ""] * numbered
        rows.append([f"{row.rank}.", *number, name, *cells[: len(columns)]])
    style = [
        ("FONT", (0, 1), (-1, -1), SANS, 10),
        ("FONT", (0, 1), (0, -1), BOLD, 11),
        ("FONT", (first, 1), (first, -1), BOLD, 10),
        ("ALIGN", (first, 0), (-1, -1), "CENTER"),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, 0), 1, "black"),
        ("LINEBELOW", (0, 1), (-1, -1), 0.3, "black"),
        ("LEFTPADDING", (0, 0), (-1, -1), 3),
        ("RIGHTPADDING", (0, 0), (-1, -1), 3),
        ("TOPPADDING", (0, 0), (-1, -1), 2.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
    ]
    left: Any = LongTable(rows, colWidths=widths, repeatRows=1, style=style)
    tables = []
    room = area.height - 23 * mm - max(14 * mm, notes)
    while left is not None:
        split = left.split(area.width, room)
        tables.append(split[0] if split else left)
        left = split[1] if len(split) > 1 else None
    return tables


@dataclass(frozen=True, slots=True)
class Certificate:
    """The texts of one certificate, from the top."""

    name: str
    rank: int
    cup: bool
    lines: tuple[str, ...]
    """The lines below the event's name: the table of results, the figure."""


def certificates(state: Tournament, speech: Speech, paper: str) -> bytes:
    """Certificates of a published result: a sheet for everybody on the first places.

    The places are those of the cup, where there is one, and of the teams; of prize groups the first one.
    """
    if not state.publications:
        raise Refusal("certificates are for a published result; publish it first", remedy="publish")
    standings = state.format.standings(state)
    best_of = {"teams": BEST, "prize": 1}
    sections = [
        (section, BEST if not at else best_of[section.key.partition(" ")[0]])
        for at, section in enumerate(standings.sections)
        if not at or section.key.partition(" ")[0] in best_of
    ]
    won = []
    for section, most in sections:
        titles = (speech.note(section.title),) if len(standings.sections) > 1 else ()
        for row in section.rows:
            if row.rank <= most:
                cup = row.number != 0 and row.number in standings.cup
                won.append(Certificate(row.name, row.rank, cup, (*titles, *_figure(section, row, speech))))
    date = day(state.publications[-1].at, speech.say)
    return certificate_sheets(won, state.name, date, speech, paper)


def _figure(section: Section, row: StandingsRow, speech: Speech) -> tuple[str, ...]:
    """The points of a person, if the result is points."""
    if not row.cells or section.columns[0] not in ("points", "match points"):
        return ()
    figure = str(row.cells[0]).replace("-", "−")
    return (f"{speech.column(section.columns[0])}: {figure}",)


def certificate_sheets(
    won: Sequence[Certificate], event: str, date: str, speech: Speech, paper: str
) -> bytes:
    """A sheet for every certificate.

    Args:
        won: The certificates.
        event: The name of the event.
        date: Its day, in words.
        speech: The language.
        paper: A key of `PAPERS`.

    Returns:
        The PDF.
    """
    sheet = sheet_of(paper, wide=True)
    pages = (
        partial(
            _draw_certificate, sheet=sheet, certificate=certificate, event=event, date=date, speech=speech
        )
        for certificate in won
    )
    return document(sheet, event, pages, speech.language)


def _draw_certificate(
    canvas: Canvas, sheet: Box, certificate: Certificate, event: str, date: str, speech: Speech
) -> None:
    say = speech.say
    draw_frame(canvas, sheet.inset(9 * mm), thick=2.2)
    draw_frame(canvas, sheet.inset(11 * mm), thick=0.6)
    box = sheet.inset(26 * mm, 18 * mm)
    draw_sign(canvas, Box(box.left + box.width / 2 - 8 * mm, box.top - 17 * mm, 16 * mm, 16 * mm))
    first, *second = certificate.name.split(" & ", 1)  # each of a pair has a line
    names = [f"{first} &", *second] if second else [first]
    lines: list[tuple[str, str, float, float, int]] = [
        (say("Certificate"), SANS, 20, 12, 1),
        *((name, TITLE, 40, 34 / len(names), 2 // len(names)) for name in names),
        (say("Place {rank}", rank=certificate.rank), BOLD, 30, 15, 1),
    ]
    if certificate.cup:
        lines.append((say("Winner of the cup"), BOLD, 20, 11, 1))
    lines += [(event, SANS, 22, 20, 2)]
    lines += [(line, SANS, 14, 9, 1) for line in certificate.lines]
    rest = box.below(21 * mm)
    for text, font, size, height, most in lines:
        write_text(canvas, rest.head(height * mm), text, font, size, align="center", lines=most)
        rest = rest.below(height * mm)
    foot = Box(box.left, box.low, box.width, 14 * mm)
    when, signed = (part.inset(12 * mm, 0) for part in foot.grid(2, 1))
    for part, text in ((when, ""), (signed, say("for the director"))):
        draw_rule(canvas, part.left, part.right, part.low + 6 * mm)
        write_text(
            canvas, Box(part.left, part.low, part.width, 5 * mm), text, SANS, 10, align="center", lines=1
        )
    write_text(
        canvas, Box(when.left, when.low + 7 * mm, when.width, 6 * mm), date, SANS, 13, align="center", lines=1
    )
