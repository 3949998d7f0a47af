"""A snapshot is the fold of all events, or it is not looked at; folding takes its time in proportion."""

import asyncio
import pickle
import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from nousu.games import find
from nousu.server.live import loading
from nousu.server.live.loading import load_events
from nousu.server.storage.store import Snapshot, Store, TableRow, database_url
from nousu.server.table import record
from nousu.server.table.events import Event, PersonLeft
from nousu.server.table.options import TableOptions
from nousu.server.table.table import Table
from nousu.server.table.view_builder import view_of
from table_fixtures import Sitting


def empty(sitting: Sitting) -> Table:
    seats = len(sitting.table.seats)
    return Table.new(
        "t", sitting.preset, seats, sitting.secret, TableOptions.parse(sitting.options), find, 0.0
    )


def test_snapshot_and_the_events_after_it_make_the_fold_of_all(subtests: pytest.Subtests) -> None:
    for preset, seats in [
        ("tuppi", 4),
        ("minnesota", 4),
        ("norwegian_spoken", 4),
        ("huutopussi", 4),
        ("tuppen_zk", 5),
        ("toepen", 4),
    ]:
        with subtests.test(preset=preset, seats=seats):
            sitting = Sitting(preset, persons=seats - 1, computers=1, options={"pace": "0", "window": "0"})
            rng, tried = random.Random(3), 0
            while sitting.table.seq < 260 and not sitting.table.over:
                sitting.played(rng, rng.randrange(1, 30))
                before, row = sitting.folded(0.0), sitting.rows[-1]
                taken = loading.snapshot_of(before, row)
                assert taken is not None and taken.seq == before.seq
                again = loading.table_from_snapshot(empty(sitting), taken, row, before.since)
                assert again == before
                assert again is not None and len(again.finished_hands) == len(before.finished_hands)
                viewers = [sitting.session(seat) for seat in before.seats.persons()]
                for viewer in (*viewers, None):
                    assert view_of(again, viewer, 0.0, "en") == view_of(before, viewer, 0.0, "en")
                assert record.record(again, None) == record.record(before, None)
                sitting.table = replace(again, since=sitting.now)  # play goes on from what was read back
                tried += 1
            assert sitting.folded(sitting.now) == replace(sitting.table, since=sitting.now)
            assert tried > 5


def test_snapshot_that_does_not_fit_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = Sitting("tuppi").played(random.Random(1), 60)
    taken, row = loading.snapshot_of(sitting.table, sitting.rows[-1]), sitting.rows[-1]
    assert taken is not None
    changed = taken.state[:-9] + bytes([taken.state[-9] ^ 1]) + taken.state[-8:]
    for wrong, last in (
        (replace_state(taken, changed), row),
        (taken, row._replace(body="N play H9")),
        (taken, None),
        (taken._replace(seq=taken.seq - 1), row),
    ):
        assert loading.table_from_snapshot(empty(sitting), wrong, last, 0.0) is None
    monkeypatch.setattr(loading, "program", lambda module: "another program")
    assert loading.table_from_snapshot(empty(sitting), taken, row, 0.0) is None


def replace_state(taken: Snapshot, state: bytes) -> Snapshot:
    return taken._replace(state=state)


def test_snapshot_is_read_without_running_code() -> None:
    """A sealed snapshot with something foreign in it: nothing but values of a table is made."""

    class Foreign:
        def __reduce__(self) -> tuple[object, ...]:
            return eval, ("1/0",)

    sitting = Sitting("tuppi").played(random.Random(1), 10)
    state, row = pickle.dumps({"match": Foreign()}), sitting.rows[-1]
    sealed = Snapshot(sitting.table.seq, state, loading._seal(sitting.table.game, state, row))
    assert loading.table_from_snapshot(empty(sitting), sealed, row, 0.0) is None


def test_table_is_folded_from_its_snapshot_and_what_follows(tmp_path: Path) -> None:
    sitting = Sitting("tuppi", options={"pace": "0"}).played(random.Random(2), 150)
    early = loading.snapshot_of(sitting.table, sitting.rows[-1])
    assert early is not None
    sitting.played(random.Random(3), 40)
    asked: list[int] = []

    async def go() -> None:
        store = await Store.open(database_url(str(tmp_path / "n.db")))
        await store.add_table(TableRow("t", "tuppi", 4, "{}", sitting.secret, False), sitting.rows)
        await store.save_snapshot("t", early)
        await store.save_snapshot("t", early._replace(seq=1))  # an older one replaces nothing
        own = store.events

        async def events(id: str, after: int = 0, most: int | None = None) -> list[object]:
            asked.append(after)
            return await own(id, after, most)  # type: ignore[return-value]

        store.events = events  # type: ignore[assignment,method-assign]
        found = await load_events(empty(sitting), store, lambda: 0.0)
        assert found == sitting.folded(0.0)
        await store.close()

    asyncio.run(go())
    assert min(asked) == early.seq - 1, "no event before the snapshot's last was read"


def test_loading_time_grows_in_proportion_to_events() -> None:
    """20,000 events of a table took superlinear time: every key was copied with every event."""
    sitting = Sitting("tuppi", persons=2, computers=2).played(random.Random(1), 30)

    def took(events: int) -> float:
        table, began = sitting.table, time.process_time()
        for number in range(events):
            key = f"key-{number:08}"
            event = Event(
                table.seq + 1, PersonLeft(number % 2, "rules"), key if number % 50 == 0 else None, "p"
            )
            table = table.after(event, 0.0)
        return time.process_time() - began

    took(500)
    few, many = min(took(1000) for _ in range(3)), min(took(8000) for _ in range(2))
    assert many < 8 * few * 3


def test_table_remembers_a_few_keys_the_last_ones() -> None:
    sitting = Sitting("tuppi", options={"pace": "0"}).played(random.Random(4), 60)
    given = [(event.key, event.print, event.seq) for event in sitting.events if event.key is not None]
    assert len(given) > 16
    assert sitting.table.keys == tuple(given[-16:])
