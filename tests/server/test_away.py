"""Whoever leaves is played for while others wait, and has the seat back on return."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from live_page import LivePage
from nousu.engine.seats import CHANCE
from nousu.i18n.reader import Reader
from nousu.players import DEFAULT_BUDGET
from nousu.server.errors import NotYours, Stale
from nousu.server.live.presence import LostConnection, Presence, awaited_seats
from nousu.server.live.room import Room
from nousu.server.live.workers import Workers
from nousu.server.pages.table.live_region import announcement
from nousu.server.pages.table.live_view import encode
from nousu.server.pages.table.page_view import page_view
from nousu.server.storage.store import Store, database_url
from nousu.server.table import commands, seating
from nousu.server.table.events import EventRow
from nousu.server.table.schedule import due_steps
from nousu.server.table.view_builder import view_of
from table_fixtures import Sitting

READER = Reader.of("en")


def bidding(persons: int = 2, computers: int = 2) -> Sitting:
    """A table at which persons choose their bids."""
    sitting = Sitting("tuppi", persons, computers)
    sitting.until_asked()
    return sitting


def test_computer_player_acts_for_an_absent_person() -> None:
    sitting = bidding()
    seat = sitting.table.seats.seat_of("p0")
    assert seat is not None and seat in sitting.match.hand.owed()
    sitting.add(seating.leave(sitting.table, "p0", "rules", sitting.now))
    assert sitting.table.seats.persons() == (sitting.table.seats.seat_of("p1"),)
    assert seat in [step.seat for step in due_steps(sitting.table) if step.what == "choose"]
    seen = view_of(sitting.table, "p1", 0.0, "en")
    assert (seen.away, seat in seen.thinking, seen.computers[seat]) == ((seat,), True, False)
    assert "away, computer plays" in encode(page_view(seen, READER))
    sitting.until_asked()
    assert seat not in sitting.match.hand.owed()
    assert view_of(sitting.folded(), "p1", 0.0, "en").away == (seat,)


def test_seat_is_given_back() -> None:
    sitting = bidding()
    seat = sitting.table.seats.seat_of("p0")
    before = view_of(sitting.table, "p1", 0.0, "en")
    sitting.add(seating.leave(sitting.table, "p0", "rules", sitting.now))
    away = view_of(sitting.table, "p1", 0.0, "en")
    assert "Person 0 has left; a computer player plays on." in announcement(before, away, READER)
    with pytest.raises(Stale, match="is already playing for you"):
        seating.leave(sitting.table, "p0", "rules", sitting.now)
    sitting.add(seating.come_back(sitting.table, "p0", sitting.now))
    assert "Person 0 is back." in announcement(away, view_of(sitting.table, "p1", 0.0, "en"), READER)
    with pytest.raises(Stale, match="Nobody plays"):
        seating.come_back(sitting.table, "p0", sitting.now)
    with pytest.raises(NotYours):
        seating.leave(sitting.table, "stranger", "rules", sitting.now)
    assert view_of(sitting.table, "p0", 0.0, "en").view.legal
    assert [step for step in due_steps(sitting.table) if step.seat == seat] == []


def test_decision_made_before_somebody_left_still_counts() -> None:
    sitting = bidding()
    seat = sitting.table.seats.seat_of("p1")
    assert seat is not None
    seq, bid = sitting.table.seq, str(sitting.view(seat).legal[0])
    sitting.add(seating.leave(sitting.table, "p0", "rules", sitting.now))
    change = commands.act(sitting.table, "p1", bid, seq, "key-0001", sitting.now)
    assert not isinstance(change, int)
    sitting.add(change)


def test_next_hand_does_not_wait_for_an_absent_person() -> None:
    sitting = bidding()
    sitting.add(seating.leave(sitting.table, "p0", "random", sitting.now))
    while not sitting.table.between_hands:
        if not sitting.self_done():
            seat = next(seat for seat in sitting.match.hand.owed() if seat >= 0)
            sitting.does(seat, sitting.view(seat).legal[0])
    mine = sitting.table.seats.seat_of("p1")
    assert mine is not None
    sitting.does(mine, "next")
    assert not view_of(sitting.table, "p1", 0.0, "en").resting
    assert [step.what for step in due_steps(sitting.table)] == ["deal"]
    assert due_steps(sitting.table)[0].at <= sitting.now
    assert sitting.match.hand.owed() == (CHANCE,)


def test_lost_connection_is_shown_and_a_substitute_is_offered_and_plays() -> None:
    table, here = bidding().table, Presence(1000.0)
    mine, theirs = table.seats.seat_of("p1"), table.seats.seat_of("p0")
    assert mine is not None and theirs is not None
    assert here.lost(table, 1200.0) == ()  # nobody is here: the table waits for both
    page, other = object(), object()
    here.connect("p1", page)
    here.connect("p0", other)
    here.beat("p0", other, 1200.0)
    assert here.lost(table, 1202.0) == ()
    assert here.lost(table, 1202.5) == (LostConnection(theirs, offered=False, left=17.5),)
    assert here.lost(table, 1210.0)[0].offered
    assert here.lost(table, 1220.0)[0].left == 0
    here.beat("p0", other, 1234.0)
    assert here.lost(table, 1234.0) == ()
    here.disconnect("p0", other, 1234.0, seated=True)
    assert here.lost(table, 1235.0) == ()  # a page that is loaded again
    assert here.lost(table, 1237.0) != ()
    here.forgive(60.0)
    assert here.lost(table, 1296.0) == ()  # the server itself heard nobody meanwhile
    here.disconnect("p1", page, 1300.0, seated=True)
    assert here.lost(table, 1400.0) == ()


def test_player_is_marked_sooner_once_the_others_wait_for_them() -> None:
    """A page sends a heartbeat every three seconds, and every second from when its player's turn has come."""
    table, here = replace(bidding().table, since=1201.0), Presence(1000.0)
    pages = {session: object() for session in ("p0", "p1")}
    for session, page in pages.items():
        here.connect(session, page)
        here.beat(session, page, 1200.0)
    here.beat("p1", pages["p1"], 1203.0)
    assert here.lost(table, 1203.1) == ()  # its first heartbeat of the turn is hardly due
    (lost,) = here.lost(table, 1203.3)
    assert lost.seat == table.seats.seat_of("p0") and lost.left is not None
    away = replace(table, since=1203.0)
    assert here.lost(away, 1204.4) == () and here.lost(away, 1204.6) != ()


def test_program_may_ask_now_and_then() -> None:
    table, here = bidding().table, Presence(1000.0)
    here.connect("p1", object())
    here.note_request("p0", 1000.0)
    assert here.lost(table, 1060.0) == ()
    assert here.lost(table, 1063.0) != ()
    here.note_request("p0", 1063.0)
    assert here.lost(table, 1064.0) == ()


def test_spectator_leaves_no_trace() -> None:
    here = Presence(1000.0)
    page = object()
    here.connect("somebody who watches", page)
    here.disconnect("somebody who watches", page, 1001.0, seated=False)
    assert not any((here._pages, here._last, here._had_page))


def test_next_hand_does_not_wait_for_people_who_have_gone_on() -> None:
    sitting = bidding()
    while not sitting.table.between_hands:
        if not sitting.self_done():
            seat = next(seat for seat in sitting.match.hand.owed() if seat >= 0)
            sitting.does(seat, sitting.view(seat).legal[0])
    assert awaited_seats(sitting.table) == ()  # both look at the result
    mine, theirs = sitting.table.seats.seat_of("p1"), sitting.table.seats.seat_of("p0")
    assert mine is not None
    sitting.does(mine, "next")
    assert awaited_seats(sitting.table) == (theirs,)


class _Watcher:
    """A page that notes when it is notified."""

    notified = False

    def notify(self) -> None:
        self.notified = True


def test_computer_player_may_go_on_by_wish_of_the_others(tmp_path: Path) -> None:
    async def go() -> None:
        now = [1000.0]
        store = await Store.open(database_url(str(tmp_path / "a.db")))
        room = Room(bidding().table, store, Workers(0, DEFAULT_BUDGET), lambda: now[0])
        seat = room.table.seats.seat_of("p0")
        assert seat is not None
        room.connect("p1", 1)
        room.connect("p0", 2)
        watcher = _Watcher()
        room.subscribers.add(watcher)
        assert room.check_presence() == () and not watcher.notified
        room.disconnect("p0", 2)
        now[0] += 3
        assert room.check_presence() == () and watcher.notified
        assert room.replaceable(seat) is None
        now[0] += 8
        assert room.replaceable(seat) == "p0"
        watcher.notified = False
        assert room.check_presence() == () and watcher.notified
        now[0] += 9
        assert room.check_presence() == ("p0",)
        room.connect("p0", 3)
        assert room.check_presence() == () and room.lost() == ()
        await store.close()

    asyncio.run(go())


def _person(client: TestClient, name: str) -> dict[str, str]:
    token = client.post("/api/v1/session", json={"name": name}).json()["token"]
    return {"authorization": f"Bearer {token}"}


def test_leaving_and_coming_back_over_the_wire(browser: TestClient) -> None:
    one, two = _person(browser, "Sanni"), _person(browser, "Väinö")
    table = browser.post(
        "/api/v1/tables", json={"preset": "tuppi", "players": ["open", "rules", "rules"]}, headers=one
    ).json()["table"]
    browser.post(f"/api/v1/tables/{table}/seat", json={}, headers=two)
    page = LivePage()
    with browser.websocket_connect(f"/t/{table}/live", headers=two) as socket:
        for _ in range(200):
            if "seal" in str(page.heard(socket.receive_text()).get("view")):
                break
        response = browser.post(f"/t/{table}/leave", headers=one, follow_redirects=False)
        assert (response.status_code, response.headers["location"]) == (303, "/")
        for _ in range(200):
            if "away, computer plays" in str(page.heard(socket.receive_text()).get("view")):
                break
        # The bid of whoever has left is laid by the computer player; only this person's is still awaited.
        for _ in range(200):
            if len(browser.get(f"/api/v1/tables/{table}", headers=two).json()["view"]["owed"]) == 1:
                break
        with browser.websocket_connect(f"/t/{table}/live", headers=one) as again:
            result = LivePage().heard(again.receive_text())
            assert "away, computer plays" not in str(result["view"])
        # Nobody else is left who would wait.
        assert browser.post(f"/t/{table}/leave", headers=one, follow_redirects=False).status_code == 303
        assert browser.post(f"/t/{table}/leave", headers=two, follow_redirects=False).status_code == 303
    assert browser.post(f"/t/{table}/leave", follow_redirects=False).status_code == 403
    kinds = [row.kind for row in _rows(browser, table)]
    assert (kinds.count("away"), kinds.count("back")) == (2, 1)


def _rows(browser: TestClient, table: str) -> list[EventRow]:
    server = browser.app.state.server  # type: ignore[attr-defined]
    assert browser.portal is not None
    return browser.portal.call(server.store.events, table)  # type: ignore[no-any-return]
