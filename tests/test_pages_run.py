"""The examples of the pages for researchers run as they stand, each by itself."""

import re
from pathlib import Path

import pytest

from nousu.env.lanes import uncompiled

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ["adapters", "data", "baselines", "research"]


def examples() -> list[tuple[str, int, str]]:
    """Each example with its page and the line at which it begins."""
    found: list[tuple[str, int, str]] = []
    for page in PAGES:
        text = (DOCS / f"{page}.md").read_text("utf-8")
        blocks = re.finditer(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        found += [(page, text[: one.start()].count("\n") + 2, one[1]) for one in blocks]
    return found


@pytest.mark.skipif(bool(uncompiled()), reason="there is no compiled core")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("page", "line", "code"), examples(), ids=lambda value: str(value)[:12])
def test_the_example_runs(page: str, line: int, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert sum(bool(written.strip()) for written in code.splitlines()) <= 30
    exec(compile("\n" * (line - 1) + code, f"docs/{page}.md", "exec"), {})
    assert capsys.readouterr().out.strip()
