"""Kills of the server (P3, P5) and broken connections (P6) at random moments of play; goal: no loss."""

import asyncio
import random
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from bench.crowd import seat_crowd
from bench.page_client import Connection, Page, connect, parse_message, shows_table
from bench.results import Report
from bench.server_process import Server

_Receiver = Callable[[Connection, bytes, float], None]


def _count_keys(path: Path) -> dict[str, int]:
    """Number of events by key.

    Raises:
        AssertionError: Numbers of events are missing.
    """
    with closing(sqlite3.connect(path)) as database:
        counts = dict(database.execute("select key, count(*) from events where key is not null group by key"))
        gaps = database.execute("select table_id from events group by table_id having max(seq) <> count(*)")
        assert gaps.fetchall() == [], "numbers are missing"
    return counts


def kills(path: Path, rounds: int, report: Report) -> None:
    """Kill the server at a random moment of play, `rounds` times (P3, P5).

    Every acknowledged action must be in the log once.
    """
    rng = random.Random(1)
    acknowledged: set[str] = set()
    starts: list[float] = []

    async def play(server: Server, number: int, began: float) -> None:
        crowd = await seat_crowd([server], tables=4, watchers=0, preset="tuppi")
        crowd.number = number * 1_000_000  # keys of their own for every round
        first = asyncio.Event()

        def recorder(own: _Receiver) -> _Receiver:
            def receive(connection: Connection, text: bytes, now: float) -> None:
                if key := parse_message(text).get("ok"):
                    acknowledged.add(key)
                    first.set()
                own(connection, text, now)

            return receive

        for table in crowd.tables:
            for seat in table.seats:
                if seat.connection is not None:
                    seat.connection.on_text = recorder(seat.receive)
        playing = asyncio.create_task(crowd.play(80, 30))
        await asyncio.wait_for(first.wait(), 30)
        starts.append(time.monotonic() - began)
        await asyncio.sleep(rng.uniform(0.1, 1.5))
        server.send_signal(signal.SIGKILL)
        await asyncio.sleep(0.2)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await crowd.leave()

    for number in range(rounds):
        began = time.monotonic()
        server = Server.real(str(path), NOUSU_WORKERS="0")
        try:
            asyncio.run(play(server, number, began))
        finally:
            server.stop(signal.SIGKILL)
    counts = _count_keys(path)
    lost = acknowledged - counts.keys()
    report.problems += [f"{key} was acknowledged and is lost" for key in lost]
    report.problems += [f"{key}: {count} events" for key, count in counts.items() if count != 1]
    report.add("acknowledged actions lost", len(lost), "actions", n=len(acknowledged), at_most=0)
    report.spread("start, seating and first action", starts, "s")


def cuts(path: Path, rounds: int, report: Report) -> None:
    """Break live connections off at random moments of play, `rounds` times (P6).

    A new connection must be sent the whole page, and no page may be older than the one before.
    """
    times: list[float] = []
    rng = random.Random(3)
    server = Server.real(str(path), NOUSU_WORKERS="0")

    async def reconnect(name: str, least: int) -> tuple[Connection, Page]:
        page, shown = Page(), asyncio.Event()

        def receive(_: Connection, text: bytes, now: float) -> None:
            message = parse_message(text)
            if shows_table(message):
                if not page.seq and "view" not in message:
                    report.problems.append("a new connection was sent a part of a page")
                if message["seq"] < max(page.seq, least):
                    report.problems.append(f"page {message['seq']} after {max(page.seq, least)}")
                page.update(message)
                shown.set()

        connection = await connect(server.host, server.port, f"/t/{name}/live", "", receive)
        await asyncio.wait_for(shown.wait(), 30)
        return connection, page

    async def play() -> None:
        crowd = await seat_crowd([server], tables=8, watchers=0, preset="tuppi")
        playing = asyncio.create_task(crowd.play(40, 3600))
        viewers = {table.name: await reconnect(table.name, 0) for table in crowd.tables}
        for _ in range(rounds):
            name = rng.choice(list(viewers))
            connection, page = viewers[name]
            await asyncio.sleep(rng.uniform(0, 0.02))
            connection.abort()
            began = time.perf_counter()
            viewers[name] = await reconnect(name, page.seq)
            times.append(time.perf_counter() - began)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        report.problems += crowd.measurements.errors
        for connection, _ in viewers.values():
            connection.abort()
        await crowd.leave()

    try:
        asyncio.run(play())
    finally:
        server.stop()
    report.spread("time until the page is live again", [1000 * value for value in times], "ms")
