"""A server that is told to stop while pages listen, plans are sought and files are read."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import httpx
import pytest

from nousu.i18n import translator
from nousu.server.tournament.links import create_links
from nousu.tournament.office import MOST_PEOPLE
from tournament_fixtures import evening
from watchdog import descendants

SRC = Path(__file__).parents[2] / "src"


@pytest.fixture
def server_with_event(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """A server with a full tournament: its process, address, and the way in of the direction."""
    folder = tmp_path / "tournaments"
    folder.mkdir()
    office = evening(folder / "evening.nousu", [f"Given{n} Family{n}" for n in range(MOST_PEOPLE)], "tuppen")
    secret = create_links(office, "Ellen", translator("en"))
    command = [sys.executable, "-m", "nousu", "serve", "--port", "0", "--database", str(tmp_path / "d.db")]
    environment = os.environ | {"NOUSU_WORKERS": "0", "NOUSU_LIMITS": "off", "PYTHONPATH": str(SRC)}
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    base = process.stdout.readline().split()[3]
    yield process, base, secret
    if process.poll() is None:
        process.kill()
    process.communicate()


def test_server_stops_within_seconds_whatever_runs(
    server_with_event: tuple[subprocess.Popen[str], str, str],
) -> None:
    process, base, secret = server_with_event
    at = f"{base}/tournament/evening"
    cookies = httpx.get(f"{at}/in/{secret}", timeout=60).cookies
    answers: list[int] = []
    lines: list[str] = []

    def listen() -> None:
        with (
            httpx.Client(cookies=cookies, timeout=60) as client,
            client.stream("GET", f"{at}/news") as stream,
        ):
            lines.extend(stream.iter_lines())

    def plan() -> None:
        with (
            httpx.Client(cookies=cookies, timeout=60, headers={"origin": base}) as client,
            suppress(httpx.TransportError),  # the server has stopped
        ):
            answers.append(client.post(f"{at}/plan", data={"do": "propose"}).status_code)

    def start(*works: Callable[[], None], until: Callable[[], object]) -> None:
        for work in works:
            threading.Thread(target=work, daemon=True).start()
        deadline = time.monotonic() + 60
        while not until():
            assert time.monotonic() < deadline
            time.sleep(0.02)

    # Two pages that follow spread their questions over 50 milliseconds; a beat says so.
    start(listen, listen, until=lambda: ("event: beat", "data: 3000 50") in pairwise(lines))
    start(plan, plan, plan, until=lambda: descendants(process.pid))
    with httpx.Client(cookies=cookies, timeout=60, headers={"origin": base}) as client:
        assert client.post(f"{at}/door", data={"id": "1", "here": "yes"}).status_code == 303
        assert answers == [], "nobody else waits for a plan"
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors, errors[-2000:]
    assert set(answers) <= {503}, "no plan is waited for"
