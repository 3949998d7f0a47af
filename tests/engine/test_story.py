"""A hand told moment by moment: nothing but what its reader could know."""

import random
from dataclasses import replace
from itertools import combinations

import pytest

from nousu.engine.actions import Action, Deal, Entry, Give, Seal, Show, hearing
from nousu.engine.cards import Card
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Game, Hand
from nousu.engine.match import Match
from nousu.engine.record import EVERYTHING
from nousu.engine.seats import CHANCE
from nousu.engine.timeline import story
from nousu.games import find

GAMES = (("tuppi", 4), ("huutopussi", 4), ("tuppen_zk", 5), ("norwegian_spoken", 4), ("tuppen_zk", 2))


def hands(rules: str, seats: int, seed: int, count: int) -> list[Hand]:
    """Finished hands of a match played at random."""
    game, read = find(rules)
    rng = random.Random(seed)
    match = Match.start(game, read, seats)
    while len(match.played) < count and match.winner is None:
        owed = match.hand.owed()
        if owed == (CHANCE,):
            match = match.deal(rng)
        else:
            match = match.apply(owed[0], rng.choice(match.hand.legal(owed[0])))
    return [one.hand for one in match.played]


def test_timeline_with_nothing_hidden_places_every_card(subtests: pytest.Subtests) -> None:
    for rules, seats in GAMES:
        with subtests.test(rules=rules, seats=seats):
            game, read = find(rules)
            for hand in hands(rules, seats, 3, 4):
                result = story(game, read, hand, EVERYTHING)
                for moment in range(result.first, result.last + 1):
                    for seat in range(seats):
                        there = [
                            one for one in result.held if one.seat == seat and one.since <= moment < one.until
                        ]
                        assert len(there) == result.counts[moment][seat]
                assert result.whole
                assert [trick.winner for trick in result.tricks if trick.winner is not None] == [
                    trick.winner for trick in hand.view(None).tricks
                ]


def test_timeline_never_shows_more_cards_than_a_seat_holds(subtests: pytest.Subtests) -> None:
    for rules, seats in GAMES:
        with subtests.test(rules=rules, seats=seats):
            game, read = find(rules)
            for hand in hands(rules, seats, 5, 4):
                for reader in (None, 0, seats - 1):
                    result = story(game, read, hand, reader)
                    for moment in range(result.first, result.last + 1):
                        for seat in range(seats):
                            there = [
                                one
                                for one in result.held
                                if one.seat == seat and one.since <= moment < one.until
                            ]
                            assert len(there) <= result.counts[moment][seat]
                            if seat == reader:
                                assert len(there) == result.counts[moment][seat]


def _with_cards_exchanged(game: Game, rules: object, hand: Hand, pair: tuple[Card, Card]) -> Hand | None:
    """The hand with two cards exchanged in everything that happened; None where the rules forbid it."""
    other = {pair[0]: pair[1], pair[1]: pair[0]}

    def change(action: Action) -> Action:
        match action:
            case Deal(dealt, stock):
                new = tuple(tuple(other.get(card, card) for card in one) for one in dealt)
                return Deal(new, tuple(other.get(card, card) for card in stock))
            case Seal(Card() as card):
                return Seal(other.get(card, card))
            case Give(cards, _):
                return replace(action, cards=tuple(other.get(card, card) for card in cards))
        return action

    found = game.start(rules, hand.setup)
    try:
        for seat, action in hand.log:
            found = found.apply(seat, change(action))
    except IllegalAction:
        return None
    return found


def test_bid_that_was_never_turned_up_is_public_to_no_reader(subtests: pytest.Subtests) -> None:
    """Whatever the reader knows of it: to a stranger it is a card face down, which is not all of it."""
    for reader in [None, 0, 1, EVERYTHING]:
        with subtests.test(reader=reader):
            game, read = find("minnesota")
            met = set()
            for hand in hands("minnesota", 4, 5, 6):
                result = story(game, read, hand, reader)
                for step, (by, action) in enumerate(hand.log):
                    turned_up = any(seat == by and isinstance(one, Show) for seat, one in hand.log)
                    if isinstance(action, Seal):
                        assert result.public(step) == turned_up
                        met.add(turned_up)
                    else:
                        assert result.public(step) == (not isinstance(action, Deal))
            assert met == {False, True}


def _heard(game: Game, hand: Hand, reader: int | None) -> tuple[tuple[Entry, ...], tuple[Card, ...]]:
    return hearing(reader, hand.log), hand.view(reader).cards


@pytest.mark.parametrize(("rules", "seats"), [("tuppen_zk", 4), ("huutopussi", 4), ("tuppi", 4)])
def test_two_hands_that_a_reader_cannot_tell_apart_are_told_alike(rules: str, seats: int) -> None:
    """Any two cards that the reader never saw may be exchanged; whatever cannot be noticed is not told."""
    game, read = find(rules)
    tried = 0
    for hand in hands(rules, seats, 11, 12):
        for reader in (None, 1):
            result = story(game, read, hand, reader)
            known = {one.card for one in result.held}
            unseen = [card for card in game.deck if card not in known][:9]
            for pair in list(combinations(unseen, 2))[:12]:
                twin = _with_cards_exchanged(game, read, hand, pair)
                if twin is not None and _heard(game, twin, reader) == _heard(game, hand, reader):
                    assert story(game, read, twin, reader) == result
                    tried += 1
            # A card that was seen: where it came from is not told if it may have come from elsewhere.
            seen = [one.card for one in result.held if one.seat != reader and one.played][:4]
            for pair in [(one, other) for one in seen for other in unseen[:3]]:
                twin = _swapped_before(game, read, hand, pair)
                if twin is not None and _heard(game, twin, reader) == _heard(game, hand, reader):
                    assert story(game, read, twin, reader) == result
                    tried += 1
    assert tried > (0 if rules == "tuppi" else 20)


def _swapped_before(game: Game, rules: object, hand: Hand, pair: tuple[Card, Card]) -> Hand | None:
    """The hand with two cards exchanged in the deal alone, so that its plays no longer follow from it."""
    found = game.start(rules, hand.setup)
    other = {pair[0]: pair[1], pair[1]: pair[0]}
    try:
        for seat, action in hand.log:
            changed = action
            if isinstance(action, Deal):
                dealt = tuple(tuple(other.get(card, card) for card in one) for one in action.hands)
                changed = Deal(dealt, tuple(other.get(card, card) for card in action.stock))
            elif isinstance(action, Give):
                changed = replace(action, cards=tuple(other.get(card, card) for card in action.cards))
            found = found.apply(seat, changed)
    except IllegalAction:
        return None
    return found


def test_hand_played_to_the_end_is_whole_for_everybody() -> None:
    game, read = find("norwegian_spoken")
    result = [story(game, read, hand, None) for hand in hands("norwegian_spoken", 4, 2, 3)]
    assert any(one.whole for one in result)
