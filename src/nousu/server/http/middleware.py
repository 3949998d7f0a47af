"""ASGI middleware around the whole application.

It checks origin, size and rate of requests, and adds headers and the session cookie to responses. Nothing is
buffered, and WebSockets pass as well.
"""

import asyncio
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nousu.i18n import best_language, translator
from nousu.i18n.sentences import note_with_clause
from nousu.ids import SIGNS_AFTER_LINKS
from nousu.server.errors import RequestError, safe_traceback
from nousu.server.http.addresses import HOST, PublicAddress
from nousu.server.http.attempts import RefusalLog
from nousu.server.http.rate_limits import RateLimits, TooManyRequests, client_key
from nousu.server.people import cookies

_LOG = logging.getLogger(__name__)
BODY_LIMIT = 64 * 1024
"""Greatest number of bytes of a request's body, a list of people apart."""
LIST_LIMIT = 1024 * 1024
"""Greatest number of bytes of a list of people: a workbook may contain pictures."""
_LISTS = re.compile(r"/tournament/[^/]+/people")
EVENING_LIMIT = 4 * 1024 * 1024
"""Greatest number of bytes of the file of an evening that is added to a season."""
_EVENINGS = re.compile(r"/season/[^/]+/evenings")
FILE_LIMIT = 8 * 1024 * 1024
"""Greatest number of bytes of the file of an event."""
HEAD_LIMIT = 16 * 1024
"""Greatest number of bytes of all headers of a request."""
DELAY = 1.0
"""Seconds until a request too many is refused."""
_SAFE = ("GET", "HEAD", "OPTIONS")

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "object-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",  # the position of a card is an attribute of it; styles run nothing
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
SECURITY_HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""Headers of every response."""
STRICT_TRANSPORT = "max-age=31536000; includeSubDomains"
"""Strict-Transport-Security, where the public address is https: no http for a year."""


class _ForeignOrigin(RequestError):
    status = 403


class _TooLarge(RequestError):
    """A body longer than `BODY_LIMIT`."""

    status = 413


class _HeaderTooLarge(RequestError):
    status = 431


class SecurityMiddleware:
    """ASGI middleware around the whole application.

    Args:
        public: the public address, which replaces Host headers; None accepts any.
        error_page: responds to a request that failed inside.
        proxied: a proxy is trusted, so forwarding headers are no surprise.
    """

    def __init__(
        self,
        app: ASGIApp,
        limits: RateLimits,
        public: PublicAddress | None,
        error_page: Callable[[Request], Response],
        refusals: RefusalLog,
        proxied: bool = False,
    ) -> None:
        self._app = app
        self._refusals = refusals
        self._limits = limits
        self._public = public
        self._error_page = error_page
        self._warns_of_proxy = not proxied

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a connection on, or refuse it."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = _client_key(scope)
        try:
            await self._admit(scope)
            self._limits.acquire(key)
        except RequestError as error:
            await _delay(error)
            self._refusals.note(error.status, error.note.message, key)
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": error.note.message[:100]})
            return
        try:
            await self._app(scope, receive, send)
        except Exception as error:
            _LOG.error("a WebSocket failed: %s", safe_traceback(error))
            with suppress(Exception):  # it may be closed already
                await send({"type": "websocket.close", "code": 1011})
        finally:
            self._limits.release(key)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = _ResponseSender(scope, send, self._public, self._refusals)
        try:
            await self._admit(scope)
            if link := _without_signs(scope):
                await RedirectResponse(link, 307)(scope, receive, response)
                return
            await self._app(scope, _limit_body(scope, receive), response)
        except RequestError as error:
            await _delay(error)
            if not response.has_begun:
                scope["state"]["reason"] = error.note.message
                await _refusal(scope, error)(scope, receive, response)
        except Exception as error:
            # Not raised again: the server would log the message, which might name a card.
            _LOG.error("%s failed: %s", scope["method"], safe_traceback(error))
            if not response.has_begun:
                await self._error_page(Request(scope))(scope, receive, response)

    async def _admit(self, scope: Scope) -> None:
        """Set the token and the address of a request; `RequestError` where it is not allowed."""
        headers = Headers(scope=scope)
        state = scope.setdefault("state", {})
        state["token"] = ""
        if self._warns_of_proxy and "x-forwarded-for" in headers:
            self._warns_of_proxy = False
            _LOG.warning("a request says it came through a proxy; name the proxy by --trusted-proxy")
        kinds = {"static": "file", "tournament": "page of a tournament"}
        await self._limits.hit(kinds.get(scope["path"][1:].partition("/")[0], "request"), _client_key(scope))
        if sum(len(name) + len(value) for name, value in scope["headers"]) > HEAD_LIMIT:
            raise _HeaderTooLarge("That is too long.")
        cookie_headers = headers.getlist("cookie")
        if sum(map(len, cookie_headers)) > cookies.MAX_LENGTH:
            raise _HeaderTooLarge("That is too long.")
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not HOST.fullmatch(hosts[0]):
            raise RequestError("The Host header of this request is not an address.")
        if self._public is not None:
            _set_address(scope, self._public)
        bearer = _bearer(headers)
        state["token"] = bearer or cookies.session_token(cookie_headers, scope["scheme"] in ("https", "wss"))
        if scope["type"] == "http" and scope["method"] in _SAFE:
            return
        # A program sends no header that marks a browser; without a cookie, forging a request gains nothing.
        is_program = scope["path"].startswith("/api/") and scope["type"] == "http" and not state["token"]
        is_unmarked = headers.get("origin") is None and headers.get("sec-fetch-site") is None
        is_same_origin = _is_same_origin(Headers(scope=scope), self._public)
        if not (bearer or (is_program and is_unmarked) or is_same_origin):
            raise _ForeignOrigin("This must be sent from a page of this server itself.")


async def _delay(error: RequestError) -> None:
    """Let a request too many wait: a refusal at once invites the next one, and refusals take time too."""
    if isinstance(error, TooManyRequests):
        await asyncio.sleep(DELAY)


def _without_signs(scope: Scope) -> str:
    """The intended link, if a sentence or a chat program left a sign behind it; else an empty text."""
    path, query = scope["path"], scope["query_string"].decode("latin-1")
    if scope["method"] not in ("GET", "HEAD") or path.startswith(("/api/", "/static/")):
        return ""
    meant = path if query else path.rstrip(SIGNS_AFTER_LINKS)
    asked = query.rstrip(SIGNS_AFTER_LINKS) if "/slip/" in path else query
    if (meant, asked) == (path, query) or not meant.startswith("/") or meant.startswith("//"):
        return ""
    return quote(meant) + (f"?{asked}" if asked else "")


def _client_key(scope: Scope) -> str:
    client = scope.get("client")
    return client_key(client[0]) if client else "unknown"


def _set_address(scope: Scope, public: PublicAddress) -> None:
    """Replace the Host header and the scheme of a request by those of the public address."""
    rest = [(name, value) for name, value in scope["headers"] if name != b"host"]
    scope["headers"] = [(b"host", public.host.encode()), *rest]
    secure = public.scheme == "https"
    if scope["type"] == "websocket":
        scope["scheme"] = "wss" if secure else "ws"
    else:
        scope["scheme"] = public.scheme


def _refusal(scope: Scope, error: RequestError) -> Response:
    headers = {"retry-after": str(error.retry_after)} if isinstance(error, TooManyRequests) else None
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": error.note.english, "clause": ""}, error.status, headers)
    say = translator(best_language(Headers(scope=scope).get("accept-language")))
    return PlainTextResponse(note_with_clause(error.note, say), error.status, headers)


def _limit_body(scope: Scope, receive: Receive) -> Receive:
    length = Headers(scope=scope).get("content-length", "0")
    most = LIST_LIMIT if _LISTS.fullmatch(scope["path"]) else BODY_LIMIT
    if _EVENINGS.fullmatch(scope["path"]):
        most = EVENING_LIMIT
    if scope["path"] == "/tournaments":
        most = FILE_LIMIT
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


class _ResponseSender:
    """A sender of responses, with the headers of every response and the cookie of a new session."""

    def __init__(self, scope: Scope, send: Send, public: PublicAddress | None, refusals: RefusalLog) -> None:
        self.has_begun = False
        """True once the response has begun, so that there can be no other."""
        self._scope = scope
        self._send = send
        self._refusals = refusals
        self._strict = public is not None and public.scheme == "https"

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_begun = True
            self._add_headers(MutableHeaders(scope=message))
            reason = self._scope.get("state", {}).get("reason", "")
            self._refusals.note(message["status"], reason, _client_key(self._scope))
        await self._send(message)

    def _add_headers(self, headers: MutableHeaders) -> None:
        scope = self._scope
        for name, value in SECURITY_HEADERS.items():
            headers.setdefault(name, value)
        if self._strict:
            headers.setdefault("strict-transport-security", STRICT_TRANSPORT)
        is_static = scope["path"].startswith("/static/")
        is_versioned = is_static and b"v=" in scope.get("query_string", b"")
        caching = "no-cache" if is_static else "no-store"
        if is_versioned:
            caching = "public, max-age=31536000, immutable"
        headers.setdefault("cache-control", caching)
        if "etag" in headers and not is_static:
            del headers["etag"]
        token = scope.get("state", {}).get("new_token")
        if token:
            headers.append("set-cookie", cookies.session_cookie(token, scope["scheme"] == "https"))


def _bearer(headers: Headers) -> str:
    """The token of a program. No browser sends it by itself, so the origin does not matter."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" and cookies.TOKEN_PATTERN.fullmatch(token) else ""


def _is_same_origin(headers: Headers, public: PublicAddress | None) -> bool:
    """Whether a browser states that the request comes from a page of this server."""
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
    except ValueError:  # a wrong address in brackets
        return False
