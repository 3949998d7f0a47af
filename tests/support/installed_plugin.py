"""A package of others with only a game file, as pip installs it: for tests."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "last_trick.py"


def installed(folder: Path) -> str:
    """The module search path on which the game of docs/develop/add-a-game.md is installed in `folder`."""
    folder.mkdir(exist_ok=True)
    (folder / "last_trick.py").write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    metadata = folder / "last_trick-1.0.dist-info"
    metadata.mkdir(exist_ok=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: last-trick\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[nousu.games]\nlast_trick = last_trick:GAME\n")
    return os.pathsep.join([str(folder), str(ROOT / "src")])
