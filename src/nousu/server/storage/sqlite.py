"""SQLite files: readable by their owner alone, undamaged, and served by one process."""

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import IO

MEMORY = ":memory:"
LARGE = 32 << 20
"""Size in bytes from which on a file takes long to check."""


class BadDatabase(ValueError):
    """A database that cannot be opened; the text is a sentence with the reason."""


def is_large(path: Path) -> bool:
    """Whether a check of the whole file would keep people waiting."""
    return path.exists() and path.stat().st_size > LARGE


def check_file(path: Path, whole: bool = True) -> None:
    """Create a file and its folder where there are none, and check it.

    It holds the cards of all tables, so only its owner may read a new one.

    Args:
        path: The file.
        whole: Check every page of it, not the header alone.

    Raises:
        BadDatabase: It is no SQLite file, is damaged or cannot be written.
    """
    try:
        if path.parent.exists() and not path.parent.is_dir():
            raise BadDatabase(f"{path} cannot be written: {path.parent} is no folder")
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600))
        if path.stat().st_size:
            with path.open("rb") as file:
                head = file.read(16)
            if head != b"SQLite format 3\0":
                raise BadDatabase(f"{path} is no SQLite database")
            if whole:
                check_pages(path)
    except OSError as error:
        raise BadDatabase(f"{path} cannot be written: {error.strerror}") from None


def check_pages(path: Path) -> None:
    """Check every page of a file; by SQLite alone, so that it may be in use in this process.

    Raises:
        BadDatabase: It is damaged.
    """
    try:
        with closing(sqlite3.connect(path)) as connection:
            result = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        raise BadDatabase(f"{path} is damaged or in use: {error}") from None
    if result != "ok":
        raise BadDatabase(f"{path} is damaged: {result.splitlines()[-1]}")


def empty_log(path: Path) -> None:
    """Move the write-ahead log into the file, except parts that are being read."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def is_readable_by_others(path: Path) -> bool:
    """Whether other users of this machine may read the file."""
    return sys.platform != "win32" and path.exists() and bool(path.stat().st_mode & 0o077)


class FileLock:
    """The right of this process to serve a file, until it is released or the process ends, however it does.

    The file beside it, ``nousu.db.server``, only carries the lock: SQLite's own locks must not be touched by
    a second descriptor of the database.
    """

    def __init__(self, path: Path) -> None:
        self._file: IO[bytes] | None = None
        beside = path.with_name(path.name + ".server")
        try:
            self._file = os.fdopen(os.open(beside, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
            _lock(self._file)
        except BlockingIOError:
            self.release()
            raise BadDatabase(
                f"{path} is served by another nousu already; stop it, or share tables by PostgreSQL"
            ) from None
        except OSError as error:
            self.release()
            raise BadDatabase(f"{path} cannot be written: {error.strerror}") from None

    def release(self) -> None:
        """Let another server have the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _lock(file: IO[bytes]) -> None:
    """Lock a whole file; `BlockingIOError` where another process has."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
