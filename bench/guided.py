"""Texts that lead ever further into a parser: ``python -m bench.guided [records rules PBN …]``.

Atheris notes which lines of a parser a text reaches, and changes those texts again that reached new ones. It
is not among what the tests need: ``pip install --group fuzz``. A text that is accepted, or refused as
promised, in at most 50 ms of processor time is well; any other ends the search and is kept in a file
``crash-…``.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORDS = """
nousu record game seats dealer places draw hand score deal play show seal give exchange pass bid keep raise
stock shuffle version commitment secret share chance claim
Deal Board Event Note N E S W P1 P2 tuppi rami nolo
sooli huutopussi tuppen_zk minnesota target on off S:AKQ H:T98 D:765 C:432 spades
"""
"""What texts are made of beside letters."""
_SEARCHING = "NOUSU_GUIDED"


def _search(name: str, asked: argparse.Namespace) -> None:
    """Read texts in this process, which ends with that."""
    # The finder of an editable installation loads modules past Atheris, which then would see no line of them.
    sys.meta_path[:] = [one for one in sys.meta_path if not type(one).__name__.startswith("ScikitBuild")]
    sys.path.insert(0, str(ROOT / "src"))
    import atheris

    with atheris.instrument_imports(include=["nousu"]):
        from bench import fuzz
    parser, folder = fuzz.PARSERS[name], asked.folder
    for number, text in enumerate(parser.valid()):
        (folder / f"valid-{number}").write_bytes(text.encode())
    words = folder.with_suffix(".words")
    words.write_text("".join(f"{json.dumps(word)}\n" for word in WORDS.split()))

    def one(data: bytes) -> None:
        text = data.decode(errors="surrogateescape")
        took, _ = fuzz.taken(parser, text)
        if took > fuzz.SLOWEST and fuzz.slow(parser, text) > fuzz.SLOWEST:
            raise RuntimeError(f"it took {took:.3f} s")

    flags = [f"-runs={asked.runs}", f"-max_total_time={asked.seconds}", f"-max_len={asked.most}"]
    flags += [f"-dict={words}", "-timeout=1200", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], *flags, str(folder)], one)
    atheris.Fuzz()


def _searched(name: str, asked: argparse.Namespace, folder: Path) -> bool:
    """The same in a process of its own, and what it found in a line; whether anything was wrong."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "bench.guided", name, "--folder", str(folder)]
    command += ["--runs", str(asked.runs), "--most", str(asked.most), "--seconds", str(asked.seconds)]
    environment = os.environ | {_SEARCHING: "1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, env=environment, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    found = dict(re.findall(r"stat::(\w+):\s+(\d+)", done.stderr))
    reached = re.findall(r"cov: (\d+) ft: (\d+)", done.stderr) or [("0", "0")]
    number, kept = found.get("number_of_executed_units", "?"), found.get("new_units_added", "?")
    print(
        f"  {name}: {number} texts, which reached {reached[-1][0]} places (valid ones {reached[0][0]}); "
        f"{kept} of them kept; {cpu:.0f} s of CPU",
        flush=True,
    )
    if done.returncode or reached == [("0", "0")]:
        print(done.stderr[-4000:])
        return True
    return False


def main() -> bool:
    """Search, one parser after the other; whether anything was wrong."""
    ask = argparse.ArgumentParser(prog="python -m bench.guided", description=__doc__)
    ask.add_argument("parsers", nargs="*", default=["records", "rules", "PBN"], help="as in bench.fuzz")
    ask.add_argument("--runs", type=int, default=1_000_000)
    ask.add_argument("--seconds", type=int, default=0, help="end sooner")
    ask.add_argument("--most", type=int, default=2048, help="bytes of a text")
    ask.add_argument("--folder", type=Path, help="where texts are kept; a search goes on from those there")
    asked = ask.parse_args()
    if os.environ.get(_SEARCHING):
        _search(asked.parsers[0], asked)
    with tempfile.TemporaryDirectory() as fresh:
        folder = asked.folder or Path(fresh)
        wrong = [_searched(name, asked, folder / name.replace(" ", "-")) for name in asked.parsers]
    return any(wrong)


if __name__ == "__main__":
    sys.exit(main())
