"""Writing of events to a PostgreSQL that several server processes share.

Each batch of events is one statement: it inserts them and announces them to all processes, at most a hundred
in one notice, which may have 8,000 bytes. A process that is stopped in the middle holds up no other. One
commit for many events matters here, since commits with notices wait for one another, in all processes.
"""

import asyncio
import json
import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from nousu.server.storage.writer import EventTaken, EventWriter, PendingEvent

CHANNEL = "nousu"
# Rows go in by table, so two processes that want the same ones cannot wait for each other. They come as one
# JSON text, which takes this process a quarter less than eight arrays.
_INSERT = """
    WITH given AS (
        SELECT * FROM json_to_recordset(%(rows)s::json) AS one (
            table_id text, seq integer, kind text, place integer,
            body text, key text, print text, ends boolean
        )
    ), new AS (
        INSERT INTO events (table_id, seq, kind, place, body, key, print, at)
        SELECT table_id, seq, kind, place, body, key, print, %(at)s FROM given ORDER BY table_id, seq
        ON CONFLICT DO NOTHING
        RETURNING table_id, seq
    ), closed AS (
        UPDATE tables SET over = TRUE
        WHERE id IN (SELECT table_id FROM given JOIN new USING (table_id, seq) WHERE ends)
        RETURNING id
    )
    SELECT array_agg(table_id), array_agg(seq),
        pg_notify(%(channel)s, string_agg(table_id || ' ' || seq, ','))
    FROM (SELECT table_id, seq, (row_number() OVER () - 1) / 100 AS part FROM new) AS numbered
    GROUP BY part
    """


class SharedEventWriter(EventWriter):
    """Writes events to PostgreSQL by one connection of the engine.

    SQLAlchemy opens it; its driver, psycopg, executes the statement, which takes half the time.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__(asyncio.Lock())
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._open: AsyncConnection | None = None
        self._cursor: Any = None
        """A cursor of psycopg, on that connection."""

    async def close(self) -> None:
        """Write all pending events, and give the connection back."""
        await super().close()
        if self._open is not None:
            await self._open.close()

    async def _store_batch(self, batch: Sequence[PendingEvent]) -> Sequence[BaseException | None]:
        try:
            new = await self._insert(batch)
        except DBAPIError as error:
            if error.connection_invalidated or len(batch) == 1:
                raise
            return [await self._store_alone(event) for event in batch]
        return [None if (event.table, event.row.seq) in new else EventTaken() for event in batch]

    async def _store_alone(self, event: PendingEvent) -> BaseException | None:
        """Store an event of a batch that the database refused: others must not fail with it."""
        try:
            return (await self._store_batch([event]))[0]
        except DBAPIError as error:
            return error

    async def _insert(self, batch: Sequence[PendingEvent]) -> set[tuple[str, int]]:
        """The table and number of each event that was inserted; a broken connection is opened anew once."""
        rows = json.dumps([_columns(event) for event in batch])
        values = {"rows": rows, "at": time.time(), "channel": CHANNEL}
        for last in (False, True):
            try:
                return await self._execute(values)
            except DBAPIError as error:
                if last or not error.connection_invalidated:
                    raise
        raise AssertionError("tried twice")

    async def _execute(self, values: dict[str, Any]) -> set[tuple[str, int]]:
        import psycopg

        if self._open is None:
            connection = await self._engine.connect()
            driver: Any = (await connection.get_raw_connection()).driver_connection
            self._open, self._cursor = connection, driver.cursor()
        try:
            await self._cursor.execute(_INSERT, values)
            rows = await self._cursor.fetchall()
        except psycopg.Error as error:
            broken = self._cursor.connection.broken
            if broken:
                await self._forget_connection()
            raise DBAPIError(_INSERT, None, error, connection_invalidated=broken) from error
        return {event for ids, seqs, _ in rows for event in zip(ids, seqs, strict=True)}

    async def _forget_connection(self) -> None:
        """Forget a broken connection."""
        if self._open is not None:
            gone, self._open = self._open, None
            await gone.invalidate()
            await gone.close()


def _columns(event: PendingEvent) -> dict[str, Any]:
    return {"table_id": event.table, **event.row._asdict(), "ends": event.over}
