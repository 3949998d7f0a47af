"""The office: slips and their four steps, corrections, undoing, the freeze, and any events in any order."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nousu.tournament.draw import draw
from nousu.tournament.history import after, publication_digest, tournament, undone_entries
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Tournament
from nousu.tournament.office import Office, make_format
from nousu.tournament.people import from_text
from nousu.tournament.seating.planner import mixes
from nousu.tournament.verify import verify
from tournament_fixtures import evening, rows, settle, settle_all, to_do

EIGHT = [f"P{number}" for number in range(1, 9)]


@pytest.fixture
def office(tmp_path: Path) -> Office:
    """Eight people, two series."""
    return evening(tmp_path / "t", EIGHT, series=2, games=1)


def _state(office: Office, table: str) -> str:
    return office.open().tournament.slip(table).state


@pytest.mark.clause("TU-ZK-I5")
def test_a_slip_goes_through_four_hands(office: Office) -> None:
    """printed → entered → confirmed by a second person → accepted; it counts from the confirmation on."""
    office.act("Ellen", "printed", tables=["1.1"])
    assert _state(office, "1.1") == "printed"
    with pytest.raises(Refusal, match="not been entered yet"):
        office.confirm("Uwe", "1.1")
    office.slip("Ellen", "1.1", ("abcd",))
    assert _state(office, "1.1") == "entered"
    assert list(office.open().tournament.counted_results()) == []
    for same in ("Ellen", "  ELLEN "):
        with pytest.raises(Refusal, match="a second person must confirm it"):
            office.confirm(same, "1.1")
    with pytest.raises(Refusal, match="not been confirmed by a second person yet"):
        office.act("Ellen", "accepted", tables=["1.1"])
    with pytest.raises(Refusal, match="this differs from what Ellen entered"):
        office.confirm("Uwe", "1.1", ("abdc",))
    office.confirm("Uwe", "1.1", ("abcd",))
    assert [table for table, _, _ in office.open().tournament.counted_results()] == ["1.1"]
    with pytest.raises(Refusal, match="already confirmed"):
        office.confirm("Ina", "1.1")
    office.act("Ellen", "accepted", tables=["1.1"])
    with pytest.raises(Refusal, match="already accepted"):
        office.act("Ellen", "accepted", tables=["1.1"])
    trail = office.open().tournament.slip("1.1").trail
    assert [(one.what, one.by) for one in trail] == [
        ("printed", "Ellen"), ("entered", "Ellen"), ("confirmed", "Uwe"), ("accepted", "Ellen"),
    ]  # fmt: skip


def test_a_second_slip_for_a_table_is_refused(office: Office) -> None:
    office.slip("Ellen", "1.1", ("abcd",))
    with pytest.raises(Refusal, match=r"table 1\.1 was already entered by Ellen; a correction with a reason"):
        office.slip("Uwe", "1.1", ("dcba",))


def test_entry_without_a_name_is_refused(office: Office) -> None:
    for nobody in ("", "  "):
        with pytest.raises(Refusal, match="say who is doing this"):
            office.slip(nobody, "1.1", ("abcd",))


def test_a_correction_says_why_and_is_confirmed_again(office: Office) -> None:
    settle(office, "1.1", "abcd")
    with pytest.raises(Refusal, match="say why"):
        office.correct("Ellen", "1.1", ("bacd",), "  ")
    with pytest.raises(Refusal, match="this is what the slip already says"):
        office.correct("Ellen", "1.1", ("abcd",), "checked")
    with pytest.raises(Refusal, match="not been entered yet"):
        office.correct("Ellen", "1.2", ("abcd",), "checked")
    office.correct("Ina", "1.1", ("bacd",), "a and b were swapped")
    assert _state(office, "1.1") == "entered"
    with pytest.raises(Refusal, match="Ina has entered this"):
        office.confirm("Ina", "1.1")
    office.confirm("Ellen", "1.1")
    trail = office.open().tournament.slip("1.1").trail
    assert trail[-2].reason == "a and b were swapped"


def test_the_gate_before_publishing(office: Office) -> None:
    """Refused while a slip is missing, unconfirmed, not accepted, or the cup is open."""
    with pytest.raises(Refusal, match=r"4 slips are missing: 1\.1, 1\.2, 2\.1, 2\.2"):
        office.act("Ellen", "published")
    state = office.open().tournament
    for table in state.missing():
        office.slip("Ellen", table, ("abcd",))
    with pytest.raises(Refusal, match="4 slips wait for a second person"):
        office.act("Ellen", "published")
    for table in state.missing():
        office.confirm("Uwe", table)
    with pytest.raises(Refusal, match="4 slips wait to be accepted"):
        office.act("Ellen", "published")
    office.act("Ellen", "accepted", tables=list(state.missing()))
    if office.open().tournament.format.unfinished(office.open().tournament):
        with pytest.raises(Refusal, match="Stechen"):
            office.act("Ellen", "published")
        office.stechen("Ellen")
        settle_all(office)
    assert office.act("Ellen", "published").tournament.frozen


def _published(office: Office) -> Tournament:
    settle_all(office)
    if office.open().tournament.format.unfinished(office.open().tournament):
        office.stechen("Ellen")
        settle_all(office)
    return office.act("Ellen", "published").tournament


def test_change_after_the_freeze_needs_two_persons(office: Office) -> None:
    """P21: nothing changes until a second person agrees, and then the result is published anew."""
    before = _published(office)
    with pytest.raises(Refusal, match="the result is published; only corrections"):
        office.act("Ellen", "withdrawn", number=1, round="2", game=1)
    with pytest.raises(Refusal, match="the result is published"):
        office.plan("Ellen", start="2", seconds=0.1)
    last = len(office.open().log.events)
    for entry in (last, last - 1):
        with pytest.raises(Refusal, match="use a correction"):
            office.act("Ellen", "undone", entry=entry)
    assert office.open().tournament.frozen
    with pytest.raises(Refusal, match="say why"):
        office.correct("Ellen", "1.1", ("dcba",), "")
    opened = office.correct("Ellen", "1.1", ("dcba",), "the slip was upside down")
    entry = len(opened.log.events)
    assert rows(opened.tournament) == rows(before)
    assert any(f"Entry {entry} by Ellen waits" in note for note in to_do(opened.tournament))
    with pytest.raises(Refusal, match="a second person must confirm it"):
        office.act("ellen", "seconded", entry=entry)
    with pytest.raises(Refusal, match="is not waiting for anybody"):
        office.act("Uwe", "seconded", entry=entry - 1)
    state = office.act("Uwe", "seconded", entry=entry).tournament
    assert rows(state) != rows(before)
    assert [one.revision for one in state.publications] == [1, 2]
    assert state.publications[1].digest == publication_digest(state)
    assert _state(office, "1.1") == "accepted"
    with pytest.raises(Refusal, match="is not waiting for anybody"):
        office.act("Ina", "seconded", entry=entry)
    assert all(check.good for check in verify(office.open()))


def test_rulings_after_the_freeze_too(office: Office) -> None:
    state = _published(office)
    opened = office.act("Ellen", "penalty", number=1, rule="I6", points=-3, reason="late protest")
    assert opened.tournament.penalties == ()
    entry = len(opened.log.events)
    assert office.act("Uwe", "seconded", entry=entry).tournament.penalties[0].points == -3
    office.act("Ellen", "renamed", id=state.numbers[0], members=["Renamed"], team="")
    entry = len(office.open().log.events)
    with pytest.raises(Refusal, match="is not waiting"):
        office.act("Uwe", "seconded", entry=1)
    assert office.act("Uwe", "seconded", entry=entry).tournament.who(1) == "Renamed"
    opened = office.correct("Ellen", "1.1", ("dcba",), "wrong idea")
    entry = len(opened.log.events)
    assert office.act("Ellen", "undone", entry=entry, reason="").tournament.proposals == {}


def test_undoing_is_an_entry_and_can_be_undone(office: Office) -> None:
    office.slip("Ellen", "1.1", ("abcd",))
    entry = len(office.open().log.events)
    assert office.act("Ellen", "undone", entry=entry).tournament.slip("1.1").result is None
    office.act("Ellen", "undone", entry=entry + 1)
    assert _state(office, "1.1") == "entered"
    with pytest.raises(Refusal, match="already been undone"):
        office.act("Ellen", "undone", entry=entry + 1)
    for wrong in (1, 0, 99):
        with pytest.raises(Refusal, match="there is no entry"):
            office.act("Ellen", "undone", entry=wrong)
    assert len(office.open().log.events) == entry + 2


def test_undo_of_an_entry_that_others_need_is_refused(office: Office) -> None:
    """Taking the draw back under an entered slip would leave a slip without names."""
    office.slip("Ellen", "1.1", ("abcd",))
    with pytest.raises(Refusal, match="entry 3 cannot be undone, because later entries depend on it"):
        office.act("Ellen", "undone", entry=3)
    with pytest.raises(Refusal, match="entry 2 cannot be undone"):
        office.act("Ellen", "undone", entry=2)


def test_people_before_and_after_the_draw(tmp_path: Path) -> None:
    office = Office(tmp_path / "t")
    office.begin("Evening", make_format("tuppen"), "Ellen")
    with pytest.raises(Refusal, match="nobody has been entered yet"):
        office.draw("Ellen", "x")
    office.enter("Ellen", from_text("Aino\nEino\nUwe\n").given)
    with pytest.raises(Refusal, match="line 2: aino is already entered"):
        office.enter("Ellen", from_text("Olga\naino\n").given)
    with pytest.raises(Refusal, match="the list is empty"):
        office.enter("Ellen", ())
    office.act("Ellen", "struck", id=2)
    office.enter("Ellen", from_text("Eino\nOlga\n").given)
    office.act("Ellen", "renamed", id=1, members=["Aina"], team="ZK")
    with pytest.raises(Refusal, match="UWE is already entered"):
        office.act("Ellen", "renamed", id=1, members=["UWE"], team="")
    with pytest.raises(Refusal, match="the numbers have not been drawn yet"):
        office.act("Ellen", "withdrawn", number=1, round="1", game=1)
    with pytest.raises(Refusal, match="the numbers have not been drawn yet; give the name"):
        office.open().tournament.find("1")
    state = office.draw("Ellen", "x").tournament
    assert [state.who(n) for n in range(1, 5)] == [
        ["Aina", "Uwe", "Eino", "Olga"][at] for at in draw("x", ["Aina", "Uwe", "Eino", "Olga"])
    ]
    with pytest.raises(Refusal, match="can only withdraw"):
        office.act("Ellen", "struck", id=3)
    assert office.open().tournament.find("ol") == office.open().tournament.find("OLGA")
    office.enter("Ellen", from_text("Olof\n").given)
    with pytest.raises(Refusal, match="ol may be"):
        office.open().tournament.find("ol")


@pytest.mark.clause("TU-ZK-I2")
def test_a_plan_before_the_draw(tmp_path: Path) -> None:
    """TU-ZK-I2: the direction may fix the plan first and let the numbers be drawn right before the start."""
    office = evening(tmp_path / "t", EIGHT, series=2, games=1)
    fresh = Office(tmp_path / "u")
    fresh.begin("Evening", make_format("tuppen", series=2, games=1), "Ellen")
    fresh.enter("Ellen", from_text("\n".join(EIGHT)).given)
    fresh.plan("Ellen", seconds=0.1)
    with pytest.raises(Refusal, match="the numbers have not been drawn yet"):
        fresh.slip("Ellen", "1.1", ("abcd",))
    fresh.draw("Ellen", "dice")
    assert (
        fresh.slip("Ellen", "1.1", ("abcd",)).tournament.rounds.keys()
        == office.open().tournament.rounds.keys()
    )
    with pytest.raises(Refusal, match="slips have already been entered"):
        fresh.draw("Ellen", "again")


def test_a_forged_draw_is_refused(office: Office) -> None:
    """A log that claims other numbers than its seed gives does not open."""
    events = [dict(event) for event in office.open().log.events]
    events[2]["numbers"] = events[2]["numbers"][::-1]
    with pytest.raises(Refusal, match=r"line 3: this is not the draw that the seed gives \[TU-ZK-I2\]"):
        tournament(events)


@pytest.mark.parametrize("field", ["do", "by", "table", "result"])
def test_an_event_that_is_not_complete_names_its_line(office: Office, field: str) -> None:
    office.slip("Ellen", "1.1", ("abcd",))
    events = [dict(event) for event in office.open().log.events]
    del events[4][field]
    with pytest.raises(Refusal, match="line 5: this event is not complete"):
        tournament(events)
    events[4]["do"] = "danced"
    with pytest.raises(Refusal, match="line 5"):
        tournament(events)


def test_publications_that_are_not_what_the_log_gives_are_found(office: Office) -> None:
    _published(office)
    opened = office.open()
    events = [dict(event) for event in opened.log.events]
    events[-1]["digest"] = "0" * 64
    from dataclasses import replace

    forged = replace(opened, tournament=tournament(events), log=replace(opened.log, events=tuple(events)))
    assert [check.good for check in verify(forged)] == [True, True, False]
    assert verify(opened, head=opened.log.head[:16])[-1].good
    assert not verify(opened, head="feedfeedfeed")[-1].good


def _dealt_out(state: Tournament, first: int) -> dict[str, list[list[int]]]:
    """A plan for the test: people in turn at tables, everybody one seat further in every round."""
    rounds = {}
    for label in range(first, 4):
        people = list(state.playing(str(label)))
        people = people[label:] + people[:label]
        tables = []
        for size in mixes(len(people))[0]:
            tables.append(people[:size])
            people = people[size:]
        rounds[str(label)] = tables
    return rounds


WORDS = ("abc", "cba", "abcd", "dbca", "abcde", "ecdba", "abdd", "5,3,2", "")


@given(st.data())
@settings(max_examples=60)
def test_any_events_in_any_order_keep_the_invariants(data: st.DataObject) -> None:
    """Whatever people do.

    What is refused changes nothing, what is accepted replays to the same state, sums agree with slips, places
    are permutations, and nobody sits twice in a round.
    """
    people = data.draw(st.integers(3, 12))
    kind = make_format("tuppen", series=3, games=1)
    clock = iter(range(10_000))
    events: list[dict[str, object]] = []

    def body(do: str, by: str, **fields: object) -> dict[str, object]:
        at = f"2026-11-21T{18 + next(clock) // 60:02d}:00:00+00:00"
        return json.loads(json.dumps({"n": len(events) + 1, "at": at, "by": by, "do": do, **fields}))  # type: ignore[no-any-return]

    events.append(body("opened", "E", version=1, name="X", format=kind.to_json()))
    names = [f"P{number}" for number in range(people)]
    events.append(body("entered", "E", people=[{"members": [name], "team": ""} for name in names]))
    order = draw("s", names)
    events.append(body("drawn", "E", seed="s", names=names, numbers=[at + 1 for at in order]))
    state = tournament(events)
    events.append(body("planned", "E", rounds=_dealt_out(state, 1)))
    state = tournament(events)
    for _ in range(data.draw(st.integers(5, 40))):
        by = data.draw(st.sampled_from(["E", "U", "I"]))
        tables = [key for key, _ in state.tables()]
        table = data.draw(st.sampled_from([*tables, "9.9"]))
        do = data.draw(
            st.sampled_from(
                ["slip", "slip", "slip", "confirmed", "confirmed", "accepted", "corrected", "penalty",
                 "withdrawn", "undone", "entered", "published", "planned"]
            )
        )  # fmt: skip
        try:
            fields: dict[str, object] = {"table": table}
            if do in ("slip", "corrected"):
                word = data.draw(st.sampled_from(WORDS))
                fields["result"] = kind.slips.parse(state, table, (word,)).to_json()
                fields["reason"] = "r"
            elif do == "accepted":
                fields = {"tables": [table]}
            elif do == "penalty":
                number = data.draw(st.integers(1, people))
                fields = {
                    "number": number,
                    "rule": "I6",
                    "points": data.draw(st.integers(-3, 3)),
                    "reason": "r",
                }
            elif do == "withdrawn":
                fields = {
                    "number": data.draw(st.integers(1, people)),
                    "round": data.draw(st.sampled_from("123")),
                }
                fields["game"] = 1
            elif do == "undone":
                fields = {"entry": data.draw(st.integers(1, len(events)))}
            elif do == "entered":
                fields = {"people": [{"members": [f"New{len(events)}"], "team": ""}]}
            elif do == "published":
                fields = {"digest": ""}
            elif do == "planned":
                fields = {"rounds": _dealt_out(state, int(state.next_round()))}
            event = body(do, by, **fields)
            state = tournament([*events, event]) if do == "undone" else after(state, event)
        except Refusal:
            continue
        events.append(event)
    assert tournament(events) == state
    for played in state.rounds.values():
        seated = [number for table in played.tables for number in table]
        assert len(set(seated)) == len(seated)
    totals: Counter[int] = Counter()
    for table, seats, result in state.counted_results():
        for game in result.games:
            assert set(game.order) <= set(seats) and len(set(game.order)) == len(game.order)
            for number, points in zip(game.order, (5, 3, 2, 1, 0), strict=False):
                totals[number] += points
        slip = state.slip(table)
        assert slip.state in ("confirmed", "accepted")
        assert slip.unplayed or len({one.by for one in slip.trail}) >= 2
    for penalty in state.penalties:
        totals[penalty.number] += penalty.points
    found = rows(state)
    assert {row.number: row.cells[0] for row in found} == {
        number: totals[number] for number in range(1, len(state.numbers) + 1)
    }
    sums = [int(row.cells[0]) for row in found]
    assert sums == sorted(sums, reverse=True)
    assert [row.rank for row in found] == [1 + sum(other > one for other in sums) for one in sums]
    for row in found:
        assert (sums.count(int(row.cells[0])) > 1) == any("Shares place" in note.message for note in row.why)
    assert undone_entries(events) <= set(range(2, len(events) + 1))
