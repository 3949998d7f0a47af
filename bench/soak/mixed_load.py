"""A mixed load (ms): goals are people's acknowledgement p99 within 100 and phones' p99 within 200.

200 tables of people, 50 phones that follow a tournament in which slips are entered, 20 reviews at a time,
30 searching players at tables of one person each, and a backup, on one server. A round is ten minutes, or as
many as NOUSU_MIXED_MINUTES says; 48 of them are a working day.
"""

import asyncio
import os
import random
import time
from pathlib import Path

import httpx

from bench.crowd import Measurements, create_sessions, seat_crowd
from bench.load import finish_match
from bench.page_client import run
from bench.results import Report, percentile
from bench.server_process import Server
from bench.soak.backup import write_copy
from bench.soak.memory_growth import GOAL, PRESETS, Evening, slope
from bench.tournament_load import Reader, planned_tournament
from nousu.tournament.links import key_of, shown_link
from nousu.tournament.office import Office

TABLES = 200
RATE = 60.0
"""Actions a second at all tables of people."""
PHONES = 50
REVIEWS = 20
THINKING = 10
"""Tables of one person and three searching players."""
MINUTES_OF_ROUND = float(os.environ.get("NOUSU_MIXED_MINUTES", "10"))
ACKNOWLEDGED, SHOWN = 100.0, 200.0
_SLIP = 5.0
"""Seconds between two slips."""


async def _ask(client: httpx.AsyncClient, address: str, seat: int, times: list[float]) -> None:
    began = time.perf_counter()
    (await client.get(address, params={"seat": seat, "full": ""})).raise_for_status()
    times.append(time.perf_counter() - began)


async def _review(server: Server, times: list[float]) -> None:
    """Ask for many reviews of a finished match at a time, again and again, until cancelled."""
    while True:
        table, hands = await finish_match(server)
        addresses = [(f"/t/{table}/review/{hand}", seat) for hand in range(1, hands + 1) for seat in range(4)]
        async with httpx.AsyncClient(base_url=server.base, timeout=600) as client:
            await asyncio.gather(*(_ask(client, *asked, times) for asked in addresses[:REVIEWS]))


async def _think(server: Server, waits: list[float]) -> None:
    """Play at tables with searching players, at new ones every ten minutes, until cancelled."""
    while True:
        company = await seat_crowd([server], THINKING, 0, "tuppi", "searcher")
        try:
            await company.play(1000.0, 600.0)
        finally:
            waits += company.measurements.waits
            await company.leave()


async def _direct(address: str, office: Office, secret: str) -> None:
    """Enter and correct slips until cancelled."""
    state, rng = office.open().tournament, random.Random(1)
    async with httpx.AsyncClient(timeout=60) as ellen:
        await ellen.get(f"{address}/in/{secret}")
        origin = {"origin": address.partition("/tournament")[0]}
        for table, seats in state.tables():
            for _ in range(2):  # the points of a slip count after the second entry
                places = [str(place + 1) for place in range(len(seats))]
                rng.shuffle(places)
                fields = {f"g{game}-{at}": place for game in (1, 2) for at, place in enumerate(places)}
                await ellen.post(f"{address}/slip/{table}", data=fields, headers=origin)
                await asyncio.sleep(_SLIP)
        while True:
            await ellen.post(f"{address}/starts", data={"round": "1", "time": "19:45"}, headers=origin)
            await asyncio.sleep(_SLIP)


async def _play(
    server: Server, folder: Path, rounds: int, office: Office, secret: str, report: Report
) -> None:
    address = f"{server.base}/tournament/evening"
    link = shown_link(office.open().tournament, "read")
    assert link is not None
    phones = [Reader(address, key_of(link), "/standings", 1.0) for _ in range(PHONES)]
    reviews: list[float] = []
    waits: list[float] = []
    samples: list[tuple[float, float]] = []
    async with httpx.AsyncClient(base_url=server.base, timeout=60) as client:
        evening = Evening(server, client)
        for at in range(TABLES):
            await evening.seat(PRESETS[at % len(PRESETS)], await create_sessions(client, 4))
        works = (
            *(phone.follow() for phone in phones),
            _direct(address, office, secret),
            _review(server, reviews),
            _think(server, waits),
            evening.replace_finished(),
        )
        beside = [asyncio.create_task(work) for work in works]
        await evening.crowd.play(RATE, 10.0)
        began = time.monotonic()
        for number in range(rounds):
            evening.crowd.measurements = Measurements()
            copying = asyncio.create_task(write_copy(folder / "nousu.db", folder / f"copy-{number}.db"))
            await evening.crowd.play(RATE, 60 * MINUTES_OF_ROUND)
            await copying
            (folder / f"copy-{number}.db").unlink()
            samples.append((time.monotonic() - began, server.memory()))
            acknowledged = [1000 * value for value in evening.crowd.measurements.acknowledgements]
            report.problems += evening.crowd.measurements.errors
            minutes, memory = samples[-1][0] / 60, samples[-1][1]
            late = percentile(acknowledged, 0.99)
            print(
                f"  {minutes:4.0f} min: {memory:.0f} MiB, {len(acknowledged)} actions, p99 {late:.0f} ms",
                flush=True,
            )
        for task in beside:
            task.cancel()
        ended = await asyncio.gather(*beside, return_exceptions=True)
        report.problems += [repr(error) for error in ended if isinstance(error, Exception)]
        if evening.crowd.closed:
            report.problems.append(f"{evening.crowd.closed} connections broke")
        await evening.crowd.leave()
    shown = [1000 * seconds for phone in phones for seconds in phone.durations]
    report.spread("mixed load, acknowledgement to people", acknowledged, "ms", p99=ACKNOWLEDGED)
    report.spread("mixed load, standings on a phone", shown, "ms", p99=SHOWN)
    report.spread("mixed load, review", reviews, "s")
    report.spread("mixed load, move of a searching player", waits, "s")
    report.add("mixed load, memory", max(memory for _, memory in samples), "MiB")
    if len(samples) >= 12:
        report.add("mixed load, growth", 3600 * slope(samples[3:]), "MiB/h", n=len(samples), at_most=GOAL)


def mixed(path: Path, rounds: int, report: Report) -> None:
    """Run all loads at once for so many rounds (P19, P23)."""
    (path.parent / "tournaments").mkdir()
    office, secret = planned_tournament(path.parent / "tournaments" / "evening.nousu")
    server = Server.real(str(path), NOUSU_WORKERS="1")
    try:
        run(_play(server, path.parent, rounds, office, secret, report))
    finally:
        server.stop()
