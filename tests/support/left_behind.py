"""Whether processes that should have ended have."""

from pathlib import Path


def alive(process: str) -> bool:
    """Whether a process of that number still runs; one that nobody has buried does not."""
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
