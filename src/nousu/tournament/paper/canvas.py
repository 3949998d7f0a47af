"""Drawing on paper: boxes, text that fits, ruled lines, QR codes. Points are PDF points, 72 to the inch.

The letters are those of the DejaVu fonts in ``fonts/``, embedded in every document, so that it looks the
same on every computer and printer. The same values give the same bytes.
"""

import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, TypeVar

from reportlab.lib import units
from reportlab.pdfbase.pdfmetrics import getFont, registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from nousu.engine.normal_forms import normal_form
from nousu.tournament.messages import Refusal

Value = TypeVar("Value")
mm: float = units.mm
SANS, BOLD, TITLE = "NousuSans", "NousuSans-Bold", "NousuSerif-Bold"
_FILES = {
    SANS: "DejaVuSansCondensed.ttf",
    BOLD: "DejaVuSansCondensed-Bold.ttf",
    TITLE: "DejaVuSerifCondensed-Bold.ttf",
}
PAPERS = {"a4": (210 * mm, 297 * mm), "letter": (8.5 * 72.0, 11 * 72.0)}
"""Width and height of a sheet, upright."""
LEAST = 5.0
"""The smallest letters, in points; a text that does not fit then is broken, never cut."""
_PIECE = re.compile(r"\d+|.[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7]*")
"""Parts that stay as they are when the order turns round: a number, and a letter with its marks."""
_MIRRORED = str.maketrans("()[]<>«»", ")(][><»«")
_RISE = 0.75
"""Height of a line's letters, as a part of their size."""
LEADING = 1.18


class Box(NamedTuple):
    """A rectangle on the sheet, from its lower left corner."""

    left: float
    low: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.left + self.width

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.low + self.height

    def inset(self, by: float, high: float | None = None) -> "Box":
        """The box without a margin."""
        high = by if high is None else high
        return Box(self.left + by, self.low + high, self.width - 2 * by, self.height - 2 * high)

    def head(self, height: float) -> "Box":
        """The upper part of it."""
        return Box(self.left, self.top - height, self.width, height)

    def below(self, height: float) -> "Box":
        """The rest of the box below the upper part."""
        return Box(self.left, self.low, self.width, self.height - height)

    def columns(self, widths: Sequence[float]) -> "tuple[Box, ...]":
        """Columns of these widths, from the left."""
        boxes, left = [], self.left
        for width in widths:
            boxes.append(Box(left, self.low, width, self.height))
            left += width
        return tuple(boxes)

    def grid(self, across: int, down: int) -> "tuple[Box, ...]":
        """Equal parts, row by row from the top."""
        width, height = self.width / across, self.height / down
        return tuple(
            Box(self.left + column * width, self.top - (row + 1) * height, width, height)
            for row in range(down)
            for column in range(across)
        )


@cache
def register_fonts() -> None:
    """Register the fonts; functions of this module do so themselves."""
    for name, file in _FILES.items():
        with (files("nousu.tournament.paper") / "fonts" / file).open("rb") as font:
            registerFont(TTFont(name, io.BytesIO(font.read())))


@cache
def _drawable_letters() -> frozenset[int]:
    """The letters that the plain and the bold font have a shape for."""
    register_fonts()
    return frozenset.intersection(*(frozenset(getFont(name).face.charToGlyph) for name in (SANS, BOLD)))


def undrawable_letters(text: str) -> str:
    """The letters of a text, each once, that paper cannot draw.

    The fonts have no shape for them, or the letters join, as those of Arabic do.
    """
    return "".join(dict.fromkeys(letter for letter in _compose(text) if not _draws(letter)))


def drawable_text(text: str) -> str:
    """The text as it is drawn: a question mark for every letter that cannot be."""
    return "".join(letter if _draws(letter) else "?" for letter in _compose(text))


def _compose(text: str) -> str:
    """A letter and its marks as one letter, where there is one."""
    return normal_form("NFC", text)


def _draws(letter: str) -> bool:
    return ord(letter) in _drawable_letters() and unicodedata.bidirectional(letter) != "AL"


def font_for(text: str, font: str) -> str:
    """The font, or the bold one where that of titles lacks a letter: Hebrew, Georgian and some marks."""
    register_fonts()
    return font if all(ord(letter) in getFont(font).face.charToGlyph for letter in text) else BOLD


def visual_order(line: str) -> str:
    """A line from left to right as it is drawn: Hebrew reads from the right, numbers in it do not."""
    kinds = [unicodedata.bidirectional(letter) for letter in line]
    shown, at = [], 0
    while at < len(line):
        if kinds[at] != "R":
            shown.append(line[at])
            at += 1
            continue
        border = next((place for place in range(at, len(line)) if kinds[place] == "L"), len(line))
        end = max(place for place in range(at, border) if kinds[place] in ("R", "NSM")) + 1
        pieces = _PIECE.findall(line[at:end])
        shown += [piece.translate(_MIRRORED) for piece in reversed(pieces)]
        at = end
    return "".join(shown)


def sheet_of(paper: str, *, wide: bool = False) -> Box:
    """A whole sheet of that paper, upright or `wide`. `Refusal` if there is no such paper."""
    if paper not in PAPERS:
        raise Refusal(
            "there is no paper {paper}; choose {papers}",
            values={"paper": paper, "papers": ", ".join(PAPERS)},
            where="paper",
        )
    width, height = PAPERS[paper]
    return Box(0, 0, height, width) if wide else Box(0, 0, width, height)


def chunks(values: Sequence[Value], size: int) -> Iterator[Sequence[Value]]:
    """Split values into chunks of `size`; the last one may be shorter."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


Draw = Callable[[Canvas], None]
"""A function that draws one page."""


def document(sheet: Box, title: str, pages: Iterable[Draw], language: str) -> bytes:
    """A PDF of these pages; the same pages give the same bytes."""
    register_fonts()
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(sheet.width, sheet.height), invariant=1, pageCompression=1, lang=language)
    canvas.setTitle(title)
    canvas.setCreator("Nousu")
    canvas.setProducer("Nousu")
    for page in pages:
        canvas.setLineWidth(0.6)
        page(canvas)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def width_of(text: str, font: str, size: float) -> float:
    """The width of a text in points."""
    register_fonts()
    width: float = stringWidth(text, font, size)
    return width


_PART = re.compile(r"[^-–]+[-–]*|[-–]+")
"""Part of a word behind which a line may end."""


def wrap(text: str, font: str, size: float, width: float) -> list[str]:
    """The text in lines no wider than `width`.

    A line ends at a space or behind a hyphen; a part that is wider by itself is broken.
    """
    lines: list[str] = []
    line = ""
    for word in text.split():
        gap = " " if line else ""
        for part in _PART.findall(word):
            if width_of(line + gap + part, font, size) <= width:
                line += gap + part
            else:
                if line:
                    lines.append(line)
                *broken, line = _break_word(part, font, size, width)
                lines += broken
            gap = ""
    return [*lines, line] if line or not lines else lines


def _break_word(part: str, font: str, size: float, width: float) -> list[str]:
    """Part of a word in pieces that fit."""
    pieces = []
    while width_of(part, font, size) > width and len(part) > 1:
        sizes = range(len(part) - 1, 0, -1)
        at = next((at for at in sizes if width_of(part[:at], font, size) <= width), 1)
        pieces.append(part[:at])
        part = part[at:]
    return [*pieces, part]


def fit(
    text: str, font: str, size: float, width: float, height: float, lines: int = 2
) -> tuple[float, list[str]]:
    """Size in points, and lines, in which a text fits a box, whole words if that can be.

    The size is at most `size`; at the smallest size the text takes as many lines as it needs.
    """
    while size > LEAST:
        wrapped = wrap(text, font, size, width)
        parts = (part for word in text.split() for part in _PART.findall(word))
        whole = all(width_of(part, font, size) <= width for part in parts)
        if whole and len(wrapped) <= lines and len(wrapped) * size * LEADING <= height:
            return size, wrapped
        size -= 0.5
    return LEAST, wrap(text, font, LEAST, width)


def write_text(
    canvas: Canvas,
    box: Box,
    text: str,
    font: str = SANS,
    size: float = 10,
    *,
    lines: int = 2,
    align: str = "left",
    at: str = "middle",
) -> float:
    """Write a text into a box, as large as it fits; return its height."""
    text = drawable_text(text)
    font = font_for(text, font)
    size, wrapped = fit(text, font, size, box.width, box.height, lines)
    leading = size * LEADING
    tall = leading * (len(wrapped) - 1) + size * _RISE
    top = {"top": box.top, "middle": box.low + (box.height + tall) / 2, "low": box.low + tall}[at]
    canvas.setFont(font, size)
    for number, line in enumerate(wrapped):
        line = visual_order(line)
        y = top - size * _RISE - number * leading
        if align == "center":
            canvas.drawCentredString(box.left + box.width / 2, y, line)
        elif align == "right":
            canvas.drawRightString(box.right, y, line)
        else:
            canvas.drawString(box.left, y, line)
    return leading * len(wrapped)


def draw_rule(canvas: Canvas, left: float, right: float, y: float, *, thick: float = 0.6) -> None:
    """Draw a line across."""
    canvas.setLineWidth(thick)
    canvas.line(left, y, right, y)


def draw_frame(canvas: Canvas, box: Box, *, round: float = 0, thick: float = 0.6) -> None:
    """Draw a line around a box."""
    canvas.setLineWidth(thick)
    if round:
        canvas.roundRect(*box, round)
    else:
        canvas.rect(*box)


def draw_cut_line(canvas: Canvas, x: float, y: float, x2: float, y2: float) -> None:
    """Draw a dashed line along which paper is cut or folded."""
    canvas.saveState()
    canvas.setLineWidth(0.5)
    canvas.setDash(4, 3)
    canvas.line(x, y, x2, y2)
    canvas.restoreState()


def draw_code(canvas: Canvas, box: Box, address: str) -> None:
    """Draw the QR code of an address, as large as the box, with a white edge of two modules inside it."""
    import segno

    matrix = segno.make_qr(address, error="m", boost_error=False).matrix
    side = min(box.width, box.height)
    module = side / (len(matrix) + 4)
    path = canvas.beginPath()
    for row, line in enumerate(matrix):
        at = 0
        while at < len(line):
            run = at
            while run < len(line) and line[run]:
                run += 1
            if run > at:
                left = box.right - side + (at + 2) * module
                path.rect(left, box.top - (row + 3) * module, (run - at) * module, module)
            at = max(run, at + 1)
    canvas.drawPath(path, stroke=0, fill=1)


def draw_table(  # noqa: PLR0913 – a table is its box, its cells and their looks
    canvas: Canvas,
    box: Box,
    widths: Sequence[float],
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    row: float,
    *,
    head: float = 14,
    size: float = 10,
    left: Sequence[int] = (),
    bold: Sequence[int] = (),
) -> Box:
    """Draw a ruled table at the top of a box.

    Headings, then cells (columns in `left` begin left, others are centred). Return the rest of the box.
    """
    total = head + row * len(rows)
    area = box.head(total)
    for top, height, cells, font in (
        (area.top, head, heads, SANS),
        *((area.top - head - at * row, row, cells, "") for at, cells in enumerate(rows)),
    ):
        for column, (cell, text) in enumerate(
            zip(Box(area.left, top - height, area.width, height).columns(widths), cells, strict=True)
        ):
            draw_frame(canvas, cell)
            if text:
                face = font or (BOLD if column in bold else SANS)
                write_text(
                    canvas,
                    cell.inset(2, 0.5),
                    text,
                    face,
                    min(size, 8.5) if font else size,
                    align="left" if column in left else "center",
                    lines=3 if column in left else 2,
                )
    return box.below(total)


def draw_sign(canvas: Canvas, box: Box) -> None:
    """Draw Nousu's sign: the fell and the lantern above it."""
    unit = min(box.width, box.height) / 24

    def at(x: float, y: float) -> tuple[float, float]:
        return box.left + x * unit, box.top - y * unit

    shape: Any = canvas.beginPath()
    shape.moveTo(*at(1, 21))
    for x, y in (
        (8.5, 5),
        (12, 12),
        (15.5, 5),
        (23, 21),
        (16.5, 21),
        (15.5, 18),
        (12, 21),
        (8.5, 18),
        (7.5, 21),
    ):
        shape.lineTo(*at(x, y))
    shape.close()
    canvas.drawPath(shape, stroke=0, fill=1)
    canvas.circle(*at(12, 4), 2.6 * unit, stroke=0, fill=1)
