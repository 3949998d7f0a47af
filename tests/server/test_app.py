"""What every response carries, what is refused at the door, and the API from the first to the last card."""

import random
import re
import uuid
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from applications import app_on
from nousu.server.http.middleware import BODY_LIMIT, SECURITY_HEADERS
from nousu.server.table.shuffle import pledge
from routes import addresses

Answer = dict[str, Any]


def test_routes_carry_the_security_headers(browser: TestClient) -> None:
    """P20: walk the route table; whatever the answer is, the headers are there."""
    app = browser.app
    assert isinstance(app, Starlette)
    walked = addresses(list(app.routes))
    assert len(walked) > 20
    for method, path in walked:
        answer = browser.request(method, path, follow_redirects=False)
        assert answer.status_code < 500, (method, path, answer.text)
        for name, value in SECURITY_HEADERS.items():
            assert answer.headers.get(name) == value, (method, path, name)
        if not path.startswith("/static"):
            assert answer.headers["cache-control"] == "no-store", (method, path)
    policy = SECURITY_HEADERS["content-security-policy"]
    assert "script-src 'self';" in policy and "default-src 'none'" in policy and "unsafe-eval" not in policy


def test_pages_have_no_inline_script(browser: TestClient) -> None:
    """The policy would block it, so the page would be broken."""
    for path in ("/", "/new", "/rules/tuppi", f"/t/{opened(browser)}"):
        html = browser.get(path).text
        scripts = r'<script(?![^>]*(?:\bsrc=|type="application/json"))[^>]*>\s*\S'
        assert not re.search(scripts, html), path
        assert not re.search(r"\son\w+=|javascript:", html), path


def test_routes_that_change_anything_refuse_other_origins(browser: TestClient) -> None:
    app = browser.app
    assert isinstance(app, Starlette)
    unsafe = [
        (method, path) for method, path in addresses(list(app.routes)) if method not in ("GET", "OPTIONS")
    ]
    assert len(unsafe) > 8
    for method, path in unsafe:
        for headers in (
            {"origin": "https://elsewhere.example"},
            {"origin": "null"},
            {"origin": "http://testserver", "sec-fetch-site": "cross-site"},
            {"origin": "http://testserver", "sec-fetch-site": "same-site"},
        ):
            answer = browser.request(method, path, headers=headers)
            assert answer.status_code == 403, (method, path, headers)
            assert "from a page of this server" in answer.text
    del browser.headers["origin"]
    assert browser.post("/new").status_code == 403
    assert browser.post("/new", headers={"sec-fetch-site": "same-origin"}).status_code != 403


def test_websocket_needs_the_same_origin(browser: TestClient) -> None:
    table = opened(browser)
    with browser.websocket_connect(f"/t/{table}/live") as connection:
        assert "view" in connection.receive_json()
    for origin in ("https://elsewhere.example", ""):
        with (
            pytest.raises(WebSocketDisconnect),
            browser.websocket_connect(f"/t/{table}/live", headers={"origin": origin}),
        ):
            pass
    with (
        browser.websocket_connect("/t/none/live") as connection,
        pytest.raises(WebSocketDisconnect) as closed,
    ):
        connection.receive_json()
    assert closed.value.code == 4404


def test_session_cookie_is_for_this_server_alone(browser: TestClient) -> None:
    """A visitor who only looks leaves nothing; who chooses something is remembered by one cookie."""
    for path in ("/", "/new", "/rules/tuppi", "/t/none", "/t/none/check"):
        assert "set-cookie" not in browser.get(path).headers
    assert browser.get("/api/v1/health").json()["sessions"] == 0
    first = browser.post("/look", data={"lang": "en"}, follow_redirects=False)
    sent = first.headers["set-cookie"]
    assert re.fullmatch(r"nousu=[\w-]{22}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax", sent)
    assert "set-cookie" not in browser.get("/").headers
    token = browser.cookies["nousu"]
    assert token not in browser.get("/api/v1/session").text
    browser.cookies.clear()
    browser.cookies.set("nousu", "0" * 22)
    assert browser.get("/api/v1/session").status_code == 401


def test_tokens_are_stored_as_hashes_only(tmp_path: Path) -> None:
    app = app_on(tmp_path / "n.db", pace=0)
    with TestClient(app, headers={"origin": "http://testserver"}) as browser:
        come(browser)
        token = browser.cookies["nousu"].encode()
        stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert token not in stored


def test_body_that_is_too_long_is_not_read(browser: TestClient) -> None:
    long = b"x" * (BODY_LIMIT + 1)
    assert browser.post("/new", content=long).status_code == 413
    pieces = (long[at : at + 1000] for at in range(0, len(long), 1000))
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert browser.post("/new", content=pieces, headers=form).status_code == 413
    table = opened(browser)
    with browser.websocket_connect(f"/t/{table}/live") as connection:
        for sent, sentence in (("[" * 3000, "That is too long."), ("[" * 900, "JSON"), (b"\xff", "JSON")):
            connection.send_text(sent) if isinstance(sent, str) else connection.send_bytes(sent)
            result = connection.receive_json()
            while "error" not in result:
                result = connection.receive_json()
            assert sentence in result["error"]


def test_requests_over_the_limit_are_told_when_to_come_again(tmp_path: Path) -> None:
    rates = {"request": "3/hour"}
    app = app_on(tmp_path / "n.db", rates=rates)
    with TestClient(app, headers={"origin": "http://testserver"}) as browser:
        answers = [browser.get("/api/v1/players") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert int(answers[-1].headers["retry-after"]) > 0


def test_actions_over_the_limit_are_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    app = app_on(tmp_path / "n.db", pace=60, rates={"act": "2/hour"})
    with TestClient(app, headers={"origin": "http://testserver"}) as browser:
        table = opened(browser)
        now = asked(browser, table)
        answers = [act(browser, table, now, "play S2") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [400, 400, 429]
        assert browser.get(f"/api/v1/tables/{table}").json()["seq"] == now["seq"]


# ------------------------------------------------------------------------------------------------- API


def come(browser: TestClient) -> None:
    """A browser gets a session by the first thing it asks to be remembered."""
    browser.post("/look", data={"lang": "en"})


def opened(browser: TestClient, player: str = "random", **values: Any) -> str:
    come(browser)
    table = {"preset": "tuppi", "players": [player] * 3, "name": "Aino"} | values
    answer = browser.post("/api/v1/tables", json=table)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["table"])


def asked(browser: TestClient, table: str) -> Answer:
    """The table once it waits for us."""
    for _ in range(5000):
        now: Answer = browser.get(f"/api/v1/tables/{table}").json()
        mine = now["seat"] in now["view"]["owed"] and not now["view"]["legal"][0].startswith("show")
        if now["over"] or now["waiting"] or mine:
            return now
    raise AssertionError("the table never waited for us")


def act(browser: TestClient, table: str, now: Answer, text: str) -> Any:
    body = {"act": text, "seq": now["seq"], "key": uuid.uuid4().hex}
    return browser.post(f"/api/v1/tables/{table}/actions", json=body)


def test_match_by_a_program_with_a_token(browser: TestClient) -> None:
    """Session, commitment, own share of the shuffle, play to the end, verification, record."""
    answer = browser.post("/api/v1/session", json={"name": "Robot", "lang": "fi"})
    assert answer.status_code == 201 and "set-cookie" not in answer.headers
    session = answer.json()
    browser.headers["authorization"] = f"Bearer {session['token']}"
    del browser.headers["origin"]
    assert browser.get("/api/v1/session").json()["commitment"] == session["commitment"]
    body = {"preset": "tuppi+target=4", "players": ["random"] * 3, "pledge": pledge("0f" * 16)}
    made = browser.post("/api/v1/tables", json=body).json()
    assert made["commitment"] == session["commitment"]
    assert browser.get("/api/v1/session").json()["commitment"] != session["commitment"]
    table = made["table"]
    promised = browser.get(f"/api/v1/tables/{table}").json()["shuffle"]
    assert promised["open"] and promised["shares"] == [
        {"place": 0, "pledge": pledge("0f" * 16), "share": None}
    ]
    wrong = browser.post(f"/api/v1/tables/{table}/share", json={"share": "1f" * 16})
    assert wrong.status_code == 409 and "not promised" in wrong.json()["error"]
    opened = [browser.post(f"/api/v1/tables/{table}/share", json={"share": "0f" * 16}) for _ in range(2)]
    assert [answer.status_code for answer in opened] == [200, 200]
    assert browser.get(f"/api/v1/tables/{table}/verify").status_code == 409
    rng = random.Random(2)
    while not (now := asked(browser, table))["over"]:
        if now["waiting"]:
            key = {"key": uuid.uuid4().hex}
            assert browser.post(f"/api/v1/tables/{table}/next", json=key).status_code == 200
        else:
            assert act(browser, table, now, rng.choice(now["view"]["legal"])).status_code == 200
    assert now["shuffle"]["commitment"] == made["commitment"]
    assert now["shuffle"]["shares"] == [{"place": 0, "pledge": pledge("0f" * 16), "share": "0f" * 16}]
    verdict = browser.get(f"/api/v1/tables/{table}/verify").json()
    assert verdict == {"ok": True, "shuffles": len(now["hands"]) + 1, "problems": [], "unopened": []}
    record = browser.get(f"/api/v1/tables/{table}/record").text
    assert (
        browser.post("/api/v1/verify", content=record, headers={"content-type": "text/plain"}).json()
        == verdict
    )
    forged = record.replace(" 0f0f0f", " 1f0f0f")
    assert not browser.post("/api/v1/verify", content=forged, headers={"content-type": "text/plain"}).json()[
        "ok"
    ]
    last = browser.get(f"/api/v1/tables/{table}/hands/{len(now['hands'])}").json()
    assert last["points"] == now["hands"][-1]["points"] and last["view"]["tricks"]
    assert browser.get(f"/api/v1/tables/{table}/hands/999").status_code == 404


def test_refusals_are_sentences_with_their_status(browser: TestClient) -> None:
    table = opened(browser, options={"pace": "60"})
    now = asked(browser, table)
    illegal = act(browser, table, now, "play S2")
    assert illegal.status_code == 400
    assert illegal.json()["clause"] and illegal.json()["legal"] == now["view"]["legal"]
    assert act(browser, table, now, "play S1O").json()["error"].startswith("‘S1O’ is not a card")
    assert act(browser, table, {"seq": 0}, now["view"]["legal"][0]).status_code == 409
    assert browser.get("/api/v1/tables/nothing").json() == {"error": "There is no such table.", "clause": ""}
    assert browser.get("/api/v1/tables/nothing").status_code == 404
    assert (
        browser.get("/t/nothing").status_code == 404 and browser.get("/t/nothing/record").status_code == 404
    )
    wrong: list[tuple[Answer, int, str]] = [
        ({"preset": "snap"}, 400, "there is no preset ‘snap’"),
        ({"preset": "tuppi+sooli=perhaps"}, 400, "sooli=perhaps is not allowed"),
        ({"players": ["random"]}, 400, "tuppi is for 4 players, not 2"),
        ({"players": ["deep thought"] * 3}, 400, "there is no player ‘deep thought’"),
        ({"options": {"pace": "slow"}}, 400, "pace=slow is not allowed"),
        ({"options": {"speed": "1"}}, 400, "A table has no option speed"),
        ({"pledge": "lucky"}, 422, "pledge"),
        ({"extra": 1}, 422, "extra"),
    ]
    for values, status, sentence in wrong:
        body = {"preset": "tuppi", "players": ["random"] * 3} | values
        answer = browser.post("/api/v1/tables", json=body)
        assert (answer.status_code, sentence in answer.json()["error"]) == (status, True), answer.text
    browser.cookies.clear()
    assert act(browser, table, now, "pass").status_code == 401
    assert browser.get(f"/api/v1/tables/{table}").json()["seat"] is None
    come(browser)
    assert act(browser, table, now, "pass").status_code == 403


def test_friends_come_by_the_link_and_the_rest_is_filled(browser: TestClient) -> None:
    answer = browser.post("/api/v1/session", json={"name": "Aino"}).json()
    first = {"authorization": f"Bearer {answer['token']}"}
    second = {
        "authorization": "Bearer "
        + browser.post("/api/v1/session", json={"name": "aino", "lang": "sv"}).json()["token"]
    }
    body = {"preset": "tuppi", "players": ["open", "open", "random"]}
    table = browser.post("/api/v1/tables", json=body, headers=first).json()["table"]
    address = f"/api/v1/tables/{table}"
    lobby = browser.get(address, headers=first).json()
    assert not lobby["started"] and [seat["name"] for seat in lobby["seats"]] == ["Aino", "Eero", "", ""]
    assert browser.post(f"{address}/fill", json={"player": "random"}, headers=second).status_code == 403
    assert browser.post(f"{address}/seat", json={}, headers=second).status_code == 200
    assert browser.post(f"{address}/seat", json={}, headers=second).status_code == 403
    assert browser.post(f"{address}/fill", json={"player": "random"}, headers=first).status_code == 204
    one, two = (browser.get(address, headers=who).json() for who in (first, second))
    assert one["seat"] != two["seat"] and sorted(seat["name"] for seat in one["seats"]) == [
        "Aino",
        "Eero",
        "Kaisa",
        "aino 2",
    ]


def test_rules_are_explained(browser: TestClient) -> None:
    presets = browser.get("/api/v1/presets").json()
    assert {"preset": "tuppi", "game": "whist", "seats": [4, 4], "experimental": False} in presets
    rules = browser.get("/api/v1/presets/tuppi+high_fail_points=6").json()
    changed = {one["name"]: one for one in rules["options"]}["high_fail_points"]
    assert changed["value"] == "6" and changed["clauses"] and changed["doc"]
    assert browser.get("/api/v1/presets/snap").status_code == 400
    assert "random" in browser.get("/api/v1/players").json()
    assert browser.get("/api/v1/health").json()["ok"]
    paths = browser.get("/api/v1/openapi.json").json()["paths"]
    assert "/tables/{table}/actions" in paths
