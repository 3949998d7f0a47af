"""Duplicates of actions that race with one another at a table's room (P14); goal: one event, one answer each.

A table's room and its database decide that an action happens once. Here they are called directly, up to
eight times at once, each copy delayed by some steps of the event loop: copies arrive before the action is on
disk, while it is written and afterwards. `bench.soak.duplicates` does the same over real connections.
"""

import asyncio
import random
import signal
import time
from pathlib import Path
from typing import NamedTuple

from bench.results import Report
from bench.soak.duplicates import MOST_COPIES, REFUSAL_INTERVAL, Account, key_of
from nousu.engine.errors import IllegalAction
from nousu.engine.seats import Seat
from nousu.games import find
from nousu.server.errors import KeyReused, RequestError, Stale
from nousu.server.live.room import Room
from nousu.server.live.workers import Workers
from nousu.server.storage.store import Store, TableRow, database_url
from nousu.server.table.events import to_row
from nousu.server.table.options import TableOptions
from nousu.server.table.seating import join
from nousu.server.table.table import Change, Table

TABLES = 64
PRESETS = (("tuppi", 4), ("huutopussi", 4), ("tuppen_zk", 3), ("minnesota", 4), ("siebenschraem", 5))
"""Rules and number of players, one table after the other."""
LONGEST = 4000
"""Actions at one table."""
LONGEST_DELAY = 12
"""Steps of the event loop by which a copy is delayed, at most."""


class Request(NamedTuple):
    """An action as `Room.act` takes it."""

    session: str
    text: str
    seq: int
    key: str


class Race:
    """Players of one match after the other, one action at a time."""

    def __init__(self, account: Account, store: Store, number: int) -> None:
        self.account = account
        self.store = store
        self.preset, self.players = PRESETS[number % len(PRESETS)]
        self._rng = random.Random(number)
        self._table_index = 0
        self._accepted: list[tuple[Request, int]] = []
        """Requests at this table with their events."""

    async def play(self) -> None:
        """Play until the account has enough actions."""
        while self.account.begun < self.account.rounds:
            room = await self._open_room()
            room.drive()
            for _ in range(LONGEST):
                turn = await self._next_turn(room)
                if turn is None or self.account.begun >= self.account.rounds:
                    break
                await self._act(room, *turn)
            await room.close()

    async def _open_room(self) -> Room:
        self._table_index = len(self.account.tables)
        name, secret = f"race-{self._table_index}", self._rng.randbytes(32)
        self.account.tables.append(name)
        options = {"pace": "0", "window": "0"}
        chosen, now = TableOptions.parse(options), time.monotonic()
        table, rows = Table.new(name, self.preset, self.players, secret, chosen, find, now), []
        for at in range(self.players):
            change = join(table, f"session-{at}", f"Person {at}", "", time.monotonic())
            assert isinstance(change, Change)
            rows.append(to_row(change.event, self.players))
            table = change.table
        await self.store.add_table(TableRow(name, self.preset, self.players, "{}", secret, False), rows)
        self._accepted.clear()
        return Room(table, self.store, Workers(0))

    async def _next_turn(self, room: Room) -> tuple[Seat, str] | None:
        """A seat that may act and its action; None once the match is over.

        The table itself may turn up the only card of a seat meanwhile; then the action comes too late.
        """
        while not room.table.over:
            pulse, table = room.pulse, room.table
            if table.match is not None and table.between_hands:
                if waiting := [seat for seat in table.seats.persons() if seat not in table.ready]:
                    return self._rng.choice(waiting), "next"
            elif table.match is not None:
                hand = table.match.hand
                if able := [seat for seat in table.seats.persons() if hand.legal(seat)]:
                    seat = self._rng.choice(able)
                    return seat, str(self._rng.choice(hand.legal(seat)))
            async with asyncio.timeout(30):
                await pulse.wait()
        return None

    async def _act(self, room: Room, seat: Seat, text: str) -> None:
        """Send one action up to eight times at once and compare the answers."""
        account, rng = self.account, self._rng
        number = account.begin(self._table_index)
        request = Request(room.table.seats.by_seat[seat].session, text, room.table.seq, key_of(number))
        copies = rng.randint(1, MOST_COPIES)
        account.counts["copies"] += copies
        sent = (self._send(room, request, rng.randint(0, LONGEST_DELAY)) for _ in range(copies))
        answers = {*await asyncio.gather(*sent)}
        if len(answers) != 1:
            account.add_problem(f"{request.key}: different answers {answers}")
        event = answers.pop()
        account.events[number] = event if isinstance(event, int) else 0
        if not isinstance(event, int):
            account.counts["refused"] += 1
            return
        self._accepted.append((request, event))
        if number % REFUSAL_INTERVAL == 0:
            await self._check_refusals(room, request)

    async def _check_refusals(self, room: Room, request: Request) -> None:
        """Send a used key with another action, the same action with a new key, and an early action again."""
        other = "play S3" if request.text == "play S2" else "play S2"
        early, event = self._rng.choice(self._accepted)
        for what, repeated, expected in (
            ("used keys", request._replace(text=other), (KeyReused,)),
            ("old numbers", request._replace(key=f"{request.key}-"), (Stale, IllegalAction)),
            ("late copies", early, event),
        ):
            answer = await self._send(room, repeated, 0)
            text = "its event" if isinstance(answer, int) else answer.__name__
            self.account.counts[f"{what} answered by {text}"] += 1
            if answer != expected and not (isinstance(expected, tuple) and answer in expected):
                self.account.add_problem(f"{repeated}, {what}: {answer}, not {expected}")

    async def _send(self, room: Room, request: Request, delay: int) -> int | type[Exception]:
        """Number of the event, or the class of the refusal, after so many steps of the event loop."""
        for _ in range(delay):
            await asyncio.sleep(0)
        try:
            return await room.act(*request)
        except (RequestError, IllegalAction) as error:
            return type(error)


async def _play(path: Path, account: Account) -> None:
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, account.end)
    store = await Store.open(database_url(str(path)))
    tables = max(1, min(TABLES, account.rounds // 10))
    async with asyncio.TaskGroup() as group:
        for number in range(tables):
            group.create_task(Race(account, store, number).play())
    await store.close()


def races(path: Path, rounds: int, report: Report) -> None:
    """Let `rounds` actions race with their copies (P14)."""
    account = Account(rounds)
    began, cpu = time.monotonic(), time.process_time()
    asyncio.run(_play(path, account))
    duration, cpu = time.monotonic() - began, time.process_time() - cpu
    account.compare(path)
    account.report(report)
    report.add("actions", account.rounds / duration, "1/s", n=account.rounds)
    report.add("processor time an action", 1000 * cpu / account.rounds, "ms")
