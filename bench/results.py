"""Reporting shared by the benchmarks: options, printed figures, goals, result rows, statistics."""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Report:
    """Figures of one run: each is printed, compared with its goal and appended to a file.

    A result row is one JSON object a line: date, commit, machine, load (of the machine, over one minute),
    command, figure (its name), value, unit, low, high (the 95 % interval) and n (the sample size).

    Args:
        command: The command line that measures the figures again.
        path: The file of result rows; None writes none.
    """

    def __init__(self, command: str, path: Path | None = None) -> None:
        self.problems: list[str] = []
        """Missed goals and errors, in words."""
        self._path = path
        self._run = {"date": time.strftime("%Y-%m-%d"), "commit": "", "machine": "", "load": 0.0}
        self._command = command
        if path is not None:
            self._run |= {"commit": _commit(), "machine": _machine()}

    def add(
        self,
        figure: str,
        value: float,
        unit: str,
        *,
        low: float | None = None,
        high: float | None = None,
        n: int | None = None,
        at_most: float | None = None,
        at_least: float | None = None,
    ) -> None:
        """Print a figure and note it as a problem if it misses its goal.

        Args:
            figure: The name of the figure, such as ``acknowledgement p99``.
            value: The value, in `unit`.
            unit: The unit, such as ``ms`` or ``hands/s``.
            low: Lower end of the 95 % interval.
            high: Upper end of the 95 % interval.
            n: Sample size.
            at_most: The goal where less is better.
            at_least: The goal where more is better.
        """
        text = f"  {figure}: {_number(value)} {unit}"
        if low is not None and high is not None:
            text += f" ({_number(low)} … {_number(high)})"
        if n is not None:
            text += f", n = {n}"
        for sign, goal, kept in (("≤", at_most, at_most is None or value <= at_most),
                                 ("≥", at_least, at_least is None or value >= at_least)):  # fmt: skip
            if goal is not None:
                text += f"  [goal {sign} {_number(goal)} {unit}: {'kept' if kept else 'MISSED'}]"
                if not kept:
                    self.problems.append(f"{figure} is {_number(value)} {unit}, goal {sign} {_number(goal)}")
        print(text, flush=True)
        if self._path is not None:
            row = {**self._run, "load": round(os.getloadavg()[0], 1), "command": self._command}
            row |= {"figure": figure, "value": float(f"{value:.6g}"), "unit": unit}
            row |= {name: end and float(f"{end:.6g}") for name, end in (("low", low), ("high", high))}
            row["n"] = n
            if at_most is not None or at_least is not None:
                row["goal"] = (
                    f"at most {at_most} {unit}" if at_least is None else f"at least {at_least} {unit}"
                )
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def spread(self, figure: str, values: Sequence[float], unit: str, **goals: float) -> None:
        """Print median, 99th percentile and maximum.

        Args:
            figure: The name of the figure.
            values: The sample, in `unit`.
            unit: The unit.
            goals: The most allowed, by ``p50``, ``p99`` or ``max``.
        """
        for name, share in (("p50", 0.5), ("p99", 0.99), ("max", 1.0)):
            self.add(
                f"{figure} {name}", percentile(values, share), unit, n=len(values), at_most=goals.get(name)
            )


def options(module: str, description: str | None) -> argparse.ArgumentParser:
    """Argument parser of a benchmark, with the option ``--result FILE``.

    Args:
        module: The module below ``bench``, such as ``load``.
        description: Its docstring.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m bench.{module}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--result", type=Path, metavar="FILE", help="append the figures, one JSON object a line"
    )
    return parser


def parse(parser: argparse.ArgumentParser, words: Sequence[str]) -> tuple[argparse.Namespace, Report]:
    """Parse a command line and open the report of its figures."""
    arguments = parser.parse_args(words)
    shown = list(words)
    if arguments.result is not None:
        at = next(at for at, word in enumerate(shown) if word.startswith("--result"))
        del shown[at : at + (1 if "=" in shown[at] else 2)]
    return arguments, Report(" ".join([parser.prog, *shown]), arguments.result)


class Interval(NamedTuple):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float


def interval(values: Sequence[float]) -> Interval:
    """Mean of two or more independent values with its 95 % interval (normal approximation)."""
    middle, half = mean(values), 1.96 * stdev(values) / sqrt(len(values))
    return Interval(middle, middle - half, middle + half)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value with at least this share of all at or below it; 0 without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"


def _commit() -> str:
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude", "*"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def _machine() -> str:
    model = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        names = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line]
        model = names[0].partition(":")[2].strip() if names else model
    return f"{model}, {os.cpu_count()} cores, Python {sys.version.split()[0]}"
