"""Many tables at once: nothing is lost, doubled or held up; P1, P5, P14, P15 and P18 in small."""

import asyncio
import json
import random
import signal
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from applications import app_on
from bench.crowd import Crowd, Measurements, seat_crowd
from bench.page_client import connect
from bench.results import Report
from bench.server_process import Server
from bench.soak import long_history, slow_clients
from bench.soak.forms import FORMS
from loop_steps import timed_steps
from nousu.server.errors import KeyReused, Stale
from nousu.server.live.room import Room
from nousu.server.live.workers import Workers
from nousu.server.storage.store import Store, TableRow, database_url
from nousu.server.table import commands, seating
from nousu.server.table.schedule import due_steps
from soaking import SOAKING, report, times
from table_fixtures import Sitting


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Real servers on one database; they end with the test."""
    started: list[Server] = []

    def start(database: str = "") -> Server:
        started.append(Server.real(database or str(tmp_path / "n.db"), NOUSU_WORKERS="0"))
        return started[-1]

    yield start
    for one in started:
        one.send_signal(signal.SIGCONT)
        one.stop(signal.SIGKILL)


async def play_actions(crowd: Crowd, count: int) -> None:
    """Play until the server has accepted so many actions, and everybody has been shown them."""
    async with asyncio.timeout(120):
        while len(crowd.measurements.acknowledgements) < count:
            await crowd.play(rate=40, seconds=0.5)
        while crowd.missing_pages or any(seat.pending for table in crowd.tables for seat in table.seats):
            await asyncio.sleep(0.05)


def test_crowd_plays_and_every_action_is_seen_by_all_and_stored_once(
    real: Callable[..., Server], tmp_path: Path
) -> None:
    """P1 in small, without its times; SIGTERM afterwards loses nothing (P5)."""
    server = real()

    async def evening() -> Measurements:
        crowd = await seat_crowd([server], tables=6, watchers=12, preset="tuppi")
        await play_actions(crowd, 21)
        assert crowd.closed == 0
        await crowd.leave()
        return crowd.measurements

    found = asyncio.run(evening())
    assert found.errors == []
    assert len(found.player_pushes) >= 4 * len(found.acknowledgements), "four players see each action"
    assert len(found.watcher_pushes) >= 2 * len(found.acknowledgements), "so do two watchers"
    server.stop()
    with sqlite3.connect(tmp_path / "n.db") as database:
        keyed = database.execute(
            "select count(*), count(distinct table_id || key) from events where key <> ''"
        )
        assert keyed.fetchone() == (len(found.acknowledgements),) * 2
        gaps = database.execute(
            "select count(*) from (select table_id from events group by table_id having max(seq) <> count(*))"
        )
        assert gaps.fetchone() == (0,)
    database.close()


def test_slow_readers_hold_up_no_one_else(real: Callable[..., Server]) -> None:
    """P18 in small: watchers that stop reading; the others see everything."""
    server = real()

    async def evening() -> Measurements:
        crowd = await seat_crowd([server], tables=2, watchers=2, preset="tuppi")
        lazy = []
        for table in crowd.tables:
            for _ in range(10):
                path = f"/t/{table.name}/live"
                lazy.append(await connect(server.host, server.port, path, "", lambda *_: None))
                lazy[-1].stop_reading()
        await play_actions(crowd, 16)
        assert crowd.closed == 0
        for line in lazy:
            line.abort()
        await crowd.leave()
        return crowd.measurements

    found = asyncio.run(evening())
    assert found.errors == []


@pytest.mark.slow
def test_requests_that_never_end_are_cut_off_while_others_play(real: Callable[..., Server]) -> None:
    """P18: a few of the thousand slow clients of ``python -m bench.soak slow``, which also says what their
    company costs the others in time."""
    server = real()
    few = slow_clients.compare(server, 1, seconds=4, tables=2, rate=20, unfinished=30, silent=4)
    seen = asyncio.run(few)
    assert seen.alone.errors == seen.beside.errors == []
    assert len(seen.alone.acknowledgements) > 20 and len(seen.beside.acknowledgements) > 20
    assert len(seen.lifetimes) > 5 and max(seen.lifetimes) < slow_clients.LONGEST_REQUEST + 5


# -------------------------------------------------------------------------------- what blocks the loop


def _finished(browser: TestClient) -> tuple[str, str]:
    """A finished table, and its record."""
    body = {"preset": "tuppi+target=1", "players": ["random"] * 3, "options": {"pace": "0"}}
    table = browser.post("/api/v1/tables", json=body).json()["table"]
    address = f"/api/v1/tables/{table}"
    rng = random.Random(1)
    while not (now := browser.get(address).json())["over"]:
        key = {"key": uuid.uuid4().hex}
        if now["waiting"]:
            browser.post(f"{address}/next", json=key)
        elif now["seat"] in now["view"]["owed"] and now["view"]["legal"]:
            act = {"act": rng.choice(now["view"]["legal"]), "seq": now["seq"], **key}
            browser.post(f"{address}/actions", json=act)
    return table, browser.get(f"/t/{table}/record").text


def test_requests_hold_the_loop_up_no_longer_than_allowed(browser: TestClient) -> None:
    """Every address answered by one step after another, each short: `verify` took 150 ms at a stretch. What
    counts is processor time, so a busy machine does not matter."""
    browser.post("/look", data={"lang": "fi"})
    table, record = _finished(browser)
    pages = ["/", "/new", "/rules/tuppi", f"/t/{table}", f"/t/{table}/hand/1", f"/t/{table}/check"]
    programs = ["presets", "presets/tuppi", "players", "health", "session", "openapi.json"]
    programs += [f"tables/{table}", f"tables/{table}/hands/1", f"tables/{table}/record"]
    asked: list[Callable[[], httpx.Response]] = [
        *(lambda path=path: browser.get(path) for path in pages),
        *(lambda path=path: browser.get(f"/api/v1/{path}") for path in programs),
        lambda: browser.get(f"/api/v1/tables/{table}/verify"),
        lambda: browser.post("/api/v1/verify", content=record, headers={"content-type": "text/plain"}),
    ]
    slow = []
    for ask in asked:
        least = 1.0
        for _ in range(4):
            with timed_steps(steps := []):
                answer = ask()
            assert answer.status_code == 200, (answer.url, answer.text)
            least = min(least, max(steps))
        if least > 0.03:
            slow.append((str(answer.url), least))
    assert slow == []


def test_checks_wait_for_one_another_and_too_many_are_refused() -> None:
    async def go() -> None:
        thinkers = Workers(0)
        running = most = 0

        def work(text: str) -> str:
            nonlocal running, most
            running += 1
            most = max(most, running)
            time.sleep(0.02)
            running -= 1
            return text

        found = await asyncio.gather(
            *(thinkers.verify(work, str(number)) for number in range(12)), return_exceptions=True
        )
        assert most == 1
        assert [one for one in found if isinstance(one, str)] == [str(number) for number in range(8)]
        assert all("being checked" in str(one) for one in found[8:])

    asyncio.run(go())


# -------------------------------------------------------------------------------------- keys and presence


def test_key_the_table_has_forgotten_is_asked_of_the_disk(tmp_path: Path) -> None:
    sitting = Sitting("tuppi", options={"pace": "0", "window": "0"})
    rng = random.Random(4)
    while len(sitting.table.finished_hands) < 4:
        sitting.played(rng, 1)
    old = next(event for event in sitting.events if event.key is not None)
    assert old.key is not None and old.key not in {key for key, _, _ in sitting.table.keys}
    seat, text = old.what.seat, str(old.what.action)  # type: ignore[union-attr]

    async def go() -> None:
        store = await Store.open(database_url(str(tmp_path / "n.db")))
        await store.add_table(TableRow("t", "tuppi", 4, "{}", sitting.secret, False), sitting.rows)
        room = Room(sitting.table, store, Workers(0))
        session = sitting.session(seat)
        assert await room.act(session, text, old.seq - 1, old.key or "") == old.seq
        with pytest.raises(KeyReused):
            await room.act(session, "play H9", old.seq - 1, old.key or "")
        with pytest.raises(Stale):
            await room.act(session, text, old.seq - 1, "a-new-key")
        await store.close()

    asyncio.run(go())


def test_chat_line_is_not_repeated_when_its_key_is_forgotten(tmp_path: Path) -> None:
    sitting = Sitting("tuppi", options={"pace": "0", "window": "0"}).played(random.Random(4), 20)

    async def go() -> None:
        store = await Store.open(database_url(str(tmp_path / "n.db")))
        await store.add_table(TableRow("t", "tuppi", 4, "{}", sitting.secret, False), sitting.rows)
        room = Room(sitting.table, store, Workers(0))
        session = sitting.session(0)

        async def said(word: str, key: str) -> int:
            return await room.commit(
                lambda table, now: commands.write_chat_line(table, session, word, "", key, now)
            )

        first = await said("hello", "key-greeting")
        for number in range(20):
            await said("luck", f"key-{number:08}")
        count = room.table.chat.count
        assert await said("hello", "key-greeting") == first
        with pytest.raises(KeyReused):
            await said("luck", "key-greeting")
        assert room.table.chat.count == count
        await store.close()

    asyncio.run(go())


def test_clock_is_untouched_by_coming_and_leaving() -> None:
    """Whoever left and returned five times a second froze the table."""
    sitting = Sitting("tuppi", persons=2, computers=2, options={"pace": "5"})
    while sitting.table.match is None or not sitting.match.hand.log:
        sitting.self_done()
    due = min(step.at for step in due_steps(sitting.table))
    for _ in range(5):
        sitting.now += 0.2
        sitting.add(seating.leave(sitting.table, "p0", "rules", sitting.now))
        sitting.add(seating.come_back(sitting.table, "p0", sitting.now))
    assert min(step.at for step in due_steps(sitting.table)) == due


def test_repeated_leaving_is_refused(tmp_path: Path) -> None:
    app = app_on(tmp_path / "n.db", pace=60, rates={"presence": "3/hour"})
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        owners = []
        for name in ("Sanni", "Eero"):
            token = client.post("/api/v1/session", json={"name": name}).json()["token"]
            owners.append({"authorization": f"Bearer {token}"})
        body = {"preset": "tuppi", "players": ["open", "rules", "rules"]}
        table = client.post("/api/v1/tables", json=body, headers=owners[0]).json()["table"]
        client.post(f"/api/v1/tables/{table}/seat", json={}, headers=owners[1])
        result = [
            client.post(f"/t/{table}/leave", headers=owners[0], follow_redirects=False).status_code
            for _ in range(5)
        ]
        assert result == [303, 303, 303, 429, 429]


# ------------------------------------------------------------------------------------------ two processes


def _act(server: Server, table: str, owner: dict[str, str]) -> httpx.Response:
    """Do something that is allowed, once it is this person's turn."""
    address = f"{server.base}/api/v1/tables/{table}"
    until = time.monotonic() + 120
    while time.monotonic() < until:
        now: dict[str, Any] = httpx.get(address, headers=owner, timeout=20).json()
        if now["waiting"]:  # a void hand
            httpx.post(f"{address}/next", json={"key": uuid.uuid4().hex}, headers=owner, timeout=20)
        elif now["seat"] in now["view"]["owed"] and not now["view"]["legal"][0].startswith("show"):
            act = {"act": now["view"]["legal"][0], "seq": now["seq"], "key": uuid.uuid4().hex}
            return httpx.post(f"{address}/actions", json=act, headers=owner, timeout=20)
        time.sleep(0.02)
    raise AssertionError(json.dumps(now)[:500])


@pytest.mark.promise("P15")
def test_stopped_process_holds_nobody_up_and_writes_nothing_when_it_wakes(
    real: Callable[..., Server], postgres_url: str
) -> None:
    """P15: one of two servers on a PostgreSQL is stopped, each in its turn; the other goes on with both its
    tables. The one that wakes refuses what was decided before."""
    servers, waits, rounds = [real(postgres_url), real(postgres_url)], [0.0], times(1, 100)
    token = httpx.post(f"{servers[0].base}/api/v1/session", json={"name": "Aino"}).json()["token"]
    owner = {"authorization": f"Bearer {token}"}
    for _ in range(rounds):
        waits += _round_with_stop(*servers, owner)
        servers.reverse()
    report(f"P15: {rounds} rounds; others' actions took {max(waits):.2f} s at most")
    assert max(waits) < (5 if SOAKING else 20)


def _round_with_stop(one: Server, two: Server, owner: dict[str, str]) -> list[float]:
    """A round in which `one` is stopped: the seconds that each action at the other took, a computer player's
    moves before it included."""
    tables, waits = [], []
    for server in (one, two):
        body = {"preset": "tuppi", "players": ["random"] * 3}
        answer = httpx.post(f"{server.base}/api/v1/tables", json=body, headers=owner, timeout=20)
        tables.append(answer.json()["table"])
        assert _act(server, tables[-1], owner).status_code == 200
    old = httpx.get(f"{one.base}/api/v1/tables/{tables[0]}", headers=owner, timeout=20).json()
    one.send_signal(signal.SIGSTOP)
    for table in (tables[1], tables[0], tables[1], tables[0]):
        began = time.monotonic()
        assert _act(two, table, owner).status_code == 200
        waits.append(time.monotonic() - began)
    one.send_signal(signal.SIGCONT)
    act = {"act": "play H9", "seq": old["seq"], "key": uuid.uuid4().hex}
    address = f"/api/v1/tables/{tables[0]}"
    late = httpx.post(f"{one.base}{address}/actions", json=act, headers=owner, timeout=20)
    assert late.status_code in (400, 409), late.text
    for _ in range(200):
        seen = [httpx.get(f"{each.base}{address}", headers=owner, timeout=20).json() for each in (one, two)]
        if seen[0] == seen[1]:
            break
        time.sleep(0.02)
    assert seen[0] == seen[1], "both show the same table"
    return waits


@pytest.mark.parametrize(
    ("form", "rounds"),
    [
        pytest.param("kills", 1, marks=pytest.mark.slow),
        pytest.param("doubles", 25, marks=pytest.mark.slow),
        ("races", 100),
        ("cuts", 15),
        pytest.param("cuts", 40, marks=pytest.mark.slow),
    ],
)
def test_bad_day_in_small(form: str, rounds: int, tmp_path: Path) -> None:
    """P3, P14 and P6: a few rounds of what ``make soak`` does for a quarter of an hour. What a kill and what
    a doubled action must not do is proved every time by test_restart."""
    play, _ = FORMS[form]
    report = Report(form)
    play(tmp_path / "n.db", rounds, report)
    assert report.problems == []


def test_long_history_is_a_table_in_play() -> None:
    rows = long_history.events(150)
    assert [row.seq for row in rows] == list(range(1, 151))
    assert {"entry", "next"} <= {row.kind for row in rows}
