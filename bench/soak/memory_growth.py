"""Memory growth (MiB an hour) of a server over two hours of play (P2); goal: at most 1.

Four games are played from end to end. After a match its players look at its pages and go on at a new table,
and visitors come and go. So after half an hour as many tables are unloaded as are opened, and further
growth is a leak.
"""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import linear_regression

import httpx

from bench.crowd import Crowd, Table, create_sessions, open_table
from bench.page_client import run
from bench.results import Report, percentile
from bench.server_process import Server

PRESETS = ("tuppi", "minnesota", "huutopussi", "tuppen_zk")
TABLES = 60
RATE = 60.0
"""Actions a second at all tables."""
GOAL = 1.0
"""MiB an hour."""
_LONGEST = 1000
"""Events after which players leave an unfinished match: at random, Huutopussi may never end, and its history
would look like a leak."""
_SAMPLING = 10.0
"""Seconds between two samples of the memory."""
_CHECKING = 2.0
"""Seconds between two searches for finished matches."""
_SETTLED = 1800.0
"""Seconds after which as many tables are unloaded as are opened: some matches, and the ten minutes for which
the server keeps a table without viewers."""


class Evening:
    """Groups of users that play one match after the other."""

    def __init__(self, server: Server, client: httpx.AsyncClient) -> None:
        self.server = server
        self.client = client
        self.crowd = Crowd()
        self.matches = 0
        self._groups: dict[Table, tuple[str, Sequence[str]]] = {}
        """Preset and sessions of each table."""

    async def seat(self, preset: str, tokens: Sequence[str]) -> None:
        """Seat these users and a watcher at a new table."""
        table = Table(self.crowd, await open_table(self.client, preset, tokens))
        for token in [*tokens, ""]:
            await self.crowd.enter(self.server, table, token, plays=bool(token))
        self._groups[table] = preset, tokens
        self.crowd.tables.append(table)

    async def replace_finished(self) -> None:
        """Open a new table wherever a match has ended or is too long, until cancelled."""
        last: dict[Table, int] = {}
        while True:
            await asyncio.sleep(_CHECKING)
            for table in list(self.crowd.tables):
                seq = max(seat.page.seq for seat in table.seats)
                if seq > _LONGEST:
                    last.pop(table, None)
                    await self._replace(table)
                elif last.get(table) != seq or any(seat.page.actions for seat in table.seats):
                    last[table] = seq
                elif (await self.client.get(f"/api/v1/tables/{table.name}")).json()["over"]:
                    del last[table]
                    await self._replace(table)

    async def _replace(self, table: Table) -> None:
        preset, tokens = self._groups.pop(table)
        self.crowd.tables.remove(table)
        for path in ("/", "/new", f"/t/{table.name}", f"/t/{table.name}/hand/1", f"/t/{table.name}/check"):
            answer = await self.client.get(path, follow_redirects=True)
            answer.raise_for_status()
            self.client.cookies.clear()  # each request is by another visitor
        table.leave()
        self.crowd.ready.pop(table, None)
        await self.seat(preset, tokens)
        self.matches += 1


def slope(samples: list[tuple[float, float]]) -> float:
    """Growth of the second number for one unit of the first, by least squares."""
    seconds, memory = zip(*samples, strict=True)
    return linear_regression(seconds, memory).slope


async def _play(server: Server, minutes: float, report: Report) -> list[tuple[float, float]]:
    """Play for so many minutes; seconds and MiB of each sample."""
    samples: list[tuple[float, float]] = []
    async with httpx.AsyncClient(base_url=server.base, timeout=60) as client:
        evening = Evening(server, client)
        for at in range(TABLES):
            await evening.seat(PRESETS[at % len(PRESETS)], await create_sessions(client, 4))
        began = time.monotonic()
        playing = asyncio.create_task(evening.crowd.play(RATE, 60 * minutes))
        replacing = asyncio.create_task(evening.replace_finished())
        next_line = 0.0
        while not playing.done() and not replacing.done():
            await asyncio.wait((playing, replacing), timeout=_SAMPLING, return_when=asyncio.FIRST_COMPLETED)
            samples.append((time.monotonic() - began, server.memory()))
            if samples[-1][0] >= next_line:
                next_line += 600.0
                times = evening.crowd.measurements.acknowledgements
                print(
                    f"  {samples[-1][0] / 60:4.0f} min: {samples[-1][1]:.1f} MiB, {evening.matches} matches, "
                    f"{len(times)} actions, "
                    f"acknowledgement p99 {1000 * percentile(times[-10000:], 0.99):.0f} ms",
                    flush=True,
                )
        for task in (playing, replacing):
            task.cancel()
        ended = await asyncio.gather(playing, replacing, return_exceptions=True)
        report.problems += [repr(error) for error in ended if isinstance(error, Exception)]
        report.problems += evening.crowd.measurements.errors
        if evening.crowd.closed:
            report.problems.append(f"{evening.crowd.closed} connections broke")
        await evening.crowd.leave()
    return samples


def growth(path: Path, rounds: int, report: Report) -> None:
    """Play for `rounds` minutes and report the growth of memory after the first half hour (P2)."""
    server = Server.real(str(path), NOUSU_WORKERS="0")
    try:
        samples = run(_play(server, rounds, report))
    finally:
        server.stop()
    settled = [sample for sample in samples if sample[0] >= _SETTLED]
    report.add("most memory", max(memory for _, memory in samples), "MiB")
    if len(settled) < 10:
        print("  too short for a growth")
        return
    report.add("growth of memory", 3600 * slope(settled), "MiB/h", n=len(settled), at_most=GOAL)
