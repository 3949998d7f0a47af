"""What the direction does on the page: rulings, who comes and goes, the length, the cup, publishing."""

import re
from html import escape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from halls import AT, HERE, Event
from nousu.i18n import LANGUAGES
from played_online import own_link
from tournament_fixtures import settle_all


def test_publishing_tells_what_is_missing_until_nothing_is(event: Event, ellen: TestClient) -> None:
    event.office.change("Ellen", {"series": 1}, "last bus")
    page = ellen.get(f"{AT}/board").text
    assert 'aria-disabled="true"' in page
    answer = ellen.post(f"{AT}/publish")
    assert answer.status_code == 409 and "slips are missing" in answer.text
    settle_all(event.office)
    state = event.office.open().tournament
    while event.office.open().tournament.format.unfinished(state):
        ellen.post(f"{AT}/stechen")
        state = settle_all(event.office)
    page = ellen.get(f"{AT}/board").text
    assert 'aria-disabled="true"' not in page and "Nothing is missing." in page
    stranger = event.come(ellen)
    assert "not published yet" in stranger.get(f"{AT}/results").text
    assert ellen.post(f"{AT}/publish").url.path == f"{AT}/results"
    assert "revision 1" in stranger.get(f"{AT}/results").text
    assert "Publish</button>" in page and "Publish</button>" not in ellen.get(f"{AT}/board").text
    assert stranger.get(f"{AT}/standings").status_code == 403


def test_after_publishing_a_second_person_agrees(event: Event, ellen: TestClient) -> None:
    event.office.change("Ellen", {"series": 1, "cup": False}, "last bus")
    settle_all(event.office)
    ellen.post(f"{AT}/publish")
    ellen.post(f"{AT}/slip/1.1/correct", data=event.boxes("1.1", "321", "321") | {"reason": "mixed up"})
    entry = max(event.office.open().tournament.proposals)
    assert ellen.post(f"{AT}/second", data={"entry": str(entry)}).status_code == 409
    assert len(event.office.open().tournament.publications) == 1
    uwe = event.come(ellen, event.key("entry", "Uwe"))
    assert "Agree" in uwe.get(f"{AT}/board").text and "Agree" not in ellen.get(f"{AT}/board").text
    uwe.post(f"{AT}/second", data={"entry": str(entry)})
    assert len(event.office.open().tournament.publications) == 2


def test_a_penalty_is_booked_by_its_rule_and_points_by_the_direction(event: Event, ellen: TestClient) -> None:
    uwe = event.come(ellen, event.key("entry", "Uwe"))
    one = event.office.open().tournament.seats("1.1")[0]
    sheet = {"table": "1.1", "number": str(one), "rule": "IV8", "game": "2"}
    uwe.post(f"{AT}/penalty", data=sheet)
    ruling = {"number": str(one), "rule": "I6", "points": "−2", "reason": "third warning"}
    answer = uwe.post(f"{AT}/penalty", data=ruling)
    assert answer.status_code == 409 and "the director makes a ruling" in answer.text
    assert ellen.post(f"{AT}/penalty", data=ruling | {"reason": ""}).status_code == 409
    ellen.post(f"{AT}/penalty", data=ruling)
    booked = event.office.open().tournament.penalties
    assert [(p.rule, p.game, p.points, p.by) for p in booked] == [
        ("IV8", 2, 0, "Uwe"),
        ("I6", 0, -2, "Ellen"),
    ]
    assert "third warning" in ellen.get(f"{AT}/rulings").text


def test_who_comes_late_and_who_goes_make_the_plan_void_from_there(event: Event, ellen: TestClient) -> None:
    ellen.post(f"{AT}/slip/1.1", data=event.boxes("1.1", "213", "123"))
    ellen.post(f"{AT}/late", data={"name": "Jörg Späth"})
    ellen.post(f"{AT}/withdraw", data={"number": "3", "round": "", "reason": "last bus"})
    state = event.office.open().tournament
    assert state.who(10) == "Jörg Späth" and state.has_withdrawn(3, "2") and not state.has_withdrawn(3, "1")
    page = ellen.get(f"{AT}/board").text
    assert "no longer fits from round 2 on" in page and f"{AT}/plan?start=2" in page
    twice = ellen.post(f"{AT}/late", data={"name": "Ada"})
    assert twice.status_code == 409 and "already entered" in twice.text
    ellen.post(f"{AT}/length", data={"length": "3", "reason": "last bus"})
    assert getattr(event.office.open().tournament.format, "series") == 3  # noqa: B009


def test_an_entry_is_taken_back_and_stays_in_the_log(event: Event, ellen: TestClient) -> None:
    ellen.post(f"{AT}/slip/1.1", data=event.boxes("1.1", "213", "123"))
    last = event.office.open().log.events[-1]["n"]
    ellen.post(f"{AT}/undo", data={"entry": str(last), "reason": "wrong table"})
    assert event.state_of("1.1") == "open"
    assert "wrong table" in ellen.get(f"{AT}/log").text and "taken back" in ellen.get(f"{AT}/log").text


def test_a_match_by_the_score_sheet_hand_by_hand(tmp_path: Path) -> None:
    pairs = ("Aino & Eino", "Väinö & Ilma", "Kaisa & Kerttu", "Olavi & Tauno")
    event = Event(tmp_path, pairs, "tuppi")
    with TestClient(event.app, base_url="http://testserver", headers=HERE) as ellen:
        ellen.get(f"{AT}/in/{event.secret}")
        said = ellen.post(f"{AT}/slip/1.1/check", data={"words": "A8 A8"}).json()
        assert not said["good"] and "rising with 16" in said["lines"][1]
        said = ellen.post(f"{AT}/slip/1.1/check", data={"words": "A8 A9"}).json()
        assert "no hand scores 9 points" in said["lines"][0].lower()
        whole = "A8 A8 A8 A28"
        assert ellen.post(f"{AT}/slip/1.1/check", data={"words": whole}).json()["good"]
        ellen.post(f"{AT}/slip/1.1", data={"words": whole})
        assert event.state_of("1.1") == "entered"
        uwe = event.come(ellen, event.key("entry", "Uwe"))
        assert uwe.post(f"{AT}/slip/1.1", data={"words": "A8 A8 A8 B"}).status_code == 400
        uwe.post(f"{AT}/slip/1.1", data={"words": "52:0 peaks=52:0 hands=4"})
        assert event.state_of("1.1") == "confirmed"
        late = event.office.open().tournament.seats("1.2")[1]
        ellen.post(f"{AT}/clock", data={"table": "1.2", "number": str(late)})
        early = ellen.post(f"{AT}/forfeit", data={"table": "1.2", "number": str(late)})
        assert early.status_code == 409 and "late" in early.text
        ellen.post(f"{AT}/forfeit", data={"table": "1.2", "number": str(late), "reason": "snow"})
        assert event.state_of("1.2") == "entered"
        for path in ("/board", "/standings", "/beamer", "/cup", "/rulings"):
            assert ellen.get(AT + path).status_code == 200


def test_a_drive_by_its_totals(tmp_path: Path) -> None:
    people = ("Aino", "Eino", "Väinö", "Ilma", "Olga")
    event = Event(tmp_path, people, "drive", unit="players", rounds=2, preset="norwegian_catsatcards")
    with TestClient(event.app, base_url="http://testserver", headers=HERE) as ellen:
        ellen.get(f"{AT}/in/{event.secret}")
        wrong = ellen.post(f"{AT}/slip/1.1", data={"words": "12 three"})
        assert wrong.status_code == 400 and 'value="12 three"' in wrong.text
        ellen.post(f"{AT}/slip/1.1", data={"words": "12 -3"})
        assert event.state_of("1.1") == "entered"
        for path in ("/board", "/standings", "/beamer", "/cup", "/rulings"):
            assert ellen.get(AT + path).status_code == 200


def test_the_standings_can_be_taken_home_and_the_file_by_the_direction(
    event: Event, ellen: TestClient
) -> None:
    reader = event.come(ellen, event.key("read"))
    assert reader.get(f"{AT}/file/csv").text.startswith("\ufeff")
    assert reader.get(f"{AT}/file/xlsx").content[:2] == b"PK"
    for kind in ("nousu", "json"):
        assert reader.get(f"{AT}/file/{kind}").status_code == 403
        assert ellen.get(f"{AT}/file/{kind}").status_code == 200
    assert ellen.get(f"{AT}/file/nousu").content == event.path.read_bytes()
    assert ellen.get(f"{AT}/file/exe").status_code == 404


def test_forty_phones_are_answered_from_one_drawing(event: Event, ellen: TestClient) -> None:
    """What all readers see is drawn once for each language, and anew after every entry."""
    reader = event.come(ellen, event.key("read"))
    first = reader.get(f"{AT}/standings").text
    hall = event.halls.hall("evening")
    drawn = hall._values[1]  # the page, and the standings that pages in all languages share
    assert reader.get(f"{AT}/standings").text == first and hall._values[1] is drawn and len(drawn) == 2
    fi = reader.get(f"{AT}/standings", headers={"accept-language": "fi"}).text
    assert fi != first and len(drawn) == 3
    assert "Rulings" not in first, "what readers see must not come from the direction's drawing"
    assert "Rulings" in ellen.get(f"{AT}/standings").text
    event.office.slip("Uwe", "1.1", ["abc", "abc"])
    event.office.confirm("Ellen", "1.1")
    assert reader.get(f"{AT}/standings").text != first


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_speaks_every_language(event: Event, ellen: TestClient, lang: str) -> None:
    """No message is missing anywhere: the fixture of all tests hears those that are in no catalogue."""
    event.office.slip("Uwe", "1.1", ["abc", "abc"])
    event.office.slip("Ellen", "1.2", ["abc", "abc"])
    event.office.confirm("Uwe", "1.2")
    event.office.act("Ellen", "withdrawn", number=4, round="2", reason="last bus")
    pages = ("/board", "/board?table=1.1", "/board?table=1.2", "/confirm", "/standings", "/rulings", "/log")
    for path in (*pages, "/links", "/beamer", "/results", "/cup"):
        answer = ellen.get(AT + path, headers={"accept-language": lang})
        assert answer.status_code == 200 and f'<html lang="{lang}"' in answer.text
        assert not re.search(r"\{\w+\}", re.sub(r'data-\w+="[^"]*"', "", answer.text)), path


def test_when_the_next_round_begins_is_told_to_everybody(event: Event, ellen: TestClient) -> None:
    assert "begins at" not in ellen.get(f"{AT}/beamer").text
    ellen.post(f"{AT}/starts", data={"round": "1", "time": "19:45"})
    own = event.come(ellen).get(own_link(event, 1)).text
    assert "Series 1 begins at 19:45." in ellen.get(f"{AT}/beamer").text and "Begins at 19:45" in own
    assert own.count("The slip") == 1, "only the round that comes has a slip to type"
    for data, said in (
        ({"round": "1", "time": "25:00"}, "25:00 is not a time; write it like 19:45"),
        ({"round": "9", "time": "19:45"}, "Round 9 is not planned"),
    ):
        answer = ellen.post(f"{AT}/starts", data=data)
        assert answer.status_code == 409 and said in answer.text
    ellen.post(f"{AT}/slip/1.1", data=event.boxes("1.1", "213", "123"))
    assert "begins at" not in ellen.get(f"{AT}/beamer").text, "it has begun; the next one is shown"
    ellen.post(f"{AT}/starts", data={"round": "1", "time": ""})
    assert event.office.open().tournament.starts == {}
    assert "19:45" in ellen.get(f"{AT}/log").text


def test_who_goes_is_somebody_and_goes_from_a_round_there_is(event: Event, ellen: TestClient) -> None:
    before = event.path.read_bytes()
    for path, data, said in (
        ("withdraw", {"number": "", "round": "2"}, "There is no number 0"),
        ("withdraw", {"number": "99", "round": "2"}, "There is no number 99"),
        ("withdraw", {"number": "3", "round": "77"}, "Round 77 is not planned"),
        ("withdraw", {"number": "3", "round": "C4"}, "Round C4 is not planned"),
        ("penalty", {"number": "", "rule": "I6", "points": "-1", "reason": "x"}, "There is no number 0"),
    ):
        answer = ellen.post(f"{AT}/{path}", data=data)
        assert answer.status_code == 409 and said in answer.text, (path, data, answer.text)
    assert event.path.read_bytes() == before
    ellen.post(f"{AT}/withdraw", data={"number": "3", "round": "", "reason": "last bus"})
    assert event.office.open().tournament.withdrawals[3].round == "1"


def test_the_beamer_says_who_sits_out(tmp_path: Path) -> None:
    pairs = ("Ada & Ann", "Ben & Bo", "Cleo & Cy")
    event = Event(tmp_path, pairs, "drive", rounds=1)
    with TestClient(event.app, base_url="http://testserver", headers=HERE) as ellen:
        ellen.get(f"{AT}/in/{event.secret}")
        state = event.office.open().tournament
        (alone,) = next(table for table in state.rounds["1"].tables if len(table) == 1)
        assert f"{escape(state.who(alone))} sits out" in ellen.get(f"{AT}/beamer").text
