"""Check-in: the way to it, its order, its search, and what draw and plan say about people not ticked."""

import re

import pytest
from starlette.testclient import TestClient

from hosted_event import EVENING, Event
from nousu.tournament.office import Office, make_format
from nousu.tournament.people import from_text

PEOPLE = ("Zoe Zorn", "Åke Ålander", "Kerttu Öst", "Łucja Nowak", "Ärla Böhm", "Bo Groß & co", "Lukas Lund")


def names(page: str) -> list[str]:
    """Surnames in the order of the page."""
    return re.findall(r'dr-name">\s*<b>([^<]*)</b>', page)


@pytest.fixture
def helper(event: Event, ellen: TestClient) -> TestClient:
    """A helper's browser, before the draw."""
    path = event.path.with_name("before.nousu")
    office = Office(path)
    office.begin("Before", make_format("tuppen"), "Ellen")
    listed = [name.replace(" & co", "") for name in PEOPLE]
    office.enter("Ellen", from_text("\n".join(listed)).given)
    event.tournaments._paths["evening"] = path
    event.tournaments._hosted.clear()
    event.office = office
    return event.come(ellen, office.admit("Ellen", "entry", "Uwe")[1])


def test_door_is_where_a_helper_begins(helper: TestClient, event: Event) -> None:
    assert helper.get(EVENING).url.path == f"{EVENING}/door"
    assert f'href="{EVENING}/door"' in helper.get(f"{EVENING}/board").text
    event.office.draw("Ellen", "dice")
    assert helper.get(EVENING).url.path == f"{EVENING}/board"


@pytest.mark.parametrize(
    ("lang", "order"),
    [
        ("de", ["Ålander", "Böhm", "Groß", "Lund", "Nowak", "Öst", "Zorn"]),
        ("fi", ["Böhm", "Groß", "Lund", "Nowak", "Zorn", "Ålander", "Öst"]),
        ("nb", ["Böhm", "Groß", "Lund", "Nowak", "Zorn", "Öst", "Ålander"]),
    ],
)
def test_door_sorts_by_surname_as_the_language_does(helper: TestClient, lang: str, order: list[str]) -> None:
    page = helper.get(f"{EVENING}/door", headers={"accept-language": lang}).text
    assert names(page) == order


def test_door_shows_who_is_missing_first(helper: TestClient, event: Event) -> None:
    state = event.office.open().tournament
    helper.post(f"{EVENING}/door", data={"id": str(state.find("Ärla Böhm")), "here": "yes"})
    assert names(helper.get(f"{EVENING}/door").text)[-1] == "Böhm"


def test_door_is_searched_without_accents(helper: TestClient) -> None:
    assert names(helper.get(f"{EVENING}/door?q=lucja").text) == ["Nowak"]
    assert names(helper.get(f"{EVENING}/door?q=GROSS bo").text) == ["Groß"]
    page = helper.get(f"{EVENING}/door?q=xyz").text
    assert names(page) == [] and "Nobody of that name" in page


def test_door_comes_back_to_the_row_of_a_tick(helper: TestClient) -> None:
    answer = helper.post(f"{EVENING}/door", data={"id": "3", "here": "yes"}, follow_redirects=False)
    assert answer.headers["location"].endswith("/door#e3")


def test_draw_and_plan_name_people_who_were_not_ticked(event: Event, ellen: TestClient) -> None:
    for path in ("/draw", "/plan"):
        assert "Not arrived yet" not in ellen.get(EVENING + path).text, "nobody was ticked: no check-in here"
    state = event.office.open().tournament
    here = [entrant.id for entrant in state.active() if entrant.name not in ("Ben", "Ida")]
    event.office.act("Uwe", "arrived", ids=here, here=True)
    for path in ("/draw", "/plan"):
        assert "Not arrived yet: Ben, Ida" in ellen.get(EVENING + path).text


def sections(page: str) -> dict[str, list[str]]:
    """Surnames in each group of the page."""
    parts = re.split(r'data-group="(\w+)"', page)[1:]
    return {group: names(part) for group, part in zip(parts[::2], parts[1::2], strict=True)}


def test_door_asks_for_fee_and_number_once_others_have_them(helper: TestClient, event: Event) -> None:
    for one in (1, 2, 3):
        helper.post(f"{EVENING}/door", data={"id": str(one), "here": "yes"})
    assert sections(helper.get(f"{EVENING}/door").text)["open"] == [], "nobody pays or draws at this door"
    helper.post(f"{EVENING}/door", data={"id": "1", "paid": "yes"})
    page = helper.get(f"{EVENING}/door").text
    assert sections(page)["open"] == ["Ålander", "Öst"] and sections(page)["here"] == ["Zorn"]
    assert event.office.open().tournament.paid[1][1] == "Uwe" and re.search(r'title="[^"]* Uwe"', page)
    helper.post(f"{EVENING}/door", data={"id": "2", "paid": "yes"})
    helper.post(f"{EVENING}/door", data={"id": "2", "number": " 7 "})
    page = helper.get(f"{EVENING}/door").text
    assert sections(page)["here"] == ["Ålander"] and "Numbers drawn: 1 of 3" in page
    helper.post(f"{EVENING}/door", data={"id": "1", "paid": ""})
    helper.post(f"{EVENING}/door", data={"id": "2", "number": ""})
    state = event.office.open().tournament
    assert list(state.paid) == [2] and not state.picked


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        ("4", "Zoe Zorn and Åke Ålander both have number 4"),
        ("8", "there are 1 to 7"),
        ("x", "is not a number"),
    ],
)
def test_door_refuses_a_number_with_the_reason(
    helper: TestClient, event: Event, number: str, reason: str
) -> None:
    helper.post(f"{EVENING}/door", data={"id": "1", "number": "4"})
    answer = helper.post(f"{EVENING}/door", data={"id": "2", "number": number})
    wrong = re.search(r'id="door-wrong".*?</p>', answer.text, re.DOTALL)
    assert answer.status_code == 400 and wrong is not None and reason in wrong[0] and "hidden" not in wrong[0]
    assert dict(event.office.open().tournament.picked) == {1: 4}


def test_door_shows_numbers_in_force(helper: TestClient, event: Event) -> None:
    event.office.draw("Ellen", "dice")
    page = helper.get(f"{EVENING}/door").text
    assert 'name="number"' not in page and "Numbers drawn" not in page
    first = event.office.open().tournament.entrant(1)
    assert f'aria-label="Number of {first.name}: 1"' in page
