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
    nets: Annotated[
        Path | None,
        typer.Option(
            "--nets", help="Make the nets of expert instead, all hands kept in this folder; resumable."
        ),
    ] = None,
    rounds: Annotated[
        str | None, typer.Option("--rounds", help="With --nets: hands of each round, such as 2400,1800,1100.")
    ] = None,
) -> None:
    """Train a small player by self-play, and print its learning curve against random and rules.

    With --nets, make the nets of expert instead.
    """
    from nousu.games import find
    from nousu.integrations.baseline import METHODS
    from nousu.integrations.baseline import train as trained

    start = perf_counter()
    try:
        find(rules)
        if rounds is not None and nets is None:
            raise ValueError("--rounds needs --nets")
        if out is not None and not out.absolute().parent.is_dir():
            raise ValueError(f"{out}: there is no folder {out.absolute().parent}")
        if nets is not None:
            return _nets(rules, nets, rounds, seed, out)
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


def _nets(rules: str, folder: Path, rounds: str | None, seed: int, out: Path | None) -> None:
    """Make the nets of `expert` for the family of these rules."""
    try:
        from tools.training.nets import hours, train, weights_in
    except ModuleNotFoundError as error:
        if error.name != "tools":
            raise
        raise ValueError("--nets needs a checkout of the source: run it in its folder") from None

    hands = rounds.split(",") if rounds else []
    if not all(count.isdecimal() and int(count) for count in hands):
        raise ValueError(f"--rounds {rounds}: say how many hands each round has, such as 2400,1800")
    for done in train(rules, folder, seed=seed, hands=list(map(int, hands))):
        typer.echo(f"{done.what}: {done.choices} choices, {done.seconds:.0f} s")
        for cost in done.costs:
            typer.echo(
                f"  {cost.situation}: {cost.rules:.3f} tricks' worth given away by rules,"
                f" {cost.nets:.3f} by the nets ({cost.choices} choices held out)"
            )
    weights = weights_in(folder)
    if out is not None:
        out.write_bytes(weights.read_bytes())
    typer.echo(f"{out or weights}: {hours(folder):.2f} hours of processor time in all")
