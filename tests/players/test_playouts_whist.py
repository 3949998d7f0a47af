"""The compiled core plays hands out as the rule-based player does, card for card."""

from random import Random

import pytest

from nousu.engine.actions import Give, Play
from nousu.engine.cards import card_set
from nousu.engine.game import Hand
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE, side
from nousu.games import find
from nousu.games.whist import SOOLI, Facts
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.whist.playouts import WhistTable, play_out
from nousu.solver import native

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(native.core is None, reason="there is no compiled core"),
]


def hand_by_rules(preset: str, rng: Random) -> Hand:
    """A hand of the rule-based player from the deal to the end; every sooli that may be called is called."""
    family, rules = find(preset)
    match = Match.start(family, rules, 4, dealer=rng.randrange(4)).deal(rng)
    while not match.played and match.hand.owed() != (CHANCE,):
        seat = match.hand.owed()[0]
        view = match.hand.view(seat)
        action = find_player("rules").choose(view, DEFAULT_BUDGET, rng.randrange(1 << 32)).action
        match = match.apply(seat, SOOLI if SOOLI in view.legal and rng.random() < 0.3 else action)
    return match.played[0].hand


def before_the_cards(hand: Hand) -> tuple[Hand, list[tuple[int, Play]]]:
    """The hand when the first lead is due, and the cards that follow."""
    family, _ = find("tuppi")
    here = family.start(hand.rules, hand.setup)
    for at, (seat, action) in enumerate(hand.log):
        if isinstance(action, Play):
            return here, [(seat, one) for seat, one in hand.log[at:] if isinstance(one, Play)]
        here = here.apply(seat, action)
    return here, []


def test_core_plays_as_the_rule_based_player_does(subtests: pytest.Subtests) -> None:
    for preset in [
        "tuppi",
        "tuppi+sooli_order=rotation",
        "tuppi+sooli_exchange=receive_then_return",
        "minnesota",
    ]:
        with subtests.test(preset=preset):
            rng = Random(5)
            kinds = set()
            for _ in range(12):
                hand = hand_by_rules(preset, rng)
                result = hand.result()
                start, cards = before_the_cards(hand)
                if not cards or result is None:
                    continue
                facts = Facts.of(start.view(None).facts)
                kinds.add(facts.kind)
                aside = sum(
                    card_set(one.cards) for _, one in hand.log if isinstance(one, Give) and one.to is None
                )
                always_last = facts.soloist if hand.rules.sooli_order == "always_last" else None
                assert facts.kind is not None
                taken = Facts.of(hand.view(None).facts).tricks
                made = facts.soloist is not None and result.points[side(facts.soloist)] > 0
                for upto in range(0, len(cards), 5):
                    here = start
                    for seat, action in cards[:upto]:
                        here = here.apply(seat, action)
                    history = tuple(action.card for _, action in cards[:upto])
                    table = WhistTable(
                        facts.kind, facts.bidder, facts.soloist, always_last, cards[0][0], history
                    )
                    hands = [card_set(here.view(seat).cards) for seat in range(4)]
                    found = play_out(table, [(hands, aside)] * 2, (None, cards[upto][1].card))
                    expected = int(made) if facts.soloist is not None else taken[0]
                    if len(cards) == 52 or facts.soloist is not None:  # not broken off
                        assert found.gained == ((expected, expected), (expected, expected)), (preset, upto)
                    assert found.deviations == (0, 0)
            assert "low" in kinds and (hand.rules.sooli or "high" in kinds)


def test_card_that_no_such_player_plays_is_counted() -> None:
    """A world in which a seat kept the card that wins for a worse one is a strange one."""
    rng = Random(3)
    hand = hand_by_rules("minnesota", rng)
    start, cards = before_the_cards(hand)
    facts = Facts.of(start.view(None).facts)
    assert facts.kind is not None
    hands = [card_set(start.view(seat).cards) for seat in range(4)]
    leader = cards[0][0]
    counts = set()
    for action in start.legal(leader):
        assert isinstance(action, Play)
        held = [cards & ~(1 << action.card) for cards in hands]
        table = WhistTable(facts.kind, facts.bidder, None, None, leader, (action.card,))
        counts.add((play_out(table, [(held, 0)]).deviations, action == cards[0][1]))
    assert counts == {((0,), True), ((1,), False)}
    assert play_out(table, [(held, 0)], viewer=leader).deviations == (0,)
