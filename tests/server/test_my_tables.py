"""A person's own data: tables, statistics, records, other devices, deletion."""

import io
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import states
from applications import app_on
from nousu.engine.record import read
from nousu.games import find
from nousu.server.http.rate_limits import DEFAULT_RATES
from table_fixtures import Sitting

ORIGIN = {"origin": "http://testserver"}


@cache
def _reached(name: str) -> Sitting:
    return states.reach(states.STATES[name])[0]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[TestClient, Path]]:
    """A server with two finished matches and one in play, asked by the person who sits at all of them."""
    database = tmp_path / "nousu.db"
    for name in ("whist over", "huutopussi over", "play, late"):
        states.put(database, name, _reached(name))
    with TestClient(app_on(database, pace=60), headers=ORIGIN) as client:
        _note(database)
        client.cookies.set("nousu", states.token(0))
        client.headers["accept-language"] = "en"
        yield client, database


def _note(database: Path) -> None:
    """Who sat where, as the migration would have noted it."""
    with sqlite3.connect(database) as connection:
        connection.execute(
            "INSERT OR IGNORE INTO seats SELECT json_extract(body, '$.session'), table_id, at, '' FROM events"
            " WHERE kind = 'person'"
        )
    connection.close()


def test_tables_in_play_and_finished_and_what_became_of_them(served: tuple[TestClient, Path]) -> None:
    client, database = served
    first, again = client.get("/mine"), client.get("/mine")
    text = re.sub(r"\s+", " ", first.text)
    assert re.search(r'<h2 class="title" id="running">.*?href="/t/play-late"', text)
    ended = text[text.index('id="ended"') :]
    assert 'href="/t/whist-over"' in ended and 'href="/t/huutopussi-over"' in ended
    assert 'href="/t/play-late"' not in ended
    assert again.text == first.text, "what was found at the first visit is kept"
    with sqlite3.connect(database) as connection:
        results = dict(
            connection.execute("SELECT table_id, result FROM seats WHERE session = ?", (states.session(0),))
        )
    connection.close()
    assert '"hands"' in results["whist-over"] and results["play-late"] == ""
    # Matches of all who sat there: one side has won them.
    won = 0
    for person in range(4):
        client.cookies.set("nousu", states.token(person))
        won += client.get("/mine").text.count("mine-won")
    assert won == 4


def test_my_tables_are_private(served: tuple[TestClient, Path]) -> None:
    client, _ = served
    client.cookies.clear()
    assert "whist-over" not in client.get("/mine").text
    assert client.get("/mine/records.zip").status_code == 403
    assert client.post("/mine/device").status_code == 403
    assert client.post("/mine/devices/end").status_code == 403


def test_records_come_in_one_file_and_replay(
    served: tuple[TestClient, Path],
) -> None:
    client, _ = served
    with zipfile.ZipFile(io.BytesIO(client.get("/mine/records.zip").content)) as packed:
        texts = {name.split()[1]: packed.read(name).decode() for name in packed.namelist()}
    assert set(texts) == {"whist-over.nousu", "huutopussi-over.nousu", "play-late.nousu"}
    assert read(texts["whist-over.nousu"], find).match.winner is not None
    assert "?13" in texts["play-late.nousu"], "hands of others stay hidden while the match goes on"


def test_what_if_table_is_neither_listed_nor_counted(
    served: tuple[TestClient, Path],
) -> None:
    client, _ = served
    before = client.get("/mine").text
    assert client.post("/t/whist-over/hand/1/play", data={"at": "9"}).status_code == 200
    assert client.get("/mine").text == before


def test_device_has_the_same_seats_until_signed_out(served: tuple[TestClient, Path]) -> None:
    client, _ = served
    mine = client.get("/t/play-late").text
    code = re.search(r'id="code">([^<]*)<', client.post("/mine/device").text)
    assert code is not None and re.fullmatch(r"[2-9A-Z]{4}-[2-9A-Z]{4}", code[1])
    token = client.cookies["nousu"]
    client.cookies.clear()
    assert "Sanni" in client.get(f"/device?code={code[1].lower()}").text
    assert client.post("/device", data={"code": code[1]}, follow_redirects=False).status_code == 303
    other = client.cookies["nousu"]
    assert other != token
    keyless = re.compile(r'name="key" value="[^"]*"')
    assert keyless.sub("", client.get("/t/play-late").text) == keyless.sub("", mine)
    client.cookies.clear()
    for used in (code[1], "ABCD-EFGH", "", "x" * 20):
        assert client.post("/device", data={"code": used}).status_code == 403, "once only"
    client.cookies.clear()
    client.cookies.set("nousu", token)
    assert "since" in client.get("/mine").text
    assert client.post("/mine/devices/end", follow_redirects=False).status_code == 303
    client.cookies.clear()
    client.cookies.set("nousu", other)
    assert 'id="hand"' not in client.get("/t/play-late").text
    assert "no tables yet" in client.get("/mine").text


def test_device_code_expires_and_is_withdrawn(
    served: tuple[TestClient, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, _ = served
    code = re.search(r'id="code">([^<]*)<', client.post("/mine/device").text)
    assert code is not None
    client.post("/mine/devices/end")
    assert client.post("/device", data={"code": code[1]}).status_code == 403
    monkeypatch.setattr("nousu.server.people.device_codes.CODE_LIVES", 0.0)
    code = re.search(r'id="code">([^<]*)<', client.post("/mine/device").text)
    assert code is not None
    assert client.get(f"/device?code={code[1]}").status_code == 403
    assert client.post("/device", data={"code": code[1]}).status_code == 403


def test_recovery_code_restores_everything_once(
    served: tuple[TestClient, Path],
) -> None:
    client, database = served

    def shown(path: str) -> str:
        code = re.search(r'id="code">([^<]*)<', client.post(path).text)
        assert code is not None
        return code[1]

    first, code = shown("/mine/recovery"), shown("/mine/recovery")
    assert re.fullmatch(r"([2-9A-Z]{4}-){5}[2-9A-Z]{4}", code)
    for_now = shown("/mine/device")
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE sessions SET used = used - 200 * 86400")
        connection.execute("UPDATE codes SET until = until - 200 * 86400")
    connection.close()
    client.cookies.clear()
    assert client.get("/mine/records.zip").status_code == 403, "a lost device"
    assert client.post("/device", data={"code": for_now}).status_code == 403, "too old"
    assert client.post("/device", data={"code": first}).status_code == 403, "replaced by the second"
    typed = code.lower().replace("-", " ")
    assert client.post("/device", data={"code": typed}, follow_redirects=False).status_code == 303
    assert 'href="/t/play-late"' in client.get("/mine").text
    client.cookies.clear()
    assert client.post("/device", data={"code": code}).status_code == 403, "once only"


def test_device_codes_cannot_be_guessed() -> None:
    assert DEFAULT_RATES["code"].endswith("/minute")
    assert int(DEFAULT_RATES["code"].partition("/")[0]) * 10 < 29**8 / 10**9, "ten minutes are not enough"


@pytest.mark.parametrize(("language", "guest"), [("en", "Guest"), ("de", "Gast"), ("fi", "Vieras")])
def test_deleted_user_is_a_guest_in_finished_matches(
    served: tuple[TestClient, Path], language: str, guest: str
) -> None:
    """The name in the records is the one that the page has announced, in the language of the person."""
    client, database = served
    client.headers["accept-language"] = language
    assert "Sanni" in client.get("/t/whist-over/record").text
    assert guest in client.get("/forget").text
    assert client.post("/forget", follow_redirects=False).status_code == 303
    client.cookies.clear()
    record = client.get("/t/whist-over/record").text
    assert "Sanni" not in record and guest in record
    assert read(record, find).match.winner is not None
    with sqlite3.connect(database) as connection:
        for table in ("sessions", "devices", "codes", "reports", "seats"):
            column = "id" if table == "sessions" else "session"
            mine = f"SELECT count(*) FROM {table} WHERE {column} = ?"
            assert connection.execute(mine, (states.session(0),)).fetchone() == (0,), table
        over = "SELECT body FROM events JOIN tables ON id = table_id WHERE over AND body LIKE '%Sanni%'"
        assert connection.execute(over).fetchall() == []
    connection.close()
