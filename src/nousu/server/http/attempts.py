"""Attempts that were refused, written to the log so that an operator sees who is trying the doors.

A line names the kind of refusal, its sentence without what was filled in, and the visitor's address: never a
token, a table or a name. The first of a kind from an address is logged at once, those that follow once a
minute with their number, so that nobody can fill the disk by knocking.
"""

import logging
import time
from collections.abc import Callable

_LOG = logging.getLogger(__name__)
_EVERY = 60.0
"""Seconds between two lines of the same kind and address."""
_MOST = 2000
"""Kinds and addresses remembered; when there are more, the counts so far are told and forgotten."""
_LOGGED = (401, 403, 413, 429, 431)
"""The statuses that a person at a page hardly meets by mistake."""


class Attempts:
    """What was refused, by kind and address."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._since: dict[tuple[str, str], tuple[float, int]] = {}

    def note(self, status: int, why: str, who: str) -> None:
        """Count an answer of that HTTP status, given for that reason (an English message, its places empty),
        and tell the log if it is a refusal and it is time."""
        if status not in _LOGGED:
            return
        key = (f"{status} {why}".strip(), who)
        now = self._now()
        logged, count = self._since.get(key, (-_EVERY, 0))
        if now - logged < _EVERY:
            self._since[key] = logged, count + 1
            return
        if len(self._since) >= _MOST:
            held, self._since = self._since, {}
            more = sum(number for _, number in held.values())
            _LOG.warning("refused: %d more of %d kinds and addresses", more, len(held))
        self._since[key] = now, 0
        since = f" ({count} more since the last line)" if count else ""
        _LOG.warning("refused from %s: %s%s", who, key[0], since)
