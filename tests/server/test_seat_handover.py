"""A seat handed to a friend: by a code that counts once, at that table, for those who have no seat there."""

import re
from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from nousu.engine.record import read
from nousu.games import find
from nousu.server.live.reviews import review_subject
from nousu.server.people import history
from nousu.server.storage.people import SeatRow
from nousu.server.table import record, seating
from nousu.server.table.shuffle import verify
from table_fixtures import Sitting

TABLE = {"preset": "tuppi", "players": ["random"] * 3, "name": "Aino"}


@pytest.fixture
def table(browser: TestClient) -> str:
    """A table at which Aino sits."""
    be(browser, "Aino")
    return str(browser.post("/api/v1/tables", json=TABLE).json()["table"])


def be(browser: TestClient, name: str) -> str:
    """Go on as a new person of that name; the header that says who it is."""
    browser.cookies.clear()
    token = browser.post("/api/v1/session", json={"name": name}).json()["token"]
    browser.headers["authorization"] = f"Bearer {token}"
    return f"Bearer {token}"


def handover_code(browser: TestClient, table: str) -> str:
    """The code of the page that hands the seat over."""
    page = browser.post(f"/t/{table}/hand-over")
    assert page.status_code == 200 and page.headers["cache-control"] == "no-store"
    found = re.search(r"/take\?code=([0-9A-Z]{8})", page.text)
    assert found is not None
    return found[1]


def seat(browser: TestClient, table: str) -> int | None:
    found: int | None = browser.get(f"/api/v1/tables/{table}").json()["seat"]
    return found


def test_handover_gives_seat_and_cards_and_the_giver_watches(browser: TestClient, table: str) -> None:
    aino = browser.headers["authorization"]
    mine, code = seat(browser, table), handover_code(browser, table)
    assert seat(browser, table) == mine, "until the code is used nothing changes"
    be(browser, "Urho")
    assert "Take the seat of Aino?" in browser.get(f"/t/{table}/take?code={code}").text
    assert seat(browser, table) is None, "looking takes nothing"
    answer = browser.post(f"/t/{table}/take", data={"code": code, "name": "Urho"}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{table}")
    now = browser.get(f"/api/v1/tables/{table}").json()
    assert now["seat"] == mine and now["seats"][mine]["name"] == "Urho"
    assert now["view"]["cards"] and now["view"]["legal"] is not None
    browser.headers["authorization"] = aino
    before = browser.get(f"/api/v1/tables/{table}").json()
    assert before["seat"] is None and before["view"]["cards"] == []


def test_handover_code_counts_once_at_its_table(browser: TestClient, table: str) -> None:
    other = browser.post("/api/v1/tables", json=TABLE).json()["table"]
    code = handover_code(browser, table)
    be(browser, "Urho")
    assert browser.get(f"/t/{other}/take?code={code}").status_code == 403
    assert browser.post("/device", data={"code": code}).status_code == 403, "nor does it hand over more"
    assert browser.post(f"/t/{table}/take", data={"code": code, "name": "Urho"}).status_code == 200
    be(browser, "Kaisa")
    answer = browser.post(f"/t/{table}/take", data={"code": code, "name": "Kaisa"})
    assert answer.status_code == 403 and "This seat is not offered any more." in answer.text


def test_handover_code_replaces_the_older_one(browser: TestClient, table: str) -> None:
    older, newer = handover_code(browser, table), handover_code(browser, table)
    be(browser, "Urho")
    assert browser.get(f"/t/{table}/take?code={older}").status_code == 403
    assert browser.get(f"/t/{table}/take?code={newer}").status_code == 200


def test_handover_needs_a_seat_and_gives_no_second_one(browser: TestClient, table: str) -> None:
    code = handover_code(browser, table)
    assert "You already sit at this table." in browser.post(f"/t/{table}/take", data={"code": code}).text
    be(browser, "Urho")
    assert browser.post(f"/t/{table}/hand-over").status_code == 403


def test_hand_counts_for_the_holder_of_the_seat_then() -> None:
    sitting = Sitting("norwegian_parlett", 4)

    def play(enough: Callable[[], bool]) -> None:
        while not enough():
            if not sitting.self_done():
                _act(sitting)

    def hands() -> int:
        return len(sitting.table.finished_hands)

    play(lambda: hands() == 2 and sitting.table.between_hands)
    seat = sitting.table.seats.seat_of("p0")
    assert seat is not None
    sitting.add(seating.hand_over(sitting.table, "p0", "friend", "Urho", sitting.now))
    play(lambda: hands() == 3 and sum(by == seat for by, _ in sitting.match.hand.log) > 3)
    sitting.add(seating.hand_over(sitting.table, "friend", "third", "Kerttu", sitting.now))
    play(lambda: sitting.table.over)
    table, all_hands = sitting.table, hands()
    assert [table.seats.holders(seat, hand) for hand in (1, 2, 3, 4, 5)] == [
        ("p0",),
        ("p0",),
        ("friend",),
        ("friend", "third"),
        ("third",),
    ]
    assert [review_subject(table, hand, seat).session for hand in (2, 3, 4, 5)] == [
        "p0",
        "friend",
        "",
        "third",
    ]
    results = {who: history.result_of(table, who) for who in ("p0", "friend", "third", "p1")}
    assert {who: one["hands"] for who, one in results.items()} == {
        "p0": 2,
        "friend": 1,
        "third": all_hands - 3,
        "p1": all_hands,
    }
    assert [results[who]["left"] for who in ("p0", "friend", "third")] == [True, True, False]
    row = SeatRow("t", 0.0, True, "{}", "")
    ended = [history.finished_match(row, results[who]) for who in ("p0", "third")]
    (count,) = history.counts_by_game(ended)
    assert (count.matches, count.hands) == (1, all_hands - 1), "who left counts the hands, not the match"
    text = record.record(table, "p1")
    assert "was Person 0 up to hand 2" in text
    assert "was Urho up to the middle of hand 4" in text
    assert read(text, find).match == table.match and sitting.folded().seats.previous == table.seats.previous
    assert verify(text, find).problems == ()


def _act(sitting: Sitting) -> None:
    table = sitting.table
    if table.between_hands:
        seat = next(seat for seat in table.seats.persons() if seat not in table.ready)
        sitting.does(seat, "next")
    else:
        seat = next(seat for seat in sitting.match.hand.owed() if seat >= 0)
        sitting.does(seat, sitting.view(seat).legal[-1])
