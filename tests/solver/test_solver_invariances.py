"""Names do not matter: suits renamed, seats turned, gaps between ranks closed."""

from dataclasses import replace
from random import Random

import pytest

from nousu.engine.cards import DECK_52, Card, card_set
from nousu.solver import Nolo, Position, Rami, Sooli, solve, sooli_position

SIZES = {Rami: 7, Nolo: 6, Sooli: 8}


def hands_of(dice: Random, size: int) -> tuple[int, ...]:
    cards = dice.sample(DECK_52, 4 * size)
    return tuple(card_set(cards[size * seat : size * seat + size]) for seat in range(4))


def renamed(hand: int, order: list[int]) -> int:
    return sum((hand >> 16 * suit & 0x1FFF) << 16 * order[suit] for suit in range(4))


@pytest.mark.parametrize("goal", [Rami(), Nolo()], ids=["rami", "nolo"])
def test_both_sides(goal: Rami | Nolo) -> None:
    dice = Random(11)
    for _ in range(40):
        size = SIZES[type(goal)]
        position = Position(hands=hands_of(dice, size), turn=dice.randrange(4))
        value = solve(position, goal, want="value").value
        order = dice.sample(range(4), 4)
        suits = tuple(renamed(hand, order) for hand in position.hands)
        assert solve(replace(position, hands=suits), goal, want="value").value == value
        turned = Position(hands=position.hands[-1:] + position.hands[:-1], turn=(position.turn + 1) % 4)
        assert solve(turned, goal, want="value").value == size - value
        assert solve(closed(position), goal, want="value").value == value


def test_sooli() -> None:
    dice = Random(12)
    for _ in range(60):
        hands = hands_of(dice, SIZES[Sooli])
        value = solve(sooli_position(hands, 0), Sooli(0), want="value").value
        order = dice.sample(range(4), 4)
        suits = tuple(renamed(hand, order) for hand in hands)
        assert solve(sooli_position(suits, 0), Sooli(0), want="value").value == value
        turned = (hands[2], hands[3], hands[0], hands[1])
        assert solve(sooli_position(turned, 2), Sooli(2), want="value").value == value


def closed(position: Position) -> Position:
    """The same with the cards of each suit pushed down to the lowest ranks."""
    place = {}
    for suit in range(4):
        cards = [c for c in range(16 * suit, 16 * suit + 13) if any(hand >> c & 1 for hand in position.hands)]
        place |= {card: 16 * suit + rank for rank, card in enumerate(cards)}
    hands = tuple(card_set(place[card] for card in place if hand >> card & 1) for hand in position.hands)
    return replace(position, hands=hands)


def test_closing_gaps_closes_them() -> None:
    position = Position(hands=(1 << 12, 1 << 7, 1 << 3, 1 << 20), turn=0)
    assert closed(position).hands == (4, 2, 1, 1 << 16)
    assert Card(16).suit == 1
