"""``nousu reports``: what people have reported to whoever hosts the server."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nousu.cli import complain

if TYPE_CHECKING:
    from nousu.server.people.reports import HostReport

_Database = Annotated[
    str | None,
    typer.Option(help="A file, or postgresql://…; otherwise NOUSU_DATABASE or a file of your own."),
]


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command()(reports)


def reports(
    report: Annotated[
        str | None, typer.Argument(help="The report to read, by the beginning of its id.")
    ] = None,
    page: Annotated[
        Path | None, typer.Option(help="Write the page that the person saw to this file.")
    ] = None,
    delete: Annotated[
        bool, typer.Option("--delete", help="Delete the report, or all reports if none is named.")
    ] = False,
    database: _Database = None,
) -> None:
    """Read what people have reported: problems, silly plays, and things said at tables."""
    import asyncio

    from nousu.server.people.reports import HostReport
    from nousu.server.storage.store import BadDatabase, Store, database_url

    async def found() -> tuple[list[HostReport], list[tuple[str, int, int, float]]]:
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
        some, said = asyncio.run(found())
    except BadDatabase as error:
        complain(error, 1)
    if report is not None and len(some) != 1:
        complain(
            f"there is no report {report!r}" if not some else f"{len(some)} reports begin with {report!r}"
        )
    if delete:
        typer.echo(f"deleted: {len(some)}")
    elif report is not None:
        _show(some[0], page)
    else:
        for one in some:
            text = one.text.partition("\n")[0][:60]
            typer.echo(f"{one.id}  {_when(one.created)}  {one.kind:7}  table {one.table}  {text}".rstrip())
        for table, number, place, at in said:
            typer.echo(f"talk          {_when(at)}  table {table}: place {place + 1} shows event {number}")
        if not some and not said:
            typer.echo("nobody has reported anything")


def _show(one: "HostReport", page: Path | None) -> None:
    """A report in full."""
    settings = ", ".join(f"{name}={value}" for name, value in one.settings.items()) or "the usual ones"
    typer.echo(f"report    {one.id}, {_when(one.created)}: {one.kind}")
    typer.echo(f"table     {one.table}, event {one.seq}, seat {'–' if one.seat is None else one.seat}")
    typer.echo(f"rules     {one.rules}")
    typer.echo(f"shuffles  {one.commitment}")
    typer.echo(f"settings  {settings}; language {one.lang}; nousu {one.version}")
    typer.echo(f"browser   {one.browser}")
    if one.text:
        typer.echo(f"\n{one.text}")
    typer.echo(f"\n{one.record}")
    if page is not None:
        try:
            page.write_text(_FRAME.format(lang=one.lang, page=one.page), encoding="utf-8")
        except OSError as error:
            complain(f"{page}: {error.strerror or error}")
        typer.echo(f"the page is in {page}")


_FRAME = (
    '<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>Nousu</title><body>{page}</body></html>'
)


def _when(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
