"""Whether the time of an answer tells a hidden card: ``python -m bench.soak answers refusals`` (P8).

At some tables one person sits among three computer players, and how long each of them takes for each card is
compared with what its hand was. At others four persons sit, and try to play cards that they do not have: how
long a refusal takes is compared with who has that card. Minnesota is played, in which every hand is played
to the last card, so that afterwards everybody can tell who had what.
"""

import asyncio
import json
import random
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from bench._lines import Line, Page, Server, connected, parsed
from bench.load import newcomers, opened

PRESET = "minnesota"
PLAYERS = {"strong": (40, 0.02), "searcher": (40, 0.02), "rules": (200, 1.0)}
"""Computer players, at how many tables each is watched, as many as one worker keeps up with, and how much of
the answers asked for is taken of it: in the same time, those who search answer less often."""
PROBED = 8
"""Tables at which cards are tried that somebody else has."""
MOST_T = 5.0
"""How many standard errors two means may lie apart."""
_TOLD_EVERY = 600.0
"""Seconds after which it is told how far things are."""
_STILL = 5.0
"""Seconds without a picture after which a match may be over."""
_FEWEST = 5
"""Times of each kind that must have been seen in a situation for it to count."""


@dataclass
class Moments:
    """Number, sum and sum of squares of some times."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        """One more."""
        self.count += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        return self.total / self.count

    @property
    def variance(self) -> float:
        return max(0.0, self.squares - self.total * self.mean) / (self.count - 1)


@dataclass
class Compared:
    """Times in which something was so and in which it was not, apart by what everybody could see."""

    seen: dict[tuple[object, ...], tuple[Moments, Moments]] = field(default_factory=dict)

    def add(self, public: tuple[object, ...], secret: bool, value: float) -> None:
        """One more time."""
        self.seen.setdefault(public, (Moments(), Moments()))[secret].add(value)

    def welch(self) -> tuple[int, float, float]:
        """How many times count, how much longer they are where it is so, and that in standard errors: Welch's
        statistic in each situation, the situations weighed by how much they tell."""
        number, weights, longer, variance = 0, 0.0, 0.0, 0.0
        for no, yes in self.seen.values():
            if min(no.count, yes.count) < _FEWEST:
                continue
            number += no.count + yes.count
            weight = no.count * yes.count / (no.count + yes.count)
            weights += weight
            longer += weight * (yes.mean - no.mean)
            variance += weight**2 * (no.variance / no.count + yes.variance / yes.count)
        if not variance:
            return number, 0.0, 0.0
        return number, longer / weights, longer / variance**0.5


Figures = dict[str, Compared]
"""By what is compared."""


def _told(what: str, figures: Figures) -> list[str]:
    """Print what the times tell; which of it they may not."""
    problems = []
    for secret, compared in figures.items():
        number, longer, t = compared.welch()
        print(f"  {what}, {secret}: {number} times, {1e6 * longer:+.1f} µs, t = {t:+.2f}", flush=True)
        if abs(t) > MOST_T:
            problems.append(f"{what} tells {secret}: t = {t:.2f} ({number} times)")
    return problems


async def _with_interim(what: str, figures: Figures, jobs: list[Coroutine[Any, Any, None]]) -> None:
    """Do all of that, and tell now and then what has been seen so far."""

    async def telling() -> None:
        while True:
            await asyncio.sleep(_TOLD_EVERY)
            _told(f"{what}, so far", figures)

    told = asyncio.create_task(telling())
    try:
        async with asyncio.TaskGroup() as group:
            for job in jobs:
                group.create_task(job)
    finally:
        told.cancel()


# ------------------------------------------------------------------------------- answers of computer players


@dataclass(frozen=True)
class Play:
    """A card in the log of a hand."""

    seat: str
    card: str

    @property
    def suit(self) -> str:
        return self.card[0]

    @property
    def high(self) -> bool:
        return self.card[1:] in ("A", "K", "Q", "J")


def secrets(plays: list[Play], at: int) -> dict[str, bool]:
    """What nobody else knew of the hand from which that card was played, and of the one opposite."""
    own = [play for play in plays[at:] if play.seat == plays[at].seat]
    places = sorted({play.seat for play in plays}, key="NESW".index)
    partner = places[(places.index(plays[at].seat) + 2) % 4]
    opposite = [play for play in plays[at:] if play.seat == partner]
    trick = plays[at - at % 4 : at]
    led = trick[0].suit if trick else ""
    follow = [play for play in own if play.suit == led] or own
    return {
        "one card to choose from": len(follow) == 1,
        "more than half its cards high": 2 * sum(play.high for play in own) > len(own),
        "its partner has more high cards": sum(play.high for play in opposite)
        > sum(play.high for play in own),
    }


class Listener:
    """The page of a person who plays at random among computer players."""

    def __init__(self, name: str, rng: random.Random) -> None:
        self.name = name
        self.page = Page()
        self.line: Line | None = None
        self.times: dict[int, float] = {}
        """When the picture of each event came."""
        self.own: set[int] = set()
        """The events that this person made."""
        self.waits = ""
        self.due: asyncio.Event = asyncio.Event()
        """The hand is over."""
        self._rng = rng
        self._number = 0

    def heard(self, line: Line, text: bytes, now: float) -> None:
        """A message from the server."""
        self.line = line
        message = parsed(text)
        if "parts" in message:
            self.page.heard(message)
            self.times.setdefault(message["seq"], now)
        elif message.get("ok", message.get("key")) == self.waits:
            self.waits = ""
            if "ok" in message:
                self.own.add(message["seq"])
                if self.page.seq < message["seq"]:
                    self.page.acts = []  # what may be done next comes with the picture
        if self.page.acts and not self.waits:
            if self.page.acts == ["next"]:
                self.due.set()
            else:
                self.send({"act": self._rng.choice(self.page.acts), "seq": self.page.seq})

    def send(self, body: dict[str, Any]) -> None:
        """Do something."""
        assert self.line is not None
        self._number += 1
        self.waits = f"time-{self._number:08}"
        self.line.send(json.dumps({**body, "key": self.waits}))


async def _answered(server: Server, player: str, tables: int, wanted: int) -> Figures:
    """Watch so many answers."""
    figures: Figures = {}
    done = 0

    async def table(number: int) -> None:
        nonlocal done
        await asyncio.sleep(number * 5.0 / tables)  # not all in step
        async with httpx.AsyncClient(
            base_url=server.base,
            timeout=60,
            limits=httpx.Limits(max_keepalive_connections=0),  # a hand takes longer than one is kept
        ) as client:
            (token,) = await newcomers(client, 1)
            client.headers["authorization"] = f"Bearer {token}"
            while done < wanted:
                name = await opened(client, PRESET, [token], player)
                one = Listener(name, random.Random(number))
                one.line = await connected(server.host, server.port, f"/t/{name}/live", token, one.heard)
                while done < wanted:
                    await asyncio.sleep(1.0)
                    one.line.beat(plays=True)
                    still = time.perf_counter() - max(one.times.values(), default=0.0) > _STILL
                    if not (one.due.is_set() or (still and one.times)):
                        continue
                    seen = (await client.get(f"/api/v1/tables/{name}")).json()
                    over = seen["over"]
                    if not (over or one.due.is_set()):
                        continue
                    done += _counted(figures, one, seen)
                    if over:
                        break
                    one.due.clear()
                    one.times.clear()
                    one.send({"next": True})
                one.line.cut()

    await _with_interim(f"answers of {player}", figures, [table(number) for number in range(tables)])
    return figures


def _counted(figures: Figures, one: Listener, seen: dict[str, Any]) -> int:
    """Note the times of a finished hand; how many there were."""
    log = [entry.split() for entry in seen["view"]["heard"]]
    first = next(at for at, entry in enumerate(log) if "play" in entry)
    plays = [Play(entry[0], entry[2]) for entry in log[first:]]
    assert len(plays) == 52 and all(entry[1] == "play" for entry in log[first:])
    begins = seen["seq"] - len(plays) + 1
    if any((begins + at in one.own) != (play.seat == "N") for at, play in enumerate(plays)):
        print(f"  a hand is left out: other things than cards happened at table {one.name}", flush=True)
        return 0
    number = 0
    for at in range(1, 52):
        if plays[at].seat == "N" or not {begins + at, begins + at - 1} <= one.times.keys():
            continue
        took = one.times[begins + at] - one.times[begins + at - 1]
        for secret, so in secrets(plays, at).items():
            figures.setdefault(secret, Compared()).add((at, plays[at - 1].seat == "N"), so, took)
        number += 1
    return number


def answers(path: Path, rounds: int) -> list[str]:
    """P8: so many answers of the player called `rules`, and some of each that searches; whether their times
    tell a hidden card."""
    problems: list[str] = []
    for player, (tables, share) in PLAYERS.items():
        server = Server.real(str(path.with_name(f"{player}.db")), NOUSU_PACE="0.7")
        try:
            figures = asyncio.run(_answered(server, player, tables, max(1, int(rounds * share))))
        finally:
            server.stop()
        problems += _told(f"answers of {player}", figures)
    return problems


# ------------------------------------------------------------------------------------------------- refusals


class Probe:
    """One of four persons at a table, all in this program's hands."""

    def __init__(self) -> None:
        self.page = Page()
        self.line: Line | None = None
        self.answered: asyncio.Future[tuple[dict[str, Any], float]]
        self.key = ""

    def heard(self, _: Line, text: bytes, now: float) -> None:
        """A message from the server."""
        message = parsed(text)
        if "parts" in message:
            self.page.heard(message)
        elif message.get("ok", message.get("key")) == self.key and not self.answered.done():
            self.answered.set_result((message, now))

    async def ask(self, body: dict[str, Any], key: str) -> tuple[dict[str, Any], float]:
        """The answer to a message, and the seconds it took."""
        assert self.line is not None
        self.key, self.answered = key, asyncio.get_running_loop().create_future()
        began = time.perf_counter()
        self.line.send(json.dumps({**body, "key": key}))
        message, now = await asyncio.wait_for(self.answered, 30)
        return message, now - began


async def _refused(server: Server, wanted: int, tables: int) -> Figures:
    """Try so many cards that somebody else has."""
    figures = {"the partner has that card": Compared(), "who has it has one of its suit": Compared()}
    done = 0

    async def table(number: int) -> None:
        nonlocal done
        rng = random.Random(number)
        asked = 0

        def key() -> str:
            nonlocal asked
            asked += 1
            return f"probe-{asked:08}"

        async with httpx.AsyncClient(base_url=server.base, timeout=60) as client:
            tokens = await newcomers(client, 4)
            owners = [{"authorization": f"Bearer {token}"} for token in tokens]
            while done < wanted:
                name = await opened(client, PRESET, tokens)
                path = f"/api/v1/tables/{name}"
                probes = [Probe() for _ in tokens]
                for probe, token in zip(probes, tokens, strict=True):
                    live = f"/t/{name}/live"
                    probe.line = await connected(server.host, server.port, live, token, probe.heard)
                while done < wanted:
                    seen = [(await client.get(path, headers=owner)).json() for owner in owners]
                    if seen[0]["over"]:
                        break
                    if seen[0]["waiting"]:
                        for probe in probes:
                            await probe.ask({"next": True}, key())
                        continue
                    seat = next((at for at in range(4) if seen[at]["view"]["legal"]), None)
                    if seat is None:  # the cards are being dealt
                        await asyncio.sleep(0.01)
                        continue
                    legal = seen[seat]["view"]["legal"]
                    if legal[0].startswith("play"):
                        tried = await probe_all(probes[seat], seat, seen, rng, key)
                        done += tried  # which others may have changed meanwhile
                    act = {"act": rng.choice(legal), "seq": seen[seat]["seq"]}
                    await probes[seat].ask(act, key())
                for probe in probes:
                    if probe.line is not None:
                        probe.line.cut()

    async def probe_all(
        probe: Probe, seat: int, seen: list[dict[str, Any]], rng: random.Random, key: Callable[[], str]
    ) -> int:
        hands = [one["view"]["cards"] for one in seen]
        others = [(card, owner) for owner in range(4) if owner != seat for card in hands[owner]]
        rng.shuffle(others)
        public = (len(hands[seat]), len(seen[seat]["view"]["trick"]))
        for card, owner in others:
            answer, took = await probe.ask({"act": f"play {card}", "seq": seen[seat]["seq"]}, key())
            assert "error" in answer, f"{card} was accepted"
            alone = sum(one[0] == card[0] for one in hands[owner]) == 1
            figures["the partner has that card"].add(public, owner == (seat + 2) % 4, took)
            figures["who has it has one of its suit"].add(public, alone, took)
        return len(others)

    await _with_interim("refusals", figures, [table(number) for number in range(tables)])
    return figures


def refusals(path: Path, rounds: int) -> list[str]:
    """P8: so many refusals of a card that somebody else has; whether their times tell who has it."""
    server = Server.real(str(path), NOUSU_WORKERS="0")
    try:
        return _told("refusals", asyncio.run(_refused(server, rounds, min(PROBED, 1 + rounds // 100))))
    finally:
        server.stop()
