"""Finds every message the program can say, so that no catalogue misses one.

A message is a literal handed to ``say`` (in Python or in a template), the sentence of a `Note`, a refusal
or an illegal action, the sentence of a rule option, and, in games and players, any literal with places to
fill in. ``python -m nousu.words.extract`` adds what is missing to every catalogue, with an empty
translation, and names what is not translated yet.
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
_SENTENCE = {
    "say": 0,
    "Refused": 0,
    "NoSuchTable": 0,
    "NotYours": 0,
    "Stale": 0,
    "KeyReused": 0,
    "Unavailable": 0,
    "TooMany": 0,
    "Note": 1,
    "IllegalAction": 1,
    "_because": 1,
}
"""Callables whose argument of that number is a message."""
_PLACE = re.compile(r"\{[a-z_]+\}")


def used() -> dict[str, list[str]]:
    """Every message with the places (``file:line``) it comes from."""
    found: dict[str, list[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        where = path.relative_to(ROOT).as_posix()
        told = where.startswith(("games/", "players/"))
        for message, line in _in_python(path.read_text("utf-8"), told):
            found.setdefault(message, []).append(f"{where}:{line}")
    for path in sorted((ROOT / "server" / "templates").rglob("*.html")):
        where = path.relative_to(ROOT).as_posix()
        for message, line in _in_template(path.read_text("utf-8")):
            found.setdefault(message, []).append(f"{where}:{line}")
    for game in games().values():
        for item in options(game.rules):
            found.setdefault(item.doc, []).append(f"games/{game.name}.py")
    return found


def _in_python(source: str, told: bool) -> Iterator[tuple[str, int]]:
    """The messages of a module; `told`: every literal with places to fill in is one."""
    tree = ast.parse(source)
    found = list(ast.walk(tree))
    cut = {id(part) for node in found if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
    cut |= {id(node.value) for node in found if isinstance(node, ast.Expr)}
    for node in found:
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            at = _SENTENCE.get(name)
            if at is not None and len(node.args) > at:
                for text in _literals(node.args[at]):
                    yield text, node.lineno
        elif told and isinstance(node, ast.Constant) and isinstance(node.value, str):
            whole = id(node) not in cut  # no docstring, no part of an f-string
            if whole and _PLACE.search(node.value):
                yield node.value, node.lineno


def _literals(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)


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
