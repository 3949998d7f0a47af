"""Requests of people at a table: checked, counted, and committed."""

import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from nousu.engine.actions import Action, single
from nousu.engine.cards import Card
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat
from nousu.players.claims import concession
from nousu.server.errors import NotYours, RequestError, Stale
from nousu.server.live.driver import claim_kind
from nousu.server.live.room import Room
from nousu.server.live.tables import Tables
from nousu.server.live.workers import Workers
from nousu.server.people.commands import (
    AgreeSignals,
    AnswerRequest,
    ChooseFace,
    Command,
    Decision,
    DoAction,
    LeaveTable,
    LetStandIn,
    MakeRequest,
    MutePerson,
    OpenPledge,
    RemovePerson,
    ReportChatLine,
    WriteChatLine,
)
from nousu.server.people.openings import Openings
from nousu.server.people.sessions import RequestLimits, Session, Sessions, check_session
from nousu.server.people.views import TableViews
from nousu.server.table import commands, seating, shuffle
from nousu.server.table.table import Change, Table
from nousu.server.table.view import Advice, SeatView

CarryOut = Callable[[Room, Session, Any], Awaitable[int]]
"""A function that carries out a command of its kind and returns the number of the event."""


def asked_action(seen: SeatView, card: Card | None, text: str) -> Action | None:
    """The legal action a person asks about, by its card or its text; None if no action is named.

    Raises `RequestError` where no hint is given now, or at all.
    """
    if not seen.learning:
        raise RequestError(sentence("There are no hints at this table: it was not opened for learning."))
    if seen.seat is None:
        raise NotYours("You are watching; only those who sit at the table may act.")
    legal = seen.view.legal
    if not seen.started or seen.resting or not legal:
        raise Stale("Hints appear when it is your turn.")
    if text:
        return next((action for action in legal if str(action) == text), None)
    return None if card is None else next((action for action in legal if single(action) == card), None)


class TableActions:
    """Actions of people at tables. Every method raises a `RequestError` with a sentence for the person."""

    def __init__(
        self,
        tables: Tables,
        sessions: Sessions,
        openings: Openings,
        views: TableViews,
        workers: Workers,
        limits: RequestLimits,
    ) -> None:
        self._tables = tables
        self._sessions = sessions
        self._openings = openings
        self._views = views
        self._workers = workers
        self._limits = limits
        self._advised: set[str] = set()
        """Sessions whose hint is being made."""

        self._commands: Mapping[type, tuple[tuple[str, ...], CarryOut]] = {
            DoAction: (("act",), self._act),
            MakeRequest: (("talk",), self._ask),
            LetStandIn: (("presence",), self._stand_in),
            LeaveTable: (("act", "presence"), self._leave),
            OpenPledge: (("act",), self._decide),
            RemovePerson: (("act",), self._decide),
            **dict.fromkeys(
                (WriteChatLine, MutePerson, ReportChatLine, AgreeSignals, AnswerRequest, ChooseFace),
                (("talk",), self._decide),
            ),
        }
        """Limits on requests that count a command, and the function that carries it out, by command."""

    async def do(self, table_id: str, session: Session, command: Command) -> int:
        """Carry out a command of a person, whom it marks as present.

        Args:
            table_id: The table.
            session: The person's session.
            command: The command.

        Returns:
            The number of its event, on disk, or of the last one.

        Raises:
            IllegalAction: The rules forbid it.
        """
        limits, carry_out = self._commands[type(command)]
        check_session(session)
        for limit in limits:
            await self._limits.hit(limit, session.id)
        room = await self._tables.room(table_id)
        room.note_request(session.id)
        return await carry_out(room, session, command)

    async def _decide(self, room: Room, session: Session, command: Decision) -> int:
        return await room.commit(lambda table, now: command.decide(table, session.id, now))

    async def _act(self, room: Room, session: Session, command: DoAction) -> int:
        if room.table.seats.is_away(session.id):
            await self._tables.fetch_back(room, session.id)
        if command.text == "hurry":
            return room.hurry(session.id)
        return await room.act(session.id, command.text, command.seq, command.key)

    async def _ask(self, room: Room, session: Session, command: MakeRequest) -> int:
        what, table, proven, concedes = command.what, room.table, False, False
        if what != "undo":
            await self._limits.hit("claims", session.address)
        seat = table.seats.seat_of(session.id)
        if what.startswith("claim") and table.match is not None and what in table.possible_requests(seat):
            view = table.match.hand.view(seat)
            concedes = concession(view) == claim_kind(what)
            proven = await self._workers.is_proven(view, claim_kind(what))

        def decide(now: Table, at: float) -> Change:
            same = now.match is table.match
            return commands.ask(now, session.id, what, command.seq, proven and same, at, concedes and same)

        return await room.commit(decide)

    async def _stand_in(self, room: Room, session: Session, command: LetStandIn) -> int:
        room.table.seats.seat_of_player(session.id)
        person = room.replaceable(command.seat)
        if person is None:
            raise Stale("Nobody is missing there now.")
        await self._tables.let_stand_in(room, person)
        return room.table.seq

    async def _leave(self, room: Room, session: Session, _: LeaveTable) -> int:
        """Let the person leave; if nobody else is waiting, the table waits instead."""
        await self._tables.leave(room, session.id, room.table.seats.seat_of_player(session.id))
        return room.table.seq

    async def hint(self, table_id: str, session: Session, card: Card | None, text: str = "") -> Advice:
        """A hint for the person's seat, from what the seat knows alone.

        Args:
            table_id: A table for learning.
            session: The person's session.
            card: A card the person asks about, “why not this one”.
            text: An action they ask about instead, as records write it.
        """
        check_session(session)
        seen = await self._views.view(table_id, session)
        asked = asked_action(seen, card, text)
        await self._limits.hit("hint", session.id)
        if session.id in self._advised:
            raise Stale("A good player is still thinking about your last question.")
        self._advised.add(session.id)
        try:
            choice, beside = await self._workers.advise(seen.view, asked)
        finally:
            self._advised.discard(session.id)
        return Advice(seen, choice, card, asked, beside)

    # ------------------------------------------------------------------------------------------ places

    async def join(
        self,
        table_id: str,
        session: Session,
        name: str,
        pledge: str = "",
        at: Seat | None = None,
        waits: bool = False,
    ) -> Seat | None:
        """Take the seat `at` or the first open place; players move there.

        Args:
            table_id: The table.
            session: The person's session.
            name: The person's name.
            pledge: SHA-256 of their share of the shuffles; empty: they give none.
            at: The seat they choose.
            waits: A computer player's seat may be kept for them until the hand ends.

        Returns:
            Their seat, once seats are drawn.
        """
        await self._limits.hit("act", session.id)
        room = await self._tables.room(table_id)
        shuffle.check_pledge(pledge)
        place = None if at is None else room.table.seats.place_at(at)
        if place is not None and room.table.seats.seat_of(session.id) is not None:
            to = place
            await room.commit(lambda table, now: seating.move(table, session.id, to, now))
            return room.table.seats.seat_of(session.id)
        session = await self._sessions.update(session, name=name)
        await self._tables.store.people.add_table(session.id, table_id)
        await room.commit(
            lambda table, now: seating.join(table, session.id, session.name, pledge, now, place, waits)
        )
        return room.table.seats.seat_of(session.id)

    async def release_chair(self, table_id: str, session: Session) -> None:
        """Keep no chair for the person any more: they would rather watch."""
        await self._limits.hit("act", session.id)
        room = await self._tables.room(table_id)
        await room.commit(lambda table, now: seating.release_chair(table, session.id, now))

    async def join_by_plan(self, table_id: str, session: Session, place: int, pledge: str) -> None:
        """Give a person, who has shown their right to it, a place of a tournament's table."""
        await self._limits.hit("act", session.id)
        shuffle.check_pledge(pledge)
        room = await self._tables.room(table_id)
        await room.commit(lambda table, now: seating.join_by_plan(table, place, session.id, pledge, now))

    async def take_handed(self, table_id: str, giver: str, session: Session) -> None:
        """Give a person the place of another, the session `giver`, who has consented."""
        room = await self._tables.room(table_id)
        await self._tables.store.people.add_table(session.id, table_id)
        await room.commit(lambda table, now: seating.hand_over(table, giver, session.id, session.name, now))

    async def fill(self, table_id: str, session: Session, player: str) -> None:
        """Give all open places to a computer player."""
        check_session(session)
        self._openings.check_player(session, player)
        room = await self._tables.room(table_id)
        if not room.table.seats.holds(session.id):
            raise NotYours("Only those who sit at the table may fill its seats.")
        if room.table.options.event:
            raise NotYours("The seats here follow the plan of a tournament; no computer player may take one.")
        while room.table.seats.open_places():
            await room.commit(
                lambda table, now: (
                    seating.invite(table, player, now) if table.seats.open_places() else table.seq
                )
            )

    async def again(self, table_id: str, session: Session, pledge: str = "") -> str:
        """Meet again after the match, at the same places; return the id of that table."""
        check_session(session)
        room = await self._tables.room(table_id)
        table = room.table
        table.seats.seat_of_player(session.id)
        if not table.over:
            raise Stale("The match is not over yet.")
        if table.options.branch is not None:
            raise Stale("This was not a match: one hand was played on from the middle.")
        if table.options.event:
            raise Stale("This match belongs to a tournament; its plan says who meets next.")
        rematch = table.again or await self._openings.open_rematch(table, session)
        await room.commit(lambda table, now: seating.announce_rematch(table, rematch, now))
        with contextlib.suppress(NotYours):  # a second press: the place is taken already
            await self.join(rematch, session, session.name, pledge)
        return rematch

    # ---------------------------------------------------------------------------------------- presence

    async def connect(self, room: Room, session: Session, page: object) -> None:
        """Note a new page of a person, who gets the seat back, at the latest when the disk works again."""
        room.connect(session.id, page)
        if room.table.seats.is_away(session.id):
            with contextlib.suppress(RequestError):
                await self._tables.fetch_back(room, session.id)
