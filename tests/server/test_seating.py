"""Who sits where: chairs are chosen, friends come late, somebody is asked to leave, people meet again."""

import random

import pytest
from starlette.testclient import TestClient

from nousu.games import find
from nousu.server.errors import NotYours, Stale
from nousu.server.table import commands, record, schedule, seating, shuffle
from nousu.server.table.events import from_row, to_row
from nousu.server.table.options import TableOptions
from nousu.server.table.shuffle import pledge
from nousu.server.table.table import Change, Table
from nousu.server.table.view_builder import view_of
from table_fixtures import Sitting, share_of

CHOSEN = {"seats": "chosen"}


def lobby(*names: str, seats: int = 4, **options: str) -> Table:
    """A table with this many chairs at which people choose theirs."""
    table = Table.new("t", "tuppi", seats, bytes(32), TableOptions.parse(CHOSEN | options), find, 0.0)
    for name in names:
        table = seating.join(table, name, name, pledge(share_of(name)), 0.0).table
    return table


def after(change: Change | int) -> Table:
    """The table a change makes, also when its event has been on disk."""
    assert isinstance(change, Change)
    row = to_row(change.event, len(change.table.seats))
    assert from_row(row, len(change.table.seats)) == change.event
    return change.table


def over(sitting: Sitting) -> Table:
    """The table after its match, played to the end."""
    for _ in range(9000):
        if sitting.table.over:
            return sitting.table
        if sitting.self_done():
            continue
        if sitting.table.between_hands:
            sitting.does(
                next(seat for seat in sitting.table.seats.persons() if seat not in sitting.table.ready),
                "next",
            )
        else:
            seat = next(seat for seat in sitting.match.hand.owed() if seat >= 0)
            sitting.does(seat, sitting.view(seat).legal[0])
    raise AssertionError("no match ends")


def test_people_sit_where_they_like_and_stay_there() -> None:
    table = lobby("Sanni", "Väinö")
    table = after(seating.move(table, "Väinö", 2, 0.0))
    assert seating.move(table, "Väinö", 2, 0.0) == table.seq
    with pytest.raises(NotYours, match="taken"):
        seating.move(table, "Sanni", 2, 0.0)
    table = after(seating.join(table, "Kaisa", "Kaisa", "", 0.0, at=3))
    assert [place.name for place in table.seats.places] == ["Sanni", "", "Väinö", "Kaisa"]
    table = seating.invite(table, "rules", 0.0).table
    for name in ("Sanni", "Väinö"):  # the promise goes along
        opened = commands.open_share(table, name, share_of(name), 0.0)
        table = after(opened)
    table = after(schedule.start(table, 0.0))
    assert table.match is not None and table.match.seating is None
    assert [table.seats.seat_of(name) for name in ("Sanni", "Väinö", "Kaisa")] == [0, 2, 3]
    assert table.match.dealer == table.shuffles.first_dealer(4)
    with pytest.raises(Stale):
        seating.move(table, "Sanni", 1, 0.0)


def test_seats_are_equally_likely_to_deal_first() -> None:
    counts = [0] * 4
    for number in range(400):
        counts[shuffle.Shuffles(number.to_bytes(32, "big")).first_dealer(4)] += 1
    assert min(counts) > 70


def test_host_asks_somebody_to_leave() -> None:
    table = lobby("Sanni", "Väinö")
    with pytest.raises(NotYours, match="host"):
        seating.remove(table, "Väinö", 0, "rules", 0.0)
    with pytest.raises(Stale):
        seating.remove(table, "Sanni", 3, "rules", 0.0)
    with pytest.raises(Stale):
        seating.remove(table, "Sanni", 0, "rules", 0.0)
    table = after(seating.remove(table, "Sanni", 1, "rules", 0.0))
    assert table.seats.open_places() == (1, 2, 3)
    assert [one.place for one in table.shuffles.shares] == [0]
    with pytest.raises(NotYours, match="asked you to leave"):
        seating.join(table, "Väinö", "Väinö", "", 0.0)


def test_computer_player_takes_over_in_play_from_a_removed_person() -> None:
    sitting = Sitting("tuppi", 2, 2)
    sitting.until_asked()
    seat = sitting.table.seats.seat_of("p1")
    assert seat is not None
    sitting.add(seating.remove(sitting.table, "p0", sitting.table.seats.place_at(seat), "rules", 0.0))
    assert sitting.table.seats.by_seat[seat].player == "rules"
    assert sitting.table.seats.seat_of("p1") is None
    assert view_of(sitting.folded(), "p0", 0.0, "en").computers[seat]


def test_friend_who_comes_late_takes_a_computers_place_between_hands() -> None:
    sitting = Sitting("tuppi", 1, 3)
    sitting.until_asked()
    with pytest.raises(NotYours):
        seating.join(sitting.table, "late", "Late", "", 0.0)
    while not sitting.table.between_hands:
        if not sitting.self_done():
            seat = next(seat for seat in sitting.match.hand.owed() if seat >= 0)
            sitting.does(seat, sitting.view(seat).legal[0])
    shares = sitting.table.shuffles.shares
    sitting.add(seating.join(sitting.table, "late", "Late", pledge(share_of("late")), sitting.now))
    assert sitting.table.shuffles.shares == shares
    seat = sitting.table.seats.seat_of("late")
    assert seat is not None and sitting.table.seats.names[seat] == "Late"
    sitting.does(seat, "next")
    mine = sitting.table.seats.seat_of("p0")
    assert mine is not None
    sitting.does(mine, "next")
    sitting.until_asked()
    assert view_of(sitting.folded(), "late", 0.0, "en").view.cards
    assert shuffle.verify(record.record(over(sitting), None), find).problems == ()


def test_chair_is_kept_during_a_hand_and_taken_when_it_ends() -> None:
    sitting = Sitting(persons=2, computers=2)
    while not sitting.match.hand.view(0).tricks if sitting.table.match else True:
        sitting.played(random.Random(5), 1)
    table = sitting.table
    first, second = table.chairs
    with pytest.raises(NotYours):
        seating.join(table, "late", "Late", "", 1.0)  # a program is told so, as before
    table = after(seating.join(table, "late", "Late", "", 1.0, second, waits=True))
    assert table.fresh == sitting.table.fresh  # nobody's decision is stale by it
    assert table.chairs == (first,)
    seen = view_of(table, "late", 1.0, "en")
    assert (seen.seat, seen.view.seat, seen.view.cards) == (None, None, ())
    assert seen.chair == table.seats.chair_of("late")
    assert seen.heirs.count("Late") == 1
    with pytest.raises(NotYours, match="kept for you already"):
        seating.join(table, "late", "Late", "", 1.0, first, waits=True)
    other = after(seating.join(table, "other", "Late", "", 1.0, second, waits=True))
    assert [name for name in view_of(other, None, 1.0, "en").heirs if name] == ["Late 2", "Late"]
    free = after(seating.release_chair(other, "late", 1.0))
    assert free.chairs == (second,)
    assert seating.release_chair(free, "late", 1.0) == free.seq
    sitting.add(seating.join(sitting.table, "late", "Late", "", sitting.now, second, waits=True))
    while sitting.table.seats.seat_of("late") is None:
        assert sitting.self_done() or sitting.played(random.Random(2), 1)
    assert sitting.table.between_hands
    assert sitting.folded().seats == sitting.table.seats
    assert sitting.table.seats.names[sitting.table.seats.seat_of("late") or 0] == "Late"


def test_rematch_has_the_same_people_and_the_next_dealer() -> None:
    table = over(Sitting("tuppi+target=4", 2, 2, CHOSEN))
    assert table.match is not None and table.match.winner is not None
    last = table.match.played[-1]
    options = seating.rematch_options(table)
    empty = Table.new("u", "tuppi", 4, bytes(range(32)), options, find, 0.0)
    again = empty
    for change in seating.rematch(table, empty, 0.0):
        again = again.after(change.event, 0.0)
    assert [place.name for place in again.seats.places] == list(table.seats.names)
    assert [bool(place.player) for place in again.seats.places] == [
        bool(one.player) for one in table.seats.by_seat
    ]
    with pytest.raises(NotYours, match="kept"):
        seating.join(again, "stranger", "Stranger", "", 0.0)
    for session in ("p1", "p0"):
        again = seating.join(again, session, session, "", 0.0, at=0).table
    assert again.seats.host == "p1"
    again = schedule.start(again, 0.0).table
    assert again.match is not None
    assert again.match.dealer == last.tally.dealer(last.hand.setup)
    assert [again.seats.seat_of(one) for one in ("p0", "p1")] == [
        table.seats.seat_of(one) for one in ("p0", "p1")
    ]
    assert again.options.evening == tuple(int(seat % 2 in table.match.winner) for seat in range(4))
    assert seating.rematch_id(table) == seating.rematch_id(table) != seating.rematch_id(again)


def test_rematch_over_the_wire(browser: TestClient) -> None:
    def person(name: str) -> dict[str, str]:
        token = browser.post("/api/v1/session", json={"name": name}).json()["token"]
        return {"authorization": f"Bearer {token}"}

    one, two, stranger = person("Sanni"), person("Väinö"), person("Nobody")
    asked = {"preset": "tuppi+target=4", "players": ["rules", "rules", "rules"]}
    table = browser.post("/api/v1/tables", json=asked, headers=one).json()["table"]
    asks = f"/t/{table}/again"
    refused = browser.post(asks, headers=one, follow_redirects=False)
    assert refused.status_code == 409 and "not over" in refused.text
    assert browser.post(asks, headers=two, follow_redirects=False).status_code == 403
    seen = browser.get(f"/api/v1/tables/{table}", headers=one).json()
    for keys in range(3000):
        if seen["over"]:
            break
        act = "next" if seen["waiting"] else seen["view"]["legal"][0] if seen["view"]["legal"] else None
        if act is not None:
            body = {"act": act, "seq": seen["seq"], "key": f"key-{keys:08}"}
            browser.post(f"/api/v1/tables/{table}/actions", json=body, headers=one)
        seen = browser.get(f"/api/v1/tables/{table}", headers=one).json()
    first = browser.post(asks, headers=one, follow_redirects=False)
    assert first.status_code == 303
    twice = browser.post(asks, headers=one, follow_redirects=False)
    assert twice.headers["location"] == first.headers["location"]
    again = first.headers["location"]
    assert browser.get(again, headers=one).status_code == 200
    assert browser.post(asks, headers=stranger, follow_redirects=False).status_code == 403
    seen = browser.get(f"/api/v1{again.replace('/t/', '/tables/')}", headers=one).json()
    assert seen["seat"] is not None
