"""Whether a server needs ever more memory: ``python -m bench.soak growth`` plays two hours of evening (P2).

Four games are played from end to end. Who has finished a match looks at it again and goes on at a new table;
visitors come and go meanwhile. So after a while as many tables are forgotten as are opened, and what the
server still grows by is kept for nobody.
"""

import asyncio
import time
from pathlib import Path
from statistics import linear_regression

import httpx

from bench._lines import Server, percentile, run
from bench.load import Board, Crowd, newcomers, opened

PRESETS = ("tuppi", "minnesota", "huutopussi", "tuppen_zk")
TABLES = 60
RATE = 60.0
"""Actions a second at all tables together."""
MOST_GROWTH = 1.0
"""MiB an hour that P2 allows."""
_LONGEST = 1000
"""Events after which people go to a new table though the match is not over: by chance, Huutopussi may never
end, and its ever longer history would look like a leak."""
_SAMPLE = 10.0
"""Seconds between two looks at the memory."""
_LOOK = 2.0
"""Seconds between two looks for tables where nothing happens any more."""
_SETTLED = 1800.0
"""Seconds after which as many tables are forgotten as are opened: a few matches, and the ten minutes for
which the server keeps a table that nobody looks at."""


class Evening:
    """People who play one match after the other."""

    def __init__(self, server: Server, client: httpx.AsyncClient) -> None:
        self.server = server
        self.client = client
        self.crowd = Crowd()
        self.matches = 0
        self._groups: dict[Board, tuple[str, list[str]]] = {}

    async def come(self, preset: str) -> None:
        """Four newcomers and a watcher at a new table."""
        await self._sit(preset, await newcomers(self.client, 4))

    async def _sit(self, preset: str, tokens: list[str]) -> None:
        board = Board(self.crowd, await opened(self.client, preset, tokens))
        for token in [*tokens, ""]:
            await self.crowd.enter(self.server, board, token, plays=bool(token))
        self._groups[board] = preset, tokens
        self.crowd.boards.append(board)

    async def go_on(self) -> None:
        """Where a match has ended, or takes too long, look at it again and go to a new table, until this is
        cancelled."""
        seen: dict[Board, int] = {}
        while True:
            await asyncio.sleep(_LOOK)
            for board in list(self.crowd.boards):
                seq = max(seat.seen for seat in board.seats)
                if seq > _LONGEST:
                    seen.pop(board, None)
                    await self._again(board)
                elif seen.get(board) != seq or any(seat.page.acts for seat in board.seats):
                    seen[board] = seq
                elif (await self.client.get(f"/api/v1/tables/{board.name}")).json()["over"]:
                    del seen[board]
                    await self._again(board)

    async def _again(self, board: Board) -> None:
        preset, tokens = self._groups.pop(board)
        self.crowd.boards.remove(board)
        for path in ("/", "/new", f"/t/{board.name}", f"/t/{board.name}/hand/1", f"/t/{board.name}/check"):
            answer = await self.client.get(path, follow_redirects=True)
            answer.raise_for_status()
            self.client.cookies.clear()  # each a visitor of its own
        for seat in board.seats:
            if seat.line is not None:
                seat.line.cut()
        self.crowd.ready.pop(board, None)
        await self._sit(preset, tokens)
        self.matches += 1


def slope(samples: list[tuple[float, float]]) -> float:
    """What the second number grows by while the first grows by one: the line of least squares."""
    seconds, memory = zip(*samples, strict=True)
    return linear_regression(seconds, memory).slope


async def _played(server: Server, minutes: float) -> tuple[list[tuple[float, float]], list[str]]:
    """Seconds and MiB, and what went wrong."""
    samples: list[tuple[float, float]] = []
    async with httpx.AsyncClient(base_url=server.base, timeout=60) as client:
        evening = Evening(server, client)
        for at in range(TABLES):
            await evening.come(PRESETS[at % len(PRESETS)])
        began = time.monotonic()
        playing = asyncio.create_task(evening.crowd.play(RATE, 60 * minutes))
        going = asyncio.create_task(evening.go_on())
        told = 0.0
        while not playing.done() and not going.done():
            await asyncio.wait((playing, going), timeout=_SAMPLE, return_when=asyncio.FIRST_COMPLETED)
            samples.append((time.monotonic() - began, server.memory()))
            if samples[-1][0] >= told:
                told += 600.0
                acks = evening.crowd.figures.acks
                print(
                    f"  {samples[-1][0] / 60:4.0f} min: {samples[-1][1]:.1f} MiB, {evening.matches} matches, "
                    f"{len(acks)} actions, ack p99 {1000 * percentile(acks[-10000:], 0.99):.0f} ms",
                    flush=True,
                )
        for task in (playing, going):
            task.cancel()
        ended = await asyncio.gather(playing, going, return_exceptions=True)
        problems = [repr(one) for one in ended if isinstance(one, Exception)]
        problems += evening.crowd.figures.errors
        if evening.crowd.closed:
            problems.append(f"{evening.crowd.closed} lines broke")
        await evening.crowd.leave()
    return samples, problems


def growth(path: Path, rounds: int) -> list[str]:
    """P2: what memory grows by in so many minutes, once everything that is kept for a while has been."""
    server = Server.real(str(path), NOUSU_WORKERS="0")
    try:
        samples, problems = run(_played(server, rounds))
    finally:
        server.stop()
    settled = [sample for sample in samples if sample[0] >= _SETTLED]
    most = max(memory for _, memory in samples)
    if len(settled) < 10:
        print(f"  at most {most:.0f} MiB; too short to tell what it grows by")
        return problems
    grown = 3600 * slope(settled)
    print(f"  at most {most:.0f} MiB; after half an hour {grown:+.2f} MiB an hour")
    if grown > MOST_GROWTH:
        problems.append(f"memory grew by {grown:.2f} MiB an hour")
    return problems
