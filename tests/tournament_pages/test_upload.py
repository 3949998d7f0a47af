"""Lists of people that are too much or broken: refused in a sentence, quickly, in little memory."""

import asyncio
import io
import resource
import time
import zipfile
from collections.abc import Callable

import openpyxl
import pytest
from starlette.testclient import TestClient

from hosted_event import EVENING
from nousu.players import processes
from nousu.players.processes import OutOfLimits, limit_memory
from nousu.server.http.middleware import LIST_LIMIT
from nousu.server.tournament.jobs import PROCESSES, WAITING, Jobs

SHEET = "xl/worksheets/sheet1.xml"
STRINGS = "xl/sharedStrings.xml"
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
SHARED = (
    b'<Override PartName="/xl/sharedStrings.xml" ContentType='
    b'"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/>'
)
CELL = '<row r="1"><c r="A1" t="s"><v>{}</v></c></row>'
DOCTYPE = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'


def workbook(changed: dict[str, str | bytes | None] | None = None, rows: int = 2) -> bytes:
    """A workbook of names, with some of its files replaced (None: left out)."""
    book = openpyxl.Workbook()
    names = book.active
    assert names is not None
    for number in range(rows):
        names.append([f"Name {number}", "Kemi"])
    plain, out = io.BytesIO(), io.BytesIO()
    book.save(plain)
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in {*old.namelist(), *(changed or {})}:
            data = (changed or {}).get(name, b"" if name not in old.namelist() else old.read(name))
            if name == "[Content_Types].xml" and STRINGS in (changed or {}):
                data = old.read(name).replace(b"</Types>", SHARED + b"</Types>")
            if data is not None:
                new.writestr(name, data)
    return out.getvalue()


def sheet(cells: str) -> str:
    """A sheet with these rows."""
    return f"<worksheet {MAIN}><sheetData>{cells}</sheetData></worksheet>"


def strings(text: str) -> str:
    """Shared strings: one."""
    return f'<sst {MAIN} count="1" uniqueCount="1"><si><t>{text}</t></si></sst>'


def repeated_text() -> bytes:
    """A long text that 40,000 cells share."""
    rows = "".join(
        f'<row r="{row}">'
        + "".join(f'<c r="{column}{row}" t="s"><v>0</v></c>' for column in "ABCDEFGHIJKLMNOPQRST")
        + "</row>"
        for row in range(1, 2001)
    )
    return workbook({SHEET: sheet(rows), STRINGS: strings("long " * 6000)})


def unpacking() -> bytes:
    """A workbook whose sheet is 600 MB of nothing."""
    out = io.BytesIO(workbook({SHEET: None}))
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as folder, folder.open(SHEET, "w") as file:
        file.write(b"<worksheet>")
        for _ in range(600):
            file.write(b" " * 1_000_000)
    return out.getvalue()


def damaged_workbook(change: Callable[[bytearray], None]) -> bytes:
    """A workbook with changed bytes."""
    data = bytearray(workbook())
    change(data)
    return bytes(data)


def encrypt(data: bytearray) -> None:
    """Say in the directory that the files are encrypted."""
    at = -1
    while (at := data.find(b"PK\x01\x02", at + 1)) >= 0:
        data[at + 8] |= 1


def compress_otherwise(data: bytearray) -> None:
    """Name an unknown way of packing."""
    at = -1
    while (at := data.find(b"PK\x01\x02", at + 1)) >= 0:
        data[at + 10] = 77


def spoil(data: bytearray) -> None:
    """Change bytes in the packed files."""
    for at in range(60, 400):
        data[at] ^= 0x55


LARGE: dict[str, Callable[[], bytes]] = {
    "unpacks to 600 MB": unpacking,
    "a picture that unpacks": lambda: workbook({"xl/media/a.png": b"\0" * 40_000_000}),
    "one text in 40,000 cells": repeated_text,
    "cells far to the right": lambda: workbook(
        {SHEET: sheet("".join(f'<row r="{n}"><c r="XFD{n}"><v>1</v></c></row>' for n in range(1, 1900)))}
    ),
    "a dimension of all cells": lambda: workbook(
        {
            SHEET: sheet('<row r="1999"><c r="A1999"><v>1</v></c></row>').replace(
                "<sheetData>", '<dimension ref="A1:XFD1048576"/><sheetData>'
            )
        }
    ),
    "a million empty elements": lambda: workbook({SHEET: sheet("<a/>" * 1_200_000)}),
}
BROKEN: dict[str, Callable[[], bytes]] = {
    "no files": lambda: workbook({"xl/workbook.xml": None}),
    "an entity in the sheet": lambda: workbook({SHEET: DOCTYPE + sheet("<row><c><v>&b;</v></c></row>")}),
    "an entity in the strings": lambda: workbook({STRINGS: DOCTYPE + strings("&b;")}),
    "a declaration in UTF-16": lambda: workbook({SHEET: (DOCTYPE + sheet("")).encode("utf-16")}),
    "half a sheet": lambda: workbook({SHEET: sheet("<row>")[:-20]}),
    "no XML": lambda: workbook({"xl/workbook.xml": b"\xff\xfe\x00no"}),
    "a number that is none": lambda: workbook({SHEET: sheet(CELL.format("no"))}),
    "a string that is not there": lambda: workbook({SHEET: sheet(CELL.format("99"))}),
    "a row that is none": lambda: workbook({SHEET: sheet('<row r="x"><c r="?"><v>1</v></c></row>')}),
    "no sheets": lambda: workbook({"xl/workbook.xml": f"<workbook {MAIN}><sheets/></workbook>"}),
    "deep elements": lambda: workbook({"xl/workbook.xml": "<a>" * 200_000 + "</a>" * 200_000}),
    "encrypted": lambda: damaged_workbook(encrypt),
    "packed otherwise": lambda: damaged_workbook(compress_otherwise),
    "spoiled": lambda: damaged_workbook(spoil),
    "cut": lambda: workbook()[:-30],
    "an older format": lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(4000),
    "no folder": lambda: b"PK\x05\x06" + bytes(18),
}  # fmt: skip


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let limits of processor time decide, not the clock of a machine that may be busy."""
    monkeypatch.setattr(processes, "_START", 300.0)
    monkeypatch.setattr(processes, "_CLOCK", 300.0)


def processor_time() -> float:
    """Seconds of processor that this process has used, and those that it has started and that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def answer_to(ellen: TestClient, data: bytes, name: str = "list.xlsx") -> tuple[int, str, float]:
    """The page's answer to a file, and the seconds of processor it took."""
    assert len(data) < LIST_LIMIT
    began = processor_time()
    answer = ellen.post(f"{EVENING}/people", data={"text": "", "do": "look"}, files={"file": (name, data)})
    return answer.status_code, answer.text, processor_time() - began


@pytest.mark.parametrize("kind", LARGE)
def test_upload_of_a_workbook_that_is_too_much(ellen: TestClient, kind: str) -> None:
    data = LARGE[kind]()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    status, text, seconds = answer_to(ellen, data)
    assert status == 400 and ("is too large for a list of names" in text or "more than 2000 lines" in text)
    assert seconds < 20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + (32 << 10)


@pytest.mark.parametrize("kind", BROKEN)
def test_upload_of_a_broken_workbook(ellen: TestClient, kind: str) -> None:
    status, text, _ = answer_to(ellen, BROKEN[kind]())
    said = "is not a readable spreadsheet" in text or "the list is empty" in text.lower()
    assert status == 400 and said, text[:3000]


def test_upload_of_a_full_list(ellen: TestClient) -> None:
    status, text, _ = answer_to(ellen, workbook(rows=400))
    assert status == 200 and "Enter 400 lines" in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a" + " " * 300_000 + "b", "line 1"),
        ("Ada\n" + ";" * 300_000, "line 2"),
        ("a\r" * 100_000, "more than 2000 lines"),
        ("a\x0b" * 100_000, "more than 2000 lines"),
        ("Ada\n" * 150_000, "is too large"),
    ],
)
def test_list_with_too_long_lines(ellen: TestClient, text: str, said: str) -> None:
    began = processor_time()
    answer = ellen.post(f"{EVENING}/people", data={"text": text, "do": "look"})
    assert answer.status_code == 400 and said in answer.text.lower()
    status, shown, _ = answer_to(ellen, text.encode(), "list.csv")
    assert status == 400 and said in shown.lower()
    assert processor_time() - began < 5


def test_job_with_too_much_memory_or_time() -> None:
    async def outcomes() -> list[object]:
        jobs = Jobs()
        try:
            work = [(60, _fill, 400), (60, _fill, 10), (1, _turn, 60)]
            runs = [jobs.run(f"event {at}", "1", *each) for at, each in enumerate(work)]
            return [type(found) for found in await asyncio.gather(*runs, return_exceptions=True)]
        finally:
            jobs.close()

    assert asyncio.run(outcomes()) == [OutOfLimits, int, OutOfLimits]


def test_address_that_fills_the_queue_makes_room_for_others() -> None:
    async def outcomes() -> list[str]:
        jobs = Jobs()
        greedy = [
            asyncio.create_task(jobs.run(f"event {at}", "1", 60, _turn, 60))
            for at in range(PROCESSES + WAITING)
        ]
        try:
            await asyncio.sleep(0)
            others = [
                asyncio.create_task(jobs.run(f"other {at}", "2", 60, _turn, 60)) for at in range(WAITING)
            ]
            await asyncio.sleep(0.1)
            return ["refused" if task.done() else "waits" for task in (*greedy, *others)]
        finally:
            jobs.close()
            await asyncio.gather(*greedy, *others, return_exceptions=True)

    found, half = asyncio.run(outcomes()), WAITING // 2
    assert (
        found == ["waits"] * (PROCESSES + half) + ["refused"] * half + ["waits"] * half + ["refused"] * half
    )


def _fill(mebibytes: int) -> int:
    limit_memory(200)
    return len(bytearray(mebibytes << 20))


def _turn(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass
