"""How much what is heard tells of the hidden cards: held-out log loss of the true deal.

python bench/inference.py                    every game below, some minutes on one core
python bench/inference.py tuppi huutopussi   only these: tuppen, tuppen_for_two, tuppi, huutopussi
python bench/inference.py tuppen 1000        so many hands of the rule-based player

In one position of each hand the true deal is weighed beside 300 drawn ones that fit what was seen. Printed is
by how many nats the weights make it likelier than drawing alone does: 0 says nothing, less than 0 misleads.
Needs the compiled core.
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
"""Of the rule-based player; of the others `FEWER`, but for two, whose hands are short."""
FEWER = 100

Weights = Mapping[str, Sequence[float]]
"""By what is told of the cards: how much each deal weighs, all of it up to there included."""


class Asked(NamedTuple):
    """What is measured of a game."""

    preset: str
    seats: int
    levels: tuple[str, ...]
    """Who plays."""
    weights: Callable[[View, Sequence[World], Random], Weights]
    words: bool = False
    """Choices of words count too; else only those of cards, but for soolis, in which little is imagined."""


def _by_words(view: View, deals: Sequence[World], rng: Random) -> Weights:
    return {"words": likelihoods(view, deals, rng.getrandbits(32))}


def _in_tuppi(view: View, deals: Sequence[World], rng: Random) -> Weights:
    held = [whist.playout_hands(view, deal) for deal in deals]
    strange = whist.play_out(whist.public_table(view), held, viewer=view.seat).strange
    alike = [1.0] * len(deals)
    return {
        "bids": world_weights(view, deals, alike, [0.0] * len(deals)),
        "bids and cards": world_weights(view, deals, alike, strange),
    }


def _in_huutopussi(view: View, deals: Sequence[World], rng: Random) -> Weights:
    held = [huutopussi.playout_hands(view, deal) for deal in deals]
    strange = huutopussi.play_out(huutopussi.public_table(view), held, viewer=view.seat).strange
    exchanged = inference.weigh_worlds(view, deals, [1.0] * len(deals))
    return {
        "the exchange": exchanged,
        "exchange, bids and cards": searcher.world_weights(view, deals, exchanged, strange),
    }


GAMES = {
    "tuppen": Asked("tuppen_zk+four_pictures=off", 4, ("rules", "easy"), _by_words, words=True),
    "tuppen_for_two": Asked(
        "tuppen_zk+four_pictures=off", 2, ("rules", "easy", "searcher"), _by_words, words=True
    ),
    "tuppi": Asked("tuppi", 4, ("rules", "easy", "searcher"), _in_tuppi),
    "huutopussi": Asked("huutopussi", 4, ("rules", "easy", "searcher"), _in_huutopussi),
}


def positions(asked: Asked, player: Player, deal: int) -> list[Any]:
    """The hand at each moment of one deal that is asked about, that player in all seats."""
    match, found = Match.start(*find(asked.preset), asked.seats, dealer=deal % asked.seats), []
    while not match.played:
        after = advance(match, [player] * asked.seats, SEED * 1000 + deal)
        assert after is not None
        match = after
        if not match.played and _is_asked(asked, match.hand):
            found.append(match.hand)
    return found


def _is_asked(asked: Asked, hand: Any) -> bool:
    owed = hand.owed()
    if owed == (CHANCE,) or len(legal := hand.legal(owed[0])) < 2:
        return False
    cards = getattr(hand, "soloist", None) is None and any(isinstance(action, Play) for action in legal)
    return cards or asked.words


def gains(asked: Asked, hand: Any, rng: Random) -> dict[str, float]:
    """By how many nats the weights make the true deal likelier, by what is told."""
    view = hand.view(hand.owed()[0])
    drawn = sample_worlds(view, DEALS, rng)
    (dealt,) = (action for _, action in hand.log if isinstance(action, Deal))
    true = drawn[0]._replace(
        hands=tuple(hand.table.hands),
        dealt=tuple(map(card_set, dealt.hands)),
        stock=dealt.stock,
        given=tuple(action.cards for _, action in hand.log if isinstance(action, Give)),
    )
    found = {}
    for told, (first, *others) in asked.weights(view, [true, *drawn], rng).items():
        found[told] = log(first / (sum(others) / len(others)))
    return found


def main(names: Sequence[str], hands: int = HANDS) -> None:
    """Print the gains among players of several levels."""
    for name in names or GAMES:
        asked = GAMES[name]
        for level in asked.levels:
            rng = Random(SEED)
            count = hands if level == "rules" or asked.seats == 2 else FEWER
            some = [positions(asked, find_player(level), deal) for deal in range(count)]
            rows = [gains(asked, rng.choice(one), rng) for one in some if one]
            for told in rows[0]:
                values = [row[told] for row in rows]
                mean = sum(values) / len(values)
                spread = sqrt(sum((one - mean) ** 2 for one in values) / (len(values) - 1) / len(values))
                print(
                    f"{name:14} {level:8} {told:24} {mean:+.2f} ± {1.96 * spread:.2f} nats "
                    f"({len(values)} positions)",
                    flush=True,
                )


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    names = [word for word in sys.argv[1:] if not word.isdigit()]
    if unknown := set(names) - set(GAMES):
        sys.exit(f"{', '.join(sorted(unknown))}: known are {', '.join(GAMES)}")
    main(names, *numbers[:1])
