"""The time by which old data are deleted, bounded by the time of the last stored data.

A clock that is far ahead when the server starts would otherwise make all data look old at once.
"""

import logging
import time

_LOG = logging.getLogger(__name__)
GRACE = 7 * 86400.0
"""Greatest believed time, in seconds, between the last stored data and the start of a server."""


class TrustedClock:
    """A clock that a wrong wall clock cannot set far ahead.

    Args:
        latest: the time of the last stored data before this process, in seconds since 1970; 0: none.
    """

    def __init__(self, latest: float) -> None:
        self._latest = latest
        self._began = time.monotonic()
        ahead = time.time() - latest
        if latest and ahead > GRACE:
            _LOG.warning(
                "the clock is %.0f days ahead of the last thing stored; nothing is deleted for its age "
                "before something new is stored and the server is started again",
                ahead / 86400,
            )

    def now(self) -> float:
        """Seconds since 1970, or less."""
        passed = time.monotonic() - self._began
        return min(time.time(), self._latest + GRACE + passed) if self._latest else time.time()
