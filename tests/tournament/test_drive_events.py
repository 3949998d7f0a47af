"""Whist drives: pairs and single players, fixed rounds, sums, sitting out, impossible scores."""

from pathlib import Path
from typing import Any

import pytest

from nousu.tournament.formats.drive import Drive
from nousu.tournament.formats.drive_slip import Totals
from nousu.tournament.messages import Refusal, plain
from nousu.tournament.office import Office
from tournament_fixtures import evening, rows, settle, why

PAIRS = [f"{name}1 & {name}2" for name in "ABCDE"]


def test_pairs_add_up_their_points(tmp_path: Path) -> None:
    """Norwegian whist: totals may be negative; equal sums share the rank."""
    office = evening(tmp_path / "t", PAIRS[:4], "drive", preset="norwegian_catsatcards", rounds=3, hands=8)
    state = office.open().tournament
    scores = iter([("12", "-3"), ("4", "4"), ("-5", "7"), ("0", "9"), ("6", "6"), ("-2", "1")])
    expected = dict.fromkeys(range(1, 5), 0)
    for table in state.missing():
        both = next(scores)
        for number, points in zip(state.seats(table), both, strict=True):
            expected[number] += int(points)
        settle(office, table, *both)
    found = rows(office.open().tournament)
    assert {row.number: row.cells[0] for row in found} == expected
    assert office.act("Ellen", "published").tournament.frozen


def test_single_players_get_what_their_side_made(tmp_path: Path) -> None:
    """Seats 1 and 3 against 2 and 4; a new partner in every round."""
    office = evening(tmp_path / "t", list("ABCDEFGH"), "drive", unit="players", rounds=2)
    state = office.open().tournament
    a, b, c, d = state.seats("1.1")
    settle(office, "1.1", "10", "3")
    found = {row.number: row.cells[0] for row in rows(office.open().tournament)}
    assert (found[a], found[b], found[c], found[d]) == (10, 3, 10, 3)
    partners = [
        tuple(sorted(pair))
        for played in state.rounds.values()
        for table in played.tables
        for pair in (table[0::2], table[1::2])
    ]
    assert len(set(partners)) == len(partners)


def test_sitting_out_counts_as_the_mean_of_ones_own_rounds(tmp_path: Path) -> None:
    """Five pairs: one rests in each round; 7 and 4 make 5.5, rounded half up to 6, marked with a star."""
    office = evening(tmp_path / "t", PAIRS, "drive", rounds=3)
    state = office.open().tournament
    for table in state.missing():
        settle(office, table, "7" if table[0] == "1" else "4", "9")
    state = office.open().tournament
    rested = {
        table[0]: label for label, one in state.rounds.items() for table in one.tables if len(table) == 1
    }
    assert len(rested) == 3
    for row in rows(state):
        if row.number in rested:
            cell = str(row.cells[int(rested[row.number])])
            played = [int(one) for one in row.cells[1:] if isinstance(one, int)]
            mean = int((2 * sum(played) + 2) // 4)
            assert cell == f"*{mean}" and row.cells[0] == sum(played) + mean
    assert "average of the player’s other rounds" in plain(state.format.standings(state).notes[0])
    strict = evening(tmp_path / "s", PAIRS, "drive", rounds=1, bye="zero")
    assert {row.cells[0] for row in rows(strict.open().tournament)} == {0}


def test_hands_by_tricks(tmp_path: Path) -> None:
    """Three matches on one slip: +4 for A, +4 for B after a failed grand, +3 for B in a low hand."""
    office = evening(tmp_path / "t", PAIRS[:2], "drive", rounds=1, hands=3)
    with pytest.raises(Refusal, match="2 hands are given; a round has 3"):
        office.slip("Ellen", "1.1", ("gA10", "gA5"))
    state = settle(office, "1.1", "gA10", "gA5", "lA9")
    assert state.slip("1.1").result.scores == (4, 7)
    south = evening(tmp_path / "s", PAIRS[:2], "drive", rounds=1, hands=2, preset="south_dakota")
    state = settle(south, "1.1", "gA5", "lA9")
    assert state.slip("1.1").result.scores == (-2 - 3, 0)


@pytest.mark.parametrize(
    ("options", "words", "said"),
    [
        ({"hands": 8}, ("113", "0"), "result: in 8 hands nobody can score 113; the range is 0 to 112"),
        ({"hands": 8}, ("-1", "20"), "result: in 8 hands nobody can score -1"),
        ({"hands": 8}, ("3", "2"), "result: 8 hands score 8 to 112 for both sides together, not 5"),
        ({"hands": 8}, ("3",), "result: write the totals of both sides, for example 12 -3, not 3"),
        ({"hands": 8}, ("3", "4.5"), "result: write the totals of both sides"),
        ({"hands": 8}, ("gA14",), "hand 1: gA14 is not a hand"),
        ({"preset": "huutopussi"}, ("120", "73"), "result: all points of huutopussi are multiples of five"),
        ({"preset": "huutopussi"}, ("gA9",), "result: write the totals of both sides, for example 120 -80"),
    ],
)
def test_impossible_slips_are_refused(
    tmp_path: Path, options: dict[str, Any], words: tuple[str, ...], said: str
) -> None:
    office = evening(tmp_path / "t", PAIRS[:2], "drive", rounds=1, **options)
    with pytest.raises(Refusal) as raised:
        office.slip("Ellen", "1.1", words)
    assert str(raised.value).startswith(said)


def test_huutopussi_evenings(tmp_path: Path) -> None:
    """Contracts made and lost; negative totals stay numbers; the lowest may win."""
    office = evening(tmp_path / "t", PAIRS[:2], "drive", preset="huutopussi", rounds=1, lowest=True)
    settle(office, "1.1", "120", "-150")
    found = rows(office.open().tournament)
    assert [row.cells[0] for row in found] == [-150, 120]


def test_a_missing_pair_forfeits_and_a_gone_one_leaves_the_others_resting(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", PAIRS[:4], "drive", rounds=3)
    state = office.open().tournament
    one, other = state.seats("1.1")
    office.act("Ellen", "forfeited", table="1.1", loser=one, reason="not here")
    office.confirm("Uwe", "1.1")
    settle(office, "1.2", "7", "9")
    state = office.act("Ellen", "withdrawn", number=one, round="2", game=1, reason="home").tournament
    stale = next(key for key, seats in state.tables() if key[0] == "2" and one in seats)
    with pytest.raises(Refusal, match="has withdrawn; plan the round again"):
        office.slip("Ellen", stale, ("9", "5"))
    assert any("still sits at" in plain(one.said) for one in state.format.unfinished(state))
    state = office.plan("Ellen").tournament
    for label in "23":
        assert sorted(n for table in state.rounds[label].tables for n in table) == sorted(
            {1, 2, 3, 4} - {one}
        )
    met = [frozenset(table) for played in state.rounds.values() for table in played.tables if len(table) == 2]
    assert len(set(met)) == len(met)
    found = {row.number: row for row in rows(state)}
    assert found[one].cells == (0, 0, "", "", "")[: len(found[one].cells)]
    assert str(found[other].cells[1]).startswith("*")
    assert plain(state.format.slips.describe(state, "1.1", state.slip("1.1").result)[0]).endswith(
        "forfeits; the others sit out [5.1]"
    )


def test_a_gone_player_and_a_new_plan(tmp_path: Path) -> None:
    """Single players: after a withdrawal the later rounds are planned anew, old partners are remembered."""
    office = evening(tmp_path / "t", list("ABCDEFGHI"), "drive", unit="players", rounds=4)
    first = office.open().tournament.rounds["1"]
    resting = next(table[0] for table in first.tables if len(table) == 1)
    settle(office, "1.1", "9", "5")
    gone = first.tables[1][2]
    state = office.act("Ellen", "withdrawn", number=gone, round="1", game=1, reason="home").tournament
    assert (state.slip("1.2").state, state.slip("1.2").result) == ("accepted", Totals(withdrawn=gone))
    assert "the others sit out" in plain(state.format.slips.describe(state, "1.2", Totals(withdrawn=gone))[0])
    state = office.plan("Ellen", seconds=0.3).tournament
    assert state.rounds["1"] == first
    for label in "234":
        seated = [number for table in state.rounds[label].tables for number in table]
        assert sorted(seated) == [number for number in range(1, 10) if number != gone]
    partners = [
        frozenset(pair)
        for played in state.rounds.values()
        for table in played.tables
        if len(table) == 4
        for pair in (table[0::2], table[1::2])
    ]
    assert len(set(partners)) == len(partners)
    found = {row.number: row for row in rows(state)}
    assert found[resting].cells[1] == "*0" and found[gone].cells[1] == 0
    with pytest.raises(Refusal, match="a player who is missing withdraws"):
        office.act("Ellen", "forfeited", table="2.1", loser=state.seats("2.1")[0], reason="x")
    with pytest.raises(Refusal, match="has no play-offs"):
        office.stechen("Ellen")


def test_rounds_that_cannot_be(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", PAIRS[:4], "drive", rounds=2, plan=False)
    for rounds, said in (
        ({"1": [[1, 2, 3], [4]]}, "2 sit at a table, not 3"),
        ({"3": [[1, 2], [3, 4]]}, "there are 2 rounds"),
        ({"1": [[1, 2], [3]]}, "has no seat in round 1"),
    ):
        with pytest.raises(Refusal, match=said):
            office.act("Ellen", "planned", rounds=rounds)
    for start, said in (
        ("3", "there is no round 3"),
        ("x", "x is not a round"),
        ("C1", "there is no round C1"),
    ):
        with pytest.raises(Refusal, match=said):
            office.plan("Ellen", start=start)
    few = evening(tmp_path / "s", ["A", "B", "C"], "drive", unit="players", plan=False)
    with pytest.raises(Refusal, match="3 are too few for a table"):
        few.plan("Ellen")
    result = {"sheet": ["gA9"] * 8, "scores": [1, 1]}
    office.plan("Ellen")
    with pytest.raises(Refusal, match="the totals do not follow from the hands"):
        office.act("Ellen", "slip", table="1.1", result=result)


def test_ties_and_rulings(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", PAIRS[:2], "drive", rounds=1)
    settle(office, "1.1", "9", "7")
    state = office.act("Ellen", "penalty", number=office.open().tournament.seats("1.1")[0],
                       rule="I6", points=-2, reason="slow play").tournament  # fmt: skip
    found = rows(state)
    assert [row.rank for row in found] == [1, 1]
    assert any("Director’s ruling: -2 (slow play)." in why(row) for row in found)
    assert all("Shares place 1" in why(row) for row in found)


def test_options_are_checked(subtests: pytest.Subtests) -> None:
    for options, said in [
        ({"preset": "tuppi"}, "not simply added up"),
        ({"preset": "tuppen_zk"}, "not simply added up"),
        ({"preset": "skat"}, "no preset"),
        ({"unit": "teams"}, "unit is pairs or players, not teams"),
        ({"bye": "half"}, "bye is mean or zero, not half"),
        ({"rounds": 0}, "rounds is 0"),
    ]:
        with subtests.test(options=options, said=said), pytest.raises(Refusal, match=said):
            Drive.from_json(options)


def test_sitting_out_counts_only_in_rounds_that_are_played(tmp_path: Path) -> None:
    """Five players, three rounds planned: after the first round only its own bye counts."""
    office = evening(
        tmp_path / "t", "ABCDE", "drive", preset="norwegian_catsatcards", unit="players", rounds=3, hands=8
    )
    state = office.open().tournament
    (out,) = state.rounds["1"].tables[-1]
    later = state.rounds["2"].tables[-1][0]
    assert rows(state)[0].cells == (0, "", "", "")
    settle(office, "1.1", "12", "-3")
    found = {row.number: row.cells for row in rows(office.open().tournament)}
    assert found[later][2] == "" and found[out] == (0, "*0", "", "")
    assert found[later][0] == found[later][1]


def test_the_lowest_sum_in_a_drive_is_not_won_by_leaving_or_coming_late(tmp_path: Path) -> None:
    from nousu.tournament.people import from_text

    office = evening(
        tmp_path / "t", PAIRS[:4], "drive", preset="norwegian_catsatcards", rounds=2, hands=8, lowest=True
    )
    state = office.open().tournament
    first = [key for key in state.missing() if key[0] == "1"]
    for table in first:
        settle(office, table, "4", "9")
    gone = state.seats(first[0])[0]
    office.act("Ellen", "withdrawn", number=gone, round="2", game=1)
    office.enter("Ellen", from_text("Late & Lena", pairs=True).given)
    state = office.plan("Ellen").tournament
    for table in state.missing():
        settle(office, table, "5", "6")
    found = {row.number: row for row in rows(office.open().tournament)}
    assert found[gone].rank == 5 and "ranked behind all who finished" in why(found[gone])
    assert found[5].cells[1] == 9 and found[5].rank > 1
    assert found[gone].cells[2] == 6


def test_a_bye_is_no_result_where_the_worst_of_a_round_is_sought(tmp_path: Path) -> None:
    """Five play, one of whom sits out, and a sixth comes late.

    For a missed round the late one gets the worst result that was made there. Where all made less than
    nothing, that is not the 0 of the bye.
    """
    from nousu.tournament.people import from_text

    office = evening(
        tmp_path / "t", "ABCDE", "drive", preset="huutopussi", unit="players", rounds=2, lowest=True
    )
    (out,) = office.open().tournament.rounds["1"].tables[-1]
    settle(office, "1.1", "-100", "-50")
    office.enter("Ellen", from_text("Late Lena").given)
    state = office.plan("Ellen", seconds=0.2).tournament
    late = state.find("Late Lena")
    settle(office, "2.1", "-20", "-10")
    found = {row.number: row for row in rows(office.open().tournament)}
    assert found[late].cells[1] == -50
    assert str(found[out].cells[1]).startswith("*")
    assert found[late].rank > 1


def test_giving_up_does_not_win_a_drive_where_the_lowest_sum_wins(tmp_path: Path) -> None:
    """A round that was not played counts as the worst result made in it."""
    office = evening(tmp_path / "t", PAIRS[:4], "drive", rounds=1, lowest=True)
    state = office.open().tournament
    loser, other = state.seats("1.1")
    office.act("Ellen", "forfeited", table="1.1", loser=loser, reason="not here")
    office.confirm("Uwe", "1.1")
    settle(office, "1.2", "7", "9")
    found = {row.number: row for row in rows(office.open().tournament)}
    assert found[loser].cells[1] == 9 and found[loser].rank > 1
    assert found[other].cells[1] == "*0"


def test_a_forfeit_counts_as_the_worst_of_the_event_where_nothing_else_was_played(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", PAIRS[:2], "drive", rounds=2, lowest=True)
    settle(office, "1.1", "7", "9")
    loser = office.open().tournament.seats("2.1")[0]
    office.act("Ellen", "forfeited", table="2.1", loser=loser, reason="not here")
    office.confirm("Uwe", "2.1")
    found = {row.number: row for row in rows(office.open().tournament)}
    assert found[loser].cells[2] == 9


def test_a_bye_of_nothing_is_refused_where_the_lowest_sum_wins(tmp_path: Path) -> None:
    """It would be the best result of all. A file that has both options already opens as before."""
    said = "where the lowest sum wins"
    with pytest.raises(Refusal, match=said):
        evening(tmp_path / "a", PAIRS[:4], "drive", lowest=True, bye="zero")
    office = evening(tmp_path / "b", PAIRS[:4], "drive", bye="zero")
    with pytest.raises(Refusal, match=said):
        office.change("Ellen", {"lowest": True}, "for fun")
    assert office.open().tournament.format.to_json()["lowest"] is False
    options = Drive.from_json({"lowest": True, "bye": "zero"}).to_json()
    log = [
        {"n": 1, "at": "2026-11-21T18:00:00+00:00", "by": "Ellen", "do": "opened"}
        | {"version": 1, "name": "Old", "format": options}
    ]
    old = Office(tmp_path / "old")
    assert old.take(log).tournament.format.to_json()["bye"] == "zero"
    assert old.change("Ellen", {"rounds": 3}, "").tournament.format.to_json()["rounds"] == 3
