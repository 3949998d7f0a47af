"""The words of the family as values, and their spoken or sealed form."""

from dataclasses import dataclass
from typing import Literal

from nousu.engine.actions import Call, Seal, Show
from nousu.engine.cards import Card


@dataclass(frozen=True, slots=True)
class Bid:
    """High or low in a word (T-CAT-12, T-CAT-13, NW-CAT-02, NW-CAT-08)."""

    name: Literal["rami", "nolo", "grand", "nullo"]

    @property
    def high(self) -> bool:
        """Whether tricks are to be won."""
        return self.name in ("rami", "grand")

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Pass:
    """No bid in a spoken auction; no sooli."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Sooli:
    """Play alone and take no trick (T-CAT-18, T-WIK-09)."""

    def __str__(self) -> str:
        return "sooli"


@dataclass(frozen=True, slots=True)
class BreakOff:
    """End a hand in which the rising side can no longer score (T-WIK-24)."""

    def __str__(self) -> str:
        return "end"


Word = Bid | Pass | Sooli | BreakOff

RAMI, NOLO, GRAND, NULLO = Bid("rami"), Bid("nolo"), Bid("grand"), Bid("nullo")
WORDS: tuple[Word, ...] = (RAMI, NOLO, GRAND, NULLO, Pass(), Sooli(), BreakOff())

_SAID = {str(word): word for word in WORDS}
_CALLS = {word: Call(str(word)) for word in WORDS}
PASS, SOOLI, END = _CALLS[Pass()], _CALLS[Sooli()], _CALLS[BreakOff()]


def said(call: Call) -> Word | None:
    """The meaning of `call`; None if it is not a word of this family.

    >>> said(Call("rami"))
    Bid(name='rami')
    """
    return _SAID.get(call.word)


def call_of(word: Word) -> Call:
    """The spoken form of `word`: ``said(call_of(word)) == word``."""
    return _CALLS[word]


def sealed(bid: Card | Bid) -> Seal:
    """The face-down form of `bid`."""
    return Seal(str(bid) if isinstance(bid, Bid) else bid)


def bid_in(action: object) -> Card | Bid | None:
    """The bid that `action` lays face down, turns up or speaks; None where it is hidden, or no bid."""
    match action:
        case Seal(Card() as card) | Show((Card() as card,)):
            return card if card >= 0 else None
        case Seal(str() as word) | Call(word):
            spoken = _SAID.get(word)
            return spoken if isinstance(spoken, Bid) else None
    return None
