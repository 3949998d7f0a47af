"""Opening of tables: new ones, rematches, hands played on from the middle, tables of a tournament."""

import contextlib
import time
from collections.abc import Sequence
from dataclasses import replace

from nousu.engine.messages import Explained, sentence
from nousu.engine.seats import Seat
from nousu.games import find
from nousu.ids import new_id
from nousu.players import find_player
from nousu.server.errors import NotYours, RequestError, Unavailable
from nousu.server.live.tables import STAND_IN, Tables
from nousu.server.live.workers import is_searching
from nousu.server.people.sessions import RequestLimits, Session, Sessions, check_session
from nousu.server.storage.store import Conflict
from nousu.server.table import record, seating, shuffle, what_if
from nousu.server.table.options import TableOptions
from nousu.server.table.table import Change, Table

_SEARCHING = 4
"""Greatest number of tables in play at which a person may have searching players."""
OPEN = "open"
"""The name that stands for a place left open for a person with the link."""


class Openings:
    """Opening of tables for people. Every method raises a `RequestError` with a sentence for the person."""

    def __init__(self, tables: Tables, sessions: Sessions, limits: RequestLimits) -> None:
        self._tables = tables
        self._sessions = sessions
        self._limits = limits

    async def open(
        self,
        preset: str,
        players: Sequence[str],
        options: TableOptions,
        session: Session,
        *,
        name: str = "",
        lang: str = "",
        pledge: str = "",
    ) -> str:
        """Open a table and give its first person a place.

        Args:
            preset: The rules as ``preset+option=value``.
            players: The other places in order: a computer player's name, or `OPEN`.
            options: The table's own options.
            session: The person's session.
            name: The person's name.
            lang: The person's language; empty: as before.
            pledge: SHA-256 of the person's share of the shuffles; empty: they give none.

        Returns:
            The id of the table.

        Raises:
            BadRules: A wrong preset or rule option.
        """
        shuffle.check_pledge(pledge)
        table_id = new_id(12)
        await self._count_opening(session)
        session = await self._sessions.update(session, name=name, lang=lang)
        store = self._tables.store
        row = await store.session(session.id)
        if row is None:
            raise NotYours("Your session is no longer known; reload the page.")
        await store.people.add_table(session.id, table_id)
        computers = [player for player in players if player != OPEN]
        for player in computers:
            self.check_player(session, player)
        options.check_preset(preset)
        empty = self._tables.new(table_id, preset, len(players) + 1, row.secret, options)
        now = time.monotonic()
        changes = [seating.join(empty, session.id, name, pledge, now)]
        # Computer players fill from the front, so open places come last, in the order of the link's guests.
        for player in computers:
            changes.append(seating.invite(changes[-1].table, player, now))
        try:
            await self._tables.add(empty, changes, session.id, shuffle.new_secret())
        except Conflict:
            raise Unavailable("Two tables were opened at once; try again.") from None
        self._tables.enter(changes[-1].table)
        return table_id

    def check_player(self, session: Session, player: str) -> None:
        """Raise `RequestError` for an unknown computer player, or one searching player too many."""
        try:
            find_player(player)
        except Explained as error:
            raise RequestError(error.note.message, error.note.values) from None
        if not is_searching(player):
            return
        count = sum(room.has_searching_players(session.id) for room in self._tables.rooms())
        if count >= _SEARCHING:
            raise RequestError(
                sentence(
                    "Strong players are already thinking at {count} table of yours; finish that match first.",
                    "Strong players are already thinking at {count} tables of yours; finish a match first.",
                ),
                {"count": count},
            )

    async def open_rematch(self, table: Table, session: Session) -> str:
        """Open the table for the rematch, unless it is open; return its id."""
        await self._count_opening(session)
        table_id, options = seating.rematch_id(table), seating.rematch_options(table)
        if await self._tables.store.table(table_id) is None:
            empty = self._new(table_id, table.preset, len(table.seats), options)
            await self._add_once(empty, seating.rematch(table, empty, time.monotonic()))
        return table_id

    async def open_for_friends(
        self, preset: str, session: Session, friends: Sequence[tuple[str, str]], pledge: str
    ) -> str:
        """Open a table with chairs reserved for friends; its id.

        Args:
            preset: The rules as ``preset+option=value``.
            session: The person who opens it.
            friends: Names and sessions of the others.
            pledge: SHA-256 of the person's share of the shuffles; empty: they give none.
        """
        shuffle.check_pledge(pledge)
        game, _ = find(preset)
        seats = min(max(min(game.seats), len(friends) + 1), max(game.seats))
        empty = self._new(new_id(12), preset, seats, TableOptions(chosen=True))
        await self._count_opening(session)
        await self._tables.store.people.add_table(session.id, empty.id)
        now = time.monotonic()
        changes = [seating.join(empty, session.id, session.name, pledge, now)]
        invited = list(friends)[: seats - 1]
        changes += seating.reserve(changes[-1].table, invited, now)
        await self._add_once(empty, changes)
        self._tables.enter(changes[-1].table)
        return empty.id

    async def open_planned(
        self, table_id: str, preset: str, names: Sequence[str], options: TableOptions
    ) -> None:
        """Open a table of a tournament with places reserved by the plan, unless it is open."""
        if await self._tables.store.table(table_id) is None:
            empty = self._new(table_id, preset, len(names), options)
            await self._add_once(empty, seating.reserve_planned_places(empty, names, time.monotonic()))

    async def open_what_if(
        self, table_id: str, session: Session, index: int, at: int, seat: Seat | None
    ) -> str:
        """Open a table at which a person plays on from a moment of a finished hand; return its id.

        Args:
            table_id: The table of the hand.
            session: The person's session.
            index: The index of the hand among the finished ones, from 1.
            at: Number of entries of the hand's log before the moment.
            seat: The seat to play; None: the person's own, else of the one who acts next.
        """
        check_session(session)
        await self._count_opening(session)
        old = (await self._tables.room(table_id)).table
        record.check_hand(index, len(old.finished_hands))
        story = record.timeline(old, session.id, index)
        point = what_if.branch_point(old, story, index, at, seat, session.id)
        options = TableOptions(chosen=True, branch=point)
        empty = self._new(new_id(12), old.preset, len(old.seats), options)
        name = session.name or old.seats.names[point.seat]
        changes = what_if.first_events(empty, point, story, session.id, name, STAND_IN)
        await self._tables.add(empty, changes)
        self._tables.enter(replace(changes[-1].table, since=time.monotonic()))
        return empty.id

    async def _count_opening(self, session: Session) -> None:
        await self._limits.hit("table", session.id)
        await self._limits.hit("tables", session.address)

    def _new(self, table_id: str, preset: str, seats: int, options: TableOptions) -> Table:
        return self._tables.new(table_id, preset, seats, shuffle.new_secret(), options)

    async def _add_once(self, empty: Table, first: Sequence[Change]) -> None:
        with contextlib.suppress(Conflict):
            await self._tables.add(empty, first)
