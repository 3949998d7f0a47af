"""Programs at a table together: they talk, ask, answer and leave through the API, as people do on pages."""

from typing import Any

from starlette.testclient import TestClient

Headers = dict[str, str]


def two(browser: TestClient, **options: str) -> tuple[str, Headers, Headers, Headers]:
    """A table of two programs and two computer players, and somebody who looks on."""
    tokens = [
        browser.post("/api/v1/session", json={"name": name}).json()["token"]
        for name in ("Aino", "Eero", "Kaisa")
    ]
    host, guest, other = ({"authorization": f"Bearer {token}"} for token in tokens)
    options = {"seats": "chosen"} | options
    body = {"preset": "tuppi", "players": ["open", "random", "random"], "options": options}
    table = browser.post("/api/v1/tables", json=body, headers=host).json()["table"]
    assert browser.post(f"/api/v1/tables/{table}/seat", json={}, headers=guest).status_code == 200
    return f"/api/v1/tables/{table}", host, guest, other


def seen(browser: TestClient, table: str, who: Headers) -> dict[str, Any]:
    found: dict[str, Any] = browser.get(table, headers=who).json()
    return found


def test_chat_is_read_by_the_others_but_not_by_those_who_mute_it(browser: TestClient) -> None:
    table, host, guest, other = two(browser)

    def asks(what: str, who: Headers, **values: object) -> int:
        return browser.post(f"{table}/{what}", json=values, headers=who).status_code

    said = {"word": "hello", "key": "a-key-of-its-own"}
    first, again = (browser.post(f"{table}/say", json=said, headers=host) for _ in range(2))
    assert first.status_code == 200 and again.json() == first.json(), "once, however often it is sent"
    (line,) = seen(browser, table, guest)["talk"]["lines"]
    assert (line["name"], line["word"]) == ("Aino", "hello")
    assert set(line) == {"number", "name", "word", "text"}, "and nobody's session"
    seat = seen(browser, table, host)["seat"]
    assert asks("mute", guest, seat=seat) == 200
    assert seen(browser, table, guest)["talk"]["lines"] == []
    assert asks("mute", guest, seat=seat, off=True) == 200
    assert len(seen(browser, table, guest)["talk"]["lines"]) == 1
    assert asks("report", guest, line=line["number"]) == 200
    assert asks("say", other, **said) == 403, "a spectator says nothing"
    assert asks("say", host, word="ace of spades", key="another-key") == 422


def test_claim_that_is_not_certain_is_refused_and_no_one_answers_without_a_question(
    browser: TestClient,
) -> None:
    table, host, guest, _ = two(browser)
    number = seen(browser, table, host)["seq"]
    asked = browser.post(f"{table}/ask", json={"what": "claim mine", "seq": number}, headers=host)
    assert asked.status_code in (400, 409) and asked.json()["error"]
    answered = browser.post(f"{table}/answer", json={"agree": True}, headers=guest)
    assert (answered.status_code, answered.json()["error"]) == (409, "You are not being asked anything now.")
    assert browser.post(f"{table}/ask", json={"what": "an ace", "seq": 0}, headers=host).status_code == 422


def test_undo_of_a_mis_click_is_granted_when_the_other_agrees(browser: TestClient) -> None:
    table, host, guest, _ = two(browser, undo="yes", pace="1")
    for turn in range(400):
        for mover, judge in ((host, guest), (guest, host)):
            now = seen(browser, table, mover)
            if now["waiting"]:
                browser.post(f"{table}/next", json={"key": f"next-{turn:05}"}, headers=mover)
            if now["seat"] not in now["view"]["owed"]:
                continue
            action = {"act": now["view"]["legal"][0], "seq": now["seq"], "key": f"move-{turn:05}"}
            if browser.post(f"{table}/actions", json=action, headers=mover).status_code != 200:
                continue
            done = seen(browser, table, mover)
            ask = {"what": "undo", "seq": done["seq"]}
            if browser.post(f"{table}/ask", json=ask, headers=mover).status_code != 200:
                continue  # a computer player has acted since, or it was turned up by itself
            assert seen(browser, table, judge)["request"]["what"] == "undo"
            assert browser.post(f"{table}/answer", json={"agree": True}, headers=judge).status_code == 200
            for _ in range(2000):
                back = seen(browser, table, mover)
                if back["request"] is None:
                    assert back["seat"] in back["view"]["owed"]
                    assert back["talk"]["lines"][-1]["word"] == "undo"
                    return
    raise AssertionError("nothing could be taken back")


def test_host_removes_a_person_and_a_computer_player_takes_the_seat_of_a_leaver(browser: TestClient) -> None:
    table, host, guest, _ = two(browser)
    seat = seen(browser, table, guest)["seat"]
    for what, who, body, status in (
        ("remove", guest, {"seat": 0}, 403),
        ("stand-in", host, {"seat": seat}, 409),
        ("again", host, {}, 409),
        ("leave", guest, {}, 204),
        ("remove", host, {"seat": seat}, 204),
    ):
        assert browser.post(f"{table}/{what}", json=body, headers=who).status_code == status, what
    assert seen(browser, table, guest)["seat"] is None
