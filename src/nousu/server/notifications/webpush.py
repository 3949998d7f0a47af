"""Notices on their way: encrypted for one browser (RFC 8291), signed by this server (RFC 8292).

Nothing at a table waits for them: they stand in a bounded line and are sent by tasks of their own, each
within its time. A notice that cannot be sent is dropped; the page tells the same.
"""

import asyncio
import json
import logging
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import Counter
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from nousu.i18n import LANGUAGES, translator
from nousu.i18n.names import preset_name
from nousu.server.errors import RequestError, safe_traceback
from nousu.server.http.rate_limits import RateLimits, TooManyRequests
from nousu.server.live.room import Room
from nousu.server.notifications.safe_http import Way, check_endpoint
from nousu.server.notifications.schedule import Absences, Reason
from nousu.server.settings import Settings
from nousu.server.storage.push import Subscription, Subscriptions
from nousu.server.table.table import Table

_LOG = logging.getLogger(__name__)
_LINE = 500
"""Notices that may stand in line."""
_SENDING = 8
"""Notices on their way at once."""
DEADLINE = 8.0
"""Seconds a push service has to answer."""
_LASTS = {Reason.TURN: 6 * 3600, Reason.WAITING: 1800}
"""Seconds for which a push service keeps a notice for a browser that is not there."""
_SIGNED_FOR = 12 * 3600
_FAILURES = 3
"""Notices in a row that a push service may leave unanswered before it is asked no more."""
_AGAIN = 60.0
"""Seconds after which what other processes have noted is looked up again."""


class _Notice(NamedTuple):
    session: str
    reason: Reason
    table: str
    rules: str


class Notices:
    """Calls persons back whose page is closed, where they have asked for it on that device."""

    def __init__(self, limits: RateLimits, settings: Settings) -> None:
        self.on = settings.push != "off"
        self._limits = limits
        self._way = Way(anywhere=settings.push == "anywhere")
        self._contact = _contact(settings)
        self._subscriptions: Subscriptions | None = None
        self._vapid: Vapid02 | None = None
        self._wanted: set[str] = set()
        """Sessions that have asked for notices."""
        self._absences: WeakKeyDictionary[Room, Absences] = WeakKeyDictionary()
        self._line: asyncio.Queue[_Notice] = asyncio.Queue(_LINE)
        self._failed: Counter[str] = Counter()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, subscriptions: Subscriptions) -> None:
        """Make this server's key where there is none yet, and begin."""
        self._subscriptions = subscriptions
        if not self.on:
            return
        new = ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.DER,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        key = serialization.load_der_private_key(await subscriptions.key("vapid", new), None)
        self._vapid = Vapid02(key)
        self._wanted = await subscriptions.sessions()
        works = (self._refresh, *(self._send_on for _ in range(_SENDING)))
        self._tasks = [asyncio.create_task(work()) for work in works]

    async def stop(self) -> None:
        """Send nothing any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._way.close()

    @property
    def key(self) -> str:
        """The public key that browsers subscribe to, as they want it written; empty: no notices here."""
        if self._vapid is None:
            return ""
        point = self._vapid.public_key.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return _written(point)

    # ------------------------------------------------------------------------------- subscriptions

    async def subscribe(
        self, session: str, device: str, lang: str, endpoint: str, p256dh: str, auth: str
    ) -> None:
        """Send notices for a person to a browser from now on."""
        if self._subscriptions is None or not self.on:
            raise RequestError("This server sends no notices.")
        check_endpoint(endpoint, self._way.anywhere)
        try:
            ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _read(p256dh))
            fine = len(_read(auth)) == 16
        except ValueError:
            fine = False
        if not fine:
            raise RequestError("The keys of this subscription are not valid.")
        row = Subscription(named(endpoint), session, device, lang, endpoint, p256dh, auth, time.time())
        await self._subscriptions.add(row)
        self._failed.pop(row.id, None)
        self._wanted.add(session)

    # --------------------------------------------------------------------------------- who is called

    def look(self, room: Room, now: float) -> None:
        """Call those back who are due at a table; it is looked at again and again."""
        table = room.table
        if not self._wanted or all(place.owner not in self._wanted for place in table.seats.places):
            return
        absences = self._absences.setdefault(room, Absences())
        for session, reason in absences.due(table, room.presence, now, self._wanted):
            self._call(session, reason, table)

    def _call(self, session: str, reason: Reason, table: Table) -> None:
        try:
            self._line.put_nowait(_Notice(session, reason, table.id, table.written))
        except asyncio.QueueFull:
            _LOG.warning("too many notices at once; one is dropped")

    # -------------------------------------------------------------------------------------- sending

    async def _refresh(self) -> None:
        while self._subscriptions is not None:
            await asyncio.sleep(_AGAIN)
            try:
                self._wanted = await self._subscriptions.sessions()
            except Exception as error:
                _LOG.warning("subscriptions cannot be read: %s", safe_traceback(error))

    async def _send_on(self) -> None:
        while True:
            notice = await self._line.get()
            try:
                await self._limits.hit("notice", notice.session)
                await self._send(notice)
            except TooManyRequests:
                continue
            except Exception as error:
                _LOG.warning("a notice was not sent: %s", safe_traceback(error))

    async def _send(self, notice: _Notice) -> None:
        assert self._subscriptions is not None
        found = await self._subscriptions.of(notice.session)
        if not found:
            self._wanted.discard(notice.session)
        for one, lang in found:
            try:
                async with asyncio.timeout(DEADLINE):
                    headers, body = await asyncio.to_thread(self._sealed, one, lang, notice)
                    status = await self._way.post(one.endpoint, headers, body)
            except Exception as error:
                _LOG.info("a push service does not answer: %s", safe_traceback(error))
                status = 0
            self._failed[one.id] = 0 if status else self._failed[one.id] + 1
            if status in (404, 410) or self._failed[one.id] >= _FAILURES:
                await self._subscriptions.drop(one.id)
                del self._failed[one.id]

    def _sealed(self, one: Subscription, lang: str, notice: _Notice) -> tuple[dict[str, str], bytes]:
        """Headers and body of a notice for one browser."""
        assert self._vapid is not None
        say = translator(lang if lang in LANGUAGES else "en")
        titles = {
            Reason.TURN: say("It is your turn."),
            Reason.WAITING: say("A friend is waiting for you at the table."),
        }
        text = {"title": titles[notice.reason], "body": preset_name(notice.rules, say), "lang": lang}
        content = json.dumps(text | {"address": f"/t/{notice.table}"}, ensure_ascii=False).encode()
        body = http_ece.encrypt(
            content,
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=_read(one.p256dh),
            auth_secret=_read(one.auth),
            version="aes128gcm",
        )
        to = urlsplit(one.endpoint)
        until = int(time.time()) + _SIGNED_FOR
        claims = {"aud": f"{to.scheme}://{to.netloc}", "exp": until, "sub": self._contact}
        headers = {
            **self._vapid.sign(claims),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_LASTS[notice.reason]),
            "Urgency": "high",
            # A later notice of a table takes the place of one that was not delivered.
            "Topic": sha256(f"{notice.table} {one.id}".encode()).hexdigest()[:32],
        }
        return headers, body


def named(endpoint: str) -> str:
    """What a subscription is found by."""
    return sha256(endpoint.encode()).hexdigest()


def _contact(settings: Settings) -> str:
    """Whom a push service may ask about this server: its public address."""
    host = settings.public.host.partition(":")[0] if settings.public is not None else ""
    return f"https://{host}" if "." in host else "https://localhost"


def _read(text: str) -> bytes:
    """What browsers write in base64 for URLs; `ValueError`."""
    if len(text) > 200:
        raise ValueError("too long")
    return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))


def _written(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
