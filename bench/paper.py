"""Paper for 60 people: CPU seconds of every kind, fonts included; goal: 2 s each."""

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.results import options, parse
from nousu.i18n.office import speech
from nousu.tournament.office import Office, make_format
from nousu.tournament.paper import render_paper
from nousu.tournament.people import from_text

PEOPLE = 60
GOAL = 2.0
"""CPU seconds for one kind."""


def main(words: Sequence[str] = ()) -> bool:
    """Measure every kind of paper; return whether one misses the goal."""
    _, report = parse(options("paper", __doc__), words)
    with tempfile.TemporaryDirectory() as folder:
        office = Office(Path(folder) / "evening.nousu")
        office.begin("ZK Tuppen", make_format("tuppen"), "bench")
        names = "\n".join(f"Jörg-Åse Łukasz Weiß {number}" for number in range(1, PEOPLE + 1))
        office.enter("bench", from_text(names).given)
        office.draw("bench", "dice")
        state = office.plan("bench", seconds=0.5).tournament
    for kind in ("plan", "cards", "slips", "own", "results"):
        begun = time.process_time()
        data = render_paper(
            state, kind, speech("fi"), address=lambda table: f"http://192.168.178.21:8000/s/{table}"
        )
        report.add(f"{kind}, time", time.process_time() - begun, "s", n=PEOPLE, at_most=GOAL)
        report.add(f"{kind}, size", len(data) / 1000, "kB")
    return bool(report.problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
