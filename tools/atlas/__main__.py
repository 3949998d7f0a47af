"""Solve random deals, tabulate them, and check such a folder: ``python -m tools.atlas make`` or ``check``."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from nousu.cli import fail
from nousu.datasets.publish import check_sums
from nousu.players import find_player
from tools.atlas.folder import finish
from tools.atlas.solving import DealCounts, check_deals, solve_deals

app = typer.Typer(help="Make the atlas of solved deals, and check it.", no_args_is_help=True)


@app.command()
def make(
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

    An interrupted run continues with the same command; larger numbers add deals.
    """
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    progress = Progress(*columns, console=console, disable=not console.is_terminal, transient=True)
    wanted = DealCounts(rami, nolo, hidden)
    bars = {kind: progress.add_task(kind, total=total) for kind, total in wanted._asdict().items()}
    try:
        find_player(player)
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


@app.command()
def check(folder: Annotated[Path, typer.Argument(help="A folder that make has written.")]) -> None:
    """Compare the checksums of a folder and its deals with their seed, and solve some deals again."""
    try:
        check_sums(folder)
        deals = check_deals(folder)
    except ValueError as error:
        fail(error, code=1)
    checked = f"{deals['rami']} deals as rami, {deals['nolo']} as nolo, some solved again"
    typer.echo(f"{folder}: {checked}, and the files are those of its card")


if __name__ == "__main__":
    app()
