"""Jobs: work that may take long or much memory, each in a process of its own that can be stopped.

A job has a limit of processor time and one of time on the clock, and may limit its own memory. One job of an
event runs at a time; the next one is of the address that was served least recently.
"""

import asyncio
import multiprocessing
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, TypeVar

from nousu.players.processes import start_worker
from nousu.server.errors import Unavailable
from nousu.tournament.messages import Refusal

T = TypeVar("T")

PROCESSES = 2
"""Jobs that run at a time."""
WAITING = 24
"""Jobs that wait at most, of all events."""
WAITING_OF_EVENT = 4
"""Jobs of one event that wait at most."""
_START = 20.0
"""Seconds that a process may take to start, on a machine that is busy."""
_CLOCK = 5.0
"""How many times its processor time a job may take on the clock, on a machine that is busy."""
_NICE = 5


class OutOfLimits(Exception):
    """A job took more time or memory than it may, or its process ended."""


@dataclass(eq=False, slots=True)
class _Job:
    event: str
    address: str
    turn: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Jobs:
    """The jobs of all events of a server."""

    def __init__(self) -> None:
        self._waiting: list[_Job] = []
        self._running: list[_Job] = []
        self._processes: set[_Process] = set()
        self._served: dict[str, int] = {}
        """When an address was last served, as a count of jobs."""
        self._count = 0
        self._threads = ThreadPoolExecutor(PROCESSES, "jobs")
        self._closed = False

    async def run(
        self, event: str, address: str, seconds: float, work: Callable[..., T], *arguments: object
    ) -> T:
        """The result of ``work(*arguments)``, calculated in a process of its own.

        Args:
            event: the name of the event; one of its jobs runs at a time.
            address: the client address; waiting jobs are fair among addresses.
            seconds: processor time that the work may take.
            work: a function of a module, whose result can be pickled.
            *arguments: its arguments, which can be pickled too.

        Raises:
            Refusal: the work raised it.
            OutOfLimits: the work took too long, too much memory, or failed.
            Unavailable: too many jobs wait, or the server is stopping.
        """
        job = _Job(event, address)
        if self._closed or len(self._waiting) >= WAITING:
            raise _busy()
        if sum(other.event == event for other in self._waiting) >= WAITING_OF_EVENT:
            raise _busy()
        self._waiting.append(job)
        self._start_next()
        try:
            await job.turn
            process = _Process(seconds, work, arguments)
            self._processes.add(process)
            try:
                result: T = await asyncio.get_running_loop().run_in_executor(self._threads, process.result)
            except OutOfLimits:
                if self._closed:
                    raise _busy() from None
                raise
            finally:
                process.stop()
                self._processes.discard(process)
            return result
        finally:
            if job in self._running:
                self._running.remove(job)
            else:
                self._waiting.remove(job)
            self._start_next()

    def _start_next(self) -> None:
        """Give their turn to waiting jobs: the least recently served address first, then the earliest."""
        while len(self._running) < PROCESSES and not self._closed:
            busy = {job.event for job in self._running}
            ready = [job for job in self._waiting if job.event not in busy and not job.turn.done()]
            if not ready:
                return
            job = min(ready, key=lambda job: self._served.get(job.address, 0))
            self._waiting.remove(job)
            self._running.append(job)
            self._count += 1
            if len(self._served) > 1000:
                self._served.clear()
            self._served[job.address] = self._count
            job.turn.set_result(None)

    def close(self) -> None:
        """Stop all jobs; who waits for one is refused."""
        self._closed = True
        for job in self._waiting:
            if not job.turn.done():
                job.turn.set_exception(_busy())
        for process in tuple(self._processes):
            process.stop()
        self._threads.shutdown(wait=False)


def _busy() -> Unavailable:
    return Unavailable("Too many lists and plans are being worked out; try again in a moment.")


class _Process:
    """One process that does one job."""

    def __init__(self, seconds: float, work: Callable[..., Any], arguments: tuple[object, ...]) -> None:
        context = multiprocessing.get_context("spawn")
        self._seconds = seconds
        self._receiver, self._sender = context.Pipe(duplex=False)
        self._process = context.Process(
            target=_do, args=(self._sender, seconds, work, arguments), daemon=True
        )
        self._stopped = False

    def result(self) -> Any:
        """Start the process and wait for what it returns, or stop it."""
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
        raise result if isinstance(result, Refusal) else OutOfLimits

    def _comes(self, seconds: float) -> bool:
        """Whether something comes in time; a little more often looks whether the job was stopped."""
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


def _do(sender: Connection, seconds: float, work: Callable[..., Any], arguments: tuple[object, ...]) -> None:
    """Do the job, in its process."""
    start_worker(_NICE)
    _limit_time(seconds)
    sender.send(None)
    try:
        sender.send((True, work(*arguments)))
    except Refusal as refusal:
        sender.send((False, refusal))
    except Exception:  # out of memory, or a fault in a reader of files
        sender.send((False, None))


def _limit_time(seconds: float) -> None:
    if sys.platform != "win32":
        import resource

        most = int(time.process_time() + seconds + 1)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))


def limit_memory(mebibytes: int) -> None:
    """Let this process take so much more memory than it has now; called by the work of a job.

    Where the system has no such limit, only the checks of the work itself hold.
    """
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + (mebibytes << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    except (ImportError, OSError, ValueError):
        return
