"""Acknowledgement and push (ms) beside slow clients (P18); goal: p99 at most double that without them.

Users play by turns alone and beside a thousand connections whose headers never end and two hundred pages
that read nothing. The server does not count connections by address. It must close a connection whose headers
do not end within 10 s.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.crowd import Crowd, Measurements, seat_crowd
from bench.page_client import Connection, connect
from bench.results import Report, percentile
from bench.server_process import Server

UNFINISHED_REQUESTS = 1000
"""Connections whose headers get a letter longer every second."""
SILENT_PAGES = 200
"""Pages that read nothing."""
RATE = 60.0
"""Actions a second at all tables."""
TABLES = 50
SECONDS = 15.0
"""Duration of each turn."""
LONGEST_REQUEST = 10.0
"""Seconds within which the server closes a connection whose headers do not end."""
_SETTLING = 1.0
"""Seconds for slow clients to come, or to go."""


@dataclass
class Comparison:
    """Measurements alone and beside slow clients."""

    alone: Measurements = field(default_factory=Measurements)
    beside: Measurements = field(default_factory=Measurements)
    lifetimes: list[float] = field(default_factory=list)
    """Seconds until a connection whose headers did not end was closed."""
    silent_closed: int = 0
    """Pages that read nothing and were closed."""


class _UnfinishedRequest(asyncio.Protocol):
    """A request whose header gets a letter longer every second."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._transport: Any = None
        self._began = 0.0
        self._aborted = False
        self.ended = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._began = time.monotonic()
        self._transport.write(b"GET / HTTP/1.1\r\nHost: slow\r\nX-Slow: ")
        self._send_letter()

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended.set()
        if not self._aborted:
            self._comparison.lifetimes.append(time.monotonic() - self._began)

    def abort(self) -> None:
        """Break the connection off, which does not count as a lifetime."""
        self._aborted = True
        self._transport.abort()

    def _send_letter(self) -> None:
        if not self.ended.is_set():
            self._transport.write(b"a")
            asyncio.get_running_loop().call_later(1.0, self._send_letter)


async def _send_unfinished(server: Server, comparison: Comparison, delay: float) -> None:
    """After so many seconds, open one unfinished request after another until cancelled."""
    loop = asyncio.get_running_loop()
    await asyncio.sleep(delay)
    while True:
        _, request = await loop.create_connection(
            lambda: _UnfinishedRequest(comparison), server.host, server.port
        )
        try:
            await request.ended.wait()
        except asyncio.CancelledError:
            request.abort()
            raise


@asynccontextmanager
async def _slow_clients(
    server: Server, crowd: Crowd, comparison: Comparison, unfinished: int, silent: int
) -> AsyncIterator[None]:
    """Keep so many slow clients connected meanwhile."""
    # One after the other: else the work of this program for many at once would be measured, too.
    delays = [LONGEST_REQUEST * at / unfinished for at in range(unfinished)]
    requests = [asyncio.create_task(_send_unfinished(server, comparison, delay)) for delay in delays]
    connections: list[Connection] = []
    for at in range(silent):
        path = f"/t/{crowd.tables[at % len(crowd.tables)].name}/live"
        connections.append(await connect(server.host, server.port, path, "", lambda *_: None))
        connections[-1].stop_reading()
    await asyncio.sleep(LONGEST_REQUEST + _SETTLING)
    try:
        yield
    finally:
        comparison.silent_closed += sum(connection.closed for connection in connections)
        for connection in connections:
            connection.abort()
        for request in requests:
            request.cancel()
        ended = await asyncio.gather(*requests, return_exceptions=True)
        comparison.beside.errors += [repr(error) for error in ended if isinstance(error, Exception)]
        await asyncio.sleep(_SETTLING)


async def compare(
    server: Server,
    turns: int,
    seconds: float = SECONDS,
    tables: int = TABLES,
    rate: float = RATE,
    unfinished: int = UNFINISHED_REQUESTS,
    silent: int = SILENT_PAGES,
) -> Comparison:
    """Play so many turns alone and as many beside slow clients.

    Args:
        server: The server.
        turns: Number of turns of each kind.
        seconds: Duration of a turn.
        tables: Tables of four players and a watcher.
        rate: Actions a second at all tables.
        unfinished: Connections whose headers do not end.
        silent: Pages that read nothing.
    """
    comparison = Comparison()
    crowd = await seat_crowd([server], tables=tables, watchers=tables, preset="tuppi")
    await crowd.play(rate, min(5.0, seconds))
    for _ in range(turns):
        crowd.measurements = comparison.alone
        await crowd.play(rate, seconds)
        await asyncio.sleep(_SETTLING)
        async with _slow_clients(server, crowd, comparison, unfinished, silent):
            crowd.measurements = comparison.beside
            await crowd.play(rate, seconds)
            await asyncio.sleep(_SETTLING)
    if crowd.missing_pages or crowd.closed:
        comparison.beside.errors.append(
            f"{crowd.missing_pages} pages never came, {crowd.closed} connections broke"
        )
    await crowd.leave()
    return comparison


def slow(path: Path, rounds: int, report: Report) -> None:
    """Play `rounds` turns alone and beside slow clients (P18)."""
    server = Server.real(str(path))
    try:
        comparison = asyncio.run(compare(server, rounds))
    finally:
        server.stop()
    alone, beside = comparison.alone, comparison.beside
    report.problems += [*alone.errors, *beside.errors]
    for what, usual, slowed in (
        ("acknowledgement", alone.acknowledgements, beside.acknowledgements),
        ("push", alone.player_pushes, beside.player_pushes),
    ):
        p99 = 1000 * percentile(usual, 0.99)
        report.add(f"{what} alone p99", p99, "ms", n=len(usual))
        figure = f"{what} beside slow clients p99"
        report.add(figure, 1000 * percentile(slowed, 0.99), "ms", n=len(slowed), at_most=2 * p99)
    lifetimes = comparison.lifetimes
    report.add("unfinished requests closed", len(lifetimes), "requests", at_least=1)
    report.add(
        "longest life of an unfinished request", max(lifetimes, default=0.0), "s", at_most=LONGEST_REQUEST
    )
    report.add("silent pages closed", comparison.silent_closed, "pages")
