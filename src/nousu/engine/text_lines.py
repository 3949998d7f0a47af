"""The lines of a text with their numbers, without building a list: files may be long and mostly empty."""

import re
from collections.abc import Iterator

_WRITTEN = re.compile(r"\S[^\r\n]*")


def written(text: str) -> Iterator[tuple[int, str]]:
    r"""Yield each line that is not empty, with its number from 1, without the blanks around it.

    A byte order mark at the beginning of the text is not part of it.

    >>> list(written("one\n\n  two \r\n"))
    [(1, 'one'), (3, 'two')]
    """
    number, passed = 1, len(text) - len(text.removeprefix("\ufeff"))
    for match in _WRITTEN.finditer(text, passed):
        number += _breaks(text, passed, match.start())
        passed = match.end()
        yield number, match[0].rstrip()


def _breaks(text: str, start: int, end: int) -> int:
    olds = text.count("\r", start, end)
    return text.count("\n", start, end) + olds - (text.count("\r\n", start, end) if olds else 0)
