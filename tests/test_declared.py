"""Dependencies in pyproject.toml are those that the package imports, extra by extra."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import nousu

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "nousu"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
PARTS = {
    "server": {"server", "postgres"},
    "tournament": {"tournament"},
    "env": {"env"},
    "integrations": {"rl"},
    "datasets": {"data"},
    "cli/serve.py": {"server"},
    "cli/arena.py": {"cluster"},
    "i18n/__init__.py": {"catalogues"},
}
"""Which extras (or groups) a part of the package may use beyond the base."""
COMMAND = ("cli", "terminal")
"""The parts that may use the base; everything else is to need nothing."""
UNSEEN = {
    "aiosqlite": "named in the address of the database",
    "python-multipart": "Starlette reads forms with it",
    "setuptools": "RLCard imports distutils, which it brings back from Python 3.12 on",
}
"""Declared without an import, and why."""
OPENSPIEL = {"pyspiel": "open-spiel", "open_spiel": "open-spiel"}


def name(requirement: str) -> str:
    return re.split(r"[\[<>=;~! ]", requirement)[0].lower().replace("_", "-")


def packages_of_extra(extra: str) -> set[str]:
    """The packages of an extra, those it brings with other extras included."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    found = set()
    for requirement in EXTRAS.get(extra) or groups[extra]:
        own = re.match(r"nousu\[(.*)\]", requirement)
        if own:
            for other in own[1].split(","):
                found |= packages_of_extra(other)
        else:
            found.add(name(requirement))
    return found


def third_party_imports() -> dict[str, set[str]]:
    """The third-party packages that each file of nousu imports anywhere."""
    known = {module: found[0].lower().replace("_", "-") for module, found in packages_distributions().items()}
    known |= OPENSPIEL
    found: dict[str, set[str]] = {}
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            modules = []
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules = [node.module]
            for module in modules:
                root = module.split(".")[0]
                if root not in sys.stdlib_module_names and root != "nousu":
                    found.setdefault(str(path.relative_to(SOURCE).as_posix()), set()).add(
                        known.get(root, root)
                    )
    return found


def test_part_uses_only_what_its_extras_declare() -> None:
    base = {name(requirement) for requirement in PROJECT["dependencies"]}
    wrong = {}
    for file, packages in third_party_imports().items():
        allowed = set(base) if file.startswith(COMMAND) else set()
        for part, extras in PARTS.items():
            if file == part or file.startswith(f"{part}/"):
                allowed = allowed.union(*map(packages_of_extra, extras))
        if packages - allowed:
            wrong[file] = packages - allowed
    assert wrong == {}


def test_declared_packages_are_used() -> None:
    imported = set().union(*third_party_imports().values())
    base = {name(requirement) for requirement in PROJECT["dependencies"]}
    for package in base.union(*map(packages_of_extra, EXTRAS)):
        assert package in imported or package in UNSEEN, f"{package} is declared and not used"


def test_compiled_module_is_what_its_stub_says() -> None:
    from nousu.solver import native

    tree = ast.parse((SOURCE / "_native.pyi").read_text("utf-8"))
    result = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    result |= {
        node.target.id
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    assert (SOURCE / "py.typed").exists()
    if native.core is not None:
        assert result == {one for one in vars(native.core) if not one.startswith("_")}


def test_version_is_written_once() -> None:
    assert PROJECT["version"] == nousu.__version__
