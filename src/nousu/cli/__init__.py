"""The ``nousu`` command. Each module here adds the commands of one area with its ``register``."""

import importlib
import os
import pkgutil
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable

app = typer.Typer(
    name="nousu",
    help="Northern trick-taking games: play, host, direct, solve and study them.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


_RECKONING = {
    *("solve", "arena", "simulate", "play", "player", "player-check"),
    *("review", "problems", "data", "serve", "doctor"),
}
"""Commands that solve or search, and are far slower without the compiled core: they say so."""


def _version(wanted: bool) -> None:
    if wanted:
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
    if context.invoked_subcommand in _RECKONING:
        from nousu.about import notice

        if said := notice():
            typer.echo(f"nousu: {said}", err=True)


def complain(message: object, code: int = 2) -> NoReturn:
    """End the command with one clear sentence on stderr and an exit code that is not 0."""
    typer.echo(f"nousu: {message}", err=True)
    raise typer.Exit(code)


def tell_notices(players: "Iterable[str]", game: str) -> None:
    """Say on stderr which of these players do not know the games of that family, and what they do instead."""
    from nousu.players import load_player, notice

    for name in dict.fromkeys(players):
        note = notice(load_player(name), game)
        if note is not None:
            typer.echo(f"nousu: {name}: {note.english}", err=True)


def text_of(file: Path) -> str:
    """The text of a file, or of standard input for ``-``; a byte order mark is not part of it. A file that
    cannot be read ends the command."""
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        complain(f"{file}: {error.strerror or error}")
    except UnicodeDecodeError as error:
        complain(f"{file}: line {error.object[: error.start].count(10) + 1}: this is no UTF-8 text")


def first_line(text: str) -> str:
    """The first line that says something, which tells records and PBN files apart (``#``, ``%`` and ``;``
    begin remarks)."""
    from nousu.engine.text_lines import written

    return next((line for _, line in written(text) if line[0] not in "#%;"), "")


LANG_HELP = "Language: fi, en, sv, nb, de; without it NOUSU_LANG, else that of the system."


def language(wanted: str) -> str:
    """The language asked for by ``--lang`` or NOUSU_LANG, else the one the system is set to."""
    from nousu.engine.messages import brief
    from nousu.i18n import LANGUAGES, best_language

    if wanted and wanted not in LANGUAGES:
        complain(f"--lang {brief(wanted)}: the languages are {', '.join(LANGUAGES)}")
    keys = ("LC_ALL", "LC_MESSAGES", "LANG")
    return wanted or best_language(next((os.environ[key] for key in keys if os.environ.get(key)), ""))


for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}").register(app)


def main() -> None:
    """Entry point of the ``nousu`` command. The reader of its output may stop reading early, as ``| head``
    does."""
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
    except ModuleNotFoundError as error:
        extra = _extra_with(error.name or "")
        if not extra:
            raise
        typer.echo(
            f"nousu: this needs more packages; install them with: pip install 'nousu[{extra}]'", err=True
        )
        raise SystemExit(1) from None


def _extra_with(module: str) -> str:
    """The extra of nousu that brings a missing module, or nothing."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        wanted = requires("nousu") or []
    except PackageNotFoundError:
        return ""
    package = module.partition(".")[0].replace("_", "-")
    for requirement in wanted:
        found = re.fullmatch(rf"{package}\b[^;]*;.*\bextra == ['\"](\w+)['\"].*", requirement, re.IGNORECASE)
        if found:
            return found[1]
    return ""
