"""P14 without a network: ``python -m bench.soak races`` lets a million actions race with their copies.

What decides that an action happens once is a table's room and its disk. Here they are asked directly, one to
eight times at once and each copy a few steps of the loop later than it might be, so that some come before
the action is on disk, some while it is being written and some after. `bench.doubles` does so over real lines.
"""

import asyncio
import os
import random
import signal
import time
from pathlib import Path
from typing import NamedTuple

from bench.doubles import MOST, REFUSED, Account, key_of
from nousu.engine.errors import IllegalAction
from nousu.engine.seats import Seat
from nousu.games import find
from nousu.server.errors import KeyReused, Refused, Stale
from nousu.server.live.room import Room
from nousu.server.live.workers import Workers
from nousu.server.storage.store import Store, TableRow, database_url
from nousu.server.table.events import to_row
from nousu.server.table.options import TableOptions
from nousu.server.table.seating import join
from nousu.server.table.table import Change, Table

TABLES = 64
PLAYED = (("tuppi", 4), ("huutopussi", 4), ("tuppen_zk", 3), ("minnesota", 4), ("siebenschraem", 5))
"""The rules that are played and how many people play by them, one table after the other."""
LONGEST = 4000
"""Actions at one table."""
LATEST = 12
"""Steps of the loop by which a copy is late, at most."""


class Asked(NamedTuple):
    """What somebody asks for."""

    session: str
    text: str
    seq: int
    key: str


class Race:
    """People who play one match after the other, one action at a time."""

    def __init__(self, account: Account, store: Store, number: int) -> None:
        self.account = account
        self.store = store
        self.preset, self.people = PLAYED[number % len(PLAYED)]
        self._rng = random.Random(number)
        self._place = 0
        self._before: list[tuple[Asked, int]] = []
        """What was done at this table, and the event it became."""

    async def play(self) -> None:
        """Take rounds until none is left."""
        while self.account.begun < self.account.rounds:
            room = await self._opened()
            room.drive()
            for _ in range(LONGEST):
                found = await self._able(room)
                if found is None or self.account.begun >= self.account.rounds:
                    break
                await self._round(room, *found)
            await room.close()

    async def _opened(self) -> Room:
        place = len(self.account.tables)
        name, secret = f"race-{place}", self._rng.randbytes(32)
        self.account.tables.append(name)
        options = {"pace": "0", "window": "0"}
        table, rows = (
            Table.new(
                name, self.preset, self.people, secret, TableOptions.parse(options), find, time.monotonic()
            ),
            [],
        )
        for at in range(self.people):
            change = join(table, f"session-{at}", f"Person {at}", "", time.monotonic())
            assert isinstance(change, Change)
            rows.append(to_row(change.event, self.people))
            table = change.table
        await self.store.add_table(TableRow(name, self.preset, self.people, "{}", secret, False), rows)
        self._place = place
        self._before.clear()
        return Room(table, self.store, Workers(0))

    async def _able(self, room: Room) -> tuple[Seat, str] | None:
        """Somebody who may act, and what they do; None once the match is over. The table may turn up the only
        card of a seat meanwhile; then the person comes too late."""
        while not room.table.over:
            pulse, table = room.pulse, room.table
            if table.match is not None and table.between_hands:
                if unasked := [seat for seat in table.seats.persons() if seat not in table.ready]:
                    return self._rng.choice(unasked), "next"
            elif table.match is not None:
                hand = table.match.hand
                able = [seat for seat in table.seats.persons() if hand.legal(seat)]
                if able:
                    seat = self._rng.choice(able)
                    return seat, str(self._rng.choice(hand.legal(seat)))
            async with asyncio.timeout(30):
                await pulse.wait()
        return None

    async def _round(self, room: Room, seat: Seat, text: str) -> None:
        account, rng = self.account, self._rng
        number = account.next(self._place)
        asked = Asked(room.table.seats.by_seat[seat].session, text, room.table.seq, key_of(number))
        copies = rng.randint(1, MOST)
        account.counts["copies"] += copies
        found = {
            *await asyncio.gather(*(self._sent(room, asked, rng.randint(0, LATEST)) for _ in range(copies)))
        }
        if len(found) != 1:
            account.wrong(f"{asked.key}: different answers {found}")
        event = found.pop()
        account.seqs[number] = event if isinstance(event, int) else 0
        if not isinstance(event, int):
            account.counts["refused"] += 1
            return
        self._before.append((asked, event))
        if number % REFUSED == 0:
            await self._refusals(room, asked)

    async def _refusals(self, room: Room, asked: Asked) -> None:
        """Ask once more with a used key for something else, with a new key for what was done, and for
        something of long ago."""
        other = "play S3" if asked.text == "play S2" else "play S2"
        early, event = self._rng.choice(self._before)
        for what, one, expected in (
            ("used keys", asked._replace(text=other), (KeyReused,)),
            ("old numbers", asked._replace(key=f"{asked.key}-"), (Stale, IllegalAction)),
            ("late copies", early, event),
        ):
            found = await self._sent(room, one, 0)
            answer = "its event" if isinstance(found, int) else found.__name__
            self.account.counts[f"{what} answered by {answer}"] += 1
            if found != expected and not (isinstance(expected, tuple) and found in expected):
                self.account.wrong(f"{one}, {what}: {found}, not {expected}")

    async def _sent(self, room: Room, asked: Asked, steps: int) -> int | type[Exception]:
        """The event that it became, or the kind of refusal."""
        for _ in range(steps):
            await asyncio.sleep(0)
        try:
            return await room.act(*asked)
        except (Refused, IllegalAction) as error:
            return type(error)


async def _raced(path: Path, account: Account) -> None:
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, account.end)
    store = await Store.open(database_url(str(path)))
    tables = max(1, min(TABLES, account.rounds // 10))
    async with asyncio.TaskGroup() as group:
        for number in range(tables):
            group.create_task(Race(account, store, number).play())
    await store.close()


def races(path: Path, rounds: int) -> list[str]:
    """P14: an action that races with its copies at the table's room is one event with one answer."""
    account = Account(rounds)
    began, cpu = time.monotonic(), time.process_time()
    asyncio.run(_raced(path, account))
    took, cpu = time.monotonic() - began, time.process_time() - cpu
    account.compare(path)
    print(
        f"{account.told()}\n  {account.rounds / took:.0f} actions/s for {took:.0f} s, "
        f"{1000 * cpu / account.rounds:.2f} ms an action; load of the machine {os.getloadavg()[0]:.1f}"
    )
    return account.problems
