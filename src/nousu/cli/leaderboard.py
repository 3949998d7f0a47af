"""``nousu leaderboard``: the page of results on the fixed sets of deals."""

from pathlib import Path
from typing import Annotated

import typer

from nousu.cli import fail, read_input

_MARK = "<!-- tables: nousu leaderboard -->\n"


def register(app: typer.Typer) -> None:
    """Add ``leaderboard``."""
    app.command("leaderboard")(leaderboard)


def leaderboard(
    files: Annotated[list[Path], typer.Argument(help="Results of nousu arena … --board NAME --json.")],
    out: Annotated[Path | None, typer.Option("--out", help="Write the tables into this page.")] = None,
) -> None:
    """Print tables of results on the fixed sets of deals, or put them into a page below its marker."""
    from nousu.players.leaderboard import read_rows, render_board

    try:
        results = [row for path in files for row in read_rows(read_input(path).splitlines(), str(path))]
        tables = render_board(results)
        if out is None:
            typer.echo(tables, nl=False)
            return
        before, mark, _ = read_input(out).partition(_MARK)
        if not mark:
            raise ValueError(f"{out} has no line {_MARK.strip()} after which the tables stand")
        out.write_text(f"{before}{mark}\n{tables}", "utf-8")
    except ValueError as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}", code=1)
