"""Acknowledgement (ms) beside hostile visitors of tournaments (P23); goal: people's p99 within 100.

People play by turns alone and beside twenty visitors who have begun two tournaments of 600 people and ask for
their largest pages without a pause; every second something is entered, so that each page is made anew.
Addresses are not counted, so this is more than one address may do.
"""

import asyncio
import itertools
import random
from pathlib import Path

import httpx

from bench.crowd import Crowd, Measurements, seat_crowd
from bench.page_client import run
from bench.results import Report, percentile
from bench.server_process import Server
from bench.tournament_load import planned_tournament
from nousu.tournament.office import MOST_PEOPLE

VISITORS = 20
EVENTS = ("one", "two")
PAGES = (
    *("standings", "board", "people", "door", "beamer", "paper", "draw", "plan", "log", "links"),
    "file/xlsx",
)
TABLES, RATE = 20, 20.0
"""Tables of people, and their actions a second together."""
SECONDS = 15.0
"""Duration of each turn."""
ACKNOWLEDGED = 100.0


async def _visit(server: Server, event: str, secret: str, number: int, answered: list[int]) -> None:
    """Ask for one page after the other until cancelled; the first visitors enter something every second."""
    address = f"{server.base}/tournament/{event}"
    rng, loop = random.Random(number), asyncio.get_running_loop()
    async with httpx.AsyncClient(timeout=60, headers={"origin": server.base}) as client:
        await client.get(f"{address}/in/{secret}")
        entered = loop.time()
        for minute in itertools.count():
            if number < len(EVENTS) and loop.time() - entered > 1:
                entered = loop.time()
                await client.post(f"{address}/starts", data={"round": "1", "time": f"20:{minute % 60:02}"})
            answered.append((await client.get(f"{address}/{rng.choice(PAGES)}")).status_code)


async def _play(server: Server, secrets: dict[str, str], rounds: int, report: Report) -> None:
    crowd: Crowd = await seat_crowd([server], tables=TABLES, watchers=TABLES, preset="tuppi")
    alone, beside, answered = Measurements(), Measurements(), list[int]()
    await crowd.play(RATE, 3.0)
    for _ in range(rounds):
        crowd.measurements = alone
        await crowd.play(RATE, SECONDS)
        visits = [
            asyncio.create_task(_visit(server, event, secrets[event], number, answered))
            for number, event in zip(range(VISITORS), itertools.cycle(EVENTS), strict=False)
        ]
        await asyncio.sleep(2)
        crowd.measurements = beside
        await crowd.play(RATE, SECONDS)
        for visit in visits:
            visit.cancel()
        ended = await asyncio.gather(*visits, return_exceptions=True)
        beside.errors += [repr(error) for error in ended if isinstance(error, Exception)]
        await asyncio.sleep(2)
    await crowd.leave()
    report.problems += [*alone.errors, *beside.errors]
    usual = 1000 * percentile(alone.acknowledgements, 0.99)
    late = 1000 * percentile(beside.acknowledgements, 0.99)
    report.add("acknowledgement alone p99", usual, "ms", n=len(alone.acknowledgements))
    figure = "acknowledgement beside hostile visitors p99"
    report.add(figure, late, "ms", n=len(beside.acknowledgements), at_most=ACKNOWLEDGED)
    report.add("ratio of the two", late / usual, "")
    report.add("pages of hostile visitors", len(answered) / (rounds * SECONDS), "pages/s")
    if failed := [status for status in answered if status >= 500 and status != 503]:
        report.problems.append(f"{len(failed)} pages failed, with {failed[0]}")


def hostile(path: Path, rounds: int, report: Report) -> None:
    """Play `rounds` turns alone and beside hostile visitors (P23)."""
    folder = path.parent / "tournaments"
    folder.mkdir()
    secrets = {event: planned_tournament(folder / f"{event}.nousu", MOST_PEOPLE)[1] for event in EVENTS}
    server = Server.real(str(path))
    try:
        run(_play(server, secrets, rounds, report))
    finally:
        server.stop()
