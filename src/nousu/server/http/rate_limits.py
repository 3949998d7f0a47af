"""Rate limits on what costs the server something.

Each kind has a bucket per user or address that holds as many as the rate says and is refilled evenly. Time is
that of the monotonic clock: a wall clock that is set back must lock nobody out.
"""

import ipaddress
import math
import time
from collections import Counter
from collections.abc import Callable, Mapping

from nousu.engine.messages import sentence
from nousu.server.errors import RequestError

DEFAULT_RATES: Mapping[str, str] = {
    "session": "120/minute",
    "table": "30/minute",
    "act": "20/second",
    "request": "60/second",
    "message": "100/second",
    "verify": "20/minute",
    "presence": "12/minute",
    "talk": "20/minute",
    "hint": "20/minute",
    "code": "10/minute",
    "mine": "12/minute",
    "report": "6/minute",
    "review": "30/minute",
    "notice": "12/hour",
}
"""Rates by kind. Counted by address are session, request, message, verify, code and review; by session table,
act, presence, talk, hint, mine, report and notice."""
MAX_CONNECTIONS = 200
"""Connections an address may have open, unless nothing is limited."""
_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_MAX_BUCKETS = 10_000
"""Buckets held before the full ones are dropped."""


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
    """Counts in the memory of this process.

    Args:
        rates: such as ``120/minute``, by kind; a kind without a rate is not limited.
        now: the clock, in seconds.
    """

    def __init__(
        self, rates: Mapping[str, str] = DEFAULT_RATES, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._rates = {kind: _parse_rate(rate) for kind, rate in rates.items()}
        self._now = now
        self._full_at: dict[tuple[str, str], float] = {}
        """When each bucket will be full again; those not named are full."""
        self._most_buckets = _MAX_BUCKETS
        self._connections: Counter[str] = Counter()

    async def hit(self, kind: str, client: str) -> None:
        """Count a request of that kind.

        Raises:
            TooManyRequests: it is one too many, and not counted.
        """
        rate = self._rates.get(kind)
        if rate is None:
            return
        size, each = rate
        now = self._now()
        full_at = max(self._full_at.get((kind, client), now), now) + each
        if full_at - now > size * each:
            raise TooManyRequests(full_at - now - size * each)
        self._full_at[kind, client] = full_at
        if len(self._full_at) > self._most_buckets:
            self._full_at = {key: at for key, at in self._full_at.items() if at > now}
            self._most_buckets = max(_MAX_BUCKETS, 2 * len(self._full_at))

    def acquire(self, client: str) -> None:
        """Count one more open connection of that client, until `release`.

        Raises:
            TooManyRequests: it is one too many, and not counted.
        """
        if self._rates and self._connections[client] >= MAX_CONNECTIONS:
            raise TooManyRequests(10)
        self._connections[client] += 1

    def release(self, client: str) -> None:
        """Count one open connection of that client less."""
        self._connections[client] -= 1
        if not self._connections[client]:
            del self._connections[client]


def _parse_rate(rate: str) -> tuple[int, float]:
    """The size of a bucket, and the seconds in which it gains one."""
    count, _, unit = rate.partition("/")
    return int(count), _SECONDS[unit] / int(count)


def client_key(address: str) -> str:
    """The key of an address's bucket: the address, or the network of 2^64 addresses of one IPv6 customer."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((int(parsed), 64), strict=False).network_address)
