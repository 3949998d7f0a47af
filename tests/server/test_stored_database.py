"""A database stored by an earlier version (commit 4bbe4a6) loads, replays and answers as it did then.

``tests/records/server.db.xz`` holds finished, running and open tables of each family, with sessions, reviews,
a report and a recovery code; ``server.json.xz`` the answers of the API to each of its people, and to a
spectator.
"""

import json
import lzma
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from applications import app_on
from nousu.review import codec
from nousu.server.people import history
from nousu.server.people.reports import HostReport
from nousu.server.people.server import Server
from nousu.server.people.sessions import Session, hash_token
from nousu.server.table.events import EventRow, from_row, to_row

RECORDS = Path(__file__).parents[1] / "records"


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    """Stored answers of the API."""
    content: dict[str, Any] = json.loads(lzma.decompress((RECORDS / "server.json.xz").read_bytes()))
    return content


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A copy of the database."""
    path = tmp_path / "nousu.db"
    path.write_bytes(lzma.decompress((RECORDS / "server.db.xz").read_bytes()))
    return path


def _answers(client: TestClient, table: str, token: str) -> dict[str, Any]:
    headers = {"authorization": f"Bearer {token}"} if token else {}

    def get(path: str) -> Any:
        response = client.get(f"/api/v1/tables/{table}{path}", headers=headers)
        assert response.status_code == 200, response.text
        return response.text if path == "/record" else response.json()

    view = get("")
    view["window"] = None  # seconds left on a clock
    hands = [get(f"/hands/{hand}") for hand in range(1, len(view["hands"]) + 1)]
    return {"table": view, "record": get("/record"), "hands": hands}


def test_stored_tables_answer_as_before(database: Path, answers: dict[str, Any]) -> None:
    people = {"": "", **{name: person["token"] for name, person in answers["people"].items()}}
    app = app_on(database, pace=0)
    with TestClient(app, base_url="http://testserver") as client:
        for name, person in answers["people"].items():
            headers = {"authorization": f"Bearer {people[name]}"}
            assert client.get("/api/v1/session", headers=headers).json() == person["session"]
        for name, stored in answers["tables"].items():
            for person, before in stored["answers"].items():
                now = _answers(client, stored["table"], people[person])
                for part in before:
                    assert json.dumps(now[part]) == json.dumps(before[part]), (name, person, part)


def test_stored_history_and_reviews_are_read_as_before(database: Path, answers: dict[str, Any]) -> None:
    app = app_on(database, pace=0)
    with TestClient(app, base_url="http://testserver") as client:
        assert client.portal is not None
        server: Server = app.state.server
        reviews = 0
        for name, person in answers["people"].items():
            session = Session(hash_token(person["token"]), name, "en", "")
            mine = client.portal.call(history.load_history, server, session)
            running = [[one.id, one.preset, list(one.names), one.hand, one.turn] for one in mine.running]
            ended = [
                [one.id, one.preset, list(one.names), one.hands, one.won, one.drawn, one.left]
                for one in mine.ended
            ]
            assert {"running": sorted(running), "ended": sorted(ended)} == answers["history"][name]
            rows = client.portal.call(server.store.people.reviews, session.id, codec.VERSION, 10)
            assert all(codec.encode(codec.decode(row.body)) == row.body for row in rows)
            reviews += len(rows)
        assert reviews == 2
        (row,) = client.portal.call(server.store.people.reports)
        report = HostReport.parse(row)
        assert (report.kind, report.text, report.page) == ("play", "odd", "<p>x")


def test_stored_events_are_written_back_byte_for_byte(database: Path) -> None:
    connection = sqlite3.connect(database)
    seats = dict(connection.execute("SELECT id, seats FROM tables"))
    rows = connection.execute("SELECT table_id, seq, kind, place, body, key, print FROM events").fetchall()
    connection.close()
    assert len(rows) > 1000
    for table, *columns in rows:
        row = EventRow(*columns)
        assert to_row(from_row(row, seats[table]), seats[table]) == row
