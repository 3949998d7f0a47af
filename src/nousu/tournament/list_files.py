"""Files of names as rows of cells: text in any encoding, CSV, and the spreadsheets XLSX, XLS and ODS."""

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

from nousu.engine.encodings import OLDER, BadText, Guess, decode, guesses, is_clear
from nousu.engine.messages import sentence
from nousu.tournament.list_columns import Row, find_heading
from nousu.tournament.messages import Refusal

MOST_LINES = 2_000
MOST_BYTES = 5_000_000
SPREADSHEETS = frozenset({".xlsx", ".xlsm", ".xls", ".ods"})

_SEP = re.compile(r"\ufeff?sep=([;,\t|])\s*", re.IGNORECASE)
"""The line by which Excel names the separator of columns."""
_ZIP, _OLE, _PDF = b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF"


@dataclass(frozen=True, slots=True)
class Source:
    """A file and the way it was read.

    Attributes:
        text: Its text; of a spreadsheet a line for every row, its cells apart by tabs.
        encoding: ``utf-8``, ``utf-16``, a key of `OLDER`, or ``sheet``.
        sheet: The sheet that was read, if there are several; empty: several may be meant (`check_sheet`).
        sheets: Names and texts of all sheets, if there are several.
        readings: The ways to read a text that is not Unicode, the likeliest first.
    """

    text: str
    encoding: str = "utf-8"
    sheet: str = ""
    sheets: tuple[tuple[str, str], ...] = ()
    readings: tuple[Guess, ...] = ()


def read_file(path: Path) -> bytes:
    """The bytes of a file, one more than a list may have at most. `Refusal` if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise Refusal(
            "{path} cannot be read: {reason}",
            values={"path": str(path), "reason": error.strerror or str(error)},
        ) from None


def read_source(name: str, data: bytes, *, sheet: str = "", encoding: str = "") -> Source:
    """Read a file of names.

    Args:
        name: The name of the file, whose ending says what it is; empty: pasted text.
        data: Its bytes.
        sheet: The sheet of a spreadsheet; without it the one that has a heading, or the only one.
        encoding: A key of `OLDER` for a text that is not Unicode; without it the likeliest.

    Raises:
        Refusal: The file cannot be read, or has no such sheet.
    """
    if len(data) > MOST_BYTES:
        raise Refusal("{path} is too large for a list of names", values={"path": name})
    if Path(name).suffix.lower() in SPREADSHEETS or data.startswith((_ZIP, _OLE)):
        return _spreadsheet(name, data, sheet)
    if data.startswith(_PDF) or (b"\0" in data and not data.startswith((b"\xff\xfe", b"\xfe\xff"))):
        raise Refusal(
            "{path} is neither a text nor a spreadsheet; save it as XLSX or CSV", values={"path": name or "-"}
        )
    try:
        return Source(decode(data), "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8")
    except BadText as error:
        readings = guesses(data)
        if encoding:
            readings = tuple(sorted(readings, key=lambda guess: guess.encoding != encoding))
        if not readings or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise Refusal("this line is not UTF-8 text", where=f"line {error.line}") from None
        return Source(readings[0].text, readings[0].encoding, readings=readings)


def reread(text: str, encoding: str, reading: str) -> Source:
    """Read a text of one older encoding in another; return it unchanged if that is impossible."""
    try:
        data = text.encode(encoding if encoding in OLDER else "utf-8")
        data.decode("utf-8")
    except UnicodeEncodeError:  # a letter that the encoding lacks has been added
        return Source(text)
    except UnicodeDecodeError:
        return read_source("", data, encoding=reading if reading in OLDER else encoding)
    return Source(text)


def check_encoding(source: Source, encoding: str) -> None:
    """Refuse a text with ambiguous letters, unless its encoding was named."""
    if encoding or not source.readings or is_clear(source.readings):
        return
    shown = [f"{guess.encoding} ({sample(guess.text)})" for guess in source.readings]
    raise Refusal(
        "the file is not UTF-8, and its letters can be read in several ways; choose one: {readings}",
        values={"readings": ", ".join(shown)},
        where="encoding",
    )


def check_sheet(source: Source) -> None:
    """Refuse a workbook of which several sheets may be meant, unless one was named."""
    if source.sheets and not source.sheet:
        raise Refusal(
            "the workbook has several sheets; say which one is meant: {sheets}",
            values={"sheets": ", ".join(name for name, _ in source.sheets)},
            where="sheet",
        )


def sample(text: str) -> str:
    """The first words of a text that hold letters beyond ASCII."""
    words = re.findall(r"[^\s;,]*[^\x00-\x7f][^\s;,]*", text)
    return " ".join(dict.fromkeys(words[:60]))[:60]


def rows_of(text: str, *, commas: bool = False) -> list[Row]:
    """The rows of a text, its columns apart by tabs, semicolons or (in CSV files, `commas`) commas."""
    if text.count("\n") > MOST_LINES:
        raise _too_many()
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    marker = _SEP.fullmatch(lines[0])
    if marker:
        lines[0] = ""
    separator = marker[1] if marker else _separator(text, commas)
    if not separator:
        return [(number, [line]) for number, line in enumerate(lines, 1)]
    if separator == "\t":  # a few lines typed below a copy from a spreadsheet
        lines = [line if "\t" in line else line.replace(";", "\t") for line in lines]
    rows: list[Row] = []
    reader = csv.reader(io.StringIO("\n".join(lines)), delimiter=separator, strict=True)
    try:
        begin = 1
        for row in reader:
            rows.append((begin, row))
            begin = reader.line_num + 1
    except csv.Error as error:
        raise Refusal(
            "the quotation marks do not match ({reason})",
            values={"reason": str(error)},
            where=f"line {reader.line_num}",
        ) from None
    return rows


def _too_many() -> Refusal:
    return Refusal(
        sentence("the list has more than {most} line", "the list has more than {most} lines"),
        values={"most": MOST_LINES},
    )


def _separator(text: str, commas: bool) -> str:
    """The column separator a text uses, or nothing: a tab, or the sign that is in more of its lines."""
    if "\t" in text:
        return "\t"
    signs = ";," if commas else ";"
    count = {sign: sum(sign in line for line in text.split("\n")) for sign in signs}
    return max(signs, key=lambda sign: count[sign]) if any(count.values()) else ""


def _spreadsheet(name: str, data: bytes, wanted: str) -> Source:
    """The text of one sheet, numbered as the spreadsheet shows it."""
    from python_calamine import CalamineError, CalamineWorkbook, SheetVisibleEnum

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        sheets = {}
        for about in book.sheets_metadata:
            sheet = book.get_sheet_by_name(about.name)
            if sheet.total_height > MOST_LINES:
                if wanted in ("", about.name):
                    raise _too_many()
                continue
            if about.name == wanted or (about.visible == SheetVisibleEnum.Visible and sheet.height):
                rows = sheet.to_python(skip_empty_area=False)
                sheets[about.name] = "\n".join("\t".join(map(_cell, row)).rstrip("\t") for row in rows)
    except Refusal:
        raise
    except (CalamineError, OSError, ValueError):
        raise Refusal(
            "{path} is not a readable spreadsheet (XLSX, XLS or ODS); save it as XLSX or CSV",
            values={"path": name or "-"},
        ) from None
    if wanted and wanted not in sheets:
        raise Refusal(
            "there is no sheet {sheet}; the sheets are: {sheets}",
            values={"sheet": wanted, "sheets": ", ".join(sheets)},
            where="sheet",
        )
    if len(sheets) < 2:
        return Source("".join(sheets.values()), "sheet", wanted)
    headed = [
        sheet
        for sheet, text in sheets.items()
        if any(find_heading(rows_of(text), pairs=pairs) for pairs in (False, True))
    ]
    chosen = wanted or (headed[0] if len(headed) == 1 else "")
    return Source(sheets.get(chosen, ""), "sheet", chosen, tuple(sheets.items()))


def _cell(value: object) -> str:
    """A cell as its program shows it, on one line, as `rows_of` reads it."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = " ".join(str(value).split())
    return '"{}"'.format(text.replace('"', '""')) if '"' in text else text
