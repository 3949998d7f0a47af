"""``nousu train``: train a player by self-play."""

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from nousu.about import signature
from nousu.cli import fail


def register(app: typer.Typer) -> None:
    """Add ``train``."""
    app.command("train")(train)


def train(
    rules: Annotated[str, typer.Argument(help="A preset, or preset+option=value+…")],
    hands: Annotated[int, typer.Option("--hands", min=1, help="How many hands to learn from.")] = 60_000,
    method: Annotated[str, typer.Option("--method", help="dmc or ppo.")] = "dmc",
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same player.")] = 1,
    hidden: Annotated[int, typer.Option("--hidden", min=1, help="Hidden units of the net.")] = 128,
    pairs: Annotated[
        int, typer.Option("--pairs", min=2, help="Pairs of hands played to measure each point of the curve.")
    ] = 100,
    out: Annotated[Path | None, typer.Option("--out", help="Write the weights here (.npz).")] = None,
) -> None:
    """Train a small player by self-play, and print its learning curve against random and rules."""
    from nousu.games import find
    from nousu.integrations.baseline import METHODS
    from nousu.integrations.baseline import train as trained

    start = perf_counter()
    try:
        find(rules)
        if out is not None and not out.absolute().parent.is_dir():
            raise ValueError(f"{out}: there is no folder {out.absolute().parent}")
        if out is not None and out.is_dir():
            raise ValueError(f"{out} is a folder; name a file in it")
        if method not in METHODS:
            raise ValueError(f"there is no method '{method}'; there are {' and '.join(METHODS)}")
        typer.echo(f"{rules}, {method}, seed {seed}, {hidden} hidden units; {signature()}")
        typer.echo("   hands  seconds   error      over random        over rules   (points a hand)")
        for point, learned in trained(
            rules, hands, method=METHODS[method], seed=seed, hidden=hidden, pairs=pairs
        ):
            curve = "  ".join(f"{mean:+9.2f} ±{half:5.2f}" for mean, half in (point.random, point.rules))
            typer.echo(f"{point.hands:8}  {perf_counter() - start:7.0f}  {point.error:6.3f}  {curve}")
            if out is not None:
                learned.save(out)
    except (ValueError, ImportError) as error:
        fail(error)
    except OSError as error:
        fail(f"{out}: {error.strerror or error}", code=1)
