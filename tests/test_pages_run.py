"""The examples of the pages for researchers run as they stand, each by itself, and the notebooks."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from nousu.solver import native
from test_tasks import NAMES

DOCS = Path(__file__).parents[1] / "docs" / "research"
sys.path.append(str(DOCS.parents[1] / "packaging"))
import notebooks  # noqa: E402 – no part of the package

PAGES = [
    "research/adapters",
    "research/data",
    "research/review",
    "research/solver",
    "develop/records",
    "develop/add-a-game",
    "../README",
]
"""Pages with examples; environments.md, first-change.md and the tasks have tests of their own."""


def examples() -> list[tuple[str, int, str]]:
    """Each example with its page and the line at which it begins."""
    found: list[tuple[str, int, str]] = []
    for page in PAGES:
        text = (DOCS.parent / f"{page}.md").read_text("utf-8")
        blocks = re.finditer(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        found += [(page, text[: one.start()].count("\n") + 2, one[1]) for one in blocks]
    return found


@pytest.mark.skipif(bool(native.missing), reason="there is no compiled core")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("page", "line", "code"), examples(), ids=lambda value: str(value)[:12])
def test_example_runs(
    page: str, line: int, code: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(DOCS.parent / "examples")
    assert sum(bool(written.strip()) for written in code.splitlines()) <= 30
    exec(compile("\n" * (line - 1) + code, f"docs/{page}.md", "exec"), {})
    assert capsys.readouterr().out.strip() or "print" not in code


def test_no_example_is_left_out() -> None:
    """What is marked as Python runs; forms and fragments are marked as text."""
    tasks = {f"research/tasks/{task}" for task in NAMES}
    own = {*PAGES, *tasks, "research/environments", "develop/first-change"}
    root = DOCS.parents[1]
    pages = [*root.glob("*.md"), *DOCS.parent.rglob("*.md")]
    marked = {path for path in pages if "```python" in path.read_text("utf-8")}
    assert {path.resolve() for path in marked} == {(DOCS.parent / f"{page}.md").resolve() for page in own}


def result(notebook: dict[str, Any]) -> list[list[str]]:
    """The kinds of what each cell of code prints and shows."""
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [[kind for one in cell["outputs"] for kind in one.get("data", ["printed"])] for cell in code]


@pytest.mark.skipif(bool(native.missing), reason="there is no compiled core")
@pytest.mark.parametrize("path", notebooks.notebooks(), ids=lambda path: str(path.stem))
def test_notebook_runs_and_keeps_what_it_shows(path: Path) -> None:
    kept = json.loads(path.read_text("utf-8"))
    assert result(kept) == result(notebooks.run(path))
    assert all(result(kept)), "a cell shows nothing"
    assert f"notebooks/{path.stem}.md" in (DOCS.parents[1] / "mkdocs.yml").read_text("utf-8")
    code = [cell for cell in kept["cells"] if cell["cell_type"] == "code"]
    assert all("".join(cell["source"]) in notebooks.page(path) for cell in code)


def test_notebooks_exist_to_play_to_solve_and_to_train() -> None:
    assert [path.stem for path in notebooks.notebooks()] == ["play", "solve", "train"]
