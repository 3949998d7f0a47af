"""Tuppi championships: pools, tie-breaks one by one, the cup, forfeits and the late clock."""

from pathlib import Path

import pytest

from nousu.tournament.draw import draw
from nousu.tournament.messages import Refusal, plain
from nousu.tournament.model import Tournament
from nousu.tournament.office import Office
from nousu.tournament.people import from_text
from tournament_fixtures import evening, rows, settle, to_do, why

PAIRS = ("Aino & Arvi", "Bea & Boris", "Cilla & Caj", "Eeva & Eero")


def _result(winner: int, sums: tuple[int, int], peaks: tuple[int, int]) -> tuple[str, ...]:
    """A slip by totals; side 0 or 1 wins."""
    hands = "hands=9" if max(peaks) >= 52 else "hands=16"
    return (f"{sums[0]}:{sums[1]}", f"peaks={peaks[0]}:{peaks[1]}", hands, f"winner={'AB'[winner]}")


def _win(office: Office, name: str, other: str, sums: tuple[int, int], peaks: tuple[int, int]) -> Tournament:
    """Settle the match of two pairs, wherever the plan has it; the first wins."""
    state = office.open().tournament
    one, two = state.find(name), state.find(other)
    table = next(key for key, seats in state.tables() if {one, two} == set(seats))
    if state.seats(table)[0] == one:
        return settle(office, table, *_result(0, sums, peaks))
    return settle(office, table, *_result(1, sums[::-1], peaks[::-1]))


@pytest.mark.clause("T-WIKT-01", "T-CATT-02")
def test_rules_outside_tournaments_are_refused() -> None:
    """No sooli, a hand limit, one riser (T-WIKT-01, T-WIKT-02)."""
    from nousu.tournament.formats.tuppi import TuppiPairs

    for preset in ("tuppi", "minnesota", "tuppi_tournament+sooli=on"):
        with pytest.raises(Refusal, match="not a rule set for a Tuppi tournament"):
            TuppiPairs.from_json({"preset": preset})
    for preset in ("tuppi_tournament", "tuppi_tournament_catsatcards", "tuppi_tournament+max_hands=24"):
        assert TuppiPairs.from_json({"preset": preset}).preset == preset
    with pytest.raises(Refusal, match="without pools no pair can qualify"):
        TuppiPairs.from_json({"pools": 0, "through": 1})


def test_a_round_robin_by_match_points_and_sum(tmp_path: Path) -> None:
    """Everybody beats the next one: six matches, 2 points a win, the sum parts those who are level."""
    office = evening(tmp_path / "t", PAIRS, "tuppi")
    a, b, c, e = "Aino", "Bea", "Cilla", "Eeva"
    _win(office, a, b, (32, 28), (16, 20))
    _win(office, b, c, (40, 20), (24, 12))
    _win(office, c, a, (36, 32), (20, 16))
    for name in (a, b, c):
        _win(office, name, e, (52, 8), (52, 8))
    state = office.open().tournament
    found = rows(state)
    assert [(row.rank, row.name[:1], row.cells[0], row.cells[5]) for row in found] == [
        (1, "B", 4, 28 + 40 + 52), (2, "A", 4, 32 + 32 + 52), (3, "C", 4, 20 + 36 + 52), (4, "E", 0, 24),
    ]  # fmt: skip
    assert why(found[0]) == (
        f"Level with {found[1].name}, {found[2].name} on match points; the sum of points collected while "
        "rising decides: 120 against 116, 108. [5.1]"
    ) or why(found[0]).endswith("120 against 108, 116. [5.1]")
    assert why(found[3]) == ""
    assert office.act("Ellen", "published").tournament.frozen


def test_rises_own_matches_and_lot(tmp_path: Path) -> None:
    """Match points, sum, rises, own matches, lot: each step ranks those that the one before left level."""
    office = evening(tmp_path / "t", PAIRS[:3], "tuppi")
    a, b, c = "Aino", "Bea", "Cilla"
    _win(office, a, b, (32, 28), (16, 16))
    _win(office, b, c, (32, 28), (20, 16))
    _win(office, c, a, (32, 28), (20, 16))
    found = rows(office.open().tournament)
    # all have 2 match points and a sum of 60; rises: A 32, B 36, C 36; then B beat C
    assert [row.name[:1] for row in found] == ["B", "C", "A"]
    assert "the highest rises decide: 36 against" in why(found[0])
    assert why(found[0]).endswith("their own matches decide: 2 match points against 0. [5.1]")
    assert why(found[2]).endswith("the highest rises decide: 32 against 36, 36. [5.1]")


def test_the_lot_comes_from_the_seed(tmp_path: Path) -> None:
    """Three pairs level in everything, own matches too: the lot decides and can be checked."""
    office = evening(tmp_path / "t", PAIRS[:3], "tuppi")
    for one, other in (("Aino", "Bea"), ("Bea", "Cilla"), ("Cilla", "Aino")):
        _win(office, one, other, (32, 28), (20, 16))
    state = office.open().tournament
    lot = draw(state.seed, [state.who(number) for number in (1, 2, 3)], "lot pool A")
    found = rows(state)
    assert [row.number for row in found] == [at + 1 for at in lot]
    assert "a lot taken from the seed of the draw decides: drawn as number 1" in why(found[0])


def test_draws_only_where_the_rules_have_them(tmp_path: Path) -> None:
    """A draw only with limit_tiebreak=[draw]; one match point each; in the cup an extra hand."""
    level = tuple(["A8", "B", "B8", "A"] * 4)
    office = evening(
        tmp_path / "t", PAIRS[:2], "tuppi", preset="tuppi_tournament+limit_tiebreak=[draw]", through=2
    )
    settle(office, "1.1", *level)
    assert [row.cells[0] for row in rows(office.open().tournament)] == [1, 1]
    office.plan("Ellen")
    with pytest.raises(Refusal, match="an extra hand decides"):
        office.slip("Ellen", "C1.1", level)
    settle(office, "C1.1", *level, "A4")
    strict = evening(tmp_path / "s", PAIRS[:2], "tuppi")
    with pytest.raises(Refusal, match="an extra hand decides"):
        strict.slip("Ellen", "1.1", level)


@pytest.mark.clause("T-CATT-05", "T-WIKT-03")
def test_published_criteria_for_ties(tmp_path: Path) -> None:
    """The same sheet under both presets: the sum gives A, the peak gives B; the slip says why."""
    words = ["A8", "A8", "B", "B12", "B8", "A", "A8", "B", "B4", "A", "A4", "B", "A4", "B", "B4", "A"]
    for preset, winner, clause in (
        ("tuppi_tournament", 0, "T-WIKT-03"),
        ("tuppi_tournament_catsatcards+low_points=4", 1, "T-CATT-05"),
    ):
        office = evening(tmp_path / clause, PAIRS[:2], "tuppi", preset=preset)
        state = settle(office, "1.1", *words)
        result = state.slip("1.1").result
        assert result is not None and result.winner == winner
        note = state.format.slips.describe(state, "1.1", result)[0]
        assert note.clause == clause and state.who(state.seats("1.1")[winner]) in plain(note)


def test_a_championship_with_pools_and_cup(tmp_path: Path) -> None:
    """Eight pairs in two pools, two of each go through, semifinals cross the pools, third place is played."""
    names = [f"{name}1 & {name}2" for name in "ABCDEFGH"]
    office = evening(tmp_path / "t", names, "tuppi", pools=2, through=2, third_place=True)
    state = office.open().tournament
    for table in state.missing():
        one, two = state.seats(table)
        better = 0 if one < two else 1
        settle(office, table, *_result(better, (28, 32) if better else (32, 28), (16, 16)))
    state = office.open().tournament
    assert [row.number for row in rows(state, 0)] == [1, 3, 5, 7]
    assert [row.number for row in rows(state, 1)] == [2, 4, 6, 8]
    with pytest.raises(Refusal, match="next cup round is not planned"):
        office.act("Ellen", "published")
    state = office.plan("Ellen").tournament
    assert state.rounds["C1"].tables == ((1, 4), (2, 3))
    settle(office, "C1.1", "A28", "A28")
    with pytest.raises(Refusal, match=r"needs these slips first: C1\.2"):
        office.plan("Ellen")
    settle(office, "C1.2", "B28", "B28")
    state = office.plan("Ellen").tournament
    assert state.rounds["C2"].tables == ((1, 3), (4, 2))
    with pytest.raises(Refusal, match="round C2 is planned on this result"):
        office.correct("Ellen", "C1.1", ("B28", "B28"), "misread")
    settle(office, "C2.1", "B28", "B28")
    settle(office, "C2.2", "A28", "A28")
    state = office.act("Ellen", "published").tournament
    cup = rows(state)
    assert [(row.rank, row.number) for row in cup] == [(1, 3), (2, 1), (3, 4), (4, 2)]
    assert why(cup[1]) == f"Lost to {state.who(3)} at table C2.1. [5.1]"


def test_a_pool_corrected_after_the_cup_was_planned_plans_it_anew(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", [f"{name}1 & {name}2" for name in "ABCDEF"], "tuppi", pools=2, through=2)
    for table in office.open().tournament.missing():
        one, two = office.open().tournament.seats(table)
        settle(office, table, *_result(int(one > two), (28, 32) if one > two else (32, 28), (16, 16)))
    before = office.plan("Ellen").tournament
    assert before.rounds["C1"].tables == ((1, 4), (2, 3))
    table = next(key for key, seats in before.tables() if set(seats) == {3, 5})
    five_first = before.seats(table)[0] == 5
    sums = (32, 28) if five_first else (28, 32)
    office.correct("Ellen", table, _result(0 if five_first else 1, sums, (16, 16)), "misread")
    office.confirm("Uwe", table)
    office.act("Ellen", "accepted", tables=[table])
    assert "corrected after the cup was planned" in to_do(office.open().tournament)[-1]
    with pytest.raises(Refusal, match="the pools were corrected"):
        office.slip("Ellen", "C1.1", ("A28", "A28"))
    assert office.plan("Ellen").tournament.rounds["C1"].tables == ((1, 4), (2, 5))
    settle(office, "C1.1", "A28", "A28")
    with pytest.raises(Refusal, match="needs these slips first"):
        office.plan("Ellen")


def test_a_cup_alone_with_byes(tmp_path: Path) -> None:
    """Five pairs, no pools: three sit out the first round; who goes out together shares the place."""
    names = [f"{name}1 & {name}2" for name in "ABCDE"]
    office = evening(tmp_path / "t", names, "tuppi", pools=0)
    state = office.open().tournament
    assert [len(table) for table in state.rounds["C1"].tables].count(1) == 3
    while True:
        for table in office.open().tournament.missing():
            settle(office, table, "A28", "A28")
        try:
            office.plan("Ellen")
        except Refusal as refusal:
            assert str(refusal) == "round: the cup is decided; nothing is left to plan"
            break
    cup = rows(office.open().tournament)
    assert [row.rank for row in cup] == [1, 2, 3, 3, 5]
    assert "Shares place 3" in why(cup[2])


def test_forfeits_and_the_late_clock(tmp_path: Path) -> None:
    """A side late by a quarter of an hour loses the match, which counts nothing on any criterion."""
    office = evening(tmp_path / "t", PAIRS[:3], "tuppi")
    state = office.open().tournament
    table = state.missing()[0]
    late, waiting = state.seats(table)
    with pytest.raises(Refusal, match="does not sit at table"):
        office.act(
            "Ellen", "late", table=table, number=next(n for n in (1, 2, 3) if n not in (late, waiting))
        )
    with pytest.raises(Refusal, match="say why"):
        office.act("Ellen", "forfeited", table=table, loser=late)
    office.act("Ellen", "late", table=table, number=late)
    with pytest.raises(Refusal, match="late; after 15 min, or for a reason"):
        office.act("Ellen", "forfeited", table=table, loser=late)
    for _ in range(14):
        office.clock()
    office.act("Ellen", "forfeited", table=table, loser=late)
    office.confirm("Uwe", table)
    found = {row.number: row for row in rows(office.open().tournament)}
    assert found[waiting].cells == (2, 1, 1, 0, 0, 0, 0)
    assert found[late].cells == (0, 1, 0, 0, 1, 0, 0)


def test_a_pair_that_withdraws_forfeits_what_is_left(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", PAIRS, "tuppi")
    state = office.open().tournament
    first = [key for key in state.missing() if key.startswith("1.")]
    for table in first:
        settle(office, table, *_result(0, (32, 28), (16, 16)))
    state = office.act("Ellen", "withdrawn", number=2, round="2", game=1, reason="ill").tournament
    mine = [key for key, seats in state.tables() if 2 in seats]
    assert [state.slip(key).state for key in mine] == ["accepted"] * 3
    assert sum("forfeit" in result.to_json() for key in mine if (result := state.slip(key).result)) == 2
    assert {row.number: row for row in rows(state)}[2].cells[4] in (2, 3)


def _play(office: Office, *labels: str) -> None:
    """Settle the open matches of these rounds, the lower number winning."""
    state = office.open().tournament
    for table in state.missing():
        if table.partition(".")[0] in labels:
            one, two = state.seats(table)
            settle(office, table, *_result(int(one > two), (28, 32) if one > two else (32, 28), (16, 16)))


def test_a_late_pair_joins_the_rounds_that_have_not_begun(tmp_path: Path) -> None:
    """Four pairs, one round played, a fifth comes: everybody still meets everybody, in four more rounds."""
    office = evening(tmp_path / "t", PAIRS, "tuppi")
    _play(office, "1")
    before = office.open().tournament.rounds["1"]
    office.enter("Ellen", from_text("Gry & Geir", pairs=True).given)
    assert any("is in no round yet" in note for note in to_do(office.open().tournament))
    state = office.plan("Ellen").tournament
    assert state.rounds["1"] == before and list(state.rounds) == ["1", "2", "3", "4", "5"]
    met = [frozenset(seats) for _, seats in state.tables()]
    assert len(met) == len(set(met)) == 10
    _play(office, "2", "3", "4", "5")
    assert office.act("Ellen", "published").tournament.frozen


def test_a_late_pair_meets_one_that_has_withdrawn_by_forfeit_only(tmp_path: Path) -> None:
    """The forfeits of a pair that left stand, newcomers included; rounds without play are planned anew."""
    office = evening(tmp_path / "t", PAIRS, "tuppi")
    _play(office, "1")
    office.act("Ellen", "withdrawn", number=2, round="2", game=1)
    office.enter("Ellen", from_text("Gry & Geir", pairs=True).given)
    state = office.plan("Ellen").tournament
    for label in list(state.rounds)[1:]:
        assert all(2 not in table for table in state.rounds[label].tables)
    _play(office, *list(state.rounds)[1:])
    found = {row.number: row.cells for row in rows(office.open().tournament)}
    assert {number: cells[1] for number, cells in found.items()} == dict.fromkeys(range(1, 6), 4)
    assert office.act("Ellen", "published").tournament.frozen


def test_joining_ends_when_the_cup_is_planned(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", PAIRS, "tuppi", through=2)
    _play(office, "1", "2", "3")
    office.plan("Ellen")
    with pytest.raises(Refusal, match="the cup is planned; nobody can join"):
        office.enter("Ellen", from_text("Gry & Geir", pairs=True).given)
    cup = evening(tmp_path / "s", PAIRS, "tuppi", pools=0)
    cup.enter("Ellen", from_text("Gry & Geir", pairs=True).given)
    assert any("is in no round yet" in note for note in to_do(cup.open().tournament))
    assert len(cup.plan("Ellen").tournament.rounds["C1"].tables) == 4


def test_a_qualified_pair_that_leaves_before_the_cup_gives_its_place_to_the_next(tmp_path: Path) -> None:
    names = [f"{name}1 & {name}2" for name in "ABCDEFGH"]
    office = evening(tmp_path / "t", names, "tuppi", pools=2, through=2)
    _play(office, "1", "2", "3")
    office.act("Ellen", "withdrawn", number=1, round="C1", game=1)
    state = office.plan("Ellen").tournament
    assert sorted(n for table in state.rounds["C1"].tables for n in table) == [2, 3, 4, 5]
    state = office.act("Ellen", "withdrawn", number=3, round="C1", game=1).tournament
    assert [state.slip(key).state for key, seats in state.tables() if 3 in seats and key[0] == "C"] == [
        "accepted"
    ]


def test_final_has_one_pair_if_both_winners_of_a_half_leave(tmp_path: Path) -> None:
    names = [f"{name}1 & {name}2" for name in "ABCDEFGH"]
    office = evening(tmp_path / "t", names, "tuppi", pools=0)
    _play(office, "C1")
    state = office.open().tournament
    winners = [min(seats) for _, seats in state.tables()]
    for number in winners[:2]:
        office.act("Ellen", "withdrawn", number=number, round="C2", game=1)
    state = office.plan("Ellen").tournament
    assert state.rounds["C2"].tables[0] == ()
    with pytest.raises(Refusal, match=r"nobody sits at table C2\.1"):
        state.seats("C2.1")
    _play(office, "C2")
    state = office.plan("Ellen").tournament
    assert state.rounds["C3"].tables == ((min(winners[2:]),),)
    assert rows(state)[0].number == min(winners[2:])
    assert office.act("Ellen", "published").tournament.frozen


@pytest.mark.clause("T-CATT-06", "T-WIKT-06")
def test_communication_is_a_penalty_by_rule(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", PAIRS[:2], "tuppi")
    for rule in ("T-CATT-06", "T-WIKT-06"):
        office.act("Ellen", "penalty", number=1, rule=rule, table="1.1", reason="a wink")
    state = office.act("Ellen", "penalty", number=1, rule="I6", points=-1, reason="again").tournament
    assert [one.rule for one in state.penalties] == ["T-CATT-06", "T-WIKT-06", "I6"]
    assert {row.number: row for row in rows(state)}[1].cells[0] == -1


def test_two_pairs_a_table_and_pools_of_two(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", PAIRS, "tuppi", pools=2, plan=False)
    with pytest.raises(Refusal, match="two pairs meet at a table"):
        office.act("Ellen", "planned", rounds={"1": [[1, 2, 3], [4]]})
    with pytest.raises(Refusal, match="pairs of two pools meet only in the cup"):
        office.act("Ellen", "planned", rounds={"1": [[1, 2], [3, 4]]})
    crowded = evening(tmp_path / "s", PAIRS, "tuppi", pools=3, plan=False)
    with pytest.raises(Refusal, match="4 pairs are too few for 3 pools"):
        crowded.plan("Ellen")
    with pytest.raises(Refusal, match="has no play-offs"):
        crowded.stechen("Ellen")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "result: the slip is empty"),
        (("32:28",), "peaks: write two numbers"),
        (("32:28", "peaks=16:20"), "hands: say how many hands"),
        (("32:28", "peaks=16:20", "hands=16", "winner=C"), "winner: the winner is A or B"),
        (("32:28", "30:28", "peaks=16:20", "hands=16"), "result: 30:28 does not belong here"),
        (("32:x", "peaks=16:20", "hands=16"), "totals: write two numbers"),
        (("A8", "Q"), "hand 2: Q is not a hand"),
    ],
)
def test_impossible_slips_are_refused(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    office = evening(tmp_path / "t", PAIRS[:2], "tuppi")
    with pytest.raises(Refusal) as raised:
        office.slip("Ellen", "1.1", words)
    assert str(raised.value).startswith(said)


def test_a_result_that_does_not_follow_from_its_hands_is_refused(tmp_path: Path) -> None:
    """A log written by hand cannot hold a wrong winner."""
    office = evening(tmp_path / "t", PAIRS[:2], "tuppi")
    state = office.open().tournament
    result = dict(state.format.slips.parse(state, "1.1", ("A28", "A28")).to_json())
    for wrong in ({"winner": 1}, {"total": [56, 4]}, {"hands": 3}):
        with pytest.raises(Refusal, match="does not follow from the hands"):
            office.act("Ellen", "slip", table="1.1", result={**result, **wrong})
