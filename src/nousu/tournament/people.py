"""Lists of people: text, CSV or a spreadsheet in; clean names, or an error for every bad line, out."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from nousu.engine.encodings import OLDER
from nousu.engine.messages import Note, sentence
from nousu.engine.normal_forms import normal_form
from nousu.tournament.list_columns import (
    Row,
    check_columns,
    columns_of,
    find_heading,
    free_columns,
    is_paid,
    is_sum,
)
from nousu.tournament.list_files import Source, check_encoding, read_source, rows_of
from nousu.tournament.messages import Refusal

LONGEST = 60
"""Greatest number of characters of a name: it must fit a slip."""

_MARKS = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202c\u2060\u2066-\u2069\ufeff]")
"""Invisible marks that chat programs, Word and web pages put around names."""
_GARBLED = re.compile("[ÃÄÅÂ][\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]")
"""Two letters that the two bytes of one letter give in Windows-1252 or Latin-1."""
_NUMBER = re.compile(r"\(?\d{1,4}[.):]?")
_SPARE = frozenset({"ersatz", "reserve", "reserv", "spare", "vara", "varalla"})
"""Marks in the column of the numbers for a person without one."""
_NUMBERED = re.compile(r"\(?(\d{1,4})(?:[.):]\s*|\s+|$)")
_EXPANDED = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "æ": "ae", "å": "aa", "ß": "ss", "ł": "l", "đ": "d"}
)
_STRIPPED = str.maketrans({"ø": "o", "æ": "a", "ß": "ss", "ł": "l", "đ": "d"})
_PAIR_SIGNS = re.compile(r"(?<!\s)\s*(?:&|\+|/|\s[–-]\s|\s(?:and|und|ja|och|og)\s)\s*")


@dataclass(frozen=True, slots=True)
class Given:
    """One line of a list: a person or a pair, with the number of the line."""

    line: int
    members: tuple[str, ...]
    """One name, or the two of a pair."""
    team: str = ""
    columns: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Further columns of the list, by their headings."""
    paid: bool = False
    """Whether a column of the list says that they have paid."""

    @property
    def name(self) -> str:
        """The name in the lists."""
        return " & ".join(self.members)


@dataclass(frozen=True, slots=True)
class People:
    """A list as read: the people, and all that was passed over or taken off.

    Attributes:
        given: The people or pairs.
        empty: Empty lines between them, and lines with nothing but a number.
        heading: The line that was read as column names; 0 = none.
        above: Lines above the heading, such as a title.
        ignored: Columns that are not read: addresses, phones, those without a heading.
        kept: Columns of the heading that are kept as they are.
        sums: Lines at the foot that add up.
        numbered: Whether numbers before the names were taken off.
        alike: Names that may be spellings of another one: line, name, and the other, here or entered already.
        garbled: Lines with pairs of letters that come from reading UTF-8 as another encoding.
        marked: Lines from which invisible marks were taken off.
        encoding: The encoding of the file, as in `Source`.
        sheet: The sheet that was read, where there are several.
        wrong: Every bad line with its reason; only a preview has any.
    """

    given: tuple[Given, ...]
    empty: tuple[int, ...] = ()
    heading: int = 0
    above: tuple[int, ...] = ()
    ignored: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    sums: tuple[int, ...] = ()
    numbered: bool = False
    alike: tuple[tuple[int, str, str], ...] = ()
    garbled: tuple[int, ...] = ()
    marked: tuple[int, ...] = ()
    encoding: str = field(default="utf-8", compare=False)
    sheet: str = field(default="", compare=False)
    wrong: tuple[Refusal, ...] = ()

    def all_right(self) -> "People":
        """Return the list itself; raise a `Refusal` that names every bad line, if there is one."""
        if self.wrong:
            raise _together(self.wrong)
        return self

    def notes(self) -> Iterator[Note]:
        """Sentences about the parts that were not read as people, for the person who enters the list."""
        for line, name, other in self.alike:
            message = sentence("{name} in line {line} may be the same person as {other}.")
            yield Note("", message, {"line": line, "name": name, "other": other})
        if self.sheet:
            yield Note("", "The sheet {sheet} was read.", {"sheet": self.sheet})
        if self.encoding in OLDER:
            named = {"encoding": OLDER[self.encoding]}
            yield Note("", "The file is not UTF-8; it was read as {encoding}. Look at the umlauts.", named)
        elif self.encoding == "utf-16":
            yield Note("", "The file was read as UTF-16.")
        if self.garbled:
            message = sentence(
                "Letters are garbled in lines {lines}, as when UTF-8 was read as another encoding; "
                "save the list again from its program."
            )
            yield Note("", message, _lines(self.garbled))
        if self.above:
            yield Note("", "Lines above the heading ignored: {lines}", _lines(self.above))
        if self.heading:
            yield Note("", "Line {line} was read as a heading.", {"line": self.heading})
        if self.kept:
            yield Note("", "Columns kept as they are: {columns}", {"columns": ", ".join(self.kept)})
        if self.ignored:
            yield Note("", "Columns ignored: {columns}", {"columns": ", ".join(self.ignored)})
        if self.numbered:
            yield Note("", "The numbers before the names were left out.")
        if self.marked:
            message = sentence("Invisible marks, as chat programs put them, were taken off in lines: {lines}")
            yield Note("", message, _lines(self.marked))
        if self.empty:
            yield Note("", "Empty lines ignored: {lines}", _lines(self.empty))
        if self.sums:
            yield Note("", "Read as sums, not as people: lines {lines}.", _lines(self.sums))


def _lines(numbers: Sequence[int]) -> dict[str, str]:
    """Numbers as they are listed, three and more in a row as a range."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = [f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return {"lines": ", ".join(texts)}


def clean(name: str, where: str = "") -> str:
    """A name in one spelling: composed letters, single spaces. `Refusal` for what is not a name."""
    name = " ".join(normal_form("NFC", name[:4000]).split())
    if not name:
        raise Refusal("a name is missing", where=where)
    if len(name) > LONGEST:
        raise Refusal(
            sentence(
                "a name has at most {most} character, this one {count}",
                "a name has at most {most} characters, this one {count}",
            ),
            values={"most": LONGEST, "count": len(name)},
            where=where,
        )
    for letter in name:
        if unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
            raise Refusal(
                "the name holds an invisible character (U+{code})",
                values={"code": f"{ord(letter):04X}"},
                where=where,
            )
    if not any(letter.isalnum() for letter in name):
        raise Refusal("{name} is not a name", values={"name": name}, where=where)
    return name


def name_key(name: str) -> str:
    """The key under which two spellings are one name (case, width and spacing do not matter)."""
    return " ".join(normal_form("NFKC", name).casefold().split())


@lru_cache(4096)
def plain_spellings(name: str) -> frozenset[str]:
    """The ways in which a name is written with plain letters alone: ``mueller``, ``muller``."""
    small = normal_form("NFC", name_key(name))
    spelt = (normal_form("NFD", small.translate(table)) for table in (_EXPANDED, _STRIPPED))
    return frozenset("".join(filter(str.isalnum, word)) for word in spelt)


def from_text(text: str, *, pairs: bool = False, commas: bool = False) -> People:
    """A pasted list or the text of a CSV file.

    One person or pair a line, further columns after a semicolon, a tab or (in CSV files, `commas`) a comma; a
    first line of column names is understood, and Excel's ``sep=;`` before it. `Refusal` lists every bad line.
    """
    return preview_text(text, pairs=pairs, commas=commas).all_right()


def preview(
    source: Source, *, pairs: bool = False, taken: Iterable[str] = (), commas: bool = False
) -> People:
    """The people of a list, none of them entered, with every bad line named.

    Args:
        source: The list as it was read.
        pairs: Whether a line is a pair.
        taken: The names on the list already.
        commas: Whether commas separate columns, as in CSV files.

    Raises:
        Refusal: The list itself cannot be read.
    """
    people = replace(
        preview_text(source.text, pairs=pairs, commas=commas), encoding=source.encoding, sheet=source.sheet
    )
    entered = tuple(taken)
    known = {name_key(name) for name in entered}
    again = tuple(
        Refusal("{name} is already entered", values={"name": member}, where=f"line {entry.line}")
        for entry in people.given
        for member in entry.members
        if name_key(member) in known
    )
    alike = tuple(_alike(people.given, entered))
    return replace(people, wrong=(*people.wrong, *again), alike=alike)


def _alike(given: Sequence[Given], entered: Iterable[str]) -> Iterator[tuple[int, str, str]]:
    """The names that may be spellings of one before them: line, name, and the other one."""
    earlier = {plain: name for name in entered for plain in plain_spellings(name)}
    for entry in given:
        for member in entry.members:
            others = [earlier.setdefault(plain, member) for plain in sorted(plain_spellings(member))]
            other = next((name for name in others if name_key(name) != name_key(member)), None)
            if other is not None:
                yield entry.line, member, other


def preview_text(text: str, *, pairs: bool = False, commas: bool = False) -> People:
    """Read a list like `from_text`, with bad lines noted instead of refused."""
    return _from_rows(rows_of(text, commas=commas), pairs)


def has_commas(path: Path) -> bool:
    """Whether commas separate the columns of a file, by its name."""
    return path.suffix.lower() == ".csv"


def from_bytes(data: bytes, *, pairs: bool = False, commas: bool = False) -> People:
    """A list from the bytes of a text."""
    source = read_source("", data)
    check_encoding(source, "")
    return replace(from_text(source.text, pairs=pairs, commas=commas), encoding=source.encoding)


def _from_rows(rows: Sequence[Row], pairs: bool) -> People:
    """People from numbered rows of cells, every bad line with its reason."""
    marked = tuple(number for number, cells in rows if any(map(_MARKS.search, cells)))
    garbled = tuple(number for number, cells in rows if any(map(_GARBLED.search, cells)))
    rows = [(number, [_MARKS.sub("", cell).strip() for cell in cells]) for number, cells in rows]
    heading = find_heading(rows, pairs=pairs)
    heads = next((cells for number, cells in rows if number == heading), ())
    columns = columns_of(heads, pairs=pairs)
    try:
        check_columns(heads, columns, f"line {heading}", pairs=pairs)
    except Refusal as refusal:
        return People((), heading=heading, wrong=(refusal,))
    above = tuple(number for number, cells in rows if number < heading and any(cells))
    body = [(number, cells) for number, cells in rows if number > heading]
    sums = _sums(body)
    body = [(number, cells) for number, cells in body if number not in sums]
    free = free_columns(heads, columns) if columns else {}
    ignored = [] if not columns else _ignored_columns(heads, columns, free, body)
    numbered = not columns and _are_numbered(body)
    given, empty, wrong = _entries(body, heading, columns, free, numbered, pairs)
    last = max([entry.line for entry in given] + [number for number, cells in body if any(cells)], default=0)
    return People(
        given=tuple(given),
        empty=tuple(number for number in empty if number < last),
        heading=heading,
        above=above,
        ignored=tuple(ignored),
        kept=tuple(free.values()),
        sums=sums,
        numbered=numbered,
        garbled=garbled,
        marked=marked,
        wrong=tuple(wrong),
    )


def _entries(
    body: Sequence[Row],
    heading: int,
    columns: Sequence[str],
    free: Mapping[int, str],
    numbered: bool,
    pairs: bool,
) -> tuple[list[Given], list[int], list[Refusal]]:
    """The people in the lines under the heading, the empty lines, and what is wrong with the others."""
    given: list[Given] = []
    empty: list[int] = []
    wrong: list[Refusal] = []
    lines: dict[str, int] = {}
    for number, cells in body:
        row = _without_number(cells) if numbered else list(cells)
        if not any(row) or (columns and _is_number_only(row, columns)):
            empty.append(number)
            continue
        try:
            if heading and columns_of(row, pairs=pairs) == columns and len(set(columns) - {""}) > 1:
                raise Refusal("this is a heading in the middle of the list", where=f"line {number}")
            _check_number(number, row, columns)
            entry = _person(number, row, columns, pairs)
            for member in entry.members:
                if name_key(member) in lines:
                    raise Refusal(
                        "{name} is already in line {first}",
                        values={"name": member, "first": lines[name_key(member)]},
                        where=f"line {number}",
                    )
                lines[name_key(member)] = number
            paid = any(at < len(row) and is_paid(head, row[at]) for at, head in free.items())
            entry = replace(entry, columns=_cells(row, free), paid=paid)
        except Refusal as refusal:
            wrong.append(refusal)
        else:
            given.append(entry)
    return given, empty, wrong


def _cells(row: Sequence[str], free: Mapping[int, str]) -> dict[str, str]:
    """Cells of a row in the columns that are kept, each cut to the length of a name."""
    texts = {head: " ".join(row[at].split()) for at, head in free.items() if at < len(row)}
    shown = {head: "".join(sign for sign in text if sign.isprintable()) for head, text in texts.items()}
    return {
        head: text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
        for head, text in shown.items()
        if any(map(str.isalnum, text))
    }


def _sums(body: Sequence[Row]) -> tuple[int, ...]:
    """The lines at the foot that add up, below at least one other."""
    written = [(number, cells) for number, cells in body if any(cells)]
    sums: list[int] = []
    while len(written) > 1 and is_sum(written[-1][1]):
        sums.insert(0, written.pop()[0])
    return tuple(sums)


def _ignored_columns(
    heads: Sequence[str], columns: Sequence[str], free: Mapping[int, str], body: Sequence[Row]
) -> list[str]:
    """The columns that are not read, by their heading or, without one, by their number."""
    width = max((len(cells) for _, cells in body), default=0)
    texts = []
    for at in range(max(width, len(columns))):
        if at in free or (at < len(columns) and columns[at]):
            continue
        head = heads[at] if at < len(heads) else ""
        cells = [cells[at] for _, cells in body if at < len(cells) and cells[at]]
        if head or not all(map(_NUMBER.fullmatch, cells)):
            texts.append(head or str(at + 1))
    return texts


def _are_numbered(body: Sequence[Row]) -> bool:
    """Whether numbers stand before names: ``1.`` on most lines, or bare numbers on all, in rising order."""
    texts = ["\t".join(cells).strip() for _, cells in body if any(cells)]
    numbers = [match for match in map(_NUMBERED.match, texts) if match]
    if len(numbers) < 2 or not any(match.end() < len(match.string) for match in numbers):
        return False
    if 2 * sum(match[0].strip()[-1] in ".):" for match in numbers) > len(texts):
        return True
    return len(numbers) == len(texts) and all(int(one[1]) < int(two[1]) for one, two in pairwise(numbers))


def _without_number(cells: Sequence[str]) -> list[str]:
    """A row without the number it begins with."""
    row = list(cells)
    while row and not row[0]:
        row.pop(0)
    if row and _NUMBER.fullmatch(row[0]):
        return row[1:]
    return [_NUMBERED.sub("", row[0]).strip(), *row[1:]] if row else row


def _is_number_only(row: Sequence[str], columns: Sequence[str]) -> bool:
    """Whether only the number of a row is filled in."""
    filled = [at for at, cell in enumerate(row) if cell]
    return all(
        columns[at] == "number" and _is_number(row[at])
        if at < len(columns) and columns[at]
        else _NUMBER.fullmatch(row[at])
        for at in filled
    )


def _check_number(line: int, row: Sequence[str], columns: Sequence[str]) -> None:
    """Refuse a row whose cells stand one column too far to the left: a name where the number should be."""
    for cell, column in zip(row, columns, strict=False):
        is_name = sum(map(str.isalpha, cell)) > 1 and not any(map(str.isdigit, cell))
        if column == "number" and is_name and cell.casefold() not in _SPARE:
            message = sentence(
                "{name} stands in the column of the numbers; write a number there, or nothing, and the name "
                "in its own column"
            )
            raise Refusal(message, values={"name": cell}, where=f"line {line}")


def _is_number(cell: str) -> bool:
    """Whether a cell of the numbers is one, in any form: ``7``, ``7.``, ``12 a``; or a mark for none."""
    return any(map(str.isdecimal, cell)) or not any(map(str.isalpha, cell))


def _together(wrong: Iterable[Refusal]) -> Refusal:
    """A refusal that holds several."""
    first, *more = wrong
    return Refusal.of(first.note, where=first.where, more=tuple(more))


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
        return Given(line, (_name(cells.get("name") or _whole(cells, ""), where),), team)
    if "one" in cells or "two" in cells:
        members = (cells.get("one", ""), cells.get("two", ""))
    elif "first 2" in columns or "last 2" in columns:
        members = (_whole(cells, ""), _whole(cells, " 2"))
    else:
        parts = _PAIR_SIGNS.split(cells.get("pair") or cells.get("name", ""))
        if len(parts) != 2:
            raise Refusal(
                "a pair is two names, written Aino & Eino or in two columns", where=where, clause="T-WIK-03"
            )
        members = (parts[0], parts[1])
    return Given(line, tuple(_name(member, where) for member in members), team)


def _whole(cells: Mapping[str, str], whose: str) -> str:
    """First and last name as one, as far as they are given."""
    return " ".join(filter(None, (cells.get(f"first{whose}"), cells.get(f"last{whose}"))))


def _name(text: str, where: str) -> str:
    """A clean name from a list; `Refusal` if it has only digits."""
    name = clean(text, where)
    if not any(letter.isalpha() for letter in name):
        raise Refusal("{name} is not a name", values={"name": name}, where=where)
    return name
