"""What a server does once, so that no request has to wait for it."""

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

_SWEEP = 1800.0
"""Seconds after which garbage in circles is looked for at the latest."""
_QUIET = 5.0
_VISITS = 500
"""Requests and lines that have ended after which garbage among what is new is looked for. Most leave none,
because template contexts are cleared (`nousu.server.pages.site.TemplateContexts`); an unknown address leaves
30 objects in circles, a line to an unknown table 100."""
_TRIM = 60.0
"""Seconds after which memory that has become free is given back. Otherwise a server keeps what it took in its
busiest moments: glibc gives back only what is free at the end of its heap, and something small always lives
there. Sixty tables kept 5 MiB so after an hour. It takes less than a millisecond."""
_SWITCH = 0.0005
"""Seconds after which a thread that waits for the interpreter is let in. The one that stores events waits at
each of its statements, and whoever acted waits for it; the usual 5 ms added up to half a second."""


def warmed() -> None:
    """Read catalogues, templates and games, which takes the first reader a second."""
    games()
    compile_templates()
    for language in LANGUAGES:
        translator(language)("Tuppi")


def settled() -> None:
    """Leave what is loaded alone when garbage is collected, which happens in `swept` only. The interpreter
    counts new objects less freed ones, old ones too: where pictures replace pictures it would look at
    hundreds of thousands each second, for a tenth of the time, and never find a circle."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(0)
    sys.setswitchinterval(_SWITCH)


def trim() -> None:
    """Give memory that is free back to the system, where the C library knows how to (glibc)."""
    with suppress(AttributeError, OSError, TypeError):  # no such function; no such library (Windows)
        ctypes.CDLL(None).malloc_trim(0)


async def swept(visits: Callable[[], int]) -> None:
    """Look for garbage in circles: at everything when nothing happens, or when half an hour has gone by,
    since the values of a thousand tables take a fifth of a second; at what is new after so many `visits`,
    which can leave circles behind. Each minute, give back memory that is free."""
    last, seen, trimmed = time.monotonic(), visits(), time.monotonic()
    while True:
        await asyncio.sleep(_QUIET)
        before = time.process_time()
        await asyncio.sleep(1)
        quiet = time.process_time() - before < 0.02
        now = visits()
        if time.monotonic() - last > (60 if quiet else _SWEEP):
            gc.collect()
            last, seen = time.monotonic(), now
        elif now - seen > _VISITS:
            gc.collect(1)
            seen = now
        if time.monotonic() - trimmed > _TRIM:
            trim()
            trimmed = time.monotonic()
