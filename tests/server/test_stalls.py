"""Whoever plays waits for nobody else's request: nothing holds the event loop up, on whatever route.

What counts is the processor time of each step of the loop, so that a busy machine changes little. The bound
is several times the ten milliseconds that a step may take on an idle one, and less than checking a long
record takes.
"""

import asyncio
import gc
import random
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from nousu.server.app import create_app
from nousu.server.storage.store import TableRow
from nousu.server.table import record
from routes import addresses
from table_fixtures import Sitting

MOST = 0.06
"""Seconds of processor time."""
TABLE = "long"


@contextmanager
def due_steps(found: list[float], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add the processor time of every step of an event loop to `found`."""
    run = asyncio.events.Handle._run

    def timed(self: Any) -> None:
        began = time.thread_time()
        run(self)
        found.append(time.thread_time() - began)

    with monkeypatch.context() as patch:
        patch.setattr(asyncio.events.Handle, "_run", timed)
        yield


def long_record() -> str:
    """The record of a long match, nearly as long as is read."""
    sitting = Sitting("tuppi+target=104", options={"pace": "0"})
    rng = random.Random(3)
    while not sitting.table.over:
        sitting.played(rng, 50)
    return record.record(sitting.table, None)


@pytest.fixture
def seated(tmp_path: Path) -> Iterator[TestClient]:
    """A browser at a table of many hands."""
    app = create_app(str(tmp_path / "n.db"), pace=60, workers=1, rates={})
    with TestClient(app, headers={"origin": "http://testserver"}, raise_server_exceptions=False) as client:
        client.post("/look", data={"lang": "en"})
        me = sha256(client.cookies["nousu"].encode()).hexdigest()
        people = {me: "Aino", "b": "Eero", "c": "Kaisa", "d": "Onni"}
        sitting = Sitting("tuppi+target=48", named=people, opening=False, options={"pace": "60"})
        sitting.played(random.Random(5), 420)
        row = TableRow(TABLE, sitting.preset, 4, '{"pace": "60"}', sitting.secret, False)
        assert client.portal is not None
        client.portal.call(client.app.state.server.store.add_table, row, sitting.rows)  # type: ignore[attr-defined]
        # A server has not the garbage of all other tests to look through in the middle of a step.
        gc.collect()
        gc.freeze()
        yield client


def test_routes_hold_the_loop_up_no_longer_than_allowed(
    seated: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = seated.app
    assert isinstance(app, Starlette)
    walked = [
        (method, re.sub(r"^(/t|/api/v1/tables)/tuppi", rf"\1/{TABLE}", path))
        for method, path in addresses(list(app.routes))
    ]
    assert {("GET", f"/t/{TABLE}"), ("POST", "/api/v1/verify")} <= set(walked)
    record = long_record()
    bodies = {"/look": {"lang": "fi"}}
    longest = {}
    for method, path in sorted(walked, key=lambda one: (one[0] == "DELETE" or "forget" in one[1], one)):
        found: list[float] = []
        sent: dict[str, Any] = {"data": bodies.get(path, {})} if method == "POST" else {}
        if path == "/api/v1/verify":
            sent = {"content": record, "headers": {"content-type": "text/plain"}}
        for again in (False, True):  # what the first visitor of all waits for is read once
            found.clear()
            with due_steps(found, monkeypatch):
                answer = seated.request(method, path, follow_redirects=False, **sent)
            assert answer.status_code < 500, (method, path, again)
        longest[method, path] = max(found)
    assert {where: took for where, took in longest.items() if took > MOST} == {}


def test_names_made_to_hurt_hold_the_loop_up_no_longer_than_allowed(
    seated: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurtful = "a" + "\u0301" * 15_000 + "\u0316" * 15_000
    fields = ("name", "title", "text", "by", "who", "act", "code")
    assert isinstance(seated.app, Starlette)
    longest = {}
    for path in (
        "/new",
        "/every",
        f"/t/{TABLE}/join",
        f"/t/{TABLE}/report",
        "/tournaments",
        "/seasons",
        "/device",
    ):
        for field in fields:
            form, found = {field: (None, hurtful)}, list[float]()
            form |= {other: (None, "x") for other in fields if other != field}
            form |= {"preset": (None, "tuppi"), "weekday": (None, "1"), "time": (None, "19:00")}
            with due_steps(found, monkeypatch):
                assert seated.post(path, files=form, follow_redirects=False).status_code < 500
            longest[path, field] = max(found)
    assert {where: took for where, took in longest.items() if took > MOST} == {}


def test_step_that_takes_long_is_seen(seated: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted one: the record is checked where everybody plays."""
    record, found = long_record(), list[float]()

    async def verify(self: object, work: Any, text: str) -> Any:
        return work(text)

    monkeypatch.setattr("nousu.server.live.workers.Workers.verify", verify)
    with due_steps(found, monkeypatch):
        answer = seated.post("/api/v1/verify", content=record, headers={"content-type": "text/plain"})
    assert answer.status_code == 200
    assert max(found) > MOST
