"""The whole server as one ASGI application."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from nousu.engine.messages import Note
from nousu.i18n import best_language, translator
from nousu.players import DEFAULT_BUDGET
from nousu.server.api import create_api
from nousu.server.errors import RequestError
from nousu.server.http import rate_limits
from nousu.server.http.attempts import RefusalLog
from nousu.server.http.metrics import Metrics
from nousu.server.http.middleware import SecurityMiddleware
from nousu.server.http.rate_limits import RateLimits
from nousu.server.live.workers import Workers
from nousu.server.memory import trim_regularly, warm_up
from nousu.server.notifications.webpush import Notices
from nousu.server.pages.routes import routes as pages
from nousu.server.pages.site import SCRIPTS, STATIC, STYLESHEETS, error_page, send_stylesheet
from nousu.server.pages.table.websocket import live
from nousu.server.people.server import Server
from nousu.server.people.weekly_tables import remind_regularly
from nousu.server.settings import Settings
from nousu.server.storage.store import database_url
from nousu.server.tournament.files import HostedTournaments, tournament_folder
from nousu.server.tournament.online import watch
from nousu.server.tournament.routes import routes as tournament_pages


def create_app(
    settings: Settings,
    *,
    rates: Mapping[str, str] | None = None,
    tournaments: HostedTournaments | None = None,
) -> Starlette:
    """The application; its lifespan opens the database, so `BadDatabase` comes on start-up.

    Args:
        settings: All settings.
        rates: Limits on requests; None: `nousu.server.http.rate_limits.DEFAULT_RATES` unless they are off.
        tournaments: The tournament files that are directed here; None: those in the folder of the setting.
    """
    if rates is None:
        rates = rate_limits.DEFAULT_RATES if settings.limits else {}
    limits = RateLimits(rates)
    refusals, metrics = RefusalLog(), Metrics()
    trusted = [str(network) for network in settings.proxies]
    url = database_url(settings.database or None)
    thinking = max(1, (os.cpu_count() or 2) - 1) if settings.workers is None else settings.workers
    notices = Notices(limits, settings)
    server = Server(url, Workers(thinking, DEFAULT_BUDGET), limits, settings.pace)
    server.tables.observers.append(notices.observe)
    folder = Path(settings.tournaments) if settings.tournaments else tournament_folder(url)
    tournaments = tournaments or HostedTournaments(folder)

    routes: list[BaseRoute] = [
        Route("/metrics", partial(metrics.page, server=server, settings=settings)),
        Mount("/api/v1", create_api(server)),
        *[Route(f"/static/{name}", send_stylesheet) for name in STYLESHEETS],
        SCRIPTS,
        Mount("/static", StaticFiles(directory=STATIC)),
        WebSocketRoute("/t/{id}/live", live),
        *pages(server),
        *tournament_pages(tournaments, server, settings.new_events),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lambda _: _running(server, notices, tournaments),
        middleware=[
            Middleware(metrics.count_requests),
            *([Middleware(ProxyHeadersMiddleware, trusted_hosts=trusted)] if trusted else []),
            Middleware(
                SecurityMiddleware,
                limits=limits,
                public=settings.public,
                error_page=_error_page,
                refusals=refusals,
                proxied=bool(trusted),
            ),
            Middleware(GZipMiddleware, minimum_size=500, compresslevel=6),
        ],
        exception_handlers={RequestError: _refused, HTTPException: _http},
    )
    app.state.server = server
    app.state.notices = notices
    app.state.stop_waiting = tournaments.stop_waiting
    app.state.most_connections = limits.most_connections
    app.state.refusals = refusals
    app.state.public = str(settings.public or "")
    return app


@asynccontextmanager
async def _running(server: Server, notices: Notices, tournaments: HostedTournaments) -> AsyncIterator[None]:
    """Start the parts of the application; stop them when the block is left."""
    await asyncio.to_thread(warm_up)
    await server.start()
    await notices.start(server.store.subscriptions)
    works = (
        watch(server, tournaments),
        tournaments.keep_tidy(server.store.clock.now),
        trim_regularly(),
        remind_regularly(server, notices.remind),
    )
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        tournaments.close()
        await notices.stop()
        await server.stop()


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestError)
    request.state.reason = error.note.message
    again = {"retry-after": str(getattr(error, "retry_after", 1))} if error.status in (429, 503) else None
    return error_page(request, _language(request), error.note, error.status, again)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code not in (404, 405):
        return PlainTextResponse(error.detail, error.status_code, error.headers)
    missing = Note("", "There is no such page.")
    if request.scope["path"].startswith("/api/"):  # with a line break in it, which no route lets pass
        text = translator(_language(request))(missing.message)
        return JSONResponse({"error": text, "clause": ""}, error.status_code, error.headers)
    return error_page(request, _language(request), missing, error.status_code, error.headers)


def _error_page(request: Request) -> Response:
    lost = Note("", "Something went wrong here; nothing was lost. Please try again.")
    return error_page(request, _language(request), lost, 500)


def _language(request: Request) -> str:
    """The language of the page that was asked for; if no session could be read, that of the browser."""
    language: str | None = getattr(request.state, "language", None)
    return language or best_language(request.headers.get("accept-language"))
