"""Drawings of the documents: Mermaid in the pages, SVG in the site.

A page holds the source of a drawing, whose first line names it: ``%% rooms: what the drawing shows``. The
site shows docs/img/rooms.svg in its place, so that it needs no script. ``python packaging/drawings.py
MERMAID_JS`` renders all drawings whose source has changed, with Playwright, a Chromium (named by CHROMIUM, or
found) and the file dist/mermaid.min.js of the npm package ``mermaid``.
"""

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parent.parent / "docs"
IMAGES = DOCS / "img"
BLOCK = re.compile(r"^```mermaid\n(%% (\w+): ([^\n]+)\n.*?)^```$", re.DOTALL | re.MULTILINE)
CONFIGURATION = """{
  startOnLoad: false, theme: "neutral", fontFamily: "sans-serif", htmlLabels: false,
  flowchart: {htmlLabels: false, rankSpacing: 18, nodeSpacing: 18, wrappingWidth: 400, padding: 8},
  deterministicIds: true
}"""


class Drawing(NamedTuple):
    """The source of one drawing, its name and what it shows."""

    source: str
    name: str
    title: str

    @property
    def image(self) -> Path:
        """The file that the site shows."""
        return IMAGES / f"{self.name}.svg"

    @property
    def mark(self) -> str:
        """The comment by which the image names its source."""
        return f"<!-- {hashlib.sha256(self.source.encode()).hexdigest()} -->"


def drawings(text: str) -> Iterator[Drawing]:
    """Find the drawings of a page."""
    return (Drawing(*found) for found in BLOCK.findall(text))


def all_drawings() -> list[Drawing]:
    """Find the drawings of all pages."""
    pages = sorted(DOCS.rglob("*.md"))
    return [drawing for page in pages for drawing in drawings(page.read_text("utf-8"))]


def stale(drawing: Drawing) -> bool:
    """Whether the image is missing or was rendered from another source."""
    return not drawing.image.exists() or drawing.mark not in drawing.image.read_text("utf-8")


def with_images(text: str, folder: str) -> str:
    """Put images in place of the sources of a page; `folder` is the path from the page to docs/img."""
    return BLOCK.sub(lambda found: f"![{found[3]}]({folder}/{found[2]}.svg)", text)


def render(script: Path, wanted: list[Drawing]) -> None:
    """Render drawings with Mermaid and write their images."""
    from playwright.sync_api import sync_playwright

    names = ("chromium-headless-shell", "chromium")
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.add_script_tag(path=script)
        page.evaluate(f"mermaid.initialize({CONFIGURATION})")
        for drawing in wanted:
            svg = page.evaluate(
                "async ([name, source]) => (await mermaid.render(name, source)).svg",
                [drawing.name, drawing.source],
            )
            if f'<svg id="{drawing.name}"' not in svg:  # its styles name it
                svg = svg.replace("<svg", f'<svg id="{drawing.name}"', 1)
            drawing.image.write_text(f"{svg}\n{drawing.mark}\n", "utf-8")
            print(drawing.image.name, file=sys.stderr)
        browser.close()


if __name__ == "__main__":
    render(Path(sys.argv[1]), [drawing for drawing in all_drawings() if stale(drawing)])
