"""Shared parts of all commands of ``nousu tournament``: arguments, the language, reports of refusals."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from nousu.cli.tournament.output import Screen
    from nousu.tournament.office import Office

File = Annotated[Path, typer.Argument(metavar="FILE", help="The tournament file.")]
By = Annotated[
    str, typer.Option("--by", envvar="NOUSU_BY", help="Your name, for the log.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Reason = Annotated[str, typer.Option("--reason", help="Why.", show_default=False)]
Person = Annotated[str, typer.Argument(help="Number or name.", show_default=False)]
TableName = Annotated[str, typer.Argument(help="round.table", show_default=False)]
Seed = Annotated[
    str,
    typer.Option(
        "--seed", help="What the people in the hall agree on, e.g. dice just thrown.", show_default=False
    ),
]
Words = Annotated[list[str] | None, typer.Argument(metavar="RESULT...", show_default=False)]
Options = Annotated[
    list[str] | None,
    typer.Option("-o", "--option", metavar="NAME=VALUE", help="An option of the format; may be repeated."),
]

Address = Annotated[
    str,
    typer.Option(
        "--address",
        metavar="URL",
        help="Where phones find this computer, for example http://192.168.1.20:8000; else its own address "
        "in the network, and the port 8000.",
        show_default=False,
    ),
]

_MOST_OF_LINE = 1 << 16
"""Greatest number of bytes that are read of the first line of a file."""

WORDS = {"ignore_unknown_options": True}
"""Results may begin with a minus sign."""


@dataclass(frozen=True, slots=True)
class Manner:
    """The manner of all answers: the language, the width of tables, the place of the second copy."""

    language: str = "en"
    width: int = 0
    copy: Path | None = None


_PLAIN = Manner()
manner: ContextVar[Manner] = ContextVar("manner", default=_PLAIN)


@contextmanager
def answering(path: Path, as_json: bool) -> "Iterator[tuple[Office, Screen]]":
    """A context with the office of a file and the screen for answers.

    Each refusal of the office is one line and ends with exit code 1.
    """
    from nousu.cli.tournament.output import Screen
    from nousu.tournament.messages import Damaged, Refusal
    from nousu.tournament.office import Office

    how = manner.get()
    screen = Screen(as_json, how.language, how.width, _round_name(path))
    try:
        yield Office(path, copy=how.copy), screen
    except Refusal as refusal:
        damaged = isinstance(refusal, Damaged) and refusal.where.startswith("line ")
        screen.refuse(refusal, str(path) if damaged else "")
        raise typer.Exit(1) from None
    finally:
        screen.close()


def _round_name(path: Path) -> str:
    """Name of the rounds of the event in a file: ``series`` or ``round``."""
    from nousu.tournament.formats import called_in

    try:
        with path.open("rb") as file:
            return called_in(file.readline(_MOST_OF_LINE))
    except OSError:  # there is no such file yet, or the office says why it cannot be read
        return "round"


def host_address(typed: str) -> str:
    """The address at which phones find this computer: as typed, or its own in the network."""
    from nousu.cli.tournament.desk import local_address

    return typed.rstrip("/") or f"http://{local_address() or '127.0.0.1'}:8000"
