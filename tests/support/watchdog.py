"""A watchdog for a stalled run of the tests: it ends the run and names the tests in progress.

A test that hangs is ended by pytest itself (`faulthandler_timeout`, see the Makefile). Rarely, what hangs is
the run: a worker waits for its next test, and the process that shares them out waits for the worker.
"""

import faulthandler
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

STALLED = 75
"""The exit code; `make test` then begins once more."""
LONGEST_SILENCE = 900.0
"""Seconds in which some test has to begin or end; more than a test that hangs takes."""
_COLLECTING = 600.0
"""Seconds more until the first one begins."""


class Watch:
    """The tests that have begun and not ended."""

    def __init__(self, config: pytest.Config, longest_silence: float = LONGEST_SILENCE) -> None:
        self._config = config
        self._longest_silence = longest_silence
        self._running: dict[str, None] = {}
        self._last = time.monotonic() + _COLLECTING
        threading.Thread(target=self._watch, daemon=True).start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note that a worker has begun a test."""
        self._running[nodeid] = None
        self._last = time.monotonic()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Note that a test has ended."""
        self._running.pop(nodeid, None)
        self._last = time.monotonic()

    def _watch(self) -> None:
        while time.monotonic() < self._last + self._longest_silence:
            time.sleep(self._longest_silence / 100)
        capture = self._config.pluginmanager.getplugin("capturemanager")
        if capture is not None:
            capture.suspend_global_capture()
        print(
            f"\nno test has begun or ended for {self._longest_silence:.0f} s, so the run is given up;",
            f"begun and not ended: {', '.join(list(self._running)) or 'none'}",
            file=sys.stderr,
            flush=True,
        )
        faulthandler.dump_traceback(sys.stderr)
        for process in descendants(os.getpid()):  # they would hold our output open
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        os._exit(STALLED)


def descendants(process: int) -> list[int]:
    """The processes that this one has started, and those that they have (none without /proc)."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = int(stat.read_text(errors="replace").rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(stat.parent.name))
    processes = list(children.get(process, ()))
    for child in processes:
        processes += children.get(child, ())
    return processes


def watch(config: pytest.Config) -> None:
    """Watch a run that shares its tests out and ends those that hang."""
    if not hasattr(config, "workerinput") and config.getini("faulthandler_exit_on_timeout"):
        config.pluginmanager.register(Watch(config))
