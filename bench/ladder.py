"""Strength of computer players (points a hand of one over another, with 95 % interval), rung by rung.

Each duplicate deal is played twice with seats exchanged.

    python -m bench ladder              every rung, with the number of duplicate deals in RUNGS
    python -m bench.ladder 30 tuppi     at most 30 duplicate deals, only rungs that begin so
    … --keep FOLDER                     keep finished deals there; a later run goes on from them
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.results import options, parse
from nousu.players.arena import Contest, play_contest


class Rung(NamedTuple):
    """A contest of player `a` with player `b`."""

    a: str
    b: str
    game: str
    pairs: int
    """Duplicate deals."""


ISMCTS = "py:tools.ismcts.openspiel:"
RUNGS = (
    Rung("rules", "random", "tuppi", 400),
    Rung("easy", "beginner", "tuppi", 400),
    Rung("club", "easy", "tuppi", 400),
    Rung("searcher", "rules", "tuppi", 220),
    Rung("strong", "club", "tuppi", 200),
    Rung("strong", "searcher", "tuppi", 50),
    Rung("expert", "strong", "tuppi", 200),
    Rung("rules", "random", "minnesota", 400),
    Rung("easy", "beginner", "minnesota", 400),
    Rung("club", "easy", "minnesota", 400),
    Rung("strong", "club", "minnesota", 100),
    Rung("expert", "strong", "minnesota", 100),
    Rung("searcher", "rules", "minnesota", 100),
    Rung("rules", "random", "huutopussi", 200),
    Rung("easy", "beginner", "huutopussi", 300),
    Rung("club", "easy", "huutopussi", 300),
    Rung("strong", "club", "huutopussi", 150),
    Rung("searcher", "rules", "huutopussi", 150),
    Rung("rules", "random", "tuppen_zk", 400),
    Rung("searcher", "rules", "tuppen_zk", 800),
    Rung("searcher", ISMCTS + "one_second", "tuppi", 300),
    Rung("searcher", ISMCTS + "ten_thousand", "tuppi", 300),
)
SEED = 2026


def main(words: Sequence[str] = ()) -> bool:
    """Play the rungs and report each as soon as it is finished; False."""
    parser = options("ladder", __doc__)
    parser.add_argument("words", nargs="*", metavar="PAIRS | GAME:A:B")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    arguments, report = parse(parser, words)
    names = [word for word in arguments.words if not word.isdigit()]
    most = next((int(word) for word in arguments.words if word.isdigit()), 10_000)
    folder = arguments.keep
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    for rung in RUNGS:
        name = f"{rung.game}:{rung.a}:{rung.b.removeprefix(ISMCTS)}"
        if names and not any(name.startswith(beginning) for beginning in names):
            continue
        pairs = min(most, rung.pairs)
        contest = Contest(a=rung.a, b=rung.b, game=rung.game, pairs=pairs, seed=SEED)
        outcome = play_contest(contest, resume=folder and folder / (name.replace(":", "-") + ".jsonl"))
        report.add(name, outcome.mean, "points a hand", low=outcome.low, high=outcome.high, n=pairs)
        for player, side in ((rung.a, "a"), (rung.b, "b")):
            report.add(f"{name}, thinking time of {player}", outcome.ms_per_move[side], "ms a move")
    return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
