"""Processor time of the steps of an event loop: a busy machine changes little about it."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


@contextmanager
def timed_steps(found: list[float]) -> Iterator[None]:
    """Add the seconds of processor that each step of an event loop takes to `found`."""
    run = asyncio.events.Handle._run

    def timed(self: Any) -> None:
        began = time.thread_time()
        run(self)
        found.append(time.thread_time() - began)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio.events.Handle, "_run", timed)
        yield
