"""Garbage in circles is found although the interpreter is not to look for it."""

import asyncio
import gc
import weakref

import pytest

from nousu.server import readiness
from nousu.server.readiness import Traffic


class _Circle:
    def __init__(self) -> None:
        self.itself = self


@pytest.mark.parametrize(
    ("traffic", "new", "old"),
    [
        (Traffic(visits=501, ended=0, lines=0), True, False),
        (Traffic(visits=500, ended=0, lines=0), False, False),
        (Traffic(visits=301, ended=301, lines=400), True, True),
        (Traffic(visits=300, ended=300, lines=400), False, False),
    ],
)
def test_what_many_visits_leave_is_collected(
    traffic: Traffic, new: bool, old: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five hundred visits are let be; one more, and the new objects are looked at. Two hundred lines that
    have ended, and a hundred for four hundred open ones, are let be; one more, and all are looked at."""
    monkeypatch.setattr(readiness, "_QUIET", 0.05)
    gone: list[tuple[bool, bool]] = []

    async def main() -> None:
        before = _Circle()
        gc.collect()  # by which it is no longer new
        now = Traffic(0, 0, 0)
        sweeping = asyncio.create_task(readiness.swept(lambda: now))
        await asyncio.sleep(0)
        left = weakref.ref(_Circle()), weakref.ref(before)
        del before
        now = traffic
        await asyncio.sleep(1.3)
        gone.append((left[0]() is None, left[1]() is None))
        sweeping.cancel()

    thresholds = gc.get_threshold()
    gc.set_threshold(0)
    try:
        asyncio.run(main())
    finally:
        gc.set_threshold(*thresholds)
    assert gone == [(new, old)]
