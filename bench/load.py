"""Tables full of people: how soon an action is on disk and on everybody's screen, and what that costs.

``python -m bench load`` plays a small evening; ``python -m bench.load --tables 500 --watchers 500 --rate 250
--seconds 600`` is promise P1. Players, watchers and server speak the real WebSocket and HTTP over loopback; a
bare server that stores and pushes as much without any rules runs first, for what the machine gives. With
``--reviews`` the hands of a finished match are reviewed all the while: nobody at a table may notice (P19).
"""

import argparse
import asyncio
import contextlib
import gc
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from bench._lines import Line, Page, Server, connected, more_files, parsed, percentile, run, stop_when_told


@dataclass
class Figures:
    """What was measured."""

    acks: list[float] = field(default_factory=list)
    """Seconds from sending an action to hearing that it is on disk."""
    pushes: list[float] = field(default_factory=list)
    """Seconds from sending an action to the picture that shows it, one a player."""
    watched: list[float] = field(default_factory=list)
    """The same for those who only watch."""
    stale: int = 0
    """Actions refused because the table had gone on."""
    errors: list[str] = field(default_factory=list)
    late: int = 0
    """Actions that were not sent, nobody being on turn at their time: many once matches are over."""
    moves: list[float] = field(default_factory=list)
    """Seconds from a picture on which nobody can do anything to the next: a computer player's move."""


class Seat:
    """A player or watcher at a table."""

    def __init__(self, crowd: "Crowd", table: "Board", plays: bool) -> None:
        self.crowd = crowd
        self.table = table
        self.plays = plays
        self.page = Page()
        self.line: Line | None = None
        self.waits: tuple[str, float] | None = None
        self.seen = 0
        self.idle: float | None = None
        """Since when this page has shown that others are to act; None where it does not."""

    def heard(self, line: Line, text: bytes, now: float) -> None:
        """A message from the server."""
        self.line = line
        message = parsed(text)
        figures = self.crowd.figures
        if "parts" in message:
            self.page.heard(message)
            if message["seq"] < self.seen:
                figures.errors.append(f"picture {message['seq']} after {self.seen}")
            if self.idle is not None and message["seq"] > self.seen:
                figures.moves.append(now - self.idle)
            self.idle = None if self.page.acts else now
            self.seen = message["seq"]
            self.table.shown(self, message["seq"], now)
        elif self.waits is not None and message.get("ok", message.get("key")) == self.waits[0]:
            sent = self.waits[1]
            self.waits = None
            if "ok" in message:
                figures.acks.append(now - sent)
                self.table.done(message["seq"], sent)
                if self.page.seq < message["seq"]:
                    self.page.acts = []  # what may be done next comes with the picture
            elif any(why in message["error"] for why in ("moved on", "already", "match is over")):
                figures.stale += 1
            else:
                figures.errors.append(message["error"])
        elif "error" in message:
            figures.errors.append(message["error"])
        self.table.ready()

    def saw(self, after: float) -> None:
        """Note that an action was on this page so many seconds after it was sent."""
        (self.crowd.figures.pushes if self.plays else self.crowd.figures.watched).append(after)

    def act(self, rng: random.Random) -> None:
        """Do something that the page offers."""
        assert self.line is not None
        self.crowd.number += 1
        key = f"load-{self.crowd.number:08}"
        act = rng.choice(self.page.acts)
        body = {"next": True} if act == "next" else {"act": act, "seq": self.page.seq}
        self.waits = (key, time.perf_counter())
        self.line.send(json.dumps({**body, "key": key}))


class Board:
    """A table: who is there, and which actions some have not seen yet."""

    def __init__(self, crowd: "Crowd", name: str) -> None:
        self.crowd = crowd
        self.name = name
        self.seats: list[Seat] = []
        self._shown: dict[Seat, list[tuple[int, float]]] = {}
        self._awaited: dict[Seat, list[tuple[int, float]]] = {}

    def ready(self) -> None:
        """Note whether somebody here may act."""
        if any(seat.plays and seat.page.acts and seat.waits is None for seat in self.seats):
            self.crowd.ready.setdefault(self)

    def done(self, seq: int, sent: float) -> None:
        """An action is on disk as that event: pictures that show it have come already, or are to come."""
        for seat in self.seats:
            early = next((at for number, at in self._shown.get(seat, ()) if number >= seq), None)
            if early is None:
                self._awaited.setdefault(seat, []).append((seq, sent))
            else:
                seat.saw(early - sent)

    def shown(self, seat: Seat, seq: int, now: float) -> None:
        """A viewer has the picture of that event."""
        self._shown[seat] = [*self._shown.get(seat, ())[-7:], (seq, now)]
        awaited = self._awaited.pop(seat, [])
        for number, sent in awaited:
            if number <= seq:
                seat.saw(now - sent)
        if rest := [one for one in awaited if one[0] > seq]:
            self._awaited[seat] = rest

    @property
    def awaited(self) -> int:
        """Pictures that have not come."""
        return sum(map(len, self._awaited.values()))


class Crowd:
    """Everybody at all tables."""

    def __init__(self) -> None:
        self.figures = Figures()
        self.boards: list[Board] = []
        self.ready: dict[Board, None] = {}
        self.number = 0

    async def enter(self, server: Server, board: Board, token: str, plays: bool) -> None:
        """One more comes to a table."""
        seat = Seat(self, board, plays)
        board.seats.append(seat)
        path = f"/t/{board.name}/live"
        seat.line = await connected(server.host, server.port, path, token, seat.heard)

    async def leave(self) -> None:
        """All go."""
        for board in self.boards:
            for seat in board.seats:
                if seat.line is not None:
                    seat.line.cut()
        await asyncio.sleep(0.05)

    async def beat(self) -> None:
        """Let every page send a heartbeat each three seconds, not all at once."""
        number = 0
        seats: list[Seat] = []
        while True:
            if number % 60 == 0:
                seats = [seat for board in self.boards for seat in board.seats]
            for seat in seats[number % 60 :: 60]:
                if seat.line is not None:
                    seat.line.beat(seat.plays)
            number += 1
            await asyncio.sleep(0.05)

    async def play(self, rate: float, seconds: float) -> None:
        """Act so many times a second, wherever somebody is on turn."""
        beating = asyncio.create_task(self.beat())
        try:
            await self._play(rate, seconds)
        finally:
            beating.cancel()

    async def _play(self, rate: float, seconds: float) -> None:
        rng = random.Random(1)
        began = time.perf_counter()
        number = 0
        while (now := time.perf_counter()) < began + seconds:
            while number < (now - began) * rate:
                number += 1
                if not self._one(rng):
                    self.figures.late += 1
            await asyncio.sleep(max(0.001, began + number / rate - time.perf_counter()))

    def _one(self, rng: random.Random) -> bool:
        while self.ready:
            at = rng.randrange(min(len(self.ready), 50))
            board = next(board for index, board in enumerate(self.ready) if index == at)
            del self.ready[board]
            able = [seat for seat in board.seats if seat.plays and seat.page.acts and seat.waits is None]
            if able:
                rng.choice(able).act(rng)
                return True
        return False

    @property
    def awaited(self) -> int:
        """Pictures of accepted actions that have not come."""
        return sum(board.awaited for board in self.boards)

    @property
    def closed(self) -> int:
        """Lines that broke."""
        return sum(seat.line.closed for board in self.boards for seat in board.seats if seat.line)


async def _gathered(jobs: list[Any], at_once: int = 16) -> list[Any]:
    gate = asyncio.Semaphore(at_once)

    async def one(job: Any) -> Any:
        async with gate:
            return await job

    return await asyncio.gather(*map(one, jobs))


async def newcomers(client: httpx.AsyncClient, count: int) -> list[str]:
    """So many persons who come for the first time: the token of each."""
    body = [{"name": f"P{at}"} for at in range(count)]
    return [(await client.post("/api/v1/session", json=one)).json()["token"] for one in body]


async def opened(client: httpx.AsyncClient, preset: str, tokens: list[str], computers: str = "") -> str:
    """The name of a new table, at which these persons sit, with three `computers` of that name if any."""
    owners = [{"authorization": f"Bearer {token}"} for token in tokens]
    body = {"preset": preset, "players": [computers] * 3 if computers else ["open"] * (len(tokens) - 1)}
    answer = await client.post("/api/v1/tables", json=body, headers=owners[0])
    name: str = answer.raise_for_status().json()["table"]
    for owner in owners[1:]:
        (await client.post(f"/api/v1/tables/{name}/seat", json={}, headers=owner)).raise_for_status()
    return name


async def seated(
    servers: list[Server], tables: int, watchers: int, preset: str, computers: str = ""
) -> Crowd:
    """A crowd with four persons at each table; or with one, and `computers` of that name."""
    crowd = Crowd()
    async with contextlib.AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(httpx.AsyncClient(base_url=server.base, timeout=60))
            for server in servers
        ]

        async def table(number: int) -> None:
            server, client = servers[number % len(servers)], clients[number % len(servers)]
            tokens = await newcomers(client, 1 if computers else 4)
            name = await opened(client, preset, tokens, computers)
            board = Board(crowd, name)
            crowd.boards.append(board)
            for token in tokens:
                await crowd.enter(server, board, token, plays=True)
            for _ in range(watchers // tables + (number < watchers % tables)):
                await crowd.enter(server, board, "", plays=False)

        await _gathered([table(number) for number in range(tables)])
    return crowd


async def _bare(server: Server, tables: int, watchers: int) -> Crowd:
    crowd = Crowd()
    for number in range(tables):
        board = Board(crowd, str(number))
        crowd.boards.append(board)
        for at in range(4 + watchers // tables + (number < watchers % tables)):
            await crowd.enter(server, board, "", plays=at < 4)
    return crowd


def _spun() -> float:
    """Seconds of processor time for a fixed piece of work, some five milliseconds. Where other machines share
    the processor, it takes longer at some moments than at others, and so does everything that is measured."""
    began = time.thread_time()
    sum(number * number for number in range(50_000))
    return time.thread_time() - began


def _speeds(spun: list[float]) -> str:
    """The mean speed and the lowest, as shares of the highest."""
    mean, worst = (100 * min(spun) / one for one in (sum(spun) / len(spun), max(spun)))
    return f"{mean:.0f} % (at worst {worst:.0f} %)"


async def measured(
    crowd: Crowd, servers: list[Server], rate: float, seconds: float, company: Crowd | None = None
) -> Figures:
    """Play, the first seconds not counted, and print what it took. `company` are people who play with
    computers meanwhile, each as soon as it is their turn."""
    gc.freeze()  # those who are there are looked through no more for garbage
    beside = asyncio.create_task(company.play(1000.0, 3600.0)) if company is not None else None
    await crowd.play(rate, min(5.0, seconds / 4))
    await asyncio.sleep(0.5)
    crowd.figures = Figures()
    if company is not None:
        company.figures = Figures()
    cpu, own, began = sum(one.cpu() for one in servers), time.process_time(), time.perf_counter()
    most, spun = 0.0, [_spun()]
    playing = asyncio.create_task(crowd.play(rate, seconds))
    while not playing.done():
        await asyncio.wait((playing,), timeout=1)
        most = max(most, *(one.memory() for one in servers))
        spun.append(_spun())
    took = time.perf_counter() - began
    cpu, own = sum(one.cpu() for one in servers) - cpu, time.process_time() - own
    for _ in range(200):  # what is late on a busy machine is late, not lost
        if not crowd.awaited:
            break
        await asyncio.sleep(0.1)
    if beside is not None:
        beside.cancel()
        await asyncio.gather(beside, return_exceptions=True)
    found = crowd.figures
    done = len(found.acks)
    ack, push, watched = (
        [1000 * percentile(values, share) for share in (0.5, 0.99, 1.0)]
        for values in (found.acks, found.pushes, found.watched)
    )
    if missed := crowd.awaited:
        found.errors.append(f"{missed} pictures never came")
    print(
        f"  {done / took:.0f} durable actions/s ({rate:.0f} wanted), "
        f"seen by {len(found.pushes) / took:.0f} players and {len(found.watched) / took:.0f} watchers/s\n"
        f"  ack  p50 {ack[0]:.1f}  p99 {ack[1]:.1f}  max {ack[2]:.0f} ms\n"
        f"  push p50 {push[0]:.1f}  p99 {push[1]:.1f}  max {push[2]:.0f} ms to players; "
        f"p50 {watched[0]:.1f}  p99 {watched[1]:.1f}  max {watched[2]:.0f} ms to watchers\n"
        f"  server {100 * cpu / took:.0f} % of a core, {1000 * cpu / max(1, done):.2f} ms an action; "
        f"driver {100 * own / took:.0f} %; at most {most:.0f} MiB\n"
        f"  {found.stale} stale, {len(found.errors)} errors, {crowd.closed} lines broken, "
        f"{found.late} not sent as nobody was on turn; "
        f"load of the machine {os.getloadavg()[0]:.1f}; a core at {_speeds(spun)} of its best speed",
        flush=True,
    )
    if company is not None:
        moves = [1000 * percentile(company.figures.moves, share) for share in (0.5, 0.99, 1.0)]
        found.errors += company.figures.errors
        print(
            f"  computer players: {len(company.figures.moves) / took:.0f} moves/s beside, "
            f"p50 {moves[0]:.0f}  p99 {moves[1]:.0f}  max {moves[2]:.0f} ms"
        )
    for error in found.errors[:3]:
        print(f"  error: {error}")
    return found


async def _finished(server: Server) -> tuple[str, int]:
    """A match of a person who takes the first way there is, and three computer players: its table once it is
    over, and how many hands it had."""
    async with httpx.AsyncClient(base_url=server.base, timeout=60) as client:
        token = (await client.post("/api/v1/session", json={"name": "P"})).json()["token"]
        client.headers["authorization"] = f"Bearer {token}"
        body = {"preset": "minnesota+target=9", "players": ["rules"] * 3}
        name = (await client.post("/api/v1/tables", json=body)).json()["table"]
        while True:
            seen = (await client.get(f"/api/v1/tables/{name}")).json()
            if seen["over"]:
                return name, len(seen["hands"])
            if seen["waiting"] and seen["seat"] not in seen["ready"]:
                await client.post(f"/api/v1/tables/{name}/next", json={"key": f"next-{seen['seq']:06}"})
            elif seen["seat"] in seen["view"]["owed"]:
                act = {"act": seen["view"]["legal"][0], "seq": seen["seq"], "key": f"act-{seen['seq']:06}"}
                await client.post(f"/api/v1/tables/{name}/actions", json=act)
            else:
                await asyncio.sleep(0.02)


async def _reviewed(server: Server, table: str, hands: int, done: list[float]) -> None:
    """Ask for one full review after the other."""
    async with httpx.AsyncClient(base_url=server.base, timeout=300) as client:
        for hand in range(1, hands + 1):
            for seat in range(4):
                began = time.perf_counter()
                answer = await client.get(f"/t/{table}/review/{hand}", params={"seat": seat, "full": ""})
                answer.raise_for_status()
                done.append(time.perf_counter() - began)


@contextlib.contextmanager
def _kept_to(cores: list[int]) -> Iterator[None]:
    """Programs that are started meanwhile run on these cores."""
    own = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, own)


def main(arguments: list[str] | None = None) -> bool:
    """Measure; whether an error was seen."""
    ask = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    ask.add_argument("--tables", type=int, default=20)
    ask.add_argument("--watchers", type=int, default=20)
    ask.add_argument("--rate", type=float, default=25.0, help="actions a second, over all tables")
    ask.add_argument("--seconds", type=float, default=10.0)
    ask.add_argument("--preset", default="tuppi")
    ask.add_argument("--database", default="", help="postgresql://…; a fresh file otherwise")
    ask.add_argument("--servers", type=int, default=1, help="processes that share a PostgreSQL")
    ask.add_argument("--thinking", type=int, default=0, help="tables beside, of one person and computers")
    ask.add_argument("--player", default="searcher", help="which computers play there")
    ask.add_argument("--reviews", action="store_true", help="review the hands of a finished match meanwhile")
    ask.add_argument("--no-bare", action="store_true", help="leave the bare server out")
    ask.add_argument(
        "--cores", type=int, default=0, help="keep servers to so many cores, the driver to others"
    )
    asked = ask.parse_args(arguments or [])
    cores = sorted(os.sched_getaffinity(0))
    if not 0 <= asked.cores < len(cores):
        ask.error(f"--cores {asked.cores}: this machine has {len(cores)}, and the driver needs one of them")
    more_files(8192)
    people = f"{asked.tables} tables, {4 * asked.tables} players, {asked.watchers} watchers"
    failed = False
    for_servers = cores[: asked.cores] or cores
    os.sched_setaffinity(0, cores[asked.cores :])
    with tempfile.TemporaryDirectory() as folder:
        if not asked.no_bare:
            print(f"bare server, {people}:", flush=True)
            with _kept_to(for_servers):
                server = Server([str(Path(__file__).parent / "_bare.py"), f"{folder}/bare.db"])
            try:
                run(_run_bare(server, asked))
            finally:
                server.stop()
        print(f"nousu, {asked.servers} process(es), {people}:", flush=True)
        database = asked.database or f"{folder}/nousu.db"
        with _kept_to(for_servers):
            servers = [Server.real(database) for _ in range(asked.servers)]
        try:
            found = run(_run_real(servers, asked))
            failed = bool(found.errors)
        finally:
            for server in servers:
                server.stop()
    return failed


async def _run_bare(server: Server, asked: argparse.Namespace) -> None:
    crowd = await _bare(server, asked.tables, asked.watchers)
    await measured(crowd, [server], asked.rate, min(asked.seconds, 30.0))
    await crowd.leave()


async def _run_real(servers: list[Server], asked: argparse.Namespace) -> Figures:
    print(f"  idle {max(one.memory() for one in servers):.0f} MiB", flush=True)
    began = time.perf_counter()
    crowd = await seated(servers, asked.tables, asked.watchers, asked.preset)
    print(f"  everybody seated in {time.perf_counter() - began:.0f} s", flush=True)
    company = None
    if asked.thinking:
        company = await seated(servers, asked.thinking, 0, asked.preset, asked.player)
    done: list[float] = []
    reviewing = None
    if asked.reviews:
        reviewing = asyncio.create_task(_reviewed(servers[0], *await _finished(servers[0]), done))
    found = await measured(crowd, servers, asked.rate, asked.seconds, company)
    if reviewing is not None:
        if reviewing.done():
            reviewing.result()  # a failure is told, not hidden
        reviewing.cancel()
        print(f"  {len(done)} full reviews meanwhile, the slowest in {max(done, default=0.0):.1f} s")
    await crowd.leave()
    if company is not None:
        await company.leave()
    return found


if __name__ == "__main__":
    stop_when_told()
    sys.exit(main(sys.argv[1:]))
