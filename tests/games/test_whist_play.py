"""Leads, tricks and sooli of the high/low family, clause by clause."""

import pytest

from hands import bid, declined, exposed, go, played, table
from nousu.engine.actions import Call, Play
from nousu.engine.cards import parse_card
from nousu.engine.errors import IllegalAction
from nousu.games import find
from nousu.games.whist import Rise

clause = pytest.mark.clause

SUITS_APART = {
    0: "S:AKQJT98765432",
    1: "H:AKQJT98765432",
    2: "D:AKQJT98765432",
    3: "C:AKQJT98765432",
}
MIXED = {
    0: "S:A52 H:K73 D:Q84 C:J962",
    1: "S:K63 H:Q84 D:J95 C:A73T",
    2: "S:Q74 H:J95 D:A632 C:K84",
    3: "S:JT98 H:AT62 D:KT7 C:Q5",
}


def game_of(preset, wishes, known=MIXED, dealer=0, tally=None):
    return declined(exposed(bid(table(preset, known, dealer, tally), wishes)))


@clause("T-CAT-21", "T-WIK-14", "NW-CAT-11", "MW-WIK-10")
def test_low_hand_is_led_from_the_dealers_left(subtests: pytest.Subtests):
    for preset in ["tuppi", "tuppi_catsatcards", "norwegian_catsatcards", "minnesota"]:
        for dealer in range(4):
            with subtests.test(preset=preset, dealer=dealer):
                low = "R" if find(preset)[1].high_colour == "black" else "B"
                assert game_of(preset, low * 4, dealer=dealer).owed() == ((dealer + 1) % 4,)


@clause("T-CAT-23", "T-WIK-13", "NW-CAT-10", "MW-WIK-10")
def test_high_hand_is_led_from_the_bidders_right(subtests: pytest.Subtests):
    for preset in ["tuppi", "tuppi_catsatcards", "norwegian_catsatcards", "minnesota"]:
        for bidder in range(4):
            with subtests.test(preset=preset, bidder=bidder):
                high, low = ("R", "B") if find(preset)[1].high_colour == "red" else ("B", "R")
                wishes = "".join(high if seat == bidder else low for seat in range(4))
                hand = game_of(preset, wishes)
                assert hand.bidder == bidder
                assert hand.owed() == ((bidder - 1) % 4,)


def test_other_leads_by_option():  # A-M-04
    assert game_of("minnesota+high_lead=left_of_bidder", "RRBR").owed() == (3,)
    assert game_of("swedish", "BBRB", dealer=2).owed() == (3,)


@clause("T-CAT-32", "T-CAT-34", "NW-CAT-12", "MW-WIK-11")
def test_leader_plays_any_card_others_follow_clockwise_the_highest_of_the_suit_wins_and_leads():
    hand = game_of("tuppi", "BBBB")
    assert len(hand.legal(1)) == 13
    hand = go(hand, "E play H4; S play H9; W play HA; N play H3")
    assert hand.owed() == (3,)
    assert hand.table.done[0].winner == 3
    assert [seat for seat, _ in hand.table.done[0].plays] == [1, 2, 3, 0]


@clause("T-CAT-33", "T-WIK-15", "NW-CAT-12", "MW-WIK-11")
def test_follow_suit_if_able_otherwise_any_card():
    hand = go(game_of("tuppi", "BBBB"), "E play H4")
    assert {str(action) for action in hand.legal(2)} == {"play HJ", "play H9", "play H5"}
    with pytest.raises(IllegalAction, match="follow suit") as refused:
        hand.apply(2, Play(parse_card("S7")))
    assert refused.value.clause == "T-CAT-33"
    void = go(game_of("tuppi", "BRBB", SUITS_APART), "N play SA")
    assert len(void.legal(1)) == 13
    with pytest.raises(IllegalAction, match="not in the hand"):
        void.apply(1, Play(parse_card("S2")))


@clause("T-CAT-02", "T-WIK-03", "T-WIK-20")
def test_ace_is_high_and_there_are_no_trumps():
    hand = go(game_of("tuppi", "BRBB", SUITS_APART), "N play S2; E play HA; S play DA; W play CA")
    assert hand.table.done[0].winner == 0
    high = go(game_of("tuppi", "BBBB"), "E play SK; S play SQ; W play SJ; N play SA")
    assert high.table.done[0].winner == 0


@clause("MW-WIK-12", "MW-WIK-02")
def test_team_pools_its_tricks():
    hand = played(game_of("minnesota", "RRRR"))
    by_seat = [sum(trick.winner == seat for trick in hand.table.done) for seat in range(4)]
    assert hand.tricks() == (by_seat[0] + by_seat[2], by_seat[1] + by_seat[3])
    assert sum(hand.tricks()) == 13


# ------------------------------------------------------------------------------------------- sooli

SOOLI = {  # seat 3 plays sooli, partner 1 sits out; 0 leads (left of 3); 2 is on the soloist's right
    0: "S:KQJ H:KQJ5 D:KQJ C:KQJ",
    1: "S:5432 H:76 D:5432 C:543",
    2: "S:T98 H:AT98 D:T98 C:T98",
    3: "S:A76 H:432 D:A76 C:A762",
}


def sooli(preset, *exchange):
    hand = table(preset + "+bid_mode=bid_card", SOOLI)
    hand = go(hand, "N seal nolo; E seal nolo; S seal rami; W seal nolo; E nolo; S rami; W sooli")
    return go(hand, ";".join(exchange)) if exchange else hand


@clause("T-CAT-26", "T-CAT-27", "T-WIK-16")
def test_soloists_partner_lays_the_cards_down_and_takes_no_part():
    hand = sooli("tuppi_catsatcards")
    assert hand.table.active == (0, 2, 3)
    assert hand.legal(1) == ()
    assert hand.view(None).facts.out == 1


@clause("T-CAT-28", "T-WIK-16")
def test_ace_is_below_the_two_in_sooli():
    hand = go(sooli("tuppi+sooli_exchange=none"), "N play HK; S play HA; W play H2")
    assert hand.table.done[0].winner == 0  # the king wins
    low = sooli(
        "tuppi+sooli_exchange=none", "N play H5; S play H8; W play H2; S play HA; N play HJ; W play H3"
    )
    assert low.table.done[1].winner == 0  # an ace led loses to anything
    assert hand.table.duties.strength[0] > hand.table.duties.strength[12]  # the two beats the ace


@clause("T-CAT-29")
def test_seat_left_of_the_soloist_leads_to_the_first_trick():
    for preset in ("tuppi_catsatcards", "tuppi+sooli_exchange=none"):
        assert sooli(preset).owed() == (0,)


@clause("T-CAT-29", "T-WIK-16")
@pytest.mark.parametrize(
    ("preset", "order"), [("tuppi+sooli_exchange=none", [2, 0, 3]), ("tuppi_catsatcards", [2, 3, 0])]
)
def test_order_of_the_second_trick_when_the_soloists_right_leads(preset, order):
    hand = sooli(preset)
    hand = go(hand, "N play H5; S play H8; W play H2")  # rotation and always_last agree on trick 1
    assert hand.owed() == (2,)
    seen = []
    while len(hand.table.done) < 2:
        seat = hand.owed()[0]
        seen.append(seat)
        hand = hand.apply(seat, hand.legal(seat)[-1])
    assert seen == order


@clause("T-CAT-31", "T-WIK-22")
def test_sooli_stops_at_the_soloists_first_trick():
    known = {0: "S:2KQ H:KQJ5 D:KQJ C:KQJ", 2: "S:543 H:T987 D:T98 C:T98", 3: "S:A76 H:A432 D:A76 C:A76"}
    hand = table("tuppi+bid_mode=bid_card+sooli_exchange=none", known)
    hand = go(hand, "N seal nolo; E seal nolo; S seal rami; W seal nolo; E nolo; S rami; W sooli")
    hand = go(hand, "N play HK; S play H10; W play H4; N play S2; S play S3")
    assert hand.result() is None
    lost = go(hand, "W play S7")
    assert lost.owed() == ()
    assert len(lost.table.done) == 2
    assert lost.result().points == (24, 0)
    assert go(hand, "W play SA").owed() == (2,)  # the ace slips under and the game goes on


@clause("T-CAT-31", "A-T-11")
@pytest.mark.parametrize(("order", "second"), [("always_last", [3, 0, 2]), ("rotation", [3, 0, 2])])
def test_sooli_is_played_to_the_end_where_a_table_wants_it(order, second):
    known = {0: "S:2KQ H:KQJ5 D:KQJ C:KQJ", 2: "S:543 H:T987 D:T98 C:T98", 3: "S:A76 H:A432 D:A76 C:A76"}
    hand = table(f"tuppi+bid_mode=bid_card+sooli_exchange=none+sooli_stop=off+sooli_order={order}", known)
    hand = go(hand, "N seal nolo; E seal nolo; S seal rami; W seal nolo; E nolo; S rami; W sooli")
    hand = go(hand, "N play HK; S play H10; W play H4; N play S2; S play S3; W play S7")
    assert (hand.result(), hand.owed(), hand.view(3).facts.caught) == (None, (3,), True)
    seen = []
    while len(hand.table.done) < 3:
        seen.append(hand.owed()[0])
        hand = hand.apply(seen[-1], hand.legal(seen[-1])[0])
    assert seen == second  # the soloist leads, and the others follow in turn
    while hand.result() is None:
        hand = hand.apply(hand.owed()[0], hand.legal(hand.owed()[0])[0])
    assert len(hand.table.done) == 13
    assert hand.result().points == (24, 0)


@clause("T-CAT-30", "A-T-11")
def test_sooli_without_a_trick_pays_the_same_when_it_is_played_to_the_end():
    hand = sooli("tuppi_catsatcards+sooli_stop=off")
    while hand.result() is None:
        seat = hand.owed()[0]
        hand = hand.apply(seat, hand.legal(seat)[0 if seat == 3 else -1])
    stopped = hand.view(3).facts.caught
    assert hand.result().points == ((24, 0) if stopped else (0, 24))
    assert len(hand.table.done) == 13


# --------------------------------------------------------------------------------------- early end


def ended(preset, riser, kind="BBBB"):
    rules = find(preset)[1]
    tally = Rise(rules, riser, 20, (20, 20), (20, 20), 3)
    return game_of(preset, kind, MIXED, tally=tally)


@clause("T-WIK-24")
def test_breaking_off_is_offered_once_the_riser_cannot_score_and_never_changes_the_result(
    subtests: pytest.Subtests,
):
    for seed in range(8):
        for riser in [0, 1]:
            for kind in ["BBBB", "BRBB"]:
                with subtests.test(seed=seed, riser=riser, kind=kind):
                    from random import Random

                    rng = Random(seed)
                    hand = ended("tuppi", riser, kind)
                    offered = False
                    while hand.owed():
                        taken = hand.tricks()
                        lost = taken[riser] >= 7 if hand.kind == "low" else taken[1 - riser] >= 7
                        for seat in range(4):
                            assert (Call("end") in hand.legal(seat)) == lost
                        if lost and not offered:
                            offered = True
                            broken = hand.apply((hand.owed()[0] + 1) % 4, Call("end"))
                            assert broken.owed() == ()
                            score = hand.setup.tally.add(broken.result(), hand.setup)
                        seat = hand.owed()[0]
                        hand = hand.apply(seat, rng.choice([a for a in hand.legal(seat) if a != Call("end")]))
                    full = hand.setup.tally.add(hand.result(), hand.setup)
                    if offered:
                        assert (score.riser, score.points) == (full.riser, full.points) == (None, 0)
                        assert (score.total, score.peak) == (full.total, full.peak)
                    elif (
                        full.riser != riser
                    ):  # lost by the very last trick: there was nothing left to break off
                        assert 7 in hand.tricks()


@clause("T-WIK-24")
def test_breaking_off_is_automatic_in_tournaments_and_unknown_to_catsatcards():
    auto = played(ended("tuppi_tournament", 0, "BRBB"), 1)
    if auto.result().outcome.ended_early:
        assert max(auto.tricks()) == 7
    off = ended("tuppi_catsatcards", 0)
    assert played(off).table.done.__len__() == 13


def test_hand_has_no_early_end_if_nobody_rises():
    assert len(played(game_of("tuppi_tournament", "BBBB")).table.done) == 13
