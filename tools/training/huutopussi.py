"""The judgement of choices in the play of Huutopussi, to fit nets to (`tools.training.nets`)."""

from collections.abc import Sequence
from math import exp
from random import Random

from nousu.engine.actions import Play
from nousu.engine.cards import Card
from nousu.engine.game import View
from nousu.engine.seats import side
from nousu.games.huutopussi import Facts, score
from nousu.players.huutopussi.inference import likely_worlds
from nousu.players.huutopussi.playouts import HandEnd, play_out, playout_hands, public_table
from nousu.players.huutopussi.searcher import world_weights
from tools.training.card_values import CardValues, centred_means

PRESETS = ("huutopussi", "huutopussi", "huutopussi", "huutopussi_finnish")
"""Rules of the hands, in turn."""
HANDS = (2000, 1500)
"""Number of hands in each round."""
WORLDS = 32
"""Imagined deals for each choice."""
POINTS = 15
"""Approximate value of a trick to a side, in points."""
LEEWAY = 12.0
"""Distance from the contract within which points still tell whether it is made: the result of a deal by one
way of playing it says no more than that."""


def card_values(view: View, cards: Sequence[Card], rng: Random, weights: bytes) -> CardValues:
    """The average value of each of these cards for the viewer's side."""
    assert view.seat is not None
    drawn = likely_worlds(view, WORLDS, rng)
    firsts, hands = list(map(Play, cards)), [playout_hands(view, world) for world in drawn]
    playouts = play_out(public_table(view), hands, firsts, view.seat, weights)
    likelihood = world_weights(view, drawn, [1.0] * len(drawn), playouts.deviations)
    sign = (1 - 2 * side(view.seat)) / (2 * POINTS)
    taken = [[sign * (end.earned[0] - end.earned[1]) for end in row] for row in playouts.ended]
    scored = [[sign * _scored(view, end) for end in row] for row in playouts.ended]
    return CardValues(centred_means(taken, likelihood), centred_means(scored, likelihood))


def _scored(view: View, ended: HandEnd) -> float:
    """The score of North and South less that of the others.

    A contract nearly made, or nearly missed, counts as partly made.
    """
    facts = Facts.of(view.facts)
    declaring = None if facts.declarer is None else side(facts.declarer)
    contract = facts.contract or 0
    if declaring is None:
        north, east = score(view.rules, declaring, facts.bid, contract, *ended)
        return north - east
    earned, total = list(ended.earned), 0.0
    chance = 1 / (1 + exp((contract - earned[declaring] - 2.5) / LEEWAY))
    for share, points in ((chance, contract), (1 - chance, contract - 5)):
        earned[declaring] = points
        north, east = score(view.rules, declaring, facts.bid, contract, (earned[0], earned[1]), ended.tricks)
        total += share * (north - east)
    return total
