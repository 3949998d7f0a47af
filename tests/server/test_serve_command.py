"""``nousu serve``, ``doctor`` and ``verify`` say in one sentence what is wrong, and exit with it."""

import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from nousu.cli import app
from nousu.cli.serve import _listening_server, faults
from nousu.server.settings import load_settings
from nousu.server.storage.sqlite import FileLock
from nousu.server.table import record, shuffle
from table_fixtures import Sitting


def nousu(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


@pytest.fixture
def taken() -> Iterator[int]:
    """A port another program listens at."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_server_told_to_end_before_it_began_ends(tmp_path: Path) -> None:
    """The signal may come while the interpreter is where it ignores exceptions, such as in a finalizer."""
    before = signal.getsignal(signal.SIGTERM)
    hosting = load_settings({"database": str(tmp_path / "n.db"), "port": "0"}, None)
    server, listening = _listening_server(hosting, None, lambda port: None)
    try:
        signal.raise_signal(signal.SIGTERM)
        server.run(sockets=[listening])
    finally:
        signal.signal(signal.SIGTERM, before)
        listening.close()


def test_port_in_use_is_named(taken: int, tmp_path: Path) -> None:
    result = nousu("serve", "--port", str(taken), "--database", str(tmp_path / "n.db"))
    assert result.exit_code == 1
    assert result.stderr == f"nousu: 127.0.0.1:{taken} is in use by another program; choose another --port\n"


@pytest.mark.parametrize("command", ["serve", "doctor"])
def test_bad_database_is_named(command: str, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database " * 10)
    result = nousu(command, "--port", "0", "--database", str(path))
    assert result.exit_code == 1
    assert f"{path} is no SQLite database" in result.output
    assert "Traceback" not in result.output


def test_doctor_says_what_is_well(taken: int, tmp_path: Path) -> None:
    database = ("--database", str(tmp_path / "n.db"))
    well = nousu("doctor", "--port", "0", *database)
    assert well.exit_code == 0
    assert "0 sessions, 0 tables, 0 events" in well.output and "whist" in well.output
    ill = nousu("doctor", "--port", str(taken), *database)
    assert ill.exit_code == 1 and "wrong  127.0.0.1" in ill.output and "ok     database" in ill.output


def test_file_is_served_once(tmp_path: Path) -> None:
    """A second server on one SQLite file would play every table a second time."""
    path = tmp_path / "n.db"
    claim = FileLock(path)
    result = nousu("serve", "--port", "0", "--database", str(path))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"nousu: {path} is served by another nousu already; stop it")
    assert nousu("doctor", "--port", "0", "--database", str(path)).exit_code == 0, "looking is allowed"
    claim.release()
    FileLock(path).release()


def test_killed_server_leaves_its_file_to_the_next(serve: Callable[..., Any]) -> None:
    first = serve()
    second = [sys.executable, "-m", "nousu", "serve", "--port", "0", "--database", first.database]
    found = subprocess.run(second, capture_output=True, text=True, timeout=60)
    assert found.returncode == 1 and "is served by another nousu already" in found.stderr
    first.stop(signal.SIGKILL)
    assert serve(first.database).base


def test_database_file_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "n.db"
    before = os.umask(0o022)
    try:
        assert nousu("doctor", "--port", "0", "--database", str(path)).exit_code == 0
    finally:
        os.umask(before)
    assert [oct(one.stat().st_mode & 0o777) for one in path.parent.glob("n.db*")] == ["0o600"]
    assert path.parent.stat().st_mode & 0o077 == 0
    path.chmod(0o644)
    found = nousu("doctor", "--port", "0", "--database", str(path)).output
    assert f"other users of this machine can read the cards: chmod 600 {path}" in found


def test_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    for command in ("serve", "doctor"):
        result = nousu(command, "--port", "0", "--database", "postgresql://localhost/none")
        assert result.exit_code == 1 and "Traceback" not in result.output
        assert "pip install 'nousu[postgres]'" in result.output


def test_wrong_addresses_are_named(tmp_path: Path) -> None:
    database = ("--port", "0", "--database", str(tmp_path / "n.db"))
    result = nousu("serve", *database, "--public", "cards.example")
    assert result.exit_code == 1 and "'cards.example' is no public address" in result.stderr
    result = nousu("serve", *database, "--trusted-proxy", "nginx")
    assert result.exit_code == 1 and "'nginx' is no address; write for example 127.0.0.1" in result.stderr


def test_faults_of_python_are_named() -> None:
    assert len(faults((3, 11, 3))) == 2
    assert faults((3, 11, 9))[0].startswith("Python 3.11.9 has CVE-2024-7592")
    assert "CVE-2024-7592" in faults((3, 12, 5))[0] and "update to 3.12.6" in faults((3, 12, 5))[0]
    assert faults((3, 11, 10)) == faults((3, 12, 6)) == faults((3, 13, 0)) == faults((3, 14, 2)) == []


def test_doctor_knows_how_many_files_may_be_open(tmp_path: Path) -> None:
    few = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (1000, 1000));"
    words = ["doctor", "--port", "0", "--database", str(tmp_path / "n.db")]
    code = f"{few} from nousu.cli import app; app({words!r})"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "note   1000 open files allowed; each connection takes one" in found.stdout


def test_verify_checks_a_record(tmp_path: Path) -> None:
    sitting = Sitting("tuppi+target=4", persons=0, computers=4, options={"pace": "0"})
    while not sitting.table.over:
        sitting.played(random.Random(1), 50)
    text = record.record(sitting.table, None)
    path = tmp_path / "match.nousu"
    path.write_text(text, encoding="utf-8-sig")  # a byte order mark, as some editors write it
    result = nousu("verify", str(path))
    assert result.exit_code == 0
    assert f"{sitting.table.deals + 1} shuffles made again" in result.output
    assert "names, bids and plays are as the record tells them" in result.output
    other = shuffle.commitment(bytes(31) + b"\1")
    path.write_text(text.replace(shuffle.commitment(bytes(32)), other))
    result = nousu("verify", str(path))
    assert result.exit_code == 1 and "not the one that was committed to" in result.stderr
    path.write_text(text.split("# shuffle")[0])
    assert "carries no '# shuffle secret'" in nousu("verify", str(path)).stderr
    path.write_bytes(b"\xff\xfe\xff")
    assert "line 1: this is no UTF-8 text" in nousu("verify", str(path)).stderr
    assert "No such file" in nousu("verify", str(tmp_path / "none")).stderr
