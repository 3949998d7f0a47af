"""Live table pages without a browser: thousands of WebSocket connections in one process."""

import asyncio
import os
import random
import time
from base64 import b64encode
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

import orjson

_HEARTBEAT, _HEARTBEAT_UNANSWERED = b"b", b"h"
Result = TypeVar("Result")


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine on uvloop where it is installed: it leaves more processor time to the server."""
    try:
        import uvloop
    except ImportError:  # not available for Windows
        return asyncio.run(main)
    return uvloop.run(main)


class Connection(asyncio.Protocol):
    """A WebSocket connection; pings are answered.

    Args:
        request: The HTTP request that opens it.
        on_text: Called with the connection, each text message (UTF-8) and its time of arrival
            (`time.perf_counter`).
    """

    def __init__(self, request: bytes, on_text: Callable[["Connection", bytes, float], None]) -> None:
        self._request = request
        self.on_text = on_text
        self._rest = b""
        """The beginning of a frame that is not complete."""
        self._transport: Any = None
        self.open = asyncio.get_running_loop().create_future()
        self.closed = False
        self._received = False
        """Whether a message has arrived since the last heartbeat."""
        self._unanswered = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = True
        if not self.open.done():
            self.open.set_exception(exc or ConnectionError("closed before the handshake"))

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        if self._rest:
            data = self._rest + data
        at = 0
        if not self.open.done():
            at = self._read_handshake(data)
            if not self.open.done():
                self._rest = data
                return
        while at < len(data) and (frame := _frame(data, at)) is not None:
            kind, body, at = frame
            if kind == 1 and body == _HEARTBEAT:
                self._unanswered = False
            elif kind == 1:
                self._received, self._unanswered = True, False
                self.on_text(self, body, now)
            elif kind == 9:
                self._write(0x8A, body)
            elif kind == 8:
                self._transport.close()
        self._rest = data[at:]

    def _read_handshake(self, data: bytes) -> int:
        """Position after the answer to the handshake; 0 while it is not complete."""
        end = data.find(b"\r\n\r\n")
        if end < 0:
            return 0
        status = data[: data.find(b"\r\n")]
        if b" 101 " in status:
            self.open.set_result(None)
        else:
            self.open.set_exception(ConnectionError(status.decode()))
            self._transport.abort()
        return end + 4

    def _write(self, first: int, body: bytes) -> None:
        size = len(body)
        head = bytes((first, 0x80 | size)) if size < 126 else bytes((first, 0xFE)) + size.to_bytes(2, "big")
        self._transport.write(head + b"\0\0\0\0" + body)  # masked by zeroes

    def send(self, text: str) -> None:
        """Send a text of less than 64 KiB."""
        self._write(0x81, text.encode())

    def send_heartbeat(self, plays: bool) -> None:
        """Send a heartbeat as a page does every three seconds, unless one is unanswered.

        It asks for an answer only if nothing has arrived since the last one. A watcher sends only that kind.

        Args:
            plays: Whether this page is a player's.
        """
        if not (self._unanswered or self.closed):
            self._unanswered = not self._received
            if plays or not self._received:
                self._write(0x81, _HEARTBEAT_UNANSWERED if self._received else _HEARTBEAT)
            self._received = False

    def stop_reading(self) -> None:
        """Stop reading, like a page without network."""
        self._transport.pause_reading()

    def abort(self) -> None:
        """Break the connection off."""
        self._transport.abort()


def _frame(data: bytes, at: int) -> tuple[int, bytes, int] | None:
    """Opcode, payload and end of the frame that begins at `at`; None if it is not complete."""
    size, start = data[at + 1] & 127 if len(data) > at + 1 else 0, at + 2
    if size > 125:
        start = at + (4 if size == 126 else 10)
        size = int.from_bytes(data[at + 2 : start], "big")
    end = start + size
    return None if len(data) < max(start, end) else (data[at] & 15, data[start:end], end)


async def connect(
    host: str, port: int, path: str, token: str, on_text: Callable[[Connection, bytes, float], None]
) -> Connection:
    """Open a WebSocket connection.

    Args:
        host: The server.
        port: Its port.
        path: The path of the live page.
        token: The session; empty for a visitor without one.
        on_text: As in `Connection`.

    Raises:
        ConnectionError: The server refused it.
    """
    key = b64encode(os.urandom(16)).decode()
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\nOrigin: http://{host}:{port}\r\n"
        + (f"Authorization: Bearer {token}\r\n" if token else "")
        + "\r\n"
    ).encode()
    loop = asyncio.get_running_loop()
    _, connection = await loop.create_connection(lambda: Connection(request, on_text), host, port)
    await asyncio.wait_for(connection.open, 60)
    return connection


def shows_table(message: Mapping[str, Any]) -> bool:
    """Whether a message of the server brings a view of the table, or changes of it."""
    return "view" in message or "set" in message


class Page:
    """Content of a live table page, as far as a driver needs it."""

    def __init__(self) -> None:
        self.seq = 0
        """Number of the last event shown."""
        self.actions: list[str] = []
        self._view: dict[str, Any] = {}

    def update(self, message: Mapping[str, Any]) -> None:
        """Apply a message of the server that `shows_table`."""
        self._view = message["view"] if "view" in message else self._view | message["set"]
        self.seq = message["seq"]
        self.actions = offered_actions(self._view, random.Random(self.seq))

    def wait_for_event(self, seq: int) -> None:
        """Offer no action until the page shows that event: earlier ones are stale."""
        if self.seq < seq:
            self.actions = []


def offered_actions(view: Mapping[str, Any], rng: random.Random) -> list[str]:
    """The actions that a view offers; of cards that are chosen together one choice at random."""
    if view["drawing"] == "lobby":
        return []
    prompt, more, outcome = view["ask"] or {}, view["more"] or {}, view["outcome"] or {}
    buttons = (*prompt.get("presses", ()), *view["bids"], *view["acts"])
    actions = [button["act"] for button in buttons if button["act"] != "hurry"]
    actions += [card["act"] for card in view["hand"] if card["act"]]
    actions += [act for act, _ in more.get("choices", ())]
    if many := view["many"]:
        cards = [card["card"] for card in view["hand"] if card["choose"]]
        actions.append(many["act"].replace("{}", " ".join(rng.sample(cards, many["many"]))))
    return [*actions, "next"] if outcome.get("waits") else actions


def parse_message(text: bytes) -> dict[str, Any]:
    """Parse a message of the server (JSON)."""
    message: dict[str, Any] = orjson.loads(text)
    return message
