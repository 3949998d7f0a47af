"""Values of the whist family: words, bids, scores; refusals and reasons cite clauses in force."""

from random import Random

import pytest

from hands import bid, declined, exposed, go, played, table
from nousu.engine.actions import Call, Deal, Play, Seal, Show
from nousu.engine.cards import DECK_52, HIDDEN, card_set, parse_card, parse_hand
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Result, Setup
from nousu.engine.laws import random_match
from nousu.engine.match import shuffled
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.games.whist import (
    GAME,
    WORDS,
    Bid,
    Facts,
    Outcome,
    Rise,
    bid_cards,
    bid_in,
    bids_for,
    call_of,
    means_high,
    payoffs,
    said,
    sealed,
)
from nousu.teaching.clauses import RESOLUTIONS, clauses, clauses_in

clause = pytest.mark.clause
KNOWN = {*clauses(), *(one.id for one in clauses_in(RESOLUTIONS))}


def rules(preset):
    return find(preset)[1]


def refused(hand, seat, action):
    with pytest.raises(IllegalAction) as caught:
        hand.apply(seat, action)
    assert caught.value.note.clause in KNOWN
    return caught.value.note.clause, caught.value.note.message


# ------------------------------------------------------------------------------------------- words


def test_word_is_spoken_and_understood(subtests: pytest.Subtests):
    for word in WORDS:
        with subtests.test(word=word):
            assert said(call_of(word)) == word


def test_unknown_call_word_says_nothing():
    assert said(Call("contract 50")) is None
    assert bid_in(Seal(HIDDEN)) is None
    assert bid_in(Call("pass")) is None
    assert bid_in(Show(parse_hand("S:AK"))) is None


def test_legal_bid_is_a_value_and_its_inverse(subtests: pytest.Subtests):
    for preset in GAME.presets:
        with subtests.test(preset=preset):
            for _, hand in random_match(GAME, rules(preset), 4, Random(preset), hands=2):
                for seat in hand.owed() if hand.phase in ("bid", "auction") else ():
                    for action in hand.legal(seat):
                        if isinstance(action, Seal):
                            assert sealed(bid_in(action)) == action
                        elif isinstance(action, Call):
                            assert call_of(said(action)) == action


@clause("T-CAT-12", "T-CAT-13", "NW-CAT-03", "MW-WIK-05")
@pytest.mark.parametrize(("preset", "red"), [("tuppi", True), ("minnesota", False), ("swedish", True)])
def test_colour_of_a_bid_says_high_or_low(preset, red):
    assert means_high(parse_card("H7"), rules(preset)) is red
    assert means_high(parse_card("C7"), rules(preset)) is not red
    high, low = rules(preset).words
    assert means_high(high, rules(preset)) and not means_high(low, rules(preset))


@clause("A-T-03", "T-CAT-14", "A-T-04")
def test_bids_for_a_hand():
    assert bid_cards(rules("tuppi")).bit_count() == 32
    assert bid_cards(rules("tuppi+bid_ranks=3-10,A")).bit_count() == 36
    assert bid_cards(rules("minnesota")).bit_count() == 52
    black = card_set(parse_hand("S:AKQJ95 C:KQJ8765"))
    assert bids_for(black, rules("tuppi"))[-1] == Seal("rami")
    assert not any(isinstance(one.bid, str) for one in bids_for(black, rules("swedish")))
    assert bids_for(black, rules("tuppi_tournament")) == (Seal("rami"), Seal("nolo"))


def test_payoffs_are_those_of_hands_played_out():
    for preset in GAME.presets:
        paid = set(payoffs(rules(preset)))
        for seed in range(2):
            for match, _ in random_match(GAME, rules(preset), 4, Random(seed), hands=3):
                for one in match.played:
                    outcome = None if one.result.void else Outcome.of(one.result.outcome)
                    if outcome is not None and outcome.soloist is None and not outcome.ended_early:
                        assert one.result.points in paid


def test_facts_of_a_hand_are_typed():
    hand = exposed(bid(table("tuppi"), "BRBB"))
    facts = Facts.of(hand.view(1).facts)
    assert (facts.phase, facts.kind, facts.bidder) == ("sooli", "high", 1)
    assert facts.own_bid == facts.exposed[1] and means_high(facts.own_bid, hand.rules)
    assert facts.plain()["own_bid"] == str(facts.own_bid)
    assert Outcome.read(Outcome(kind="low", tricks=(5, 8), scorer=0).plain()) == Outcome(
        kind="low", tricks=(5, 8), scorer=0
    )
    assert isinstance(rules("minnesota").words[0], Bid)


# ---------------------------------------------------------------------------------------- refusals

TURN = "it is not this seat’s turn"


def nearly_lost(early="offer"):
    """A hand that the rising side can no longer win: both sides may break it off."""
    game, tuppi = find(f"tuppi+early_end={early}")
    for seed in range(200):
        rng = Random(seed)
        hand = game.start(tuppi, Setup(4, 0, Rise(tuppi, riser=0, points=8)))
        hand = hand.apply(CHANCE, shuffled(hand.dealing(), rng))
        while hand.owed():
            if hand.view(None).facts.may_end and hand.phase == "play":
                return hand
            seat = hand.owed()[0]
            hand = hand.apply(seat, rng.choice(hand.legal(seat)))
    raise AssertionError("no such hand")


def test_out_of_turn_is_out_of_turn_also_where_the_hand_may_be_broken_off():
    hand = nearly_lost()
    seat = next(one for one in range(4) if one != hand.table.turn and hand.legal(one))
    card = next(card for card in DECK_52 if hand.table.hands[seat] >> card & 1)
    assert refused(hand, seat, Play(card)) == ("T-CAT-32", TURN)


@pytest.mark.parametrize(
    ("preset", "turn", "suit"),
    [
        ("tuppi", "T-CAT-32", "T-CAT-33"),
        ("minnesota", "MW-WIK-11", "MW-WIK-11"),
        ("norwegian_catsatcards", "NW-CAT-12", "NW-CAT-12"),
    ],
)
def test_refusals_of_a_card_cite_the_text_the_table_follows(preset, turn, suit):
    hand = declined(exposed(bid(table(preset), "RBRB")))
    away = next(seat for seat in range(4) if seat not in hand.owed())
    assert refused(hand, away, Play(parse_card("S2"))) == (turn, TURN)
    while hand.table.legal() == hand.table.hands[hand.table.turn]:
        hand = hand.apply(hand.table.turn, hand.legal(hand.table.turn)[0])
    seat, held = hand.table.turn, hand.table.hands[hand.table.turn]
    other = next(card for card in DECK_52 if (held & ~hand.table.legal()) >> card & 1)
    assert refused(hand, seat, Play(other)) == (suit, "follow suit: you hold a card of the suit led")
    absent = next(card for card in DECK_52 if not held >> card & 1)
    assert refused(hand, seat, Play(absent)) == (turn, "this card is not in the hand")


def test_second_bid_is_refused_as_one():
    hand = table("tuppi")
    seal = next(one for one in hand.legal(0) if isinstance(one, Seal))
    after = hand.apply(0, seal)
    assert refused(after, 0, seal) == ("T-CAT-11", "this bid has already been laid")
    cited, message = refused(hand, 0, Seal(parse_card("SA")))
    assert cited == "T-CAT-14" and message.startswith("lay down a card that may be a bid; ")
    assert refused(table("minnesota"), 0, Call("pass"))[0] == "MW-WIK-05"


def test_bidding_cards_are_asked_for_where_there_are_some():
    assert refused(table("tuppi_tournament"), 0, Seal(DECK_52[3])) == (
        "T-WIKT-05",
        "lay down one of the two bidding cards",
    )
    assert refused(table("norwegian_catsatcards"), 0, Seal("grand")) == (
        "NW-CAT-03",
        "lay down a card that may be a bid",
    )


@pytest.mark.parametrize("preset", ["tuppi", "minnesota", "norwegian_parlett"])
def test_cards_are_dealt_once(preset):
    hand = table(preset)
    again = shuffled(hand.dealing(), Random(1))
    assert refused(hand, CHANCE, again)[1] == "the cards have already been dealt"
    assert refused(played(hand), CHANCE, again)[1] == "the cards have already been dealt"
    new = GAME.start(rules(preset), hand.setup)
    assert refused(new, 0, Deal(again.hands))[1] == "the cards have not been dealt"
    assert refused(new, 0, Play(DECK_52[0]))[1] == "the cards have not been dealt"


def test_sooli_answer_of_a_seat_that_is_not_asked_is_refused():
    hand = exposed(bid(table("tuppi"), "BRBB"))
    assert hand.owed() == (2,)
    assert refused(hand, 0, Call("sooli")) == ("A-T-08", TURN)
    assert refused(hand, 2, Call("rami")) == ("T-CAT-18", "say sooli or pass")


def test_over_is_over():
    assert refused(played(table("minnesota")), 0, Play(DECK_52[0])) == ("MW-WIK-12", "the hand is over")


# ----------------------------------------------------------------------------------------- reasons


def reasons(preset, seeds=60):
    """Every clause cited with the points each trick brings, over hands played at random."""
    found = {}
    for seed in range(seeds):
        for match, _ in random_match(GAME, rules(preset), 4, Random(seed), hands=1):
            for one in match.played[-1:]:
                for note in (*one.result.notes, *one.tally.notes()):
                    assert note.clause in KNOWN, note
                    found.setdefault(note.clause, set()).add(note.values.get("each"))
    return found


@clause("T-WIK-17", "T-WIK-18", "T-WIK-19", "T-CAT-22", "T-CAT-24", "T-CAT-25")
@clause("MW-WIK-14", "MW-WIK-15", "MW-WIK-16", "NW-CAT-13", "NW-CAT-14", "A-T-05", "A-T-06")
def test_reason_never_cites_a_clause_that_pays_another_figure(subtests: pytest.Subtests):
    for preset, cited in [
        ("tuppi+sooli=off", {"T-WIK-17": {4}, "T-WIK-18": {8}, "T-WIK-19": {4}}),
        ("tuppi_catsatcards+sooli=off", {"T-CAT-24": {4}, "T-CAT-25": {6}, "T-CAT-22": {1}}),
        ("tuppi+sooli=off+high_fail_points=6", {"T-WIK-17": {4}, "T-CAT-25": {6}, "T-WIK-19": {4}}),
        ("tuppi+sooli=off+high_fail_points=5", {"T-WIK-17": {4}, "A-T-05": {5}, "T-WIK-19": {4}}),
        ("tuppi+sooli=off+high_points=3+low_points=2", {"A-T-26": {3}, "T-WIK-18": {8}, "A-T-06": {2}}),
        ("minnesota", {"MW-WIK-15": {1}, "MW-WIK-16": {2}, "MW-WIK-14": {1}}),
        ("minnesota_pagat", {"NW-CAT-13": {1}, "NW-CAT-14": {1}}),
        ("south_dakota", {"NW-CAT-13": {1}, "A-N-03": {1}, "NW-CAT-14": {1}}),
        ("norwegian_parlett", {"A-N-05": {2, 4, 8}}),
    ]:
        with subtests.test(preset=preset, cited=cited):
            paid = {name: each for name, each in reasons(preset).items() if each != {None}}
            assert paid == cited


@clause("T-CAT-30", "T-CAT-31", "T-WIK-21", "T-WIK-22", "A-T-28")
@pytest.mark.parametrize(
    ("preset", "made", "caught"),
    [
        ("tuppi", "T-WIK-21", "T-WIK-22"),
        ("tuppi_catsatcards", "T-CAT-30", "T-CAT-31"),
        ("tuppi+sooli_points=12", "A-T-28", "A-T-28"),
    ],
)
def test_sooli_cites_what_it_pays(preset, made, caught):
    found = set()
    for seed in range(40):
        hand = exposed(bid(table(preset), "BRBB"))
        notes = played(go(hand, "S sooli"), seed).result().notes
        found |= {note.clause for note in notes}
    assert found <= {made, caught} and caught in found


@clause("T-CAT-35", "T-CAT-36", "T-WIK-23", "T-WIK-25", "A-T-14", "NW-CAT-15", "MW-WIK-17")
def test_end_of_a_match_cites_a_clause_that_says_this_target(subtests: pytest.Subtests):
    for preset, risen, won in [
        ("tuppi", "T-WIK-23", "T-WIK-25"),
        ("tuppi_catsatcards", "T-CAT-35", "T-CAT-36"),
        ("tuppi+target=20", "T-WIK-23", "A-T-14"),
        ("minnesota", None, "MW-WIK-17"),
        ("norwegian_catsatcards", None, "NW-CAT-15"),
        ("south_dakota", None, "MW-WIK-17"),
    ]:
        with subtests.test(preset=preset, risen=risen, won=won):
            tally = GAME.tally(rules(preset), 4)
            while tally.winner() is None:
                points = (0, 4) if rules(preset).score_model == "single_riser" else (1, 0)
                tally = tally.add(
                    Result(points=points, outcome=Outcome(scorer=points.index(max(points)))), None
                )
            assert tally.notes()[-1].clause == won
            if risen:
                assert tally.notes()[0].clause == risen
