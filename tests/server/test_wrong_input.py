"""What is sent wrongly to a table: a sentence in the person's language, the right status, nothing lost."""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

import states
from applications import app_on
from nousu.i18n import translator

ORIGIN = {"origin": "http://testserver", "sec-fetch-site": "same-origin"}
HOST = "http://testserver"
FORM = {"preset": "tuppi", "shown": "tuppi", "name": "Sanni", "player": "open", "do": "play", "seats": "4"}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[TestClient]:
    found = app_on(f"{tmp_path}/tables.db", pace=0)
    with TestClient(found, base_url=HOST, headers=ORIGIN) as client:
        yield client


def now(client: TestClient, table: str, cookies: dict[str, str]) -> dict[str, Any]:
    """The table as the browser with these cookies sees it."""
    client.cookies.clear()
    client.cookies.update(cookies)
    found: dict[str, Any] = client.get(f"/api/v1{table.replace('/t/', '/tables/')}").json()
    return found


def test_link_says_where_it_leads_and_a_wrong_one_names_nothing_internal(app: TestClient) -> None:
    table = app.post("/new", data=FORM, follow_redirects=False).headers["location"]
    app.cookies.clear()
    shown = html.unescape(app.get(table).text)
    assert '<meta property="og:title" content="Tuppi · Nousu">' in shown
    said = re.search(r'property="og:description" content="([^"]*)"', shown)
    assert said and "Sanni" in said[1] and 'property="og:image"' in shown
    for path in ("/rules/tupi", "/new?rules=tupi", "/rules/tuppi+targt=8", "/t/nothing", "/learn/tupi"):
        page = app.get(path)
        assert page.status_code in (400, 404), path
        words = html.unescape(page.text).partition("<main")[2]
        assert not re.search(r">[^<]*\b(tuppi_\w+|norwegian_\w+|huutopussi_\w+|tuppen_\w+)", words), path


@pytest.mark.parametrize("language", ["fi", "de"])
def test_wrong_input_is_explained_and_the_table_stays_as_it_was(
    app: TestClient, tmp_path: Path, language: str
) -> None:
    app.headers["accept-language"] = language
    say = translator(language)
    sitting, person = states.reach(states.STATES["play, late"])
    table = f"/t/{states.put(tmp_path / 'tables.db', 'wrong input', sitting)}"
    mine = {"nousu": states.token(person), "nousu_lang": language}
    before = now(app, table, mine)
    legal = before["view"]["legal"][0]

    def refused(
        cookies: dict[str, str], path: str, data: dict[str, str] | None, status: int, why: str
    ) -> None:
        app.cookies.clear()
        app.cookies.update(cookies)
        answer = app.get(path) if data is None else app.post(path, data=data)
        sentence = say(why)
        assert sentence != why, "there is a translation"
        assert answer.status_code == status, (path, answer.status_code)
        assert sentence in html.unescape(answer.text), path

    def error_on(connection: WebSocketTestSession) -> str:
        while "error" not in (answer := connection.receive_json()):  # who is absent is told meanwhile
            pass
        return str(answer["error"])

    def refused_on_line(cookies: dict[str, str], act: dict[str, Any], why: str) -> None:
        app.cookies.clear()
        app.cookies.update(cookies)
        with app.websocket_connect(f"{table}/live") as connection:
            connection.send_json(act)
            assert error_on(connection) == say(why) != why

    act = {"act": legal, "seq": before["seq"], "key": "0123456789"}
    unknown, watching = (
        "There is no such table.",
        "You are watching; only those who sit at the table may act.",
    )
    refused(mine, "/t/nothing", None, 404, unknown)
    refused(mine, "/t/nothing/fill", {}, 404, unknown)
    moved = "The game has moved on; look again and choose."
    refused_on_line(mine, act | {"seq": 0, "key": "9876543210"}, moved)
    refused({}, f"{table}/join", {"name": "Bo"}, 403, "All places at this table are taken.")
    refused({}, f"{table}/remove", {"remove": "1"}, 403, watching)
    refused_on_line({"nousu_lang": language}, act, watching)
    refused_on_line({"nousu": "x" * 43, "nousu_lang": language}, act, watching)
    gone = "This seat is not offered any more. Ask for a new code."
    refused({}, f"{table}/take", {"code": "AAAA-BBBB", "name": "Bo"}, 403, gone)
    refused({}, f"{table}/take?code=AAAA-BBBB", None, 403, gone)
    worn = "This code is not valid: it works once, within ten minutes. Ask for a new one."
    refused({}, "/device", {"code": "AAAA-BBBB"}, 403, worn)

    app.cookies.clear()
    app.cookies.update(mine)
    with app.websocket_connect(f"{table}/live") as connection:
        for junk in ("{", "[]", "7", '"pass"'):
            connection.send_text(junk)
            assert error_on(connection) == say("A message is a JSON object.")
        connection.send_text(json.dumps({"act": "play S1O", "seq": before["seq"], "key": "0123456780"}))
        assert "S1O" in error_on(connection)
    assert now(app, table, mine) == before


@pytest.mark.parametrize("language", ["fi", "de"])
def test_program_is_refused_in_the_language_it_asks_for(
    app: TestClient, tmp_path: Path, language: str
) -> None:
    say = translator(language)
    sitting, person = states.reach(states.STATES["play, late"])
    table = f"/tables/{states.put(tmp_path / 'tables.db', 'a program', sitting)}"
    mine = {"nousu": states.token(person), "nousu_lang": "en"}
    before = now(app, table.replace("/tables/", "/t/"), mine)
    view = before["view"]
    barred = next(card for card in ("SA", "SK", "SQ", "SJ") if card not in view["cards"])
    wrong = {"act": f"play {barred}", "seq": before["seq"], "key": "0123456789"}

    def refused(path: str, body: dict[str, Any], language: str) -> tuple[int, dict[str, Any]]:
        answer = app.post(f"/api/v1{path}", json=body, headers={"accept-language": language})
        return answer.status_code, answer.json()

    unknown, moved = "There is no such table.", "The game has moved on; look again and choose."
    status, answer = refused("/tables/nothing/actions", wrong, language)
    assert (status, answer["error"]) == (404, say(unknown))
    status, answer = refused(f"{table}/actions", wrong | {"seq": 0, "key": "9876543210"}, language)
    assert (status, answer["error"]) == (409, say(moved))
    (_, english), (status, theirs) = (refused(f"{table}/actions", wrong, one) for one in ("en", language))
    assert status == 400 and theirs["error"] != english["error"] and "{" not in theirs["error"]
    assert theirs | {"error": ""} == english | {"error": ""}, "clause and legal actions stay"
    status, answer = refused("/tables", {"preset": "bridge", "players": []}, language)
    assert status == 400 and "bridge" in answer["error"]
    assert now(app, table.replace("/tables/", "/t/"), mine) == before


@pytest.mark.parametrize("language", ["fi", "de"])
def test_names_without_end_or_alike_join_under_names_of_their_own(app: TestClient, language: str) -> None:
    app.headers["accept-language"] = language
    table = str(app.post("/new", data=FORM).url.path)
    mine = dict(app.cookies)
    for name in ("S\N{CYRILLIC SMALL LETTER A}nni", "x" * 5000):
        app.cookies.clear()
        assert app.post(f"{table}/join", data={"name": name}).status_code == 200
    names = [seat["name"] for seat in now(app, table, mine)["seats"] if seat["name"]]
    assert len(names) == len(set(names)) == 3 and "Sanni" in names
    assert any(name.endswith(" 2") for name in names), names
    assert max(map(len, names)) <= 40
