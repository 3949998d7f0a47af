"""Standard streams of the command: redirected output is UTF-8 or escapes, piped input is any Unicode.

Windows gives a redirected stream the code page of the system, in which a Sámi or Polish name ends the command
with an error after the work is done. A stream whose encoding was chosen (PYTHONIOENCODING) keeps it; signs
that it lacks are replaced by their like in ASCII, and letters are escaped as in JSON.
"""

import codecs
import io
import os
import sys
from collections.abc import Iterator

from nousu.engine.encodings import BadText, decode

_LIKE = {
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("─━═–—−‑", "-"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛┡┩╇╞╡╪", "+"),
    **dict.fromkeys("’‘", "'"),
    **dict(zip("♠♥♦♣·×", "SHDC|x", strict=True)),
    "…": "...",
    "→": "->",
    **dict.fromkeys("\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}", " "),
}
"""Signs of the command's own output, each with its substitute in ASCII."""


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """Handler of encoding errors: signs by their substitutes, letters as in JSON."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_escape, error.object[error.start : error.end])), error.end


def _escape(letter: str) -> str:
    if letter in _LIKE:
        return _LIKE[letter]
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


codecs.register_error("nousu", _escaped)


def prepare_output() -> None:
    """Make standard output and standard error write every letter, wherever they lead."""
    chosen = "PYTHONIOENCODING" in os.environ
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        if chosen or stream.isatty():
            stream.reconfigure(errors="nousu")
        else:
            stream.reconfigure(encoding="utf-8", errors="nousu")


def input_lines() -> Iterator[str | BadText]:
    """The lines of standard input as they come in, without a byte order mark.

    A line that is no text is an error in its place, and the lines after it still follow.
    """
    source = getattr(sys.stdin, "buffer", None)
    if source is None:
        yield from sys.stdin
        return
    first = source.readline()
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        yield from decode(first + source.read()).splitlines(keepends=True)
        return
    number = 1
    while first:
        yield _line(first, number)
        first = source.readline()
        number += 1


def _line(data: bytes, number: int) -> str | BadText:
    """A line as UTF-8, else as the terminal writes it."""
    try:
        return decode(data)
    except BadText:
        try:
            if sys.stdin.isatty():
                return data.decode(sys.stdin.encoding)
        except UnicodeDecodeError:
            pass
        return BadText(number)
