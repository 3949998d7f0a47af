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
            seconds: How long to wait; None waits for ever.

        Returns:
            A character, or ``left right up down enter back escape end``; None if no key came in time.
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
    import time

    class TerminalKeys:
        """Key presses of the Windows console."""

        def read(self, seconds: float | None = None) -> str | None:
            """Read the next key."""
            until = None if seconds is None else time.monotonic() + seconds
            while not msvcrt.kbhit():
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
        yield TerminalKeys()

else:
    import os
    import select
    import termios
    import tty

    class TerminalKeys:
        """Key presses of a POSIX terminal in cbreak mode."""

        def __init__(self, number: int) -> None:
            self.number = number
            self.waiting = ""

        def read(self, seconds: float | None = None) -> str | None:
            """Read the next key; an escape sequence is one key."""
            if not self.waiting:
                if not select.select([self.number], [], [], seconds)[0]:
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
        try:
            tty.setcbreak(number)
            yield TerminalKeys(number)
        finally:
            termios.tcsetattr(number, termios.TCSADRAIN, before)
