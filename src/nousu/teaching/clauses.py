"""The clauses of the rules: their text, the code that implements them, and the tests that prove them.

The text of each clause is in ``i18n/rules/en/<source>.md``, one paragraph per clause: ``**T-CAT-14**
(auction)
Neither a two …``. The same id appears in the code and in a test's ``@pytest.mark.clause("T-CAT-14")``.
`trace` joins the three by reading the repository; where there is none (an installed package) it reads the
table ``clause_trace.json``, which ``python -m nousu.teaching.clauses`` writes together with
``docs/play/rules/``.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from nousu.engine.messages import Note
from nousu.engine.options import differences, options, value_text
from nousu.games import find, games
from nousu.i18n import CLAUSE, RULES, clause_texts

TEXTS = RULES / "en"
TRACE = Path(__file__).parent / "clause_trace.json"

PAGES: Mapping[str, tuple[str, ...]] = {
    "tuppi": ("t_wik", "t_wikt", "t_cat", "t_catt"),
    "minnesota": ("mw_wik",),
    "norwegian": ("nw_cat",),
    "huutopussi": ("hp_gr",),
    "tuppen": ("tu_zk",),
}
"""The rule pages of docs/play/rules and the sources each of them explains."""
TITLES: Mapping[str, str] = {
    "tuppi": "Tuppi",
    "minnesota": "Minnesota Whist",
    "norwegian": "Norwegian Whist",
    "huutopussi": "Huutopussi",
    "tuppen": "Tuppen",
}
TAUGHT: Mapping[str, str] = {
    "tuppi": "tuppi",
    "minnesota": "minnesota",
    "norwegian": "norwegian_catsatcards",
    "huutopussi": "huutopussi",
    "tuppen": "tuppen_zk",
}
"""The preset that each of these pages teaches."""
FAMILIES: Mapping[str, str] = {"tuppi": "whist", "huutopussi": "huutopussi", "tuppen": "tuppen"}
"""The page on which the options and presets of a family are listed."""


_FOLLOWED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "tuppi": ("tuppi", ("t_wik",)),
    "tuppi_catsatcards": ("tuppi_catsatcards", ("t_cat",)),
    "tuppi_tournament": ("tuppi_tournament", ("t_wik", "t_wikt")),
    "tuppi_tournament_catsatcards": ("tuppi_tournament_catsatcards", ("t_cat", "t_catt")),
    "norwegian_catsatcards": ("norwegian_catsatcards", ("nw_cat",)),
    "whist": ("minnesota", ("mw_wik",)),
    "huutopussi": ("huutopussi", ("hp_gr",)),
    "tuppen": ("tuppen_zk", ("tu_zk",)),
}


def followed(family: str, preset: str) -> tuple[str, tuple[str, ...]]:
    """The preset whose sources a table's rules are explained with, and these sources. Games of other
    packages have none."""
    standard, files = _FOLLOWED.get(preset) or _FOLLOWED.get(family) or (preset, ())
    return standard, tuple(file for file in files if (TEXTS / f"{file}.md").exists())


_EXPLAINING: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "whist": (("t_wik", "t_wikt", "t_cat", "t_catt", "mw_wik", "nw_cat"), ("A-T-", "A-N-", "A-M-")),
    "huutopussi": (("hp_gr",), ("A-H-",)),
    "tuppen": (("tu_zk",), ("A-U-",)),
}


def explaining(family: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """All texts that explain a family (its sources and `RESOLUTIONS`), and how the ids of its resolutions
    begin. Games of other packages have none."""
    if family not in _EXPLAINING:
        return (), ()
    files, letters = _EXPLAINING[family]
    return (*files, RESOLUTIONS), letters


class Clause(NamedTuple):
    """One clause of one source, in our own words (a message of the catalogues)."""

    id: str
    source: str
    """The file it stands in: ``t_cat``."""
    phase: str
    """about, seats, deal, auction, exchange, play, score, match, tournament, conduct or flavour."""
    text: str

    @property
    def kind(self) -> str:
        """``flavour`` (binds nobody), ``tournament`` or ``rule``."""
        return self.phase if self.phase in ("flavour", "tournament") else "rule"


PHASES = (
    "about",
    "seats",
    "deal",
    "auction",
    "exchange",
    "play",
    "score",
    "match",
    "tournament",
    "conduct",
    "flavour",
)
"""The order in which a rule page tells them."""


def parse_clauses(text: str, source: str) -> tuple[str, tuple[Clause, ...]]:
    """The title and the clauses of one text; `ValueError` quotes the paragraph that is none."""
    title = ""
    found: dict[str, Clause] = {}
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        line = " ".join(paragraph.split())
        if line.startswith("# "):
            title = line[2:]
            continue
        match = CLAUSE.fullmatch(line)
        if match is None or match["topic"] not in PHASES:
            raise ValueError(f"{source}: expected '**ID** (phase) text', found {line[:60]!r}")
        if match["id"] in found:
            raise ValueError(f"{source}: {match['id']} stands there twice")
        found[match["id"]] = Clause(match["id"], source, match["topic"], match["text"])
    if not title:
        raise ValueError(f"{source}: the title '# …' is missing")
    return title, tuple(found.values())


RESOLUTIONS = "resolutions"
"""The text that says what is played where the sources are silent or at odds."""


def clauses_in(source: str) -> tuple[Clause, ...]:
    """The clauses of one source (or of `RESOLUTIONS`) in order, as the catalogues know them."""
    if source == RESOLUTIONS:
        settled = {id: text for id, text in clause_texts().items() if id.startswith("A-")}
        return tuple(Clause(id, source, "about", text) for id, text in settled.items())
    return tuple(clause for clause in clauses().values() if clause.source == source)


@cache
def sources() -> Mapping[str, str]:
    """The title of each source that is there, in the order of `PAGES`."""
    return {source: _text(source)[0] for source in _present()}


@cache
def clauses() -> Mapping[str, Clause]:
    """All clauses by id, source after source."""
    return {clause.id: clause for source in _present() for clause in _text(source)[1]}


def _present() -> list[str]:
    return [name for page in PAGES.values() for name in page if (TEXTS / f"{name}.md").exists()]


@cache
def _text(source: str) -> tuple[str, tuple[Clause, ...]]:
    return parse_clauses((TEXTS / f"{source}.md").read_text(encoding="utf-8"), source)


class Trace(NamedTuple):
    """Where a clause is: ``games/whist/rules.py Rules.bid_ranks`` and ``games/test_x.py test_name``."""

    code: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


def lacking(clause: Clause, trace: Trace) -> str | None:
    """What a clause still needs (``code``, ``test`` or both), or None; flavour needs nothing."""
    if clause.kind == "flavour":
        return None
    needs = [word for word, there in (("code", trace.code), ("test", trace.tests)) if not there]
    return " and ".join(needs) or None


def repository() -> Path | None:
    """The root of the repository this package runs from, or None where it was installed."""
    root = Path(__file__).parents[3]
    return root if (root / "tests").is_dir() and (root / "src" / "nousu").is_dir() else None


@cache
def trace(root: Path | None) -> Mapping[str, Trace]:
    """Code and tests of every clause, read from the repository or, without one, from `TRACE`."""
    if root is None:
        table = json.loads(TRACE.read_text(encoding="utf-8"))
        return {id: Trace(tuple(row["code"]), tuple(row["tests"])) for id, row in table.items()}
    code: dict[str, list[str]] = {id: [] for id in clauses()}
    tests: dict[str, list[str]] = {id: [] for id in clauses()}
    package = root / "src" / "nousu"
    for path in sorted(path for floor in _OBEYING for path in (package / floor).rglob("*.py")):
        _note(code, path.relative_to(package), _code_places(path.read_text(encoding="utf-8")))
    for path in sorted((root / "tests").rglob("test_*.py")):
        _note(tests, path.relative_to(root / "tests"), marked(path.read_text(encoding="utf-8")))
    return {id: Trace(tuple(code[id]), tuple(tests[id])) for id in clauses()}


_OBEYING = ("engine", "games", "tournament", "server")
"""The parts of the package that do what a clause says; elsewhere an id is only an example."""


def _note(table: dict[str, list[str]], path: Path, found: Iterator[tuple[str, str]]) -> None:
    for id, name in found:
        place = f"{path.as_posix()} {name}".strip()
        if id in table and place not in table[id]:
            table[id].append(place)


_ID = re.compile(r"\b([A-Z]+-[A-Z]+-)([0-9A-Za-z]+)(?:…(\d+))?")


def cited(text: str) -> Iterator[str]:
    """The clause ids a line of code names; ``T-CAT-03…06`` names all from 03 to 06."""
    for prefix, number, last in _ID.findall(text):
        yield prefix + number
        if last and number.isdigit():
            yield from (f"{prefix}{n:02}" for n in range(int(number) + 1, int(last) + 1))


def _code_places(text: str) -> Iterator[tuple[str, str]]:
    """Each id of a module with the name of the def, class or field it stands in."""
    spans = sorted(_spans(ast.parse(text), ""))
    for number, line in enumerate(text.splitlines(), 1):
        for id in cited(line):
            around = [name for first, last, name in spans if first <= number <= last]
            yield id, around[-1] if around else ""


def _spans(node: ast.AST, within: str) -> Iterator[tuple[int, int, str]]:
    """First line, last line and name of everything that has a name and is not a local variable."""
    for child in ast.iter_child_nodes(node):
        last = getattr(child, "end_lineno", None) or 0
        match child:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                first = min((one.lineno for one in child.decorator_list), default=child.lineno)
                yield first, last, within + name
                if isinstance(child, ast.ClassDef):
                    yield from _spans(child, within + name + ".")
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                yield child.lineno, last, within + name


def marked(text: str) -> Iterator[tuple[str, str]]:
    """Each clause id a test module marks, with the name of the test."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for part in (part for one in node.decorator_list for part in ast.walk(one)):
            if isinstance(part, ast.Call) and _called(part.func) == "clause":
                for argument in part.args:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield argument.value, node.name


def _called(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def table_text(traced: Mapping[str, Trace]) -> str:
    """The content of `TRACE`."""
    rows = {id: {"code": row.code, "tests": row.tests} for id, row in traced.items()}
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


def page_text(page: str) -> str:
    """Render ``docs/play/rules/<page>.md``: the page that teaches the rules, every clause and option."""
    lines = [f"# The rules of {TITLES[page]}", ""]
    lines += [
        "Written by `make docs` from `src/nousu/teaching` and `src/nousu/i18n/rules`; not edited by hand.",
        "`nousu clauses T-WIK-18` prints the code that implements a clause and the tests that prove it.",
        *_list(taught_lines(TAUGHT[page])),
        "",
        "# Clause by clause",
    ]
    for source in (source for source in PAGES[page] if source in sources()):
        lines += ["", f"## {sources()[source]}"]
        for clause in (clause for clause in clauses().values() if clause.source == source):
            lines += _item(f"**{clause.id}** ({clause.phase}) {clause.text}")
    if page in FAMILIES:
        lines += ["", "## Options and presets", *_option_lines(FAMILIES[page])]
    return "\n".join(lines) + "\n"


def _list(lines: Iterable[str]) -> Iterator[str]:
    """The same page with its paragraphs as items of lists."""
    before = ""
    for line in filter(None, lines):
        kind = line[0] if line[0] in "#|" else "-"
        if kind == "#" or kind != before != "#":
            yield ""
        before = kind
        yield from _item(line.replace("</small> <small>", " ")) if kind == "-" else (line,)


WIDTH = 119
"""The width of lines in the rule pages."""


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


def taught_lines(text: str) -> Iterator[str]:
    """The page that teaches rules (as `nousu.find` reads them), as the server shows it in English."""
    from nousu.teaching.page import Numbers, in_force, notes, sections

    game, rules = find(text)
    preset = text.split("+")[0]
    force = in_force(game, rules, preset)

    def with_clauses(note: Note) -> str:
        return note.english + "".join(f" <small>{id}</small>" for id in force(note))

    for section in sections(game, rules, preset):
        if section.blocks:
            yield from ("", f"## {section.heading}")
        for block in section.blocks:
            if isinstance(block, Numbers):
                yield from (
                    "",
                    f"| {with_clauses(block.caption) if block.caption else ''} | "
                    + " | ".join(map(str, block.head))
                    + " |",
                )
                yield "|---" * (1 + len(block.head)) + "|"
                for row in block.rows:
                    yield f"| {with_clauses(row.label)} | " + " | ".join(map(str, row.cells)) + " |"
            else:
                for note in notes(block):
                    yield from ("", with_clauses(note))


def _option_lines(family: str) -> Iterator[str]:
    """Every option of a family with its clauses and values, then what each preset sets."""
    game = games()[family]
    standard = next(iter(game.presets))
    for item in options(game.rules):
        value = value_text(getattr(game.presets[standard], item.name))
        clauses = ", ".join(item.clauses)
        yield from _item(f"`{item.name}` = `{value}` {item.doc} Allowed: {item.allowed()}. ({clauses})")
    yield ""
    for name, rules in game.presets.items():
        changed = differences(rules, game.presets[standard])
        changes = ", ".join(f"`{option}={value_text(value)}`" for option, value in changed.items())
        mark = " (experimental)" if name in game.experimental else ""
        changes = changes or ("the values above" if name == standard else f"as {standard}")
        yield from _item(f"**{name}**{mark}: {changes}")


def generated(root: Path) -> dict[Path, str]:
    """Every file that is made from the clauses, with the content it should have."""
    traced = trace(root)
    files = {root / "docs" / "play" / "rules" / f"{page}.md": page_text(page) for page in PAGES}
    package = root / "src" / "nousu" / "teaching" / TRACE.name
    return {**files, package: table_text(traced)}


def main() -> None:
    """Write the rule pages of the documentation and the packaged table."""
    root = repository()
    if root is None:
        raise SystemExit("the rule pages are written from the repository; here is only the package")
    for path, text in generated(root).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(root))


if __name__ == "__main__":
    main()
