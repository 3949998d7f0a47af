"""What a hall asks of the office in mid-event.

Options changed, numbers by cards, plans by hand, swaps, people kept apart, lone players, slips of old plans,
batches, undoing twice.
"""

from itertools import combinations
from pathlib import Path

import pytest

from nousu.tournament.messages import Refusal
from nousu.tournament.model import table_named
from nousu.tournament.office import Office, fingerprint, holder, make_format
from nousu.tournament.people import from_text
from nousu.tournament.seating.quality import figures
from nousu.tournament.seating.text import from_text as plan_from_text
from nousu.tournament.todo import blocking, board, to_confirm
from tournament_fixtures import Clock, evening, rows, settle, to_do

EIGHT = [f"P{number}" for number in range(1, 9)]


@pytest.fixture
def office(tmp_path: Path) -> Office:
    """Eight people, three series of one game, no cup."""
    return evening(tmp_path / "t", EIGHT, series=3, games=1, cup=False)


def _series(office: Office, label: str) -> None:
    for table in office.open().tournament.missing():
        if table.partition(".")[0] == label:
            settle(office, table, "abcd")


# options


def test_an_evening_is_shortened_and_lengthened(office: Office) -> None:
    _series(office, "1")
    with pytest.raises(Refusal, match="say why"):
        office.change("Ellen", {"series": 2}, " ")
    state = office.change("Ellen", {"series": 2}, "last bus").tournament
    assert list(state.rounds) == ["1", "2"]
    state = office.change("Ellen", {"series": 4}, "early yet").tournament
    assert any("Planned series: only 2 of 4" in said for said in to_do(state))
    state = office.plan("Ellen", seconds=0.2).tournament
    assert list(state.rounds) == ["1", "2", "3", "4"]
    _series(office, "2")
    with pytest.raises(Refusal, match="round 2 has begun"):
        office.change("Ellen", {"series": 1}, "too late for that")
    office.change("Ellen", {"series": 2}, "enough")
    assert office.act("Ellen", "published").tournament.frozen


def test_other_place_points_count_for_rounds_that_have_not_begun(office: Office) -> None:
    """A round that has begun is played, corrected and counted as it began."""
    _series(office, "1")
    before = {row.number: row.cells[0] for row in rows(office.open().tournament)}
    office.change("Ellen", {"place_points": [10, 6, 4, 2, 0], "games": 2}, "finale")
    assert {row.number: row.cells[0] for row in rows(office.open().tournament)} == before
    with pytest.raises(Refusal, match="1 game is given, the slip has 2"):
        office.slip("Ellen", "2.1", ("abcd",))
    state = settle(office, "2.1", "abcd", "abcd")
    assert {row.number: row.cells[2] for row in rows(state)}[state.seats("2.1")[0]] == 20
    office.correct("Ellen", "1.1", ("bacd",), "misread")
    with pytest.raises(Refusal, match="these options are already in force"):
        office.change("Ellen", {"games": 2}, "again")
    with pytest.raises(Refusal, match="series is 0"):
        office.change("Ellen", {"series": 0}, "no")


def test_rounds_that_the_new_options_do_not_allow_are_planned_again(office: Office) -> None:
    _series(office, "1")
    state = office.change("Ellen", {"most": 3, "least": 2}, "small tables").tournament
    assert list(state.rounds) == ["1"]
    state = office.plan("Ellen", seconds=0.2).tournament
    assert {len(table) for table in state.rounds["3"].tables} <= {2, 3}


def test_pools_cannot_be_reshaped_in_mid_play(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", ["A & B", "C & D", "E & F", "G & H"], "tuppi", through=2)
    office.change("Ellen", {"legs": 2}, "time for more")
    settle(office, "1.1", "A28", "A28")
    with pytest.raises(Refusal, match="pools cannot be changed any more"):
        office.change("Ellen", {"pools": 2}, "x")
    office.change("Ellen", {"third_place": True}, "a bronze cup was found")


# numbers, plans, people


@pytest.mark.clause("TU-ZK-I2")
def test_numbers_drawn_by_cards_are_typed_in(tmp_path: Path) -> None:
    office = Office(tmp_path / "t", Clock())
    office.begin("Evening", make_format("tuppen", series=1), "Ellen")
    office.enter("Ellen", from_text("Ada\nBea\nCid\nDag").given)
    with pytest.raises(Refusal, match="Dag have no number yet"):
        office.number("Ellen", {1: 3, 2: 1, 3: 2})
    with pytest.raises(Refusal, match="Ada and Cid both have number 3"):
        office.number("Ellen", {1: 3, 2: 1, 3: 3, 4: 2})
    with pytest.raises(Refusal, match="Dag cannot have number 5; there are 1 to 4"):
        office.number("Ellen", {1: 3, 2: 1, 3: 2, 4: 5})
    state = office.number("Ellen", {1: 3, 2: 1, 3: 4, 4: 2}).tournament
    assert [state.who(number) for number in (1, 2, 3, 4)] == ["Bea", "Dag", "Ada", "Cid"]
    assert state.by_cards and state.seed


def test_a_plan_made_by_hand(office: Office) -> None:
    state = office.open().tournament
    names = "; ".join(state.who(number) for number in (1, 2, 3, 4))
    text = f"round;seats\n1.1; {names}\n1.2  5 6 7 8\n2 1 2 5 6\n2;3;4;7;8\n3,1 1 3 5 7\n3,2 2,4,6,8\n"
    rounds = plan_from_text(text, state)
    state = office.seat("Ellen", rounds).tournament
    assert state.rounds["1"].tables == ((1, 2, 3, 4), (5, 6, 7, 8))
    assert state.rounds["3"].tables == ((1, 3, 5, 7), (2, 4, 6, 8))
    assert figures(state).repeats == 12 and figures(state).lower_bound == 8
    with pytest.raises(Refusal) as raised:
        plan_from_text("1.1 1 2 3 4\nx 5 6 7 8\n1.2 5 6 7 Zoe\n", state)
    assert str(raised.value).splitlines() == [
        "line 2: x is not a round; write 1, 2 …, C1 … or S1 …",
        "line 3: there is no player Zoe",
    ]
    with pytest.raises(Refusal, match="the plan is empty"):
        plan_from_text("\n", state)
    with pytest.raises(Refusal, match="has no seat in round 1"):
        office.seat("Ellen", plan_from_text("1 1 2 3 4", state))


def test_two_people_are_swapped_and_their_old_slips_are_void(office: Office) -> None:
    state = office.open().tournament
    a, b = state.seats("2.1")[0], state.seats("2.2")[0]
    old = state.plans["2.1"]
    state = office.swap("Ellen", "2", state.who(a), str(b)).tournament
    assert state.seats("2.1")[0] == b and state.seats("2.2")[0] == a
    assert state.plans == {**dict.fromkeys(state.plans, old), "2.1": old + 1, "2.2": old + 1}
    with pytest.raises(Refusal, match=rf"this slip of plan {old} is void; under plan {old + 1} these sit at"):
        office.slip("Ellen", f"2.1/{old}", ("abcd",))
    office.slip("Ellen", f"2.1/{old + 1}", ("abcd",))
    with pytest.raises(Refusal, match=r"the slip of table 2\.1 is entered"):
        office.swap("Ellen", "2", str(a), str(b))
    with pytest.raises(Refusal, match="round 9 is not planned"):
        office.swap("Ellen", "9", "1", "2")
    with pytest.raises(Refusal, match="name two people"):
        office.swap("Ellen", "3", "1", "1")


def test_a_new_plan_voids_only_the_slips_of_tables_it_changes(office: Office) -> None:
    """Undoing a plan and planning again never gives a number twice: paper of the undone plan stays void."""
    office.act("Ellen", "printed", tables=["2.1", "2.2"])
    state = office.plan("Ellen", start="2", seconds=0.1).tournament
    assert state.plan == 2 and set(state.plans.values()) == {1}  # nothing changed, all paper stays good
    office.enter("Ellen", from_text("Late Lena").given)
    first = office.plan("Ellen", start="2", seconds=0.1).tournament.plan
    office.undo("Ellen")
    second = office.plan("Ellen", start="2", seconds=0.1).tournament.plan
    assert second == first + 1
    with pytest.raises(Refusal, match=f"this slip of plan {first} is void"):
        office.slip("Ellen", f"2.1/{first}", ("abcd",))
    with pytest.raises(Refusal, match=f"this slip of plan {first} is void"):
        office.confirm("Uwe", f"2.1/{first}", ("abcd",))
    office.slip("Ellen", "1.1/1", ("abcd",))


def test_people_are_kept_apart(tmp_path: Path) -> None:
    """Must not: never, or the plan is refused; rather not: as little as can be, and it is said."""
    people = [f"P{n};{'ZK' if n < 5 else ''}" for n in range(16)]
    office = evening(tmp_path / "t", people, series=3, plan=False)
    office.keep_apart("Ellen", "must", "P0", "P9")
    office.keep_apart("Ellen", "rather")
    state = office.plan("Ellen", seconds=0.5).tournament
    zk = {state.find(f"P{n}") for n in range(5)}
    for _, seats in state.tables():
        assert not {state.find("P0"), state.find("P9")} <= set(seats)
    together = sum(len(zk & set(seats)) > 1 for _, seats in state.tables())
    assert together == len(figures(state).unwanted) <= 3  # five of one team at four tables: once a series
    a, b = state.find("P0"), state.find("P9")
    table = next(seats for key, seats in state.tables() if b in seats and key[0] == "1")
    other = next(number for number in table if number != b)
    with pytest.raises(Refusal, match="must not meet, but would at table"):
        office.swap("Ellen", "1", str(a), str(other))
    office.keep_apart("Ellen", "free", "P0", "P9")
    office.swap("Ellen", "1", str(a), str(other))
    with pytest.raises(Refusal, match="kept apart by must or rather"):
        office.keep_apart("Ellen", "never", "P0", "P1")
    small = evening(tmp_path / "s", ["Ada", "Bea", "Cid"], series=1, plan=False)
    small.keep_apart("Ellen", "must", "Ada", "Bea")
    with pytest.raises(Refusal, match=r"must not meet, but would at table 1\.1"):
        small.plan("Ellen", seconds=0.1)
    pairs = evening(tmp_path / "p", ["A & B", "C & D"], "tuppi")
    with pytest.raises(Refusal, match="in a pool everybody meets everybody"):
        pairs.keep_apart("Ellen", "must", "A", "C")


@pytest.mark.parametrize("unit", ["pairs", "players"])
def test_people_are_kept_apart_in_drives(tmp_path: Path, unit: str) -> None:
    names = [f"{name}1 & {name}2" if unit == "pairs" else name for name in "ABCDEFGH"]
    office = evening(
        tmp_path / "t", names, "drive", unit=unit, rounds=2 if unit == "players" else 3, plan=False
    )
    for one, other in combinations(("A", "B", "C"), 2):
        office.keep_apart("Ellen", "must", one, other)
    state = office.open().tournament
    apart = {state.find(name) for name in ("A", "B", "C")}
    if unit == "players":
        with pytest.raises(Refusal, match="must not meet"):  # three apart at two tables cannot be
            office.plan("Ellen", seconds=0.2)
        office.keep_apart("Ellen", "free", "A", "C")
    state = office.plan("Ellen", seconds=0.5).tournament
    for _, seats in state.tables():
        for pair in combinations(sorted(apart & set(seats)), 2):
            assert state.kept_apart().get(pair) != "must"


def test_lone_players_are_joined_to_pairs_by_draw(tmp_path: Path) -> None:
    office = Office(tmp_path / "t", Clock())
    office.begin("Cup", make_format("tuppi"), "Ellen")
    office.enter("Ellen", from_text("Aino & Arvi;ZK", pairs=True).given)
    office.enter("Ellen", from_text("Bea;ZK\nCid;ZK\nDag").given, lone=True)
    with pytest.raises(Refusal, match="Bea, Cid, Dag have no partner yet"):
        office.draw("Ellen", "dice")
    with pytest.raises(Refusal, match="3 single players cannot be joined"):
        office.pair_up("Ellen", "dice")
    with pytest.raises(Refusal, match="Bea is already entered"):
        office.enter("Ellen", from_text("Bea & Eva", pairs=True).given)
    office.enter("Ellen", from_text("Eva").given, lone=True)
    assert any("Without a partner: Bea, Cid, Dag, Eva" in said for said in to_do(office.open().tournament))
    state = office.pair_up("Ellen", "dice").tournament
    made = sorted(name for one in state.active()[1:] for name in one.members)
    assert made == ["Bea", "Cid", "Dag", "Eva"] and len(state.active()) == 3
    assert all(one.team in ("", "ZK") for one in state.active())
    office.draw("Ellen", "dice")
    solo = evening(tmp_path / "s", EIGHT)
    with pytest.raises(Refusal, match="everybody plays alone"):
        solo.enter("Ellen", from_text("Eva").given, lone=True)


# slips


def test_the_ways_to_write_a_table() -> None:
    assert (
        table_named("1,4")
        == table_named(" 1.4 ")
        == table_named("1-4")
        == table_named("1.04")
        == ("1.4", None)
    )
    assert table_named("s1.1/12") == ("S1.1", 12)
    assert table_named("lappu") == ("lappu", None)


def test_confirming_in_batch(office: Office) -> None:
    """All that somebody else has entered, in one entry; if one of them cannot be, none is."""
    office.slip("Ellen", "1,1", ("abcd",))
    office.slip("Uwe", "1.2", ("abcd",))
    assert to_confirm(office.open().tournament, "uwe") == ("1.1",)
    with pytest.raises(Refusal, match="Uwe has entered this"):
        office.confirm_all("Uwe", ["1.1", "1.2"])
    assert office.open().tournament.slip("1.1").state == "entered"
    state = office.confirm_all("Ina", ["1.1", "1.2"]).tournament
    assert [state.slip(key).state for key in ("1.1", "1.2")] == ["confirmed"] * 2
    with pytest.raises(Refusal, match="no slip is waiting for you"):
        office.confirm_all("Ina", [])


def test_the_board_says_how_far_every_slip_has_come(office: Office) -> None:
    state = settle(office, "1.1", "abcd")
    found = board(state)
    assert [square.state for square in found["1"]] == ["accepted", "missing"]
    assert [square.state for square in found["2"]] == ["later", "later"]
    office.slip("Ellen", "1.2", ("abcd",))
    state = office.open().tournament
    assert board(state)["1"][1].state == "entered"
    assert [one.action for one in blocking(state)] == ["confirm", "enter"]
    assert blocking(state)[0].tables == ("1.2",)


def test_games_that_are_not_on_the_slip(office: Office) -> None:
    for rule, game, table in (("IV2", 9, "1.1"), ("I6", 1, ""), ("IV2", -1, "1.1")):
        seat = office.open().tournament.seats("1.1")[0]
        with pytest.raises(Refusal, match=f"there is no game {game} on the slip"):
            office.act("Ellen", "penalty", number=seat, rule=rule, table=table, game=game, reason="x")
    with pytest.raises(Refusal, match="there is no game 9 on the slip"):
        office.act("Ellen", "withdrawn", number=1, round="1", game=9)


def test_undoing_twice_undoes_two(office: Office) -> None:
    office.slip("Ellen", "1.1", ("abcd",))
    office.slip("Ellen", "1.2", ("abcd",))
    assert office.undo("Ellen").tournament.missing()[:1] == ("1.2",)
    assert office.undo("Ellen").tournament.missing()[:2] == ("1.1", "1.2")
    last = len(office.open().log.events)
    assert office.undo("Ellen", last).tournament.missing()[:1] == ("1.2",)
    fresh = Office(office.path.with_name("f"), Clock())
    fresh.begin("Evening", make_format("tuppen"), "Ellen")
    with pytest.raises(Refusal, match="nothing left to undo"):
        fresh.undo("Ellen")


def test_undoing_takes_back_no_link_by_the_way(office: Office) -> None:
    office.slip("Ellen", "1.1", ("abcd",))
    _, secret = office.admit("Ellen", "entry", "Uwe")
    assert office.undo("Ellen").tournament.missing()[:1] == ("1.1",)
    assert holder(office.open().tournament, secret) is not None


def test_an_event_in_which_nobody_plays_cannot_be_published(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", ["A & B", "C & D"], "tuppi")
    for number in (1, 2):
        office.act("Ellen", "withdrawn", number=number, round="1", game=1)
    state = office.open().tournament
    assert state.missing() == ()
    empty = Office(tmp_path / "e", Clock())
    empty.begin("Evening", make_format("tuppi", pools=0), "Ellen")
    with pytest.raises(Refusal):
        empty.act("Ellen", "published")


# links


def test_links_of_helpers_are_proved_and_revoked(office: Office) -> None:
    opened, secret = office.admit("Ellen", "entry", "Uwe")
    link = holder(opened.tournament, secret)
    assert link is not None and (link.role, link.who) == ("entry", "Uwe")
    assert secret.encode() not in office.path.read_bytes()
    assert fingerprint(secret).encode() in office.path.read_bytes()
    assert holder(opened.tournament, secret + "x") is None
    with pytest.raises(Refusal, match="there is no role king"):
        office.admit("Ellen", "king", "Uwe")
    state = office.act("Ellen", "revoked", entry=link.entry).tournament
    assert holder(state, secret) is None
    with pytest.raises(Refusal, match="is not a link in force"):
        office.act("Ellen", "revoked", entry=link.entry)


def test_a_proposed_plan_is_not_stored(office: Office) -> None:
    before = office.path.read_bytes()
    rounds, worth = office.propose(start="2", seconds=0.1)
    assert office.path.read_bytes() == before
    state = office.seat("Ellen", rounds).tournament
    assert figures(state).repeats == worth.repeats
