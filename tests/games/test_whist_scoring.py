"""Scores, the rising side, matches and hand limits, by clause."""

from types import SimpleNamespace

import pytest

from hands import bid, declined, exposed, go, played, table
from nousu.engine.game import Result
from nousu.games import find
from nousu.games.whist import PRESETS, Outcome, Rise, Totals, first_lead, score

clause = pytest.mark.clause
A, B = 0, 1


def rules(preset):
    return find(preset)[1]


@pytest.mark.parametrize(
    ("preset", "kind", "bidder", "tricks", "points"),
    [
        pytest.param("tuppi", "high", A, (9, 4), (12, 0), id="rami made", marks=clause("T-WIK-17")),
        pytest.param(
            "tuppi_catsatcards",
            "high",
            A,
            (9, 4),
            (12, 0),
            id="rami made, catsatcards",
            marks=clause("T-CAT-24"),
        ),
        pytest.param("tuppi", "high", A, (4, 9), (0, 24), id="rami failed", marks=clause("T-WIK-18")),
        pytest.param(
            "tuppi_catsatcards",
            "high",
            A,
            (4, 9),
            (0, 18),
            id="rami failed, catsatcards",
            marks=clause("T-CAT-25"),
        ),
        pytest.param("tuppi", "low", None, (5, 8), (8, 0), id="nolo", marks=clause("T-WIK-19")),
        pytest.param(
            "tuppi_catsatcards", "low", None, (5, 8), (2, 0), id="nolo, catsatcards", marks=clause("T-CAT-22")
        ),
        pytest.param(
            "tuppi", "low", None, (0, 13), (28, 0), id="nolo without a trick", marks=clause("T-WIK-19")
        ),
        pytest.param(
            "tuppi_catsatcards",
            "low",
            None,
            (0, 13),
            (7, 0),
            id="nolo without a trick, catsatcards",
            marks=clause("T-CAT-22"),
        ),
        pytest.param(
            "tuppi", "high", A, (0, 13), (0, 56), id="rami without a trick", marks=clause("T-WIK-18")
        ),
        pytest.param(
            "tuppi_catsatcards",
            "high",
            A,
            (0, 13),
            (0, 42),
            id="rami without a trick, catsatcards",
            marks=clause("T-CAT-25"),
        ),
        pytest.param(
            "tuppi", "high", A, (13, 0), (28, 0), id="rami with all tricks", marks=clause("T-WIK-17")
        ),
        pytest.param("minnesota", "high", A, (10, 3), (4, 0), id="grand made", marks=clause("MW-WIK-15")),
        pytest.param("minnesota", "high", A, (5, 8), (0, 4), id="grand failed", marks=clause("MW-WIK-16")),
        pytest.param("minnesota", "low", None, (9, 4), (0, 3), id="low", marks=clause("MW-WIK-14")),
        pytest.param(
            "norwegian_catsatcards",
            "high",
            A,
            (5, 8),
            (0, 2),
            id="norwegian grand failed",
            marks=clause("NW-CAT-13"),
        ),
        pytest.param(
            "norwegian_catsatcards",
            "low",
            None,
            (9, 4),
            (-3, 0),
            id="norwegian low",
            marks=clause("NW-CAT-14"),
        ),
        pytest.param("south_dakota", "high", A, (5, 8), (-2, 0), id="south dakota grand failed"),
        pytest.param("south_dakota", "low", None, (9, 4), (-3, 0), id="south dakota low"),
        pytest.param("norwegian_parlett", "high", B, (8, 5), (16, 0), id="parlett"),
        pytest.param("norwegian_parlett", "low", None, (8, 5), (0, 4), id="parlett-low"),
    ],
)
def test_points_of_a_hand(preset, kind, bidder, tricks, points):
    assert score(rules(preset), kind, bidder, tricks) == points


def test_south_dakota_plays_to_eleven():
    assert rules("south_dakota").target == 11


@clause("T-CAT-30", "T-CAT-31", "T-WIK-21", "T-WIK-22")
def test_sooli_pays_24_to_its_winner(subtests: pytest.Subtests):
    for preset in ["tuppi", "tuppi_catsatcards"]:
        with subtests.test(preset=preset):
            known = {
                0: "S:KQJ H:KQJ5 D:KQJ C:KQJ",
                2: "S:T98 H:T987 D:T98 C:T98",
                3: "S:A32 H:A432 D:A32 C:A32",
            }
            known[1] = "S:7654 H:6 D:7654 C:7654"
            hand = table(preset + "+bid_mode=bid_card+sooli_exchange=none", known)
            hand = go(hand, "N seal nolo; E seal nolo; S seal rami; W seal nolo; E nolo; S rami; W sooli")
            made = played(hand)
            assert made.result().points == (0, 24)
            assert len(made.table.done) == 13
            losing = {
                0: "S:2KQ H:KQJ5 D:KQJ C:KQJ",
                2: "S:543 H:T987 D:T98 C:T98",
                3: "S:A76 H:A432 D:A76 C:A76",
            }
            hand = table(preset + "+bid_mode=bid_card+sooli_exchange=none", losing)
            hand = go(
                hand, "N seal nolo; E seal nolo; S seal rami; W seal nolo; E nolo; S rami; W sooli; N play S2"
            )
            hand = go(hand, "S play S3; W play S7" if hand.owed() == (2,) else "W play S7; S play S3")
            assert hand.result().points == (24, 0)


@clause("T-CAT-16", "T-CAT-23")
def test_order_of_turning_up_bids():
    hand = declined(exposed(bid(table("tuppi"), "RBBR")))
    assert (hand.bidder, hand.exposed, hand.owed()) == (3, 3, (2,))
    variant = declined(exposed(bid(table("tuppi"), "RRBR")))
    assert (variant.bidder, variant.exposed, variant.owed()) == (1, 1, (0,))


@clause("T-CAT-19", "T-CAT-21")
def test_four_black_bids_are_nolo():
    hand = exposed(bid(table("tuppi"), "BBBB"))
    assert (hand.kind, hand.owed()) == ("low", (1,))


@clause("NW-CAT-04", "NW-CAT-10")
def test_order_of_turning_up_bids_in_norwegian():
    hand = exposed(bid(table("norwegian_catsatcards"), "BBBR"))
    assert [seat for seat, _ in hand.bids] == [3, 0, 1, 2]
    assert (hand.bidder, hand.owed()) == (0, (3,))


@clause("A-N-07")
@pytest.mark.parametrize(
    ("preset", "target", "fail"), [("norwegian_short", 7, 1), ("norwegian_set_bonus", 13, 2)]
)
def test_short_and_set_bonus_forms_lead_from_the_left_of_the_grander(preset, target, fail):
    rules = PRESETS[preset]
    assert score(rules, "high", A, (10, 3)) == (4, 0)
    assert score(rules, "high", A, (5, 8)) == (0, 2 * fail)
    assert score(rules, "low", None, (9, 4)) == (0, 3)
    assert rules.target == target
    assert first_lead(rules, True, 0, 2) == 3
    assert first_lead(rules, False, 0, None) == 1


@clause("MW-WIK-06", "MW-WIK-10")
def test_lead_in_minnesota():
    assert exposed(bid(table("minnesota"), "RRRB")).owed() == (2,)
    assert exposed(bid(table("minnesota"), "RRRR")).owed() == (1,)


# ------------------------------------------------------------------------------------------- match


def booked(tally, *hands):
    """The tally after hands written (scoring side, points)."""
    for scorer, points in hands:
        pair = (points, 0) if scorer == A else (0, points)
        tally = tally.add(Result(points=pair, outcome=Outcome(scorer=scorer)), SimpleNamespace(dealer=0))
    return tally


def sheet(text):
    """``A8 B* B12``: who scores how much; a star topples (its size does not matter)."""
    return [("AB".index(word[0]), 4 if word[1:] == "*" else int(word[1:])) for word in text.split()]


@clause("T-CAT-35", "T-CAT-37", "T-WIK-01", "T-WIK-23")
def test_points_of_the_other_side_bring_both_to_nothing(subtests: pytest.Subtests):
    for preset in ["tuppi", "tuppi_catsatcards"]:
        with subtests.test(preset=preset):
            tally = booked(Rise(rules(preset)), (A, 36), (B, 8))
            assert (tally.riser, tally.points, tally.score(), tally.winner()) == (None, 0, (0, 0), None)


@clause("T-CAT-36", "T-WIK-25", "T-WIK-01")
def test_fifty_two_at_the_end_of_a_hand_wins():
    assert booked(Rise(rules("tuppi")), (A, 44)).winner() is None
    won = booked(Rise(rules("tuppi")), (A, 44), (A, 8))
    assert (won.winner(), won.points) == ((A,), 52)


@clause("T-CAT-36")
def test_one_hand_can_win_the_match():
    assert booked(Rise(rules("tuppi")), (B, 56)).winner() == (B,)
    catsatcards = booked(Rise(rules("tuppi_catsatcards")), (B, 42))
    assert (catsatcards.winner(), catsatcards.riser) == (None, B)


T_9 = "A8 A8 B* B12 B8 A* A8 B* B4 A* A4 B* A4 B* B4 A*"
T_16 = "A8 A8 B* B8 B8 A* A8 B* B4 A* A4 B* A4 B* B4 B4"


@clause("T-WIKT-02", "T-WIKT-03", "T-CATT-04", "T-CATT-05")
def test_sum_and_peak_name_different_winners():
    by_sum = booked(Rise(rules("tuppi_tournament")), *sheet(T_9))
    assert (by_sum.total, by_sum.peak, by_sum.winner()) == ((32, 28), (16, 20), (A,))
    assert by_sum.end[1].clause == "T-WIKT-03"
    by_peak = booked(Rise(rules("tuppi_tournament_catsatcards")), *sheet(T_9))
    assert by_peak.winner() == (B,)
    assert by_peak.end[1].clause == "T-CATT-05"


@clause("T-WIKT-04")
def test_extension_until_the_riser_loses():
    course = T_9[:-2] + "B8"
    longer = booked(Rise(rules("tuppi_tournament")), *sheet(course))
    assert (longer.winner(), longer.points) == (None, 12)
    longer = booked(longer, (B, 8))
    assert (longer.winner(), longer.points) == (None, 20)
    over = booked(longer, (A, 4))
    assert (over.hands, over.total, over.winner()) == (18, (32, 44), (B,))
    short = booked(Rise(rules("tuppi_tournament+extension=off")), *sheet(course))
    assert (short.hands, short.total, short.winner()) == (16, (32, 36), (B,))


@clause("T-WIKT-04", "T-CATT-05")
def test_extension_changes_the_winner():
    without = booked(Rise(rules("tuppi_tournament+extension=off")), *sheet(T_16))
    assert (without.total, without.points, without.winner()) == ((32, 28), 8, (A,))
    by_peak = booked(Rise(rules("tuppi_tournament_catsatcards")), *sheet(T_16))
    assert (by_peak.peak, by_peak.winner()) == ((16, 16), (A,))
    assert by_peak.end[1].clause == "T-WIKT-03"  # the other criterion decided
    extended = booked(Rise(rules("tuppi_tournament")), *sheet(T_16), (B, 8), (A, 4))
    assert (extended.hands, extended.total, extended.winner()) == (18, (32, 36), (B,))


@clause("T-WIKT-04")
def test_riser_may_reach_the_target_in_the_extension():
    won = booked(Rise(rules("tuppi_tournament")), *sheet(T_16), (B, 24), (B, 20))
    assert (won.winner(), won.end[1].clause) == ((B,), "T-WIK-25")


def test_52_on_the_last_hand_is_the_target_not_the_limit():
    won = booked(Rise(rules("tuppi_tournament+max_hands=2")), (A, 28), (A, 24))
    assert won.end[1].clause == "T-WIK-25"


def test_topple_on_the_last_hand_decides_at_once():  # edge cases 1 and 3
    over = booked(Rise(rules("tuppi_tournament+max_hands=2")), (A, 28), (B, 24))
    assert (over.winner(), over.hands) == ((A,), 2)


def test_all_equal_an_extra_hand_decides_else_a_draw():  # A-T-21
    equal = sheet("A8 B* B8 A*")
    extra = booked(Rise(rules("tuppi_tournament+max_hands=4")), *equal)
    assert (extra.winner(), extra.extra) == (None, True)
    assert booked(extra, (B, 4)).winner() == (B,)
    assert booked(extra, (B, 4)).total == (8, 8)
    for steps in ("[draw]", "[]", "[other_criterion,draw]"):
        drawn = booked(Rise(rules(f"tuppi_tournament+max_hands=4+limit_tiebreak={steps}")), *equal)
        assert drawn.winner() == ()


@clause("NW-CAT-15", "MW-WIK-17")
def test_thirteen_wins_a_cumulative_match(subtests: pytest.Subtests):
    for preset in ["norwegian_catsatcards", "minnesota"]:
        with subtests.test(preset=preset):
            tally = booked(Totals(rules(preset)), (A, 6), (B, 4), (A, 6))
            assert (tally.score(), tally.winner()) == ((12, 4), None)
            assert booked(tally, (A, 1)).winner() == (A,)


@clause("NW-CAT-14")
def test_totals_may_be_negative():
    tally = Totals(rules("norwegian_catsatcards"))
    tally = tally.add(Result(points=(-3, 0), outcome=Outcome()), SimpleNamespace(dealer=0))
    assert tally.score() == (-3, 0)


def test_cumulative_hand_limit():
    limit = rules("minnesota+max_hands=2")
    assert booked(Totals(limit), (A, 2), (B, 1)).winner() == (A,)
    extra = booked(Totals(limit), (A, 2), (B, 2))
    assert (extra.winner(), extra.extra) == (None, True)
    assert booked(extra, (B, 1)).winner() == (B,)
    assert booked(Totals(rules("minnesota+max_hands=2+limit_tiebreak=[draw]")), (A, 2), (B, 2)).winner() == ()


def test_exhausted_tie_break_is_a_draw_and_scores_of_tuppi_are_multiples_of_four():
    from random import Random

    from nousu.engine.laws import random_match

    game, tuppi = find("tuppi")
    for seed in range(20):
        for match, _ in random_match(game, tuppi, 4, Random(seed), hands=12):
            tally = match.tally
            assert (tally.riser is None) == (tally.points == 0)
            assert tally.points % 4 == 0 <= tally.points
            for played_hand in match.played[-1:]:
                outcome = played_hand.result.outcome
                if outcome.kind != "sooli" and not outcome.ended_early:
                    assert sum(outcome.tricks) == 13
                    assert max(outcome.tricks) >= 7
