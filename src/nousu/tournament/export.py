"""Standings and whole tournaments as files: CSV, XLSX, HTML, JSON.

Text that a spreadsheet would take for a formula gets an apostrophe in front of it in CSV and is marked as
text in XLSX; numbers, even negative ones, stay numbers.
"""

import csv
import io
import json
import os
from errno import EISDIR
from html import escape
from pathlib import Path
from typing import Any

from nousu.tournament.log_file import Log, seal_all
from nousu.tournament.messages import Refusal, plain
from nousu.tournament.model import Section, Standings, Tournament
from nousu.tournament.office import EXPORT, Opened
from nousu.tournament.season import season_json, season_standings
from nousu.tournament.season_file import OpenedSeason

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")


def safe(cell: int | str) -> int | str:
    """Make a cell safe: no spreadsheet runs it as a formula."""
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return "'" + cell
    return cell


def write(path: Path, opened: Opened) -> None:
    """Write a file of the kind its ending names; `Refusal` for other endings and for disks that refuse.

    The file appears whole or not at all."""
    state = opened.tournament
    ending = path.suffix.lower()
    if ending == ".csv":
        data = ("\ufeff" + to_csv(state.format.standings(state))).encode()
    elif ending == ".xlsx":
        data = to_xlsx(state.format.standings(state))
    elif ending == ".json":
        data = to_json(state, opened.log).encode()
    elif ending in (".html", ".htm"):
        data = to_html(state).encode()
    else:
        raise Refusal(
            "an export is a .csv, .xlsx, .html or .json file, not {path}", values={"path": path.name}
        )
    put(path, data)


def write_season(path: Path, opened: OpenedSeason) -> None:
    """Write the ranking of a season, or the season itself, to a file of the kind that its ending names.

    Raises:
        Refusal: The ending is another one, or the disk refuses.
    """
    ending = path.suffix.lower()
    if ending == ".csv":
        data = ("\ufeff" + to_csv(season_standings(opened.season))).encode()
    elif ending == ".xlsx":
        data = to_xlsx(season_standings(opened.season))
    elif ending == ".json":
        data = season_to_json(opened).encode()
    else:
        raise Refusal(
            "a season is exported as a .csv, .xlsx or .json file, not {path}", values={"path": path.name}
        )
    put(path, data)


def season_to_json(opened: OpenedSeason) -> str:
    """The ranking of a season for programs."""
    about = {"head": opened.log.head, "entries": len(opened.log.events)}
    return json.dumps({**about, **season_json(opened.season, plain)}, ensure_ascii=False, indent=1) + "\n"


def put(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all; `Refusal` for folders and disks that refuse."""
    try:
        if path.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        beside = path.with_name(path.name + ".part")
        beside.write_bytes(data)
        beside.replace(path)
    except OSError as error:
        raise Refusal(
            "{path} cannot be written: {reason}",
            values={"path": str(path), "reason": error.strerror or str(error)},
        ) from None


def rows_of(section: Section) -> list[list[int | str]]:
    """A section as rows with a heading: rank, number, name, team, figures, why."""
    rows: list[list[int | str]] = [["rank", "number", "name", "team", *section.columns, "why"]]
    for row in section.rows:
        why = " ".join(map(plain, row.why))
        rows.append([row.rank, row.number or "", row.name, row.team, *row.cells, why])
    return rows


def to_csv(standings: Standings) -> str:
    """The sections one under the other, with a semicolon between cells."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\n")
    for at, section in enumerate(standings.sections):
        if at:
            writer.writerow([])
        if len(standings.sections) > 1:
            writer.writerow([safe(plain(section.title))])
        for row in rows_of(section):
            writer.writerow([safe(cell) for cell in row])
    return text.getvalue()


def to_html(state: Tournament) -> str:
    """A page of results without other files: to print, to keep, to put on a club's site."""
    standings = state.format.standings(state)
    parts = [
        "<!doctype html>",
        '<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
        f"<title>{escape(state.name)}</title>",
        "<style>body{font:1rem/1.4 system-ui,sans-serif;margin:2rem}table{border-collapse:collapse}"
        "td,th{border:1px solid #888;padding:.2rem .5rem;text-align:left}.n{text-align:right}</style>",
        f"<h1>{escape(state.name)}</h1>",
    ]
    for section in standings.sections:
        heads, *rows = rows_of(section)
        parts += [f"<h2>{escape(plain(section.title))}</h2>", "<table>", "<thead><tr>"]
        parts += [f'<th scope="col">{escape(str(head))}</th>' for head in heads]
        parts += ["</tr></thead>", "<tbody>"]
        for row in rows:
            cells = [
                f'<td class="n">{cell}</td>' if isinstance(cell, int) else f"<td>{escape(cell)}</td>"
                for cell in row
            ]
            parts.append(f"<tr>{''.join(cells)}</tr>")
        parts += ["</tbody>", "</table>"]
    parts += [f"<p>{escape(plain(note))}</p>" for note in standings.notes]
    return "\n".join([*parts, "</html>", ""])


def to_xlsx(standings: Standings) -> bytes:
    """A workbook with one sheet a section."""
    import openpyxl
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    book = openpyxl.Workbook(write_only=True)
    taken: set[str] = set()
    for section in standings.sections:
        title = "".join(sign for sign in section.title.english if sign not in "[]:*?/\\")[:28]
        name = title if title not in taken else f"{title} {len(taken) + 1}"
        taken.add(name)
        sheet = book.create_sheet(name)
        for number, row in enumerate(rows_of(section)):
            cells = []
            for value in row:
                cell = WriteOnlyCell(sheet, value=value)
                if isinstance(value, str):
                    cell.data_type = "s"
                    cell.quotePrefix = value.startswith(_FORMULA)
                if number == 0:
                    cell.font = Font(bold=True)
                cells.append(cell)
            sheet.append(cells)
    if not standings.sections:
        book.create_sheet("Standings")
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def standings_json(state: Tournament, standings: Standings, log: Log) -> dict[str, Any]:
    """The standings as plain values."""
    return {
        "name": state.name,
        "format": dict(state.format.to_json()),
        "revision": len(state.publications),
        "entries": len(log.events),
        "head": log.head,
        "notes": [plain(note) for note in standings.notes],
        "sections": [
            {
                "title": plain(section.title),
                "columns": list(section.columns),
                "rows": [
                    {
                        "rank": row.rank,
                        "number": row.number or None,
                        "name": row.name,
                        "team": row.team,
                        "cells": dict(zip(section.columns, row.cells, strict=True)),
                        "why": [plain(note) for note in row.why],
                    }
                    for row in section.rows
                ],
            }
            for section in standings.sections
        ],
    }


def to_json(state: Tournament, log: Log) -> str:
    """The whole tournament in one file: its log, line by line as it is, and its standings."""
    lines = seal_all(log.events).decode().split("\n")[:-1]
    about = {EXPORT: 1, "standings": standings_json(state, state.format.standings(state), log), "log": lines}
    return json.dumps(about, ensure_ascii=False, indent=1) + "\n"
