"""Transactions over rows, and inserts that may meet a row that is there."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

Opens = Callable[[], AbstractAsyncContextManager[AsyncConnection]]


class Rows:
    """Rows of some tables of the database.

    Args:
        read: Opens a connection of a `nousu.server.storage.store.Store`.
        write: Opens a transaction of it, which is on disk when the block is left.
    """

    def __init__(self, read: Opens, write: Opens) -> None:
        self._read = read
        self._write = write


def insert_into(table: sa.Table, dialect: str) -> sqlite.Insert | postgresql.Insert:
    """An insert with ``on_conflict_do_nothing`` and ``on_conflict_do_update``, by the name of the dialect."""
    return sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)
