"""A request for a page: its session, its reader, and the answers that pages give."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from nousu.engine.messages import Note
from nousu.i18n.reader import Reader
from nousu.server.errors import NotYours
from nousu.server.pages.site import error_page, page
from nousu.server.people.server import Server
from nousu.server.people.sessions import Session


class Visit:
    """A request, with the values that pages need.

    Attributes:
        request: The HTTP request.
        session: The session that sent it; its id is empty for a visitor without one.
        reader: The language of the page.
        server: The parts of the server.
    """

    __slots__ = ("reader", "request", "server", "session")

    def __init__(self, request: Request, session: Session, server: Server) -> None:
        self.request = request
        self.session = session
        self.reader = Reader.of(session.lang)
        self.server = server

    @property
    def table_id(self) -> str:
        """The id of the table in the address."""
        return str(self.request.path_params["id"])

    @property
    def hand_index(self) -> int:
        """The place of a finished hand in the address; -1 if it is no number."""
        return whole_number(self.request.path_params["index"])

    @property
    def origin(self) -> str:
        """The server as this browser addresses it, without a slash at the end."""
        return str(self.request.base_url).rstrip("/")

    def query(self, name: str, longest: int = 60) -> str:
        """A value of the query, cut to its first letters; empty if it is missing."""
        return self.request.query_params.get(name, "")[:longest]

    def query_number(self, name: str) -> int:
        """A number of the query; -1 if it is missing or no number."""
        return whole_number(self.query(name))

    def query_action(self) -> str:
        """The action in the query ``act``, with the chosen cards in place of ``{}``."""
        cards = " ".join(self.request.query_params.getlist("card")[:14])
        return self.query("act").replace("{}", cards)[:120]

    def page(
        self,
        template: str,
        values: Mapping[str, object],
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> HTMLResponse:
        """A whole page in the reader's language."""
        return HTMLResponse(page(self.request, template, self.session.lang, values), status, headers)

    def error(self, why: Note, status: int) -> HTMLResponse:
        """The error page with a reason."""
        return error_page(self.request, self.session.lang, why, status)


Handler = Callable[[Visit], Awaitable[Response]]
"""A function that answers a visit. Its `RequestError` becomes the error page in the visitor's language."""
SessionOf = Callable[[Server, Request], Awaitable[Session]]


async def visitor(server: Server, request: Request) -> Session:
    """The session of the browser, or an empty one that is not stored."""
    return await server.sessions.visitor(request)


async def member(server: Server, request: Request) -> Session:
    """The session of the browser; a new one is stored if it has none."""
    return await server.sessions.ensure(request)


async def owner(server: Server, request: Request) -> Session:
    """The session of a browser that has one.

    Raises:
        NotYours: The browser has no session.
    """
    session = await server.sessions.find(request)
    if session is None:
        raise NotYours("This device has no tables yet.")
    return session


def get(server: Server, path: str, handler: Handler, session: SessionOf = visitor) -> Route:
    """The route of a page."""
    return _route(server, path, handler, session, "GET")


def post(server: Server, path: str, handler: Handler, session: SessionOf = visitor) -> Route:
    """The route of a form."""
    return _route(server, path, handler, session, "POST")


def _route(server: Server, path: str, handler: Handler, session: SessionOf, method: str) -> Route:
    async def endpoint(request: Request) -> Response:
        visit = Visit(request, await session(server, request), server)
        request.state.language = visit.session.lang  # of the error page
        try:
            return await handler(visit)
        finally:
            await request.close()  # files that came with a form

    return Route(path, endpoint, methods=[method])


def whole_number(text: str) -> int:
    """A whole number as people and pages write one; -1 if it is none."""
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else -1


def parse_object(text: str | bytes) -> dict[str, Any] | None:
    """The JSON object in a text; None if it is none, or holds halves of letters."""
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def local_address(address: str) -> str:
    """The address if it is a path of this server, else the start page."""
    return address if re.fullmatch(r"/(?![/\\])[^\\\s]*", address) else "/"
