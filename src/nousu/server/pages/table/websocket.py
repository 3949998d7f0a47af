"""WebSocket endpoint of the table page: commands in, views out.

Each page gets the changed fields of its view whenever the table changes. Views that a slow reader missed
are not queued: the next one is the present one, and its text for the live region covers all events since
the last.
"""

import asyncio
import contextlib
import time
from collections.abc import Iterator
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from nousu.engine.errors import IllegalAction
from nousu.engine.messages import Note, sentence
from nousu.engine.seats import Seat
from nousu.i18n import Translate, best_language, translator
from nousu.i18n.sentences import note_with_clause
from nousu.server.errors import NoSuchTable, RequestError
from nousu.server.http.rate_limits import TooManyRequests, client_key
from nousu.server.live.presence import RATES, LostConnection
from nousu.server.live.room import Room
from nousu.server.pages.preferences import preferences_of
from nousu.server.pages.table.live_view import LiveView, ViewerClass, ViewerGroup, groups_of
from nousu.server.pages.table.messages import (
    Acceptance,
    ClockTime,
    ClockTimes,
    CommandRefusal,
    LostPlayer,
    PresenceChange,
    ShareInvitation,
    ShareRequest,
    encode_message,
)
from nousu.server.pages.visit import parse_object
from nousu.server.people.commands import parse_command
from nousu.server.people.server import Server
from nousu.server.people.sessions import Session, address_of
from nousu.server.table.schedule import next_hand_in
from nousu.server.table.shuffle import commitment

MESSAGE_LIMIT = 2048
"""Greatest number of letters in one message from a page."""
_NO_TABLE = 4404
_TOO_MANY = 1008
_ENDED = 4401
BEAT = "b"
"""The heartbeat of a page every three seconds, and the answer to it: both ends are alive."""
HERE = "h"
"""Heartbeat without an answer, from a page that has received something since its last one. The page of a
spectator sends none then."""
_TOO_SOON = 0.4
"""Seconds between two heartbeats under which the second counts as a message."""


class _BadMessage(RequestError):
    """A message that no page sends; it is answered by the reason alone, never by a view."""


class LivePage:
    """An open page of a table; a `nousu.server.live.room.Subscriber`."""

    def __init__(self, socket: WebSocket, server: Server, room: Room, session: Session | None) -> None:
        self._socket = socket
        self._server = server
        self._room = room
        self._session = session
        header = socket.headers.get("accept-language")
        self._lang = session.lang if session is not None else best_language(header)
        self._say: Translate = translator(self._lang)
        self._client = client_key(address_of(socket))
        # Never the Host header: views would be cached for every invented name.
        self._origin: str = socket.app.state.public
        self._order = preferences_of(socket).get("order", "")
        self._group: ViewerGroup | None = None
        self._last: LiveView | None = None
        """The view on the page."""
        self._woken = asyncio.Event()
        """Set while there is something to send."""
        self._share_requested = False
        self._ended = False
        self._last_beat = 0.0
        self._presence: tuple[object, ...] = (0,)
        """Spectators and lost connections as the page knows them."""
        self._acting: asyncio.Task[None] | None = None
        """The task that carries out the last message; later ones wait for it, heartbeats do not."""

    @property
    def _seat(self) -> Seat | None:
        """The person's seat; None for a spectator."""
        return self._room.table.seats.seat_of(self._session.id) if self._session is not None else None

    async def run(self) -> None:
        """Send and receive until one side has closed the connection."""
        self._room.subscribers.add(self)
        try:
            if self._session is not None:
                await self._server.actions.connect(self._room, self._session, self)
            with self._server.sessions.connection(self._session, self._end):
                await self._exchange()
        finally:
            self._ended = True
            self._room.subscribers.discard(self)
            if self._group is not None:
                groups_of(self._room).leave(self._group)
            if self._session is not None:
                self._room.disconnect(self._session.id, self)

    def _end(self) -> None:
        """End the connection: the session has ended."""
        self._ended = True
        self._woken.set()

    async def _exchange(self) -> None:
        async with asyncio.TaskGroup() as group:
            sending = group.create_task(self._send())
            try:
                with contextlib.suppress(WebSocketDisconnect):
                    await self._receive(group)
            finally:
                sending.cancel()

    # ------------------------------------------------------------------------------------- views

    def notify(self) -> None:
        """Send the changes to the page as soon as it reads."""
        self._woken.set()

    async def _send(self) -> None:
        """Send the whole view, then its changes. Views that a slow reader missed are not queued."""
        with contextlib.suppress(WebSocketDisconnect):  # `_receive` ends as well
            while not self._ended:
                self._woken.clear()
                for message in self._messages():
                    await _send_text(self._socket, message)
                await self._woken.wait()
            await self._socket.close(_ENDED)

    def _messages(self) -> Iterator[str]:
        """The messages due to the page."""
        yield self._view_message()
        yield from self._presence_message()
        yield from self._clock_message()
        yield from self._share_request()

    def _view_message(self) -> str:
        table, now = self._room.table, time.monotonic()
        session = self._session.id if self._session is not None else None
        seats = table.seats
        chair, barred = seats.chair_of(session), session in seats.barred
        viewers = ViewerClass(seats.seat_of(session), self._lang, self._origin, self._order, chair, barred)
        if self._group is None or self._group.viewers != viewers:
            groups = groups_of(self._room)
            if self._group is not None:
                groups.leave(self._group)
            self._group = groups.enter(viewers)
        before, self._last = self._last, self._group.live_view(table, session, now)
        return self._last.message(before, table.window_of(viewers.seat, now), next_hand_in(table, now))

    def _presence_message(self) -> Iterator[str]:
        """Lost connections and the number of spectators, when they have changed."""
        room = self._room
        lost = room.lost()
        names = room.table.seats.names if lost else ()
        lines = [(person.seat, names[person.seat], person.offered, person.left is None) for person in lost]
        presence = (room.spectators, *lines)
        if presence == self._presence:
            return
        self._presence = presence
        messages = tuple([_lost_player(person, names[person.seat], self._seat, self._say) for person in lost])
        crowd = self._say(sentence("{count} watching", "{count} watching"), count=room.spectators)
        yield encode_message(PresenceChange(lost=messages, watching=crowd if room.spectators else ""))

    def _clock_message(self) -> Iterator[str]:
        """The running clocks; the page counts down by itself."""
        if self._room.table.options.clock not in RATES:
            return
        warn = self._say(sentence("{count} second left", "{count} seconds left"), count=10)
        clocks = tuple(
            ClockTime(seat=clock.seat, left=round(clock.left, 1), bank=round(clock.bank, 1))
            for clock in self._room.running_clocks()
        )
        yield encode_message(ClockTimes(clocks=clocks, me=self._seat, warn=warn))

    def _share_request(self) -> Iterator[str]:
        """The request, once, to open the person's share, with the later content of the record."""
        table = self._room.table
        if self._share_requested or self._session is None or not table.may_open_share(self._session.id):
            return
        self._share_requested = True
        pledges = {str(share.place): share.pledge for share in table.shuffles.shares}
        invitation = ShareInvitation(commitment=commitment(table.shuffles.secret), pledges=pledges)
        yield encode_message(ShareRequest(open=invitation))

    # --------------------------------------------------------------------------------------- actions

    async def _receive(self, group: asyncio.TaskGroup) -> None:
        """Receive messages until the connection ends.

        Actions are carried out one after the other; meanwhile heartbeats are answered.
        """
        while True:
            received = await self._socket.receive()
            if self._ended:
                return
            text = received.get("text")
            beat = text in (BEAT, HERE)
            try:
                if not (beat and self._beat()):
                    await self._server.limits.hit("message", self._client)
            except TooManyRequests as error:
                await self._close_for(error)
                return
            if beat:
                if text == BEAT:
                    await _send_text(self._socket, BEAT)
                continue
            if self._acting is not None:
                await asyncio.wait((self._acting,))
            if received["type"] == "websocket.disconnect":
                raise WebSocketDisconnect(received.get("code") or 1000)
            self._acting = group.create_task(self._carry_out(text or ""))

    async def _carry_out(self, text: str) -> None:
        """Carry out a message, and answer it."""
        key = None
        with contextlib.suppress(WebSocketDisconnect):  # `_receive` ends as well
            try:
                message = _parsed_message(text)
                key = message.get("key")
                seq = await self._do(message)
                if seq is not None:
                    await self._answer(Acceptance(ok=key, seq=seq))
            except TooManyRequests as error:
                await self._close_for(error)
            except _BadMessage as error:
                await self._refuse(key, error.note, again=False)
            except (IllegalAction, RequestError) as error:
                await self._refuse(key, error.note)

    async def _close_for(self, error: TooManyRequests) -> None:
        self._ended = True
        self._socket.app.state.refusals.note(error.status, error.note.message, self._client)
        await self._socket.close(_TOO_MANY, note_with_clause(error.note, self._say))

    def _beat(self) -> bool:
        """Note a heartbeat; False where it came so soon after the last that it counts as a message."""
        now = time.monotonic()
        too_soon, self._last_beat = now - self._last_beat < _TOO_SOON, now
        if self._session is not None and not too_soon:
            self._room.beat(self._session.id, self)
        return not too_soon

    async def _do(self, message: dict[str, Any]) -> int | None:
        if message.get("whole") is True:
            self._last = None
            self.notify()
            return None
        if self._session is None:
            raise _BadMessage("You are watching; only those who sit at the table may act.")
        command = parse_command(message)
        if command is None:
            raise _BadMessage(
                "A message is an act with seq and key, next or stand_in with key, a share,"
                " ask with seq and key, or say, write, answer, mute, report or agree with key."
            )
        return await self._server.actions.do(self._room.table.id, self._session, command)

    async def _refuse(self, key: object, why: Note, again: bool = True) -> None:
        seq = self._room.table.seq
        text = note_with_clause(why._replace(clause=""), self._say)
        known = key if isinstance(key, str) else None
        await self._answer(CommandRefusal(error=text, clause=why.clause, key=known, seq=seq))
        if again:
            self.notify()  # the present view follows

    async def _answer(self, message: Acceptance | CommandRefusal) -> None:
        await _send_text(self._socket, encode_message(message))


async def _send_text(socket: WebSocket, text: str) -> None:
    """Send a text; `WebSocketDisconnect` where either end has closed the connection meanwhile."""
    try:
        await socket.send_text(text)
    except RuntimeError as error:  # from Starlette or uvicorn, where a close has been sent
        raise WebSocketDisconnect(1006) from error


def _lost_player(person: LostConnection, name: str, viewer: Seat | None, say: Translate) -> LostPlayer:
    """The lost connection of a person for one viewer; the page counts the seconds down."""
    if person.left is None:
        text = say("{name} has lost the connection.", name=name)
    else:
        text = say(
            "{name} has lost the connection. The computer plays in {seconds} s.", name=name, seconds="{left}"
        )
    offer = say("Let the computer play") if person.offered and viewer is not None else ""
    return LostPlayer(seat=person.seat, note=say("disconnected"), text=text, left=person.left, offer=offer)


def _parsed_message(text: str) -> dict[str, Any]:
    if len(text) > MESSAGE_LIMIT:
        raise _BadMessage("That is too long.")
    message = parse_object(text)
    if message is None:
        raise _BadMessage("A message is a JSON object.")
    return message


async def live(socket: WebSocket) -> None:
    """Serve ``/t/{id}/live``: views of a table now and whenever it changes; actions of its viewer."""
    server: Server = socket.app.state.server
    try:
        room = await server.tables.room(socket.path_params["id"])
        session = await server.sessions.find(socket)
    except RequestError as error:
        await socket.accept()
        say = translator(best_language(socket.headers.get("accept-language")))
        code = _NO_TABLE if isinstance(error, NoSuchTable) else 1013
        await socket.close(code, note_with_clause(error.note, say))
        return
    await socket.accept()
    await LivePage(socket, server, room, session).run()
    if socket.client_state is WebSocketState.CONNECTED:
        with contextlib.suppress(RuntimeError):
            await socket.close()
