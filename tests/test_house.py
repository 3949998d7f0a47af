"""The shape of the house: who may import whom, what is loaded, how long classes are, what is documented."""

import ast
import doctest
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from nousu.engine.options import options
from nousu.games import games
from nousu.teaching.clauses import clauses

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "nousu"
CODE = {".py", ".h", ".cpp", ".js", ".css", ".html"}


def repository_files() -> list[Path]:
    """The files of the repository; where there is no git, everything that would be in it."""
    if (ROOT / ".git").exists():
        result = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
        listed = [ROOT / name for name in result.decode().split("\0") if name]
        return [path for path in listed if path.is_file()]
    left_out = {".venv", "build", "dist", "__pycache__"}
    return [path for path in ROOT.rglob("*") if path.is_file() and not left_out & set(path.parts)]


def text_of(path: Path) -> str:
    """The text of a file, empty for pictures and the like."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def python(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run this Python in the repository."""
    surroundings = os.environ | environment
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False)


def test_floors_and_the_independence_of_games_hold() -> None:
    """The contracts of pyproject.toml, checked by import-linter."""
    check = "from importlinter.cli import lint_imports_command as check; check(['--no-cache'])"
    result = python("-c", check, PYTHONPATH=str(ROOT / "src"))
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-2000:]
    assert "0 broken" in result.stdout


def test_no_import_goes_in_a_circle_at_load_time() -> None:
    """Every module of the lower floors can be the first one that is imported."""
    modules = [
        ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
        for floor in ("engine", "games")
        for path in sorted((SOURCE / floor).rglob("*.py"))
        if path.stem != "__init__"
    ]
    script = (
        "import importlib, sys\n"
        "for name in sys.argv[1:]:\n"
        "    for loaded in [m for m in sys.modules if m.split('.')[0] == 'nousu']: del sys.modules[loaded]\n"
        "    importlib.import_module(name)\n"
    )
    result = python("-c", script, *modules, PYTHONPATH=str(ROOT / "src"))
    assert result.returncode == 0, result.stderr


def modules_imported(path: Path) -> set[str]:
    """The modules a file imports anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(text_of(path))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


FORBIDDEN = {
    "random",
    "time",
    "os",
    "sqlite3",
    "asyncio",
    "datetime",
    "secrets",
    "socket",
    "threading",
    "uuid",
}


@pytest.mark.parametrize("floor", ["engine", "games"])
def test_no_chance_clock_or_io_in_the_rules(floor: str) -> None:
    for path in (SOURCE / floor).rglob("*.py"):
        roots = {name.split(".")[0] for name in modules_imported(path)}
        assert not roots & FORBIDDEN, f"{path.name} imports {roots & FORBIDDEN}"
        calls = {
            node.func.id
            for node in ast.walk(ast.parse(text_of(path)))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not calls & {"open", "print", "input", "eval", "exec"}, path.name


def test_games_know_no_other_family() -> None:
    """A family is a file or a package, perhaps with files named after it, and nothing of another."""
    root = SOURCE / "games"
    for path in root.rglob("*.py"):
        if path == root / "__init__.py":
            continue
        family = path.relative_to(root).with_suffix("").parts[0].split("_")[0]
        assert family in games(), f"{path.name} belongs to no game family"
        known = {name.split(".")[2] for name in modules_imported(path) if name.startswith("nousu.games.")}
        assert all(name == family or name.startswith(f"{family}_") for name in known), path.name


EVENTS = ("tournament/", "cli/tournament/", "server/tournament/")
"""An event is of a game: its format is called after it and may ask its family
(docs/develop/architecture.md)."""
OF_ALL_GAMES = ("games/", "players/")
"""What there is of every game, in a file or a folder each."""
GOALS = ("solver/", "cli/solve.py")
"""Goals of the solver are named after their games."""


def families_named(path: Path) -> set[str]:
    """The families that the code of a file imports or writes as a word, docstrings and comments left out."""
    tree = ast.parse(text_of(path))
    said = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    words = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in said
    }
    modules = {
        part for name in modules_imported(path) if name.startswith("nousu.games.") for part in name.split(".")
    }
    return set(games()) & (words | modules)


def test_no_family_is_named_outside_its_own_files() -> None:
    """A file may know a family when its path names it; all others look families up (`nousu.extensions`)."""
    for path in SOURCE.rglob("*.py"):
        place = path.relative_to(SOURCE)
        if place.as_posix().startswith((*OF_ALL_GAMES, *EVENTS, *GOALS)):
            continue
        foreign = families_named(path) - set(place.with_suffix("").parts)
        assert not foreign, f"{place} names {foreign}: look the family up with nousu.extensions.extension"


def test_facts_are_read_by_name_nowhere() -> None:
    """Facts and outcomes are types; only API and records write them as JSON."""
    for path in SOURCE.rglob("*.py"):
        assert not re.search(r"\b(facts|outcome)\[[\"']", text_of(path)), path


def test_no_module_imports_itself_by_way_of_others() -> None:
    """No circle among the imports that are done when a module is loaded."""
    names = {
        ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in SOURCE.rglob("*.py")
    }
    wanted = {name: loaded_with(path, set(names)) - {name} for name, path in names.items()}
    while leaves := [name for name, needs in wanted.items() if not needs & set(wanted)]:
        for name in leaves:
            del wanted[name]
    assert not wanted, {name: needs & set(wanted) for name, needs in wanted.items()}


def loaded_with(path: Path, modules: set[str]) -> set[str]:
    """The modules something is taken from when this one is loaded: not those for type checkers alone."""
    needs: set[str] = set()
    for node in ast.parse(text_of(path)).body:
        if isinstance(node, ast.Import):
            needs.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            parts = (f"{node.module}.{alias.name}" for alias in node.names)
            needs.update(part if part in modules else node.module for part in parts)
    return needs & modules


def test_imports_of_the_outer_rooms() -> None:
    """The terminal, the server and research do not know one another."""
    edges = ("terminal", "server", "integrations")
    for edge in edges:
        for path in (SOURCE / edge).rglob("*.py"):
            others = [
                name for name in modules_imported(path) for one in edges if name.startswith(f"nousu.{one}")
            ]
            assert all(name.startswith(f"nousu.{edge}") for name in others), path


PLAYED = """
import sys
sys.path.insert(0, {source!r})
before = set(sys.modules)
import nousu, nousu.engine, nousu.games
from nousu.engine import laws, match, pbn, record
from nousu.games import games
loaded = {{name.split('.')[0] for name in set(sys.modules) - before}}
foreign = loaded - set(sys.stdlib_module_names) - {{'nousu'}}
assert not foreign, foreign
assert 'nousu._native' not in sys.modules
assert not [name for name in sys.modules if name.startswith(('nousu.players', 'nousu.solver', 'nousu.i18n'))]
import random
hands = 0
for game in games().values():
    for rules in game.presets.values():
        *_, (played, _) = laws.random_match(game, rules, game.seats.start, random.Random(1), hands=2)
        assert record.read(record.write(record.Record(played)), lambda _: (game, rules)).match == played
        hands += len(played.played)
ours = set(sys.stdlib_module_names) | {{'nousu', '__main__'}}
foreign = {{name.split('.')[0] for name in sys.modules}} - ours
print(hands, *sorted(name for name in foreign if not name.startswith('_')))
"""


def test_rules_need_no_third_party_package_and_no_compiled_core() -> None:
    """Isolated, without site-packages: hands of every preset are played, written and read.

    A game may be over after the first of the two.
    """
    result = python("-I", "-S", "-c", PLAYED.format(source=str(ROOT / "src")))
    assert result.returncode == 0, result.stderr
    hands, *foreign = result.stdout.split()
    assert int(hands) > sum(len(game.presets) for game in games().values())
    assert foreign == []


RECKONED = """
import sys
sys.path.insert(0, {source!r})
before = set(sys.modules)
import nousu
loaded = set(sys.modules) - before - set(sys.stdlib_module_names)
assert not [name for name in loaded if name.startswith('nousu.')], loaded
import warnings
warnings.simplefilter('ignore')  # without a compiled core solving says that it is slow
match = nousu.start('tuppi', seed=1)
assert nousu.read(nousu.write(match)).match == match
assert nousu.solve('N:A.K.Q.J K.Q.J.A Q.J.A.K J.A.K.Q').value == 2
from nousu import about
from nousu.players import DEFAULT_BUDGET, players, seat_loop
assert 'searcher' in players()
print(seat_loop.advance(match, [players()['searcher']] * 4, 1), about.made_by()['rules'])
ours = set(sys.stdlib_module_names) | {{'nousu', '__main__'}}
foreign = {{name.split('.')[0] for name in sys.modules}} - ours
assert not {{name for name in foreign if not name.startswith('_')}}, foreign
"""


def test_solver_records_and_players_need_no_third_party_package_and_load_when_used() -> None:
    """Isolated, without site-packages: ``import nousu`` loads nothing, and what it offers works."""
    result = python("-I", "-S", "-c", RECKONED.format(source=str(ROOT / "src")))
    assert result.returncode == 0, result.stderr


def test_command_loads_nothing_heavy_before_it_is_needed() -> None:
    """``nousu --help`` starts without server, solver, database or catalogues."""
    script = (
        "import sys, nousu.cli\n"
        "heavy = 'fastapi starlette sqlalchemy reportlab openpyxl babel textual distributed'\n"
        "print(*[name for name in heavy.split() if name in sys.modules])"
    )
    result = python("-c", script, PYTHONPATH=str(ROOT / "src"))
    assert (result.returncode, result.stdout.strip()) == (0, ""), result.stderr


LONG_CLASSES = {
    "Hand": "the phases of one hand are one state machine",
    "Table": "the fold of all events into one value",
    "Screen": "one method for each thing that the command shows",
    "TuppenSeries": "the rules of one kind of event",
    "LivePage": "one connection with its queue",
    "Store": "one method for each statement of the database",
}
"""Classes that may have more than 300 lines, and why."""


def test_long_classes_have_a_reason() -> None:
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(text_of(path))):
            if isinstance(node, ast.ClassDef) and node.name not in LONG_CLASSES:
                lines = (node.end_lineno or 0) - node.lineno
                assert lines <= 300, f"{path.relative_to(ROOT)}: {node.name} has {lines} lines"


MACHINE = re.compile(r"(?<![\w.])/(?:root|home/[a-z]\w*|Users/\w+|wo" + r"rk|var/lib/\w+)/|\b[A-Z]:\\Users")


def test_files_name_no_machine() -> None:
    """No path of the computer the repository was written on."""
    for path in repository_files():
        if path.suffix in {".svg", ".lock"} or "vendor" in path.parts:
            continue
        for number, line in enumerate(text_of(path).splitlines(), 1):
            assert not MACHINE.search(line), f"{path.relative_to(ROOT)} line {number}: {line.strip()[:80]}"


UNFINISHED = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "Not" + "ImplementedError"]) + r")\b")


def test_files_have_no_unfinished_places() -> None:
    for path in repository_files():
        if path.suffix in CODE and "vendor" not in path.parts:
            found = UNFINISHED.search(text_of(path))
            assert found is None, f"{path.relative_to(ROOT)}: {found}"


def known_clauses() -> set[str]:
    """All ids an option may name: clauses of the sources and resolutions of open questions."""
    text = text_of(SOURCE / "i18n" / "rules" / "en" / "resolutions.md")
    return set(clauses()) | set(re.findall(r"\*\*(A-[A-Z]-\d\d)\*\*", text))


@pytest.mark.parametrize("family", sorted(games()))
def test_option_is_documented(family: str) -> None:
    """Each option says in a sentence what it does and names clauses that exist."""
    known = known_clauses()
    for item in options(games()[family].rules):
        assert item.doc.endswith(".") and item.doc[0].isupper(), item.name
        assert item.group and item.clauses, item.name
        assert item.accepts(item.default), item.name
        assert not set(item.clauses) - known, f"{item.name}: {set(item.clauses) - known}"


def test_examples_in_docstrings_are_true() -> None:
    named = [path for path in repository_files() if path.suffix == ".py" and SOURCE in path.parents]
    tried = 0
    for path in named:
        if ">>> " in text_of(path):
            name = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
            found = doctest.testmod(importlib.import_module(name))
            assert found.failed == 0, name
            tried += found.attempted
    assert tried > 10


def test_python_of_the_readme_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", text_of(ROOT / "README.md"), re.DOTALL)
    assert blocks
    for block in blocks:
        result = python("-c", block, PYTHONPATH=str(ROOT / "src"))
        assert result.returncode == 0, result.stderr


def test_first_files_of_a_newcomer_exist() -> None:
    wanted = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "Makefile", ".ci/run"]
    wanted += ["docs/develop/add-a-game.md", "docs/develop/records.md", "docs/decisions/README.md"]
    assert [name for name in wanted if not (ROOT / name).exists()] == []
