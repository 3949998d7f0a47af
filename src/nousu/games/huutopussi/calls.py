"""The words of Huutopussi as values, and their spoken form."""

from dataclasses import dataclass
from functools import cache

from nousu.engine.actions import Call
from nousu.engine.cards import SUITS, Card, parse_card


@dataclass(frozen=True, slots=True)
class Bid:
    """Promise that many points in the auction (HP-GR-05)."""

    points: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Leave the auction (HP-GR-06)."""


@dataclass(frozen=True, slots=True)
class Redeal:
    """Demand a new deal for one's own hand (HP-GR-11)."""


@dataclass(frozen=True, slots=True)
class Sixes:
    """Say that the pair holds the four sixes (A-H-06)."""


@dataclass(frozen=True, slots=True)
class Contract:
    """Name the points the side must reach (HP-GR-09)."""

    points: int


@dataclass(frozen=True, slots=True)
class Declare:
    """Declare a marriage of one's hand (HP-GR-23)."""

    suit: int


@dataclass(frozen=True, slots=True)
class AskFull:
    """Ask the partner for a full marriage (HP-GR-24)."""


@dataclass(frozen=True, slots=True)
class AskHalf:
    """Ask the partner for the other half to a king or queen that one holds (HP-GR-25)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Yes:
    """The partner has it: the marriage in `suit`, or (None) the half that was asked for."""

    suit: int | None = None


@dataclass(frozen=True, slots=True)
class No:
    """The partner does not have it, or will not say (A-H-10)."""


Ask = AskFull | AskHalf
Word = Bid | Pass | Redeal | Sixes | Contract | Declare | AskFull | AskHalf | Yes | No

_PLAIN: dict[str, Word] = {
    "pass": Pass(),
    "redeal": Redeal(),
    "sixes": Sixes(),
    "ask full": AskFull(),
    "yes": Yes(),
    "no": No(),
}
_TEXTS = {word: text for text, word in _PLAIN.items()}


@cache
def said(call: Call) -> Word | None:
    """The meaning of `call`; None if it is not a word of Huutopussi.

    >>> said(Call("ask half HK"))
    AskHalf(card=HK)
    """
    if call.word in _PLAIN:
        return _PLAIN[call.word]
    try:
        match call.word.split():
            case [points]:
                return Bid(int(points))
            case ["contract", points]:
                return Contract(int(points))
            case ["marriage", suit]:
                return Declare(SUITS.index(suit))
            case ["yes", suit]:
                return Yes(SUITS.index(suit))
            case ["ask", "half", card]:
                return AskHalf(parse_card(card))
    except ValueError:
        pass
    return None


@cache
def call_of(word: Word) -> Call:
    """The spoken form of `word`: ``said(call_of(word)) == word``. One shared value each (the hot path)."""
    match word:
        case Bid(points):
            return Call(str(points))
        case Contract(points):
            return Call(f"contract {points}")
        case Declare(suit):
            return Call(f"marriage {SUITS[suit]}")
        case AskHalf(card):
            return Call(f"ask half {card}")
        case Yes(int(suit)):
            return Call(f"yes {SUITS[suit]}")
        case _:
            return Call(_TEXTS[word])
