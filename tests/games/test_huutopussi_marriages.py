"""Huutopussi: declaring trumps from hand, asking for full and half marriages, lock-outs, answers."""

import pytest

from nousu.engine.actions import Call, Play
from nousu.engine.cards import SUITS, TEN_BELOW_ACE, card_set, cards_of, parse_hand
from nousu.engine.errors import IllegalAction
from nousu.engine.frozen import changed
from nousu.engine.game import Setup
from nousu.engine.record import parse_entry
from nousu.engine.tricks import Duties, Trick, TrickPlay
from nousu.games import find
from nousu.games.huutopussi import GAME, Auction, Facts, Hand, Marriage, PlayedHand, Totals

N, E, S, W = range(4)
BY_SUIT = "huutopussi+half_requires_card=off"
HP_440 = (
    "deal N S:AKQ H:AKQT D:A C:A / E S:98 H:98 D:J98 C:98 / S S:TJ H:J D:KQT C:KQT / W S:76 H:76 D:76 C:J76"
)


def facts(hand: Hand) -> Facts:
    """Public facts of a hand."""
    return Facts.of(hand.view(None).facts)


def lead(north: str, south: str, rules: str = "huutopussi", led: int = N) -> Hand:
    """N has won the first trick, led by `led`, and is to lead; E and W hold nothing of interest."""
    chosen = find(rules)[1]
    hands = (card_set(parse_hand(north)), 0, card_set(parse_hand(south)), 0)
    trick = Trick(led, ((led, parse_hand("C:9")[0]),), N)
    table = TrickPlay(hands, (0, 1, 2, 3), N, Duties(TEN_BELOW_ACE, beat=True, trump=True), (), (trick,))
    return Hand(
        chosen, Setup(4, W, Totals(chosen)), hands=hands, auction=Auction(None, 50, N), given=2, contract=50,
        table=table,
    )  # fmt: skip


def said(hand: Hand) -> list[str]:
    """The words the seat on turn may say."""
    return [str(action) for action in hand.legal(hand.owed()[0]) if isinstance(action, Call)]


def after(hand: Hand, *entries: str) -> Hand:
    for entry in entries:
        hand = hand.apply(*parse_entry(entry, 4))
    return hand


def trump(hand: Hand) -> str | None:
    assert hand.table is not None
    return None if hand.table.trump is None else SUITS[hand.table.trump]


@pytest.mark.clause("HP-GR-17", "HP-GR-21", "A-H-08")
def test_marriage_before_the_first_trick_is_refused() -> None:
    rules = find("huutopussi")[1]
    hand = Hand(rules, Setup(4, W, Totals(rules)))
    hand = after(
        hand,
        HP_440,
        "N 440", "S give SJ ST HJ to N", "N contract 440", "N give SJ ST HJ to S",
    )  # fmt: skip
    assert (said(hand), trump(hand)) == ([], None)
    assert not hand.may_declare()
    hand = after(hand, "N play HA", "E play H8", "S play HJ", "W play H6")
    assert said(hand)[:3] == ["marriage S", "marriage H", "ask full"]


@pytest.mark.clause("HP-GR-21", "A-H-08")
def test_led_and_won_or_only_won() -> None:
    assert said(lead("S:KQ", "", led=E)) == []
    assert said(lead("S:KQ", "", "huutopussi_finnish", led=E))[0] == "marriage S"


@pytest.mark.clause("HP-GR-22", "A-H-09")
def test_one_attempt_a_lead() -> None:
    for attempt in (["N marriage S"], ["N ask full", "S no"], ["N ask half HK", "S no"]):
        hand = after(lead("S:KQ H:KA D:Q", "S:9"), *attempt)
        assert said(hand) == []
        assert hand.owed() == (N,)


@pytest.mark.clause("HP-GR-22")
def test_attempt_comes_back_with_the_next_lead() -> None:
    hand = lead("S:KQ H:AK D:Q", "S:98")
    hand = after(hand, "N marriage S", "N play HA")
    assert hand.table is not None
    assert not hand.may_declare()
    assert hand.tried is False


@pytest.mark.clause("HP-GR-23", "HP-GR-26")
def test_marriage_from_hand_is_trump_at_once() -> None:
    hand = lead("S:KQ H:KA D:Q", "S:9")
    assert said(hand) == [
        "marriage S",
        "ask full",
        "ask half SK",
        "ask half SQ",
        "ask half HK",
        "ask half DQ",
    ]
    hand = after(hand, "N marriage S")
    assert trump(hand) == "S"
    assert facts(hand).marriages == (Marriage(suit=0, by=N, how="own", points=40, trick=2),)
    with pytest.raises(IllegalAction, match="HP-GR-22"):
        after(lead("S:K H:KA D:Q", "S:Q"), "N marriage S")


@pytest.mark.clause("HP-GR-24", "A-H-10")
def test_partner_names_a_full_marriage_and_chooses_which() -> None:
    hand = after(lead("S:9", "H:KQ D:KQ C:K"), "N ask full")
    assert hand.phase == "answer"
    assert hand.owed() == (S,)
    assert hand.legal(N) == ()
    assert said(hand) == ["yes H", "yes D"]
    hand = after(hand, "S yes D")
    assert (trump(hand), hand.marriages[0].by, hand.marriages[0].how) == ("D", N, "full")
    assert hand.owed() == (N,)


@pytest.mark.clause("HP-GR-25", "A-H-11")
def test_half_a_marriage() -> None:
    hand = after(lead("S:9 H:K", "H:Q D:KQ"), "N ask half HK")
    assert str(facts(hand).asked) == "HK"
    assert said(hand) == ["yes"]
    hand = after(hand, "S yes")
    assert (trump(hand), hand.marriages[0].how, hand.marriages[0].points) == ("H", "half", 100)


@pytest.mark.clause("A-H-11")
def test_asking_for_half_with_both_cards_in_hand_is_answered_no() -> None:
    hand = after(lead("S:9 H:KQ", "H:A"), "N ask half HK")
    assert said(hand) == ["no"]
    assert trump(after(hand, "S no")) is None


@pytest.mark.clause("HP-GR-24", "HP-GR-25", "A-H-10")
def test_answers_are_true_or_by_choice() -> None:
    for rules, full, half in (
        ("huutopussi", ["yes H"], ["yes"]),
        ("huutopussi_gamerules_literal", ["yes H", "no"], ["yes", "no"]),
    ):
        assert said(after(lead("S:9 H:9 D:K", "H:KQ D:Q", rules), "N ask full")) == full
        assert said(after(lead("S:9 H:9 D:K", "H:KQ D:Q", rules), "N ask half DK")) == half
        assert said(after(lead("S:9 H:9 D:K", "H:K D:Q", rules), "N ask full")) == ["no"]
    with pytest.raises(IllegalAction, match="A-H-10"):
        after(lead("S:9", "H:KQ"), "N ask full", "S no")


@pytest.mark.clause("HP-GR-24", "HP-GR-25", "A-H-12")
def test_hp_6_what_asking_costs() -> None:
    hand = after(lead("S:A H:K9 D:98", "S:KQ H:A D:A"), "N ask full")
    assert hand.own == (False, True, True, True)
    assert hand.full == (True, True, False, True)
    hand = after(lead("S:A H:K9 D:98", "S:K H:A D:Q"), "N ask full", "S no")
    assert facts(hand).may_declare_own == (False, True, True, True)
    assert facts(hand).may_ask_full == (True, True, False, True)
    hand = after(lead("S:A H:KQ D:98", "S:K H:A D:Q"), "N ask half HK", "S no")
    assert (hand.own, hand.full) == ((False, True, False, True),) * 2


@pytest.mark.clause("A-H-12")
def test_hp_6_played_through() -> None:
    """N asks a full marriage in vain, S declares from hand, then asks a half: only halves are left."""
    rules = find("huutopussi+redeal_rule=off")[1]
    deal = (
        "deal N S:AK H:KQ D:AQ C:T98 / E S:98 H:98 D:98 C:QJ7 / S S:QJT H:AT D:KJ C:AK / "
        "W S:76 H:J76 D:T76 C:6"
    )
    hand = Hand(rules, Setup(4, W, Totals(rules)))
    hand = after(hand, deal, "N 50", "E pass", "S pass", "W pass", "S give CA SJ DJ to N", "N contract 50")
    hand = after(hand, "N give CA SJ DJ to S", "N play SA", "E play S8", "S play SJ", "W play S6")
    hand = after(hand, "N ask full")
    assert said(hand) == ["no"]
    hand = after(hand, "S no", "N play HQ", "E play H8", "S play HA", "W play H6")
    assert said(hand) == []  # S won but did not lead
    hand = after(hand, "S play CA", "W play C6", "N play C8", "E play C7")
    assert said(hand) == ["ask half SQ", "ask half DK", "ask half CK"]  # not "ask full": N asked him
    hand = after(hand, "S ask half DK")
    assert said(hand) == ["yes"]
    hand = after(hand, "N yes")
    assert trump(hand) == "D"
    hand = after(hand, "S play DJ", "W play DT", "N play DA", "E play D8")
    assert said(hand) == []  # N won but did not lead
    hand = after(hand, "N play C9", "E play CQ", "S play CK", "W play D6", "W play H7", "N play HK")
    hand = after(hand, "E play H9", "S play HT")
    assert (hand.own, hand.full) == ((False, True, False, True),) * 2
    assert said(hand) == []


@pytest.mark.clause("A-H-12")
def test_asking_full_again_and_no_lockouts() -> None:
    hand = lead("S:KQ H:9", "D:K")
    full = after(hand, "N ask full", "S no", "N play H9")
    assert full.full[N]
    free = after(lead("S:KQ H:9", "D:K", "huutopussi+lockouts=none"), "N ask half SK", "S no")
    assert free.own == free.full == (True,) * 4


@pytest.mark.clause("HP-GR-27", "A-H-13")
def test_each_suit_once_and_the_latest_is_trump() -> None:
    hand = lead("S:KQA H:KQA D:K", "D:Q98 C:KQ98")
    hand = after(hand, "N marriage S")
    assert trump(hand) == "S"
    assert hand.table is not None
    again = Hand(
        hand.rules, hand.setup, hand.log, hand.hands, hand.auction, 2, 50, hand.table, hand.marriages
    )
    assert said(again) == ["marriage H", "ask full", "ask half HK", "ask half HQ", "ask half DK"]
    again = after(again, "N marriage H")
    assert trump(again) == "H"
    assert facts(again).marriage_points == (140, 0)


@pytest.mark.clause("HP-GR-26")
def test_played_card_makes_no_marriage() -> None:
    assert said(lead("S:Q H:A", "S:9")) == ["ask full", "ask half SQ"]
    assert said(after(lead("S:Q H:A", "S:9"), "N ask half SQ")) == ["no"]


@pytest.mark.clause("A-H-08")
def test_defenders_may_declare_too() -> None:
    hand = lead("S:KQ H:A", "")
    defending = Hand(
        hand.rules, hand.setup, hand.log, hand.hands, Auction(None, 50, E), 2, 50, hand.table
    )  # fmt: skip
    assert said(defending)[0] == "marriage S"


@pytest.mark.clause("HP-GR-28", "A-H-16")
@pytest.mark.parametrize(
    ("rules", "points"),
    [("huutopussi", {"S": 40, "C": 60, "D": 80, "H": 100}),
     ("huutopussi+marriage_values=spades_high", {"C": 40, "D": 60, "H": 80, "S": 100})],
)  # fmt: skip
def test_values_of_marriages(rules: str, points: dict[str, int]) -> None:
    for suit, worth in points.items():
        hand = after(lead(f"{suit}:KQ", "", rules), f"N marriage {suit}")
        assert facts(hand).marriage_points == (worth, 0)
    assert sum(points.values()) == 280


# -------------------------------------------------------------------- one attempt, halves by suit, kontra


@pytest.mark.clause("HP-GR-22", "A-H-09")
def test_one_attempt_a_hand_is_each_player_s_own() -> None:
    hand = lead("S:KQ H:AKQ", "D:KQ C:A", "huutopussi+attempts=one_a_hand")
    hand = after(hand, "N marriage S", "N play HA")
    assert facts(hand).may_declare_own == (False, True, True, True)
    assert facts(hand).may_ask_full == (False, True, True, True)
    hand = lead("S:KQ H:K", "D:KQ", "huutopussi+attempts=one_a_hand+lockouts=none")
    hand = after(hand, "N ask full", "S yes D")
    assert (trump(hand), said(hand)) == ("D", [])
    again = changed(hand, tried=False)  # as before a later lead of the same player
    assert said(again) == []
    assert "ask half HK" in said(changed(again, rules=find("huutopussi+lockouts=none")[1]))


@pytest.mark.clause("HP-WU-07", "A-H-11")
def test_half_of_a_suit_may_be_asked_for_without_holding_any() -> None:
    hand = lead("S:A H:K", "S:KQ H:Q", BY_SUIT)
    assert said(hand) == ["ask full", "ask half S", "ask half H", "ask half D", "ask half C"]


@pytest.mark.clause("HP-WU-08", "A-H-11")
@pytest.mark.parametrize(
    ("north", "south", "words", "suit"),
    [
        ("H:KA", "H:Q", ["yes", "yes"], "H"),
        ("H:QA", "H:K9", ["yes", "yes"], "H"),
        ("S:A", "H:KQ", ["yes", "no"], None),
        ("S:A", "H:K", ["yes", "no"], None),
        ("H:KQ", "S:A", ["no"], None),
        ("H:K", "S:A", ["no"], None),
    ],
)
def test_both_say_whether_they_hold_half(north: str, south: str, words: list[str], suit: str | None) -> None:
    hand = after(lead(north, south, BY_SUIT), "N ask half H")
    for seat, word in zip((S, N), words, strict=False):
        assert (hand.owed(), said(hand)) == ((seat,), [word])
        assert facts(hand).asked_suit == 1
        with pytest.raises(IllegalAction) as refused:  # the player on turn answers before the lead
            hand.apply(seat, Play(cards_of(hand.table.hands[seat])[0]))
        assert refused.value.legal == (Call(word),)
        hand = hand.apply(seat, Call(word))
    assert (trump(hand), hand.owed(), facts(hand).phase) == (suit, (N,), "play")
    assert [(one.by, one.how, one.points) for one in hand.marriages] == [(N, "half", 100)] * (
        suit is not None
    )
    assert facts(hand).may_declare_own == (False, True, False, True)


@pytest.mark.clause("HP-WU-09", "A-H-10")
def test_answers_about_a_suit_are_true_unless_they_are_optional() -> None:
    hand = after(lead("H:K", "H:Q", BY_SUIT + "+answers=optional"), "N ask half H")
    assert said(hand) == ["yes", "no"]
    assert said(after(hand, "S yes")) == ["yes", "no"]


KONTRA = ("N 240", "E pass", "S pass", "W pass", "S give SJ ST HJ DK to N", "N give SJ ST HJ DK to S")


def begun(rules: str = "huutopussi_erlangen") -> Hand:
    """N has named 300 and led the ace of hearts; it is E's turn."""
    chosen = find(rules)[1]
    hand = Hand(chosen, Setup(4, W, Totals(chosen)))
    return after(hand, HP_440, *KONTRA, "N contract 300", "N play HA")


@pytest.mark.clause("HP-WU-10", "A-H-23")
def test_kontra_and_re_alternate_and_need_so_many_cards() -> None:
    hand = begun()
    assert said(hand) == ["kontra"]
    assert said(after(hand, "E play H8")) == []  # S may not say re before a kontra
    hand = after(hand, "E kontra")
    assert (hand.owed(), said(hand)) == ((E,), [])
    hand = after(hand, "E play H8", "S re", "S play HJ")
    assert facts(hand).doublings == 2
    hand = after(hand, "W kontra", "W play H6")  # nine cards are more than the seven it takes
    assert said(hand)[-1] == "re"  # N has eight, and six are enough
    hand = after(hand, "N re", "N play SA")
    assert said(hand) == ["kontra"]


@pytest.mark.clause("HP-WU-10")
def test_kontra_comes_too_late_after_the_first_card() -> None:
    hand = after(begun(), "E play H8", "S play HJ", "W play H6", "N play SA")
    assert said(hand) == []
    assert said(after(begun("huutopussi_erlangen+kontra=1"), "E kontra", "E play H8")) == []
    assert said(begun("huutopussi_erlangen+kontra=0")) == []


@pytest.mark.clause("HP-WU-01", "HP-WU-03", "HP-WU-10")
def test_hand_without_a_contract_has_no_kontra() -> None:
    rules = find("huutopussi_erlangen")[1]
    hand = after(Hand(rules, Setup(4, W, Totals(rules))), HP_440)
    assert said(hand)[0] == "120"
    hand = after(hand, "N pass", "E pass", "S pass", "W pass")
    assert (hand.owed(), hand.declarer, said(hand)) == ((N,), None, [])
    assert (GAME.seats, GAME.sides) == (range(4, 5), 2)
    assert said(after(hand, "N play HA")) == []


@pytest.mark.clause("HP-WU-04", "HP-WU-05")
def test_contract_is_named_after_four_cards_have_come_back() -> None:
    rules = find("huutopussi_erlangen")[1]
    hand = after(Hand(rules, Setup(4, W, Totals(rules))), HP_440, *KONTRA)
    assert said(hand)[:2] == ["240", "245"] or said(hand)[:2] == ["contract 240", "contract 245"]
    hand = after(hand, "N contract 300")
    assert {str(action) for action in hand.legal(N)} == {"play SA", "play HA", "play DA", "play CA"}


@pytest.mark.clause("HP-WU-11", "HP-WU-15")
def test_result_says_how_often_the_contract_counted() -> None:
    """The defenders take no trick, and yet the contract is missed: one kontra does not count."""
    hand = after(begun(), "E kontra", "E play H8", "S re")
    while hand.result() is None:
        seat = hand.owed()[0]
        cards = [one for one in hand.legal(seat) if str(one).startswith("play") or str(one) in ("yes", "no")]
        hand = hand.apply(seat, (cards or list(hand.legal(seat)))[-1])
    result = hand.result()
    assert result is not None
    assert PlayedHand.of(result.outcome).doublings == 2
    assert result.points == (-600, 0)
    assert result.notes[-1].english == "After kontra and re the contract counted 2 times"
