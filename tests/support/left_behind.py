"""Programs that a test starts, and whether those that should have ended have."""

import subprocess
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


def alive(process: str) -> bool:
    """Whether a process of that number still runs; one that nobody has buried does not."""
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
