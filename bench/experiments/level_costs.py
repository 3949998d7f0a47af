"""Cost of the choices of each level of computer players, by kind of choice (tricks a choice).

python -m bench.experiments.level_costs                    half an hour on one core, most of it Huutopussi
python -m bench.experiments.level_costs write              writes src/nousu/review/levels.json
python -m bench.experiments.level_costs write whist club   only these families and levels are replaced
"""

import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path

from nousu.engine.match import Match
from nousu.games import find
from nousu.players import Budget, find_player
from nousu.players.seat_loop import advance
from nousu.review import FULL, review_hand

GAMES = {"whist": "tuppi", "huutopussi": "huutopussi", "tuppen": "tuppen_zk"}
"""Preset of each family."""
HANDS = {"whist": 8, "huutopussi": 5, "tuppen": 24}
"""Hands a level."""
LEVELS = ("beginner", "easy", "club", "searcher")
FILE = Path(__file__).parents[2] / "src/nousu/review/levels.json"
FEW = 8
"""Choices of a kind below which it is left out."""


def choice_costs(preset: str, level: str, hands: int, seed: int = 2026) -> dict[str, list[float]]:
    """Tricks given away in each choice of four players of that level, by kind of choice."""
    found: dict[str, list[float]] = defaultdict(list)
    company, count = [find_player(level)] * 4, 0
    match = Match.start(*find(preset), 4)
    while count < hands:
        after = advance(match, company, seed, Budget(0.05, 8))
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
    """Number of choices, mean cost, and half of its 95 % interval."""
    mean = sum(costs) / len(costs)
    spread = sum((cost - mean) ** 2 for cost in costs) / (len(costs) - 1)
    return len(costs), round(mean, 4), round(1.96 * sqrt(spread / len(costs)), 4)


def main(families: Sequence[str], levels: Sequence[str], write: bool) -> None:
    """Print the table; with `write` store it after every level, so that nothing is lost."""
    table = json.loads(FILE.read_text(encoding="utf-8"))["levels"]
    for family in families:
        for level in levels:
            for rows in table.setdefault(family, {}).values():
                rows.pop(level, None)
            for kind, costs in sorted(choice_costs(GAMES[family], level, HANDS[family]).items()):
                if len(costs) >= FEW:
                    count, mean, half = found = row(costs)
                    table[family].setdefault(kind, {})[level] = found
                    print(f"{family} {kind:14} {level:9} {mean:.3f} ± {half:.3f} ({count})", flush=True)
            if write:
                _write(table)


def _write(table: Mapping[str, Mapping[str, Mapping[str, object]]]) -> None:
    """Write the table, families, kinds and levels in one order."""
    ordered = {
        family: {
            kind: {level: table[family][kind][level] for level in LEVELS if level in table[family][kind]}
            for kind in sorted(table[family])
            if table[family][kind]
        }
        for family in GAMES
    }
    text = {"source": "python -m bench.experiments.level_costs write", "levels": ordered}
    FILE.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    asked = sys.argv[1:]
    unknown = set(asked) - {"write", *GAMES, *LEVELS}
    if unknown:
        sys.exit(f"{unknown.pop()}: give write, families ({', '.join(GAMES)}), levels ({', '.join(LEVELS)})")
    main(
        [one for one in GAMES if one in asked] or list(GAMES),
        [one for one in LEVELS if one in asked] or LEVELS,
        "write" in asked,
    )
