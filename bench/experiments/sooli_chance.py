"""The chance to make a sooli: what `expert` says, and what becomes of it.

    python -m bench.experiments.sooli_chance 600 1 OUT.jsonl   play 600 soolis, seed 1, and keep them there
    python -m bench.experiments.sooli_chance OUT.jsonl         fit the chance to them, and judge it

A defender of a rami who may think of sooli says how likely it would be made, and is made to call it; then
all four play on as `expert` does. The chance is fitted to nine tenths of the soolis at a time and judged on
the rest. Hands of more than `MOST` danger are left out, and those whose chance is said to be below `LEAST`:
nobody would call with them.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from math import log, sqrt
from pathlib import Path
from itertools import count
from random import Random
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from nousu.engine.cards import card_set
from nousu.engine.game import Hand, View
from nousu.engine.match import Match
from nousu.games import find
from nousu.games.whist import PASS, SOOLI, Facts
from nousu.players import DEFAULT_BUDGET, Player, find_player
from nousu.players.seat_loop import derive_seed
from nousu.players.whist import rules, searcher

MOST = 4.0
LEAST = 0.15
STEPS, RIDGE, FOLDS = 50, 1e-3, 10
"""Steps of the fit, its penalty, and the parts that are held out in turn."""


class PlayedSooli(NamedTuple):
    """A sooli that was called and played."""

    danger: float
    """Of the soloist's hand once a card is thrown away."""
    seen: float
    """The share of imagined deals in which it is made with all cards seen."""
    said: float
    """The chance that was said."""
    made: bool


def hands_with_a_choice(preset: str, seed: int) -> Iterator[tuple[int, Hand]]:
    """Hands bid by `rules` in which somebody may call a sooli, with their numbers, without end."""
    family, game = find(preset)
    for number in count(1):
        match = Match.start(family, game, 4, dealer=number % 4).deal(Random(derive_seed(seed, number)))
        hand = match.hand
        while hand.owed() and Facts.of(hand.view(None).facts).phase not in ("sooli", "play"):
            hand = after_choice(hand, find_player("rules"), derive_seed(seed, number, "bid"))
        yield number, hand


def played_soolis(preset: str, seed: int, most: float = MOST) -> Iterator[PlayedSooli]:
    """Soolis called by defenders who think of one with at most so much danger, without end."""
    _, game = find(preset)
    for number, hand in hands_with_a_choice(preset, seed):
        while hand.owed() and Facts.of(hand.view(None).facts).phase == "sooli":
            seat = hand.owed()[0]
            view = hand.view(seat)
            thought = None
            if rules.danger_left(card_set(view.cards), game) <= most:
                thought = _thought(view, derive_seed(seed, number, "sooli"))
            if thought is None or thought.said < LEAST:
                hand = hand.apply(seat, PASS)
                continue
            hand, moves = hand.apply(seat, SOOLI), 0
            while hand.owed():
                moves += 1
                hand = after_choice(hand, find_player("expert"), derive_seed(seed, number, moves))
            result = hand.result()
            assert result is not None
            yield thought._replace(made=result.points[seat % 2] > 0)


def after_choice(hand: Hand, player: Player, seed: int) -> Hand:
    """A hand after the choice of the seat on turn by this player."""
    seat = hand.owed()[0]
    view = hand.view(seat)
    if len(view.legal) == 1:
        return hand.apply(seat, view.legal[0])
    return hand.apply(seat, player.choose(view, DEFAULT_BUDGET, seed).action)


def _thought(view: View, seed: int) -> PlayedSooli | None:
    """The chance that `expert` gives a sooli with this hand; None where it thinks of none."""
    asked: list[PlayedSooli] = []
    chance = searcher.sooli_chance

    def watched(view: View, seen: float) -> float:
        asked.append(PlayedSooli(_danger(view), seen, chance(view, seen), False))
        return asked[-1].said

    with patch.object(searcher, "sooli_chance", watched):
        find_player("expert").choose(view, DEFAULT_BUDGET, seed)
    return asked[0] if asked else None


def _danger(view: View) -> float:
    return rules.danger_left(card_set(view.cards), view.rules)


def fitted(soolis: Sequence[PlayedSooli], features: int = 3) -> NDArray[np.float64]:
    """Constant, danger and root of the share seen (or the first two) of the logistic function that fits."""
    table, made = _table(soolis)[:, :features], np.array([one.made for one in soolis], dtype=float)
    weights = np.zeros(features)
    for _ in range(STEPS):
        chances = _logistic(table @ weights)
        curvature = (table.T * (chances * (1 - chances))) @ table + RIDGE * np.eye(features)
        weights += np.linalg.solve(curvature, table.T @ (made - chances) - RIDGE * weights)
    return weights


def _table(soolis: Sequence[PlayedSooli]) -> NDArray[np.float64]:
    return np.array([(1.0, one.danger, sqrt(min(one.seen, 0.5))) for one in soolis])


def _logistic(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-values))


def held_out(soolis: Sequence[PlayedSooli]) -> list[float]:
    """The chance of each sooli as fitted to the nine tenths without it."""
    chances = np.zeros(len(soolis))
    for part in range(FOLDS):
        inside = [one for at, one in enumerate(soolis) if at % FOLDS != part]
        chances[part::FOLDS] = _logistic(_table(soolis[part::FOLDS]) @ fitted(inside))
    return [float(chance) for chance in chances]


def describe(name: str, soolis: Sequence[PlayedSooli], chances: Sequence[float]) -> None:
    """Print what was said and what was made, in all and by fifths of what was said."""
    print(name)
    both = sorted(zip(chances, (one.made for one in soolis), strict=True))
    fifth = len(both) // 5
    for part in (both, *(both[at * fifth : (at + 1) * fifth] for at in range(5))):
        said, made = (sum(column) / len(part) for column in zip(*part, strict=True))
        half = 1.96 * sqrt(made * (1 - made) / len(part))
        print(f"  {len(part)} soolis: said {100 * said:.1f} %, made {100 * made:.1f} ± {100 * half:.1f} %")
    loss = -sum(log(chance if made else 1 - chance) for chance, made in both) / len(both)
    print(f"  {loss:.4f} nats a sooli")


def main() -> None:
    """Play soolis, or fit and judge those that were played."""
    words = sys.argv[1:]
    file = Path(words.pop())
    if words:
        many, seed = map(int, words)
        with file.open("a", encoding="utf-8") as kept:
            for sooli, _ in zip(played_soolis("tuppi", seed), range(many), strict=False):
                kept.write(json.dumps(sooli) + "\n")
                kept.flush()
    soolis = [PlayedSooli(*json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]
    print("fitted to all:", *(f"{weight:.2f}" for weight in fitted(soolis)))
    print("without the share seen:", *(f"{weight:.2f}" for weight in fitted(soolis, 2)))
    describe("as said", soolis, [one.said for one in soolis])
    describe("as fitted, held out", soolis, held_out(soolis))


if __name__ == "__main__":
    main()
