"""Start (s) and stop (s) of a server with a long history (P5); goals: first action in 3 s, end in 5 s."""

import asyncio
import os
import random
import secrets
import signal
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import httpx

from bench.results import Report
from bench.server_process import Server
from nousu.games import find
from nousu.server.storage.backup import restore_backup
from nousu.server.storage.store import database_url
from nousu.server.table import commands, schedule
from nousu.server.table.events import EventRow, to_row
from nousu.server.table.options import TableOptions
from nousu.server.table.schedule import due_steps
from nousu.server.table.seating import join
from nousu.server.table.table import Change, Table

FIRST_ACTION, END = 3.0, 5.0
"""Seconds allowed from the start to the first action, and from SIGTERM to the end."""
_PRESET = "tuppi+target=200"
_LENGTH = 2000
"""Events of a table."""
_TABLES = 500
"""Tables of `restarts`, where there are rounds enough."""
_WATCHED = 15.0
"""Seconds for which requests are sent while tables are loaded."""


def events(length: int = _LENGTH) -> list[EventRow]:
    """Make so many events of a table in play, by players that choose at random."""
    rng = random.Random(7)
    table = Table.new("history", _PRESET, 4, bytes(32), TableOptions.parse({"pace": "0"}), find)
    rows: list[EventRow] = []
    while len(rows) < length:
        change = _next_change(table, rng, f"history-{len(rows):08}")
        assert isinstance(change, Change)
        rows.append(to_row(change.event, 4))
        table = change.table
    return rows


def _next_change(table: Table, rng: random.Random, key: str) -> Change | int:
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


def _make_database(path: Path, tables: int) -> None:
    """Make a database file of so many tables with the same events each."""
    Server.real(str(path)).stop()  # makes the schema
    rows, now = events(), time.time()
    with closing(sqlite3.connect(path)) as database:
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
        database.commit()


def _act_once(server: Server) -> str:
    """Open a table and act there; return the key of the action."""
    with httpx.Client(base_url=f"{server.base}/api/v1", timeout=60) as client:
        token = client.post("/session", json={"name": "Aino"}).json()["token"]
        client.headers["authorization"] = f"Bearer {token}"
        answer = client.post("/tables", json={"preset": "tuppi", "players": ["random"] * 3})
        table = f"/tables/{answer.json()['table']}"
        while True:
            state = client.get(table).json()
            if state["seat"] in state["view"]["owed"] and state["view"]["legal"]:
                body = {"act": state["view"]["legal"][0], "seq": state["seq"], "key": secrets.token_hex(8)}
                if client.post(f"{table}/actions", json=body).is_success:
                    return str(body["key"])
            time.sleep(0.01)


def history(path: Path, rounds: int, report: Report, database: str = "") -> None:
    """Start and stop a server with `rounds` tables of 2,000 events each, and send requests meanwhile (P5).

    Args:
        path: The database file to make.
        rounds: Number of tables.
        report: Receives the figures.
        database: An empty ``postgresql://…`` into which the tables are restored first (P17).
    """
    _make_database(path, rounds)
    if database:
        began = time.monotonic()
        asyncio.run(restore_backup(database_url(database), path))
        report.add("time to restore", time.monotonic() - began, "s", n=rounds * _LENGTH)
    began = time.monotonic()
    server = Server.real(database or str(path))
    try:
        listening = time.monotonic() - began
        _act_once(server)
        first_action, cpu = time.monotonic() - began, server.cpu()
        waits: list[float] = []
        with httpx.Client(base_url=server.base, timeout=60) as client:
            until = time.monotonic() + _WATCHED
            while time.monotonic() < until:
                sent = time.perf_counter()
                client.get("/api/v1/players")
                waits.append(1000 * (time.perf_counter() - sent))
                time.sleep(0.02)
            sent = time.perf_counter()
            client.get(f"/t/history{rounds - 1:05}")
            unloaded = time.perf_counter() - sent
        memory = server.memory()
    finally:
        end = server.stop(signal.SIGTERM)
    report.add("time until the server listens", listening, "s", n=rounds * _LENGTH)
    report.add("time until the first action", first_action, "s")
    report.add("processor time until the first action", cpu, "s")
    report.spread("request while tables are loaded", waits, "ms")
    report.add("request for a table that is not loaded", unloaded, "s")
    report.add("memory", memory, "MiB")
    report.add("time to end", end, "s", at_most=10)


class _Duration(NamedTuple):
    """Seconds by the clock, without waiting for a processor, and of processor time."""

    clock: float
    undisturbed: float
    cpu: float

    @classmethod
    def of(cls, clock: float, waited: float, cpu: float) -> "_Duration":
        """Subtract the time for which threads waited for a processor; several may have waited at once."""
        return cls(clock, max(cpu, clock - waited), cpu)


def _processor_wait(pid: int) -> float:
    """Seconds for which the threads of a process were ready to run and had no processor."""
    waited = 0
    for task in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with suppress(OSError, IndexError):
            waited += int(task.read_text().split()[1])
    return waited / 1e9


def _start(path: Path, acknowledged: set[str]) -> tuple[Server, _Duration]:
    """Start a server and wait for its first action."""
    began, own = time.monotonic(), _processor_wait(os.getpid())
    server = Server.real(str(path))
    acknowledged.add(_act_once(server))
    clock = time.monotonic() - began
    waited = _processor_wait(server.pid) + _processor_wait(os.getpid()) - own
    return server, _Duration.of(clock, waited, server.cpu())


def _terminate(server: Server) -> _Duration:
    """Send SIGTERM and wait for the end."""
    cpu, before = server.cpu(), _processor_wait(server.pid)
    began = time.monotonic()
    server.send_signal(signal.SIGTERM)
    waited, used = before, cpu
    while server.running:
        waited, used = max(waited, _processor_wait(server.pid)), max(used, server.cpu())
        time.sleep(0.005)
    return _Duration.of(time.monotonic() - began, waited - before, used - cpu)


def restarts(path: Path, rounds: int, report: Report) -> None:
    """Start a long history `rounds` times without snapshots; end by SIGTERM and SIGKILL in turn (P5)."""
    _make_database(path, min(_TABLES, 10 * rounds))
    acknowledged: set[str] = set()
    starts: list[_Duration] = []
    ends: list[_Duration] = []
    for number in range(rounds):
        with closing(sqlite3.connect(path)) as database:
            database.execute("DELETE FROM snapshots")
            database.commit()
        server, duration = _start(path, acknowledged)
        starts.append(duration)
        try:
            time.sleep(random.Random(number).uniform(0.0, 1.0))
            if number % 2:
                ends.append(_terminate(server))
        finally:
            server.stop(signal.SIGKILL)
    with closing(sqlite3.connect(path)) as database:
        keys = {key for (key,) in database.execute("select key from events where key is not null")}
    report.problems += [f"{key} was acknowledged and is lost" for key in acknowledged - keys]
    for what, durations, goal in (("first action", starts, FIRST_ACTION), ("end after SIGTERM", ends, END)):
        report.spread(f"{what}, by the clock", [duration.clock for duration in durations], "s")
        report.spread(
            f"{what}, without waiting for a processor",
            [duration.undisturbed for duration in durations],
            "s",
            max=goal,
        )
        report.spread(f"{what}, processor time", [duration.cpu for duration in durations], "s")
