"""Events on their way to a PostgreSQL that several server processes share.

Each batch of events is one statement that the database does alone: it inserts them and tells all processes
which they are, at most a hundred in one notice, which may have 8,000 bytes. A process that is stopped in the
middle holds nothing up. One commit for many events matters here, since commits that tell others of something
wait for one another, whoever makes them.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from nousu.server.store.writer import Taken, Wanted, Writer

CHANNEL = "nousu"
# Rows go in by table, so two processes that want the same ones cannot wait for each other.
_INSERT = sa.text(
    """
    WITH given AS (
        SELECT * FROM unnest(
            CAST(:tables AS text[]), CAST(:seqs AS integer[]), CAST(:kinds AS text[]),
            CAST(:places AS integer[]), CAST(:bodies AS text[]), CAST(:keys AS text[]),
            CAST(:prints AS text[]), CAST(:ends AS boolean[])
        ) AS one (table_id, seq, kind, place, body, key, print, ends)
    ), new AS (
        INSERT INTO events (table_id, seq, kind, place, body, key, print, at)
        SELECT table_id, seq, kind, place, body, key, print, :at FROM given ORDER BY table_id, seq
        ON CONFLICT DO NOTHING
        RETURNING table_id, seq
    ), closed AS (
        UPDATE tables SET over = TRUE
        WHERE id IN (SELECT table_id FROM given JOIN new USING (table_id, seq) WHERE ends)
        RETURNING id
    )
    SELECT array_agg(table_id), array_agg(seq), pg_notify(:channel, string_agg(table_id || ' ' || seq, ','))
    FROM (SELECT table_id, seq, (row_number() OVER () - 1) / 100 AS part FROM new) AS numbered
    GROUP BY part
    """
)


class SharedWriter(Writer):
    """Writes events to PostgreSQL."""

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__(asyncio.Lock())
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")

    async def _stored(self, batch: Sequence[Wanted]) -> Sequence[BaseException | None]:
        try:
            new = await self._inserted(_columns(batch))
        except DBAPIError as error:
            if error.connection_invalidated or len(batch) == 1:
                raise
            return [await self._alone(one) for one in batch]
        return [None if (one.table, one.row.seq) in new else Taken() for one in batch]

    async def _alone(self, one: Wanted) -> BaseException | None:
        """An event of a batch that the database refused: others must not fail with it."""
        try:
            return (await self._stored([one]))[0]
        except DBAPIError as error:
            return error

    async def _inserted(self, values: Mapping[str, Any]) -> set[tuple[str, int]]:
        """The table and number of each event that was not taken before."""
        for last in (False, True):
            try:
                async with self._engine.connect() as connection:
                    rows = await connection.execute(_INSERT, values)
                    return {one for ids, seqs, _ in rows for one in zip(ids, seqs, strict=True)}
            except DBAPIError as error:
                if last or not error.connection_invalidated:
                    raise
        raise AssertionError("tried twice")


def _columns(batch: Sequence[Wanted]) -> Mapping[str, Any]:
    rows = [one.row for one in batch]
    return {
        "tables": [one.table for one in batch],
        "seqs": [row.seq for row in rows],
        "kinds": [row.kind for row in rows],
        "places": [row.place for row in rows],
        "bodies": [row.body for row in rows],
        "keys": [row.key for row in rows],
        "prints": [row.print for row in rows],
        "ends": [one.over for one in batch],
        "at": time.time(),
        "channel": CHANNEL,
    }
