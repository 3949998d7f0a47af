"""Trace of the clauses: the code that implements each of them, and the tests that prove it.

``python -m tools.trace_clauses`` reads the repository and writes the rule pages in ``docs/play/rules``
and ``clause_trace.json``, from which an installed package reads the trace (`nousu.teaching.clauses`).
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import Any

from nousu.engine.options import differences, options, value_text
from nousu.games import games
from nousu.i18n.families import RulePage, families
from nousu.teaching.clauses import TRACE, Trace, clauses, clauses_in, sources
from nousu.teaching.page import markdown_lines

ROOT = Path(__file__).parent.parent
PACKAGES = ("engine", "games", "tournament", "server")
"""The packages that implement clauses; elsewhere an id is only an example."""
WIDTH = 119
"""The width of lines in the rule pages."""
_ID = re.compile(r"\b([A-Z]+-[A-Z]+-)([0-9A-Za-z]+)(?:…(\d+))?")


@cache
def trace(root: Path = ROOT) -> Mapping[str, Trace]:
    """Code and tests of every clause by its id, read from a repository."""
    code: dict[str, list[str]] = {id: [] for id in clauses()}
    tests: dict[str, list[str]] = {id: [] for id in clauses()}
    package = root / "src" / "nousu"
    for path in sorted(path for name in PACKAGES for path in (package / name).rglob("*.py")):
        _add(code, path.relative_to(package), _code_places(path.read_text(encoding="utf-8")))
    for path in sorted((root / "tests").rglob("test_*.py")):
        _add(tests, path.relative_to(root / "tests"), clause_marks(path.read_text(encoding="utf-8")))
    return {id: Trace(tuple(code[id]), tuple(tests[id])) for id in clauses()}


def _add(table: dict[str, list[str]], path: Path, places: Iterator[tuple[str, str]]) -> None:
    for id, name in places:
        place = f"{path.as_posix()} {name}".strip()
        if id in table and place not in table[id]:
            table[id].append(place)


def ids_in(text: str) -> Iterator[str]:
    """The clause ids in a line of code; ``T-CAT-03…06`` names all from 03 to 06."""
    for prefix, number, last in _ID.findall(text):
        yield prefix + number
        if last and number.isdigit():
            yield from (f"{prefix}{n:02}" for n in range(int(number) + 1, int(last) + 1))


def _code_places(text: str) -> Iterator[tuple[str, str]]:
    """Each id of a module with the name of the definition, class or field around it."""
    spans = sorted(_spans(ast.parse(text), ""))
    for number, line in enumerate(text.splitlines(), 1):
        for id in ids_in(line):
            around = [name for first, last, name in spans if first <= number <= last]
            yield id, around[-1] if around else ""


def _spans(node: ast.AST, prefix: str) -> Iterator[tuple[int, int, str]]:
    """First line, last line and name of every definition and field; local variables are left out."""
    for child in ast.iter_child_nodes(node):
        last = getattr(child, "end_lineno", None) or 0
        match child:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                first = min((decorator.lineno for decorator in child.decorator_list), default=child.lineno)
                yield first, last, prefix + name
                if isinstance(child, ast.ClassDef):
                    yield from _spans(child, prefix + name + ".")
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                yield child.lineno, last, prefix + name


def clause_marks(text: str) -> Iterator[tuple[str, str]]:
    """Each clause id in the marks of a test module, with the name of the test."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for call in (part for decorator in node.decorator_list for part in ast.walk(decorator)):
            if isinstance(call, ast.Call) and _is_clause_mark(call.func):
                for argument in call.args:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield argument.value, node.name


def _is_clause_mark(function: ast.expr) -> bool:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name == "clause"
    return False


def table_text(traced: Mapping[str, Trace]) -> str:
    """The content of ``clause_trace.json``."""
    rows = {id: {"code": row.code, "tests": row.tests} for id, row in traced.items()}
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


def page_text(family: str, page: RulePage) -> str:
    """The content of ``docs/play/rules/<page>.md``: the page that teaches, every clause and option."""
    lines = [
        *(f"# The rules of {page.title}", ""),
        "Written by `make docs` from `src/nousu/teaching` and `src/nousu/i18n/rules`; not edited by hand.",
        "`nousu clauses T-WIK-18` prints the code that implements a clause and the tests that prove it.",
        *_list(markdown_lines(page.teaches)),
        *("", "# Clause by clause"),
    ]
    for source in page.sources:
        lines += ["", f"## {sources()[source]}"]
        for clause in clauses_in(source):
            lines += _item(f"**{clause.id}** ({clause.phase}) {clause.text}")
    if page is families()[family].pages[0]:
        lines += ["", "## Options and presets", *_option_lines(family)]
    return "\n".join(lines) + "\n"


def _list(lines: Iterable[str]) -> Iterator[str]:
    """A page with its paragraphs as items of lists."""
    before = ""
    for line in filter(None, lines):
        kind = line[0] if line[0] in "#|" else "-"
        if kind == "#" or kind != before != "#":
            yield ""
        before = kind
        yield from _item(line.replace("</small> <small>", " ")) if kind == "-" else (line,)


def _item(text: str) -> list[str]:
    """The lines of an item of a Markdown list."""
    return wrap(
        text,
        WIDTH,
        initial_indent="- ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _option_lines(family: str) -> Iterator[str]:
    """Every option of a family with its clauses and values, then the values that each preset sets."""
    game = games()[family]
    standard = next(iter(game.presets))
    for item in options(game.rules):
        value = value_text(getattr(game.presets[standard], item.name))
        ids = ", ".join(item.clauses)
        allowed = "" if item.values == (True, False) else f" ({item.allowed()})"
        yield from _item(f"`{item.name}` = `{value}`{allowed}: {item.doc} ({ids})")
    yield ""
    known: dict[str, Any] = {}
    for name, rules in game.presets.items():
        mark = " (experimental)" if name in game.experimental else ""
        text = "the values above"
        if known:
            near = min(known, key=lambda other: len(differences(rules, known[other])))
            changed = differences(rules, known[near]).items()
            changes = (f", `{option}={value_text(value)}`" for option, value in changed)
            text = "".join((f"as {near}", *changes))
        known[name] = rules
        yield from _item(f"**{name}**{mark}: {text}")


def generated_files() -> dict[Path, str]:
    """Every file that is made from the clauses, with the content it should have."""
    pages = {
        ROOT / "docs" / "play" / "rules" / f"{page.name}.md": page_text(family, page)
        for family, texts in families().items()
        for page in texts.pages
    }
    return {**pages, ROOT / "src" / "nousu" / "teaching" / TRACE.name: table_text(trace())}


def main() -> None:
    """Write the rule pages of the documentation and the packaged table."""
    for path, text in generated_files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
