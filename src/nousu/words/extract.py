"""Finds every message the program can say, so that no catalogue misses one.

A message is what is handed to ``say`` (in Python or in a template), the sentence of a `Note`, of an error
that speaks to people, or of a rule option. A name is followed to where it gets its value; `unclear` lists
what cannot be followed. ``python -m nousu.words.extract`` adds what is missing to every catalogue, with an
empty translation, and names what is not translated yet.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

from nousu.engine.options import options
from nousu.games import games
from nousu.words import CATALOGUES, LANGUAGES

ROOT = Path(__file__).parent.parent
SENTENCE = {
    "say": 0,
    "Refused": 0,
    "NoSuchTable": 0,
    "NotYours": 0,
    "_NoSession": 0,
    "Stale": 0,
    "KeyReused": 0,
    "Unavailable": 0,
    "TooMany": 0,
    "Refusal": 0,
    "Damaged": 1,
    "Note": 1,
    "IllegalAction": 1,
    "BadRules": 1,
    "clash": 1,
    "_because": 1,
    "reasoned": 1,
    "Criterion": 1,
    "done": 1,
    "ruling": 1,
    "words": 0,
}
"""Callables whose argument of that number is a message."""
_HANDED_ON = ("message", "doc", "text", "decided")
"""Attributes that hold a message already found where it was written."""
_PLACE = re.compile(r"\{[a-z_0-9]+\}")


def used() -> dict[str, list[str]]:
    """Every message with the places (``file:line``) it comes from."""
    found: dict[str, list[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        where = path.relative_to(ROOT).as_posix()
        for messages, node in sentences(ast.parse(path.read_text("utf-8"))):
            for message in messages or ():
                if message:
                    found.setdefault(message, []).append(f"{where}:{node.lineno}")
    for path in sorted((ROOT / "server" / "templates").rglob("*.html")):
        where = path.relative_to(ROOT).as_posix()
        for message, line in _in_template(path.read_text("utf-8")):
            found.setdefault(message, []).append(f"{where}:{line}")
    for game in games().values():
        for item in options(game.rules):
            found.setdefault(item.doc, []).append(f"games/{game.name}.py")
    return found


def unclear() -> list[str]:
    """The places (``file:line: code``) where a message is not written out, so that no catalogue can have it:
    built with an f-string, computed, or coming from a variable nobody here can follow."""
    return [
        f"{path.relative_to(ROOT).as_posix()}:{node.lineno}: {ast.unparse(node)}"
        for path in sorted(ROOT.rglob("*.py"))
        for messages, node in sentences(ast.parse(path.read_text("utf-8")))
        if messages is None
    ]


def sentences(tree: ast.Module) -> Iterator[tuple[list[str] | None, ast.Call]]:
    """The calls of a module that take a message, each with all it may be, or None if that is unclear."""
    scopes: list[ast.AST] = [tree]

    def walk(node: ast.AST) -> Iterator[tuple[list[str] | None, ast.Call]]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            scopes.append(node)
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            at = SENTENCE.get(name)
            if at is not None and len(node.args) > at and not _handed_on(node.args[at], scopes):
                yield _written(node.args[at], scopes), node
        for child in ast.iter_child_nodes(node):
            yield from walk(child)
        if node is scopes[-1]:
            scopes.pop()

    return walk(tree)


def _handed_on(node: ast.expr, scopes: list[ast.AST]) -> bool:
    """Whether the message comes from a `Note`, an option or a clause, or from the caller of a function that
    takes one itself."""
    match node:
        case ast.Attribute(attr=name):
            return name in _HANDED_ON
        case ast.Name(id=name):
            around = scopes[-1]
            if isinstance(around, ast.FunctionDef) and (around.name in SENTENCE or around.name == "__init__"):
                return any(argument.arg == name for argument in around.args.args)
        case ast.Subscript(value=ast.Call(func=ast.Name(id="titles"))):
            return True
    return False


def _written(node: ast.expr, scopes: list[ast.AST]) -> list[str] | None:
    """All texts an expression may be, following names to where they were given a value; else None."""
    if _handed_on(node, scopes):
        return []
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp():
            return _all([node.body, node.orelse], scopes)
        case ast.Subscript(value=ast.Name(id=name)):
            tables = [value for value in _values(name, scopes) if isinstance(value, ast.Dict)]
            return _all([text for table in tables for text in table.values], scopes) if tables else None
        case ast.Name(id=name):
            values = _values(name, scopes)
            return _all(values, scopes) if values else None
    return None


def _all(nodes: list[ast.expr], scopes: list[ast.AST]) -> list[str] | None:
    found = [_written(node, scopes) for node in nodes]
    return None if None in found else [text for texts in found for text in texts or ()]


def _values(name: str, scopes: list[ast.AST]) -> list[ast.expr]:
    """What a name is given in the innermost scope that gives it something."""
    for scope in reversed(scopes):
        found = [
            value
            for node in ast.walk(scope)
            for target, given in _given(node)
            for value in _part(target, given, name)
        ]
        if found:
            return found
    return []


def _given(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The targets of a statement with what they are given."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case (
            ast.AnnAssign(target=target, value=ast.expr() as value)
            | ast.NamedExpr(target=target, value=value)
        ):
            yield target, value
        case ast.For(target=target, iter=ast.Tuple(elts=rows) | ast.List(elts=rows)):
            yield from ((target, row) for row in rows)


def _part(target: ast.expr, given: ast.expr, name: str) -> Iterator[ast.expr]:
    """What of `given` goes to `name` when it is assigned to `target`."""
    match target, given:
        case ast.Name(id=found), _ if found == name:
            yield given
        case _, ast.IfExp(body=one, orelse=other):
            yield from _part(target, one, name)
            yield from _part(target, other, name)
        case ast.Tuple(elts=targets), ast.Tuple(elts=values):
            for inner, value in zip(targets, values, strict=False):
                yield from _part(inner, value, name)


def _in_template(source: str) -> Iterator[tuple[str, int]]:
    for call in Environment().parse(source).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == "say" and call.args:
            first = call.args[0]
            if isinstance(first, nodes.Const):
                yield first.value, call.lineno


def catalogue(language: str) -> Catalog:
    """A catalogue as it is on disk (empty if there is none)."""
    path = CATALOGUES / f"{language}.po"
    if not path.exists():
        return Catalog(locale=language, project="nousu", charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language)


def missing(language: str) -> list[str]:
    """The messages a catalogue does not say, or says only as a guess (fuzzy); English needs none."""
    if language == "en":
        return []
    known = catalogue(language)
    lacking = []
    for message in used():
        entry = known.get(message)
        if entry is None or not entry.string or entry.fuzzy:
            lacking.append(message)
    return lacking


def broken(language: str) -> list[str]:
    """The messages whose translation has other places to fill in than the message."""
    return [
        str(entry.id)
        for entry in catalogue(language)
        if entry.id
        and entry.string
        and set(_PLACE.findall(str(entry.id))) != set(_PLACE.findall(str(entry.string)))
    ]


def update(language: str) -> None:
    """Rewrite a catalogue with every message in use, keeping its translations, dropping what nobody says."""
    before, after = catalogue(language), Catalog(locale=language, project="nousu", charset="utf-8")
    for message, places in sorted(used().items()):
        known = before.get(message)
        files = sorted({place.partition(":")[0] for place in places})
        after.add(
            message,
            known.string if known is not None else "",
            auto_comments=files,
            flags=known.flags if known is not None else (),
        )
    CATALOGUES.mkdir(exist_ok=True)
    with (CATALOGUES / f"{language}.po").open("wb") as file:
        write_po(file, after, width=100, omit_header=True)


def main() -> int:
    """Bring every catalogue up to date and name what is not translated."""
    lacking = 0
    for language in LANGUAGES:
        if language == "en":
            continue
        update(language)
        for message in missing(language):
            lacking += 1
            print(f"{language}: {message}")
    print(f"{len(used())} messages, {lacking} translations missing")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
