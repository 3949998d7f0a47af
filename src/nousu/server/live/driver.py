"""The driver of a table: takes its due steps, and lets its computer players think."""

import asyncio
import hmac
import logging
import math
from collections.abc import Callable
from typing import NamedTuple, Protocol

from nousu.engine.actions import Action, Entry
from nousu.engine.match import Match
from nousu.engine.seats import Seat
from nousu.players.claims import Kind
from nousu.server.errors import RequestError, safe_traceback
from nousu.server.live.workers import Workers
from nousu.server.table import commands, schedule
from nousu.server.table.schedule import DueStep
from nousu.server.table.seats import is_left_to_computers
from nousu.server.table.table import Change, Table

_LOG = logging.getLogger(__name__)
_RETRY = 1.0
"""Seconds between attempts to store the table's own steps while the disk refuses."""
_QUANTUM = 0.25
"""Quantum of answer times, in seconds, of computer players that think longer than the pace: so the time
tells less than a person's hesitation would (0 at pace 0)."""


def claim_kind(what: str) -> Kind:
    """The kind of a claim among the requests of a table."""
    return "mine" if what == "claim mine" else "theirs"


Decide = Callable[[Table, float], Change | int]
"""A function that turns a table, at a time, into a change, or the number of an event already stored."""


class DrivenTable(Protocol):
    """A table in use as its driver sees it: a `nousu.server.live.room.Room`."""

    table: Table
    pulse: asyncio.Event
    now: Callable[[], float]

    @property
    def is_behind(self) -> bool:
        """Whether another process has stored events that are not loaded here."""
        ...

    async def follow(self) -> None:
        """Wait for the other process, and load them."""
        ...

    async def commit(self, decide: Decide) -> int:
        """Change the table; return the number of the event."""
        ...


class _Thought(NamedTuple):
    about: tuple[Match | None, Seat, str]
    """The position, the seat that thinks, and the name of its computer player."""
    task: asyncio.Task[Action | None]


class Driver:
    """The driver of one table, which takes its due steps."""

    def __init__(self, room: DrivenTable, workers: Workers) -> None:
        self._room = room
        self._workers = workers
        self._declined: frozenset[Seat] = frozenset()
        """Computer players that did not want to interrupt at this position."""
        self._thought: _Thought | None = None
        self._task: asyncio.Task[None] | None = None
        self._hurried = False
        """True while computer players finish this hand at once, and the next, until a person has cards."""

    def start(self) -> None:
        """Start the driver, unless it runs."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._drive(), name=f"table {self._room.table.id}")

    async def stop(self) -> None:
        """Stop the driver, in the middle of a thought if need be."""
        if self._thought is not None:
            self._thought.task.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    def hurry(self) -> None:
        """Let computer players finish the hand at once."""
        self._hurried = True

    def forget_declined(self) -> None:
        """Ask computer players anew whether they interrupt: the position has changed."""
        self._declined = frozenset()

    def due_steps(self) -> tuple[DueStep, ...]:
        """The steps that are due now or later."""
        return schedule.due_steps(self._room.table, self._declined)

    async def _drive(self) -> None:
        room = self._room
        while not room.table.over:
            pulse, table = room.pulse, room.table
            try:
                if room.is_behind:
                    await room.follow()
                    continue
                steps = self.due_steps()
                if not steps:
                    await pulse.wait()
                else:
                    await self._take(table, min(steps, key=lambda step: step.at), pulse)
            except RequestError:
                await asyncio.sleep(_RETRY)
            except Exception as error:
                _LOG.error("table %s stopped: %s", table.id, safe_traceback(error))
                await pulse.wait()

    async def _take(self, table: Table, step: DueStep, pulse: asyncio.Event) -> None:
        """Think and wait for the step that is due first, and take it, unless the table changes meanwhile."""
        hurried = self._is_hurried(table)
        calm = table.pace > 0 and not hurried
        if hurried:
            step = step._replace(at=table.since)
        thought = self._thinking(table, step)
        if step.what == "settle":
            if not await self._changed_before(pulse, step.at):
                await self._settle(table)
            return
        due = _answer_time(step.at, self._room.now()) if thought is not None and calm else step.at
        if await self._changed_before(pulse, due):
            return
        while thought is not None and not thought.done():
            if calm:
                due = max(due, self._room.now()) + _QUANTUM
                if await self._changed_before(pulse, due):
                    return
            else:
                await asyncio.wait((thought,))
        self._thought = None
        action = thought.result() if thought is not None else None
        if step.what == "interrupt" and action is None:
            if self._room.table is table:
                self._declined |= {step.seat}
            return
        await self._room.commit(
            lambda now, at: schedule.take_step(now, step, action, at) if now is table else now.seq
        )

    def _is_hurried(self, table: Table) -> bool:
        match = table.match
        if self._hurried:
            self._hurried = match is not None and (
                table.resting or is_left_to_computers(match.hand.view(None), table.seats.persons())
            )
        return self._hurried and not table.resting

    async def _settle(self, table: Table) -> None:
        """Carry out the request that all agreed to."""
        request = table.requests.open
        plays: tuple[Entry, ...] = ()
        assert request is not None and table.match is not None
        if request.what != "undo":
            kind = claim_kind(request.what)
            plays = await self._workers.play_out(table.match.hand, request.seat, kind)
        await self._room.commit(lambda now, at: commands.settle(now, plays, at) if now is table else now.seq)

    def _thinking(self, table: Table, step: DueStep) -> "asyncio.Task[Action | None] | None":
        """The thought that a step needs; the one begun already if it is about the same position.

        People who come, go or add to the shuffles must not make others begin anew.
        """
        thinks = step.what in ("choose", "interrupt")
        about = (table.match, step.seat, table.seats.by_seat[step.seat].played_by) if thinks else None
        if self._thought is not None:
            old, task = self._thought
            if about is not None and old[0] is about[0] and old[1:] == about[1:]:
                return task
            task.cancel()
        self._thought = None
        if about is not None:
            self._thought = _Thought(about, asyncio.create_task(self._choose(table, step.seat)))
            return self._thought.task
        return None

    async def _choose(self, table: Table, seat: Seat) -> Action | None:
        assert table.match is not None
        # Chat and changes of people must not make a computer player think again otherwise.
        seed = hmac.digest(table.shuffles.secret, f"player {seat} {table.fresh}".encode(), "sha256")
        view = table.match.hand.view(seat)
        player = table.seats.by_seat[seat].played_by
        return await self._workers.choose(player, view, int.from_bytes(seed[:6], "big"))

    async def _changed_before(self, pulse: asyncio.Event, at: float) -> bool:
        """Wait until the table changes (True) or the time has come (False)."""
        left = at - self._room.now()
        if left <= 0:
            return pulse.is_set()
        try:
            async with asyncio.timeout(left):
                await pulse.wait()
        except TimeoutError:
            return False
        return True


def _answer_time(at: float, now: float) -> float:
    """The time of an answer that was due `at`: then, or at one of the whole quanta after it.

    So comings, goings and chat meanwhile do not matter.
    """
    return at + max(0, math.ceil((now - at) / _QUANTUM)) * _QUANTUM
