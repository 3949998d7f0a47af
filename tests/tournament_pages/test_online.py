"""Tables of a plan at Nousu's tables: personal links to the seats, results as slips."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from applications import app_on
from hosted_event import EVENING, NINE, ORIGIN, Event
from nousu.games import find
from nousu.server.table.shuffle import verify
from nousu.server.tournament.files import HostedTournaments
from nousu.server.tournament.online import collect
from nousu.tournament.drive_families.whist import trick_points
from played_online import own_link, play_out, sit
from tools.tournament_oracle.comparison import differences

ONE_MATCH = {"preset": "tuppi_tournament+max_hands=2", "pools": 1}


def view_of_table(device: TestClient, id: str) -> dict[str, Any]:
    """Contents of the page of a table on a device."""
    first = re.search(r'id="first">(.*?)</script>', device.get(f"/t/{id}").text, re.DOTALL)
    assert first is not None
    view: dict[str, Any] = json.loads(first[1])["view"]
    return view


def seats(event: Event, table: str) -> tuple[int, ...]:
    return event.office.open().tournament.seats(table)


def online(event: Event, ellen: TestClient, table: str = "1.1") -> tuple[list[TestClient], list[str]]:
    """A table put online; a browser and the personal link of everybody there, pairs as they sit."""
    ellen.post(f"{EVENING}/online", data={"do": "online", "table": table})
    state = event.office.open().tournament
    links = [own_link(event, *chair) for chair in state.kind(table).slips.chairs(state, table, 1)]
    return [event.come(ellen) for _ in links], links


def sit_all(people: list[TestClient], links: list[str]) -> str:
    """Let everybody sit down; the id of Nousu's table, the same for all."""
    (id,) = {sit(one, link) for one, link in zip(people, links, strict=True)}
    return id


def look(event: Event, ellen: TestClient) -> None:
    """Let the server look at all tables of the event now."""
    ellen.portal.call(collect, event.app.state.server, event.tournaments.find("evening"))  # type: ignore[union-attr]


def test_online_series_is_confirmed_by_a_player(event: Event, ellen: TestClient) -> None:
    assert ellen.post(f"{EVENING}/online", data={"do": "online", "table": "1.1"}).status_code == 200
    server = event.app.state.server
    numbers = seats(event, "1.1")
    people = [event.come(ellen) for _ in numbers]
    links = [own_link(event, number) for number in numbers]
    assert "Sit down at the table" in people[0].get(links[0]).text
    other = seats(event, "1.2")[0]
    assert "Sit down at the table" not in people[0].get(own_link(event, other)).text
    for game in (1, 2):
        id = sit_all(people, links)
        room = server.tables.in_memory(id)
        assert room is not None and room.seats.names == tuple(
            event.office.open().tournament.who(number) for number in numbers
        )
        assert room.written == "tuppen_zk_tournament" and room.rules.start_points == 7
        if game == 1:
            assert event.office.open().tournament.has_begun("1")
        play_out(ellen, server, id, game)
        assert view_of_table(people[0], id)["event"] == EVENING.rpartition("/")[2], "it leads back there"
        back = people[0].get(f"{EVENING}/from/{id}", follow_redirects=False)
        assert back.headers["location"] == links[0]
    look(event, ellen)
    state = event.office.open().tournament
    slip = state.slip("1.1")
    assert (slip.state, slip.by) == ("entered", "Nousu")
    assert slip.online is not None and slip.online["stood_in"] == [] and slip.result is not None
    for game, id in enumerate(slip.online["tables"]):
        table = server.tables.in_memory(id)
        assert table is not None and table.match is not None
        places = table.match.tally.places
        assert [places[numbers.index(number)] for number in slip.result.games[game].order] == [1, 2, 3]
        found = verify(people[0].get(f"/t/{id}/record").text, find)
        assert found.shuffles and not found.problems, "verifiable as at any other table"
    page = people[1].get(links[1]).text
    assert "Yes, that is the result" in page and "ame 2: 1. " in page
    people[1].post(links[1], data={"do": "confirm", "table": "1.1"})
    assert event.state_of("1.1") == "confirmed"
    assert [one.what for one in event.office.open().tournament.slip("1.1").trail] == [
        "online",
        "seated",
        "entered",
        "confirmed",
    ]
    # The other tables of the round are played with cards, as ever.
    ellen.post(f"{EVENING}/slip/1.2", data=event.boxes("1.2", "213", "123"))
    assert event.state_of("1.2") == "entered"
    assert differences(event.path.read_bytes()) == ()


def test_online_dealer_of_the_second_game(event: Event, ellen: TestClient) -> None:
    ellen.post(f"{EVENING}/online", data={"do": "online", "table": "1.1"})
    links = [own_link(event, number) for number in seats(event, "1.1")]
    people = [event.come(ellen) for _ in links]
    first = sit_all(people, links)
    play_out(ellen, event.app.state.server, first)
    second = sit(people[0], links[0])
    one, two = (event.app.state.server.tables.in_memory(id) for id in (first, second))
    assert one is not None and two is not None and one.match is not None
    last = one.match.played[-1]
    assert two.options.dealer == last.tally.dealer(last.hand.setup)


def test_online_table_admits_no_stranger_and_no_computer(event: Event, ellen: TestClient) -> None:
    people, links = online(event, ellen)
    id = sit(people[0], links[0])
    stranger = event.come(ellen)
    answer = stranger.post(f"/t/{id}/join", data={"name": "Eve"})
    assert answer.status_code == 403 and "follow the plan of a tournament" in answer.text
    assert people[0].post(f"/t/{id}/fill").status_code == 403
    assert people[0].post(f"/t/{id}/remove", data={"remove": "1"}).status_code == 403
    assert view_of_table(people[0], id)["event"] == EVENING.rpartition("/")[2], "it invites nobody"
    table = event.app.state.server.tables.in_memory(id)
    assert [bool(place.session) for place in table.seats.places] == [True, False, False]
    assert stranger.get(f"{EVENING}/from/{id}", follow_redirects=False).headers["location"] == EVENING
    # One browser cannot hold two hands of cards.
    both = people[0].post(links[1], data={"do": "sit"})
    assert both.status_code == 403 and "for somebody else" in both.text


def test_personal_link_moves_the_seat_to_a_second_device(event: Event, ellen: TestClient) -> None:
    people, links = online(event, ellen)
    ids = [sit(one, link) for one, link in zip(people, links, strict=True)]
    server = event.app.state.server
    play_out(ellen, server, ids[0], most=12)
    before = server.tables.in_memory(ids[0]).seats.places[0].session
    other = event.come(ellen)
    assert sit(other, links[0]) == ids[0]
    table = server.tables.in_memory(ids[0])
    assert table.seats.places[0].session not in ("", before)
    old, new = (view_of_table(device, ids[0]) for device in (people[0], other))
    assert (old.get("seat"), new.get("seat")) == (None, 0), (old.keys(), new.keys())
    assert not old.get("hand") and new["hand"]


def test_stand_in_is_marked_on_the_slip(event: Event, ellen: TestClient) -> None:
    people, links = online(event, ellen)
    numbers, server = seats(event, "1.1"), event.app.state.server
    id = sit_all(people, links)
    play_out(ellen, server, id, most=6)
    people[0].post(f"/t/{id}/leave")
    play_out(ellen, server, id)
    for one, link in zip(people, links, strict=True):
        id = sit(one, link)
    play_out(ellen, server, id)
    look(event, ellen)
    source = event.office.open().tournament.slip("1.1").online
    assert source is not None
    (mark,) = source["stood_in"]
    assert (mark["number"], mark["game"]) == (numbers[0], 1) and mark["hands"] >= 1
    name = event.office.open().tournament.who(numbers[0])
    for page in (ellen.get(f"{EVENING}/slip/1.1").text, people[1].get(links[1]).text):
        assert f"Game 1: a computer player stood in for {name}" in page
    assert "This slip came from Nousu’s table" in ellen.get(f"{EVENING}/slip/1.1").text
    ellen.post(f"{EVENING}/confirm", data={"table": "1.1"})
    assert "stood in" in ellen.get(f"{EVENING}/slip/1.1").text, "the mark stays"


def test_online_table_continues_on_paper(event: Event, ellen: TestClient) -> None:
    people, links = online(event, ellen)
    server = event.app.state.server
    id = sit_all(people, links)
    play_out(ellen, server, id)
    sit(people[0], links[0])
    refused = ellen.post(f"{EVENING}/slip/1.1", data=event.boxes("1.1", "123", "123"))
    assert refused.status_code == 400 and "move it to paper first" in refused.text
    page = ellen.post(f"{EVENING}/online", data={"do": "paper", "table": "1.1", "from": "slip"}).text
    places = server.tables.in_memory(id).match.tally.places
    for seat, place in enumerate(places):
        assert f'name="g1-{seat}" value="{place}"' in page, "the first game stands in the form"
    first = "".join(map(str, places))
    ellen.post(f"{EVENING}/slip/1.1", data=event.boxes("1.1", first, "123"))
    assert event.state_of("1.1") == "entered"
    for one, link in zip(people[1:], links[1:], strict=True):
        assert "Sit down at the table" not in one.get(link).text
    look(event, ellen)
    assert event.office.open().tournament.slip("1.1").by == "Ellen"
    assert differences(event.path.read_bytes()) == ()


def test_online_match_of_two_pairs(tmp_path: Path) -> None:
    event = Event(tmp_path, ("Ada & Ben", "Cleo & Dora"), "tuppi", **ONE_MATCH)
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        ellen.get(f"{EVENING}/in/{event.secret}")
        people, links = online(event, ellen)
        assert len(links) == 4
        server = event.app.state.server
        id = sit_all(people, links)
        table = server.tables.in_memory(id)
        first, other = (event.office.open().tournament.who(number) for number in seats(event, "1.1"))
        assert f"{table.seats.names[0]} & {table.seats.names[2]}" == first
        assert f"{table.seats.names[1]} & {table.seats.names[3]}" == other
        play_out(ellen, server, id)
        look(event, ellen)
        result, tally = (
            event.office.open().tournament.slip("1.1").result,
            server.tables.in_memory(id).match.tally,
        )
        assert result is not None
        assert (result.total, result.peak) == (tally.total, tally.peak)
        assert result.hands == tally.hands and result.winner == (tally.winner() or (-1,))[0]
        people[3].post(links[3], data={"do": "confirm", "table": "1.1"})
        assert event.state_of("1.1") == "confirmed"
        assert differences(event.path.read_bytes()) == ()


@pytest.mark.parametrize(
    ("people", "options"),
    [
        (("Ada & Ben", "Cleo & Dora"), {"preset": "minnesota", "hands": 3}),
        (NINE[:4], {"preset": "norwegian_catsatcards", "unit": "players", "hands": 2}),
        (("Ada & Ben", "Cleo & Dora"), {"preset": "huutopussi+target=50", "hands": 0}),
    ],
)
def test_online_round_of_a_drive(tmp_path: Path, people: tuple[str, ...], options: dict[str, Any]) -> None:
    event = Event(tmp_path, people, "drive", rounds=1, **options)
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        ellen.get(f"{EVENING}/in/{event.secret}")
        browsers, links = online(event, ellen)
        server, state = event.app.state.server, event.office.open().tournament
        id = sit_all(browsers, links)
        table, numbers = server.tables.in_memory(id), seats(event, "1.1")
        for side in (0, 1):
            sitting = [name for number in numbers[side::2] for name in state.entrant(number).members]
            assert sorted(table.seats.names[side::2]) == sorted(sitting)
        play_out(ellen, server, id, player="rules")  # who bids blindly falls and falls, for ever
        look(event, ellen)
        tally = server.tables.in_memory(id).match.tally
        assert tally.hands == options["hands"] or not options["hands"]
        result = event.office.open().tournament.slip("1.1").result
        assert result is not None and result.to_json() == {"scores": list(tally.points)}
        browsers[1].post(links[1], data={"do": "confirm", "table": "1.1"})
        assert event.state_of("1.1") == "confirmed"
        assert differences(event.path.read_bytes()) == ()


def test_online_drive_continues_on_paper(tmp_path: Path) -> None:
    event = Event(tmp_path, ("Ada & Ben", "Cleo & Dora"), "drive", rounds=1, preset="minnesota", hands=4)
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        ellen.get(f"{EVENING}/in/{event.secret}")
        browsers, links = online(event, ellen)
        id = sit_all(browsers, links)
        server = event.app.state.server
        play_out(ellen, server, id, most=150)
        match = server.tables.in_memory(id).match
        assert match.played and match.winner is None
        page = ellen.post(f"{EVENING}/online", data={"do": "paper", "table": "1.1", "from": "slip"}).text
        so_far = event.office.open().tournament.online["1.1"].so_far
        assert len(so_far) == len(match.played) and f'value="{" ".join(so_far)}"' in page
        points = [trick_points(match.rules, word, "hand") for word in so_far]
        assert tuple(map(sum, zip(*points, strict=True))) == match.tally.points


def test_online_drive_needs_an_end(tmp_path: Path) -> None:
    event = Event(tmp_path, ("Ada & Ben", "Cleo & Dora"), "drive", rounds=1, preset="huutopussi")
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        ellen.get(f"{EVENING}/in/{event.secret}")
        said = "cannot end after a fixed number of hands; with hands=0 a round is a whole match"
        assert said in ellen.get(f"{EVENING}/online").text
        answer = ellen.post(f"{EVENING}/online", data={"do": "online", "table": "1.1"})
        assert answer.status_code == 400 and said in answer.text


def test_online_match_continues_on_paper(tmp_path: Path) -> None:
    event = Event(tmp_path, ("Ada & Ben", "Cleo & Dora"), "tuppi")
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        ellen.get(f"{EVENING}/in/{event.secret}")
        people, links = online(event, ellen)
        server = event.app.state.server
        id = sit_all(people, links)
        play_out(ellen, server, id, most=150)
        words = [one for one in server.tables.in_memory(id).match.played if not one.result.void]
        assert words
        page = ellen.post(f"{EVENING}/online", data={"do": "paper", "table": "1.1", "from": "slip"}).text
        so_far = event.office.open().tournament.online["1.1"].so_far
        assert len(so_far) == len(words) and f'value="{" ".join(so_far)}"' in page


def test_online_slip_is_entered_after_a_restart(tmp_path: Path) -> None:
    event = Event(tmp_path, ("Ada & Ben", "Cleo & Dora"), "tuppi", **ONE_MATCH)
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        ellen.get(f"{EVENING}/in/{event.secret}")
        people, links = online(event, ellen)
        id = sit_all(people, links)
        kept = event.path.read_bytes()
        play_out(ellen, event.app.state.server, id)
        look(event, ellen)
    event.path.write_bytes(kept)  # as if the power had gone between the last card and the slip
    event.tournaments = HostedTournaments(tmp_path, event.path)
    event.app = app_on(str(tmp_path / "tables.db"), pace=0, tournaments=event.tournaments)
    assert event.state_of("1.1") == "open"
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        assert ellen.get(f"{EVENING}/results").status_code == 200
        until = time.monotonic() + 120
        while event.state_of("1.1") == "open":  # the server looks by itself
            assert time.monotonic() < until, "no slip has come"
            time.sleep(0.1)
        assert event.state_of("1.1") == "entered"


def test_online_result_against_a_ruling_is_reported(event: Event, ellen: TestClient) -> None:
    people, links = online(event, ellen)
    server, numbers = event.app.state.server, seats(event, "1.1")
    for most in (100_000, 5):
        id = sit_all(people, links)
        play_out(ellen, server, id, most=most)
    event.office.act("Ellen", "withdrawn", number=numbers[2], round="1", game=1, reason="found out late")
    play_out(ellen, server, id)
    look(event, ellen)
    assert event.state_of("1.1") == "open"
    assert "has withdrawn and has no place" in people[0].get(links[0]).text
    assert "has withdrawn and has no place" in ellen.get(f"{EVENING}/online").text


def test_personal_link_is_renewed(event: Event, ellen: TestClient) -> None:
    number = seats(event, "1.1")[0]
    old, person = own_link(event, number), event.office.open().tournament.numbers[number - 1]
    assert event.come(ellen).get(old).status_code == 200
    ellen.post(f"{EVENING}/online/link", data={"id": str(person), "member": "0"})
    assert event.come(ellen).get(old).status_code == 403
    new = own_link(event, number)
    assert new in ellen.get(f"{EVENING}/online").text
    assert event.come(ellen).get(new).status_code == 200
    for wrong in (
        {"id": "99", "member": "0"},
        {"id": str(person), "member": "1"},
        {"id": "x", "member": "0"},
    ):
        assert ellen.post(f"{EVENING}/online/link", data=wrong).status_code == 409
    phones = next(one for one in event.office.open().tournament.links.values() if one.role == "table")
    ellen.post(f"{EVENING}/links/revoke", data={"entry": str(phones.entry)})
    assert event.come(ellen).get(new).status_code == 403


def test_game_is_finished_when_phones_are_no_longer_admitted(tmp_path: Path) -> None:
    event = Event(tmp_path, ("Ada & Ben", "Cleo & Dora"), "tuppi", **ONE_MATCH)
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        ellen.get(f"{EVENING}/in/{event.secret}")
        people, links = online(event, ellen)
        id = sit_all(people, links)
        phones = next(one for one in event.office.open().tournament.links.values() if one.role == "table")
        ellen.post(f"{EVENING}/links/revoke", data={"entry": str(phones.entry)})
        for path in (links[0], f"{EVENING}/from/{id}"):
            answer = people[0].get(path)
            assert answer.status_code == 403 and "A game that you sit at can be finished" in answer.text
        play_out(ellen, event.app.state.server, id)
        look(event, ellen)
        assert event.state_of("1.1") == "entered"


def test_online_refusals_name_the_reason(event: Event, ellen: TestClient) -> None:
    before = event.path.read_bytes()
    for data, said in (
        ({"do": "online"}, "Tick the tables first"),
        ({"do": "online", "table": "7.9"}, "There is no table 7.9"),
        ({"do": "paper", "table": "1.1"}, "is played on paper"),
    ):
        answer = ellen.post(f"{EVENING}/online", data=data)
        assert answer.status_code == 400 and said in answer.text, answer.text
    assert event.path.read_bytes() == before
    ellen.post(f"{EVENING}/slip/1.1", data=event.boxes("1.1", "213", "123"))
    late = ellen.post(f"{EVENING}/online", data={"do": "online", "table": "1.1"})
    assert late.status_code == 400 and "already entered" in late.text
    link = own_link(event, seats(event, "1.2")[0])
    nothing = event.come(ellen).post(link, data={"do": "sit"})
    assert nothing.status_code == 400 and "You are not playing at any of Nousu’s tables now" in nothing.text


def test_board_leads_helpers_to_slips_on_paper(event: Event, ellen: TestClient) -> None:
    online(event, ellen)
    event.office.act("Nousu", "seated", table="1.1")
    page = ellen.get(f"{EVENING}/board").text
    assert "board?table=1.2#slip" in page and 'action="/tournament/evening/slip/1.2"' in page
    assert "Table 1, series 1: missing, at Nousu’s table" in page
    ellen.post(f"{EVENING}/slip/1.2", data=event.boxes("1.2", "213", "123"))
    assert 'action="/tournament/evening/slip/1.3"' in ellen.get(f"{EVENING}/board?done=1.2").text
