"""The table page's own line: actions in, pictures out.

Each watcher is sent the table as it is whenever it changes: the pieces of the picture that are new to this
page. What a slow reader missed is not queued: the next picture it gets is the present one, and what is spoken
covers everything since the last.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from nousu.engine.errors import IllegalAction
from nousu.engine.messages import Note, sentence
from nousu.engine.seats import Seat
from nousu.i18n import Translate, best_language, translator
from nousu.i18n.sentences import note_with_clause
from nousu.server.errors import NoSuchTable, RequestError
from nousu.server.http.protocols import CAN_WRITE
from nousu.server.http.rate_limits import TooManyRequests, client_key
from nousu.server.live.clock import RATES
from nousu.server.live.presence import Lost
from nousu.server.live.room import Room
from nousu.server.live.tables import Ask, Desk
from nousu.server.pages.preferences import preferences_of
from nousu.server.pages.table.live_picture import Shown, Viewing, Who
from nousu.server.people.sessions import Session
from nousu.server.table import chat_commands, claim_commands

MESSAGE_LIMIT = 2048
"""Letters in one message from a watcher."""
_NO_TABLE = 4404
_TOO_MANY = 1008
_ENDED = 4401
BEAT = "b"
"""Heartbeat that a page sends every three seconds, and the answer to it: both ends are alive."""
HERE = "h"
"""Heartbeat without an answer, from a page that has received something since its last one. The page of a
spectator sends none then."""
_TOO_SOON = 0.4
"""Seconds between two heartbeats under which the second counts as a message."""


class _Junk(RequestError):
    """What no page sends; it is answered by the reason alone, never by a picture."""


class Watcher:
    """One open page of a table."""

    def __init__(self, socket: WebSocket, desk: Desk, room: Room, session: Session | None) -> None:
        self._socket = socket
        self._desk = desk
        self._room = room
        self._session = session
        header = socket.headers.get("accept-language")
        self._lang = session.lang if session is not None else best_language(header)
        self._say: Translate = translator(self._lang)
        client = socket.client
        self._who = client_key(client.host) if client is not None else "unknown"
        # Never the Host header: what depends on it would be kept for every name somebody makes up.
        self._origin: str = socket.app.state.public
        self._order = preferences_of(socket).get("order", "")
        self._viewing: Viewing | None = None
        self._last: Shown | None = None
        self._due = False
        """A turn has been asked for."""
        self._texts: list[str] = []
        """What is to be sent."""
        self._sending = True
        """The line's own task sends that; nothing else is drawn or sent meanwhile."""
        self._late = False
        """The table's turn came meanwhile."""
        self._woken = asyncio.Event()
        """That task has something to do."""
        self._fault: Exception | None = None
        self._asked = False
        self._ended = False
        self._beaten = 0.0
        self._missed: tuple[object, ...] = (0,)
        """How many watch and whose line is gone, as this page was told last."""
        self._can_write: Callable[[], bool] = socket.scope.get("extensions", {}).get(CAN_WRITE, bool)
        """Whether a message can be sent without waiting for the client to read; never, if unknown."""
        self._acting: asyncio.Task[None] | None = None
        """Carries out the last message; those that follow wait for it, heartbeats do not."""

    @property
    def _seat(self) -> Seat | None:
        """Where this person sits; None for somebody who watches."""
        return self._room.table.seat_of(self._session.id) if self._session is not None else None

    async def watch(self) -> None:
        """Send and listen until one side has gone."""
        self._room.watchers.add(self._change)
        try:
            if self._session is not None:
                await self._desk.come(self._room, self._session, self)
            with self._desk.line(self._session, self._end):
                await self._talk()
        finally:
            self._ended = True
            self._room.watchers.discard(self._change)
            if self._viewing is not None:
                self._room.viewings.leave(self._viewing)
            if self._session is not None:
                self._room.gone(self._session.id, self)

    def _end(self) -> None:
        """The session has ended, and the line with it."""
        self._ended = True
        self._woken.set()

    async def _talk(self) -> None:
        async with asyncio.TaskGroup() as group:
            sending = group.create_task(self._send())
            try:
                with contextlib.suppress(WebSocketDisconnect):
                    await self._hear(group)
            finally:
                sending.cancel()

    # ------------------------------------------------------------------------------------- pictures

    def _change(self) -> None:
        """There is something new to be shown, at the table's next turn."""
        if not self._due:
            self._due = True
            self._desk.turns.ask(self._room, self, plays=self._seat is not None)

    def draw(self) -> None:
        """Make what the page is to be shown now."""
        self._due = False
        if self._sending:
            self._late = True
        if self._ended or self._sending:
            return
        try:
            self._tell_lost()
            self._texts.append(self._picture())
            self._tell_clocks()
            self._ask_for_share()
        except Exception as error:
            self._fault = error
            self._woken.set()

    async def send(self) -> None:
        """Send it at once, or leave it to the connection's own task where the client reads too slowly."""
        if self._ended or self._sending:
            return
        texts, self._texts = self._texts, []
        for at, text in enumerate(texts):
            if not self._can_write():
                self._texts, self._sending = texts[at:], True
                self._woken.set()
                return
            try:
                await self._socket.send_text(text)
            except (WebSocketDisconnect, RuntimeError):  # gone, or just closed; `_hear` ends as well
                return

    async def _send(self) -> None:
        """The line's own task: sends the first picture, and whatever could not be sent at once."""
        self._sending = False
        self.draw()
        await self.send()
        while True:
            await self._woken.wait()
            self._woken.clear()
            if self._fault is not None:
                raise self._fault
            texts, self._texts = self._texts, []
            try:
                if self._ended:
                    await self._socket.close(_ENDED)
                    return
                for text in texts:
                    await self._socket.send_text(text)
            except (WebSocketDisconnect, RuntimeError):  # gone, or just closed; `_hear` ends as well
                return
            self._sending = False
            if self._late:
                self._late = False
                self._change()

    def _picture(self) -> str:
        table, now = self._room.table, time.monotonic()
        session = self._session.id if self._session is not None else None
        who = Who(table.seat_of(session), self._lang, self._origin, self._order)
        if self._viewing is None or self._viewing.who != who:
            if self._viewing is not None:
                self._room.viewings.leave(self._viewing)
            self._viewing = self._room.viewings.enter(who)
        before, self._last = self._last, self._viewing.shown(table, session, now)
        return self._last.message(before, table.window_of(who.seat, now))

    def _tell_lost(self) -> None:
        """Tell the page whose line is gone, and how many watch, when that has changed."""
        room = self._room
        gone = room.lost()
        names = room.table.names if gone else ()
        lines = [(one.seat, names[one.seat], one.offered, one.left is None) for one in gone]
        missed = (room.watching, *lines)
        if missed == self._missed:
            return
        self._missed = missed
        lost = [_lost_line(one, names[one.seat], self._seat, self._say) for one in gone]
        crowd = self._say(sentence("{count} watching", "{count} watching"), count=room.watching)
        self._tell({"lost": lost, "watching": crowd if room.watching else ""})

    def _tell_clocks(self) -> None:
        """Tell the page how long those who are waited for may still think; it counts down by itself."""
        if self._room.table.clock not in RATES:
            return
        warn = self._say(sentence("{count} second left", "{count} seconds left"), count=10)
        clocks = [
            {"seat": one.seat, "left": round(one.left, 1), "bank": round(one.bank, 1)}
            for one in self._room.clocks()
        ]
        self._tell({"clocks": clocks, "me": self._seat, "warn": warn})

    def _ask_for_share(self) -> None:
        """Tell the page, once, that its person's share of the shuffles is to be opened now, and what it must
        find again in the record."""
        table = self._room.table
        if self._asked or self._session is None or not table.opens(self._session.id):
            return
        self._asked = True
        pledges = {str(one.place): one.pledge for one in table.shuffles.shares}
        self._tell({"open": {"commitment": table.commitment, "pledges": pledges}})

    def _tell(self, values: dict[str, Any]) -> None:
        self._texts.append(json.dumps(values, ensure_ascii=False))

    # --------------------------------------------------------------------------------------- actions

    async def _hear(self, group: asyncio.TaskGroup) -> None:
        """Receive messages until the connection ends. Actions are carried out one after the other; meanwhile
        heartbeats are answered."""
        while True:
            received = await self._socket.receive()
            if self._ended:
                return
            text = received.get("text")
            beat = text in (BEAT, HERE)
            try:
                if not (beat and self._beat()):
                    await self._desk.limits.hit("message", self._who)
            except TooManyRequests as error:
                await self._close_for(error)
                return
            if beat:
                if text == BEAT:
                    await _sent(self._socket, BEAT)
                continue
            if self._acting is not None:
                await asyncio.wait((self._acting,))
            if received["type"] == "websocket.disconnect":
                raise WebSocketDisconnect(received.get("code") or 1000)
            self._acting = group.create_task(self._obey(text or ""))

    async def _obey(self, text: str) -> None:
        """Carry out a message, and answer it."""
        key = None
        with contextlib.suppress(WebSocketDisconnect):  # `_hear` ends as well
            try:
                message = _message(text)
                key = message.get("key")
                seq = await self._do(message)
                if seq is not None:
                    await self._answer({"ok": key, "seq": seq})
            except TooManyRequests as error:
                await self._close_for(error)
            except _Junk as error:
                await self._refuse(key, error.note, again=False)
            except (IllegalAction, RequestError) as error:
                await self._refuse(key, error.note)

    async def _close_for(self, error: TooManyRequests) -> None:
        self._ended = True
        self._socket.app.state.refusals.note(error.status, error.note.message, self._who)
        await self._socket.close(_TOO_MANY, note_with_clause(error.note, self._say))

    def _beat(self) -> bool:
        """Note a heartbeat; False where it came so soon after the last that it counts as a message."""
        now = time.monotonic()
        too_soon, self._beaten = now - self._beaten < _TOO_SOON, now
        if self._session is not None and not too_soon:
            self._room.beat(self._session.id, self)
        return not too_soon

    async def _do(self, message: dict[str, Any]) -> int | None:
        if self._session is None:
            raise _Junk("You are watching; only those who sit at the table may act.")
        table_id = self._room.table.id
        key = message.get("key", "")
        match message:
            case {"next": True, "key": str()}:
                return await self._desk.act(table_id, self._session, "next", 0, key)
            case {"act": str(text), "seq": int(seq), "key": str()}:
                return await self._desk.act(table_id, self._session, text, seq, key)
            case {"stand_in": int(seat), "key": str()}:
                return await self._desk.stand_in(table_id, self._session, seat)
            case {"share": str(text)}:
                return await self._desk.open_share(table_id, self._session, text)
            case {"ask": str(what), "seq": int(seq), "key": str()}:
                return await self._desk.ask(table_id, self._session, what, seq)
        if (ask := _asked(message)) is not None:
            return await self._desk.talk(table_id, self._session, ask)
        raise _Junk(
            "A message is an act with seq and key, next or stand_in with key, a share,"
            " ask with seq and key, or say, write, answer, mute or report with key."
        )

    async def _refuse(self, key: object, why: Note, again: bool = True) -> None:
        seq = self._room.table.seq
        text = note_with_clause(why._replace(clause=""), self._say)
        await self._answer({"error": text, "clause": why.clause, "key": key, "seq": seq})
        if again:
            self._change()  # a fresh picture follows, whatever the page showed

    async def _answer(self, values: dict[str, Any]) -> None:
        await _sent(self._socket, json.dumps(values, ensure_ascii=False))


async def _sent(socket: WebSocket, text: str) -> None:
    """Send a text; `WebSocketDisconnect` where the connection has been closed meanwhile, from either end."""
    try:
        await socket.send_text(text)
    except RuntimeError as error:  # from Starlette or uvicorn, where a close has been sent
        raise WebSocketDisconnect(1006) from error


def _asked(message: Mapping[str, Any]) -> Ask | None:
    """What a message asks for by way of talk."""
    match message:
        case {"say": str(word), "key": str(key)} if word:
            return lambda table, session, now: chat_commands.say(table, session, word, "", key, now)
        case {"write": str(text), "key": str(key)}:
            return lambda table, session, now: chat_commands.say(table, session, "", text, key, now)
        case {"answer": bool(yes), "key": str()}:
            return lambda table, session, now: claim_commands.answer(table, session, yes, now)
        case {"mute": int(seat), "off": bool(off), "key": str()}:
            return lambda table, session, now: chat_commands.mute(table, session, seat, off, now)
        case {"report": int(number), "key": str()}:
            return lambda table, session, now: chat_commands.report(table, session, number, now)
    return None


def _lost_line(one: Lost, name: str, viewer: Seat | None, say: Translate) -> dict[str, Any]:
    """Somebody's lost line for one viewer; the page counts the seconds down."""
    if one.left is None:
        text = say("{name} has lost the connection.", name=name)
    else:
        text = say(
            "{name} has lost the connection. The computer plays in {seconds} s.", name=name, seconds="{left}"
        )
    offer = say("Let the computer play") if one.offered and viewer is not None else ""
    return {"seat": one.seat, "note": say("disconnected"), "text": text, "left": one.left, "offer": offer}


def _message(text: str) -> dict[str, Any]:
    if len(text) > MESSAGE_LIMIT:
        raise _Junk("That is too long.")
    try:
        found = json.loads(text)
        str(found).encode()  # halves of letters that are no text
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise _Junk("A message is a JSON object.")
    return found


async def live(socket: WebSocket) -> None:
    """``/t/{id}/live``: the picture of a table now and whenever it changes; actions of its viewer."""
    desk: Desk = socket.app.state.desk
    try:
        room = await desk.room(socket.path_params["id"])
        session = await desk.known(socket)
    except RequestError as error:
        await socket.accept()
        say = translator(best_language(socket.headers.get("accept-language")))
        code = _NO_TABLE if isinstance(error, NoSuchTable) else 1013
        await socket.close(code, note_with_clause(error.note, say))
        return
    await socket.accept()
    await Watcher(socket, desk, room, session).watch()
    if socket.client_state is WebSocketState.CONNECTED:
        with contextlib.suppress(RuntimeError):
            await socket.close()
