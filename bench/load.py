"""Latency and processor time (ms) under load; goals: acknowledged within 15 ms (p50) and 100 ms (p99).

``python -m bench.load --tables 500 --watchers 500 --rate 250 --seconds 600`` is promise P1. Users and server
speak WebSocket and HTTP over loopback. A baseline server, which stores and pushes as much without any rules,
runs first. With ``--reviews`` the hands of a finished match are reviewed meanwhile (P19). Exit code 1 if an
action was refused without reason or not shown to a viewer.
"""

import argparse
import asyncio
import contextlib
import gc
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence

import httpx

from bench.crowd import Crowd, Measurements, Table, action_body, open_table, seat_crowd
from bench.page_client import run
from bench.results import Report, options, parse
from bench.server_process import Server, exit_on_sigterm, raise_file_limit


def _processor_speed() -> float:
    """Seconds of processor time for a fixed piece of work of some five milliseconds.

    Where other machines share the processor, this varies from moment to moment, and so do all figures.
    """
    began = time.thread_time()
    sum(number * number for number in range(50_000))
    return time.thread_time() - began


async def _seat_at_baseline(server: Server, tables: int, watchers: int) -> Crowd:
    crowd = Crowd()
    for number in range(tables):
        table = Table(crowd, str(number))
        crowd.tables.append(table)
        for at in range(4 + watchers // tables + (number < watchers % tables)):
            await crowd.enter(server, table, "", plays=at < 4)
    return crowd


async def measure(
    crowd: Crowd,
    servers: Sequence[Server],
    rate: float,
    seconds: float,
    report: Report,
    name: str,
    company: Crowd | None = None,
) -> None:
    """Let a crowd play and report latency and cost; the first seconds are not counted.

    Args:
        crowd: The users that are measured.
        servers: The processes whose processor time and memory count.
        rate: Actions a second.
        seconds: Duration.
        report: Receives the figures and the errors.
        name: Beginning of the figures' names.
        company: Users at tables with computer players, who act as soon as they may.
    """
    gc.freeze()  # objects made so far are not searched for garbage again
    beside = asyncio.create_task(company.play(1000.0, 3600.0)) if company is not None else None
    await crowd.play(rate, min(5.0, seconds / 4))
    await asyncio.sleep(0.5)
    crowd.measurements = measurements = Measurements()
    if company is not None:
        company.measurements = Measurements()
    cpu, own, began = sum(server.cpu() for server in servers), time.process_time(), time.perf_counter()
    memory, speeds = 0.0, [_processor_speed()]
    playing = asyncio.create_task(crowd.play(rate, seconds))
    while not playing.done():
        await asyncio.wait((playing,), timeout=1)
        memory = max(memory, *(server.memory() for server in servers))
        speeds.append(_processor_speed())
    duration = time.perf_counter() - began
    cpu, own = sum(server.cpu() for server in servers) - cpu, time.process_time() - own
    for _ in range(200):  # on a busy machine pages are late, not lost
        if not crowd.missing_pages:
            break
        await asyncio.sleep(0.1)
    if beside is not None:
        beside.cancel()
        await asyncio.gather(beside, return_exceptions=True)
    if missing := crowd.missing_pages:
        measurements.errors.append(f"{missing} pages never came")
    _report_latency(crowd, report, name, duration)
    actions = len(measurements.acknowledgements)
    report.add(f"{name} processor time of the server an action", 1000 * cpu / max(1, actions), "ms")
    report.add(f"{name} processor time of the server", 100 * cpu / duration, "% of a core")
    report.add(f"{name} processor time of the driver", 100 * own / duration, "% of a core")
    report.add(f"{name} memory of one process", memory, "MiB")
    for which, spent in (("mean", sum(speeds) / len(speeds)), ("worst", max(speeds))):
        report.add(f"{name} {which} speed of the driver's core", 100 * min(speeds) / spent, "% of its best")
    print(
        f"  {measurements.stale} stale, {len(measurements.errors)} errors, "
        f"{crowd.closed} connections broken, {measurements.unsent} actions not sent as nobody was on turn; "
        f"load of the machine {os.getloadavg()[0]:.1f}",
        flush=True,
    )
    if company is not None:
        report.spread("move of a computer player", [1000 * wait for wait in company.measurements.waits], "ms")
        measurements.errors += company.measurements.errors
    report.problems += measurements.errors


def _report_latency(crowd: Crowd, report: Report, name: str, seconds: float) -> None:
    """Report the actions of a crowd in so many seconds, and the times of its pages."""
    measurements = crowd.measurements
    actions = len(measurements.acknowledgements)
    report.add(f"{name} durable actions", actions / seconds, "1/s", n=actions)
    for what, times in (
        ("acknowledgement", measurements.acknowledgements),
        ("push to players", measurements.player_pushes),
        ("push to watchers", measurements.watcher_pushes),
    ):
        report.spread(f"{name} {what}", [1000 * value for value in times], "ms")


async def finish_match(server: Server) -> tuple[str, int]:
    """Play a match of one user and three computer players; return its table and the number of its hands."""
    async with httpx.AsyncClient(base_url=server.base, timeout=60) as client:
        token = (await client.post("/api/v1/session", json={"name": "P"})).json()["token"]
        client.headers["authorization"] = f"Bearer {token}"
        name = await open_table(client, "minnesota+target=9", [token], "rules")
        while True:
            state = (await client.get(f"/api/v1/tables/{name}")).json()
            if state["over"]:
                return name, len(state["hands"])
            if state["waiting"] and state["seat"] not in state["ready"]:
                await client.post(f"/api/v1/tables/{name}/next", json={"key": f"next-{state['seq']:06}"})
            elif state["seat"] in state["view"]["owed"]:
                body = action_body(state["view"]["legal"][0], state["seq"])
                body["key"] = f"act-{state['seq']:06}"
                await client.post(f"/api/v1/tables/{name}/actions", json=body)
            else:
                await asyncio.sleep(0.02)


async def _review_match(server: Server, table: str, hands: int, times: list[float]) -> None:
    """Request one full review after the other and append the seconds that each took."""
    async with httpx.AsyncClient(base_url=server.base, timeout=300) as client:
        for hand in range(1, hands + 1):
            for seat in range(4):
                began = time.perf_counter()
                answer = await client.get(f"/t/{table}/review/{hand}", params={"seat": seat, "full": ""})
                answer.raise_for_status()
                times.append(time.perf_counter() - began)


@contextlib.contextmanager
def _on_cores(cores: list[int]) -> Iterator[None]:
    """Start programs on these cores only."""
    own = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, own)


def main(words: Sequence[str] = ()) -> bool:
    """Measure the baseline server and Nousu's; return whether there was an error."""
    parser = options("load", __doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--watchers", type=int, default=20)
    parser.add_argument("--rate", type=float, default=25.0, help="actions a second, over all tables")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--preset", default="tuppi")
    parser.add_argument("--database", default="", help="postgresql://…; a fresh file otherwise")
    parser.add_argument("--servers", type=int, default=1, help="processes that share a PostgreSQL")
    parser.add_argument("--thinking", type=int, default=0, help="more tables, of one user and computers")
    parser.add_argument("--player", default="searcher", help="which computers play there")
    parser.add_argument("--reviews", action="store_true", help="review a finished match meanwhile")
    parser.add_argument("--no-bare", action="store_true", help="leave the baseline server out")
    parser.add_argument("--cores", type=int, default=0, help="servers on so many cores, the driver on others")
    arguments, report = parse(parser, words)
    cores = sorted(os.sched_getaffinity(0))
    if not 0 <= arguments.cores < len(cores):
        parser.error(f"--cores {arguments.cores}: this machine has {len(cores)}, and the driver needs one")
    raise_file_limit(8192)
    players = 4 * arguments.tables
    print(f"{arguments.tables} tables, {players} players, {arguments.watchers} watchers", flush=True)
    server_cores = cores[: arguments.cores] or cores
    os.sched_setaffinity(0, cores[arguments.cores :])
    with tempfile.TemporaryDirectory() as folder:
        if not arguments.no_bare:
            with _on_cores(server_cores):
                server = Server(["-m", "bench.baseline_server", f"{folder}/baseline.db"])
            try:
                run(_measure_baseline(server, arguments, report))
            finally:
                server.stop()
        database = arguments.database or f"{folder}/nousu.db"
        with _on_cores(server_cores):
            servers = [Server.real(database) for _ in range(arguments.servers)]
        try:
            run(_measure_nousu(servers, arguments, report))
        finally:
            for server in servers:
                server.stop()
    for problem in report.problems[:3]:
        print(f"  error: {problem}")
    return bool(report.problems)


async def _measure_baseline(server: Server, arguments: argparse.Namespace, report: Report) -> None:
    crowd = await _seat_at_baseline(server, arguments.tables, arguments.watchers)
    await measure(crowd, [server], arguments.rate, min(arguments.seconds, 30.0), report, "baseline,")
    await crowd.leave()


async def _measure_nousu(servers: list[Server], arguments: argparse.Namespace, report: Report) -> None:
    report.add("nousu, idle memory of one process", max(server.memory() for server in servers), "MiB")
    began = time.perf_counter()
    crowd = await seat_crowd(servers, arguments.tables, arguments.watchers, arguments.preset)
    report.add("nousu, time to seat everybody", time.perf_counter() - began, "s")
    company = None
    if arguments.thinking:
        company = await seat_crowd(servers, arguments.thinking, 0, arguments.preset, arguments.player)
    times: list[float] = []
    reviews = None
    if arguments.reviews:
        reviews = asyncio.create_task(_review_match(servers[0], *await finish_match(servers[0]), times))
    await measure(crowd, servers, arguments.rate, arguments.seconds, report, "nousu,", company)
    if reviews is not None:
        if reviews.done():
            reviews.result()  # raises the exception that ended it
        reviews.cancel()
        report.add("slowest full review", max(times, default=0.0), "s", n=len(times))
    await crowd.leave()
    if company is not None:
        await company.leave()


if __name__ == "__main__":
    exit_on_sigterm()
    sys.exit(main(sys.argv[1:]))
