"""``nousu play``: play in the terminal."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nousu.cli import LANG_HELP, fail, language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nousu.engine.encodings import BadText
    from nousu.i18n.reader import Reader
    from nousu.terminal.session import TerminalMatch


def register(app: typer.Typer) -> None:
    """Add ``play``."""
    app.command("play")(play)


def play(
    preset: Annotated[
        str,
        typer.Argument(
            help="A preset, or preset+option=value; if omitted, the match you last left, or tuppi."
        ),
    ] = "",
    name: Annotated[str, typer.Option("--name", help="Your name.")] = "",
    player: Annotated[str, typer.Option("--player", help="Who the others are.")] = "rules",
    seed: Annotated[int | None, typer.Option("--seed", help="The same seed deals the same cards.")] = None,
    seats: Annotated[int, typer.Option("--seats", help="Number of players; 0: the usual number.")] = 0,
    new: Annotated[
        bool, typer.Option("--new", help="Start a new match; the unfinished one is dropped.")
    ] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Lines only: for screen readers and pipes.")] = False,
    ask: Annotated[
        str, typer.Option("--ask", help="How often you may speak out of turn: card, trick or never.")
    ] = "trick",
    pace: Annotated[float, typer.Option("--pace", min=0, help="Seconds between the others' cards.")] = 0.8,
    lang: Annotated[str, typer.Option("--lang", envvar="NOUSU_LANG", help=LANG_HELP)] = "",
) -> None:
    """Play against computer players.

    What you do is saved at once; leave and come back as you like.
    """
    from nousu.i18n.reader import Reader
    from nousu.players.external import PlayerFailed
    from nousu.terminal.line_mode import LineMode, PlayerLeft
    from nousu.terminal.screen import ScreenMode
    from nousu.terminal.streams import input_lines

    if ask not in ("card", "trick", "never"):
        fail(f"--ask {ask}: it is card, trick or never")
    reader = Reader.of(language(lang))
    say = reader.say
    session = _terminal_match(reader, preset, name, player, seed, seats, new)
    table: LineMode | ScreenMode
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        table = LineMode(session, reader, partial(_line, input_lines()), typer.echo, ask)  # type: ignore[arg-type]
    else:
        table = ScreenMode(session, reader, pace)
    try:
        try:
            table.play()
        except KeyboardInterrupt:
            session.save()
            raise PlayerLeft from None
    except PlayerLeft:
        typer.echo(say("The match is saved: {path}", path=session.path))
    except PlayerFailed as error:
        session.save()
        fail(error, code=1)
    except BrokenPipeError:  # the output is closed; the match is saved
        raise
    except OSError as error:
        fail(say("the match cannot be saved: {reason}", reason=error), code=1)
    else:
        typer.echo(say("Its record is kept: {path}", path=session.finished_path()))


def _line(lines: "Iterator[str | BadText]", prompt: str) -> str:
    """Read a line; the prompt goes to the screen, not into a pipe."""
    typer.echo(prompt, nl=False, err=not sys.stdout.isatty())
    line = next(lines, None)
    if line is None:
        raise EOFError
    return str(line)  # an error stands for a line that is no text


def _name(reader: "Reader") -> str:
    import getpass

    try:
        return getpass.getuser().split("\\")[-1].capitalize()
    except (OSError, KeyError, ImportError):
        return reader.say("Guest")


def _terminal_match(
    reader: "Reader", preset: str, name: str, player: str, seed: int | None, seats: int, new: bool
) -> "TerminalMatch":
    """Resume the saved match, or start a new one."""
    import secrets

    from nousu.engine.errors import BadRecord
    from nousu.engine.messages import Explained, sentence
    from nousu.terminal.session import TerminalMatch, latest_path, saved_path

    path: Path | None = saved_path(preset) if preset else latest_path()
    try:
        if path is not None and path.exists() and not new:
            return TerminalMatch.resume(path)
        rules = preset or "tuppi"
        return TerminalMatch.begin(
            rules,
            name or _name(reader),
            player,
            secrets.randbelow(2**32) if seed is None else seed,
            seats,
            saved_path(rules),
        )
    except BadRecord as error:
        text = sentence("{path} is damaged at line {line}; start over with --new")
        fail(reader.say(text, path=path, line=error.line), code=1)
    except Explained as error:
        fail(reader.explanation(error.note))
    except OSError as error:
        fail(reader.say("the match cannot be saved: {reason}", reason=error), code=1)
