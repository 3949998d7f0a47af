"""Benchmarks: the list of ``python -m bench``, and the rows of ``--result FILE``."""

import json
from importlib import import_module
from pathlib import Path

import pytest

from bench.__main__ import LONG, SHORT
from bench.results import interval, options, parse, percentile

FIELDS = {"date", "commit", "machine", "load", "command", "figure", "value", "unit", "low", "high", "n"}


def test_benchmark_has_a_main_function(subtests: pytest.Subtests) -> None:
    for name in [*SHORT, *LONG]:
        with subtests.test(name=name):
            assert callable(import_module(f"bench.{name}").main)


def test_figure_becomes_a_row_and_a_missed_goal_a_problem(tmp_path: Path) -> None:
    parser = options("paper", None)
    parser.add_argument("kind")
    _, report = parse(parser, ["plan", "--result", str(tmp_path / "rows.jsonl")])
    report.add("time", 2.5, "s", n=60, at_most=2.0)
    report.add("speed", 3.0, "1/s", low=2.0, high=4.0, at_least=2.0)
    first, second = map(json.loads, (tmp_path / "rows.jsonl").read_text("utf-8").splitlines())
    assert first.keys() == second.keys() == {*FIELDS, "goal"}
    assert first["command"] == "python -m bench.paper plan"
    assert (first["value"], first["unit"], first["low"], first["n"]) == (2.5, "s", None, 60)
    assert (second["low"], second["high"], second["n"]) == (2.0, 4.0, None)
    assert report.problems == ["time is 2.5 s, goal ≤ 2"]


def test_percentile_and_interval() -> None:
    assert percentile([], 0.5) == 0.0
    assert percentile([4.0, 1.0, 3.0, 2.0], 0.99) == 4.0
    mean, low, high = interval([1.0, 3.0])
    assert (mean, round(high - mean, 2), round(mean - low, 2)) == (2.0, 1.96, 1.96)
