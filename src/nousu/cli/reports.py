"""``nousu reports``: the reports of users to the host of a server."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nousu.cli import Database, fail

if TYPE_CHECKING:
    from nousu.server.people.reports import HostReport


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command()(reports)


def reports(
    report: Annotated[
        str | None, typer.Argument(help="The report to read, by the beginning of its id.")
    ] = None,
    page: Annotated[Path | None, typer.Option(help="Write what the person saw (JSON) to this file.")] = None,
    delete: Annotated[
        bool, typer.Option("--delete", help="Delete the report, or all reports if none is named.")
    ] = False,
    database: Database = None,
) -> None:
    """Read what people have reported: problems, silly plays, and things said at tables."""
    import asyncio

    from nousu.server.people.reports import HostReport
    from nousu.server.storage.store import BadDatabase, Store, database_url

    async def load() -> tuple[list[HostReport], list[tuple[str, int, int, float]]]:
        store = await Store.open(database_url(database))
        try:
            rows = await store.people.reports(report or "")
            if delete:
                await store.people.drop_reports([row.id for row in rows])
            return [
                HostReport.parse(row) for row in rows
            ], [] if report else await store.people.reported_lines()
        finally:
            await store.close()

    try:
        listed, talk = asyncio.run(load())
    except BadDatabase as error:
        fail(error, 1)
    if report is not None and len(listed) != 1:
        fail(
            f"there is no report {report!r}" if not listed else f"{len(listed)} reports begin with {report!r}"
        )
    if delete:
        typer.echo(f"deleted: {len(listed)}")
    elif report is not None:
        _print_report(listed[0], page)
    else:
        for row in listed:
            text = row.text.partition("\n")[0][:60]
            typer.echo(f"{row.id}  {_when(row.created)}  {row.kind:7}  table {row.table}  {text}".rstrip())
        for table, number, place, at in talk:
            typer.echo(f"talk          {_when(at)}  table {table}: place {place + 1} shows event {number}")
        if not listed and not talk:
            typer.echo("nobody has reported anything")


def _print_report(report: "HostReport", page: Path | None) -> None:
    """Print a report in full, and write the page to a file."""
    settings = ", ".join(f"{name}={value}" for name, value in report.settings.items()) or "the usual ones"
    typer.echo(f"report    {report.id}, {_when(report.created)}: {report.kind}")
    seat = "–" if report.seat is None else report.seat
    typer.echo(f"table     {report.table}, event {report.seq}, seat {seat}")
    typer.echo(f"rules     {report.rules}")
    typer.echo(f"shuffles  {report.commitment}")
    typer.echo(f"settings  {settings}; language {report.lang}; nousu {report.version}")
    typer.echo(f"browser   {report.browser}")
    if report.text:
        typer.echo(f"\n{report.text}")
    typer.echo(f"\n{report.record}")
    if page is not None:
        try:
            page.write_text(_file_of(report), encoding="utf-8")
        except OSError as error:
            fail(f"{page}: {error.strerror or error}")
        typer.echo(f"the page is in {page}")


_FRAME = (
    '<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>Nousu</title><body>{page}</body></html>'
)


def _file_of(report: "HostReport") -> str:
    """The reported page as a file: a view in JSON, or the HTML of an older report in a frame."""
    if report.page.startswith("{"):
        return report.page
    return _FRAME.format(lang=report.lang, page=report.page)


def _when(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
