"""Whether the file of a database is still the one that was opened: not deleted, moved or replaced.

SQLite goes on with the opened file, wherever its name leads by now; what is stored then is gone after a
restart. So every transaction looks whether the names still lead to the same files.
"""

import logging
import os
from pathlib import Path

_LOG = logging.getLogger(__name__)


class FileReplaced(OSError):
    """The file is not the one that was opened."""


class FileIdentity:
    """The file of a database as it was when it was opened.

    Args:
        path: the file; it exists.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log_path = path.with_name(path.name + "-wal")
        self._file = _number(path)
        self._log: tuple[int, int] | None = None
        self._is_warned = False

    def follow_log(self) -> None:
        """Remember the write-ahead log, which stays as long as a connection is open."""
        self._log = _number(self._log_path)

    def check(self) -> None:
        """Look whether the names lead to the same files.

        Raises:
            FileReplaced: they do not.
        """
        same = _number(self._path) == self._file
        if same and (self._log is None or _number(self._log_path) == self._log):
            self._is_warned = False
            return
        if not self._is_warned:
            self._is_warned = True
            _LOG.error(
                "%s was deleted, moved or replaced while it was served; nothing is stored until it is back "
                "or the server is started again",
                self._path,
            )
        raise FileReplaced(f"{self._path} is not the file that was opened")


def _number(path: Path) -> tuple[int, int] | None:
    """What tells a file from all others of this machine; None where there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
