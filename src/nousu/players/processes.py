"""Worker processes: they end with the process that started them, however it ends.

Pools are for computer players, and a `BoundedProcess` for work that may take long or much memory.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from nousu.engine.messages import Explained

_START = 20.0
"""Seconds that a process may take to start, on a machine that is busy."""
_CLOCK = 5.0
"""Longest time on the clock in multiples of processor time, for a busy machine."""
_NICE = 5


class OutOfLimits(Exception):
    """Work that took more time or memory than allowed, or whose process ended."""


def start_worker(nice: int = 0) -> None:
    """Leave interrupts from the keyboard to the parent process, and end when it is gone, even killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def worker_pool(workers: int, nice: int = 0) -> ProcessPoolExecutor:
    """A pool of worker processes, started when they are first needed, with that `nice` level."""
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, context, initializer=start_worker, initargs=(nice,))


@contextmanager
def worker_processes(workers: int) -> Iterator[Executor]:
    """A pool for one task; an error (or Ctrl-C) ends its work at once."""
    others = multiprocessing.active_children()
    executor = worker_pool(workers)
    try:
        yield executor
    except BaseException:
        for worker in multiprocessing.active_children():
            if worker not in others:
                worker.terminate()
        executor.shutdown(cancel_futures=True)  # its thread ends now, not while the interpreter does
        raise
    executor.shutdown()


class BoundedProcess:
    """A process for one piece of work, with limits of time and memory, which any thread can stop."""

    def __init__(
        self, seconds: float, work: Callable[..., Any], arguments: tuple[object, ...], memory: int = 0
    ) -> None:
        """Prepare the process.

        Args:
            seconds: Processor time that the work may take.
            work: A function of a module, whose result can be pickled.
            arguments: Its arguments, which can be pickled too.
            memory: MiB that it may take beyond those of the process itself; 0 for no limit.
        """
        context = multiprocessing.get_context("spawn")
        self._seconds = seconds
        self._receiver, self._sender = context.Pipe(duplex=False)
        self._process = context.Process(
            target=_do, args=(self._sender, seconds, memory, work, arguments), daemon=True
        )
        self._stopped = False

    def result(self) -> Any:
        """Start the process and wait for the result of the work, or stop it.

        Raises:
            Explained: The work raised it.
            OutOfLimits: The work took too long, too much memory, or failed.
        """
        try:
            if self._stopped:
                raise OutOfLimits
            self._process.start()
            self._sender.close()
            if not self._comes(_START):
                raise OutOfLimits
            self._receiver.recv()  # it has started
            if not self._comes(self._seconds * _CLOCK):
                raise OutOfLimits
            is_done, result = self._receiver.recv()
        except (OSError, EOFError):  # the process has ended, or was stopped
            raise OutOfLimits from None
        finally:
            self._end()
        if is_done:
            return result
        raise result if isinstance(result, Explained) else OutOfLimits

    def _comes(self, seconds: float) -> bool:
        """Whether a result comes in time; wakes up regularly to see if the job was stopped."""
        until = time.monotonic() + seconds
        while not self._stopped and (left := until - time.monotonic()) > 0:
            if wait([self._receiver, self._process.sentinel], min(left, 0.25)):
                return self._receiver.poll()
        return False

    def stop(self) -> None:
        """End the job, from any thread."""
        self._stopped = True

    def _end(self) -> None:
        if self._process.pid is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        self._receiver.close()


def _do(
    sender: Connection,
    seconds: float,
    memory: int,
    work: Callable[..., Any],
    arguments: tuple[object, ...],
) -> None:
    """Do the work, in its process."""
    start_worker(_NICE)
    _limit_time(seconds)
    sender.send(None)
    if memory:
        limit_memory(memory)
    try:
        sender.send((True, work(*arguments)))
    except Explained as refusal:
        sender.send((False, refusal))
    except Exception:  # out of memory, or a fault in a reader of files
        sender.send((False, None))


def _limit_time(seconds: float) -> None:
    if sys.platform != "win32":
        import resource

        most = int(time.process_time() + seconds + 1)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))


def limit_memory(mebibytes: int) -> None:
    """Let this process take so much more memory than it has now; called in the process of the work.

    Where the system has no such limit, only the checks of the work itself hold.
    """
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + (mebibytes << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    except (ImportError, OSError, ValueError):
        return
