"""What made a result: the version, whether its core was compiled, and a fingerprint of the rules."""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import nousu

REINSTALL = "pip install --force-reinstall --no-deps --no-cache-dir --no-binary nousu nousu"
"""Builds nousu anew, whatever wheel of it pip has kept."""


def core() -> str | None:
    """The compiled core in use (``bmi2``, ``plain``), or None where there is none."""
    from nousu.solver import compiled

    return compiled()


@cache
def rules_hash() -> str:
    """Twelve digits that differ when anything in nousu's engine or its games differs.

    Two results with the same ones were played by the same rules to the letter. (Games of other packages are
    not in it.)
    """
    digest = sha256()
    for floor in ("engine", "games"):
        for path, text in _sources(files("nousu") / floor, floor):
            digest.update(f"{path}\0{text}\0".encode())
    return digest.hexdigest()[:12]


def _sources(folder: Traversable, name: str) -> list[tuple[str, str]]:
    found = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        path = f"{name}/{entry.name}"
        if entry.is_dir():
            found += _sources(entry, path)
        elif entry.name.endswith(".py"):
            found.append((path, entry.read_text("utf-8").replace("\r\n", "\n")))
    return found


def made_by() -> dict[str, Any]:
    """The same for a result in JSON: ``{"nousu": "0.1.0", "core": "bmi2", "rules": "…"}``."""
    return {"nousu": nousu.__version__, "core": core(), "rules": rules_hash()}


def unlike(made: Mapping[str, Any]) -> str:
    """How the maker of a result, told as by `made_by`, differs from this installation in what decides
    results: version, compiled core or none, rules. Empty where it does not; one compiled core is as good as
    another."""
    here = made_by()
    differences = [
        f"nousu {made.get('nousu')}, here {here['nousu']}" if made.get("nousu") != here["nousu"] else "",
        f"{_built(made.get('core'))}, here {_built(here['core'])}"
        if (made.get("core") is None) != (here["core"] is None)
        else "",
        f"rules {made.get('rules')}, here {here['rules']}" if made.get("rules") != here["rules"] else "",
    ]
    return "; ".join(filter(None, differences))


def _built(core: str | None) -> str:
    return f"compiled core ({core})" if core else "no compiled core"


def signature() -> str:
    """The same for people."""
    return f"nousu {nousu.__version__}, {_built(core())}, rules {rules_hash()}"


def notice() -> str:
    """What people are told wherever something is reckoned without the compiled core; empty with it."""
    from nousu.solver.native import missing

    if not missing:
        return ""
    compiler = _compiler()
    cure = "install a C++ compiler, and then nousu again"
    if compiler:
        cure = f"there is a compiler now ({compiler}), so install nousu again"
    return (
        f"SLOW: {missing}. Solving and searching players take hundreds of times as long, and long deals are "
        f"out of reach; {cure}: {REINSTALL}"
    )


def _compiler() -> str:
    """A C++ compiler that stands ready here, or nothing."""
    from shutil import which

    return next((name for name in ("c++", "g++", "clang++", "cl") if which(name)), "")
