"""Turns at rendering pages: one table at a time, and requests of players come between.

A table's event makes a picture for each class of viewers. Where hundreds of tables are in play the pictures
that are due would hold up everybody who acts meanwhile. So each table waits for its turn, and between two
turns everything that has come is read, stored and acknowledged. A late picture shows the table as it is by
then.

Players come first: as long as players wait for pictures, at whatever table, only one turn in `_EVERY` is
given to spectators, who are then shown in one picture what has happened meanwhile.
"""

import asyncio
from typing import Protocol

_PASSES = 5
"""Rounds of the event loop between two turns: an action takes about ten until it is acknowledged."""
_EVERY = 5
"""Of so many turns one is given to spectators, however many players wait."""


class Subscriber(Protocol):
    """An open page that shows a table. No method raises."""

    def notify(self) -> None:
        """Note that the table, or who is present there, has changed."""
        ...

    def render(self) -> None:
        """Make the messages that the page is due."""
        ...

    async def send(self) -> None:
        """Send them, or begin to, without waiting for a client to read."""
        ...


class Turns:
    """Pages that wait for a turn, in order."""

    def __init__(self) -> None:
        self._players: dict[object, list[Subscriber]] = {}
        self._spectators: dict[object, list[Subscriber]] = {}
        self._since_spectators = 0
        """Turns that players have had since spectators had one."""
        self._giving: asyncio.Task[None] | None = None

    def request(self, table: object, page: Subscriber, plays: bool) -> None:
        """Let a page render and send when it is the table's turn; a spectator's may have to wait longer.

        All pages of the table that have asked by then take the turn together: first all render, then all
        send, so whoever receives wakes once for all of them.
        """
        waiting = self._players if plays else self._spectators
        waiting.setdefault(table, []).append(page)
        if self._giving is None:
            self._giving = asyncio.create_task(self._give())

    async def _give(self) -> None:
        try:
            while self._players or self._spectators:
                pages = self._next()
                for page in pages:
                    page.render()
                for page in pages:
                    await page.send()
                for _ in range(_PASSES):
                    await asyncio.sleep(0)
        finally:
            self._giving = None

    def _next(self) -> list[Subscriber]:
        """The pages whose turn it is; with the last players who wait, the spectators of their table."""
        if self._spectators and (not self._players or self._since_spectators >= _EVERY - 1):
            self._since_spectators = 0
            return self._spectators.pop(next(iter(self._spectators)))
        self._since_spectators += 1
        table = next(iter(self._players))
        pages = self._players.pop(table)
        if not self._players:
            pages += self._spectators.pop(table, [])
        return pages
