"""The deductions of a seat of the whist family: suits that seats are out of, unseen cards."""

from typing import NamedTuple

from nousu.engine.actions import Give, Play
from nousu.engine.cards import (
    ACE_HIGH,
    ACE_LOW,
    DECK_52,
    SUIT_SETS,
    Card,
    CardSet,
    Strength,
    card_set,
    cards_of,
)
from nousu.engine.game import View
from nousu.engine.seats import Seat, partner
from nousu.games.whist import Facts
from nousu.players.skill import FULL, Attention

PACK = card_set(DECK_52)


class WhistDeductions(NamedTuple):
    """Deductions of the seat on turn from what it has seen."""

    seat: Seat
    hand: CardSet
    legal: tuple[Card, ...]
    trick: tuple[tuple[Seat, Card], ...]
    unseen: CardSet
    """Cards that are in other hands (or aside)."""
    strength: Strength
    friends: frozenset[Seat]
    """The seats whose tricks are as good (or bad) as one's own."""
    waiting: tuple[Seat, ...]
    """The seats that still play to this trick after this one."""
    voids: dict[Seat, CardSet]
    """Suits a seat has shown to be out of."""

    @property
    def best(self) -> tuple[Seat, Card] | None:
        """The card that wins the trick so far."""
        if not self.trick:
            return None
        led = self.trick[0][1].suit
        return max(
            (play for play in self.trick if play[1].suit == led),
            key=lambda play: self.strength[play[1].rank],
        )

    def rank(self, card: Card) -> int:
        """The strength of a card within its suit."""
        return self.strength[card.rank]

    def beats(self, card: Card) -> bool:
        """Whether `card` would win the trick as it lies."""
        best = self.best
        return best is None or (card.suit == best[1].suit and self.rank(card) > self.rank(best[1]))

    def above(self, card: Card) -> int:
        """Number of unseen cards of its suit that are stronger than `card`."""
        return sum(
            self.rank(other) > self.rank(card) for other in cards_of(self.unseen & SUIT_SETS[card.suit])
        )

    def below(self, card: Card) -> int:
        """Number of unseen cards of its suit that are weaker than `card`."""
        return sum(
            self.rank(other) < self.rank(card) for other in cards_of(self.unseen & SUIT_SETS[card.suit])
        )

    def length(self, suit: int) -> int:
        """Number of cards of a suit in this hand."""
        return (self.hand & SUIT_SETS[suit]).bit_count()


def deduce(view: View, attention: Attention = FULL) -> WhistDeductions:
    """Deductions of the seat that has to play a card, as far as it pays attention."""
    seat = view.seat
    assert seat is not None
    facts = Facts.of(view.facts)
    kind, soloist, out = facts.kind, facts.soloist, facts.out
    hand = card_set(view.cards)
    seen_cards = hand | card_set(card for _, card in view.trick)
    seen_cards |= attention.remembered(view.tricks)
    for by, action in view.heard:
        if by == seat and isinstance(action, Give) and action.to is None:
            seen_cards |= card_set(action.cards)
    voids: dict[Seat, CardSet] = {}
    noticed = [*(trick.plays for trick in view.tricks), view.trick] if attention.infers else []
    for plays in noticed:
        for by, card in plays[1:]:
            if card.suit != plays[0][1].suit:
                voids[by] = voids.get(by, 0) | SUIT_SETS[plays[0][1].suit]
    if kind == "sooli":
        friends = frozenset({seat} if seat == soloist else {s for s in range(4) if s not in (soloist, out)})
    else:
        friends = frozenset({seat, partner(seat)})
    done = {by for by, _ in view.trick}
    order = [(seat + step) % 4 for step in range(1, 4)]
    waiting = tuple(by for by in order if by not in done and by != out)
    return WhistDeductions(
        seat,
        hand,
        tuple(action.card for action in view.legal if isinstance(action, Play)),
        view.trick,
        PACK & ~seen_cards,
        ACE_LOW if kind == "sooli" else ACE_HIGH,
        friends,
        waiting,
        voids,
    )
