"""Habits of the whist family's rule-based player: fit to solved deals, and cost (tricks a choice).

    python -m bench.experiments.habit_weights             cost of today's habits on 200 fresh hands
    python -m bench.experiments.habit_weights fit 2000    fit to 2,000 hands; writes players/whist/card_features.toml

The cost of a card is what it gives away with all cards seen: no player without sight of them comes to 0. The
fit raises the expected tricks of a soft choice by gradient ascent. It needs NumPy. Every fifth choice is held
out, and the figures are of those.
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

FILE = Path(card_features.__file__).with_name("card_features.toml")
SEED = 2026
LONGEST_NOLO = 10
"""Most cards a hand with which a nolo is solved within some milliseconds."""
SHARPNESS = 4.0
"""Increase of the log-odds of a card in the soft choice, for each unit of its rating."""
ROUNDS = 600
BY_DUELS = ("bare_ace", "over_partners_winner", "unblocks")
"""Features whose weights were found by duels: solved deals, in which all see all cards, excuse such cards."""


class Sample(NamedTuple):
    """One choice with the solved value of each card."""

    habit: str
    features: list[card_features.Features]
    """Features of each legal card."""
    tricks: list[int]
    """Tricks of the chooser's side after each legal card, with all cards seen."""
    chosen: int
    """Index of the card that was played."""


def samples(hands: int, seed: int) -> Iterator[Sample]:
    """Solved choices of so many deals, as far as a habit decides them."""
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
    features = [
        {name: value for name, value in card_features.HABITS[habit](spot, card).items() if name not in BY_DUELS}
        for card in cards
    ]
    return Sample(habit, features, [sign * moves[card] for card in cards], cards.index(action.card))


def _fitted(sample_list: list[Sample]) -> tuple[dict[str, float], float]:
    """Weights by feature, and the mean cost of a choice by them on the held-out fifth (tricks)."""
    names = list(dict.fromkeys(name for sample in sample_list for one in sample.features for name in one))
    most = max(len(sample.tricks) for sample in sample_list)
    x = np.zeros((len(sample_list), most, len(names)))
    y = np.zeros((len(sample_list), most))
    barred = np.full((len(sample_list), most), -1e9)
    for at, sample in enumerate(sample_list):
        for card, features in enumerate(sample.features):
            for name, value in features.items():
                x[at, card, names.index(name)] = value
        y[at, : len(sample.tricks)] = sample.tricks
        barred[at, : len(sample.tricks)] = 0
    held = np.arange(len(sample_list)) % 5 == 0
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


def _cost(sample_list: list[Sample]) -> float:
    held = sample_list[::5]
    return sum(max(one.tricks) - one.tricks[one.chosen] for one in held) / len(held)


def main() -> None:
    """Print one line for each habit; with ``fit`` write the weights."""
    words = sys.argv[1:]
    fit = "fit" in words
    hands = next((int(word) for word in words if word.isdigit()), 200)
    sample_list = list(samples(hands, SEED if fit else SEED + 1))
    lines = [f"# Made by: python -m bench.experiments.habit_weights fit {hands}"]
    print("| habit | choices | tricks a choice costs |" + (" refitted |" if fit else ""))
    print("|---|---|---|" + ("---|" if fit else ""))
    for habit in card_features.HABITS:
        own = [sample for sample in sample_list if sample.habit == habit]
        line = f"| {habit} | {len(own)} | {_cost(own):.3f} |"
        if fit:
            weights, cost = _fitted(own)
            found = card_features.WEIGHTS[habit].items()
            weights |= {name: weight for name, weight in found if name in BY_DUELS}
            line += f" {cost:.3f} |"
            lines += ["", f"[{habit}]", *(f"{name} = {value:.3f}" for name, value in weights.items())]
        print(line, flush=True)
    if fit:
        FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
