"""Huutopussi: deal, auction, redeal demands, the ban at −500, reopened auctions, hands nobody bids on."""

from random import Random

import pytest

from nousu.engine.actions import Call, Deal
from nousu.engine.cards import card_set, parse_hand
from nousu.engine.errors import BadRules, IllegalAction
from nousu.engine.game import Setup
from nousu.engine.match import Match, shuffled
from nousu.engine.record import parse_entry
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.games.huutopussi import GAME, PRESETS, Facts, Hand, Rules, Totals, may_redeal

N, E, S, W = range(4)
# Nobody has three sixes, everybody has a card above the jack.
PLAIN = "deal N S:A98 H:K7 D:QJT C:8 / E S:KQT H:AJ9 D:987 / S S:J76 H:QT8 C:AK6 / W H:6 D:AK6 C:QJT97"


def facts(hand: Hand) -> Facts:
    """Public facts of a hand."""
    return Facts.of(hand.view(None).facts)


def table(
    rules: Rules | str = "huutopussi", deal: str = PLAIN, dealer: int = W, score: tuple[int, int] = (0, 0)
) -> Hand:
    """A dealt hand; with dealer W it is N who opens."""
    rules = find(rules)[1] if isinstance(rules, str) else rules
    hand = Hand(rules, Setup(4, dealer, Totals(rules, score)))
    return hand.apply(*parse_entry(deal, 4))


def after(hand: Hand, *entries: str) -> Hand:
    """The hand after entries written as in a record."""
    for entry in entries:
        hand = hand.apply(*parse_entry(entry, 4))
    return hand


def words(hand: Hand) -> list[str]:
    """Words that the seat on turn may say."""
    return [str(action) for action in hand.legal(hand.owed()[0])]


def test_plain_deal_is_a_whole_pack() -> None:
    hand = table()
    assert sum(hand.hands) == card_set(GAME.deck)
    assert not any(may_redeal(cards) for cards in hand.hands)


@pytest.mark.clause("HP-GR-01", "HP-GR-02")
def test_four_players_two_sides_thirty_six_cards() -> None:
    assert (list(GAME.seats), GAME.sides) == ([4], 2)
    assert len(GAME.deck) == 36
    assert min(card.rank for card in GAME.deck) == 4
    assert PRESETS["huutopussi"].target == 500


@pytest.mark.clause("HP-GR-03")
def test_nine_cards_each_one_at_a_time_from_the_dealers_left() -> None:
    rules = PRESETS["huutopussi"]
    form = Hand(rules, Setup(4, E, Totals(rules))).dealing()
    deal = form.dealt(form.deck)
    assert [len(hand) for hand in deal.hands] == [9, 9, 9, 9]
    assert form.deck[0] in deal.hands[S]
    assert form.deck[1] in deal.hands[W]
    with pytest.raises(IllegalAction, match="HP-GR-03"):
        Hand(rules, Setup(4, E, Totals(rules))).apply(CHANCE, Deal(deal.hands[:3]))


@pytest.mark.clause("HP-GR-03")
def test_deal_passes_to_the_left_after_each_hand() -> None:
    rng = Random(3)
    match = Match.start(GAME, find("huutopussi+redeal_rule=off")[1], 4, S)
    dealers = []
    while len(match.played) < 5:
        if match.hand.owed() == (CHANCE,):
            dealers.append(match.hand.setup.dealer)
            match = match.deal(rng)
        else:
            seat = match.hand.owed()[0]
            match = match.apply(seat, rng.choice(match.hand.legal(seat)))
    assert dealers[:5] == [S, W, N, E, S]


@pytest.mark.clause("HP-GR-04", "HP-GR-05")
def test_forehand_must_open_with_fifty_or_more_in_fives() -> None:
    hand = table()
    assert hand.owed() == (N,)
    assert words(hand) == [str(bid) for bid in range(50, 441, 5)]
    for wrong in ("pass", "45", "52", "445"):
        with pytest.raises(IllegalAction, match="HP-GR-06"):
            hand.apply(N, Call(wrong))
    assert words(after(hand, "N 70"))[:2] == ["75", "80"]


@pytest.mark.clause("HP-GR-05")
@pytest.mark.parametrize(("step", "first", "last"), [("10", "70", "440"), ("20", "80", "440")])
def test_bids_are_multiples_of_the_step(step: str, first: str, last: str) -> None:
    hand = after(table(f"huutopussi+bid_step={step}+min_bid=60"), "N 60")
    assert (words(hand)[0], words(hand)[-2], words(hand)[-1]) == (first, last, "pass")


@pytest.mark.clause("HP-GR-06")
def test_pass_ends_the_bidding_of_a_seat() -> None:
    hand = after(table(), "N 50", "E pass", "S 55", "W pass", "N 60")
    assert hand.owed() == (S,)
    assert facts(hand).passed == (E, W)
    assert hand.legal(E) == ()


@pytest.mark.clause("HP-GR-07")
def test_hp_10_the_last_bidder_is_declarer() -> None:
    hand = after(table(), "N 50", "E pass", "S 55", "W pass", "N 60", "S pass")
    assert (hand.declarer, hand.auction.bid, hand.phase) == (N, 60, "give")


@pytest.mark.clause("HP-GR-07", "A-H-01")
def test_hp_10_the_highest_bid_ends_the_auction_at_once() -> None:
    hand = after(table(), "N 50", "E 440")
    assert (hand.declarer, hand.phase, hand.owed()) == (E, "give", (W,))


@pytest.mark.clause("A-H-01")
def test_highest_bid_is_all_there_is(subtests: pytest.Subtests) -> None:
    for rules, total, ceiling in [
        ("huutopussi", 440, 440),
        ("huutopussi_finnish", 410, 410),
        ("huutopussi_illisoft", 420, 420),
        ("huutopussi_finnish+last_trick=20", 420, 420),
        ("huutopussi+card_values=matrix+last_trick=10", 410, 410),
        ("huutopussi+max_bid=300", 440, 300),
        ("huutopussi+max_bid=none", 440, None),
        ("huutopussi+max_bid=450+bid_step=20+min_bid=60", 440, 440),
    ]:
        with subtests.test(rules=rules, total=total, ceiling=ceiling):
            assert (find(rules)[1].total, find(rules)[1].ceiling) == (total, ceiling)


@pytest.mark.clause("A-H-01", "HP-GR-05")
def test_maximum_off_the_step_counts_as_the_step_below() -> None:
    hand = table("huutopussi+max_bid=450+bid_step=20+min_bid=60")
    assert words(hand) == [str(bid) for bid in range(60, 441, 20)]
    assert after(hand, "N 440").declarer == N


@pytest.mark.clause("A-H-01")
def test_auction_without_a_maximum_ends_by_passes() -> None:
    hand = table("huutopussi+max_bid=none")
    assert words(hand) == [str(bid) for bid in range(50, 441, 5)]  # all points there are
    hand = after(hand, "N 440")
    assert words(hand) == ["445", "pass"]
    hand = after(hand, "E 445", "S pass", "W pass", "N pass")
    assert hand.declarer == E
    give = hand.legal(W)[0]
    assert [str(word) for word in hand.apply(W, give).legal(E)] == ["contract 445"]


@pytest.mark.clause("HP-GR-11")
def test_hp_7_three_sixes_or_nothing_above_a_jack(subtests: pytest.Subtests) -> None:
    for cards, right in [
        ("S:J98 H:J98 D:76 C:6", True),
        ("S:Q98 H:J98 D:76 C:6", False),
        ("S:T98 H:J98 D:76 C:6", False),
        ("S:A6 H:A6 D:A6 C:AKQ", True),
        ("S:A6 H:A6 D:A7 C:AKQ", False),
    ]:
        with subtests.test(cards=cards, right=right):
            assert may_redeal(card_set(parse_hand(cards))) is right


SPREAD = "deal N S:A6 H:A6 D:AKQJT / E S:KQJT H:KQJT C:J / S S:987 H:9 D:86 C:KQ6 / W H:87 D:97 C:AT987"
"""North holds two sixes and South, his partner, the other two."""


@pytest.mark.clause("A-H-06")
def test_four_sixes_of_a_pair_are_another_ground() -> None:
    match = Match.start(GAME, find("huutopussi_illisoft")[1], 4, W).apply(*parse_entry(SPREAD, 4))
    match = match.apply(N, Call("sixes"))
    assert match.played[0].result.void
    assert (match.hand.owed(), match.hand.setup.dealer) == ((CHANCE,), W)
    assert "sixes" not in words(table("huutopussi_illisoft+redeal_rule=off", SPREAD))


@pytest.mark.clause("A-H-06")
def test_demand_without_four_sixes_changes_nothing_and_is_made_once_a_pair() -> None:
    before = after(table("huutopussi_illisoft", SPREAD), "N pass")
    hand = after(before, "E sixes")
    assert hand.result() is None
    assert words(hand) == [word for word in words(before) if word != "sixes"]
    hand = after(hand, "E pass")
    assert "sixes" in words(hand)
    assert "sixes" not in words(after(hand, "S 60"))  # West: his pair has asked


POOR = "deal N S:J98 H:J9 D:97 C:76 / E S:AKQ H:AKQ D:AKQ / S S:T7 H:T87 D:T8 C:98 / W S:6 H:6 D:J6 C:AKQJT"


@pytest.mark.clause("HP-GR-11", "A-H-06")
def test_forced_opener_may_demand_instead_and_the_same_dealer_deals() -> None:
    match = Match.start(GAME, PRESETS["huutopussi"], 4, W).apply(*parse_entry(POOR, 4))
    assert words(match.hand)[-1] == "redeal"
    match = match.apply(N, Call("redeal"))
    assert match.played[0].result.void
    assert match.played[0].result.notes[0].clause == "HP-GR-11"
    assert (match.hand.owed(), match.hand.setup.dealer, match.hand.setup.number) == ((CHANCE,), W, 1)


@pytest.mark.clause("A-H-06")
def test_demand_window() -> None:
    line = ("N 50", "E 55", "S 60", "W 65")
    assert "redeal" not in words(after(table(deal=POOR), *line))
    assert "redeal" in words(after(table("huutopussi+redeal_window=any_turn", POOR), *line))
    assert "redeal" in words(after(table(deal=POOR), *line[:3]))  # W holds three sixes, his first turn
    assert after(table(deal=POOR), "N 50").legal(N) == ()


@pytest.mark.clause("A-H-06")
@pytest.mark.parametrize(
    ("rules", "given"), [("huutopussi_illisoft", True), ("huutopussi_illisoft+redeal_window=any_turn", False)]
)
def test_demand_during_the_exchange(rules: str, given: bool) -> None:
    hand = after(table(rules, SPREAD), "N 60", "E pass", "S pass", "W pass")
    assert ("sixes" in words(hand)) is given  # South, who gives first
    assert all(hand.legal(seat) == () for seat in (N, E, W))  # nobody else, and no defender, may demand
    hand = after(hand, "S give S9 H9 D8 D6 to N")
    assert ("sixes" in words(hand)) is given  # North, who gives back
    if given:
        assert after(hand, "N sixes").result().void
    hand = after(hand, "N give S6 H6 D6 S9 to S")
    assert hand.phase == "contract"
    assert "sixes" not in words(hand)


@pytest.mark.clause("A-H-06")
def test_three_sixes_in_the_exchange() -> None:
    hand = table("huutopussi+redeal_window=bid_and_exchange", SPREAD)
    hand = after(hand, "N 60", "E pass", "S pass", "W pass", "S give S9 D6 C6 to N")
    assert "redeal" in words(hand)


@pytest.mark.clause("HP-GR-33", "A-H-07")
def test_hp_8_a_side_at_minus_500_only_opens_with_fifty() -> None:
    hand = table(score=(-500, 100))
    assert words(hand) == ["50"]
    assert words(table(score=(-495, 100)))[-1] == "440"
    assert words(table(deal=POOR, score=(-500, 0))) == ["50", "redeal"]
    hand = after(hand, "N 50", "E pass")
    assert words(hand) == ["pass"]
    hand = after(hand, "S pass", "W 55")
    assert words(hand) == ["pass"]
    assert facts(hand).barred == (N, S)
    won = after(table(score=(-500, 100)), "N 50", "E pass", "S pass", "W pass")
    assert won.declarer == N
    give = won.legal(S)[0]
    assert len(won.apply(S, give).legal(N)) == 79  # any contract from 50 on


@pytest.mark.clause("A-H-07")
def test_opening_stands_when_both_sides_are_barred() -> None:
    hand = after(table(score=(-600, -500)), "N 50", "E pass", "S pass", "W pass")
    assert (hand.declarer, hand.auction.bid) == (N, 50)


@pytest.mark.clause("A-H-07")
def test_other_bans(subtests: pytest.Subtests) -> None:
    for ban, score, barred in [
        ("-250", -250, True),
        ("-250", -245, False),
        ("-1", -5, True),
        ("-1", 0, False),
        ("off", -900, False),
    ]:
        with subtests.test(ban=ban, score=score, barred=barred):
            hand = table(f"huutopussi+bid_ban={ban}", score=(score, 0))
            assert (words(hand) == ["50"]) is barred


@pytest.mark.clause("A-H-19")
def test_hand_that_nobody_bids() -> None:
    passes = ("N pass", "E pass", "S pass", "W pass")
    hand = after(table("huutopussi_illisoft"), *passes)
    assert (hand.phase, hand.declarer, hand.contract, hand.owed()) == ("play", None, None, (N,))
    void = after(table("huutopussi_illisoft+all_pass=redeal"), *passes).result()
    assert void is not None
    assert void.void
    assert void.notes[0].clause == "A-H-19"


@pytest.mark.clause("A-H-19")
def test_last_one_may_still_bid() -> None:
    hand = after(table("huutopussi_illisoft"), "N pass", "E pass", "S pass")
    assert words(hand)[0] == "60"
    assert after(hand, "W 60").declarer == W


@pytest.mark.clause("A-H-07")
def test_auction_is_reopened_for_the_barred_side_only() -> None:
    hand = table("huutopussi_illisoft", dealer=S, score=(-5, 0))  # W opens
    hand = after(hand, "W pass", "N pass", "E pass", "S pass")
    assert (hand.phase, hand.owed()) == ("auction", (N,))
    assert words(hand)[0] == "60"
    again = after(hand, "N 60", "S 65", "N pass")
    assert again.declarer == S
    assert after(hand, "N pass", "S pass").phase == "play"
    closed = table("huutopussi_illisoft+reopen_if_barred=off", dealer=S, score=(-5, 0))
    assert after(closed, "W pass", "N pass", "E pass", "S pass").phase == "play"


@pytest.mark.clause("A-H-07")
def test_ban_on_everybody_is_none_where_the_auction_could_be_reopened() -> None:
    hand = table("huutopussi_illisoft", score=(-5, -5))
    assert words(hand)[0] == "60"
    assert facts(hand).barred == ()


@pytest.mark.clause("HP-GR-04", "A-H-07")
def test_contradictory_rules_are_refused() -> None:
    for text, field in (
        ("huutopussi+min_bid=52", "min_bid"),
        ("huutopussi+max_bid=200+min_bid=210", "min_bid"),
        ("huutopussi+reopen_if_barred=on", "reopen_if_barred"),
        ("huutopussi+forced_opening=off+all_pass=redeal", "all_pass"),
    ):
        with pytest.raises(BadRules) as wrong:
            find(text)
        assert wrong.value.field == field


@pytest.mark.clause("A-H-07", "A-H-19")
@pytest.mark.parametrize(
    "end", ["forced_opening=on", "bid_ban=off+forced_opening=off", "reopen_if_barred=on+forced_opening=off"]
)
def test_dealing_anew_when_nobody_bids_is_allowed_where_somebody_may_bid(end: str) -> None:
    hand = table(f"huutopussi+all_pass=redeal+{end}", score=(-1000, -1000))
    assert words(hand)[0] == "50"


@pytest.mark.clause("A-H-06")
def test_ground_for_a_demand_is_not_shown() -> None:
    hand = after(table(deal=POOR), "N redeal")
    assert hand.view(E).heard[-1] == (N, Call("redeal"))
    assert hand.view(E).cards == parse_hand("S:AKQ H:AKQ D:AKQ")


def test_any_shuffled_deal_is_accepted() -> None:
    rules = PRESETS["huutopussi"]
    hand = Hand(rules, Setup(4, N, Totals(rules)))
    assert hand.apply(CHANCE, shuffled(hand.dealing(), Random(5))).owed() == (E,)
