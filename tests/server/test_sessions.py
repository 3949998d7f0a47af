"""The end of a session, by its person or by disuse; log lines about refused requests."""

import logging
import sqlite3
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from applications import app_on
from nousu.server.http import middleware
from nousu.server.http.attempts import RefusalLog

ORIGIN = {"origin": "http://testserver"}


def come(client: TestClient, name: str = "Aino") -> str:
    """A session of a program; its token."""
    token: str = client.post("/api/v1/session", json={"name": name}).json()["token"]
    return token


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def test_forgotten_device_keeps_nothing(tmp_path: Path) -> None:
    """ASVS 7.4.1, 14.3.1: the token is worth nothing, live lines are cut, the browser is told to clear."""
    with TestClient(app_on(tmp_path / "n.db", pace=60), headers=ORIGIN) as browser:
        browser.post("/look", data={"lang": "en", "theme": "dark"})
        token = browser.cookies["nousu"]
        body = {"preset": "tuppi", "players": ["random"] * 3}
        table = browser.post("/api/v1/tables", json=body).json()["table"]
        with browser.websocket_connect(f"/t/{table}/live") as connection:
            assert "view" in connection.receive_json()
            assert "Forget this device" in browser.get("/forget").text
            gone = browser.post("/forget", follow_redirects=False)
            assert gone.status_code == 303 and "storage" in gone.headers["clear-site-data"]
            with pytest.raises(WebSocketDisconnect) as closed:
                for _ in range(20):
                    connection.receive_text()
            assert closed.value.code == 4401
        assert not browser.cookies
        assert browser.get("/api/v1/session", headers=bearer(token)).status_code == 401
        acts = {"act": "play H9", "seq": 0, "key": "12345678"}
        answer = browser.post(f"/api/v1/tables/{table}/actions", json=acts, headers=bearer(token))
        assert answer.status_code == 401
        assert browser.get("/api/v1/health").json()["sessions"] == 0
        assert browser.post("/forget", follow_redirects=False).status_code == 303, "twice does no harm"


def test_program_ends_its_session_and_its_seat_is_played_on(tmp_path: Path) -> None:
    with TestClient(app_on(tmp_path / "n.db", pace=0)) as client:
        first, second = bearer(come(client)), bearer(come(client, "Eero"))
        body = {"preset": "tuppi", "players": ["random", "random", "open"]}
        table = client.post("/api/v1/tables", json=body, headers=first).json()["table"]
        client.post(f"/api/v1/tables/{table}/seat", json={}, headers=second)
        until = time.monotonic() + 60
        while not client.get(f"/api/v1/tables/{table}", headers=first).json()["started"]:
            assert time.monotonic() < until
            time.sleep(0.02)
        assert client.delete("/api/v1/session", headers=second).status_code == 204
        assert client.delete("/api/v1/session", headers=second).status_code == 401
    with sqlite3.connect(tmp_path / "n.db") as database:
        left = database.execute("SELECT place FROM events WHERE kind = 'away'").fetchall()
    database.close()
    assert left == [(3,)], "the person who came last"


def test_unused_session_ends(tmp_path: Path) -> None:
    """ASVS 7.3.1: 90 days, counted from the last use; whoever comes within them stays."""
    path = tmp_path / "n.db"
    with TestClient(app_on(path, pace=0)) as client:
        token = bearer(come(client))

        def unused(days: float) -> int:
            with sqlite3.connect(path) as database:
                database.execute("UPDATE sessions SET used = ?", (time.time() - days * 86400,))
            database.close()
            return client.get("/api/v1/session", headers=token).status_code

        assert unused(80) == 200
        with sqlite3.connect(path) as database:
            assert database.execute("SELECT used FROM sessions").fetchone()[0] > time.time() - 3600
        database.close()
        assert unused(91) == 401


def test_refused_attempts_are_logged_without_what_is_secret(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ASVS 16.3: coming without a session, from elsewhere or too often is told, once a minute."""
    monkeypatch.setattr(middleware, "DELAY", 0.0)
    app = app_on(tmp_path / "n.db", pace=0, rates={"request": "30/hour"})
    with (
        caplog.at_level(logging.WARNING, "nousu.server.http.attempts"),
        TestClient(app, headers=ORIGIN) as client,
    ):
        client.get("/api/v1/session", headers=bearer("S" * 22))
        client.post("/look", headers={"origin": "https://elsewhere.example"})
        for _ in range(40):
            client.get("/api/v1/session", headers=bearer("S" * 22))
    result = [record.getMessage() for record in caplog.records if record.name == "nousu.server.http.attempts"]
    assert [line.split(": ")[1][:3] for line in result] == ["401", "403", "429"], result
    assert all("testclient" in line and "SSSS" not in line for line in result)


def test_repeated_attempts_fill_no_log(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    attempts = RefusalLog(lambda: now[0])
    with caplog.at_level(logging.WARNING, "nousu.server.http.attempts"):
        for _ in range(1000):
            attempts.note(403, "No.", "10.0.0.1")
            attempts.note(200, "", "10.0.0.1")
        now[0] = 61.0
        attempts.note(403, "No.", "10.0.0.1")
        for number in range(2100):
            attempts.note(403, "No.", f"10.0.{number // 256}.{number % 256}")
    result = [record.getMessage() for record in caplog.records]
    assert result[0] == "refused from 10.0.0.1: 403 No."
    assert result[1] == "refused from 10.0.0.1: 403 No. (999 more since the last line)"
    assert sum("kinds and addresses" in line for line in result) == 1
