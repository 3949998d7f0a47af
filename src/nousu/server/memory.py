"""Warm-up, garbage collection and memory trimming of the server process."""

import asyncio
import ctypes
import gc
import sys
from contextlib import suppress

from nousu.games import games
from nousu.i18n import LANGUAGES, translator

_TRIM_INTERVAL = 60.0
"""Seconds between returning free memory to the system, which takes less than a millisecond. Otherwise a
server keeps the memory of its busiest moments: glibc returns only free memory at the end of its heap,
where a small object always lives."""
_SWITCH_INTERVAL = 0.0005
"""Seconds after which a thread that waits for the interpreter gets it. The thread that stores events waits
at each of its statements, and so does the user that acted; the usual 5 ms added up to half a second."""
_NEW_OBJECTS = 20_000
"""New objects less freed ones after which the youngest are searched for cycles: views replace views, and the
usual 700 had hundreds of tables searched many times a second."""


def warm_up() -> None:
    """Load games and catalogues, which would cost the first request a second."""
    games()
    for language in LANGUAGES:
        translator(language)("Tuppi")


def configure_interpreter() -> None:
    """Let waiting threads in sooner; search for cycles less often, and never in objects made at start-up."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS)
    sys.setswitchinterval(_SWITCH_INTERVAL)


def trim() -> None:
    """Return free memory to the system, where the C library can (glibc)."""
    with suppress(AttributeError, OSError, TypeError):  # no such function; no such library (Windows)
        ctypes.CDLL(None).malloc_trim(0)


async def trim_regularly() -> None:
    """Return free memory to the system once a minute, until cancelled."""
    while True:
        await asyncio.sleep(_TRIM_INTERVAL)
        trim()
