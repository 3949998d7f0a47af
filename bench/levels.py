"""What the levels of computer players give away by habit, choice by choice: what people are compared with.

python bench/levels.py            prints the table: some minutes on one core
python bench/levels.py write      keeps it in src/nousu/review/levels.json
"""

import json
import sys
from collections import defaultdict
from math import sqrt
from pathlib import Path

from nousu.engine.match import Match
from nousu.games import find
from nousu.players import Budget, named
from nousu.players.company import moved
from nousu.review import FULL, review_hand

GAMES = {"whist": "tuppi", "huutopussi": "huutopussi", "tuppen": "tuppen_zk"}
"""The rules by which each family is played here."""
HANDS = {"whist": 8, "huutopussi": 5, "tuppen": 24}
"""Hands a level."""
LEVELS = ("beginner", "easy", "club", "searcher")
KEPT = Path(__file__).parent.parent / "src/nousu/review/levels.json"
FEW = 8
"""Choices of a kind below which nothing is said."""


def given(preset: str, level: str, hands: int, seed: int = 2026) -> dict[str, list[float]]:
    """For each kind of choice the tricks given away in each, four players of that level at a table."""
    found: dict[str, list[float]] = defaultdict(list)
    company, count = [named(level)] * 4, 0
    match = Match.start(*find(preset), 4)
    while count < hands:
        after = moved(match, company, seed, Budget(0.05, 8))
        if after is None:
            seed += 1
            match = Match.start(*find(preset), 4)
            continue
        if len(after.played) > len(match.played) and not after.played[-1].result.void:
            count += 1
            for seat in range(4):
                review = review_hand(after.played[-1].hand, seat, FULL, count)
                for one in review.weighed:
                    found[one.kind].append(one.cost / review.unit)
        match = after
    return found


def row(costs: list[float]) -> tuple[int, float, float]:
    """How many, the mean, and half of its 95 % interval."""
    mean = sum(costs) / len(costs)
    spread = sum((cost - mean) ** 2 for cost in costs) / (len(costs) - 1)
    return len(costs), round(mean, 4), round(1.96 * sqrt(spread / len(costs)), 4)


def main(write: bool = False) -> None:
    """Print the table, and keep it if that is asked for."""
    kept: dict[str, dict[str, dict[str, tuple[int, float, float]]]] = {}
    for family, preset in GAMES.items():
        kept[family] = defaultdict(dict)
        for level in LEVELS:
            for kind, costs in sorted(given(preset, level, HANDS[family]).items()):
                if len(costs) >= FEW:
                    kept[family][kind][level] = row(costs)
                    count, mean, half = row(costs)
                    print(f"{family} {kind:14} {level:9} {mean:.3f} ± {half:.3f} ({count})", flush=True)
    if write:
        text = {"source": "python bench/levels.py write", "levels": kept}
        KEPT.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main("write" in sys.argv)
