"""Rate limits on costly requests.

Each kind has a bucket per user or address that holds as many as the rate says and is refilled evenly. Time is
that of the monotonic clock: a wall clock that is set back must lock nobody out. Limits are by link or session
where there is one. Those by address are made for one household; a hall of a hundred phones behind one address
has wider ones, at the pages of tournaments and, after a visit from it with a link to one, elsewhere.
"""

import ipaddress
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from nousu.engine.messages import sentence
from nousu.server.errors import RequestError

DEFAULT_RATES: Mapping[str, str] = {
    "request": "60/second",
    "file": "3000/20second",
    "page of a tournament": "480/4second",
    "message": "100/second",
    "session": "120/minute 2000/day",
    "tables": "240/hour 1500/day",
    "verify": "20/minute",
    "claims": "20/minute",
    "code": "10/minute",
    "review": "10/20second 30/minute",
    "reports": "10/hour 30/day",
    "standing tables": "20/hour 60/day",
    "event": "10/hour 30/day",
    "table": "30/minute",
    "act": "20/second",
    "presence": "12/minute",
    "talk": "20/minute",
    "hint": "20/minute",
    "mine": "12/minute",
    "report": "6/minute",
    "notice": "12/hour",
    "events": "100/hour",
    "undo": "30/minute",
}
"""Rates by kind. Down to event they are counted by address, from table to notice by session (at a
tournament by link), events in total, undo by tournament. A static file or a page of a tournament counts in
place of a request."""
HALL_RATES: Mapping[str, str] = {
    "request": "480/4second",
    "file": "12000/minute",
    "message": "400/second",
    "session": "480/minute 8000/day",
    "tables": "960/hour 6000/day",
    "reports": "40/hour 120/day",
    "review": "120/minute",
    "claims": "120/minute",
}
"""Rates of an address after a visit from it to a tournament with a link in force: a hall of people."""
MAX_CONNECTIONS = 200
"""Greatest number of open connections of an address, unless nothing is limited."""
HALL_CONNECTIONS = 1000
"""Greatest number of open connections of a hall's address."""
_HALL_LIFETIME = 7200.0
"""Seconds since the last visit with a link for which an address has the limits of a hall."""
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_RATE = re.compile(rf"(\d+)/(\d*)({'|'.join(_SECONDS)})")
_ROUNDING = 1e-6
"""Seconds by which sums of times may be wrong: a full bucket must not refuse what it holds."""
_MAX_BUCKETS = 10_000
"""Number of buckets from which on the full ones are dropped."""


class _Rate(NamedTuple):
    """The size of a bucket, and the seconds in which it gains one."""

    size: int
    each: float


class TooManyRequests(RequestError):
    """Too many requests of one kind.

    Attributes:
        retry_after: seconds after which to try again.
    """

    status = 429

    def __init__(self, retry_after: float) -> None:
        super().__init__(sentence("That was too much at once; wait a moment and try again."))
        self.retry_after = max(1, math.ceil(retry_after))


class RateLimits:
    """Counts of requests in the memory of this process.

    Args:
        rates: such as ``120/minute`` or ``480/4second``, by kind, or several of
            them with blanks between; a kind without a rate is not limited.
        now: the clock, in seconds.
    """

    def __init__(
        self, rates: Mapping[str, str] = DEFAULT_RATES, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._rates = {kind: _parse_rates(texts) for kind, texts in rates.items()}
        self._hall_rates = {kind: _parse_rates(texts) for kind, texts in HALL_RATES.items()}
        self._hall_visits: dict[str, float] = {}
        """The time of the last visit with a link from each address of a hall."""
        self._now = now
        self._full_at: dict[tuple[str, str, _Rate], float] = {}
        """The time at which each bucket will be full again; those not named are full."""
        self._most_buckets = _MAX_BUCKETS
        self._connections: Counter[str] = Counter()

    async def hit(self, kind: str, client: str) -> None:
        """Count a request of that kind.

        Raises:
            TooManyRequests: it is one too many, and not counted.
        """
        rates = self._rates.get(kind)
        if rates is None:
            return
        now, client = self._now(), client_key(client)
        if kind in self._hall_rates and self._is_hall(client, now):
            rates, kind = self._hall_rates[kind], f"{kind} of a hall"
        full_at = {}
        for rate in rates:
            key = kind, client, rate
            full_at[key] = max(self._full_at.get(key, now), now) + rate.each
            wait = full_at[key] - now - rate.size * rate.each
            if wait > _ROUNDING:
                raise TooManyRequests(wait)
        self._full_at.update(full_at)
        if len(self._full_at) > self._most_buckets:
            self._full_at = {key: at for key, at in self._full_at.items() if at > now}
            self._most_buckets = max(_MAX_BUCKETS, 2 * len(self._full_at))

    def note_hall_visit(self, client: str) -> None:
        """Note a visit from that address to a tournament with a link in force."""
        now, client = self._now(), client_key(client)
        self._hall_visits.pop(client, None)
        self._hall_visits[client] = now  # the last one, since the order is that of time
        if len(self._hall_visits) > _MAX_BUCKETS:
            del self._hall_visits[next(iter(self._hall_visits))]

    def _is_hall(self, client: str, now: float) -> bool:
        return now - self._hall_visits.get(client, -math.inf) < _HALL_LIFETIME

    def most_connections(self, client: str, usual: int) -> int:
        """Connections that an address may have open, of which others have as many as `usual`."""
        return max(usual, HALL_CONNECTIONS) if self._is_hall(client, self._now()) else usual

    def acquire(self, client: str) -> None:
        """Count one more open connection of that address, until `release`.

        Raises:
            TooManyRequests: it is one too many, and not counted.
        """
        client = client_key(client)
        if self._rates and self._connections[client] >= self.most_connections(client, MAX_CONNECTIONS):
            raise TooManyRequests(10)
        self._connections[client] += 1

    def release(self, client: str) -> None:
        """Stop counting one open connection of that address."""
        client = client_key(client)
        self._connections[client] -= 1
        if not self._connections[client]:
            del self._connections[client]


def _parse_rates(texts: str) -> tuple[_Rate, ...]:
    rates = []
    for text in texts.split():
        parts = _RATE.fullmatch(text)
        assert parts is not None, text
        size = int(parts[1])
        rates.append(_Rate(size, int(parts[2] or 1) * _SECONDS[parts[3]] / size))
    return tuple(rates)


@lru_cache(maxsize=4096)
def client_key(address: str) -> str:
    """The key of an address's bucket: the address, or the network of 2^64 addresses of one IPv6 customer.

    A key that is no address (a session, a link) stays as it is.
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address[:200]
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((int(parsed), 64), strict=False).network_address)
