"""Pages of the night: a person's page, prize groups, latecomers by hand, numbers kept as people come."""

import re

import pytest
from starlette.testclient import TestClient

from hosted_event import EVENING, Event
from nousu.tournament.people import from_text


def test_page_of_a_person_marks_paid_writes_columns_and_lets_somebody_take_over(
    event: Event, ellen: TestClient
) -> None:
    one = f"{EVENING}/people/1"
    assert "Not paid yet" in ellen.get(one).text
    assert "Take the mark off" in ellen.post(one, data={"do": "paid"}).text
    assert list(event.office.open().tournament.paid) == [1]
    page = ellen.post(one, data={"do": "column", "column": "Group", "text": "Newcomer"}).text
    assert "Newcomer" in page and event.office.open().tournament.entrants[0].columns == {"Group": "Newcomer"}
    page = ellen.post(one, data={"do": "substitute", "name": "Zoe", "round": "1"}).text
    assert "Ada → Zoe" in page.replace("\n", "") or "→ Zoe" in page
    state = event.office.open().tournament
    assert state.who(state.find("Zoe")) == "Zoe"
    assert "Zoe" in ellen.get(f"{EVENING}/plan").text and "Zoe" in ellen.get(f"{EVENING}/board").text
    assert "Ada → Zoe" in ellen.get(f"{EVENING}/standings").text
    answer = ellen.post(one, data={"do": "substitute", "name": "Ben", "round": "1"})
    assert answer.status_code == 400 and "Ben is already entered" in answer.text
    assert ellen.post(one, data={"do": "dance"}).status_code == 400
    for wrong in ("99", "0000011", "1" * 12):
        assert ellen.get(f"{EVENING}/people/{wrong}").status_code == 409


def test_page_of_prize_groups_ranks_what_is_ticked(event: Event, ellen: TestClient) -> None:
    assert "The list has no further columns" in ellen.get(f"{EVENING}/prizes").text
    for number in (1, 2, 3):
        event.office.act("Ellen", "noted", id=number, column="Group", text="Newcomer")
    assert "Newcomer" in ellen.get(f"{EVENING}/prizes").text
    assert ellen.post(f"{EVENING}/prizes", data={"group": "Group\tNewcomer"}).status_code == 200
    assert event.office.open().tournament.prizes == (("Group", "Newcomer"),)
    page = ellen.get(f"{EVENING}/standings").text
    assert "Group: Newcomer" in page and "place among all" in page
    assert ellen.post(f"{EVENING}/prizes", data={"group": "x"}).status_code == 400


def test_plan_page_seats_latecomers_by_hand(event: Event, ellen: TestClient) -> None:
    assert "Seat latecomers in one series by hand" not in ellen.get(f"{EVENING}/plan").text
    event.office.enter("Ellen", from_text("Zoe").given)
    assert "Seat latecomers in one series by hand" in ellen.get(f"{EVENING}/plan").text
    number = str(event.office.open().tournament.find("Zoe"))
    assert ellen.post(f"{EVENING}/plan/seat", data={"table": "1.2", "number": number}).status_code == 200
    state = event.office.open().tournament
    assert state.seats("1.2")[-1] == int(number)
    assert all(int(number) not in table for table in state.rounds["2"].tables)
    assert "Name the people first" in ellen.post(f"{EVENING}/plan/seat", data={"table": "1.2"}).text


def test_draw_page_keeps_numbers_as_people_come(event: Event, ellen: TestClient) -> None:
    event.office.undo("Ellen")  # the plan
    event.office.undo("Ellen")  # the draw
    sent = {"do": "pick", "n1": "3", "n2": "1"}
    assert ellen.post(f"{EVENING}/draw", data=sent).status_code == 200
    state = event.office.open().tournament
    assert dict(state.picked) == {1: 3, 2: 1} and not state.numbers
    assert 'name="n1" value="3"' in ellen.get(f"{EVENING}/draw").text
    answer = ellen.post(f"{EVENING}/draw", data={**sent, "n3": "1"})
    assert answer.status_code == 400 and "both have number 1" in answer.text
    assert ellen.post(f"{EVENING}/draw", data={**sent, "n1": ""}).status_code == 200
    assert dict(event.office.open().tournament.picked) == {2: 1}
    everybody = {f"n{at}": str(at) for at in range(1, 10)}
    assert ellen.post(f"{EVENING}/draw", data={"do": "cards", **everybody}).status_code == 200
    assert event.office.open().tournament.by_cards


def test_standings_name_no_places_before_the_first_result(event: Event, ellen: TestClient) -> None:
    page = ellen.get(f"{EVENING}/standings").text
    assert "Nothing has been played yet." in page and "hares place" not in page
    assert re.findall(r"<td>(.*?)</td>", page) and set(re.findall(r"<td>(–|\d+)</td>", page)) == {"–"}
    assert "<b>–</b>" in ellen.get(f"{EVENING}/beamer").text


def test_standings_page_lists_ties(event: Event, ellen: TestClient) -> None:
    for table in ("1.1", "1.2"):
        seats = event.office.open().tournament.seats(table)
        event.office.slip("Ellen", table, ["abcde"[: len(seats)]] * 2)
        event.office.confirm("Uwe", table)
    page = ellen.get(f"{EVENING}/standings").text
    assert "Equal results, and what decided" in page and page.count("Shares place") >= 2


def test_standings_page_leaves_out_figures_of_series_not_played(event: Event, ellen: TestClient) -> None:
    seats = event.office.open().tournament.seats("1.1")
    event.office.slip("Ellen", "1.1", ["abcde"[: len(seats)]] * 2)
    event.office.confirm("Uwe", "1.1")
    lines = re.findall(r'rest-line num">([^<]*)<', ellen.get(f"{EVENING}/standings").text)
    assert lines[0] == "10" and all(not line.endswith("·") for line in lines)


@pytest.mark.parametrize(
    ("lang", "word"), [("en", "from series"), ("de", "begonnene Serien"), ("fi", "sarjasta")]
)
def test_pages_of_an_evening_in_series_speak_of_no_rounds(
    event: Event, ellen: TestClient, lang: str, word: str
) -> None:
    event.office.enter("Ellen", from_text("Zoe").given)
    pages = [
        ellen.get(EVENING + path, headers={"accept-language": lang}).text for path in ("/board", "/plan")
    ]
    assert word in pages[0]
    shown = " ".join(re.sub(r"<[^>]*>", " ", page) for page in pages)
    assert not re.findall({"en": r"\brounds?\b", "de": r"\bRunden?\b", "fi": r"\bkierro\w*"}[lang], shown)
