"""The log file: any changed byte is named, a torn line is set aside, a crash loses nothing acknowledged."""

import errno
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from nousu.tournament.log_file import GENESIS, LogFile, heads, read, seal
from nousu.tournament.messages import Damaged, Refusal
from nousu.tournament.office import Office, make_format
from nousu.tournament.people import from_text


def _evening(path: Path) -> Office:
    """A small Tuppen event with its numbers drawn and its rounds planned."""
    office = Office(path)
    office.begin("Evening", make_format("tuppen", series=3), "Ellen")
    office.enter("Ellen", from_text("\n".join(f"Person {n}" for n in range(8))).given)
    office.draw("Ellen", "three dice")
    office.plan("Ellen", seconds=0.2)
    return office


def test_every_changed_byte_is_named_by_its_line(tmp_path: Path) -> None:
    """P21: flip every byte of a file in turn, and no flip goes unnoticed or is laid to a wrong line."""
    office = _evening(tmp_path / "t")
    office.slip("Ellen", "1.1", ("abcd", "bacd"))
    data = office.path.read_bytes()
    chance = random.Random(5)
    for at in range(len(data)):
        changed = bytearray(data)
        changed[at] ^= 1 << chance.randrange(8)
        with pytest.raises(Damaged) as raised:
            read(bytes(changed))
        assert raised.value.line == data[:at].count(b"\n") + 1
        assert str(raised.value).startswith(f"line {raised.value.line}: ")


def test_removed_doubled_and_swapped_lines_are_found(tmp_path: Path) -> None:
    lines = _evening(tmp_path / "t").path.read_bytes().splitlines(keepends=True)
    for other in (
        [lines[0], *lines[2:]],
        [lines[0], lines[1], lines[1], *lines[2:]],
        [lines[0], lines[2], lines[1], *lines[3:]],
    ):
        with pytest.raises(Damaged) as raised:
            read(b"".join(other))
        assert raised.value.line in (2, 3)


def test_a_file_cut_at_any_byte_keeps_every_whole_line(tmp_path: Path) -> None:
    """A crash leaves a prefix of the log; all acknowledged lines stay."""
    data = _evening(tmp_path / "t").path.read_bytes()
    whole = read(data)
    for at in range(len(data) + 1):
        log = read(data[:at])
        ends = data[:at].count(b"\n")
        assert log.unended == (data[at : at + 1] == b"\n")
        assert log.events == whole.events[: ends + log.unended]
        assert log.torn == (b"" if log.unended else data[:at].rpartition(b"\n")[2])


def test_a_line_that_lost_only_its_end_counts(tmp_path: Path) -> None:
    """The event is whole and sealed: taking it loses nothing, whether it was acknowledged or not."""
    office = _evening(tmp_path / "t")
    data = office.path.read_bytes()
    office.path.write_bytes(data[:-1])
    assert len(office.open().log.events) == 4
    office.slip("Ellen", "1.1", ("abcd", "bacd"))
    assert office.path.read_bytes().startswith(data)
    assert len(office.open().log.events) == 5


def test_a_line_whose_end_was_changed_is_damage_not_a_crash(tmp_path: Path) -> None:
    data = _evening(tmp_path / "t").path.read_bytes()
    for end in (b" ", b"\r", b"\x0b", b"}"):
        with pytest.raises(Damaged, match="line 4"):
            read(data[:-1] + end)


def test_a_torn_line_is_set_aside_and_the_work_goes_on(tmp_path: Path) -> None:
    office = _evening(tmp_path / "t")
    before = office.path.read_bytes()
    half = b'{"hash":"0123456789abcdef'
    office.path.write_bytes(before + half)
    opened = office.open()
    assert len(opened.log.events) == 4
    assert "cut short by a crash" in opened.notices[0].message
    after = office.slip("Ellen", "1.1", ("abcd", "bacd"))
    assert "set aside" in after.notices[0].message
    assert (tmp_path / "t.torn-5-1").read_bytes() == half
    assert office.path.read_bytes().startswith(before)
    assert office.open().notices == ()
    office.path.write_bytes(office.path.read_bytes() + half)
    office.confirm("Uwe", "1.1")
    assert (tmp_path / "t.torn-6-1").exists()


def test_a_crash_that_left_empty_blocks_is_a_torn_line(tmp_path: Path) -> None:
    office = _evening(tmp_path / "t")
    office.path.write_bytes(office.path.read_bytes() + bytes(300))
    office.slip("Ellen", "1.1", ("abcd", "bacd"))
    assert len(office.open().log.events) == 5


def test_a_full_disk_stores_nothing_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    office = _evening(tmp_path / "t")
    before = office.path.read_bytes()
    real = os.write

    def full(handle: int, data: bytes) -> int:
        if len(data) > 40:
            return real(handle, data[:40])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(Refusal, match="the disk is full"):
        office.slip("Ellen", "1.1", ("abcd", "bacd"))
    monkeypatch.undo()
    assert office.path.read_bytes() == before
    office.slip("Ellen", "1.1", ("abcd", "bacd"))


def test_a_disk_that_cannot_sync_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    office = _evening(tmp_path / "t")
    before = office.path.read_bytes()

    def failing(handle: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(Refusal, match="nothing was stored"):
        office.slip("Ellen", "1.1", ("abcd", "bacd"))
    monkeypatch.undo()
    assert office.path.read_bytes() == before


def test_a_file_is_begun_once(tmp_path: Path) -> None:
    _evening(tmp_path / "t")
    with pytest.raises(Refusal, match="already exists"):
        Office(tmp_path / "t").begin("Other", make_format("tuppen"), "Ellen")


@pytest.mark.parametrize("content", [b"", b"hello\n", b"{}\n", b"\x00\xff" * 50, b'{"hash":"'])
def test_a_foreign_file_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "t"
    path.write_bytes(content)
    with pytest.raises(Refusal):
        Office(path).open()
    with pytest.raises(Refusal):
        Office(path).act("Ellen", "published")
    assert path.read_bytes() == content or list(tmp_path.glob("t.torn-*"))


def test_two_clerks_at_once_lose_nothing(tmp_path: Path) -> None:
    """Both write through the lock: every acknowledged event is there, in one unbroken chain."""
    path = tmp_path / "t"
    file = LogFile(path)
    file.create({"n": 1})

    def clerk(name: str) -> None:
        for _ in range(25):
            with LogFile(path).writing() as writer:
                writer.add({"n": len(writer.log.events) + 1, "by": name})

    threads = [threading.Thread(target=clerk, args=(name,)) for name in ("Ellen", "Uwe")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    events = file.read().events
    assert [event["n"] for event in events] == list(range(1, 52))
    assert sum(event.get("by") == "Uwe" for event in events) == 25


def test_a_chain_pinned_for_good() -> None:
    """The first line of every file ever written must stay readable."""
    line, head = seal(GENESIS, {"n": 1, "do": "ä"})
    assert GENESIS == "4d73faa9dbbeb73f62d2703d591ad0c6afbfa14f4071df08a23fd273da00a07e"
    assert line == f'{{"hash":"{head}","n":1,"do":"ä"}}\n'.encode()
    assert heads([{"n": 1, "do": "ä"}]) == (head,)


CLERK = """
import sys
from nousu.cli import main
sys.argv = ["nousu", "tournament", "enter", sys.argv[1], "--by", "Ellen"]
main()
"""


def test_kill_9_while_entering_loses_nothing_acknowledged(tmp_path: Path) -> None:
    """A real process is killed at random moments; every "stored" it has said is in the file."""
    chance = random.Random(11)
    office = Office(tmp_path / "t")
    office.begin("Evening", make_format("tuppen", series=30, games=1), "Ellen")
    office.enter("Ellen", from_text("\n".join(f"Person {n}" for n in range(8))).given)
    office.draw("Ellen", "three dice")
    office.plan("Ellen", seconds=0.1)
    keys = [key for key, _ in office.open().tournament.tables()]
    acknowledged: set[str] = set()
    while len(acknowledged) < len(keys):
        todo = [key for key in keys if office.open().tournament.slip(key).result is None]
        if not todo:
            break
        process = subprocess.Popen(
            [sys.executable, "-c", CLERK, str(office.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("".join(f"{key} abcd\n" for key in todo))
        process.stdin.close()
        stop_after = chance.randrange(1, 16)
        for line in process.stdout:
            if line.startswith("stored "):
                acknowledged.add(line.split()[1])
                stop_after -= 1
                if not stop_after:
                    process.send_signal(signal.SIGKILL)
                    break
        for line in process.stdout:
            if line.startswith("stored ") and line.endswith("\n"):
                acknowledged.add(line.split()[1])
        process.wait()
        process.stdout.close()
        state = office.open().tournament
        assert all(state.slip(key).result is not None for key in acknowledged)


@pytest.mark.parametrize("changes", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_bytes_changed_put_in_or_taken_out_are_found(tmp_path: Path, changes: int) -> None:
    """P21 on a whole evening: one byte changed, inserted or removed anywhere, the line it stands in named."""
    office = _evening(tmp_path / "t")
    for table, _ in office.open().tournament.tables():
        office.slip("Ellen", table, ("abcd", "dcba"))
        office.confirm("Uwe", table, ("abcd", "dcba"))
    data = office.path.read_bytes()
    chance = random.Random(changes)
    for _ in range(changes):
        at, new = chance.randrange(len(data) - 1), bytes([chance.randrange(256)])
        kind = chance.choice(("changed", "inserted", "removed"))
        changed = data[:at] + (b"" if kind == "removed" else new) + data[at + (kind != "inserted") :]
        if changed == data:
            continue
        with pytest.raises(Damaged) as raised:
            read(changed)
        line = data[:at].count(b"\n") + 1
        # a line end put in at the very beginning of a line stands in that line; a byte like its neighbour
        # cannot be told from it, so the first line that differs is meant
        assert raised.value.line in (line, line - 1 if data[at - 1 : at] == b"\n" else line)
