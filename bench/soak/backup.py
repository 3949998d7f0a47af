"""Acknowledgement (ms) beside a running backup (P17); goal: p99 within 200 ms, and each copy usable.

Users play at many tables, by turns alone and while ``nousu backup`` writes one copy after the other. Each
copy must be a beginning of the log, and a server must start from it.
"""

import asyncio
import os
import sqlite3
import sys
import time
from contextlib import closing
from itertools import count
from pathlib import Path

from bench.crowd import Measurements, seat_crowd
from bench.results import ROOT, Report
from bench.server_process import Server

TABLES = 100
RATE = 80.0
"""Actions a second at all tables."""
SECONDS = 15.0
"""Duration of each turn."""
GOAL = 200.0
"""Milliseconds for 99 of 100 acknowledgements while a backup is written."""
Copies = list[tuple[Path, float]]
"""Files, and the seconds in which each was written."""
_EVENTS = "select table_id, seq, kind, place, body, key from events order by table_id, seq"
_NUMBERS = count()
"""Numbers of the files; an unfinished file keeps its own."""


async def write_copy(database: Path, target: Path) -> float:
    """Write one backup and return the seconds that took."""
    began = time.monotonic()
    command = [sys.executable, "-m", "nousu", "backup", str(target), "--database", str(database)]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    process = await asyncio.create_subprocess_exec(
        *command, env=environment, stdout=asyncio.subprocess.DEVNULL
    )
    if await process.wait():
        raise RuntimeError("the backup failed")
    return time.monotonic() - began


async def _write_copies(database: Path, copies: Copies) -> None:
    """Write one backup after the other until cancelled."""
    while True:
        target = database.with_name(f"copy-{next(_NUMBERS)}.db")
        copies.append((target, await write_copy(database, target)))


async def _play(server: Server, database: Path, turns: int) -> tuple[Measurements, Measurements, Copies]:
    """Measurements without and beside a backup, and the copies."""
    alone, beside = Measurements(), Measurements()
    copies: Copies = []
    crowd = await seat_crowd([server], tables=TABLES, watchers=0, preset="tuppi")
    await crowd.play(RATE, 5.0)
    for _ in range(turns):
        crowd.measurements = alone
        await crowd.play(RATE, SECONDS)
        crowd.measurements = beside
        copying = asyncio.create_task(_write_copies(database, copies))
        await crowd.play(RATE, SECONDS)
        await asyncio.sleep(0.5)
        copying.cancel()
        results = await asyncio.gather(copying, return_exceptions=True)
        beside.errors += [repr(error) for error in results if isinstance(error, Exception)]
    if crowd.closed:
        beside.errors.append(f"{crowd.closed} connections broke")
    await crowd.leave()
    return alone, beside, copies


def _faults(copy: Path, log: dict[tuple[str, int], tuple[object, ...]]) -> list[str]:
    """Faults of a copy of a database whose log is this in the end."""
    with closing(sqlite3.connect(copy)) as database:
        if database.execute("pragma integrity_check").fetchall() != [("ok",)]:
            return [f"{copy.name} is no sound database"]
        rows = database.execute(_EVENTS).fetchall()
    last: dict[str, int] = {}
    for table, seq, *rest in rows:
        if seq != last.get(table, 0) + 1 or log.get((table, seq)) != tuple(rest):
            return [f"{copy.name}: event {seq} of table {table} is not the next of the log"]
        last[table] = seq
    return [] if rows else [f"{copy.name} is empty"]


def backup(path: Path, rounds: int, report: Report) -> None:
    """Play `rounds` turns alone and as many beside backups; check every copy (P17)."""
    server = Server.real(str(path), NOUSU_WORKERS="0")
    try:
        alone, beside, copies = asyncio.run(_play(server, path, rounds))
    finally:
        server.stop()
    report.problems += [*alone.errors, *beside.errors]
    with closing(sqlite3.connect(path)) as database:
        log = {(table, seq): tuple(rest) for table, seq, *rest in database.execute(_EVENTS)}
    for copy, _ in copies:
        report.problems += _faults(copy, log)
    if copies:
        Server.real(str(copies[-1][0]), NOUSU_WORKERS="0").stop()
    else:
        report.problems.append("no copy was written")
    report.add("events in the log", len(log), "events")
    report.spread("time to write a copy", [seconds for _, seconds in copies], "s")
    report.spread("acknowledgement alone", [1000 * value for value in alone.acknowledgements], "ms")
    report.spread(
        "acknowledgement beside a backup", [1000 * value for value in beside.acknowledgements], "ms", p99=GOAL
    )
