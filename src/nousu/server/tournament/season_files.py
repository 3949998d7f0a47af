"""Season files of this server, beside its tournament files: reread when they change, written one by one."""

import asyncio
import os
import re
import secrets
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TypeVar

from nousu.engine.messages import sentence
from nousu.server.errors import NoSuchTable
from nousu.server.tournament.files import SUFFIX as EVENING_SUFFIX
from nousu.server.tournament.files import HostedTournaments, slug
from nousu.tournament.messages import Refusal
from nousu.tournament.season import SeasonRule
from nousu.tournament.season_file import (
    SUFFIX,
    EveningLog,
    OpenedSeason,
    SeasonFile,
    evening_file,
    held_entry,
)

Value = TypeVar("Value")
MOST_BYTES = 40 * 1024 * 1024
"""Greatest number of bytes of a season file."""
MOST_BYTES_OF_ALL = 1 << 30
"""Greatest number of bytes of all season files of a server together."""
_MOST_HELD = 8
"""Seasons that stay in memory: those looked at last."""
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")


class HostedSeasons:
    """The season files in the folder of a server."""

    def __init__(self, halls: HostedTournaments) -> None:
        self.halls = halls
        self._locks: dict[str, asyncio.Lock] = {}
        self._held: dict[str, tuple[tuple[int, int, int], OpenedSeason]] = {}
        self._reading, self._rendering = asyncio.Lock(), asyncio.Lock()

    def path(self, name: str) -> Path:
        """The file of that name. Raises `NoSuchTable`."""
        path = self.halls.folder / f"{name}{SUFFIX}"
        if not _NAME.fullmatch(name) or not path.is_file():
            raise NoSuchTable("There is no such season.")
        return path

    async def open(self, name: str) -> OpenedSeason:
        """The season of that name as it is. Raises `NoSuchTable`."""
        path = self.path(name)
        async with self._reading:  # a season is read once, however many ask for it
            stat = os.stat(path)
            mark = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
            held = self._held.pop(name, None)
            if held is None or held[0] != mark:
                held = (mark, await asyncio.to_thread(SeasonFile(path).open))
            self._held[name] = held
            if len(self._held) > _MOST_HELD:
                del self._held[next(iter(self._held))]
            return held[1]

    async def render(self, work: Callable[..., Value], *arguments: object) -> Value:
        """Make a page in a thread, one at a time: threads hold the loop up, and with it every table."""
        async with self._rendering:
            return await asyncio.to_thread(work, *arguments)

    async def act(self, name: str, work: Callable[[SeasonFile], Value]) -> Value:
        """Do `work` with a season file; on disk when this returns."""
        path = self.path(name)
        async with self._locks.setdefault(name, asyncio.Lock()):
            if path.stat().st_size > MOST_BYTES:
                raise Refusal("this season is full; begin another one")
            return await asyncio.to_thread(self._change, path, work)

    def _change(self, path: Path, work: Callable[[SeasonFile], Value]) -> Value:
        files = self.halls.folder.glob(f"*{SUFFIX}")
        if sum(file.stat().st_size for file in files) > MOST_BYTES_OF_ALL:
            raise Refusal(sentence("there is no room for more tournaments here; ask the host"))
        return work(SeasonFile(path))

    async def create(self, title: str, by: str, who: str) -> tuple[str, str]:
        """Begin a season in a new file; return its name in addresses and the secret of its link."""
        name = f"{slug(title)}-{date.today():%Y}-{secrets.token_hex(4)}"
        path = self.halls.folder / f"{name}{SUFFIX}"

        def work() -> str:
            self.halls.make_room(SUFFIX)
            try:
                self.halls.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                raise Refusal(
                    sentence("{path} cannot be written: {reason}"),
                    values={"path": str(self.halls.folder), "reason": error.strerror or str(error)},
                ) from None
            season = SeasonFile(path)
            season.begin(title, SeasonRule(), by)
            return season.admit(by, who)[1]

        return name, await asyncio.to_thread(work)

    async def corrected(self, opened: OpenedSeason) -> dict[int, EveningLog]:
        """Evenings corrected since they were added, by their entries, as far as this server has them."""
        return await asyncio.to_thread(_corrected, self.halls.folder, opened)


def _corrected(folder: Path, opened: OpenedSeason) -> dict[int, EveningLog]:
    """Evenings of the season that were corrected; only longer files with the same beginning are read."""
    begins = {lines[0].encode() for lines in opened.state.logs.values()}
    sizes = {sum(len(line.encode()) + 1 for line in lines) for lines in opened.state.logs.values()}
    corrected = {}
    for path in folder.glob(f"*{EVENING_SUFFIX}"):
        try:
            with path.open("rb") as file:
                if file.readline().rstrip(b"\n") not in begins or path.stat().st_size in sizes:
                    continue
            evening = evening_file(path)
        except (OSError, Refusal):
            continue
        entry = held_entry(opened.state, evening.lines)
        lines = opened.state.logs.get(entry, ())
        if not lines:
            continue
        if evening.revision > opened.state.evening(entry).revision and evening.lines[: len(lines)] == lines:
            corrected[entry] = evening
    return corrected
