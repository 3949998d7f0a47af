"""Thousands of live pages in one process: as little of a browser as a load driver needs."""

import asyncio
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Callable, Coroutine
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import orjson

ROOT = Path(__file__).parents[1]
_ACT = re.compile(r'data-act="(?!hurry")([^"{}]+)"')
_CHOOSE = re.compile(r'data-choose="([^"]+)"')
_MANY = re.compile(r'data-act="([^"{}]*)\{\}([^"{}]*)"\s+data-many="(\d+)"')
_BEAT, _HERE = b"b", b"h"
_NEXT = re.compile(r"\bdata-next\b")
Result = TypeVar("Result")


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a program of thousands of lines on the loop that costs least: more is left for the server."""
    try:
        import uvloop
    except ImportError:  # there is none for Windows
        return asyncio.run(main)
    return uvloop.run(main)


class Line(asyncio.Protocol):
    """One WebSocket. Text that comes is given to `heard`, as it comes (UTF-8); pings are answered."""

    def __init__(self, request: bytes, heard: Callable[["Line", bytes, float], None]) -> None:
        self._request = request
        self.heard = heard
        self._rest = b""
        """What has come of a frame that is not here whole."""
        self._transport: Any = None
        self.open = asyncio.get_running_loop().create_future()
        self.closed = False
        self.bytes = 0
        self._heard = False
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
        self.bytes += len(data)
        if self._rest:
            data = self._rest + data
        at = 0
        if not self.open.done():
            at = self._opened(data)
            if not self.open.done():
                self._rest = data
                return
        while at < len(data) and (frame := _frame(data, at)) is not None:
            kind, body, at = frame
            if kind == 1 and body == _BEAT:
                self._unanswered = False
            elif kind == 1:
                self._heard, self._unanswered = True, False
                self.heard(self, body, now)
            elif kind == 9:
                self._write(0x8A, body)
            elif kind == 8:
                self._transport.close()
        self._rest = data[at:]

    def _opened(self, data: bytes) -> int:
        """Where the answer to the handshake ends, once all of it is here; else 0."""
        end = data.find(b"\r\n\r\n")
        if end < 0:
            return 0
        first = data[: data.find(b"\r\n")]
        if b" 101 " in first:
            self.open.set_result(None)
        else:
            self.open.set_exception(ConnectionError(first.decode()))
            self._transport.abort()
        return end + 4

    def _write(self, first: int, body: bytes) -> None:
        size = len(body)
        head = bytes((first, 0x80 | size)) if size < 126 else bytes((first, 0xFE)) + size.to_bytes(2, "big")
        self._transport.write(head + b"\0\0\0\0" + body)  # masked by zeroes

    def send(self, text: str) -> None:
        """Send a short text."""
        self._write(0x81, text.encode())

    def beat(self, plays: bool) -> None:
        """Send a heartbeat, as a page does every three seconds; not again before that is answered. Where
        something was heard since the last time, no answer is asked for, and a spectator sends nothing."""
        if not (self._unanswered or self.closed):
            self._unanswered = not self._heard
            if plays or not self._heard:
                self._write(0x81, _HERE if self._heard else _BEAT)
            self._heard = False

    def stop_reading(self) -> None:
        """Read no more, as a page does on a train."""
        self._transport.pause_reading()

    def cut(self) -> None:
        """Break the connection off."""
        self._transport.abort()


def _frame(data: bytes, at: int) -> tuple[int, bytes, int] | None:
    """The frame that begins there: its kind, what it holds, and where it ends; None where it is not whole."""
    size, start = data[at + 1] & 127 if len(data) > at + 1 else 0, at + 2
    if size > 125:
        start = at + (4 if size == 126 else 10)
        size = int.from_bytes(data[at + 2 : start], "big")
    end = start + size
    return None if len(data) < max(start, end) else (data[at] & 15, data[start:end], end)


async def connected(
    host: str, port: int, path: str, token: str, heard: Callable[[Line, bytes, float], None]
) -> Line:
    """A line that is open."""
    key = b64encode(os.urandom(16)).decode()
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\nOrigin: http://{host}:{port}\r\n"
        + (f"Authorization: Bearer {token}\r\n" if token else "")
        + "\r\n"
    ).encode()
    loop = asyncio.get_running_loop()
    _, line = await loop.create_connection(lambda: Line(request, heard), host, port)
    await asyncio.wait_for(line.open, 60)
    return line


class _Offered(NamedTuple):
    """What a part of a page offers."""

    acts: list[str]
    cards: list[str]
    """That may be among several."""
    many: list[tuple[str, str, str]]
    """An action about several cards: what stands before and after them, and how many."""


@lru_cache(1 << 16)
def _offered(part: str) -> _Offered | None:
    """What a piece of a picture offers; None as most do: nothing."""
    if not ("data-act" in part or "data-choose" in part or "data-next" in part):
        return None
    acts = _ACT.findall(part) + (["next"] if _NEXT.search(part) else [])
    return _Offered(acts, _CHOOSE.findall(part), _MANY.findall(part))


class Page:
    """What a live page shows, as far as a driver must know it."""

    def __init__(self) -> None:
        self.seq = 0
        self.acts: list[str] = []
        self._found: list[_Offered | None] = []

    def heard(self, message: dict[str, Any]) -> None:
        """Take over a picture: what may be done now."""
        before, self._found = self._found, []
        for part in message["parts"]:
            if isinstance(part, str):
                self._found.append(_offered(part))
            else:
                self._found += before[part[0] : sum(part)]
        self.seq = message["seq"]
        offering = [found for found in self._found if found]
        self.acts = [act for found in offering for act in found.acts]
        for before_cards, after_cards, count in (many for found in offering for many in found.many):
            cards = [card for found in offering for card in found.cards]
            chosen = random.Random(self.seq).sample(cards, int(count))
            self.acts.append(before_cards + " ".join(chosen) + after_cards)


class Server:
    """A server in a process of its own, and what it costs."""

    def __init__(self, command: list[str], **environment: str) -> None:
        src = {"PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))}
        self._process = subprocess.Popen(
            [sys.executable, *command], env=os.environ | src | environment, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"http://([\d.]+):(\d+)", line)
        if found is None:
            raise RuntimeError(f"the server said {line!r}")
        self.host, self.port = found[1], int(found[2])
        self.pid = self._process.pid

    @classmethod
    def real(cls, database: str, **environment: str) -> "Server":
        """``nousu serve`` without limits on requests, computer players taking no time."""
        quick = {"NOUSU_PACE": "0", "NOUSU_LIMITS": "off", "NOUSU_WORKERS": "1"}
        return cls(["-m", "nousu", "serve", "--port", "0", "--database", database], **(quick | environment))

    @property
    def base(self) -> str:
        """Its address."""
        return f"http://{self.host}:{self.port}"

    def cpu(self) -> float:
        """Seconds of processor time used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """MiB in memory."""
        text = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", text)
        return int(found[1]) / 1024 if found else 0.0

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def tell(self, how: signal.Signals) -> None:
        """Send it a signal."""
        self._process.send_signal(how)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> float:
        """End it; the seconds that took."""
        began = time.monotonic()
        if self._process.poll() is None:
            self._process.send_signal(how)
        self._process.wait(120)
        if self._process.stdout is not None:
            self._process.stdout.close()
        return time.monotonic() - began


def stop_when_told() -> None:
    """Let SIGTERM end this program as Ctrl-C does: servers that it has started are stopped first."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def more_files(wanted: int) -> None:
    """Let this process, and those it starts, open so many files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, enough), hard))


def parsed(text: bytes) -> dict[str, Any]:
    """A message."""
    found: dict[str, Any] = orjson.loads(text)
    return found


def percentile(values: list[float], share: float) -> float:
    """The value that this share of all is not above; 0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
