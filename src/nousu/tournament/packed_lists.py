"""Limits of lists of people: sizes are checked before anything is read.

A spreadsheet is a packed folder of XML. Its unpacked size, the ratio to the packed one, its cells and its
declarations are checked in a process with limits of time and memory (`SECONDS`, `MEMORY`), and there the list
is read.
"""

import io
import re
import zipfile
import zlib
from dataclasses import replace
from xml.parsers import expat

from nousu.engine.messages import sentence
from nousu.tournament.list_files import MOST_LINES, SPREADSHEETS, Source, read_source
from nousu.tournament.messages import Refusal
from nousu.tournament.people import LONGEST

MOST_TEXT = 400_000
"""Greatest number of characters of a list."""
MOST_OF_LINE = 2_000
"""Greatest number of characters of one line of it."""
MOST_FILES = 500
"""Greatest number of files in a workbook."""
MOST_UNPACKED = 32 << 20
"""Greatest number of bytes of a workbook's files, unpacked."""
MOST_RATIO = 100
"""Largest ratio of a workbook's unpacked to its packed size, if it is more than `SMALL`."""
SMALL = 2 << 20
MOST_CELLS = 1_000_000
"""Greatest number of cells of a workbook, empty ones between others counted."""
MOST_ELEMENTS = 1_000_000
"""Greatest number of elements of all XML of a workbook."""
SECONDS = 2.0
"""Seconds of processor time that the reading may take."""
MEMORY = 200
"""MiB that the reading may take beyond the some 50 of the process itself."""

_PACKED = (b"PK", b"\xd0\xcf\x11\xe0")
"""First bytes of spreadsheets: packed XML, and the older format of Excel."""
_FAULTS = (RuntimeError, ValueError, LookupError, OSError)
"""Further exceptions of `zipfile` and `expat` at files that are none."""
_CELL = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


def check_text(text: str, name: str = "") -> None:
    """Refuse a list with too many or too long lines, before it is read.

    Raises:
        Refusal: The list or one of its lines is too long.
    """
    if len(text) > MOST_TEXT:
        raise too_large(name)
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise Refusal(
            sentence("the list has more than {most} line", "the list has more than {most} lines"),
            values={"most": MOST_LINES},
        )
    for number, line in enumerate(lines, 1):
        if len(line) > MOST_OF_LINE:
            raise Refusal(
                sentence(
                    "a name has at most {most} character, this one {count}",
                    "a name has at most {most} characters, this one {count}",
                ),
                values={"most": LONGEST, "count": len(line)},
                where=f"line {number}",
            )


def is_packed(name: str, data: bytes) -> bool:
    """Whether a file is a spreadsheet, by its name or its first bytes."""
    return data.startswith(_PACKED) or name.lower().endswith(tuple(SPREADSHEETS))


def read_packed(name: str, data: bytes, sheet: str) -> Source:
    """Check and read a spreadsheet; runs in a process with limits.

    Other sheets than the one read are offered as long as all together have at most `MOST_TEXT` characters.
    """
    try:
        if data.startswith(b"PK"):
            check_packed(name, data)
        source = read_source(name, data, sheet=sheet)
    except (MemoryError, RecursionError):
        raise too_large(name) from None
    except Refusal:
        raise
    except BaseException:  # readers of spreadsheets fail in many ways at other files, and panic
        raise _unreadable(name) from None
    if len(source.text) > MOST_TEXT:
        raise too_large(name)
    kept, left = [], MOST_TEXT
    for sheet_name, text in sorted(source.sheets, key=lambda one: (one[0] != source.sheet, len(one[1]))):
        left -= len(text)
        kept += [sheet_name] if left >= 0 else []
    return replace(source, sheets=tuple(one for one in source.sheets if one[0] in kept))


def check_packed(name: str, data: bytes) -> None:
    """Refuse a packed file that unpacks to much, or whose XML declares entities.

    Args:
        name: The name of the file.
        data: Its bytes.

    Raises:
        Refusal: It is too large for a list of names, or cannot be read.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as folder:
            files = folder.infolist()
            unpacked = sum(file.file_size for file in files)
            if len(files) > MOST_FILES or unpacked > MOST_UNPACKED:
                raise too_large(name)
            if unpacked > max(SMALL, MOST_RATIO * len(data)):
                raise too_large(name)
            counter = _Counter(name)
            for file in files:
                if file.filename.endswith((".xml", ".rels", ".XML", ".RELS")):
                    counter.check(folder.read(file))
    except Refusal:
        raise
    except (expat.ExpatError, zipfile.BadZipFile, zlib.error, EOFError, *_FAULTS):
        raise _unreadable(name) from None


class _Counter:
    """Counts elements and cells of the XML of a workbook, and refuses declarations."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._elements = 0
        self._cells = 0
        self._width = self._height = 0

    def check(self, xml: bytes) -> None:
        """Count one file."""
        parser = expat.ParserCreate(namespace_separator=" ")
        self._width = self._height = 0
        parser.StartDoctypeDeclHandler = self._declaration
        parser.EntityDeclHandler = self._declaration
        parser.StartElementHandler = self._element
        parser.Parse(xml, True)
        self._cells += self._width * self._height
        if self._cells > MOST_CELLS:
            raise too_large(self._name)

    def _declaration(self, *_: object) -> None:
        raise _unreadable(self._name)

    def _element(self, tag: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        if self._elements > MOST_ELEMENTS:
            raise too_large(self._name)
        kind = tag.rpartition(" ")[2]
        if kind == "c":
            self._place(attributes.get("r", ""))
        elif kind == "row":
            self._height = min(max(self._height + 1, _number(attributes.get("r", ""))), MOST_LINES)
        elif kind == "dimension":
            self._place(attributes.get("ref", "").rpartition(":")[2])

    def _place(self, place: str) -> None:
        """The position of a cell: readers fill the rows and columns in front of it."""
        match = _CELL.fullmatch(place)
        if match:
            column = 0
            for letter in match[1]:
                column = 26 * column + ord(letter) - ord("A") + 1
            self._width = max(self._width, column)
            self._height = max(self._height, min(int(match[2]), MOST_LINES))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else 0


def too_large(name: str) -> Refusal:
    """The refusal of a file that is no list of names by its size."""
    return Refusal("{path} is too large for a list of names", values={"path": name})


def _unreadable(name: str) -> Refusal:
    return Refusal(
        "{path} is not a readable spreadsheet (XLSX, XLS or ODS); save it as XLSX or CSV",
        values={"path": name},
    )
