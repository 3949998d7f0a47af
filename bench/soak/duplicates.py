"""Duplicates of actions over two connections a user (P14); goal: one event and one answer for each action.

Each user has two live connections, as with the page open twice. An action is sent one to eight times at once
over both; every fortieth action goes over HTTP as well. After some actions the same key is sent with another
action, and the same action with a new key; both must be refused. At the end the log is compared with every
answer. Ctrl-C ends it early.
"""

import asyncio
import json
import random
import signal
import sqlite3
import time
from array import array
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

from bench.crowd import action_body, create_sessions, open_table
from bench.page_client import Connection, Page, connect, parse_message
from bench.results import Report
from bench.server_process import Server

TABLES = 32
"""Tables at once, where there are rounds enough."""
PRESETS = (
    ("tuppi", 4),
    *(("tuppen_zk+start_points=20", 2), ("siebenschraem+start_points=20", 2)) * 3,
    ("huutopussi", 4),
)
"""Rules and number of players, one table after the other. Mostly two play, since every page that is sent
takes as long as the copies of an action."""
LONGEST = 1500
"""Actions at one table; its players go on at a new one then."""
HTTP_INTERVAL = 40
"""Interval, in actions, of those sent over HTTP too."""
REFUSAL_INTERVAL = 10
"""Interval, in actions, of requests that must be refused."""
MOST_COPIES = 8
"""Copies of an action."""
_TIMEOUT = 30.0
"""Seconds within which an answer comes."""
_IDLE = 0.5
"""Seconds without a turn after which the match may be over."""
_PROGRESS = 50_000
"""Actions between two lines of progress."""
_REFUSALS = {
    "The game has moved on": 409,
    "The next hand has already": 409,
    "The match is over": 409,
    "This key already belongs": 422,
}
"""Beginning of each refusal, and its status over HTTP."""

Answer = tuple[int, int]
"""Status as over HTTP, and the number of the event; 0 where it was refused."""
UNANSWERED = -1
"""The value in place of that number if a connection broke before the answer came."""


class BrokenConnection(Exception):
    """A broken connection: this program was too busy to answer the server's pings in time."""


class Account:
    """Actions sent at all tables, and their answers.

    Args:
        rounds: Number of actions to send.
    """

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.begun = 0
        self.tables: list[str] = []
        """Names, by index."""
        self.events = array("q", bytes(8 * rounds))
        """Event of each action by the number in its key; 0 where it was refused, or `UNANSWERED`."""
        self._table_indices = array("i", bytes(4 * rounds))
        self.counts: Counter[str] = Counter()
        self.problems: list[str] = []

    def end(self) -> None:
        """Begin no more actions."""
        self.rounds = self.begun

    def begin(self, table_index: int) -> int:
        """Number of a new action at that table."""
        number, self.begun = self.begun, self.begun + 1
        self._table_indices[number], self.events[number] = table_index, UNANSWERED
        if number % _PROGRESS == 0 and number:
            print(f"  {number} actions, {self.counts['wrong']} wrong", flush=True)
        return number

    def add_problem(self, text: str) -> None:
        """Note a fault."""
        self.counts["wrong"] += 1
        if len(self.problems) < 20:
            self.problems.append(text)

    def compare(self, path: Path) -> None:
        """Compare every answer with the log of a database file."""
        with closing(sqlite3.connect(path)) as database:
            gaps = "select table_id from events group by table_id having max(seq) <> count(*)"
            for (table,) in database.execute(gaps):
                self.add_problem(f"numbers are missing at table {table}")
            left = array("q", self.events)
            for table, seq, key in database.execute("select table_id, seq, key from events where key <> ''"):
                digits = key[len(_PREFIX) :]
                number = int(digits) if digits.isdigit() else -1
                expected = 0 <= number < len(left) and left[number] in (seq, UNANSWERED)
                if not expected or self.tables[self._table_indices[number]] != table:
                    self.add_problem(f"event {seq} of table {table} has key {key}, which was not answered so")
                else:
                    left[number] = 0
        for number, seq in enumerate(left):
            if seq > 0:
                self.add_problem(f"{key_of(number)} was acknowledged as event {seq}, which is not there")

    def report(self, report: Report) -> None:
        """Report the numbers of actions, answers and refusals."""
        accepted = sum(seq > 0 for seq in self.events)
        if accepted < self.rounds / 2:
            self.add_problem("hardly anything was accepted")
        report.problems += self.problems
        report.add("copies of actions", self.counts["copies"], "copies", n=self.rounds)
        report.add("actions accepted", accepted, "actions")
        report.add("actions refused", self.counts["refused"], "actions")
        report.add("actions unanswered", sum(seq == UNANSWERED for seq in self.events), "actions")
        report.add("tables", len(self.tables), "tables")
        for what, count in sorted(self.counts.items()):
            if "answered" in what or "HTTP" in what or "broken" in what:
                report.add(what, count, "times")


_PREFIX = "double-"


def key_of(number: int) -> str:
    """Key of the action with this number."""
    return f"{_PREFIX}{number:08}"


class Player:
    """A user with two live connections."""

    def __init__(self, game: "Game", token: str) -> None:
        self.game = game
        self.headers = {"authorization": f"Bearer {token}"}
        self.page = Page()
        self.connections: list[Connection] = []
        self.accepted: list[tuple[str, dict[str, Any], int]] = []
        """Keys and bodies of this player's actions, and their events."""

    async def connect(self, server: Server, table: str, token: str) -> None:
        """Open both connections."""
        path = f"/t/{table}/live"
        self.connections = [
            await connect(server.host, server.port, path, token, receive)
            for receive in (self._receive, self._receive_answer)
        ]

    def _receive(self, connection: Connection, text: bytes, now: float) -> None:
        """Handle a message of the first connection, whose pages count."""
        if text.startswith((b'{"view"', b'{"set"')):
            self.page.update(parse_message(text))
            self.game.changed.set()
        else:
            self._receive_answer(connection, text, now)

    def _receive_answer(self, _: Connection, text: bytes, now: float) -> None:
        """Handle an answer, on either connection."""
        if text.startswith(b'{"ok"'):
            message = parse_message(text)
            self.game.note_answer(message["ok"], (200, message["seq"]))
        elif text.startswith(b'{"error"'):
            message = parse_message(text)
            reason = message["error"]
            status = next((code for beginning, code in _REFUSALS.items() if reason.startswith(beginning)), 0)
            if message["clause"]:
                status = 400
            elif not status:
                self.game.account.add_problem(f"{message['key']} was answered: {reason}")
            self.game.note_answer(message["key"], (status, 0))


class Game:
    """Players of one match after the other, one action at a time."""

    def __init__(self, account: Account, server: Server, client: httpx.AsyncClient, number: int):
        self.account = account
        self.server = server
        self.client = client
        self.preset, self.size = PRESETS[number % len(PRESETS)]
        self.changed = asyncio.Event()
        self._rng = random.Random(number)
        self._players: list[Player] = []
        self._name = ""
        self._table_index = 0
        self._awaited: Counter[str] = Counter()
        """Answers to each key that have not come."""
        self._answers: dict[str, list[Answer]] = {}
        self._complete: asyncio.Future[None] | None = None

    def note_answer(self, key: str, answer: Answer) -> None:
        """Note an answer to an action."""
        if key not in self._answers:
            self.account.add_problem(f"{key} was answered once too often: {answer}")
            return
        self._answers[key].append(answer)
        self._awaited[key] -= 1
        if not self._awaited[key]:
            del self._awaited[key]
        if not self._awaited and self._complete is not None and not self._complete.done():
            self._complete.set_result(None)

    async def play(self) -> None:
        """Play until the account has enough actions."""
        tokens = await create_sessions(self.client, self.size)
        while self.account.begun < self.account.rounds:
            await self._open_table(tokens)
            for _ in range(LONGEST):
                player = await self._next_player()
                if player is None or self.account.begun >= self.account.rounds:
                    break
                try:
                    await self._act(player)
                except BrokenConnection:
                    break
            for player in self._players:
                for connection in player.connections:
                    self.account.counts["connections broken"] += connection.closed
                    connection.abort()

    async def _open_table(self, tokens: list[str]) -> None:
        self._name = await open_table(self.client, self.preset, tokens)
        self._table_index = len(self.account.tables)
        self.account.tables.append(self._name)
        self._players = [Player(self, token) for token in tokens]
        for player, token in zip(self._players, tokens, strict=True):
            await player.connect(self.server, self._name, token)

    async def _next_player(self) -> Player | None:
        """A player who may act; None once the match is over or a connection has broken."""
        began = time.monotonic()
        while True:
            if able := [player for player in self._players if player.page.actions]:
                return self._rng.choice(able)
            self.changed.clear()
            try:
                async with asyncio.timeout(_IDLE):
                    await self.changed.wait()
            except TimeoutError:
                state = (await self.client.get(f"/api/v1/tables/{self._name}")).json()
                if state["over"] or self._is_broken():
                    return None
                if time.monotonic() > began + _TIMEOUT:
                    raise RuntimeError(f"nobody may act at table {self._name}") from None

    def _is_broken(self) -> bool:
        return any(connection.closed for player in self._players for connection in player.connections)

    async def _act(self, player: Player) -> None:
        """Send one action up to eight times at once and compare the answers."""
        account, rng = self.account, self._rng
        number = account.begin(self._table_index)
        key, seq = key_of(number), player.page.seq
        body = action_body(rng.choice(player.page.actions), seq)
        copies, http = rng.randint(1, MOST_COPIES), number % HTTP_INTERVAL == 0
        over_http = rng.randint(1, copies) if http else 0
        account.counts["copies"] += copies
        account.counts["copies over HTTP"] += over_http
        routes = [None] * over_http + [rng.choice(player.connections) for _ in range(copies - over_http)]
        answers = set((await self._send(player, [(key, body, route) for route in routes]))[key])
        if len(answers) != 1:
            account.add_problem(f"{key}: different answers {sorted(answers)}")
        status, event = answers.pop()
        account.events[number] = event
        if status != 200:
            account.counts["refused"] += 1
            return
        player.accepted.append((key, body, event))
        for other in self._players:
            other.page.wait_for_event(event)
        if http or number % REFUSAL_INTERVAL == 0:
            await self._check_refusals(player, key, body, seq, http)

    async def _check_refusals(
        self, player: Player, key: str, body: dict[str, Any], seq: int, http: bool
    ) -> None:
        """Send a used key with another action, the same action with a new key, and an early action again."""
        other = {"act": "play S3" if body.get("act") == "play S2" else "play S2", "seq": seq}
        routes = [None, None] if http else player.connections
        messages = [(key, other, routes[0]), (f"{key}-", body, routes[1])]
        early, early_body, event = self._rng.choice(player.accepted)
        if early != key:
            messages.append((early, early_body, routes[0]))
        answers = await self._send(player, messages)
        used, old = answers[key][0], answers[f"{key}-"][0]
        if early != key:
            self.account.counts["late copies answered by their event"] += answers[early][0][1] == event
            if answers[early][0] != (200, event):
                self.account.add_problem(f"{early}, which had become event {event}: {answers[early][0]}")
        self.account.counts[f"used keys answered {used[0]}"] += 1
        self.account.counts[f"old numbers answered {old[0]}"] += 1
        if used[0] != 422:
            self.account.add_problem(f"{key} with another action: {used}")
        # If several players owe an action, the number is not old, but this action has been done: 400.
        if old[0] not in (409, 400):
            self.account.add_problem(f"{key}, an old number: {old}")

    async def _send(
        self, player: Player, messages: list[tuple[str, dict[str, Any], Connection | None]]
    ) -> dict[str, list[Answer]]:
        """Send messages at once and return their answers by key.

        Args:
            player: The sender.
            messages: Key, body, and the connection; None sends it over HTTP.

        Raises:
            BrokenConnection: A connection broke before all answers came.
            TimeoutError: An answer did not come.
        """
        self._awaited = Counter(key for key, _, _ in messages)
        self._answers = {key: [] for key in self._awaited}
        self._complete = asyncio.get_running_loop().create_future()
        posts = [asyncio.create_task(self._post(player, key, body)) for key, body, way in messages if not way]
        for key, body, connection in messages:
            if connection is not None:
                connection.send(json.dumps({**body, "key": key}))
        try:
            async with asyncio.timeout(_TIMEOUT):
                await self._complete
                await asyncio.gather(*posts)
        except TimeoutError:
            for post in posts:
                post.cancel()
            if self._is_broken():
                raise BrokenConnection from None
            raise
        return self._answers

    async def _post(self, player: Player, key: str, body: dict[str, Any]) -> None:
        """Send an action over HTTP."""
        address = "next" if "next" in body else "actions"
        body = {"key": key} if "next" in body else {**body, "key": key}
        path = f"/api/v1/tables/{self._name}/{address}"
        answer = await self.client.post(path, json=body, headers=player.headers)
        self.note_answer(key, (answer.status_code, answer.json()["seq"] if answer.is_success else 0))


async def _play(server: Server, account: Account) -> None:
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, account.end)
    limits = httpx.Limits(max_connections=64, max_keepalive_connections=64)
    async with httpx.AsyncClient(base_url=server.base, timeout=60, limits=limits) as client:
        tables = max(1, min(TABLES, account.rounds // 10))
        games = [Game(account, server, client, number) for number in range(tables)]
        async with asyncio.TaskGroup() as group:
            for game in games:
                group.create_task(game.play())


def doubles(path: Path, rounds: int, report: Report) -> None:
    """Send `rounds` actions with their copies over real connections (P14)."""
    account = Account(rounds)
    server = Server.real(str(path), NOUSU_WORKERS="0")
    try:
        began, cpu, own = time.monotonic(), server.cpu(), time.process_time()
        asyncio.run(_play(server, account))
        duration, cpu, own = time.monotonic() - began, server.cpu() - cpu, time.process_time() - own
        memory = server.memory()
    finally:
        server.stop()
    account.compare(path)
    account.report(report)
    report.add("actions", account.rounds / duration, "1/s", n=account.rounds)
    report.add("processor time of the server an action", 1000 * cpu / account.rounds, "ms")
    report.add("processor time of the server", 100 * cpu / duration, "% of a core")
    report.add("processor time of the driver", 100 * own / duration, "% of a core")
    report.add("memory of the server", memory, "MiB")
