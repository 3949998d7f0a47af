"""Lists that a command reads from a file or from standard input, with the limits of uploads."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nousu.tournament.list_files import Source


def read_listed(path: Path | None, sheet: str = "", encoding: str = "") -> "Source":
    """Read a list; a spreadsheet in a process with limits of time and memory.

    Args:
        path: The file; None for standard input.
        sheet: The sheet of a spreadsheet, where there are several.
        encoding: The encoding of a text that is not Unicode.

    Raises:
        Refusal: The list cannot be read, is too large, or can be read in several ways.
    """
    from nousu.players.processes import BoundedProcess, OutOfLimits
    from nousu.tournament.list_files import MOST_BYTES, check_encoding, check_sheet, read_file, read_source
    from nousu.tournament.packed_lists import MEMORY, SECONDS, check_text, is_packed, read_packed, too_large

    name = "-" if path is None else str(path)
    data = sys.stdin.buffer.read(MOST_BYTES + 1) if path is None else read_file(path)
    if len(data) > MOST_BYTES:
        raise too_large(name)
    if is_packed(name, data):
        try:
            source: Source = BoundedProcess(SECONDS, read_packed, (name, data, sheet), MEMORY).result()
        except OutOfLimits:
            raise too_large(name) from None
    else:
        source = read_source(name, data, sheet=sheet, encoding=encoding)
    check_text(source.text, name)
    check_encoding(source, encoding)
    check_sheet(source)
    return source
