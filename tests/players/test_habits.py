"""The fitted habits of the whist family: each feature has a weight, and the counts they rest on are right."""

from random import Random

from nousu.engine.actions import Play
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.whist import card_features
from nousu.players.whist.inference import deduce


def plays(game, hands, seed):
    """Views of seats that play a card, in hands of random bids and cards."""
    family, rules = find(game)
    rng = Random(seed)
    for _ in range(hands):
        match = Match.start(family, rules, 4).deal(rng)
        while not match.played and match.hand.owed() != (CHANCE,):
            seat = match.hand.owed()[0]
            view = match.hand.view(seat)
            if isinstance(view.legal[0], Play) and view.facts.kind != "sooli":
                yield view
            match = match.apply(seat, rng.choice(view.legal))


def test_features_and_weights_match_one_to_one():
    met = {habit: set() for habit in card_features.HABITS}
    for view in plays("tuppi", 30, 1):
        table = deduce(view)
        spot = card_features.card_choice(view, table)
        for card in table.legal:
            if not table.trick:
                met["rami_lead"] |= card_features.rami_lead(spot, card).keys()
                met["nolo_lead"] |= card_features.nolo_lead(spot, card).keys()
            elif len(table.trick) < 3 and card.suit == table.trick[0][1].suit:
                met["rami_second_hand"] |= card_features.rami_following(spot, card).keys()
    met["rami_third_hand"] = met["rami_second_hand"]
    assert met == {habit: weights.keys() for habit, weights in card_features.WEIGHTS.items()}


def test_suits_count_what_is_above_and_below():
    for view in plays("minnesota", 8, 2):
        table = deduce(view)
        spot = card_features.card_choice(view, table)
        for suit in spot.suits:
            for card, above, below in zip(suit.held, suit.above, suit.below, strict=True):
                assert (above, below) == (table.above(card), table.below(card))


def test_aces_without_another_card_of_the_suit_are_seldom_led_first():
    """Half of the opening leads of a rami were aces without their king once, at half a trick each."""
    family, rules = find("tuppi")
    rng = Random(4)
    leads = bare = 0
    while leads < 60:
        hand = Match.start(family, rules, 4).deal(rng).hand
        while hand.view(None).phase != "play" and hand.owed() != ():
            seat = hand.owed()[0]
            hand = hand.apply(
                seat, find_player("rules").choose(hand.view(seat), DEFAULT_BUDGET, leads).action
            )
        if hand.owed() == () or hand.view(None).facts.kind != "high":
            continue
        leader = hand.owed()[0]
        view = hand.view(leader)
        card = find_player("rules").choose(view, DEFAULT_BUDGET, leads).action.card
        leads += 1
        bare += card.letter == "A" and not any(other == card - 1 for other in view.cards)
    assert bare < 18


def test_reason_given_for_a_lead_is_true_of_it():
    """What the note says of the card holds: high now, top of a sequence, the partner’s suit, smallest."""
    said = set()
    for view in plays("minnesota", 60, 3):
        table = deduce(view)
        if table.trick or len(table.legal) == 1:
            continue
        choice = find_player("rules").choose(view, DEFAULT_BUDGET, 1)
        card, reason = choice.action.card, choice.reason.message
        suit = card_features.card_choice(view, table).suits[card.suit]
        said.add(reason)
        match reason:
            case "This card is high now":
                assert table.above(card) == 0
            case "The top of a sequence":
                at = suit.held.index(card)
                assert suit.above[at] == suit.above[at + 1]
            case "Back in the partner’s suit":
                assert any(
                    trick.leader == (view.seat + 2) % 4 and trick.plays[0][1].suit == card.suit
                    for trick in view.tricks
                )
            case "A small card of the longest suit":
                assert card == min(suit.held)
                assert len(suit.held) == max(table.length(one) for one in range(4))
            case "A low lead for others to win":
                assert table.below(card) == 0
            case _:
                assert reason == "A lead like this costs least in solved deals"
    assert len(said) == 6, said
