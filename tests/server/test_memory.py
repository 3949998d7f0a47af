"""Garbage in cycles is collected although automatic collection is off; free memory is returned."""

import asyncio
import gc
import platform
import weakref
from pathlib import Path

import pytest

from nousu.server import memory


class _Circle:
    def __init__(self) -> None:
        self.itself = self


@pytest.mark.parametrize(("visits", "found"), [(501, True), (500, False)])
def test_garbage_of_many_visits_is_collected(
    visits: int, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five hundred visits are let be; one more, and the new objects are looked at, but never the old ones."""
    monkeypatch.setattr(memory, "_CHECK_INTERVAL", 0.05)
    gone: list[tuple[bool, bool]] = []

    async def main() -> None:
        before = _Circle()
        gc.collect()  # by which it is no longer new
        now = 0
        sweeping = asyncio.create_task(memory.collect_regularly(lambda: now))
        await asyncio.sleep(0)
        left = weakref.ref(_Circle()), weakref.ref(before)
        del before
        now = visits
        await asyncio.sleep(1.3)
        gone.append((left[0]() is None, left[1]() is None))
        sweeping.cancel()

    thresholds = gc.get_threshold()
    gc.set_threshold(0)
    try:
        asyncio.run(main())
    finally:
        gc.set_threshold(*thresholds)
    assert gone == [(found, False)]


def _resident() -> int:
    """KiB of memory that this process has."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0])


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no such function")
def test_memory_freed_between_live_objects_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty MiB between texts that are still used."""
    monkeypatch.setattr(memory, "_CHECK_INTERVAL", 0.05)
    monkeypatch.setattr(memory, "_TRIM_INTERVAL", 0.0)
    texts: list[bytes | None] = [bytes(2000) for _ in range(20_000)]
    for at in range(len(texts)):
        if at // 100 % 2 == 0:
            texts[at] = None
    before = _resident()

    async def main() -> None:
        sweeping = asyncio.create_task(memory.collect_regularly(lambda: 0))
        await asyncio.sleep(1.3)
        sweeping.cancel()

    asyncio.run(main())
    assert before - _resident() > 15_000
