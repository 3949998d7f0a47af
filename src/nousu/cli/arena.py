"""``nousu arena``, ``player-check`` and ``player``: compare players, check programs and serve them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nousu.about import signature
from nousu.cli import fail, print_notices

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from nousu.players.arena import ContestResult

_Game = Annotated[str, typer.Option(help="Rules as preset+option=value.")]
_Side = Annotated[
    str,
    typer.Argument(help="A player's name, cmd:COMMAND or py:MODULE:FUNCTION; a team as strong+rules."),
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(arena)
    app.command(name="player-check")(player_check)
    app.command()(player)


def arena(
    a: _Side,
    b: _Side,
    game: _Game = "tuppi",
    pairs: Annotated[int, typer.Option(min=1, help="Deals, each played twice with seats exchanged.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same deals and choices.")] = 1,
    seats: Annotated[int, typer.Option(help="Players at the table, where the game leaves it open.")] = 4,
    whole: Annotated[bool, typer.Option("--whole", help="Whole matches instead of single hands.")] = False,
    worlds: Annotated[int, typer.Option(min=1, help="Deals a searching player imagines.")] = 40,
    seconds: Annotated[float, typer.Option(min=0.01, help="Thinking time per choice.")] = 1.0,
    board: Annotated[str | None, typer.Option(help="One of the leaderboard's fixed sets of deals.")] = None,
    executor: Annotated[str | None, typer.Option(help="dask://HOST:PORT, a Dask cluster.")] = None,
    workers: Annotated[int, typer.Option(min=0, help="Processes; 0 is one a core.")] = 0,
    resume: Annotated[
        Path | None, typer.Option(help="Keep finished pairs in this file, and continue from them.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON.")] = False,
) -> None:
    """Compare two players on the same deals: points per hand of A over B, with a 95 % interval."""
    from concurrent.futures import BrokenExecutor

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from nousu.engine.errors import BadRules
    from nousu.games import find
    from nousu.players import Budget
    from nousu.players.arena import Contest, parse_team, play_contest

    budget = Budget(seconds, worlds)
    contest = Contest(a=a, b=b, game=game, pairs=pairs, seed=seed, seats=seats, whole=whole, budget=budget)
    if board is not None:
        from nousu.players.leaderboard import SETS

        if board not in SETS:
            fail(f"there is no set of deals for {board}; there are {', '.join(SETS)}", 1)
        contest = replace(SETS[board].contest(a, b), budget=budget)
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    progress = Progress(*columns, console=console, disable=not console.is_terminal, transient=True)
    bar = progress.add_task("pairs", total=contest.pairs)
    note = "nothing is kept; with --resume FILE finished pairs would be"
    if resume:
        note = f"finished pairs are in {resume}, and the same command goes on from them"
    try:
        print_notices((*parse_team(a), *parse_team(b)), find(contest.game)[0].name)
        with _executor(executor, workers, contest.pairs) as pool, progress:
            standing = play_contest(
                contest, pool, resume=resume, watch=lambda done, total: progress.update(bar, completed=done)
            )
    except KeyboardInterrupt:
        fail(f"interrupted; {note}", 130)
    except BrokenExecutor:
        fail(f"a worker process was killed; {note}", 1)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else error, 1)
    except (BadRules, ValueError) as error:
        fail(error, 1)
    typer.echo(standing.json() if as_json else _text(standing))


def _text(standing: "ContestResult") -> str:
    wins = standing.matches
    times = standing.ms_per_move
    size = f"{_count(standing.pairs, 'pair')}, {_count(standing.hands, 'hand')}"
    interval = f"95 %: {standing.low:+.3f} … {standing.high:+.3f}"
    if standing.pairs == 1:
        interval = "one pair has no interval"
    return (
        f"{standing.a} against {standing.b}: {standing.game}, {size}\n"
        f"points a hand  {standing.mean:+.3f}  ({interval})\n"
        f"matches        {wins['a']} : {wins['b']}\n"
        f"ms a move      {times['a']} : {times['b']}\n"
        f"made by        {signature()}"
    )


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


@contextmanager
def _executor(executor: str | None, workers: int, pairs: int) -> "Iterator[Executor | None]":
    """The executor of a contest: a Dask cluster, a pool of processes, or None for this process."""
    if executor is not None:
        scheme, _, address = executor.partition("://")
        if scheme != "dask" or not address:
            raise ValueError(f"{executor!r}: write dask://HOST:PORT")
        try:
            from distributed import Client
        except ImportError:
            raise ValueError("dask needs the extra: pip install 'nousu[cluster]'") from None
        with Client(f"tcp://{address}", timeout="10s") as client:  # type: ignore[no-untyped-call]
            yield client.get_executor()
        return
    count = min(workers or os.cpu_count() or 1, pairs)
    if count == 1:
        yield None
        return
    from nousu.players.processes import worker_processes

    with worker_processes(count) as pool:
        yield pool


def player_check(
    command: Annotated[str, typer.Argument(help="The command that starts the program.")],
    game: _Game = "tuppi",
    hands: Annotated[int, typer.Option(min=1, help="Hands to play.")] = 10,
    seats: Annotated[int, typer.Option(help="Players at the table, where the game leaves it open.")] = 4,
    seconds: Annotated[float, typer.Option(min=0.01, help="Thinking time per choice.")] = 1.0,
) -> None:
    """Check that a program follows the player protocol, by letting it play hands in all seats."""
    from nousu.engine.errors import BadRules
    from nousu.players import Budget
    from nousu.players.external import ExternalPlayer, check_program

    player = ExternalPlayer(command.removeprefix("cmd:"))
    try:
        result = check_program(player, game, seats, hands, Budget(seconds=seconds))
    except (BadRules, ValueError) as error:
        fail(error, 1)
    finally:
        player.close()
    typer.echo(
        f"{command} is a player: {_count(result.hands, 'hand')} of {game}, "
        f"{_count(result.choices, 'choice')}, {result.mean:.1f} ms on average, "
        f"{result.slowest:.1f} ms at most"
    )


def player(
    name: Annotated[str, typer.Argument(help="One of nousu's players, such as rules or searcher.")],
    worlds: Annotated[int, typer.Option(min=1, help="Deals a searching player imagines.")] = 40,
) -> None:
    """Play for another program: read one JSON question per line and print one answer per line.

    docs/research/players.md describes questions and answers. The command ends with its input.
    """
    from nousu.players import find_player
    from nousu.players.protocol_server import BadQuestion, answers

    try:
        for answer in answers(find_player(name), _questions(), worlds):
            print(answer, flush=True)
    except BadQuestion as error:
        fail(error, 1)
    except ValueError as error:
        fail(error)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def _questions() -> Iterator[str]:
    """The lines of standard input; ValueError for one that is no text."""
    from nousu.terminal.streams import input_lines

    for line in input_lines():
        if isinstance(line, ValueError):
            raise line
        yield line
