"""The words of Tuppen as values, and their spoken form."""

from dataclasses import dataclass

from nousu.engine.actions import Call
from nousu.engine.seats import Seat, parse_seat, seat_name


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep the cards: no four pictures are laid down (TU-ZK-II2b)."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Go along for the higher stake (TU-ZK-III2d)."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the hand and pay (TU-ZK-III2c)."""


@dataclass(frozen=True, slots=True)
class Raise:
    """Raise the stake by one (TU-ZK-III2a)."""


@dataclass(frozen=True, slots=True)
class Look:
    """Look at the cards first: no blind raise."""


@dataclass(frozen=True, slots=True)
class Blind:
    """Raise before the cards are seen (TU-ZK-V4)."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """Challenge four pictures laid down (TU-ZK-IV9)."""

    owner: Seat
    number: int | None = None
    """The packet's number, from 1, if its owner has laid down several."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """A penalty booked by a director (TU-ZK-IV1)."""

    rule: str
    """The number of the rule, ``IV2``."""
    seat: Seat


Word = Keep | Hold | Leave | Raise | Look | Blind | Challenge | Penalty

KEEP, HOLD, LEAVE, RAISE, LOOK, BLIND = map(Call, ("keep", "hold", "leave", "raise", "look", "blind"))

_PLAIN: dict[str, Word] = {
    KEEP.word: Keep(),
    HOLD.word: Hold(),
    LEAVE.word: Leave(),
    RAISE.word: Raise(),
    LOOK.word: Look(),
    BLIND.word: Blind(),
}
_CALLS = {word: Call(text) for text, word in _PLAIN.items()}


def said(call: Call, seats: int) -> Word | None:
    """The meaning of `call` at a table of `seats`; None if it is not a word of Tuppen.

    >>> said(Call("challenge P2 1"), 5)
    Challenge(owner=1, number=1)
    """
    plain = _PLAIN.get(call.word)
    if plain is not None:
        return plain
    try:
        match call.word.split():
            case ["challenge", owner]:
                return Challenge(parse_seat(owner, seats))
            case ["challenge", owner, number]:
                return Challenge(parse_seat(owner, seats), int(number))
            case ["penalty", rule, name]:
                return Penalty(rule, parse_seat(name, seats))
    except ValueError:
        pass
    return None


def call_of(word: Word, seats: int) -> Call:
    """The spoken form of `word` at a table of `seats`: ``said(call_of(word, seats), seats) == word``."""
    match word:
        case Challenge(owner, number):
            name = seat_name(owner, seats)
            return Call(f"challenge {name}" if number is None else f"challenge {name} {number}")
        case Penalty(rule, seat):
            return Call(f"penalty {rule} {seat_name(seat, seats)}")
        case _:
            return _CALLS[word]
