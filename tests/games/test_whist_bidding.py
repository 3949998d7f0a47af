"""Seats, deal, auction and exchange of the high/low family, clause by clause."""

from random import Random

import pytest

from hands import bid, declined, exposed, go, played, table
from nousu.engine.actions import Call, Give, Seal, Show
from nousu.engine.cards import DECK_52, parse_card
from nousu.engine.errors import BadRules, IllegalAction
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.games.whist import Bid, Pass

clause = pytest.mark.clause


def pack(text):
    first = tuple(map(parse_card, text.split()))
    return first + tuple(card for card in DECK_52 if card not in first)


def drawn(preset, text, pick=0):
    game, rules = find(preset)
    return game.draw(rules, 4, pack(text), pick)


@clause("T-CAT-01", "T-WIK-03", "NW-CAT-01", "MW-WIK-01")
def test_four_players_fifty_two_cards_two_sides(subtests: pytest.Subtests):
    for preset in ["tuppi", "tuppi_catsatcards", "norwegian_catsatcards", "minnesota"]:
        with subtests.test(preset=preset):
            game, rules = find(preset)
            assert (game.seats, game.sides, len(set(game.deck))) == (range(4, 5), 2, 52)
            with pytest.raises(ValueError, match="4 players"):
                Match.start(game, rules, 3)


@clause("T-CAT-03", "NW-CAT-01")
def test_equal_ranks_draw_again_until_four_differ():
    seating = drawn("tuppi_catsatcards", "SA H7 D7 C3 H7 SK D3 C4")
    # persons 1 and 2 tie on sevens and draw H7's place again: SK and … ; a new tie with C3 redraws too
    assert [len(cards) for cards in seating.rounds] == [4, 2]
    assert sorted(card.rank for _, card in seating.rounds[0])[1:3] == [5, 5]
    again = drawn("tuppi_catsatcards", "SA H7 D7 C3 HK S3 D5 C9")
    assert [[person for person, _ in cards] for cards in again.rounds] == [[0, 1, 2, 3], [1, 2], [2, 3]]


@clause("T-CAT-04", "T-CAT-05", "T-CAT-06")
def test_two_highest_are_partners_and_the_highest_picks_a_seat_and_deals(subtests: pytest.Subtests):
    for pick in range(4):
        with subtests.test(pick=pick):
            seating = drawn("tuppi_catsatcards", "S9 HA D4 CK", pick)
            assert seating.places[1] == pick == seating.dealer
            assert seating.places[3] == (pick + 2) % 4
            assert {seating.places[0], seating.places[2]} == {(pick + 1) % 4, (pick + 3) % 4}


@clause("MW-WIK-03")
def test_cut_for_dealer_keeps_partners():
    seating = drawn("minnesota", "S9 HA D4 CK")
    assert (seating.places, seating.dealer) == ((0, 1, 2, 3), 1)
    tied = drawn("minnesota", "SA HA D4 CK S2 H3")  # the tied players cut again
    assert len(tied.rounds) == 2
    assert tied.dealer == 3


def test_first_jack_deals():  # A-T-23
    seating = drawn("tuppi_tournament", "S9 HA D4 CK S2 HJ")
    assert seating.dealer == 1
    assert len(seating.rounds) == 6


@clause("T-CAT-07", "MW-WIK-13")
@pytest.mark.parametrize("preset", ["tuppi", "minnesota"])
def test_deal_moves_one_place_clockwise(preset):
    game, rules = find(preset)
    match = Match.start(game, rules, 4, dealer=3)
    rng = Random(3)
    match = match.deal(rng)
    while not match.played:
        seat = match.hand.owed()[0]
        match = match.apply(seat, rng.choice(match.hand.legal(seat)))
    assert match.hand.setup.dealer == 0
    assert match.hand.setup.number == 2


@clause("T-CAT-08", "T-CAT-09", "T-CAT-10", "T-WIK-04", "MW-WIK-04")
@pytest.mark.parametrize(("preset", "first"), [("tuppi", 1), ("minnesota", 1), ("tuppi_catsatcards", 3)])
def test_shuffled_pack_is_dealt_singly_clockwise_from_a_neighbour_of_the_dealer(preset, first):
    """Shuffle and cut (T-CAT-08) are one uniform permutation; the order of dealing is the clause's."""
    game, rules = find(preset)
    match = Match.start(game, rules, 4, dealer=0)
    assert match.hand.owed() == (CHANCE,)
    deal = match.hand.dealing().dealt(DECK_52)
    assert set(deal.hands[first]) == set(DECK_52[0::4])
    assert set(deal.hands[(first + 1) % 4]) == set(DECK_52[1::4])
    assert match.apply(CHANCE, deal).hand.phase == "bid"
    assert [len(hand) for hand in deal.hands] == [13] * 4
    with pytest.raises(IllegalAction, match="twice"):
        match.apply(CHANCE, type(deal)((deal.hands[0], deal.hands[0], *deal.hands[2:])))


@clause("T-CAT-11", "T-WIK-05", "NW-CAT-03", "MW-WIK-05")
@pytest.mark.parametrize("preset", ["tuppi", "norwegian_catsatcards", "minnesota"])
def test_bids_are_laid_face_down_by_all_at_once(preset):
    hand = table(preset)
    assert set(hand.owed()) == {0, 1, 2, 3}
    bid_card = hand.legal(2)[0]
    after = hand.apply(2, bid_card)
    assert set(after.owed()) == {0, 1, 3}
    assert (2, bid_card) not in after.view(0).heard
    assert str(bid_card.bid) not in repr(after.view(0))
    assert (2, bid_card) in after.view(2).heard
    assert after.view(2).facts.own_bid == bid_card.bid
    assert after.view(0).facts.committed == (2,)


@clause("T-CAT-12", "T-CAT-13", "T-WIK-05", "T-WIK-08", "T-CAT-19")
@pytest.mark.parametrize(("wishes", "kind"), [("BBBB", "low"), ("BBBR", "high"), ("RRRR", "high")])
def test_tuppi_black_is_nolo_red_is_rami(wishes, kind):
    assert declined(exposed(bid(table("tuppi"), wishes))).kind == kind


@clause("NW-CAT-02", "NW-CAT-03", "NW-CAT-05", "NW-CAT-06", "NW-CAT-08", "MW-WIK-08", "MW-WIK-09")
def test_cards_of_the_cousins_black_is_grand_and_four_red_are_low(subtests: pytest.Subtests):
    for preset in ["norwegian_catsatcards", "minnesota"]:
        for wishes, kind in [("RRRR", "low"), ("RRRB", "high"), ("BBBB", "high")]:
            with subtests.test(preset=preset, wishes=wishes, kind=kind):
                assert exposed(bid(table(preset), wishes)).kind == kind


@clause("T-CAT-14", "T-WIK-06")
def test_tuppi_bid_card_is_a_three_to_a_ten():
    hand = table("tuppi", {0: "S:AKQJT32 H:AKQJT2"})
    sealed = {str(action.bid) for action in hand.legal(0)}
    assert sealed == {"S10", "S3", "H10"}
    with pytest.raises(IllegalAction) as refused:
        hand.apply(0, Seal(parse_card("S2")))
    assert refused.value.legal == hand.legal(0)
    literal = table("tuppi+bid_ranks=3-10,A", {0: "S:AKQJT32 H:AKQJT2"})
    assert {str(action.bid) for action in literal.legal(0)} == {"S10", "S3", "H10", "SA", "HA"}


@clause("NW-CAT-03")
def test_norwegian_bid_card_is_any_card():
    assert len(table("norwegian_catsatcards", {0: "S:AKQJT32 H:AKQJT2"}).legal(0)) == 13


@clause("T-CAT-15", "T-WIK-11")
def test_bid_without_a_card_is_said_when_bids_are_turned_up():
    hand = table("tuppi", {1: "S:AKQJT98 H:AKQJ2 D:A"})
    assert Seal("rami") in hand.legal(1)
    assert Seal("nolo") not in hand.legal(1)
    with pytest.raises(IllegalAction):
        hand.apply(1, Seal("nolo"))
    turned = exposed(bid(hand, "BRBB"))
    assert (1, Call("rami")) in turned.log
    assert turned.bidder == 1
    neither = table("tuppi", {1: "S:AKQJ2 H:AKQJ2 D:AKQ"})
    assert set(neither.legal(1)) == {Seal("rami"), Seal("nolo")}


@clause("T-CAT-16", "T-WIK-07", "MW-WIK-06")
def test_turning_up_begins_left_of_the_dealer(subtests: pytest.Subtests):
    for preset in ["tuppi", "tuppi_catsatcards", "minnesota"]:
        for dealer in range(4):
            with subtests.test(preset=preset, dealer=dealer):
                low = "R" if find(preset)[1].high_colour == "black" else "B"
                hand = exposed(bid(table(preset, dealer=dealer), low * 4))
                shown = [seat for seat, action in hand.log if isinstance(action, Show)]
                assert shown == [(dealer + step) % 4 for step in (1, 2, 3, 4)]


@clause("NW-CAT-04")
def test_norwegian_turning_up_begins_right_of_the_dealer():
    hand = exposed(bid(table("norwegian_catsatcards"), "RRRR"))
    assert [seat for seat, action in hand.log if isinstance(action, Show)] == [3, 0, 1, 2]


@clause("T-CAT-17", "T-WIK-07", "NW-CAT-05", "MW-WIK-07")
@pytest.mark.parametrize("preset", ["tuppi", "norwegian_catsatcards", "minnesota"])
def test_first_high_bid_ends_the_turning_up_and_the_rest_stays_secret(preset):
    _, rules = find(preset)
    high, low = ("R", "B") if rules.high_colour == "red" else ("B", "R")
    hand = exposed(bid(table(preset), high + low + high + high))
    shown = [seat for seat, action in hand.log if isinstance(action, Show)]
    assert shown == ([1, 2] if rules.expose_start == "left" else [3])
    assert hand.bidder == shown[-1]
    hidden = {seat: action.bid for seat, action in hand.log if isinstance(action, Seal) and seat not in shown}
    for viewer in (shown[-1], None):
        view = hand.view(viewer)
        seals = [action for seat, action in view.heard if isinstance(action, Seal) and seat in hidden]
        assert {str(action) for action in seals} == {"seal ??"}


@clause("T-CAT-18", "T-WIK-09")
def test_either_defender_may_call_sooli_clockwise_and_nobody_else():
    hand = exposed(bid(table("tuppi"), "BBRB"))  # dealer N: E nolo, S rami
    assert hand.bidder == 2
    assert hand.owed() == (3,)
    assert hand.legal(3) == (Call("sooli"), Call("pass"))
    assert hand.legal(0) == hand.legal(2) == hand.legal(1) == ()
    second = hand.apply(3, Call("pass"))
    assert second.owed() == (1,)
    assert second.apply(1, Call("sooli")).soloist == 1
    assert second.apply(1, Call("pass")).kind == "high"
    assert exposed(bid(table("tuppi"), "BBBB")).phase == "play"  # impossible in nolo


@clause("A-T-25")
def test_bid_turned_up_stays_known_whatever_is_said_of_sooli():
    hand = exposed(bid(table("tuppi"), "BBRB"))  # dealer N: E nolo, S rami
    known = {by: action.cards[0] for by, action in hand.log[-2:]}
    assert set(known) == {1, 2}
    assert hand.view(0).facts.exposed == known
    assert declined(hand).view(0).facts.exposed == known
    assert go(hand, "W sooli").view(0).facts.exposed == known
    said = go(table("tuppi+bid_mode=spoken"), "E pass; S rami; W pass; E pass")
    assert said.view(0).facts.exposed == {1: Pass(), 2: Bid("rami")}


@clause("T-CATT-02", "T-WIKT-01")
@pytest.mark.parametrize("preset", ["tuppi_tournament", "tuppi_tournament_catsatcards"])
def test_tournaments_know_no_sooli(preset):
    assert exposed(bid(table(preset), "BRBB")).phase == "play"


@clause("T-CATT-03", "T-WIKT-05")
@pytest.mark.parametrize("preset", ["tuppi_tournament", "tuppi_tournament_catsatcards"])
def test_bidding_cards_show_no_card_of_the_hand(preset):
    hand = table(preset)
    assert hand.legal(0) == (Seal("rami"), Seal("nolo"))
    after = exposed(bid(hand, "BBBR"))
    assert after.bidder == 3
    assert not any(isinstance(action, Show) for _, action in after.log)
    assert isinstance(table(preset + "+bid_mode=hand_card").legal(0)[0].bid, int)


@clause("T-CAT-20", "T-WIK-12", "NW-CAT-09")
@pytest.mark.parametrize("preset", ["tuppi", "norwegian_catsatcards"])
def test_bid_cards_return_to_the_hands(preset):
    hand = declined(exposed(bid(table(preset), "BRBR")))
    assert hand.view(None).counts == (13, 13, 13, 13)


@clause("T-WIK-10")
def test_sooli_exchange_one_card_aside_then_one_from_the_partner():
    hand = exposed(bid(table("tuppi"), "BBRB")).apply(3, Call("sooli"))
    assert (hand.phase, hand.owed()) == ("discard", (3,))
    discard, before = hand.legal(3)[0], hand
    hand = hand.apply(3, discard)
    assert (hand.phase, hand.owed()) == ("give", (1,))
    given = hand.legal(1)[0]
    hand = hand.apply(1, given)
    assert hand.phase == "play"
    assert hand.view(None).counts == (13, 12, 13, 13)
    assert discard.cards[0] not in hand.view(3).cards
    assert given.cards[0] in hand.view(3).cards
    for viewer in (0, 1, 2, None):
        assert (3, discard) not in hand.view(viewer).heard
    assert (1, given) in hand.view(3).heard
    assert all(isinstance(action, Give) and action.to is None for action in before.legal(3))


def test_sooli_exchange_there_and_back():  # A-T-07
    hand = exposed(bid(table("tuppi+sooli_exchange=receive_then_return"), "BBRB")).apply(3, Call("sooli"))
    given = hand.legal(1)[0]
    hand = hand.apply(1, given)
    assert (hand.phase, hand.owed()) == ("return", (3,))
    hand = hand.apply(3, Give(given.cards, 1))  # the very card received may go back
    assert hand.view(None).counts == (13, 13, 13, 13)
    assert (3, Give(given.cards, 1)) in hand.view(1).heard


@clause("T-CAT-26")
def test_catsatcards_sooli_has_no_exchange():
    hand = exposed(bid(table("tuppi_catsatcards"), "BBRB")).apply(3, Call("sooli"))
    assert hand.phase == "play"
    assert 1 not in hand.table.active


@clause("NW-CAT-07")
def test_hand_of_one_colour_may_be_shown_and_the_same_dealer_deals_again():
    game, rules = find("norwegian_catsatcards")
    hand = table("norwegian_catsatcards", {2: "H:AKQJT98 D:AKQJT9"})
    show = hand.legal(2)[-1]
    assert isinstance(show, Show)
    assert len(show.cards) == 13
    assert not any(isinstance(action, Show) for action in hand.legal(0))
    match = Match.start(game, rules, 4, dealer=1)
    match = match.apply(*table("norwegian_catsatcards", {2: "H:AKQJT98 D:AKQJT9"}).log[0])
    match = match.apply(2, show)
    assert match.hand.setup.dealer == 1
    assert match.hand.setup.number == 1
    assert match.tally.score() == (0, 0)
    laid = hand.apply(2, hand.legal(2)[0])
    assert laid.legal(2) == ()  # only until the own bid is placed


@clause("MW-WIK-18")
def test_spoken_auction_first_grand_ends_it_four_passes_are_low():
    hand = table("norwegian_spoken")
    assert hand.owed() == (1,)
    assert hand.legal(1) == (Call("pass"), Call("grand"))
    assert go(hand, "E pass; S grand").kind == "high"
    low = go(hand, "E pass; S pass; W pass; N pass")
    assert (low.kind, low.bidder, low.owed()) == ("low", None, (1,))


def test_parlett_nullo_fixes_a_low_game_with_its_bidder():  # A-N-05
    hand = table("norwegian_parlett")
    assert hand.legal(1) == (Call("pass"), Call("grand"), Call("nullo"))
    nullo = go(hand, "E pass; S nullo")
    assert (nullo.kind, nullo.owed()) == ("low", (1,))  # right of the nullo bidder
    assert go(hand, "E grand").owed() == (2,)  # left of the grander
    assert go(hand, "E pass; S pass; W pass; N pass").owed() == (3,)  # right of the dealer


@clause("T-CAT-38", "T-CATT-06", "T-WIKT-06")
def test_table_talk_is_an_option_of_the_preset():
    talk = {name: find(name)[1].table_talk for name in find("tuppi")[0].presets}
    assert talk["tuppi"] == talk["tuppi_catsatcards"] == "agreed_signals"
    assert talk["tuppi_tournament"] == talk["tuppi_tournament_catsatcards"] == "none"


def test_rules_that_contradict_themselves_are_refused_by_field(subtests: pytest.Subtests):
    for text, field in [
        ("tuppi+high_points=0", "score_model"),
        ("tuppi+high_fail_debit=1", "high_fail_debit"),
        ("tuppi+low_mode=debit_loser", "low_mode"),
        ("tuppi+sooli_points=0", "sooli_points"),
        ("minnesota+sooli=on", "sooli"),
        ("tuppi+extension=on", "extension"),
        ("minnesota+max_hands=9+limit_criterion=peak", "limit_criterion"),
        ("tuppi_tournament+partners=drawn", "partners"),
        ("tuppi+single_colour_hand=may_void", "single_colour_hand"),
        ("minnesota+bid_mode=bid_card+single_colour_hand=may_void", "single_colour_hand"),
        ("tuppi+single_colour_hand=forced", "single_colour_hand"),
        ("tuppi+target=0", "target"),
        ("tuppi+target=fifty", "target"),
        ("tuppi+high_colour=green", "high_colour"),
        ("tuppi+colour=red", "colour"),
        ("tuppi+limit_tiebreak=[coin]", "limit_tiebreak"),
        ("tupi", "preset"),
        ("tuppi+sooli", "sooli"),
    ]:
        with subtests.test(text=text, field=field):
            with pytest.raises(BadRules) as refused:
                find(text)
            assert refused.value.field == field


def test_forced_bids_with_what_is_held():  # A-N-04
    hand = table("swedish", {0: "H:AKQJT98 D:AKQJT9"})
    assert all(isinstance(action.bid, int) for action in hand.legal(0))
    assert played(hand).result() is not None
