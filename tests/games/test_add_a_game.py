"""docs/add-a-game.md is true: the example keeps the laws, is found by its entry point, and can be used."""

import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from nousu.engine import laws
from nousu.engine.game import Game

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "docs" / "examples" / "last_trick.py"


@pytest.mark.parametrize(
    "preset", ["last_trick", "last_trick_plain", "last_trick+cards=8", "last_trick+cards=1"]
)
def test_the_example_keeps_the_laws(last_trick: Game, preset: str) -> None:
    for seats in last_trick.seats:
        rules = last_trick.rules_named(preset)
        assert laws.check(last_trick, rules, seats, Random(seats), hands=4, worlds=0.3) > 0


def test_the_example_is_short_and_documents_its_clauses() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert text.count("\n") < 200
    said = set(re.findall(r"\* (LT-\d)  ", text))
    assert said == {"LT-1", "LT-2", "LT-3", "LT-4", "LT-5"}
    body = text.split('"""', 2)[2]
    assert said == set(re.findall(r"LT-\d", body))


def test_the_page_names_every_law() -> None:
    page = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    named = set(
        re.findall(r'(?:_hold|LawBroken)\("([a-z ]+)"', Path(laws.__file__).read_text(encoding="utf-8"))
    )
    listed = {
        name.strip() for row in re.findall(r"^\| ([a-z ,]+) \| ", page, re.M) for name in row.split(",")
    }
    assert named <= listed, named - listed


def test_the_code_on_the_page_runs() -> None:
    page = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    block = re.findall(r"```python\n(.*?)```", page, re.S)[0]
    paths = os.pathsep.join([str(ROOT / "src"), str(EXAMPLE.parent)])
    command = [sys.executable, "-c", block]
    told = subprocess.run(command, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr


def test_another_package_is_found_by_its_entry_point(tmp_path: Path) -> None:
    """An installed package as pip leaves it: the module and its metadata on the path."""
    (tmp_path / "last_trick.py").write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    metadata = tmp_path / "last_trick-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: last-trick\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[nousu.games]\nlast_trick = last_trick:GAME\n")
    paths = os.pathsep.join([str(tmp_path), str(ROOT / "src")])
    main = "from nousu.cli import main; main()"
    for arguments, said in (
        (["presets"], "last_trick_plain"),
        (["presets", "last_trick"], "So many points win the match."),
        (["simulate", "last_trick+target=2", "--hands", "20", "--seats", "3"], "20 hands"),
    ):
        command = [sys.executable, "-c", main, *arguments]
        told = subprocess.run(command, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True)
        assert told.returncode == 0, told.stderr
        assert said in told.stdout
