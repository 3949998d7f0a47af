"""Reading of tables by people: the table as they may see it, finished hands, records, verification."""

import time

from starlette.requests import HTTPConnection

from nousu.engine.errors import BadRecord
from nousu.engine.timeline import Story
from nousu.games import find
from nousu.server.live.tables import Tables
from nousu.server.live.workers import Workers
from nousu.server.people.sessions import RequestLimits, Session, address_of
from nousu.server.table import record, shuffle
from nousu.server.table.view import HandSummary, SeatView
from nousu.server.table.view_builder import view_of


def _verify(text: str) -> shuffle.ShuffleCheck | tuple[int, str]:
    """The result of `shuffle.verify`; line and reason where the text is no record."""
    try:
        return shuffle.verify(text, find)
    except BadRecord as error:
        return error.line, error.message


class TableViews:
    """Views of tables for people. Every method raises `NoSuchTable` if there is none."""

    def __init__(self, tables: Tables, workers: Workers, limits: RequestLimits) -> None:
        self._tables = tables
        self._workers = workers
        self._limits = limits

    async def view(self, table_id: str, session: Session | None) -> SeatView:
        """The table as this session may see it (None: a spectator)."""
        room = await self._tables.room(table_id)
        if session is None:
            return view_of(room.table, None, time.monotonic(), "en")
        room.note_request(session.id)
        return view_of(room.table, session.id, time.monotonic(), session.lang)

    async def hand(self, table_id: str, session: Session | None, index: int) -> tuple[SeatView, HandSummary]:
        """The table, and its finished hand of an index (from 1)."""
        view = await self.view(table_id, session)
        record.check_hand(index, len(view.match.played))
        return view, view.match.played[index - 1]

    async def timeline(
        self, table_id: str, session: Session | None, index: int
    ) -> tuple[SeatView, HandSummary, Story]:
        """The table, and a finished hand moment by moment."""
        view, hand = await self.hand(table_id, session, index)
        table = (await self._tables.room(table_id)).table
        return view, hand, record.timeline(table, session.id if session is not None else None, index)

    async def record(self, table_id: str, session: Session | None) -> str:
        """The written record: all of it when the match is over, else what this session may know."""
        room = await self._tables.room(table_id)
        return record.record(room.table, session.id if session is not None else None)

    async def verify(self, request: HTTPConnection, text: str) -> shuffle.ShuffleCheck:
        """Repeat every shuffle of a record and compare, in a worker.

        Raises:
            BadRecord: The text is no record.
            Unavailable: Too many verifications wait.
        """
        await self._limits.hit("verify", address_of(request))
        result = await self._workers.verify(_verify, text)
        if isinstance(result, shuffle.ShuffleCheck):
            return result
        raise BadRecord(*result)
