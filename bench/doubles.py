"""P14: ``python -m bench.soak doubles`` sends every action one to eight times at once, at many tables.

Each person has two live lines, as with the page open twice. Copies of an action go over both; every fortieth
action goes over HTTP as well. After some actions the same key is sent with another action, and the same
action with a new key, which must be refused. In the end the log is compared with every answer; Ctrl-C ends
it early, with what has been done.
"""

import asyncio
import json
import os
import random
import signal
import sqlite3
import time
from array import array
from collections import Counter
from pathlib import Path
from typing import Any

import httpx

from bench._lines import Line, Page, Server, connected, parsed
from bench.load import newcomers, opened

TABLES = 32
"""At once, where there are rounds enough."""
PLAYED = (
    ("tuppi", 4),
    *(("tuppen_zk+start_points=20", 2), ("siebenschraem+start_points=20", 2)) * 3,
    ("huutopussi", 4),
)
"""The rules that are played and how many people play by them, one table after the other. Mostly it is two,
since every picture that somebody is sent takes as long as the copies of an action."""
LONGEST = 1500
"""Actions at one table; its people go on at a new one then."""
OVER_HTTP = 40
"""Every so many actions is sent over HTTP, too."""
REFUSED = 10
"""After every so many actions, a used key and an old number are sent."""
MOST = 8
"""Copies of an action."""
_PATIENCE = 30.0
"""Seconds within which an answer comes."""
_IDLE = 0.5
"""Seconds after which a table where nobody may act is looked at: the match may be over."""
_TOLD = 50_000
"""After so many actions it is said how far it is."""
_REFUSALS = {
    "The game has moved on": 409,
    "The next hand has already": 409,
    "The match is over": 409,
    "This key was used": 422,
}
"""How the refusals that are met begin, and the status of each over HTTP."""

Answer = tuple[int, int]
"""A status as over HTTP, and the number of the event; 0 where it was refused."""
DOUBT = -1
"""In place of that number: a line broke before the answer came."""


class Broken(Exception):
    """A line broke: the machine did not let this program answer the server's pings in time."""


class Account:
    """What was sent and answered at all tables."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.begun = 0
        self.tables: list[str] = []
        self.seqs = array("q", bytes(8 * rounds))
        """The event that each action became, by the number in its key; 0 where it was refused, or `DOUBT`."""
        self.at = array("i", bytes(4 * rounds))
        """At which table."""
        self.counts: Counter[str] = Counter()
        self.problems: list[str] = []

    def end(self) -> None:
        """Let no more begin."""
        self.rounds = self.begun

    def next(self, place: int) -> int:
        """The number of one more action, at the table of that place among all."""
        number, self.begun = self.begun, self.begun + 1
        self.at[number], self.seqs[number] = place, DOUBT
        if number % _TOLD == 0 and number:
            print(f"  {number} actions, {self.counts['wrong']} wrong", flush=True)
        return number

    def told(self) -> str:
        """What was done, in a few lines."""
        done = sum(seq > 0 for seq in self.seqs)
        doubt = sum(seq == DOUBT for seq in self.seqs)
        if done < self.rounds / 2:
            self.wrong("hardly anything was accepted")
        refused = self.counts["refused"]
        answered = (f"{count} {what}" for what, count in sorted(self.counts.items()) if "answered" in what)
        return (
            f"  {self.rounds} actions at {len(self.tables)} tables, {self.counts['copies']} copies of them; "
            f"{done} became an event, {refused} were refused, {doubt} are in doubt\n  {', '.join(answered)}"
        )

    def wrong(self, what: str) -> None:
        """Note what must not happen."""
        self.counts["wrong"] += 1
        if len(self.problems) < 20:
            self.problems.append(what)

    def compare(self, path: Path) -> None:
        """Look for every answer in the log, and for what is in the log without one."""
        with sqlite3.connect(path) as database:
            holes = "select table_id from events group by table_id having max(seq) <> count(*)"
            for (table,) in database.execute(holes):
                self.wrong(f"numbers are missing at table {table}")
            left = array("q", self.seqs)
            for table, seq, key in database.execute("select table_id, seq, key from events where key <> ''"):
                number = int(key[_KEY:]) if key[_KEY:].isdigit() else -1
                known = 0 <= number < len(left) and left[number] in (seq, DOUBT)
                if not known or self.tables[self.at[number]] != table:
                    self.wrong(f"event {seq} of table {table} has key {key}, which was not answered so")
                else:
                    left[number] = 0
        database.close()
        for number, seq in enumerate(left):
            if seq > 0:
                self.wrong(f"{key_of(number)} was acknowledged as event {seq}, which is not there")


_KEY = len("double-")


def key_of(number: int) -> str:
    """The key that an action of this number comes with."""
    return f"double-{number:08}"


class Person:
    """Somebody with two live lines."""

    def __init__(self, game: "Game", token: str) -> None:
        self.game = game
        self.headers = {"authorization": f"Bearer {token}"}
        self.page = Page()
        self.lines: list[Line] = []
        self.done: list[tuple[str, dict[str, Any], int]] = []
        """The keys and bodies of what this person did, and the events they became."""

    async def come(self, server: Server, table: str, token: str) -> None:
        """Open both lines."""
        path = f"/t/{table}/live"
        self.lines = [
            await connected(server.host, server.port, path, token, heard) for heard in (self.shown, self.told)
        ]

    def shown(self, line: Line, text: bytes, now: float) -> None:
        """A message of the first line, by which the person sees the table."""
        if text.startswith(b'{"seq"'):
            self.page.heard(parsed(text))
            self.game.changed.set()
        else:
            self.told(line, text, now)

    def told(self, line: Line, text: bytes, now: float) -> None:
        """An answer, on either line."""
        if text.startswith(b'{"ok"'):
            message = parsed(text)
            self.game.answered(message["ok"], (200, message["seq"]))
        elif text.startswith(b'{"error"'):
            message = parsed(text)
            why = message["error"]
            status = next((found for begins, found in _REFUSALS.items() if why.startswith(begins)), 0)
            if message["clause"]:
                status = 400
            elif not status:
                self.game.account.wrong(f"{message['key']} was answered: {why}")
            self.game.answered(message["key"], (status, 0))


class Game:
    """People who play one match after the other, one action at a time."""

    def __init__(self, account: Account, server: Server, client: httpx.AsyncClient, number: int):
        self.account = account
        self.server = server
        self.client = client
        self.preset, self.people = PLAYED[number % len(PLAYED)]
        self.changed = asyncio.Event()
        self._rng = random.Random(number)
        self._people: list[Person] = []
        self._name = ""
        self._place = 0
        self._wanted: Counter[str] = Counter()
        """How many answers to a key are still to come."""
        self._answers: dict[str, list[Answer]] = {}
        self._all: asyncio.Future[None] | None = None

    def answered(self, key: str, answer: Answer) -> None:
        """One more answer has come."""
        if key not in self._answers:
            self.account.wrong(f"{key} was answered once too often: {answer}")
            return
        self._answers[key].append(answer)
        self._wanted[key] -= 1
        if not self._wanted[key]:
            del self._wanted[key]
        if not self._wanted and self._all is not None and not self._all.done():
            self._all.set_result(None)

    async def play(self) -> None:
        """Take rounds until none is left."""
        tokens = await newcomers(self.client, self.people)
        while self.account.begun < self.account.rounds:
            await self._sit(tokens)
            for _ in range(LONGEST):
                person = await self._able()
                if person is None or self.account.begun >= self.account.rounds:
                    break
                try:
                    await self._round(person)
                except Broken:
                    break
            self._go()

    async def _sit(self, tokens: list[str]) -> None:
        self._name = await opened(self.client, self.preset, tokens)
        self._place = len(self.account.tables)
        self.account.tables.append(self._name)
        self._people = [Person(self, token) for token in tokens]
        for person, token in zip(self._people, tokens, strict=True):
            await person.come(self.server, self._name, token)

    def _go(self) -> None:
        for person in self._people:
            for line in person.lines:
                self.account.counts["lines broken"] += line.closed
                line.cut()

    async def _able(self) -> Person | None:
        """Somebody who may act; None once the match is over, or a line has broken."""
        began = time.monotonic()
        while True:
            if able := [person for person in self._people if person.page.acts]:
                return self._rng.choice(able)
            self.changed.clear()
            try:
                async with asyncio.timeout(_IDLE):
                    await self.changed.wait()
            except TimeoutError:
                if (await self.client.get(f"/api/v1/tables/{self._name}")).json()["over"]:
                    return None
                if self._broken():
                    return None
                if time.monotonic() > began + _PATIENCE:
                    raise RuntimeError(f"nobody may act at table {self._name}") from None

    def _broken(self) -> bool:
        return any(line.closed for person in self._people for line in person.lines)

    async def _round(self, person: Person) -> None:
        account, rng = self.account, self._rng
        number = account.next(self._place)
        key, act, seq = key_of(number), rng.choice(person.page.acts), person.page.seq
        body = {"next": True} if act == "next" else {"act": act, "seq": seq}
        copies, http = rng.randint(1, MOST), number % OVER_HTTP == 0
        over_http = rng.randint(1, copies) if http else 0
        account.counts["copies"] += copies
        account.counts["copies over HTTP"] += over_http
        ways = [None] * over_http + [rng.choice(person.lines) for _ in range(copies - over_http)]
        found = set((await self._sent(person, [(key, body, way) for way in ways]))[key])
        if len(found) != 1:
            account.wrong(f"{key}: different answers {sorted(found)}")
        status, event = found.pop()
        account.seqs[number] = event
        if status != 200:
            account.counts["refused"] += 1
            return
        person.done.append((key, body, event))
        for one in self._people:
            if one.page.seq < event:
                one.page.acts = []  # what may be done next comes with the picture
        if http or number % REFUSED == 0:
            await self._refusals(person, key, body, seq, http)

    async def _refusals(self, person: Person, key: str, body: dict[str, Any], seq: int, http: bool) -> None:
        """Send a used key with something else, what was done with a new key, and something done long ago."""
        other = {"act": "play S3" if body.get("act") == "play S2" else "play S2", "seq": seq}
        ways = [None, None] if http else person.lines
        sent = [(key, other, ways[0]), (f"{key}-", body, ways[1])]
        early, again, event = self._rng.choice(person.done)
        if early != key:
            sent.append((early, again, ways[0]))
        found = await self._sent(person, sent)
        used, old = found[key][0], found[f"{key}-"][0]
        if early != key:
            self.account.counts["late copies answered by their event"] += found[early][0][1] == event
            if found[early][0] != (200, event):
                self.account.wrong(f"{early}, which had become event {event}: {found[early][0]}")
        self.account.counts[f"used keys answered {used[0]}"] += 1
        self.account.counts[f"old numbers answered {old[0]}"] += 1
        if used[0] != 422:
            self.account.wrong(f"{key} with another action: {used}")
        # Where several are asked at once the number is not old, but the answer has been given: 400.
        if old[0] not in (409, 400):
            self.account.wrong(f"{key}, an old number: {old}")

    async def _sent(
        self, person: Person, messages: list[tuple[str, dict[str, Any], Line | None]]
    ) -> dict[str, list[Answer]]:
        """Send all messages at once, each a key and a body, on a line or (None) over HTTP; the answers."""
        self._wanted = Counter(key for key, _, _ in messages)
        self._answers = {key: [] for key in self._wanted}
        self._all = asyncio.get_running_loop().create_future()
        posts = [asyncio.create_task(self._post(person, key, body)) for key, body, way in messages if not way]
        for key, body, way in messages:
            if way is not None:
                way.send(json.dumps({**body, "key": key}))
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._all
                await asyncio.gather(*posts)
        except TimeoutError:
            for post in posts:
                post.cancel()
            if self._broken():
                raise Broken from None
            raise
        return self._answers

    async def _post(self, person: Person, key: str, body: dict[str, Any]) -> None:
        where = "next" if "next" in body else "actions"
        body = {"key": key} if "next" in body else {**body, "key": key}
        path = f"/api/v1/tables/{self._name}/{where}"
        answer = await self.client.post(path, json=body, headers=person.headers)
        self.answered(key, (answer.status_code, answer.json()["seq"] if answer.is_success else 0))


async def _played(server: Server, account: Account) -> None:
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, account.end)
    limits = httpx.Limits(max_connections=64, max_keepalive_connections=64)
    async with httpx.AsyncClient(base_url=server.base, timeout=60, limits=limits) as client:
        tables = max(1, min(TABLES, account.rounds // 10))
        games = [Game(account, server, client, number) for number in range(tables)]
        async with asyncio.TaskGroup() as group:
            for game in games:
                group.create_task(game.play())


def doubles(path: Path, rounds: int) -> list[str]:
    """P14: each action sent 1 to 8 times at once is one event with one answer; the same key with another
    action is refused, and so is an old number."""
    account = Account(rounds)
    server = Server.real(str(path), NOUSU_WORKERS="0")
    try:
        began, cpu, own = time.monotonic(), server.cpu(), time.process_time()
        asyncio.run(_played(server, account))
        took, cpu, own = time.monotonic() - began, server.cpu() - cpu, time.process_time() - own
        memory = server.memory()
    finally:
        server.stop()
    account.compare(path)
    rounds, http, broken = account.rounds, account.counts["copies over HTTP"], account.counts["lines broken"]
    print(
        f"{account.told()}\n  {http} copies over HTTP, {broken} lines broken; "
        f"{rounds / took:.0f} actions/s for {took:.0f} s; server {100 * cpu / took:.0f} % of a core, "
        f"{1000 * cpu / rounds:.2f} ms an action, {memory:.0f} MiB; driver {100 * own / took:.0f} %; "
        f"load of the machine {os.getloadavg()[0]:.1f}"
    )
    return account.problems
