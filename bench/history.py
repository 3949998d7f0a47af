"""P5: a server that starts with a long history, and who waits how long while tables are folded."""

import asyncio
import contextlib
import os
import random
import secrets
import signal
import sqlite3
import time
from pathlib import Path
from typing import NamedTuple

import httpx

from bench._lines import Server, percentile
from nousu.games import find
from nousu.server.storage.backup import restore_backup
from nousu.server.storage.store import database_url
from nousu.server.table import commands, schedule
from nousu.server.table.events import Row, to_row
from nousu.server.table.options import TableOptions
from nousu.server.table.schedule import due_steps
from nousu.server.table.seating import join
from nousu.server.table.table import Change, Table

_PRESET = "tuppi+target=200"
_LENGTH = 2000
"""Events of a table."""
_WATCHED = 15.0
"""Seconds for which somebody asks while tables are folded."""


def events(length: int = _LENGTH) -> list[Row]:
    """So many events of a table in play, by players that choose at random."""
    rng = random.Random(7)
    table = Table.new("history", _PRESET, 4, bytes(32), TableOptions.parse({"pace": "0"}), find)
    rows: list[Row] = []
    while len(rows) < length:
        change = _next(table, rng, f"history-{len(rows):08}")
        assert isinstance(change, Change)
        rows.append(to_row(change.event, 4))
        table = change.table
    return rows


def _next(table: Table, rng: random.Random, key: str) -> Change | int:
    if table.seats.open_places():
        name = f"Person {table.seq}"
        return join(table, name, name, "", 0.0)
    if table.match is None:
        return schedule.start(table, 0.0)
    for step in due_steps(table):
        if step.what == "deal":
            return schedule.deal(table, 0.0)
        if step.what == "turn up":
            return schedule.turn_up(table, step.seat, 0.0)
    if table.between_hands:
        seat = next(seat for seat in table.seats.persons() if seat not in table.ready)
        return commands.act(table, table.seats.by_seat[seat].session, "next", 0, key, 0.0)
    seat = rng.choice(table.match.hand.owed())
    action = rng.choice(table.match.hand.legal(seat))
    return commands.act(table, table.seats.by_seat[seat].session, str(action), table.seq, key, 0.0)


def _fill(path: Path, tables: int) -> None:
    rows, now = events(), time.time()
    with sqlite3.connect(path) as database:
        for number in range(tables):
            name = f"history{number:05}"
            database.execute(
                "INSERT INTO tables (id, preset, seats, options, secret, created, over) "
                "VALUES (?, ?, 4, '{}', ?, ?, 0)",
                (name, _PRESET, bytes(32), now + number),
            )
            database.executemany(
                "INSERT INTO events (table_id, seq, kind, place, body, key, print, at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                ((name, *row, now) for row in rows),
            )
    database.close()


def _acts(server: Server) -> str:
    """Open a table and act there; the key of the action."""
    with httpx.Client(base_url=f"{server.base}/api/v1", timeout=60) as client:
        token = client.post("/session", json={"name": "Aino"}).json()["token"]
        client.headers["authorization"] = f"Bearer {token}"
        opened = client.post("/tables", json={"preset": "tuppi", "players": ["random"] * 3})
        table = f"/tables/{opened.json()['table']}"
        while True:
            now = client.get(table).json()
            if now["seat"] in now["view"]["owed"] and now["view"]["legal"]:
                body = {"act": now["view"]["legal"][0], "seq": now["seq"], "key": secrets.token_hex(8)}
                if client.post(f"{table}/actions", json=body).is_success:
                    return str(body["key"])
            time.sleep(0.01)


def history(path: Path, rounds: int, database: str = "") -> list[str]:
    """P5: so many tables of 2,000 events each: start, first action, others while tables are folded, a table
    that is not folded yet, and the end in the midst of it. With an empty `database`, postgresql://…, the
    tables are restored into that first (P17)."""
    Server.real(str(path)).stop()  # makes the file
    _fill(path, rounds)
    if database:
        began = time.monotonic()
        asyncio.run(restore_backup(database_url(database), path))
        print(f"  restored in {time.monotonic() - began:.0f} s", flush=True)
    began = time.monotonic()
    server = Server.real(database or str(path))
    try:
        listens = time.monotonic() - began
        _acts(server)
        first, cost = time.monotonic() - began, server.cpu()
        waits: list[float] = []
        with httpx.Client(base_url=server.base, timeout=60) as client:
            until = time.monotonic() + _WATCHED
            while time.monotonic() < until:
                asked = time.perf_counter()
                client.get("/api/v1/players")
                waits.append(1000 * (time.perf_counter() - asked))
                time.sleep(0.02)
            asked = time.perf_counter()
            client.get(f"/t/history{rounds - 1:05}")
            cold = time.perf_counter() - asked
        memory = server.memory()
    finally:
        ends = server.stop(signal.SIGTERM)
    print(
        f"  {rounds * _LENGTH} events; listens after {listens:.1f} s, first action {first:.1f} s "
        f"({cost:.1f} s of processor);\n"
        f"  others wait p50 {percentile(waits, 0.5):.0f}, p99 {percentile(waits, 0.99):.0f}, "
        f"at most {max(waits):.0f} ms;\n"
        f"  a table not folded yet is there in {cold:.2f} s; {memory:.0f} MiB; ends after {ends:.1f} s; "
        f"load of the machine {os.getloadavg()[0]:.1f}"
    )
    return [] if ends < 10 else [f"it took {ends:.0f} s to end"]


_TABLES = 500
_FIRST, _DRAINED = 3.0, 5.0
"""Seconds that P5 allows from the start to the first action, and from SIGTERM to the end."""


def _waited(pid: int) -> float:
    """Seconds for which the threads of a process could have run while others had the processors."""
    waited = 0
    for task in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError, IndexError):
            waited += int(task.read_text().split()[1])
    return waited / 1e9


class _Took(NamedTuple):
    """Seconds: by the clock, without what others had of the processors, and of processor."""

    clock: float
    alone: float
    cpu: float

    @classmethod
    def of(cls, clock: float, waited: float, cpu: float) -> "_Took":
        """By how long threads waited for a processor; some of them may have waited at the same time."""
        return cls(clock, max(cpu, clock - waited), cpu)


def _started(path: Path, acted: set[str]) -> tuple[Server, _Took]:
    """A server that has accepted an action."""
    began, own = time.monotonic(), _waited(os.getpid())
    server = Server.real(str(path))
    acted.add(_acts(server))
    clock = time.monotonic() - began
    others = _waited(server.pid) + _waited(os.getpid()) - own
    return server, _Took.of(clock, others, server.cpu())


def _drained(server: Server) -> _Took:
    """SIGTERM, and wait for the end."""
    cpu, before = server.cpu(), _waited(server.pid)
    began = time.monotonic()
    server.tell(signal.SIGTERM)
    waited, used = before, cpu
    while server.running:
        waited, used = max(waited, _waited(server.pid)), max(used, server.cpu())
        time.sleep(0.005)
    clock = time.monotonic() - began
    return _Took.of(clock, waited - before, used - cpu)


def restarts(path: Path, rounds: int) -> list[str]:
    """P5: the same long history is started so many times, each time without snapshots; every other time the
    server is killed while it folds, else it is told to end."""
    Server.real(str(path)).stop()  # makes the file
    _fill(path, min(_TABLES, 10 * rounds))
    acted: set[str] = set()
    starts: list[_Took] = []
    ends: list[_Took] = []
    for number in range(rounds):
        with sqlite3.connect(path) as database:
            database.execute("DELETE FROM snapshots")
        database.close()
        server, took = _started(path, acted)
        starts.append(took)
        try:
            time.sleep(random.Random(number).uniform(0.0, 1.0))
            if number % 2:
                ends.append(_drained(server))
        finally:
            server.stop(signal.SIGKILL)
    with sqlite3.connect(path) as database:
        keys = {key for (key,) in database.execute("select key from events where key is not null")}
    database.close()
    problems = [f"{key} was acknowledged and is lost" for key in acted - keys]
    for what, found, most in (("first action", starts, _FIRST), ("end after SIGTERM", ends, _DRAINED)):
        for name, times in zip(_Took._fields, zip(*found, strict=True), strict=True):
            p50 = percentile(list(times), 0.5)
            print(f"  {what}, {name}: p50 {p50:.2f}, at most {max(times):.2f} s ({len(times)} times)")
        slow = max((one.alone for one in found), default=0.0)
        if slow > most:
            problems.append(f"{what} took {slow:.1f} s without what others had of the processors")
    print(f"  load of the machine {os.getloadavg()[0]:.1f}")
    return problems
