"""Likelihood of the true deal (nats) by what is heard, against drawing deals alone.

    python -m bench.experiments.inference_likelihood                   every game, some minutes on one core
    python -m bench.experiments.inference_likelihood tuppi huutopussi  only these
    python -m bench.experiments.inference_likelihood tuppen 1000       so many hands of the rule-based player

Games: tuppen, tuppen_for_two, tuppi, huutopussi. In one position of each hand the true deal is weighed beside
300 drawn deals that fit what was seen. The figure is by how many nats the weights make it likelier than
drawing alone does: 0 says nothing, less than 0 misleads. Needs the compiled core.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from math import log, sqrt
from random import Random
from typing import Any, NamedTuple

from nousu.engine.actions import Deal, Give, Play
from nousu.engine.cards import card_set
from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.players import Player, find_player
from nousu.players.huutopussi import inference, searcher
from nousu.players.huutopussi import playouts as huutopussi
from nousu.players.searcher import sample_worlds
from nousu.players.seat_loop import advance
from nousu.players.tuppen.inference import likelihoods
from nousu.players.whist import playouts as whist
from nousu.players.whist.searcher import world_weights
from nousu.players.worlds import World

DEALS, SEED = 300, 9
HANDS = 250
"""Hands of the rule-based player; of the others `FEWER`, except for two seats, whose hands are short."""
FEWER = 100

Weights = Mapping[str, Sequence[float]]
"""Weights of the deals, by what is heard; later entries include the earlier ones."""


class Measurement(NamedTuple):
    """Measurement of a game."""

    preset: str
    seats: int
    levels: tuple[str, ...]
    """Players, each in all seats."""
    weights: Callable[[View, Sequence[World], Random], Weights]
    words: bool = False
    """Whether choices of words count; else only those of cards, without soolis."""


def _by_words(view: View, deals: Sequence[World], rng: Random) -> Weights:
    return {"words": likelihoods(view, deals, rng.getrandbits(32))}


def _in_tuppi(view: View, deals: Sequence[World], rng: Random) -> Weights:
    held = [whist.playout_hands(view, deal) for deal in deals]
    deviations = whist.play_out(whist.public_table(view), held, viewer=view.seat).deviations
    alike = [1.0] * len(deals)
    return {
        "bids": world_weights(view, deals, alike, [0.0] * len(deals)),
        "bids and cards": world_weights(view, deals, alike, deviations),
    }


def _in_huutopussi(view: View, deals: Sequence[World], rng: Random) -> Weights:
    held = [huutopussi.playout_hands(view, deal) for deal in deals]
    deviations = huutopussi.play_out(huutopussi.public_table(view), held, viewer=view.seat).deviations
    exchanged = inference.weigh_worlds(view, deals, [1.0] * len(deals))
    return {
        "the exchange": exchanged,
        "exchange, bids and cards": searcher.world_weights(view, deals, exchanged, deviations),
    }


GAMES = {
    "tuppen": Measurement("tuppen_zk+four_pictures=off", 4, ("rules", "easy"), _by_words, words=True),
    "tuppen_for_two": Measurement(
        "tuppen_zk+four_pictures=off", 2, ("rules", "easy", "searcher"), _by_words, words=True
    ),
    "tuppi": Measurement("tuppi", 4, ("rules", "easy", "searcher"), _in_tuppi),
    "huutopussi": Measurement("huutopussi", 4, ("rules", "easy", "searcher"), _in_huutopussi),
}


def positions(game: Measurement, player: Player, deal: int) -> list[Any]:
    """Hands at each choice of one deal that counts, with that player in all seats."""
    match, found = Match.start(*find(game.preset), game.seats, dealer=deal % game.seats), []
    while not match.played:
        after = advance(match, [player] * game.seats, SEED * 1000 + deal)
        assert after is not None
        match = after
        if not match.played and _counts(game, match.hand):
            found.append(match.hand)
    return found


def _counts(game: Measurement, hand: Any) -> bool:
    owed = hand.owed()
    if owed == (CHANCE,) or len(legal := hand.legal(owed[0])) < 2:
        return False
    cards = getattr(hand, "soloist", None) is None and any(isinstance(action, Play) for action in legal)
    return cards or game.words


def gains(game: Measurement, hand: Any, rng: Random) -> dict[str, float]:
    """Nats by which the weights make the true deal likelier, by what is heard."""
    view = hand.view(hand.owed()[0])
    drawn = sample_worlds(view, DEALS, rng)
    (dealt,) = (action for _, action in hand.log if isinstance(action, Deal))
    true = drawn[0]._replace(
        hands=tuple(hand.table.hands),
        dealt=tuple(map(card_set, dealt.hands)),
        stock=dealt.stock,
        given=tuple(action.cards for _, action in hand.log if isinstance(action, Give)),
    )
    nats = {}
    for name, (first, *others) in game.weights(view, [true, *drawn], rng).items():
        nats[name] = log(first / (sum(others) / len(others)))
    return nats


def main(names: Sequence[str], hands: int = HANDS) -> None:
    """Print the gains among players of several levels."""
    for name in names or GAMES:
        game = GAMES[name]
        for level in game.levels:
            rng = Random(SEED)
            count = hands if level == "rules" or game.seats == 2 else FEWER
            some = [positions(game, find_player(level), deal) for deal in range(count)]
            rows = [gains(game, rng.choice(one), rng) for one in some if one]
            for name_heard in rows[0]:
                values = [row[name_heard] for row in rows]
                mean = sum(values) / len(values)
                spread = sqrt(sum((one - mean) ** 2 for one in values) / (len(values) - 1) / len(values))
                print(
                    f"{name:14} {level:8} {name_heard:24} {mean:+.2f} ± {1.96 * spread:.2f} nats "
                    f"({len(values)} positions)",
                    flush=True,
                )


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    names = [word for word in sys.argv[1:] if not word.isdigit()]
    if unknown := set(names) - set(GAMES):
        sys.exit(f"{', '.join(sorted(unknown))}: known are {', '.join(GAMES)}")
    main(names, *numbers[:1])
