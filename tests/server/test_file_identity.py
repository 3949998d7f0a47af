"""A database that is deleted, moved or replaced while it is served, and a clock that is wrong."""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from applications import app_on
from nousu.server.errors import Unavailable
from nousu.server.storage import sqlite
from nousu.server.storage.store import SessionRow, Store, TableRow, database_url
from nousu.server.storage.trusted_clock import TrustedClock
from nousu.server.table.events import EventRow

ROW = TableRow("t", "tuppi", 4, "{}", bytes(32), False)
MINE = SessionRow("5e55", "Aino", "fi", bytes(32))
OTHER = SessionRow("5e56", "Bea", "fi", bytes(32))


def _delete(path: Path) -> None:
    path.unlink()


def _move(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def _replace(path: Path) -> None:
    copy = path.with_name("copy.db")
    shutil.copy(path, copy)
    copy.rename(path)


def _delete_log(path: Path) -> None:
    path.with_name(path.name + "-wal").unlink()


def _move_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


def _overwrite(path: Path) -> None:
    """As a copy of yesterday put back by ``cp``: the same inode, other contents."""
    with closing(sqlite3.connect(path.with_name("yesterday.db"))) as old:
        with closing(sqlite3.connect(path)) as served:
            served.backup(old)
        old.execute("PRAGMA user_version = 1")
    path.write_bytes(path.with_name("yesterday.db").read_bytes())


def _empty(path: Path) -> None:
    os.truncate(path, 0)


CHANGES: list[Callable[[Path], object]] = [
    _delete,
    _move,
    _replace,
    _delete_log,
    _move_folder,
    _overwrite,
    _empty,
]


@pytest.mark.parametrize("change", CHANGES)
def test_changed_file_is_not_acknowledged_to(tmp_path: Path, change: Callable[[Path], object]) -> None:
    path = tmp_path / "server" / "n.db"

    async def work() -> None:
        store = await Store.open(database_url(str(path)), serving=True)
        try:
            await store.add_session(MINE)
            await store.add_table(ROW, [EventRow(1, "next", 0, "")])
            await store.append("t", EventRow(2, "next", 0, ""))
            change(path)
            with pytest.raises(Unavailable):
                await store.append("t", EventRow(3, "next", 0, ""))
            with pytest.raises(Unavailable):
                await store.add_session(OTHER)
            with pytest.raises(Unavailable):
                await store.session("5e55")
        finally:
            await store.close()

    asyncio.run(work())


def test_file_that_is_back_is_written_to(tmp_path: Path) -> None:
    path = tmp_path / "n.db"

    async def work() -> None:
        store = await Store.open(database_url(str(path)))
        try:
            _move(path)
            with pytest.raises(Unavailable):
                await store.add_session(MINE)
            path.with_name("elsewhere.db").rename(path)
            await store.add_session(MINE)
            assert await store.session("5e55") == MINE
        finally:
            await store.close()

    asyncio.run(work())


def test_served_file_keeps_its_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program that reads the file and leaves must not think that it was the last one."""
    path = tmp_path / "n.db"
    monkeypatch.setattr(sqlite, "LARGE", 0)
    read = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT 1 FROM tables'); c.close()"
    )

    async def work() -> None:
        store = await Store.open(database_url(str(path)), serving=True)
        try:
            await store.add_table(ROW, [EventRow(1, "next", 0, "")])
            await store.append("t", EventRow(2, "next", 0, ""))
            await store.examine(0)
            await asyncio.to_thread(subprocess.run, [sys.executable, "-c", read, str(path)], check=True)
            assert path.with_name("n.db-wal").exists(), "the log of a file in use was deleted"
            await store.append("t", EventRow(3, "next", 0, ""))
        finally:
            await store.close()

    asyncio.run(work())


def test_served_file_is_looked_into_by_others_at_any_time(tmp_path: Path) -> None:
    """Opening a database to read it, as ``nousu reports`` does, is no replacement."""
    url = database_url(str(tmp_path / "n.db"))

    async def work() -> None:
        served = await Store.open(url, serving=True)
        try:
            other = await Store.open(url)
            await other.counts()
            await other.close()
            await served.add_session(MINE)
        finally:
            await served.close()

    asyncio.run(work())


def test_health_of_a_server_whose_file_was_deleted(tmp_path: Path) -> None:
    app = app_on(tmp_path / "n.db", pace=0)
    with TestClient(app, base_url="http://testserver") as client:
        assert client.get("/api/v1/health").status_code == 200
        _delete(tmp_path / "n.db")
        assert client.get("/api/v1/health").status_code == 503


def test_clock_that_is_ahead_at_the_start_forgets_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = database_url(str(tmp_path / "n.db"))

    async def visit() -> None:
        store = await Store.open(url)
        await store.add_session(MINE)
        await store.close()

    async def tidy() -> int:
        store = await Store.open(url)
        try:
            now = store.clock.now()
            return await store.people.forget_sessions(now - 400 * 86400, now - 90 * 86400)
        finally:
            await store.close()

    asyncio.run(visit())
    plain = time.time
    monkeypatch.setattr(time, "time", lambda: plain() + 100 * 86400)
    assert asyncio.run(tidy()) == 0


def test_clock_is_believed_within_a_week_and_as_time_passes() -> None:
    now = time.time()
    assert abs(TrustedClock(now - 86400).now() - now) < 5
    assert abs(TrustedClock(0.0).now() - now) < 5
    assert TrustedClock(now - 100 * 86400).now() < now - 90 * 86400
