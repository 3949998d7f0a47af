"""Garbage in circles is found although the interpreter is not to look for it."""

import asyncio
import gc
import weakref

import pytest

from nousu.server import readiness


class _Circle:
    def __init__(self) -> None:
        self.itself = self


@pytest.mark.parametrize(("visits", "found"), [(501, True), (500, False)])
def test_what_many_visits_leave_is_collected(
    visits: int, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five hundred visits are let be; one more, and the new objects are looked at."""
    monkeypatch.setattr(readiness, "_QUIET", 0.05)
    gone: list[bool] = []

    async def main() -> None:
        count = 0
        sweeping = asyncio.create_task(readiness.swept(lambda: count))
        await asyncio.sleep(0)
        left = weakref.ref(_Circle())
        count = visits
        await asyncio.sleep(1.3)
        gone.append(left() is None)
        sweeping.cancel()

    thresholds = gc.get_threshold()
    gc.set_threshold(0)
    try:
        asyncio.run(main())
    finally:
        gc.set_threshold(*thresholds)
    assert gone == [found]
