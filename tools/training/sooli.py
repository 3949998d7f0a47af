"""The judgement of choices in soolis, to fit nets to (`tools.training.nets`)."""

from collections.abc import Sequence
from random import Random

from nousu.engine.cards import Card, card_set
from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.engine.seats import side
from nousu.games import find
from nousu.games.whist import PASS, SOOLI, Facts
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.whist.playouts import play_out, playout_hands, public_table
from nousu.players.whist.rules import danger_left
from nousu.players.whist.searcher import drawn_worlds, world_weights
from tools.training.card_values import CardValues, centred_means

PRESETS = ("tuppi", "tuppi", "tuppi", "tuppi+sooli_order=rotation")
"""Rules of the hands, in turn."""
HANDS = (800,)
"""Number of hands in each round."""
WORLDS = 64
"""Imagined deals for each choice."""
DANGER = 3.0
"""The most danger with which a sooli is called: more than players call with, so that hands are lost too."""
TRICKS = 4
"""Tricks' worth of a sooli made rather than lost: more would teach little but the clearest choices."""


def deal(preset: str, rng: Random) -> Match:
    """A match in which a sooli has been called."""
    game, rules = find(preset)
    while True:
        match = Match.start(game, rules, 4, dealer=rng.randrange(4)).deal(rng)
        while not match.played and Facts.of(match.hand.view(None).facts).phase != "play":
            seat = match.hand.owed()[0]
            view = match.hand.view(seat)
            if SOOLI not in view.legal:
                action = find_player("rules").choose(view, DEFAULT_BUDGET, rng.randrange(1 << 32)).action
            elif danger_left(card_set(view.cards), rules) <= DANGER:
                return match.apply(seat, SOOLI)
            else:
                action = PASS
            match = match.apply(seat, action)


def card_values(view: View, cards: Sequence[Card], rng: Random, weights: bytes) -> CardValues:
    """The average value of each of these cards for the viewer's side."""
    facts = Facts.of(view.facts)
    assert view.seat is not None and facts.soloist is not None
    drawn, ways = drawn_worlds(view, WORLDS, rng)
    playouts = play_out(
        public_table(view), [playout_hands(view, world) for world in drawn], cards, view.seat, weights
    )
    likelihood = world_weights(view, drawn, ways, playouts.deviations, bool(weights))
    worth = TRICKS if side(view.seat) == side(facts.soloist) else -TRICKS
    values = centred_means([[float(worth * made) for made in row] for row in playouts.gained], likelihood)
    return CardValues(values, values)
