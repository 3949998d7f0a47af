"""Forms of the soak test, with the number of rounds of each, and their command line."""

import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from bench.results import Report, options, parse
from bench.server_process import raise_file_limit
from bench.soak.backup import backup
from bench.soak.duplicate_races import races
from bench.soak.duplicates import doubles
from bench.soak.interruptions import cuts, kills
from bench.soak.long_history import history, restarts
from bench.soak.memory_growth import growth
from bench.soak.mixed_load import mixed
from bench.soak.slow_clients import slow
from bench.soak.timing_leaks import answers, refusals

Form = Callable[[Path, int, Report], None]
"""A form; its arguments are the path of a database file to make, the rounds, the report."""
FORMS: dict[str, tuple[Form, int]] = {
    "kills": (kills, 50),
    "doubles": (doubles, 20_000),
    "races": (races, 50_000),
    "cuts": (cuts, 3000),
    "history": (history, 500),
    "restarts": (restarts, 50),
    "backup": (backup, 4),
    "slow": (slow, 10),
    "growth": (growth, 120),
    "mixed": (mixed, 48),
    "answers": (answers, 1_000_000),
    "refusals": (refusals, 1_000_000),
}
"""Each form with its rounds: actions, cuts and so on; of `history` tables, of `growth` minutes, of
`mixed` ten minutes."""


def main(words: Sequence[str] = ()) -> bool:
    """Run the forms named, or all of them; return whether there was a fault."""
    parser = options("soak", __doc__)
    parser.add_argument("forms", nargs="*", choices=[*FORMS, []], default=[])
    parser.add_argument("--rounds", type=int, help="instead of each form's own")
    parser.add_argument("--database", default="", help="for history: an empty postgresql://…")
    arguments, report = parse(parser, words)
    raise_file_limit(8192)
    for name in arguments.forms or FORMS:
        form, rounds = FORMS[name]
        if form is history:
            form = partial(history, database=arguments.database)
        print(f"{name}:", flush=True)
        before = len(report.problems)
        with tempfile.TemporaryDirectory() as folder:
            form(Path(folder) / "nousu.db", arguments.rounds or rounds, report)
        print("  " + ("; ".join(report.problems[before:][:5]) or "nothing wrong"), flush=True)
    return bool(report.problems)
