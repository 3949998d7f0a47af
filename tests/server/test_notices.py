"""Notices to closed pages: who is called back, what the push service gets, and where nobody is reached."""

import asyncio
import base64
import json
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from http.cookiejar import Cookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02
from starlette.testclient import TestClient

from nousu.server.app import create_app
from nousu.server.errors import RequestError
from nousu.server.live.presence import Presence
from nousu.server.notifications import schedule, webpush
from nousu.server.notifications.safe_http import PublicBackend, Unreachable, check_endpoint, is_public
from nousu.server.notifications.schedule import Absences, Reason
from nousu.server.people.sessions import hash_token
from nousu.server.settings import load_settings
from nousu.server.storage.weekly_tables import WeeklyTableRow
from table_fixtures import Sitting

ORIGIN = {"origin": "http://testserver"}


# ----------------------------------------------------------------------------------- who is called back


def test_notice_of_a_turn_is_sent_once() -> None:
    sitting, here, absences = Sitting("tuppi", 2, 2), Presence(0.0), Absences()
    mine, theirs = object(), object()
    here.connect("p0", mine)
    here.connect("p1", theirs)
    assert list(absences.due(sitting.table, here, 199.0, ("p0", "p1"))) == []
    sitting.now = 200.0
    here.disconnect("p1", theirs, sitting.now, seated=True)
    sitting.now = 201.0
    sitting.until_asked()
    while (seat := sitting.table.seats.seat_of("p1")) not in sitting.match.hand.owed():
        if not sitting.self_done():
            owed = next(one for one in sitting.match.hand.owed() if one >= 0)
            sitting.does(owed, sitting.view(owed).legal[0])
    assert seat is not None

    def due_at(at: float, wanted: tuple[str, ...] = ("p0", "p1")) -> list[tuple[str, Reason]]:
        return list(absences.due(sitting.table, here, at, wanted))

    assert due_at(200.0 + schedule.AFTER - 0.1) == [], "who loads the page again is not called"
    assert due_at(200.0 + schedule.AFTER, ()) == [], "nobody who has not asked for it"
    later = sitting.table.since + schedule.AFTER
    assert due_at(later) == [("p1", Reason.TURN)]
    assert due_at(later + 1) == [] and due_at(later + 500) == []
    again = object()
    here.connect("p1", again)
    assert due_at(later + 600) == []
    here.disconnect("p1", again, later + 601, seated=True)
    assert due_at(later + 700) == [], "they saw that it was their turn when they left"


def test_notice_of_a_friend_who_arrives() -> None:
    sitting, here, absences = Sitting("tuppen_zk", 2, 0, opening=False), Presence(0.0), Absences()
    both = ("p0", "p1")
    page = object()
    here.connect("p1", page)
    here.disconnect("p1", page, 10.0, seated=True)
    assert list(absences.due(sitting.table, here, 60.0, both)) == []
    friend = object()
    here.connect("p0", friend)
    assert list(absences.due(sitting.table, here, 61.0, both)) == []
    assert list(absences.due(sitting.table, here, 61.0 + schedule.STAYED, both)) == [("p1", Reason.WAITING)]
    assert list(absences.due(sitting.table, here, 300.0, both)) == []


# ------------------------------------------------------------------------------ what is sent, and where


class _PushService:
    """A push service: takes what comes and answers as it is told."""

    def __init__(self) -> None:
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        self.status = 201
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                sent = {name.lower(): value for name, value in self.headers.items()}
                service.got.append((self.path, sent, body))
                self.send_response(service.status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def service() -> Iterator[_PushService]:
    found = _PushService()
    yield found
    found.close()


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A server that may send to this machine, and that waits less."""
    monkeypatch.setattr(schedule, "AFTER", 0.3)
    monkeypatch.setattr(schedule, "STAYED", 0.1)
    flags = {"database": str(tmp_path / "nousu.db"), "pace": "0", "workers": "0", "push": "anywhere"}
    with TestClient(create_app(load_settings(flags), rates={}), headers=ORIGIN) as found:
        found.headers["accept-language"] = "fi"
        yield found


class _Browser:
    """The keys that a browser keeps to itself."""

    def __init__(self, endpoint: str) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = bytes(range(16))
        point = self._key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.sent = {"endpoint": endpoint, "p256dh": _written(point), "auth": _written(self._auth)}

    def read(self, body: bytes) -> dict[str, str]:
        found = http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth, version="aes128gcm")
        return dict(json.loads(found))


def _written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _until(true: Callable[[], object]) -> None:
    for _ in range(2000):
        if true():
            return
        time.sleep(0.02)
    raise AssertionError("it never came to that")


def _rows(tmp_path: Path) -> list[tuple[str, ...]]:
    connection = sqlite3.connect(tmp_path / "nousu.db")
    found = connection.execute("SELECT endpoint FROM subscriptions ORDER BY created").fetchall()
    connection.close()
    return found


def _open(client: TestClient) -> str:
    asked = {"preset": "tuppi", "players": ["rules"] * 3, "name": "Sanni Salainen"}
    return "/t/" + str(client.post("/api/v1/tables", json=asked).json()["table"])


def test_notice_is_encrypted_signed_and_without_names(
    client: TestClient, service: _PushService, tmp_path: Path
) -> None:
    browser = _Browser(f"{service.url}/send/1")
    assert client.post("/notices/on", json=browser.sent).json() == {"on": True}
    assert client.post("/notices/asked", json=browser.sent).json() == {"on": True}
    table = _open(client)
    _until(lambda: service.got)
    path, headers, body = service.got[0]
    text = browser.read(body)
    assert text == {"title": "Sinun vuorosi.", "body": "Tuppi", "lang": "fi", "address": table}
    assert path == "/send/1" and headers["content-encoding"] == "aes128gcm" and int(headers["ttl"]) > 0
    assert Vapid02.verify(headers["authorization"])
    token, _, key = headers["authorization"].partition(",k=")
    assert f'data-key="{key}"' in client.get("/settings").text
    claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    assert claims["aud"] == service.url and claims["exp"] < time.time() + 86400
    # The push service says that this browser is gone: it is asked no more.
    service.status = 410
    _open(client)
    _until(lambda: len(service.got) == 2)
    _until(lambda: _rows(tmp_path) == [])
    assert client.post("/notices/asked", json=browser.sent).json() == {"on": False}


def test_service_that_never_answers_holds_up_no_other(
    client: TestClient, service: _PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webpush, "DEADLINE", 3600.0)
    notices, call = client.app.state.notices, client.portal.call  # type: ignore[attr-defined, union-attr]

    def subscribed(endpoint: str) -> str:
        client.cookies.clear()
        assert client.post("/look", data={"lang": "en"}).status_code == 200
        assert client.post("/notices/on", json=_Browser(endpoint).sent).json() == {"on": True}
        return hash_token(client.cookies["nousu"])

    row = WeeklyTableRow("abc", "", "", "tuppi", 1, 19 * 60, "UTC", 0.0, "", "", "")
    mine = subscribed(f"{service.url}/send/1")
    call(notices.remind, mine, row)
    _until(lambda: service.got)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        for number in range(12):
            endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}/{number}"
            call(notices.remind, subscribed(endpoint), row)
        silent.settimeout(40)
        with silent.accept()[0]:  # one of them is being asked
            call(notices.remind, mine, row)
            _until(lambda: len(service.got) == 2)


def test_notices_end_with_the_setting_the_device_and_the_data(client: TestClient, tmp_path: Path) -> None:
    browsers = [_Browser(f"https://push.example/{number}") for number in range(7)]
    for one in browsers:
        assert client.post("/notices/on", json=one.sent).status_code == 200
    kept = [(one.sent["endpoint"],) for one in browsers[2:]]
    assert _rows(tmp_path) == kept, "the newest five"
    assert client.post("/notices/off", json=browsers[2].sent).json() == {"on": False}
    mine = list(client.cookies.jar)
    client.cookies.clear()
    assert client.post("/notices/off", json=browsers[3].sent).json() == {"on": False}
    assert _rows(tmp_path) == kept[1:], "nobody switches off what is another's"
    assert client.post("/notices/asked", json=browsers[3].sent).json() == {"on": False}
    # Another device that becomes this person's, and is sent away again.
    phone = _Browser("https://push.example/phone")
    client.post("/notices/on", json=phone.sent)
    theirs = list(client.cookies.jar)
    _be(client, mine)
    found = client.post("/mine/device").text
    code = next(word for word in found.replace("<", " ").replace(">", " ").split() if _is_code(word))
    _be(client, theirs)
    client.post("/device", data={"code": code}, follow_redirects=False)
    assert client.post("/notices/asked", json=phone.sent).json() == {"on": True}
    _be(client, mine)
    client.post("/mine/devices/end", follow_redirects=False)
    assert _rows(tmp_path) == kept[1:], "a device that is sent away is called to no table"
    client.post("/forget", follow_redirects=False)
    assert _rows(tmp_path) == []


def _be(client: TestClient, cookies: list[Cookie]) -> None:
    client.cookies.clear()
    for one in cookies:
        client.cookies.jar.set_cookie(one)


def _is_code(word: str) -> bool:
    return len(word) == 9 and word[4] == "-" and word.replace("-", "").isalnum() and word.isupper()


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"endpoint": ""}, "address of a push service"),
        ({"endpoint": "gopher://push.example/1"}, "address of a push service"),
        ({"p256dh": "AAAA"}, "keys of this subscription"),
        ({"auth": "ä"}, "keys of this subscription"),
    ],
)
def test_subscription_malformed_is_refused(client: TestClient, changed: dict[str, str], why: str) -> None:
    client.headers["accept-language"] = "en"
    answer = client.post("/notices/on", json=_Browser("https://push.example/1").sent | changed)
    assert answer.status_code == 400 and why in answer.json()["error"]
    assert client.post("/notices/on", content=b"[]").status_code == 400
    for path in ("/notices/on", "/notices/off", "/notices/asked"):
        for name in ("endpoint", "p256dh", "auth", "other"):
            half = json.dumps(_Browser("https://push.example/1").sent | {name: "\ud800"})
            assert client.post(path, content=half).status_code == 400
    abroad = {"origin": "http://elsewhere.example"}
    assert client.post("/notices/on", json={}, headers=abroad).status_code == 403


def test_endpoint_in_the_internal_network_is_refused(subtests: pytest.Subtests) -> None:
    for endpoint in [
        "http://push.example/1",
        "https://push.example:8443/1",
        "https://user@push.example/1",
        "https://localhost/1",
        "https://127.0.0.1/1",
        "https://2130706433/1",
        "https://0x7f.1/1",
        "https://10.0.0.8/1",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/1",
        "https://[::ffff:192.168.1.1]/1",
        "https://[64:ff9b::7f00:1]/1",
        "https://[fe80::1]/1",
        "https://[fec0::1]/1",
        "https://[::127.0.0.1]/1",
        "https://[::8.8.8.8]/1",
        "https://[::ffff:8.8.8.8]/1",
        "https://[::ffff:0:127.0.0.1]/1",
        "https://[64:ff9b::8.8.8.8]/1",
        "https://[64:ff9b:1::7f00:1]/1",
        "https://[3fff::1]/1",
        "https://[5f00::1]/1",
        "https://[2001:db8::1]/1",
        "https://[2002:7f00:1::1]/1",
        "https://[2001:0:4136:e378:8000:63bf:80ff:fffe]/1",
        "https://" + "a" * 2000 + ".example/1",
        "https://push.example/ 1",
        "https://[/1",
    ]:
        with subtests.test(endpoint=endpoint), pytest.raises(RequestError):
            check_endpoint(endpoint)


def test_endpoint_of_a_push_service_is_public() -> None:
    check_endpoint("https://fcm.googleapis.com/fcm/send/abc:def-_")
    check_endpoint("https://updates.push.services.mozilla.com/wpush/v2/abc")
    assert is_public("8.8.8.8") and is_public("2a00:1450:4001::5e") and not is_public("100.64.0.1")


def test_endpoint_resolving_to_an_internal_address() -> None:
    """The name is looked up, and what it leads to is looked at, when the connection is made."""

    async def connects() -> bool:
        reached = asyncio.Event()
        server = await asyncio.start_server(lambda *_: reached.set(), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(Unreachable):
            await PublicBackend().connect_tcp("localhost", port, 5.0)
        server.close()
        return reached.is_set()

    assert not asyncio.run(connects())
