"""The rule-based player of Huutopussi: beats chance, bids and exchanges with sense, remembers."""

from random import Random
from typing import Any

import pytest

from nousu.engine.actions import Call, Give, Play
from nousu.engine.cards import card_set, parse_card, parse_hand
from nousu.engine.errors import BadRules
from nousu.engine.game import Setup
from nousu.engine.match import Match
from nousu.engine.options import options
from nousu.engine.record import parse_entry
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.games.huutopussi import GAME, PRESETS, Hand, Rules, Totals
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.arena import Contest, play_contest
from nousu.players.huutopussi.rules import KEPT, contract_chance, deduce, hand_value

N, E, S, W = range(4)
DEAL = "deal N S:A98 H:K7 D:QJT C:8 / E S:KQT H:AJ9 D:987 / S S:J76 H:QT8 C:AK6 / W H:6 D:AK6 C:QJT97"
STRONG = "deal N S:AK H:AKQ D:A C:AKT / E S:JT9 H:JT6 D:J9 C:9 / S S:Q87 H:987 D:KQ C:6 / W S:6 D:T876 C:QJ87"


def hand_after(rules: str, *entries: str, score: tuple[int, int] = (0, 0)) -> Hand:
    """The hand after these entries; W deals."""
    chosen = find(rules)[1]
    hand = Hand(chosen, Setup(4, W, Totals(chosen, score)))
    for entry in entries:
        hand = hand.apply(*parse_entry(entry, 4))
    return hand


def choice_of(hand: Hand, seed: int = 1) -> Any:
    """The choice of the player on turn."""
    seat = hand.owed()[0]
    choice = find_player("rules").choose(hand.view(seat), DEFAULT_BUDGET, seed)
    assert choice.action in hand.legal(seat)
    return choice.action


def test_rules_player_beats_random_in_duplicate_matches() -> None:
    """At least 95 % of 60 matches: 30 pairs, the same deals with sides exchanged."""
    standing = play_contest(Contest(a="rules", b="random", game="huutopussi", pairs=30, seed=5, whole=True))
    assert standing.matches["a"] >= 57
    assert standing.low > 0


@pytest.mark.slow
def test_rules_player_beats_random_in_two_hundred_matches() -> None:
    standing = play_contest(Contest(a="rules", b="random", game="huutopussi", pairs=100, seed=11, whole=True))
    assert standing.matches["a"] >= 190


@pytest.mark.parametrize("preset", [preset for preset in PRESETS if preset != "huutopussi"])
def test_rules_player_beats_random_under_every_preset(preset: str) -> None:
    standing = play_contest(Contest(a="rules", b="random", game=preset, pairs=10, seed=3, whole=True))
    assert standing.matches["a"] >= 19


def test_choice_is_decided_by_the_view_under_any_rules() -> None:
    rng = Random(4)
    for _ in range(25):
        drawn = {item.name: rng.choice(item.values) for item in options(Rules) if item.values is not None}
        try:
            rules = Rules(**drawn, min_bid=60)
        except BadRules:
            continue
        match = Match.start(GAME, rules, 4, rng.choice(range(4)))
        while not match.played:
            if match.hand.owed() == (CHANCE,):
                match = match.deal(rng)
                continue
            seat = match.hand.owed()[0]
            view = match.hand.view(seat)
            choice = find_player("rules").choose(view, DEFAULT_BUDGET, 1)
            assert choice.action in view.legal
            assert choice == find_player("rules").choose(view, DEFAULT_BUDGET, 2)
            match = match.apply(seat, choice.action)


def test_hand_with_aces_and_marriages_is_worth_more() -> None:
    rules = PRESETS["huutopussi"]
    hands = ["S:987 H:J96 D:876", "S:A87 H:J96 D:876", "S:A87 H:KQ6 D:876", "S:A87 H:KQ6 D:AKQ"]
    worths = [hand_value(rules, card_set(parse_hand(hand))) for hand in hands]
    assert worths == sorted(worths)
    assert hand_value(rules, card_set(parse_hand("S:A87 H:KQ6 D:876")), KEPT) > 100
    assert contract_chance(150, 100) > 0.85 > 0.5 == contract_chance(150, 150)


def test_bid_is_made_on_a_strong_hand_and_not_on_a_poor_one() -> None:
    assert choice_of(hand_after("huutopussi_illisoft", DEAL)) == Call("pass")
    assert choice_of(hand_after("huutopussi_illisoft", STRONG)) == Call("60")
    hand = hand_after("huutopussi", STRONG, "N 50", "E pass", "S pass", "W 55")
    assert choice_of(hand) == Call("60")


def test_redeal_is_demanded_with_a_poor_hand() -> None:
    poor = (
        "deal N S:J98 H:J9 D:97 C:76 / E S:AKQ H:AKQ D:AKQ / S S:T7 H:T87 D:T8 C:98 / W S:6 H:6 D:J6 C:AKQJT"
    )
    assert choice_of(hand_after("huutopussi", poor)) == Call("redeal")


def test_partner_gives_marriages_and_aces() -> None:
    deal = DEAL.replace("S S:J76 H:QT8 C:AK6", "S S:A76 H:KQ8 C:AT6").replace("N S:A98 H:K7", "N S:J98 H:T7")
    gift = choice_of(
        hand_after("huutopussi", deal.replace("W H:6 D:AK6 C:QJT97", "W H:6 D:AK6 C:QJK97"), "N 440")
    )
    assert isinstance(gift, Give)
    assert {"HK", "HQ"} < {str(card) for card in gift.cards}
    assert {str(card) for card in gift.cards} & {"SA", "CA"}


def test_declarer_keeps_marriages_and_aces_and_names_a_fair_contract() -> None:
    hand = hand_after("huutopussi", STRONG, "N 50", "E pass", "S pass", "W pass")
    hand = hand.apply(S, choice_of(hand))
    contract = choice_of(hand)
    assert 150 <= int(contract.word.split()[1]) <= 300
    hand = hand.apply(N, contract)
    hand = hand.apply(N, choice_of(hand))
    assert hand.view(N).cards == parse_hand("S:AKQ H:AKQ D:AKQ")


def test_contract_is_no_higher_than_the_match_needs() -> None:
    entries = (STRONG, "N 50", "E pass", "S pass", "W pass", "S give SQ DK DQ to N")
    assert choice_of(hand_after("huutopussi", *entries, score=(430, 0))) == Call("contract 70")
    exceed = "huutopussi+win_condition=exceed"
    assert choice_of(hand_after(exceed, *entries, score=(430, 0))) == Call("contract 75")


TRICKS = (
    "N 440", "S give S8 S7 C6 to N", "N contract 440", "N give S8 S7 C6 to S", "N play HA", "E play H6",
    "S play H7", "W play S6",
)  # fmt: skip


def test_marriage_in_hand_is_declared_after_an_ace() -> None:
    hand = hand_after("huutopussi", STRONG, *TRICKS)
    assert choice_of(hand) == Call("marriage H")


def test_answer_names_the_dearest_marriage() -> None:
    deal = "deal N S:A98 H:T7 D:JT C:87 / E S:KQT H:AJ9 D:987 / S S:J76 H:KQ D:KQ C:AK / W H:86 D:A6 C:QJT96"
    hand = hand_after(
        "huutopussi", deal, "N 440", "S give SJ S7 S6 to N", "N contract 440", "N give SJ S7 S6 to S",
        "N play SA", "E play ST", "S play SJ", "W play H6", "N ask full",
    )  # fmt: skip
    assert choice_of(hand) == Call("yes H")


def test_memory_holds_cards_shown_and_given_and_suits_not_followed() -> None:
    hand = hand_after("huutopussi", STRONG, *TRICKS, "N marriage H")
    north = deduce(hand.view(N))
    back = card_set(map(parse_card, ("S8", "S7", "C6")))
    assert north.known[S] == back
    assert not north.possible[W] & card_set(parse_hand("H:AKQJT9876"))
    assert not north.possible[E] & back
    east = deduce(hand.view(E))
    assert east.known[N] == card_set(parse_hand("H:KQ"))
    assert not east.possible[S] & card_set(parse_hand("H:KQ"))
    assert east.holds(N, parse_card("HK")) == 1.0
    assert east.trump == 1
    assert north.danger(W, parse_card("HK"), 1) == 0.0


def test_player_who_did_not_beat_could_not() -> None:
    hand = hand_after("huutopussi", STRONG, *TRICKS[:4], "N play HQ", "E play HT", "S play H7")
    west = deduce(hand.view(W))
    assert not west.possible[S] & card_set(parse_hand("H:A"))
    assert west.possible[N] & card_set(parse_hand("H:A"))


def test_lost_trick_gets_nothing_of_value() -> None:
    """W is out of spades and holds no trump: N's ace has won, and a low card goes."""
    hand = hand_after("huutopussi", STRONG, *TRICKS, "N marriage H", "N play SA", "E play S9", "S play SQ")
    assert choice_of(hand) in [Play(parse_card(card)) for card in ("D6", "D7", "D8", "C7", "C8")]


def test_points_are_given_to_a_trick_that_comes_home() -> None:
    """N's ace of diamonds cannot be beaten: S adds the jack and keeps the seven."""
    deal = (
        STRONG.replace("S S:Q87 H:987 D:KQ C:6", "S S:Q87 H:987 D:J7 C:6")
        .replace("E S:JT9 H:JT6 D:J9 C:9", "E S:JT9 H:JT6 D:K9 C:9")
        .replace("D:T876 C:QJ87", "D:QT86 C:QJ87")
    )
    hand = hand_after("huutopussi", deal, "N 440", "S give S8 S7 C6 to N", "N contract 440",
                      "N give S8 S7 C6 to S", "N play DA", "E play D9")  # fmt: skip
    assert choice_of(hand) == Play(parse_card("DJ"))
