"""Records from the command line: replay and check one, export it, play many hands and write theirs."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nousu.about import made_by, signature
from nousu.cli import complain, first_line, tell_notices, text_of

if TYPE_CHECKING:
    from nousu.engine.actions import Deal
    from nousu.engine.game import Game
    from nousu.engine.match import Match, Played
    from nousu.engine.record import Reader, Record
    from nousu.players import Player
    from nousu.words.events import Voice


def register(app: typer.Typer) -> None:
    """Add ``replay``, ``simulate`` and ``export``."""
    app.command("replay")(replay)
    app.command("simulate")(simulate)
    app.command("export")(export)


# ------------------------------------------------------------------------------------------ reading


def _record(file: Path, text: str) -> "Record":
    from nousu.engine.errors import BadRecord
    from nousu.engine.record import read
    from nousu.games import find

    try:
        return read(text, find)
    except BadRecord as error:
        complain(f"{file}: {error}", code=1)


def replay(
    file: Annotated[
        Path, typer.Argument(help="A record (or a PBN file, whose deals are listed). - reads standard input.")
    ],
    seat: Annotated[
        str, typer.Option("--seat", help="Tell only what this seat saw: N, P3, or spectator.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check a record by playing it through the rules; print every hand, its scores and the reasons."""
    text = text_of(file)
    if file.suffix.lower() == ".pbn" or first_line(text).startswith("["):
        _replay_pbn(file, text, as_json)
        return
    record = _record(file, text)
    viewer = _viewer(seat, record.match.seats)
    if as_json:
        typer.echo(json.dumps(_summary(record, viewer), indent=1, ensure_ascii=False))
        return
    for line in _lines(record, viewer):
        typer.echo(line)


def _viewer(text: str, seats: int) -> "Reader":
    """The seat to look from, None for a spectator; everything where no seat is given."""
    from nousu.engine.record import EVERYTHING
    from nousu.engine.seats import parse_seat

    if not text:
        return EVERYTHING
    if text.lower() == "spectator":
        return None
    try:
        seat = parse_seat(text, seats)
    except ValueError as error:
        complain(f"{error}; or write spectator")
    return seat if seat >= 0 else None


def _names(record: "Record") -> tuple[str, ...]:
    from nousu.engine.seats import seat_name

    seats = record.match.seats
    return record.names or tuple(seat_name(seat, seats) for seat in range(seats))


def _voice(record: "Record") -> "Voice":
    from nousu.words import translator
    from nousu.words.events import Voice

    return Voice(_names(record), record.match.game.sides, None, translator("en"))


def _hands(match: "Match") -> Iterator[tuple[Any, "Played | None"]]:
    """All hands with, where they are finished, how they were booked."""
    for played in match.played:
        yield played.hand, played
    if match.hand.owed() and match.hand.log:
        yield match.hand, None


def _lines(record: "Record", viewer: "Reader") -> Iterator[str]:
    from nousu.engine.record import hand_lines
    from nousu.engine.seats import seat_name

    match, voice = record.match, _voice(record)
    seats = match.seats
    people = ", ".join(f"{seat_name(seat, seats)} {name}" for seat, name in enumerate(record.names))
    yield f"{match.game.name_of(match.rules, record.preset)}, {seats} players" + (
        f": {people}" if people else ""
    )
    if match.seating is not None:
        yield from (f"{note.clause}: {voice.note(note)}" for note in match.seating.notes)
    for hand, played in _hands(match):
        yield ""
        yield f"Hand {hand.setup.number}, dealer {seat_name(hand.setup.dealer, seats)}"
        yield from (f"  {line}" for line in hand_lines(hand, viewer))
        if played is None:
            yield "  (not finished)"
            continue
        for note in (*played.result.notes, *(() if played.result.void else played.tally.notes())):
            yield f"  {note.clause}: {voice.note(note)}"
        yield "  score " + " ".join(map(str, played.tally.score()))
    yield ""
    yield _ending(match, voice)


def _ending(match: "Match", voice: "Voice") -> str:
    if match.winner is None:
        return f"Not finished: {len(match.played)} hands played"
    if not match.winner:
        return f"Drawn after {len(match.played)} hands"
    return "Won by " + ", ".join(map(voice.side, match.winner)) + f" after {len(match.played)} hands"


def _summary(record: "Record", viewer: "Reader") -> dict[str, Any]:
    from nousu.engine.record import hand_lines

    match, voice = record.match, _voice(record)
    return {
        "rules": match.game.name_of(match.rules, record.preset),
        "game": match.game.name,
        "seats": match.seats,
        "names": list(_names(record)),
        "dealer": match.dealer,
        "hands": [
            {
                "number": hand.setup.number,
                "dealer": hand.setup.dealer,
                "course": list(hand_lines(hand, viewer)),
                "finished": played is not None,
                "void": played is not None and played.result.void,
                "points": list(played.result.points) if played else None,
                "facts": played.result.outcome.plain() if played else None,
                "score": list(played.tally.score()) if played else None,
                "notes": [
                    {"clause": note.clause, "text": voice.note(note)}
                    for note in ((*played.result.notes, *played.tally.notes()) if played else ())
                ],
            }
            for hand, played in _hands(match)
        ],
        "standing": dict(match.tally.plain()),
        "winner": None if match.winner is None else list(match.winner),
        "made_by": made_by(),
    }


def _replay_pbn(file: Path, text: str, as_json: bool) -> None:
    from nousu.engine.cards import hand_text
    from nousu.engine.errors import BadRecord
    from nousu.engine.pbn import read_boards
    from nousu.engine.seats import seat_name

    try:
        boards = read_boards(text)
    except BadRecord as error:
        complain(f"{file}: {error}", code=1)
    if as_json:
        rows = [
            {
                "board": b.tags.get("Board", ""),
                "first": b.deal.first,
                "hands": list(map(hand_text, b.deal.hands)),
            }
            for b in boards
        ]
        typer.echo(json.dumps(rows, indent=1))
        return
    for board in boards:
        typer.echo(f"Board {board.tags.get('Board') or '?'}, dealer {board.tags.get('Dealer') or '?'}")
        for at, hand in enumerate(board.deal.hands):
            typer.echo(f"  {seat_name(at)} {hand_text(hand)}")
    typer.echo(f"{len(boards)} deals; play them with: nousu simulate PRESET --deals {file}")


# ---------------------------------------------------------------------------------------- exporting


def export(
    file: Annotated[Path, typer.Argument(help="A record.")],
    pbn: Annotated[bool, typer.Option("--pbn", help="Portable Bridge Notation.")] = False,
    to: Annotated[Path | None, typer.Option("--to", help="Write to this file instead of printing.")] = None,
) -> None:
    """Write the finished hands of a record in another format (PBN: 52 cards dealt to four).

    Hands that PBN cannot hold are named on stderr and left out.
    """
    from nousu.engine.pbn import write_board

    if not pbn:
        complain("name the format: nousu export FILE --pbn")
    record = _record(file, text_of(file))
    match = record.match
    rules = match.game.name_of(match.rules, record.preset)
    boards = []
    for number, played in enumerate(match.played, 1):
        points = " ".join(map(str, played.result.points))
        tags = [("Game", rules), ("Points", points), ("Score", " ".join(map(str, played.tally.score())))]
        try:
            boards.append(write_board(played.hand, number, record.names, tags))
        except ValueError as error:
            typer.echo(f"left out: {error}", err=True)
    if not boards:
        complain(f"{file}: no finished hand fits into PBN", code=1)
    text = "% PBN 2.1\n% EXPORT\n" + "\n".join(boards)
    if to is None:
        typer.echo(text, nl=False)
        return
    try:
        to.write_text(text, encoding="utf-8")
    except OSError as error:
        complain(f"{to}: {error.strerror or error}")
    typer.echo(f"{len(boards)} hands written to {to}", err=True)


# --------------------------------------------------------------------------------------- simulating


def simulate(
    preset: Annotated[str, typer.Argument(help="A preset, or preset+option=value+…")],
    hands: Annotated[int, typer.Option("--hands", min=1, help="How many hands to play.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same hands.")] = 1,
    player: Annotated[str, typer.Option("--player", help="The player at every seat.")] = "random",
    players: Annotated[str, typer.Option("--players", help="Players by seat, repeated: rules,random.")] = "",
    seats: Annotated[int, typer.Option("--seats", help="Number of players; 0: the usual one.")] = 0,
    records: Annotated[
        Path | None, typer.Option("--records", help="Write a record of each match here.")
    ] = None,
    deals: Annotated[Path | None, typer.Option("--deals", help="Use the deals of this PBN file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Play hands with computer players, match after match, and print the totals."""
    from nousu.engine.errors import BadRules, IllegalAction
    from nousu.games import find
    from nousu.players import summoned
    from nousu.players.external import PlayerFailed

    try:
        game, rules = find(preset)
        count = seats or (4 if 4 in game.seats else game.seats.start)
        names = [name.strip() for name in (players or player).split(",")]
        company = [summoned(names[seat % len(names)]) for seat in range(count)]
        game.check_seats(preset, count)
    except (BadRules, ValueError) as error:
        complain(error)
    tell_notices(names, game.name)
    boards = _boards(deals) if deals is not None else ()
    wanted = min(hands, len(boards)) if boards else hands
    run = _Run(game, rules, count, seed, company, boards, preset.split("+")[0])
    try:
        for _ in _progress(run.play(wanted), wanted):
            pass
    except PlayerFailed as error:
        complain(error, code=1)
    except IllegalAction as error:
        if deals is None:
            raise
        complain(f"{deals}: {error}", code=1)
    if records is not None:
        _write_records(records, run, preset, [names[seat % len(names)] for seat in range(count)])
    totals = run.totals() | {
        "made_by": made_by(),
        "players": [names[seat % len(names)] for seat in range(count)],
    }
    if as_json:
        typer.echo(json.dumps(totals, indent=1))
    else:
        for line in _totals_lines(totals, run):
            typer.echo(line)


def _boards(file: Path) -> "tuple[Deal, ...]":
    from nousu.engine.actions import Deal
    from nousu.engine.errors import BadRecord
    from nousu.engine.pbn import read_boards

    try:
        return tuple(Deal(board.deal.hands) for board in read_boards(text_of(file)))
    except BadRecord as error:
        complain(f"{file}: {error}", code=1)


def _progress(hands: Iterator[int], wanted: int) -> Iterator[int]:
    """The hands with a progress bar on stderr, where that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("hands", total=wanted)
        for done in hands:
            bar.update(task, completed=done)
            yield done


class _Run:
    """Matches in a row until so many hands have been played."""

    def __init__(
        self,
        game: "Game",
        rules: Any,
        seats: int,
        seed: int,
        company: "Sequence[Player]",
        boards: "Sequence[Deal]",
        preset: str,
    ) -> None:
        self.game, self.rules, self.seats, self.seed = game, rules, seats, seed
        self.company, self.boards, self.preset = company, boards, preset
        self.matches: list[Match] = []
        self.seconds = 0.0

    def play(self, wanted: int) -> Iterator[int]:
        """Play; yields the number of finished hands after each of them."""
        from nousu.engine.match import Match
        from nousu.engine.seats import CHANCE
        from nousu.players.company import moved, number_of

        start, done = perf_counter(), 0
        while done < wanted:
            number = len(self.matches)
            seed = number_of(self.seed, "match", number)
            pack = list(self.game.deck)
            Random(number_of(seed, "draw")).shuffle(pack)
            match = Match.draw(self.game, self.rules, self.seats, pack)
            finished = 0
            while done < wanted:
                if self.boards and match.hand.owed() == (CHANCE,):
                    after: Match | None = match.apply(CHANCE, self.boards[done])
                else:
                    after = moved(match, self.company, seed)
                if after is None:
                    break
                match = after
                if len(match.played) > finished:
                    finished = len(match.played)
                    done += 1
                    yield done
            self.matches.append(match)
        self.seconds = perf_counter() - start

    def totals(self) -> dict[str, Any]:
        """Contracts, scores, winners, points by side or seat, speed."""
        played = [one for match in self.matches for one in match.played]
        counted: dict[str, Counter[str]] = {}
        for one in played:
            for key, value in one.result.outcome.plain().items():
                if isinstance(value, str | bool):
                    counted.setdefault(key, Counter())[str(value).lower()] += 1
        columns = self.game.sides or self.seats
        won = Counter(one for match in self.matches for one in match.winner or ())
        return {
            "rules": self.game.name_of(self.rules, self.preset),
            "seed": self.seed,
            "hands": len(played),
            "void": sum(one.result.void for one in played),
            "matches": sum(match.winner is not None for match in self.matches),
            "drawn": sum(match.winner == () for match in self.matches),
            "won": [won[one] for one in range(columns)],
            "points": [sum(one.result.points[at] for one in played) for at in range(columns)],
            "outcomes": {key: dict(sorted(counter.items())) for key, counter in counted.items()},
            "hands_per_match": _mean(
                [len(match.played) for match in self.matches if match.winner is not None]
            ),
            "seconds": round(self.seconds, 3),
            "hands_per_second": round(len(played) / self.seconds, 1) if self.seconds else 0.0,
        }


def _mean(numbers: list[int]) -> float | None:
    return round(sum(numbers) / len(numbers), 2) if numbers else None


def _totals_lines(totals: dict[str, Any], run: _Run) -> Iterator[str]:
    from nousu.engine.seats import seat_name

    columns = ["N–S", "E–W"] if run.game.sides else [seat_name(at, run.seats) for at in range(run.seats)]
    players = " ".join(totals["players"])
    yield f"{totals['rules']}: {totals['hands']} hands, seed {totals['seed']}, players {players}"
    if totals["void"]:
        yield f"  void hands  {totals['void']}"
    for key, counts in totals["outcomes"].items():
        yield f"  {key}  " + "  ".join(f"{value} {count}" for value, count in counts.items())
    yield "  points  " + "  ".join(
        f"{one} {points}" for one, points in zip(columns, totals["points"], strict=True)
    )
    ended = f"{totals['matches']} finished"
    if totals["hands_per_match"] is not None:
        ended += f" of {totals['hands_per_match']} hands on average"
    won = "  ".join(f"{one} {count}" for one, count in zip(columns, totals["won"], strict=True))
    yield f"  matches  {ended}; won by {won}" + (f"  drawn {totals['drawn']}" if totals["drawn"] else "")
    last = run.matches[-1]
    if last.winner is None:
        yield "  score of the unfinished match  " + " ".join(map(str, last.tally.score()))
    yield f"  {totals['hands_per_second']} hands/s ({totals['seconds']} s)"
    yield f"  {signature()}"


def _write_records(folder: Path, run: _Run, preset: str, names: list[str]) -> None:
    from nousu.engine.record import Record, write

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number, match in enumerate(run.matches, 1):
            path = folder / f"{preset.split('+')[0]}-{run.seed}-{number:04}.nousu"
            path.write_text(write(Record(match, tuple(names), preset=run.preset)), encoding="utf-8")
    except OSError as error:
        complain(f"{folder}: {error.strerror or error}")
