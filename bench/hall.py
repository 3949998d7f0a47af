"""A tournament of thirty-one people while slips come in: forty phones read the standings, the beamer follows.

``python -m bench hall`` directs an evening at a server of its own over loopback: helpers enter slips;
forty phones, each with a connection of its own, follow the line of news and ask for the standings anew
whenever something has happened, as their pages do; a beamer does the same. Ends with exit code 1 where a
budget is missed.
"""

import asyncio
import json
import math
import random
import sys
import tempfile
import time
from pathlib import Path

import httpx

from bench._lines import Server, percentile
from nousu.i18n import translator
from nousu.server.tournament.links import let_in
from nousu.tournament.links import key_of, shown_link
from nousu.tournament.office import Office, make_format
from nousu.tournament.people import Given

PHONES = 40
PEOPLE = 31
SERIES = 5
READ = 0.200
"""Seconds in which a phone has its standings, in 99 of 100 cases."""
FOLLOW = 2.0
"""Seconds after which the beamer shows what was entered."""
_APART = 0.5
"""Seconds between two slips: many helpers typing fast."""


def _evening(path: Path) -> tuple[Office, str]:
    """An evening that is planned; the office and the key of its direction."""
    office = Office(path)
    office.begin("ZK Tuppen", make_format("tuppen", series=SERIES), "Ellen")
    office.enter("Ellen", [Given(number, (f"Guest {number}",)) for number in range(1, PEOPLE + 1)])
    office.draw("Ellen", "ten of clubs")
    office.plan("Ellen")
    return office, let_in(office, "Ellen", translator("en"))


class Reader:
    """A phone or a screen that follows: how long each look took, and when it first showed what."""

    def __init__(self, at: str, key: str, page: str, wait: float) -> None:
        self._at, self._key, self._page, self._wait = at, key, page, wait
        self.looks: list[float] = []
        self.seen: dict[str, float] = {}
        """When the page was first another one, by its text."""

    async def follow(self) -> None:
        """Follow until cancelled."""
        async with httpx.AsyncClient(timeout=30) as client:
            await client.get(f"{self._at}/in/{self._key}")
            async with client.stream("GET", f"{self._at}/news") as news:
                async for line in news.aiter_lines():
                    if line.startswith("data:"):
                        await asyncio.sleep(random.random() * self._wait)
                        await self._look(client)

    async def _look(self, client: httpx.AsyncClient) -> None:
        began = time.perf_counter()
        answer = await client.get(f"{self._at}{self._page}")
        answer.raise_for_status()
        now = time.perf_counter()
        self.looks.append(now - began)
        self.seen.setdefault(answer.text.partition('id="far')[2], now)


async def _measured(at: str, office: Office, secret: str) -> dict[str, object]:
    state = office.open().tournament
    keys = {role: shown_link(state, role) for role in ("read", "beamer")}
    read, screen = keys["read"], keys["beamer"]
    assert read is not None and screen is not None
    phones = [Reader(at, key_of(read), "/standings", 0.4) for _ in range(PHONES)]
    beamer = Reader(at, key_of(screen), "/beamer", 0.0)
    following = [asyncio.create_task(one.follow()) for one in (beamer, *phones)]
    behind = []
    async with httpx.AsyncClient(timeout=30) as ellen, httpx.AsyncClient(timeout=30) as uwe:
        await ellen.get(f"{at}/in/{secret}")
        await uwe.get(f"{at}/in/{office.admit('Ellen', 'entry', 'Uwe')[1]}")
        await asyncio.sleep(2)
        origin = {"origin": at.partition("/tournament")[0]}
        for table, seats in [one for one in state.tables() if one[0][0] in "12"]:
            boxes = {f"g{game}-{at}": str(at + 1) for game in (1, 2) for at in range(len(seats))}
            for helper in (ellen, uwe):  # the slip is not missing any more, then its points count
                before = len(beamer.seen)
                done = await helper.post(f"{at}/slip/{table}", data=boxes, headers=origin)
                if done.status_code != 303:
                    raise RuntimeError(f"the slip of {table} was answered by {done.status_code}")
                entered = time.perf_counter()
                while len(beamer.seen) == before and time.perf_counter() - entered < 2 * FOLLOW:
                    await asyncio.sleep(0.005)
                shown = max(beamer.seen.values()) if len(beamer.seen) > before else math.inf
                behind.append(max(0.0, shown - entered))
                await asyncio.sleep(_APART)
    for one in following:
        one.cancel()
    await asyncio.gather(*following, return_exceptions=True)
    looks = [look for one in phones for look in one.looks]
    return {
        "phones": PHONES,
        "looks": len(looks),
        "read_p50_ms": round(1000 * percentile(looks, 0.5), 1),
        "read_p99_ms": round(1000 * percentile(looks, 0.99), 1),
        "entries": len(behind),
        "beamer_p50_s": round(percentile(behind, 0.5), 3),
        "beamer_max_s": round(max(behind), 3),
        "kept": percentile(looks, 0.99) <= READ and max(behind) <= FOLLOW,
    }


def main() -> int:
    """Measure, print, and say whether the budgets are kept: 0 if they are."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "tournaments").mkdir()
        office, secret = _evening(Path(folder) / "tournaments" / "evening.nousu")
        server = Server.real(f"{folder}/tables.db")
        try:
            found = asyncio.run(_measured(f"{server.base}/tournament/evening", office, secret))
        finally:
            server.stop()
    if "--json" in sys.argv:
        print(json.dumps(found))
    else:
        read, beamer = (found[f"read_p{share}_ms"] for share in (50, 99)), found["beamer_p50_s"]
        print(f"{PHONES} phones read the standings {found['looks']} times, {found['entries']} entries came:")
        print("  read    p50 {} ms, p99 {} ms".format(*read) + f" (budget {READ * 1000:.0f} ms)")
        print(f"  beamer  p50 {beamer} s, max {found['beamer_max_s']} s (budget {FOLLOW:.0f} s)")
        print("  all budgets kept" if found["kept"] else "  a budget is missed")
    return 0 if found["kept"] else 1


if __name__ == "__main__":
    sys.exit(main())
