"""``/metrics``: figures for Prometheus (text format 0.0.4), without names, cards or addresses."""

import hmac
import sys
import time
from collections import Counter

import prometheus_client as prometheus
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nousu import __version__
from nousu.server.http.addresses import is_within
from nousu.server.people.server import Server
from nousu.server.settings import Settings

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the histogram of response times, in seconds."""
prometheus.disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """Figures of one server: ASGI middleware that counts requests, and the page that shows them."""

    def __init__(self) -> None:
        self._registry = registry = prometheus.CollectorRegistry()
        requests = prometheus.Counter(
            "nousu_requests_total", "Answers by class of status.", ("status",), registry=registry
        )
        self._requests = {status: requests.labels(f"{status}xx") for status in range(2, 6)}
        self._seconds = prometheus.Histogram(
            "nousu_request_seconds", "Time until an answer begins.", buckets=_BUCKETS, registry=registry
        )
        self._live = prometheus.Gauge(
            "nousu_live_lines", "Pages of tables that are connected.", registry=registry
        )
        tables = prometheus.Gauge(
            "nousu_tables", "Tables in memory, by what they do.", ("state",), registry=registry
        )
        self._tables = {state: tables.labels(state) for state in ("lobby", "playing", "over")}
        python = ".".join(map(str, sys.version_info[:3]))
        info = prometheus.Info("nousu", "The version that runs.", registry=registry)
        info.info({"version": __version__, "python": python})
        prometheus.ProcessCollector(registry=registry)

    def count_requests(self, app: ASGIApp) -> ASGIApp:
        """The application with its requests and WebSockets counted."""

        async def counting(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "websocket":
                with self._live.track_inprogress():
                    await app(scope, receive, send)
                return
            began = time.perf_counter()

            async def noting(message: Message) -> None:
                if message["type"] == "http.response.start":
                    self._requests[message["status"] // 100].inc()
                    self._seconds.observe(time.perf_counter() - began)
                await send(message)

            await app(scope, receive, noting if scope["type"] == "http" else send)

        return counting

    async def page(self, request: Request, server: Server, settings: Settings) -> Response:
        """The page with all figures: ``/metrics``.

        Raises:
            HTTPException: 404, where the request may not read it.
        """
        if not _may_read(request, settings):
            raise HTTPException(404)
        states: Counter[str] = Counter()
        for room in server.tables.rooms():
            table = room.table
            states["over" if table.over else "playing" if table.match is not None else "lobby"] += 1
        for state, gauge in self._tables.items():
            gauge.set(states[state])
        text = prometheus.generate_latest(self._registry)
        return Response(text, media_type="text/plain; version=0.0.4")


def _may_read(request: Request, settings: Settings) -> bool:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    wanted = settings.metrics_token
    if wanted and kind.lower() == "bearer" and hmac.compare_digest(token.encode(), wanted.encode()):
        return True
    return request.client is not None and is_within(request.client.host, settings.metrics_from)
