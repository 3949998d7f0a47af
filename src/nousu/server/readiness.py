"""What a server does once, so that no request has to wait for it."""

import asyncio
import gc
import time

from nousu.games import games
from nousu.server.pages.site import templates
from nousu.words import LANGUAGES, translator

_SWEEP = 1800.0
"""Seconds after which garbage in circles is looked for at the latest."""
_QUIET = 5.0


def warmed() -> None:
    """Read catalogues, templates and games, which takes the first reader a second."""
    games()
    templates()
    for language in LANGUAGES:
        translator(language)("Tuppi")


def settled() -> None:
    """Leave what is loaded alone when garbage is collected, and let nobody wait for a look at everything:
    values of tables hold no circles, and those that sockets leave behind are found by `swept`."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 1_000_000)


async def swept() -> None:
    """Look for garbage in circles, when nothing happens or half an hour has gone by: looking at the values of
    a thousand tables takes a fifth of a second."""
    last = time.monotonic()
    while True:
        await asyncio.sleep(_QUIET)
        before = time.process_time()
        await asyncio.sleep(1)
        quiet = time.process_time() - before < 0.02
        if time.monotonic() - last > (60 if quiet else _SWEEP):
            gc.collect()
            last = time.monotonic()
