"""The deals that a hunter imagines in a sooli.

Few hands are safe enough for a sooli, and of deals drawn uniformly hardly one has such a soloist. So the
soloist's hand is drawn by how safe it is, suit by suit, then the card it has received and the one thrown
away; all other cards lie by chance. Each deal has the weight that makes up for how it was drawn.
"""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from math import comb, exp, prod
from random import Random
from typing import NamedTuple

from nousu.engine.cards import ACE_LOW, LANE, SUIT_SETS, Card, CardSet, card_set, cards_of
from nousu.engine.game import View
from nousu.engine.seats import Seat, partner
from nousu.games.whist import Facts
from nousu.players.searcher import sample_worlds
from nousu.players.whist.rules import suit_danger
from nousu.players.whist.worlds import Knowledge, find_knowledge
from nousu.players.worlds import World, original_hand, worlds

CALLED, THROWN, GIVEN = 1.4, 3.0, 0.5
"""Decay of a deal's likelihood (exponent of e): by the danger of the cards that are kept, by the danger that
another card thrown away would have taken off, by the rank of the card given. Before 220 cards of hunters the
true deal was likeliest with 1.5, 4 and 0.6, by 4.3 nats more than a uniform deal."""
TRIED = 6
"""Deals from which one is chosen where they cannot be weighed."""


def likely_worlds(view: View, count: int, rng: Random) -> tuple[list[World], list[float]]:
    """So many worlds of a hunter in a sooli, and their weights."""
    soloists = Soloists.of(view)
    found = [pair for _ in range(count) if (pair := soloists.draw(rng))]
    if not found:
        return sample_worlds(view, count, rng), [1.0] * count
    return [world for world, _ in found], [weight for _, weight in found]


class _Suit(NamedTuple):
    """The parts of the soloist's hand in one suit, by number of cards."""

    parts: Sequence[Sequence[int]]
    totals: Sequence[Sequence[float]]
    """Running totals of the weights of the parts."""


class _Hands(NamedTuple):
    """The hands of a soloist, as likely as they are safe."""

    suits: Sequence[_Suit]
    sums: Sequence[Sequence[float]]
    """The weight of all ways to hold so many cards in this suit and those before."""
    size: int

    @property
    def total(self) -> float:
        """The weight of all hands."""
        return self.sums[-1][self.size]

    def draw(self, rng: Random) -> CardSet:
        """A hand."""
        left, hand = self.size, 0
        for suit in (3, 2, 1, 0):
            one = self.suits[suit]
            before = self.sums[suit]
            shares = [
                totals[-1] * before[left - many] if totals and many <= left else 0.0
                for many, totals in enumerate(one.totals)
            ]
            many = _index(list(accumulate(shares)), rng)
            hand |= one.parts[many][_index(one.totals[many], rng)] << 16 * suit
            left -= many
        return hand


def _index(totals: Sequence[float], rng: Random) -> int:
    return bisect_left(totals, rng.random() * totals[-1] or 1e-300)


@cache
def _suit_safety(ranks: int) -> float:
    return exp(-CALLED * suit_danger(ranks)[0])


def safety(cards: CardSet) -> float:
    """The likelihood of a hand as that of a soloist, by the danger of the cards kept; not normed."""
    return prod([_suit_safety(cards >> shift & LANE) for shift in (0, 16, 32, 48)])


def _hands(allowed: CardSet, played: CardSet, size: int, tilt: Sequence[float]) -> _Hands:
    """The hands of so many allowed cards; `tilt` is a factor for each card of a suit."""
    suits, sums = [], [[1.0] + [0.0] * size]
    for suit in range(4):
        lane, gone = allowed >> 16 * suit & LANE, played >> 16 * suit & LANE
        parts: list[list[int]] = [[] for _ in range(lane.bit_count() + 1)]
        totals: list[list[float]] = [[] for _ in parts]
        part = lane
        while True:
            many = part.bit_count()
            weight = _suit_safety(part | gone) * tilt[suit] ** many
            parts[many].append(part)
            totals[many].append(weight + (totals[many][-1] if totals[many] else 0.0))
            if not part:
                break
            part = part - 1 & lane
        suits.append(_Suit(parts, totals))
        before = sums[-1]
        sums.append(
            [
                sum(totals[many][-1] * before[held - many] for many in range(min(held, len(parts) - 1) + 1))
                for held in range(size + 1)
            ]
        )
    return _Hands(suits, sums, size)


class Soloists(NamedTuple):
    """The deals that a hunter imagines."""

    view: View
    known: Knowledge
    soloist: Seat
    fellow: Seat
    hands: _Hands
    tilt: Sequence[float]
    dealt: dict[Seat, CardSet]
    """The hidden cards, and those that the soloist has played, that a seat may have been dealt."""
    fellows: CardSet
    """The hidden cards that the other hunter may hold."""

    @classmethod
    def of(cls, view: View) -> "Soloists":
        """The deals for the hunter of this view."""
        known = find_knowledge(view)
        soloist = Facts.of(view.facts).soloist
        assert soloist is not None and view.seat is not None
        fellow, mate = partner(view.seat), partner(soloist)
        cards = cards_of(known.hidden | known.played[soloist])
        dealt = {
            seat: card_set(card for card in cards if known.deals(seat, card))
            for seat in (soloist, mate, fellow)
        }
        fellows = known.hidden & dealt[fellow] & ~known.not_held.get(fellow, 0)
        allowed = dealt[soloist] | (dealt[mate] if view.rules.sooli_exchange != "none" else 0)
        allowed &= known.hidden & ~known.not_held.get(soloist, 0)
        size = view.counts[soloist]
        # The more cards the soloist has of those that the other hunter may hold, the fewer ways there are to
        # choose that hunter's.
        rest = (1 - size / max(1, known.hidden.bit_count())) * fellows.bit_count()
        fewer = max(0.1, 1 - view.counts[fellow] / rest) if rest else 1.0
        tilt = [fewer if fellows & SUIT_SETS[suit] else 1.0 for suit in range(4)]
        hands = _hands(allowed, known.played[soloist], size, tilt)
        return cls(view, known, soloist, fellow, hands, tilt, dealt, fellows)

    def sample(self, rng: Random) -> World:
        """A deal, about as likely as it should be: one of a few, chosen by their weights."""
        found = [pair for _ in range(TRIED) if (pair := self.draw(rng))]
        if not found:
            return worlds(self.view).sample(rng)
        (drawn,) = rng.choices(found, [weight for _, weight in found])
        return drawn[0]

    def draw(self, rng: Random) -> tuple[World, float] | None:
        """A deal and its weight; None where the cards left over fit nobody."""
        if not self.hands.total:
            return None
        view, soloist, fellow, mate = self.view, self.soloist, self.fellow, partner(self.soloist)
        exchange = view.rules.sooli_exchange
        hand = self.hands.draw(rng)
        held = hand | self.known.played[soloist]
        rest = self.known.hidden & ~hand
        must = rest & ~self.dealt[mate] & ~(self.dealt[soloist] if exchange != "none" else 0)
        can = cards_of(rest & self.fellows & ~must)
        more = view.counts[fellow] - must.bit_count()
        if must & ~self.fellows or not 0 <= more <= len(can):
            return None
        theirs = must | card_set(rng.sample(can, more))
        weight = float(comb(len(can), more))
        for tilt, suit in zip(self.tilt, SUIT_SETS, strict=True):
            weight /= tilt ** (hand & suit).bit_count()
        left = rest & ~theirs
        given: tuple[tuple[Card, ...], ...] = ()
        kept, gift, thrown = held, 0, 0
        if exchange != "none":
            gift, ways = _drawn_card(_gift_odds(held, held & ~self.dealt[soloist], self.dealt[mate]), rng)
            kept = held & ~gift
            strange = left & ~self.dealt[mate]
            thrown, others = _drawn_card(_throw_odds(kept, left, strange, self.dealt[soloist]), rng)
            weight *= ways * others * safety(kept) / safety(held)
            cards = (thrown, gift) if exchange == "discard_then_receive" else (gift, thrown)
            given = tuple(map(cards_of, cards))
        if not weight:
            return None
        hands = [0] * 4
        assert view.seat is not None
        hands[view.seat], hands[soloist], hands[fellow] = card_set(view.cards), hand, theirs
        hands[mate] = left & ~thrown if exchange == "discard_then_receive" else left
        dealt = [now | gone for now, gone in zip(hands, self.known.played, strict=True)]
        dealt[view.seat] = original_hand(view)
        dealt[soloist], dealt[mate] = kept | thrown, left & ~thrown | gift
        return World(tuple(hands), tuple(dealt), (), given), weight


_Odds = dict[CardSet, float]


def _gift_odds(held: CardSet, strange: CardSet, possible: CardSet) -> _Odds:
    """The odds of each card to be the one received; `strange` ones the soloist cannot have been dealt."""
    if strange & (strange - 1):
        return {}
    return {1 << card: exp(-GIVEN * ACE_LOW[card.rank]) for card in cards_of((strange or held) & possible)}


def _throw_odds(kept: CardSet, left: CardSet, strange: CardSet, possible: CardSet) -> _Odds:
    """The odds of each card left to be the one thrown away; only the soloist was dealt `strange` ones."""
    if strange & (strange - 1):
        return {}
    odds = {}
    lanes = [kept >> 16 * suit & LANE for suit in range(4)]
    less = [suit_danger(lane)[1] for lane in lanes]
    most = [max(less[:suit] + less[suit + 1 :]) for suit in range(4)]
    for card in cards_of((strange or left) & possible):
        suit = card >> 4
        relief, best = _relief(lanes[suit], card & 15)
        odds[1 << card] = exp(-THROWN * (max(best, most[suit]) - relief))
    return odds


@cache
def _relief(ranks: int, rank: int) -> tuple[float, float]:
    """The danger that throwing this card away takes off its suit, and the most that any card of it does."""
    whole, best = suit_danger(ranks | 1 << rank)
    return whole - suit_danger(ranks)[0], best


def _drawn_card(odds: _Odds, rng: Random) -> tuple[CardSet, float]:
    """A card drawn by these odds, and their sum; no card where there is none."""
    if not odds:
        return 0, 0.0
    totals = list(accumulate(odds.values()))
    return list(odds)[_index(totals, rng)], totals[-1]
