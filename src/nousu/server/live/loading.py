"""Loading of tables: stored events are folded from the last snapshot on, a little at a time.

Folding is plain computing and would hold up all users of this process. So it stops every few milliseconds
and lets the others go first; a table that nobody waits for leaves them most of the time.

The events stay the only truth. A snapshot is a shortcut that may be thrown away: it carries a *seal*, the
hash of its bytes, of the last event folded into it and of the program that folded it. Where any of these
differs now, the snapshot is ignored and the events are folded from the first.

Snapshots are pickles of values of the engine, the games and the table. Reading one makes no other values: no
other class is found by it, and game, rules and secret are those of the table it is read for.
"""

import asyncio
import dataclasses
import hashlib
import io
import logging
import pickle
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import nousu
from nousu.engine.game import Game
from nousu.server.errors import safe_traceback
from nousu.server.storage.store import Snapshot, Store
from nousu.server.table.events import EventRow, from_row
from nousu.server.table.seats import FinishedHand
from nousu.server.table.table import Table

_LOG = logging.getLogger(__name__)
_SLICE = 0.004
"""Seconds of folding at a stretch."""
_PAGE = 500
"""Events read at once."""
_FIXED = {
    "id",
    "preset",
    "game",
    "rules",
    "written",
    "options",
    "pace",
    "window",
    "finished_hands",
    "since",
    "dealt",
}
"""Fields of a table that never change, or follow from the others."""
_FIELDS = tuple(field.name for field in dataclasses.fields(Table) if field.name not in _FIXED)
_HOME = ("nousu.engine.", "nousu.games.")
_TABLE = tuple(f"nousu.server.table.{name}" for name in ("seats", "view", "shuffle", "chat", "claims"))


async def load_events(
    table: Table, store: Store, now: Callable[[], float], is_urgent: Callable[[], bool] = lambda: True
) -> Table:
    """Fold all stored events that follow a table into it. An empty one may begin with its snapshot.

    Args:
        table: The table as far as it is known.
        store: The database.
        now: The table's clock, in seconds.
        is_urgent: Whether a person waits for the table.
    """
    if table.seq == 0:
        table = await _from_snapshot(table, store, now())
    while rows := await store.events(table.id, table.seq, _PAGE):
        began = time.perf_counter()
        for row in rows:
            table = table.after(from_row(row, len(table.seats)), now())
            took = time.perf_counter() - began
            if took > _SLICE:
                await asyncio.sleep(0 if is_urgent() else 3 * took)
                began = time.perf_counter()
        if len(rows) < _PAGE:
            break
    return table


async def _from_snapshot(empty: Table, store: Store, now: float) -> Table:
    snapshot = await store.snapshot(empty.id)
    if snapshot is None:
        return empty
    last = await store.events(empty.id, snapshot.seq - 1, 1)
    return table_from_snapshot(empty, snapshot, last[0] if last else None, now) or empty


def snapshot_of(table: Table, last: EventRow) -> Snapshot | None:
    """The snapshot of a table whose last event is stored as `last`; None where its game cannot be pickled."""
    file = io.BytesIO()
    try:
        _Writer(file, table).dump({name: getattr(table, name) for name in _FIELDS})
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        _LOG.info("no snapshot of table %s: %s", table.id, safe_traceback(error))
        return None
    state = file.getvalue()
    return Snapshot(table.seq, state, _seal(table.game, state, last))


def table_from_snapshot(empty: Table, snapshot: Snapshot, last: EventRow | None, now: float) -> Table | None:
    """The table of a snapshot whose last event is stored as `last`; None where its seal does not hold."""
    if last is None or last.seq != snapshot.seq or snapshot.seal != _seal(empty.game, snapshot.state, last):
        return None
    try:
        fields = _Reader(io.BytesIO(snapshot.state), empty).load()
    except Exception as error:
        _LOG.warning("the snapshot of table %s cannot be read: %s", empty.id, safe_traceback(error))
        return None
    match = fields["match"]
    finished = tuple(FinishedHand(played, at) for at, played in enumerate(match.played, 1)) if match else ()
    return dataclasses.replace(empty, **fields, finished_hands=finished, since=now, dealt=now)


def _references(table: Table) -> dict[str, Any]:
    """The values that a snapshot names instead of holding them."""
    return {"game": table.game, "rules": table.rules, "secret": table.shuffles.secret}


class _Writer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, table: Table) -> None:
        super().__init__(file, protocol=5)
        self._names = {id(value): name for name, value in _references(table).items()}

    def persistent_id(self, value: Any) -> str | None:
        return self._names.get(id(value))


class _Reader(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, table: Table) -> None:
        super().__init__(file)
        self._values = _references(table)
        self._outside = table.game.rules.__module__

    def persistent_load(self, name: Any) -> Any:
        return self._values[name]

    def find_class(self, module: str, name: str) -> Any:
        is_ours = module.startswith(_HOME) or module in _TABLE or module == self._outside
        if (module, name) == ("builtins", "range"):
            return range
        value = super().find_class(module, name) if is_ours else None
        if not isinstance(value, type) or "." in name:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a table")
        return value


def _seal(game: Game, state: bytes, last: EventRow) -> str:
    parts = (hashlib.sha256(state).hexdigest(), repr(tuple(last)), program(game.rules.__module__))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@cache
def program(module: str) -> str:
    """A hash of the sources that decide how events are folded.

    Engine, games, `module` of the rules, table.
    """
    folder = Path(nousu.__file__).parent
    files = [*sorted(folder.glob("engine/*.py")), *sorted(folder.glob("games/**/*.py"))]
    files += [*sorted(folder.glob("server/table/*.py")), Path(__file__)]
    outside = getattr(sys.modules.get(module), "__file__", None)
    digest = hashlib.sha256(sys.version.encode())
    for file in (*files, *([Path(outside)] if outside else ())):
        digest.update(file.read_bytes())
    return digest.hexdigest()
