"""Names: modules are nouns, and one class name stands for one class."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "nousu"

RIDDLES = frozenset(
    [
        "answering",
        "asked",
        "asking",
        "attention",
        "beamer",
        "belongings",
        "blame",
        "company",
        "connections",
        "copies",
        "course",
        "deduced",
        "due",
        "evening",
        "faces",
        "figures",
        "folding",
        "guard",
        "hall",
        "halls",
        "handing",
        "heard",
        "hosting",
        "ink",
        "judge",
        "judging",
        "kept",
        "known",
        "layouts",
        "learned",
        "limiting",
        "lines",
        "looks",
        "marks",
        "measure",
        "mine",
        "notes",
        "pair",
        "placements",
        "plain",
        "playing",
        "raised",
        "reaching",
        "readiness",
        "reading",
        "refusals",
        "rehearsal",
        "requests",
        "reviewed",
        "seen",
        "shared",
        "shown",
        "sight",
        "sitting",
        "snapshot",
        "speech",
        "spoken",
        "steps",
        "story",
        "subscribed",
        "talk",
        "talking",
        "telling",
        "thinking",
        "totals",
        "values",
        "viewing",
        "walls",
        "worth",
    ]
)
"""Names that tell a stranger nothing."""
NOUNS = frozenset(
    {"annealing", "bidding", "drawing", "loading", "ranking", "seating", "standing", "teaching"}
)
"""Nouns that end like participles."""
EMPTY_SUBJECTS = re.compile(
    r"\s*(what|who|whoever|(no|some|every)(body|thing)|it|there|that|these|those|where|when)\b", re.IGNORECASE
)
"""Words with which no docstring begins: a noun of the field or a verb says more."""
ONCE_PER_FAMILY = frozenset(
    {"Bid", "Facts", "Hand", "Options", "Outcome", "Pass", "Rules", "Sooli", "Totals"}
)
"""Every game family or tournament format has its own class of these names."""


def modules() -> list[Path]:
    return [path for path in SOURCE.rglob("*.py") if path.stem != "__init__"]


def test_modules_are_nouns() -> None:
    participles = re.compile(r"\w+(?:ed|ing)")
    wrong = [
        path.relative_to(SOURCE).as_posix()
        for path in modules()
        if path.stem in RIDDLES
        or (
            participles.fullmatch(path.stem)
            and path.stem.split("_")[-1] not in NOUNS
            and "versions" not in path.parts
        )
    ]
    assert wrong == []


def test_one_class_name_stands_for_one_class() -> None:
    """Apart from the names that every family has, and the visit of a page and of an event."""
    names = Counter(
        node.name
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    twice = sorted(name for name, count in names.items() if count > 1 and name not in ONCE_PER_FAMILY)
    assert set(twice) <= {"Visit"}, twice


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of the docstrings of a module, of its definitions and of its values."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Expr(ast.Constant(str(text))):
                yield node.lineno, text


def test_docstrings_begin_with_a_noun_or_a_verb() -> None:
    wrong = [
        f"{path.relative_to(ROOT).as_posix()}:{line} {text.strip()[:60]}"
        for folder in ("src", "tools", "bench")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, text in docstrings(path)
        if EMPTY_SUBJECTS.match(text)
    ]
    assert wrong == []
