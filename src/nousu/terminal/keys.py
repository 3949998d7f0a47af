"""Single key presses, on POSIX terminals and in the Windows console."""

import contextlib
import sys
from collections.abc import Iterator
from typing import Protocol


class KeySource(Protocol):
    """A source of key presses."""

    def read(self, seconds: float | None = None) -> str | None:
        """Read the next key.

        Args:
            seconds: Greatest time to wait; None waits for ever.

        Returns:
            A character, or ``left right up down enter back escape end``, or ``resize`` when the window has
            another size; None if no key came in time.
        """
        ...


_POSIX = {
    "\x1b[D": "left",
    "\x1b[C": "right",
    "\x1b[A": "up",
    "\x1b[B": "down",
    "\x1bOD": "left",
    "\x1bOC": "right",
    "\x1bOA": "up",
    "\x1bOB": "down",
    "\x1b": "escape",
    "\r": "enter",
    "\n": "enter",
    "\x7f": "back",
    "\x08": "back",
    "\x04": "end",
    "\x03": "end",
}
_WINDOWS = {"K": "left", "M": "right", "H": "up", "P": "down"}

if sys.platform == "win32":
    import msvcrt
    import shutil
    import time

    class WindowsKeys:
        """Key presses of the Windows console."""

        def read(self, seconds: float | None = None) -> str | None:
            """Read the next key."""
            until = None if seconds is None else time.monotonic() + seconds
            size = shutil.get_terminal_size()
            while not msvcrt.kbhit():
                if shutil.get_terminal_size() != size:
                    return "resize"
                if until is not None and time.monotonic() >= until:
                    return None
                time.sleep(0.01)
            key = msvcrt.getwch()
            if key in ("\x00", "\xe0"):
                return _WINDOWS.get(msvcrt.getwch(), "")
            return _POSIX.get(key, key)

    @contextlib.contextmanager
    def key_presses() -> Iterator[KeySource]:
        """Key presses of the console."""
        yield WindowsKeys()

else:
    import os
    import select
    import signal
    import termios
    import tty

    class PosixKeys:
        """Key presses of a POSIX terminal in cbreak mode."""

        def __init__(self, number: int, resized: int | None = None) -> None:
            self.number = number
            self.resized = resized
            """A pipe that has something to read when the window has another size."""
            self.waiting = ""

        def read(self, seconds: float | None = None) -> str | None:
            """Read the next key; an escape sequence is one key."""
            if not self.waiting:
                sources = [self.number] if self.resized is None else [self.number, self.resized]
                ready = select.select(sources, [], [], seconds)[0]
                if self.resized is not None and self.resized in ready:
                    os.read(self.resized, 256)
                    return "resize"
                if not ready:
                    return None
                self.waiting = os.read(self.number, 256).decode(errors="ignore")
                if not self.waiting:
                    return "end"
            for sequence, name in _POSIX.items():
                if self.waiting.startswith(sequence):
                    self.waiting = self.waiting[len(sequence) :]
                    return name
            key, self.waiting = self.waiting[0], self.waiting[1:]
            return key

    @contextlib.contextmanager
    def key_presses() -> Iterator[KeySource]:
        """Key presses of the terminal at stdin; its mode is restored afterwards."""
        number = sys.stdin.fileno()
        before = termios.tcgetattr(number)
        resized, pipe = os.pipe()
        os.set_blocking(pipe, False)

        def tell(*_: object) -> None:
            with contextlib.suppress(BlockingIOError):
                os.write(pipe, b".")

        handler = signal.signal(signal.SIGWINCH, tell)
        try:
            tty.setcbreak(number)
            yield PosixKeys(number, resized)
        finally:
            signal.signal(signal.SIGWINCH, handler)
            os.close(resized)
            os.close(pipe)
            termios.tcsetattr(number, termios.TCSADRAIN, before)
