"""Cards, sets of cards, rank orders and their text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nousu.engine.cards import (
    ACE_HIGH,
    ACE_LOW,
    CARDS,
    DECK_32,
    DECK_36,
    DECK_52,
    HIDDEN,
    SUIT_SETS,
    TEN_BELOW_ACE,
    TEN_HIGH,
    card_set,
    cards_of,
    deck,
    hand_text,
    in_order,
    parse_card,
    parse_hand,
)

cards = st.sampled_from(DECK_52)
hands = st.sets(cards, max_size=13)


@given(cards)
def test_card_text_round_trips(card: int) -> None:
    text = str(CARDS[card])
    assert parse_card(text) == parse_card(text.lower()) == card


def test_spellings(subtests: pytest.Subtests) -> None:
    for text, card in [("S10", "S10"), ("ST", "S10"), ("h9", "H9"), ("??", "??")]:
        with subtests.test(text=text, card=card):
            assert str(parse_card(text)) == card


def test_wrong_card_is_told_with_a_guess(subtests: pytest.Subtests) -> None:
    for text, said in [
        ("S1O", "did you mean S10"),
        ("SI0", "did you mean S10"),
        ("X9", "write S10 or H9"),
        ("", "is not a card"),
    ]:
        with subtests.test(text=text, said=said), pytest.raises(ValueError, match=said):
            parse_card(text)


@given(hands)
def test_sets_give_their_cards_back_in_reading_order(hand: set[int]) -> None:
    listed = cards_of(card_set(hand))
    assert set(listed) == hand
    assert listed == in_order(hand)
    assert [(card.suit, -card.rank) for card in listed] == sorted((card.suit, -card.rank) for card in listed)


@given(hands)
def test_hand_text_round_trips(hand: set[int]) -> None:
    listed = in_order(hand)
    assert parse_hand(hand_text(listed)) == listed


def test_hidden_and_empty_hands_have_a_text() -> None:
    assert hand_text(()) == "-" and parse_hand("-") == parse_hand("") == ()
    assert hand_text((HIDDEN,) * 4) == "?4" and parse_hand("?4") == (HIDDEN,) * 4
    assert in_order([HIDDEN, parse_card("S2")]) == (parse_card("S2"), HIDDEN)


def test_wrong_hand_is_told(subtests: pytest.Subtests) -> None:
    for text, said in [
        ("?x", "a hidden hand is written"),
        ("?53", "a hidden hand is written"),
        ("SAKQ", "a suit is written"),
        ("SP:A", "a suit is written"),
        ("S:AA", "names a card twice"),
        ("S:A H:1", "is not a card"),
    ]:
        with subtests.test(text=text, said=said), pytest.raises(ValueError, match=said):
            parse_hand(text)


def test_packs() -> None:
    assert [len(pack) for pack in (DECK_52, DECK_36, DECK_32)] == [52, 36, 32]
    assert {card.letter for card in DECK_32} == {"7", "8", "9", "10", "J", "Q", "K", "A"}
    assert deck("A") == tuple(map(parse_card, ("SA", "HA", "DA", "CA")))


@pytest.mark.clause("T-CAT-02", "T-CAT-28", "HP-GR-12", "TU-ZK-II2a")
def test_orders_of_strength(subtests: pytest.Subtests) -> None:
    for order, ranks in [
        (ACE_HIGH, "A K Q J 10 9 8 7 6 5 4 3 2"),
        (ACE_LOW, "K Q J 10 9 8 7 6 5 4 3 2 A"),
        (TEN_BELOW_ACE, "A 10 K Q J 9 8 7 6"),
        (TEN_HIGH, "10 9 8 7 A K Q J"),
    ]:
        with subtests.test(order=order, ranks=ranks):
            suit = [card for card in DECK_52 if card.suit == 0 and order[card.rank] >= 0]
            assert " ".join(card.letter for card in sorted(suit, key=lambda card: -order[card.rank])) == ranks


def test_suits_are_apart_in_a_set() -> None:
    assert [card_set(DECK_52) & lane for lane in SUIT_SETS] == list(SUIT_SETS)
    assert sum(SUIT_SETS).bit_count() == 52
