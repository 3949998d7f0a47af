"""Faces of cards for templates, and the layout of a hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise, permutations
from typing import NamedTuple

from nousu.engine.cards import ACE_HIGH, SUITS, Card, Strength
from nousu.i18n import corner
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import card_words, suit_words

_COURT = {"J": "cap", "Q": "tiara", "K": "crown"}
"""The headgear drawn on each court card."""


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A card for templates; one object for each card and language (`face`)."""

    text: str
    """The card as in the record: ``H10``."""
    suit: str
    """The symbol of the suit (`suit_symbol`)."""
    rank: str
    """The corner, in the reader's language."""
    court: bool
    symbol: str
    label: str
    """The words for screen readers."""


def suit_symbol(suit: int) -> str:
    """The id of a suit's symbol: s, h, d or c."""
    return SUITS[suit].lower()


def suit_lanes(cards: Sequence[Card], reader: Reader) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Cards suit by suit, in their order: symbol and name of the suit, corners of the cards."""
    lanes = ((suit, [card for card in cards if card.suit == suit]) for suit in range(len(SUITS)))
    return tuple(
        (
            suit_symbol(suit),
            suit_words(suit, reader.say),
            tuple(corner(card.letter, reader.language) for card in lane),
        )
        for suit, lane in lanes
        if lane
    )


@cache
def face(card: Card, reader: Reader) -> Face:
    """The face of a card for a reader."""
    suit = suit_symbol(card.suit)
    return Face(
        text=str(card),
        suit=suit,
        rank=corner(card.letter, reader.language),
        court=card.letter in _COURT,
        symbol=_COURT.get(card.letter, suit),
        label=card_words(card, reader.say),
    )


class CardSpot(NamedTuple):
    """The place of a card: row and offset in a hand of two rows, and offset in one fan (in cards)."""

    card: Card
    row: int
    x: float
    y: float


ROW_LENGTH = 7
"""The most cards side by side on the narrowest phone, 44 pixels of each visible."""


@lru_cache(4096)
def suit_order(dealt: tuple[Card, ...]) -> tuple[int, ...]:
    """The order of suits for a hand: colours alternate, the row break falls between two suits.

    It depends on the dealt hand alone, so no suit moves during play.
    """
    count = [sum(card.suit == suit for card in dealt) for suit in range(4)]
    half = (len(dealt) + 1) // 2
    red = (1, 2)

    def clashes(order: tuple[int, ...]) -> int:
        held = [suit for suit in order if count[suit]]
        return sum((suit in red) == (other in red) for suit, other in pairwise(held))

    def misses(order: tuple[int, ...]) -> int:
        ends = [sum(count[suit] for suit in order[: upto + 1]) for upto in range(4)]
        return min(abs(end - half) for end in ends)

    return min(permutations((3, 1, 0, 2)), key=lambda order: (clashes(order), misses(order)))


@lru_cache(2048)
def hand_layout(
    cards: tuple[Card, ...], dealt: tuple[Card, ...], strength: Strength = ACE_HIGH
) -> tuple[CardSpot, ...]:
    """The places of a hand: suits in `suit_order` of the dealt hand, in each the strongest card first."""
    order = suit_order(dealt)
    held = sorted(cards, key=lambda card: (order.index(card.suit), -strength[card.rank]))
    total = len(held)
    back = _break(held)
    spots = []
    for index, card in enumerate(held):
        row = 0 if index < back else 1
        length = back if row == 0 else total - back
        column = index if row == 0 else index - back
        spots.append(CardSpot(card, row, column - (length - 1) / 2, index - (total - 1) / 2))
    return tuple(spots)


def _break(held: Sequence[Card]) -> int:
    """The number of cards in the back row: the break falls between two suits if both rows stay short."""
    total = len(held)
    if total <= ROW_LENGTH:
        return total
    half = (total + 1) // 2
    fitting = [
        at
        for at in range(max(1, total - ROW_LENGTH), min(ROW_LENGTH, total - 1) + 1)
        if held[at].suit != held[at - 1].suit
    ]
    best = min(fitting, key=lambda at: abs(at - half), default=half)
    return best if abs(best - half) <= 1 else half
