"""Shipped weights: each names the command that made it, and that command runs."""

import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from shutil import copy, which
from typing import Any

import pytest
from typer.testing import CliRunner

import nousu
from bench.experiments import habit_weights, hand_outcomes, level_costs, tuppen_odds
from nousu.players.nets import decode_weights
from nousu.solver import native
from tools.training import __main__ as training
from tools.training import bid_lines

PACKAGE = Path(nousu.__file__).parent
WEIGHTS = (
    *(
        f"players/{family}/{name}"
        for family in ("whist", "huutopussi", "tuppen")
        for name in ("policy.txt", "outcomes.json")
    ),
    "players/whist/bid_lines.json",
    "players/whist/card_features.toml",
    "review/levels.json",
)
MOST = 400_000
"""Bytes of all weights together."""
COMMAND = re.compile(r"python -m ([a-z_.]+)")


def _commands(text: str) -> Iterator[str]:
    """The modules of the commands that stand in a file of weights."""
    return (found[1] for found in COMMAND.finditer(text))


def test_weights_name_the_command_that_makes_them() -> None:
    for name in WEIGHTS:
        text = (PACKAGE / name).read_text("utf-8")
        modules = list(_commands(text))
        assert modules, f"{name} names no command"
        for module in modules:
            module += ".__main__" if module == "tools.training" else ""
            assert callable(import_module(module).main), f"{name}: {module} cannot be run"
        if name.endswith("outcomes.json"):
            assert len(modules) == len(json.loads(text)), f"{name}: one command for each preset"


def test_weights_are_few() -> None:
    assert sum((PACKAGE / name).stat().st_size for name in WEIGHTS) <= MOST


def _run(main: Callable[[], Any], monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr(sys, "argv", ["command", *words])
    main()


def _table_shape(path: Path) -> Any:
    """A table with the numbers left out."""
    return {habit: weights.keys() for habit, weights in tomllib.loads(path.read_text("utf-8")).items()}


def _make_nets(rules: str, folder: Path) -> tuple[int, ...]:
    words = [rules, str(folder / "nets"), "--rounds", "24,6", "--out", str(folder / "made.txt")]
    result = CliRunner().invoke(training.app, words)
    assert result.exit_code == 0, result.output
    family = "whist" if rules == "tuppi" else rules
    paths = folder / "made.txt", PACKAGE / "players" / family / "policy.txt"
    return tuple(len(decode_weights(path.read_text("ascii"))) for path in paths)


@pytest.mark.slow
@pytest.mark.native
@pytest.mark.skipif(bool(native.missing), reason="there is no compiled core")
@pytest.mark.parametrize("rules", ["tuppi", "huutopussi"])
def test_nets_are_made_by_their_command(rules: str, tmp_path: Path) -> None:
    made, shipped = _make_nets(rules, tmp_path)
    assert made == shipped


@pytest.mark.slow
@pytest.mark.skipif(which("c++") is None, reason="no C++ compiler")
def test_odds_are_made_by_their_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = tuppen_odds.FILE.read_text("ascii")
    monkeypatch.setattr(tuppen_odds, "FILE", tmp_path / "policy.txt")
    _run(tuppen_odds.main, monkeypatch, "learn", "50", "1", "2")
    made = tuppen_odds.FILE.read_text("ascii")
    assert made.startswith("# python -m bench.experiments.tuppen_odds learn 50 1 2")
    assert len(decode_weights(made)) == len(decode_weights(shipped)) and made != shipped


@pytest.mark.slow
@pytest.mark.native
@pytest.mark.skipif(bool(native.missing), reason="there is no compiled core")
def test_lines_of_bids_are_made_by_their_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = json.loads(bid_lines.FILE.read_text("utf-8"))
    monkeypatch.setattr(bid_lines, "FILE", Path(copy(bid_lines.FILE, tmp_path)))
    _run(bid_lines.main, monkeypatch, "1500", "1", "strength", "tuppi", "write")
    made = json.loads(bid_lines.FILE.read_text("utf-8"))
    assert made["lines"].keys() == shipped["lines"].keys() and made != shipped
    assert len(made["strength"]["weights"]) == len(shipped["strength"]["weights"])
    before, after = (stored["lines"]["tuppi"]["lines"] for stored in (shipped, made))
    assert [len(row) for row in before] == [len(row) for row in after]


@pytest.mark.slow
def test_habits_are_made_by_their_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = _table_shape(habit_weights.FILE)
    monkeypatch.setattr(habit_weights, "FILE", tmp_path / "card_features.toml")
    _run(habit_weights.main, monkeypatch, "fit", "60")
    assert _table_shape(habit_weights.FILE) == shipped


@pytest.mark.slow
def test_outcomes_are_counted_by_their_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = [kind._replace(file=tmp_path / f"{kind.presets[0]}.json") for kind in hand_outcomes.KINDS]
    monkeypatch.setattr(hand_outcomes, "KINDS", tuple(kinds))
    for kind in kinds:
        _run(hand_outcomes.main, monkeypatch, "10", kind.presets[0], "write")
        (made,) = json.loads(kind.file.read_text("utf-8")).values()
        assert made["hands"] == sum(way[-1] for way in made["ways"]) >= 10
        assert made["source"] == f"python -m bench.experiments.hand_outcomes 10 {kind.presets[0]} write"


@pytest.mark.slow
@pytest.mark.native
@pytest.mark.skipif(bool(native.missing), reason="there is no compiled core")
def test_costs_of_levels_are_made_by_their_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = json.loads(level_costs.FILE.read_text("utf-8"))["levels"]
    monkeypatch.setattr(level_costs, "FILE", Path(copy(level_costs.FILE, tmp_path)))
    monkeypatch.setattr(level_costs, "HANDS", {"whist": 1})
    level_costs.main(["whist"], ["club"], True)
    made = json.loads(level_costs.FILE.read_text("utf-8"))["levels"]
    assert made["tuppen"] == shipped["tuppen"], "other families stay as they are"
    assert any("club" in kinds for kinds in made["whist"].values()) and made["whist"] != shipped["whist"]
