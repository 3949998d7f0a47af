"""Tournament files that this server directs: each read when it has changed, written one entry at a time.

Whatever takes time (reading, checking, writing and waiting for the disk) is done in two threads of their
own, so that no table waits for it. Other programs may write to the same file: who follows it hears of it too.
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

Found = TypeVar("Found")
Mark = tuple[int, int, int]
"""What tells one state of a file from another: its number on the disk, size and time."""

ENDING = ".nousu"
FOLLOWERS = 400
"""How many pages may follow one tournament at a time."""
_VALUES = 200
"""Pages and other values that are kept of one state at most."""
_PAGE_THREADS = 2
"""Threads that make pages."""
_LOOK = 0.7
"""Seconds between two looks at a file that somebody follows."""
BEAT = 3.0
"""Seconds after which a follower hears that the connection is alive."""
_NAMED = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")


class Hall:
    """One tournament file and those who follow it."""

    def __init__(
        self,
        name: str,
        path: Path,
        threads: ThreadPoolExecutor,
        pages: ThreadPoolExecutor,
        copy: Path | None = None,
    ) -> None:
        self.name = name
        """What stands in its addresses."""
        self.path = path
        self._office = Office(path, copy=copy)
        self._threads = threads
        self._writing = asyncio.Lock()
        self._reading = asyncio.Lock()
        self._held: tuple[Mark, Opened] | None = None
        self._values: tuple[Opened | None, dict[tuple[str, ...], object]] = (None, {})
        self._pages = pages
        self._rendering = asyncio.Lock()
        self._moved = asyncio.Event()
        self._watch: asyncio.Task[None] | None = None
        self.followers = 0
        self.closing = False
        self.collecting = asyncio.Lock()
        self.unfit: dict[str, Note] = {}
        """Why what was played at Nousu's tables does not fit a slip any more, by tables."""

    def mark(self) -> Mark:
        """The state the file is in now."""
        found = os.stat(self.path)
        return found.st_ino, found.st_size, found.st_mtime_ns

    async def opened(self) -> Opened:
        """The tournament as it stands. `Refusal` where the file cannot be read or is none."""
        async with self._reading:
            try:
                mark = self.mark()
            except OSError:
                mark = (0, 0, 0)
            if self._held is None or self._held[0] != mark:
                self._held = mark, await self._aside(self._office.open)
            return self._held[1]

    def value(self, opened: Opened, key: tuple[str, ...], make: Callable[[], Found]) -> Found:
        """What is calculated once of a state: standings, pages.

        Args:
            opened: the state.
            key: what the value depends on besides.
            make: calculates it.
        """
        of, values = self._values
        if of is not opened or len(values) >= _VALUES:
            values = {}
            self._values = opened, values
        if key not in values:
            values[key] = make()
        return cast(Found, values[key])

    async def render(self, work: Callable[..., Found], *arguments: object, **named: object) -> Found:
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

    async def act(self, work: Callable[[Office], Found]) -> Found:
        """Do something with the office: what it returns is on the disk. Passes on its `Refusal`."""
        async with self._writing:
            done = await self._aside(work, self._office)
        self.move()
        return done

    async def aside(self, work: Callable[..., Found], *about: object) -> Found:
        """Compute something without keeping any table waiting."""
        return await self._aside(work, *about)

    async def _aside(self, work: Callable[..., Found], *about: object) -> Found:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *about)

    def move(self) -> None:
        """Tell all followers to look."""
        self._moved.set()
        self._moved = asyncio.Event()

    def make_room(self) -> None:
        """`Unavailable` where too many follow already."""
        if self.followers >= FOLLOWERS:
            raise Unavailable("Too many pages are following this tournament; try again in a moment.")

    async def follow(self) -> AsyncIterator[str]:
        """The name of every state the file comes to, from the present one on; empty when nothing has happened
        for a while."""
        self.followers += 1
        if self._watch is None:
            self._watch = asyncio.create_task(self._watched())
        last = ""
        try:
            while not self.closing:
                moved = self._moved
                now = self.state_name()
                if now == last:
                    try:
                        async with asyncio.timeout(BEAT):
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

    def state_name(self) -> str:
        """The present state of the file in letters."""
        try:
            return _name_of(self.mark())
        except OSError:
            return "gone"

    def name_of(self, opened: Opened) -> str:
        """The state of the file that was read, in letters; empty where another one has been read since."""
        return _name_of(self._held[0]) if self._held is not None and self._held[1] is opened else ""

    async def _watched(self) -> None:
        """Look whether another program has written."""
        last = self.state_name()
        while True:
            await asyncio.sleep(_LOOK)
            now = self.state_name()
            if now != last:
                last = now
                self.move()

    def close(self) -> None:
        """Let the followers go."""
        self.closing = True
        self.move()
        if self._watch is not None:
            self._watch.cancel()


def _name_of(mark: Mark) -> str:
    return "-".join(f"{part:x}" for part in mark)


class Halls:
    """All tournament files of one server: those in its folder, and perhaps one that was named."""

    def __init__(self, folder: Path, file: Path | None = None, copy: Path | None = None) -> None:
        self.folder = folder
        self.address = ""
        """Where phones in the hall find this server, where that is known."""
        self._copy = copy
        self._halls: dict[str, Hall] = {}
        self.jobs = Jobs()
        self._threads = ThreadPoolExecutor(2, "hall")
        self._pages = ThreadPoolExecutor(_PAGE_THREADS, "pages")
        self._named = {} if file is None else {called(file): file}

    def hall(self, name: str) -> Hall:
        """The tournament of that name; `NoSuchTable`."""
        if name not in self._halls:
            path = self._path(name)
            if path is None or not path.is_file():
                raise NoSuchTable("There is no such tournament.")
            self._halls[name] = Hall(name, path, self._threads, self._pages, self._copy)
        return self._halls[name]

    def known(self) -> tuple[str, ...]:
        """The names of the tournaments somebody has asked for."""
        return tuple(self._halls)

    def _path(self, name: str) -> Path | None:
        if name in self._named:
            return self._named[name]
        return self.folder / f"{name}{ENDING}" if _NAMED.fullmatch(name) else None

    async def begin(self, title: str, format: Format, by: str) -> Hall:
        """A new tournament in a new file of the folder. `Refusal` says what cannot be."""
        name = f"{_slug(title)}-{date.today():%Y-%m-%d}-{secrets.token_hex(4)}"
        path = self.folder / f"{name}{ENDING}"

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
        """Let those go who follow a tournament or wait for a job: the server is stopping."""
        for hall in self._halls.values():
            hall.close()
        self.jobs.close()

    def close(self) -> None:
        """Let everything go."""
        for hall in self._halls.values():
            hall.close()
        self.jobs.close()
        self._pages.shutdown(wait=False, cancel_futures=True)
        self._threads.shutdown(wait=True)


def tournament_folder(database: URL) -> Path:
    """Where tournament files lie, if nobody has named a folder: in one beside the database file, else in one
    among the user's data."""
    file = database.database if database.drivername.startswith("sqlite") else None
    beside = Path(file) if file and file != MEMORY else default_path()
    return beside.parent / "tournaments"


def called(file: Path) -> str:
    """What a tournament file that was named is called in addresses."""
    return file.stem if _NAMED.fullmatch(file.stem) else _slug(file.stem)


def _slug(title: str) -> str:
    """The name of an event in letters that stand in any address."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40] or "tournament"
