"""Programs that a test starts, and checks that they have ended."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def started(command: list[str], **pipes: Any) -> Iterator[subprocess.Popen[Any]]:
    """A program that is killed at the end if it still runs; `Popen` alone would wait for it."""
    with subprocess.Popen(command, **pipes) as process:
        try:
            yield process
        finally:
            process.kill()


def ends(process: int | str, within: float = 60.0) -> bool:
    """Whether the process of that number ends within this many seconds: a killed one goes on until it is
    its turn again."""
    deadline = time.monotonic() + within
    while _alive(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _alive(process: int | str) -> bool:
    """Whether the process still runs; a zombie does not."""
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
