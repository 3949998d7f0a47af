"""What may happen to a server on a bad day: ``python -m bench.soak [kills cuts …]`` (all forms in `FORMS`).

Each form plays against real server processes over loopback, keeps account of what was acknowledged, and
compares that with the log at the end. It prints what it did and ends with 1 if anything was lost, doubled or
out of order.
"""

import argparse
import asyncio
import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench._lines import Line, Page, Server, connected, more_files, parsed, percentile, stop_when_told
from bench.copying import backup
from bench.doubles import doubles
from bench.growth import growth
from bench.history import history, restarts
from bench.load import seated
from bench.races import races
from bench.slow import slow
from bench.times import answers, refusals

Problems = list[str]


def logged(path: Path) -> dict[str, int]:
    """How many events there are of each key."""
    with sqlite3.connect(path) as database:
        found = dict(database.execute("select key, count(*) from events where key is not null group by key"))
        holes = database.execute("select table_id from events group by table_id having max(seq) <> count(*)")
        assert holes.fetchall() == [], "numbers are missing"
    database.close()
    return found


def kills(path: Path, rounds: int) -> Problems:
    """P3 and P5: SIGKILL at a random moment of play, ``rounds`` times; everything acknowledged is there once
    and the first action after the start is accepted soon."""
    rng = random.Random(1)
    acknowledged: set[str] = set()
    starts: list[float] = []

    async def play(server: Server, number: int, began: float) -> None:
        crowd = await seated([server], tables=4, watchers=0, preset="tuppi")
        crowd.number = number * 1_000_000  # keys of their own for every round
        first = asyncio.Event()

        def listening(own: Callable[[Line, bytes, float], None]) -> Callable[[Line, bytes, float], None]:
            def heard(line: Line, text: bytes, now: float) -> None:
                if key := parsed(text).get("ok"):
                    acknowledged.add(key)
                    first.set()
                own(line, text, now)

            return heard

        for board in crowd.boards:
            for seat in board.seats:
                if seat.line is not None:
                    seat.line.heard = listening(seat.heard)
        playing = asyncio.create_task(crowd.play(80, 30))
        await asyncio.wait_for(first.wait(), 30)
        starts.append(time.monotonic() - began)
        await asyncio.sleep(rng.uniform(0.1, 1.5))
        server.tell(signal.SIGKILL)
        await asyncio.sleep(0.2)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await crowd.leave()

    for number in range(rounds):
        began = time.monotonic()
        server = Server.real(str(path), NOUSU_WORKERS="0")
        try:
            asyncio.run(play(server, number, began))
        finally:
            server.stop(signal.SIGKILL)
    found = logged(path)
    problems = [f"{key} was acknowledged and is lost" for key in acknowledged - found.keys()]
    problems += [f"{key}: {count} events" for key, count in found.items() if count != 1]
    print(
        f"  {rounds} kills, {len(acknowledged)} acknowledged actions; start, seating and first action "
        f"p50 {percentile(starts, 0.5):.1f} s"
    )
    return problems


def cuts(path: Path, rounds: int) -> Problems:
    """P6: live lines broken off at random moments of play; whoever comes back has the whole present picture,
    and no picture is older than the one before."""
    problems: Problems = []
    times: list[float] = []
    rng = random.Random(3)
    server = Server.real(str(path), NOUSU_WORKERS="0")

    async def again(name: str, least: int) -> tuple[Line, Page]:
        page, came = Page(), asyncio.Event()

        def heard(_: Line, text: bytes, now: float) -> None:
            message = parsed(text)
            if "parts" in message:
                if not page.seq and not all(isinstance(part, str) for part in message["parts"]):
                    problems.append("a new page was sent a part of a picture")
                if message["seq"] < page.seq or message["seq"] < least:
                    problems.append(f"picture {message['seq']} after {max(page.seq, least)}")
                page.heard(message)
                came.set()

        line = await connected(server.host, server.port, f"/t/{name}/live", "", heard)
        await asyncio.wait_for(came.wait(), 30)
        return line, page

    async def play() -> None:
        crowd = await seated([server], tables=8, watchers=0, preset="tuppi")
        playing = asyncio.create_task(crowd.play(40, 3600))
        held = {board.name: await again(board.name, 0) for board in crowd.boards}
        for _ in range(rounds):
            name = rng.choice(list(held))
            line, page = held[name]
            await asyncio.sleep(rng.uniform(0, 0.02))
            line.cut()
            began = time.perf_counter()
            held[name] = await again(name, page.seq)
            times.append(time.perf_counter() - began)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        problems.extend(crowd.figures.errors)
        for line, _ in held.values():
            line.cut()
        await crowd.leave()

    try:
        asyncio.run(play())
    finally:
        server.stop()
    p50, p99 = percentile(times, 0.5), percentile(times, 0.99)
    print(f"  {rounds} cuts; live again p50 {p50:.3f} s, p99 {p99:.3f} s")
    return problems


FORMS: dict[str, tuple[Callable[[Path, int], Problems], int]] = {
    "kills": (kills, 50),
    "doubles": (doubles, 20_000),
    "races": (races, 50_000),
    "cuts": (cuts, 3000),
    "history": (history, 500),
    "restarts": (restarts, 50),
    "backup": (backup, 4),
    "slow": (slow, 10),
    "growth": (growth, 120),
    "answers": (answers, 1_000_000),
    "refusals": (refusals, 1_000_000),
}
"""Each form with its rounds (of `history`, its tables; of `growth`, its minutes; of others, turns)."""


def main(arguments: list[str] | None = None) -> bool:
    """Run forms; whether anything was wrong."""
    ask = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    ask.add_argument("forms", nargs="*", choices=[*FORMS, []], default=[])
    ask.add_argument("--rounds", type=int, help="instead of each form's own")
    ask.add_argument("--database", default="", help="for history: an empty postgresql://…; else a fresh file")
    asked = ask.parse_args(arguments or [])
    more_files(8192)
    wrong: dict[str, Problems] = {}
    for name in asked.forms or FORMS:
        form, rounds = FORMS[name]
        if form is history:
            form = partial(history, database=asked.database)
        rounds = min(rounds, 5) if arguments is None else rounds  # among all benchmarks: a taste
        print(f"{name}:", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            wrong[name] = form(Path(folder) / "nousu.db", asked.rounds or rounds)
        print("  " + ("; ".join(wrong[name][:5]) or "nothing lost, doubled or out of order"), flush=True)
    return any(wrong.values())


if __name__ == "__main__":
    stop_when_told()
    sys.exit(main(sys.argv[1:]))
