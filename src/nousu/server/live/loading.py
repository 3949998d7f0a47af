"""Stored events become a table again: from the last snapshot on, a little at a time.

Folding is plain computing and would hold up everybody whom this process serves. So it stops every few
milliseconds and lets the others go first; what nobody waits for leaves them most of the time.
"""

import asyncio
import time
from collections.abc import Callable

from nousu.server.live import snapshots
from nousu.server.storage.store import Store
from nousu.server.table.events import from_row
from nousu.server.table.table import Table

_SLICE = 0.004
"""Seconds of folding at a stretch."""
_PAGE = 500
"""Events read at once."""


async def folded(
    table: Table, store: Store, now: Callable[[], float], hurried: Callable[[], bool] = lambda: True
) -> Table:
    """A table with all events folded in that are stored and follow it. `hurried` says whether somebody waits
    for it. A table from which nothing was folded yet may begin with its snapshot."""
    if table.seq == 0:
        table = await _begun(table, store, now())
    while rows := await store.events(table.id, table.seq, _PAGE):
        began = time.perf_counter()
        for row in rows:
            table = table.after(from_row(row, len(table.places)), now())
            took = time.perf_counter() - began
            if took > _SLICE:
                await asyncio.sleep(0 if hurried() else 3 * took)
                began = time.perf_counter()
        if len(rows) < _PAGE:
            break
    return table


async def _begun(empty: Table, store: Store, now: float) -> Table:
    found = await store.snapshot(empty.id)
    if found is None:
        return empty
    last = await store.events(empty.id, found.seq - 1, 1)
    return snapshots.restored(empty, found, last[0] if last else None, now) or empty
