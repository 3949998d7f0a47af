"""Worker processes for computer players: they end with the process that started them, however it ends."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager


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
