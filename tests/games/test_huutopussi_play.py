"""Huutopussi: following, beating, trumping, and the first trick's restrictions."""

from dataclasses import replace

import pytest

from nousu.engine.actions import Play
from nousu.engine.cards import SUITS, TEN_BELOW_ACE, card_set, parse_card, parse_hand
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Setup
from nousu.engine.record import parse_entry
from nousu.engine.tricks import Duties, TrickPlay
from nousu.games import find
from nousu.games.huutopussi import Auction, Hand, Totals

N, E, S, W = range(4)


def at_trick(hand: str, trick: str, trump: str | None, rules: str = "huutopussi") -> Hand:
    """A hand in its play: `trick` lies on the table, led by N, and the next seat holds `hand`."""
    chosen = find(rules)[1]
    laid = tuple((seat, parse_card(card)) for seat, card in enumerate(trick.split()))
    hands = [0, 0, 0, 0]
    hands[len(laid) % 4] = card_set(parse_hand(hand))
    suit = None if trump is None else SUITS.index(trump)
    duties = Duties(TEN_BELOW_ACE, beat=True, trump=True)
    play = TrickPlay(tuple(hands), (0, 1, 2, 3), len(laid), duties, laid, (), suit)
    return Hand(
        chosen, Setup(4, W, Totals(chosen)), hands=tuple(hands), auction=Auction(None, 50, N), given=2,
        contract=50, table=play,
    )  # fmt: skip


def legal(hand: Hand) -> str:
    """What may be played, as text."""
    return " ".join(str(action)[5:] for action in hand.legal(hand.owed()[0]))


@pytest.mark.clause("HP-GR-12")
def test_ten_is_below_the_ace() -> None:
    order = sorted(parse_hand("S:AKQJT9876"), key=lambda card: -TEN_BELOW_ACE[card.rank])
    assert [str(card)[1:] for card in order] == ["A", "10", "K", "Q", "J", "9", "8", "7", "6"]


@pytest.mark.clause("HP-GR-16", "HP-GR-17", "HP-GR-18", "HP-GR-19", "A-H-14")
def test_obligations(subtests: pytest.Subtests) -> None:
    for name, trump, trick, hand, may in [
        ("HP-5a: must beat", None, "HK", "H:TJ S:A", "H10"),
        ("HP-5b: cannot beat the partner's ace", None, "HA H7", "H:T6", "H10 H6"),
        ("HP-5c: a trump is winning, follow freely", "S", "H9 S7", "H:A6 S:A", "HA H6"),
        ("HP-5d: cannot overtrump, must still trump", "S", "H9 ST", "S:K6 D:A", "SK S6"),
        ("HP-5e: must trump the partner's ace", "S", "HA", "S:6 D:A", "S6"),
        ("HP-5f: must overtrump", "S", "H9 S7", "S:K6", "SK"),
        ("must beat the partner", None, "HK H7", "H:TJ", "H10"),
        ("trump led: must beat", "S", "SJ", "S:Q9 H:A", "SQ"),
        ("no trump suit: anything", None, "H9", "S:K6 D:A", "SK S6 DA"),
        ("no trump held: anything", "C", "H9", "S:K6 D:A", "SK S6 DA"),
        ("the lead is free", "S", "", "S:K6 D:A", "SK S6 DA"),
        ("a discard wins nothing and needs no beating", None, "H9 SA", "H:6 S:7", "H6"),
    ]:
        with subtests.test(name=name, trump=trump, trick=trick, hand=hand, may=may):
            assert legal(at_trick(hand, trick, trump)) == may, name


@pytest.mark.clause("HP-GR-15", "HP-GR-16", "HP-GR-18", "HP-GR-19")
def test_refusals_say_why(subtests: pytest.Subtests) -> None:
    for trump, trick, hand, card, clause, says in [
        (None, "HK", "H:TJ S:A", "SA", "HP-GR-16", "follow suit"),
        (None, "HK", "H:TJ S:A", "HJ", "HP-GR-16", "beat the winning card"),
        ("S", "HA", "S:6 D:A", "DA", "HP-GR-18", "play a trump"),
        ("S", "H9 S7", "S:K6 D:A", "S6", "HP-GR-18", "beat the winning trump"),
        (None, "", "S:K6 D:A", "D9", "HP-GR-15", "not in the hand"),
        (None, "D7", "S:K6 D:A", "D9", "HP-GR-16", "not in the hand"),
        ("S", "H9 S7", "S:K6 D:A", "D9", "HP-GR-18", "not in the hand"),
        (None, "H9 S7", "S:K6 D:A", "D9", "HP-GR-19", "not in the hand"),
    ]:
        with subtests.test(trump=trump, trick=trick, hand=hand, card=card, clause=clause, says=says):
            here = at_trick(hand, trick, trump)
            seat = here.owed()[0]
            with pytest.raises(IllegalAction, match=says) as refusal:
                here.apply(seat, Play(parse_card(card)))
            assert refusal.value.clause == clause
            assert refusal.value.legal == here.legal(seat)
            with pytest.raises(IllegalAction, match="turn"):
                here.apply(N if seat != N else E, Play(parse_card(card)))


@pytest.mark.clause("HP-GR-20")
def test_winner_of_the_trick_leads_next(subtests: pytest.Subtests) -> None:
    for trump, cards, winner in [
        (None, "HK HT HA CA", S),
        (None, "HK H6 D10 SA", N),
        ("S", "HA H6 S6 H9", S),
        ("S", "HA S7 S6 SK", W),
    ]:
        with subtests.test(trump=trump, cards=cards, winner=winner):
            *first, last = cards.split()
            here = at_trick(str(last[0]) + ":" + last[1:].replace("10", "T"), " ".join(first), trump)
            done = here.apply(W, Play(parse_card(last))).table
            assert done is not None
            assert (done.turn, done.done[0].winner) == (winner, winner)


@pytest.mark.clause("A-H-21")
@pytest.mark.parametrize(
    ("hand", "may"),
    [("S:97 H:A6 D:A C:K", "HA DA"), ("S:97 H:K6 D:T", "S9 S7"), ("H:K6 D:T", "HK H6 D10")],
)
def test_first_lead_is_an_ace_else_a_spade(hand: str, may: str) -> None:
    assert legal(at_trick(hand, "", None, "huutopussi_illisoft")) == may
    assert len(legal(at_trick(hand, "", None)).split()) == len(parse_hand(hand))


@pytest.mark.clause("A-H-21")
def test_ace_of_the_suit_led_shows_in_the_first_trick() -> None:
    here = at_trick("S:ATK H:A", "S7", None, "huutopussi_illisoft")
    assert legal(here) == "SA"
    assert legal(at_trick("S:ATK H:A", "S7", None)) == "SA SK S10"
    with pytest.raises(IllegalAction, match="A-H-21"):
        here.apply(E, Play(parse_card("ST")))
    assert legal(at_trick("S:T6 H:A", "S7", None, "huutopussi_illisoft")) == "S10"
    assert here.table is not None
    earlier = at_trick("C:A", "C6 C7 C8", None).apply(W, Play(parse_card("CA"))).table
    assert earlier is not None
    assert legal(replace(here, table=replace(here.table, done=earlier.done))) == "SA SK S10"


@pytest.mark.clause("HP-GR-15", "A-H-19")
def test_declarer_leads_or_forehand_without_a_contract() -> None:
    rules = find("huutopussi_illisoft")[1]
    deal = "deal N S:A98 H:K7 D:QJT C:8 / E S:KQT H:AJ9 D:987 / S S:J76 H:QT8 C:AK6 / W H:6 D:AK6 C:QJT97"
    hand = Hand(rules, Setup(4, N, Totals(rules)))
    for entry in (deal, "E pass", "S pass", "W pass", "N pass"):
        hand = hand.apply(*parse_entry(entry, 4))
    assert hand.owed() == (E,)
    assert legal(hand) == "HA"


@pytest.mark.clause("HP-GR-20")
def test_card_the_leader_does_not_hold_is_refused_by_who_leads() -> None:
    lead = at_trick("C:AK", "C6 C7 C8", None).apply(W, Play(parse_card("CA")))
    with pytest.raises(IllegalAction, match="not in the hand") as refused:
        lead.apply(W, Play(parse_card("CQ")))
    assert refused.value.clause == "HP-GR-20"


@pytest.mark.clause("HP-GR-03", "HP-GR-20")
def test_refusals_out_of_turn_and_of_a_second_deal_cite_the_clause_of_the_matter() -> None:
    """Whose turn it is to play follows from who won the last trick, not from the right to declare."""
    hand = at_trick("S:A98", "S7", None)
    with pytest.raises(IllegalAction, match="turn") as refused:
        hand.apply(W, Play(parse_card("S9")))
    assert refused.value.clause == "HP-GR-20"
    deal = parse_entry("deal N S:AK H:KQ D:AQ C:T98 / E S:98 H:98 D:98 C:QJ7 / S S:QJT H:AT D:KJ C:AK / "
                       "W S:76 H:J76 D:T76 C:6", 4)  # fmt: skip
    with pytest.raises(IllegalAction, match="already been dealt") as refused:
        hand.apply(*deal)
    assert refused.value.clause == "HP-GR-03"
