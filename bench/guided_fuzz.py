"""Guided fuzzing of parsers (lines reached; goal: no error): texts that reach new lines are changed again.

    python -m bench.guided_fuzz [records rules PBN …]

Atheris observes which lines of a parser a text reaches. It is not among the requirements of the tests:
``pip install --group fuzz``. A text that is neither accepted nor refused within 50 ms of processor time ends
the search and is kept in a file ``crash-…``.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.results import ROOT, Report, options, parse

WORDS = """
nousu record game seats dealer places draw hand score deal play show seal give exchange pass bid keep raise
stock shuffle version commitment secret share chance claim
Deal Board Event Note N E S W P1 P2 tuppi rami nolo
sooli huutopussi tuppen_zk minnesota target on off S:AKQ H:T98 D:765 C:432 spades
"""
"""Tokens that texts are made of, beside letters."""
_CHILD = "NOUSU_GUIDED"
"""Environment variable of the process that searches."""


def _search(name: str, arguments: argparse.Namespace) -> None:
    """Search in this process, which ends with that."""
    # The finder of an editable installation loads modules past Atheris, which then would not observe them.
    sys.meta_path[:] = [
        entry for entry in sys.meta_path if not type(entry).__name__.startswith("ScikitBuild")
    ]
    sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "support")]
    import atheris

    with atheris.instrument_imports(include=["nousu"]):
        import parser_fuzz
    parser, folder = parser_fuzz.PARSERS[name], arguments.folder
    for number, text in enumerate(parser.valid_texts()):
        (folder / f"valid-{number}").write_bytes(text.encode())
    words = folder.with_suffix(".words")
    words.write_text("".join(f"{json.dumps(word)}\n" for word in WORDS.split()))

    def try_text(data: bytes) -> None:
        text = data.decode(errors="surrogateescape")
        seconds, _ = parser_fuzz.parse_time(parser, text)
        slowest = parser_fuzz.SLOWEST
        if seconds > slowest and parser_fuzz.best_parse_time(parser, text) > slowest:
            raise RuntimeError(f"it took {seconds:.3f} s")

    flags = [f"-runs={arguments.runs}", f"-max_total_time={arguments.seconds}", f"-max_len={arguments.most}"]
    flags += [f"-dict={words}", "-timeout=1200", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], *flags, str(folder)], try_text)
    atheris.Fuzz()


def _search_in_child(name: str, arguments: argparse.Namespace, folder: Path, report: Report) -> None:
    """Search in a process of its own and report its figures."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "bench.guided_fuzz", name, "--folder", str(folder)]
    command += ["--runs", str(arguments.runs), "--most", str(arguments.most)]
    command += ["--seconds", str(arguments.seconds)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(
        command, env=os.environ | {_CHILD: "1"}, cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False
    )
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    statistics = dict(re.findall(r"stat::(\w+):\s+(\d+)", done.stderr))
    reached = re.findall(r"cov: (\d+) ft: (\d+)", done.stderr)
    if done.returncode or not reached:
        print(done.stderr[-4000:])
        report.problems.append(f"{name}: the search failed")
        return
    report.add(f"{name}, texts", int(statistics["number_of_executed_units"]), "texts")
    report.add(f"{name}, texts kept", int(statistics["new_units_added"]), "texts")
    report.add(f"{name}, places reached by valid texts", int(reached[0][0]), "places")
    report.add(f"{name}, places reached", int(reached[-1][0]), "places")
    report.add(f"{name}, processor time", cpu, "s")


def main(words: Sequence[str] = ()) -> bool:
    """Search with one parser after the other; return whether there was a fault."""
    parser = options("guided_fuzz", __doc__)
    parser.add_argument("parsers", nargs="*", default=["records", "rules", "PBN"], help="names of PARSERS")
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=int, default=0, help="end sooner")
    parser.add_argument("--most", type=int, default=2048, help="bytes of a text")
    parser.add_argument("--folder", type=Path, help="folder of the texts; a search goes on from those there")
    arguments, report = parse(parser, words)
    if os.environ.get(_CHILD):
        _search(arguments.parsers[0], arguments)
    with tempfile.TemporaryDirectory() as fresh:
        folder = arguments.folder or Path(fresh)
        for name in arguments.parsers:
            _search_in_child(name, arguments, folder / name.replace(" ", "-"), report)
    return bool(report.problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
