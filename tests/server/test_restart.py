"""Kill the server in the middle of a trick: what was acknowledged is there, and nothing is dealt again."""

import json
import random
import signal
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient
from websockets.sync.client import ClientConnection, connect

from applications import app_on
from live_page import LivePage

Serve = Callable[..., Any]


def opened(client: httpx.Client, player: str = "rules", **options: str) -> str:
    """A table for this browser and three computer players. No sooli: a hand lasts for thirteen tricks."""
    assert client.post("/look", data={"lang": "en"}).status_code == 303
    rules = "tuppi+sooli=off+target=4"
    table = {"preset": rules, "players": [player] * 3, "name": "Aino", "options": options}
    answer = client.post("/api/v1/tables", json=table)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["table"])


def seen(client: httpx.Client, table: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/api/v1/tables/{table}").json()
    return found


def asked(client: httpx.Client, table: str) -> dict[str, Any]:
    """The table once it waits for us (or is over)."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        now = seen(client, table)
        mine = now["seat"] in now["view"]["owed"] and not now["view"]["legal"][0].startswith("show")
        if now["over"] or now["waiting"] or mine:  # bids are turned up by the table itself
            return now
        time.sleep(0.005)
    raise AssertionError("the table never waited for us")


def send(client: httpx.Client, table: str, now: dict[str, Any], rng: random.Random) -> int:
    """Do something legal; the number of its event."""
    key = uuid.uuid4().hex
    if now["waiting"]:
        answer = client.post(f"/api/v1/tables/{table}/next", json={"key": key})
    else:
        act = {"act": rng.choice(now["view"]["legal"]), "seq": now["seq"], "key": key}
        answer = client.post(f"/api/v1/tables/{table}/actions", json=act)
    assert answer.status_code == 200, answer.text
    return int(answer.json()["seq"])


def live(served: Any, client: httpx.Client, table: str) -> ClientConnection:
    address = served.base.replace("http", "ws") + f"/t/{table}/live"
    headers = {"cookie": f"nousu={client.cookies['nousu']}"}
    return connect(address, origin=served.base, additional_headers=headers, open_timeout=60)


def restart_server(served: Any, client: httpx.Client) -> None:
    """Kill the server and start it again at another port, for the same browser."""
    served.stop(signal.SIGKILL)
    served.start()
    client.base_url = served.base
    client.headers["origin"] = served.base


def test_killed_server_goes_on_in_the_middle_of_the_trick(serve: Serve) -> None:
    """P3 in small: kill -9 before anybody has looked at the cards, and in the middle of a trick; then play
    the match to its end and check every deal of it."""
    served = serve()
    rng = random.Random(7)
    with served.client() as client:
        table = opened(client)
        restart_server(served, client)
        cards = asked(client, table)["view"]["heard"][0]
        acknowledged = 0
        for _ in range(rng.randrange(2, 6)):
            acknowledged = send(client, table, asked(client, table), rng)
        before = seen(client, table)
        restart_server(served, client)
        after = seen(client, table)
        assert after["seq"] >= acknowledged
        assert after["seat"] == before["seat"]
        heard = before["view"]["heard"]
        assert after["view"]["heard"][: len(heard)] == heard
        assert heard[0] == cards
        while not (now := asked(client, table))["over"]:
            send(client, table, now, rng)
        verdict = client.get(f"/api/v1/tables/{table}/verify").json()
        assert verdict["ok"], verdict
        assert len(client.get(f"/t/{table}/record").text.split("\nhand ")) == len(now["hands"]) + 1
    assert served.stop() == 0


def test_server_that_is_ended_leaves_nothing_behind(serve: Serve, capfd: pytest.CaptureFixture[str]) -> None:
    """A service manager sends SIGTERM: the workers' queues are given back, and nobody complains."""
    served = serve(NOUSU_WORKERS="1")
    with served.client() as client:
        asked(client, opened(client, "club"))
    assert served.stop() == 0
    time.sleep(0.5)
    assert capfd.readouterr().err == ""


def test_action_sent_eight_times_at_once_counts_once(serve: Serve) -> None:
    """P14: each action sent 8 times in parallel gives one event and eight equal answers; the same key with
    another body is refused."""
    served = serve()
    rng = random.Random(3)
    with served.client() as client, ThreadPoolExecutor(8) as pool:
        table = opened(client, "random")
        address = f"/api/v1/tables/{table}/actions"
        for _ in range(12):
            now = asked(client, table)
            if now["over"]:
                break
            if now["waiting"]:
                send(client, table, now, rng)
                continue
            legal = now["view"]["legal"]
            body = {"act": rng.choice(legal), "seq": now["seq"], "key": uuid.uuid4().hex}
            answers = list(pool.map(lambda body: client.post(address, json=body), [body] * 8))
            assert {answer.status_code for answer in answers} == {200}
            assert len({answer.text for answer in answers}) == 1
            other = body | {"act": "play S2" if body["act"] != "play S2" else "play S3"}
            assert client.post(address, json=other).status_code == 422
            stale = client.post(address, json=body | {"key": uuid.uuid4().hex})
            assert stale.status_code == 409, stale.text
            assert stale.json()["view"]["seq"] >= answers[0].json()["seq"]


def test_tabs_of_one_person_see_the_same_and_repeat_a_lost_request(serve: Serve) -> None:
    """The second tab follows the first; a message sent again after a cut gets the answer of the first."""
    served = serve()
    with served.client() as client:
        table = opened(client)
        now = asked(client, table)
        with live(served, client, table) as one, live(served, client, table) as two:
            pages = LivePage(), LivePage()
            for page, tab in zip(pages, (one, two), strict=True):
                page.heard(tab.recv(60))
            while pages[0].view["seq"] < pages[1].view["seq"]:
                pages[0].heard(one.recv(60))
            assert pages[0].view["hand"] and pages[0].view == pages[1].view
            message = json.dumps({"act": now["view"]["legal"][0], "seq": now["seq"], "key": "the-only-key"})
            one.send(message)
            answer = json.loads(one.recv(60))
            while "ok" not in answer:
                answer = json.loads(one.recv(60))
            assert answer["ok"] == "the-only-key"
            while json.loads(two.recv(60))["seq"] < answer["seq"]:
                pass
        served.stop(signal.SIGKILL)
        served.start()
        with live(served, client, table) as again:
            again.recv(60)
            again.send(message)
            repeated = json.loads(again.recv(60))
            while "ok" not in repeated:
                repeated = json.loads(again.recv(60))
            assert repeated == answer
            again.send(json.dumps({"act": "play S2", "seq": 1, "key": "a-new-key"}))
            refused = json.loads(again.recv(60))
            while "error" not in refused:
                refused = json.loads(again.recv(60))
            assert refused["key"] == "a-new-key" and "moved on" in refused["error"]
            assert "set" in json.loads(again.recv(60))


def test_computer_players_go_on_after_a_restart_though_nobody_looks(tmp_path: Path) -> None:
    """A table whose computer players owed their bids when the server stopped has them soon after."""
    origin = {"origin": "http://testserver"}
    database = str(tmp_path / "n.db")
    with TestClient(app_on(database, pace=60), headers=origin) as browser:
        browser.post("/look", data={"lang": "en"})
        table = {"preset": "tuppi", "players": ["random"] * 3, "name": "Aino"}
        assert browser.post("/api/v1/tables", json=table).status_code == 201
        events = 6  # four places, the draw, the deal
        while browser.get("/api/v1/health").json()["events"] < events:
            time.sleep(0.01)
        assert browser.get("/api/v1/health").json()["events"] == events
    with TestClient(app_on(database, pace=0), headers=origin) as browser:
        until = time.monotonic() + 60
        while browser.get("/api/v1/health").json()["events"] < events + 3:
            assert time.monotonic() < until
            time.sleep(0.01)
