"""Slips on the page: entered, typed once more without seeing the first entry, corrected, by phone."""

import re
import threading
from urllib.parse import unquote_plus

import pytest
from starlette.testclient import TestClient

from hosted_event import EVENING, Event
from nousu.tournament.links import slip_key

FIRST = ("213", "123")
"""Places in seat order; all tables of nine people have three seats."""


def test_slip_is_entered_confirmed_blind_and_accepted(event: Event, ellen: TestClient) -> None:
    uwe = event.come(ellen, event.key("entry", "Uwe"))
    page = uwe.get(f"{EVENING}/slip/1.1").text
    assert page.count('class="put num"') == 6
    uwe.post(f"{EVENING}/slip/1.1", data=event.boxes("1.1", *FIRST))
    assert event.state_of("1.1") == "entered"
    blind = ellen.get(f"{EVENING}/slip/1.1").text
    assert "Uwe has entered this slip" in blind
    assert not re.search(r'class="put num" name="[^"]*" value="\d', blind), "the first entry must not be seen"
    assert "game 1: 1. " not in blind
    own = uwe.get(f"{EVENING}/slip/1.1").text
    assert "a second person confirms it" in own
    ellen.post(f"{EVENING}/slip/1.1", data=event.boxes("1.1", *FIRST))
    assert event.state_of("1.1") == "confirmed"
    assert uwe.post(f"{EVENING}/accept", data={"table": "1.1"}).status_code == 403
    ellen.post(f"{EVENING}/accept", data={"table": "1.1"})
    assert event.state_of("1.1") == "accepted"
    trail = [(one.by, one.what) for one in event.office.open().tournament.slip("1.1").trail]
    assert trail == [("Uwe", "entered"), ("Ellen", "confirmed"), ("Ellen", "accepted")]


def test_slip_second_entry_differs(event: Event, ellen: TestClient) -> None:
    uwe = event.come(ellen, event.key("entry", "Uwe"))
    uwe.post(f"{EVENING}/slip/1.1", data=event.boxes("1.1", *FIRST))
    right = event.boxes("1.1", "123", "123")
    answer = ellen.post(f"{EVENING}/slip/1.1", data=right)
    assert answer.status_code == 409 and event.state_of("1.1") == "entered"
    unlike = re.findall(r'<td class="num">(\d)</td><td class="num">(\d)</td>', answer.text)
    assert unlike == [("2", "1"), ("1", "2")], "the two boxes in which they differ"
    ellen.post(f"{EVENING}/slip/1.1/correct", data=right | {"reason": "typing error"})
    slip = event.office.open().tournament.slip("1.1")
    assert (slip.state, slip.by) == ("entered", "Ellen")
    uwe.post(f"{EVENING}/slip/1.1", data=right)
    assert event.state_of("1.1") == "confirmed"


def test_slip_needs_a_second_person(event: Event, ellen: TestClient) -> None:
    ellen.post(f"{EVENING}/slip/1.1", data=event.boxes("1.1", *FIRST))
    again = ellen.post(f"{EVENING}/slip/1.1", data=event.boxes("1.1", *FIRST))
    assert again.status_code == 400 and "a second person must confirm it" in again.text
    assert ellen.post(f"{EVENING}/confirm", data={"table": "1.1"}).status_code == 409
    other = event.come(ellen, event.key("entry", "ELLEN"))
    assert other.post(f"{EVENING}/confirm", data={"table": "1.1"}).status_code == 409


@pytest.mark.parametrize(
    ("games", "said"),
    [
        (("113", "123"), "both have place 1"),
        (("21", "123"), "needs a place from 1 to 3"),
        (("219", "123"), "needs a place from 1 to 3"),
        (("21x", "123"), "needs a place from 1 to 3"),
        (("213",), "needs a place from 1 to 3"),
    ],
)
def test_slip_refused_keeps_the_typed_text(
    event: Event, ellen: TestClient, games: tuple[str, ...], said: str
) -> None:
    before = event.path.read_bytes()
    answer = ellen.post(f"{EVENING}/slip/1.1", data=event.boxes("1.1", *games))
    assert answer.status_code == 400 and said in answer.text
    assert event.path.read_bytes() == before
    assert f'name="g1-0" value="{games[0][0]}"' in answer.text


def test_slip_by_points(event: Event, ellen: TestClient) -> None:
    points = event.boxes("1.1", "352", "532") | {"by": "points"}
    ellen.post(f"{EVENING}/slip/1.1", data=points)
    uwe = event.come(ellen, event.key("entry", "Uwe"))
    uwe.post(f"{EVENING}/slip/1.1", data=event.boxes("1.1", "213", "123"))
    assert event.state_of("1.1") == "confirmed"
    wrong = uwe.post(f"{EVENING}/slip/1.2", data=event.boxes("1.2", "552", "532") | {"by": "points"})
    assert wrong.status_code == 400 and "Two winners" in wrong.text


def test_slip_entered_twice_at_once(event: Event, ellen: TestClient) -> None:
    """Both have the empty form; who is second is the second person, and nothing is entered twice."""
    helpers = [event.come(ellen, event.key("entry", name)) for name in ("Uwe", "Meri")]
    sent = event.boxes("1.1", *FIRST)
    codes: list[int] = []
    threads = [
        threading.Thread(
            target=lambda one=one: codes.append(one.post(f"{EVENING}/slip/1.1", data=sent).status_code)
        )
        for one in helpers
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert codes == [200, 200]
    trail = [one.what for one in event.office.open().tournament.slip("1.1").trail]
    assert trail == ["entered", "confirmed"]


def test_slips_are_confirmed_in_a_batch(event: Event, ellen: TestClient) -> None:
    uwe = event.come(ellen, event.key("entry", "Uwe"))
    for table, games in (("1.1", FIRST), ("1.2", ("312", "123"))):
        uwe.post(f"{EVENING}/slip/{table}", data=event.boxes(table, *games))
    page = ellen.get(f"{EVENING}/confirm").text
    assert page.count('name="table"') == 2
    assert 'name="table"' not in uwe.get(f"{EVENING}/confirm").text
    ellen.post(f"{EVENING}/confirm", data={"table": ["1.1", "1.2"]})
    assert {event.state_of("1.1"), event.state_of("1.2")} == {"confirmed"}
    ellen.post(f"{EVENING}/accept")
    assert {event.state_of("1.1"), event.state_of("1.2")} == {"accepted"}


def test_slip_by_phone_is_confirmed_by_another_player(event: Event, ellen: TestClient) -> None:
    state = event.office.open().tournament
    one, other = state.seats("1.1")[:2]
    key = slip_key(state, "1.1")
    phone = event.come(ellen)
    who = phone.get(f"{EVENING}/slip/1.1?k={key}").text
    assert "Who are you?" in who and f"me={one}" in who and 'class="put' not in who
    form = phone.get(f"{EVENING}/slip/1.1?k={key}&me={one}").text
    assert 'class="put' in form and "Penalty" not in form
    sent = event.boxes("1.1", *FIRST) | {"k": key}
    assert phone.post(f"{EVENING}/slip/1.1", data=sent).status_code == 400, "nobody has said who they are"
    phone.post(f"{EVENING}/slip/1.1", data=sent | {"me": str(one)})
    assert event.office.open().tournament.slip("1.1").by == state.who(one)
    again = phone.post(f"{EVENING}/slip/1.1", data=sent | {"me": str(one)})
    assert again.status_code == 400 and event.state_of("1.1") == "entered"
    blind = event.come(ellen).get(f"{EVENING}/slip/1.1?k={key}&me={other}").text
    assert "has entered this slip" in blind and not re.search(r'name="g1-0" value="\d', blind)
    event.come(ellen).post(f"{EVENING}/slip/1.1", data=sent | {"me": str(other)})
    assert event.state_of("1.1") == "confirmed"


def test_slip_entered_twice_on_one_phone_is_left_for_the_desk(event: Event, ellen: TestClient) -> None:
    """One phone is one person: it marks the slip, and another phone or the desk confirms it."""
    state = event.office.open().tournament
    one, other = state.seats("1.1")[:2]
    key, phone = slip_key(state, "1.1"), event.come(ellen)
    sent = event.boxes("1.1", *FIRST) | {"k": key}
    phone.post(f"{EVENING}/slip/1.1", data=sent | {"me": str(one)})
    page = phone.post(f"{EVENING}/slip/1.1", data=sent | {"me": str(other)}).text
    assert event.state_of("1.1") == "entered" and "Both entries came from one device" in page
    state = event.office.open().tournament
    assert [step.what for step in state.slip("1.1").trail] == ["entered", "repeated"]
    device = next(entry["device"] for entry in event.office.open().log.events if entry["do"] == "slip")
    assert len(device) == 16
    board = ellen.get(f"{EVENING}/board?table=1.1").text
    assert "Both entries came from one device" in board and "Entered twice on one device: 1.1" in board
    log = ellen.get(f"{EVENING}/log").text
    assert "typed the slip of table 1.1 once more on the same device" in log
    again = phone.post(f"{EVENING}/slip/1.1", data=sent | {"me": str(other)})
    assert again.status_code == 200 and event.state_of("1.1") == "entered"
    event.come(ellen).post(f"{EVENING}/slip/1.1", data=sent | {"me": str(other)})
    assert event.state_of("1.1") == "confirmed"
    assert "Both entries" not in ellen.get(f"{EVENING}/board?table=1.1").text
    # A slip that the desk compares with its paper is confirmed there, also from the marked state.
    key = slip_key(state, "1.2")
    one, other = state.seats("1.2")[:2]
    for number in (one, other):
        phone.post(f"{EVENING}/slip/1.2", data=event.boxes("1.2", *FIRST) | {"k": key, "me": str(number)})
    ellen.post(f"{EVENING}/confirm", data={"table": "1.2"})
    assert event.state_of("1.2") == "confirmed"


def test_slip_key_of_a_phone_opens_nothing_else(event: Event, ellen: TestClient) -> None:
    state = event.office.open().tournament
    key, stranger = slip_key(state, "1.1"), state.seats("1.2")[0]
    phone = event.come(ellen)
    assert phone.get(f"{EVENING}/slip/1.2?k={key}").status_code == 403
    assert phone.get(f"{EVENING}/slip/1.1?k={key[:-1]}").status_code == 403
    assert phone.get(f"{EVENING}/board?k={key}").status_code == 403
    assert (
        phone.post(f"{EVENING}/slip/1.1/correct", data={"k": key, "me": "1", "reason": "x"}).status_code
        == 403
    )
    sent = event.boxes("1.1", *FIRST) | {"k": key, "me": str(stranger)}
    assert phone.post(f"{EVENING}/slip/1.1", data=sent).status_code == 400, "does not sit at this table"


def test_slip_of_an_old_plan_by_phone(event: Event, ellen: TestClient) -> None:
    state = event.office.open().tournament
    key = slip_key(state, "1.1")
    a, b = state.seats("1.1")[0], state.seats("1.2")[0]
    event.office.swap("Ellen", "1", str(a), str(b))
    answer = event.come(ellen).get(f"{EVENING}/slip/1.1?k={key}")
    assert answer.status_code == 403 and "another plan" in answer.text


@pytest.mark.parametrize("table", ["7.9", "1.01", "1.١", "1.0", "x"])
def test_slip_of_an_unknown_table(event: Event, ellen: TestClient, table: str) -> None:
    said = f"There is no table {table}"
    answer = ellen.get(f"{EVENING}/slip/{table}")
    assert answer.status_code == 409 and said in answer.text
    for answer in (
        ellen.post(f"{EVENING}/slip/{table}", data=event.boxes("1.1", *FIRST)),
        ellen.post(f"{EVENING}/clock", data={"table": table, "number": "1"}),
    ):
        assert answer.status_code == 409 and said in answer.text


def test_slip_on_a_full_disk_keeps_the_typed_text(
    event: Event, ellen: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence says that nothing was stored; the form stands as it was sent; then it works again."""
    import os

    before = event.path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        answer = ellen.post(f"{EVENING}/slip/1.1", data=event.boxes("1.1", *FIRST))
    assert answer.status_code == 400 and "the disk is full" in answer.text
    assert re.search(r'name="g1-0" value="2"', answer.text)
    assert event.path.read_bytes() == before
    ellen.post(f"{EVENING}/slip/1.1", data=event.boxes("1.1", *FIRST))
    assert event.state_of("1.1") == "entered"


def test_slip_is_checked_while_it_is_typed(tmp_path: object, ellen: TestClient, event: Event) -> None:
    said = ellen.post(f"{EVENING}/slip/1.1/check", data=event.boxes("1.1", *FIRST)).json()
    assert said["good"] and len(said["lines"]) == 2
    said = ellen.post(f"{EVENING}/slip/1.1/check", data={}).json()
    assert not said["good"] and "needs a place" in said["lines"][0]
    assert event.state_of("1.1") == "open"


def test_assistant_fills_the_slip(event: Event, ellen: TestClient) -> None:
    """One phone at the table: what is tapped stands in the address; at the end it is an ordinary slip."""
    state = event.office.open().tournament
    key, one = slip_key(state, "1.1"), state.seats("1.1")[0]
    phone = event.come(ellen)
    page = phone.get(f"{EVENING}/slip/1.1/assistant?k={key}&me={one}").text
    assert page.count("deals first") == 3
    words: list[str] = []
    while "The games are over" not in page:
        presses = re.findall(r'href="\?said=([^"&]*)&amp;k=[^"]*">(?:<span>)?([^<]*)', page)
        assert presses, page
        wanted = ("deals first", "wins the hand", "Go along")
        said = next(said for said, text in presses if text in wanted)
        words = unquote_plus(said).split()
        page = phone.get(
            f"{EVENING}/slip/1.1/assistant", params={"said": " ".join(words), "k": key, "me": one}
        ).text
    sent = dict(
        re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page.partition("are over")[2])
    )
    assert sent["me"] == str(one) and len(sent) == 8
    phone.post(f"{EVENING}/slip/1.1", data=sent)
    slip = event.office.open().tournament.slip("1.1")
    assert slip.state == "entered" and slip.by == state.who(one)
    wrong = phone.get(f"{EVENING}/slip/1.1/assistant", params={"said": "da yb", "k": key, "me": one})
    assert wrong.status_code == 409 and "is not possible now" in wrong.text


def test_slip_is_printed_from_its_form(event: Event, ellen: TestClient) -> None:
    assert "Print this slip" in ellen.get(f"{EVENING}/board?table=1.2").text
    answer = ellen.post(f"{EVENING}/paper", data={"kind": "slips", "table": "1.2"})
    assert answer.headers["content-type"] == "application/pdf"
    assert "slips-1.2.pdf" in answer.headers["content-disposition"]
    assert [event.state_of(table) for table in ("1.1", "1.2")] == ["open", "printed"]
    uwe = event.come(ellen, event.key("entry", "Uwe"))
    assert "Print this slip" not in uwe.get(f"{EVENING}/board?table=1.2").text


def test_slip_sent_again_after_a_lost_answer(event: Event, ellen: TestClient) -> None:
    sent = event.boxes("1.1", "213", "123")
    assert ellen.post(f"{EVENING}/slip/1.1", data=sent).status_code == 200
    assert ellen.post(f"{EVENING}/slip/1.1", data=sent).status_code == 400, "nobody confirms an own entry"
    assert ellen.post(f"{EVENING}/slip/1.1", data=sent | {"again": "yes"}).status_code == 200
    other = event.boxes("1.1", "123", "123") | {"again": "yes"}
    assert ellen.post(f"{EVENING}/slip/1.1", data=other).status_code != 200
    assert event.state_of("1.1") == "entered" and len(event.office.open().tournament.slip("1.1").trail) == 1
