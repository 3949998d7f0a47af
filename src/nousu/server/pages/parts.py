"""A picture in parts, each printed anew only when something it shows has changed.

Theory of operation
-------------------
``{% call part("own") %} … {% endcall %}`` in a template marks a part. While a part is printed, what it reads
of the table's picture is written down. The next time it is printed for the same viewer and all of that is
equal, the text of last time stands: a template that reads the same prints the same. Nobody lists what a part
depends on, so nobody can forget it.

The parts, and what stands between them, are the *pieces* of a fragment; together they are its text. A live
page that holds the pieces of the last picture is sent only those that are different now.
"""

from collections.abc import Callable
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

_EDGE = "\x1f"
"""Between pieces in printed text: a character that HTML forbids."""


class Kept:
    """What the parts of one viewer's picture read and printed last."""

    def __init__(self) -> None:
        self._parts: dict[str, tuple[dict[str, object], Markup]] = {}

    def again(self, name: str, model: object) -> tuple[dict[str, object], Markup] | None:
        """What the part read and printed last time, if it would read and print the same now."""
        reads, text = self._parts.get(name, (None, Markup()))
        if reads is None:
            return None
        for field, value in reads.items():
            now = getattr(model, field)
            if now is not value and now != value:
                return None
        return reads, text

    def keep(self, name: str, reads: dict[str, object], text: Markup) -> None:
        """Remember a part."""
        self._parts[name] = reads, text


class Read:
    """A table's picture that writes down what is read of it."""

    __slots__ = ("_kept", "_model", "_reads")

    def __init__(self, model: object, kept: Kept) -> None:
        self._model = model
        self._kept = kept
        self._reads: list[dict[str, object]] = []

    def __getattr__(self, name: str) -> object:
        value: object = getattr(self._model, name)
        if self._reads:
            self._reads[-1][name] = value
        return value

    def part(self, name: str, draw: Callable[[], Markup]) -> Markup:
        """The text of a part, drawn only if it must be."""
        found = self._kept.again(name, self._model)
        if found is None:
            self._reads.append({})
            try:
                text = draw()
            finally:
                reads = self._reads.pop()
            self._kept.keep(name, reads, text)
        else:
            reads, text = found
        if self._reads:  # what an inner part shows, the outer one shows as well
            self._reads[-1].update(reads)
        return text


@pass_context
def part(context: Context, name: str, caller: Callable[[], Markup]) -> Markup:
    """What ``{% call part(NAME) %}`` does."""
    table: Any = context.get("table")
    text = table.part(name, caller) if isinstance(table, Read) else caller()
    return Markup(_EDGE) + text + Markup(_EDGE)


def pieces(text: str) -> tuple[str, ...]:
    """The pieces of a printed text."""
    return tuple(text.split(_EDGE))


def whole(pieces: tuple[str, ...]) -> str:
    """The text that pieces make together."""
    return "".join(pieces)


def news(before: tuple[str, ...], now: tuple[str, ...]) -> list[str | None]:
    """What somebody who holds the pieces `before` must be sent: None for each that has not changed."""
    if len(before) != len(now):
        return list(now)
    return [None if old == new else new for old, new in zip(before, now, strict=True)]
