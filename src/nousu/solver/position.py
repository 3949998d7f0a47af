"""Values of the solver: a position, a goal, and the answer.

All three are frozen values. A position is given by the cards still held and the cards on the table; how it
came about does not matter, except for the marriages of Huutopussi, which leave rights behind.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby, pairwise
from typing import Final, Literal, NamedTuple, get_args

from nousu.engine.cards import (
    ACE_HIGH,
    ACE_LOW,
    RANKS,
    SUITS,
    TEN_BELOW_ACE,
    TEN_HIGH,
    Card,
    CardSet,
    Strength,
    cards_of,
)
from nousu.engine.seats import Seat, seat_name
from nousu.engine.tricks import cards_by_seat


class Declaration(NamedTuple):
    """A declaration of Huutopussi made before a lead (HP-GR-22)."""

    what: Literal["marriage", "full", "half", "answer"]
    """Declare from hand · ask for a marriage · ask for the other half of `card` · name one when asked."""
    card: int = -1
    """The king (for ``half``: the card named) of the suit; -1 when no suit is named."""

    def __str__(self) -> str:
        if self.what == "half":
            return f"half {Card(self.card)}"
        return self.what if self.card < 0 else f"{self.what} {SUITS[self.card >> 4]}"


Move = Card | Declaration
"""A step of a line: a card, or in Huutopussi a declaration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marriages:
    """The rights to declare that are left in a hand of Huutopussi (A-H-09 … A-H-13)."""

    declared: frozenset[int] = frozenset()
    """Suits declared so far; each can be declared once (HP-GR-27)."""
    own: tuple[bool, bool, bool, bool] = (True,) * 4
    """Seats that may still declare from their own hand."""
    full: tuple[bool, bool, bool, bool] = (True,) * 4
    """Seats that may still ask their partner for a full marriage."""
    half: tuple[bool, bool, bool, bool] = (True,) * 4
    """Seats that may still ask for half a marriage."""
    open: bool = False
    """The seat on turn is about to lead and has not used its one attempt (A-H-09)."""
    asked: bool = False
    """The seat on turn has been asked for a full marriage, holds one, and must name it (A-H-10)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A position: all that decides perfect play from here on.

    Active seats hold equally many cards; those that have played to the trick hold one fewer.
    """

    hands: tuple[CardSet, ...]
    """The cards still held, by seat; two to five seats."""
    turn: Seat
    """The seat to play the next card (or, asked, to answer)."""
    trick: tuple[tuple[Seat, Card], ...] = ()
    """The cards on the table, in order of play."""
    active: tuple[Seat, ...] = (0, 1, 2, 3)
    """Seats that take part, in seat order."""
    last: Seat | None = None
    """The seat that plays last to every trick, whichever seat leads (T-WIK-16)."""
    trump: int | None = None
    strength: Strength = ACE_HIGH
    won: tuple[int, int] = (0, 0)
    """Tricks, or in Huutopussi points, taken by the sides (N–S, E–W) before this trick."""
    marriages: Marriages = Marriages()

    def __repr__(self) -> str:
        seats = len(self.hands)
        trump = "" if self.trump is None else f", trump {SUITS[self.trump]}"
        trick = "".join(f" {seat_name(seat, seats)} {card}" for seat, card in self.trick)
        hands = cards_by_seat(map(cards_of, self.hands), seats)
        return f"<Position {seat_name(self.turn, seats)} to play{trump}: {hands}" + (
            f" |{trick}>" if trick else ">"
        )


@dataclass(frozen=True, slots=True)
class Rami:
    """High game: both sides want tricks; the value is the number that North–South take in all."""


@dataclass(frozen=True, slots=True)
class Nolo:
    """Low game: both sides avoid tricks; the value is the number that North–South take in all."""


@dataclass(frozen=True, slots=True)
class Sooli:
    """One seat avoids every trick, the other active seats want to give it one (T-CAT-27).

    The value is 1 if the soloist takes none, else 0; play stops at the first one (A-T-11).
    """

    soloist: Seat


_SUITS: Final = tuple(0x1FFF << 16 * suit for suit in range(4))
_MOST_POINTS: Final = 120
"""The most that a card or a marriage may be worth: the record of the compiled core has no room for more."""
_Aim = Literal["points", "difference"]
_DeclareRight = Literal["led_and_won", "won"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Huutopussi:
    """Points of one side: cards taken, marriages, the last trick (HP-GR-29).

    Obligations to beat and to trump are those of A-H-14; marriages are moves and change the trump (A-H-13).
    """

    side: int = 0
    """The side whose points count, 0 for North–South, 1 for East–West: it maximises, the other minimises."""
    aim: _Aim = "points"
    """``points``: those the side takes. ``difference``: these, less those of the other side."""
    contract: int | None = None
    """If given, the value is 1 when the side's points reach it and 0 otherwise (``aim`` must be points)."""
    card_values: tuple[int, ...] = (0, 0, 0, 0, 0, 0, 0, 0, 10, 5, 5, 5, 10)
    """Points of a card taken, by its rank from the two to the ace."""
    last_trick: int = 20
    marriage_values: tuple[int, int, int, int] = (40, 100, 80, 60)
    """Points of a marriage by suit: spades, hearts, diamonds, clubs."""
    declare_right: _DeclareRight = "led_and_won"
    """The trick that gives the right to declare before the next lead (A-H-08)."""
    once: bool = False
    """True if a seat loses all its rights by the first declaration or question (A-H-09)."""


@dataclass(frozen=True, slots=True)
class Tuppen:
    """One seat wants the last trick of the hand; the value is 1 if it gets it, else 0.

    All other active seats are assumed to work together against it and to see every card. Tuppen has no such
    alliance: each opponent wants the trick for itself. So 1 means "wins whatever anybody does", while 0 says
    only that an alliance could stop it; it is a safe lower bound, not a forecast. Seats that have left are
    not in `Position.active`; their cards in the trick count as the ladder of TU-ZK-III1d says.
    """

    seat: Seat


Goal = Rami | Nolo | Sooli | Huutopussi | Tuppen


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer to one position."""

    value: int
    """The value under perfect play by all seats, in the unit of the goal."""
    moves: Mapping[Move, int]
    """The value after each move that was asked for: every legal one, one best one, or none."""
    line: tuple[Move, ...]
    """One course of perfect play to the end, where it was asked for."""
    nodes: int
    """Cards tried by the search."""
    pattern: CardSet | None = None
    """The cards whose owners decided the value; `covered` says which other deals have it, too. None where the
    search does not tell: it does for a rami of four without trumps, by the compiled core."""

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves that keep the value, in the order of `moves`."""
        return tuple(move for move, value in self.moves.items() if value == self.value)


def covered(position: Position, solution: Solution, other: Position) -> bool:
    """Whether `other` is worth what `position` is, by what solving that has shown and without a search.

    It is where only small cards have changed hands: the same cards are left, every hand has as many of each
    suit, the cards of the pattern lie where they did, and trick, turn and the rest are the same.
    """
    pattern = solution.pattern
    return (
        pattern is not None
        and replace(other, hands=position.hands) == position
        and sum(other.hands) == sum(position.hands)
        and all(
            now & pattern == before & pattern
            and all((now & suit).bit_count() == (before & suit).bit_count() for suit in _SUITS)
            for now, before in zip(other.hands, position.hands, strict=True)
        )
    )


class SolveStopped(Exception):
    """A limit was reached, or the search was cancelled, before the value was known."""


def sooli_position(
    hands: tuple[CardSet, ...], soloist: Seat, order: Literal["always_last", "rotation"] = "always_last"
) -> Position:
    """The first lead of a sooli: partner out, ace low, the seat left of the soloist leads (A-T-10)."""
    partner = (soloist + 2) % 4
    return Position(
        hands=tuple(0 if seat == partner else hand for seat, hand in enumerate(hands)),
        turn=(soloist + 1) % 4,
        active=tuple(seat for seat in range(4) if seat != partner),
        last=soloist if order == "always_last" else None,
        strength=ACE_LOW,
    )


def huutopussi_position(hands: tuple[CardSet, ...], turn: Seat, trump: int | None = None) -> Position:
    """The first lead of Huutopussi: tens below the ace, nothing declared yet."""
    return Position(hands=hands, turn=turn, trump=trump, strength=TEN_BELOW_ACE)


def tuppen_position(hands: tuple[CardSet, ...], turn: Seat) -> Position:
    """The first lead of Tuppen among all these hands; an empty hand sits out."""
    active = tuple(seat for seat, hand in enumerate(hands) if hand)
    return Position(hands=hands, turn=turn, active=active, strength=TEN_HIGH)


@cache
def _known_ranks(strength: Strength) -> CardSet:
    """Cards whose rank this order of ranks knows."""
    known = [rank for rank in range(13) if len(strength) == 13 and strength[rank] >= 0]
    if not known or len({strength[rank] for rank in known}) != len(known) or max(strength) > 12:
        raise ValueError(f"{strength} is no order of ranks; make one with engine.cards.strength")
    return sum(1 << 16 * suit + rank for suit in range(4) for rank in known)


def frame(position: Position, goal: Goal) -> tuple[object, ...]:
    """The question without the cards in hand: many deals of one call often agree in it."""
    return (
        goal,
        position.turn,
        position.trick,
        position.active,
        position.last,
        position.trump,
        position.strength,
        position.won,
        position.marriages,
        len(position.hands),
    )


Alike = Sequence[tuple[Position, Goal]]
"""Questions that agree in all but the cards in hand."""


def stretches(problems: Iterable[tuple[Position, Goal]]) -> list[Alike]:
    """The same questions in the same order, neighbours put together that agree in all but the cards."""
    return [list(alike) for _, alike in groupby(problems, lambda problem: frame(*problem))]


def check(position: Position, goal: Goal) -> None:
    """Raise `ValueError` with one sentence if this cannot be a position of that goal."""
    check_all([[(position, goal)]])


def check_all(problems: Iterable[Alike]) -> None:
    """Check many positions. Parts apart from the hands are checked once for positions that share them."""
    for alike in problems:
        _check_frame(*alike[0])
        _check_hands([position for position, _ in alike])


def _check_frame(position: Position, goal: Goal) -> None:
    """Check the parts of a question besides the hands."""
    if not isinstance(goal, Goal):
        raise ValueError(f"{goal!r} is not a goal; the goals are Rami(), Nolo(), Sooli(seat) and so on")
    seats = len(position.hands)
    if not 2 <= seats <= 5:
        raise ValueError(f"a position has two to five hands, not {seats}")
    if not position.active or any(not 0 <= seat < seats for seat in position.active):
        raise ValueError(f"active seats {position.active} do not fit {seats} hands")
    if any(seat >= other for seat, other in pairwise(position.active)):
        raise ValueError(f"active seats {position.active} are not in seat order")
    if position.turn not in position.active:
        raise ValueError(f"seat {position.turn} is on turn but takes no part")
    if position.last is not None and position.last not in position.active:
        raise ValueError(f"seat {position.last} is to play last but takes no part")
    if position.trump not in (None, 0, 1, 2, 3):
        raise ValueError(f"trump {position.trump} is no suit; spades are 0, clubs 3")
    if not isinstance(goal, Tuppen) and seats != 4:
        raise ValueError(f"{type(goal).__name__.lower()} is played with four hands, not {seats}")
    if not isinstance(goal, Tuppen | Sooli) and len(position.active) != 4:
        raise ValueError(f"{type(goal).__name__.lower()} is played by all four seats")
    if isinstance(goal, Sooli) and goal.soloist not in position.active:
        raise ValueError(f"the soloist, seat {goal.soloist}, takes no part")
    if isinstance(goal, Tuppen) and goal.seat not in position.active:
        raise ValueError(f"seat {goal.seat} takes no part")
    if isinstance(goal, Huutopussi):
        _check_huutopussi(position, goal)
    elif position.marriages.asked:
        raise ValueError(f"nobody is asked for a marriage in {type(goal).__name__.lower()}")
    _known_ranks(position.strength)


def _check_hands(alike: Sequence[Position]) -> None:
    """Check the hands of positions that agree in all else, which has been checked."""
    first = alike[0]
    ranked = _known_ranks(first.strength)
    plain = not (first.trick or first.marriages.asked) and first.active == (0, 1, 2, 3)
    for position in alike:
        if plain and len(position.hands) == 4:  # the most frequent question, thousands at a time
            north, east, south, west = position.hands
            size, held = north.bit_count(), north | east | south | west
            equal = size == east.bit_count() == south.bit_count() == west.bit_count()
            if size and equal and held.bit_count() == 4 * size and held | ranked == ranked:
                continue
        _check_cards(position, ranked)


def _check_cards(position: Position, ranked: CardSet) -> None:
    """Check the cards of one position; `ranked` are all cards that its order of ranks knows."""
    counts = [hand.bit_count() for hand in position.hands]
    seen = 0
    for hand in position.hands:
        seen |= hand
    if seen | ranked != ranked or seen.bit_count() != sum(counts):
        raise ValueError(_card_fault(position.hands, ranked))
    rights = position.marriages
    if rights.asked and not any(
        position.hands[position.turn] >> 16 * suit & _PAIR == _PAIR for suit in {0, 1, 2, 3} - rights.declared
    ):
        raise ValueError(f"seat {position.turn} is asked for a marriage but has none to name")
    if position.trick:
        _check_trick(position, seen, ranked)
        for seat, _ in position.trick:
            counts[seat] += 1
    sizes = {counts[seat] for seat in position.active}
    if len(sizes) != 1:
        listed = ", ".join(f"seat {seat} {counts[seat]}" for seat in position.active)
        raise ValueError(f"the active seats do not hold equally many cards: {listed}")
    if sizes == {0}:
        raise ValueError("no card is left to play")


def _card_fault(hands: tuple[CardSet, ...], ranked: CardSet) -> str:
    """The fault of the first hand that holds a card twice dealt or unknown."""
    seen = 0
    for seat, hand in enumerate(hands):
        if hand & seen:
            return f"a card of seat {seat} is also in another hand"
        seen |= hand
        if hand & ~ranked:
            return f"seat {seat} holds a rank that this order of ranks does not know"
    raise AssertionError("every card is in one hand and known")


def _check_trick(position: Position, seen: CardSet, ranked: CardSet) -> None:
    """Check the cards on the table; `seen` are those in hands."""
    played = [seat for seat, _ in position.trick]
    table = 0
    for seat, card in position.trick:
        if not 0 <= seat < len(position.hands):
            raise ValueError(f"seat {seat} has a card on the table, but there is no such seat")
        if not 0 <= card < 64 or not ranked >> card & 1:
            raise ValueError("a card on the table is none that this order of ranks knows")
        if (seen | table) >> card & 1:
            raise ValueError("a card on the table is also in a hand or twice on the table")
        table |= 1 << card
    if len(set(played)) != len(played):
        raise ValueError("a seat has two cards on the table")
    if position.turn in played:
        raise ValueError(f"seat {position.turn} is on turn but has a card on the table")
    leader, seats = played[0], len(position.hands)
    around = sorted(
        {*played, *position.active},
        key=lambda seat: (seat == position.last != leader, (seat - leader) % seats),
    )
    if [*played, position.turn] != around[: len(played) + 1]:
        seats_played = ", ".join(map(str, played))
        raise ValueError(
            f"seat {position.turn} is not next after the cards on the table, of seat {seats_played}"
        )


_PAIR: Final = 1 << RANKS.index("K") | 1 << RANKS.index("Q")


def _check_huutopussi(position: Position, goal: Huutopussi) -> None:
    """Check the parts that only Huutopussi has."""
    if goal.side not in (0, 1):
        raise ValueError(f"side {goal.side} is none; 0 is North–South, 1 East–West")
    if goal.contract is not None and goal.aim != "points":
        raise ValueError("a contract is reached by points; leave aim at 'points'")
    if not 0 <= goal.last_trick <= 1000:
        raise ValueError(f"the last trick cannot be worth {goal.last_trick} points")
    rights = position.marriages
    fours = len(rights.own) == len(rights.full) == len(rights.half) == 4
    if not fours or not rights.declared <= {0, 1, 2, 3}:
        raise ValueError("rights to declare are four, one a seat, and suits declared are numbers from 0 to 3")
    for name, table, length in (
        ("card_values", goal.card_values, len(RANKS)),
        ("marriage_values", goal.marriage_values, len(SUITS)),
    ):
        if len(table) != length or not all(
            isinstance(number, int) and 0 <= number <= _MOST_POINTS for number in table
        ):
            raise ValueError(f"{name} are {length} numbers from 0 to {_MOST_POINTS}, not {table!r}")
    customs: tuple[tuple[str, str, Collection[str]], ...] = (
        ("aim", goal.aim, get_args(_Aim)),
        ("declare_right", goal.declare_right, get_args(_DeclareRight)),
    )
    for name, value, known in customs:
        if value not in known:
            raise ValueError(f"{name} is {' or '.join(known)}, not {value!r}")
