"""What every request passes: origin, size and rate on the way in; headers and the session's cookie on the
way out. Plain ASGI, so that nothing is buffered and WebSockets pass as well."""

import logging
import re
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nousu.i18n import best_language, translator
from nousu.i18n.sentences import note_with_clause
from nousu.server.errors import Refused
from nousu.server.failure_place import blame
from nousu.server.http.addresses import HOST, Public
from nousu.server.http.attempts import Attempts
from nousu.server.http.rate_limits import Limits, TooMany, visitor
from nousu.server.people import cookies

_LOG = logging.getLogger(__name__)
BODY_LIMIT = 64 * 1024
"""Bytes; nothing anybody sends here is longer, but for a list of people."""
LIST_LIMIT = 1024 * 1024
"""Bytes of a list of people: a workbook brings its pictures along."""
_LISTS = re.compile(r"/tournament/[^/]+/people")
HEAD_LIMIT = 16 * 1024
"""Bytes of all headers."""
_SAFE = ("GET", "HEAD", "OPTIONS")

POLICY = "; ".join(
    (
        "default-src 'none'",
        "object-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",  # where a card lies is a number on the card; it can run nothing
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""On every response."""
STRICT = "max-age=31536000; includeSubDomains"
"""Strict-Transport-Security, where the public address is https: for a year nobody comes by http again."""


class _Foreign(Refused):
    status = 403


class _TooLarge(Refused):
    """The body is longer than `BODY_LIMIT`."""

    status = 413


class _HeaderTooLarge(Refused):
    status = 431


class Guard:
    """ASGI middleware around the whole application. `broken` answers a request that failed inside."""

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits,
        public: Public | None,
        broken: Callable[[Request], Response],
        attempts: Attempts,
        proxied: bool = False,
    ) -> None:
        self._app = app
        self._attempts = attempts
        self._limits = limits
        self._public = public
        self._broken = broken
        self._warns = not proxied

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a connection through, or refuse it."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        who = visitor(client[0]) if client else "unknown"
        try:
            await self._admit(scope)
            self._limits.enter(who)
        except Refused as error:
            self._attempts.note(error.status, error.note.message, who)
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": error.note.message[:100]})
            return
        try:
            await self._app(scope, receive, send)
        except Exception as error:
            _LOG.error("a live line failed: %s", blame(error))
            with suppress(Exception):  # it may be closed already
                await send({"type": "websocket.close", "code": 1011})
        finally:
            self._limits.leave(who)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        answering = _Answer(scope, send, self._public, self._attempts)
        try:
            await self._admit(scope)
            await self._app(scope, _limited(scope, receive), answering)
        except Refused as error:
            if not answering.begun:
                scope["state"]["why"] = error.note.message
                await _refusal(scope, error)(scope, receive, answering)
        except Exception as error:
            # Never the message, which might name a card; and nothing is passed on to who would print it.
            _LOG.error("%s failed: %s", scope["method"], blame(error))
            if not answering.begun:
                await self._broken(Request(scope))(scope, receive, answering)

    async def _admit(self, scope: Scope) -> None:
        """Note who comes by which address; a `Refused` says why this request goes no further."""
        headers = Headers(scope=scope)
        state = scope.setdefault("state", {})
        state["token"] = ""
        if self._warns and "x-forwarded-for" in headers:
            self._warns = False
            _LOG.warning("a request says it came through a proxy; name the proxy by --trusted-proxy")
        if not scope["path"].startswith("/static/"):
            client = scope.get("client")
            await self._limits.hit("request", visitor(client[0]) if client else "unknown")
        if sum(len(name) + len(value) for name, value in scope["headers"]) > HEAD_LIMIT:
            raise _HeaderTooLarge("That is too long.")
        crumbs = headers.getlist("cookie")
        if sum(map(len, crumbs)) > cookies.LIMIT:
            raise _HeaderTooLarge("That is too long.")
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not HOST.fullmatch(hosts[0]):
            raise Refused("The Host header of this request is not an address.")
        if self._public is not None:
            _readdress(scope, self._public)
        bearer = _bearer(headers)
        state["token"] = bearer or cookies.token(crumbs, scope["scheme"] in ("https", "wss"))
        if scope["type"] == "http" and scope["method"] in _SAFE:
            return
        # A program comes without the marks of a browser, and without a cookie nobody can be made use of.
        program = scope["path"].startswith("/api/") and scope["type"] == "http" and not state["token"]
        unmarked = headers.get("origin") is None and headers.get("sec-fetch-site") is None
        if not (bearer or (program and unmarked) or _same_origin(Headers(scope=scope), self._public)):
            raise _Foreign("This must be sent from a page of this server itself.")


def _readdress(scope: Scope, public: Public) -> None:
    """From here on the request has come to the public address, whatever its Host header said."""
    rest = [(name, value) for name, value in scope["headers"] if name != b"host"]
    scope["headers"] = [(b"host", public.host.encode()), *rest]
    secure = public.scheme == "https"
    if scope["type"] == "websocket":
        scope["scheme"] = "wss" if secure else "ws"
    else:
        scope["scheme"] = public.scheme


def _refusal(scope: Scope, why: Refused) -> Response:
    headers = {"retry-after": str(why.after)} if isinstance(why, TooMany) else None
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": why.note.english, "clause": ""}, why.status, headers)
    say = translator(best_language(Headers(scope=scope).get("accept-language")))
    return PlainTextResponse(note_with_clause(why.note, say), why.status, headers)


def _limited(scope: Scope, receive: Receive) -> Receive:
    length = Headers(scope=scope).get("content-length", "0")
    most = LIST_LIMIT if _LISTS.fullmatch(scope["path"]) else BODY_LIMIT
    if not length.isascii() or not length.isdecimal() or len(length) > 9 or int(length) > most:
        raise _TooLarge("That is too long.")
    total = 0

    async def counted() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > most:
            raise _TooLarge("That is too long.")
        return message

    return counted


class _Answer:
    """The way out of a request: headers and, for somebody new, the session's cookie."""

    def __init__(self, scope: Scope, send: Send, public: Public | None, attempts: Attempts) -> None:
        self.begun = False
        """The answer has begun to be sent; there can be no other."""
        self._scope = scope
        self._send = send
        self._attempts = attempts
        self._strict = public is not None and public.scheme == "https"

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            self._complete(MutableHeaders(scope=message))
            client = self._scope.get("client")
            who = visitor(client[0]) if client else "unknown"
            self._attempts.note(message["status"], self._scope.get("state", {}).get("why", ""), who)
        await self._send(message)

    def _complete(self, headers: MutableHeaders) -> None:
        scope = self._scope
        for name, value in HEADERS.items():
            headers.setdefault(name, value)
        if self._strict:
            headers.setdefault("strict-transport-security", STRICT)
        static = scope["path"].startswith("/static/")
        fixed = static and b"v=" in scope.get("query_string", b"")
        kept = "public, max-age=31536000, immutable" if fixed else "no-cache" if static else "no-store"
        headers.setdefault("cache-control", kept)
        if "etag" in headers and not static:
            del headers["etag"]
        token = scope.get("state", {}).get("new_token")
        if token:
            headers.append("set-cookie", cookies.session(token, scope["scheme"] == "https"))


def _bearer(headers: Headers) -> str:
    """The token of a program; it is never sent by a browser of itself, so its origin does not matter."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" and cookies.TOKEN.fullmatch(token) else ""


def _same_origin(headers: Headers, public: Public | None) -> bool:
    """Whether a browser says the request comes from a page of this server; silence is no."""
    site = headers.get("sec-fetch-site")
    if site is not None and site != "same-origin":
        return False
    origin = headers.get("origin")
    if origin is None:
        return site == "same-origin"
    if public is not None:
        return origin == str(public)
    try:
        return bool(origin) and urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
    except ValueError:  # an address in brackets that is none
        return False
