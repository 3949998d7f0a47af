"""Free memory is returned."""

import asyncio
import platform
from pathlib import Path

import pytest

from nousu.server import memory


def _resident() -> int:
    """KiB of memory that this process has."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0])


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no such function")
def test_memory_freed_between_live_objects_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty MiB between texts that are still used."""
    monkeypatch.setattr(memory, "_TRIM_INTERVAL", 0.05)
    texts: list[bytes | None] = [bytes(2000) for _ in range(20_000)]
    for at in range(len(texts)):
        if at // 100 % 2 == 0:
            texts[at] = None
    before = _resident()

    async def main() -> None:
        sweeping = asyncio.create_task(memory.trim_regularly())
        await asyncio.sleep(0.3)
        sweeping.cancel()

    asyncio.run(main())
    assert before - _resident() > 15_000
