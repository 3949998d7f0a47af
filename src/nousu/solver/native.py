"""Positions and goals as the records the compiled core reads, and its answers back.

The core knows no rank rules: within each suit the bits are put in order of strength here, and put back in
the answers.
"""

import struct
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final

from nousu.engine.cards import ACE_HIGH, CARDS, RANKS, Card, CardSet, Strength
from nousu.solver.position import (
    Alike,
    Declaration,
    Goal,
    Huutopussi,
    Move,
    Nolo,
    Position,
    Rami,
    Solution,
    Sooli,
    Tuppen,
)

RECORD: Final = 160
"""Bytes of one problem."""
_FIELDS: Final = (
    ("hand", "5Q"),
    ("target", "i"),
    ("last_trick", "i"),
    ("marriage", "4i"),
    ("value", "16b"),
    *((name, "b") for name in ("kind", "seats", "active", "turn", "last", "trump", "seat", "played")),
    ("trick_seat", "5b"),
    ("trick_card", "5b"),
    *((name, "b") for name in ("declared", "own", "full", "half", "once", "open", "asked")),
    *((name, "b") for name in ("any_winner_declares", "side", "difference", "contract", "king", "queen")),
)
"""The record in order: the core's names of the fields and their `struct` formats."""
_HANDS: Final = struct.Struct("<" + _FIELDS[0][1])
_REST: Final = struct.Struct("<" + "".join(form for _, form in _FIELDS[1:]))


def fields() -> list[tuple[str, int, int]]:
    """Name, offset and bytes of every field as written here; the compiled core has the same list."""
    table, offset = [], 0
    for name, form in _FIELDS:
        size = struct.calcsize("<" + form)
        table.append((name, offset, size))
        offset += size
    return table


def _load_core() -> tuple[Any, str]:
    """The compiled core; or None, and why. One that reads other records is of no use."""
    try:
        module = import_module("nousu._native")
    except ModuleNotFoundError:
        return None, "nousu was installed without a C++ compiler"
    except ImportError as error:
        return None, f"its compiled core cannot be loaded here ({error})"
    if (module.RECORD, [tuple(field) for field in module.FIELDS]) != (RECORD, fields()):
        return None, "its compiled core is of another version"
    return module, ""


core: Any
core, missing = _load_core()
"""The compiled module, or None; then `missing` says why."""
_KINDS: Final[dict[type, int]] = {Rami: 0, Nolo: 1, Sooli: 2, Huutopussi: 3, Tuppen: 4}
_DECLARE, _FULL, _KING, _QUEEN, _ANSWER = 64, 68, 72, 76, 80
_KING_RANK, _QUEEN_RANK = RANKS.index("K"), RANKS.index("Q")
_NO_VALUES: Final = (0,) * 16
_NO_HANDS: Final = (0,) * 5


@cache
def _lane_in_order(ranks: int, strength: Strength) -> int:
    return sum(1 << strength[rank] for rank in range(13) if ranks >> rank & 1)


def in_order(cards: CardSet, strength: Strength) -> int:
    """The set with every suit's bits in order of strength."""
    if strength == ACE_HIGH:
        return cards
    return sum(_lane_in_order(cards >> shift & 0x1FFF, strength) << shift for shift in (0, 16, 32, 48))


@cache
def _values(values: tuple[int, ...], strength: Strength) -> tuple[int, ...]:
    worth = [0] * 16
    for rank, points in enumerate(values):
        worth[strength[rank]] = points
    return tuple(worth)


def records(problems: Iterable[Alike]) -> bytes:
    """Many problems in one piece, a record each. What follows the hands is made once for all alike."""
    pieces: list[bytes] = []
    for alike in problems:
        rest = without_hands(*alike[0])
        for position, _ in alike:
            pieces += _hands(position), rest
    return b"".join(pieces)


def _hands(position: Position) -> bytes:
    """The first field of a record; a seat that takes no part holds nothing."""
    hands, strength = position.hands, position.strength
    if strength != ACE_HIGH or len(position.active) != len(hands):
        hands = tuple(
            in_order(hand, strength) if seat in position.active else 0 for seat, hand in enumerate(hands)
        )
    return _HANDS.pack(*hands, *_NO_HANDS[len(hands) :])


def without_hands(position: Position, goal: Goal) -> bytes:
    """The core's record of a position without its hands."""
    strength = position.strength
    seats = [seat for seat, _ in position.trick]
    cards = [card & 48 | strength[card & 15] for _, card in position.trick]
    rights = position.marriages
    target = last_trick = side = 0
    worth: tuple[int, ...] = _NO_VALUES
    marriage: tuple[int, ...] = (0, 0, 0, 0)
    soloist = any_winner = difference = contract = once = 0
    if isinstance(goal, Huutopussi):
        side, last_trick = goal.side, goal.last_trick
        worth = _values(goal.card_values, strength)
        marriage = goal.marriage_values
        any_winner, difference, once = goal.declare_right == "won", goal.aim == "difference", goal.once
        if goal.contract is not None:
            contract, target = 1, goal.contract - position.won[side]
    elif isinstance(goal, Sooli):
        soloist = goal.soloist
    elif isinstance(goal, Tuppen):
        soloist = goal.seat
    rest = _REST.pack(
        target,
        last_trick,
        *marriage,
        *worth,
        _KINDS[type(goal)],
        len(position.hands),
        sum(1 << seat for seat in position.active),
        position.turn,
        -1 if position.last is None else position.last,
        -1 if position.trump is None else position.trump,
        soloist,
        len(seats),
        *seats,
        *(0,) * (5 - len(seats)),
        *cards,
        *(0,) * (5 - len(cards)),
        sum(1 << suit for suit in rights.declared),
        _mask(rights.own),
        _mask(rights.full),
        _mask(rights.half),
        once,
        rights.open,
        rights.asked,
        any_winner,
        side,
        difference,
        contract,
        strength[_KING_RANK],
        strength[_QUEEN_RANK],
    )
    return rest.ljust(RECORD - _HANDS.size, b"\0")


def _mask(rights: Sequence[bool]) -> int:
    return sum(right << seat for seat, right in enumerate(rights))


@cache
def _card_at(code: int, strength: Strength) -> Card:
    return CARDS[code & 48 | strength.index(code & 15)]


def move_of(code: int, strength: Strength) -> Move:
    """The move the core means."""
    if code < _DECLARE:
        return _card_at(code, strength)
    if code == _FULL:
        return Declaration("full")
    if code >= _ANSWER:
        return Declaration("answer", 16 * (code - _ANSWER) + _KING_RANK)
    if code >= _QUEEN:
        return Declaration("half", 16 * (code - _QUEEN) + _QUEEN_RANK)
    if code >= _KING:
        return Declaration("half", 16 * (code - _KING) + _KING_RANK)
    return Declaration("marriage", 16 * (code - _DECLARE) + _KING_RANK)


def total(position: Position, goal: Goal, gained: int) -> int:
    """The value, from the points or tricks that the core counts as still to be gained."""
    north_south, east_west = position.won
    match goal:
        case Rami() | Nolo():
            return north_south + gained
        case Sooli():
            return 1 - gained
        case Tuppen():
            return gained
        case Huutopussi():
            if goal.contract is not None:
                return gained
            mine, theirs = (north_south, east_west) if goal.side == 0 else (east_west, north_south)
            return mine + gained - (theirs if goal.aim == "difference" else 0)


def decode(position: Position, goal: Goal, answer: tuple[Any, ...]) -> Solution:
    """Translate the core's answer into the terms of the question."""
    gained, nodes, moves, line, pattern = answer
    strength = position.strength
    return Solution(
        total(position, goal, gained),
        {move_of(code, strength): total(position, goal, worth) for code, worth in moves},
        tuple(move_of(code, strength) for code in line),
        nodes,
        None if pattern is None else _at(pattern, strength),
    )


def _at(codes: int, strength: Strength) -> CardSet:
    """The set of cards that the core writes so: the inverse of `in_order`."""
    if strength == ACE_HIGH:
        return codes
    return sum(1 << _card_at(code, strength) for code in range(64) if codes >> code & 1)


def mean(position: Position, goal: Goal, gained: int, times: int) -> float:
    """The mean value of `times` plays that gained so much in all."""
    base = total(position, goal, 0)
    return base + (total(position, goal, 1) - base) * gained / times
