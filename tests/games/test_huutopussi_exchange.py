"""Huutopussi: cards go over to the declarer and back, and the contract is fixed in between or after."""

import pytest

from nousu.engine.actions import Call, Give
from nousu.engine.cards import HIDDEN, card_set, parse_card, parse_hand
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Setup
from nousu.engine.record import parse_entry
from nousu.games import find
from nousu.games.huutopussi import Hand, Totals

N, E, S, W = range(4)
DEAL = "deal N S:A98 H:K7 D:QJT C:8 / E S:KQT H:AJ9 D:987 / S S:J76 H:QT8 C:AK6 / W H:6 D:AK6 C:QJT97"
WON = ("N 60", "E pass", "S pass", "W pass")


def after(rules: str, *entries: str) -> Hand:
    """N deals nothing: W deals, N wins the auction with 60, then the entries."""
    chosen = find(rules)[1]
    hand = Hand(chosen, Setup(4, W, Totals(chosen)))
    for entry in (DEAL, *WON, *entries):
        hand = hand.apply(*parse_entry(entry, 4))
    return hand


@pytest.mark.clause("HP-GR-08")
def test_partner_gives_any_three() -> None:
    hand = after("huutopussi")
    assert (hand.phase, hand.owed()) == ("give", (S,))
    assert len(hand.legal(S)) == len(set(hand.legal(S))) == 84
    assert hand.legal(N) == ()
    hand = after("huutopussi", "S give HQ CA CK to N")
    assert hand.view(N).counts == (12, 9, 6, 9)
    assert hand.view(N).cards == parse_hand("S:A98 H:KQ7 D:QJT C:AK8")


@pytest.mark.clause("HP-GR-09", "A-H-04", "A-H-05")
def test_contract_is_fixed_before_the_return() -> None:
    hand = after("huutopussi", "S give HQ CA CK to N")
    assert (hand.phase, hand.owed()) == ("contract", (N,))
    contracts = [str(action) for action in hand.legal(N)]
    assert contracts == [f"contract {points}" for points in range(60, 441, 5)]
    with pytest.raises(IllegalAction, match="HP-GR-09"):
        hand.apply(N, Call("contract 55"))
    with pytest.raises(IllegalAction, match="HP-GR-09"):
        hand.apply(N, hand.apply(N, Call("contract 60")).legal(N)[0])


@pytest.mark.clause("A-H-04")
@pytest.mark.parametrize(
    ("rules", "last"),
    [
        ("huutopussi+max_bid=300", "contract 300"),
        ("huutopussi+max_bid=none", "contract 440"),
        ("huutopussi+max_bid=410+bid_step=20+min_bid=60", "contract 410"),
    ],
)
def test_contract_may_be_as_high_as_there_are_points(rules: str, last: str) -> None:
    hand = after(rules, "S give HQ CA CK to N")
    assert str(hand.legal(N)[-1]) == last


@pytest.mark.clause("HP-GR-10", "HP-GR-15")
def test_then_any_three_go_back_and_the_declarer_leads() -> None:
    hand = after("huutopussi", "S give HQ CA CK to N", "N contract 120")
    assert (hand.phase, hand.contract, len(hand.legal(N))) == ("return", 120, 220)
    hand = after("huutopussi", "S give HQ CA CK to N", "N contract 120", "N give CK S8 S9 to S")
    assert (hand.phase, hand.owed(), hand.view(S).counts) == ("play", (N,), (9, 9, 9, 9))
    assert hand.view(S).cards == parse_hand("S:J9876 H:T8 C:K6")
    assert len(hand.legal(N)) == 9


@pytest.mark.clause("A-H-05", "A-H-18")
def test_four_cards_and_the_contract_after_the_return() -> None:
    hand = after("huutopussi_illisoft")
    assert len(hand.legal(S)) == 126 + 1  # or say that the pair holds the four sixes
    hand = after("huutopussi_illisoft", "S give HQ HT CA CK to N")
    assert (hand.phase, len(hand.legal(N))) == ("return", 715 + 1)
    hand = hand.apply(*parse_entry("N give S8 S9 C8 H7 to S", 4))
    assert (hand.phase, hand.owed()) == ("contract", (N,))
    hand = hand.apply(N, Call("contract 420"))
    assert (hand.phase, hand.contract, hand.owed()) == ("play", 420, (N,))


@pytest.mark.clause("HP-GR-08", "HP-GR-10")
def test_order_in_which_cards_are_named_leaves_no_trace() -> None:
    one, two = after("huutopussi", "S give CA HQ CK to N"), after("huutopussi", "S give HQ CK CA to N")
    assert one == two
    assert str(one.log[-1][1]) == "give HQ CA CK to N"


@pytest.mark.clause("HP-GR-08")
def test_no_other_gift_will_do(subtests: pytest.Subtests) -> None:
    for gift in ["HQ CA to N", "HQ CA CA to N", "HQ CA SA to N", "HQ CA CK to E", "HQ CA CK away"]:
        with subtests.test(gift=gift):
            with pytest.raises(IllegalAction, match="HP-GR-08") as refusal:
                after("huutopussi", f"S give {gift}")
            assert len(refusal.value.legal) == 84


@pytest.mark.clause("HP-GR-08", "HP-GR-10")
def test_exchanged_cards_are_known_to_the_pair_only() -> None:
    hand = after("huutopussi", "S give HQ CA CK to N", "N contract 120", "N give CK S8 S9 to S")
    cards = tuple(map(parse_card, ("HQ", "CA", "CK")))
    for seat in (N, S):
        assert hand.view(seat).heard[5] == (S, Give(cards, N))
    for seat in (E, W, None):
        assert hand.view(seat).heard[5] == (S, Give((HIDDEN,) * 3, N))
    assert hand.hands[N] | hand.hands[S] == card_set(parse_hand("S:AJ9876 H:KQT87 D:QJT C:AK86"))
