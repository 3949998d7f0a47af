"""Cards, sets of cards and the orders in which ranks beat one another.

A card is a small integer, ``16 * suit + rank``: the index of its bit in a 64-bit ``CardSet``. Sixteen bits
per suit leave three unused; in return "follow suit" is a single AND, and the C++ core reads the same layout.
People read and write ``S10`` for one card and ``S:AQ84 H:K72`` for a hand.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from nousu.engine.messages import Explained, Note, brief

_T = TypeVar("_T")

SUITS: Final = "SHDC"
"""Suit letters by number: spades, hearts, diamonds, clubs (the order of PBN)."""
RANKS: Final = "23456789TJQKA"
"""Rank letters by number, in the natural order with the ace on top."""

CardSet = int
"""A set of cards: bit ``16 * suit + rank`` is set for each card in it."""

LANE: Final = 0x1FFF
"""The thirteen used bits of one suit."""
SUIT_SETS: Final = tuple(LANE << 16 * suit for suit in range(4))


class Card(int):
    """One card. Compare, hash and store it like the integer it is; print it as ``S10``."""

    __slots__ = ()

    @property
    def suit(self) -> int:
        """0 spades, 1 hearts, 2 diamonds, 3 clubs."""
        return self >> 4

    @property
    def rank(self) -> int:
        """0 for a two … 12 for an ace, whatever the order of strength in the game."""
        return self & 15

    @property
    def letter(self) -> str:
        """The rank for people: ``2``…``10``, ``J``, ``Q``, ``K``, ``A``."""
        return "10" if self & 15 == 8 else RANKS[self & 15]

    def __str__(self) -> str:
        return "??" if self < 0 else SUITS[self >> 4] + self.letter

    def __repr__(self) -> str:
        return str(self)


HIDDEN: Final = Card(-1)
"""A card that its reader may not know; printed ``??``."""

CARDS: Final = {16 * suit + rank: Card(16 * suit + rank) for suit in range(4) for rank in range(13)}
_BY_TEXT = {str(card): card for card in CARDS.values()} | {
    SUITS[card >> 4] + RANKS[card & 15]: card for card in CARDS.values()
}


def deck(lowest: str) -> tuple[Card, ...]:
    """All cards from rank ``lowest`` up: ``deck("6")`` is the 36-card pack."""
    return tuple(card for card in CARDS.values() if card.rank >= RANKS.index(lowest))


DECK_52: Final = deck("2")
DECK_36: Final = deck("6")
DECK_32: Final = deck("7")

Strength = tuple[int, ...]
"""Strength of each rank number; a rank that is not in the pack is -1."""


def strength(low_to_high: str) -> Strength:
    """The order of ranks written from the lowest: ``strength("A23456789TJQK")`` has the ace low."""
    return tuple(low_to_high.find(rank) for rank in RANKS)


ACE_HIGH: Final = strength(RANKS)
ACE_LOW: Final = strength("A23456789TJQK")
TEN_BELOW_ACE: Final = strength("6789JQKTA")
TEN_HIGH: Final = strength("JQKA789T")


def parse_card(text: str) -> Card:
    """The card written ``S10``, ``ST``, ``h9`` (or ``??``). `Explained` (a ValueError) if it is not a card.

    >>> parse_card("h9")
    H9
    """
    if text == "??":
        return HIDDEN
    card = _BY_TEXT.get(text.upper())
    if card is None:
        guess = _BY_TEXT.get(text.upper().replace("O", "0").replace("L", "1").replace("I", "1"))
        values = {"text": brief(text), "guess": str(guess)}
        if guess is not None:
            raise Explained(Note("", "‘{text}’ is not a card; did you mean {guess}?", values))
        raise Explained(Note("", "‘{text}’ is not a card; write S10 or H9", values))
    return card


def card_set(cards: Iterable[int]) -> CardSet:
    """The set of these cards."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


_Parts = tuple[tuple[tuple[_T, ...], ...], ...]
"""Values by suit and by set of ranks: one for each card of the set, from the highest down."""


def lane_parts(of: Callable[[Card], _T]) -> tuple[_Parts[_T], _Parts[_T]]:
    """Tables for the cards of a suit: one for its upper six ranks, one for the seven below.

    One table of whole suits would be forty times as long, and a server meets nearly all of its entries.

    Args:
        of: The value of a card.

    Returns:
        Both tables: by suit and by the set of ranks, the values of its cards from the highest down.
    """

    def part(suit: int, first: int, count: int) -> tuple[tuple[_T, ...], ...]:
        things = [of(CARDS[16 * suit + first + at]) for at in range(count)]
        return tuple(
            tuple(things[at] for at in reversed(range(count)) if ranks >> at & 1)
            for ranks in range(1 << count)
        )

    return tuple(part(suit, 7, 6) for suit in range(4)), tuple(part(suit, 0, 7) for suit in range(4))


_UPPER_CARDS, _LOWER_CARDS = lane_parts(lambda card: card)


def cards_of(cards: CardSet) -> tuple[Card, ...]:
    """The cards of a set in reading order: spades, hearts, diamonds, clubs, each from the ace down."""
    upper, lower = _UPPER_CARDS, _LOWER_CARDS
    return (
        upper[0][cards >> 7 & 63]
        + lower[0][cards & 127]
        + upper[1][cards >> 23 & 63]
        + lower[1][cards >> 16 & 127]
        + upper[2][cards >> 39 & 63]
        + lower[2][cards >> 32 & 127]
        + upper[3][cards >> 55 & 63]
        + lower[3][cards >> 48 & 127]
    )


def in_order(cards: Iterable[int]) -> tuple[Card, ...]:
    """The cards in reading order, hidden ones last."""
    listed = tuple(cards)
    known = cards_of(card_set(card for card in listed if card >= 0))
    return known + (HIDDEN,) * (len(listed) - len(known))


def hand_text(cards: Sequence[Card]) -> str:
    """A hand for the record: ``S:AQ84 H:K72``, ``-`` when empty, ``?13`` when hidden."""
    if not cards:
        return "-"
    if cards[0] < 0:
        return f"?{len(cards)}"
    suits: dict[str, str] = {}
    for card in in_order(cards):
        suits[SUITS[card.suit]] = suits.get(SUITS[card.suit], "") + RANKS[card.rank]
    return " ".join(f"{suit}:{ranks}" for suit, ranks in suits.items())


_HIDDEN_HAND = re.compile(r"\?[0-9]{1,2}")


def parse_hand(text: str) -> tuple[Card, ...]:
    """The hand that `hand_text` wrote; `Explained` says what cannot be read, or which card is named twice."""
    words = text.split()
    if words in ([], ["-"]):
        return ()
    if words[0].startswith("?"):
        if not _HIDDEN_HAND.fullmatch(words[0]) or int(words[0][1:]) > 52:
            raise Explained(Note("", "‘{text}’: a hidden hand is written ?13", {"text": brief(text)}))
        return (HIDDEN,) * int(words[0][1:])
    cards: list[Card] = []
    for word in words:
        suit, colon, ranks = word.partition(":")
        if not colon or len(suit) != 1:
            raise Explained(Note("", "‘{text}’: a suit is written S:AQ84", {"text": brief(word)}))
        cards += [parse_card(suit + rank) for rank in ranks.replace("10", "T")]
    if len(set(cards)) != len(cards):
        raise Explained(Note("", "‘{text}’ names a card twice", {"text": brief(text)}))
    return in_order(cards)
