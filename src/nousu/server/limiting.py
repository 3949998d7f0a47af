"""How often somebody may do what costs the server something."""

from collections.abc import Mapping

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

from nousu.server.refusals import Refused

DEFAULT: Mapping[str, str] = {
    "session": "120/minute",
    "table": "30/minute",
    "act": "20/second",
    "request": "60/second",
}
"""What is counted by address (session, request) and by session (table, act)."""


class TooMany(Refused):
    """Too many requests of one kind; `after` says in how many seconds to try again."""

    status = 429
    after = 5


class Limits:
    """Counts in memory of this process; an empty mapping counts nothing."""

    def __init__(self, rates: Mapping[str, str] = DEFAULT) -> None:
        self._rates: dict[str, RateLimitItem] = {kind: parse(rate) for kind, rate in rates.items()}
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def hit(self, kind: str, who: str) -> None:
        """Count one; `TooMany` when that is one too many."""
        rate = self._rates.get(kind)
        if rate is not None and not await self._limiter.hit(rate, kind, who):
            raise TooMany("That was too much at once; wait a moment and try again.")
