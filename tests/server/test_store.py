"""Stored data stay; a database that cannot be opened is explained in a sentence."""

import asyncio
import gc
import os
import shutil
import sqlite3
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from psycopg import OperationalError

from nousu.server.errors import Unavailable
from nousu.server.storage import migration, sqlite, writer
from nousu.server.storage.daily import DailyRow
from nousu.server.storage.friends import SharedHand
from nousu.server.storage.people import ReportRow, ReviewRow
from nousu.server.storage.schema import metadata
from nousu.server.storage.store import (
    BadDatabase,
    Conflict,
    SessionRow,
    Snapshot,
    Store,
    TableRow,
    database_url,
)
from nousu.server.storage.weekly_tables import WeeklyTableRow
from nousu.server.storage.writer import FileEventWriter
from nousu.server.table.events import EventRow
from soaking import report, times

ROW = TableRow("t", "tuppi", 4, "{}", bytes(32), False)
MINE = SessionRow("5e55", "Aino", "fi", bytes(32))


def run(url: str, work: Callable[[Store], Awaitable[None]]) -> None:
    """Open a database, do something with it, close it."""

    async def whole() -> None:
        store = await Store.open(database_url(url))
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(whole())


def test_store_closes_after_a_connection_that_is_half_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect, opened = sqlite3.connect, list[sqlite3.Connection]()

    def connect_slowly(*values: Any, **options: Any) -> sqlite3.Connection:
        time.sleep(0.3)
        opened.append(connect(*values, **options))
        return opened[-1]

    async def ask_and_leave(store: Store) -> None:
        async with store.moment():  # so the next one needs a connection of its own
            monkeypatch.setattr(sqlite3, "connect", connect_slowly)
            asked = asyncio.create_task(store.counts())
            await asyncio.sleep(0.05)
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)

    run(str(tmp_path / "tables.db"), ask_and_leave)
    assert opened, "else its thread answers a loop that is closed"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A fresh database of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "n.db")
    found: str = request.getfixturevalue("postgres_url")
    return found


def test_old_sessions_are_forgotten(tmp_path: Path) -> None:
    """They were kept for ever, one for every page that was looked at."""

    async def work(store: Store) -> None:
        await store.add_session(MINE)
        now = time.time()
        assert await store.people.forget_sessions(now - 400 * 86400, now - 90 * 86400) == 0
        assert await store.session("5e55") == MINE
        assert await store.people.forget_sessions(now + 1, 0) == 1
        assert await store.session("5e55") is None
        await store.add_session(MINE)
        await store.change_session("5e55", used=now - 100 * 86400)
        assert await store.people.forget_sessions(now - 400 * 86400, now - 90 * 86400) == 1

    run(str(tmp_path / "n.db"), work)


@pytest.mark.parametrize("old", [False, True], ids=["by the person", "after 90 days"])
def test_forgotten_person_leaves_no_row(url: str, old: bool) -> None:
    """Tables, reviews, devices, codes and reports of those who stayed away were kept for ever."""

    async def work(store: Store) -> None:
        now = time.time()
        for place, name in enumerate(("a", "b")):
            await store.add_session(SessionRow(name, name.upper(), "en", bytes(32)))
            await store.people.add_table(name, "t")
            await store.people.add_review(ReviewRow("t", 1, place, True, name, 1, "{}", now))
            await store.people.add_report(ReportRow(name, now, "t", name, "{}"))
            await store.people.add_code(f"code {name}", name, now + 1e6)
            assert await store.people.redeem(f"code {name}", f"device {name}")
            await store.people.add_code(f"code {name}", name, now + 1e6)
        if old:
            await store.change_session("a", used=now - 100 * 86400)
            assert await store.people.forget_sessions(now - 400 * 86400, now - 90 * 86400) == 1
        else:
            await store.people.forget("a", "Guest")
        async with store.moment() as connection:
            for name in ("seats", "reviews", "reports", "codes", "devices"):
                rows = await connection.execute(sa.select(metadata.tables[name].c.session))
                assert rows.scalars().all() == ["b"], name

    run(url, work)


def test_file_that_turns_read_only_takes_nothing_and_is_got_over(tmp_path: Path) -> None:
    """P16: the right refusal, nothing half written, and no restart."""

    async def work(store: Store) -> None:
        await store.add_table(ROW, [EventRow(1, "next", 0, "")])
        await store.append("t", EventRow(2, "next", 0, ""))
        events = store._events
        assert isinstance(events, FileEventWriter)

        def only_read(how: str) -> None:
            events._thread.submit(lambda: events._connection().execute(f"PRAGMA query_only = {how}")).result()

        for number in (3, 4):
            only_read("ON")
            with pytest.raises(Unavailable, match="nothing was lost"):
                await store.append("t", EventRow(number, "next", 0, ""))
            assert len(await store.events("t")) == number - 1, "reading goes on"
            only_read("OFF")
            await store.append("t", EventRow(number, "next", 0, ""))
        assert [one.seq for one in await store.events("t")] == [1, 2, 3, 4]

    run(str(tmp_path / "n.db"), work)


def test_events_come_back_as_they_were_written(url: str) -> None:
    first = EventRow(1, "person", 0, '{"name": "Väinö"}')
    second = EventRow(2, "entry", -1, "deal N S:A / E -", "key-0001", "ab" * 32)

    async def write(store: Store) -> None:
        await store.add_session(MINE)
        await store.add_table(ROW, [first], "5e55", b"n" * 32)
        await store.append("t", second, over=True)

    async def read(store: Store) -> None:
        assert await store.events("t") == [first, second]
        assert await store.events("t", after=1) == [second]
        table, session = await store.table("t"), await store.session("5e55")
        assert table is not None and table.over and table.secret == bytes(32)
        assert session is not None and session.secret == b"n" * 32
        assert await store.table("u") is None and await store.session("0") is None
        assert await store.unfinished(0) == []
        assert await store.counts() == {"sessions": 1, "tables": 1, "events": 2}

    run(url, write)
    run(url, read)


def test_number_and_a_key_are_taken_once(url: str) -> None:
    async def work(store: Store) -> None:
        await store.add_table(ROW, [])
        await store.add_table(TableRow("u", "tuppi", 4, "{}", bytes(32), False), [])
        await store.append("t", EventRow(1, "next", 0, "", "key-0001", "p"))
        for event in (
            EventRow(1, "next", 1, "", "key-0002", "p"),
            EventRow(2, "next", 1, "", "key-0001", "p"),
        ):
            with pytest.raises(Conflict):
                await store.append("t", event)
        await store.append("u", EventRow(1, "next", 0, "", "key-0001", "p"))
        await store.append("t", EventRow(2, "entry", 1, "", None, None))
        await store.append("t", EventRow(3, "entry", 1, "", None, None))
        assert [event.seq for event in await store.events("t")] == [1, 2, 3]

    run(url, work)


def test_events_stored_together_stand_for_themselves(url: str) -> None:
    """Among many that come at once, one that is taken, or that the database cannot hold, harms no other."""

    async def work(store: Store) -> None:
        names = [f"t{number}" for number in range(8)]
        for name in names:
            await store.add_table(TableRow(name, "tuppi", 4, "{}", bytes(32), False), [])
        await store.append("t3", EventRow(1, "next", 0, "", "key-0001", "p"))
        fresh = [(name, EventRow(1, "next", 0, "")) for name in names if name != "t3"]
        taken = [("t3", EventRow(1, "next", 1, "")), ("t3", EventRow(2, "next", 1, "", "key-0001", "q"))]
        odd = ("u", EventRow(1, "text", 0, "\0"))
        wanted = [*fresh[:4], *taken, odd, *fresh[4:]]
        jobs = [store.append(name, row, over=name == "t0") for name, row in wanted]
        found = await asyncio.gather(*jobs, return_exceptions=True)
        refused = [number for number, one in enumerate(found) if one is not None]
        # A file holds even what PostgreSQL does not.
        assert refused == ([4, 5, 6] if store.shared else [4, 5])
        assert [type(one) for one in found[4:6]] == [Conflict, Conflict]
        for name in names:
            assert [one.seq for one in await store.events(name)] == [1]
            table = await store.table(name)
            assert table is not None and table.over == (name == "t0")

    run(url, work)


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_processes_hear_of_every_event_of_a_large_batch(url: str) -> None:
    """However many notices it takes to tell of it."""

    async def work(store: Store) -> None:
        other = await Store.open(database_url(url))
        names = [f"{number:032}" for number in range(250)]
        for name in names:
            await store.add_table(TableRow(name, "tuppi", 4, "{}", bytes(32), False), [])
        heard: list[tuple[str, int]] = []
        listening, told = asyncio.Event(), asyncio.Event()

        async def listen() -> None:
            async for one in other.announced_events():
                heard.append(one)
                listening.set()
                if len(heard) == 1 + len(names):
                    told.set()

        task = asyncio.create_task(listen())
        await listening.wait()
        await asyncio.gather(*(store.append(name, EventRow(1, "next", 0, "")) for name in names))
        await asyncio.wait_for(told.wait(), 20)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert heard[0] == ("", 0) and sorted(heard[1:]) == [(name, 1) for name in names]
        await other.close()

    run(url, work)


def test_group_commit_waits_only_under_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, waits = [1000.0], list[float]()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        now[0] += seconds

    clock = SimpleNamespace(monotonic=lambda: now[0], time=time.time)
    monkeypatch.setattr(writer, "time", clock)
    monkeypatch.setattr(writer, "asyncio", SimpleNamespace(**vars(asyncio) | {"sleep": sleep}))

    async def work(store: Store) -> None:
        await store.add_table(ROW, [])
        await store.add_table(TableRow("u", "tuppi", 4, "{}", bytes(32), False), [])
        for seq in range(1, 11):
            await store.append("t", EventRow(seq, "next", 0, ""))
        pair = [store.append("t", EventRow(11, "next", 0, "")), store.append("u", EventRow(1, "next", 0, ""))]
        await asyncio.gather(*pair)
        assert waits == [], "one after the other, each is stored at once"
        await store.append("t", EventRow(12, "next", 0, ""))
        assert waits == [pytest.approx(writer._APART)], "the next one waits for whoever else comes"
        await store.append("t", EventRow(13, "next", 0, ""))
        assert len(waits) == 1, "and after it nothing waits any more"

    run(str(tmp_path / "s.db"), work)


def test_racing_processes_of_many_tables_wait_for_none(url: str) -> None:
    """Batches of two processes that want the same numbers of many tables, in opposite orders."""

    async def work(store: Store) -> None:
        other = await Store.open(database_url(url))
        names = [f"t{number:02}" for number in range(20)]
        for name in names:
            await store.add_table(TableRow(name, "tuppi", 4, "{}", bytes(32), False), [])
        for seq in range(1, 6):
            jobs = [store.append(name, EventRow(seq, "next", 0, "")) for name in names]
            jobs += [other.append(name, EventRow(seq, "next", 1, "")) for name in reversed(names)]
            results = await asyncio.wait_for(asyncio.gather(*jobs, return_exceptions=True), 20)
            for one, another in zip(results[:20], reversed(results[20:]), strict=True):
                assert (one is None) != (another is None)
                assert isinstance(one or another, Conflict)
        await other.close()

    run(url, work)


def test_racing_writers_of_one_number_leave_one_event(url: str) -> None:
    """Two stores, as two server processes would have: exactly one of them gets each number."""

    async def work(store: Store) -> None:
        other = await Store.open(database_url(url))
        await store.add_table(ROW, [])
        for seq in range(1, 21):
            pair = [one.append("t", EventRow(seq, "next", who, "")) for who, one in enumerate((store, other))]
            results = await asyncio.gather(*pair, return_exceptions=True)
            assert sorted(type(result).__name__ for result in results) == ["Conflict", "NoneType"]
        assert len(await store.events("t")) == 20
        await other.close()

    run(url, work)


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_database_that_ends_its_connections_is_connected_to_again(url: str) -> None:
    """As when it is started anew, or a proxy between forgets who is idle. Whoever hears of events is told
    that some may have been missed."""

    async def work(store: Store) -> None:
        await store.add_table(ROW, [])
        for seq in range(1, 6):
            heard = store.announced_events()
            assert await anext(heard) == ("", 0)
            await store.append("t", EventRow(seq, "entry", 0, "", f"key-{seq:04}"))
            assert await asyncio.wait_for(anext(heard), 10) == ("t", seq)
            async with store._engine.connect() as connection:
                await connection.exec_driver_sql(
                    "select pg_terminate_backend(pid) from pg_stat_activity"
                    " where datname = current_database() and pid <> pg_backend_pid()"
                )
            with pytest.raises(OperationalError):
                await asyncio.wait_for(anext(heard), 10)
        assert [one.seq for one in await store.events("t")] == [1, 2, 3, 4, 5]

    run(url, work)


def test_secret_is_given_to_one_table_only(url: str) -> None:
    async def work(store: Store) -> None:
        await store.add_session(MINE)
        await store.add_table(ROW, [], "5e55", b"n" * 32)
        with pytest.raises(Conflict):
            await store.add_table(TableRow("u", "tuppi", 4, "{}", bytes(32), False), [], "5e55", b"m" * 32)
        assert await store.table("u") is None

    run(url, work)


def test_migrations_make_what_the_schema_says(url: str) -> None:
    async def work(store: Store) -> None:
        async with store._engine.connect() as connection:
            found = await connection.run_sync(
                lambda sync: compare_metadata(MigrationContext.configure(sync), metadata)
            )
        changes = [
            change for change in found if not (isinstance(change, tuple) and "comment" in str(change[0]))
        ]
        assert [change for change in changes if "comment" not in str(change)] == []

    run(url, work)


def test_sqlite_is_durable_by_its_settings(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        async with store._engine.connect() as connection:
            settings = {
                name: (await connection.exec_driver_sql(f"PRAGMA {name}")).scalar()
                for name in ("journal_mode", "synchronous")
            }
        assert settings == {"journal_mode": "wal", "synchronous": 2}

    run(str(tmp_path / "n.db"), work)


@pytest.mark.promise("P4")
def test_log_cut_anywhere_is_a_prefix(tmp_path: Path) -> None:
    """P4: the write-ahead log cut at any byte opens, and holds all events that were stored when it was so
    long, and no other."""
    whole, cuts = tmp_path / "n.db", times(40, 5000)
    copies: dict[str, bytes] = {}
    stored: list[int] = []

    async def write(store: Store) -> None:
        await store.add_table(ROW, [])
        for seq in range(1, 31):
            await store.append("t", EventRow(seq, "entry", 0, f"event {seq}"))
            stored.append((tmp_path / "n.db-wal").stat().st_size)
        for name in ("n.db", "n.db-wal"):
            copies[name] = (tmp_path / name).read_bytes()

    run(str(whole), write)
    log = copies["n.db-wal"]
    lengths = set()
    for step in range(cuts):
        length = len(log) * step // (cuts - 1)
        (folder := tmp_path / "cut").mkdir()
        (folder / "n.db").write_bytes(copies["n.db"])
        (folder / "n.db-wal").write_bytes(log[:length])
        with sqlite3.connect(folder / "n.db") as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            try:
                rows = connection.execute("select seq, body from events order by seq").fetchall()
            except sqlite3.OperationalError:  # cut before the schema was written
                rows = []
        connection.close()
        shutil.rmtree(folder)
        count = sum(one <= length for one in stored)
        assert rows == [(seq, f"event {seq}") for seq in range(1, count + 1)]
        lengths.add(count)
    assert max(lengths) == 30 and len(lengths) > 10
    report(f"P4: {cuts} cuts, each a prefix with all that had been stored")


def test_failed_write_acknowledges_nothing_and_recovers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P16 in small: while another program holds the database, writes are refused with a sentence."""
    path = tmp_path / "n.db"
    monkeypatch.setattr(writer, "BUSY_TIMEOUT", 10)

    async def work(store: Store) -> None:
        await store.add_table(ROW, [])
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="nothing was lost"):
            await store.append("t", EventRow(1, "next", 0, ""))
        assert await store.events("t") == []
        holder.execute("ROLLBACK")
        holder.close()
        await store.append("t", EventRow(1, "next", 0, ""))
        assert len(await store.events("t")) == 1

    run(str(path), work)


# ---------------------------------------------------------------------------- what cannot be opened


def refused(url: str) -> str:
    async def nothing(_: Store) -> None:
        pass

    with pytest.raises(BadDatabase) as error:
        run(url, nothing)
    sentence = str(error.value)
    assert "\n" not in sentence
    return sentence


def test_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Aino, " * 100)
    assert refused(str(path)) == f"{path} is no SQLite database"
    assert path.read_text() == "Dear Aino, " * 100
    assert "is not supported" in refused("mysql://localhost/nousu")
    assert "is no database" in refused("://")


def test_damaged_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "n.db"

    async def work(store: Store) -> None:
        await store.add_table(ROW, [EventRow(seq, "entry", 0, "x" * 400) for seq in range(1, 200)])

    run(str(path), work)
    content = bytearray(path.read_bytes())
    content[8192:20480] = b"\xff" * 12288
    path.write_bytes(content)
    assert "is damaged" in refused(str(path))


def test_large_database_is_served_at_once_and_looked_through_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "n.db"

    async def work(store: Store) -> None:
        await store.add_table(ROW, [EventRow(seq, "entry", 0, "x" * 400) for seq in range(1, 200)])

    run(str(path), work)
    content = bytearray(path.read_bytes())
    at = content.index(b"x" * 400)
    content[at - 200 : at + 200] = b"\xff" * 400
    path.write_bytes(content)
    monkeypatch.setattr(sqlite, "LARGE", 1)

    async def served() -> None:
        store = await Store.open(database_url(str(path)), serving=True)
        await store.examine(after=0.0)
        await store.close()

    asyncio.run(served())
    assert "is damaged" in caplog.text
    assert "is damaged" in refused(str(path)), "nobody waits for the doctor"


def test_newest_schema_is_the_one_that_migrations_lead_to() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migration.__file__).parent / "migrations"))
    assert migration.newest_revision() == ScriptDirectory.from_config(config).get_current_head()


def test_newer_database_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "n.db"

    async def nothing(_: Store) -> None:
        pass

    run(str(path), nothing)
    with sqlite3.connect(path) as connection:
        connection.execute("update alembic_version set version_num = '9999'")
    connection.close()
    assert "written by a newer nousu" in refused(str(path))


def test_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    assert "cannot be written" in refused(str(tmp_path))
    (tmp_path / "file").touch()
    assert "cannot be written" in refused(str(tmp_path / "file" / "n.db"))
    if os.geteuid() == 0:
        assert "cannot be written" in refused("/proc/nousu.db")


def test_postgres_that_does_not_answer_is_named() -> None:
    assert "cannot be opened" in refused("postgresql://nobody@127.0.0.1:9/none")


def test_postgres_that_does_not_know_all_letters_is_refused(postgres: str) -> None:
    """One made without a locale keeps bytes; its first answer was a traceback."""
    engine = sa.create_engine(database_url(postgres), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql("create database bytes encoding 'SQL_ASCII' locale 'C' template template0")
    engine.dispose()
    why = refused(database_url(postgres).set(database="bytes").render_as_string(hide_password=False))
    assert "keeps text as SQL_ASCII: create the database with ENCODING 'UTF8'" in why


def test_friends_standing_tables_and_daily_answers_are_stored_alike(url: str) -> None:
    async def work(store: Store) -> None:
        for name in ("a", "b", "c"):
            await store.add_session(SessionRow(name, name.upper(), "en", bytes(32)))
        await store.friends.remember("c", on=False)
        for hand in (1, 1, 2):
            await store.friends.add_hands([SharedHand(["a", "b", "c"], "tuppi", f"t:{hand}")])
        (friend,) = await store.friends.of("a")
        assert (friend.name, friend.hands, friend.seen) == ("B", 2, "t:2")

        row = WeeklyTableRow("s", "a", "", "tuppi", 1, 1140, "UTC", 0.0, "", "", "")
        await store.weekly_tables.add(row)
        await store.weekly_tables.set_person("s", "a", sat=True)
        for name in ("a", "b"):
            await store.weekly_tables.set_person("s", name, date="2026-12-01", answer="come")
        people = [(one.name, one.sat, one.answer) for one in (await store.weekly_tables.people(["s"]))["s"]]
        assert people == [("A", True, "come"), ("B", False, "come")]
        assert await store.weekly_tables.of("a") == [row]
        await store.weekly_tables.delete_old_answers("s", "2026-12-08")
        people = [(one.name, one.sat, one.answer) for one in (await store.weekly_tables.people(["s"]))["s"]]
        assert people == [("A", True, "")]

        for good in (True, False):
            await store.daily.add("a", DailyRow("2026-12-01", "play HA", good))
        await store.daily.add("b", DailyRow("2026-12-01", "play H2", False))
        assert await store.daily.of("a") == [DailyRow("2026-12-01", "play HA", True)]
        assert await store.daily.count("2026-12-01") == {"play HA": 1, "play H2": 1}

        await store.people.forget("a", "Guest")
        assert not await store.friends.of("b") and await store.weekly_tables.find("s") is None
        assert await store.daily.count("2026-12-01") == {"play H2": 1}

    run(url, work)


def test_statements_of_a_running_match_leave_nothing_in_cycles(url: str) -> None:
    """At 250 actions a second such garbage stopped the server for 200 ms at a time."""

    async def work(store: Store) -> None:
        for name in ("a", "b"):
            await store.add_session(SessionRow(name, name.upper(), "en", bytes(32)))
        await store.add_table(ROW, [])

        async def write(number: int) -> None:
            await store.friends.add_hands([SharedHand(["a", "b"], "tuppi", f"t:{number}")])
            await store.save_snapshot("t", Snapshot(number, b"state", "seal"))

        await write(1)
        gc.collect()
        gc.disable()
        try:
            for number in range(2, 22):
                await write(number)
            assert gc.collect() < 20 * 30
        finally:
            gc.enable()
        (friend,) = await store.friends.of("a")
        assert friend.hands == 21

    run(url, work)
