"""A backup holds everything, is written while the server runs, and overwrites nothing."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Protocol

import httpx
import sqlalchemy as sa
from typer.testing import CliRunner, Result

from nousu.cli import app
from nousu.server.storage.backup import restore_backup, save_backup
from nousu.server.storage.schema import metadata, snapshots
from nousu.server.storage.store import Store, database_url


class Served(Protocol):
    """What the fixture `serve` starts."""

    database: str

    def client(self) -> httpx.Client:
        """A browser that has just come."""

    def stop(self) -> int:
        """End it."""


def nousu(*words: str) -> Result:
    """The command, in another process than the server."""
    return CliRunner().invoke(app, words)


def test_backup_of_a_running_server_is_restored(serve: Callable[..., Served], tmp_path: Path) -> None:
    server = serve()
    with server.client() as client:
        token = client.post("/api/v1/session", json={"name": "Sanni"}).json()["token"]
        mine = {"authorization": f"Bearer {token}"}
        asked = {"preset": "tuppi", "players": ["rules", "rules", "rules"]}
        table = client.post("/api/v1/tables", json=asked, headers=mine).json()["table"]
        copy = tmp_path / "copy.backup"
        done = nousu("backup", str(copy), "--database", server.database)
        assert done.exit_code == 0 and "1 tables" in done.stdout, done.stderr
        assert copy.stat().st_mode & 0o077 == 0
        assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.backup"]
        twice = nousu("backup", str(copy), "--database", server.database)
        assert twice.exit_code == 1 and "there already" in twice.stderr
        over = nousu("restore", str(copy), "--database", server.database)
        assert over.exit_code == 1 and "served by another" in over.stderr
    server.stop()
    again = str(tmp_path / "again.db")
    assert nousu("restore", str(copy), "--database", again).exit_code == 0
    full = nousu("restore", str(copy), "--database", again)
    assert full.exit_code == 1 and "empty" in full.stderr
    with serve(again).client() as client:
        seen = client.get(f"/api/v1/tables/{table}", headers=mine).json()
        assert seen["started"] and seen["seat"] is not None
    none = nousu("restore", str(tmp_path / "none"), "--database", str(tmp_path / "x.db"))
    assert none.exit_code == 1 and "not there" in none.stderr
    (tmp_path / "junk").write_text("no database")
    junk = nousu("restore", str(tmp_path / "junk"), "--database", str(tmp_path / "x.db"))
    assert junk.exit_code == 1 and "no SQLite database" in junk.stderr


def test_backup_of_another_file_is_refused_both_ways(tmp_path: Path) -> None:
    """Nor is the database made, or the other program's file changed."""
    empty, text, other = tmp_path / "empty", tmp_path / "text", tmp_path / "other.db"
    empty.touch()
    text.write_text("no database\n" * 9)
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE notes (text)")
    target = tmp_path / "new.db"
    for path, reason in ((empty, "is an empty file"), (text, "is no SQLite"), (other, "holds no tables of")):
        before = path.read_bytes()
        done = nousu("restore", str(path), "--database", str(target))
        assert done.exit_code == 1 and f"{path} {reason}" in done.stderr, done.output
        done = nousu("backup", str(tmp_path / "copy"), "--database", str(path))
        assert done.exit_code == 1 and f"{path} {reason}" in done.stderr, done.output
        assert path.read_bytes() == before
    assert not target.exists() and not (tmp_path / "copy").exists()


def test_backup_holds_the_rows_of_every_table_but_snapshots(tmp_path: Path) -> None:
    samples = {str: "7", int: 7, float: 7.0, bool: True, bytes: b"7"}
    first, copy, second = (tmp_path / name for name in ("first.db", "copy", "second.db"))

    async def rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
        store = await Store.open(database_url(str(path)))
        async with store.moment() as read:
            found = {
                name: [tuple(row) for row in await read.execute(sa.select(table))]
                for name, table in metadata.tables.items()
                if table is not snapshots
            }
        await store.close()
        return found

    async def there_and_back() -> None:
        store = await Store.open(database_url(str(first)))
        async with store.fill() as write:
            for table in metadata.tables.values():
                values = {column.name: samples[column.type.python_type] for column in table.columns}
                await write.execute(table.insert().values(**values))
        await store.close()
        await save_backup(database_url(str(first)), copy)
        await restore_backup(database_url(str(second)), copy)
        before = await rows(first)
        assert all(map(len, before.values())) and await rows(second) == before

    asyncio.run(there_and_back())
