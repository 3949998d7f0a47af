"""Players and watchers at many tables of a server, with the times of their actions and pages."""

import asyncio
import contextlib
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from bench.page_client import Connection, Page, connect, parse_message, shows_table
from bench.server_process import Server

_SEATED_AT_ONCE = 16
"""Number of tables that are opened at a time."""
_STALE = ("moved on", "already", "match is over")
"""Words in the refusals of an action that came too late."""


@dataclass
class Measurements:
    """Times and errors of a crowd; times are in seconds."""

    acknowledgements: list[float] = field(default_factory=list)
    """Times from sending an action to the answer that it is on disk."""
    player_pushes: list[float] = field(default_factory=list)
    """Times from sending an action to the page that shows it, for each player."""
    watcher_pushes: list[float] = field(default_factory=list)
    """Times from sending an action to the page that shows it, for each watcher."""
    stale: int = 0
    """Number of actions refused because the table had gone on."""
    errors: list[str] = field(default_factory=list)
    unsent: int = 0
    """Number of actions not sent because nobody was on turn: many once matches are over."""
    waits: list[float] = field(default_factory=list)
    """Times from a page without actions to the next page: the move of a computer player."""


class Seat:
    """A player or watcher at a table.

    Args:
        table: The table.
        plays: Whether this is a player.
    """

    def __init__(self, table: "Table", plays: bool) -> None:
        self.table = table
        self.plays = plays
        self.page = Page()
        self.connection: Connection | None = None
        self.pending: tuple[str, float] | None = None
        """Key and time of the action that is not answered."""
        self._idle_since: float | None = None
        """The time since which the page has offered no action; None while it offers one."""

    def receive(self, connection: Connection, text: bytes, now: float) -> None:
        """Handle a message of the server."""
        self.connection = connection
        message = parse_message(text)
        measurements = self.table.crowd.measurements
        if shows_table(message):
            before = self.page.seq
            self.page.update(message)
            if message["seq"] < before:
                measurements.errors.append(f"page {message['seq']} after {before}")
            if self._idle_since is not None and message["seq"] > before:
                measurements.waits.append(now - self._idle_since)
            self._idle_since = None if self.page.actions else now
            self.table.note_page(self, message["seq"], now)
        elif self.pending is not None and message.get("ok", message.get("key")) == self.pending[0]:
            sent = self.pending[1]
            self.pending = None
            if "ok" in message:
                measurements.acknowledgements.append(now - sent)
                self.table.note_event(message["seq"], sent)
                self.page.wait_for_event(message["seq"])
            elif any(reason in message["error"] for reason in _STALE):
                measurements.stale += 1
            else:
                measurements.errors.append(message["error"])
        elif "error" in message:
            measurements.errors.append(message["error"])
        self.table.note_turn()

    def note_push(self, seconds: float) -> None:
        """Note that this page showed an action so many seconds after it was sent."""
        measurements = self.table.crowd.measurements
        (measurements.player_pushes if self.plays else measurements.watcher_pushes).append(seconds)

    @property
    def may_act(self) -> bool:
        """Whether this is a connected player with an action and none pending."""
        is_connected = self.connection is not None and not self.connection.closed
        return self.plays and is_connected and bool(self.page.actions) and self.pending is None

    def act(self, rng: random.Random) -> None:
        """Send one of the actions that the page offers."""
        assert self.connection is not None
        self.table.crowd.number += 1
        key = f"load-{self.table.crowd.number:08}"
        body = action_body(rng.choice(self.page.actions), self.page.seq)
        self.pending = (key, time.perf_counter())
        self.connection.send(json.dumps({**body, "key": key}))


class Table:
    """A table with its viewers, and the actions that some of them have not been shown."""

    def __init__(self, crowd: "Crowd", name: str) -> None:
        self.crowd = crowd
        self.name = name
        self.seats: list[Seat] = []
        self._pages: dict[Seat, list[tuple[int, float]]] = {}
        """Event and time of the last pages of each viewer."""
        self._awaited: dict[Seat, list[tuple[int, float]]] = {}
        """Events that a viewer has not been shown, and the times at which their actions were sent."""

    def note_turn(self) -> None:
        """Note with the crowd whether a player here may act."""
        if any(seat.may_act for seat in self.seats):
            self.crowd.ready.setdefault(self)

    def note_event(self, seq: int, sent: float) -> None:
        """Note that an action is on disk as event `seq`; some pages may show it already."""
        for seat in self.seats:
            shown = next((at for number, at in self._pages.get(seat, ()) if number >= seq), None)
            if shown is None:
                self._awaited.setdefault(seat, []).append((seq, sent))
            else:
                seat.note_push(shown - sent)

    def note_page(self, seat: Seat, seq: int, now: float) -> None:
        """Note that a viewer has the page of event `seq`."""
        self._pages[seat] = [*self._pages.get(seat, ())[-7:], (seq, now)]
        awaited = self._awaited.pop(seat, [])
        for number, sent in awaited:
            if number <= seq:
                seat.note_push(now - sent)
        if rest := [entry for entry in awaited if entry[0] > seq]:
            self._awaited[seat] = rest

    @property
    def missing_pages(self) -> int:
        """Pages of accepted actions that have not arrived."""
        return sum(map(len, self._awaited.values()))

    def leave(self) -> None:
        """Close the connections of all viewers of the table."""
        for seat in self.seats:
            if seat.connection is not None:
                seat.connection.abort()


class Crowd:
    """The players at all tables."""

    def __init__(self) -> None:
        self.measurements = Measurements()
        self.tables: list[Table] = []
        self.ready: dict[Table, None] = {}
        """Tables at which a player may act, the longest waiting first."""
        self.number = 0
        """Actions sent so far, which makes the keys."""

    async def enter(self, server: Server, table: Table, token: str, plays: bool) -> None:
        """Connect one more viewer to a table."""
        seat = Seat(table, plays)
        table.seats.append(seat)
        path = f"/t/{table.name}/live"
        seat.connection = await connect(server.host, server.port, path, token, seat.receive)

    async def leave(self) -> None:
        """Close all connections."""
        for table in self.tables:
            table.leave()
        await asyncio.sleep(0.05)

    async def _send_heartbeats(self) -> None:
        """Send every page's heartbeat once in three seconds, a sixtieth of them at a time."""
        number = 0
        seats: list[Seat] = []
        while True:
            if number % 60 == 0:
                seats = [seat for table in self.tables for seat in table.seats]
            for seat in seats[number % 60 :: 60]:
                if seat.connection is not None:
                    seat.connection.send_heartbeat(seat.plays)
            number += 1
            await asyncio.sleep(0.05)

    async def play(self, rate: float, seconds: float) -> None:
        """Act so many times a second for so many seconds, wherever a player is on turn."""
        heartbeats = asyncio.create_task(self._send_heartbeats())
        try:
            rng = random.Random(1)
            began = time.perf_counter()
            number = 0
            while (now := time.perf_counter()) < began + seconds:
                while number < (now - began) * rate:
                    number += 1
                    if not self._act(rng):
                        self.measurements.unsent += 1
                await asyncio.sleep(max(0.001, began + number / rate - time.perf_counter()))
        finally:
            heartbeats.cancel()

    def _act(self, rng: random.Random) -> bool:
        """Act at one of the longest waiting tables; False where nobody may act anywhere."""
        while self.ready:
            at = rng.randrange(min(len(self.ready), 50))
            table = next(table for index, table in enumerate(self.ready) if index == at)
            del self.ready[table]
            if able := [seat for seat in table.seats if seat.may_act]:
                rng.choice(able).act(rng)
                return True
        return False

    @property
    def missing_pages(self) -> int:
        """Pages of accepted actions that have not arrived."""
        return sum(table.missing_pages for table in self.tables)

    @property
    def closed(self) -> int:
        """Connections that broke."""
        return sum(seat.connection.closed for table in self.tables for seat in table.seats if seat.connection)


def action_body(action: str, seq: int) -> dict[str, Any]:
    """Message of an action that a page with event `seq` offers; its key is still to be added."""
    return {"next": True} if action == "next" else {"act": action, "seq": seq}


async def create_sessions(client: httpx.AsyncClient, count: int) -> list[str]:
    """Open sessions for so many new users and return their tokens."""
    bodies = [{"name": f"P{number}"} for number in range(count)]
    return [(await client.post("/api/v1/session", json=body)).json()["token"] for body in bodies]


async def open_table(
    client: httpx.AsyncClient, preset: str, tokens: Sequence[str], computers: str = ""
) -> str:
    """Open a table, seat these users and return its name.

    Args:
        client: Client of the server.
        preset: Rules of the table.
        tokens: Sessions of the users; the first one opens the table.
        computers: Name of the player that fills three more seats, if any.
    """
    owners = [{"authorization": f"Bearer {token}"} for token in tokens]
    body = {"preset": preset, "players": [computers] * 3 if computers else ["open"] * (len(tokens) - 1)}
    answer = await client.post("/api/v1/tables", json=body, headers=owners[0])
    name: str = answer.raise_for_status().json()["table"]
    for owner in owners[1:]:
        (await client.post(f"/api/v1/tables/{name}/seat", json={}, headers=owner)).raise_for_status()
    return name


async def seat_crowd(
    servers: Sequence[Server], tables: int, watchers: int, preset: str, computers: str = ""
) -> Crowd:
    """Seat four users at each table, or one user and three computer players.

    Args:
        servers: Processes that share a database; tables go to them in turn.
        tables: Number of tables.
        watchers: Number of watchers at all tables together.
        preset: Rules of the tables.
        computers: Name of the computer players, if any.
    """
    crowd = Crowd()
    async with contextlib.AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(httpx.AsyncClient(base_url=server.base, timeout=60))
            for server in servers
        ]

        gate = asyncio.Semaphore(_SEATED_AT_ONCE)

        async def seat(number: int) -> None:
            async with gate:
                server, client = servers[number % len(servers)], clients[number % len(servers)]
                tokens = await create_sessions(client, 1 if computers else 4)
                table = Table(crowd, await open_table(client, preset, tokens, computers))
                crowd.tables.append(table)
                for token in tokens:
                    await crowd.enter(server, table, token, plays=True)
                for _ in range(watchers // tables + (number < watchers % tables)):
                    await crowd.enter(server, table, "", plays=False)

        await asyncio.gather(*map(seat, range(tables)))
    return crowd
