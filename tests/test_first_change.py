"""The changes of docs/develop/first-change.md, applied to a copy of the package and played."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "develop" / "first-change.md").read_text("utf-8")


def block(language: str, word: str) -> str:
    """The block of code of the page that holds a word."""
    blocks = re.findall(rf"```{language}\n(.*?)\n *```", PAGE, re.DOTALL)
    (code,) = [dedent(code) for code in blocks if word in code]
    return code


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package."""
    shutil.copytree(ROOT / "src" / "nousu", tmp_path / "nousu", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "nousu"


def edit(path: Path, anchor: str, new: str) -> None:
    """Put `new` before the first line that begins with `anchor`."""
    text = path.read_text("utf-8")
    assert anchor in text, f"{path.name} has no line {anchor!r}"
    path.write_text(text.replace(anchor, new + anchor, 1), "utf-8")


COPY_FIRST = """
import runpy, sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "Redirecting" not in type(finder).__name__]
sys.path.insert(0, {folder!r})
if sys.argv[1] == "-c":
    exec(sys.argv[2])
else:
    sys.argv = sys.argv[2:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
"""A program that imports the copy also where the package is installed as editable."""


def run(copy: Path, *arguments: str) -> str:
    """Output of a Python program that imports the copy."""
    environment = os.environ | {"NOUSU_BY": "Ellen"}
    start = COPY_FIRST.format(folder=str(copy.parent))
    done = subprocess.run(
        [sys.executable, "-c", start, *arguments],
        env=environment,
        cwd=copy.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


PLAYED = """
from random import Random
import nousu
from nousu.engine.laws import check, random_match
from nousu.games.whist import score
assert nousu.__file__.startswith({folder!r}), nousu.__file__
game, rules = nousu.find("tuppi+sweep_bonus=10")
print(score(rules, "high", 0, (13, 0)), score(rules, "high", 0, (9, 4)))
check(game, rules, 4, Random(1), hands=2)
*_, (match, _) = random_match(game, rules, 4, Random(2), hands=3)
assert nousu.read(nousu.write(match)).match == match and "sweep_bonus=10" in nousu.write(match)
"""


def test_option_of_the_page_is_played(copy: Path) -> None:
    games = copy / "games" / "whist"
    edit(games / "rules.py", "    high_fail_debit: int", indent(block("python", "option("), "    ") + "\n")
    edit(
        games / "standing.py",
        "    return points[0], points[1]",
        indent(block("python", "+= rules"), "    ") + "\n",
    )
    edit(games / "sources.toml", "high_fail_debit = ", block("toml", "sweep_bonus") + "\n")
    assert run(copy, "-c", PLAYED.format(folder=str(copy))).strip() == "(38, 0) (12, 0)"
    assert "sweep_bonus" in run(copy, "-m", "nousu", "presets", "tuppi")


PRESSED = """
from starlette.testclient import TestClient
from nousu.server.app import create_app
from nousu.server.settings import load_settings
flags = {{"database": {database!r}, "workers": "0", "limits": "off"}}
with TestClient(create_app(load_settings(flags))) as client:
    page = client.get("/problems").text
    label = page.partition('href="/problems/any">')[2].partition("<")[0]
    problem = client.get("/problems/any")
    print(label, problem.status_code, problem.url.path.rpartition("/")[0])
"""


def test_button_of_the_page_is_pressed(copy: Path) -> None:
    problems = copy / "server" / "pages" / "learn" / "problems.py"
    edit(problems, "from collections.abc import Iterator", "from random import choice\n")
    edit(
        problems,
        "from starlette.responses import Response",
        "from starlette.responses import RedirectResponse\n",
    )
    edit(problems, "async def problem(", block("python", "any_problem") + "\n\n\n")
    edit(
        problems,
        '        get(server, "/problems/{theme}',
        '        get(server, "/problems/any", any_problem),\n',
    )
    edit(copy / "server" / "templates" / "problems.html", "    </div>", block("html", "Any problem") + "\n")
    shown = run(copy, "-c", PRESSED.format(database=str(copy.parent / "tables.db"))).strip()
    assert re.fullmatch(r"Any problem 200 /problems/\w+", shown), shown


def test_format_of_the_page_holds_an_event(copy: Path) -> None:
    formats = copy / "tournament" / "formats"
    imports = (
        "from dataclasses import dataclass\nfrom typing import ClassVar\n\n"
        "from nousu.engine.messages import sentence\nfrom nousu.tournament.formats.drive import Drive\n\n\n"
    )
    (formats / "huutopussi.py").write_text(imports + block("python", "HuutopussiEvening") + "\n", "utf-8")
    edit(
        formats / "__init__.py",
        "from nousu.tournament.formats.tuppen import",
        "from nousu.tournament.formats.huutopussi import HuutopussiEvening\n",
    )
    edit(formats / "__init__.py", '    "drive": Drive,\n', '    "huutopussi": HuutopussiEvening,\n')
    command = ("-m", "nousu", "tournament")
    run(copy, *command, "new", "e.nousu", "--name", "Test", "--format", "huutopussi")
    people = ["Aino & Eero", "Kaisa & Kerttu", "Lea & Jan", "Uwe & Inge"]
    run(copy, *command, "players", "e.nousu", *people)
    run(copy, *command, "draw", "e.nousu", "--seed", "x")
    assert "8" in run(copy, *command, "plan", "e.nousu")
    assert "Aino" in run(copy, *command, "standings", "e.nousu")
