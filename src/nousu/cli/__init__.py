"""The ``nousu`` command. Each module here adds the commands of one area with its ``register``."""

import importlib
import pkgutil
from typing import NoReturn

import typer

app = typer.Typer(
    name="nousu",
    help="Northern trick-taking games: play, host, direct, solve and study them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def nousu() -> None:
    """Northern trick-taking games: play, host, direct, solve and study them."""


def complain(message: object, code: int = 2) -> NoReturn:
    """End the command with one clear sentence on stderr and an exit code that is not 0."""
    typer.echo(f"nousu: {message}", err=True)
    raise typer.Exit(code)


LANG_HELP = "Language: fi, en, sv, nb, de; without it NOUSU_LANG, else that of the system."


def language(wanted: str) -> str:
    """The language asked for by ``--lang`` or NOUSU_LANG, else the one the system is set to."""
    import os

    from nousu.words import LANGUAGES, best_language

    if wanted and wanted not in LANGUAGES:
        complain(f"--lang {wanted}: the languages are {', '.join(LANGUAGES)}")
    keys = ("LC_ALL", "LC_MESSAGES", "LANG")
    return wanted or best_language(next((os.environ[key] for key in keys if os.environ.get(key)), ""))


for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}").register(app)


def main() -> None:
    """Entry point of the ``nousu`` command."""
    app()
