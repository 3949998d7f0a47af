"""What the bids of `expert` gain: each deal twice, one side bidding so, one by rule.

python bench/bids.py                            1,000 pairs of Tuppi, the nets alone play all cards
python bench/bids.py minnesota 2000 7           so many of Minnesota Whist, seed 7
python bench/bids.py tuppi 500 7 expert         `expert` plays the cards
python bench/bids.py tuppi 2000 7 nets scores   at scores that come up in a match, not at an empty one

Everything but the bids is the same at both tables, so where both come to the same contract nothing is played
and the pair counts as nought. Prints points a hand, and the chance to win the match, in percent a hand, that
the side of `expert` gets more than the other, with 95 % intervals over pairs.
"""

import sys
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import NamedTuple

from nousu.engine.actions import Action
from nousu.engine.game import Hand, Result, Setup
from nousu.engine.match import shuffled
from nousu.engine.seats import CHANCE, Seat
from nousu.games import find
from nousu.games.whist import Facts, Outcome, Rules
from nousu.players import DEFAULT_BUDGET, Player, named
from nousu.players.company import number_of
from nousu.players.whist.equity import chance, outcomes
from nousu.research.nets import alone

FIRST = 24
"""Fewer hands than this are over when the one that is measured begins."""


class Paired(NamedTuple):
    """What the side of `expert` gets more than the other, of a hand."""

    differ: bool
    """Whether the tables came to different contracts."""
    points: float
    chance: float
    """In percent."""


def paired(preset: str, number: int, seed: int, cards: Player, scores: bool) -> Paired:
    """One deal at both tables."""
    game, rules = find(preset)
    assert isinstance(rules, Rules)
    rng = Random(number_of(seed, number))
    setup = Setup(4, number % 4, game.tally(rules, 4))
    if scores:
        setup = _later(preset, rng)
    begun = game.start(rules, setup)
    begun = begun.apply(CHANCE, shuffled(begun.dealing(), rng))
    owed = begun.owed()
    asked = number_of(seed, number, "bid")
    by_rule, by_expert = (
        {seat: named(name).choose(begun.view(seat), DEFAULT_BUDGET, asked + seat).action for seat in owed}
        for name in ("rules", "expert")
    )
    tables = [
        _opened(begun, {seat: (by_expert if seat % 2 == side else by_rule)[seat] for seat in owed})
        for side in (0, 1)
    ]
    kinds = [
        (Facts.of(hand.view(None).facts).kind, Facts.of(hand.view(None).facts).bidder) for hand in tables
    ]
    if kinds[0] == kinds[1]:
        return Paired(False, 0.0, 0.0)
    points, chances = 0.0, 0.0
    for side, hand in enumerate(tables):
        ended = _played(hand, cards, seed, number)
        result = ended.result()
        assert result is not None
        sign = 1 - 2 * side
        points += sign * (result.points[0] - result.points[1]) / 2
        chances += sign * 100 * (chance(setup.tally.add(result, setup)) or 0.0)
    return Paired(True, points, chances / 2)


def _later(preset: str, rng: Random) -> Setup:
    """A hand within a match of equal sides, the hands before it as they were seen to end."""
    game, rules = find(preset)
    ways = outcomes(preset).ways
    setup = Setup(4, rng.randrange(4), game.tally(rules, 4))
    for way in rng.choices(ways, [way.share for way in ways], k=rng.randrange(FIRST)):
        tally = setup.tally.add(Result(points=way.points, outcome=Outcome(scorer=way.scorer)), setup)
        if tally.winner() is not None:
            tally = game.tally(rules, 4)
        setup = Setup(4, (setup.dealer + 1) % 4, tally, setup.number + 1)
    return setup


def _opened(hand: Hand, bids: dict[Seat, Action]) -> Hand:
    """The hand with these bids turned up."""
    for seat, bid in bids.items():
        hand = hand.apply(seat, bid)
    while len(hand.legal(hand.owed()[0])) == 1:
        hand = hand.apply(hand.owed()[0], hand.legal(hand.owed()[0])[0])
    return hand


def _played(hand: Hand, cards: Player, seed: int, number: int) -> Hand:
    """The hand played to its end; the same card has the same seed at both tables."""
    moves = 0
    while hand.owed():
        seat = hand.owed()[0]
        view = hand.view(seat)
        moves += 1
        one = view.legal[0]
        if len(view.legal) > 1:
            one = cards.choose(view, DEFAULT_BUDGET, number_of(seed, number, moves)).action
        hand = hand.apply(seat, one)
    return hand


def main() -> None:
    """Play the pairs and print what they show."""
    words = [word for word in sys.argv[1:] if word != "bids"]
    numbers = [int(word) for word in words if word.isdigit()]
    pairs, seed = (*numbers, *(1000, 1)[len(numbers) :])
    options = {word for word in words if not word.isdigit()}
    preset = next(iter(options - {"nets", "expert", "scores"}), "tuppi")
    cards = named("expert") if "expert" in options else alone()
    found = []
    for number in range(pairs):
        found.append(paired(preset, number, seed, cards, "scores" in options))
        if (number + 1) % 100 == 0 or number + 1 == pairs:
            print(_told(found), flush=True)


def _told(found: list[Paired]) -> str:
    text = f"{len(found)} pairs, {sum(one.differ for one in found)} with two contracts"
    for name, values in (
        ("points a hand", [one.points for one in found]),
        ("percent of the match", [one.chance for one in found]),
    ):
        half = 1.96 * stdev(values) / sqrt(len(values))
        text += f"; {name} {mean(values):+.3f} ({mean(values) - half:+.3f} … {mean(values) + half:+.3f})"
    return text


if __name__ == "__main__":
    main()
