"""How often somebody may do what costs the server something.

Each kind has a bucket per person or address that holds as many as the rate says and is refilled evenly. Time
is the monotonic clock's: a wall clock that is set back must lock nobody out.
"""

import ipaddress
import math
import time
from collections import Counter
from collections.abc import Callable, Mapping

from nousu.engine.messages import sentence
from nousu.server.errors import Refused

DEFAULT: Mapping[str, str] = {
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
"""What is counted by address (session, request, message, verify, code, review) and by session (table, act,
presence, talk, hint, mine, report, notice)."""
OPEN = 200
"""Connections an address may have open; where nothing is counted they are not bounded either."""
_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_SWEEP = 10_000
"""How many buckets are kept before the full ones are thrown away."""


class TooMany(Refused):
    """Too many requests of one kind; `after` says in how many seconds to try again."""

    status = 429

    def __init__(self, after: float) -> None:
        super().__init__(sentence("That was too much at once; wait a moment and try again."))
        self.after = max(1, math.ceil(after))


class Limits:
    """Counts in memory of this process; an empty mapping counts nothing."""

    def __init__(self, rates: Mapping[str, str] = DEFAULT, now: Callable[[], float] = time.monotonic) -> None:
        self._rates = {kind: _parsed(rate) for kind, rate in rates.items()}
        self._now = now
        self._full: dict[tuple[str, str], float] = {}
        """When each bucket will be full again; those not named are full."""
        self._sweep = _SWEEP
        self._lines: Counter[str] = Counter()

    async def hit(self, kind: str, who: str) -> None:
        """Count one; `TooMany` when that is one too many."""
        rate = self._rates.get(kind)
        if rate is None:
            return
        size, each = rate
        now = self._now()
        full = max(self._full.get((kind, who), now), now) + each
        if full - now > size * each:
            raise TooMany(full - now - size * each)
        self._full[kind, who] = full
        if len(self._full) > self._sweep:
            self._full = {key: at for key, at in self._full.items() if at > now}
            self._sweep = max(_SWEEP, 2 * len(self._full))

    def enter(self, who: str) -> None:
        """Count one more live line open from that address; `TooMany`. The one who was let in must `leave`."""
        if self._rates and self._lines[who] >= OPEN:
            raise TooMany(10)
        self._lines[who] += 1

    def leave(self, who: str) -> None:
        """One has closed."""
        self._lines[who] -= 1
        if not self._lines[who]:
            del self._lines[who]


def _parsed(rate: str) -> tuple[int, float]:
    """``120/minute`` as how many at once, and seconds for each."""
    count, _, unit = rate.partition("/")
    return int(count), _SECONDS[unit] / int(count)


def visitor(address: str) -> str:
    """Whom an address stands for: itself, or the network of 2^64 addresses that one IPv6 customer has."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found), 64), strict=False).network_address)
