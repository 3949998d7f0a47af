"""The ladder of computer players: who beats whom by how many points a hand, as ``docs/strength.md`` shows it.

python -m bench ladder              every rung with the pairs named in RUNGS
python bench/ladder.py 30 tuppi     at most 30 pairs, only rungs of that game
… keep=FOLDER                       keep finished pairs there; the same or more pairs go on from them
"""

import sys
from pathlib import Path
from typing import NamedTuple

from nousu.players.arena import Contest, play_contest


class Rung(NamedTuple):
    """One comparison."""

    a: str
    b: str
    game: str
    pairs: int
    seats: int = 4


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


def main() -> None:
    """Print one line a rung, as soon as it is known."""
    words = sys.argv[1:]
    most = next((int(word) for word in words if word.isdigit()), 10_000)
    keep = next((Path(word.removeprefix("keep=")) for word in words if word.startswith("keep=")), None)
    wanted = [word for word in words if not word.isdigit() and word != "ladder" and "=" not in word]
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
    print("| game | A | B | pairs | points a hand, A over B | 95 % | ms a move | minutes |")
    print("|---|---|---|---|---|---|---|---|")
    for rung in RUNGS:
        name = f"{rung.game}:{rung.a}:{rung.b.removeprefix(ISMCTS)}"
        if wanted and not any(name.startswith(word) for word in wanted):
            continue
        pairs = min(most, rung.pairs)
        contest = Contest(a=rung.a, b=rung.b, game=rung.game, pairs=pairs, seats=rung.seats, seed=SEED)
        shown = play_contest(contest, resume=keep and keep / (name.replace(":", "-") + ".jsonl"))
        times = f"{shown.ms_per_move['a']:.0f} : {shown.ms_per_move['b']:.0f}"
        print(
            f"| {rung.game} | {rung.a} | {rung.b.removeprefix('py:nousu.integrations.whist.')} | {pairs} "
            f"| {shown.mean:+.2f} | {shown.low:+.2f} … {shown.high:+.2f} | {times} | {shown.minutes:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
