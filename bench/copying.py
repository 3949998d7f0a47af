"""Whether people notice a backup: ``python -m bench.soak backup`` (P17).

People play at many tables, by turns alone and while ``nousu backup`` writes one copy after the other. Each
copy must be what was on disk at one moment, and open.
"""

import asyncio
import os
import sqlite3
import sys
import time
from contextlib import closing
from itertools import count
from pathlib import Path

from bench._lines import ROOT, Server, percentile
from bench.load import Figures, seated

TABLES = 100
RATE = 80.0
"""Actions a second of those who play."""
SECONDS = 15.0
"""How long each turn takes."""
MOST = 0.2
"""Seconds within which 99 of 100 actions are acknowledged while a backup is written, by P17."""
Copies = list[tuple[Path, float]]
"""Files, and the seconds in which each was written."""
_EVENTS = "select table_id, seq, kind, place, body, key from events order by table_id, seq"
_NUMBERS = count()
"""Of files; one that was broken off keeps its own."""


async def _copied(database: Path, target: Path) -> float:
    """Write one copy; the seconds that took."""
    began = time.monotonic()
    command = [sys.executable, "-m", "nousu", "backup", str(target), "--database", str(database)]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = await asyncio.create_subprocess_exec(*command, env=environment, stdout=asyncio.subprocess.DEVNULL)
    if await done.wait():
        raise RuntimeError("the backup failed")
    return time.monotonic() - began


async def _copying(database: Path, copies: Copies) -> None:
    """Write one copy after the other, until this is cancelled."""
    while True:
        target = database.with_name(f"copy-{next(_NUMBERS)}.db")
        copies.append((target, await _copied(database, target)))


async def played(server: Server, database: Path, turns: int) -> tuple[Figures, Figures, Copies]:
    """What people met alone and beside a backup, and the copies."""
    alone, beside = Figures(), Figures()
    copies: Copies = []
    crowd = await seated([server], tables=TABLES, watchers=0, preset="tuppi")
    await crowd.play(RATE, 5.0)
    for _ in range(turns):
        crowd.figures = alone
        await crowd.play(RATE, SECONDS)
        crowd.figures = beside
        copying = asyncio.create_task(_copying(database, copies))
        await crowd.play(RATE, SECONDS)
        await asyncio.sleep(0.5)
        copying.cancel()
        found = await asyncio.gather(copying, return_exceptions=True)
        beside.errors += [repr(one) for one in found if isinstance(one, Exception)]
    if crowd.closed:
        beside.errors.append(f"{crowd.closed} lines broke")
    await crowd.leave()
    return alone, beside, copies


def _wrong(copy: Path, whole: dict[tuple[str, int], tuple[object, ...]]) -> list[str]:
    """What is wrong with a copy, where that is the log in the end."""
    with closing(sqlite3.connect(copy)) as database:
        if database.execute("pragma integrity_check").fetchall() != [("ok",)]:
            return [f"{copy.name} is no sound database"]
        rows = database.execute(_EVENTS).fetchall()
    last: dict[str, int] = {}
    for table, seq, *rest in rows:
        if seq != last.get(table, 0) + 1 or whole.get((table, seq)) != tuple(rest):
            return [f"{copy.name}: event {seq} of table {table} is not the next of the log"]
        last[table] = seq
    return [] if rows else [f"{copy.name} is empty"]


def backup(path: Path, rounds: int) -> list[str]:
    """P17: others' times while copies are written; each copy is a beginning of the log, and opens."""
    server = Server.real(str(path), NOUSU_WORKERS="0")
    try:
        alone, beside, copies = asyncio.run(played(server, path, rounds))
    finally:
        server.stop()
    problems = [*alone.errors, *beside.errors]
    with closing(sqlite3.connect(path)) as database:
        whole = {(table, seq): tuple(rest) for table, seq, *rest in database.execute(_EVENTS)}
    for copy, _ in copies:
        problems += _wrong(copy, whole)
    if copies:  # the last one is served
        again = Server.real(str(copies[-1][0]), NOUSU_WORKERS="0")
        again.stop()
    else:
        problems.append("no copy was written")
    each = percentile([took for _, took in copies], 0.5)
    ack = [1000 * percentile(figures.acks, share) for figures in (alone, beside) for share in (0.5, 0.99)]
    print(
        f"  {len(copies)} copies of up to {len(whole)} events, each in {each:.1f} s\n"
        f"  ack alone p50 {ack[0]:.1f} p99 {ack[1]:.1f} ms ({len(alone.acks)}), "
        f"beside p50 {ack[2]:.1f} p99 {ack[3]:.1f} ms ({len(beside.acks)}); "
        f"load of the machine {os.getloadavg()[0]:.1f}"
    )
    if ack[3] > 1000 * MOST:
        problems.append(f"acknowledgement took {ack[3]:.0f} ms beside a backup (p99)")
    return problems
