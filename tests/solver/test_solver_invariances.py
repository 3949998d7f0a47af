"""Names do not matter: suits renamed, seats turned, gaps between ranks closed."""

from dataclasses import replace
from random import Random

import pytest

from nousu.engine.cards import ACE_LOW, DECK_52, Card, card_set
from nousu.solver import Nolo, Position, Rami, Sooli, compiled, covered, parse_deal, solve, sooli_position

SIZES = {Rami: 7, Nolo: 6, Sooli: 8}


def hands_of(dice: Random, size: int) -> tuple[int, ...]:
    cards = dice.sample(DECK_52, 4 * size)
    return tuple(card_set(cards[size * seat : size * seat + size]) for seat in range(4))


def renamed(hand: int, order: list[int]) -> int:
    return sum((hand >> 16 * suit & 0x1FFF) << 16 * order[suit] for suit in range(4))


@pytest.mark.parametrize("goal", [Rami(), Nolo()], ids=["rami", "nolo"])
def test_values_of_both_sides_add_up(goal: Rami | Nolo) -> None:
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
        assert solve(without_gaps(position), goal, want="value").value == value


@pytest.mark.skipif(compiled() is None, reason="too long for plain minimax")
def test_rami_of_two_suits_in_every_hand() -> None:
    """So few shapes that the core's table has hundreds of patterns of one and keeps them apart by owners."""
    dice = Random(15)
    for _ in range(4):
        hands = [0, 0, 0, 0]
        for suit in range(4):
            cards = dice.sample(range(16 * suit, 16 * suit + 13), 10)
            hands[suit] |= card_set(cards[:5])
            hands[(suit + 1) % 4] |= card_set(cards[5:])
        position = Position(hands=tuple(hands), turn=dice.randrange(4))
        value = solve(position, Rami(), want="value").value
        order = dice.sample(range(4), 4)
        suits = tuple(renamed(hand, order) for hand in hands[-1:] + hands[:-1])
        turned = Position(hands=suits, turn=(position.turn + 1) % 4)
        assert solve(turned, Rami(), want="value").value == 10 - value


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


def shuffled_below(position: Position, pattern: int, dice: Random) -> Position:
    """The same with the cards of each suit that are not in `pattern` dealt anew, as many to everybody."""
    hands = list(position.hands)
    for suit in range(4):
        small = [c for c in range(16 * suit, 16 * suit + 13) if any((h & ~pattern) >> c & 1 for h in hands)]
        owners = [seat for seat, hand in enumerate(position.hands) for c in small if hand >> c & 1]
        dice.shuffle(owners)
        for seat in range(4):
            mine = card_set(c for c, owner in zip(small, owners, strict=True) if owner == seat)
            hands[seat] = hands[seat] & ~card_set(small) | mine
    return replace(position, hands=tuple(hands))


@pytest.mark.skipif(compiled() is None, reason="only the compiled core tells patterns")
def test_deal_of_the_same_pattern_has_the_same_value() -> None:
    """Rami, also in the middle of a trick: however the cards below the pattern are dealt."""
    dice = Random(13)
    other = cards = small = 0
    for number in range(300):
        strength = {"strength": ACE_LOW} if number % 5 == 0 else {}
        position = Position(hands=hands_of(dice, dice.randrange(2, 9)), turn=dice.randrange(4), **strength)
        for _ in range(dice.randrange(4)):
            card = dice.choice([move for move in solve(position, Rami()).moves if isinstance(move, Card)])
            hands = tuple(hand & ~(1 << card) for hand in position.hands)
            trick = (*position.trick, (position.turn, card))
            position = replace(position, hands=hands, turn=(position.turn + 1) % 4, trick=trick)
        solution = solve(position, Rami(), want="value")
        assert solution.pattern is not None and not solution.pattern & ~sum(position.hands)
        assert solution.pattern == solve(position, Rami()).pattern
        cards += sum(position.hands).bit_count()
        small += (sum(position.hands) & ~solution.pattern).bit_count()
        for _ in range(4):
            again = shuffled_below(position, solution.pattern, dice)
            other += again != position
            assert covered(position, solution, again)
            assert solve(again, Rami(), want="value").value == solution.value, (position, again)
    assert other > 600 and small > 0.4 * cards


@pytest.mark.skipif(compiled() is None, reason="only the compiled core tells patterns")
def test_pattern_holds_the_cards_that_overtake_the_partner() -> None:
    """Nobody else has spades: East–West take everything because East's seven is higher than West's five."""
    deal = parse_deal("W:T5.9.A.9 .J75.2.8 72..875. .4.9.Q62", leader=3)
    turned = parse_deal("W:T7.J.A.6 .754.2.9 52..875. .9.9.Q82", leader=3)
    solution = solve(deal, Rami(), want="value")
    assert (solution.value, solve(turned, Rami(), want="value").value) == (0, 1)
    assert not covered(deal, solution, turned)


def test_positions_that_no_pattern_covers() -> None:
    """Another turn, other cards of the pattern, a search that tells none."""
    position = Position(hands=(0b1001, 0b0110, 0b110000, 0b11000000), turn=0)
    solution = solve(position, Rami())
    assert not covered(position, replace(solution, pattern=None), position)
    told = replace(solution, pattern=0b1000)
    assert covered(position, told, position)
    assert covered(position, told, replace(position, hands=(0b1010, 0b0101, *position.hands[2:])))
    assert not covered(position, told, replace(position, hands=(0b0011, 0b1100, *position.hands[2:])))
    assert not covered(position, told, replace(position, turn=1))
    assert solve(position, Nolo()).pattern is None


def without_gaps(position: Position) -> Position:
    """The same with the cards of each suit pushed down to the lowest ranks."""
    place = {}
    for suit in range(4):
        cards = [c for c in range(16 * suit, 16 * suit + 13) if any(hand >> c & 1 for hand in position.hands)]
        place |= {card: 16 * suit + rank for rank, card in enumerate(cards)}
    hands = tuple(card_set(place[card] for card in place if hand >> card & 1) for hand in position.hands)
    return replace(position, hands=hands)


def test_closing_gaps_closes_them() -> None:
    position = Position(hands=(1 << 12, 1 << 7, 1 << 3, 1 << 20), turn=0)
    assert without_gaps(position).hands == (4, 2, 1, 1 << 16)
    assert Card(16).suit == 1
