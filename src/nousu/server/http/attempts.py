"""Log of refused requests, which shows an operator attempts to get in.

A line names the status, the sentence without its values, and the client's address: never a token, a table or
a name. The first refusal of a kind from an address is logged at once, those that follow once a minute with
their number, so that nobody can fill the disk.
"""

import logging
import time
from collections.abc import Callable

_LOG = logging.getLogger(__name__)
_INTERVAL = 60.0
"""Seconds between two lines of the same kind and address."""
_MAX_COUNTS = 2000
"""Greatest number of counts by kind and address; beyond it their sum is logged and they are dropped."""
_LOGGED = (401, 403, 413, 429, 431)
"""Statuses that a person at a page hardly causes by mistake."""


class RefusalLog:
    """Refusals, counted by kind and address."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._counts: dict[tuple[str, str], tuple[float, int]] = {}
        """The time of the last log line of each kind and address, and the number of refusals since."""

    def note(self, status: int, reason: str, client: str) -> None:
        """Count a response, and log it if it is a refusal and it is time.

        Args:
            status: its HTTP status.
            reason: an English message, its values not filled in.
            client: the address that it goes to.
        """
        if status not in _LOGGED:
            return
        key = (f"{status} {reason}".strip(), client)
        now = self._now()
        logged, count = self._counts.get(key, (-_INTERVAL, 0))
        if now - logged < _INTERVAL:
            self._counts[key] = logged, count + 1
            return
        if len(self._counts) >= _MAX_COUNTS:
            dropped, self._counts = self._counts, {}
            total = sum(number for _, number in dropped.values())
            _LOG.warning("refused: %d more of %d kinds and addresses", total, len(dropped))
        self._counts[key] = now, 0
        since = f" ({count} more since the last line)" if count else ""
        _LOG.warning("refused from %s: %s%s", client, key[0], since)
