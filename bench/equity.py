"""How hands of the whist family end between equal players: what `nousu equity` rests on.

python bench/equity.py 800                 prints the shares of the ways hands of each preset end
python bench/equity.py 800 tuppi write     keeps them in src/nousu/players/outcomes.json
"""

import json
import sys
from collections import Counter
from pathlib import Path

from nousu.engine.match import Match
from nousu.games import find
from nousu.games.whist import Outcome
from nousu.players import named
from nousu.players.company import moved

PRESETS = (
    "tuppi",
    "tuppi_tournament",
    "tuppi_catsatcards",
    "minnesota",
    "minnesota_pagat",
    "norwegian_catsatcards",
    "norwegian_parlett",
    "norwegian_spoken",
    "south_dakota",
    "swedish",
)
KEPT = Path(__file__).parent.parent / "src/nousu/players/outcomes.json"


def measured(preset: str, hands: int, seed: int = 2026) -> Counter[tuple[int, int, int | None]]:
    """How often hands, each from an empty score, brought both sides these points, and which side scored."""
    game, rules = find(preset)
    found: Counter[tuple[int, int, int | None]] = Counter()
    company = [named("club")] * 4
    for number in range(hands):
        match = Match.start(game, rules, 4, dealer=number % 4)
        while not any(not played.result.void for played in match.played):
            after = moved(match, company, seed + number)
            assert after is not None
            match = after
        result = match.played[-1].result
        one, two = result.points
        found[one, two, Outcome.of(result.outcome).scorer] += 1
    return found


def main() -> None:
    """Print the shares; with ``write`` keep the counts, those of other presets staying as they are."""
    words = sys.argv[1:]
    hands = next((int(word) for word in words if word.isdigit()), 1000)
    for preset in [name for name in PRESETS if name in words] or PRESETS:
        found = measured(preset, hands)
        shares = ", ".join(f"{key}: {count / hands:.3f}" for key, count in found.most_common(5))
        print(f"{preset} {shares}", flush=True)
        if "write" in words:
            kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
            ways = [[*key, count] for key, count in sorted(found.items(), key=str)]
            source = f"python bench/equity.py {hands} {preset} write"
            kept[preset] = {"hands": hands, "source": source, "ways": ways}
            lines = [f"{json.dumps(name)}: {json.dumps(kept[name])}" for name in PRESETS if name in kept]
            KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
