"""The notebooks of docs/research/notebooks: run as they stand, and shown as pages of the site.

``python packaging/notebooks.py`` runs them all and writes what they print and show into them; MkDocs (`hooks`
in mkdocs.yml) shows what stands in them. Cells run in this process, so nothing but the package is needed.
"""

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

from nousu.notebook.html import html
from nousu.notebook.svg import svg

NOTEBOOKS = Path(__file__).parent.parent / "docs" / "research" / "notebooks"
DISPLAYS = {"text/html": html, "image/svg+xml": svg}
"""The displays of a value in a notebook, by media type."""


def notebooks() -> list[Path]:
    """The files, by name."""
    return sorted(NOTEBOOKS.glob("*.ipynb"))


def run(path: Path) -> dict[str, Any]:
    """Run the cells of a notebook one after another; returns it with what they print and show."""
    notebook: dict[str, Any] = json.loads(path.read_text("utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(code, start=1):
        cell["execution_count"] = number
        cell["outputs"] = _outputs("".join(cell["source"]), f"{path.name}, cell {number}", names, number)
    return notebook


def _outputs(source: str, name: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    body = ast.parse(source, name).body
    last = ast.Expression(body.pop().value) if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), name, "exec"), names)
        value = None if last is None else eval(compile(last, name, "eval"), names)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        found.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        data = {kind: text for kind, display in DISPLAYS.items() if (text := display(value)) is not None}
        result = {"output_type": "execute_result", "execution_count": number, "metadata": {}}
        found.append(result | {"data": data | {"text/plain": repr(value)}})
    return found


def page(path: Path) -> str:
    """The notebook as a page of Markdown: its text, its code, and the outcome that stands in it."""
    parts = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            text = "".join(output.get("text", ""))
            data = {kind: "".join(value) for kind, value in output.get("data", {}).items()}
            shown = next((data[kind] for kind in DISPLAYS if kind in data), "")
            parts.append(f"<div>{shown}</div>" if shown else f"```text\n{text or data['text/plain']}\n```")
    return "\n\n".join([*parts, f"*As a notebook: [{path.name}]({path.name}).*\n"])


def on_files(files: Any, config: Any) -> Any:
    """MkDocs: a page for each notebook, ``notebooks/NAME.md``; the notebook itself lies beside it."""
    from mkdocs.structure.files import File

    for path in notebooks():
        name = f"research/notebooks/{path.stem}.md"
        files.append(File.generated(config, name, content=page(path)))
    return files


if __name__ == "__main__":
    for path in notebooks():
        text = json.dumps(run(path), indent=1, ensure_ascii=False) + "\n"
        path.write_text(text, "utf-8")
        print(path.name, file=sys.stderr)
