"""Data sets of hands by computer players from the command line, written and checked."""

import json
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from nousu.cli import fail, print_notices


def register(app: typer.Typer) -> None:
    """Add ``data make`` and ``data check``."""
    own = typer.Typer(help="Make data sets of hands, and check them.", no_args_is_help=True)
    own.command("make")(make)
    own.command("check")(check)
    app.add_typer(own, name="data")


def make(
    rules: Annotated[str, typer.Argument(help="A preset, or preset+option=value+…")],
    out: Annotated[Path, typer.Option("--out", help="A new folder.")],
    hands: Annotated[int, typer.Option("--hands", min=1, help="How many hands to play.")] = 1000,
    players: Annotated[
        str, typer.Option("--players", help="Players by seat, repeated: rules,random.")
    ] = "rules",
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same hands.")] = 1,
    solved: Annotated[
        bool, typer.Option("--solved", help="Also solve each hand from its first lead (not Tuppen).")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Play hands with computer players and write them as a data set.

    It holds the knowledge, the legal actions and the action of every seat, as Parquet with a data card, a
    licence, checksums and a Croissant description.
    """
    from nousu.games import find
    from nousu.players.external import PlayerFailed

    data = _data()
    names = [name.strip() for name in players.split(",")]
    try:
        print_notices(names, find(rules)[0].name)
        about = data.make(rules, hands, out, players=names, seed=seed, solved=solved)
    except PlayerFailed as error:
        fail(error, code=1)
    except ValueError as error:
        fail(error)
    except OSError as error:
        fail(f"{out}: {error.strerror or error}", code=1)
    typer.echo(json.dumps(about) if as_json else f"{out}: {about['hands']} hands, {about['turns']} turns")


def check(folder: Annotated[Path, typer.Argument(help="A data set.")]) -> None:
    """Compare the checksums of a data set, and replay every record in it by the rules."""
    try:
        hands = _data().check(folder)["hands"]
    except ValueError as error:
        fail(error, code=1)
    typer.echo(f"{folder}: {hands} hands replay, and the files are those of its card")


def _data() -> ModuleType:
    """The module of data sets; if its packages are missing, the command ends and names the extra."""
    try:
        return import_module("nousu.datasets.hands")
    except ImportError as error:
        fail(error, code=1)
