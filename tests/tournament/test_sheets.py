"""The score sheet of a Tuppi match: golden vectors of the rules, reasons, impossible figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nousu.tournament.drive_families.whist import bounds, trick_points
from nousu.tournament.messages import Refusal
from nousu.tournament.score_sheet import (
    SheetMatch,
    from_totals,
    hand_points,
    play_sheet,
    whist_rules,
    with_names,
)

SUM = whist_rules("tuppi_tournament")
PEAK = whist_rules("tuppi_tournament_catsatcards")

T9 = ["A8", "A8", "B", "B12", "B8", "A", "A8", "B", "B4", "A", "A4", "B", "A4", "B", "B4", "A"]
T16 = ["A8", "A8", "B", "B8", "B8", "A", "A8", "B", "B4", "A", "A4", "B", "A4", "B", "B4", "B4"]


def _match(words: list[str], rules: object = SUM) -> SheetMatch:
    return play_sheet(rules, words)[1]  # type: ignore[arg-type]


def test_t9_sum_and_peak_name_different_winners() -> None:
    """Sum A 32 : B 28 gives A; peak A 16 : B 20 gives B. Hand 16 topples: no extension."""
    by_sum = _match(T9)
    assert (by_sum.winner, by_sum.total, by_sum.peak, by_sum.hands) == (0, (32, 28), (16, 20), 16)
    assert by_sum.reason.clause == "T-WIKT-03"
    by_peak = _match(T9, whist_rules("tuppi_tournament_catsatcards+low_points=4"))
    assert (by_peak.winner, by_peak.reason.clause) == (1, "T-CATT-05")


def test_t10_extension_until_the_riser_is_toppled() -> None:
    """Hand 16 = B 8 on top of 4, hand 17 B 8, hand 18 A topples: 32 : 44, B wins."""
    words = [*T9[:15], "B8"]
    with pytest.raises(Refusal, match="after 16 hands B is rising with 12"):
        play_sheet(SUM, words)
    match = _match([*words, "B8", "A"])
    assert (match.winner, match.total, match.hands) == (1, (32, 44), 18)
    short = _match(words, whist_rules("tuppi_tournament+extension=off"))
    assert (short.winner, short.total, short.hands) == (1, (32, 36), 16)


def test_t16_extension_turns_the_match_round() -> None:
    """Without extension A by 32 : 28; peaks 16 : 16, then the sum; with extension B by 32 : 36."""
    assert _match(T16, whist_rules("tuppi_tournament+extension=off")).total == (32, 28)
    by_peak = _match(T16, whist_rules("tuppi_tournament_catsatcards+low_points=4+high_fail_points=8"))
    assert (by_peak.winner, by_peak.peak, by_peak.reason.clause) == (0, (16, 16), "T-WIKT-03")
    match = _match([*T16, "B8", "A"])
    assert (match.winner, match.total, match.hands) == (1, (32, 36), 18)


def test_target_and_limit_edges() -> None:
    """At the limit of hands: 0–0, 52 in the extension, a side toppled by hand N, 52 on hand N."""
    assert _match(["A28", "A24"]).reason.clause == "T-WIK-25"
    assert _match(["A56"]).winner == 0
    on_the_last = _match([*["A4", "B"] * 6, "A4", "B4", "A12", "A40"])
    assert (on_the_last.hands, on_the_last.reason.clause) == (16, "T-WIK-25")
    in_extension = _match([*["A4", "B"] * 7, "B8", "B8", "B24", "B12"])
    assert (in_extension.winner, in_extension.hands, in_extension.reason.clause) == (1, 18, "T-WIK-25")


def test_equal_in_both_means_an_extra_hand() -> None:
    """A-T-21: sums 32 and peaks equal; one extra hand decides, whoever scores."""
    words = ["A8", "B", "B8", "A"] * 4
    with pytest.raises(Refusal, match="an extra hand decides"):
        play_sheet(SUM, words)
    match = _match([*words, "B12"])
    assert (match.winner, match.total, match.hands, match.reason.clause) == (1, (32, 32), 17, "A-T-21")
    drawn = _match(words, whist_rules("tuppi_tournament+limit_tiebreak=[draw]"))
    assert drawn.winner == -1


def test_hands_by_tricks() -> None:
    """As sheet words: rami made, rami failed (double), nolo."""
    for word, points in (
        ("rA9", (12, 0)),
        ("rA4", (0, 24)),
        ("nA5", (8, 0)),
        ("nA0", (28, 0)),
        ("nA8", (0, 8)),
    ):
        assert trick_points(SUM, word, "") == points
    assert trick_points(PEAK, "rA4", "") == (0, 18)
    assert trick_points(PEAK, "nA5", "") == (2, 0)
    lines, match = play_sheet(SUM, ["rA9", "nB1", "rB13", "rA1"])
    assert [line.points for line in lines] == [12, 0, 28, 48]
    assert [line.riser for line in lines] == [0, None, 1, 1]
    assert [line.score for line in lines] == [12, 0, 28, 76]
    assert match.winner == 1


def test_the_sheet_shows_every_hand() -> None:
    lines, _ = play_sheet(SUM, T9)
    assert [line.points for line in lines] == [8, 8, 0, 12, 8, 0, 8, 0, 4, 0, 4, 0, 4, 0, 4, 0]
    assert lines[4].total == (16, 20) and lines[4].peak == (16, 20)
    assert with_names(lines[2].notes[0], "Us", "Them").english == "Us falls: the score is back at zero"


def test_impossible_sheets(subtests: pytest.Subtests) -> None:
    for words, said in [
        (["A8", "C4"], "hand 2: C4 is not a hand"),
        (["A10"], "hand 1: no hand scores 10 points; the possible scores are 4, 8, 12"),
        (["A"], "hand 1: A topples nobody here; write the points, for example A8"),
        (["A8", "A"], "hand 2: A topples nobody here"),
        (["A56", "A4"], "hand 2: the match was over after hand 1: A wins with 56 points [T-WIK-25]"),
        (["rA14"], "hand 1: rA14 is not a hand; write rA9"),
        (["A8", "B4"], "the match is not over after 2 hands: nobody has 52 and the limit is 16"),
    ]:
        with subtests.test(words=words, said=said):
            with pytest.raises(Refusal) as raised:
                play_sheet(SUM, words)
            assert str(raised.value).startswith(said)


def test_totals_give_the_same_match_as_the_sheet() -> None:
    for words, rules in ((T9, SUM), ([*T16, "B8", "A"], SUM), (["A28", "A24"], SUM)):
        match = _match(list(words), rules)
        again = from_totals(rules, match.total, match.peak, match.hands, None)
        assert (again.winner, again.reason) == (match.winner, match.reason)


def test_impossible_totals(subtests: pytest.Subtests) -> None:
    for total, peak, hands, winner, said in [
        ((32, 28), (36, 20), 16, None, "peaks: A cannot have risen to 36 with only 32 in all"),
        ((32, 0), (16, 20), 16, None, "peaks: B cannot have risen to 20 with only 0"),
        ((32, 28), (16, 0), 16, None, "peaks: B has 28 in all but rose to 0"),
        ((33, 28), (16, 20), 16, None, "totals: all points are multiples of 4"),
        ((0, 0), (0, 0), 16, None, "totals: hand 1 always makes somebody rise"),
        ((60, 60), (52, 56), 16, None, "peaks: two winners: both rose to 52"),
        (
            (32, 28),
            (16, 20),
            15,
            None,
            "hands: the match has at least 16 hands, not 15, because nobody has reached 52",
        ),
        ((32, 28), (16, 20), 16, 1, "winner: the slip names B as winner, but: A wins: 32"),
        ((32, 32), (16, 16), 17, None, "winner: sums and highest rises are equal"),
        ((400, 4), (52, 4), 5, None, "totals: 5 hands score at most 280"),
    ]:
        with subtests.test(total=total, peak=peak, hands=hands, winner=winner, said=said):
            with pytest.raises(Refusal) as raised:
                from_totals(SUM, total, peak, hands, winner)
            assert str(raised.value).startswith(said)


def test_more_hands_than_the_limit_need_an_extension() -> None:
    with pytest.raises(Refusal, match="there is no extension"):
        from_totals(PEAK, (20, 24), (10, 12), 17, None)
    assert from_totals(SUM, (32, 32), (16, 16), 17, 1).reason.clause == "A-T-21"


@pytest.mark.parametrize(
    ("rules", "clause"),
    [
        ("tuppi_tournament", "T-WIK-25"),
        ("tuppi_tournament_catsatcards", "T-CAT-36"),
        ("tuppi_tournament+target=40", "A-T-14"),
    ],
)
def test_winner_by_totals_wins_by_the_clause_of_the_target(rules: str, clause: str) -> None:
    chosen = whist_rules(rules)
    on_the_sheet = play_sheet(chosen, ["A28", "A28"])[1]
    by_totals = from_totals(chosen, on_the_sheet.total, on_the_sheet.peak, on_the_sheet.hands, None)
    assert by_totals.reason.clause == on_the_sheet.reason.clause == clause
    with pytest.raises(Refusal, match="two winners") as refused:
        from_totals(chosen, (56, 56), (56, 56), 4, None)
    assert refused.value.clause == clause


def test_the_points_a_hand_can_bring() -> None:
    assert hand_points(SUM) == (4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56)
    assert 24 in hand_points(whist_rules("tuppi_catsatcards"))
    with pytest.raises(Refusal, match="no preset"):
        whist_rules("skat")


def test_bounds_of_a_round_of_minnesota() -> None:
    """Eight hands bring at least 8 points, at most 14 each; in Norwegian low hands debit."""
    assert bounds(whist_rules("minnesota"), 8) == (0, 112, 8, 112)
    assert bounds(whist_rules("norwegian_catsatcards"), 8) == (-56, 56, -56, 56)


@given(st.lists(st.tuples(st.sampled_from("rn"), st.sampled_from("AB"), st.integers(0, 13)), min_size=60))
def test_sums_agree_with_the_hands_booked(hands: list[tuple[str, str, int]]) -> None:
    """Play random hands until the match is over: what is booked adds up to the totals, line by line."""
    words = [f"{kind}{side}{tricks}" for kind, side, tricks in hands]
    for count in range(1, len(words) + 1):
        try:
            lines, match = play_sheet(SUM, words[:count])
        except Refusal:
            continue
        for side in (0, 1):
            assert sum(line.points for line in lines if line.scorer == side) == match.total[side]
            assert max((line.score for line in lines if line.riser == side), default=0) == match.peak[side]
        assert all((line.riser is None) == (line.score == 0) for line in lines)
        assert match.winner in (0, 1)
        return
    raise AssertionError("sixty hands always end a match")
