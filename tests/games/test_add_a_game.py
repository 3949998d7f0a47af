"""docs/develop/add-a-game.md is true: the example keeps the laws, is found by its entry point, and works."""

import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from installed_plugin import EXAMPLE, ROOT, installed
from nousu.engine import laws
from nousu.engine.game import Game


@pytest.mark.parametrize(
    "preset", ["last_trick", "last_trick_plain", "last_trick+cards=8", "last_trick+cards=1"]
)
def test_example_keeps_the_laws(last_trick: Game, preset: str) -> None:
    for seats in last_trick.seats:
        rules = last_trick.rules_named(preset)
        assert laws.check(last_trick, rules, seats, Random(seats), hands=4, worlds=0.3) > 0


def test_example_is_short_and_documents_its_clauses() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert text.count("\n") < 200
    said = set(re.findall(r"\* (LT-\d)  ", text))
    assert said == {"LT-1", "LT-2", "LT-3", "LT-4", "LT-5"}
    body = text.split('"""', 2)[2]
    assert said == set(re.findall(r"LT-\d", body))


def test_page_names_every_law() -> None:
    page = (ROOT / "docs" / "develop" / "add-a-game.md").read_text(encoding="utf-8")
    named = set(
        re.findall(r'(?:_hold|LawBroken)\("([a-z ]+)"', Path(laws.__file__).read_text(encoding="utf-8"))
    )
    listed = {
        name.strip() for row in re.findall(r"^\| ([a-z ,]+) \| ", page, re.M) for name in row.split(",")
    }
    assert named <= listed, named - listed


def test_code_on_the_page_runs() -> None:
    page = (ROOT / "docs" / "develop" / "add-a-game.md").read_text(encoding="utf-8")
    block = re.findall(r"```python\n(.*?)```", page, re.S)[0]
    paths = os.pathsep.join([str(ROOT / "src"), str(EXAMPLE.parent)])
    command = [sys.executable, "-c", block]
    result = subprocess.run(command, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def nousu(path: str, *arguments: str, typed: str = "", **environment: str) -> tuple[str, str]:
    """What a command writes to stdout and stderr where the game is installed."""
    command = [sys.executable, "-c", "from nousu.cli import main; main()", *arguments]
    surroundings = os.environ | {"PYTHONPATH": path} | environment
    result = subprocess.run(command, env=surroundings, input=typed, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout, result.stderr


def test_another_package_is_found_by_its_entry_point(tmp_path: Path) -> None:
    """A package that brings the game file alone can be chosen, simulated and replayed."""
    path = installed(tmp_path / "packages")
    assert "last_trick_plain" in nousu(path, "presets")[0]
    assert "So many points win the match." in nousu(path, "presets", "last_trick")[0]
    records = tmp_path / "records"
    simulated = (
        "simulate",
        "last_trick+target=2",
        "--hands",
        "20",
        "--seats",
        "3",
        "--records",
        str(records),
    )
    assert "20 hands" in nousu(path, *simulated)[0]
    assert "wins the match" in nousu(path, "replay", str(next(records.iterdir())))[0]


def test_players_say_that_they_do_not_know_the_game_and_play_all_the_same(tmp_path: Path) -> None:
    path = installed(tmp_path / "packages")
    result, warned = nousu(
        path, "arena", "rules", "strong", "--game", "last_trick", "--pairs", "2", "--seed", "1"
    )
    assert "2 pairs" in result
    assert "rules: There are no rules of thumb for this game" in warned
    assert "strong: There are no rules of thumb for this game" in warned
    result, warned = nousu(path, "simulate", "last_trick", "--hands", "4", "--player", "searcher")
    assert "4 hands" in result
    assert warned.count("a legal action is chosen at random") == 1
    assert nousu(path, "simulate", "last_trick", "--hands", "2")[1] == ""


def test_game_is_played_in_the_terminal(tmp_path: Path) -> None:
    path = installed(tmp_path / "packages")
    plain = ("play", "last_trick+doubling=off+cards=1+target=1", "--plain", "--seats", "2", "--seed", "1")
    typed = "?\nhint\n" + "".join(f"{suit}{rank}\n" for suit in "shdc" for rank in "23456789TJQKA")
    result, _ = nousu(path, *plain, typed=typed, XDG_STATE_HOME=str(tmp_path / "state"))
    assert "There are no rules of thumb for this game" in result
    assert "wins the match." in result
