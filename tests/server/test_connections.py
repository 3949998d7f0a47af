"""P18: silent, dripping, deaf and flooding clients are ended, and nobody else notices.

The very configuration of ``nousu serve``, on a loopback socket in a thread, with deadlines of a fraction of a
second. Nothing here measures how long something took; what is waited for is that it ends at all.
"""

import asyncio
import base64
import gc
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from applications import app_on
from nousu.server.http import protocols
from nousu.server.http.addresses import parse_networks
from nousu.server.http.middleware import SECURITY_HEADERS
from nousu.server.http.protocols import ConnectionLimit
from nousu.server.pages.table import websocket

SOON = 0.3
DEADLINES = ("HEADER_TIMEOUT", "BODY_TIMEOUT", "READ_TIMEOUT")
TIMEOUT = 20.0
"""Seconds after which a connection that is still open counts as never closed."""


@contextmanager
def patience(*names: str) -> Iterator[None]:
    """Let the server wait long for what is sent meanwhile: until all deadlines, or those named."""
    with pytest.MonkeyPatch.context() as patch:
        for name in names or DEADLINES:
            patch.setattr(protocols, name, TIMEOUT)
        yield


class Listening:
    """A server in a thread; the address it listens at."""

    def __init__(self, path: Path, limit: ConnectionLimit) -> None:
        application = app_on(path, pace=0)
        self.server = uvicorn.Server(protocols.uvicorn_config(application, limit))
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.listen(256)
        self.at = self.socket.getsockname()
        self.base = f"http://127.0.0.1:{self.at[1]}"
        self._thread = threading.Thread(target=self.server.run, args=([self.socket],))
        self._thread.start()

    @contextmanager
    def client(self) -> Iterator[httpx.Client]:
        """Somebody who is served, however slow this machine is."""
        with (
            patience(),
            httpx.Client(base_url=self.base, headers={"origin": self.base}, timeout=TIMEOUT) as client,
        ):
            yield client

    def connect(self, source: str = "") -> socket.socket:
        """A bare connection, from that address of the loopback."""
        bound = (source, 0) if source else None
        return socket.create_connection(self.at, timeout=TIMEOUT, source_address=bound)

    def stop(self) -> None:
        self.server.should_exit = True
        self._thread.join(10)
        self.socket.close()


Listen = Callable[..., Listening]


@pytest.fixture
def listen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Listen]:
    for name in DEADLINES:
        monkeypatch.setattr(protocols, name, SOON)
    started: list[Listening] = []

    def start(limit: ConnectionLimit | None = None) -> Listening:
        started.append(Listening(tmp_path / f"{len(started)}.db", limit or ConnectionLimit(1000, 0)))
        return started[-1]

    yield start
    for one in started:
        one.stop()


def read_to_end(connection: socket.socket, drip: bytes = b"") -> bytes:
    """Everything the server says until it ends the connection, while `drip` goes on one byte at a time."""
    heard = b""
    until = time.monotonic() + TIMEOUT
    connection.settimeout(0.05)
    while time.monotonic() < until:
        if drip:
            with suppress(OSError):
                connection.send(drip[:1])
            drip = drip[1:]
        try:
            more = connection.recv(65536)
        except TimeoutError:
            continue
        except OSError:
            return heard
        if not more:
            return heard
        heard += more
    raise AssertionError("the connection was never closed")


GET = b"GET /api/v1/players HTTP/1.1\r\nhost: x\r\n\r\n"


@pytest.mark.parametrize(
    ("first", "drip"),
    [
        (b"", b""),
        (b"GET / HTTP/1.1\r\nhost: x\r\n", b""),
        (b"GET / HTTP/1.1\r\nhost: x\r\nx: ", b"a" * 10_000),
        (b"", b"\r\n" * 5000),
        (GET + b"GET / HTTP", b"/" * 10_000),
        (b"POST /look HTTP/1.1\r\nhost: x\r\norigin: http://x\r\ncontent-length: 9000\r\n\r\n", b"a" * 9000),
        (
            b"POST /look HTTP/1.1\r\nhost: x\r\norigin: http://x\r\ntransfer-encoding: chunked\r\n\r\n",
            b"1;" + b"e" * 9000,
        ),
    ],
    ids=["silent", "half a head", "dripping head", "empty lines", "second request", "body", "chunks"],
)
def test_connection_without_a_request_is_ended(listen: Listen, first: bytes, drip: bytes) -> None:
    server = listen()
    with server.connect() as connection:
        connection.sendall(first)
        read_to_end(connection, drip)
    with server.client() as other:
        assert other.get("/api/v1/players").status_code == 200


def test_connection_that_reads_no_answer_is_ended(listen: Listen) -> None:
    server = listen()
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(TIMEOUT)
        connection.connect(server.at)
        page = b"GET /static/js/table.js HTTP/1.1\r\nhost: x\r\n\r\n"
        with pytest.raises(OSError):  # reset by the server
            while True:
                connection.sendall(page)
                time.sleep(0.001)


def test_request_head_has_a_limit(listen: Listen) -> None:
    server = listen()
    for many in (b"x: " + b"a" * 40_000, b"".join(b"x%d: y\r\n" % n for n in range(4000))):
        with patience("HEADER_TIMEOUT"), server.connect() as connection:
            with suppress(OSError):
                connection.sendall(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n" + many + b"\r\n\r\n")
            assert b" 431 " in read_to_end(connection)[:40]
    with patience("HEADER_TIMEOUT"), server.connect() as connection:
        connection.sendall(GET * 500)
        assert read_to_end(connection).count(b"HTTP/1.1 200") < 50, (
            "who asks a thousand things at once is not waited for"
        )
    with server.client() as other:
        assert other.get("/api/v1/players", headers={"x": "y" * 17_000}).status_code == 431


@pytest.mark.parametrize(
    ("sent", "status"),
    [(b"GET / HTTP/9.9\r\n\r\n", 400), (b"\0\r\n\r\n", 400), (b"GET / HTTP/1.1\r\nhost: x\r\n", 408)],
)
def test_answer_of_the_protocol_itself_bears_all_headers(listen: Listen, sent: bytes, status: int) -> None:
    with nullcontext() if status == 408 else patience("HEADER_TIMEOUT"), listen().connect() as connection:
        connection.sendall(sent)
        head = read_to_end(connection).decode().partition("\r\n\r\n")[0].splitlines()
    assert head[0].startswith(f"HTTP/1.1 {status} ")
    headers = dict(text.split(": ", 1) for text in head[1:])
    assert {name: headers.get(name) for name in SECURITY_HEADERS} == SECURITY_HEADERS
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("path", "origin", "key", "status"),
    [
        ("/t/none/live", "http://elsewhere.example", "dGhlIHNhbXBsZSBub25jZQ==", 403),
        ("/nothing/here", "http://x", "dGhlIHNhbXBsZSBub25jZQ==", 403),
        ("/t/none/live", "http://x", "short", 400),
    ],
)
def test_refused_handshake_bears_all_headers(
    listen: Listen, path: str, origin: str, key: str, status: int
) -> None:
    with patience("HEADER_TIMEOUT"), listen().connect() as connection:
        connection.sendall(
            f"GET {path} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n"
            f"sec-websocket-version: 13\r\nsec-websocket-key: {key}\r\norigin: {origin}\r\n\r\n".encode()
        )
        head = read_to_end(connection).decode().partition("\r\n\r\n")[0].splitlines()
    assert head[0].startswith(f"HTTP/1.1 {status} ")
    headers = {name.lower(): value for name, value in (text.split(": ", 1) for text in head[1:])}
    assert {name: headers.get(name) for name in SECURITY_HEADERS} == SECURITY_HEADERS
    assert headers["cache-control"] == "no-store"


def test_address_cannot_take_all_connections(listen: Listen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "HEADER_TIMEOUT", TIMEOUT)
    server = listen(ConnectionLimit(total=20, each=5))
    lines = [server.connect("127.0.0.2") for _ in range(5)]
    with server.connect("127.0.0.2") as one_more:
        assert read_to_end(one_more).startswith(b"HTTP/1.1 503")
    with server.client() as other:
        assert other.get("/api/v1/players").status_code == 200
    for connection in lines:
        connection.close()
    again = [server.connect("127.0.0.2")]
    again[0].sendall(GET)
    assert again[0].recv(100).startswith(b"HTTP/1.1 200"), "places are given back"
    again[0].close()


def test_connections_are_counted_by_address_and_in_total() -> None:
    limit = ConnectionLimit(4, 2, parse_networks(["10.0.0.0/8"]))
    assert [limit.acquire("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert [limit.acquire("10.0.0.1") for _ in range(3)] == [True, True, False], "four in total"
    for address in ("192.0.2.1", "10.0.0.1", "10.0.0.1", "192.0.2.1"):
        limit.release(address)
    assert not limit._open and limit._sum == 0
    small = ConnectionLimit.for_files(256, 0)
    assert [small.acquire("192.0.2.1") for _ in range(129)].count(True) == 128


# --------------------------------------------------------------------------------------- WebSockets


def framed(kind: int, body: bytes = b"", last: bool = True) -> bytes:
    """A frame as a client sends it, masked with zeros."""
    assert len(body) < 126
    return bytes([kind | (0x80 if last else 0), 0x80 | len(body), 0, 0, 0, 0]) + body


def open_websocket(server: Listening, **options: int) -> socket.socket:
    """A bare connection of a table."""
    with server.client() as client:
        client.post("/look", data={"lang": "en"})
        body = {"preset": "tuppi", "players": ["random"] * 3, "options": {"pace": "60"}}
        table = client.post("/api/v1/tables", json=body).json()["table"]
    connection = socket.socket()
    for name, value in options.items():
        connection.setsockopt(socket.SOL_SOCKET, getattr(socket, name), value)
    connection.settimeout(TIMEOUT)
    key = base64.b64encode(os.urandom(16)).decode()
    head = [
        f"GET /t/{table}/live HTTP/1.1",
        "host: x",
        "origin: http://x",
        "connection: upgrade",
        "upgrade: websocket",
        "sec-websocket-version: 13",
        f"sec-websocket-key: {key}",
    ]
    with patience("HEADER_TIMEOUT"):
        connection.connect(server.at)
        connection.sendall("\r\n".join([*head, "", ""]).encode())
        assert connection.recv(12) == b"HTTP/1.1 101"
    return connection


@pytest.mark.parametrize(
    "flood",
    [
        framed(0x9, b"p" * 125) * 5000,
        framed(0xA) * 5000,
        framed(0x1) * 20_000,
        framed(0x1, last=False) + framed(0x0, last=False) * 20_000,
        framed(0x1, b"b") * 20_000,
        framed(0x1, b"h") * 20_000,
    ],
    ids=["pings", "pongs", "empty messages", "pieces", "beats", "beats without an answer"],
)
def test_websocket_that_floods_is_ended(listen: Listen, flood: bytes) -> None:
    server = listen()
    with open_websocket(server, SO_RCVBUF=4096) as connection:
        with suppress(OSError):
            connection.sendall(flood)
        read_to_end(connection)
    with server.client() as other:
        assert other.get("/api/v1/players").status_code == 200


@pytest.mark.parametrize(
    "frames",
    [
        framed(0x1, b"\xff"),
        framed(0x1, b"\xed\xa0\x80"),
        framed(0x1, b"\xc3", last=False) + framed(0x0, b"("),
    ],
    ids=["no letter", "half a letter", "in pieces"],
)
def test_frame_that_is_no_text_is_closed_without_a_traceback(
    listen: Listen, caplog: pytest.LogCaptureFixture, frames: bytes
) -> None:
    server = listen()
    with open_websocket(server) as connection:
        connection.sendall(frames)
        read_to_end(connection)
    assert "Traceback" not in caplog.text and "Invalid UTF-8" not in caplog.text


def test_response_to_a_silent_connection_is_no_failure(
    listen: Listen, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A client that answers no ping is cut off with messages still on their way; no error is logged."""
    answered = threading.Event()

    async def late(self: websocket.LivePage, message: object) -> int:
        await self._socket.send_text("x" * 40_000)
        with suppress(RuntimeError):
            while True:  # the connection is open
                await self._socket.send_text("")
                await asyncio.sleep(0.01)
        answered.set()
        return 1

    monkeypatch.setattr(websocket.LivePage, "_do", late)
    server = listen()
    server.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    server.server.config.ws_ping_interval = server.server.config.ws_ping_timeout = SOON
    with open_websocket(server, SO_RCVBUF=4096) as connection:
        connection.sendall(framed(0x1, b'{"key": "12345678"}'))
        assert answered.wait(TIMEOUT)
        read_to_end(connection)
    with server.client() as other:
        assert other.get("/api/v1/players").status_code == 200
    assert caplog.messages == []


def test_heartbeats_are_answered_however_they_come(listen: Listen) -> None:
    def answers() -> int:
        heard = b""
        while b"JSON object" not in heard:
            heard += connection.recv(65536)
        return heard.count(b"\x81\x01b")

    with open_websocket(listen()) as connection:
        connection.sendall(framed(0x1, b"h") * 3 + framed(0x1, b"b") + framed(0x1, b"junk"))
        assert answers() == 1, "a page that has just received something asks for no answer"
        connection.sendall(framed(0x1, b"b", last=False) + framed(0x0) + framed(0x1, b"junk"))
        assert answers() == 1
        connection.sendall(framed(0x1, b"b") * 3 + framed(0x1, b"junk"))
        assert answers() == 3, "after a stall they come close together"
        connection.sendall(framed(0x2, framed(0x1, b"b")) + framed(0x1, b"junk"))
        assert answers() == 0, "the same bytes within another message are no heartbeat"


def test_heartbeats_are_answered_while_an_action_is_carried_out(
    listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A claim that is examined, or a slow disk, is no lost connection; actions keep their order."""
    done: list[Any] = []
    release = threading.Event()

    async def slow(self: websocket.LivePage, message: dict[str, Any]) -> None:
        while not release.is_set():
            await asyncio.sleep(0.01)
        done.append(message["key"])

    monkeypatch.setattr(websocket.LivePage, "_do", slow)
    with open_websocket(listen()) as connection:
        connection.sendall(framed(0x1, b'{"key": 1}') + framed(0x1, b"b"))
        heard = b""
        while b"\x81\x01b" not in heard:
            heard += connection.recv(65536)
        connection.sendall(b"".join(framed(0x1, b'{"key": %d}' % key) for key in (2, 3)))
        release.set()
        connection.sendall(framed(0x1, b"b"))
        while heard.count(b"\x81\x01b") < 2:
            heard += connection.recv(65536)
        until = time.monotonic() + TIMEOUT
        while len(done) < 3 and time.monotonic() < until:
            time.sleep(0.01)
    assert done == [1, 2, 3]


def test_connection_that_has_ended_leaves_nothing_in_circles(listen: Listen) -> None:
    """A connection lives long, and so would what it left: garbage among old objects is seldom looked for."""
    kinds = (protocols.HttpProtocol, protocols.WebSocketProtocol, websocket.LivePage, WebSocket)

    def left() -> list[str]:
        return [type(one).__name__ for one in gc.get_objects() if isinstance(one, kinds)]

    gc.collect()
    before = left()
    server = listen()
    gc.disable()
    try:
        with server.client() as client:
            assert client.get("/api/v1/players").status_code == 200
            connection = open_websocket(server)
            assert {"WebSocketProtocol", "LivePage"} <= set(left())
            connection.sendall(framed(0x1, b"b"))
            connection.recv(1)
            connection.close()
        with open_websocket(server) as other:
            other.sendall(framed(0x8))
            read_to_end(other)
        until = time.monotonic() + TIMEOUT
        while (found := left()) != before and time.monotonic() < until:
            time.sleep(0.05)
        assert found == before
    finally:
        gc.enable()


@pytest.fixture
def counted(tmp_path: Path) -> Iterator[TestClient]:
    rates = {"message": "10/hour"}
    app = app_on(tmp_path / "n.db", pace=60, rates=rates)
    origin = {"origin": "http://testserver"}
    with TestClient(app, base_url="http://testserver", headers=origin) as client:
        client.post("/look", data={"lang": "en"})
        yield client


def test_malformed_request_is_answered_by_its_reason_alone(counted: TestClient) -> None:
    """A view for every junk message made 21 kB/s in 18 MB/s out; and messages are counted."""
    body = {"preset": "tuppi", "players": ["random"] * 3}
    table = counted.post("/api/v1/tables", json=body).json()["table"]
    before = counted.get(f"/api/v1/tables/{table}").json()["seq"]
    with counted.websocket_connect(f"/t/{table}/live") as connection:
        while "view" not in connection.receive_json():
            pass
        for junk in ("[]", "x" * 3000, "{}", '{"act": 1}', '{"next": false}', "\x00"):
            connection.send_text(junk)
        others = []
        for _ in range(6):
            while "error" not in (message := connection.receive_json()):
                others.append(message)
        # A slow machine still deals meanwhile.
        happened = counted.get(f"/api/v1/tables/{table}").json()["seq"] - before
        assert sum(bool({"view", "set"} & set(message)) for message in others) <= happened + 1, others
        assert all({"view", "set", "lost", "open"} & set(message) for message in others), others
        with pytest.raises(WebSocketDisconnect) as closed:
            for _ in range(10):
                connection.send_text("[]")
            for _ in range(20):
                connection.receive_json()
        assert closed.value.code == 1008


def test_handshakes_are_counted(tmp_path: Path) -> None:
    app = app_on(tmp_path / "n.db", pace=60, rates={"request": "10/hour"})
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        client.post("/look", data={"lang": "en"}, follow_redirects=False)
        table = client.post("/api/v1/tables", json={"preset": "tuppi", "players": ["random"] * 3}).json()[
            "table"
        ]
        opened = 0
        with pytest.raises(WebSocketDisconnect) as closed:
            for _ in range(20):
                with client.websocket_connect(f"/t/{table}/live"):
                    opened += 1
        assert 5 < opened < 10 and closed.value.code == 1008


def test_address_keeps_so_many_websockets_open(counted: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nousu.server.http.rate_limits.MAX_CONNECTIONS", 2)
    table = counted.post("/api/v1/tables", json={"preset": "tuppi", "players": ["random"] * 3}).json()[
        "table"
    ]
    address = f"/t/{table}/live"
    with (
        counted.websocket_connect(address),
        counted.websocket_connect(address),
        pytest.raises(WebSocketDisconnect),
        counted.websocket_connect(address),
    ):
        pass
    with counted.websocket_connect(address) as connection:
        assert "view" in json.loads(connection.receive_text())


# ---------------------------------------------------------------------------------------- open files


def test_limit_on_open_files_is_raised() -> None:
    code = (
        "import resource; hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1];"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (256, min(hard, 2000) if hard > 0 else 2000));"
        "from nousu.server.http.protocols import raise_file_limit;"
        "print(raise_file_limit(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["2000", "2000"]


def test_response_to_a_closed_connection_is_no_failure() -> None:
    """An action is stored while its sender leaves; nobody is there to be told, and no log says so."""
    came = iter([{"type": "websocket.connect"}])

    async def receive() -> Any:
        return next(came)

    async def send(_: Any) -> None:
        pass

    async def result() -> None:
        connection = WebSocket({"type": "websocket", "headers": [], "path": "/"}, receive, send)
        await connection.accept()
        await connection.close()
        await websocket._send_text(connection, "stored")

    with pytest.raises(WebSocketDisconnect):
        asyncio.run(result())
