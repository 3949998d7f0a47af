"""The six actions: their text both ways, and what others hear of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nousu.engine.actions import (
    Action,
    Call,
    Deal,
    Give,
    Play,
    Seal,
    Show,
    entry,
    heard,
    parse_action,
    plays,
)
from nousu.engine.cards import DECK_52, HIDDEN, card_set, cards_of, parse_card, parse_hand
from nousu.engine.seats import CHANCE

H7, S8, DA = map(parse_card, ("H7", "S8", "DA"))
card = st.sampled_from(DECK_52)
several = st.lists(card, min_size=1, max_size=5, unique=True).map(tuple)
words = st.from_regex(r"[a-z][a-z0-9]{0,6}(-[a-z0-9]{1,4})?( [0-9]{1,3})?", fullmatch=True).filter(
    lambda word: word.split()[0] not in ("deal", "seal", "show", "give", "play")
)


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Any deal of up to eight hands and a stock."""
    pack = draw(st.permutations(DECK_52))
    seats = draw(st.integers(2, 8))
    size = draw(st.integers(0, 52 // seats))
    cut = draw(st.integers(seats * size, 52))
    return Deal(
        tuple(tuple(pack[at * size : (at + 1) * size]) for at in range(seats)),
        tuple(pack[seats * size : cut]),
    )


actions = st.one_of(
    deals(),
    words.map(Call),
    card.map(Seal),
    st.sampled_from(("rami", "nolo", "grand")).map(Seal),
    several.map(Show),
    st.builds(Give, several, st.one_of(st.none(), st.integers(0, 3))),
    card.map(Play),
)


@given(actions)
def test_action_text_round_trips(action: Action) -> None:
    assert parse_action(str(action)) == action


@given(actions, st.integers(0, 7), st.integers(0, 7))
def test_secret_is_heard_by_its_seats_only(action: Action, viewer: int, by: int) -> None:
    """A listener who is neither actor nor receiver never hears a card laid face down."""
    by = CHANCE if isinstance(action, Deal) else by
    cut = heard(None, action, by)
    match action:
        case Call() | Show() | Play():
            assert cut == action == heard(viewer, action, by)
        case Seal():
            assert cut == Seal(HIDDEN)
            assert heard(viewer, action, by) == (action if viewer == by else cut)
        case Give(cards, to):
            assert cut == Give((HIDDEN,) * len(cards), to)
            assert heard(viewer, action, by) == (action if viewer in (by, to) else cut)
        case Deal(hands, stock):
            result = heard(viewer, action, by)
            assert isinstance(result, Deal)
            assert all(known < 0 for known in result.stock) and len(result.stock) == len(stock)
            for seat, hand in enumerate(result.hands):
                assert hand == (hands[seat] if seat == viewer else (HIDDEN,) * len(hands[seat]))


def test_sealed_word_is_as_secret_as_a_card() -> None:
    assert heard(1, Seal("rami"), 0) == heard(1, Seal(H7), 0) == Seal(HIDDEN)


def test_deal_reads_well() -> None:
    deal = Deal((parse_hand("S:AK"), parse_hand("H:72")), (DA, S8))
    assert str(deal) == "deal P1 S:AK / P2 H:72 / stock DA S8"


def test_wrong_action_is_told(subtests: pytest.Subtests) -> None:
    for text, said in [
        ("", "is not an action"),
        ("play", "is not a card"),
        ("play H7 S8", "is not a card"),
        ("show", "a card is missing"),
        ("give H7", "write ‘give H7 S8 to S’"),
        ("give to S", "write ‘give H7 S8 to S’"),
        ("give away", "a card is missing"),
        ("give H7 to X", "is not a seat"),
        ("deal P2 S:A / P1 S:K", "expected the hand of P1"),
        ("bid!", "is not an action"),
    ]:
        with subtests.test(text=text, said=said), pytest.raises(ValueError, match=said):
            parse_action(text)


@given(st.sets(card, max_size=13))
def test_plays_are_one_for_each_card_in_reading_order(hand: set[int]) -> None:
    chosen = card_set(hand)
    assert plays(chosen) == tuple(Play(one) for one in cards_of(chosen))


def test_card_played_is_one_line_for_all_hands() -> None:
    """A server keeps thousands of hands; a bare number in a card's place stands in no other hand's log."""
    nine, ten = parse_card("H9"), parse_card("C10")
    assert entry(2, Play(nine)) is entry(2, Play(nine)) == (2, Play(nine))
    assert entry(3, Play(nine)) == (3, Play(nine)) and entry(2, Call("pass")) == (2, Call("pass"))
    entry(9, Play(int(ten)))  # type: ignore[arg-type]
    assert str(entry(9, Play(ten))[1]) == "play C10"
