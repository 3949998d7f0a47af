"""``nousu serve``, ``doctor`` and ``verify`` say in one sentence what is wrong, and exit with it."""

import random
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from nousu.cli import app
from nousu.server import dealing
from seated import Sitting


def nousu(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


@pytest.fixture
def taken() -> Iterator[int]:
    """A port another program listens at."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_a_port_in_use_is_named(taken: int, tmp_path: Path) -> None:
    result = nousu("serve", "--port", str(taken), "--database", str(tmp_path / "n.db"))
    assert result.exit_code == 1
    assert result.stderr == f"127.0.0.1:{taken} is in use by another program; choose another --port\n"


@pytest.mark.parametrize("command", ["serve", "doctor"])
def test_a_bad_database_is_named(command: str, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database " * 10)
    result = nousu(command, "--port", "0", "--database", str(path))
    assert result.exit_code == 1
    assert f"{path} is no SQLite database" in result.output
    assert "Traceback" not in result.output


def test_the_doctor_says_what_is_well(taken: int, tmp_path: Path) -> None:
    database = ("--database", str(tmp_path / "n.db"))
    well = nousu("doctor", "--port", "0", *database)
    assert well.exit_code == 0
    assert "0 sessions, 0 tables, 0 events" in well.output and "whist" in well.output
    ill = nousu("doctor", "--port", str(taken), *database)
    assert ill.exit_code == 1 and "wrong  127.0.0.1" in ill.output and "ok     database" in ill.output


def test_verify_checks_a_record(tmp_path: Path) -> None:
    sitting = Sitting("tuppi+target=4", persons=0, computers=4, options={"pace": "0"})
    while not sitting.table.over:
        sitting.played(random.Random(1), 50)
    text = sitting.table.record(None)
    path = tmp_path / "match.nousu"
    path.write_text(text, encoding="utf-8-sig")  # a byte order mark, as some editors write it
    result = nousu("verify", str(path))
    assert result.exit_code == 0
    assert f"{sitting.table.dealt + 1} shuffles made again" in result.output
    other = dealing.commitment(bytes(31) + b"\1")
    path.write_text(text.replace(dealing.commitment(bytes(32)), other))
    result = nousu("verify", str(path))
    assert result.exit_code == 1 and "not the one that was committed to" in result.stderr
    path.write_text(text.split("# shuffle")[0])
    assert "carries no '# shuffle secret'" in nousu("verify", str(path)).stderr
    path.write_bytes(b"\xff\xfe")
    assert "line 1: this is no UTF-8 text" in nousu("verify", str(path)).stderr
    assert "No such file" in nousu("verify", str(tmp_path / "none")).stderr
