"""Turns at what takes long in sum: one table at a time, and whoever asks the server something comes between.

A table's event makes a picture for each class of viewers. Where hundreds of tables are in play the pictures
that are due would hold up everybody who acts meanwhile. So each table waits for its turn, and between two
turns all that has come is read, stored and acknowledged. What is late shows the table as it is by then.

Those who play come first: as long as players wait for pictures, at whatever table, only one turn in `_EVERY`
is given to those who only watch. They are then shown in one picture what has happened meanwhile.
"""

import asyncio
from typing import Protocol

_PASSES = 5
"""Rounds of the event loop between two turns: an action takes about ten until it is acknowledged."""
_EVERY = 5
"""Of so many turns one is given to those who only watch, however many players wait."""


class Drawer(Protocol):
    """A page that is shown a table. Neither raises."""

    def draw(self) -> None:
        """Make what the page is to be sent."""
        ...

    async def send(self) -> None:
        """Send it, or begin to, without waiting for a client to read."""
        ...


class Turns:
    """Who waits for a turn, in order."""

    def __init__(self) -> None:
        self._playing: dict[object, list[Drawer]] = {}
        self._watching: dict[object, list[Drawer]] = {}
        self._played = 0
        """Turns that players have had since somebody who only watches had one."""
        self._giving: asyncio.Task[None] | None = None

    def ask(self, table: object, page: Drawer, plays: bool) -> None:
        """Let a page draw and send when it is the table's turn, which all take together who have asked by
        then: first all draw, then all send, so whoever receives wakes once for all of them. A page of
        somebody who only watches may have to wait longer."""
        waiting = self._playing if plays else self._watching
        waiting.setdefault(table, []).append(page)
        if self._giving is None:
            self._giving = asyncio.create_task(self._give())

    async def _give(self) -> None:
        try:
            while self._playing or self._watching:
                pages = self._next()
                for page in pages:
                    page.draw()
                for page in pages:
                    await page.send()
                for _ in range(_PASSES):
                    await asyncio.sleep(0)
        finally:
            self._giving = None

    def _next(self) -> list[Drawer]:
        """The pages whose turn it is; with the last players who wait, those who watch them."""
        if self._watching and (not self._playing or self._played >= _EVERY - 1):
            self._played = 0
            return self._watching.pop(next(iter(self._watching)))
        self._played += 1
        table = next(iter(self._playing))
        pages = self._playing.pop(table)
        if not self._playing:
            pages += self._watching.pop(table, [])
        return pages
