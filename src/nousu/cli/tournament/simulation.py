"""``nousu tournament simulate``: events in worker processes, a progress bar, a table, a picture."""

import json
import sys
import time
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from nousu.about import made_by
from nousu.cli.tournament.computer_tables import play
from nousu.players import load_player
from nousu.players.processes import worker_processes
from nousu.tournament.chart import svg
from nousu.tournament.form_fields import LETTERS
from nousu.tournament.formats import from_words, make
from nousu.tournament.simulation import (
    SimulatedEvent,
    SimulationFigure,
    SimulationSetup,
    Summary,
    run_events,
    summary,
    with_plan,
)


def run(
    *,
    format: str,
    entrants: int,
    runs: int,
    seed: int,
    strong: str,
    others: str,
    options: list[str],
    workers: int,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Simulate and show; an impossible setup is refused in one line, with exit code 1."""
    begun = time.perf_counter()
    try:
        kind = make({"name": format, **from_words(format, options)})
        for name in (strong, others):
            load_player(name)
        setup = with_plan(
            SimulationSetup(format=kind, entrants=entrants, seed=seed, strong=strong, others=others),
            seconds=1.0,
        )
        result = summary(setup, _events(setup, runs, workers))
    except ValueError as error:
        text = str(error)
        print(json.dumps({"errors": text.splitlines()}) if as_json else text, file=sys.stderr)
        raise typer.Exit(1) from None
    title = f"{kind.preset}: {entrants} entrants, {runs} events, {strong} against {others}, seed {seed}"
    seconds = time.perf_counter() - begun
    if plot is not None:
        try:
            plot.write_text(svg(title, result), "utf-8")
        except OSError as error:
            print(f"{plot} cannot be written: {error.strerror}", file=sys.stderr)
            raise typer.Exit(1) from None
    if as_json:
        print(json.dumps(_plain(title, setup, result, seconds), indent=1))
    else:
        _show(title, result, seconds)


def _events(setup: SimulationSetup, runs: int, workers: int) -> list[SimulatedEvent]:
    """Simulate the events, with a progress bar on a terminal."""
    console = Console(stderr=True)
    events = []
    with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("events", total=runs)
        if workers == 1:
            for event in run_events(setup, runs, play):
                events.append(event)
                bar.advance(task)
        else:
            with worker_processes(workers) as executor:
                for event in run_events(setup, runs, play, executor):
                    events.append(event)
                    bar.advance(task)
    return events


def _plain(title: str, setup: SimulationSetup, result: Summary, seconds: float) -> dict[str, Any]:
    return {
        "title": title,
        "made_by": made_by(),
        "format": dict(setup.format.to_json()),
        "seed": setup.seed,
        "runs": result.runs,
        "strongest_wins": {
            "part": round(result.wins.part, 4),
            "low_95": round(result.wins.low, 4),
            "high_95": round(result.wins.high, 4),
        },
        "by_chance": result.chance,
        "rank_of_the_strongest": _figure(result.rank),
        "ranks": {str(rank): count for rank, count in result.ranks.items()},
        "points_by_seat": [
            {"table": size, "seat": seat, **_figure(figure)} for (size, seat), figure in result.seats.items()
        ],
        "points_by_table_size": {str(size): _figure(figure) for size, figure in result.sizes.items()},
        "hands_a_game": _figure(result.hands),
        "hands_in_a_row_an_event": _figure(result.longest),
        "seconds": round(seconds, 2),
    }


def _figure(figure: SimulationFigure) -> dict[str, float | int | None]:
    half = round(figure.half, 4) if figure.half < 1e9 else None
    return {"mean": round(figure.mean, 4), "half_95": half, "count": figure.count}


def _text(figure: SimulationFigure) -> str:
    half = f" ± {figure.half:.3g}" if figure.half < 1e9 else ""
    return f"{figure.mean:.4g}{half}"


def _show(title: str, result: Summary, seconds: float) -> None:
    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False, markup=False)
    console.print(title)
    table = Table(title="Strongest player", title_justify="left")
    for column in ("wins, %", "by chance, %", "mean rank", "hands a game", "hands in a row, an event"):
        table.add_column(column, justify="right")
    table.add_row(
        f"{100 * result.wins.part:.3g} ({100 * result.wins.low:.3g}–{100 * result.wins.high:.3g})",
        f"{100 * result.chance:.3g}",
        _text(result.rank),
        _text(result.hands),
        _text(result.longest),
    )
    console.print(table)
    seats = Table(title="Points a game by seat and table size", title_justify="left")
    most = max((seat for _, seat in result.seats), default=0)
    for column in ("table of", *(f"seat {LETTERS[at]}" for at in range(most)), "all"):
        seats.add_column(column, justify="right")
    for size, whole in result.sizes.items():
        cells = [
            _text(result.seats[size, seat]) if (size, seat) in result.seats else ""
            for seat in range(1, most + 1)
        ]
        seats.add_row(str(size), *cells, _text(whole))
    console.print(seats)
    console.print(f"{result.runs} events in {seconds:.1f} s; ± and brackets: 95 % intervals", style="dim")
