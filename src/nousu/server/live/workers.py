"""Worker processes for all longer computations, so that no person ever waits for them.

A worker gets a `View`, all that a person at that seat would see, and sends back an action. The longest wait
is served next. When many tables think at once, each imagines fewer deals. Where even so the wait would be too
long, or a player fails or does not answer in time, the player called `rules` chooses instead, and the log
says so: nobody at the table meets a random card.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from nousu.engine.actions import Action, Entry
from nousu.engine.game import Hand, View
from nousu.engine.seats import Seat
from nousu.players import DEFAULT_BUDGET, Budget, Choice, Interrupter, claims, find_player
from nousu.players.processes import worker_pool
from nousu.players.seat_loop import view_seed
from nousu.review import QUICK, Comparison, compare_actions
from nousu.server.errors import Unavailable, safe_traceback

_LOG = logging.getLogger(__name__)
_QUICK = ("rules", "random", "beginner", "easy", "club")
"""Players that choose within a few milliseconds; they wait for no other player."""
_STAND_IN = "rules"
_ADVISER = "expert"
"""The player that gives hints."""
_ASKED_EFFORT = QUICK._replace(slow_worlds=40)
"""Effort for playing out a choice beside a good player's."""
_START = 15.0
"""Seconds until the first answer of a worker that has yet to start."""
_GRACE = 1.0
"""Seconds beyond its budget after which a player's answer is no longer waited for."""
_CROWDED = 0.5
"""Seconds to wait for an answer while more players think than there are workers."""
_QUEUE = 0.4
"""Expected seconds of an answer from which on `rules` plays at once, where deals are the fewest."""
_AVERAGE_WEIGHT = 0.1
"""Weight of one more answer in the moving average of the time that answers take."""
_STAND_IN_SECONDS = 0.2
"""Seconds for a worker that stands in for a player that did not answer."""
_WARN_EVERY = 60.0
"""Seconds between two lines of the log about answers that came too late."""
_FEWEST = 4
"""Least number of deals that a searching player imagines."""
_PROOF = 8.0
"""Greatest number of seconds to examine a claim."""
_NICE = 5
"""`nice` level of worker processes."""
_REVIEW_NICE = 12
"""`nice` level of processes that review hands."""
_REVIEWERS = 2
"""Processes that review: one for first answers while the other works on a full one."""
_CHECKS = 8
"""Greatest number of waiting verifications."""


_Result = TypeVar("_Result")


def choose(player: str, view: View, budget: Budget, seed: int) -> Action | None:
    """The action of a player; None where its seat owes none and it stays silent."""
    choice = consider(player, view, budget, seed)
    return choice.action if choice is not None else None


def consider(player: str, view: View, budget: Budget, seed: int) -> Choice | None:
    """The choice of a player, with its reason; None where its seat owes none and it stays silent."""
    chooser = find_player(player)
    if view.seat in view.owed:
        return chooser.choose(view, budget, seed)
    return chooser.interrupt(view, budget, seed) if isinstance(chooser, Interrupter) else None


def advise(
    player: str, view: View, budget: Budget, asked: Action | None
) -> tuple[Choice | None, Comparison | None]:
    """The choice of a player, and the action `asked` beside it where both can be played out."""
    choice = consider(player, view, budget, view_seed(view))
    beside = (
        None
        if choice is None or asked is None
        else compare_actions(view, asked, choice.action, _ASKED_EFFORT)
    )
    return choice, beside


def is_searching(player: str) -> bool:
    """Whether that player searches, and so takes a worker's time."""
    return player not in _QUICK


class Workers:
    """Pools of processes, started when first needed.

    There are `workers` processes for players that search, one for those that do not, one for claims and
    verifications, and those that review. With no workers a thread does it all.
    """

    def __init__(self, workers: int, budget: Budget = DEFAULT_BUDGET) -> None:
        self._workers = workers
        self._budget = budget
        self._pools: dict[str, ProcessPoolExecutor] = {}
        self._answered: set[str] = set()
        self._busy = 0
        self._seconds = 0.0
        """Average seconds of an answer in a crowd, for each player that waits."""
        self._checks = 0
        self._endings = 0
        self._stood_in, self._warned = 0, -_WARN_EVERY
        self._checking = asyncio.Semaphore(1)

    async def choose(self, player: str, view: View, seed: int) -> Action | None:
        """The action of a player: one of ``view.legal``, or None to stay silent."""
        try:
            return await self._choose(player, view, seed)
        except TimeoutError:
            self._late()
        except Exception as error:
            _LOG.error("player %s failed at %s: %s", player, view.game, safe_traceback(error))
        return await self._by_rules(view, seed) if view.seat in view.owed else None

    async def _by_rules(self, view: View, seed: int) -> Action:
        """The action of the player called `rules`, by a worker, or here if that is not quick."""
        for run in (self._at_once, asyncio.to_thread):
            try:
                action = await run(choose, _STAND_IN, view, self._budget, seed)
                if action in view.legal:
                    return action
            except TimeoutError:
                pass
            except Exception as error:
                _LOG.error("player %s failed at %s: %s", _STAND_IN, view.game, safe_traceback(error))
        return view.legal[0]

    async def _at_once(self, work: Callable[..., _Result], *args: object) -> _Result:
        async with asyncio.timeout(_STAND_IN_SECONDS):
            return await self._run("quick", work, *args)

    def _late(self) -> None:
        """Count an answer that came too late; one line of the log tells of many."""
        self._stood_in += 1
        if (now := time.monotonic()) > self._warned + _WARN_EVERY:
            _LOG.warning("players that took too long: %d; players that think: %d", self._stood_in, self._busy)
            self._warned, self._stood_in = now, 0

    async def advise(
        self, view: View, asked: Action | None = None
    ) -> tuple[Choice | None, Comparison | None]:
        """The choice of a good player with its reason, and the action `asked` beside it.

        The effort is always the same, so that the same view has the same answer, however many think.
        """
        self._busy += 1
        try:
            async with asyncio.timeout(self._longest_wait("search", crowded=False)):
                advice = await self._run("search", advise, _ADVISER, view, self._budget, asked)
            self._answered.add("search")
            return advice
        except Exception as error:
            _LOG.error("player %s failed at %s: %s", _ADVISER, view.game, safe_traceback(error))
        finally:
            self._busy -= 1
        return await asyncio.to_thread(advise, _STAND_IN, view, self._budget, asked)

    async def is_proven(self, view: View, kind: claims.Kind) -> bool:
        """Whether a claim is certain for the seat of a view; False where that takes too long to see."""
        try:
            async with asyncio.timeout(_PROOF if "check" in self._answered else _START):
                proven = await self._run("check", claims.is_proven, view, kind)
            self._answered.add("check")
            return proven
        except Exception as error:
            _LOG.error("a claim at %s was not examined: %s", view.game, safe_traceback(error))
            return False

    async def play_out(self, hand: Hand, seat: Seat, kind: claims.Kind) -> tuple[Entry, ...]:
        """The rest of a hand, played so that a claim comes true; the more wait, the less is tried."""
        self._endings += 1
        try:
            nodes = max(claims.FEWEST_NODES, claims.NODES // self._endings)
            return await self._run("check", claims.play_out_claim, hand, seat, kind, nodes)
        finally:
            self._endings -= 1

    async def verify(self, work: Callable[[str], _Result], text: str) -> _Result:
        """The result of `work` on a text, one at a time; `Unavailable` where too many wait already.

        Exceptions of `work` pass through.
        """
        if self._checks >= _CHECKS:
            raise Unavailable("Too many records are being checked; try again in a moment.")
        self._checks += 1
        try:
            async with self._checking:
                return await self._run("check", work, text)
        finally:
            self._checks -= 1

    async def review(self, work: Callable[..., _Result], *args: object) -> _Result:
        """The result of `work`, in a process of the lowest priority."""
        return await self._run("review", work, *args)

    def budget(self) -> Budget:
        """The budget of one searching player while this many players think."""
        each = max(1.0, self._busy / max(1, self._workers))
        worlds = max(_FEWEST, int(self._budget.worlds / each))
        return Budget(self._budget.seconds / each, min(self._budget.worlds, worlds))

    async def _choose(self, player: str, view: View, seed: int) -> Action | None:
        if not is_searching(player):
            async with asyncio.timeout(self._longest_wait("quick")):
                return await self._answer("quick", self._budget, player, view, seed)
        if self.budget().worlds == _FEWEST and (self._busy + 1) * self._seconds > _QUEUE:
            raise TimeoutError
        self._busy += 1
        began, many, budget = time.monotonic(), self._busy, self.budget()
        # Answers of a starting worker, or with many deals, are not counted: they say nothing of a crowd.
        telling = "search" in self._answered and budget.worlds <= 2 * _FEWEST
        try:
            async with asyncio.timeout(self._longest_wait("search", many > max(1, self._workers))):
                return await self._answer("search", budget, player, view, seed)
        finally:
            self._busy -= 1
            if telling:
                self._seconds += _AVERAGE_WEIGHT * ((time.monotonic() - began) / many - self._seconds)

    async def _answer(self, where: str, budget: Budget, player: str, view: View, seed: int) -> Action | None:
        action = await self._run(where, choose, player, view, budget, seed)
        self._answered.add(where)
        if action is not None and action not in view.legal:
            raise ValueError("an illegal action")
        return action

    def _longest_wait(self, where: str, crowded: bool = False) -> float:
        if where not in self._answered:
            return _START
        return _CROWDED if crowded else self._budget.seconds + _GRACE

    async def _run(self, where: str, work: Callable[..., _Result], *args: object) -> _Result:
        if not self._workers:
            return await asyncio.to_thread(work, *args)
        if where not in self._pools:
            count = {"search": self._workers, "review": _REVIEWERS}.get(where, 1)
            self._pools[where] = worker_pool(count, _REVIEW_NICE if where == "review" else _NICE)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pools[where], work, *args)
        except BrokenProcessPool:
            self._drop(where)
            raise

    def _drop(self, where: str) -> None:
        processes = self._pools.pop(where, None)
        self._answered.discard(where)
        if processes is not None:
            processes.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """Stop all processes."""
        for where in list(self._pools):
            self._drop(where)
