"""Claims: proven from the claimer's view alone, in all deals that fit it."""

import random

import pytest

from hands import bid, table
from nousu.engine.actions import Play
from nousu.engine.game import Hand
from nousu.engine.laws import other_world
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE, side
from nousu.games import find
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.claims import FEWEST_NODES, KINDS, Kind, is_proven, kinds, play_out_claim


def hands(preset: str, seed: int, count: int) -> list[Hand]:
    """Positions in which somebody may claim, as sensible players come to them."""
    game, rules = find(preset)
    rng, found = random.Random(seed), []
    player = find_player("rules")
    while len(found) < count:
        match = Match.start(game, rules, 4).deal(rng)
        while match.hand.owed() and match.hand.owed() != (CHANCE,) and not match.played:
            seat = match.hand.owed()[0]
            view = match.hand.view(seat)
            if kinds(view) and len(view.cards) <= 4:
                found.append(match.hand)
            match = match.apply(seat, player.choose(view, DEFAULT_BUDGET, rng.randrange(1 << 40)).action)
    return found


def claims(preset: str, seed: int, count: int) -> list[tuple[Hand, int, Kind]]:
    """Claims that are proven among this many positions."""
    return [
        (hand, hand.owed()[0], kind)
        for hand in hands(preset, seed, count)
        for kind in KINDS
        if is_proven(hand.view(hand.owed()[0]), kind)
    ]


def to_the_end(hand: Hand, seat: int, kind: Kind) -> Hand:
    """The hand after the claim was played out: every card legal, each by the seat on turn."""
    for by, action in play_out_claim(hand, seat, kind, FEWEST_NODES):
        assert by in hand.owed()
        assert isinstance(action, Play)
        hand = hand.apply(by, action)
    return hand


@pytest.mark.parametrize("preset", ["tuppi", "minnesota", "huutopussi"])
def test_proven_claim_comes_true_card_by_card_and_in_every_other_world(preset: str) -> None:
    rng = random.Random(4)
    found = claims(preset, 3, 48)
    assert len(found) > 1, "the positions hold no claims"
    game, rules = find(preset)
    for hand, seat, kind in found:
        end = to_the_end(hand, seat, kind)
        assert end.result() is not None
        wrong = 1 - side(seat) if kind == "mine" else side(seat)
        before, after = hand.view(None).facts.plain(), end.view(None).facts.plain()
        assert after["tricks"][wrong] == before["tricks"][wrong]
        other = other_world(hand, lambda hand=hand: game.start(rules, hand.setup), seat, rng)  # type: ignore[misc]
        if other is not None:
            assert is_proven(other.view(seat), kind), "the claim was read off hidden cards"


def led_by_north(cards: str) -> Hand:
    """A rami that North, who holds these cards, leads to."""
    hand = bid(table("tuppi+sooli=off", {0: cards, 1: "H:2"}), "BRBB")
    while hand.phase == "expose":
        seat = hand.owed()[0]
        hand = hand.apply(seat, hand.legal(seat)[0])
    assert hand.owed() == (0,)
    return hand  # type: ignore[no-any-return]


def test_claim_of_unbeatable_cards_is_proven_from_the_first_lead_on() -> None:
    assert is_proven(led_by_north("S:AKQ62 H:AKQ D:AKQ C:AK").view(0), "mine") is False
    hand = led_by_north("S:AKQJ H:AKQ D:AKQ C:AKQ")
    assert is_proven(hand.view(0), "mine")
    assert to_the_end(hand, 0, "mine").view(None).facts.plain()["tricks"] == [13, 0]


def test_claim_is_not_proven_while_one_hidden_card_may_win() -> None:
    # Whoever holds the jack of spades with three more wins with it, although it will often lie otherwise.
    assert not is_proven(led_by_north("S:AKQT H:AKQ D:AKQ C:AKQ").view(0), "mine")
    assert not is_proven(led_by_north("S:AKQJ H:AKQ D:AKQ C:AKQ").view(0), "theirs")


def test_claim_is_open_to_the_seat_on_turn_alone() -> None:
    hand = led_by_north("S:AKQJ H:AKQ D:AKQ C:AKQ")
    assert kinds(hand.view(0)) == KINDS
    assert [kinds(hand.view(seat)) for seat in (1, 2, 3, None)] == [()] * 4
    assert not is_proven(hand.view(1), "mine")


def test_family_without_claims_takes_none() -> None:
    game, rules = find("tuppen_zk")
    hand = Match.start(game, rules, 4).deal(random.Random(1)).hand
    assert all(kinds(hand.view(seat)) == () for seat in range(4))


def test_claim_by_the_last_to_play_counts_the_trick_on_the_table() -> None:
    # East leads nothing yet: North is last to the trick that the hand on its left leads.
    hand = bid(table("tuppi+sooli=off", {0: "S:AKQJ H:AKQ D:AKQ C:AKQ", 2: "H:2"}), "BBRB")
    while hand.phase == "expose":
        hand = hand.apply(hand.owed()[0], hand.legal(hand.owed()[0])[0])
    while hand.owed() != (0,):
        hand = hand.apply(hand.owed()[0], hand.legal(hand.owed()[0])[0])
    assert len(hand.view(0).trick) == 3
    assert is_proven(hand.view(0), "mine")
