"""``nousu backup`` and ``nousu restore``: all tables in one file, whatever database they are in."""

from pathlib import Path
from typing import Annotated

import typer

from nousu.cli import Database


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(backup)
    app.command()(restore)


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write; it must not exist yet.")],
    database: Database = None,
) -> None:
    """Copy all tables into one file, even while the server runs.

    The file holds the cards, so keep it private.
    """
    _copy(database, file, is_restore=False)


def restore(
    file: Annotated[Path, typer.Argument(help="What `nousu backup` has written.")],
    database: Database = None,
) -> None:
    """Restore a backup into an empty database: a new file or another PostgreSQL. Nothing is overwritten."""
    _copy(database, file, is_restore=True)


def _copy(database: str | None, file: Path, is_restore: bool) -> None:
    import asyncio

    from nousu.server.storage.backup import restore_backup, save_backup
    from nousu.server.storage.store import BadDatabase, database_url

    try:
        work = restore_backup if is_restore else save_backup
        counts = asyncio.run(work(database_url(database), file))
    except BadDatabase as error:
        typer.echo(f"nousu: {error}", err=True)
        raise typer.Exit(1) from None
    held = ", ".join(f"{number} {name}" for name, number in counts.items())
    typer.echo(f"{'restored from' if is_restore else 'written to'} {file}: {held}")
