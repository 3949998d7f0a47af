"""What the bids of `expert` gain: each deal twice, one side bidding so, one by rule of thumb.

python bench/bids.py                              1,000 pairs of Tuppi, the nets alone play all cards
python bench/bids.py minnesota 2000 7             so many of Minnesota Whist, seed 7
python bench/bids.py huutopussi 500 7 expert=10   `expert` plays the cards, with so many worlds; or
                                                  another level does

Everything but the bids is the same at both tables, so where both hear the same nothing is played and the
pair counts as nought. In Huutopussi return and contract are those of the level that plays the cards; of
`expert`, where that is the nets. Prints points a hand, and the chance to win the match, in percent a hand,
that the side of `expert` gets more than the other, with 95 % intervals over pairs.
"""

import sys
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Any, NamedTuple

from nousu.engine.game import Hand, View
from nousu.engine.match import Match
from nousu.games import find, part
from nousu.players import DEFAULT_BUDGET, Budget, Choice, Player, find_player, players
from nousu.players.seat_loop import derive_seed
from tools.training.nets import alone

BIDDING = ("bid", "expose", "auction")
"""The phases in which bids are made."""


class Nets:
    """The nets of a family without any search; what declarers of Huutopussi choose is by `expert`."""

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The card rated highest."""
        declaring = _phase(view) in ("contract", "return")
        return (find_player("expert") if declaring else alone()).choose(view, budget, seed)


class Paired(NamedTuple):
    """What the side of `expert` gets more than the other, of a hand."""

    differ: bool
    """Whether different bids were heard."""
    points: float
    chance: float
    """In percent."""


def _phase(view: View) -> str:
    return str(getattr(view.facts, "phase", ""))


def _heard(hand: Hand) -> tuple[Any, ...]:
    """What everybody knows of the bids."""
    facts: Any = hand.view(None).facts
    return tuple(getattr(facts, name, None) for name in ("kind", "bidder", "bid", "auction"))


def paired(preset: str, number: int, seed: int, cards: Player, budget: Budget) -> Paired:
    """One deal at both tables."""
    game, rules = find(preset)
    match = Match.start(game, rules, 4, dealer=number % 4).deal(Random(derive_seed(seed, number)))
    by_rule, by_expert = find_player("rules"), find_player("expert")
    tables = []
    for side in (0, 1):
        hand = match.hand
        while hand.owed() and _phase(hand.view(None)) in BIDDING:
            player = by_expert if hand.owed()[0] % 2 == side else by_rule
            hand = _asked(hand, player, budget, derive_seed(seed, number, "bid") + hand.owed()[0])
        tables.append(hand)
    if _heard(tables[0]) == _heard(tables[1]):
        return Paired(False, 0.0, 0.0)
    tally, chance = match.tally, part("nousu.players", game.name, "equity").chance  # type: ignore[union-attr]
    points, chances = 0.0, 0.0
    for side, hand in enumerate(tables):
        moves = 0
        while hand.owed():
            moves += 1  # the same move has the same seed at both tables
            hand = _asked(hand, cards, budget, derive_seed(seed, number, moves))
        result = hand.result()
        assert result is not None
        sign = 1 - 2 * side
        points += sign * (result.points[0] - result.points[1]) / 2
        chances += sign * 100 * (chance(tally.add(result, hand.setup)) or 0.0) / 2
    return Paired(True, points, chances)


def _asked(hand: Hand, player: Player, budget: Budget, seed: int) -> Hand:
    """The hand after what this player does in the first seat that is asked."""
    seat = hand.owed()[0]
    view = hand.view(seat)
    one = view.legal[0]
    return hand.apply(seat, one if len(view.legal) == 1 else player.choose(view, budget, seed).action)


def main() -> None:
    """Play the pairs and print what they show."""
    words = [word for word in sys.argv[1:] if word != "bids"]
    numbers = [int(word) for word in words if word.isdigit()]
    pairs, seed = (*numbers, *(1000, 1)[len(numbers) :])
    preset, budget = "tuppi", DEFAULT_BUDGET
    cards: Player = Nets()
    for word in words:
        name, _, worlds = word.partition("=")
        if name in players():
            cards, budget = find_player(name), Budget(worlds=int(worlds or budget.worlds))
        elif not word.isdigit():
            preset = word
    found = []
    for number in range(pairs):
        found.append(paired(preset, number, seed, cards, budget))
        if (number + 1) % 100 == 0 or number + 1 == pairs:
            print(_told(found), flush=True)


def _told(found: list[Paired]) -> str:
    text = f"{len(found)} pairs, {sum(one.differ for one in found)} with two different bids"
    for name, values in (
        ("points a hand", [one.points for one in found]),
        ("percent of the match", [one.chance for one in found]),
    ):
        half = 1.96 * stdev(values) / sqrt(len(values))
        text += f"; {name} {mean(values):+.3f} ({mean(values) - half:+.3f} … {mean(values) + half:+.3f})"
    return text


if __name__ == "__main__":
    main()
