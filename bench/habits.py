"""The habits of the whist family's rule-based player: fitted to solved deals, and what they cost.

python bench/habits.py             what today's habits cost on 200 fresh hands, in tricks a choice
python bench/habits.py fit 2000    fit them to 2,000 hands and write players/whist/card_features.toml

A cost is what the card gives away with all cards seen: no player without sight of them comes to 0. Fitted
is the share of each card in the tricks kept, by gradient ascent on the expected tricks of a soft choice.
The fit needs NumPy; every fifth choice is held out and only those are told of.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from nousu.engine.actions import Play
from nousu.engine.cards import card_set
from nousu.engine.game import Hand, View
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE, Seat, side
from nousu.games import find
from nousu.games.whist import Facts
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.whist import card_features
from nousu.players.whist.inference import deduce
from nousu.solver import solve
from nousu.solver.views.whist import goal_of, position_of

SEED = 2026
LONGEST_NOLO = 10
"""Cards a hand from which on a nolo is solved within some milliseconds."""
SHARPNESS = 4.0
"""How many times likelier e-fold a card is chosen, while fitting, for each unit of its rating."""
ROUNDS = 600


class Sample(NamedTuple):
    """One choice with the truth about it."""

    habit: str
    features: list[card_features.Features]
    """Of each legal card."""
    tricks: list[int]
    """What the chooser's side comes to after each, with all cards seen."""
    chosen: int
    """Which of them the player took."""


def samples(hands: int, seed: int) -> Iterator[Sample]:
    """The choices of `hands` deals that a habit decides, solved."""
    family, rules = find("tuppi")
    rng = Random(seed)
    player = find_player("rules")
    for number in range(hands):
        match = Match.start(family, rules, 4, dealer=number % 4).deal(rng)
        while not match.played and match.hand.owed() != (CHANCE,):
            seat = match.hand.owed()[0]
            view = match.hand.view(seat)
            action = player.choose(view, DEFAULT_BUDGET, rng.randrange(1 << 32)).action
            habit = _habit(view)
            if habit is not None and isinstance(action, Play):
                yield _solved(habit, match.hand, view, seat, action)
            match = match.apply(seat, action)


def _habit(view: View) -> str | None:
    """The habit that decides this choice."""
    facts = Facts.of(view.facts)
    if facts.phase != "play" or len(view.legal) == 1:
        return None
    if not view.trick:
        if facts.kind == "low":
            return "nolo_lead" if max(view.counts) <= LONGEST_NOLO else None
        return "rami_lead" if facts.kind == "high" else None
    suit = view.trick[0][1].suit
    if facts.kind != "high" or not any(card.suit == suit for card in view.cards):
        return None
    return {1: "rami_second_hand", 2: "rami_third_hand"}.get(len(view.trick))


def _solved(habit: str, hand: Hand, view: View, seat: Seat, action: Play) -> Sample:
    hands = tuple([card_set(hand.view(one).cards) for one in range(4)])
    moves = solve(position_of(view, hands), goal_of(view)).moves
    sign = (1 if side(seat) == 0 else -1) * (-1 if Facts.of(view.facts).kind == "low" else 1)
    spot = card_features.card_choice(view, deduce(view))
    cards = [play.card for play in view.legal if isinstance(play, Play)]
    features = [card_features.HABITS[habit](spot, card) for card in cards]
    return Sample(habit, features, [sign * moves[card] for card in cards], cards.index(action.card))


def _fitted(found: list[Sample]) -> tuple[dict[str, float], float]:
    """Weights by feature and what a choice by them costs on the held-out fifth."""
    names = list(dict.fromkeys(name for sample in found for one in sample.features for name in one))
    most = max(len(sample.tricks) for sample in found)
    x = np.zeros((len(found), most, len(names)))
    y = np.zeros((len(found), most))
    barred = np.full((len(found), most), -1e9)
    for at, sample in enumerate(found):
        for card, features in enumerate(sample.features):
            for name, value in features.items():
                x[at, card, names.index(name)] = value
        y[at, : len(sample.tricks)] = sample.tricks
        barred[at, : len(sample.tricks)] = 0
    held = np.arange(len(found)) % 5 == 0
    weights = np.zeros(len(names))
    mean = np.zeros_like(weights)
    spread = np.zeros_like(weights)
    rng = np.random.default_rng(SEED)
    train = np.flatnonzero(~held & (np.ptp(np.where(barred < 0, y.max(1)[:, None], y), axis=1) > 0))
    for at in range(ROUNDS):
        pick = rng.choice(train, min(600, len(train)), replace=False)
        rated = SHARPNESS * (x[pick] @ weights) + barred[pick]
        share = np.exp(rated - rated.max(1, keepdims=True))
        share /= share.sum(1, keepdims=True)
        gain = share * (y[pick] - (share * y[pick]).sum(1, keepdims=True))
        slope = SHARPNESS * np.einsum("ij,ijk->k", gain, x[pick]) / len(pick)
        mean = 0.9 * mean + 0.1 * slope
        spread = 0.99 * spread + 0.01 * slope**2
        step = mean / (1 - 0.9 ** (at + 1)) / (np.sqrt(spread / (1 - 0.99 ** (at + 1))) + 1e-6)
        weights += 0.03 * (1 - at / ROUNDS) * step
    choice = (x[held] @ weights + barred[held]).argmax(1)
    best = (y[held] + barred[held]).max(1)
    return dict(zip(names, weights.tolist(), strict=True)), float(
        (best - y[held][np.arange(len(choice)), choice]).mean()
    )


def _cost(found: list[Sample]) -> float:
    held = found[::5]
    return sum(max(one.tricks) - one.tricks[one.chosen] for one in held) / len(held)


def main() -> None:
    """Print a line a habit; with ``fit`` write the weights."""
    words = sys.argv[1:]
    fit = "fit" in words
    hands = next((int(word) for word in words if word.isdigit()), 200)
    found = list(samples(hands, SEED if fit else SEED + 1))
    lines = [f"# Made by: python bench/habits.py fit {hands}"]
    print("| habit | choices | tricks a choice costs |" + (" refitted |" if fit else ""))
    print("|---|---|---|" + ("---|" if fit else ""))
    for habit in card_features.HABITS:
        mine = [sample for sample in found if sample.habit == habit]
        line = f"| {habit} | {len(mine)} | {_cost(mine):.3f} |"
        if fit:
            weights, cost = _fitted(mine)
            line += f" {cost:.3f} |"
            lines += ["", f"[{habit}]", *(f"{name} = {value:.3f}" for name, value in weights.items())]
        print(line, flush=True)
    if fit:
        path = Path(card_features.__file__).with_name("habits.toml")
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
