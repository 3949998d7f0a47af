"""A run of tests that stands still is given up; a test that hangs fails."""

import subprocess
import sys
from pathlib import Path

from orphan_processes import ends
from watchdog import STALLED

SUPPORT = Path(__file__).parent / "support"
WATCHED = f"""
import sys
sys.path.insert(0, {str(SUPPORT)!r})
from watchdog import Watch

def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Watch(config, 6.0))
"""
STOPS = """
import os, pathlib, signal

def test_that_stops():
    pathlib.Path("stopped").write_text(str(os.getpid()))
    os.kill(os.getpid(), signal.SIGSTOP)
"""
HANGS = """
import time

def test_that_hangs():
    time.sleep(60)

def test_that_does_not():
    pass
"""


def run(folder: Path, text: str, *options: str) -> "subprocess.CompletedProcess[str]":
    """pytest on a file with that text, by two workers."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_some.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "worksteal", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240, check=False)


def test_run_that_stands_still_is_given_up_and_tells_what_was_begun(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(WATCHED)
    found = run(tmp_path, STOPS)
    assert found.returncode == STALLED, found.stdout + found.stderr
    assert "begun and not ended: test_some.py::test_that_stops" in found.stderr
    assert ends((tmp_path / "stopped").read_text())


def test_hanging_test_fails_and_is_named(tmp_path: Path) -> None:
    done = run(tmp_path, HANGS, "-o", "faulthandler_timeout=2", "-o", "faulthandler_exit_on_timeout=true")
    output = done.stdout + done.stderr
    assert done.returncode == 1 and "1 failed, 1 passed" in done.stdout, output
    assert "test_some.py::test_that_hangs" in output and "in test_that_hangs" in output
