"""The cards of a soloist as the hunters imagine them: who calls, what is thrown away, what the partner gives.

Few hands are safe enough for a sooli, so worlds drawn uniformly hardly ever have one. They are drawn by odds of
each rank instead, and weighed by how likely such a soloist would have called, exchanged and come to this hand.
"""

from collections.abc import Sequence
from math import exp, prod
from random import Random

from nousu.engine.actions import Give
from nousu.engine.cards import ACE_LOW, CardSet, card_set, cards_of
from nousu.engine.game import View
from nousu.engine.seats import Seat
from nousu.games.whist import Facts
from nousu.players.whist.rules import danger, danger_left
from nousu.players.whist.worlds import Odds, worlds
from nousu.players.worlds import World

CALLED, THROWN, GIVEN = 1.5, 2.0, 0.5
"""Decay of a world's likelihood (exponent of e): by the danger of the hand that is kept, by the danger that
another card thrown away would have taken off, by the rank of the card given."""
ODDS = Odds([1.0] * 13, [1.0] * 13, [1.0] * 13)


def likely_worlds(view: View, count: int, rng: Random) -> tuple[list[World], list[float]]:
    """So many worlds of a hunter in a sooli, with the weights that make up for the odds they are drawn by."""
    possible = worlds(view, ODDS)
    drawn = [possible.sample(rng) for _ in range(count)]
    soloist = Facts.of(view.facts).soloist
    assert soloist is not None
    seen = card_set(card for trick in view.tricks for _, card in trick.plays)
    seen |= card_set(card for _, card in view.trick)
    return drawn, [1 / _odds(view, world, soloist, seen) for world in drawn]


def _odds(view: View, world: World, soloist: Seat, seen: CardSet) -> float:
    """The product of the odds of the hidden cards."""
    thrown, gift = exchanged(view, world, soloist)
    held = world.hands[soloist] & ~gift
    return prod(
        table[card.rank]
        for table, cards in ((ODDS.soloist, held), (ODDS.aside, thrown & ~seen), (ODDS.gift, gift & ~seen))
        for card in cards_of(cards)
    )


def exchanged(view: View, world: World, soloist: Seat) -> tuple[CardSet, CardSet]:
    """The card that the soloist has given away in this world, and the one received."""
    thrown = gift = 0
    gifts = [by for by, action in view.heard if isinstance(action, Give)]
    for by, cards in zip(gifts, world.given, strict=True):
        if by == soloist:
            thrown |= card_set(cards)
        else:
            gift |= card_set(cards)
    return thrown, gift


def likelihood(view: View, world: World, soloist: Seat) -> float:
    """How likely a soloist with the cards of this world calls, exchanges and is given so, up to a factor."""
    thrown, gift = exchanged(view, world, soloist)
    dealt = world.dealt[soloist]
    kept = danger(dealt & ~thrown)
    wasted = kept - danger_left(dealt, view.rules) if thrown else 0.0
    rank = sum(ACE_LOW[card.rank] for card in cards_of(gift))
    return exp(-CALLED * kept - THROWN * wasted - GIVEN * rank)
