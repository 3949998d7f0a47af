"""Tuppen evenings: places, points, deaths, penalties, withdrawals, ties and the Stechen, from the rules."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nousu.tournament.draw import draw
from nousu.tournament.formats.tuppen import TuppenSeries
from nousu.tournament.formats.tuppen_slip import Death, order_of_deaths
from nousu.tournament.history import tournament
from nousu.tournament.messages import Refusal, plain
from nousu.tournament.office import Office
from nousu.tournament.seating.quality import figures
from tournament_fixtures import evening, rows, settle, settle_all, to_do, why


def _table(path: Path, people: int, **options: Any) -> tuple[Office, list[str]]:
    """One table and one series; the names in seat order."""
    names = [f"{name}" for name in ("Ada", "Bea", "Cid", "Dag", "Eva")[:people]]
    office = evening(path, names, series=1, **options)
    state = office.open().tournament
    return office, [state.who(one) for one in state.seats("1.1")]


def _points(office: Office) -> dict[str, int | str]:
    return {row.name: row.cells[0] for row in rows(office.open().tournament)}


@pytest.mark.clause("TU-ZK-I1a", "TU-ZK-I1b")
@pytest.mark.parametrize(("people", "points"), [(5, (5, 3, 2, 1, 0)), (4, (5, 3, 2, 1)), (3, (5, 3, 2))])
def test_u7_points_by_places(tmp_path: Path, people: int, points: tuple[int, ...]) -> None:
    """A-U-24: five, four and three at a table; both games of the series count."""
    office, seats = _table(tmp_path / "t", people)
    settle(office, "1.1", "abcde"[:people], "edcba"[-people:])
    assert _points(office) == {name: points[at] + points[people - 1 - at] for at, name in enumerate(seats)}


@pytest.mark.clause("TU-ZK-III4b")
def test_u6_two_die_in_one_hand(tmp_path: Path) -> None:
    """Four alive, two die together; the winner of the play-off hand is third, the loser fourth."""
    office, (a, b, c, d) = _table(tmp_path / "t", 4, games=1)
    state = settle(office, "1.1", "-d=c,b")
    assert _points(office) == {a: 5, b: 3, d: 2, c: 1}
    answer = [plain(note) for note in state.format.slips.describe(state, "1.1", state.slip("1.1").result)]
    assert answer[1] == f"{d}, {c} out together and played off: places 3 to 4 in this order [TU-ZK-III4b]"


@pytest.mark.clause("TU-ZK-III3b", "TU-ZK-III4a")
def test_u13_two_become_poor_together(tmp_path: Path) -> None:
    """Y and Z become poor together and play off: the loser is fourth of four, P plays on."""
    office, (p, x, y, z) = _table(tmp_path / "t", 4, games=1)
    settle(office, "1.1", "-d,b,c")
    assert _points(office) == {p: 5, y: 3, x: 2, z: 1}


@pytest.mark.clause("TU-ZK-IV1", "TU-ZK-IV7")
def test_u14_a_penalty_death_takes_the_worst_place_at_once(tmp_path: Path) -> None:
    """E revokes and is fifth at once; then C and D die together and play off third and fourth."""
    office, (a, b, c, d, e) = _table(tmp_path / "t", 5, games=1)
    state = settle(office, "1.1", "-e!IV7,c=d,b")
    assert _points(office) == {a: 5, b: 3, c: 2, d: 1, e: 0}
    answer = [plain(note) for note in state.format.slips.describe(state, "1.1", state.slip("1.1").result)]
    assert answer[1:] == [
        f"{e} out by a penalty (IV7): place 5 at once [A-U-21]",
        f"{c}, {d} out together and played off: places 3 to 4 in this order [TU-ZK-III4b]",
        f"{b} out: place 2, the worst still open [TU-ZK-III4a]",
    ]


def test_several_penalty_deaths_rank_in_the_order_booked(tmp_path: Path) -> None:
    """A-U-21: who is booked first is worse; three dead at once fill three places."""
    office, (a, b, c, d, e) = _table(tmp_path / "t", 5, games=1)
    settle(office, "1.1", "-b!IV4,a!IV6,d=e")
    assert _points(office) == {c: 5, d: 3, e: 2, a: 1, b: 0}
    assert order_of_deaths([Death((2, 3, 4))], [1, 2, 3, 4]) == (1, 2, 3, 4)


@pytest.mark.clause("TU-ZK-I5")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("abcd",), "result: 1 game is given, the slip has 2"),
        (("abcd", "abce"), "game 2: there is no seat e at this table; it has a to d"),
        (("abcc", "abcd"), "game 1: {c} (seat c) has two places"),
        (("abc", "abcd"), "game 1: {d} (seat d) has no place"),
        (("5,5,2,1", "abcd"), "game 1: two winners: {a}, {b} have 5 points each [TU-ZK-I1b]"),
        (("5,3,2,2", "abcd"), "game 1: 4 players share 11, but the points add up to 12 [TU-ZK-I1b]"),
        (("5,2,2,2", "abcd"), "game 1: the points must be 5, 3, 2, 1, each once [TU-ZK-I1b]"),
        (("5,3,2", "abcd"), "game 1: 3 figures are given, but the table has 4 seats"),
        (("5,3,2,x", "abcd"), "game 1: x is not a number of points"),
        (("abcd", "-d!XX,c,b"), "game 2: there is no penalty XX on the sheet"),
        (("abcd", "-d=c!IV4,b"), "game 2: players go out by penalties one by one"),
        (("abcd", "-d,d,c"), "game 2: {d} (seat d) has two places"),
        (("abcd", "-d"), "game 2: still in: 3; say who went out until one is left"),
        (("abcd", "-d,c,b,a"), "game 2: still in: 0"),
    ],
)
def test_impossible_slips_are_refused(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    office, seats = _table(tmp_path / "t", 4)
    before = office.path.read_bytes()
    with pytest.raises(Refusal) as raised:
        office.slip("Ellen", "1.1", words)
    assert str(raised.value).startswith(said.format(**dict(zip("abcd", seats, strict=True))))
    assert office.path.read_bytes() == before


def test_a_table_or_player_that_is_not_there(tmp_path: Path) -> None:
    office, _ = _table(tmp_path / "t", 4)
    for table in ("1.2", "2.1", "x", "1.", "1.0", "1.-1", "S1.1"):
        with pytest.raises(Refusal, match="there is no table"):
            office.slip("Ellen", table, ("abcd", "abcd"))
    state = office.open().tournament
    with pytest.raises(Refusal, match="does not sit at table"):
        office.act(
            "Ellen", "slip", table="1.1", result={"games": [{"order": [9, 1, 2, 3]}, {"order": [1, 2, 3, 4]}]}
        )
    with pytest.raises(Refusal, match="there is no player Zoe"):
        state.find("Zoe")
    with pytest.raises(Refusal, match="there is no number 9"):
        state.find("9")


@pytest.mark.clause("TU-ZK-I3")
def test_equal_sums_share_the_rank(tmp_path: Path) -> None:
    """Competition ranking 1, 2, 2, 4, with a sentence beside the shared rank."""
    office, (a, b, c, d) = _table(tmp_path / "t", 4)
    settle(office, "1.1", "abcd", "acbd")
    found = rows(office.open().tournament)
    assert [(row.rank, row.cells[0]) for row in found] == [(1, 10), (2, 5), (2, 5), (4, 2)]
    assert why(found[1]) == f"Shares place 2 with {found[2].name}: the same points. [TU-ZK-I3]"
    assert why(found[0]) == why(found[3]) == ""
    assert {row.name for row in found} == {a, b, c, d}


@pytest.mark.clause("TU-ZK-I3", "TU-ZK-I4")
def test_u11_a_stechen_for_the_cup_only(tmp_path: Path) -> None:
    """Two tied leaders play one game; the loser keeps points and rank and is second for the cup."""
    office, (a, b, _, _) = _table(tmp_path / "t", 4)
    settle(office, "1.1", "abcd", "badc")
    state = office.open().tournament
    assert [row.rank for row in rows(state)] == [1, 1, 3, 3]
    with pytest.raises(Refusal, match="decides who gets the cup"):
        office.act("Ellen", "published")
    state = office.stechen("Ellen").tournament
    assert {state.who(one) for one in state.seats("S1.1")} == {a, b}
    winner = state.who(state.seats("S1.1")[1])
    loser = state.who(state.seats("S1.1")[0])
    with pytest.raises(Refusal, match="still being played"):
        office.stechen("Ellen")
    state = settle(office, "S1.1", "ba")
    found = {row.name: row for row in rows(state)}
    assert found[winner].cells == found[loser].cells == (8, 8)
    assert found[winner].rank == found[loser].rank == 1
    assert why(found[winner]).endswith(
        "Takes the cup: won the Stechen. The published points stay as they are. [TU-ZK-I4]"
    )
    assert "Second for the cup" in why(found[loser])
    assert plain(state.format.standings(state).notes[0]) == f"The cup goes to {winner}. [TU-ZK-I3]"
    with pytest.raises(Refusal, match="has the cup"):
        office.stechen("Ellen")
    assert office.act("Ellen", "published").tournament.frozen


def test_more_than_eight_level_at_the_top_are_split_by_draw(tmp_path: Path) -> None:
    """A-U-25: nine leaders play at tables of three to five drawn by lot; the winners meet."""
    office = evening(
        tmp_path / "t", [f"P{n}" for n in range(9)], series=1, games=1, place_points=(5, 5, 5, 5, 5)
    )
    state = office.open().tournament
    for table in state.missing():
        settle(office, table, "abcde"[: len(state.seats(table))])
    assert {row.rank for row in rows(office.open().tournament)} == {1}
    state = office.stechen("Ellen").tournament
    sizes = [len(table) for table in state.rounds["S1"].tables]
    assert sum(sizes) == 9 and set(sizes) <= {3, 4, 5}
    names = [state.who(number) for number in range(1, 10)]
    lot = draw(state.seed, names, "Stechen S1")
    assert [number for table in state.rounds["S1"].tables for number in table] == [at + 1 for at in lot]
    for table in state.missing():
        settle(office, table, "abcde"[: len(state.seats(table))])
    state = office.stechen("Ellen").tournament
    assert sorted(state.seats("S2.1")) == sorted(table[0] for table in state.rounds["S1"].tables)
    settle(office, "S2.1", "ba")
    assert office.act("Ellen", "published").tournament.frozen


def test_eight_level_play_at_one_table(tmp_path: Path) -> None:
    """A-U-25: up to eight share one table, more than five only here."""
    office = evening(
        tmp_path / "t", [f"P{n}" for n in range(8)], series=1, games=1, place_points=(5, 5, 5, 5, 5)
    )
    settle_all(office)
    state = office.stechen("Ellen").tournament
    assert len(state.seats("S1.1")) == 8
    settle(office, "S1.1", "hgfedcba")
    assert office.act("Ellen", "published").tournament.frozen


def test_tie_stays_without_a_cup(tmp_path: Path) -> None:
    office, _ = _table(tmp_path / "t", 4, cup=False)
    settle(office, "1.1", "abcd", "badc")
    with pytest.raises(Refusal, match="no cup"):
        office.stechen("Ellen")
    assert office.act("Ellen", "published").tournament.frozen


def test_a_withdrawal_in_the_middle_of_a_series(tmp_path: Path) -> None:
    """Remaining games count as last place with 0 points.

    The others' places are computed without him. A table left with two pays 5 and 3.
    """
    office, (a, b, c) = _table(tmp_path / "t", 3)
    state = office.open().tournament
    office.act("Ellen", "withdrawn", number=state.find(b), round="1", game=2, reason="ill")
    with pytest.raises(Refusal, match=f"game 2: {b} has withdrawn and has no place"):
        office.slip("Ellen", "1.1", ("bac", "acb"))
    with pytest.raises(Refusal, match="gets no points; write - there"):
        office.slip("Ellen", "1.1", ("bac", "5,3,2"))
    office.slip("Ellen", "1.1", ("bac", "3,-,5"))
    office.confirm("Uwe", "1.1")
    assert _points(office) == {a: 3 + 3, b: 5, c: 2 + 5}


def test_withdrawals_and_late_arrivals_reseat_only_the_future(tmp_path: Path) -> None:
    """A person leaves after series 1, another comes: series 1 stays as it is, the rest is planned anew."""
    office = evening(tmp_path / "t", [f"P{n}" for n in range(16)], series=4)
    first = office.open().tournament.rounds["1"]
    office.act("Ellen", "printed", tables=list(first.names()))
    for table in first.names():
        settle(office, table, "abcd", "dcba")
    state = office.act("Ellen", "withdrawn", number=3, round="2", game=1, reason="home").tournament
    with pytest.raises(Refusal, match="round 1 already has slips"):
        office.plan("Ellen", start="1", seconds=0.1)
    from nousu.tournament.people import from_text

    state = office.enter("Ellen", from_text("Latecomer").given).tournament
    assert state.who(17) == "Latecomer"
    assert any(f"no longer fits from round 2 on ({state.who(3)}, Latecomer)" in note for note in to_do(state))
    state = office.plan("Ellen", seconds=0.3).tournament
    assert state.rounds["1"] == first
    for label in "234":
        seated = sorted(number for table in state.rounds[label].tables for number in table)
        assert seated == [number for number in range(1, 18) if number != 3]
    assert figures(state).repeats == 0
    for table in state.missing():
        settle(office, table, *["abcd"[: len(state.seats(table))]] * 2)
    found = {row.number: row for row in rows(office.open().tournament)}
    assert found[3].cells[1:] == (found[3].cells[0], "", "", "")
    assert found[17].cells[1] == ""


@pytest.mark.clause("TU-ZK-I6", "TU-ZK-IV2", "TU-ZK-IV8")
def test_penalties_by_rule_number(tmp_path: Path) -> None:
    """A penalty point is paid on the die and only noted; a ruling changes tournament points and says why."""
    office, (a, b, *_) = _table(tmp_path / "t", 4)
    state = office.open().tournament
    number = state.find(a)
    with pytest.raises(Refusal, match="rule: XX is not a rule"):
        office.act("Ellen", "penalty", number=number, rule="XX", table="1.1")
    with pytest.raises(Refusal, match="say at which table"):
        office.act("Ellen", "penalty", number=number, rule="IV2")
    with pytest.raises(Refusal, match="is paid at the table"):
        office.act("Ellen", "penalty", number=number, rule="IV2", table="1.1", points=-1)
    with pytest.raises(Refusal, match="say why"):
        office.act("Ellen", "penalty", number=number, rule="I6", points=-2)
    office.act("Ellen", "penalty", number=number, rule="IV2", table="1.1", game=1)
    state = office.act("Ellen", "penalty", number=number, rule="I6", points=-2, reason="rude").tournament
    settle(office, "1.1", "abcd", "abcd")
    state = office.open().tournament
    found = {row.name: row for row in rows(state)}
    assert found[a].cells == (8, 10, -2) and found[b].cells == (6, 6, "")
    assert why(found[a]) == "Director’s ruling: -2 (rude). [I6]"
    assert [one.rule for one in state.penalties] == ["IV2", "I6"]


def test_the_lowest_sum_may_win_and_teams_count_their_best(tmp_path: Path) -> None:
    office = evening(
        tmp_path / "t", ["Ada;ZK", "Bea;ZK", "Cid;ZK", "Dag;TV"], series=1, lowest=True, teams=2, cup=False
    )
    settle(office, "1.1", "abcd", "abcd")
    state = office.open().tournament
    singles, teams = rows(state), rows(state, 1)
    assert [row.cells[0] for row in singles] == [2, 4, 6, 10]
    points = {row.name: row.cells[0] for row in singles}
    zk = sorted(int(points[name]) for name in ("Ada", "Bea", "Cid"))[:2]
    expected = [("ZK", sum(zk), 2), ("TV", int(points["Dag"]), 1)]  # a team of one cannot win by being small
    assert [(row.name, *row.cells) for row in teams] == expected


def test_a_table_needs_three_to_five(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", [f"P{n}" for n in range(8)], series=1, plan=False)
    for tables, said in (
        ([[1, 2], [3, 4, 5], [6, 7, 8]], "a table of 2; tables have 3 to 5"),
        ([[1, 2, 3, 4], [5, 6, 7]], "has no seat in round 1"),
        ([[1, 2, 3, 4], [5, 6, 7, 7]], "number 7 sits twice"),
        ([[1, 2, 3, 4], [5, 6, 7, 9]], "number 9 does not play"),
    ):
        with pytest.raises(Refusal, match=said):
            office.act("Ellen", "planned", rounds={"1": tables})
    with pytest.raises(Refusal, match="there is 1 series"):
        office.act("Ellen", "planned", rounds={"2": [[1, 2, 3, 4], [5, 6, 7, 8]]})


def test_options_are_checked(subtests: pytest.Subtests) -> None:
    for options, said in [
        ({"series": 0}, "series is 0; it must be between 1 and 30"),
        ({"most": 6}, "a table of 6 needs as many place points; given: 5"),
        ({"series": "five"}, "series cannot be five"),
        ({"colour": 1}, "there is no option colour here"),
        ({"preset": "skat"}, "preset: there is no preset ‘skat’"),
        ({"preset": "tuppi"}, "not a rule set for a Tuppen tournament"),
        ({"preset": "tuppen_zk+dead_playoff=off"}, "must play off the places"),
        ({"preset": "siebenschraem_halves"}, "do not know game_form"),
        ({"preset": "tuppen_zk+last_jack=on"}, "do not know last_jack"),
        ({"place_points": [5, "x"]}, "place_points cannot be"),
        ({"lowest": 1}, "lowest cannot be 1"),
    ]:
        with subtests.test(options=options, said=said), pytest.raises(Refusal, match=said):
            TuppenSeries.from_json(options)


@given(st.permutations(range(5)), st.lists(st.booleans(), min_size=4, max_size=4))
@settings(max_examples=60)
def test_places_from_deaths_are_a_permutation(order: list[int], together: list[bool]) -> None:
    """However four of five die, alone or together, the places are 1 to 5 and later deaths rank better."""
    *dying, winner = order
    deaths: list[Death] = []
    for number, with_last in zip(dying, together, strict=True):
        if with_last and deaths:
            deaths[-1] = Death((*deaths[-1].players, number))
        else:
            deaths.append(Death((number,)))
    places = order_of_deaths(deaths, range(5))
    assert sorted(places) == list(range(5)) and places[0] == winner
    for earlier, later in pairwise(deaths):
        assert min(map(places.index, earlier.players)) > max(map(places.index, later.players))


def test_figures_of_an_ascending_list_are_read_by_the_list(tmp_path: Path) -> None:
    """lowest=yes with 0, 1, 2, 3, 5: the winner has typed 0 and keeps it, nobody is mirrored."""
    office, (a, b, c, d) = _table(
        tmp_path / "t", 4, lowest=True, cup=False, place_points=(0, 1, 2, 3, 5), games=2
    )
    settle(office, "1.1", "0,1,2,3", "1032")
    assert _points(office) == {a: 1, b: 1, c: 5, d: 5}
    with pytest.raises(Refusal, match="two winners"):
        office.correct("Ellen", "1.1", ("0,0,2,3", "1032"), "x")


def test_figures_without_commas(tmp_path: Path) -> None:
    """5321 is 5,3,2,1; with points of two digits commas stay needed."""
    office, (a, b, c, d) = _table(tmp_path / "t", 4)
    settle(office, "1.1", "5321", "1235")
    assert _points(office) == {a: 6, b: 5, c: 5, d: 6}
    other, _ = _table(tmp_path / "s", 4, place_points=(12, 6, 4, 2, 1))
    with pytest.raises(Refusal, match="1 figure is given, but the table has 4 seats"):
        other.slip("Ellen", "1.1", ("12642", "12642"))
    other.slip("Ellen", "1.1", ("12,6,4,2", "2,4,6,12"))


def test_figures_that_can_be_places_need_commas(tmp_path: Path) -> None:
    """Four points for the winner: 1243 is c first as points, and a first as places."""
    office, (a, b, c, d) = _table(tmp_path / "t", 4, place_points=(4, 3, 2, 1, 0))
    for word in ("1243", "4321"):
        with pytest.raises(Refusal, match=f"{word} can be places as well as points"):
            office.slip("Ellen", "1.1", (word, "abcd"))
    settle(office, "1.1", "1,2,4,3", "cdba")
    assert _points(office) == {a: 2, b: 4, c: 8, d: 6}


@pytest.mark.clause("TU-ZK-I1b")
def test_leaver_cannot_win_where_the_lowest_sum_wins(tmp_path: Path) -> None:
    """Missed games count as the worst place's points, and people who withdrew are behind all others.

    Who comes late has missed games too.
    """
    office = evening(
        tmp_path / "t", [f"P{n}" for n in range(8)], series=2, games=1, lowest=True,
        place_points=(0, 1, 2, 3, 5), teams=1,
    )  # fmt: skip
    state = office.open().tournament
    for table in [key for key in state.missing() if key[0] == "1"]:
        settle(office, table, "abcde"[: len(state.seats(table))])
    best = state.seats("1.1")[0]
    office.act("Ellen", "withdrawn", number=best, round="2", game=1)
    from nousu.tournament.people import from_text

    office.enter("Ellen", from_text("Late Lena;TV").given)
    state = office.plan("Ellen", seconds=0.2).tournament
    for table in state.missing():
        settle(office, table, "abcde"[: len(state.seats(table))])
    found = {row.number: row for row in rows(office.open().tournament)}
    assert found[best].rank == 9 and found[best].cells == (5, 0, 5)
    assert "ranked behind all who finished" in why(found[best])
    assert found[9].cells[1] == 5 and found[9].rank > 1
    names = [row.name for row in rows(office.open().tournament, 1)]
    assert names == ["TV"]


def test_a_withdrawal_in_mid_series_counts_the_missed_game_as_the_worst(tmp_path: Path) -> None:
    office, (a, b, c) = _table(tmp_path / "t", 3, lowest=True, place_points=(0, 1, 2, 3, 5), cup=False)
    state = office.open().tournament
    office.act("Ellen", "withdrawn", number=state.find(a), round="1", game=2)
    settle(office, "1.1", "abc", "-01")
    assert _points(office) == {a: 0 + 5, b: 1 + 0, c: 2 + 1}
    assert [row.name for row in rows(office.open().tournament)] == [b, c, a]


def test_a_table_that_everybody_has_left_needs_no_slip(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", [f"P{n}" for n in range(8)], series=2, games=1, cup=False)
    state = office.open().tournament
    for table in [key for key in state.missing() if key[0] == "1"]:
        settle(office, table, "abcd")
    gone = state.seats("2.1")
    for number in gone:
        office.act("Ellen", "withdrawn", number=number, round="2", game=1)
    assert office.open().tournament.missing() == ("2.2",)
    settle(office, "2.2", "abcd")
    assert office.act("Ellen", "published").tournament.frozen


def test_slips_printed_begin_nothing(tmp_path: Path) -> None:
    """All slips are printed early; a round begins with its first result, or as the director says."""
    office = evening(tmp_path / "t", [f"P{n}" for n in range(8)], series=3, games=1)
    state = office.act("Ellen", "printed", tables=list(office.open().tournament.missing())).tournament
    assert (state.next_round(), state.round_to_find()) == ("1", "1")
    settle(office, "1.1", "abcd")
    state = office.open().tournament
    assert (state.next_round(), state.round_to_find()) == ("2", "2")
    settle(office, "1.2", "abcd")
    state = office.act("Ellen", "begun", round="2").tournament
    assert (state.next_round(), state.round_to_find()) == ("3", "2"), "people still look for their tables"
    assert [label for label in state.rounds if state.has_begun(label)] == ["1", "2"]
    with pytest.raises(Refusal, match="round 9 is not planned"):
        office.act("Ellen", "begun", round="9")
    state = office.undo("Ellen").tournament
    assert state.next_round() == "2"


def test_slips_printed_by_an_earlier_version_begin_a_round(tmp_path: Path) -> None:
    """A log of an earlier version means what it meant: what its later lines build on."""
    office = evening(tmp_path / "t", [f"P{n}" for n in range(8)], series=3, games=1)
    tables = list(office.open().tournament.missing())
    new = office.act("Ellen", "printed", tables=tables)
    old = {name: value for name, value in new.log.events[-1].items() if name != "begins"}
    state = tournament([*new.log.events[:-1], old])
    assert state.next_round() == "2" and state.round_to_find() == "1"


def test_round_to_find_returns_after_a_new_plan(tmp_path: Path) -> None:
    """A round whose tables change has not begun."""
    office = evening(tmp_path / "t", [f"P{n}" for n in range(8)], series=3, games=1)
    office.act("Ellen", "begun", round="1")
    assert office.open().tournament.next_round() == "2"
    a, b = (office.open().tournament.seats(table)[0] for table in ("1.1", "1.2"))
    assert office.swap("Ellen", "1", str(a), str(b)).tournament.next_round() == "1"


def test_joining_ends_when_all_series_have_begun(tmp_path: Path) -> None:
    from nousu.tournament.people import from_text

    office, _ = _table(tmp_path / "t", 4)
    settle(office, "1.1", "abcd", "abcd")
    with pytest.raises(Refusal, match="all rounds have begun"):
        office.enter("Ellen", from_text("Latecomer").given)


def test_a_rank_that_many_share_names_a_few_of_them(tmp_path: Path) -> None:
    office = evening(tmp_path / "many.nousu", [f"Player {at}" for at in range(1, 13)])
    (first, *_) = rows(office.open().tournament)
    assert why(first).count("Player") == 8 and "… (11): the same points" in why(first)
