"""The chance to make a sooli: what `expert` says, and what becomes of it.

    python -m bench.experiments.sooli_chance 600 1 OUT.jsonl   play 600 soolis, seed 1, and keep them there
    python -m bench.experiments.sooli_chance OUT.jsonl         fit the chance to half of them, judge the rest

A defender of a rami who may think of sooli says how likely it would be made, and is made to call it; then
all four play on as `expert` does. Hands of more than `MOST` danger are left out, and those whose chance is
said to be below `LEAST`: nobody would call with them.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from math import exp, log, sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple
from unittest.mock import patch

from nousu.engine.cards import card_set
from nousu.engine.game import Hand, View
from nousu.engine.match import Match
from nousu.games import find
from nousu.games.whist import PASS, SOOLI, Facts
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.seat_loop import derive_seed
from nousu.players.whist import rules, searcher

MOST = 4.0
LEAST = 0.15
STEPS, RATE = 4000, 0.05
"""Steps of the fit, and their length."""


class PlayedSooli(NamedTuple):
    """A sooli that was called and played."""

    danger: float
    """Of the soloist's hand once a card is thrown away."""
    seen: float
    """The share of imagined deals in which it is made with all cards seen."""
    said: float
    """The chance that was said."""
    made: bool


def played_soolis(preset: str, seed: int) -> Iterator[PlayedSooli]:
    """Soolis called by defenders who think of one, without end."""
    family, game = find(preset)
    number = 0
    while True:
        number += 1
        match = Match.start(family, game, 4, dealer=number % 4).deal(Random(derive_seed(seed, number)))
        hand = match.hand
        while hand.owed() and Facts.of(hand.view(None).facts).phase not in ("sooli", "play"):
            hand = _after(hand, "rules", derive_seed(seed, number, "bid"))
        while hand.owed() and Facts.of(hand.view(None).facts).phase == "sooli":
            seat = hand.owed()[0]
            view = hand.view(seat)
            thought = None
            if rules.danger_left(card_set(view.cards), game) <= MOST:
                thought = _thought(view, derive_seed(seed, number, "sooli"))
            if thought is None or thought.said < LEAST:
                hand = hand.apply(seat, PASS)
                continue
            hand, moves = hand.apply(seat, SOOLI), 0
            while hand.owed():
                moves += 1
                hand = _after(hand, "expert", derive_seed(seed, number, moves))
            result = hand.result()
            assert result is not None
            yield thought._replace(made=result.points[seat % 2] > 0)


def _after(hand: Hand, player: str, seed: int) -> Hand:
    seat = hand.owed()[0]
    view = hand.view(seat)
    if len(view.legal) == 1:
        return hand.apply(seat, view.legal[0])
    return hand.apply(seat, find_player(player).choose(view, DEFAULT_BUDGET, seed).action)


def _thought(view: View, seed: int) -> PlayedSooli | None:
    """What `expert` thinks of a sooli with this hand; None where it thinks of none."""
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


def fitted(soolis: Sequence[PlayedSooli]) -> tuple[float, float, float]:
    """Constant, danger and root of the share seen of the logistic function that fits best."""
    rows = [((1.0, one.danger, sqrt(min(one.seen, 0.5))), float(one.made)) for one in soolis]
    weights = [0.0, 0.0, 0.0]
    for _ in range(STEPS):
        slope = [0.0, 0.0, 0.0]
        for features, made in rows:
            off = made - _logistic(sum(w * x for w, x in zip(weights, features, strict=True)))
            slope = [total + off * x for total, x in zip(slope, features, strict=True)]
        weights = [w + RATE * 10 * total / len(rows) for w, total in zip(weights, slope, strict=True)]
    return weights[0], weights[1], weights[2]


def _logistic(value: float) -> float:
    return 1 / (1 + exp(-value))


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
    learnt, held = soolis[::2], soolis[1::2]
    weights = fitted(learnt)
    chances = [
        _logistic(weights[0] + weights[1] * one.danger + weights[2] * sqrt(min(one.seen, 0.5))) for one in held
    ]
    print("fitted to half:", *(f"{weight:.3f}" for weight in weights))
    print("fitted to all:", *(f"{weight:.3f}" for weight in fitted(soolis)))
    describe("held out, as said", held, [one.said for one in held])
    describe("held out, as fitted", held, chances)


if __name__ == "__main__":
    main()
