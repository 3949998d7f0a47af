"""How `expert` bids in the whist family: by deals played out both ways."""

from random import Random

import pytest

from nousu.engine.actions import Deal, Seal
from nousu.engine.cards import card_set, parse_hand
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.games.whist import bid_in, bid_order, means_high, score
from nousu.players import DEFAULT_BUDGET, Budget, find_player
from nousu.players.whist import bidding, rules
from nousu.players.whist.bid_lines import bid_strength
from nousu.players.whist.playouts import WhistPlayouts
from nousu.players.whist.searcher import _fits
from nousu.players.whist.utility import points_standing
from nousu.solver import native

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(native.core is None, reason="there is no compiled core"),
]

STRONG = "S:AKQ4 H:AK52 D:A93 C:K8"
WEAK = "S:J9532 H:T83 D:862 C:32"
DEAL = f"{STRONG} / S:T87 H:QJ9 D:KQT C:AQJ4 / {WEAK} / S:6 H:764 D:J754 C:T9765"
UNMEASURED = "tuppi+sooli=off+low_points=5"
"""Judged by points: there are no win chances for these rules."""


def dealt(game="tuppi", dealer=3, deal=DEAL):
    hand = Match.start(*find(game), 4, dealer).hand
    return hand.apply(CHANCE, Deal(tuple(parse_hand(one) for one in deal.split(" / "))))


def bid(hand, seat, seed=1, budget=DEFAULT_BUDGET):
    return find_player("expert").choose(hand.view(seat), budget, seed)


def test_bid_is_high_with_a_strong_hand_and_low_with_a_weak_one(subtests: pytest.Subtests):
    for game in ["tuppi", "minnesota", "tuppi_tournament"]:
        for dealer in range(4):
            with subtests.test(game=game, dealer=dealer):
                hand = dealt(game, dealer)
                for seat, high in ((0, True), (2, False)):
                    choice = bid(hand, seat)
                    assert (
                        choice.action
                        == find_player("rules").choose(hand.view(seat), DEFAULT_BUDGET, 1).action
                    )
                    figures = choice.reason.values
                    if "high" not in figures:  # next to all deals have an earlier high bid
                        assert seat == 2 == dealer
                        continue
                    assert (float(figures["high"]) > float(figures["low"])) == high


def playouts_asked_for(monkeypatch, taken):
    """The playouts asked for, each deal ending with this many tricks of North and South."""
    asked = []

    def play(table, worlds, **_):
        asked.append((table, [hands for hands, _ in worlds]))
        return WhistPlayouts(((taken,) * len(worlds),), (0.0,) * len(worlds))

    monkeypatch.setattr(bidding, "play_out", play)
    return asked


@pytest.mark.parametrize("taken", [10, 4])
@pytest.mark.parametrize("seat", range(4))
def test_last_bid_decides_between_its_own_rami_and_a_nolo(monkeypatch, taken, seat):
    asked = playouts_asked_for(monkeypatch, taken)
    hands = DEAL.split(" / ")
    hand = dealt(UNMEASURED, seat, " / ".join(hands[-seat:] + hands[:-seat]))
    reason = bid(hand, seat).reason
    of_rules = hand.rules
    for name, kind, bidder in (("high", "high", seat % 2), ("low", "low", None)):
        points = score(of_rules, kind, bidder, (taken, 13 - taken))
        assert float(reason.values[name]) == points[seat % 2] - points[1 - seat % 2]
    assert [(table.kind, table.bidder, table.leader) for table, worlds in asked if worlds] == [
        ("high", seat, (seat + 3) % 4),
        ("low", None, (seat + 1) % 4),
    ]


@pytest.mark.parametrize("dealer", range(4))
def test_playouts_skip_deals_with_an_earlier_high_bid(monkeypatch, dealer):
    asked = playouts_asked_for(monkeypatch, 7)
    hand = dealt("tuppi", dealer)
    order = bid_order(hand.rules, dealer)
    view = hand.view(2)
    place = order.index(2)
    bid(hand, 2)
    for table, worlds in asked:
        for hands in worlds:
            assert hands[2] == card_set(view.cards)
            high = [bid_strength(hands[seat]) >= rules.high_bid_strength(view, seat) for seat in order]
            assert not any(high[:place])
            later = next((seat for seat in order[place + 1 :] if high[order.index(seat)]), None)
            assert table.bidder in (2, later)


def test_sooli_that_will_be_called_makes_high_bids_dearer(monkeypatch):
    """With the lowest cards in an opponent's hand a rami ends as a sooli, which may be caught."""
    lowest = "S:2345 H:A23 D:A24 C:A35"
    deal = f"S:AK6 H:KQJ D:KQ3 C:KQJT / {lowest} / S:QJT9 H:T94 D:JT9 C:987 / S:87 H:8765 D:8765 C:642"
    hand = dealt("tuppi", 0, deal)
    hands = tuple(card_set(hand.view(seat).cards) for seat in range(4))
    playouts_asked_for(monkeypatch, 13)
    view = hand.view(0)
    (called,) = bidding._worths(view, [hands], 0, points_standing)
    assert -24 < called < 0
    (plain,) = bidding._worths(view, [(hands[0], hands[2], hands[1], hands[3])], 0, points_standing)
    assert plain == 28


def test_bid_tells_nothing_but_high_or_low():
    """The card is the quiet one of the rule-based player, whoever has decided."""
    game = find("tuppi")
    differing = 0
    for deal in range(40):
        hand = Match.start(*game, 4, deal % 4).deal(Random(deal)).hand
        for seat in range(4):
            view = hand.view(seat)
            choice = bid(hand, seat, deal, Budget(seconds=0.02, worlds=6))
            assert isinstance(choice.action, Seal)
            high = means_high(bid_in(choice.action), view.rules)
            assert choice.action == rules.sealed_bid(view, high, Random(deal)).action
            differing += high != rules.wants_high(view)
    assert differing


def test_bids_without_the_compiled_core_are_rules_of_thumb(monkeypatch):
    hand = dealt()
    monkeypatch.setattr(native, "core", None)
    for seat in range(4):
        assert bid(hand, seat) == find_player("rules").choose(hand.view(seat), DEFAULT_BUDGET, 1)


def test_late_high_bid_promises_less_strength():
    """The last may bid high with less than the first, and expert knows it."""
    middling = card_set(parse_hand("S:AQ2 H:AQ4 D:875 C:J532"))
    assert 11.2 < rules.high_strength(middling) < 12.8
    for dealer, believed in ((3, False), (0, True)):
        hand = dealt("tuppi", dealer, DEAL.replace("D:KQT", "D:T54").replace("D:J754", "D:KQJ7"))
        while hand.view(1).facts.kind is None:
            seat = hand.owed()[0]
            hand = hand.apply(seat, find_player("rules").choose(hand.view(seat), DEFAULT_BUDGET, 1).action)
        assert hand.view(1).facts.bidder == 0
        fits = _fits(hand.view(1), learned=True)[0]
        assert (fits(middling) > 0.5) == believed
