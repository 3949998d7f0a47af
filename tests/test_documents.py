"""The documents: names, links, commands and figures in them are true, and their form is that of the house."""

import json
import re
import sys
from collections.abc import Iterator

from test_house import ROOT
from tools import results_pages

sys.path.append(str(ROOT / "packaging"))
import drawings

DOCS = ROOT / "docs"
PAGES = [*sorted(DOCS.rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
BUILT = {"research/atlas.md", *(f"research/notebooks/{name}.md" for name in ("play", "solve", "train"))}
"""Pages that are made when the site is built."""
LINES, WIDTH = 4000, 120
DATE = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December) 20\d\d\b"
    r"|\b20\d\d-\d\d-\d\d\b"
)
WALKS = (DOCS / "develop" / "architecture.md").read_text("utf-8").split("\n## ")[1:]
FILE = re.compile(r"`((?:[\w.]+/)+[\w.]+|\w+\.(?:py|h|cpp|js))`(:?)")
NAME = re.compile(r"`([A-Za-z_][\w.]*)`")
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[\w-]+)?\)")
INNER = {"server", "terminal", "cli", "i18n", "teaching"}
"""Packages that are no library: the reference leaves them out, and says so."""


def files_named() -> Iterator[tuple[str, str]]:
    """Every file that a walk names, and the name that stands behind a file and a colon."""
    for walk in WALKS:
        pieces = FILE.split(walk)
        for path, colon, rest in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
            sentence = re.split(r"[.;](?:\s|$)", rest, maxsplit=1)[0]
            names = NAME.findall(sentence)[:1] if colon else []
            yield path, names[0] if names else ""


def test_names_of_the_architecture_exist() -> None:
    found = list(files_named())
    assert sum(bool(name) for _, name in found) >= 20
    for path, name in found:
        source = ROOT / path if path.startswith("cpp/") else ROOT / "src" / "nousu" / path
        text = source.read_text("utf-8")
        if name:
            *outer, last = name.split(".")
            defined = rf"\b(?:def|class|struct|function) {last}\b|^{last}\b.*="
            assert re.search(defined, text, re.MULTILINE), f"{path}: {name}"
            assert all(re.search(rf"\bclass {part}\b", text) for part in outer), name


def test_pages_are_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8").partition("nav:")[2]
    pages = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")} | BUILT
    listed = set(re.findall(r": ([\w/.-]+\.md)$", navigation, re.MULTILINE))
    decisions = (DOCS / "decisions" / "README.md").read_text("utf-8")
    linked = {f"decisions/{name}" for name in LINK.findall(decisions)}
    assert pages - listed == linked
    assert listed <= pages


def test_links_lead_to_files() -> None:
    for page in PAGES:
        for target in LINK.findall(page.read_text("utf-8")):
            path = (page.parent / target).resolve()
            assert path.exists() or path.relative_to(DOCS).as_posix() in BUILT, f"{page.name}: {target}"


def test_pages_are_short_and_narrow_and_without_dates() -> None:
    texts = {page: page.read_text("utf-8") for page in PAGES}
    assert sum(text.count("\n") for text in texts.values()) <= LINES
    for page, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            assert len(line) <= WIDTH, f"{page.name}, line {number}"
            if page.parent.name != "rules":  # where sources have dates
                assert not DATE.search(line), f"{page.name}, line {number}: {line}"


def test_figures_are_those_of_the_data() -> None:
    pages = results_pages.pages()
    assert len(pages) >= 6
    for page in pages:
        text = page.read_text("utf-8")
        assert results_pages.rendered(text) == text, f"{page.name}: python tools/results_pages.py"


def test_rows_of_figures_say_where_they_come_from() -> None:
    for path in sorted(results_pages.RESULTS.glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            row = json.loads(line)
            lacking = [field for field in results_pages.FIELDS if field not in row]
            assert not lacking, f"{path.name}, line {number}: {lacking}"
            assert re.fullmatch(r"20\d\d-\d\d-\d\d", row["date"]), f"{path.name}, line {number}"
            assert re.fullmatch(r"[0-9a-f]{7,40}", row["commit"]), f"{path.name}, line {number}"
            assert isinstance(row["value"], int | float), f"{path.name}, line {number}"
            assert ("low" in row) == ("high" in row), f"{path.name}, line {number}"


def test_drawings_are_those_of_their_sources() -> None:
    found = drawings.all_drawings()
    assert len({drawing.name for drawing in found}) == len(found) >= 3
    for drawing in found:
        assert not drawings.stale(drawing), f"{drawing.image.name}: python packaging/drawings.py MERMAID_JS"


def test_reference_has_every_public_name() -> None:
    """A directive shows a package with all its modules; only inner rooms have none."""
    pages = "\n".join(page.read_text("utf-8") for page in (DOCS / "reference").glob("*.md"))
    shown = re.findall(r"^::: nousu(?:\.(\w+))?$", pages, re.MULTILINE)
    source = ROOT / "src" / "nousu"
    modules = {path.stem for path in source.glob("[!_]*.py")}
    packages = {path.parent.name for path in source.glob("*/__init__.py")}
    assert len(shown) == len(set(shown))
    assert set(shown) == (modules | packages | {""}) - INNER
    settings = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert "show_submodules: true" in settings and "show_if_no_docstring: true" in settings
    assert settings.count("filters:") == 1 and 'filters: ["!^_"]' in settings


def test_benchmarks_start_as_documents_say() -> None:
    """As modules of the package: ``python -m bench.load``."""
    bench = ROOT / "bench"
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *bench.rglob("*.md"), *bench.rglob("*.py")]
    for page in pages:
        text = page.read_text("utf-8")
        assert not re.search(r"python3? bench/", text), f"{page.name}: python bench/…"
        for name in re.findall(r"python3? -m bench\.([\w.]+\w)", text):
            path = bench / name.replace(".", "/")
            assert path.with_suffix(".py").exists() or path.is_dir(), f"{page.name}: python -m bench.{name}"
