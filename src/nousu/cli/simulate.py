"""``nousu simulate``: hands by computer players, their totals, and a record of each match."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nousu.about import made_by, signature
from nousu.cli import boards_of, fail, print_notices, read_input

if TYPE_CHECKING:
    from nousu.engine.actions import Deal
    from nousu.engine.game import Game
    from nousu.engine.match import Match
    from nousu.players import Player


def register(app: typer.Typer) -> None:
    """Add ``simulate``."""
    app.command("simulate")(simulate)


def simulate(
    preset: Annotated[str, typer.Argument(help="A preset, or preset+option=value+…")],
    hands: Annotated[int, typer.Option("--hands", min=1, help="How many hands to play.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same hands.")] = 1,
    player: Annotated[str, typer.Option("--player", help="The player at every seat.")] = "random",
    players: Annotated[str, typer.Option("--players", help="Players by seat, repeated: rules,random.")] = "",
    seats: Annotated[int, typer.Option("--seats", help="Number of players; 0: the usual number.")] = 0,
    records: Annotated[
        Path | None, typer.Option("--records", help="Write a record of each match here.")
    ] = None,
    deals: Annotated[Path | None, typer.Option("--deals", help="Use the deals of this PBN file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Play hands with computer players, match after match, and print the totals."""
    from nousu.engine.errors import BadRules, IllegalAction
    from nousu.games import find, seats_of
    from nousu.players import load_player
    from nousu.players.external import PlayerFailed

    try:
        game, rules = find(preset)
        count = seats_of(preset, seats)
        names = [name.strip() for name in (players or player).split(",")]
        company = [load_player(names[seat % len(names)]) for seat in range(count)]
    except (BadRules, ValueError) as error:
        fail(error)
    print_notices(names, game.name)
    boards = _boards(deals) if deals is not None else ()
    wanted = min(hands, len(boards)) if boards else hands
    seated = [names[seat % len(names)] for seat in range(count)]
    totals = _Totals(game, count)
    run = _run(game, rules, seed, company, boards, wanted)
    try:
        for match, seconds in _progress(run, wanted):
            totals.hand(match, seconds)
            if match.winner is None and totals.hands < wanted:
                continue
            totals.match(match)
            if records is not None:
                _write_record(records, preset, seed, totals.records, match, seated)
    except PlayerFailed as error:
        fail(error, code=1)
    except IllegalAction as error:
        if deals is None:
            raise
        fail(f"{deals}: {error}", code=1)
    result = {"rules": game.name_of(rules, preset.split("+")[0]), "seed": seed, **totals.plain()}
    result |= {"made_by": made_by(), "players": seated}
    if as_json:
        typer.echo(json.dumps(result, indent=1))
    else:
        for line in _totals_lines(result, totals):
            typer.echo(line)


def _boards(file: Path) -> "tuple[Deal, ...]":
    from nousu.engine.actions import Deal

    boards, wrong = boards_of(file, read_input(file))
    if wrong:
        raise typer.Exit(1)
    return tuple(Deal(board.deal.hands) for board in boards)


Step = tuple["Match", float]
"""A match after another finished hand, and the seconds of play until that moment."""


def _progress(steps: Iterator[Step], wanted: int) -> Iterator[Step]:
    """The steps, with a progress bar if stderr is a terminal."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    if not console.is_terminal:
        return steps
    return iter(track(steps, "hands", wanted, console=console, transient=True))


def _run(
    game: "Game", rules: Any, seed: int, company: "Sequence[Player]", boards: "Sequence[Deal]", wanted: int
) -> Iterator[Step]:
    """Play match after match until the wanted number of hands is finished."""
    from nousu.engine.match import Match
    from nousu.engine.seats import CHANCE
    from nousu.players.seat_loop import advance, derive_seed

    done = matches = 0
    seconds, start = 0.0, perf_counter()
    while done < wanted:
        its_seed = derive_seed(seed, "match", matches)
        matches += 1
        pack = list(game.deck)
        Random(derive_seed(its_seed, "draw")).shuffle(pack)
        match = Match.draw(game, rules, len(company), pack)
        finished = 0
        while done < wanted:
            if boards and match.hand.owed() == (CHANCE,):
                after: Match | None = match.apply(CHANCE, boards[done])
            else:
                after = advance(match, company, its_seed)
            if after is None:
                break
            match = after
            if len(match.played) > finished:
                finished = len(match.played)
                done += 1
                seconds += perf_counter() - start
                yield match, seconds
                start = perf_counter()


class _Totals:
    """Totals of hands and matches; only the last match is kept."""

    def __init__(self, game: "Game", seats: int) -> None:
        self.game, self.seats = game, seats
        self.hands = self.void = self.records = 0
        self.seconds = 0.0
        self.points = [0] * (game.sides or seats)
        self.outcomes: dict[str, Counter[str]] = {}
        self.won: Counter[int] = Counter()
        self.lengths: list[int] = []
        """The number of hands of each finished match."""
        self.drawn = 0
        self.last: Match | None = None

    def hand(self, match: "Match", seconds: float) -> None:
        """Count the last hand of a match."""
        result = match.played[-1].result
        self.hands += 1
        self.seconds = seconds
        self.void += result.void
        self.points = [sum(pair) for pair in zip(self.points, result.points, strict=True)]
        for key, value in result.outcome.plain().items():
            if isinstance(value, str | bool):
                self.outcomes.setdefault(key, Counter())[str(value).lower()] += 1

    def match(self, match: "Match") -> None:
        """Count a match that is over, or the unfinished last one."""
        self.records += 1
        self.last = match
        if match.winner is not None:
            self.lengths.append(len(match.played))
            self.won.update(match.winner)
            self.drawn += match.winner == ()

    def plain(self) -> dict[str, Any]:
        """The totals for JSON: contracts, scores, winners, points by side or seat, speed."""
        return {
            "hands": self.hands,
            "void": self.void,
            "matches": len(self.lengths),
            "drawn": self.drawn,
            "won": [self.won[at] for at in range(len(self.points))],
            "points": self.points,
            "outcomes": {key: dict(sorted(counter.items())) for key, counter in self.outcomes.items()},
            "hands_per_match": round(fmean(self.lengths), 2) if self.lengths else None,
            "seconds": round(self.seconds, 3),
            "hands_per_second": round(self.hands / self.seconds, 1) if self.seconds else 0.0,
        }


def _totals_lines(totals: dict[str, Any], counter: _Totals) -> Iterator[str]:
    from nousu.engine.seats import seat_name

    seats = [seat_name(at, counter.seats) for at in range(counter.seats)]
    columns = ["N–S", "E–W"] if counter.game.sides else seats
    players = " ".join(totals["players"])
    yield f"{totals['rules']}: {totals['hands']} hands, seed {totals['seed']}, players {players}"
    if totals["void"]:
        yield f"  void hands  {totals['void']}"
    for key, counts in totals["outcomes"].items():
        yield f"  {key}  " + "  ".join(f"{value} {count}" for value, count in counts.items())
    yield "  points  " + "  ".join(
        f"{column} {points}" for column, points in zip(columns, totals["points"], strict=True)
    )
    ended = f"{totals['matches']} finished"
    if totals["hands_per_match"] is not None:
        ended += f" of {totals['hands_per_match']} hands on average"
    won = "  ".join(f"{column} {count}" for column, count in zip(columns, totals["won"], strict=True))
    yield f"  matches  {ended}; won by {won}" + (f"  drawn {totals['drawn']}" if totals["drawn"] else "")
    last = counter.last
    if last is not None and last.winner is None:
        yield "  score of the unfinished match  " + " ".join(map(str, last.tally.score()))
    yield f"  {totals['hands_per_second']} hands/s ({totals['seconds']} s)"
    yield f"  {signature()}"


def _write_record(
    folder: Path, preset: str, seed: int, number: int, match: "Match", names: Sequence[str]
) -> None:
    from nousu.engine.record import Record, write

    base = preset.split("+")[0]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{base}-{seed}-{number:04}.nousu"
        path.write_text(write(Record(match, tuple(names), preset=base)), encoding="utf-8")
    except OSError as error:
        fail(f"{folder}: {error.strerror or error}")
