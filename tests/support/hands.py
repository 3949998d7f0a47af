"""Small hands written as text, for tests that should read like a diagram of the table."""

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

from nousu.engine.actions import Call, Deal, Seal
from nousu.engine.cards import DECK_52, Card, card_set, parse_hand
from nousu.engine.game import Setup, View
from nousu.engine.record import parse_entry
from nousu.engine.seats import CHANCE
from nousu.games import find


def filled(sizes: tuple[int, ...], known: dict[int, str], deck: tuple[Card, ...] = DECK_52) -> Deal:
    """A deal in which some seats start with the cards written; the rest is dealt out at random (fixed)."""
    hands = {seat: list(parse_hand(text)) for seat, text in known.items()}
    used = {card for hand in hands.values() for card in hand}
    rest = [card for card in deck if card not in used]
    Random(7).shuffle(rest)
    full = []
    for seat, size in enumerate(sizes):
        hand = hands.get(seat, [])
        while len(hand) < size:
            hand.append(rest.pop())
        full.append(tuple(hand))
    return Deal(tuple(full), tuple(rest))


def table(preset: str, known: dict[int, str] | None = None, dealer: int = 0, tally: Any = None) -> Any:
    """A four-handed whist hand under a preset, dealt: `known` fixes (parts of) hands by seat."""
    game, rules = find(preset)
    tally = game.tally(rules, 4) if tally is None else tally
    hand = game.start(rules, Setup(4, dealer, tally))
    return hand.apply(CHANCE, filled((13, 13, 13, 13), known or {}))


def go(hand: Any, course: str, seats: int = 4) -> Any:
    """The hand after a course of entries, ``"N seal H7; E seal C8"``."""
    for entry in course.replace("\n", ";").split(";"):
        if entry.strip():
            hand = hand.apply(*parse_entry(entry.strip(), seats))
    return hand


def bid(hand: Any, wishes: str) -> Any:
    """Seal a bid for every seat: one letter a seat from seat 0, ``R`` red, ``B`` black (card or word)."""
    red = {"R": "HD", "B": "SC"}
    words = dict(
        zip("RB" if hand.rules.high_colour == "red" else "BR", map(str, hand.rules.words), strict=True)
    )
    for seat, wish in enumerate(wishes):
        cards = [
            action
            for action in hand.legal(seat)
            if isinstance(action, Seal) and isinstance(action.bid, Card) and str(action.bid)[0] in red[wish]
        ]
        hand = hand.apply(seat, cards[-1] if cards else Seal(words[wish]))
    return hand


def exposed(hand: Any) -> Any:
    """Turn up all bids that have to be."""
    while hand.phase == "expose":
        seat = hand.owed()[0]
        hand = hand.apply(seat, hand.legal(seat)[0])
    return hand


def declined(hand: Any) -> Any:
    """Decline sooli for all seats."""
    while hand.phase == "sooli":
        hand = hand.apply(hand.owed()[0], Call("pass"))
    return hand


def played(hand: Any, seed: int = 0) -> Any:
    """Play the hand to the end at random."""
    rng = Random(seed)
    while hand.owed():
        seat = hand.owed()[0]
        hand = hand.apply(seat, rng.choice(hand.legal(seat)))
    return hand


def placements(view: View, hidden: tuple[Card, ...]) -> Iterator[tuple[int, ...]]:
    """Every way to put the hidden cards into the three other hands of a table of four."""
    others = [seat for seat in range(4) if seat != view.seat]
    for first in combinations(hidden, view.counts[others[0]]):
        rest = [card for card in hidden if card not in first]
        for second in combinations(rest, view.counts[others[1]]):
            hands = [card_set(view.cards)] * 4
            for seat, cards in zip(others, (first, second, set(rest) - set(second)), strict=True):
                hands[seat] = card_set(cards)
            yield tuple(hands)
