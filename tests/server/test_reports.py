"""Reports to the host: one tap stores what a person saw, and the host reads it."""

import json
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

import states
from applications import app_on
from nousu.cli import app
from nousu.server.http.rate_limits import DEFAULT_RATES
from nousu.server.people import reports
from nousu.server.table.view_builder import view_of

ORIGIN = {"origin": "http://testserver"}


def _run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, words)
    return done.exit_code, done.output


def test_host_reads_what_the_person_saw_and_no_hidden_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "nousu.db"
    sitting, person = states.reach(states.STATES["play, late"])
    states.put(database, "t", sitting)
    client = TestClient(app_on(database, pace=60), headers=ORIGIN)
    with client:
        client.cookies.set("nousu", states.token(person))
        client.cookies.set("nousu_four", "on")
        client.headers.update({"accept-language": "en", "user-agent": "Phone\x1b[31m"})
        sent = client.post(
            "/t/t/report", data={"kind": "play", "text": "Why trump?\x1b[2J\nBut the ace was out."}
        )
        assert sent.status_code == 200 and "Thank you" in sent.text
        assert client.post("/t/t/report", data={"kind": "x"}).status_code == 400
        assert client.post("/t/t/report", data={"kind": "play", "text": "x" * 1001}).status_code == 400
        assert client.post("/t/none/report", data={"kind": "play"}).status_code == 404
        client.cookies.clear()
        client.post("/t/t/report", data={"kind": "problem"})
        monkeypatch.setattr(reports, "MOST", 2)
        assert "more reports" in client.post("/t/t/report", data={"kind": "problem"}).text
    where = ("--database", str(database))
    code, listed = _run("reports", *where)
    lines = listed.splitlines()
    assert code == 0 and len(lines) == 2 and "play" in lines[0] and "Why trump?" in lines[0]
    id = lines[0].split()[0]
    page = tmp_path / "page.json"
    code, text = _run("reports", id, "--page", str(page), *where)
    assert code == 0 and "four=on" in text and "But the ace was out." in text and "\x1b" not in text
    view = view_of(sitting.table, states.session(person), 0.0, "en").view
    hidden = {
        str(card) for seat in range(4) if seat != view.seat for card in sitting.match.hand.view(seat).cards
    }
    assert "?13" in text
    shown = page.read_text()
    assert {card["card"] for card in json.loads(shown)["hand"]} == {str(card) for card in view.cards}
    assert not any(re.search(rf'[" ]{card}\b', shown) for card in hidden)
    assert _run("reports", "zz", *where)[0] == 2
    assert "deleted: 1" in _run("reports", id, "--delete", *where)[1]
    assert "deleted: 1" in _run("reports", "--delete", *where)[1]
    assert "nobody has reported anything" in _run("reports", *where)[1]


def test_one_address_cannot_fill_the_box_of_the_host(tmp_path: Path) -> None:
    database = tmp_path / "nousu.db"
    states.put(database, "t", states.reach(states.STATES["play, late"])[0])
    app = app_on(database, pace=60, rates=DEFAULT_RATES)

    def report(client: TestClient) -> int:
        client.cookies.clear()  # sessions are free
        return client.post("/t/t/report", data={"kind": "problem"}).status_code

    with TestClient(app, headers=ORIGIN, client=("2001:db8::1", 50000)) as client:
        codes = [report(client) for _ in range(12)]
        assert codes == [200] * 10 + [429] * 2
        other = TestClient(app, headers=ORIGIN, client=("2001:db8:0:1::1", 50000))
        other.portal = client.portal
        assert report(other) == 200
