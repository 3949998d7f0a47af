"""Turns at what takes long in sum: one table at a time, and whoever asks the server something comes between.

A table's event makes a picture for each class of viewers. Where hundreds of tables are in play the pictures
that are due would hold up everybody who acts meanwhile. So each table waits for its turn, and between two
turns all that has come is read, stored and acknowledged. What is late shows the table as it is by then.
"""

import asyncio
from typing import Protocol

_PASSES = 5
"""Rounds of the event loop between two turns: an action takes about ten until it is acknowledged."""


class Drawer(Protocol):
    """A page that is shown a table. Neither raises."""

    def draw(self) -> None:
        """Make what the page is to be sent."""
        ...

    def send(self) -> None:
        """Send it, or begin to."""
        ...


class Turns:
    """Who waits for a turn, in order."""

    def __init__(self) -> None:
        self._waiting: dict[object, list[Drawer]] = {}
        self._giving: asyncio.Task[None] | None = None

    def ask(self, table: object, page: Drawer) -> None:
        """Let a page draw and send when it is the table's turn, which all take together who have asked by
        then: first all draw, then all send, so whoever receives wakes once for all of them."""
        self._waiting.setdefault(table, []).append(page)
        if self._giving is None:
            self._giving = asyncio.create_task(self._give())

    async def _give(self) -> None:
        try:
            while self._waiting:
                pages = self._waiting.pop(next(iter(self._waiting)))
                for page in pages:
                    page.draw()
                for page in pages:
                    page.send()
                for _ in range(_PASSES):
                    await asyncio.sleep(0)
        finally:
            self._giving = None
