"""What a server does once, so that no request has to wait for it."""

import asyncio
import gc
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from nousu.games import games
from nousu.server.pages.site import templates
from nousu.words import LANGUAGES, translator

_SWEEP = 1800.0
"""Seconds after which garbage in circles is looked for at the latest."""
_QUIET = 5.0
_VISITS = 500
"""Requests and lines that have ended after which their garbage is looked for: each leaves 50 to 550 objects
in circles."""
_LEFT = 200
"""Lines that have ended after which their pictures are looked for, and one more for each `_ALIVE` open ones:
a picture is some 45 KiB in circles, and lives too long to be among what is new."""
_ALIVE = 4
_SWITCH = 0.0005
"""Seconds after which a thread that waits for the interpreter is let in. The one that stores events waits at
each of its statements, and whoever acted waits for it; the usual 5 ms added up to half a second."""


def warmed() -> None:
    """Read catalogues, templates and games, which takes the first reader a second."""
    games()
    templates()
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


class Traffic(NamedTuple):
    """What came and went so far."""

    visits: int
    """Requests that were answered, and lines that have ended."""
    ended: int
    """These lines."""
    lines: int
    """Lines that are open."""


async def swept(traffic: Callable[[], Traffic]) -> None:
    """Look for garbage in circles: at everything when nothing happens, when many lines have ended, or when
    half an hour has gone by, since the values of a thousand tables take a fifth of a second; at what is new
    when visits, which leave circles behind as play does not, are many more than at the last look."""
    last, whole, seen = time.monotonic(), traffic(), traffic()
    while True:
        await asyncio.sleep(_QUIET)
        before = time.process_time()
        await asyncio.sleep(1)
        quiet = time.process_time() - before < 0.02
        now = traffic()
        if now.ended - whole.ended > _LEFT + now.lines // _ALIVE or time.monotonic() - last > (
            60 if quiet else _SWEEP
        ):
            gc.collect()
            last, whole, seen = time.monotonic(), now, now
        elif now.visits - seen.visits > _VISITS:
            gc.collect(1)
            seen = now
