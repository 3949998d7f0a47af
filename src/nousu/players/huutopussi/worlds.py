"""The worlds of Huutopussi: duties not met, marriages declared and asked for, cards exchanged.

Cards only leave a hand once the tricks have begun, so a card that a seat is known not to have held at some
time it does not hold now. A "no" to the full question says that in each open suit king and queen were not
both there: the two are kept apart. A demand for four sixes that was not granted says that the other pair has
one of them. The exchange is symmetric for onlookers: every placement after it stands for equally many deals.
"""

from collections.abc import Mapping
from functools import partial as bind
from math import comb
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from nousu.engine.actions import Call, Give, Play
from nousu.engine.cards import (
    DECK_36,
    RANKS,
    Card,
    CardSet,
    card_set,
    cards_of,
)
from nousu.engine.game import View
from nousu.engine.seats import Seat, partner, side
from nousu.games.huutopussi import (
    ACES,
    DUTIES,
    SIXES,
    Ask,
    AskFull,
    AskHalf,
    Declare,
    No,
    Sixes,
    Yes,
    call_of,
    other_half,
    said,
)
from nousu.players.card_placements import Placements
from nousu.players.worlds import Case, World, Worlds, cards_ruled_out, original_hand, played_by

_PACK = card_set(DECK_36)
_KING, _QUEEN = RANKS.index("K"), RANKS.index("Q")
_SPADES = card_set(card for card in DECK_36 if card.suit == 0)


class _Exchange(NamedTuple):
    """The exchange of cards, as far as the viewer knows them."""

    declarer: Seat | None
    first: tuple[Card, ...]
    back: tuple[Card, ...]


class _Listener:
    """Facts about the hidden cards from the log of a hand, which is read once."""

    def __init__(self, view: View, hidden: CardSet, pushed: dict[Card, Seat]) -> None:
        self.view = view
        self.hidden = hidden
        self.held: dict[int, Seat] = {}
        """Hidden cards whose holder is known."""
        self.not_held = [0, 0, 0, 0]
        self.apart: list[tuple[Seat, int, int]] = []
        declared: set[int] = set()
        table: list[tuple[Seat, Card]] = []
        trump: int | None = None
        tricks = 0
        last_question: Ask | None = None
        for at, (seat, action) in enumerate(view.heard):
            if isinstance(action, Play):
                table.append((seat, action.card))
                by, barred = cards_ruled_out(hidden, table, 4, DUTIES, trump)
                if view.rules.first_trick == "ace_or_spade" and not tricks:
                    barred |= self._first_trick(table)
                self.not_held[by] |= barred
                if len(table) == 4:
                    table, tricks = [], tricks + 1
            elif isinstance(action, Call):
                match said(action):
                    case Declare(suit) | Yes(int(suit)):
                        trump = suit
                        self._holds(seat, 16 * suit + _KING, 16 * suit + _QUEEN)
                        declared.add(suit)
                    case AskFull() as ask:
                        last_question = ask
                    case AskHalf(card) as ask:
                        last_question = ask
                        self._holds(seat, card)
                    case Yes() if isinstance(last_question, AskHalf):
                        trump = last_question.card.suit
                        self._holds(seat, other_half(last_question.card))
                        declared.add(trump)
                    case No() if view.rules.answers == "truthful" and seat != view.seat:
                        # In hand at that time: what the seat played later, and what it is known to hold.
                        had = {card for card, holder in pushed.items() if holder == seat}
                        had |= {
                            later.card
                            for by, later in view.heard[at:]
                            if by == seat and isinstance(later, Play)
                        }
                        self._denied(seat, last_question, card_set(had), declared)

    def _holds(self, seat: Seat, *cards: int) -> None:
        for card in cards:
            if self.hidden >> card & 1:
                self.held[card] = seat

    def _denied(self, seat: Seat, denied: Ask | None, had: CardSet, declared: set[int]) -> None:
        """A true "no": no marriage in an open suit, or not the other half of the one named (A-H-10)."""
        if isinstance(denied, AskHalf):
            self.not_held[seat] |= 1 << other_half(denied.card) & self.hidden
            return
        for suit in {0, 1, 2, 3} - declared:
            king, queen = 16 * suit + _KING, 16 * suit + _QUEEN
            for card, other in ((king, queen), (queen, king)):
                if had >> card & 1:
                    self.not_held[seat] |= 1 << other & self.hidden
            if self.hidden >> king & 1 and self.hidden >> queen & 1:
                self.apart.append((seat, king, queen))

    def _first_trick(self, table: list[tuple[Seat, Card]]) -> CardSet:
        """Cards ruled out for the seat that played last by the duties of the first trick (A-H-21)."""
        card = table[-1][1]
        if len(table) == 1:
            return 0 if ACES >> card & 1 else ACES if card.suit == 0 else ACES | _SPADES
        led = table[0][1].suit
        ace = ACES & card_set(other for other in DECK_36 if other.suit == led)
        return 0 if ace >> card & 1 else ace


def _exchange(view: View) -> _Exchange:
    gifts = [action for _, action in view.heard if isinstance(action, Give)]
    declarer = gifts[0].to if gifts else None
    return _Exchange(declarer, gifts[0].cards if gifts else (), gifts[1].cards if len(gifts) > 1 else ())


def _known_held(view: View, swap: _Exchange, played: CardSet) -> dict[Card, Seat]:
    """Cards the viewer has pushed over and not seen since."""
    held: dict[Card, Seat] = {}
    if swap.declarer is not None and view.seat is not None:
        mate = partner(swap.declarer)
        if view.seat == swap.declarer:
            held = dict.fromkeys(swap.back, mate)
        elif view.seat == mate:
            held = {card: swap.declarer for card in swap.first if card not in swap.back}
    return {card: seat for card, seat in held.items() if not played >> card & 1}


def worlds(view: View, odds: Mapping[Seat, Mapping[int, float]] = MappingProxyType({})) -> Worlds:
    """The worlds of a view of Huutopussi.

    `odds` are those of some seats to hold some cards, relative to the other seats; worlds are then sampled by
    them.
    """
    played = sum(played_by(view))
    swap = _exchange(view)
    held = _known_held(view, swap, played)
    hidden = _PACK & ~played & ~card_set(view.cards) & ~card_set(held)
    heard = _Listener(view, hidden, held)
    places = [seat for seat in range(4) if seat != view.seat]
    at = {seat: place for place, seat in enumerate(places)}
    allowed = {}
    for card in cards_of(hidden):
        bits = 0
        for seat in places:
            if heard.held.get(card, seat) == seat and not heard.not_held[seat] >> card & 1:
                bits |= 1 << at[seat]
        allowed[int(card)] = bits
    sizes = [view.counts[seat] - sum(holder == seat for holder in held.values()) for seat in places]
    apart = [(at[seat], first, second) for seat, first, second in heard.apart if seat in at]
    many, onlooker = len(swap.first), bool(swap.first) and swap.first[0] < 0
    ways = 1
    if onlooker:
        ways = comb(9 + many, many) * (comb(9, many) if swap.back else 1)
    read = bind(_world, view, swap, held, tuple(places))
    cases = _ungranted(view, at, allowed, held)
    leaning = {card: tuple([odds.get(seat, {}).get(card, 1.0) for seat in places]) for card in allowed}
    return Worlds(
        [Case(Placements(case, sizes, apart, leaning if odds else {}), read, ways) for case in cases]
    )


def _ungranted(
    view: View, at: dict[Seat, int], allowed: dict[int, int], held: dict[Card, Seat]
) -> list[dict[int, int]]:
    """Split `allowed` into cases in which no pair that demanded a deal for four sixes holds them all.

    Cards change hands within a pair only, so the holder of a six now tells which pair was dealt it.
    """
    cases = [allowed]
    for number in {side(seat) for seat, action in view.heard if action == call_of(Sixes())}:
        known = card_set(card for card, seat in held.items() if side(seat) != number)
        if view.seat is not None and side(view.seat) != number:
            known |= card_set(view.cards)
        for seat, past in enumerate(played_by(view)):
            known |= past if side(seat) != number else 0
        if known & SIXES:
            continue
        pair = sum(1 << place for seat, place in at.items() if side(seat) == number)
        cases = [case for base in cases for case in _one_outside(base, pair)]
    return cases


def _one_outside(allowed: dict[int, int], places: int) -> list[dict[int, int]]:
    """At least one hidden six lies outside `places`: a case for each that may be the first to do so."""
    cases, before = [], dict(allowed)
    for card in allowed:
        if not SIXES >> card & 1:
            continue
        cases.append(before | {card: allowed[card] & ~places})
        before[card] = allowed[card] & places
    return cases


def _world(
    view: View,
    swap: _Exchange,
    held: dict[Card, Seat],
    places: tuple[Seat, ...],
    lying: tuple[CardSet, ...],
    rng: Random,
) -> World:
    hands = [0, 0, 0, 0]
    for seat, cards in zip(places, lying, strict=True):
        hands[seat] = cards
    for card, seat in held.items():
        hands[seat] |= 1 << card
    if view.seat is not None:
        hands[view.seat] = card_set(view.cards)
    dealt = [cards | past for cards, past in zip(hands, played_by(view), strict=True)]
    first, back = swap.first, swap.back
    if swap.declarer is not None:
        declarer, mate = swap.declarer, partner(swap.declarer)
        if back:
            if back[0] < 0:
                back = tuple(rng.sample(cards_of(dealt[mate]), len(back)))
            dealt[mate] &= ~card_set(back)
            dealt[declarer] |= card_set(back)
        if first[0] < 0:
            first = tuple(rng.sample(cards_of(dealt[declarer]), len(first)))
        dealt[declarer] &= ~card_set(first)
        dealt[mate] |= card_set(first)
    given = tuple(cards_of(card_set(cards)) for cards in (first, back) if cards)
    if view.seat is not None:
        dealt[view.seat] = original_hand(view)
    return World(tuple(hands), tuple(dealt), (), given)
