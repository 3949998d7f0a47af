"""Random small positions of every kind."""

from collections.abc import Callable
from random import Random

import pytest

from nousu.engine.cards import DECK_32, DECK_36, DECK_52, TEN_BELOW_ACE, TEN_HIGH, Card, card_set
from nousu.solver import (
    Goal,
    Huutopussi,
    Marriages,
    Nolo,
    Position,
    Rami,
    Sooli,
    Tuppen,
    reference,
    sooli_position,
)

Problem = tuple[Position, Goal]
Maker = Callable[[Random, int], Problem]


def dealt(dice: Random, pack: tuple[Card, ...], seats: int, size: int) -> tuple[int, ...]:
    """Hands of `size` cards; half the time from few ranks, so that cards touch and suits are short."""
    if dice.random() < 0.5:
        ranks = sorted({card.rank for card in pack})
        chosen = set(dice.sample(ranks, min(len(ranks), seats * size // 4 + 2)))
        pack = tuple(card for card in pack if card.rank in chosen)
    cards = dice.sample(pack, seats * size)
    return tuple(card_set(cards[size * seat : size * seat + size]) for seat in range(seats))


def after_random_cards(dice: Random, position: Position, goal: Goal, cards: int) -> Position:
    """The same after this many random cards of the first trick."""
    state = reference.state_of(position, goal)
    for _ in range(cards):
        legal = [move for move in reference.moves(state, goal) if isinstance(move, Card)]
        state = reference.apply(state, dice.choice(legal), goal)
    play = state.play
    return Position(
        hands=play.hands,
        turn=play.turn,
        trick=play.plays,
        active=position.active,
        last=position.last,
        trump=position.trump,
        strength=position.strength,
        won=position.won,
        marriages=state.marriages,
    )


def rami(dice: Random, size: int) -> Problem:
    position = Position(hands=dealt(dice, DECK_52, 4, size), turn=dice.randrange(4), won=(2, 1))
    return after_random_cards(dice, position, Rami(), dice.randrange(4)), Rami()


def trumps(dice: Random, size: int) -> Problem:
    hands = dealt(dice, DECK_52, 4, size)
    position = Position(hands=hands, turn=dice.randrange(4), trump=dice.randrange(4))
    goal = dice.choice((Rami(), Nolo()))
    return after_random_cards(dice, position, goal, dice.randrange(4)), goal


def nolo(dice: Random, size: int) -> Problem:
    position = Position(hands=dealt(dice, DECK_52, 4, size), turn=dice.randrange(4))
    return after_random_cards(dice, position, Nolo(), dice.randrange(4)), Nolo()


def sooli(dice: Random, size: int) -> Problem:
    soloist = dice.randrange(4)
    order = dice.choice(("always_last", "rotation"))
    position = sooli_position(dealt(dice, DECK_52, 4, size), soloist, order)
    if dice.random() < 0.3:
        turn = dice.choice(position.active)
        position = Position(
            hands=position.hands,
            turn=turn if turn != soloist or order == "rotation" else (soloist + 1) % 4,
            active=position.active,
            last=position.last,
            strength=position.strength,
        )
    return after_random_cards(dice, position, Sooli(soloist), dice.randrange(3)), Sooli(soloist)


CARD_VALUES = tuple((0,) * 8 + rest for rest in ((10, 5, 5, 5, 10), (10, 2, 3, 4, 11), (10, 0, 5, 5, 10)))
"""The customs of Huutopussi: points of ten, jack, queen, king, ace."""


def huutopussi(dice: Random, size: int) -> Problem:
    goal = Huutopussi(
        side=dice.randrange(2),
        aim=dice.choice(("points", "difference")),
        card_values=dice.choice(CARD_VALUES),
        last_trick=dice.choice((10, 20)),
        marriage_values=dice.choice(((40, 100, 80, 60), (100, 80, 60, 40))),
        declare_right=dice.choice(("led_and_won", "won")),
        once=dice.random() < 0.2,
    )
    if dice.random() < 0.3:
        goal = Huutopussi(side=goal.side, contract=dice.randrange(20, 160, 5), last_trick=goal.last_trick)
    pack = DECK_36
    if dice.random() < 0.6:
        low = dice.choice("679")
        pack = tuple(card for card in DECK_36 if card.letter in ("K", "Q", "A", "10", low))
    declared = frozenset(suit for suit in range(4) if dice.random() < 0.2)
    own, full, half = (tuple(dice.random() < 0.8 for _ in range(4)) for _ in range(3))
    half = half if goal.once else (True,) * 4
    position = Position(
        hands=dealt(dice, pack, 4, size) if pack is DECK_36 else _plain(dice, pack, size),
        turn=dice.randrange(4),
        trump=dice.choice(sorted(declared)) if declared else None,
        strength=TEN_BELOW_ACE,
        won=(15, 30),
        marriages=Marriages(declared=declared, own=own, full=full, half=half, open=dice.random() < 0.6),
    )
    return after_random_cards(dice, position, goal, dice.randrange(4) if dice.random() < 0.3 else 0), goal


def _plain(dice: Random, pack: tuple[Card, ...], size: int) -> tuple[int, ...]:
    cards = dice.sample(pack, 4 * size)
    return tuple(card_set(cards[size * seat : size * seat + size]) for seat in range(4))


def tuppen(dice: Random, size: int) -> Problem:
    seats = dice.choice((2, 3, 4, 5))
    hands = dealt(dice, DECK_32, seats, size)
    everybody = tuple(range(seats))
    goal = Tuppen(dice.randrange(seats))
    position = Position(hands=hands, turn=dice.randrange(seats), active=everybody, strength=TEN_HIGH)
    position = after_random_cards(dice, position, goal, dice.randrange(seats))
    if len(position.trick) > 1 and seats > 2 and dice.random() < 0.5:  # somebody who has played leaves
        gone = dice.choice([seat for seat, _ in position.trick if seat != goal.seat] or [-1])
        if gone >= 0:
            position = Position(
                hands=position.hands,
                turn=position.turn,
                trick=position.trick,
                active=tuple(seat for seat in everybody if seat != gone),
                strength=TEN_HIGH,
            )
    return position, goal


MAKERS: dict[str, Maker] = {
    "rami": rami,
    "trumps": trumps,
    "nolo": nolo,
    "sooli": sooli,
    "huutopussi": huutopussi,
    "tuppen": tuppen,
}


@pytest.fixture(params=sorted(MAKERS))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def make(kind: str) -> Maker:
    """The maker of random positions of one kind; every test that asks for it runs for all kinds."""
    return MAKERS[kind]
