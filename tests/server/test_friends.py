"""Friends without accounts: who is on whose list, who sees what of a standing table."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import event
from starlette.testclient import TestClient

from applications import app_on
from nousu.server.people import weekly_tables
from nousu.server.people.server import Server
from nousu.server.people.sessions import Session, hash_token
from nousu.server.storage.friends import SharedHand
from nousu.server.storage.store import SessionRow
from nousu.server.storage.weekly_tables import MOST_PEOPLE, WeeklyTableRow
from same_deals import Moment

HERE = {"sec-fetch-site": "same-origin"}
ROW = WeeklyTableRow("abc", "", "", "tuppi", 1, 19 * 60, "Europe/Helsinki", 0.0, "", "", "")


class Company:
    """A server, and people with a browser each."""

    def __init__(self, path: Path) -> None:
        self.app = app_on(f"{path}/tables.db", pace=0)
        self.first = TestClient(self.app, headers=HERE)

    @property
    def server(self) -> Server:
        found: Server = self.app.state.server
        return found

    def person(self, name: str) -> TestClient:
        """Somebody new with a name, who has sat down once."""
        client = TestClient(self.app, headers=HERE)
        client.portal = self.first.portal  # all in one loop
        client.post("/new", data={"preset": "tuppi", "name": name, "player": "open"}, follow_redirects=False)
        return client

    def session(self, client: TestClient) -> str:
        """The session of somebody."""
        return hash_token(client.cookies["nousu"])

    def play(self, *people: TestClient, hand: int = 1) -> None:
        """Note a hand that these people have finished together."""
        sessions = [self.session(one) for one in people]
        assert self.first.portal is not None
        self.first.portal.call(
            self.server.store.friends.add_hands, [SharedHand(sessions, "tuppi", f"table:{hand}")]
        )


@pytest.fixture
def company(tmp_path: Path) -> Iterator[Company]:
    found = Company(tmp_path)
    with found.first:
        yield found


def names_on_list(client: TestClient) -> list[str]:
    """The names on somebody's list."""
    page = client.get("/friends").text.partition("friend-list")[2]
    return re.findall(r"<bdi>([^<]+)</bdi>", page)


def test_friends_are_people_of_one_hand_and_both_lists_lose_a_name(company: Company) -> None:
    anna, bo, cecilia = map(company.person, ("Anna", "Bo", "Cecilia"))
    assert names_on_list(anna) == []
    company.play(anna, bo)
    company.play(anna, bo)  # the same hand, seen by another process
    company.play(anna, bo, cecilia, hand=2)
    assert sorted(names_on_list(anna)) == ["Bo", "Cecilia"] and sorted(names_on_list(bo)) == [
        "Anna",
        "Cecilia",
    ]
    assert "2 hands together" in anna.get("/friends").text
    for client in (anna, bo, cecilia):
        assert company.session(client) not in anna.get("/friends").text, "no page names a session"
    page = anna.get("/friends").text
    ids = re.findall(r'name="id" value="([^"]+)"\s+aria-label="Take Bo off', page)
    bo.post("/friends/off", data={"id": ids[0]})
    assert "Anna" in names_on_list(bo), "a row of another's list is nobody else's to take off"
    anna.post("/friends/off", data={"id": ids[0]})
    assert names_on_list(anna) == ["Cecilia"] and names_on_list(bo) == ["Cecilia"]


def test_friends_list_nobody_who_does_not_want_to_be_remembered(company: Company) -> None:
    anna, bo = map(company.person, ("Anna", "Bo"))
    company.play(anna, bo)
    bo.post("/friends/remember", data={"remember": "no"})
    assert names_on_list(anna) == [] and names_on_list(bo) == []
    company.play(anna, bo, hand=2)
    assert names_on_list(anna) == [] and names_on_list(bo) == []
    bo.post("/friends/remember", data={"remember": "yes"})
    company.play(anna, bo, hand=3)
    assert names_on_list(anna) == ["Bo"]
    bo.post("/forget")
    assert names_on_list(anna) == [], "whoever forgets themselves is on no list"


def test_friends_are_noted_when_a_hand_ends_at_a_table(company: Company) -> None:
    from nousu.server.people.friends import Companions

    class Place:
        def __init__(self, session: str, stand_in: str = "") -> None:
            self.session, self.stand_in = session, stand_in

    class Options:
        event = ""
        branch = None

    class Seats:
        places = (Place("a"), Place("b"), Place("c", stand_in="rules"), Place(""))

    class Table:
        id, written, options, seats = "t", "tuppi", Options(), Seats()
        finished_hands: tuple[int, ...] = ()

    class Room:
        table = Table()

    noted: list[object] = []

    class Rows:
        async def add_hands(self, hands: object) -> None:
            noted.append(hands)

    companions, room = Companions(lambda: Rows()), Room()  # type: ignore[arg-type, return-value]

    async def look() -> None:
        companions.observe(room, 0.0)  # type: ignore[arg-type]
        await companions.stop()

    assert company.first.portal is not None
    company.first.portal.call(look)
    Table.finished_hands = (1,)
    company.first.portal.call(look)
    company.first.portal.call(look)
    assert noted == [[SharedHand(["a", "b"], "tuppi", "t:1")]]


def test_friends_have_chairs_kept_at_a_new_table(company: Company) -> None:
    anna, bo, cecilia, dan = map(company.person, ("Anna", "Bo", "Cecilia", "Dan"))
    company.play(anna, bo, cecilia)
    ids = re.findall(r'name="with" value="([^"]+)" checked', anna.get("/friends").text)
    assert len(ids) == 2
    data = {"with": ids, "preset": "minnesota"}
    table = anna.post("/friends/again", data=data, follow_redirects=False).headers["location"]
    for client in (bo, cecilia):
        assert f'href="{table}"' in client.get("/friends").text and f'href="{table}"' in client.get("/").text
    assert table not in dan.get("/friends").text
    assert bo.post(f"{table}/join", data={"name": "Bo"}, follow_redirects=False).status_code == 303
    again = anna.post("/friends/again", data=data, follow_redirects=False).headers["location"]
    assert again in bo.get("/").text and table not in bo.get("/").text, "one table of each host is listed"
    refused = dan.post("/friends/again", data={"with": ids})
    assert refused.status_code == 400, "a row of another's list opens no table"


def test_standing_table_shows_who_comes_to_those_who_have_sat_there(company: Company) -> None:
    anna, bo = map(company.person, ("Anna", "Bo"))
    link = anna.post(
        "/every",
        data={"weekday": "1", "time": "19:00", "zone": "Europe/Helsinki", "preset": "tuppi"},
        follow_redirects=False,
    ).headers["location"]
    anna.post(f"{link}/answer", data={"answer": "come"})
    page = bo.get(link).text
    assert "Tuesday table" in page and "Anna" not in page
    bo.post(f"{link}/answer", data={"answer": "perhaps"})
    assert "Anna" not in bo.get(link).text, "an answer alone opens nothing"
    seen = re.sub(r"\s+", " ", anna.get(link).text)
    assert 'data-said="come"' in seen and 'data-said="perhaps"' in seen and "Bo" in seen
    assert "Leave the table" in bo.get(link).text and "Leave the table" not in anna.get(link).text
    bo.post(f"{link}/end")
    assert "<bdi>Bo</bdi>" not in anna.get(link).text and link not in bo.get("/friends").text
    assert "Leave the table" not in bo.get(link).text
    assert company.person("Eve").get("/every/none").status_code == 404
    anna.post(f"{link}/end")
    assert bo.get(link).status_code == 404


def test_standing_table_seats_whoever_opens_it_at_its_hour(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bo = map(company.person, ("Anna", "Bo"))
    soon = Moment.now(UTC) + timedelta(minutes=10)
    later = soon + timedelta(days=2)
    made = [
        anna.post(
            "/every",
            data={"weekday": str(at.weekday()), "time": f"{at:%H:%M}", "zone": "UTC", "preset": "tuppi"},
            follow_redirects=False,
        ).headers["location"]
        for at in (soon, later)
    ]
    table = anna.post(f"{made[0]}/sit", follow_redirects=False).headers["location"]
    assert table.startswith("/t/")
    assert bo.post(f"{made[0]}/sit", follow_redirects=False).headers["location"] == table
    assert "Anna" in bo.get(made[0]).text, "now Bo has sat there"
    assert anna.post(f"{made[1]}/sit").status_code == 400, "not before its time"


def statements(company: Company, look: Callable[[], object]) -> list[str]:
    """The statements that a request makes."""
    made: list[str] = []

    def note(connection: object, cursor: object, statement: str, *_: object) -> None:
        made.append(statement)

    engine = company.server.store._engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        look()
    finally:
        event.remove(engine, "before_cursor_execute", note)
    return made


def test_page_of_friends_asks_as_much_for_many_standing_tables_as_for_one(company: Company) -> None:
    anna = company.person("Anna")
    form = {"weekday": "1", "time": "19:00", "zone": "UTC", "preset": "tuppi"}
    counts = []
    for _ in range(weekly_tables.MOST):
        assert anna.post("/every", data=form, follow_redirects=False).status_code == 303
        counts.append(len(made := statements(company, lambda: anna.get("/friends"))))
        assert "BEGIN IMMEDIATE" not in made, "whoever looks makes no action wait"
    assert counts == [counts[0]] * weekly_tables.MOST
    assert anna.post("/every", data=form).status_code == 400


def test_address_makes_so_many_standing_tables(tmp_path: Path) -> None:
    app = app_on(f"{tmp_path}/tables.db", pace=0, rates={"standing tables": "2/hour"})
    form = {"weekday": "1", "time": "19:00", "zone": "UTC", "preset": "tuppi"}
    with TestClient(app, headers=HERE) as client:
        made = []
        for _ in range(4):
            client.cookies.clear()  # sessions are free
            made.append(client.post("/every", data=form, follow_redirects=False).status_code)
    assert made == [303, 303, 429, 429]


def test_standing_table_has_room_for_those_who_were_there_first(company: Company) -> None:
    anna = company.person("Anna")
    form = {"weekday": "1", "time": "19:00", "zone": "UTC", "preset": "tuppi"}
    link = anna.post("/every", data=form, follow_redirects=False).headers["location"]
    store, id = company.server.store, link.rsplit("/")[-1]
    call = company.first.portal.call  # type: ignore[union-attr]
    day = anna.get(link) and call(weekly_tables.evening, company.server, Session("", "", "en", ""), id).day
    for number in range(MOST_PEOPLE + 10):
        call(store.add_session, SessionRow(f"{number}", f"Guest {number}", "en", bytes(32)))
        call(lambda number=number: store.weekly_tables.set_person(id, f"{number}", date=day, answer="come"))
    people = [person.name for person in call(store.weekly_tables.people, [id])[id]]
    assert len(people) == MOST_PEOPLE
    assert people[:3] == ["Anna", "Guest 0", "Guest 1"] and people[-1] == f"Guest {MOST_PEOPLE + 9}"


def test_standing_tables_are_read_in_parts(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nousu.server.storage.weekly_tables._AT_ONCE", 2)
    rows = company.server.store.weekly_tables
    call = company.first.portal.call  # type: ignore[union-attr]
    for id in "dbace":
        call(rows.add, ROW._replace(id=id))

    async def parts() -> list[list[str]]:
        return [[row.id for row in part] async for part in rows.all()]

    assert call(parts) == [["a", "b"], ["c", "d"], ["e"]]


def test_standing_table_wipes_answers_the_day_after(company: Company) -> None:
    anna = company.person("Anna")
    form = {"weekday": "1", "time": "19:00", "zone": "UTC", "preset": "tuppi"}
    link = anna.post("/every", data=form, follow_redirects=False).headers["location"]
    rows, id = company.server.store.weekly_tables, link.rsplit("/")[-1]
    call = company.first.portal.call  # type: ignore[union-attr]
    call(lambda: rows.set_person(id, company.session(anna), date="2020-01-07", answer="come"))
    assert 'data-said="come"' not in anna.get(link).text
    assert [person.answer for person in call(rows.people, [id])[id]] == [""]


@pytest.mark.parametrize(
    ("now", "start"),
    [
        ("2026-11-28T12:00+00:00", "2026-12-01T19:00+02:00"),
        ("2026-12-01T18:00+00:00", "2026-12-01T19:00+02:00"),  # an hour after it has begun
        ("2026-12-01T22:00+00:00", "2026-12-08T19:00+02:00"),
        ("2026-06-01T00:00+00:00", "2026-06-02T19:00+03:00"),  # the clock on the wall, in summer too
    ],
)
def test_standing_table_meets_by_the_clock_on_the_wall(now: str, start: str) -> None:
    assert weekly_tables.next_start(ROW, datetime.fromisoformat(now)) == datetime.fromisoformat(start)


def test_standing_table_has_a_calendar_file() -> None:
    now = datetime(2026, 11, 28, 12, tzinfo=UTC)
    text = weekly_tables.calendar(
        ROW, "Nousu: Tiistai; pöytä, " + "ö" * 60, "https://cards.example/every/abc", now
    )
    lines = text.split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR" and lines[-2:] == ["END:VCALENDAR", ""]
    assert {"DTSTART:20261201T190000", "RRULE:FREQ=WEEKLY;BYDAY=TU", "TRIGGER:-PT30M"} <= set(lines)
    assert all(len(line.encode()) <= 75 for line in lines)
    assert "Tiistai\\; pöytä\\," in text.replace("\r\n ", "")


def test_standing_table_reminds_once_and_only_those_who_may_come(company: Company) -> None:
    anna, bo, cecilia = map(company.person, ("Anna", "Bo", "Cecilia"))
    form = {"weekday": "1", "time": "19:00", "zone": "Europe/Helsinki", "preset": "tuppi"}
    link = anna.post("/every", data=form, follow_redirects=False).headers["location"]
    bo.post(f"{link}/answer", data={"answer": "no"})
    cecilia.post(f"{link}/answer", data={"answer": "come"})
    called: list[str] = []
    id = link.rsplit("/")[-1]
    row = company.first.portal.call(company.server.store.weekly_tables.find, id)  # type: ignore[union-attr]
    start = weekly_tables.next_start(row, Moment.now(UTC)).astimezone(ZoneInfo("UTC"))
    for minutes in (60, 20, 10):
        at = start - timedelta(minutes=minutes)
        company.first.portal.call(  # type: ignore[union-attr]
            lambda at=at: weekly_tables.remind(company.server, lambda who, row: called.append(who), at)
        )
    assert called == [company.session(anna), company.session(cecilia)]
