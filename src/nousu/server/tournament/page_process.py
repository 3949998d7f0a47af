"""A process that makes pages of tournaments while many are asked for, so that tables keep the interpreter.

Threads of one interpreter hold each other up, and with them the loop that acknowledges actions. A thread
makes a page while few are asked for; from `CROWD` on, the process makes them.
"""

import asyncio
import time
from collections.abc import Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from starlette.responses import Response

from nousu.engine.messages import Note
from nousu.players.processes import worker_pool
from nousu.server.tournament.roles import Guest
from nousu.tournament.messages import Refusal

CROWD = 3
"""Pages asked for at a time from which on the process makes them."""
_NICE = 5
"""`nice` level of the process."""
_LONGEST = 20.0
"""Seconds that a page may take; then the process is ended."""
_IDLE = 60.0
"""Seconds without a page after which the process ends."""

Made = tuple[int, list[tuple[bytes, bytes]], bytes]
"""Status, headers and body of a page."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A page to be made, with its inputs besides the file of its tournament."""

    name: str
    """Name of the tournament in addresses."""
    file: Path
    page: str
    """Path of the page below that of the tournament."""
    scope: Mapping[str, Any]
    """The request, without what belongs to the connection."""
    guest: Guest
    lang: str
    address: str
    """Base address for phones in the hall."""
    unfit: Mapping[str, Note]
    """By table: why the result played on Nousu no longer fits the slip."""


class PageProcess:
    """The process of a server: started by a crowd, ended a minute after it."""

    def __init__(self) -> None:
        self.requests = 0
        """Pages that are asked for now and not yet made."""
        self._pool: ProcessPoolExecutor | None = None
        self._started: Future[None] | None = None
        self._turn = asyncio.Lock()
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._used = 0.0

    @property
    def is_ready(self) -> bool:
        """Whether a crowd asks and the process has started, which it is told to do by the first crowd."""
        if self.requests < CROWD:
            return False
        if self._pool is None:
            self._pool = worker_pool(1, _NICE)
            self._started = self._pool.submit(prepare)
        self._used = time.monotonic()
        assert self._started is not None
        return self._started.done() and not self._started.exception()

    def turn_of(self, address: str) -> asyncio.Lock:
        """The lock under which an address asks for a page: one that asks for many waits for itself alone."""
        return self._turns.setdefault(address, asyncio.Lock())

    async def make(self, asked: PageRequest) -> Response | None:
        """The page, or None where the process could not make it. `Refusal` as the page raises it."""
        async with self._turn:  # first come, first served: an event and an address ask for one at a time
            if self._pool is None:
                return None
            try:
                async with asyncio.timeout(_LONGEST):
                    made = await asyncio.get_running_loop().run_in_executor(self._pool, make_page, asked)
            except (BrokenProcessPool, RuntimeError, TimeoutError):  # it has ended, is being ended, or hangs
                self.close()
                return None
        if isinstance(made, Refusal):
            raise made
        if made is None:
            return None
        status, headers, body = made
        response = Response(body, status)
        response.raw_headers = headers
        return response

    def end_if_idle(self) -> None:
        """End the process if no crowd has asked for a while."""
        if self._pool is not None and time.monotonic() - self._used >= _IDLE:
            self.close()

    def close(self) -> None:
        """End the process, whatever it does."""
        pool, self._pool = self._pool, None
        if pool is not None:
            processes = [*(pool._processes or {}).values()]
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()


def prepare() -> None:
    """Load what pages need, in the process."""
    from nousu.server.memory import warm_up
    from nousu.server.tournament import routes

    warm_up()
    assert routes.PAGES


def make_page(asked: PageRequest) -> Made | Refusal | None:
    """Make a page, in the process; None where it needs more than the process has."""
    from nousu.server.tournament.crowded_pages import make

    return make(asked)
