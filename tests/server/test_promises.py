"""P9, P10, P11, P16, P17 of docs/host/promises.md: dealing, verification, parsers, full disks, backups."""

import importlib.util
import random
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

import parser_fuzz
from nousu.engine.actions import Deal
from nousu.engine.record import read
from nousu.games import find
from nousu.server.table import record, shuffle
from nousu.server.table.shuffle import Shuffles
from soaking import SOAKING, report, times
from table_fixtures import Sitting

ROOT = Path(__file__).parents[2]


def played_out(preset: str) -> Iterator[str]:
    """Records of whole matches, each dealt from a secret of its own and two shares. Play by chance may fall
    behind any target for ever; such matches are left out."""
    for seed in count():
        rng = random.Random(seed)
        secret = rng.randbytes(32)
        computers = 1 if preset.startswith("tuppen") else 2
        sitting = Sitting(preset, persons=2, computers=computers, options={"pace": "0"}, secret=secret)
        while not sitting.table.over and sitting.table.seq < 10_000:
            sitting.played(rng, 200)
        if sitting.table.over:
            yield record.record(sitting.table, None)


# ------------------------------------------------------------------------------------------------ P9


@pytest.mark.promise("P9")
def test_deals_are_equally_likely() -> None:
    """Each of the 2 652 pairs that can lie on top, and the parity of the whole permutation: a generator of
    too few numbers, or one that exchanges in a wrong way, cannot pass both."""
    rounds = times(4_000, 10_000_000)
    secret = random.Random(9).randbytes(32)
    first = [0] * (52 * 52)
    odd = 0
    for number in range(rounds):
        pack = list(range(52))
        Shuffles(secret).stream(number).shuffle(pack)
        first[pack[0] * 52 + pack[1]] += 1
        odd += _odd(pack)
    cells = [count for at, count in enumerate(first) if at // 52 != at % 52]
    expected = rounds / len(cells)
    chi = sum((count - expected) ** 2 / expected for count in cells)
    freedom = len(cells) - 1
    assert abs(chi - freedom) < 5 * (2 * freedom) ** 0.5
    assert abs(odd - rounds / 2) < 5 * (rounds / 4) ** 0.5
    report(f"P9: {rounds} deals, chi-square of the first two cards {chi:.0f} at {freedom} degrees of freedom")


def _odd(pack: list[int]) -> bool:
    seen, cycles = [False] * len(pack), 0
    for at in range(len(pack)):
        cycles += not seen[at]
        while not seen[at]:
            seen[at] = True
            at = pack[at]
    return (len(pack) - cycles) % 2 == 1


# ----------------------------------------------------------------------------------------------- P10


@pytest.fixture(scope="module")
def alone() -> ModuleType:
    """docs/examples/verify.py, which imports nothing of Nousu."""
    path = ROOT / "docs/examples/verify.py"
    assert not re.search(r"^\s*(import|from) nousu", path.read_text(), re.M)
    spec = importlib.util.spec_from_file_location("verify_alone", path)
    assert spec is not None and spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.mark.promise("P10")
@pytest.mark.parametrize("preset", ["tuppi+target=12", "huutopussi+target=100", "tuppen_zk"])
def test_verify_script_finds_every_flipped_bit(alone: ModuleType, preset: str) -> None:
    flipped = 0
    for seed, text in enumerate(islice(played_out(preset), times(1, 20))):
        assert list(alone.problems(text)) == []
        assert shuffle.verify(text, find).problems == ()
        rng = random.Random(seed)
        data = text.encode()
        inputs = [match.span() for match in re.finditer(rb"(?m)^(# shuffle|deal|draw) .*$", data)]
        for _ in range(times(350, 2_000)):
            start, end = rng.choice(inputs)
            at = rng.randrange(start, end)
            changed = bytearray(data)
            changed[at] ^= 1 << rng.randrange(8)
            if bytes(changed).split() == data.split():
                continue  # one blank for another
            flipped += 1
            assert _caught(alone, changed), changed[start:end]
    report(f"P10: {flipped} flipped bits of {preset}, all found by the stand-alone script")


@pytest.mark.promise("P10")
@pytest.mark.parametrize("preset", ["tuppi+target=12", "huutopussi+target=100", "tuppen_zk"])
def test_record_that_verifies_has_the_cards_of_its_secret(preset: str) -> None:
    """Bits of a whole record: what is not found changes no card that was dealt or drawn, as the words say."""

    def proved(text: str) -> tuple[object, ...]:
        match = read(text, find).match
        hands = [*(played.hand for played in match.played), match.hand]
        deals = [action for hand in hands for by, action in hand.log if isinstance(action, Deal)]
        lines = [line.split() for line in text.splitlines() if line.startswith("# shuffle")]
        return match.drawn, deals, lines

    counts = Counter[bool]()
    for seed, text in enumerate(islice(played_out(preset), times(1, 20))):
        rng, data, own = random.Random(seed), text.encode(), proved(text)
        for _ in range(times(250, 5_000)):
            changed = bytearray(data)
            changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            try:
                is_found = bool(shuffle.verify(changed.decode(), find).problems)
            except ValueError:
                is_found = True
            assert is_found or proved(changed.decode()) == own, changed
            counts[is_found] += 1
    assert counts[True] > 5 * counts[False] > 0
    report(f"P10: {counts.total()} flipped bits of whole records of {preset}: {counts[False]} change no card")


def _caught(alone: ModuleType, changed: bytearray) -> bool:
    try:
        return bool(list(alone.problems(changed.decode())))
    except (ValueError, KeyError, IndexError, AttributeError):
        return True


# ----------------------------------------------------------------------------------------------- P11


@pytest.mark.promise("P11")
@pytest.mark.parametrize("name", parser_fuzz.PARSERS)
def test_parsers_survive_any_text(name: str) -> None:
    """Mutations of valid texts: whatever comes, it is read or refused by the error that is promised, in at
    most 50 ms of processor time and 32 MiB."""
    parser = parser_fuzz.PARSERS[name]
    valid = parser.valid_texts()
    assert all(parser_fuzz.parse_time(parser, text)[1] for text in valid), "a mutation begins as a valid text"
    rng = random.Random(name)
    rounds = times(60 if name in ("records", "verification") else 1_500, parser.long)
    before, accepted, slowest = parser_fuzz.peak_memory(reset=True), 0, 0.0
    for _ in range(rounds):
        text = parser_fuzz.mutate(rng, rng.choice(valid))
        took, read = parser_fuzz.parse_time(parser, text)
        if took > parser_fuzz.SLOWEST:
            took = parser_fuzz.best_parse_time(parser, text)
        slowest = max(slowest, took)
        accepted += read
    grown = parser_fuzz.peak_memory() - before
    assert slowest <= parser_fuzz.SLOWEST and grown <= parser_fuzz.LARGEST
    report(
        f"P11: {rounds} texts for {name}, {accepted} accepted, slowest {1000 * slowest:.1f} ms of CPU, "
        f"{grown:.1f} MiB at most"
    )


# ----------------------------------------------------------------------------------------------- P16

Serve = Callable[..., Any]
FREE = resource.RLIM_INFINITY
STORED = "SELECT count(*), max(seq) FROM events WHERE table_id = ?"


def come(client: httpx.Client, **options: str) -> str:
    client.post("/look", data={"lang": "en"})
    body = {"preset": "tuppi", "players": ["random"] * 3, "options": options}
    answer = client.post("/api/v1/tables", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["table"])


def waits(client: httpx.Client, table: str) -> dict[str, Any]:
    """The table when it waits for us alone, so that nobody else changes it."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        now: dict[str, Any] = client.get(f"/api/v1/tables/{table}").json()
        mine = now["view"]["owed"] == [now["seat"]] and not now["view"]["legal"][0].startswith("show")
        if now["over"] or now["waiting"] or mine:
            return now
        time.sleep(0.01)
    raise AssertionError("the table never waited for us")


def acts(client: httpx.Client, table: str, now: dict[str, Any]) -> httpx.Response:
    key = uuid.uuid4().hex
    if now["waiting"]:
        return client.post(f"/api/v1/tables/{table}/next", json={"key": key})
    body = {"act": now["view"]["legal"][0], "seq": now["seq"], "key": key}
    return client.post(f"/api/v1/tables/{table}/actions", json=body)


@pytest.mark.promise("P16")
def test_full_disk_acknowledges_nothing_and_is_got_over(serve: Serve) -> None:
    """The limit on file sizes stands for a full disk: what the kernel refuses to write is refused to the
    player, reading goes on, and when there is room again everything does, without a restart."""
    served = serve()
    with served.client() as client:
        table = come(client)
        now = waits(client, table)
        refusals = 0
        while refusals < (wanted := times(2, 200)):
            if now["over"]:
                table = come(client)
                now = waits(client, table)
            wal, room = Path(served.database + "-wal").stat().st_size, 4096 * (refusals % 3)
            resource.prlimit(served.pid, resource.RLIMIT_FSIZE, (wal + room, FREE))
            answer, acted = None, 0
            # Where the disk has refused a computer player, nobody asks for anything that can be refused.
            while not now["over"] and (now["waiting"] or now["view"]["legal"]):
                answer = acts(client, table, now)
                if answer.status_code != 200:
                    break
                acted += 1
                if acted == 20:  # the log has been begun anew, so that there is room before its end
                    resource.prlimit(served.pid, resource.RLIMIT_FSIZE, (room, FREE))
                acknowledged = answer.json()["seq"]
                now = waits_or_stands(client, table)
                assert now["seq"] >= acknowledged
            if answer is None or answer.status_code == 200:
                resource.prlimit(served.pid, resource.RLIMIT_FSIZE, (FREE, FREE))
                now = waits(client, table)
                continue
            assert answer.status_code == 503 and int(answer.headers["retry-after"]) > 0, answer.text
            assert "nothing was lost" in answer.json()["error"]
            refusals += 1
            stands = client.get(f"/api/v1/tables/{table}")
            assert stands.status_code == 200, "reading goes on"
            assert client.get(f"/t/{table}").status_code == 200
            resource.prlimit(served.pid, resource.RLIMIT_FSIZE, (FREE, FREE))
            now = waits(client, table)
            assert acts(client, table, now).status_code == 200, "and it goes on without a restart"
            now = waits(client, table)
        seq = now["seq"]
        served.stop()
        with sqlite3.connect(served.database) as database:
            assert database.execute(STORED, (table,)).fetchone()[1] >= seq
        database.close()
    report(
        f"P16: {refusals} of {wanted} times out of room, nothing falsely acknowledged, each got over without "
        "a restart"
    )


FAILS = r"""
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static int refused(void) { return access(getenv("FAILS_WHILE"), F_OK) == 0; }
int fsync(int file) { return refused() ? (errno = EIO, -1) : (int)syscall(SYS_fsync, file); }
int fdatasync(int file) { return refused() ? (errno = EIO, -1) : (int)syscall(SYS_fdatasync, file); }
"""
"""What the system answers while a file of that name exists: the disk could not keep what was written."""


@pytest.mark.promise("P16")
@pytest.mark.skipif(shutil.which("gcc") is None or sys.platform != "linux", reason="needs gcc on Linux")
def test_failing_fsync_acknowledges_nothing_and_is_got_over(serve: Serve, tmp_path: Path) -> None:
    source, made, fails = tmp_path / "fails.c", tmp_path / "fails.so", tmp_path / "fails"
    source.write_text(FAILS)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", made, source], check=True)
    served = serve(LD_PRELOAD=str(made), FAILS_WHILE=str(fails))
    with served.client() as client:
        table = come(client)
        now = waits(client, table)
        for _ in range(times(2, 200)):
            if now["over"]:
                table = come(client)
                now = waits(client, table)
            fails.touch()
            answer = acts(client, table, now)
            assert answer.status_code == 503 and int(answer.headers["retry-after"]) > 0, answer.text
            assert client.get(f"/t/{table}").status_code == 200, "reading goes on"
            assert client.get(f"/api/v1/tables/{table}").json()["seq"] == now["seq"], "nothing new is shown"
            fails.unlink()
            assert acts(client, table, now).status_code == 200, "and it goes on without a restart"
            now = waits(client, table)
        served.stop()
    with sqlite3.connect(served.database) as database:
        count, last = database.execute(STORED, (table,)).fetchone()
    database.close()
    assert count == last >= now["seq"]


def waits_or_stands(client: httpx.Client, table: str) -> dict[str, Any]:
    """The table when it waits for us; or as it stands, because the disk lets nobody go on."""
    now: dict[str, Any] = {}
    for _ in range(100):
        now = client.get(f"/api/v1/tables/{table}").json()
        mine = now["seat"] in now["view"]["owed"] and not now["view"]["legal"][0].startswith("show")
        if now["over"] or now["waiting"] or mine:
            break
        time.sleep(0.01)
    return now


# ----------------------------------------------------------------------------------------------- P17


@pytest.mark.promise("P17")
def test_backup_under_play_is_a_prefix_that_plays_on(serve: Serve, tmp_path: Path) -> None:
    served = serve()
    copy = tmp_path / "copy.db"
    acted = times(12, 3_000)
    with served.client() as client:
        table = come(client, pace="0")
        for number in range(acted):
            now = waits(client, table)
            if now["over"]:
                table = come(client, pace="0")
                continue
            assert acts(client, table, now).status_code == 200
            if number == acted // 2:
                source, target = sqlite3.connect(served.database), sqlite3.connect(copy)
                source.backup(target, pages=8)
                source.close()
                target.close()
        cookie = client.cookies["nousu"]
        one, two = stored(Path(served.database)), stored(copy)
        assert two and all(one[seat] == row for seat, row in two.items()), "every row of the copy is a row"
        last = max(seq for at, seq in two if at == table) if any(at == table for at, _ in two) else 0
    again = serve(str(copy))
    with again.client() as client:
        client.cookies.set("nousu", cookie)
        if last:
            now = waits(client, table)
            assert now["seq"] >= last and now["seat"] is not None
            assert now["over"] or acts(client, table, now).status_code == 200, "the copy is played on"
    report(f"P17: a backup after {acted // 2} actions, {len(two)} events, every one the same; played on")


def stored(path: Path) -> dict[tuple[str, int], tuple[Any, ...]]:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT table_id, seq, kind, place, body, key FROM events").fetchall()
    connection.close()
    return {(row[0], row[1]): row[2:] for row in rows}


@pytest.fixture(autouse=True)
def _patient() -> Iterator[None]:
    """Long forms say how long they took."""
    before = time.monotonic()
    yield
    if SOAKING:
        report(f"  took {time.monotonic() - before:.0f} s")
