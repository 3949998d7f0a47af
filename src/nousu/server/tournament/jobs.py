"""Jobs: work that may take long or much memory, each in a process of its own that can be stopped.

A job has a limit of processor time and one of time on the clock, and may have one of memory. One job of an
event runs at a time; the next one is of the address that was served least recently. Where too many wait, one
of the address with the most waiting ones is refused.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from nousu.players.processes import BoundedProcess, OutOfLimits
from nousu.server.errors import Unavailable

T = TypeVar("T")

PROCESSES = 2
"""Greatest number of jobs that run at a time."""
WAITING = 24
"""Greatest number of waiting jobs, of all events."""
WAITING_OF_EVENT = 4
"""Greatest number of waiting jobs of one event."""


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
        self._processes: set[BoundedProcess] = set()
        self._served: dict[str, int] = {}
        """The last job of each address, as a count of jobs."""
        self._count = 0
        self._threads = ThreadPoolExecutor(PROCESSES, "jobs")
        self._closed = False

    async def run(
        self,
        event: str,
        address: str,
        seconds: float,
        work: Callable[..., T],
        *arguments: object,
        memory: int = 0,
    ) -> T:
        """The result of ``work(*arguments)``, calculated in a process of its own.

        Args:
            event: the name of the event; one of its jobs runs at a time.
            address: the client address; waiting jobs are fair among addresses.
            seconds: processor time that the work may take.
            work: a function of a module, whose result can be pickled.
            *arguments: its arguments, which can be pickled too.
            memory: MiB that the work may take beyond those of its process; 0: no limit.

        Raises:
            Explained: the work raised it.
            OutOfLimits: the work took too long, too much memory, or failed.
            Unavailable: too many jobs wait, or the server is stopping.
        """
        job = _Job(event, address)
        if self._closed or (len(self._waiting) >= WAITING and not self._makes_room(address)):
            raise _busy()
        if sum(other.event == event for other in self._waiting) >= WAITING_OF_EVENT:
            raise _busy()
        self._waiting.append(job)
        self._start_next()
        try:
            await job.turn
            process = BoundedProcess(seconds, work, arguments, memory)
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

    def _makes_room(self, address: str) -> bool:
        """Refuse the last job of the address with the most waiting ones, if it has two more than another."""
        waiting = [job for job in self._waiting if not job.turn.done()]
        counts = Counter(job.address for job in waiting)
        last = max(reversed(waiting), key=lambda job: counts[job.address], default=None)
        if last is None or counts[last.address] < counts[address] + 2:
            return False
        last.turn.set_exception(_busy())
        return True

    def _start_next(self) -> None:
        """Start waiting jobs: of the least recently served address first, then the earliest."""
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
        """Stop all jobs; waiting requests are refused."""
        self._closed = True
        for job in self._waiting:
            if not job.turn.done():
                job.turn.set_exception(_busy())
        for process in tuple(self._processes):
            process.stop()
        self._threads.shutdown(wait=False)


def _busy() -> Unavailable:
    return Unavailable("Too many lists and plans are being worked out; try again in a moment.")
