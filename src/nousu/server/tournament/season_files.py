"""Season files of this server, beside its tournament files: reread when they change, written one by one."""

import asyncio
import contextlib
import os
import secrets
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import TypeVar

from nousu.engine.messages import sentence
from nousu.players.processes import OutOfLimits
from nousu.server.errors import NoSuchTable, Unavailable
from nousu.server.tournament.files import NAME, HostedTournaments, slug
from nousu.server.tournament.files import SUFFIX as EVENING_SUFFIX
from nousu.tournament.log_file import MOST_BYTES as EVENING_BYTES
from nousu.tournament.messages import Refusal
from nousu.tournament.season import SeasonRule
from nousu.tournament.season_file import (
    SUFFIX,
    EveningLog,
    OpenedSeason,
    SeasonFile,
    evening_file,
)

Value = TypeVar("Value")
MOST_BYTES = 40 * 1024 * 1024
"""Greatest number of bytes of a season file."""
MOST_BYTES_OF_ALL = 1 << 30
"""Greatest number of bytes of all season files of a server together."""
SECONDS = 8.0
"""Processor time that the check of evenings may take."""
_LINE = 64 << 10
"""Greatest number of bytes of the first line of an evening."""
_MOST_HELD = 8
"""Seasons that stay in memory: those looked at last."""


class HostedSeasons:
    """The season files in the folder of a server."""

    def __init__(self, tournaments: HostedTournaments) -> None:
        self.tournaments = tournaments
        self._held: dict[str, tuple[tuple[int, int, int], OpenedSeason]] = {}
        self._reading, self._rendering, self._writing = asyncio.Lock(), asyncio.Lock(), asyncio.Lock()

    def path(self, name: str) -> Path:
        """The file of that name. Raises `NoSuchTable`."""
        path = self.tournaments.folder / f"{name}{SUFFIX}"
        if not NAME.fullmatch(name) or not path.is_file():
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
        async with self._writing:  # several at a time would hold the loop up, and with it every table
            if path.stat().st_size > MOST_BYTES:
                raise Refusal("this season is full; begin another one")
            return await asyncio.to_thread(self._change, path, work)

    def _change(self, path: Path, work: Callable[[SeasonFile], Value]) -> Value:
        files = self.tournaments.folder.glob(f"*{SUFFIX}")
        if sum(file.stat().st_size for file in files) > MOST_BYTES_OF_ALL:
            raise Refusal(sentence("there is no room for more tournaments here; ask the host"))
        return work(SeasonFile(path))

    async def create(self, title: str, by: str) -> tuple[str, str]:
        """Begin a season in a new file; return its name in addresses and the secret of its link."""
        name = f"{slug(title)}-{date.today():%Y}-{secrets.token_hex(4)}"
        path = self.tournaments.folder / f"{name}{SUFFIX}"

        def work() -> str:
            self.tournaments.make_room(SUFFIX)
            season = SeasonFile(path)
            season.begin(title, SeasonRule(), by)
            return season.admit(by, by)[1]

        return name, await asyncio.to_thread(work)

    async def corrected(self, name: str, address: str, opened: OpenedSeason) -> dict[int, EveningLog]:
        """Evenings corrected since they were added, by their entries, as far as this server has them.

        Args:
            name: the season's name in addresses.
            address: the client address.
            opened: the season.
        """
        longer = await asyncio.to_thread(_longer_files, self.tournaments.folder, opened)
        if not longer:
            return {}
        try:
            return await self.tournaments.jobs.run(f"season {name}", address, SECONDS, _corrections, longer)
        except (OutOfLimits, Unavailable):
            return {}  # the season goes on with the evenings that it has


def _longer_files(folder: Path, opened: OpenedSeason) -> list[tuple[Path, int, int]]:
    """Files that go on from an evening of the season, the longest first, with its entry and revision."""
    held = {
        entry: "".join(f"{line}\n" for line in lines).encode() for entry, lines in opened.state.logs.items()
    }
    begins = {data.partition(b"\n")[0] for data in held.values()}
    found = []
    for path in folder.glob(f"*{EVENING_SUFFIX}") if held else ():
        with contextlib.suppress(OSError), path.open("rb") as file:
            if file.readline(_LINE).rstrip(b"\n") in begins:
                file.seek(0)
                data = file.read(EVENING_BYTES)
                found += [
                    (len(data), path, entry)
                    for entry, start in held.items()
                    if len(data) > len(start) and data.startswith(start)
                ]
    found.sort(reverse=True)
    return [(path, entry, opened.state.evening(entry).revision) for _, path, entry in found]


def _corrections(longer: Iterable[tuple[Path, int, int]]) -> dict[int, EveningLog]:
    """The corrected evenings among such files, by their entries; runs in the process of a job."""
    corrected: dict[int, EveningLog] = {}
    for path, entry, revision in longer:
        if entry not in corrected:
            with contextlib.suppress(OSError, Refusal):
                if (evening := evening_file(path)).revision > revision:
                    corrected[entry] = evening
    return corrected
