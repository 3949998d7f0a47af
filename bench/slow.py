"""What others notice of slow clients: ``python -m bench.soak slow`` (P18).

People play by turns alone and beside a thousand connections whose headers never end and two hundred pages
that read nothing. Everything goes over loopback, to a server that does not count connections by address.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench._lines import Line, Server, connected, percentile
from bench.load import Crowd, Figures, seated

DRIPPING = 1000
DEAF = 200
RATE = 60.0
"""Actions a second of those who play, at `TABLES` tables."""
TABLES = 50
SECONDS = 15.0
"""How long each turn takes."""
ENDED_WITHIN = 10.0
"""Seconds within which the server ends a connection whose headers do not end."""
_SETTLED = 1.0
"""Seconds after which those who have come do what they do, and those who have left are gone."""


@dataclass
class Seen:
    """What happened."""

    alone: Figures = field(default_factory=Figures)
    beside: Figures = field(default_factory=Figures)
    """While slow clients were there."""
    lives: list[float] = field(default_factory=list)
    """Seconds from connecting to being cut off, of connections whose headers did not end."""
    deaf_ended: int = 0


class _Drip(asyncio.Protocol):
    """A request that begins and gets a letter longer every second."""

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        self._transport: Any = None
        self._began = 0.0
        self._leaves = False
        self.ended = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._began = time.monotonic()
        self._transport.write(b"GET / HTTP/1.1\r\nHost: slow\r\nX-Slow: ")
        self._drip()

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended.set()
        if not self._leaves:
            self._seen.lives.append(time.monotonic() - self._began)

    def leave(self) -> None:
        """Go without having been told to."""
        self._leaves = True
        self._transport.abort()

    def _drip(self) -> None:
        if not self.ended.is_set():
            self._transport.write(b"a")
            asyncio.get_running_loop().call_later(1.0, self._drip)


async def _dripping(server: Server, seen: Seen, wait: float) -> None:
    """After so many seconds one such connection after another, until this is cancelled."""
    loop = asyncio.get_running_loop()
    await asyncio.sleep(wait)
    while True:
        _, drip = await loop.create_connection(lambda: _Drip(seen), server.host, server.port)
        try:
            await drip.ended.wait()
        except asyncio.CancelledError:
            drip.leave()
            raise


@asynccontextmanager
async def _beside(server: Server, crowd: Crowd, seen: Seen, dripping: int, deaf: int) -> AsyncIterator[None]:
    """So many slow clients are there meanwhile."""
    # Not all at once: what this program has to do for them at such moments would be counted, too.
    waits = [ENDED_WITHIN * at / dripping for at in range(dripping)]
    drips = [asyncio.create_task(_dripping(server, seen, wait)) for wait in waits]
    lines: list[Line] = []
    for at in range(deaf):
        path = f"/t/{crowd.boards[at % len(crowd.boards)].name}/live"
        lines.append(await connected(server.host, server.port, path, "", lambda *_: None))
        lines[-1].stop_reading()
    await asyncio.sleep(ENDED_WITHIN + _SETTLED)
    try:
        yield
    finally:
        seen.deaf_ended += sum(line.closed for line in lines)
        for line in lines:
            line.cut()
        for drip in drips:
            drip.cancel()
        ended = await asyncio.gather(*drips, return_exceptions=True)
        seen.beside.errors += [repr(one) for one in ended if isinstance(one, Exception)]
        await asyncio.sleep(_SETTLED)


async def watched(
    server: Server,
    turns: int,
    seconds: float = SECONDS,
    tables: int = TABLES,
    rate: float = RATE,
    dripping: int = DRIPPING,
    deaf: int = DEAF,
) -> Seen:
    """Play so many turns alone and as many beside slow clients."""
    seen = Seen()
    crowd = await seated([server], tables=tables, watchers=tables, preset="tuppi")
    await crowd.play(rate, min(5.0, seconds))
    for _ in range(turns):
        crowd.figures = seen.alone
        await crowd.play(rate, seconds)
        await asyncio.sleep(_SETTLED)
        async with _beside(server, crowd, seen, dripping, deaf):
            crowd.figures = seen.beside
            await crowd.play(rate, seconds)
            await asyncio.sleep(_SETTLED)
    if crowd.awaited or crowd.closed:
        seen.beside.errors.append(f"{crowd.awaited} pictures never came, {crowd.closed} lines broke")
    await crowd.leave()
    return seen


def slow(path: Path, rounds: int) -> list[str]:
    """P18: others' times of acknowledgement and picture at most double, and who drips is cut off in time."""
    server = Server.real(str(path))
    try:
        seen = asyncio.run(watched(server, rounds))
    finally:
        server.stop()
    problems = [*seen.alone.errors, *seen.beside.errors]
    for what, alone, beside in (
        ("ack", seen.alone.acks, seen.beside.acks),
        ("push", seen.alone.pushes, seen.beside.pushes),
    ):
        one, other = (1000 * percentile(times, 0.99) for times in (alone, beside))
        print(f"  {what:4} p99 alone {one:.1f} ms, beside {other:.1f} ms ({len(alone)} and {len(beside)})")
        if other > 2 * one:
            problems.append(f"{what}: the 99th percentile more than doubled")
    longest = max(seen.lives, default=0.0)
    print(
        f"  {len(seen.lives)} connections cut off for headers that did not end, "
        f"the last of them after {longest:.1f} s; {seen.deaf_ended} of those that read nothing"
    )
    if longest > ENDED_WITHIN:
        problems.append(f"a connection whose headers did not end lived for {longest:.1f} s")
    if not seen.lives:
        problems.append("nobody was cut off")
    return problems
