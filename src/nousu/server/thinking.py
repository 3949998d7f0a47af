"""Computer players think in processes of their own, so that no person ever waits for them.

A worker gets a `View`, which is all a person at that seat would see, and sends back an action. Should a
player fail, or take far longer than its budget, any legal action is taken instead and the log says so.
"""

import asyncio
import logging
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from nousu.engine.actions import Action
from nousu.engine.game import View
from nousu.players import DEFAULT_BUDGET, Budget, Interrupter, named
from nousu.players.processes import pool
from nousu.server.blame import blame

_LOG = logging.getLogger(__name__)
_PATIENCE = 10.0
"""Seconds beyond its budget after which a player's answer is no longer waited for."""


def choose(player: str, view: View, budget: Budget, seed: int) -> Action | None:
    """What that player does: an action when its seat is owed; else one or None, as it likes."""
    who = named(player)
    if view.seat in view.owed:
        return who.choose(view, budget, seed).action
    spoken = who.interrupt(view, budget, seed) if isinstance(who, Interrupter) else None
    return spoken.action if spoken is not None else None


class Thinkers:
    """A pool of `workers` processes, started when first needed; with none, a thread does the thinking."""

    def __init__(self, workers: int, budget: Budget = DEFAULT_BUDGET) -> None:
        self._workers = workers
        self._budget = budget
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, player: str, view: View, seed: int) -> Action | None:
        """What that player does with this view: one of ``view.legal``, or None to keep silent."""
        try:
            async with asyncio.timeout(self._budget.seconds + _PATIENCE):
                action = await self._asked(player, view, seed)
        except Exception as error:
            if isinstance(error, BrokenProcessPool):
                self.close()
            _LOG.error("player %s failed at %s: %s", player, view.game, blame(error))
            action = choose("random", view, self._budget, seed)
        if action is not None and action not in view.legal:
            _LOG.error("player %s chose an illegal action at %s", player, view.game)
            action = choose("random", view, self._budget, seed)
        return action

    async def _asked(self, player: str, view: View, seed: int) -> Action | None:
        if not self._workers:
            return await asyncio.to_thread(choose, player, view, self._budget, seed)
        if self._pool is None:
            self._pool = pool(self._workers)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, choose, player, view, self._budget, seed)

    def close(self) -> None:
        """Let the workers go."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
