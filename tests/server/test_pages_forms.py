"""The form of rules, the rules pages, links, the start page: through the application, without a browser."""

import re
import time
from collections.abc import Iterator

import pytest
from starlette.datastructures import FormData
from starlette.testclient import TestClient

from applications import app_on
from nousu.games import find, games
from nousu.i18n.reader import Reader
from nousu.server.pages.learn.rulebook import rulebook
from nousu.server.pages.table.setup_form import form_of_post as form_sent
from nousu.server.pages.table.setup_form import form_of_rules, other_players, player_choices
from nousu.server.pages.visit import local_address
from nousu.teaching.clauses import clauses_in

READER = Reader.of("en")
PRESETS = [name for game in games().values() for name in game.presets]
ORIGIN = {"sec-fetch-site": "same-origin"}


@pytest.fixture
def client(tmp_path: object) -> Iterator[TestClient]:
    with TestClient(app_on(f"{tmp_path}/tables.db", pace=0), headers=ORIGIN) as found:
        yield found


@pytest.mark.parametrize("preset", PRESETS)
def test_preset_has_a_form_and_a_rules_page(client: TestClient, preset: str) -> None:
    form = client.get(f"/new?rules={preset}")
    assert form.status_code == 200
    rules = client.get(f"/rules/{preset}")
    assert rules.status_code == 200
    game, values = find(preset)
    result = rulebook(game, values, preset, Reader.of("en"))
    assert result.own and result.own[0][1]
    for clause in result.own[0][1]:
        assert f'id="{clause.id}"' in rules.text


def test_form_link_restores_the_rules() -> None:
    form = form_of_rules("tuppi+high_fail_points=6+sooli=off", READER)
    assert form.text == "tuppi+sooli=off+high_fail_points=6"
    again = form_of_rules(form.text, READER)
    assert again == form
    changed = [field.name for _, fields in form.groups for field in fields if field.changed]
    assert changed == ["sooli", "high_fail_points"]


def test_wrong_link_says_what_would_be_right(client: TestClient) -> None:
    answer = client.get("/new?rules=tuppi%2Btarget=none")
    assert answer.status_code == 400
    assert "Target: none (target=none) is not allowed" in answer.text
    assert "write a whole number from 1 to 1000" in answer.text
    answer = client.get("/new?rules=bridge")
    assert answer.status_code == 400
    assert "There is no preset" in answer.text
    assert client.get("/rules/bridge").status_code == 404


def form_data(client: TestClient, preset: str, **changes: str) -> dict[str, str]:
    """The form as a browser would send it, with some fields changed."""
    found = {"preset": preset, "shown": preset, "name": "Sanni", "player": "rules", "do": "play"}
    form = form_of_rules(preset, READER)
    for _, fields in form.groups:
        for field in fields:
            if field.value.startswith("["):
                found[f"list.{field.name}"] = "on"
                continue
            found[f"o.{field.name}"] = field.value
    return found | changes


def table_page(client: TestClient, address: str) -> str:
    """The page of a table once seats are drawn."""
    for _ in range(1000):
        text = client.get(address).text
        if 'data-phase="lobby"' not in text:
            return text
        time.sleep(0.05)
    raise AssertionError("the table does not begin")


def test_form_opens_a_table_with_house_rules(client: TestClient) -> None:
    values = form_data(client, "tuppi", **{"o.target": "24", "o.table_talk": "none"})
    values["o.limit_tiebreak"] = "draw"
    answer = client.post("/new", data=values, follow_redirects=False)
    assert answer.status_code == 303
    page = table_page(client, answer.headers["location"])
    assert "/rules/tuppi+target=24+limit_tiebreak=[draw]+table_talk=none" in page


@pytest.mark.parametrize(("speed", "pace"), [("calm", 1.6), ("", 0.0), ("quick", 0.25), ("at once", 0.0)])
def test_computers_play_as_fast_as_the_form_says(client: TestClient, speed: str, pace: float) -> None:
    """Where it says nothing, the server's own pace counts: here none."""
    values = form_data(client, "tuppi") | {"speed": speed}
    address = client.post("/new", data=values, follow_redirects=False).headers["location"]
    table = client.app.state.server.tables.in_memory(address.removeprefix("/t/"))  # type: ignore[attr-defined]
    assert table.pace == pace


def test_form_names_the_field_of_clashing_rules(client: TestClient) -> None:
    answer = client.post("/new", data=form_data(client, "tuppi", **{"o.high_points": "0"}))
    assert answer.status_code == 400
    assert "(score_model=single_riser) every score must be at least 1" in answer.text
    assert re.search(r'<option value="tuppi" selected', answer.text)
    values = form_data(client, "tuppi", **{"o.target": "much"})
    answer = client.post("/new", data=values)
    assert answer.status_code == 400
    assert 'value="much"' in answer.text and "is-wrong" in answer.text


def test_form_keeps_input_and_marks_wrong_fields(client: TestClient) -> None:
    wrong = {"o.start_points": "many", "o.penalty_points": "99", "o.raise_cap": "points"}
    values = form_data(client, "tuppen_zk", **wrong) | {"name": "Väinö", "player": "open", "seats": "9"}
    answer = client.post("/new", data=values)
    assert answer.status_code == 400
    for kept in ('value="Väinö"', 'value="many"', 'value="99"', 'value="points" selected', 'value="9"'):
        assert kept in answer.text
    assert re.search(r'value="open" selected', answer.text)
    assert answer.text.count('aria-invalid="true"') == 2
    assert "write a whole number from 1 to 20" in answer.text
    assert "Write a whole number from 2 to 8." in answer.text
    good = values | {"o.start_points": "5", "o.penalty_points": "2", "seats": "3", "player": "rules"}
    assert client.post("/new", data=good, follow_redirects=False).status_code == 303


def test_link_button_leads_to_the_canonical_address(client: TestClient) -> None:
    values = form_data(client, "tuppi", **{"o.target": "24", "do": "link"})
    values["o.limit_tiebreak"] = "other_criterion"
    answer = client.post("/new", data=values, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/new?rules=tuppi+target=24")


def test_rules_page_lists_what_differs(client: TestClient) -> None:
    page = client.get("/rules/tuppi+high_fail_points=6").text
    assert "Different from Tuppi" in page
    assert "High hand failed, defenders per trick: 6" in page and "instead of 8" in page
    assert "Here: High hand failed, defenders per trick: 6" in page


def test_reasons_of_a_result_are_links_to_clauses_that_stand_on_the_page() -> None:
    files = ("t_wik", "t_wikt", "t_cat", "mw_wik", "nw_cat")
    ids = {clause.id for file in files for clause in clauses_in(file)}
    assert {"T-WIK-17", "T-WIK-18", "T-WIK-19", "T-WIK-23", "MW-WIK-15"} <= ids


def test_language_and_look_are_kept_and_lead_back(client: TestClient) -> None:
    assert "Take a seat." in client.get("/", headers={"accept-language": "en"}).text
    answer = client.post("/look", data={"lang": "fi", "back": "/rules/tuppi"}, follow_redirects=False)
    assert answer.headers["location"] == "/rules/tuppi"
    assert "Istu pöytään." in client.get("/", headers={"accept-language": "en"}).text
    client.post("/look", data={"theme": "dark", "four": "on", "back": "/"})
    page = client.get("/").text
    assert 'data-theme="dark"' in page and 'data-four="on"' in page
    client.post("/look", data={"theme": "auto", "four": "off", "back": "/"})
    assert "data-theme" not in client.get("/").text


def test_redirects_stay_on_this_server(subtests: pytest.Subtests) -> None:
    for asked, given in [
        ("/t/abc", "/t/abc"),
        ("//evil.example", "/"),
        ("/\\evil", "/"),
        ("https://evil.example", "/"),
        ("", "/"),
    ]:
        with subtests.test(asked=asked, given=given):
            assert local_address(asked) == given


def test_names_are_printed_as_text(client: TestClient) -> None:
    values = form_data(client, "tuppi") | {"name": "<b>&\"'x", "o.limit_tiebreak": "draw"}
    page = table_page(client, client.post("/new", data=values, follow_redirects=False).headers["location"])
    assert "<b>&" not in page
    assert "&lt;b&gt;&amp;" in client.get("/").text


def test_missing_table_and_hand_are_reported(client: TestClient) -> None:
    answer = client.get("/t/nothing-here")
    assert answer.status_code == 404 and "There is no such table." in answer.text
    table = client.post("/new", data=form_data(client, "minnesota"), follow_redirects=False).headers[
        "location"
    ]
    assert client.get(f"{table}/hand/1").status_code == 404


def test_friends_sit_down_by_a_link(client: TestClient) -> None:
    values = form_data(client, "tuppi") | {"player": "open", "o.limit_tiebreak": "draw"}
    table = client.post("/new", data=values, follow_redirects=False).headers["location"]
    assert "Waiting for players" in client.get(table).text
    other = TestClient(client.app, headers=ORIGIN)
    assert "Sit down" in other.get(table).text
    other.post(f"{table}/join", data={"name": "Ville"})
    assert "Ville" in client.get(table).text
    client.post(f"{table}/fill", data={})
    assert "Ville" in table_page(client, table)


def test_levels_are_offered_in_order_and_a_newcomer_meets_the_easy_one(client: TestClient) -> None:
    known = ["random", "searcher", "expert", "strong", "rules", "beginner", "club", "easy"]
    for game in ("whist", "huutopussi", "tuppen"):
        offered = [name for name, _ in player_choices(known, game, READER)]
        assert offered == ["beginner", "easy", "club", "strong", "expert", "random", "open"]
    # In a family of another package an expert would play as the strong level does.
    offered = [name for name, _ in player_choices(known, "another", READER)]
    assert offered == ["beginner", "easy", "club", "strong", "random", "open"]
    for preset in ("minnesota", "huutopussi"):
        assert 'value="expert"' in client.get(f"/new?rules={preset}").text
    page = re.sub(r"\s+", " ", client.get("/new").text)
    assert '<option value="easy" selected>' in page


def test_places_may_have_different_players() -> None:
    known = ["random", "easy", "club", "strong"]
    sent = FormData({"player": "club", "player.2": "strong", "player.4": "open", "player.9": "strong"})
    assert other_players(sent, 4, known) == ["strong", "club", "open"]
    assert other_players(sent, 2, known) == ["strong"]
    assert other_players(FormData({"player": "no such player"}), 3, known) == ["easy", "easy"]
    values = FormData({"preset": "tuppi", "shown": "tuppi", "player": "club", "player.3": "strong"})
    assert form_sent(values, READER).each == {3: "strong"}


def test_toepen_is_not_for_two() -> None:
    assert (form_of_rules("toepen", READER).low_seats, form_of_rules("tuppen_zk", READER).low_seats) == (3, 2)
