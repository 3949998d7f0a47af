"""Check tournament files by a second computation, or make random events.

``python -m tools.tournament_oracle``.
"""

import argparse
import sys
from pathlib import Path

from nousu.tournament.formats import FORMATS
from nousu.tournament.log_file import read
from nousu.tournament.messages import Refusal
from nousu.tournament.office import Office
from nousu.tournament.season_file import is_season
from tools.tournament_oracle.comparison import differences
from tools.tournament_oracle.event_generator import generate
from tools.tournament_oracle.season_generator import generate_season
from tools.tournament_oracle.seasons import season_differences


def check(file: Path | None, events: int, seed: int, seasons: int = 0) -> int:
    """Print the differences of a file, or of random events and seasons, and return the exit status."""
    lines: list[str] = []
    if file is not None:
        data = Office(file).log_bytes()
        lines += season_differences(data) if is_season(data) else differences(data)
    for number in range(seed, seed + seasons):
        lines += [f"season {number}: {line}" for line in season_differences(generate_season(number))]
    for number in range(seed, seed + events):
        lines += [f"event {number}: {line}" for line in differences(generate(number))]
    for line in lines:
        print(line)
    if events:
        print(f"{events} random events were computed twice.")
    if seasons:
        print(f"{seasons} random seasons were computed twice.")
    print(f"{len(lines)} differences." if lines else "Both computations agree.")
    return 1 if lines else 0


def main(arguments: list[str] | None = None) -> int:
    """Run one of the two commands; the exit status is 1 if there is a difference or a failure."""
    parser = argparse.ArgumentParser(prog="python -m tools.tournament_oracle", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser("check", help="recompute a file or random events and list the differences")
    checking.add_argument(
        "file", type=Path, nargs="?", help="a tournament file, an exported one or a season file"
    )
    checking.add_argument("--random", type=int, default=0, metavar="EVENTS", help="how many random events")
    checking.add_argument("--seasons", type=int, default=0, help="how many random seasons of ten evenings")
    checking.add_argument("--seed", type=int, default=1, help="the first random event")
    making = commands.add_parser("generate", help="write a random event as a tournament file")
    making.add_argument("file", type=Path)
    making.add_argument("--seed", type=int, default=1, help="the same seed gives the same event")
    making.add_argument("--format", choices=list(FORMATS), default="")
    given = parser.parse_args(arguments)
    try:
        if given.command == "generate":
            Office(given.file).take(read(generate(given.seed, given.format)).events)
            return 0
        if given.file is None and not given.random and not given.seasons:
            parser.error("name a tournament file, or say how many random events or seasons")
        return check(given.file, given.random, given.seed, given.seasons)
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
