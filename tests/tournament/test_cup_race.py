"""The race for the cup is computed anew after every ruling, correction and withdrawal (TU-ZK-I4)."""

from pathlib import Path

import pytest

from nousu.tournament.messages import Refusal, plain
from nousu.tournament.model import Tournament
from nousu.tournament.office import Office
from nousu.tournament.verify import verify
from tournament_fixtures import evening, rows, settle, settle_all, to_do, why


def _four(path: Path) -> tuple[Office, tuple[int, int, int, int]]:
    """One table of four, one series; a and b level at the top with 8 points, c and d with 3."""
    office = evening(path, ["Ada", "Bea", "Cid", "Dag"], series=1)
    state = settle(office, "1.1", "abcd", "badc")
    a, b, c, d = state.seats("1.1")
    return office, (a, b, c, d)


def _ruling(office: Office, number: int, points: int) -> Tournament:
    return office.act("Ellen", "penalty", number=number, rule="I6", points=points, reason="ruling").tournament


def _cup(state: Tournament) -> str:
    return plain(state.format.standings(state).notes[0])


@pytest.mark.clause("TU-ZK-I3", "TU-ZK-I4")
def test_a_ruling_after_the_stechen_takes_the_cup_from_who_is_no_longer_level(tmp_path: Path) -> None:
    """b wins the Stechen, then loses a point: a alone is first and takes the cup."""
    office, (a, b, _, _) = _four(tmp_path / "t")
    office.stechen("Ellen")
    state = settle(office, "S1.1", "ba" if office.open().tournament.seats("S1.1")[0] == a else "ab")
    assert _cup(state) == f"The cup goes to {state.who(b)}. [TU-ZK-I3]"
    state = _ruling(office, b, -1)
    assert [row.number for row in rows(state)][:2] == [a, b]
    assert _cup(state) == f"The cup goes to {state.who(a)}. [TU-ZK-I3]"
    assert "won the Stechen" not in " ".join(map(why, rows(state)))
    state = office.act("Ellen", "published").tournament
    assert state.frozen and state.format.standings(state).cup == ()
    assert all(check.good for check in verify(office.open()))


@pytest.mark.clause("TU-ZK-I4")
def test_a_third_person_who_draws_level_makes_a_new_stechen(tmp_path: Path) -> None:
    office, (a, b, c, _) = _four(tmp_path / "t")
    office.stechen("Ellen")
    settle(office, "S1.1", "ab")
    first = office.open().tournament.seats("S1.1")[0]
    state = _ruling(office, c, +5)
    assert [row.rank for row in rows(state)] == [1, 1, 1, 4]
    with pytest.raises(Refusal, match="are level at the top; a play-off"):
        office.act("Ellen", "published")
    state = office.stechen("Ellen").tournament
    assert sorted(state.seats("S2.1")) == sorted((a, b, c))
    with pytest.raises(Refusal, match="Stechen S1 no longer decides"):
        office.correct("Ellen", "S1.1", ("ba",), "misread")
    state = settle(office, "S2.1", "cab" if state.seats("S2.1")[2] == c else "bac")
    third = state.seats("S2.1")[2] if state.seats("S2.1")[2] == c else state.seats("S2.1")[1]
    assert _cup(state).startswith(f"The cup goes to {state.who(third)}")
    state = _ruling(office, c, -1)  # and back: the first Stechen counts again
    assert _cup(state).startswith(f"The cup goes to {state.who(first)}")
    assert office.act("Ellen", "published").tournament.frozen


def test_an_unplayed_stechen_of_others_blocks_nothing_and_takes_no_slip(tmp_path: Path) -> None:
    office, (a, b, _, _) = _four(tmp_path / "t")
    office.stechen("Ellen")
    state = _ruling(office, b, -1)
    assert state.missing() == () and state.format.void(state) == {"S1"}
    with pytest.raises(Refusal, match="Stechen S1 no longer decides"):
        office.slip("Ellen", "S1.1", ("ab",))
    assert "Stechen S1 no longer decides" in plain(state.format.standings(state).notes[1])
    assert office.act("Ellen", "published").tournament.frozen
    assert _cup(state).startswith(f"The cup goes to {state.who(a)}")


def test_stechen_is_planned_for_level_people_only(tmp_path: Path) -> None:
    office, (a, b, c, _) = _four(tmp_path / "t")
    for seats in ([a, c], [a, b, c]):
        with pytest.raises(Refusal, match="is played by exactly those who are level"):
            office.act("Ellen", "planned", rounds={"S1": [seats]})


def test_a_correction_after_publishing_that_makes_a_tie_leads_to_a_stechen(tmp_path: Path) -> None:
    """Two persons correct, the tie is published, the Stechen is played, the next revision names the cup."""
    office = evening(tmp_path / "t", ["Ada", "Bea", "Cid", "Dag"], series=1)
    settle(office, "1.1", "abcd", "abcd")
    office.act("Ellen", "published")
    entry = len(office.correct("Ellen", "1.1", ("abcd", "badc"), "misread").log.events)
    state = office.act("Uwe", "seconded", entry=entry).tournament
    assert [one.revision for one in state.publications] == [1, 2]
    assert any("Stechen" in note for note in to_do(state))
    with pytest.raises(Refusal, match="decides who gets the cup"):
        office.act("Ellen", "published")
    with pytest.raises(Refusal, match="the result is published"):
        office.act("Ellen", "planned", rounds={"1": [[1, 2, 3, 4]]})
    office.stechen("Ellen")
    office.act("Ellen", "printed", tables=["S1.1"])
    with pytest.raises(Refusal, match="1 slip is missing"):
        office.act("Ellen", "published")
    state = settle(office, "S1.1", "ba")
    state = office.act("Ellen", "published").tournament
    assert [one.revision for one in state.publications] == [1, 2, 3]
    assert len({one.digest for one in state.publications}) == 3
    assert state.format.standings(state).cup == (state.seats("S1.1")[1],)
    with pytest.raises(Refusal, match="nothing has changed since"):
        office.act("Ellen", "published")
    assert all(check.good for check in verify(office.open()))


def test_stechen_is_for_the_others_if_one_goes_home_before(tmp_path: Path) -> None:
    """Of two who are level one leaves: the other has the cup; both gone: they share it."""
    office, (a, b, _, _) = _four(tmp_path / "t")
    office.stechen("Ellen")
    state = office.act("Ellen", "withdrawn", number=a, round="S1", game=1).tournament
    assert state.missing() == () and state.format.standings(state).cup == (b,)
    state = office.act("Ellen", "withdrawn", number=b, round="S1", game=1).tournament
    assert set(state.format.standings(state).cup) == {a, b}
    assert "share the cup" in _cup(state)
    with pytest.raises(Refusal, match="nothing to play off"):
        office.stechen("Ellen")
    assert office.act("Ellen", "published").tournament.frozen


def test_winner_of_the_stechen_keeps_the_cup_after_going_home(tmp_path: Path) -> None:
    office, _ = _four(tmp_path / "t")
    office.stechen("Ellen")
    state = settle(office, "S1.1", "ab")
    won = state.seats("S1.1")[0]
    state = office.act("Ellen", "withdrawn", number=won, round="S2", game=1).tournament
    assert state.format.standings(state).cup == (won,)


def test_a_winner_of_the_first_stechen_corrected_after_the_second_was_planned(tmp_path: Path) -> None:
    """Nine level: three tables, then their winners; another winner of a first table, another last table."""
    office = evening(
        tmp_path / "t", [f"P{n}" for n in range(9)], series=1, games=1, place_points=(5, 5, 5, 5, 5)
    )
    settle_all(office)
    office.stechen("Ellen")
    settle_all(office)
    office.stechen("Ellen")
    office.correct("Ellen", "S1.1", ("bacde"[: len(office.open().tournament.seats("S1.1"))],), "misread")
    office.confirm("Uwe", "S1.1")
    office.act("Ellen", "accepted", tables=["S1.1"])
    state = office.open().tournament
    assert state.format.void(state) == {"S2"}
    state = office.stechen("Ellen").tournament
    assert state.seats("S1.1")[1] in state.seats("S3.1")
    settle_all(office)
    assert office.act("Ellen", "published").tournament.frozen


def test_figures_do_not_fit_a_stechen_of_more_than_the_list_has_places(tmp_path: Path) -> None:
    """Six at one table of the Stechen: places by letters; five figures cannot say six places."""
    office = evening(
        tmp_path / "t", [f"P{n}" for n in range(6)], series=1, games=1, place_points=(1, 1, 1, 1, 1)
    )
    settle_all(office)
    office.stechen("Ellen")
    with pytest.raises(Refusal, match="write them by letters"):
        office.slip("Ellen", "S1.1", ("1,1,1,1,1,0",))
    settle(office, "S1.1", "fedcba")
    assert office.act("Ellen", "published").tournament.frozen
