"""Inference from exchange, bids and contract in Huutopussi to the hidden cards.

Aces and marriages lie with the declarer: its partner gives its best cards away and gets the declarer's worst
back, so after the exchange it hardly holds an ace, a king or a queen, and the declarer holds twice its share.
Worlds are drawn by these odds (`odds`) instead of uniformly.
"""

from collections.abc import Mapping, Sequence
from math import exp
from random import Random

from nousu.engine.cards import DECK_36, RANKS, cards_of
from nousu.engine.game import View
from nousu.engine.seats import Seat, partner
from nousu.games.huutopussi import Bid, Facts, Pass
from nousu.players.huutopussi.rules import DEFENCE, KEPT, SPREAD, hand_value
from nousu.players.huutopussi.worlds import worlds
from nousu.players.worlds import World, played_by

Odds = Mapping[int, float]
"""Odds that a seat holds a card rather than a defender, relative to a small card."""


def _table(ace: float, ten: float, royal: float, jack: float, sure: float) -> Odds:
    kinds = {"A": ace, "T": ten, "K": royal, "Q": royal, "J": jack}
    return {int(card): kinds.get(RANKS[card.rank], 1.0) ** sure for card in DECK_36}


SURE, SURE_OF_GIFT = 0.8, 0.4
"""Exponents of the odds as they were counted: people exchange less alike than rule-based players. What the
declarer holds beside its partner's gift tells that partner little more than chance."""
DECLARER, DECLARER_BIDDING = _table(6.3, 3.8, 5.7, 1.9, SURE), _table(20.0, 8.0, 20.0, 1.8, SURE)
"""The declarer's cards as defenders see them, after the compulsory bid and after a higher one, counted in
1,500 exchanges of rule-based players: cards of each kind against small ones, by seat against a defender."""
GIVER = _table(0.06, 0.42, 0.11, 0.9, SURE)
"""The cards of the declarer's partner, as defenders see them."""
RECEIVED = _table(3.6, 2.9, 3.2, 1.9, SURE_OF_GIFT)
RECEIVED_BIDDING = _table(14.0, 5.0, 14.0, 1.6, SURE_OF_GIFT)
"""Odds of the declarer's cards besides those its partner gave it, for that partner."""
LEFT = _table(0.09, 0.63, 0.17, 1.0, SURE)
"""Odds of the cards that the partner kept when it gave, for the declarer."""
LEEWAY = 25.0
"""Spread of people's bids around the estimate of the rules of thumb, in points."""


def odds(view: View) -> Mapping[Seat, Odds]:
    """Odds by card that declarer and partner hold it rather than a defender, as the viewer sees it."""
    facts = Facts.of(view.facts)
    declarer = facts.declarer
    if declarer is None or facts.phase == "give":
        return {}
    mate, bidding = partner(declarer), facts.bid > view.rules.min_bid
    if view.seat == declarer:
        return {mate: LEFT}
    if view.seat == mate:
        return {declarer: RECEIVED_BIDDING if bidding else RECEIVED}
    return {declarer: DECLARER_BIDDING if bidding else DECLARER, mate: GIVER}


def likely_worlds(view: View, count: int, rng: Random) -> list[World]:
    """Sample so many worlds by the odds of the exchange."""
    possible = worlds(view, odds(view))
    return [possible.sample(rng) for _ in range(count)]


def weigh_worlds(view: View, lying: Sequence[World], ways: Sequence[float]) -> list[float]:
    """The weights of worlds that were listed, not sampled: `ways` times the odds of the exchange."""
    weights = list(ways)
    for seat, table in odds(view).items():
        for at, world in enumerate(lying):
            for card in cards_of(world.hands[seat]):
                weights[at] *= table[card]
    return weights


def bid_likelihoods(view: View, lying: Sequence[World], defence: float = DEFENCE) -> list[float]:
    """Likelihood of each world by the bids above the forced one and by the contract.

    `defence` is how much more than the bid bidders want their hand to promise, in points.
    """
    facts = Facts.of(view.facts)
    bids = {
        by: bid.points
        for by, bid in facts.auction
        if isinstance(bid, Bid) and bid.points > view.rules.min_bid and by != view.seat
    }
    passed = {by for by, word in facts.auction if isinstance(word, Pass)} - set(bids) - {view.seat}
    named = facts.declarer if facts.declarer != view.seat and facts.contract is not None else None
    played = played_by(view)
    likelihoods = []
    for world in lying:
        weight = 1.0
        for seat, points in bids.items():
            weight /= 1 + exp((points + defence - hand_value(view.rules, world.dealt[seat])) / LEEWAY)
        for seat in passed:
            weight /= 1 + exp((hand_value(view.rules, world.dealt[seat]) - defence - 2 * LEEWAY) / LEEWAY)
        if named is not None:
            promised = hand_value(view.rules, world.hands[named] | played[named], KEPT)
            weight *= exp(-(((promised - (facts.contract or 0)) / SPREAD) ** 2) / 4)
        likelihoods.append(weight)
    return likelihoods
