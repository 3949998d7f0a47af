"""Paper for 60 people: seconds of one core for every kind, fonts and all.

    python -m bench paper

Ends with exit code 1 if one kind needs more than the budget.
"""

import tempfile
import time
from pathlib import Path

from nousu.i18n.office import speech
from nousu.tournament.office import Office, make_format
from nousu.tournament.paper import render_paper
from nousu.tournament.people import from_text

PEOPLE = 60
BUDGET = 2.0
"""CPU seconds for one kind, the one that loads the fonts included."""


def main() -> int:
    """Print the figures."""
    missed = 0
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
        seconds = time.process_time() - begun
        missed += seconds > BUDGET
        print(f"{kind:<8} {seconds:6.2f} s  {len(data) / 1000:6.0f} kB")
    print(f"{PEOPLE} people; budget {BUDGET:.0f} s each")
    return missed
