"""Lists of people: pasted, as CSV or as XLSX, in; clean names, or an error for every bad line, out."""

import csv
import io
import re
import unicodedata
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from nousu.engine.messages import sentence
from nousu.tournament.messages import Refusal

LONGEST = 60
"""Characters a name may have: it must fit a slip."""

MOST_LINES = 2_000
MOST_BYTES = 5_000_000

_HEADERS = {
    "name": [
        "name",
        "player",
        "spieler",
        "spielerin",
        "nimi",
        "pelaaja",
        "namn",
        "spelare",
        "navn",
        "spiller",
    ],
    "first": ["vorname", "etunimi", "förnamn", "fornavn", "firstname", "first name", "given", "first"],
    "last": ["nachname", "sukunimi", "efternamn", "etternavn", "lastname", "last name", "surname", "last"],
    "one": ["player 1", "player1", "pelaaja 1", "spelare 1", "spiller 1", "spieler 1"],
    "two": ["player 2", "player2", "pelaaja 2", "spelare 2", "spiller 2", "spieler 2", "partner"],
    "pair": ["pair", "pari", "par", "paar"],
    "team": ["team", "club", "seura", "klubb", "verein", "joukkue", "lag", "mannschaft"],
    "number": ["no", "no.", "nr", "nr.", "#", "number", "numero", "nummer"],
}
_COLUMN = {word: column for column, words in _HEADERS.items() for word in words}
_SEP = re.compile(r"\ufeff?sep=([;,\t|])\s*", re.IGNORECASE)
"""How Excel says what its columns are separated by."""
_PAIR_SIGNS = re.compile(r"(?<!\s)\s*(?:&|\+|/|\s[–-]\s|\s(?:and|und|ja|och|og)\s)\s*")


@dataclass(frozen=True, slots=True)
class Given:
    """One line of a list: a person or a pair, with the number of the line."""

    line: int
    members: tuple[str, ...]
    """One name, or the two of a pair."""
    team: str = ""

    @property
    def name(self) -> str:
        """What the lists show."""
        return " & ".join(self.members)


@dataclass(frozen=True, slots=True)
class People:
    """A list as read: the people, and the empty lines that were skipped."""

    given: tuple[Given, ...]
    empty: tuple[int, ...] = ()
    heading: int = 0
    """The line that was read as column names; 0 = none."""
    ignored: tuple[str, ...] = ()
    """Columns of the heading that nobody here knows; they were passed over."""
    encoding: str = field(default="utf-8", compare=False)
    wrong: tuple[Refusal, ...] = ()
    """Every bad line with its reason; only a preview has any."""

    def all_right(self) -> "People":
        """The same list; a `Refusal` that names every bad line, if there is one."""
        if self.wrong:
            raise _together(self.wrong)
        return self


def clean(name: str, where: str = "") -> str:
    """A name in one spelling: composed letters, single spaces. `Refusal` for what is not a name."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not name:
        raise Refusal("a name is missing", where=where)
    for letter in name:
        if unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
            raise Refusal(
                "the name holds an invisible character (U+{code})",
                values={"code": f"{ord(letter):04X}"},
                where=where,
            )
    if not any(letter.isalnum() for letter in name):
        raise Refusal("{name} is not a name", values={"name": name}, where=where)
    if len(name) > LONGEST:
        raise Refusal(
            sentence(
                "a name has at most {most} character, this one {count}",
                "a name has at most {most} characters, this one {count}",
            ),
            values={"most": LONGEST, "count": len(name)},
            where=where,
        )
    return name


def alike(name: str) -> str:
    """The key under which two spellings are one name (case, width and spacing do not matter)."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def from_text(text: str, *, pairs: bool = False, commas: bool = False) -> People:
    """A pasted list or the text of a CSV file.

    One person or pair a line, further columns after a semicolon, a tab or (in CSV files, `commas`) a comma; a
    first line of column names is understood, and Excel's ``sep=;`` before it. `Refusal` lists every bad line.
    """
    return preview_text(text, pairs=pairs, commas=commas).all_right()


def preview(name: str, data: bytes, *, pairs: bool = False, taken: Iterable[str] = ()) -> People:
    """What a file (its kind told by its name.

    Empty: pasted text) would enter, with every bad line named; `taken` are the names on the list already.
    `Refusal` where the file itself cannot be read.
    """
    if len(data) > MOST_BYTES:
        raise Refusal("{path} is too large for a list of names", values={"path": name})
    ending = Path(name).suffix.lower()
    if ending in {".xlsx", ".xlsm"}:
        found = _from_rows(_sheet_rows(Path(name), data), pairs)
    else:
        text, encoding = decode(data)
        found = replace(preview_text(text, pairs=pairs, commas=ending == ".csv"), encoding=encoding)
    known = {alike(one) for one in taken}
    again = tuple(
        Refusal("{name} is already entered", values={"name": member}, where=f"line {one.line}")
        for one in found.given
        for member in one.members
        if alike(member) in known
    )
    return replace(found, wrong=(*found.wrong, *again))


def written(name: str, data: bytes) -> tuple[str, str]:
    """A file of names as text, a line for every row, and the encoding it was in (a workbook.

    Xlsx), so that it can be shown and put right. `Refusal` where the file cannot be read.
    """
    if len(data) > MOST_BYTES:
        raise Refusal("{path} is too large for a list of names", values={"path": name})
    if Path(name).suffix.lower() not in {".xlsx", ".xlsm"}:
        return decode(data)
    rows = _sheet_rows(Path(name), data)
    lines = ["\t".join(" ".join(cell.split()) for cell in cells).rstrip("\t") for _, cells in rows]
    return "\n".join(lines), "xlsx"


def preview_text(text: str, *, pairs: bool = False, commas: bool = False) -> People:
    """The same as `from_text`, bad lines told instead of refused."""
    if text.count("\n") > MOST_LINES:
        raise Refusal(
            sentence("the list has more than {most} line", "the list has more than {most} lines"),
            values={"most": MOST_LINES},
        )
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    marker = _SEP.fullmatch(lines[0])
    if marker:
        lines[0] = ""
    separator = marker[1] if marker else _separator(text, commas)
    if not separator:
        return _from_rows([(number, [line]) for number, line in enumerate(lines, 1)], pairs)
    if separator == "\t":  # a few lines typed below what was copied from a spreadsheet
        lines = [line if "\t" in line else line.replace(";", "\t") for line in lines]
    rows: list[tuple[int, list[str]]] = []
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
    return _from_rows(rows, pairs)


def from_file(path: Path, *, pairs: bool = False) -> People:
    """A list from a file: XLSX by its ending, all else as text (UTF-8, UTF-16 or Windows-1252)."""
    return preview(str(path), _bytes(path), pairs=pairs).all_right()


def read_text(path: Path) -> str:
    """The text of a file, in whatever encoding. `Refusal` if it cannot be read."""
    return decode(_bytes(path))[0]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Refusal(
            "{path} cannot be read: {reason}",
            values={"path": str(path), "reason": error.strerror or str(error)},
        ) from None


def from_bytes(data: bytes, *, pairs: bool = False, commas: bool = False) -> People:
    """A list from the bytes of a text."""
    text, encoding = decode(data)
    people = from_text(text, pairs=pairs, commas=commas)
    return replace(people, encoding=encoding)


def decode(data: bytes) -> tuple[str, str]:
    """Text from bytes of a spreadsheet or an editor, and the encoding it was in."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace"), "utf-16"
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace"), "cp1252"


def _separator(text: str, commas: bool) -> str:
    """The column separator a text uses, or nothing."""
    for sign in ("\t", ";", *([","] if commas else [])):
        if sign in text:
            return sign
    return ""


def _sheet_rows(path: Path, data: bytes) -> list[tuple[int, list[str]]]:
    """The rows of the first sheet of a workbook, numbered as the spreadsheet shows them."""
    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        rows = []
        for number, cells in enumerate(sheet.iter_rows(values_only=True), 1):
            if number > MOST_LINES:
                raise Refusal(
                    sentence(
                        "the list has more than {most} line",
                        "the list has more than {most} lines",
                    ),
                    values={"most": MOST_LINES},
                )
            rows.append((number, ["" if cell is None else str(cell) for cell in cells]))
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, IndexError, OSError, EOFError):
        raise Refusal("{path} is not a readable XLSX workbook", values={"path": str(path)}) from None
    return rows


def _from_rows(rows: Sequence[tuple[int, Sequence[str]]], pairs: bool) -> People:
    """People from numbered rows of cells, every bad line with its reason."""
    given: list[Given] = []
    empty: list[int] = []
    wrong: list[Refusal] = []
    columns: list[str] | None = None
    heads: Sequence[str] = ()
    heading = 0
    seen: dict[str, int] = {}
    for number, cells in rows:
        row = [cell.strip() for cell in cells]
        if not any(row):
            empty.append(number)
            continue
        if columns is None:
            columns = _columns(row, pairs)
            if columns:
                heading, heads = number, row
                continue
        try:
            one = _person(number, row, columns or [], pairs)
            for member in one.members:
                if alike(member) in seen:
                    raise Refusal(
                        "{name} is already in line {first}",
                        values={"name": member, "first": seen[alike(member)]},
                        where=f"line {number}",
                    )
                seen[alike(member)] = number
        except Refusal as refusal:
            wrong.append(refusal)
        else:
            given.append(one)
    last = max([one.line for one in given] + [number for number, cells in rows if any(cells)], default=0)
    unknown = tuple(heads[at] for at, column in enumerate(columns or []) if not column and heads[at])
    passed = tuple(number for number in empty if number < last)
    return People(tuple(given), passed, heading, unknown, wrong=tuple(wrong))


def _together(wrong: Iterable[Refusal]) -> Refusal:
    """One refusal that holds several."""
    first, *more = wrong
    return Refusal(
        first.note.message,
        values=first.note.values,
        where=first.where,
        clause=first.note.clause,
        more=tuple(more),
    )


def _columns(row: Sequence[str], pairs: bool) -> list[str]:
    """The columns a heading names, or nothing if the row is not a heading.

    One word alone is a heading only if it says name or player: somebody may be called Par.
    """
    names = [_COLUMN.get(cell.casefold(), "") for cell in row]
    if len(set(filter(None, names))) < len(list(filter(None, names))):
        return []
    known = set(names) - {""}
    people = known & ({"one", "two", "pair", "name"} if pairs else {"name", "first", "last"})
    return names if people and (len(known) > 1 or "name" in known or (pairs and "pair" in known)) else []


def _person(line: int, row: Sequence[str], columns: Sequence[str], pairs: bool) -> Given:
    """The person or pair a row names."""
    where = f"line {line}"
    cells = {column: cell for column, cell in zip(columns, row, strict=False) if column}
    if not columns:
        row = [cell for at, cell in enumerate(row) if cell or at < (2 if pairs else 1)]
        together = pairs and len(row) > 1 and len(_PAIR_SIGNS.split(row[0])) == 2
        if together and len(_PAIR_SIGNS.split(row[1])) == 2:
            raise Refusal("there are two pairs in one line", where=where)
        known = ["pair" if pairs else "name", "team"]
        if pairs and len(row) > 1 and not together:
            known = ["one", "two", "team"]
        if len(row) > len(known):
            raise Refusal(
                "columns: {count}, of which only {known} can be recognised; give them headings",
                values={"count": len(row), "known": len(known)},
                where=where,
            )
        cells = dict(zip(known, row, strict=False))
    team = clean(cells["team"], where) if cells.get("team") else ""
    if not pairs:
        name = cells.get("name") or " ".join(filter(None, (cells.get("first"), cells.get("last"))))
        return Given(line, (clean(name, where),), team)
    if "one" in cells or "two" in cells:
        members = (cells.get("one", ""), cells.get("two", ""))
    else:
        parts = _PAIR_SIGNS.split(cells.get("pair") or cells.get("name", ""))
        if len(parts) != 2:
            raise Refusal(
                "a pair is two names, written Aino & Eino or in two columns", where=where, clause="T-WIK-03"
            )
        members = (parts[0], parts[1])
    return Given(line, tuple(clean(member, where) for member in members), team)
