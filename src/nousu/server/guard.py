"""What every request passes: origin, size and rate on the way in; headers and the session's cookie on the
way out. Plain ASGI, so that nothing is buffered and WebSockets pass as well."""

import re
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nousu.server.limiting import Limits, TooMany
from nousu.server.refusals import Refused
from nousu.words import best_language, translator
from nousu.words.events import explained

COOKIE = "nousu"
BODY_LIMIT = 64 * 1024
"""Bytes; nothing anybody sends here is longer."""
_YEAR = 365 * 86400
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
_SAFE = ("GET", "HEAD", "OPTIONS")

POLICY = "; ".join(
    (
        "default-src 'none'",
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


class _TooLarge(Exception):
    """The body is longer than `BODY_LIMIT`."""


class Guard:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a connection through, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        state = scope.setdefault("state", {})
        bearer = _bearer(headers)
        state["token"] = bearer or _cookie(headers)
        same = bearer != "" or _same_origin(headers)
        if scope["type"] == "websocket":
            await self._websocket(same, scope, receive, send)
        else:
            await self._http(same, scope, receive, send)

    async def _websocket(self, same: bool, scope: Scope, receive: Receive, send: Send) -> None:
        if same:
            await self._app(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": "another origin"})

    async def _http(self, same: bool, scope: Scope, receive: Receive, send: Send) -> None:
        guarded = _with_headers(scope, send)
        if not scope["path"].startswith("/static/"):
            client = scope.get("client")
            try:
                await self._limits.hit("request", client[0] if client else "unknown")
            except TooMany as error:
                refusal = _refusal(scope, 429, error, {"retry-after": str(error.after)})
                await refusal(scope, receive, guarded)
                return
        if scope["method"] not in _SAFE and not same:
            foreign = Refused("This must be sent from a page of this server itself.")
            refusal = _refusal(scope, 403, foreign)
            await refusal(scope, receive, guarded)
            return
        too_large = _refusal(scope, 413, Refused("That is too long."))
        if _length(scope) > BODY_LIMIT:
            await too_large(scope, receive, guarded)
            return
        try:
            await self._app(scope, _limited(receive), guarded)
        except _TooLarge:
            await too_large(scope, receive, guarded)


def _refusal(scope: Scope, status: int, why: Refused, headers: dict[str, str] | None = None) -> Response:
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": why.note.english, "clause": ""}, status, headers)
    say = translator(best_language(Headers(scope=scope).get("accept-language")))
    return PlainTextResponse(explained(why.note, say), status, headers)


def _length(scope: Scope) -> int:
    text = Headers(scope=scope).get("content-length", "0")
    return int(text) if text.isdecimal() else 0


def _limited(receive: Receive) -> Receive:
    total = 0

    async def counted() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > BODY_LIMIT:
            raise _TooLarge
        return message

    return counted


def _with_headers(scope: Scope, send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            fixed = scope["path"].startswith("/static/") and b"v=" in scope.get("query_string", b"")
            kept = "public, max-age=31536000, immutable" if fixed else "no-store"
            headers.setdefault("cache-control", kept)
            if "etag" in headers and not scope["path"].startswith("/static/"):
                del headers["etag"]
            token = scope["state"].get("new_token")
            if token:
                headers.append("set-cookie", cookie(token, scope["scheme"] == "https"))
        await send(message)

    return guarded


def cookie(token: str, secure: bool) -> str:
    """The Set-Cookie header of a session. Lax, so that a link from a chat finds its person's seat."""
    text = f"{COOKIE}={token}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Lax"
    return text + "; Secure" if secure else text


def _cookie(headers: Headers) -> str:
    """The session token among the cookies; empty where there is none, or none of ours."""
    found = SimpleCookie()
    try:
        for line in _all(headers, "cookie"):
            found.load(line)
    except CookieError:
        return ""
    token = found[COOKIE].value if COOKIE in found else ""
    return token if _TOKEN.fullmatch(token) else ""


def _bearer(headers: Headers) -> str:
    """The token of a program; it is never sent by a browser of itself, so its origin does not matter."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" and _TOKEN.fullmatch(token) else ""


def _all(headers: Headers, name: str) -> Iterable[str]:
    return headers.getlist(name)


def _same_origin(headers: Headers) -> bool:
    """Whether a browser says the request comes from a page of this server; silence is no."""
    site = headers.get("sec-fetch-site")
    if site is not None and site != "same-origin":
        return False
    origin = headers.get("origin")
    if origin is None:
        return site == "same-origin"
    return bool(origin) and urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
