"""The process that makes pages for a crowd: the same pages, and none lost when it ends."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from hosted_event import EVENING, Event
from nousu.server.tournament import page_process
from nousu.server.tournament.files import HostedTournament
from nousu.server.tournament.page_process import CROWD, PageProcess

PAGES = ("standings", "board", "people", "door", "paper", "draw", "setup", "plan", "log", "rulings", "online")


@pytest.fixture
def crowd(event: Event, ellen: TestClient) -> Iterator[TestClient]:
    """The director, as one of many who ask, once the process has started."""
    process = event.tournaments.page_process
    process.requests = CROWD - 1
    deadline = time.monotonic() + 60
    while not is_ready(event):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    yield ellen
    process.close()


def is_ready(event: Event) -> bool:
    """Whether a new visitor gets the page from the process."""
    process = event.tournaments.page_process
    process.requests += 1
    try:
        return process.is_ready
    finally:
        process.requests -= 1


def test_pages_of_the_process_are_those_of_the_server(
    event: Event, crowd: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = event.tournaments.page_process
    process.requests = 0
    alone = {page: crowd.get(f"{EVENING}/{page}") for page in PAGES}
    process.requests = CROWD - 1

    async def never(*_: object, **__: object) -> None:
        raise AssertionError("the server makes this page")

    with monkeypatch.context() as patch:
        patch.setattr(HostedTournament, "render", never)
        for page, answer in alone.items():
            again = crowd.get(f"{EVENING}/{page}")
            assert (again.status_code, again.text) == (200, answer.text), page
            assert again.headers == answer.headers, page
    event.office.act("Ellen", "starts", round="1", time="20:07")
    assert "20:07" in crowd.get(f"{EVENING}/log").text, "what has been entered since is shown"


def test_page_of_a_process_that_was_killed_is_made_by_the_server(event: Event, crowd: TestClient) -> None:
    pool = event.tournaments.page_process._pool
    assert pool is not None
    for pid in pool._processes:
        os.kill(pid, signal.SIGKILL)
    assert crowd.get(f"{EVENING}/standings").status_code == 200
    assert crowd.get(f"{EVENING}/board").status_code == 200


def test_process_that_hangs_is_ended(
    event: Event, crowd: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = event.tournaments.page_process
    pool = process._pool
    assert pool is not None
    pool.submit(time.sleep, 600)
    monkeypatch.setattr(page_process, "_LONGEST", 0.2)
    assert crowd.get(f"{EVENING}/standings").status_code == 200
    assert process._pool is not pool


def test_process_ends_after_the_crowd(
    event: Event, crowd: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = event.tournaments.page_process
    process.requests = 0
    process.end_if_idle()
    assert process._pool is not None
    monkeypatch.setattr(page_process, "_IDLE", 0.0)
    process.end_if_idle()
    assert process._pool is None and crowd.get(f"{EVENING}/standings").status_code == 200


def test_address_that_asks_for_many_pages_waits_behind_none_but_itself() -> None:
    process, order = PageProcess(), []

    async def ask(address: str, number: int) -> None:
        async with process.turn_of(address), process._turn:
            order.append((address, number))
            await asyncio.sleep(0)

    async def ask_all() -> None:
        await asyncio.gather(*(ask("192.0.2.1", number) for number in range(20)), ask("192.0.2.2", 0))

    asyncio.run(ask_all())
    assert order.index(("192.0.2.2", 0)) <= 2 and len(order) == 21
    assert not process._turns, "an address that asks no more is forgotten"


def test_few_visitors_start_no_process(event: Event, ellen: TestClient) -> None:
    for page in PAGES:
        assert ellen.get(f"{EVENING}/{page}").status_code == 200
    assert event.tournaments.page_process._pool is None
