"""``/metrics``: figures for Prometheus, without names, cards or addresses.

The format is that of text exposition 0.0.4. Whoever may not read it is told that there is no such page.
"""

import hmac
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nousu import __version__
from nousu.server.http.addresses import within
from nousu.server.people.server import Server
from nousu.server.settings import Hosting

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds up to which requests are counted together."""


class Metrics:
    """ASGI middleware that counts requests, and the page that tells all figures."""

    def __init__(self) -> None:
        self.answers: Counter[str] = Counter()
        """By class of status: 2xx, 3xx, 4xx, 5xx."""
        self.lines = 0
        """Live lines open now."""
        self._ended = 0
        self._within: Counter[float] = Counter()
        self._seconds = 0.0
        self._began = time.time()

    def counted(self, app: ASGIApp) -> ASGIApp:
        """The application with its requests counted."""

        async def counting(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "websocket":
                self.lines += 1
                try:
                    await app(scope, receive, send)
                finally:
                    self.lines -= 1
                    self._ended += 1
                return
            began = time.perf_counter()

            async def noting(message: Message) -> None:
                if message["type"] == "http.response.start":
                    self._note(message["status"], time.perf_counter() - began)
                await send(message)

            await app(scope, receive, noting if scope["type"] == "http" else send)

        return counting

    @property
    def visits(self) -> int:
        """Requests that were answered so far, and lines that have ended."""
        return self.answers.total() + self._ended

    def _note(self, status: int, seconds: float) -> None:
        self.answers[f"{status // 100}xx"] += 1
        self._seconds += seconds
        self._within[next((bound for bound in BOUNDS if seconds <= bound), float("inf"))] += 1

    async def page(self, request: Request, server: Server, hosting: Hosting) -> Response | None:
        """All figures; None for whoever may not read them."""
        if not _may(request, hosting):
            return None
        lines = [*self._requests(), *_tables(server), *_process(self._began)]
        return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")

    def _requests(self) -> Iterator[str]:
        yield from _head("nousu_requests_total", "counter", "Answers by class of status.")
        for status in ("2xx", "3xx", "4xx", "5xx"):
            yield f'nousu_requests_total{{status="{status}"}} {self.answers[status]}'
        yield from _head("nousu_request_seconds", "histogram", "Time until an answer begins.")
        count = 0
        for bound in (*BOUNDS, float("inf")):
            count += self._within[bound]
            name = "+Inf" if bound == float("inf") else str(bound)
            yield f'nousu_request_seconds_bucket{{le="{name}"}} {count}'
        yield f"nousu_request_seconds_sum {self._seconds:.6f}"
        yield f"nousu_request_seconds_count {count}"
        yield from _head("nousu_live_lines", "gauge", "Pages of tables that are connected.")
        yield f"nousu_live_lines {self.lines}"


def _may(request: Request, hosting: Hosting) -> bool:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    wanted = hosting.metrics_token
    if wanted and kind.lower() == "bearer" and hmac.compare_digest(token.encode(), wanted.encode()):
        return True
    return request.client is not None and within(request.client.host, hosting.metrics_from)


def _tables(server: Server) -> Iterator[str]:
    states: Counter[str] = Counter()
    for room in server.tables.rooms():
        table = room.table
        states["over" if table.over else "playing" if table.match is not None else "lobby"] += 1
    yield from _head("nousu_tables", "gauge", "Tables in memory, by what they do.")
    for state in ("lobby", "playing", "over"):
        yield f'nousu_tables{{state="{state}"}} {states[state]}'


def _process(began: float) -> Iterator[str]:
    yield from _head("nousu_info", "gauge", "The version that runs.")
    python = ".".join(map(str, sys.version_info[:3]))
    yield f'nousu_info{{version="{__version__}",python="{python}"}} 1'
    yield from _head("process_start_time_seconds", "gauge", "When the process began, since 1970.")
    yield f"process_start_time_seconds {began:.0f}"
    yield from _head("process_cpu_seconds_total", "counter", "Processor time of the process.")
    yield f"process_cpu_seconds_total {time.process_time():.3f}"
    try:
        import resource
    except ImportError:  # Windows tells these otherwise
        return
    status = Path("/proc/self/statm")
    if status.exists():
        yield from _head("process_resident_memory_bytes", "gauge", "Memory of the process.")
        pages = int(status.read_text().split()[1])
        yield f"process_resident_memory_bytes {pages * resource.getpagesize()}"
        yield from _head("process_open_fds", "gauge", "Files and connections that are open.")
        yield f"process_open_fds {len(os.listdir('/proc/self/fd'))}"
    yield from _head("process_max_fds", "gauge", "So many may be open.")
    yield f"process_max_fds {resource.getrlimit(resource.RLIMIT_NOFILE)[0]}"


def _head(name: str, kind: str, about: str) -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"
