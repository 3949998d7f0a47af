"""Whist drives: pairs and single players, fixed rounds, sums, sitting out, impossible scores."""

from pathlib import Path
from typing import Any

import pytest

from evenings import evening, rows, settle, why
from nousu.tournament.formats.drive import Drive
from nousu.tournament.notes import Refusal, say

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
    assert "mean of one's own rounds" in say(state.format.standings(state).notes[0])
    strict = evening(tmp_path / "s", PAIRS, "drive", rounds=1, bye="zero")
    assert {row.cells[0] for row in rows(strict.open().tournament)} == {0}


def test_hands_by_tricks(tmp_path: Path) -> None:
    """M-1, M-2, M-3 on one slip: +4 for A, +4 for B after a failed grand, +3 for B in a low hand."""
    office = evening(tmp_path / "t", PAIRS[:2], "drive", rounds=1, hands=3)
    with pytest.raises(Refusal, match="2 hands are given; a round has 3"):
        office.slip("Ellen", "1.1", ("gA10", "gA5"))
    state = settle(office, "1.1", "gA10", "gA5", "lA9")
    assert (state.slip("1.1").result or {})["scores"] == [4, 7]
    south = evening(tmp_path / "s", PAIRS[:2], "drive", rounds=1, hands=2, preset="south_dakota")
    state = settle(south, "1.1", "gA5", "lA9")
    assert (state.slip("1.1").result or {})["scores"] == [-2 - 3, 0]


@pytest.mark.parametrize(
    ("options", "words", "said"),
    [
        ({"hands": 8}, ("113", "0"), "result: 113 cannot be made in 8 hands; possible are 0 to 112"),
        ({"hands": 8}, ("-1", "20"), "result: -1 cannot be made in 8 hands"),
        ({"hands": 8}, ("3", "2"), "result: wrong sum: 5 for both sides together; 8 hands make 8 to 112"),
        ({"hands": 8}, ("3",), "result: write the totals of both sides, for example 12 -3, not 3"),
        ({"hands": 8}, ("3", "4.5"), "result: write the totals of both sides"),
        ({"hands": 8}, ("gA14",), "hand 1: gA14 is no hand"),
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
    """HP-1, HP-2: contracts made and lost; negative totals stay numbers; the lowest may win."""
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
    found = {row.number: row for row in rows(state)}
    assert found[one].cells[1:] == (0, 0, 0)
    assert found[other].cells[1] == "*0"
    state = office.plan("Ellen", start="2").tournament if not state.slips.get("2.1") else state
    assert say(state.format.tell(state, "1.1", state.slip("1.1").result or {})[0]).endswith(
        "forfeits; the others sit out [5.1]"
    )


def test_a_gone_player_and_a_new_plan(tmp_path: Path) -> None:
    """Single players: after a withdrawal the later rounds are planned anew, old partners are remembered."""
    office = evening(tmp_path / "t", list("ABCDEFGHI"), "drive", unit="players", rounds=4)
    for table in ("1.1", "1.2"):
        settle(office, table, "9", "5")
    office.act("Ellen", "withdrawn", number=4, round="2", game=1, reason="home")
    office.act("Ellen", "undone", entry=len(office.open().log.events))
    office.act("Ellen", "withdrawn", number=5, round="2", game=1, reason="home")
    with pytest.raises(Refusal, match="slips already"):
        office.plan("Ellen", start="2", seconds=0.3)


def test_ties_and_rulings(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", PAIRS[:2], "drive", rounds=1)
    settle(office, "1.1", "9", "7")
    state = office.act("Ellen", "penalty", number=office.open().tournament.seats("1.1")[0],
                       rule="I6", points=-2, reason="slow play").tournament  # fmt: skip
    found = rows(state)
    assert [row.rank for row in found] == [1, 1]
    assert any("Ruling of the direction: -2 (slow play)." in why(row) for row in found)
    assert all("Shares place 1" in why(row) for row in found)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"preset": "tuppi"}, "do not add up"),
        ({"preset": "tuppen_zk"}, "do not add up"),
        ({"preset": "skat"}, "no preset"),
        ({"unit": "teams"}, "unit is pairs or players, not teams"),
        ({"bye": "half"}, "bye is mean or zero, not half"),
        ({"rounds": 0}, "rounds is 0"),
    ],
)
def test_options_are_checked(options: dict[str, object], said: str) -> None:
    with pytest.raises(Refusal, match=said):
        Drive.from_json(options)
