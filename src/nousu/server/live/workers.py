"""What costs more than a moment is done in processes of its own, so that no person ever waits for it.

A worker gets a `View`, which is all a person at that seat would see, and sends back an action. Who has
waited longest is next. When many tables think at once, each imagines fewer deals. Where even so the wait
would be too long, or a player fails or does not answer in time, the one called `rules` chooses instead, and
the log says so: nobody at the table meets a random card.
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
from nousu.players import DEFAULT_BUDGET, Budget, Choice, Interrupter, claims, named
from nousu.players.processes import pool
from nousu.players.seat_loop import seed_of
from nousu.review import QUICK, Pair, paired
from nousu.server.errors import Unavailable
from nousu.server.failure_place import safe_traceback

_LOG = logging.getLogger(__name__)
_QUICK = ("rules", "random", "beginner", "easy", "club")
"""Players that choose within a few milliseconds; they wait for no other player."""
_STAND_IN = "rules"
_ADVISER = "searcher"
"""Who is asked for hints."""
_BESIDE = QUICK._replace(slow_worlds=40)
"""Deals in which a choice is played out beside a good player's."""
_START = 15.0
"""Seconds until the first answer of a worker that has yet to start."""
_PATIENCE = 1.0
"""Seconds beyond its budget after which a player's answer is no longer waited for."""
_CROWDED = 0.5
"""Seconds for which an answer is waited for while more players think than workers there are."""
_QUEUE = 0.4
"""Seconds that an answer may be expected to take, where no fewer deals can be imagined, before nobody waits
for it."""
_LATELY = 0.1
"""How much one more answer weighs in the time that answers take lately."""
_SHORTLY = 0.2
"""Seconds in which a worker is to stand in for a player whose answer did not come."""
_WARN_EVERY = 60.0
"""Seconds between two lines of the log about answers that came too late."""
_FEWEST = 4
"""Deals that a searching player imagines at least."""
_PROOF = 8.0
"""Seconds in which a claim is examined."""
_NICE = 5
"""How far workers stand back where the processor is wanted by those who play."""
_LAST = 12
"""How far those stand back that review hands."""
_REVIEWERS = 2
"""Processes that review: one for first answers while the other works on a full one."""
_CHECKS = 8
"""Checks that may wait for one another."""


_Found = TypeVar("_Found")


def choose(player: str, view: View, budget: Budget, seed: int) -> Action | None:
    """What that player does: an action when its seat is owed; else one or None, as it likes."""
    found = consider(player, view, budget, seed)
    return found.action if found is not None else None


def consider(player: str, view: View, budget: Budget, seed: int) -> Choice | None:
    """What that player would do, with its reason; None to keep silent where the seat is not owed."""
    who = named(player)
    if view.seat in view.owed:
        return who.choose(view, budget, seed)
    return who.interrupt(view, budget, seed) if isinstance(who, Interrupter) else None


def advised(
    player: str, view: View, budget: Budget, asked: Action | None
) -> tuple[Choice | None, Pair | None]:
    """What that player would do with this view, and `asked` beside it where both can be played out."""
    found = consider(player, view, budget, seed_of(view))
    beside = None if found is None or asked is None else paired(view, asked, found.action, _BESIDE)
    return found, beside


def thinks(player: str) -> bool:
    """Whether that player searches, and so takes a worker's time."""
    return player not in _QUICK


class Thinkers:
    """Pools of processes, started when first needed: `workers` for players that search, one for those that do
    not, one for claims and other checks, and those that review. With no workers a thread does it all."""

    def __init__(self, workers: int, budget: Budget = DEFAULT_BUDGET) -> None:
        self._workers = workers
        self._budget = budget
        self._pools: dict[str, ProcessPoolExecutor] = {}
        self._answered: set[str] = set()
        self._busy = 0
        self._takes = 0.0
        """Seconds that an answer takes in a crowd lately, for each that was asked for before."""
        self._checks = 0
        self._stood_in, self._warned = 0, -_WARN_EVERY
        self._checking = asyncio.Semaphore(1)

    async def choose(self, player: str, view: View, seed: int) -> Action | None:
        """What that player does with this view: one of ``view.legal``, or None to keep silent."""
        try:
            return await self._asked(player, view, seed)
        except TimeoutError:
            self._late()
        except Exception as error:
            _LOG.error("player %s failed at %s: %s", player, view.game, safe_traceback(error))
        return await self._by_rules(view, seed) if view.seat in view.owed else None

    async def _by_rules(self, view: View, seed: int) -> Action:
        """What the one called `rules` does: by a worker, or here where that is not quick."""
        for where in (self._at_once, asyncio.to_thread):
            try:
                action = await where(choose, _STAND_IN, view, self._budget, seed)
                if action in view.legal:
                    return action
            except TimeoutError:
                pass
            except Exception as error:
                _LOG.error("player %s failed at %s: %s", _STAND_IN, view.game, safe_traceback(error))
        return view.legal[0]

    async def _at_once(self, work: Callable[..., _Found], *args: object) -> _Found:
        async with asyncio.timeout(_SHORTLY):
            return await self._run("quick", work, *args)

    def _late(self) -> None:
        """An answer came too late, as many do under load: one line of the log tells of all."""
        self._stood_in += 1
        if (now := time.monotonic()) > self._warned + _WARN_EVERY:
            _LOG.warning("players that took too long: %d; players that think: %d", self._stood_in, self._busy)
            self._warned, self._stood_in = now, 0

    async def advise(self, view: View, asked: Action | None = None) -> tuple[Choice | None, Pair | None]:
        """What a good player would do with this view and why, and `asked` beside it.

        The effort is always the same, so that the same view has the same answer, however many think.
        """
        self._busy += 1
        try:
            async with asyncio.timeout(self._patience("search", crowded=False)):
                found = await self._run("search", advised, _ADVISER, view, self._budget, asked)
            self._answered.add("search")
            return found
        except Exception as error:
            _LOG.error("player %s failed at %s: %s", _ADVISER, view.game, safe_traceback(error))
        finally:
            self._busy -= 1
        return await asyncio.to_thread(advised, _STAND_IN, view, self._budget, asked)

    async def proven(self, view: View, kind: claims.Kind) -> bool:
        """Whether a claim is certain for the seat of that view; no, where that takes too long to see."""
        try:
            async with asyncio.timeout(_PROOF if "check" in self._answered else _START):
                found = await self._run("check", claims.proven, view, kind)
            self._answered.add("check")
            return found
        except Exception as error:
            _LOG.error("a claim at %s was not examined: %s", view.game, safe_traceback(error))
            return False

    async def played_out(self, hand: Hand, seat: Seat, kind: claims.Kind) -> tuple[Entry, ...]:
        """The rest of a hand, played so that a claim comes true."""
        return await self._run("check", claims.played_out, hand, seat, kind)

    async def check(self, work: Callable[[str], _Found], text: str) -> _Found:
        """`work` done with a text, away from everybody who plays: one at a time, and `Unavailable` where too
        many wait already. Its exceptions pass through."""
        if self._checks >= _CHECKS:
            raise Unavailable("Too many records are being checked; try again in a moment.")
        self._checks += 1
        try:
            async with self._checking:
                return await self._run("check", work, text)
        finally:
            self._checks -= 1

    async def aside(self, work: Callable[..., _Found], *args: object) -> _Found:
        """`work` done with its arguments in a process of its own, which stands back behind all others."""
        return await self._run("review", work, *args)

    def share(self) -> Budget:
        """What one searching player may spend while so many think."""
        each = max(1.0, self._busy / max(1, self._workers))
        worlds = max(_FEWEST, int(self._budget.worlds / each))
        return Budget(self._budget.seconds / each, min(self._budget.worlds, worlds))

    async def _asked(self, player: str, view: View, seed: int) -> Action | None:
        if not thinks(player):
            async with asyncio.timeout(self._patience("quick")):
                return await self._answer("quick", self._budget, player, view, seed)
        if self.share().worlds == _FEWEST and (self._busy + 1) * self._takes > _QUEUE:
            raise TimeoutError
        self._busy += 1
        began, many, budget = time.monotonic(), self._busy, self.share()
        # The start of a worker, or a long thought where there is time for it, says nothing of a crowd.
        telling = "search" in self._answered and budget.worlds <= 2 * _FEWEST
        try:
            async with asyncio.timeout(self._patience("search", many > max(1, self._workers))):
                return await self._answer("search", budget, player, view, seed)
        finally:
            self._busy -= 1
            if telling:
                self._takes += _LATELY * ((time.monotonic() - began) / many - self._takes)

    async def _answer(self, where: str, budget: Budget, player: str, view: View, seed: int) -> Action | None:
        action = await self._run(where, choose, player, view, budget, seed)
        self._answered.add(where)
        if action is not None and action not in view.legal:
            raise ValueError("an illegal action")
        return action

    def _patience(self, where: str, crowded: bool = False) -> float:
        if where not in self._answered:
            return _START
        return _CROWDED if crowded else self._budget.seconds + _PATIENCE

    async def _run(self, where: str, work: Callable[..., _Found], *args: object) -> _Found:
        if not self._workers:
            return await asyncio.to_thread(work, *args)
        if where not in self._pools:
            count = {"search": self._workers, "review": _REVIEWERS}.get(where, 1)
            self._pools[where] = pool(count, _LAST if where == "review" else _NICE)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pools[where], work, *args)
        except BrokenProcessPool:
            self._let_go(where)
            raise

    def _let_go(self, where: str) -> None:
        found = self._pools.pop(where, None)
        self._answered.discard(where)
        if found is not None:
            found.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """Let the workers go."""
        for where in list(self._pools):
            self._let_go(where)
