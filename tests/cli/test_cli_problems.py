"""``nousu problems check`` judges the file that was named, and nothing that is no problem passes."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from nousu.cli import app
from nousu.teaching.problems import PROBLEMS

RUN = CliRunner()
LINE = (PROBLEMS / "fold.jsonl").read_text("utf-8").splitlines()[0]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "holds no problems"),
        ("\n\n", "holds no problems"),
        ("Uwe\nKai\n", "line 1, is no problem: it is no JSON"),
        ("[1, 2]\n", "line 1, is no problem: it is no row of a problem"),
        ("{}\n", "line 1, is no problem: it has no id"),
        (f"{LINE}\n{LINE[:50]}\n", "line 2, is no problem: "),
        (LINE.replace("tuppen_zk", "patience"), "line 1, is no problem: there is no preset"),
        (LINE.replace('"fold-', '"chess-'), "line 1, is no problem: there is no theme mine"),
    ],
)
def test_problem_command_names_a_file_of_another_kind(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(text, "utf-8")
    result = RUN.invoke(app, ["problems", "check", str(path)])
    assert result.exit_code == 2, result.output
    assert reason in result.stderr and str(path) in result.stderr


def test_the_problems_of_the_file_are_judged(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(f"\n{LINE}\n", "utf-8")
    result = RUN.invoke(app, ["problems", "check", str(path)])
    assert result.exit_code == 0 and result.stdout == "1 problem holds\n"
    wrong = '"right": ["' + "N play SA" + '"]'
    path.write_text(LINE[: LINE.index('"right"')] + wrong + LINE[LINE.index(', "second"') :], "utf-8")
    result = RUN.invoke(app, ["problems", "check", str(path)])
    assert result.exit_code == 1 and "mine.jsonl, line 1: N play SA is not best" in result.stderr
