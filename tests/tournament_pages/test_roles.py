"""Who may open what: links and their roles, revoking, and the table of roles by pages."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hosted_event import EVENING, ORIGIN, Event
from nousu.server.tournament.files import FOLLOWERS, slug_of
from nousu.server.tournament.roles import EVERYBODY, NOBODY
from nousu.server.tournament.routes import PAGES
from nousu.tournament.links import _digest, key_of, link_of, shown_link, slip_key, slip_link
from nousu.tournament.model import ROLES


def test_roles_of_every_page(event: Event, ellen: TestClient) -> None:
    """P20: the table of roles and pages, walked with a browser of each role and one without a link."""
    assert len(PAGES) > 4
    for role in (*ROLES, NOBODY):
        guest = event.come(ellen, "" if role == NOBODY else event.key(role))
        for page in PAGES:
            if page.path == "/news" and role in page.roles:
                continue  # a line that does not end
            path = EVENING + page.path.replace("{table}", "1.1").replace("{kind}", "csv")
            answer = guest.request(page.method, path, follow_redirects=False)
            if role in page.roles:
                assert answer.status_code != 403, (role, page.path, answer.text)
                assert answer.status_code < 500, (role, page.path)
            else:
                assert answer.status_code == 403, (role, page.method, page.path)


def test_roles_of_changes(event: Event) -> None:
    for page in PAGES:
        assert page.method == "GET" or not page.roles & {NOBODY, "read", "beamer"}, page.path
        assert page.roles <= EVERYBODY


def test_link_is_stored_in_the_browser(event: Event, ellen: TestClient) -> None:
    helper = event.come(ellen)
    assert helper.get(f"{EVENING}/board").status_code == 403
    answer = helper.get(f"{EVENING}/in/{event.key('entry')}", follow_redirects=False)
    cookie = answer.headers["set-cookie"]
    assert f"; Path={EVENING}; " in cookie and "HttpOnly" in cookie and "SameSite=Lax" in cookie
    assert helper.get(f"{EVENING}/board").status_code == 200
    assert helper.get(f"{EVENING}/links").status_code == 403


def test_link_revoked_loses_access_at_once(event: Event, ellen: TestClient) -> None:
    helper = event.come(ellen, event.key("entry", "Uwe"))
    page = ellen.get(f"{EVENING}/links").text
    entry = re.search(r"Uwe.*?name=\"entry\" value=\"(\d+)\"", page, re.S)
    assert entry is not None
    assert helper.get(f"{EVENING}/board").status_code == 200
    assert ellen.post(f"{EVENING}/links/revoke", data={"entry": entry[1]}).status_code == 200
    answer = helper.get(f"{EVENING}/board")
    assert answer.status_code == 403 and "revoked" in answer.text


def test_link_with_fewer_rights_replaces_nothing(event: Event, ellen: TestClient) -> None:
    assert ellen.get(f"{EVENING}/in/{event.key('read')}").status_code == 200
    assert ellen.get(f"{EVENING}/links").status_code == 200
    ellen.post(f"{EVENING}/leave")
    assert ellen.get(f"{EVENING}/links").status_code == 403


def test_link_with_an_unknown_key(event: Event, ellen: TestClient) -> None:
    for key in ("x", "ä" * 20, "a" * 24, event.secret[:-1]):
        answer = event.come(ellen).get(f"{EVENING}/in/{key}", follow_redirects=False)
        assert answer.status_code == 403 and "set-cookie" not in answer.headers


def test_link_secrets_are_not_in_the_file(event: Event) -> None:
    event.key("entry")
    text = event.path.read_text()
    state = event.office.open().tournament
    assert event.secret not in text
    for link in state.links.values():
        if link.role in ("read", "beamer", "table"):
            assert key_of(link) not in text
            assert link_of(state, key_of(link)) == link
    assert slip_key(state, "1.1") not in text


def test_slip_key_opens_one_table_of_one_plan(event: Event) -> None:
    state = event.office.open().tournament
    key = slip_key(state, "1.1")
    assert slip_link(state, "1.1", key) is not None
    assert slip_link(state, "1.2", key) is None and slip_link(state, "2.1", key) is None
    assert link_of(state, key) is None
    a, b = state.rounds["1"].tables[0][0], state.rounds["1"].tables[1][0]
    again = event.office.swap("Ellen", "1", str(a), str(b)).tournament
    assert slip_link(again, "1.1", key) is None, "the slip of an old plan"
    assert slip_link(again, "1.1", slip_key(again, "1.1")) is not None
    phones = next(one for one in again.links.values() if one.role == "table")
    closed = event.office.act("Ellen", "revoked", entry=phones.entry).tournament
    assert slip_link(closed, "1.1", slip_key(again, "1.1")) is None and slip_key(closed, "1.1") == ""


def test_slip_key_of_a_table_that_is_not_planned(tmp_path: Path) -> None:
    event = Event(tmp_path, plan=False)
    state = event.office.open().tournament
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as phone:
        for table in ("1.1", "9.9"):
            answer = phone.get(f"{EVENING}/slip/{table}?k={slip_key(state, table)}&me=1")
            assert answer.status_code == 403 and "another plan" in answer.text


def test_link_name_signs_entries(event: Event, ellen: TestClient) -> None:
    ellen.post(f"{EVENING}/links", data={"role": "entry", "who": "Meri"})
    last = event.office.open().log.events[-1]
    assert (last["do"], last["by"], last["who"]) == ("admitted", "Ellen", "Meri")


def test_link_is_shown_once(event: Event, ellen: TestClient) -> None:
    page = ellen.post(f"{EVENING}/links", data={"role": "entry", "who": "Meri"}).text
    found = re.search(rf"http://testserver{EVENING}/in/([\w-]{{24}})<", page)
    assert found is not None and "<svg" in page
    assert found[1] not in ellen.get(f"{EVENING}/links").text
    assert event.come(ellen, found[1]).get(f"{EVENING}/board").status_code == 200


@pytest.mark.parametrize("data", [{"role": "king", "who": "Uwe"}, {"role": "entry", "who": " "}])
def test_link_with_a_wrong_role_or_name(event: Event, ellen: TestClient, data: dict[str, str]) -> None:
    before = event.path.read_bytes()
    assert ellen.post(f"{EVENING}/links", data=data).status_code == 400
    assert event.path.read_bytes() == before


def test_tournament_is_started_on_the_page(event: Event, ellen: TestClient, tmp_path: Path) -> None:
    new = event.come(ellen)
    assert new.get("/tournaments").status_code == 200
    sent = {"name": "Kesäilta & Co", "by": "Åsa", "format": "tuppi"}
    answer = new.post("/tournaments", data=sent, follow_redirects=False)
    assert answer.status_code == 303
    first = answer.headers["location"]
    assert re.fullmatch(r"/tournament/kesailta-co-\d{4}-\d\d-\d\d-[0-9a-f]{8}/setup", first)
    assert "Kesäilta &amp; Co" in new.get(first).text
    assert len(list(tmp_path.glob("kesailta*.nousu"))) == 1
    assert event.come(ellen).get(first).status_code == 403
    for wrong in ({"name": "x", "by": ""}, {"name": "", "by": "Åsa"}):
        assert new.post("/tournaments", data=wrong).status_code == 400


@pytest.mark.parametrize("name", ["none", "..", ".evening", "a/b", "tables.db", "x" * 200, "%2e%2e"])
def test_tournament_name_unknown_or_hostile(event: Event, ellen: TestClient, name: str) -> None:
    assert ellen.get(f"/tournament/{name}/board").status_code == 404


def test_tournament_file_unreadable(event: Event, ellen: TestClient, tmp_path: Path) -> None:
    (tmp_path / "notes.nousu").write_text("Dear diary\n")
    answer = ellen.get("/tournament/notes/board")
    assert answer.status_code == 409 and "Traceback" not in answer.text


def test_tournament_file_written_by_another_program(event: Event, ellen: TestClient) -> None:
    assert "Zoe" not in ellen.get(f"{EVENING}/links").text
    event.office.admit("Ellen", "entry", "Zoe")
    assert "Zoe" in ellen.get(f"{EVENING}/links").text


def test_followers_are_limited(event: Event, ellen: TestClient) -> None:
    assert ellen.head(f"{EVENING}/news").status_code == 200, (
        "a line that only says its kind does not stay open"
    )
    event.tournaments.find("evening").followers = FOLLOWERS
    answer = ellen.get(f"{EVENING}/news")
    assert answer.status_code == 503 and "Too many pages" in answer.text


def test_forms_from_another_origin_are_refused(event: Event, ellen: TestClient) -> None:
    for page in PAGES:
        if page.method == "POST":
            answer = ellen.post(EVENING + page.path, headers=ORIGIN | {"origin": "https://elsewhere.example"})
            assert answer.status_code == 403


def test_keys_end_in_letters_and_those_once_printed_stay_good(event: Event, ellen: TestClient) -> None:
    state = event.office.open().tournament
    tables = [f"{series}.{table}" for series in range(1, 90) for table in (1, 2)]
    ends = set()
    for table in tables:
        key = slip_key(state, table)
        ends |= {key[0], key[-1]}
        link = shown_link(state, "table")
        assert link is not None
        assert slip_link(state, table, _digest(link, f"slip {table}/{state.plans.get(table, 0)}")) == link
        assert slip_link(state, table, key) == link
    assert all(sign.isalnum() for sign in ends)


def test_links_can_be_told_apart(event: Event, ellen: TestClient) -> None:
    ellen.post(f"{EVENING}/links", data={"role": "entry", "who": "Meri"})
    answer = ellen.post(f"{EVENING}/links", data={"role": "entry", "who": "meri "})
    assert answer.status_code == 400 and "already has such a link" in answer.text
    assert ellen.post(f"{EVENING}/links", data={"role": "read", "who": "Meri"}).status_code == 200
    page = ellen.get(f"{EVENING}/links").text
    assert all(f"entry {entry}" in page for entry in event.office.open().tournament.links)


def test_revoking_phones_says_what_ends(event: Event, ellen: TestClient) -> None:
    page = ellen.get(f"{EVENING}/links").text
    assert "everybody’s personal links end" in page and "can finish the game" not in page
    event.office.play_online("Ellen", ["1.3"])
    said = "People who sit at 1 table of Nousu (1.3) can finish the game there; nobody else can sit down."
    assert said in ellen.get(f"{EVENING}/links").text
    event.office.admit("Ellen", "table", "More phones")
    assert ellen.get(f"{EVENING}/links").text.count("personal links end") == 1, "paper carries the first link"


def test_address_of_an_event_keeps_all_its_letters(tmp_path: Path) -> None:
    assert slug_of(tmp_path / "Größe und Łódź.nousu") == "grosse-und-lodz"


def test_projector_shows_the_address_that_its_own_request_names(event: Event, ellen: TestClient) -> None:
    """A page is made once for all; another's Host header must not lead the whole hall elsewhere."""
    wall = event.come(ellen, event.key("beamer"))
    false = wall.get(f"{EVENING}/beamer", headers={"host": "elsewhere.example"}).text
    true = wall.get(f"{EVENING}/beamer").text
    assert "<svg" in true and true != false
    assert wall.get(f"{EVENING}/beamer", headers={"host": "elsewhere.example"}).text == false
