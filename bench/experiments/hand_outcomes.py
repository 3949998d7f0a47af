"""Frequency of the outcomes of hands between equal players: the basis of `nousu equity`.

python -m bench.experiments.hand_outcomes 800                 prints the shares for each preset
python -m bench.experiments.hand_outcomes 800 tuppi write     writes them into the package for this preset
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from nousu.engine.match import Match, Played
from nousu.games import find, huutopussi, tuppen
from nousu.games.whist import Outcome
from nousu.players import find_player
from nousu.players.seat_loop import advance

PLAYERS = Path(__file__).parents[2] / "src/nousu/players"
OutcomeKey = tuple[Hashable, ...]


class Kind(NamedTuple):
    """Storage of the outcomes of a family."""

    file: Path
    presets: tuple[str, ...]
    whole: bool
    """Whether whole matches are played; else each hand begins with an empty score."""
    outcome: Callable[[Played], OutcomeKey | None]
    """Outcome of a hand; None if it does not count."""


def whist(played: Played) -> OutcomeKey:
    """Points of both sides, and the side that scored."""
    return (*played.result.points, Outcome.of(played.result.outcome).scorer)


def contracts(played: Played) -> OutcomeKey:
    """Points of the declarer's side, of the others, and whether there was a contract."""
    outcome, (one, two) = huutopussi.Outcome.of(played.result.outcome), played.result.points
    declarer = outcome.declarer if isinstance(outcome, huutopussi.PlayedHand) else None
    return (two, one, 1) if declarer is not None and declarer % 2 else (one, two, int(declarer is not None))


def losses(played: Played) -> OutcomeKey | None:
    """Costs of a regular hand for all but its winner, highest first: the stake or the price of leaving."""
    outcome = tuppen.Outcome.of(played.result.outcome)
    if not isinstance(outcome, tuppen.Won) or outcome.kind != "regular":
        return None
    left = [outcome.costs[seat] for seat in outcome.left]
    return tuple(sorted([outcome.stake] * (len(outcome.ladder) - 1) + left, reverse=True))


KINDS = (
    Kind(
        PLAYERS / "whist/outcomes.json",
        (
            "tuppi",
            "tuppi_tournament",
            "tuppi_catsatcards",
            "tuppi_tournament_catsatcards",
            "minnesota",
            "minnesota_pagat",
            "norwegian_catsatcards",
            "norwegian_parlett",
            "norwegian_spoken",
            "south_dakota",
            "swedish",
        ),
        False,
        whist,
    ),
    Kind(PLAYERS / "huutopussi/outcomes.json", tuple(huutopussi.GAME.presets), False, contracts),
    Kind(PLAYERS / "tuppen/outcomes.json", tuple(tuppen.GAME.presets), True, losses),
)


def count_outcomes(kind: Kind, preset: str, hands: int, seed: int = 2026) -> Counter[OutcomeKey]:
    """Frequency of each outcome in so many hands of four players of the level `club`."""
    counts: Counter[OutcomeKey] = Counter()
    company, number = [find_player("club")] * 4, 0
    while counts.total() < hands:
        match = Match.start(*find(preset), 4, dealer=number % 4)
        while match.winner is None and (kind.whole or not _ended(match)):
            after = advance(match, company, seed + number)
            assert after is not None
            match = after
        keys = [kind.outcome(played) for played in _ended(match)]
        counts.update(key for key in keys if key is not None)
        number += 1
    return counts


def _ended(match: Match) -> list[Played]:
    return [played for played in match.played if not played.result.void]


def _lines(stored: dict[str, Any], presets: tuple[str, ...]) -> Iterator[str]:
    return (f"{json.dumps(name)}: {json.dumps(stored[name])}" for name in presets if name in stored)


def main() -> None:
    """Print the shares; with ``write`` store the counts."""
    words = sys.argv[1:]
    hands = next((int(word) for word in words if word.isdigit()), 1000)
    every = [(kind, preset) for kind in KINDS for preset in kind.presets]
    for kind, preset in [one for one in every if one[1] in words] or every:
        counts = count_outcomes(kind, preset, hands)
        shares = ", ".join(f"{key}: {count / counts.total():.3f}" for key, count in counts.most_common(5))
        print(f"{preset} {shares}", flush=True)
        if "write" in words:
            stored = json.loads(kind.file.read_text(encoding="utf-8")) if kind.file.exists() else {}
            ways = [[*key, count] for key, count in sorted(counts.items(), key=str)]
            source = f"python -m bench.experiments.hand_outcomes {hands} {preset} write"
            stored[preset] = {"hands": counts.total(), "source": source, "ways": ways}
            text = ",\n".join(_lines(stored, kind.presets))
            kind.file.write_text("{\n" + text + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
