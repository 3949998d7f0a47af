"""Gain of the bids of `expert` over bids by rule of thumb (points a hand, and percent of the match).

    python -m bench.experiments.bidding_gain                   1,000 pairs of Tuppi; nets play all cards
    python -m bench.experiments.bidding_gain minnesota 2000 7  so many of Minnesota Whist, seed 7
    python -m bench.experiments.bidding_gain huutopussi 500 7 expert=10
        `expert` plays the cards, with ten worlds

Each deal is played at two tables: one side bids as `expert`, the other by rule of thumb. Everything else is
the same at both, so a pair in which the same bids are heard is not played and counts as nought. In
Huutopussi, return and contract are chosen by the level that plays the cards; with nets, by `expert`.
Intervals are 95 % over pairs.
"""

import sys
from random import Random
from typing import Any, NamedTuple

from bench.experiments.paired_gains import describe
from nousu.engine.game import Hand, View
from nousu.engine.match import Match
from nousu.games import find
from nousu.players import DEFAULT_BUDGET, Budget, Choice, Player, find_player, players
from nousu.players.equity import win_chances
from nousu.players.seat_loop import derive_seed
from tools.training.nets import alone

BIDDING = ("bid", "expose", "auction")
"""The phases in which bids are made."""


class Nets:
    """The nets of a family without search; a declarer of Huutopussi chooses as `expert`."""

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The card rated highest."""
        declaring = _phase(view) in ("contract", "return")
        return (find_player("expert") if declaring else alone()).choose(view, budget, seed)


class Pair(NamedTuple):
    """Gain of the side of `expert` in a pair of hands."""

    differ: bool
    """Whether different bids were heard at the two tables."""
    points: float
    chance: float
    """Chance to win the match, in percent."""


def _phase(view: View) -> str:
    return str(getattr(view.facts, "phase", ""))


def _public_bids(hand: Hand) -> tuple[Any, ...]:
    """Public facts about the bids."""
    facts: Any = hand.view(None).facts
    return tuple(getattr(facts, name, None) for name in ("kind", "bidder", "bid", "auction"))


def play_pair(preset: str, number: int, seed: int, cards: Player, budget: Budget) -> Pair:
    """Play one deal at both tables."""
    game, rules = find(preset)
    match = Match.start(game, rules, 4, dealer=number % 4).deal(Random(derive_seed(seed, number)))
    by_rule, by_expert = find_player("rules"), find_player("expert")
    tables = []
    for side in (0, 1):
        hand = match.hand
        while hand.owed() and _phase(hand.view(None)) in BIDDING:
            player = by_expert if hand.owed()[0] % 2 == side else by_rule
            hand = _after_choice(hand, player, budget, derive_seed(seed, number, "bid") + hand.owed()[0])
        tables.append(hand)
    if _public_bids(tables[0]) == _public_bids(tables[1]):
        return Pair(False, 0.0, 0.0)
    equity = win_chances(game.name)
    assert equity is not None, f"no equity of {game.name} is known"
    points, chances = 0.0, 0.0
    for side, hand in enumerate(tables):
        moves = 0
        while hand.owed():
            moves += 1  # the same move has the same seed at both tables
            hand = _after_choice(hand, cards, budget, derive_seed(seed, number, moves))
        result = hand.result()
        assert result is not None
        sign = 1 - 2 * side
        points += sign * (result.points[0] - result.points[1]) / 2
        chances += sign * 100 * (equity.win_chance(match.tally.add(result, hand.setup)) or 0.0) / 2
    return Pair(True, points, chances)


def _after_choice(hand: Hand, player: Player, budget: Budget, seed: int) -> Hand:
    """The hand after this player's action in the first seat that owes one."""
    seat = hand.owed()[0]
    view = hand.view(seat)
    first = view.legal[0]
    return hand.apply(seat, first if len(view.legal) == 1 else player.choose(view, budget, seed).action)


def main() -> None:
    """Play the pairs and print the gains."""
    words = sys.argv[1:]
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
    pairs_played = []
    for number in range(pairs):
        pairs_played.append(play_pair(preset, number, seed, cards, budget))
        if (number + 1) % 100 == 0 or number + 1 == pairs:
            differing = sum(pair.differ for pair in pairs_played)
            gains = describe([pair.points for pair in pairs_played], [pair.chance for pair in pairs_played])
            print(f"{len(pairs_played)} pairs, {differing} with two different bids; {gains}", flush=True)


if __name__ == "__main__":
    main()
