"""Paper for 60 people: CPU seconds of every kind, fonts included; goals: 2 s each, 3 s for slips of 500."""

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.results import options, parse
from nousu.i18n.office import speech
from nousu.tournament.model import Tournament
from nousu.tournament.office import Office, make_format
from nousu.tournament.paper import render_paper
from nousu.tournament.people import from_text

PEOPLE = 60
GOAL = 2.0
"""CPU seconds for one kind."""
SHEETS = 125
"""Slips of the largest hall, one for each of its tables."""
SHEETS_GOAL = 3.0
"""CPU seconds for all of them."""


def _planned(folder: str, people: int) -> Tournament:
    """A planned evening of so many people."""
    office = Office(Path(folder) / f"evening{people}.nousu")
    office.begin("ZK Tuppen", make_format("tuppen", series=5 if people == PEOPLE else 1), "bench")
    names = "\n".join(f"Jörg-Åse Łukasz Weiß {number}" for number in range(1, people + 1))
    office.enter("bench", from_text(names).given)
    office.draw("bench", "dice")
    return office.plan("bench", seconds=0.5).tournament


def _seconds(state: Tournament, kind: str) -> tuple[float, int]:
    """CPU seconds and bytes of one kind of paper."""
    begun = time.process_time()
    data = render_paper(
        state, kind, speech("fi"), address=lambda table: f"http://192.168.178.21:8000/s/{table}"
    )
    return time.process_time() - begun, len(data)


def main(words: Sequence[str] = ()) -> bool:
    """Measure every kind of paper; return whether one misses the goal."""
    _, report = parse(options("paper", __doc__), words)
    with tempfile.TemporaryDirectory() as folder:
        evening, hall = _planned(folder, PEOPLE), _planned(folder, 4 * SHEETS)
    for kind in ("plan", "cards", "slips", "own", "results"):
        seconds, size = _seconds(evening, kind)
        report.add(f"{kind}, time", seconds, "s", n=PEOPLE, at_most=GOAL)
        report.add(f"{kind}, size", size / 1000, "kB")
    seconds, _ = _seconds(hall, "slips")
    report.add("slips of a hall, time", seconds, "s", n=SHEETS, at_most=SHEETS_GOAL)
    return bool(report.problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
