"""Check that the file of a database is still the one that was opened: not deleted, replaced, overwritten.

SQLite goes on with the opened file, wherever its name leads by now; data stored then are gone after a
restart. So every transaction checks that the names still lead to the same files, and whether the first page
of the database still bears the marker that this server wrote when it opened it.
"""

import logging
import os
from pathlib import Path

_LOG = logging.getLogger(__name__)
_MARKER_AT = 60
"""Offset of SQLite's ``user_version`` in the first page, which it leaves to programs."""


class FileReplaced(OSError):
    """A database file that is not the one that was opened."""


class FileIdentity:
    """The file of a database as it was when it was opened.

    Args:
        path: the file; it exists.
        marker: the number that SQLite was told to write into its first page; 0: none.
    """

    def __init__(self, path: Path, marker: int = 0) -> None:
        self._path = path
        self._log_path = path.with_name(path.name + "-wal")
        self._file = _number(path)
        self._log: tuple[int, int] | None = None
        self._marker = marker.to_bytes(4, "big")
        # The descriptor stays open: closing any one of a file gives up SQLite's locks on it.
        self._handle = os.open(path, os.O_RDONLY) if marker and hasattr(os, "pread") else None
        self._is_marked = False
        """True once the marker has come from the log into the file."""
        self._is_warned = False

    def follow_log(self) -> None:
        """Remember the write-ahead log, which stays as long as a connection is open."""
        self._log = _number(self._log_path)

    def check(self) -> None:
        """Check that the names lead to the same files, and that they hold this database.

        Raises:
            FileReplaced: they do not.
        """
        same = _number(self._path) == self._file and self._bears_marker()
        if same and (self._log is None or _number(self._log_path) == self._log):
            self._is_warned = False
            return
        if not self._is_warned:
            self._is_warned = True
            _LOG.error(
                "%s was deleted, moved, replaced or overwritten while it was served; nothing is stored until "
                "it is back or the server is started again",
                self._path,
            )
        raise FileReplaced(f"{self._path} is not the file that was opened")

    def _bears_marker(self) -> bool:
        if self._handle is None:
            return True
        marker = os.pread(self._handle, 4, _MARKER_AT)
        self._is_marked = self._is_marked or marker == self._marker
        return marker == self._marker or not self._is_marked

    def close(self) -> None:
        """Close the descriptor, after SQLite has closed the file."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _number(path: Path) -> tuple[int, int] | None:
    """The identity of a file among all others of this machine; None if it does not exist."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
