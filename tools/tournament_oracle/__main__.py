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
from tools.tournament_oracle.comparison import differences
from tools.tournament_oracle.event_generator import generate


def check(file: Path | None, events: int, seed: int) -> int:
    """Print the differences of a file, or of random events, and return the exit status."""
    found: list[str] = []
    if file is not None:
        found += differences(Office(file).log_bytes())
    for number in range(seed, seed + events):
        found += [f"event {number}: {line}" for line in differences(generate(number))]
    for line in found:
        print(line)
    if events:
        print(f"{events} random events were computed twice.")
    print(f"{len(found)} differences." if found else "Both computations agree.")
    return 1 if found else 0


def main(arguments: list[str] | None = None) -> int:
    """Run one of the two commands; the exit status is 1 where something differs or cannot be done."""
    parser = argparse.ArgumentParser(prog="python -m tools.tournament_oracle", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser("check", help="recompute a file or random events and list the differences")
    checking.add_argument("file", type=Path, nargs="?", help="a tournament file or an exported one")
    checking.add_argument("--random", type=int, default=0, metavar="EVENTS", help="how many random events")
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
        if given.file is None and not given.random:
            parser.error("name a tournament file, or say how many random events")
        return check(given.file, given.random, given.seed)
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
