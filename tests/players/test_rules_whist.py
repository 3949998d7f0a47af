"""The rule-based player of the whist family: beats chance, bids and plays by the rules of thumb."""

from random import Random

import pytest

from nousu.engine.actions import Call, Deal, Give, Play, Seal
from nousu.engine.cards import card_set, parse_card, parse_hand
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.arena import Contest, play_contest
from nousu.players.whist.rules import danger, high_strength

STRONG = "S:AKQ4 H:AK52 D:A93 C:K8"
WEAK = "S:J9532 H:T83 D:862 C:32"
DEAL = f"{STRONG} / S:T87 H:QJ9 D:KQT C:AQJ4 / {WEAK} / S:6 H:764 D:J754 C:T9765"
LOWEST = "S:2345 H:A23 D:A24 C:A35"
SOOLI_DEAL = f"S:AK6 H:KQJ D:KQ3 C:KQJT / {LOWEST} / S:QJT9 H:T94 D:JT9 C:987 / S:87 H:8765 D:8765 C:642"


def hand_after(deal, *actions, game="tuppi", dealer=3):
    """The hand of this deal after these actions."""
    family, rules = find(game)
    hand = Match.start(family, rules, 4, dealer).hand
    hand = hand.apply(CHANCE, Deal(tuple(parse_hand(one) for one in deal.split(" / "))))
    for seat, action in actions:
        hand = hand.apply(seat, action)
    return hand


def choice_of(hand, seat, seed=1):
    return find_player("rules").choose(hand.view(seat), DEFAULT_BUDGET, seed).action


def forward(hand, until):
    """Rule-based players go on until the hand is in phase `until`."""
    while hand.view(None).facts.phase != until:
        seat = hand.owed()[0]
        hand = hand.apply(seat, choice_of(hand, seat))
    return hand


@pytest.mark.parametrize("game", ["tuppi", "minnesota"])
def test_rules_player_beats_random_in_duplicate_matches(game):
    """At least 95 % of 40 matches, 20 pairs with seats exchanged."""
    standing = play_contest(Contest(a="rules", b="random", game=game, pairs=20, seed=5, whole=True))
    assert standing.matches["a"] >= 38
    assert standing.low > 0


@pytest.mark.parametrize(
    "game",
    ["tuppi_catsatcards", "tuppi_tournament", "norwegian_catsatcards", "south_dakota", "norwegian_parlett",
     "norwegian_spoken", "swedish", "tuppi_tournament_catsatcards", "minnesota_pagat"],
)  # fmt: skip
def test_rules_player_beats_chance_in_every_preset(game):
    standing = play_contest(Contest(a="rules", b="random", game=game, pairs=25, seed=3))
    assert standing.low > 0


def test_bids_follow_strength():
    assert high_strength(card_set(parse_hand(STRONG))) > 20
    assert high_strength(card_set(parse_hand(WEAK))) < 3


def test_bid_card_is_usable_and_of_the_right_colour():
    hand = hand_after(DEAL)
    high, low = choice_of(hand, 0), choice_of(hand, 2)
    assert isinstance(high, Seal) and high.bid == parse_card("D3")
    assert isinstance(low, Seal) and low.bid in map(parse_card, ("S9", "S5"))


def test_fourth_seat_wins_as_cheaply_as_possible():
    bids = [(0, Seal(parse_card("H5"))), (1, Seal(parse_card("S7")))]
    bids += [(2, Seal(parse_card("S3"))), (3, Seal(parse_card("C5")))]
    hand = hand_after(DEAL, *bids)
    hand = hand.apply(0, choice_of(hand, 0)).apply(1, Call("pass")).apply(3, Call("pass"))
    for seat, card in ((3, "H4"), (0, "H2"), (1, "H9")):
        hand = hand.apply(seat, Play(parse_card(card)))
    assert choice_of(hand, 2) == Play(parse_card("HT"))


def test_sooli_is_called_on_a_safe_hand_and_mended():
    assert danger(card_set(parse_hand(LOWEST))) < 0.5 < danger(card_set(parse_hand(STRONG)))
    hand = forward(hand_after(SOOLI_DEAL), "sooli")
    assert hand.owed() == (1,)
    assert choice_of(hand, 1) == Call("sooli")
    hand = hand.apply(1, Call("sooli"))
    thrown = choice_of(hand, 1)
    assert isinstance(thrown, Give) and thrown.to is None
    hand = hand.apply(1, thrown)
    assert danger(hand.hands[1]) <= danger(card_set(parse_hand(LOWEST)))
    given = choice_of(hand, 3)
    assert isinstance(given, Give) and given.to == 1 and given.cards[0].rank <= 4
    hand = hand.apply(3, given)
    while hand.result() is None:
        hand = hand.apply(hand.owed()[0], choice_of(hand, hand.owed()[0]))
    assert hand.result().points == (0, 24)


def test_rising_side_that_has_lost_is_spared_the_rest():
    family, rules = find("tuppi")
    match = Match.start(family, rules, 4)
    rng = Random(4)
    ended = 0
    while match.winner is None:
        if match.hand.owed() == (CHANCE,):
            match = match.deal(rng)
            continue
        seat = match.hand.owed()[0]
        action = choice_of(match.hand, seat)
        may_end = Call("end") in match.hand.legal(seat)
        assert (action == Call("end")) == may_end
        ended += may_end
        match = match.apply(seat, action)
    assert ended


def test_seed_decides_the_choice():
    match = Match.start(*find("tuppi"), 4).deal(Random(1))
    for seat in range(4):
        view = match.hand.view(seat)
        assert find_player("rules").choose(view, DEFAULT_BUDGET, 9) == find_player("rules").choose(
            view, DEFAULT_BUDGET, 9
        )
