"""What goes wrong inside the compiled core is an exception of Python's, and the next question is answered."""

import subprocess
import sys
from pathlib import Path

import pytest

from nousu.solver import compiled

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(compiled() is None, reason="there is no compiled core"),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limits are those of Linux"),
]

ASKED = """
import resource, sys
from random import Random
from nousu.engine.cards import DECK_52, card_set
from nousu.solver import Nolo, Position, Rami, rollouts, solve, solve_many

def deal(seed, size):
    pack = list(DECK_52)
    Random(seed).shuffle(pack)
    return Position(hands=tuple(card_set(pack[at * size:(at + 1) * size]) for at in range(4)), turn=0)

small = [(deal(seed, 5), Rami()) for seed in range(40)]
known = [solution.value for solution in solve_many(small)]

def limited(what, value):
    old = resource.getrlimit(what)
    resource.setrlimit(what, (value, old[1]))
    return old
"""


def result(script: str) -> list[str]:
    """The lines that a Python of its own prints, which must come to its proper end."""
    run = subprocess.run([sys.executable, "-c", ASKED + script], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


@pytest.mark.parametrize("threads", [1, 4])
def test_too_little_memory_is_a_memory_error(threads: int) -> None:
    """The tables of nolo take hundreds of megabytes; the process may have 64 more than it has now. Whether
    the first thread or another one fails, all have ended when the error comes, and solving goes on."""
    script = f"""
pages = int(open("/proc/self/statm").read().split()[0])
old = limited(resource.RLIMIT_AS, pages * resource.getpagesize() + (64 << 20))
try:
    solve_many([(deal(seed, 13), Nolo()) for seed in range(8)], want="value", threads={threads})
except MemoryError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_AS, old)
print([solution.value for solution in solve_many(small, threads=2)] == known)
print(solve(deal(1, 8), Nolo(), want="value").value)
"""
    first, *after = result(script)
    assert first == "there is not enough memory for the solver's tables"
    assert after[0] == "True" and after[1].isdigit()


def test_thread_that_cannot_start_is_a_runtime_error() -> None:
    """No address space for one more stack: the threads that did start have ended, and none is left over."""
    script = """
import threading, time
pages = int(open("/proc/self/statm").read().split()[0])
old = limited(resource.RLIMIT_AS, pages * resource.getpagesize() + (20 << 20))
try:
    rollouts(small, 4_000_000, 1, threads=40)  # long enough for the first to be alive when the last is wanted
except RuntimeError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_AS, old)
for _ in range(200):  # the kernel counts a thread for a moment after it has been joined
    count = open("/proc/self/status").read().split("Threads:")[1].split()[0]
    if count == "1":
        break
    time.sleep(0.01)
print(count, threading.active_count())
print([solution.value for solution in solve_many(small, threads=2)] == known)
"""
    error, threads, after = result(script)
    assert error.startswith("thread ") and " of 40 could not be started: " in error
    assert (threads, after) == ("1 1", "True")


def test_long_question_is_answered_when_no_thread_starts() -> None:
    """A question of more than forty cards is asked from a thread, so that it can be interrupted."""
    script = """
import _thread, threading
def none(*arguments, **named):
    raise RuntimeError("can't start new thread")
expected = solve(deal(3, 13), Rami(), want="value").value
threading.Thread.start = none
print(solve(deal(3, 13), Rami(), want="value").value == expected)
"""
    assert result(script) == ["True"]


def test_header_and_python_mean_the_same_bytes() -> None:
    """Every field of a record lies where the core reads it; one that does not is no core of this version."""
    from nousu.solver import native

    assert [tuple(field) for field in native.core.FIELDS] == native.fields()
    assert native.core.RECORD == native.RECORD
    last = native.fields()[-1]
    assert last[1] + last[2] <= native.RECORD


def test_core_of_another_version_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys, types\n"
        "fake = types.ModuleType('nousu._native')\n"
        "fake.RECORD, fake.FIELDS = 160, [('hand', 0, 32)]\n"
        "sys.modules['nousu._native'] = fake\n"
    )
    script = "from nousu.solver import native; print(native.core, '/', native.missing)"
    run = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == "None / its compiled core is of another version\n"
