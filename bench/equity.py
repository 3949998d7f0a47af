"""How hands end between equal players: what `nousu equity` rests on.

python bench/equity.py 800                 prints the shares of the ways hands of each preset end
python bench/equity.py 800 tuppi write     keeps them in the package; other presets stay as they are
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

PLAYERS = Path(__file__).parent.parent / "src/nousu/players"
Way = tuple[Hashable, ...]


class Kind(NamedTuple):
    """What is kept of the hands of a family."""

    kept: Path
    presets: tuple[str, ...]
    whole: bool
    """Whether hands are seen in whole matches; else each begins with an empty score."""
    way: Callable[[Played], Way | None]
    """How a hand ended; None for one that is not counted."""


def whist(played: Played) -> Way:
    """The points of both sides, and which side scored."""
    return (*played.result.points, Outcome.of(played.result.outcome).scorer)


def contracts(played: Played) -> Way:
    """The points of the declarer's side, of the others, and whether there was a contract at all."""
    outcome, (one, two) = huutopussi.Outcome.of(played.result.outcome), played.result.points
    declarer = outcome.declarer if isinstance(outcome, huutopussi.Played) else None
    return (two, one, 1) if declarer is not None and declarer % 2 else (one, two, int(declarer is not None))


def losses(played: Played) -> Way | None:
    """What a regular hand would have cost those who did not win it, from the dearest down: the stake for
    who stayed, the price of leaving for who left."""
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


def measured(kind: Kind, preset: str, hands: int, seed: int = 2026) -> Counter[Way]:
    """How often each way was seen in so many hands, four players of the level `club` at the table."""
    found: Counter[Way] = Counter()
    company, number = [find_player("club")] * 4, 0
    while found.total() < hands:
        match = Match.start(*find(preset), 4, dealer=number % 4)
        while match.winner is None and (kind.whole or not _ended(match)):
            after = advance(match, company, seed + number)
            assert after is not None
            match = after
        ways = [kind.way(played) for played in _ended(match)]
        found.update(way for way in ways if way is not None)
        number += 1
    return found


def _ended(match: Match) -> list[Played]:
    return [played for played in match.played if not played.result.void]


def _lines(kept: dict[str, Any], presets: tuple[str, ...]) -> Iterator[str]:
    return (f"{json.dumps(name)}: {json.dumps(kept[name])}" for name in presets if name in kept)


def main() -> None:
    """Print the shares; with ``write`` keep the counts."""
    words = sys.argv[1:]
    hands = next((int(word) for word in words if word.isdigit()), 1000)
    every = [(kind, preset) for kind in KINDS for preset in kind.presets]
    for kind, preset in [one for one in every if one[1] in words] or every:
        found = measured(kind, preset, hands)
        shares = ", ".join(f"{key}: {count / found.total():.3f}" for key, count in found.most_common(5))
        print(f"{preset} {shares}", flush=True)
        if "write" in words:
            kept = json.loads(kind.kept.read_text(encoding="utf-8")) if kind.kept.exists() else {}
            ways = [[*key, count] for key, count in sorted(found.items(), key=str)]
            source = f"python bench/equity.py {hands} {preset} write"
            kept[preset] = {"hands": found.total(), "source": source, "ways": ways}
            text = ",\n".join(_lines(kept, kind.presets))
            kind.kept.write_text("{\n" + text + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
