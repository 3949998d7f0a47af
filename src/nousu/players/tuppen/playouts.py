"""Hands of Tuppen played out by three rules of thumb: low cards early, the best that wins in the last trick
but one, and what is left in the last.

Nobody plays for anybody else here, so there is no alliance to solve against, and in most deals some line
wins, only never the same one: what a hand is worth shows when everybody plays as people do. The compiled core
plays some million of them a second (`cpp/playouts/tuppen.h`); without it Python plays the same ones, card for
card.
"""

from collections.abc import Sequence
from typing import NamedTuple

from nousu.engine.cards import DECK_32, SUIT_SETS, TEN_HIGH, CardSet, card_set, cards_of
from nousu.engine.seats import Seat
from nousu.engine.tricks import SUIT_LADDER
from nousu.games.tuppen import Facts
from nousu.solver import native

__all__ = ["ANY", "Moment", "last_takers", "last_winner", "moment_of", "next_card", "taken", "waited_for"]

ANY = None
"""As a first card: whatever the rules of thumb say."""
SEATS = 8
_ANY = 255
_STRENGTH = {int(card): 4 * TEN_HIGH[card.rank] + SUIT_LADDER[card.suit] for card in DECK_32}
_PLACES = bytes(_STRENGTH.get(card, _ANY) for card in range(64))
_PACK = card_set(DECK_32)
_WEAKEST_FIRST = sorted(_STRENGTH, key=_STRENGTH.__getitem__)
_WORD = (1 << 64) - 1
_Plays = tuple[tuple[Seat, int], ...]


class Moment(NamedTuple):
    """What everybody sees when a hand is played out from here."""

    playing: tuple[Seat, ...]
    """Who is in the hand, ascending."""
    turn: Seat
    """Whose card comes next, one of `playing`."""
    trick: _Plays = ()


def moment_of(
    facts: Facts, trick: Sequence[tuple[Seat, int]], playing: Sequence[Seat] | None = None
) -> Moment:
    """What everybody sees, with those `playing` who are in the hand if nobody else is named."""
    players = facts.in_hand if playing is None else tuple(playing)
    turn = facts.turn
    assert turn is not None
    if turn not in players:
        turn = next((seat for seat in players if seat > turn), players[0])
    return Moment(players, turn, tuple((seat, int(card)) for seat, card in trick))


def last_takers(
    moment: Moment, worlds: Sequence[Sequence[CardSet]], firsts: Sequence[int | None] = (ANY,)
) -> list[list[Seat]]:
    """Who takes the last trick: for each card that the seat on turn may play now, a seat for each world."""
    if native.core is None:
        return [
            [last_winner(list(hands), moment.playing, moment.turn, moment.trick, first) for hands in worlds]
            for first in firsts
        ]
    hands = bytearray()
    for world in worlds:
        for seat in range(SEATS):
            hands += (world[seat] if seat < len(world) else 0).to_bytes(8, "little")
    cards = bytes(_ANY if card is None else card for card in firsts)
    found = native.core.last_takers(_PLACES, *_plain(moment), cards, bytes(hands))
    return [list(found[at :: len(firsts)]) for at in range(len(firsts))]


def taken(
    moment: Moment,
    seat: Seat,
    seen: CardSet,
    counts: Sequence[int],
    held: Sequence[CardSet],
    times: int,
    seed: int,
) -> list[int]:
    """How often of `times` the seat takes the last trick with each of these hands, as far as it can tell: the
    others, who hold so many cards each (`counts`), are dealt them from what it has not `seen`."""
    many = bytes(counts[one] if one < len(counts) else 0 for one in range(SEATS))
    if native.core is None:
        return [
            _taken(moment, seat, seen, many, hand, times, seed + number * 0xD1342543DE82EF95)
            for number, hand in enumerate(held)
        ]
    hands = b"".join([hand.to_bytes(8, "little") for hand in held])
    plain = _plain(moment)
    return list(native.core.last_trick_wins(_PLACES, *plain, seat, seen, many, hands, times, seed & _WORD))


def _plain(moment: Moment) -> tuple[int, int, bytes]:
    plays = bytes(number for play in moment.trick for number in play)
    return sum(1 << seat for seat in moment.playing), moment.turn, plays


def _taken(
    moment: Moment, seat: Seat, seen: CardSet, counts: Sequence[int], hand: CardSet, times: int, state: int
) -> int:
    hidden = _PACK & ~(seen | hand)
    unseen = [card for card in _WEAKEST_FIRST if hidden >> card & 1]
    wins = 0
    for _ in range(times):
        hands, dealt = [0] * SEATS, 0
        for other in moment.playing:
            if other == seat:
                continue
            for _card in range(min(counts[other], len(unseen) - dealt)):
                state = state + 0x9E3779B97F4A7C15 & _WORD
                at = dealt + (_mixed(state) * (len(unseen) - dealt) >> 32)
                unseen[at], unseen[dealt] = unseen[dealt], unseen[at]
                hands[other] |= 1 << unseen[dealt]
                dealt += 1
        hands[seat] = hand
        wins += last_winner(hands, moment.playing, moment.turn, moment.trick, None) == seat
    return wins


def _mixed(z: int) -> int:
    """The upper half of what SplitMix64 makes of its state: the core's dice."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _WORD
    return (z ^ z >> 31) >> 32


def last_winner(
    hands: list[CardSet], playing: Sequence[Seat], turn: Seat, trick: _Plays, first: int | None
) -> Seat:
    """Who wins the last trick if the seat on turn plays `first` and everybody then plays on by rule. Where
    others have left, somebody else may be on turn, or the trick complete without their cards."""
    turn, trick = waited_for(playing, turn, trick)
    while trick or hands[turn]:
        card, after, trick = next_card(hands, playing, turn, trick, first)
        hands[turn] &= ~(1 << card)
        turn, first = after, None
    return turn


def next_card(
    hands: Sequence[CardSet], playing: Sequence[Seat], turn: Seat, trick: _Plays, first: int | None = ANY
) -> tuple[int, Seat, _Plays]:
    """The card of the seat on turn (`first`, or by rule), then whose turn it is and the trick so far."""
    card = _saying(hands[turn], trick, playing) if first is None else first
    return card, *waited_for(playing, turn, (*trick, (turn, card)))


def waited_for(playing: Sequence[Seat], turn: Seat, trick: _Plays) -> tuple[Seat, _Plays]:
    """Whose turn it is, and the trick, where the one on turn may have played or left: a trick to which nobody
    owes a card is taken."""
    done = {seat for seat, _ in trick}
    waiting = [seat for seat in playing if seat not in done]
    if not waiting:
        return _taker(trick, playing), ()
    if turn in waiting:
        return turn, trick
    return next((seat for seat in waiting if seat > turn), waiting[0]), trick


def _taker(trick: _Plays, playing: Sequence[Seat]) -> Seat:
    """Whose card wins a complete trick, of those who are still in the hand."""
    suit = trick[0][1] >> 4
    valid = [play for play in trick if play[0] in playing]
    return max(valid, key=lambda play: (play[1] >> 4 == suit, _STRENGTH[play[1]]))[0]


def _able(hand: CardSet, trick: _Plays) -> CardSet:
    """The cards that may be played: the suit led, if held."""
    return (hand & SUIT_SETS[trick[0][1] >> 4]) or hand if trick else hand


def _saying(hand: CardSet, trick: _Plays, playing: Sequence[Seat]) -> int:
    able = cards_of(_able(hand, trick))
    if len(able) == 1:
        return able[0]
    two = hand.bit_count() == 2
    if not trick:
        return (max if two else min)(able, key=_STRENGTH.__getitem__)
    suit = trick[0][1] >> 4
    if two and able[0] >> 4 == suit:
        best = max((_STRENGTH[c] for s, c in trick if c >> 4 == suit and s in playing), default=-1)
        high = max(able, key=_STRENGTH.__getitem__)
        if _STRENGTH[high] > best:
            return high
    return min(able, key=_STRENGTH.__getitem__)
