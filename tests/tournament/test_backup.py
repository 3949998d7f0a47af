"""A second copy with every entry, reading a damaged file, and saving what can be proved of it."""

import codecs
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from nousu.tournament.backup import salvage
from nousu.tournament.export import write
from nousu.tournament.messages import Damaged, Refusal
from nousu.tournament.office import Office
from nousu.tournament.todo import todo
from nousu.tournament.verify import verify
from tournament_fixtures import Clock, evening, settle

EIGHT = [f"P{number}" for number in range(1, 9)]


@pytest.fixture
def office(tmp_path: Path) -> Office:
    office = evening(tmp_path / "t", EIGHT, series=2, games=1)
    settle(office, "1.1", "abcd")
    settle(office, "1.2", "dcba")
    return office


def test_every_entry_reaches_the_copy(tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    first = evening(tmp_path / "t", EIGHT, series=2, games=1)
    office = Office(first.path, Clock(), copy=stick)
    assert office.slip("Ellen", "1.1", ("abcd",)).notices == ()
    assert (stick / "t").read_bytes() == office.path.read_bytes()
    office.confirm("Uwe", "1.1")
    assert (stick / "t").read_bytes() == office.path.read_bytes()
    assert Office(stick / "t").open().log.head == office.open().log.head


def test_a_stick_that_is_pulled_out_stops_nothing(tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    office = Office(evening(tmp_path / "t", EIGHT, series=2, games=1).path, Clock(), copy=stick)
    opened = office.slip("Ellen", "1.1", ("abcd",))
    assert "could not be written" in opened.notices[0].message
    stick.mkdir()
    assert office.confirm("Uwe", "1.1").notices == ()
    assert (stick / "t").read_bytes() == office.path.read_bytes()


def test_a_copy_of_something_else_is_left_alone(tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    (stick / "t").write_text("my thesis")
    office = Office(evening(tmp_path / "t", EIGHT, series=2, games=1).path, Clock(), copy=stick)
    assert "holds something else" in office.slip("Ellen", "1.1", ("abcd",)).notices[0].message
    assert (stick / "t").read_text() == "my thesis"
    same = Office(office.path, Clock(), copy=tmp_path)
    assert "would be the file itself" in same.confirm("Uwe", "1.1").notices[0].message


def test_a_damaged_file_opens_up_to_the_damage_to_read(office: Office) -> None:
    lines = office.path.read_bytes().splitlines(keepends=True)
    broken = bytearray(lines[6])
    broken[100] ^= 4
    office.path.write_bytes(b"".join([*lines[:6], bytes(broken), *lines[7:]]))
    opened = office.open()
    assert opened.damage is not None and opened.damage.line == 7
    assert len(opened.log.events) == 6 and todo(opened.tournament)
    assert "nothing can be added" in opened.notices[0].message
    with pytest.raises(Damaged, match="line 7"):
        office.slip("Ellen", "2.1", ("abcd",))
    assert not all(check.good for check in verify(opened))
    office.path.write_bytes(b"x" + b"".join(lines)[1:])
    with pytest.raises(Damaged, match="line 1"):
        office.open()


def test_one_changed_byte_a_line_is_put_right(office: Office, tmp_path: Path) -> None:
    """A byte of the event is proved by the seal of its line, one of the seal by the next line."""
    whole = office.path.read_bytes()
    chance = random.Random(3)
    starts = [0, *(at + 1 for at, byte in enumerate(whole) if byte == 10)][:-1]
    for turn in range(12):
        changed = bytearray(whole)
        first = chance.randrange(len(starts) - 4)
        lines = (first, first + 2)  # of two lines in a row nothing may prove the first
        for line in lines:
            changed[starts[line] + chance.randrange(starts[line + 1] - starts[line] - 1)] ^= (
                1 << chance.randrange(8)
            )
        office.path.write_bytes(bytes(changed))
        found = salvage(office.path, tmp_path / f"new-{turn}")
        assert found.lost == () and found.mended == tuple(sorted(line + 1 for line in lines))
        assert (tmp_path / f"new-{turn}").read_bytes() == whole


def test_salvage_lists_what_cannot_be_proved_and_uses_a_copy(office: Office, tmp_path: Path) -> None:
    whole = office.path.read_bytes()
    lines = whole.splitlines(keepends=True)
    middle = lines[5].replace(b"Ellen", b"Elena", 1)[:-20] + b"\n"
    office.path.write_bytes(b"".join([*lines[:5], middle, *lines[6:]]))
    found = salvage(office.path, tmp_path / "new")
    assert found.saved == 5 and [number for number, _ in found.lost] == list(range(6, len(lines) + 1))
    assert (tmp_path / "new").read_bytes() == b"".join(lines[:5])
    with pytest.raises(Refusal, match="already exists"):
        salvage(office.path, tmp_path / "new")
    (tmp_path / "copy").write_bytes(b"".join(lines[:-1]))
    found = salvage(office.path, tmp_path / "newer", (tmp_path / "copy",))
    assert found.saved == len(lines) - 1 and found.source == tmp_path / "copy"
    (tmp_path / "junk").write_bytes(b"hello\nworld\n")
    with pytest.raises(Refusal, match="nothing can be recovered"):
        salvage(tmp_path / "junk", tmp_path / "never")
    assert not (tmp_path / "never").exists()


@pytest.mark.parametrize(
    "foreign",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.replace(b"\n", b"\r"),
        lambda data: data.replace(b"\n", b"\r\n", 3),
        lambda data: data.replace(b"\n", b"\n\n"),
        lambda data: codecs.BOM_UTF8 + data,
        lambda data: codecs.BOM_UTF8 + data.replace(b"\n", b"\r\n").rstrip(),
        lambda data: data.decode().encode("utf-16"),
    ],
)
def test_line_ends_and_marks_of_other_programs_are_said_and_undone(
    office: Office, tmp_path: Path, foreign: Callable[[bytes], bytes]
) -> None:
    whole, head = office.path.read_bytes(), office.open().log.head
    office.path.write_bytes(foreign(whole))
    opened = office.open()
    assert (opened.log.head, opened.notices[0].english.partition(" of")[0]) == (
        head,
        "another program has changed the line ends",
    )
    assert not all(check.good for check in verify(opened))
    with pytest.raises(Damaged, match="another program"):
        office.slip("Ellen", "2.1", ("abcd",))
    notice = salvage(office.path, tmp_path / "new")
    assert (notice.foreign, notice.lost, notice.mended) == (True, (), ())
    assert (tmp_path / "new").read_bytes() == whole


def test_a_changed_byte_between_foreign_line_ends_costs_nothing(office: Office, tmp_path: Path) -> None:
    whole = office.path.read_bytes()
    lines = whole.splitlines(keepends=True)
    changed = lines[4][:90] + bytes((lines[4][90] ^ 4,)) + lines[4][91:]
    office.path.write_bytes(b"".join([*lines[:4], changed, *lines[5:]]).replace(b"\n", b"\r\n"))
    notice = salvage(office.path, tmp_path / "new")
    assert (notice.foreign, notice.mended) == (True, (5,))
    assert (tmp_path / "new").read_bytes() == whole


def test_an_export_may_have_foreign_line_ends(office: Office, tmp_path: Path) -> None:
    write(tmp_path / "e.json", office.open())
    data = (tmp_path / "e.json").read_bytes()
    (tmp_path / "e.json").write_bytes(codecs.BOM_UTF8 + data.replace(b"\n", b"\r\n"))
    assert Office(tmp_path / "e.json").open().log.head == office.open().log.head
