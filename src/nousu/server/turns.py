"""Turns at what takes long in sum: one table at a time, and whoever asks the server something comes between.

A table's event makes a picture for each class of viewers. Where hundreds of tables are in play the pictures
that are due would hold up everybody who acts meanwhile. So each table waits for its turn, and between two
turns all that has come is read, stored and acknowledged. What is late shows the table as it is by then.
"""

import asyncio

_PASSES = 5
"""Rounds of the event loop between two turns: an action takes about ten until it is acknowledged."""


class Turns:
    """Who waits for a turn, in order."""

    def __init__(self) -> None:
        self._waiting: dict[object, list[asyncio.Future[None]]] = {}
        self._giving: asyncio.Task[None] | None = None

    async def of(self, table: object) -> None:
        """Wait until it is that table's turn, which all take together who wait for it then; it lasts until
        they wait for something else."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(table, []).append(turn)
        if self._giving is None:
            self._giving = asyncio.create_task(self._give())
        await turn

    async def _give(self) -> None:
        try:
            while self._waiting:
                for turn in self._waiting.pop(next(iter(self._waiting))):
                    if not turn.done():  # whoever waited may have gone
                        turn.set_result(None)
                for _ in range(_PASSES):
                    await asyncio.sleep(0)
        finally:
            self._giving = None
