"""Effect of hidden cards on answer times (µs, and standard errors) (P8); goal: at most 5 standard errors.

`answers`: at some tables one user sits among three computer players, and the time of each of their cards is
compared with facts about their hands. `refusals`: at others four users try cards that they do not have, and
the time of a refusal is compared with the owner of that card. Minnesota Whist is played: every hand is played
to the last card, so afterwards all hands are known.
"""

import asyncio
import json
import random
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from bench.crowd import action_body, create_sessions, open_table
from bench.page_client import Connection, Page, connect, parse_message, shows_table
from bench.results import Report
from bench.server_process import Server

PRESET = "minnesota"
PLAYERS = {"strong": (40, 0.02), "searcher": (40, 0.02), "rules": (200, 1.0)}
"""Computer players, their tables (as many as one worker serves), and their share of the answers wanted:
searching players answer less often in the same time."""
REFUSAL_TABLES = 8
MOST_ERRORS = 5.0
"""Standard errors by which two means may differ."""
_PROGRESS = 600.0
"""Seconds between two lines of progress."""
_IDLE = 5.0
"""Seconds without a page after which a match may be over."""
_KEYS = count()
"""Keys of refused actions: users at one table may not share a key."""
_FEWEST = 5
"""Least number of times of each kind for a situation to count."""


@dataclass
class Moments:
    """Number, sum and sum of squares of some times in seconds."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, seconds: float) -> None:
        """Add a time."""
        self.count += 1
        self.total += seconds
        self.squares += seconds * seconds

    @property
    def mean(self) -> float:
        return self.total / self.count

    @property
    def variance(self) -> float:
        return max(0.0, self.squares - self.total * self.mean) / (self.count - 1)


@dataclass
class Comparison:
    """Times with and without a hidden fact, separated by the public situation."""

    situations: dict[tuple[object, ...], tuple[Moments, Moments]] = field(default_factory=dict)

    def add(self, situation: tuple[object, ...], fact: bool, seconds: float) -> None:
        """Add a time.

        Args:
            situation: The public facts.
            fact: Whether the hidden fact is true.
            seconds: The time.
        """
        self.situations.setdefault(situation, (Moments(), Moments()))[fact].add(seconds)

    def welch(self) -> tuple[int, float, float]:
        """Welch's statistic over all situations, weighted by their information.

        Returns:
            The number of times that count, the difference in seconds where the fact is true, and that
            difference in standard errors.
        """
        number, weights, longer, variance = 0, 0.0, 0.0, 0.0
        for no, yes in self.situations.values():
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


Comparisons = dict[str, Comparison]
"""Comparisons by hidden fact."""


def report_comparisons(what: str, comparisons: Comparisons, report: Report) -> None:
    """Report for each hidden fact by how much it changes the times."""
    for fact, comparison in comparisons.items():
        number, longer, errors = comparison.welch()
        report.add(f"{what}, {fact}: difference", 1e6 * longer, "µs", n=number)
        figure = f"{what}, {fact}: size of the difference"
        report.add(figure, abs(errors), "standard errors", n=number, at_most=MOST_ERRORS)


async def _run_jobs(what: str, comparisons: Comparisons, jobs: list[Coroutine[Any, Any, None]]) -> None:
    """Run all jobs and print the comparisons so far now and then."""

    async def show_progress() -> None:
        while True:
            await asyncio.sleep(_PROGRESS)
            report_comparisons(f"{what}, so far", comparisons, Report(""))

    progress = asyncio.create_task(show_progress())
    try:
        async with asyncio.TaskGroup() as group:
            for job in jobs:
                group.create_task(job)
    finally:
        progress.cancel()


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
    def is_high(self) -> bool:
        return self.card[1:] in ("A", "K", "Q", "J")


def hidden_facts(plays: list[Play], at: int) -> dict[str, bool]:
    """Facts about the hand from which card number `at` was played, and about its partner's."""
    own = [play for play in plays[at:] if play.seat == plays[at].seat]
    seats = sorted({play.seat for play in plays}, key="NESW".index)
    partner = seats[(seats.index(plays[at].seat) + 2) % 4]
    opposite = [play for play in plays[at:] if play.seat == partner]
    trick = plays[at - at % 4 : at]
    led = trick[0].suit if trick else ""
    playable = [play for play in own if play.suit == led] or own
    high = sum(play.is_high for play in own)
    return {
        "one card to choose from": len(playable) == 1,
        "more than half its cards high": 2 * high > len(own),
        "its partner has more high cards": sum(play.is_high for play in opposite) > high,
    }


class Listener:
    """The page of a user who plays at random among computer players."""

    def __init__(self, name: str, rng: random.Random) -> None:
        self.name = name
        self.page = Page()
        self.connection: Connection | None = None
        self.times: dict[int, float] = {}
        """Arrival of the page of each event."""
        self.own_events: set[int] = set()
        self.hand_over: asyncio.Event = asyncio.Event()
        self._pending = ""
        self._rng = rng
        self._number = 0

    def receive(self, connection: Connection, text: bytes, now: float) -> None:
        """Handle a message of the server."""
        self.connection = connection
        message = parse_message(text)
        if shows_table(message):
            self.page.update(message)
            self.times.setdefault(message["seq"], now)
        elif message.get("ok", message.get("key")) == self._pending:
            self._pending = ""
            if "ok" in message:
                self.own_events.add(message["seq"])
                self.page.wait_for_event(message["seq"])
        if self.page.actions and not self._pending:
            if self.page.actions == ["next"]:
                self.hand_over.set()
            else:
                self.send(action_body(self._rng.choice(self.page.actions), self.page.seq))

    def send(self, body: dict[str, Any]) -> None:
        """Send an action."""
        assert self.connection is not None
        self._number += 1
        self._pending = f"time-{self._number:08}"
        self.connection.send(json.dumps({**body, "key": self._pending}))


async def _measure_answers(server: Server, player: str, tables: int, wanted: int) -> Comparisons:
    """Compare the times of so many answers of a computer player."""
    comparisons: Comparisons = {}
    done = 0

    async def watch_table(number: int) -> None:
        nonlocal done
        await asyncio.sleep(number * 5.0 / tables)  # not all in step
        async with httpx.AsyncClient(
            base_url=server.base,
            timeout=60,
            limits=httpx.Limits(max_keepalive_connections=0),  # a hand takes longer than one stays open
        ) as client:
            (token,) = await create_sessions(client, 1)
            client.headers["authorization"] = f"Bearer {token}"
            while done < wanted:
                name = await open_table(client, PRESET, [token], player)
                listener = Listener(name, random.Random(number))
                path = f"/t/{name}/live"
                listener.connection = await connect(server.host, server.port, path, token, listener.receive)
                while done < wanted:
                    await asyncio.sleep(1.0)
                    listener.connection.send_heartbeat(plays=True)
                    idle = time.perf_counter() - max(listener.times.values(), default=0.0) > _IDLE
                    if not (listener.hand_over.is_set() or (idle and listener.times)):
                        continue
                    state = (await client.get(f"/api/v1/tables/{name}")).json()
                    if not (state["over"] or listener.hand_over.is_set()):
                        continue
                    done += _add_hand(comparisons, listener, state)
                    if state["over"]:
                        break
                    listener.hand_over.clear()
                    listener.times.clear()
                    listener.send({"next": True})
                listener.connection.abort()

    await _run_jobs(f"answers of {player}", comparisons, [watch_table(number) for number in range(tables)])
    return comparisons


def _add_hand(comparisons: Comparisons, listener: Listener, state: dict[str, Any]) -> int:
    """Add the times of a finished hand and return their number."""
    log = [entry.split() for entry in state["view"]["heard"]]
    first = next(at for at, entry in enumerate(log) if "play" in entry)
    plays = [Play(entry[0], entry[2]) for entry in log[first:]]
    assert len(plays) == 52 and all(entry[1] == "play" for entry in log[first:])
    begin = state["seq"] - len(plays) + 1
    if any((begin + at in listener.own_events) != (play.seat == "N") for at, play in enumerate(plays)):
        print(f"  a hand is left out: other events than cards happened at table {listener.name}", flush=True)
        return 0
    number = 0
    for at in range(1, 52):
        if plays[at].seat == "N" or not {begin + at, begin + at - 1} <= listener.times.keys():
            continue
        seconds = listener.times[begin + at] - listener.times[begin + at - 1]
        for fact, true in hidden_facts(plays, at).items():
            comparisons.setdefault(fact, Comparison()).add((at, plays[at - 1].seat == "N"), true, seconds)
        number += 1
    return number


def answers(path: Path, rounds: int, report: Report) -> None:
    """Compare `rounds` answers of `rules` and some of each searching player with hidden facts (P8)."""
    for player, (tables, share) in PLAYERS.items():
        server = Server.real(str(path.with_name(f"{player}.db")), NOUSU_PACE="0.7")
        try:
            wanted = max(1, int(rounds * share))
            comparisons = asyncio.run(_measure_answers(server, player, tables, wanted))
        finally:
            server.stop()
        report_comparisons(f"answers of {player}", comparisons, report)


# ------------------------------------------------------------------------------------------------- refusals


class Prober:
    """A user at a table, one of four run by this program."""

    def __init__(self) -> None:
        self.page = Page()
        self.connection: Connection | None = None
        self._answer: asyncio.Future[tuple[dict[str, Any], float]]
        self._key = ""

    def receive(self, _: Connection, text: bytes, now: float) -> None:
        """Handle a message of the server."""
        message = parse_message(text)
        if shows_table(message):
            self.page.update(message)
        elif message.get("ok", message.get("key")) == self._key and not self._answer.done():
            self._answer.set_result((message, now))

    async def request(self, body: dict[str, Any]) -> tuple[dict[str, Any], float]:
        """Send an action and return its answer and the seconds that took."""
        assert self.connection is not None
        self._key = f"probe-{next(_KEYS):08}"
        self._answer = asyncio.get_running_loop().create_future()
        began = time.perf_counter()
        self.connection.send(json.dumps({**body, "key": self._key}))
        message, now = await asyncio.wait_for(self._answer, 30)
        return message, now - began


async def _measure_refusals(server: Server, wanted: int, tables: int) -> Comparisons:
    """Compare the times of so many refusals of a card that another player has."""
    partner, suit = "the partner has that card", "its owner has no other of its suit"
    comparisons = {partner: Comparison(), suit: Comparison()}
    done = 0

    async def play_match(client: httpx.AsyncClient, tokens: list[str], rng: random.Random) -> None:
        nonlocal done
        owners = [{"authorization": f"Bearer {token}"} for token in tokens]
        name = await open_table(client, PRESET, tokens)
        probers = [Prober() for _ in tokens]
        for prober, token in zip(probers, tokens, strict=True):
            path = f"/t/{name}/live"
            prober.connection = await connect(server.host, server.port, path, token, prober.receive)
        while done < wanted:
            path = f"/api/v1/tables/{name}"
            states = [(await client.get(path, headers=owner)).json() for owner in owners]
            if states[0]["over"]:
                break
            if states[0]["waiting"]:
                for prober in probers:
                    await prober.request({"next": True})
                continue
            seat = next((at for at in range(4) if states[at]["view"]["legal"]), None)
            if seat is None:  # the cards are being dealt
                await asyncio.sleep(0.01)
                continue
            legal = states[seat]["view"]["legal"]
            if legal[0].startswith("play"):
                tried = await try_cards(probers[seat], seat, states, rng)
                done += tried  # other tables may have changed it meanwhile
            await probers[seat].request({"act": rng.choice(legal), "seq": states[seat]["seq"]})
        for prober in probers:
            if prober.connection is not None:
                prober.connection.abort()

    async def try_cards(prober: Prober, seat: int, states: list[dict[str, Any]], rng: random.Random) -> int:
        """Try every card of the other hands and return their number."""
        hands = [state["view"]["cards"] for state in states]
        cards = [(card, owner) for owner in range(4) if owner != seat for card in hands[owner]]
        rng.shuffle(cards)
        situation = (len(hands[seat]), len(states[seat]["view"]["trick"]))
        for card, owner in cards:
            answer, seconds = await prober.request({"act": f"play {card}", "seq": states[seat]["seq"]})
            assert "error" in answer, f"{card} was accepted"
            single = sum(other[0] == card[0] for other in hands[owner]) == 1
            comparisons[partner].add(situation, owner == (seat + 2) % 4, seconds)
            comparisons[suit].add(situation, single, seconds)
        return len(cards)

    async def probe_table(number: int) -> None:
        async with httpx.AsyncClient(base_url=server.base, timeout=60) as client:
            tokens, rng = await create_sessions(client, 4), random.Random(number)
            while done < wanted:
                await play_match(client, tokens, rng)

    await _run_jobs("refusals", comparisons, [probe_table(number) for number in range(tables)])
    return comparisons


def refusals(path: Path, rounds: int, report: Report) -> None:
    """Compare `rounds` refusals of a card with its owner (P8)."""
    server = Server.real(str(path), NOUSU_WORKERS="0")
    try:
        tables = min(REFUSAL_TABLES, 1 + rounds // 100)
        comparisons = asyncio.run(_measure_refusals(server, rounds, tables))
    finally:
        server.stop()
    report_comparisons("refusals", comparisons, report)
