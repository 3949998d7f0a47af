"""``nousu tournament desk``: a process that serves one file, says where, and loses nothing when killed."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from typer.testing import CliRunner

from hosted_event import NINE
from nousu.cli import app
from nousu.cli.tournament.desk import local_address
from nousu.tournament.office import Office
from tournament_fixtures import evening

SRC = Path(__file__).parents[2] / "src"


@contextmanager
def at_the_desk(path: Path) -> Iterator[tuple[list[str], str]]:
    """The lines that a running desk prints, and its address; it is killed at the end."""
    command = [sys.executable, "-m", "nousu", "tournament", "desk", str(path), "--by", "Ellen", "--port", "0"]
    process = subprocess.Popen(
        command,
        env=os.environ | {"PYTHONPATH": str(SRC), "NOUSU_WORKERS": "0", "NOUSU_LANG": "en"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if "Ctrl+C" in line:
                break
        found = re.search(r"http://127\.0\.0\.1:\d+", lines[-1])
        assert found is not None, lines
        yield lines, found.group()
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(10)
        if process.stdout is not None:
            process.stdout.close()


def test_desk_prints_its_address_and_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "Kesäilta 2026.nousu"
    office = evening(path, NINE)
    with at_the_desk(path) as (lines, base):
        found = re.search(r"(/tournament/kesailta-2026)(/in/\S+)", lines[-1])
        assert found is not None, lines
        at, way = found.groups()
        with httpx.Client(
            base_url=base, headers={"origin": base}, follow_redirects=True, timeout=60
        ) as ellen:
            assert ellen.get(at + way).url.path == f"{at}/board"
            links = ellen.get(f"{at}/links").text
            if far := local_address():
                assert f"http://{far}:" in links and f"http://{far}:" in "".join(lines)
            sent = {f"g{game}-{seat}": str(seat + 1) for game in (1, 2) for seat in range(3)}
            assert ellen.post(f"{at}/slip/1.1", data=sent).status_code == 200
    assert office.open().tournament.slip("1.1").state == "entered"


def test_desk_begins_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "hall" / "evening.nousu"
    with at_the_desk(path) as (lines, base):
        assert f"There is no tournament in {path} yet." in "".join(lines)
        assert lines[-1].startswith(f"Direct the tournament at {base}/tournaments ")
        with httpx.Client(base_url=base, headers={"origin": base}, timeout=60) as ellen:
            begun = {"name": "Summer", "by": "Ellen", "format": "tuppen"}
            for at in ("/tournament/evening/setup", "/tournament/summer-"):
                answer = ellen.post("/tournaments", data=begun)
                assert answer.status_code == 303 and answer.headers["location"].startswith(at)
    assert Office(path).open().tournament.name == "Summer"
    assert len(list(path.parent.glob("*.nousu"))) == 2


def test_desk_refuses_other_files_and_a_missing_name(tmp_path: Path) -> None:
    def desk(*words: str) -> str:
        result = CliRunner().invoke(app, ["tournament", "desk", *words], env={"NOUSU_BY": ""})
        assert result.exit_code == 1 and "Traceback" not in result.output
        return result.output + result.stderr

    evening(tmp_path / "one.nousu", NINE, plan=False)
    assert "say who is doing this" in desk(str(tmp_path / "one.nousu")).lower()
    (tmp_path / "notes.nousu").write_text("Dear diary\n")
    assert "not as it was written" in desk(str(tmp_path / "notes.nousu"), "--by", "Ellen")
