"""A hall full of phones behind one address: limits of one person, and of all together."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.testclient import TestClient

from applications import app_on
from hosted_event import EVENING, ORIGIN, Event
from nousu.server.http import middleware
from nousu.server.http.protocols import ConnectionLimit
from nousu.server.http.rate_limits import (
    DEFAULT_RATES,
    HALL_CONNECTIONS,
    HALL_RATES,
    MAX_CONNECTIONS,
    RateLimits,
    TooManyRequests,
)
from nousu.server.tournament.files import HostedTournaments
from nousu.tournament.links import person_key, slip_key
from nousu.tournament.office import Office, make_format
from nousu.tournament.people import Given

SRC = Path(__file__).parents[2] / "src"
PHONES = 120


def limited(event: Event, **rates: str) -> TestClient:
    """A visitor of the evening at a server with these limits."""
    app = app_on(str(event.path.parent / "limited.db"), rates=rates, tournaments=event.tournaments)
    return TestClient(app, base_url="http://testserver", headers=ORIGIN)


def test_address_of_a_hall_has_wide_limits() -> None:
    async def count(limits: RateLimits, client: str) -> int:
        for number in range(10_000):
            try:
                await limits.hit("request", client)
            except TooManyRequests:
                return number
        raise AssertionError

    now = [0.0]
    limits = RateLimits(DEFAULT_RATES, lambda: now[0])
    limits.note_hall_visit("192.0.2.1")
    assert asyncio.run(count(limits, "192.0.2.1")) >= 479
    assert asyncio.run(count(limits, "192.0.2.2")) <= 60
    assert limits.most_connections("192.0.2.1", 200) == HALL_CONNECTIONS
    assert limits.most_connections("192.0.2.2", 200) == 200
    now[0] = 3 * 3600.0
    assert asyncio.run(count(limits, "192.0.2.1")) <= 60, "nobody has come with a link for a while"
    assert set(HALL_RATES) < set(DEFAULT_RATES)


def test_welcomed_addresses_are_forgotten() -> None:
    now = [0.0]
    limits = RateLimits(DEFAULT_RATES, lambda: now[0])
    for number in range(30_000):
        now[0] += 1.0
        limits.note_hall_visit(str(number))
    assert len(limits._hall_visits) <= 10_001


def test_address_of_a_hall_opens_many_connections() -> None:
    limits = RateLimits()
    limit = ConnectionLimit(5000, MAX_CONNECTIONS, most=limits.most_connections)
    limits.note_hall_visit("192.0.2.1")
    counts = [sum(limit.acquire(address) for _ in range(3000)) for address in ("192.0.2.1", "192.0.2.2")]
    assert counts == [HALL_CONNECTIONS, MAX_CONNECTIONS]


@pytest.mark.parametrize("way", ["link", "slip", "person", "none"])
def test_address_is_welcome_by_a_link_in_force(
    event: Event, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "DELAY", 0.0)
    state = event.office.open().tournament
    path = {
        "link": f"{EVENING}/in/{event.key('table')}",
        "slip": f"{EVENING}/slip/1.1?k={slip_key(state, '1.1')}",
        "person": f"{EVENING}/me/{person_key(state, (1, 0))}",
        "none": f"{EVENING}/results",
    }[way]
    with limited(event, request="3/hour") as guest:
        assert guest.get(path).status_code in (200, 403)
        codes = {guest.get("/").status_code for _ in range(20)}
    assert (429 not in codes) == (way != "none")


def test_table_that_floods_its_slip_stops_no_other(event: Event) -> None:
    state = event.office.open().tournament

    def sent(table: str) -> dict[str, str]:
        return event.boxes(table, "123", "123") | {
            "k": slip_key(state, table),
            "me": str(state.seats(table)[0]),
        }

    with limited(event, act="2/hour") as guest:
        codes = [guest.post(f"{EVENING}/slip/1.1", data=sent("1.1")).status_code for _ in range(5)]
        assert codes[0] == 200 and codes[-1] == 429
        assert guest.post(f"{EVENING}/slip/1.2", data=sent("1.2")).status_code == 200


def test_all_absent_people_are_struck_at_once(tmp_path: Path) -> None:
    office = Office(tmp_path / "evening.nousu")
    office.begin("Evening", make_format("tuppen"), "Ellen")
    office.enter("Ellen", [Given(at, (f"Given{at} Family",)) for at in range(1, 41)])
    office.act("Ellen", "arrived", ids=[1], here=True)
    secret = office.admit("Ellen", "direction", "Ellen")[1]
    tournaments = HostedTournaments(tmp_path)
    app = app_on(str(tmp_path / "limited.db"), rates=DEFAULT_RATES, tournaments=tournaments)
    with TestClient(app, base_url="http://testserver", headers=ORIGIN) as ellen:
        assert ellen.get(f"{EVENING}/in/{secret}").status_code == 200
        assert ellen.post(f"{EVENING}/people/absent").status_code == 200
    opened = office.open()
    assert len(opened.tournament.active()) == 1
    assert [event["do"] for event in opened.log.events[-39:]] == ["struck"] * 39


@pytest.fixture
def served(event: Event) -> Iterator[str]:
    """The address of the evening, served by a process with all limits."""
    environment = os.environ | {"PYTHONPATH": str(SRC), "NOUSU_WORKERS": "0", "NOUSU_LIMITS": "on"}
    words = ("serve", "--port", "0", "--database", str(event.path.parent / "served.db"))
    environment["NOUSU_TOURNAMENTS"] = str(event.path.parent)
    process = subprocess.Popen(
        [sys.executable, "-m", "nousu", *words], env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split()[3]
    finally:
        process.kill()
        process.wait(10)
        if process.stdout is not None:
            process.stdout.close()


def test_hall_of_phones_sees_every_entry(event: Event, served: str) -> None:
    """Everybody's own page loads at once and again at each news, as its script does, from one address."""
    state = event.office.open().tournament
    keys = [person_key(state, (number % 9 + 1, 0)) for number in range(PHONES)]
    codes: list[int] = []

    async def phone(client: httpx.AsyncClient, key: str, ready: asyncio.Semaphore, entries: int) -> None:
        codes.append((await client.get(f"{EVENING}/me/{key}")).status_code)
        async with client.stream("GET", f"{EVENING}/me/{key}/news") as news:
            codes.append(news.status_code)
            if news.status_code != 200:
                ready.release()
                return
            heard = 0
            async for line in news.aiter_lines():
                if line.startswith("data: ") and "-" in line:
                    heard += 1
                    ready.release()
                    codes.append((await client.get(f"{EVENING}/me/{key}")).status_code)
                    if heard > entries:
                        return

    async def evening() -> None:
        ready = asyncio.Semaphore(0)
        wide = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        async with (
            asyncio.timeout(100),
            httpx.AsyncClient(base_url=served, timeout=60, limits=wide) as client,
            asyncio.TaskGroup() as phones,
        ):
            for key in keys:
                phones.create_task(phone(client, key, ready, 2))
            for table in ("1.1", "1.2"):
                for _ in range(PHONES):
                    await ready.acquire()
                await asyncio.to_thread(event.office.slip, "Uwe", table, ["abc", "abc"])

    asyncio.run(evening())
    assert set(codes) == {200} and len(codes) == PHONES * 5
