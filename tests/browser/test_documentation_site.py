"""The documentation site builds strictly; its reference is whole and readable, and nothing on it is cut."""

import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

pytest.importorskip("mkdocs", reason="MkDocs is not installed: pip install --group docs")
pytest.importorskip("mkdocstrings", reason="mkdocstrings is not installed: pip install --group docs")

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
GUIDES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
INNER = {"server", "terminal", "cli", "i18n", "teaching"}
"""Packages that are no library (test_documents.py)."""
PYTHON = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
IMPORT = re.compile(r"^from (nousu[\w.]*) import (?:\(([^)]*)\)|(.*))$", re.MULTILINE)
CUT = """() => {
  const cut = [];
  for (const box of document.querySelectorAll("table, pre")) {
    let right = box.getBoundingClientRect().right, hidden = false;
    for (let outer = box.parentElement; outer; outer = outer.parentElement) {
      const overflow = getComputedStyle(outer).overflowX, edge = outer.getBoundingClientRect().right;
      if (["hidden", "clip"].includes(overflow) && right > edge + 1) hidden = true;
      if (["auto", "scroll"].includes(overflow)) right = Math.min(right, edge);
    }
    if (hidden || right > document.documentElement.clientWidth + 1) cut.push(box.innerText.slice(0, 60));
  }
  return cut;
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)]
    surroundings = os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONWARNINGS": "ignore"}
    run = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return folder


def reference(site: Path) -> str:
    """All pages of the API reference."""
    return "\n".join(page.read_text("utf-8") for page in (site / "reference").rglob("*.html"))


def names_in_guides() -> Iterator[tuple[str, str, str]]:
    """Each public name that an example imports: the guide, the module, the name."""
    for guide in GUIDES:
        for block in PYTHON.findall(guide.read_text("utf-8")):
            for module, many, line in IMPORT.findall(block):
                for name in re.sub(r"#.*", "", many or line).split(","):
                    if words := name.split():
                        yield guide.name, module, words[0]
            for name in re.findall(r"\bnousu\.([a-z_]+)\(", block):
                yield guide.name, "nousu", name


def test_examples_of_docstrings_are_code(site: Path) -> None:
    pages = reference(site)
    assert "<blockquote>" not in pages
    outside = re.sub(r"<pre>.*?</pre>", "", pages, flags=re.DOTALL)
    assert "&gt;&gt;&gt;" in pages and "&gt;&gt;&gt;" not in outside
    assert not re.search(r"<p>[^<]*::</p>", pages)


def test_reference_has_every_name_that_a_guide_uses(site: Path) -> None:
    shown = set(re.findall(r'id="(nousu[\w.]*)"', reference(site)))
    used = sorted(set(names_in_guides()))
    assert len(used) > 30
    missing = []
    for guide, module, name in used:
        if module.split(".")[1:2] and module.split(".")[1] in INNER:
            continue
        thing = getattr(importlib.import_module(module), name, None)
        home = getattr(thing, "__module__", None) or module
        ids = {f"{module}.{name}", f"{home}.{name}"}
        if not ids & shown and not any(one.startswith(module) and one.endswith(f".{name}") for one in shown):
            missing.append(f"{guide}: {module}.{name}")
    assert not missing, missing


@pytest.mark.browser
@pytest.mark.parametrize("width", [1200, 390])
def test_tables_and_code_are_never_cut(site: Path, browser: Browser, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    for path in sorted(site.rglob("index.html")):
        page.goto(path.as_uri())
        assert page.evaluate(CUT) == [], path.parent.name
        wider = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert not wider, path.parent.name
    page.close()
