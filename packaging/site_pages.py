"""Parts of the site that are made when it is built: the page of the atlas and the tables of the environments.

MkDocs calls these functions (``hooks`` in mkdocs.yml).
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
ATLAS = "research/atlas.md"
ENVIRONMENTS = "<!-- tables: python -m nousu.env -->"


def atlas_page() -> str:
    """Render the page of the atlas from its tables."""
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    from tools.atlas import tables
    from tools.atlas.page import page

    return page(tables())


def environment_tables() -> str:
    """Render the tables of observations and actions of all families."""
    command = [sys.executable, "-m", "nousu.env"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def on_files(files: Any, config: Any) -> Any:
    """MkDocs: add the page of the atlas."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, ATLAS, content=atlas_page()))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """MkDocs: put the tables of the environments in place of their marker."""
    return markdown.replace(ENVIRONMENTS, environment_tables()) if ENVIRONMENTS in markdown else markdown
