"""Backup: all rows of a database in one SQLite file, and back; the same for SQLite and PostgreSQL.

Snapshots are left out, since they follow from the events.
"""

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from nousu.server.storage.schema import metadata, snapshots, tables
from nousu.server.storage.sqlite import check_file
from nousu.server.storage.store import BadDatabase, Store, database_url

_ROWS = tuple(table for table in metadata.tables.values() if table is not snapshots)
_AT_ONCE = 2000


async def save_backup(source: URL, target: Path) -> dict[str, int]:
    """Write the state of a database at one moment to a new file.

    Returns:
        The number of rows of each database table.

    Raises:
        BadDatabase: The database cannot be read, or the file exists or cannot be written.
    """
    if target.exists():
        raise BadDatabase(f"{target} is there already; name another file")
    if source.drivername.startswith("sqlite"):
        if not Path(source.database or "").exists():
            raise BadDatabase(f"{source.database} is not there")
        check_content(Path(source.database or ""))
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    try:
        counts = await _copy_all(source, database_url(str(part)))
        _close_log(part)
        os.replace(part, target)
    except OSError as error:
        raise BadDatabase(f"{target} cannot be written: {error.strerror}") from None
    finally:
        for left in (part, *(Path(f"{part}{end}") for end in ("-wal", "-shm", ".server"))):
            left.unlink(missing_ok=True)
    return counts


async def restore_backup(target: URL, source: Path) -> dict[str, int]:
    """Put a backup into an empty database.

    Returns:
        The number of rows of each database table.

    Raises:
        BadDatabase: The file is no backup, or the database is not empty.
    """
    if not source.exists():
        raise BadDatabase(f"{source} is not there")
    with tempfile.TemporaryDirectory() as folder:
        # An older backup is brought up to date; its own file is not touched.
        copy = Path(folder) / "backup.db"
        try:
            shutil.copyfile(source, copy)
            check_content(copy)
            return await _copy_all(database_url(str(copy)), target)
        except BadDatabase as error:  # named as it was given, not as the copy is called
            raise BadDatabase(str(error).replace(str(copy), str(source))) from None
        except OSError as error:
            raise BadDatabase(f"{source} cannot be read: {error.strerror or error}") from None


def check_content(path: Path) -> None:
    """Raise `BadDatabase` unless the file is an SQLite database in which a server has kept tables."""
    if not path.stat().st_size:
        raise BadDatabase(f"{path} is an empty file")
    check_file(path)
    with closing(sqlite3.connect(path)) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if not {"alembic_version", tables.name} <= names:
        raise BadDatabase(f"{path} holds no tables of nousu")


async def _copy_all(source: URL, target: URL) -> dict[str, int]:
    before = await Store.open(source)
    try:
        after = await Store.open(target, serving=True)
        try:
            if any((await after.counts()).values()):
                raise BadDatabase("the database holds tables already; give an empty one")
            async with before.moment() as read, after.fill() as write:
                return {table.name: await _copy(table, read, write) for table in _ROWS}
        finally:
            await after.close()
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise BadDatabase(f"the tables cannot be copied: {error}".splitlines()[0]) from None
    finally:
        await before.close()


async def _copy(table: sa.Table, read: AsyncConnection, write: AsyncConnection) -> int:
    count = 0
    stream = await read.stream(sa.select(table))
    async for rows in stream.mappings().partitions(_AT_ONCE):
        await write.execute(sa.insert(table), [dict(row) for row in rows])
        count += len(rows)
    return count


def _close_log(path: Path) -> None:
    """Move the log that SQLite has beside a file into it."""
    connection = sqlite3.connect(path)
    try:
        connection.execute("PRAGMA journal_mode=DELETE")
    finally:
        connection.close()
