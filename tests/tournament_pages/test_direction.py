"""Work of the direction on the pages: rulings, late arrivals, withdrawals, length, cup, publishing."""

import re
from html import escape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hosted_event import EVENING, NINE, ORIGIN, Event
from nousu.i18n import LANGUAGES
from played_online import own_link
from tournament_fixtures import settle_all


def test_publishing_names_what_is_missing(event: Event, ellen: TestClient) -> None:
    event.office.change("Ellen", {"series": 1}, "last bus")
    page = ellen.get(f"{EVENING}/board").text
    assert 'aria-disabled="true"' in page
    answer = ellen.post(f"{EVENING}/publish")
    assert answer.status_code == 409 and "slips are missing" in answer.text
    settle_all(event.office)
    state = event.office.open().tournament
    while event.office.open().tournament.format.unfinished(state):
        ellen.post(f"{EVENING}/stechen")
        state = settle_all(event.office)
    page = ellen.get(f"{EVENING}/board").text
    assert 'aria-disabled="true"' not in page and "Nothing is missing." in page
    stranger = event.come(ellen)
    assert "not published yet" in stranger.get(f"{EVENING}/results").text
    assert ellen.post(f"{EVENING}/publish").url.path == f"{EVENING}/results"
    assert "revision 1" in stranger.get(f"{EVENING}/results").text
    assert "Publish</button>" in page and "Publish</button>" not in ellen.get(f"{EVENING}/board").text
    assert stranger.get(f"{EVENING}/standings").status_code == 403


def test_ruling_after_publishing_needs_a_second_person(event: Event, ellen: TestClient) -> None:
    event.office.change("Ellen", {"series": 1, "cup": False}, "last bus")
    settle_all(event.office)
    ellen.post(f"{EVENING}/publish")
    ellen.post(f"{EVENING}/slip/1.1/correct", data=event.boxes("1.1", "321", "321") | {"reason": "mixed up"})
    entry = max(event.office.open().tournament.proposals)
    assert ellen.post(f"{EVENING}/second", data={"entry": str(entry)}).status_code == 409
    assert len(event.office.open().tournament.publications) == 1
    uwe = event.come(ellen, event.key("entry", "Uwe"))
    assert "Agree" in uwe.get(f"{EVENING}/board").text and "Agree" not in ellen.get(f"{EVENING}/board").text
    state = event.office.open().tournament
    names = [state.who(number) for number in state.seats("1.1")]
    before, after = (
        f"ame 1: 1. {a} (5) · 2. {names[1]} (3) · 3. {b} (2)" for a, b in (names[::2], names[::-2])
    )
    for page in (uwe.get(f"{EVENING}/board").text, uwe.get(f"{EVENING}/log").text):
        assert "orrected the slip of table 1.1 (reason: mixed up)" in page
        assert f"{before} → g{after}" in page, "old and new values"
    uwe.post(f"{EVENING}/second", data={"entry": str(entry)})
    assert len(event.office.open().tournament.publications) == 2
    assert f"{before} → g{after}" in uwe.get(f"{EVENING}/board?table=1.1").text, "the trail says it too"


def test_log_says_from_what_to_what(event: Event, ellen: TestClient) -> None:
    office = event.office
    office.act("Ellen", "renamed", id=1, members=["Adele"])
    office.change("Ellen", {"series": 3}, "last bus")
    office.slip("Uwe", "1.1", ["abc", "abc"])
    office.correct("Ellen", "1.1", ["abc", "bac"], "misread")
    office.act("Ellen", "penalty", number=1, rule="I6", points=-2, reason="rude")
    log = ellen.get(f"{EVENING}/log").text
    for change in ("Ada → Adele", "series: 5 → 3", "0 → −2"):
        assert change in log, change
    names = [office.open().tournament.who(number) for number in office.open().tournament.seats("1.1")]
    assert f"Game 2: 1. {names[0]} (5) · 2. {names[1]} (3)" in log and "Game 1" not in log


def test_penalty_by_rule_and_ruling_in_points(event: Event, ellen: TestClient) -> None:
    uwe = event.come(ellen, event.key("entry", "Uwe"))
    one = event.office.open().tournament.seats("1.1")[0]
    sheet = {"table": "1.1", "number": str(one), "rule": "IV8", "game": "2"}
    uwe.post(f"{EVENING}/penalty", data=sheet)
    ruling = {"number": str(one), "rule": "I6", "points": "−2", "reason": "third warning"}
    answer = uwe.post(f"{EVENING}/penalty", data=ruling)
    assert answer.status_code == 409 and "the director makes a ruling" in answer.text
    assert ellen.post(f"{EVENING}/penalty", data=ruling | {"reason": ""}).status_code == 409
    for points in ("1.5", "-1,5", "two", "1 0", "−−1", "½"):
        refused = ellen.post(f"{EVENING}/penalty", data=ruling | {"points": points})
        assert refused.status_code == 409 and f"{points} is not a whole number" in refused.text, points
    ellen.post(f"{EVENING}/penalty", data=ruling)
    booked = event.office.open().tournament.penalties
    assert [(p.rule, p.game, p.points, p.by) for p in booked] == [
        ("IV8", 2, 0, "Uwe"),
        ("I6", 0, -2, "Ellen"),
    ]
    assert "third warning" in ellen.get(f"{EVENING}/rulings").text


def test_late_arrival_and_withdrawal_void_the_later_plan(event: Event, ellen: TestClient) -> None:
    ellen.post(f"{EVENING}/slip/1.1", data=event.boxes("1.1", "213", "123"))
    ellen.post(f"{EVENING}/late", data={"name": "Jörg Späth"})
    ellen.post(f"{EVENING}/withdraw", data={"number": "3", "round": "", "reason": "last bus"})
    state = event.office.open().tournament
    assert state.who(10) == "Jörg Späth" and state.has_withdrawn(3, "2") and not state.has_withdrawn(3, "1")
    page = ellen.get(f"{EVENING}/board").text
    assert "no longer fits from series 2 on" in page and f"{EVENING}/plan?start=2" in page
    twice = ellen.post(f"{EVENING}/late", data={"name": "Ada"})
    assert twice.status_code == 409 and "already entered" in twice.text
    ellen.post(f"{EVENING}/length", data={"length": "3", "reason": "last bus"})
    assert getattr(event.office.open().tournament.format, "series") == 3  # noqa: B009


def test_undo_stays_in_the_log(event: Event, ellen: TestClient) -> None:
    ellen.post(f"{EVENING}/slip/1.1", data=event.boxes("1.1", "213", "123"))
    last = event.office.open().log.events[-1]["n"]
    ellen.post(f"{EVENING}/undo", data={"entry": str(last), "reason": "wrong table"})
    assert event.state_of("1.1") == "open"
    assert (
        "wrong table" in ellen.get(f"{EVENING}/log").text and "taken back" in ellen.get(f"{EVENING}/log").text
    )


def test_tuppi_slip_by_score_sheet(tmp_path: Path) -> None:
    pairs = ("Aino & Eino", "Väinö & Ilma", "Kaisa & Kerttu", "Olavi & Tauno")
    event = Event(tmp_path, pairs, "tuppi")
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        ellen.get(f"{EVENING}/in/{event.secret}")
        said = ellen.post(f"{EVENING}/slip/1.1/check", data={"words": "A8 A8"}).json()
        assert not said["good"] and "rising with 16" in said["lines"][1]
        said = ellen.post(f"{EVENING}/slip/1.1/check", data={"words": "A8 A9"}).json()
        assert "no hand scores 9 points" in said["lines"][0].lower()
        whole = "A8 A8 A8 A28"
        assert ellen.post(f"{EVENING}/slip/1.1/check", data={"words": whole}).json()["good"]
        ellen.post(f"{EVENING}/slip/1.1", data={"words": whole})
        assert event.state_of("1.1") == "entered"
        uwe = event.come(ellen, event.key("entry", "Uwe"))
        assert uwe.post(f"{EVENING}/slip/1.1", data={"words": "A8 A8 A8 B"}).status_code == 400
        uwe.post(f"{EVENING}/slip/1.1", data={"words": "52:0 52:0 4"})
        assert event.state_of("1.1") == "confirmed"
        late = event.office.open().tournament.seats("1.2")[1]
        ellen.post(f"{EVENING}/clock", data={"table": "1.2", "number": str(late)})
        early = ellen.post(f"{EVENING}/forfeit", data={"table": "1.2", "number": str(late)})
        assert early.status_code == 409 and "late" in early.text
        ellen.post(f"{EVENING}/forfeit", data={"table": "1.2", "number": str(late), "reason": "snow"})
        assert event.state_of("1.2") == "entered"
        for path in ("/board", "/standings", "/beamer", "/cup", "/rulings"):
            assert ellen.get(EVENING + path).status_code == 200


def test_drive_slip_by_totals(tmp_path: Path) -> None:
    people = ("Aino", "Eino", "Väinö", "Ilma", "Olga")
    event = Event(tmp_path, people, "drive", unit="players", rounds=2, preset="norwegian_catsatcards")
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        ellen.get(f"{EVENING}/in/{event.secret}")
        wrong = ellen.post(f"{EVENING}/slip/1.1", data={"words": "12 three"})
        assert wrong.status_code == 400 and 'value="12 three"' in wrong.text
        ellen.post(f"{EVENING}/slip/1.1", data={"words": "12 -3"})
        assert event.state_of("1.1") == "entered"
        for path in ("/board", "/standings", "/beamer", "/cup", "/rulings"):
            assert ellen.get(EVENING + path).status_code == 200


def test_download_of_standings_and_of_the_file(event: Event, ellen: TestClient) -> None:
    reader = event.come(ellen, event.key("read"))
    assert reader.get(f"{EVENING}/file/csv").text.startswith("\ufeff")
    assert reader.get(f"{EVENING}/file/xlsx").content[:2] == b"PK"
    for kind in ("nousu", "json"):
        assert reader.get(f"{EVENING}/file/{kind}").status_code == 403
        assert ellen.get(f"{EVENING}/file/{kind}").status_code == 200
    assert ellen.get(f"{EVENING}/file/nousu").content == event.path.read_bytes()
    assert ellen.get(f"{EVENING}/file/exe").status_code == 404


def test_standings_page_is_rendered_once_per_language(event: Event, ellen: TestClient) -> None:
    """What all readers see is drawn once for each language, and anew after every entry."""
    reader = event.come(ellen, event.key("read"))
    first = reader.get(f"{EVENING}/standings").text
    hosted = event.tournaments.find("evening")
    drawn = hosted._values[1]  # the page, and the standings that pages in all languages share
    assert reader.get(f"{EVENING}/standings").text == first and hosted._values[1] is drawn and len(drawn) == 2
    fi = reader.get(f"{EVENING}/standings", headers={"accept-language": "fi"}).text
    assert fi != first and len(drawn) == 3
    assert "Rulings" not in first, "what readers see must not come from the direction's drawing"
    assert "Rulings" in ellen.get(f"{EVENING}/standings").text
    event.office.slip("Uwe", "1.1", ["abc", "abc"])
    event.office.confirm("Ellen", "1.1")
    assert reader.get(f"{EVENING}/standings").text != first


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages_in_every_language(event: Event, ellen: TestClient, lang: str) -> None:
    """No message is missing anywhere: the fixture of all tests hears those that are in no catalogue."""
    event.office.slip("Uwe", "1.1", ["abc", "abc"])
    event.office.slip("Ellen", "1.2", ["abc", "abc"])
    event.office.confirm("Uwe", "1.2")
    event.office.act("Ellen", "withdrawn", number=4, round="2", reason="last bus")
    pages = ("/board", "/board?table=1.1", "/board?table=1.2", "/confirm", "/standings", "/rulings", "/log")
    for path in (*pages, "/links", "/beamer", "/results", "/cup"):
        answer = ellen.get(EVENING + path, headers={"accept-language": lang})
        assert answer.status_code == 200 and f'<html lang="{lang}"' in answer.text
        assert not re.search(r"\{\w+\}", re.sub(r'data-\w+="[^"]*"', "", answer.text)), path


def test_start_time_is_announced_on_all_pages(event: Event, ellen: TestClient) -> None:
    assert "begins at" not in ellen.get(f"{EVENING}/beamer").text
    ellen.post(f"{EVENING}/starts", data={"round": "1", "time": "19:45"})
    own = event.come(ellen).get(own_link(event, 1)).text
    assert "Series 1 begins at 19:45." in ellen.get(f"{EVENING}/beamer").text and "Begins at 19:45" in own
    assert own.count("The slip") == 1, "only the round that comes has a slip to type"
    for data, said in (
        ({"round": "1", "time": "25:00"}, "25:00 is not a time; write it like 19:45"),
        ({"round": "9", "time": "19:45"}, "Series 9 is not planned"),
    ):
        answer = ellen.post(f"{EVENING}/starts", data=data)
        assert answer.status_code == 409 and said in answer.text
    ellen.post(f"{EVENING}/slip/1.1", data=event.boxes("1.1", "213", "123"))
    assert "begins at" not in ellen.get(f"{EVENING}/beamer").text, "it has begun; the next one is shown"
    ellen.post(f"{EVENING}/starts", data={"round": "1", "time": ""})
    assert event.office.open().tournament.starts == {}
    assert "19:45" in ellen.get(f"{EVENING}/log").text


def test_projector_shows_the_round_that_people_must_find(event: Event, ellen: TestClient) -> None:
    """Slips of all rounds are printed before the first card; the printer begins nothing."""
    event.office.change("Ellen", {"series": 2}, "last bus")
    ellen.post(f"{EVENING}/paper", data={"kind": "slips"})
    assert event.state_of("1.1") == event.state_of("2.3") == "printed"
    page = ellen.get(f"{EVENING}/beamer").text
    assert "Seating of series 1" in page and "Before the first series" in page
    board = ellen.get(f"{EVENING}/board").text
    assert '<option value="1" selected>' in board and "Cards are out" in board
    ellen.post(f"{EVENING}/begun", data={"round": "1"})
    page = ellen.get(f"{EVENING}/beamer").text
    assert "Seating of series 1" in page and "Series 1 of 2" in page and "3 slips are missing" in page
    ellen.post(f"{EVENING}/slip/1.1", data=event.boxes("1.1", "213", "123"))
    page = ellen.get(f"{EVENING}/beamer").text
    assert "Seating of series 2" in page and "Series 1 of 2" in page
    ellen.post(f"{EVENING}/starts", data={"round": "2", "time": "20:30"})
    for table in ("1.2", "1.3"):
        ellen.post(f"{EVENING}/slip/{table}", data=event.boxes(table, "213", "123"))
    page = ellen.get(f"{EVENING}/beamer").text
    assert "Seating of series 2" in page and "Series 2 of 2" in page and "Series 2 begins at 20:30." in page
    ellen.post(f"{EVENING}/slip/2.1", data=event.boxes("2.1", "213", "123"))
    page = ellen.get(f"{EVENING}/beamer").text
    assert "Seating of series 2" in page and "begins at" not in page, "there is no later round to find"


def test_late_arrival_before_the_first_card_plays_in_round_1(tmp_path: Path) -> None:
    """All slips are printed; the newcomer joins the smallest tables, the paper of all others stays."""
    event = Event(tmp_path, [f"P{number}" for number in range(1, 32)], series=3)
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        ellen.get(f"{EVENING}/in/{event.secret}")
        ellen.post(f"{EVENING}/paper", data={"kind": "slips"})
        before = event.office.open().tournament
        assert "Plays from series 1 on" in ellen.get(f"{EVENING}/board").text
        ellen.post(f"{EVENING}/late", data={"name": "Jörg Späth"})
        assert "no longer fits from series 1 on" in ellen.get(f"{EVENING}/board").text
        assert "Seat them at the smallest tables" in ellen.get(f"{EVENING}/plan").text
        assert ellen.post(f"{EVENING}/plan", data={"do": "add"}).status_code == 200
        state = event.office.open().tournament
        for label, played in state.rounds.items():
            old = before.rounds[label].tables
            changed = [at for at, table in enumerate(played.tables) if table != old[at]]
            assert [len(old[at]) for at in changed] == [3]
            assert played.tables[changed[0]] == (*old[changed[0]], 32)
        voided = [table for table in before.slips if state.slip(table).state == "open"]
        assert len(voided) == 3 and "Seat them" not in ellen.get(f"{EVENING}/plan").text
        ellen.post(f"{EVENING}/withdraw", data={"number": "5", "round": "2"})
        ellen.post(f"{EVENING}/late", data={"name": "Lena"})
        refused = ellen.post(f"{EVENING}/plan", data={"do": "add"})
        assert refused.status_code == 400 and "lan again" in refused.text


def test_late_arrival_of_a_drive_plays_with_the_one_who_sits_out(tmp_path: Path) -> None:
    event = Event(tmp_path, ("Ada & Ann", "Ben & Bo", "Cleo & Cy"), "drive", rounds=2)
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        ellen.get(f"{EVENING}/in/{event.secret}")
        before = event.office.open().tournament.rounds["1"].tables
        ellen.post(f"{EVENING}/late", data={"name": "Dora & Dai"})
        assert ellen.post(f"{EVENING}/plan", data={"do": "add"}).status_code == 200
        (alone,) = next(table for table in before if len(table) == 1)
        (full,) = (table for table in before if len(table) == 2)
        assert set(event.office.open().tournament.rounds["1"].tables) == {full, (alone, 4)}


@pytest.mark.clause("TU-ZK-I1b")
def test_withdrawal_between_two_games_of_a_series(event: Event, ellen: TestClient) -> None:
    """The game that was played counts; the leaver has no place and no points in the other."""
    state = event.office.open().tournament
    leaver = state.seats("1.1")[2]
    page = ellen.get(f"{EVENING}/board").text
    assert re.search(r'<select[^>]* name="game">\s*<option value="1">1</option>\s*<option value="2">2<', page)
    sent = {"number": str(leaver), "round": "1", "game": "2", "reason": "last bus"}
    ellen.post(f"{EVENING}/withdraw", data=sent)
    form = ellen.get(f"{EVENING}/board?table=1.1").text
    assert 'name="g1-2"' in form and 'name="g2-2"' not in form
    boxes = event.boxes("1.1", "213", "12")
    ellen.post(f"{EVENING}/slip/1.1", data=boxes)
    event.office.confirm("Uwe", "1.1")
    rows = event.office.open().tournament.format.standings(event.office.open().tournament).sections[0].rows
    points = {row.number: row.cells[0] for row in rows}
    a, b = state.seats("1.1")[:2]
    assert (points[a], points[b], points[leaver]) == (3 + 5, 5 + 3, 2)
    assert "series 1, game 2" in ellen.get(f"{EVENING}/rulings").text


def test_withdrawal_needs_a_known_player_and_round(event: Event, ellen: TestClient) -> None:
    before = event.path.read_bytes()
    for path, data, said in (
        ("withdraw", {"number": "", "round": "2"}, "There is no number 0"),
        ("withdraw", {"number": "99", "round": "2"}, "There is no number 99"),
        ("withdraw", {"number": "3", "round": "77"}, "Series 77 is not planned"),
        ("withdraw", {"number": "3", "round": "C4"}, "Round C4 is not planned"),
        ("penalty", {"number": "", "rule": "I6", "points": "-1", "reason": "x"}, "There is no number 0"),
    ):
        answer = ellen.post(f"{EVENING}/{path}", data=data)
        assert answer.status_code == 409 and said in answer.text, (path, data, answer.text)
    assert event.path.read_bytes() == before
    ellen.post(f"{EVENING}/withdraw", data={"number": "3", "round": "", "reason": "last bus"})
    assert event.office.open().tournament.withdrawals[3].round == "1"


def test_projector_names_who_sits_out(tmp_path: Path) -> None:
    pairs = ("Ada & Ann", "Ben & Bo", "Cleo & Cy")
    event = Event(tmp_path, pairs, "drive", rounds=1)
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        ellen.get(f"{EVENING}/in/{event.secret}")
        state = event.office.open().tournament
        (alone,) = next(table for table in state.rounds["1"].tables if len(table) == 1)
        page = " ".join(re.sub("<[^>]*>", " ", ellen.get(f"{EVENING}/beamer").text).split())
        assert f"– {escape(state.who(alone)).replace('&amp; ', '')} sits out" in page


def test_hall_reads_no_clause_numbers(tmp_path: Path) -> None:
    event = Event(tmp_path, NINE, series=1)
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        ellen.get(f"{EVENING}/in/{event.secret}")
        settle_all(event.office)
        assert "[TU-ZK" in ellen.get(f"{EVENING}/board").text
        reader = event.come(ellen, event.key("read"))
        pages = [reader.get(f"{EVENING}/{path}").text for path in ("standings", "cup")]
        assert "[TU-ZK" not in "".join((*pages, ellen.get(f"{EVENING}/beamer").text))


def test_event_of_pairs_speaks_of_pairs_and_names_its_cup_rounds(tmp_path: Path) -> None:
    names = [f"A{number} & B{number}" for number in range(8)]
    event = Event(tmp_path, names, "tuppi", pools=0)
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        ellen.get(f"{EVENING}/in/{event.secret}")
        page = ellen.get(f"{EVENING}/board?table=C1.1").text
        assert "8 pairs" in page and "8 players" not in page
        assert "Table 1 · Quarterfinals" in page


def test_cup_is_a_tree_on_page_and_wall(tmp_path: Path) -> None:
    names = [f"A{number} & B{number}" for number in range(6)]
    event = Event(tmp_path, names, "tuppi", pools=0)
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        ellen.get(f"{EVENING}/in/{event.secret}")
        for page in (ellen.get(f"{EVENING}/cup").text, ellen.get(f"{EVENING}/beamer").text):
            assert page.count('class="tree-match"') == 7 and "Quarterfinals" in page
        answer = ellen.post(f"{EVENING}/paper", data={"kind": "cup", "paper": "a4"})
        assert answer.headers["content-type"] == "application/pdf"


def test_programme_is_read_by_everybody(event: Event, ellen: TestClient) -> None:
    ellen.post(f"{EVENING}/programme", data={"programme": "19.30 Series 1\r\n\r\n9:15 – Pizza & <tea>"})
    assert event.office.open().tournament.programme == (("19:30", "Series 1"), ("09:15", "Pizza & <tea>"))
    reader = event.come(ellen, event.key("read"))
    assert "Pizza &amp; &lt;tea&gt;" in reader.get(f"{EVENING}/standings").text
    wall = ellen.get(f"{EVENING}/beamer").text
    assert "Series 1" in wall and "<tea>" not in wall and "&#34;09:15&#34;" in wall
    for text in ("Pizza at nine", "25:00 late", "19:00 " + "x" * 81, "19:00 x\n" * 41):
        assert ellen.post(f"{EVENING}/programme", data={"programme": text}).status_code == 409
    ellen.post(f"{EVENING}/programme", data={"programme": ""})
    assert event.office.open().tournament.programme == ()


def test_published_result_says_until_when_it_can_be_contested(event: Event, ellen: TestClient) -> None:
    event.office.change("Ellen", {"series": 1, "cup": False}, "last bus")
    settle_all(event.office)
    assert ellen.post(f"{EVENING}/publish", data={"contest": "7 pm"}).status_code == 409
    page = ellen.post(f"{EVENING}/publish", data={"contest": "22:15"}).text
    assert "The result can be contested until 22:15." in page
    assert "contested until 22:15" in event.come(ellen).get(f"{EVENING}/results").text
    assert "contested until 22:15" in ellen.get(f"{EVENING}/beamer").text
