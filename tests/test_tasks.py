"""The tasks of docs/research/tasks: thirty lines of code a page, run as they stand, commands included."""

import io
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from nousu.cli import app
from nousu.solver import native

TASKS = Path(__file__).parents[1] / "docs" / "research" / "tasks"
NAMES = ["hands", "pimc", "aec", "openspiel", "bot", "solve", "arena", "train"]
NUMPY_ALONE = ["hands", "pimc", "aec", "solve"]
"""Pages whose first code runs where there is no other package."""
LONG = {"solve"}
"""Pages that take a while: twenty stand for a thousand where tests are to be quick."""
BLOCK = re.compile(
    r"(?:(?:[Ii]n|to)\s+a\s+file\s+`([\w.]+)`:\n\n)?^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True)
class Block:
    """What stands between two fences of a page."""

    file: str
    """The name of the file that the page says it is in, or nothing."""
    kind: str
    text: str


def blocks(name: str) -> list[Block]:
    """All of a page, in order."""
    return [Block(*found) for found in BLOCK.findall((TASKS / f"{name}.md").read_text("utf-8"))]


def first_code(name: str, quick: bool = True) -> str:
    """The first Python of a page."""
    code = next(block.text for block in blocks(name) if block.kind == "python")
    return fewer(code) if quick else code


def fewer(code: str) -> str:
    """The same with twenty for a thousand."""
    return code.replace("range(1000)", "range(20)")


def lines(name: str) -> int:
    """How many lines of code a page has."""
    code = [block.text for block in blocks(name) if block.kind in ("python", "sh")]
    return sum(bool(line.strip()) for text in code for line in text.splitlines())


def test_task_is_thirty_lines_and_can_be_found(subtests: pytest.Subtests) -> None:
    for name in NAMES:
        with subtests.test(name=name):
            assert 5 <= lines(name) <= 30
            assert {block.kind for block in blocks(name)} <= {"python", "sh", "text"}
            assert f"research/tasks/{name}.md" in (TASKS.parents[2] / "mkdocs.yml").read_text("utf-8")
            assert f"(tasks/{name}.md)" in (TASKS.parent / "index.md").read_text("utf-8")


def test_page_of_the_folder_is_a_task() -> None:
    assert {path.stem for path in TASKS.glob("*.md")} == set(NAMES)


def command(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for a shell: run, or only understood where its comment says that it takes minutes."""
    code, _, comment = line.partition(" #")
    words = shlex.split(code)
    while "=" in words[0]:
        monkeypatch.setenv(*words.pop(0).split("=", 1))
    monkeypatch.syspath_prepend(".")
    assert words.pop(0) == "nousu"
    if "minute" in comment:
        group = typer.main.get_command(app)
        assert isinstance(group, typer.core.TyperGroup)
        with group.make_context("nousu", words[:]) as context:
            name, found, rest = group.resolve_command(context, words)
            assert found is not None
            found.make_context(name, rest, parent=context)
        return
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0 and result.stdout, f"{line}\n{result.output}"


def run(name: str, quick: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """All code of a page in its order, in the folder where this is; what is shown after it is what it
    prints."""
    printed = ""
    for block in blocks(name):
        if block.file:
            Path(block.file).write_text(block.text, "utf-8")
        if block.kind == "python":
            code = fewer(block.text) if quick and name in LONG else block.text
            monkeypatch.setattr(sys, "stdin", io.StringIO())
            exec(compile(code, f"docs/research/tasks/{name}.md", "exec"), {"__name__": "__main__"})
            printed = capsys.readouterr().out
            assert printed.strip() or block.file
        elif block.kind == "sh":
            for line in block.text.splitlines():
                command(line, monkeypatch)
        elif not block.file and not (quick and name in LONG):
            assert printed == block.text


@pytest.mark.skipif(bool(native.missing), reason="there is no compiled core")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.usefixtures("fresh_player_modules")
@pytest.mark.parametrize(
    ("name", "quick"),
    [(name, True) for name in NAMES] + [pytest.param(name, False, marks=pytest.mark.slow) for name in LONG],
)
def test_page_runs(
    name: str,
    quick: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    run(name, quick, monkeypatch, capsys)


ALONE = """
import sys
from importlib.machinery import PathFinder

class NumPyAlone(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        found = super().find_spec(name, path, target)
        if found and "." not in name and name not in ("numpy", "nousu") and "-packages" in str(found.origin):
            raise ImportError(f"{name} is neither NumPy nor of nousu")
        return found

sys.meta_path[sys.meta_path.index(PathFinder)] = NumPyAlone
"""


@pytest.mark.skipif(bool(native.missing), reason="there is no compiled core")
def test_first_tasks_need_nothing_but_numpy() -> None:
    """In one fresh interpreter that finds no other package; tests/package does it with a wheel."""
    tasks = "\n".join(f"exec({first_code(name)!r}, {{'__name__': '__main__'}})" for name in NUMPY_ALONE)
    for code, fails in ((ALONE + tasks, False), (ALONE + "import hypothesis", True)):
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert bool(result.returncode) == fails, result.stderr
