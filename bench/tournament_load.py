"""Delay of tournament pages while slips come in; goals: standings within 200 ms (p99), projector within 2 s.

Helpers enter the slips of a tournament of 31 people at a server of its own over loopback. Forty phones, each
with a connection of its own, follow the event stream and request the standings after each event, as their
pages do; a projector does the same.
"""

import asyncio
import math
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import httpx

from bench.results import Report, options, parse
from bench.server_process import Server
from nousu.i18n import translator
from nousu.server.tournament.links import create_links
from nousu.tournament.links import key_of, shown_link
from nousu.tournament.office import Office, make_format
from nousu.tournament.people import Given

PHONES = 40
PEOPLE = 31
SERIES = 5
STANDINGS_GOAL = 200.0
"""Milliseconds for 99 of 100 requests of a phone."""
PROJECTOR_GOAL = 2.0
"""Seconds after which the projector shows an entry."""
_INTERVAL = 0.5
"""Seconds between two slips: many helpers typing fast."""


def planned_tournament(path: Path) -> tuple[Office, str]:
    """The office of a planned tournament, and the key of its direction."""
    office = Office(path)
    office.begin("ZK Tuppen", make_format("tuppen", series=SERIES), "Ellen")
    office.enter("Ellen", [Given(number, (f"Guest {number}",)) for number in range(1, PEOPLE + 1)])
    office.draw("Ellen", "ten of clubs")
    office.plan("Ellen")
    return office, create_links(office, "Ellen", translator("en"))


class Reader:
    """A phone or projector that requests its page after each event.

    Args:
        address: Address of the tournament.
        key: Key of its link.
        page: Path of the page.
        delay: Seconds, at most, between event and request; chosen at random.
    """

    def __init__(self, address: str, key: str, page: str, delay: float) -> None:
        self._address, self._key, self._page, self._delay = address, key, page, delay
        self.durations: list[float] = []
        """Seconds of each request."""
        self.first_shown: dict[str, float] = {}
        """First arrival of each content of the page."""

    async def follow(self) -> None:
        """Follow until cancelled."""
        async with httpx.AsyncClient(timeout=30) as client:
            await client.get(f"{self._address}/in/{self._key}")
            async with client.stream("GET", f"{self._address}/news") as events:
                async for line in events.aiter_lines():
                    if line.startswith("data:"):
                        await asyncio.sleep(random.random() * self._delay)
                        await self._request(client)

    async def _request(self, client: httpx.AsyncClient) -> None:
        began = time.perf_counter()
        answer = await client.get(f"{self._address}{self._page}")
        answer.raise_for_status()
        now = time.perf_counter()
        self.durations.append(now - began)
        self.first_shown.setdefault(answer.text.partition('id="far')[2], now)


async def _measure(address: str, office: Office, secret: str, report: Report) -> None:
    """Enter all slips of two series and report the delays."""
    state = office.open().tournament
    links = {role: shown_link(state, role) for role in ("read", "beamer")}
    read, screen = links["read"], links["beamer"]
    assert read is not None and screen is not None
    phones = [Reader(address, key_of(read), "/standings", 0.4) for _ in range(PHONES)]
    projector = Reader(address, key_of(screen), "/beamer", 0.0)
    following = [asyncio.create_task(reader.follow()) for reader in (projector, *phones)]
    delays = []
    async with httpx.AsyncClient(timeout=30) as ellen, httpx.AsyncClient(timeout=30) as uwe:
        await ellen.get(f"{address}/in/{secret}")
        await uwe.get(f"{address}/in/{office.admit('Ellen', 'entry', 'Uwe')[1]}")
        await asyncio.sleep(2)
        origin = {"origin": address.partition("/tournament")[0]}
        for table, seats in [entry for entry in state.tables() if entry[0][0] in "12"]:
            fields = {f"g{game}-{seat}": str(seat + 1) for game in (1, 2) for seat in range(len(seats))}
            for helper in (ellen, uwe):  # the points of a slip count after the second entry
                before = len(projector.first_shown)
                answer = await helper.post(f"{address}/slip/{table}", data=fields, headers=origin)
                if answer.status_code != 303:
                    raise RuntimeError(f"the slip of {table} was answered by {answer.status_code}")
                entered = time.perf_counter()
                while (
                    len(projector.first_shown) == before
                    and time.perf_counter() - entered < 2 * PROJECTOR_GOAL
                ):
                    await asyncio.sleep(0.005)
                is_shown = len(projector.first_shown) > before
                shown = max(projector.first_shown.values()) if is_shown else math.inf
                delays.append(max(0.0, shown - entered))
                await asyncio.sleep(_INTERVAL)
    for task in following:
        task.cancel()
    await asyncio.gather(*following, return_exceptions=True)
    durations = [1000 * seconds for phone in phones for seconds in phone.durations]
    report.spread("standings on a phone", durations, "ms", p99=STANDINGS_GOAL)
    report.spread("entry to projector", delays, "s", max=PROJECTOR_GOAL)


def main(words: Sequence[str] = ()) -> bool:
    """Measure the delays; return whether a goal is missed."""
    _, report = parse(options("tournament_load", __doc__), words)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "tournaments").mkdir()
        office, secret = planned_tournament(Path(folder) / "tournaments" / "evening.nousu")
        server = Server.real(f"{folder}/tables.db")
        try:
            asyncio.run(_measure(f"{server.base}/tournament/evening", office, secret, report))
        finally:
            server.stop()
    return bool(report.problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
