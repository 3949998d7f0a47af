"""Parts of the site that are made when it is built: the atlas, the tables of the environments, the list of
ASVS, the drawings.

MkDocs calls these functions (``hooks`` in mkdocs.yml).
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import drawings

ROOT = Path(__file__).parent.parent
ATLAS = "research/atlas.md"
ASVS = "<!-- list: asvs.jsonl -->"
ENVIRONMENTS = "<!-- tables: python -m nousu.env -->"


def atlas_page() -> str:
    """Render the page of the atlas from its tables."""
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    from tools.atlas import tables
    from tools.atlas.page import page

    return str(page(tables()))


def environment_tables() -> str:
    """Render the tables of observations and actions of all families."""
    command = [sys.executable, "-m", "nousu.env"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def asvs_list() -> str:
    """Render the requirements of ASVS and how each is met."""
    lines = (ROOT / "docs" / "host" / "asvs.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    form = "- {ids}: {about} – **{how}**: {where}"
    return "\n".join(form.format_map(row | {"ids": " ".join(row["requirements"])}) for row in rows)


def on_files(files: Any, config: Any) -> Any:
    """MkDocs: add the page of the atlas."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, ATLAS, content=atlas_page()))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """MkDocs: put tables and drawings in place of their markers and sources."""
    for marker, render in ((ENVIRONMENTS, environment_tables), (ASVS, asvs_list)):
        if marker in markdown:
            markdown = markdown.replace(marker, render())
    return drawings.with_images(markdown, "../" * page.file.src_uri.count("/") + "img")
