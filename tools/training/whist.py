"""The judgement of choices in ramis and nolos, to fit nets to (`tools.training.nets`)."""

from collections.abc import Sequence
from random import Random
from typing import Literal

from nousu.engine.cards import Card
from nousu.engine.game import View
from nousu.engine.seats import side
from nousu.games.whist import TRICKS, Facts, score
from nousu.players.searcher import sample_worlds
from nousu.players.whist.playouts import play_out, playout_hands, public_table
from nousu.players.whist.searcher import world_weights
from tools.training.card_values import CardValues, centred_means

PRESETS = ("tuppi", "tuppi", "tuppi", "minnesota")
"""Rules of the hands, in turn."""
HANDS = (2400, 1800, 1100)
"""Number of hands in each round."""
WORLDS = 32
"""Imagined deals for each choice."""


def card_values(view: View, cards: Sequence[Card], rng: Random, weights: bytes) -> CardValues:
    """The average value of each of these cards for the viewer's side; in a nolo, tricks it is spared."""
    facts = Facts.of(view.facts)
    assert view.seat is not None
    drawn = sample_worlds(view, WORLDS, rng)
    playouts = play_out(
        public_table(view), [playout_hands(view, world) for world in drawn], cards, view.seat, weights
    )
    likelihood = world_weights(view, drawn, [1.0] * len(drawn), playouts.deviations, bool(weights))
    bidder = None if facts.bidder is None else side(facts.bidder)
    kind: Literal["high", "low"] = "low" if facts.kind == "low" else "high"
    ours = 1 - 2 * side(view.seat)
    points = []
    for taken in range(TRICKS + 1):
        north, south = score(view.rules, kind, bidder, (taken, TRICKS - taken))
        points.append(ours * (north - south) / view.rules.high_points)
    sign = ours * (-1 if kind == "low" else 1)
    return CardValues(
        centred_means([[float(sign * tricks) for tricks in row] for row in playouts.gained], likelihood),
        centred_means([[points[tricks] for tricks in row] for row in playouts.gained], likelihood),
    )
