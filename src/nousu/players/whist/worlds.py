"""The worlds of the whist family: bids turned up or spoken, suits not followed, the exchange of a sooli.

A hidden card is described by two seats: the one that was dealt it and the one that holds it now. They differ
only in the sooli exchange. A bid card that was turned up fixes the dealt seat (it may since have been thrown
away or given to the partner); a bid spoken for want of a card says which cards that seat was not dealt; a
suit not followed says which cards the holder has not got.
"""

from random import Random
from typing import NamedTuple

from nousu.engine.actions import Call, Give, Show
from nousu.engine.cards import ACE_HIGH, DECK_52, Card, CardSet, card_set, cards_of
from nousu.engine.game import View
from nousu.engine.seats import Seat, partner
from nousu.engine.tricks import Duties
from nousu.games.whist import Bid, Facts, bid_cards, colour, said
from nousu.players.card_placements import Placements
from nousu.players.worlds import Case, World, Worlds, cards_ruled_out, original_hand, played_by

_PACK = card_set(DECK_52)
_FOLLOW = Duties(ACE_HIGH)
_SEATS = range(4)


class _Place(NamedTuple):
    """Hidden cards that were dealt to one seat and are held by one seat (None: lie aside)."""

    dealt: Seat
    holder: Seat | None
    size: int


class Knowledge(NamedTuple):
    """The viewer's knowledge about the hidden cards."""

    view: View
    hidden: CardSet
    turned_up: dict[Card, Seat]
    """Bid cards seen, and the seats that were dealt them."""
    not_dealt: dict[Seat, CardSet]
    not_held: dict[Seat, CardSet]
    played: tuple[CardSet, ...]

    def deals(self, seat: Seat, card: Card) -> bool:
        """Whether `seat` may have been dealt `card`."""
        return self.turned_up.get(card, seat) == seat and not self.not_dealt.get(seat, 0) >> card & 1

    def case(
        self,
        places: list[_Place],
        moved: dict[Card, Seat],
        gifts: tuple[Card | int, ...],
        ways: int = 1,
    ) -> Case:
        """Worlds with these places.

        Args:
            places: The places of hidden cards.
            moved: Known cards that were dealt to another seat than the one that holds or played them.
            gifts: Each card given: a card, or the place it lies in.
            ways: Number of histories of each placement.
        """
        allowed = {}
        for card in cards_of(self.hidden):
            bits = 0
            for at, place in enumerate(places):
                held = self.not_held.get(place.holder, 0) if place.holder is not None else 0
                if place.size and self.deals(place.dealt, card) and not held >> card & 1:
                    bits |= 1 << at
            allowed[int(card)] = bits
        placements = Placements(allowed, [place.size for place in places])
        return Case(placements, _shape(self, places, moved, gifts).world, ways)


class _Shape(NamedTuple):
    """The common part of all worlds of a case: each seat's hand and deal, hidden cards apart."""

    places: tuple[_Place, ...]
    hands: tuple[CardSet, ...]
    dealt: tuple[CardSet, ...]
    gifts: tuple[Card | int, ...]

    def world(self, lying: tuple[CardSet, ...], _rng: Random) -> World:
        """The world in which the places hold these cards."""
        hands, dealt = list(self.hands), list(self.dealt)
        for (seat, holder, _), cards in zip(self.places, lying, strict=True):
            dealt[seat] |= cards
            if holder is not None:
                hands[holder] |= cards
        gifts = self.gifts
        given = tuple([(gift,) if isinstance(gift, Card) else (cards_of(lying[gift])[0],) for gift in gifts])
        return World(tuple(hands), tuple(dealt), (), given)


def _shape(
    known: Knowledge, places: list[_Place], moved: dict[Card, Seat], gifts: tuple[Card | int, ...]
) -> _Shape:
    view = known.view
    hands, dealt = [0] * 4, list(known.played)
    for card, seat in moved.items():
        dealt = [cards & ~(1 << card) for cards in dealt]
        dealt[seat] |= 1 << card
    for card, holder in _known_held(view).items():
        hands[holder] |= 1 << card
        dealt[moved.get(card, holder)] |= 1 << card
    if view.seat is not None:
        hands[view.seat] = card_set(view.cards)
        dealt[view.seat] = original_hand(view)
    return _Shape(tuple(places), tuple(hands), tuple(dealt), gifts)


def _gifts(view: View) -> list[tuple[Seat, Give]]:
    return [(by, action) for by, action in view.heard if isinstance(action, Give)]


def _known_held(view: View) -> dict[Card, Seat]:
    """Cards of the exchange whose holder the viewer knows, other than itself."""
    held: dict[Card, Seat] = {}
    for by, gift in _gifts(view):
        if gift.cards[0] >= 0:
            held.pop(gift.cards[0], None)
            if by == view.seat and gift.to is not None:
                held[gift.cards[0]] = gift.to
    played = sum(played_by(view))
    return {card: seat for card, seat in held.items() if not played >> card & 1}


def find_knowledge(view: View) -> Knowledge:
    """The knowledge of the viewer about the hidden cards."""
    played = played_by(view)
    seen_cards = card_set(view.cards) | sum(played) | original_hand(view)
    turned_up: dict[Card, Seat] = {}
    not_dealt: dict[Seat, CardSet] = {}
    rules = view.rules
    for by, action in view.heard:
        if isinstance(action, Show):
            turned_up[action.cards[0]] = by
        elif isinstance(action, Give) and action.cards[0] >= 0:
            seen_cards |= 1 << action.cards[0]
        elif isinstance(action, Call) and rules.bid_mode == "hand_card":
            bid = said(action)
            if isinstance(bid, Bid):
                not_dealt[by] = bid_cards(rules) & colour(bid.high, rules)  # A-T-04
    hidden = _PACK & ~seen_cards
    not_held: dict[Seat, CardSet] = {}
    for plays in [*(trick.plays for trick in view.tricks), view.trick]:
        for upto in range(2, len(plays) + 1):
            seat, barred = cards_ruled_out(hidden, plays[:upto], 4, _FOLLOW)
            not_held[seat] = not_held.get(seat, 0) | barred
    return Knowledge(view, hidden, turned_up, not_dealt, not_held, played)


def worlds(view: View) -> Worlds:
    """The worlds of a view of the whist family."""
    known = find_knowledge(view)
    held = _known_held(view)
    gifts = _gifts(view)
    others = [seat for seat in _SEATS if seat != view.seat]
    soloist = Facts.of(view.facts).soloist
    own = [gift.cards[0] for _, gift in gifts]
    if not gifts or (view.seat is not None and all(card >= 0 for card in own)):
        # Every gift is known: the hidden cards lie where they were dealt.
        moved = {gift.cards[0]: by for by, gift in gifts if gift.to is not None}
        if len(own) == 2 and own[0] == own[1]:
            moved[own[0]] = gifts[0][0]  # received and handed back
        size = [view.counts[seat] - sum(to == seat for to in held.values()) for seat in _SEATS]
        places = [_Place(seat, seat, size[seat]) for seat in others]
        return Worlds([known.case(places, moved, tuple(own))])
    assert soloist is not None, "cards change hands in a sooli alone"
    if view.rules.sooli_exchange == "discard_then_receive":
        return Worlds(_thrown(known, soloist, others))
    return Worlds(_returned(known, soloist, others))


def _thrown(known: Knowledge, soloist: Seat, others: list[Seat]) -> list[Case]:
    """The soloist threw a card away unseen and then, perhaps, got one (T-WIK-10)."""
    view, mate = known.view, partner(soloist)
    gifts = _gifts(view)
    count = view.counts[soloist]
    rest = [_Place(seat, seat, view.counts[seat]) for seat in others if seat != soloist]
    aside = _Place(soloist, None, 1)
    if len(gifts) == 1:
        return [known.case([aside, _Place(soloist, soloist, count), *rest], {}, (0,))]
    gift = gifts[1][1].cards[0]
    if gift >= 0:  # the viewer gave it
        kept = count - (gift in _known_held(view))
        return [known.case([aside, _Place(soloist, soloist, kept), *rest], {gift: mate}, (0, gift))]
    return _either_way(known, soloist, [aside], rest, (0,))


def _returned(known: Knowledge, soloist: Seat, others: list[Seat]) -> list[Case]:
    """The soloist got a card and then, perhaps, gave one back, maybe the same; an opponent looks on."""
    view, mate = known.view, partner(soloist)
    rest = [_Place(seat, seat, view.counts[seat]) for seat in others if seat not in (soloist, mate)]
    if len(_gifts(view)) == 1:
        rest.append(_Place(mate, mate, view.counts[mate]))
        gift, kept = _Place(mate, soloist, 1), _Place(soloist, soloist, view.counts[soloist] - 1)
        return [known.case([gift, kept, *rest], {}, (0,))]
    mates = _Place(mate, mate, view.counts[mate] - 1)
    same = []
    if all(known.deals(soloist, card) for card in cards_of(known.played[soloist])):
        kept = _Place(soloist, soloist, view.counts[soloist])
        same = [known.case([_Place(mate, mate, 1), kept, mates, *rest], {}, (0, 0))]
    back = _Place(soloist, mate, 1)
    return same + _either_way(known, soloist, [back], [mates, *rest], (0,), swap=True)


def _either_way(
    known: Knowledge,
    soloist: Seat,
    first: list[_Place],
    rest: list[_Place],
    gifts: tuple[int, ...],
    swap: bool = False,
) -> list[Case]:
    """The card received is still in the soloist's hand, or is one of those the soloist has played."""
    mate, count = partner(soloist), known.view.counts[soloist]
    played = cards_of(known.played[soloist])
    strange = [card for card in played if not known.deals(soloist, card)]
    cases = []
    if not strange and count:
        places = [*first, _Place(mate, soloist, 1), _Place(soloist, soloist, count - 1), *rest]
        cases.append(known.case(places, {}, (1, 0) if swap else (*gifts, 1)))
    for card in played:
        if known.deals(mate, card) and strange in ([], [card]):
            places = [*first, _Place(soloist, soloist, count), *rest]
            cases.append(known.case(places, {card: mate}, (card, 0) if swap else (*gifts, card)))
    return cases
