"""Gain of bids by the score and the place: sides that bid so, against sides that bid by strength alone.

    python -m bench.experiments.bid_lines 100000 2 tuppi   whole matches, the nets playing all cards
    nousu arena rules py:bench.experiments.bid_lines:rules_before --whole --pairs 400 --seed 521001

The first command plays deals out five times (`tools.training.bid_lines.played_deals`), with each seat as the
high bidder and with none, and so knows what every hand of a match brings whoever bids how. The chance to win
a match then follows exactly. Its interval is that over twenty parts of the deals.
"""

import sys
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nousu.engine.actions import Seal
from nousu.engine.cards import card_set
from nousu.engine.game import Tally, View
from nousu.engine.match import Match
from nousu.engine.seats import left, partner, side
from nousu.games import find
from nousu.games.whist import TRICKS, Rise, Rules, Totals, score, sooli_scores
from nousu.players import Budget, Choice, find_player
from nousu.players.whist import rules
from nousu.players.whist.bid_lines import bid_line
from nousu.players.whist.utility import after_hand
from tools.training.bid_lines import PlayedDeals, made_chances, played_deals, strengths

PARTS = 20
CLOSE = 1e-9

Line = Callable[[Tally, int, int], float]
"""The strength from which a side bids high, by the score, the side and the place of the bid."""


class Bidding(NamedTuple):
    """A way to bid: the strength of hands, (deals, 4), and the lines."""

    strengths: Callable[[PlayedDeals], NDArray[np.float64]]
    line: Line


def honours(played: PlayedDeals) -> NDArray[np.float64]:
    """The strengths by honours alone."""
    return np.array([[rules.high_strength(int(hand)) for hand in four] for four in played.hands])


def line_before(tally: Tally, ours: int, place: int) -> float:
    """The line as it was: one for all places, and cheaper while the others rise."""
    assert isinstance(tally, Rise | Totals)
    game = tally.rules
    line = rules.HIGH_BID + (0.5 if game.high_fail_points + game.high_fail_debit > game.high_points else -0.5)
    return line - 1.0 if isinstance(tally, Rise) and tally.riser not in (None, ours) else line


def line_now(tally: Tally, ours: int, place: int) -> float:
    """The line of `bid_lines`."""
    line = bid_line(tally, ours, place)
    assert line is not None
    return line


BEFORE, NOW = Bidding(honours, line_before), Bidding(strengths, line_now)


def match_chance(preset: str, played: PlayedDeals, ours: Bidding, theirs: Bidding) -> float:
    """The chance of a side that bids like `ours` to win a match from one that bids like `theirs`."""
    lines = ours.line, theirs.line
    strong = ours.strengths(played), theirs.strengths(played)
    family, game = find(preset)
    assert isinstance(game, Rules)
    match = Match.start(family, game, 4, dealer=3)
    setup = match.hand.setup
    ways: dict[Any, list[tuple[Any, float]]] = {}
    waiting: list[tuple[Tally, int]] = [(match.tally, first) for first in (0, 1)]
    while waiting:
        tally, first = waiting.pop()
        if (_key(tally), first) in ways:
            continue
        steps = ways[_key(tally), first] = []
        for points, share in _results(played, game, tally, first, strong, lines).items():
            after = after_hand(tally, setup, points)
            if after.winner() is None:
                waiting.append((after, 1 - first))
                steps.append(((_key(after), 1 - first), share))
            else:
                steps.append((after.winner(), share))
    chances: dict[Any, float] = {(0,): 1.0, (1,): 0.0} | dict.fromkeys(ways, 0.5)
    change = 1.0
    while change > CLOSE:
        change = 0.0
        for state, steps in ways.items():
            value = sum(share * chances[after] for after, share in steps)
            change = max(change, abs(value - chances[state]))
            chances[state] = value
    start = _key(match.tally)
    return (chances[start, 0] + chances[start, 1]) / 2


def _key(tally: Tally) -> Any:
    return (tally.riser, tally.points) if isinstance(tally, Rise) else tally.score()


def _results(
    played: PlayedDeals,
    game: Rules,
    tally: Tally,
    first: int,
    strong: tuple[NDArray[np.float64], NDArray[np.float64]],
    lines: tuple[Line, Line],
) -> Mapping[tuple[int, int], float]:
    """The points of both sides and their shares, when a seat of side `first` bids first."""
    sides = [(first + place) % 2 for place in range(4)]
    high = np.stack(
        [strong[team][:, place] >= lines[team](tally, team, place) for place, team in enumerate(sides)], axis=1
    )
    bidders = np.where(high.any(axis=1), high.argmax(axis=1), 4)
    results: dict[tuple[int, int], float] = {}

    def count(points: tuple[int, int], times: float) -> None:
        seen = points if first == 0 else (points[1], points[0])
        if times:
            results[seen] = results.get(seen, 0.0) + times / len(bidders)

    for place in range(5):
        asked = bidders == place
        kind: Literal["high", "low"] = "low" if place == 4 else "high"
        tricks = played.low[asked] if place == 4 else played.high[asked, place]
        rest = np.ones(len(tricks))
        if place < 4 and game.sooli:
            for soloist in (left(place, 4), partner(left(place, 4))):
                made, called = made_chances(played, game, soloist)
                sooli = rest * called[asked]
                for well, chance in ((True, made[asked]), (False, 1 - made[asked])):
                    count(sooli_scores(game, soloist, well), float((sooli * chance).sum()))
                rest -= sooli
        often = np.bincount(tricks, rest, TRICKS + 1)
        for taken in range(TRICKS + 1):
            bidder = None if place == 4 else place % 2
            count(score(game, kind, bidder, (taken, TRICKS - taken)), float(often[taken]))
    return results


class Before:
    """A level that bids as it did before."""

    def __init__(self, level: str) -> None:
        self._level = find_player(level)

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The action of the level; a bid laid face down is the old one."""
        if len(view.legal) > 1 and isinstance(view.legal[0], Seal):
            assert view.seat is not None
            line = line_before(view.setup.tally, side(view.seat), 0)
            return rules.sealed_bid(view, rules.high_strength(card_set(view.cards)) >= line, Random(seed))
        return self._level.choose(view, budget, seed)


def rules_before() -> Before:
    """`rules` with its former bids."""
    return Before("rules")


def strong_before() -> Before:
    """`strong` with its former bids."""
    return Before("strong")


def main() -> None:
    """Print the chance to win a whole match with the lines from a side without."""
    words = sys.argv[1:]
    numbers = [int(word) for word in words if word.isdigit()]
    deals, seed = (*numbers, *(100_000, 2)[len(numbers) :])
    for preset in [word for word in words if not word.isdigit()] or ["tuppi", "minnesota"]:
        parts = [played_deals(deals // PARTS, seed + part) for part in range(PARTS)]
        found = [100 * match_chance(preset, part, NOW, BEFORE) for part in parts]
        half = 1.96 * float(np.std(found, ddof=1)) / PARTS**0.5
        print(f"{preset}: {np.mean(found):.2f} ± {half:.2f} % of whole matches", flush=True)


if __name__ == "__main__":
    main()
