"""A folded table as bytes, so that a long history need not be folded again.

The events stay the only truth. A snapshot is a shortcut that may be thrown away: it carries a *seal*, the
hash of its bytes, of the last event folded into it and of the program that folded it. Where any of these is
another now, the snapshot is not looked at and the events are folded from the first.

What is pickled are values of the engine and the games. Reading one back makes nothing else: no other class is
found by it, and game, rules and secret are those of the table it is read for.
"""

import dataclasses
import hashlib
import io
import logging
import pickle
import sys
from functools import cache
from pathlib import Path
from typing import Any

import nousu
from nousu.engine.game import Game
from nousu.server.failure_place import safe_traceback
from nousu.server.storage.store import Snapshot
from nousu.server.table.events import Row
from nousu.server.table.seats import Finished
from nousu.server.table.table import Table

_LOG = logging.getLogger(__name__)
_FIXED = {"id", "preset", "game", "rules", "written", "pace", "window", "finished", "since"}
_FIXED |= {"public", "chosen", "dealer", "evening", "rehearses", "event", "takes_back", "clock"}
"""Fields of a table that are the same from its opening on, or follow from the others."""
_FIELDS = tuple(field.name for field in dataclasses.fields(Table) if field.name not in _FIXED)
_HOME = ("nousu.engine.", "nousu.games.")
_TABLE = tuple(f"nousu.server.table.{name}" for name in ("seats", "view", "shuffle", "chat", "claims"))


def taken(table: Table, last: Row) -> Snapshot | None:
    """The snapshot of a table whose last event is stored as `last`; None where its game cannot be pickled."""
    file = io.BytesIO()
    try:
        _Writer(file, table).dump({name: getattr(table, name) for name in _FIELDS})
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        _LOG.info("no snapshot of table %s: %s", table.id, safe_traceback(error))
        return None
    state = file.getvalue()
    return Snapshot(table.seq, state, _seal(table.game, state, last))


def restored(empty: Table, found: Snapshot, last: Row | None, now: float) -> Table | None:
    """The table of a snapshot whose last event is stored as `last`; None where it may not be believed."""
    if last is None or last.seq != found.seq or found.seal != _seal(empty.game, found.state, last):
        return None
    try:
        fields = _Reader(io.BytesIO(found.state), empty).load()
    except Exception as error:
        _LOG.warning("the snapshot of table %s cannot be read: %s", empty.id, safe_traceback(error))
        return None
    match = fields["match"]
    finished = tuple(Finished(one, at) for at, one in enumerate(match.played, 1)) if match else ()
    return dataclasses.replace(empty, **fields, finished=finished, since=now)


def _given(table: Table) -> dict[str, Any]:
    """What a snapshot names instead of holding it."""
    return {"game": table.game, "rules": table.rules, "secret": table.shuffles.secret}


class _Writer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, table: Table) -> None:
        super().__init__(file, protocol=5)
        self._names = {id(value): name for name, value in _given(table).items()}

    def persistent_id(self, one: Any) -> str | None:
        return self._names.get(id(one))


class _Reader(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, table: Table) -> None:
        super().__init__(file)
        self._values = _given(table)
        self._outside = table.game.rules.__module__

    def persistent_load(self, name: Any) -> Any:
        return self._values[name]

    def find_class(self, module: str, name: str) -> Any:
        known = module.startswith(_HOME) or module in _TABLE or module == self._outside
        if (module, name) == ("builtins", "range"):
            return range
        found = super().find_class(module, name) if known else None
        if not isinstance(found, type) or "." in name:
            raise pickle.UnpicklingError(f"{module}.{name} is nothing a table is made of")
        return found


def _seal(game: Game, state: bytes, last: Row) -> str:
    parts = (hashlib.sha256(state).hexdigest(), repr(tuple(last)), program(game.rules.__module__))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@cache
def program(module: str) -> str:
    """A hash of all that decides what folding makes of events: the sources of the engine, the games, the one
    in that module, and the table."""
    folder = Path(nousu.__file__).parent
    files = [*sorted(folder.glob("engine/*.py")), *sorted(folder.glob("games/**/*.py"))]
    files += sorted(folder.glob("server/table/*.py"))
    files.append(Path(__file__))
    outside = getattr(sys.modules.get(module), "__file__", None)
    found = hashlib.sha256(sys.version.encode())
    for file in (*files, *([Path(outside)] if outside else ())):
        found.update(file.read_bytes())
    return found.hexdigest()
