"""``nousu replay`` and ``nousu export``: check, print and convert records."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nousu.about import made_by
from nousu.cli import boards_of, fail, parse_record, read_input, refuse_pbn

if TYPE_CHECKING:
    from nousu.engine.match import Match, Played
    from nousu.engine.record import Reader, Record
    from nousu.i18n.sentences import Voice


def register(app: typer.Typer) -> None:
    """Add ``replay`` and ``export``."""
    app.command("replay")(replay)
    app.command("export")(export)


def replay(
    file: Annotated[
        Path, typer.Argument(help="A record (or a PBN file, whose deals are listed). - reads standard input.")
    ],
    seat: Annotated[
        str, typer.Option("--seat", help="Show only what this seat saw: N, P3, or spectator.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check a record by playing it through the rules; print every hand, its scores and the reasons."""
    from nousu.engine.pbn import is_pbn

    text = read_input(file)
    if file.suffix.lower() == ".pbn" or is_pbn(text):
        if seat:
            fail(f"{file}: a PBN file holds deals, all hands open; --seat {seat} needs a Nousu record")
        _replay_pbn(file, text, as_json)
        return
    record = parse_record(file, text)
    viewer = _viewer(seat, record.match.seats)
    if as_json:
        typer.echo(json.dumps(_summary(record, viewer), indent=1, ensure_ascii=False))
        return
    for line in _lines(record, viewer):
        typer.echo(line)


def _viewer(text: str, seats: int) -> "Reader":
    """The reader of the record: a seat, None for a spectator, or EVERYTHING if no seat is given."""
    from nousu.engine.record import EVERYTHING
    from nousu.engine.seats import parse_seat

    if not text:
        return EVERYTHING
    if text.lower() == "spectator":
        return None
    try:
        seat = parse_seat(text, seats)
    except ValueError as error:
        fail(f"{error}; or write spectator")
    return seat if seat >= 0 else None


def _names(record: "Record") -> tuple[str, ...]:
    from nousu.engine.seats import seat_name

    seats = record.match.seats
    return record.names or tuple(seat_name(seat, seats) for seat in range(seats))


def _voice(record: "Record") -> "Voice":
    from nousu.i18n import translator
    from nousu.i18n.sentences import Voice

    return Voice(_names(record), record.match.game.sides, None, translator("en"))


def _hands(match: "Match") -> Iterator[tuple[Any, "Played | None"]]:
    """The hands of a match; finished ones with their results."""
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
    from nousu.engine.seats import seat_name

    boards, wrong = boards_of(file, text)
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
        raise typer.Exit(1 if wrong else 0)
    for board in boards:
        typer.echo(f"Board {board.tags.get('Board') or '?'}, dealer {board.tags.get('Dealer') or '?'}")
        for at, hand in enumerate(board.deal.hands):
            typer.echo(f"  {seat_name(at)} {hand_text(hand)}")
    typer.echo(f"{len(boards)} deals; play them with: nousu simulate PRESET --deals {file}")
    if wrong:
        raise typer.Exit(1)


def export(
    file: Annotated[Path, typer.Argument(help="A record.")],
    pbn: Annotated[bool, typer.Option("--pbn", help="Portable Bridge Notation.")] = False,
    to: Annotated[Path | None, typer.Option("--to", help="Write to this file instead of printing.")] = None,
) -> None:
    """Write the finished hands of a record in another format (PBN: 52 cards dealt to four).

    Hands that PBN cannot hold are named on stderr and left out.
    """
    from nousu.engine.pbn import export_text, write_board

    if not pbn:
        fail("name the format: nousu export FILE --pbn")
    text = read_input(file)
    refuse_pbn(file, text, "nousu export writes PBN from a Nousu record; there is nothing to change here")
    record = parse_record(file, text)
    match = record.match
    rules = match.game.name_of(match.rules, record.preset)
    boards = []
    for number, played in enumerate(match.played, 1):
        points = " ".join(map(str, played.result.points))
        tags = [("Game", rules), ("Points", points), ("Score", " ".join(map(str, played.tally.score())))]
        try:
            boards.append(write_board(played.hand, number, record.names, tags))
        except ValueError as error:
            typer.echo(f"nousu: left out: {error}", err=True)
    if not boards:
        fail(f"{file}: no finished hand fits into PBN", code=1)
    text = export_text(boards)
    if to is None:
        typer.echo(text, nl=False)
        return
    try:
        to.write_text(text, encoding="utf-8")
    except OSError as error:
        fail(f"{to}: {error.strerror or error}")
    typer.echo(f"nousu: {len(boards)} hands written to {to}", err=True)
