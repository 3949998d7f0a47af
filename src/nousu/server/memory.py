"""Warm-up, garbage-collection policy and memory trimming of the server process."""

import asyncio
import ctypes
import gc
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from nousu.games import games
from nousu.i18n import LANGUAGES, translator
from nousu.server.pages.site import compile_templates

_FULL_INTERVAL = 1800.0
"""Seconds after which a full collection takes place even if the server is busy. It takes a fifth of a second
with a thousand tables."""
_IDLE_INTERVAL = 60.0
"""Seconds after which one takes place if the server is idle."""
_CHECK_INTERVAL = 5.0
"""Seconds between two looks at what is to be done."""
_VISITS = 500
"""Requests and WebSockets that have ended, after which young objects are collected. Most leave no cycles,
since what pages are rendered by is taken apart (`nousu.server.pages.site.Contexts`); an unknown address
leaves 30 objects in cycles, a WebSocket to an unknown table 100."""
_TRIM_INTERVAL = 60.0
"""Seconds between returning free memory to the system, which takes less than a millisecond. Otherwise a
server holds what it took in its busiest moments: glibc returns only what is free at the end of its heap,
where something small always lives."""
_SWITCH_INTERVAL = 0.0005
"""Seconds after which a thread that waits for the interpreter is let in. The thread that stores events waits
at each of its statements, and so does the user that acted; the usual 5 ms added up to half a second."""


def warm_up() -> None:
    """Load games, templates and catalogues, which would take the first request a second."""
    games()
    compile_templates()
    for language in LANGUAGES:
        translator(language)("Tuppi")


def configure_interpreter() -> None:
    """Leave garbage collection to `collect_regularly`, and let waiting threads in sooner.

    The interpreter triggers a collection by the number of new objects less freed ones, old ones included.
    Where pictures replace pictures it would look at hundreds of thousands of objects each second, a tenth of
    the time, and never find a cycle.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(0)
    sys.setswitchinterval(_SWITCH_INTERVAL)


def trim() -> None:
    """Return free memory to the system, where the C library can (glibc)."""
    with suppress(AttributeError, OSError, TypeError):  # no such function; no such library (Windows)
        ctypes.CDLL(None).malloc_trim(0)


async def collect_regularly(visits: Callable[[], int]) -> None:
    """Collect garbage and trim memory until cancelled.

    Everything is collected when the server is idle or after half an hour, young objects after `_VISITS` more
    `visits`, which may have left cycles behind.
    """
    collected, counted, trimmed = time.monotonic(), visits(), time.monotonic()
    while True:
        await asyncio.sleep(_CHECK_INTERVAL)
        before = time.process_time()
        await asyncio.sleep(1)
        is_idle = time.process_time() - before < 0.02
        count = visits()
        if time.monotonic() - collected > (_IDLE_INTERVAL if is_idle else _FULL_INTERVAL):
            gc.collect()
            collected, counted = time.monotonic(), count
        elif count - counted > _VISITS:
            gc.collect(1)
            counted = count
        if time.monotonic() - trimmed > _TRIM_INTERVAL:
            trim()
            trimmed = time.monotonic()
