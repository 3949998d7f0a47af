"""The architecture page names files and functions that exist."""

import re
from pathlib import Path

import pytest

from test_house import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WALKS = PAGE.split("\n## ")[1:]
FILE = re.compile(r"`((?:[\w.]+/)+[\w.]+|\w+\.(?:py|h|cpp|js))`(:?)")
NAME = re.compile(r"`([A-Za-z_][\w.]*)`")


def named() -> list[tuple[str, str]]:
    """Every (file, name) of a step: names that stand behind a file and a colon, up to the next file."""
    found = []
    for walk in WALKS:
        pieces = FILE.split(walk)
        for path, colon, rest in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
            found.append((path, ""))
            sentence = re.split(r"[.;](?:\s|$)", rest, maxsplit=1)[0]
            if colon:
                found += [(path, name) for name in NAME.findall(sentence)[:1]]
    return found


def source(path: str) -> Path:
    return ROOT / path if path.startswith("cpp/") else ROOT / "src" / "nousu" / path


def test_the_page_has_four_walks() -> None:
    assert len(WALKS) == 4
    assert sum(bool(name) for _, name in named()) >= 20


@pytest.mark.parametrize(("path", "name"), named())
def test_what_a_walk_names_exists(path: str, name: str) -> None:
    text = source(path).read_text(encoding="utf-8")
    if name:
        *outer, last = name.split(".")
        assert re.search(rf"\b(?:def|class|struct|function) {last}\b|^{last}\b.*=", text, re.MULTILINE), name
        assert all(re.search(rf"\bclass {one}\b", text) for one in outer), name


def test_every_document_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert {page for page in pages if f"({page})" not in index} == set()


def test_links_between_documents_lead_somewhere() -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[\w-]+)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


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
