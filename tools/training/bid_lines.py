"""The strength of hands for high bids and the lines from which they are bid high, from deals played out.

    python -m tools.training.bid_lines 120000 1 strength write   fit the strength: deals, seed
    python -m tools.training.bid_lines 120000 1 write            find the lines of all presets
    python -m tools.training.bid_lines 120000 1 tuppi            print those of one preset

Every deal is played out five times by the nets: with each seat in turn as the only high bidder, and low. The
strength is fitted to what a high bid gains at the start of a match of Tuppi. At each score, each seat in
turn moves its line to where it wins most matches against the lines of the others, until the lines come to
rest. A defender calls sooli by rule of thumb.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nousu.engine.cards import DECK_52, LANE
from nousu.engine.game import Setup, Tally
from nousu.engine.match import Match
from nousu.engine.seats import left, partner
from nousu.games import find
from nousu.games.whist import TRICKS, Rise, Rules, Totals, first_lead, score, sooli_scores
from nousu.players.whist import policy, rules
from nousu.players.whist.bid_lines import FEATURES, LEAST, LETTERS, SCORES, STEP, suit_features
from nousu.players.whist.bidding import MADE
from nousu.players.whist.equity import win_chance
from nousu.players.whist.playouts import WhistTable, play_out
from nousu.players.whist.utility import after_hand

PRESETS = (
    "tuppi",
    "tuppi_tournament",
    "tuppi_catsatcards",
    "tuppi_tournament_catsatcards",
    "minnesota",
    "minnesota_pagat",
    "swedish",
    "norwegian_parlett",
)
"""One preset for each way to pay."""
FILE = Path(__file__).parents[2] / "src/nousu/players/whist/bid_lines.json"
BATCH = 5000
SWEEPS = 12
"""The most times that all four lines move at a score; most come to rest after three."""
DEGREE = 3
"""The gain of a high bid is fitted as a polynomial of this degree in the strength of the hand."""
RIDGE = 1e-3
"""Keeps the fit of weights whose features add up to the same in every hand."""
EARLY = 3
"""Hands played so far, where their number is limited: the lines are those of a match with time left."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class PlayedDeals(NamedTuple):
    """Deals played out five times; seat 3 deals, so the seats stand in the order of their bids."""

    hands: NDArray[np.uint64]
    """(deals, 4): the cards of each seat."""
    high: Ints
    """(deals, 4): tricks of seats 0 and 2 where the seat is the high bidder."""
    low: Ints
    """(deals,): tricks of seats 0 and 2 where nobody is."""
    dangers: Floats
    """(deals, 4, 2): the danger of each hand for a soloist, after throwing a card and without."""


def played_deals(deals: int, seed: int) -> PlayedDeals:
    """So many random deals played out by the nets."""
    parts = [
        _played_batch(min(BATCH, deals - start), np.random.default_rng([seed, start]))
        for start in range(0, deals, BATCH)
    ]
    return PlayedDeals(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _played_batch(deals: int, rng: np.random.Generator) -> PlayedDeals:
    pack = np.array([1 << card for card in DECK_52], dtype=np.uint64)
    dealt = pack[rng.random((deals, 52)).argsort(axis=1)].reshape(deals, 4, 13)
    sets = np.bitwise_or.reduce(dealt, axis=2)
    hands = [tuple(map(int, four)) for four in sets]
    worlds = [(four, 0) for four in hands]
    tuppi = find("tuppi")[1]
    tables = [WhistTable("high", seat, None, None, first_lead(tuppi, True, 3, seat)) for seat in range(4)]
    tables.append(WhistTable("low", None, None, None, first_lead(tuppi, False, 3, None)))
    nets = policy.packed_weights()
    tricks = [np.array(play_out(table, worlds, nets=nets).gained[0]) for table in tables]
    exchanges = (tuppi, find("tuppi_catsatcards")[1])
    return PlayedDeals(
        sets,
        np.stack(tricks[:4], axis=1),
        tricks[4],
        np.array([[[rules.danger_left(hand, one) for one in exchanges] for hand in four] for four in hands]),
    )


def features(hands: NDArray[np.uint64]) -> Floats:
    """(deals, 4, features): the count of `FEATURES` in each hand."""
    table = np.array([suit_features(ranks) for ranks in range(1 << 13)], dtype=np.float32)
    lanes = [(hands >> np.uint64(16 * suit)) & np.uint64(LANE) for suit in range(4)]
    counted: Floats = np.sum([table[lane.astype(np.int64)] for lane in lanes], axis=0)
    return counted


def strengths(played: PlayedDeals) -> Floats:
    """(deals, 4): the strength of each hand, as the players count it."""
    weights = np.array(json.loads(FILE.read_text("utf-8"))["strength"]["weights"])
    strong: Floats = features(played.hands) @ weights
    return strong


def fitted_strength(played: PlayedDeals) -> list[float]:
    """The weights of `FEATURES` that tell best what a high bid gains at the start of a match of Tuppi.

    The bids of the others, and the scale, are those of `rules.high_strength`.
    """
    family, game = find("tuppi")
    match = Match.start(family, game, 4, dealer=3)
    results = chances(played, game, _worth(match.tally, match.hand.setup))
    honours = np.array([[rules.high_strength(int(hand)) for hand in four] for four in played.hands])
    lines = resting_lines(honours, results)
    counted, rows, gains = features(played.hands), [], []
    for place in range(4):
        asked, gain = _gains(_steps(honours), lines, results, place)
        own = np.zeros((len(gain), 4))
        own[:, place] = 1.0  # what a bid at this place gains whatever the hand
        rows.append(np.concatenate([counted[asked, place], own], axis=1))
        gains.append(gain / gain.std())
    table, wanted = np.concatenate(rows), np.concatenate(gains)
    weights = np.linalg.lstsq(table.T @ table + RIDGE * np.eye(table.shape[1]), table.T @ wanted, rcond=None)[
        0
    ]
    weights = weights[: len(FEATURES)]
    found = counted @ weights
    weights *= honours.std() / found.std()
    weights[FEATURES.index("suit")] += (honours.mean() - (counted @ weights).mean()) / 4
    return [round(float(weight), 2) for weight in weights]


def chances(played: PlayedDeals, game: Rules, worth: Callable[[tuple[int, int]], float]) -> list[Floats]:
    """The worth to seats 0 and 2 of each deal with each seat as the high bidder, and with none."""

    def of_tricks(kind: Literal["high", "low"], bidder: int | None) -> Floats:
        return np.array(
            [worth(score(game, kind, bidder, (taken, TRICKS - taken))) for taken in range(TRICKS + 1)]
        )

    results = []
    for seat in range(4):
        won = of_tricks("high", seat % 2)[played.high[:, seat]]
        if game.sooli:
            for soloist in (partner(left(seat, 4)), left(seat, 4)):
                lost, made = (worth(sooli_scores(game, soloist, well)) for well in (False, True))
                chance, called = made_chances(played, game, soloist)
                won = np.where(called, lost + chance * (made - lost), won)
        results.append(won)
    return [*results, of_tricks("low", None)[played.low]]


def made_chances(played: PlayedDeals, game: Rules, soloist: int) -> tuple[Floats, NDArray[np.bool_]]:
    """The chance of each seat's hand to make a sooli, and whether it calls one by rule of thumb."""
    bare = game.sooli_exchange == "none"
    danger = played.dangers[:, soloist, int(bare)]
    most = rules.SOOLI_DANGER_BARE if bare else rules.SOOLI_DANGER
    return 1 / (1 + np.exp(-(MADE[0] + MADE[1] * danger))), danger <= most


def resting_lines(strengths: Floats, results: Sequence[Floats]) -> list[int]:
    """The lines of the four places, in letters, from which none gains by moving alone.

    Args:
        strengths: (deals, 4): the strength of each hand.
        results: The chance of seats 0 and 2 with each seat as the high bidder, and with none.
    """
    steps = _steps(strengths)
    lines = [round((rules.HIGH_BID + place - LEAST) / STEP) for place in rules.PLACES]
    for _ in range(SWEEPS):
        before = list(lines)
        for place in (3, 2, 1, 0):
            asked, gains = _gains(steps, lines, results, place)
            if asked.any():
                lines[place] = _best_line(steps[asked, place], gains)
        if lines == before:
            break
    return lines


def _steps(strengths: Floats) -> Ints:
    return np.clip(np.floor((strengths - LEAST) / STEP), 0, len(LETTERS) - 1).astype(np.int64)


def _gains(
    steps: Ints, lines: Sequence[int], results: Sequence[Floats], place: int
) -> tuple[NDArray[np.bool_], Floats]:
    """The deals in which no earlier bid is high, and what a high bid at this place gains its side in each."""
    otherwise = results[4]
    for later in range(3, place, -1):
        otherwise = np.where(steps[:, later] >= lines[later], results[later], otherwise)
    asked = np.all(steps[:, :place] < lines[:place], axis=1)
    return asked, ((results[place] - otherwise) * (1 - 2 * (place % 2)))[asked]


def _best_line(steps: Ints, gains: Floats) -> int:
    """The line from which on high bids gain most together, by gains smoothed over the strength."""
    many = np.bincount(steps, minlength=len(LETTERS)).astype(float)
    known = many > 0
    means = np.bincount(steps, gains, len(LETTERS))[known] / many[known]
    at = np.arange(len(LETTERS))
    fitted = np.polynomial.Polynomial.fit(at[known], means, DEGREE, w=np.sqrt(many[known]))
    above = np.cumsum((fitted(at) * many)[::-1])[::-1]  # the gain of bidding high from each step on
    return int(np.argmax(above)) if above.max() > 0 else len(LETTERS) - 1


def lines_of(preset: str, played: PlayedDeals) -> list[str]:
    """The lines of a preset: rows by what the own side lacks, entries by what the others lack."""
    family, game = find(preset)
    assert isinstance(game, Rules)
    setup = Match.start(family, game, 4, dealer=3).hand.setup
    strong = strengths(played)
    rising = game.score_model == "single_riser"
    scores = [
        (one, two)
        for one in range(1, SCORES + 1)
        for two in range(1, SCORES + 1)
        if not rising or SCORES in (one, two)
    ]
    letters: dict[tuple[int, int], list[str]] = {at: [""] * 4 for at in scores}
    for own, other in scores:
        tally = _tally(game, own, other)

        results = chances(played, game, _worth(tally, setup))
        for place, line in enumerate(resting_lines(strong, results)):
            seen = (own, other) if place % 2 == 0 else (other, own)
            letters[seen][place] = LETTERS[line]
    rows: Mapping[int, list[str]] = {own: [] for own in range(1, SCORES + 1)}
    for own, other in scores:
        rows[own].append("".join(letters[own, other]))
    return [" ".join(row) for row in rows.values()]


def _worth(tally: Tally, setup: Setup) -> Callable[[tuple[int, int]], float]:
    """The chance of North–South to win the match, by the points of a hand."""

    def worth(points: tuple[int, int]) -> float:
        won = win_chance(after_hand(tally, setup, points))
        assert won is not None
        return won

    return worth


def _tally(game: Rules, own: int, other: int) -> Rise | Totals:
    """The score at which seats 0 and 2 and the others lack so many high tricks to the target."""
    unit = max(1, game.high_points)
    points = tuple(max(0, game.target - unit * steps) for steps in (own, other))
    north, east = points[0], points[1]
    if game.score_model == "cumulative":
        return Totals(game, (north, east))
    riser = None if north == east == 0 else int(east > 0)
    hands = 0 if game.max_hands is None else EARLY
    return Rise(game, riser, max(points), (north, east), (north, east), hands)


def main() -> None:
    """Print the strength or the lines, or store them."""
    words = sys.argv[1:]
    numbers = [int(word) for word in words if word.isdigit()]
    deals, seed = (*numbers, *(120_000, 1)[len(numbers) :])
    played = played_deals(deals, seed)
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    for name in [word for word in words if word in (*PRESETS, "strength")] or PRESETS:
        source = f"python -m tools.training.bid_lines {deals} {seed} {name} write"
        if name == "strength":
            weights = fitted_strength(played)
            print(
                *(f"{feature} {weight}" for feature, weight in zip(FEATURES, weights, strict=True)), sep=", "
            )
            stored["strength"] = {"source": source, "weights": weights}
        else:
            lines = lines_of(name, played)
            print(name, *lines, sep="\n  ", flush=True)
            stored["lines"][name] = {"source": source, "lines": lines}
        if "write" in words:
            FILE.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
