"""Sending of notices: encrypted for one browser (RFC 8291), signed by this server (RFC 8292).

Notices wait in a bounded queue and are sent by tasks of their own with a deadline, so that no table waits. A
notice that cannot be sent is dropped; the page shows the same.
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
from nousu.server.notifications.safe_http import PushClient, check_endpoint
from nousu.server.notifications.schedule import Absences, Reason
from nousu.server.settings import Settings
from nousu.server.storage.push import Subscription, Subscriptions
from nousu.server.storage.weekly_tables import WeeklyTableRow
from nousu.server.table.table import Table

_LOG = logging.getLogger(__name__)
_QUEUE = 500
"""Length of the queue."""
_SENDING = 8
"""Notices sent in parallel to services that have answered before."""
_TRIED = 2
"""Notices sent in parallel to other services: anybody may name one that never answers."""
_KNOWN = 200
"""Greatest number of services that are known to answer."""
DEADLINE = 8.0
"""Seconds until a push service must answer."""
_TIME_TO_LIVE = {Reason.TURN: 6 * 3600, Reason.WAITING: 1800, Reason.SOON: 1800}
"""Seconds for which a push service stores a notice for an offline browser."""
_SIGNED_FOR = 12 * 3600
_FAILURES = 3
"""Failures in a row after which a subscription is dropped."""
_REFRESH = 60.0
"""Seconds between two reads of the subscriptions stored by other processes."""


class _Notice(NamedTuple):
    session: str
    reason: Reason
    path: str
    """The address of the page that it leads to."""
    rules: str


class Notices:
    """The sender of notices to people with a closed page who subscribed on that device."""

    def __init__(self, limits: RateLimits, settings: Settings) -> None:
        self.on = settings.push != "off"
        self._limits = limits
        self._client = PushClient(anywhere=settings.push == "anywhere")
        self._contact = _contact(settings)
        self._subscriptions: Subscriptions | None = None
        self._vapid: Vapid02 | None = None
        self._wanted: set[str] = set()
        """Sessions with a subscription."""
        self._absences: WeakKeyDictionary[Room, Absences] = WeakKeyDictionary()
        self._queue: asyncio.Queue[_Notice] = asyncio.Queue(_QUEUE)
        self._tried: asyncio.Queue[tuple[Subscription, str, _Notice]] = asyncio.Queue(_QUEUE)
        """Notices to services that have not answered last time."""
        self._answering: dict[str, None] = {}
        """Hosts of services that have answered last time, in order."""
        self._failed: Counter[str] = Counter()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, subscriptions: Subscriptions) -> None:
        """Create this server's key where there is none yet, and start the tasks."""
        self._subscriptions = subscriptions
        if not self.on:
            return
        new = ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        key = serialization.load_der_private_key(await subscriptions.key("vapid", new), None)
        self._vapid = Vapid02(key)
        self._wanted = await subscriptions.sessions()
        works = (self._refresh, *[self._work] * _SENDING, *[self._try] * _TRIED)
        self._tasks = [asyncio.create_task(work()) for work in works]

    async def stop(self) -> None:
        """Stop the tasks and close the connections."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._client.close()

    @property
    def key(self) -> str:
        """Public key for subscriptions, base64url; empty where this server sends no notices."""
        if self._vapid is None:
            return ""
        point = self._vapid.public_key.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return _encode(point)

    # ------------------------------------------------------------------------------- subscriptions

    async def subscribe(
        self, session: str, device: str, lang: str, endpoint: str, p256dh: str, auth: str
    ) -> None:
        """Store a subscription of a browser. Raises `RequestError` for an invalid address or key."""
        if self._subscriptions is None or not self.on:
            raise RequestError("This server sends no notices.")
        check_endpoint(endpoint, self._client.anywhere)
        try:
            ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decode(p256dh))
            fine = len(_decode(auth)) == 16
        except ValueError:
            fine = False
        if not fine:
            raise RequestError("The keys of this subscription are not valid.")
        id = subscription_id(endpoint)
        row = Subscription(id, session, device, lang, endpoint, p256dh, auth, time.time())
        await self._subscriptions.add(row)
        self._failed.pop(row.id, None)
        self._wanted.add(session)

    # --------------------------------------------------------------------------------- who is called

    def observe(self, room: Room, now: float) -> None:
        """Queue the notices due at a table; called about once a second."""
        table = room.table
        if not self._wanted or all(place.owner not in self._wanted for place in table.seats.places):
            return
        absences = self._absences.setdefault(room, Absences())
        for session, reason in absences.due(table, room.presence, now, self._wanted):
            self._call(session, reason, table)

    def _call(self, session: str, reason: Reason, table: Table) -> None:
        self._put(_Notice(session, reason, f"/t/{table.id}", table.written))

    def remind(self, session: str, row: WeeklyTableRow) -> None:
        """Queue the notice that a standing table begins soon, for a person who subscribed."""
        if session in self._wanted:
            self._put(_Notice(session, Reason.SOON, f"/every/{row.id}", row.preset))

    def _put(self, notice: _Notice) -> None:
        try:
            self._queue.put_nowait(notice)
        except asyncio.QueueFull:
            _LOG.warning("too many notices at once; one is dropped")

    # -------------------------------------------------------------------------------------- sending

    async def _refresh(self) -> None:
        while self._subscriptions is not None:
            await asyncio.sleep(_REFRESH)
            try:
                self._wanted = await self._subscriptions.sessions()
            except Exception as error:
                _LOG.warning("subscriptions cannot be read: %s", safe_traceback(error))

    async def _work(self) -> None:
        while True:
            notice = await self._queue.get()
            try:
                await self._limits.hit("notice", notice.session)
                await self._send(notice)
            except TooManyRequests:
                continue
            except Exception as error:
                _LOG.warning("a notice was not sent: %s", safe_traceback(error))

    async def _send(self, notice: _Notice) -> None:
        assert self._subscriptions is not None
        subscriptions = await self._subscriptions.of(notice.session)
        if not subscriptions:
            self._wanted.discard(notice.session)
        for subscription, lang in subscriptions:
            if urlsplit(subscription.endpoint).netloc in self._answering:
                await self._send_to(subscription, lang, notice)
            elif not self._tried.full():
                self._tried.put_nowait((subscription, lang, notice))

    async def _try(self) -> None:
        while True:
            try:
                await self._send_to(*await self._tried.get())
            except Exception as error:
                _LOG.warning("a notice was not sent: %s", safe_traceback(error))

    async def _send_to(self, subscription: Subscription, lang: str, notice: _Notice) -> None:
        assert self._subscriptions is not None
        host = urlsplit(subscription.endpoint).netloc
        try:
            async with asyncio.timeout(DEADLINE):
                headers, body = await asyncio.to_thread(self._encrypt, subscription, lang, notice)
                status = await self._client.post(subscription.endpoint, headers, body)
        except Exception as error:
            _LOG.info("a push service does not answer: %s", safe_traceback(error))
            status = 0
        self._answering.pop(host, None)
        if status:
            self._answering[host] = None
            if len(self._answering) > _KNOWN:
                del self._answering[next(iter(self._answering))]
        self._failed[subscription.id] = 0 if status else self._failed[subscription.id] + 1
        if status in (404, 410) or self._failed[subscription.id] >= _FAILURES:
            await self._subscriptions.drop(subscription.id)
            del self._failed[subscription.id]

    def _encrypt(
        self, subscription: Subscription, lang: str, notice: _Notice
    ) -> tuple[dict[str, str], bytes]:
        """Headers and encrypted body of a notice for one browser."""
        assert self._vapid is not None
        say = translator(lang if lang in LANGUAGES else "en")
        titles = {
            Reason.TURN: say("It is your turn."),
            Reason.WAITING: say("A friend is waiting for you at the table."),
            Reason.SOON: say("Your table begins in half an hour."),
        }
        text = {"title": titles[notice.reason], "body": preset_name(notice.rules, say), "lang": lang}
        content = json.dumps(text | {"address": notice.path}, ensure_ascii=False).encode()
        body = http_ece.encrypt(
            content,
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=_decode(subscription.p256dh),
            auth_secret=_decode(subscription.auth),
            version="aes128gcm",
        )
        to = urlsplit(subscription.endpoint)
        until = int(time.time()) + _SIGNED_FOR
        claims = {"aud": f"{to.scheme}://{to.netloc}", "exp": until, "sub": self._contact}
        headers = {
            **self._vapid.sign(claims),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_TIME_TO_LIVE[notice.reason]),
            "Urgency": "high",
            # A later notice of a table replaces one that was not delivered.
            "Topic": sha256(f"{notice.path} {subscription.id}".encode()).hexdigest()[:32],
        }
        return headers, body


def subscription_id(endpoint: str) -> str:
    """The id of the subscription at an address of a push service: its SHA-256, in hex."""
    return sha256(endpoint.encode()).hexdigest()


def _contact(settings: Settings) -> str:
    """Contact for push services: the public address of this server."""
    host = settings.public.host.partition(":")[0] if settings.public is not None else ""
    return f"https://{host}" if "." in host else "https://localhost"


def _decode(text: str) -> bytes:
    """Decode base64url without padding. Raises `ValueError`."""
    if len(text) > 200:
        raise ValueError("too long")
    return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))


def _encode(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
