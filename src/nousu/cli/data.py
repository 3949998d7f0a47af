"""``nousu data``: make and check data sets of hands by computer players and of solved deals."""

import json
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from nousu.cli import fail, print_notices


def register(app: typer.Typer) -> None:
    """Add ``data make``, ``data atlas`` and ``data check``."""
    own = typer.Typer(
        help="Make data sets of hands and of solved deals, and check them.", no_args_is_help=True
    )
    own.command("make")(make)
    own.command("atlas")(atlas)
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

    It holds what every seat knew, what it was allowed to do and what it did, as Parquet with a data card, a
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


def atlas(
    folder: Annotated[Path, typer.Argument(help="A new folder, or one that this command began.")],
    rami: Annotated[int, typer.Option("--rami", min=1, help="Deals solved as rami for four leaders.")] = 1000,
    nolo: Annotated[int, typer.Option("--nolo", min=1, help="How many of them are solved as nolo.")] = 100,
    hidden: Annotated[
        int, typer.Option("--hidden", min=0, help="How many of them are played with hidden cards.")
    ] = 50,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same deals.")] = 1,
    player: Annotated[str, typer.Option("--player", help="Who plays the hidden cards.")] = "searcher",
    threads: Annotated[int, typer.Option("--threads", min=1, help="How many threads solve.")] = 1,
    page: Annotated[
        Path | None, typer.Option("--page", help="Write the page here, and its pictures to img/.")
    ] = None,
) -> None:
    """Solve random deals as rami and as nolo, play some with hidden cards, and tabulate the results.

    If it is interrupted, the same command continues; with larger numbers it adds deals.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from nousu.players import named
    from tools.atlas.folder import finish
    from tools.atlas.solving import Wanted, solve_deals

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    progress = Progress(*columns, console=console, disable=not console.is_terminal, transient=True)
    wanted = Wanted(rami, nolo, hidden)
    bars = {kind: progress.add_task(kind, total=total) for kind, total in wanted._asdict().items()}
    try:
        named(player)
        if nolo > rami:
            raise ValueError(f"nolos are some of the ramis: {nolo} of {rami} cannot be")
        if page is not None:
            page.parent.mkdir(parents=True, exist_ok=True)  # before hours of solving
        with progress:
            solve_deals(
                folder,
                wanted,
                seed=seed,
                player=player,
                threads=threads,
                watch=lambda kind, done, total: progress.update(bars[kind], completed=done),
            )
        deals = finish(folder, page)["deals"]
    except KeyboardInterrupt:
        fail(f"interrupted; {folder} keeps what is solved, and the same command goes on", code=130)
    except ValueError as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror or error}", code=1)
    typer.echo(f"{folder}: {deals['rami']} deals as rami, {deals['nolo']} as nolo, {deals['hidden']} played")


def check(folder: Annotated[Path, typer.Argument(help="A data set.")]) -> None:
    """Compare the checksums of a data set, and replay every record in it by the rules.

    For an atlas, compare the deals with their seed and solve some again.
    """
    try:
        if (folder / "rami.csv").exists():
            from nousu.datasets.publish import check_sums
            from tools.atlas.solving import verify

            check_sums(folder)
            deals = verify(folder)
            checked = f"{deals['rami']} deals as rami, {deals['nolo']} as nolo, some solved again"
        else:
            checked = f"{_data().check(folder)['hands']} hands replay"
    except ValueError as error:
        fail(error, code=1)
    typer.echo(f"{folder}: {checked}, and the files are those of its card")


def _data() -> ModuleType:
    """The module of data sets; if its packages are missing, the command ends and names the extra."""
    try:
        return import_module("nousu.datasets.hands")
    except ImportError as error:
        fail(error, code=1)
