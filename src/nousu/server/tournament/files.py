"""Tournament files that this server directs: reread when they change, written one entry at a time.

Slow work (reading, checking, writing, waiting for the disk) runs in two threads of its own, so that it
blocks no table. Other programs may write to the same file; followers are notified of that too.
"""

import asyncio
import os
import re
import secrets
import unicodedata
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import date
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

from sqlalchemy.engine import URL

from nousu.engine.messages import Note, sentence
from nousu.server.errors import NoSuchTable, Unavailable
from nousu.server.storage.sqlite import MEMORY
from nousu.server.storage.store import default_path
from nousu.server.tournament.jobs import Jobs
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Format
from nousu.tournament.office import Office, Opened

Value = TypeVar("Value")
Mark = tuple[int, int, int]
"""Version of a file: inode, size and time of the last change in nanoseconds."""

SUFFIX = ".nousu"
FOLLOWERS = 400
"""Most pages that may follow one tournament at a time."""
_MAX_VALUES = 200
"""Most pages and other values in the cache of a tournament."""
_PAGE_THREADS = 2
"""Threads that make pages."""
_POLL = 0.7
"""Seconds between two checks of a followed file."""
HEARTBEAT = 3.0
"""Seconds between two heartbeats to a follower."""
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")


class HostedTournament:
    """One tournament file, its cached pages and its followers."""

    def __init__(
        self,
        name: str,
        path: Path,
        threads: ThreadPoolExecutor,
        pages: ThreadPoolExecutor,
        copy: Path | None = None,
    ) -> None:
        self.name = name
        """Name in addresses."""
        self.path = path
        self._office = Office(path, copy=copy)
        self._threads = threads
        self._writing = asyncio.Lock()
        self._reading = asyncio.Lock()
        self._held: tuple[Mark, Opened] | None = None
        self._values: tuple[Opened | None, dict[tuple[str, ...], object]] = (None, {})
        self._pages = pages
        self._rendering = asyncio.Lock()
        self._changed = asyncio.Event()
        self._watch: asyncio.Task[None] | None = None
        self.followers = 0
        self.closing = False
        self.collecting = asyncio.Lock()
        self.unfit: dict[str, Note] = {}
        """By table: why the result played on Nousu no longer fits the slip."""

    def mark(self) -> Mark:
        """Version of the file on the disk. `OSError` where it cannot be read."""
        stat = os.stat(self.path)
        return stat.st_ino, stat.st_size, stat.st_mtime_ns

    async def opened(self) -> Opened:
        """The current tournament. `Refusal` where the file cannot be read or holds none."""
        async with self._reading:
            try:
                mark = self.mark()
            except OSError:
                mark = (0, 0, 0)
            if self._held is None or self._held[0] != mark:
                self._held = mark, await self._in_thread(self._office.open)
            return self._held[1]

    def cached(self, opened: Opened, key: tuple[str, ...], make: Callable[[], Value]) -> Value:
        """A value that is calculated once for each state of the file: standings, pages.

        Args:
            opened: the state.
            key: what else the value depends on.
            make: calculates it.
        """
        of, values = self._values
        if of is not opened or len(values) >= _MAX_VALUES:
            values = {}
            self._values = opened, values
        if key not in values:
            values[key] = make()
        return cast(Value, values[key])

    async def render(self, work: Callable[..., Value], *arguments: object, **named: object) -> Value:
        """Make a page in a thread: one of this event at a time, so that no other event and no table waits.

        Args:
            work: makes the page; its exceptions are passed on.
            arguments: its arguments.
            named: its named arguments.
        """
        context = copy_context()
        async with self._rendering:
            call = partial(context.run, work, *arguments, **named)
            return await asyncio.get_running_loop().run_in_executor(self._pages, call)

    async def act(self, work: Callable[[Office], Value]) -> Value:
        """Do `work` with the office; on disk when this returns. Passes on its `Refusal`."""
        async with self._writing:
            done = await self._in_thread(work, self._office)
        self.notify_followers()
        return done

    async def compute(self, work: Callable[..., Value], *about: object) -> Value:
        """Compute something in a thread of the tournaments, so that no table waits."""
        return await self._in_thread(work, *about)

    async def _in_thread(self, work: Callable[..., Value], *about: object) -> Value:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *about)

    def notify_followers(self) -> None:
        """Notify all followers of a change."""
        self._changed.set()
        self._changed = asyncio.Event()

    def check_capacity(self) -> None:
        """Raise `Unavailable` where too many pages follow already."""
        if self.followers >= FOLLOWERS:
            raise Unavailable("Too many pages are following this tournament; try again in a moment.")

    async def follow(self) -> AsyncIterator[str]:
        """Yield the version of the file now and after every change; an empty string as a heartbeat."""
        self.followers += 1
        if self._watch is None:
            self._watch = asyncio.create_task(self._watch_file())
        last = ""
        try:
            while not self.closing:
                moved = self._changed
                now = self.version()
                if now == last:
                    try:
                        async with asyncio.timeout(HEARTBEAT):
                            await moved.wait()
                    except TimeoutError:
                        yield ""
                    continue
                last = now
                yield now
        finally:
            self.followers -= 1
            if not self.followers and self._watch is not None:
                self._watch.cancel()
                self._watch = None

    def version(self) -> str:
        """Current version of the file as text."""
        try:
            return _version(self.mark())
        except OSError:
            return "gone"

    def version_of(self, opened: Opened) -> str:
        """The version that was read; empty where another one has been read since."""
        return _version(self._held[0]) if self._held is not None and self._held[1] is opened else ""

    async def _watch_file(self) -> None:
        """Poll whether another program has written."""
        last = self.version()
        while True:
            await asyncio.sleep(_POLL)
            now = self.version()
            if now != last:
                last = now
                self.notify_followers()

    def close(self) -> None:
        """End all followers."""
        self.closing = True
        self.notify_followers()
        if self._watch is not None:
            self._watch.cancel()


def _version(mark: Mark) -> str:
    return "-".join(f"{part:x}" for part in mark)


class HostedTournaments:
    """All tournament files of one server: those in its folder, and one named on the command line."""

    def __init__(self, folder: Path, file: Path | None = None, copy: Path | None = None) -> None:
        self.folder = folder
        self.address = ""
        """Base address for phones in the hall; empty where it is unknown."""
        self._copy = copy
        self._halls: dict[str, HostedTournament] = {}
        self.jobs = Jobs()
        self._threads = ThreadPoolExecutor(2, "hall")
        self._pages = ThreadPoolExecutor(_PAGE_THREADS, "pages")
        self._paths = {} if file is None else {slug_of(file): file}

    def hall(self, name: str) -> HostedTournament:
        """The tournament of that name. Raises `NoSuchTable`."""
        if name not in self._halls:
            path = self._path(name)
            if path is None or not path.is_file():
                raise NoSuchTable("There is no such tournament.")
            self._halls[name] = HostedTournament(name, path, self._threads, self._pages, self._copy)
        return self._halls[name]

    def names(self) -> tuple[str, ...]:
        """Names of the tournaments in use since the server started."""
        return tuple(self._halls)

    def _path(self, name: str) -> Path | None:
        if name in self._paths:
            return self._paths[name]
        return self.folder / f"{name}{SUFFIX}" if _NAME.fullmatch(name) else None

    async def create(self, title: str, format: Format, by: str) -> HostedTournament:
        """Create a tournament in a new file of the folder. `Refusal` names an impossible option."""
        name = f"{slug(title)}-{date.today():%Y-%m-%d}-{secrets.token_hex(4)}"
        path = self.folder / f"{name}{SUFFIX}"

        def work() -> None:
            try:
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                raise Refusal(
                    sentence("{path} cannot be written: {reason}"),
                    values={"path": str(self.folder), "reason": error.strerror or str(error)},
                ) from None
            Office(path).begin(title, format, by)

        await asyncio.get_running_loop().run_in_executor(self._threads, work)
        return self.hall(name)

    def stop_waiting(self) -> None:
        """End all followers and jobs: the server is stopping."""
        for hall in self._halls.values():
            hall.close()
        self.jobs.close()

    def close(self) -> None:
        """End all followers and threads."""
        for hall in self._halls.values():
            hall.close()
        self.jobs.close()
        self._pages.shutdown(wait=False, cancel_futures=True)
        self._threads.shutdown(wait=True)


def tournament_folder(database: URL) -> Path:
    """Default folder of tournament files: beside the database file, else in the user's data folder."""
    file = database.database if database.drivername.startswith("sqlite") else None
    beside = Path(file) if file and file != MEMORY else default_path()
    return beside.parent / "tournaments"


def slug_of(file: Path) -> str:
    """Name of a tournament file in addresses."""
    name = file.stem
    return name if _NAME.fullmatch(name) and name[0].isalnum() and name[-1].isalnum() else slug(name)


def slug(title: str) -> str:
    """Name of an event in lower-case ASCII letters, digits and hyphens, at most 40 characters."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40] or "tournament"
