"""Sessions: the person behind a browser or a program, by the token that it keeps."""

import contextlib
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Protocol

from starlette.requests import HTTPConnection

from nousu.i18n import LANGUAGES, best_language, translator
from nousu.server.errors import NotYours, RequestError
from nousu.server.live.tables import UNUSED, Tables
from nousu.server.storage.store import SessionRow
from nousu.server.table import shuffle
from nousu.server.table.display_names import clean_name

_DAY = 86400.0


class RequestLimits(Protocol):
    """Limits on requests, a `nousu.server.http.rate_limits.RateLimits`."""

    async def hit(self, kind: str, client: str) -> None:
        """Count a request of a kind from an address or session; `RequestError` when that is one too many."""
        ...

    def note_hall_visit(self, client: str) -> None:
        """Note a visit from that address to a tournament with a link in force."""
        ...

    def acquire(self, client: str) -> None:
        """Count an open connection of a client; `RequestError` when that is one too many."""
        ...

    def release(self, client: str) -> None:
        """Stop counting a connection."""
        ...


@dataclass(frozen=True, slots=True)
class Session:
    """A browser (or a program) with a session.

    The server sets and renews its cookie; pages never touch it.
    """

    id: str
    """SHA-256 of the token, in hex: the token itself is stored nowhere. Empty for a visitor without a
    session."""
    name: str
    """The person's last name at a table; empty at first."""
    lang: str
    """The language of the pages: chosen by the person, else the browser's preferred one."""
    commitment: str
    """SHA-256 of the secret of the next table this session opens. It is fixed before the person pledges a
    share, so that nobody can choose one to fit the other."""
    address: str = field(default="unknown", compare=False)
    """The client address of the request, for rate limits."""


def guest_name(language: str) -> str:
    """The name of a person without one, in the language in which the person reads the pages."""
    return translator(language)("Guest")


def check_session(session: Session) -> None:
    """Refuse a visitor without a session: open places have none either."""
    if not session.id:
        raise NotYours("You are watching; only those who sit at the table may act.")


def hash_token(token: str) -> str:
    """The hash of a token (or code) that is stored of it."""
    return sha256(token.encode()).hexdigest()


def address_of(request: HTTPConnection) -> str:
    """The client address of a request."""
    return request.client.host if request.client is not None else "unknown"


def _session_of(row: SessionRow, request: HTTPConnection) -> Session:
    lang = row.lang or best_language(request.headers.get("accept-language"))
    return Session(row.id, row.name, lang, shuffle.commitment(row.secret), address_of(request))


class Sessions:
    """The sessions of all people, and the live connections of each."""

    def __init__(self, tables: Tables, limits: RequestLimits) -> None:
        self._tables = tables
        self._limits = limits
        self._connections: dict[str, set[Callable[[], None]]] = {}
        """Functions that cut the live connections of each session."""

    async def find(self, request: HTTPConnection) -> Session | None:
        """The session of a request; None where it has none that is known."""
        token, store = getattr(request.state, "token", ""), self._tables.store
        row = await store.session(hash_token(token)) if token else None
        if row is None or (idle := time.time() - row.used) > UNUSED:
            return None
        if idle > _DAY:
            with contextlib.suppress(RequestError):  # a full disk must not prevent reading
                await store.change_session(row.id, used=time.time())
        return _session_of(row, request)

    async def visitor(self, request: HTTPConnection) -> Session:
        """The session of a request that only reads; else a visitor with an empty id."""
        session = await self.find(request)
        if session is not None:
            return session
        language = best_language(request.headers.get("accept-language"))
        return Session("", "", language, "", address_of(request))

    async def ensure(self, request: HTTPConnection) -> Session:
        """The session of a request; a new one is made, and its cookie set, where it has none."""
        session = await self.find(request)
        if session is not None:
            return session
        await self._limits.hit("session", address_of(request))
        token = secrets.token_urlsafe(16)
        row = SessionRow(hash_token(token), "", "", shuffle.new_secret())
        await self._tables.store.add_session(row)
        request.state.token = token
        request.state.new_token = token  # the middleware sets the cookie
        return _session_of(row, request)

    async def update(self, session: Session, name: str | None = None, lang: str | None = None) -> Session:
        """Store another name or language for a session."""
        changes = {}
        if name is not None:
            changes["name"] = clean_name(
                name, default=guest_name(lang if lang in LANGUAGES else session.lang)
            )
        if lang in LANGUAGES:
            changes["lang"] = lang
        if changes:
            await self._tables.store.change_session(session.id, **changes)
        return replace(session, **changes)

    async def end(self, session: Session) -> None:
        """End a session for good: its data are deleted, and computer players go on where others wait."""
        check_session(session)
        for table in await self._tables.store.people.forget(session.id, guest_name(session.lang)):
            await self._tables.drop(table)
        self.cut(session)
        for room in self._tables.rooms():
            seat = room.table.seats.seat_of(session.id)
            if seat is not None:
                with contextlib.suppress(RequestError):
                    await self._tables.leave(room, session.id, seat)

    def cut(self, session: Session) -> None:
        """Cut the live connections of a person; a device that still has the session comes back by itself."""
        for cut in list(self._connections.pop(session.id, ())):
            cut()

    @contextlib.contextmanager
    def connection(self, session: Session | None, cut: Callable[[], None]) -> Iterator[None]:
        """A context for an open live connection of that session; `cut` is called when the session ends."""
        if session is None:
            yield
            return
        cuts = self._connections.setdefault(session.id, set())
        cuts.add(cut)
        try:
            yield
        finally:
            cuts.discard(cut)
            if not cuts:
                self._connections.pop(session.id, None)
