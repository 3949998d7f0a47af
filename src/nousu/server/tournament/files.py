"""Tournament files that this server directs: reread when they change, written one entry at a time.

Slow work (reading, checking, writing, waiting for the disk) runs in two threads of its own, so that it
blocks no table. Other programs may write to the same file; followers are notified of that too.
"""

import asyncio
import contextlib
import itertools
import os
import re
import secrets
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import date
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

from sqlalchemy.engine import URL
from starlette.responses import Response

from nousu.engine.messages import Note, sentence
from nousu.players.processes import OutOfLimits
from nousu.server.errors import NoSuchTable, Unavailable
from nousu.server.storage.sqlite import MEMORY
from nousu.server.storage.store import default_path
from nousu.server.tournament.jobs import Jobs
from nousu.server.tournament.page_process import PageProcess, PageRequest
from nousu.tournament.alphabet import plain_letters
from nousu.tournament.messages import Damaged, Refusal
from nousu.tournament.model import Format
from nousu.tournament.office import Office, Opened
from nousu.tournament.season_file import SUFFIX as SEASON_SUFFIX
from nousu.tournament.season_file import SeasonFile

Value = TypeVar("Value")
Mark = tuple[int, int, int]
"""Version of a file: inode, size and time of the last change in nanoseconds."""

SUFFIX = ".nousu"
MOST_EVENTS = 500
"""Most tournaments begun by the pages that the folder may hold; as many seasons."""
EMPTY_DAYS = 7
"""Days after which a tournament or season begun by the pages is deleted if it is empty."""
_UNTOUCHED = 3600.0
"""Seconds after which an empty one makes room for another in a full folder."""
_EMPTY_BYTES = 16 << 10
"""Greatest number of bytes of a file that is looked at for that: to read 500 long ones takes minutes."""
IDLE = 900.0
"""Seconds after which an unused tournament leaves the memory."""
MOST_OPEN = 100
"""Most tournaments in memory without followers."""
MOST_BYTES_OPEN = 32 << 20
"""Most bytes of their files."""
FOLLOWERS = 400
"""Most pages that may follow one tournament at a time."""
_MAX_VALUES = 200
"""Most pages and other values in the cache of a tournament."""
_PAGE_THREADS = 2
"""Threads that make pages."""
_POLL = 0.7
"""Seconds between two checks of a followed file."""
_READING = 20.0
"""Seconds of the processor that the reading of a sent file may take."""
HEARTBEAT = 3.0
"""Seconds between two heartbeats to a follower."""
_TIDY = 60.0
"""Seconds between two checks of the memory; each 1440th also tidies the disk."""
NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")
"""Pattern of the names of tournaments and seasons in addresses."""
_BEGUN = {
    SUFFIX: re.compile(r"[a-z0-9-]{1,40}-\d{4}-\d\d-\d\d-[0-9a-f]{8}"),
    SEASON_SUFFIX: re.compile(r"[a-z0-9-]{1,40}-\d{4}-[0-9a-f]{8}"),
}
"""Patterns of the names that `HostedTournaments.create` and `HostedSeasons.create` give."""


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
        self.used = time.monotonic()
        """The time of the last use."""
        self.closing = False
        self.collecting = asyncio.Lock()
        self.unfit: dict[str, Note] = {}
        """The reason why the result played on Nousu no longer fits the slip, by table."""

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

    def open_here(self) -> Opened:
        """The same in this thread, for the process that makes pages."""
        mark = self.mark()
        if self._held is None or self._held[0] != mark:
            self._held = mark, self._office.open()
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
            self.check_open()
            call = partial(context.run, work, *arguments, **named)
            return await asyncio.get_running_loop().run_in_executor(self._pages, call)

    async def render_in_process(self, process: PageProcess, asked: PageRequest) -> Response | None:
        """Make a page in the process for crowds, one of this event at a time; None where that cannot be."""
        async with self._rendering:
            self.check_open()
            return await process.make(asked)

    def check_open(self) -> None:
        """Raise `Unavailable` while the server is stopping."""
        if self.closing:
            raise Unavailable("The server is stopping; try again in a moment.")

    async def act(self, work: Callable[[Office], Value]) -> Value:
        """Do `work` with the office; on disk when this returns. Passes on its `Refusal`."""
        async with self._writing:
            done = await self._in_thread(work, self._office)
        self.notify_followers()
        return done

    async def _in_thread(self, work: Callable[..., Value], *about: object) -> Value:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *about)

    @property
    def idle(self) -> bool:
        """Whether it has no followers and no work in progress."""
        locks = (self._reading, self._writing, self._rendering, self.collecting)
        return not self.followers and not any(lock.locked() for lock in locks)

    @property
    def size(self) -> int:
        """Bytes of the file that is in memory."""
        return self._held[0][1] if self._held is not None else 0

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


def _make_folder(folder: Path) -> None:
    """Make a folder for files of tournaments; `Refusal` where that is impossible."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal(
            sentence("{path} cannot be written: {reason}"),
            values={"path": str(folder), "reason": error.strerror or str(error)},
        ) from None


def _is_empty(path: Path) -> bool:
    """Whether an undamaged file holds an event without people, or a season to which no evening was added."""
    if path.suffix == SEASON_SUFFIX:
        season = SeasonFile(path).open()
        return season.damage is None and all(event["do"] != "evening" for event in season.log.events)
    opened = Office(path).open()
    return not opened.tournament.entrants and opened.damage is None


def _stats(paths: Iterable[Path]) -> Iterator[tuple[Path, os.stat_result]]:
    """Files that are still there, each with its size and times."""
    for path in paths:
        with contextlib.suppress(OSError):
            yield path, path.stat()


def _version(mark: Mark) -> str:
    return "-".join(f"{part:x}" for part in mark)


class HostedTournaments:
    """The tournament files of one server: those in its folder, and one named on the command line."""

    def __init__(self, folder: Path, file: Path | None = None, copy: Path | None = None) -> None:
        self.folder = folder
        self.address = ""
        """Base address for phones in the hall; empty where it is unknown."""
        self._copy = copy
        self._hosted: dict[str, HostedTournament] = {}
        self.jobs = Jobs()
        self.page_process = PageProcess()
        self._threads = ThreadPoolExecutor(2, "tournaments")
        self._pages = ThreadPoolExecutor(_PAGE_THREADS, "pages")
        self._paths = {} if file is None else {slug_of(file): file}
        self._clock: Callable[[], float] = time.time

    def find(self, name: str) -> HostedTournament:
        """The tournament of that name. Raises `NoSuchTable`."""
        if name not in self._hosted:
            path = self._path(name)
            if path is None or not path.is_file():
                raise NoSuchTable("There is no such tournament.")
            self._limit_memory()
            self._hosted[name] = HostedTournament(name, path, self._threads, self._pages, self._copy)
        return self._hosted[name]

    def visit(self, name: str) -> HostedTournament:
        """The tournament of that name, marked as used. Raises `NoSuchTable`."""
        hosted = self.find(name)
        hosted.used = time.monotonic()
        return hosted

    def _limit_memory(self) -> None:
        """Make room for one more: the least recently used leave the memory first."""
        idle = sorted(
            (hosted for hosted in self._hosted.values() if hosted.idle), key=lambda hosted: hosted.used
        )
        count, size = len(idle), sum(hosted.size for hosted in idle)
        for hosted in idle:
            if count < MOST_OPEN and size <= MOST_BYTES_OPEN:
                return
            count, size = count - 1, size - hosted.size
            del self._hosted[hosted.name]

    def release(self) -> None:
        """Drop unused tournaments from memory."""
        now = time.monotonic()
        for hosted in [*self._hosted.values()]:
            if hosted.idle and now - hosted.used >= IDLE:
                del self._hosted[hosted.name]
        self._limit_memory()

    def tidy(self, now: float) -> None:
        """Delete old tournaments begun by the pages whose list is empty, and old seasons without an evening.

        Args:
            now: seconds since 1970; no more than is believed of the clock.
        """
        for path in [*self._files_of_pages(SUFFIX), *self._files_of_pages(SEASON_SUFFIX)]:
            with contextlib.suppress(OSError, Refusal):
                if now - path.stat().st_mtime > EMPTY_DAYS * 86400.0 and _is_empty(path):
                    path.unlink()
                    self._hosted.pop(path.stem, None)

    def _files_of_pages(self, suffix: str) -> list[Path]:
        """Files of the tournaments, or seasons, begun by the pages."""
        return [path for path in self.folder.glob(f"*{suffix}") if _BEGUN[suffix].fullmatch(path.stem)]

    def make_room(self, suffix: str) -> None:
        """Make the folder, or room in it: the empty tournament, or season, unchanged longest is deleted.

        Raises:
            Refusal: The folder cannot be made, or is full of files that are not empty or were changed lately.
        """
        _make_folder(self.folder)
        begun = self._files_of_pages(suffix)
        if len(begun) < MOST_EVENTS:
            return
        for at, size, path in sorted((stat.st_mtime, stat.st_size, path) for path, stat in _stats(begun)):
            with contextlib.suppress(OSError, Refusal):
                if self._clock() - at > _UNTOUCHED and size <= _EMPTY_BYTES and _is_empty(path):
                    path.unlink()
                    self._hosted.pop(path.stem, None)
                    return
        raise Refusal(sentence("there is no room for more tournaments here; ask the host"))

    async def keep_tidy(self, clock: Callable[[], float]) -> None:
        """Free memory each minute, and the disk each day, until cancelled.

        Args:
            clock: the time by which old data are deleted, in seconds since 1970.
        """
        self._clock = clock
        for minute in itertools.count():
            if minute % 1440 == 0:
                await asyncio.get_running_loop().run_in_executor(self._threads, self.tidy, clock())
            self.release()
            self.page_process.end_if_idle()
            await asyncio.sleep(_TIDY)

    def names(self) -> tuple[str, ...]:
        """Names of the tournaments in use since the server started."""
        return tuple(self._hosted)

    def _path(self, name: str) -> Path | None:
        if name in self._paths:
            return self._paths[name]
        return self.folder / f"{name}{SUFFIX}" if NAME.fullmatch(name) else None

    async def create(self, title: str, format: Format, by: str) -> HostedTournament:
        """Create a tournament in a new file of the folder. `Refusal` names an impossible option."""
        return await self._new_file(title, lambda path: Office(path).begin(title, format, by))

    async def add(self, data: bytes, address: str) -> HostedTournament:
        """Add a tournament from its file, or from an exported one, as a new file of the folder.

        Args:
            data: the bytes of the uploaded file.
            address: the client address.

        Raises:
            Refusal: it is no such file, is damaged, or takes too long to read.
        """
        try:
            lines, title = await self.jobs.run("", address, _READING, checked_log, data)
        except OutOfLimits:
            raise Refusal("this file takes too long to read; open it with nousu tournament") from None
        return await self._new_file(title, lambda path: write_file(path, lines))

    async def _new_file(self, title: str, write: Callable[[Path], object]) -> HostedTournament:
        """A new file, written by `write`: the one named on the command line if it is not there yet."""
        name = f"{slug(title)}-{date.today():%Y-%m-%d}-{secrets.token_hex(4)}"
        absent = [(known, path) for known, path in self._paths.items() if not path.exists()]
        name, path = next(iter(absent), (name, self.folder / f"{name}{SUFFIX}"))

        def work() -> None:
            self.make_room(SUFFIX)
            _make_folder(path.parent)
            write(path)

        await asyncio.get_running_loop().run_in_executor(self._threads, work)
        return self.find(name)

    def stop_waiting(self) -> None:
        """End all followers and jobs: the server is stopping."""
        for hosted in self._hosted.values():
            hosted.close()
        self.jobs.close()

    def close(self) -> None:
        """End all followers and threads."""
        for hosted in self._hosted.values():
            hosted.close()
        self.jobs.close()
        self.page_process.close()
        self._pages.shutdown(wait=False, cancel_futures=True)
        self._threads.shutdown(wait=True)


def tournament_folder(database: URL) -> Path:
    """Default folder of tournament files: beside the database file, else in the user's data folder."""
    file = database.database if database.drivername.startswith("sqlite") else None
    beside = Path(file) if file and file != MEMORY else default_path()
    return beside.parent / "tournaments"


def checked_log(data: bytes) -> tuple[bytes, str]:
    """The log in a tournament file or an exported one, and the name of the event.

    Raises:
        Refusal: it is no such file, or is damaged.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"sent{SUFFIX}"
        path.write_bytes(data)
        office = Office(path)
        try:
            opened = office.open()
        except Damaged as damage:
            raise _damage_refusal(damage) from None
        if opened.damage is not None:
            raise _damage_refusal(opened.damage)
        return office.log_bytes(), opened.tournament.name


def _damage_refusal(damage: Damaged) -> Refusal:
    """The refusal of a damaged file, in a form that a process can pass on."""
    return Refusal(damage.note.message, values=damage.note.values, where=damage.where)


def write_file(path: Path, data: bytes) -> None:
    """Write a new file, on the disk when this returns."""
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def slug_of(file: Path) -> str:
    """Name of a tournament file in addresses."""
    name = file.stem
    return name if NAME.fullmatch(name) and name[0].isalnum() and name[-1].isalnum() else slug(name)


def slug(title: str) -> str:
    """Name of an event in lower-case ASCII letters, digits and hyphens, at most 40 characters."""
    return re.sub(r"[^a-z0-9]+", "-", plain_letters(title)).strip("-")[:40] or "tournament"
