"""Make the nets of `expert` from nothing: ``python -m tools.training tuppi FOLDER``."""

from pathlib import Path
from typing import Annotated

import typer

from nousu.cli import fail
from tools.training.nets import hours, last_weights, train

app = typer.Typer()


@app.command()
def main(
    rules: Annotated[str, typer.Argument(help="A preset of the family whose nets are made, or sooli.")],
    folder: Annotated[Path, typer.Argument(help="Where all hands are kept; an interrupted run continues.")],
    rounds: Annotated[
        str, typer.Option("--rounds", help="Hands of each round, such as 2400,1800,1100; else the family's.")
    ] = "",
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same nets.")] = 1,
    out: Annotated[Path | None, typer.Option("--out", help="Write the last weights here too.")] = None,
) -> None:
    """Play hands, judge every choice in them, and fit nets to that, round by round."""
    hands = rounds.split(",") if rounds else []
    if not all(word.isdecimal() and int(word) for word in hands):
        fail(f"--rounds {rounds}: say how many hands each round has, such as 2400,1800")
    try:
        for step in train(rules, folder, seed=seed, hands=list(map(int, hands))):
            typer.echo(f"{step.what}: {step.choices} choices, {step.seconds:.0f} s")
            for cost in step.costs:
                typer.echo(
                    f"  {cost.situation}: {cost.rules:.3f} tricks' worth given away by rules,"
                    f" {cost.nets:.3f} by the nets ({cost.choices} choices held out)"
                )
        weights = last_weights(folder)
        if out is not None:
            out.write_bytes(weights.read_bytes())
    except ValueError as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror or error}", code=1)
    typer.echo(f"{out or weights}: {hours(folder):.2f} hours of processor time in all")


if __name__ == "__main__":
    app()
