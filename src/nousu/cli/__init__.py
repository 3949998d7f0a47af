"""The ``nousu`` command. Each module here adds the commands of one area with its ``register``."""

import importlib
import os
import pkgutil
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nousu.engine.pbn import Board
    from nousu.engine.record import Record

app = typer.Typer(
    name="nousu",
    help="Northern trick-taking games: play, host, direct, solve and study them.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


_SOLVING_COMMANDS = {
    *("solve", "arena", "simulate", "play", "player", "player-check"),
    *("review", "problems", "data", "serve", "doctor"),
}
"""Commands that solve or search; without the compiled core they are far slower, and say so."""


def _version(is_given: bool) -> None:
    if is_given:
        from nousu.about import signature

        typer.echo(signature())
        raise typer.Exit


@app.callback()
def nousu(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_version, help="Print version, core and rules hash."
        ),
    ] = False,
) -> None:
    """Northern trick-taking games: play, host, direct, solve and study them."""
    if context.invoked_subcommand in _SOLVING_COMMANDS:
        from nousu.about import missing_core_warning

        if warning := missing_core_warning():
            typer.echo(f"nousu: {warning}", err=True)


def fail(message: object, code: int = 2) -> NoReturn:
    """End the command with one sentence on stderr and a non-zero exit code."""
    typer.echo(f"nousu: {message}", err=True)
    raise typer.Exit(code)


def print_notices(players: "Iterable[str]", game: str) -> None:
    """Print on stderr how players that do not know a family of games play it."""
    from nousu.players import load_player, notice

    for name in dict.fromkeys(players):
        note = notice(load_player(name), game)
        if note is not None:
            typer.echo(f"nousu: {name}: {note.english}", err=True)


def read_input(file: Path) -> str:
    """The text of a file, or of standard input for ``-``, without a byte order mark.

    Deals in PBN may be Windows-1252, of which the standard's Latin-1 is a part; all else is Unicode. A file
    that cannot be read ends the command.
    """
    from nousu.engine.encodings import BadText, decode
    from nousu.engine.pbn import is_pbn

    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        try:
            return decode(data)
        except BadText as error:
            text = decode(data, "cp1252")
            if not (file.suffix.lower() == ".pbn" or is_pbn(text) or _DEAL.match(first_line(text))):
                raise error from None
            return text
    except OSError as error:
        fail(f"{file}: {error.strerror or error}")
    except BadText as error:
        fail(f"{file}: {error}")


_DEAL = re.compile(r"[NESW]\s*:", re.IGNORECASE)


def boards_of(file: Path, text: str) -> "tuple[list[Board], int]":
    """The boards of a PBN file, and the number of wrong ones.

    Wrong ones, and boards without a deal, are named on stderr; if nothing is left, the command ends.
    """
    from nousu.engine.pbn import Board, Skipped, each_board

    boards, wrong = [], 0
    for board in each_board(text):
        if isinstance(board, Board):
            boards.append(board)
            continue
        wrong += not isinstance(board, Skipped)
        typer.echo(f"nousu: {file}: line {board.line}: {board.message}", err=True)
    if not boards:
        raise typer.Exit(1)
    return boards, wrong


def refuse_pbn(file: Path, text: str, why: str) -> None:
    """End the command where a record is wanted and this is a PBN file."""
    from nousu.engine.pbn import is_pbn

    if is_pbn(text):
        fail(f"{file}: this is a PBN file, and {why}", code=1)


def parse_record(file: Path, text: str) -> "Record":
    """The record in the text of a file; a damaged one ends the command."""
    from nousu.engine.errors import BadRecord
    from nousu.engine.record import read
    from nousu.games import find

    try:
        return read(text, find)
    except BadRecord as error:
        fail(f"{file}: {error}", code=1)


def first_line(text: str) -> str:
    """The first line that is neither empty nor a remark (``#``, ``%``, ``;``).

    It distinguishes records from PBN files.
    """
    from nousu.engine.text_lines import written

    return next((line for _, line in written(text) if line[0] not in "#%;"), "")


Database = Annotated[
    str | None,
    typer.Option(help="A file, or postgresql://…; otherwise NOUSU_DATABASE or a file of your own."),
]
"""The option of commands that read or write the tables of a server."""
LANG_HELP = "Language: fi, en, sv, nb, de; without it NOUSU_LANG, else that of the system."


def language(choice: str) -> str:
    """The language chosen by ``--lang`` or NOUSU_LANG, else that of the system."""
    from nousu.engine.messages import brief
    from nousu.i18n import LANGUAGES, best_language

    if choice and choice not in LANGUAGES:
        fail(f"--lang {brief(choice)}: the languages are {', '.join(LANGUAGES)}")
    keys = ("LC_ALL", "LC_MESSAGES", "LANG")
    return choice or best_language(next((os.environ[key] for key in keys if os.environ.get(key)), ""))


for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}").register(app)


def main() -> None:
    """Run the ``nousu`` command.

    A closed pipe (``| head``) ends it quietly, and a missing package ends it with the extra that has it. A
    mistake on the command line is one line that begins with ``nousu:``, as every other.
    """
    from nousu.terminal.streams import prepare_output

    prepare_output()
    try:
        try:
            code = app(standalone_mode=False)
        finally:
            sys.stdout.flush()
    except _UsageError as error:
        _explain(error)
        raise SystemExit(2) from None
    except typer.Abort:
        raise SystemExit(1) from None
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
    except ModuleNotFoundError as error:
        extra = _extra_of(error.name or "")
        if not extra:
            raise
        typer.echo(
            f"nousu: this needs more packages; install them with: pip install 'nousu[{extra}]'", err=True
        )
        raise SystemExit(1) from None
    raise SystemExit(code if isinstance(code, int) else 0)


_UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""The base of typer's errors about a command line; some versions carry a click of their own."""


def _explain(error: Any) -> None:
    """Print the fault of the command line and the way to its help; the help itself for an empty one."""
    message = error.format_message()
    if type(error).__name__ == "NoArgsIsHelpError":
        typer.echo(error.ctx.get_help())
        return
    message += "" if message[-1:] in (".", "?") else "."
    command = error.ctx.command_path if error.ctx else "nousu"
    typer.echo(f"nousu: {message} See '{command} --help'.", err=True)


def _extra_of(module: str) -> str:
    """The extra of nousu that installs a missing module, or nothing."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        requirements = requires("nousu") or []
    except PackageNotFoundError:
        return ""
    package = module.partition(".")[0].replace("_", "-")
    for requirement in requirements:
        match = re.fullmatch(rf"{package}\b[^;]*;.*\bextra == ['\"](\w+)['\"].*", requirement, re.IGNORECASE)
        if match:
            return match[1]
    return ""
