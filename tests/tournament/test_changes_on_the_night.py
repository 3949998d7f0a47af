"""What happens on the night: substitutes, latecomers by hand, the door, prize groups, ties."""

from pathlib import Path

import pytest

from nousu.tournament.export import to_csv
from nousu.tournament.messages import Refusal, plain
from nousu.tournament.office import Office, make_format
from nousu.tournament.people import from_text
from nousu.tournament.season import evening_results
from nousu.tournament.ties import ties
from nousu.tournament.verify import verify
from tournament_fixtures import Clock, evening, rows, settle, settle_all

NAMES = ["Ada", "Åsa", "Cid", "Dag", "Eve", "Fay", "Gus"]
LIST = "name;Age;bezahlt;telefon\nAda;U18;ja;0241 1\nÅsa;;x;\nCid;u18;;\nDag;60+;nein;\n"


# substitutes


def test_a_substitute_takes_over_the_seat_and_not_the_past(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", NAMES, series=2, games=1, cup=False)
    before = office.open().tournament
    table = next(key for key, seats in before.tables() if key[0] == "1" and before.find("Ada") in seats)
    settle(office, table, "abcd"[: len(before.seats(table))])
    office.substitute("Ellen", "Ada", "Dora", "2", "ill")
    state = office.open().tournament
    number = state.find("Ada")
    assert state.find("Dora") == number and state.who(number) == "Dora"
    assert state.at_round("1").who(number) == state.at_round("1.2").who(number) == "Ada"
    assert state.seats(table) == before.seats(table) and state.rounds == before.rounds
    described = state.kind(table).slips.describe(state, table, state.slip(table).result)  # type: ignore[arg-type]
    assert "Ada" in " ".join(map(plain, described)) and "Dora" not in " ".join(map(plain, described))
    (row,) = [row for row in rows(state) if row.number == number]
    assert row.name == "Ada → Dora"
    assert all(check.good for check in verify(office.open()))


def test_points_of_both_are_one_sum_and_the_season_gives_them_to_whom_the_seat_was_entered(
    tmp_path: Path,
) -> None:
    office = evening(tmp_path / "t", NAMES[:4], series=2, games=1, cup=False)
    settle_all(office)
    plain_sum = {row.name: row.cells[0] for row in rows(office.open().tournament)}
    other = evening(tmp_path / "u", NAMES[:4], series=2, games=1, cup=False)
    settle(other, "1.1", "abcd")
    other.substitute("Ellen", "Ada", "Dora")
    settle_all(other)
    state = other.open().tournament
    sums = {row.name: row.cells[0] for row in rows(state)}
    assert sums["Ada → Dora"] == plain_sum["Ada"]
    assert ("Ada",) in [result.names for result in evening_results(state)]


def test_one_of_a_pair_is_replaced_and_two_in_a_row(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", ["Ada & Cid", "Dag & Eve"], "drive", rounds=3, hands=8)
    settle(office, "1.1", "3", "5")
    office.substitute("Ellen", "Cid", "Uno")
    settle(office, "2.1", "3", "5")
    office.substitute("Ellen", "Uno", "Due")
    state = office.open().tournament
    number = state.find("Due")
    assert state.who(number) == "Ada & Due" and state.holders(number) == "Ada & Cid → Uno → Due"
    assert [state.at_round(label).who(number) for label in "123"] == ["Ada & Cid", "Ada & Uno", "Ada & Due"]


@pytest.mark.parametrize(
    ("number", "round", "name", "said"),
    [
        ("Ada", "1", "Dora", "has already played at table 1.1; name a later round"),
        ("Ada", "2", "Cid", "Cid is already entered"),
        ("Ada", "2", " ", "a name is missing"),
        ("Ada", "x", "Dora", "x is not a round"),
        ("Dag", "2", "Dora", "Dag has already withdrawn"),
    ],
)
def test_substitutes_that_cannot_be(tmp_path: Path, number: str, round: str, name: str, said: str) -> None:
    office = evening(tmp_path / "t", NAMES[:4], series=2, games=1)
    settle(office, "1.1", "abcd")
    office.withdraw("Ellen", office.open().tournament.find("Dag"), "2")
    with pytest.raises(Refusal, match=said):
        office.substitute("Ellen", number, name, round)


def test_substitute_after_publishing_is_refused_and_undo_gives_the_seat_back(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", NAMES[:4], series=2, games=1, cup=False)
    office.substitute("Ellen", "Ada", "Dora", "2")
    with pytest.raises(Refusal, match="later already; undo that first"):
        office.substitute("Ellen", "Ada", "Dana", "1")
    office.undo("Ellen")
    assert office.open().tournament.who(office.open().tournament.find("Ada")) == "Ada"
    settle_all(office)
    office.act("Ellen", "published")
    with pytest.raises(Refusal, match="the result is published"):
        office.substitute("Ellen", "Ada", "Dora", "2")


# latecomers by hand


def test_a_latecomer_sits_down_at_one_table_and_all_others_stay(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", NAMES, series=2, games=1, cup=False)
    small = next(key for key, seats in office.open().tournament.tables() if len(seats) == 3 and key[0] == "1")
    big = next(key for key, seats in office.open().tournament.tables() if len(seats) == 4 and key[0] == "1")
    settle(office, big, "abcd")
    office.act("Ellen", "printed", tables=[small])
    office.act("Ellen", "begun", round="1")
    office.enter("Ellen", from_text("Late").given)
    before = office.open().tournament
    office.add_to_round("Ellen", "1", ["Late"], int(small.partition(".")[2]))
    state = office.open().tournament
    assert len(state.seats(small)) == 4 and state.who(state.seats(small)[-1]) == "Late"
    assert state.slip(big) == before.slip(big) and state.plans[big] == before.plans[big]
    assert state.slip(small).state == "open" and state.plans[small] > before.plans[small]
    assert state.has_begun("1") and state.rounds["2"] == before.rounds["2"]
    assert state.unseated() == ()


def test_latecomers_make_a_new_table(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", NAMES[:4], series=2, games=1)
    office.enter("Ellen", from_text("Hal\nIan\nJoe").given)
    office.add_to_round("Ellen", "1", ["Hal", "Ian", "Joe"])
    state = office.open().tournament
    assert [len(table) for table in state.rounds["1"].tables] == [4, 3]
    assert [len(table) for table in state.rounds["2"].tables] == [4]


@pytest.mark.parametrize(
    ("round", "people", "table", "said"),
    [
        ("1", ["Late"], 1, "the slip of table 1.1 is already entered"),
        ("2", ["Ada"], 1, "sits twice in round 2"),
        ("2", ["Late"], 0, "a table of 1; tables have 3 to 5"),
        ("2", ["Late"], 7, "there is no table 2.7 in this plan"),
        ("9", ["Late"], 1, "round 9 is not planned"),
        ("2", [], 1, "name the people first"),
    ],
)
def test_latecomers_who_cannot_sit_there(
    tmp_path: Path, round: str, people: list[str], table: int, said: str
) -> None:
    office = evening(tmp_path / "t", NAMES[:4], series=2, games=1)
    settle(office, "1.1", "abcd")
    office.enter("Ellen", from_text("Late").given)
    with pytest.raises(Refusal, match=said):
        office.add_to_round("Ellen", round, people, table)


# the door


def listed_event(path: Path, text: str = LIST) -> Office:
    """An event with a list and nothing else."""
    office = Office(path, Clock())
    office.begin("Evening", make_format("tuppen", series=1, games=1, cup=False), "Ellen")
    office.enter("Ellen", from_text(text).given)
    return office


def test_numbers_are_typed_one_by_one_as_people_come(tmp_path: Path) -> None:
    office = listed_event(tmp_path / "t")
    people = {entrant.name: entrant.id for entrant in office.open().tournament.active()}
    office.act("Ina", "picked", id=people["Dag"], number=2)
    office.act("Ina", "picked", id=people["Ada"], number=4)
    with pytest.raises(Refusal, match="Dag and Cid both have number 2"):
        office.act("Ina", "picked", id=people["Cid"], number=2)
    with pytest.raises(Refusal, match="Cid cannot have number 5; there are 1 to 4"):
        office.act("Ina", "picked", id=people["Cid"], number=5)
    with pytest.raises(Refusal, match="Åsa, Cid have no number yet"):
        office.number_from_door("Ellen")
    office.act("Ina", "picked", id=people["Ada"], number=0)
    for name, number in (("Ada", 1), ("Åsa", 3), ("Cid", 4)):
        office.act("Ina", "picked", id=people[name], number=number)
    office.number_from_door("Ellen")
    state = office.open().tournament
    assert [state.who(number) for number in (1, 2, 3, 4)] == ["Ada", "Dag", "Åsa", "Cid"] and state.by_cards
    with pytest.raises(Refusal, match="the numbers have already been drawn"):
        office.act("Ina", "picked", id=people["Ada"], number=1)


def test_columns_and_paid_marks_of_a_list_are_kept_and_phones_are_not(tmp_path: Path) -> None:
    office = listed_event(tmp_path / "t")
    state = office.open().tournament
    assert [dict(entrant.columns) for entrant in state.active()] == [
        {"Age": "U18", "bezahlt": "ja"}, {"bezahlt": "x"}, {"Age": "u18"}, {"Age": "60+", "bezahlt": "nein"},
    ]  # fmt: skip
    assert [state.entrants[number - 1].name for number in state.paid] == ["Ada", "Åsa"]
    assert b"0241" not in office.log_bytes()
    office.act("Ina", "paid", ids=[1], paid=False)
    office.act("Ina", "paid", ids=[3], paid=True)
    state = office.open().tournament
    assert sorted(state.paid) == [2, 3] and state.paid[3][1] == "Ina"
    assert "bezahlt" not in to_csv(state.format.standings(state))


def test_columns_are_written_by_hand(tmp_path: Path) -> None:
    office = listed_event(tmp_path / "t")
    office.act("Ina", "noted", id=2, column="Age", text="U18")
    assert office.open().tournament.entrants[1].columns["Age"] == "U18"
    office.act("Ina", "noted", id=2, column="Age", text="")
    assert "Age" not in office.open().tournament.entrants[1].columns
    with pytest.raises(Refusal, match="nothing has changed"):
        office.act("Ina", "noted", id=2, column="Age", text="")


# prize groups


def test_prize_groups_are_ranked_apart_from_a_column_of_the_list(tmp_path: Path) -> None:
    office = listed_event(tmp_path / "t")
    office.draw("Ellen", "dice")
    office.plan("Ellen", seconds=0.1)
    settle(office, "1.1", "abcd")
    office.act("Ellen", "prizes", groups=[["Age", "U18"], ["Age", "60+"]])
    state = office.open().tournament
    sections = state.format.standings(state).sections
    assert [section.key for section in sections] == ["standings", "prize Age: U18", "prize Age: 60+"]
    overall = {row.name: row.rank for row in sections[0].rows}
    young = sections[1].rows
    assert {row.name for row in young} == {"Ada", "Cid"}
    assert [row.rank for row in young] == [1, 2]
    assert [row.cells[1] for row in young] == sorted(overall[row.name] for row in young)
    office.act("Ellen", "prizes", groups=[])
    assert len(office.open().tournament.format.standings(office.open().tournament).sections) == 1


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ([["Age", "U99"]], "nobody on the list has U99 in the column Age"),
        ([["Age", "U18"], ["Age", "U18"]], "named twice"),
        ([], "already in force"),
        ([["Age", "U18"]] * 13, "at most 12 prize groups"),
    ],
)
def test_prize_groups_that_cannot_be(tmp_path: Path, groups: list[list[str]], said: str) -> None:
    with pytest.raises(Refusal, match=said):
        listed_event(tmp_path / "t").act("Ellen", "prizes", groups=groups)


def test_a_cup_has_no_prize_groups(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", [f"{a}1 & {a}2" for a in "ABCD"], "tuppi", pools=1)
    office.act("Ina", "noted", id=1, column="Age", text="U18")
    with pytest.raises(Refusal, match="prize groups need one ranking of all"):
        office.act("Ellen", "prizes", groups=[["Age", "U18"]])


# ties


def test_ties_are_listed_with_what_decided_them(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", NAMES[:4], series=2, games=1, cup=False)
    settle(office, "1.1", "abcd")
    seats, later = (office.open().tournament.seats(key) for key in ("1.1", "2.1"))
    order = "".join("abcd"[later.index(number)] for number in (seats[1], seats[0], seats[2], seats[3]))
    settle(office, "2.1", order)
    state = office.open().tournament
    (tie,) = ties(state.format.standings(state))
    assert tie.figure == 8 and [rank for rank, _ in tie.names] == [1, 1]
    assert len(tie.notes) == 1 and "Shares place 1 with" in plain(tie.notes[0])
    office.act("Ellen", "penalty", number=seats[0], rule="I6", points=-1, reason="late")
    assert ties(office.open().tournament.format.standings(office.open().tournament)) == ()
