"""The provenance of a result: version, compiled core, and a fingerprint of the rules."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import nousu

REINSTALL = "pip install --force-reinstall --no-deps --no-cache-dir --no-binary nousu nousu"
"""A command that builds nousu again and ignores cached wheels."""


def core() -> str | None:
    """The compiled core in use (``bmi2``, ``plain``), or None where there is none."""
    from nousu.solver import compiled

    return compiled()


@cache
def rules_hash() -> str:
    """The fingerprint of the rules: twelve hexadecimal digits, others for any other behaviour of games.

    They are calculated from the syntax trees of all code that the games and matches reach
    (`nousu.fingerprint`). Docstrings, comments, messages, displays, names of files and definitions, and code
    that only reads or writes records do not count. Games of other packages do not count either.
    """
    from nousu.fingerprint import fingerprint

    sources: dict[str, str] = {}
    for package in ("engine", "games"):
        sources |= _sources(files("nousu") / package, f"nousu.{package}")
    return fingerprint(sources, {"GAME", "Match"})


def _sources(folder: Traversable, package: str) -> dict[str, str]:
    """The source text of each module of a package, by its full name."""
    sources: dict[str, str] = {}
    for entry in folder.iterdir():
        name = entry.name.removesuffix(".py")
        if entry.is_dir():
            sources |= _sources(entry, f"{package}.{name}")
        elif name != entry.name:
            module = package if name == "__init__" else f"{package}.{name}"
            sources[module] = entry.read_text("utf-8")
    return sources


def made_by() -> dict[str, Any]:
    """The provenance for a result in JSON: ``{"nousu": "0.1.0", "core": "bmi2", "rules": "…"}``."""
    return {"nousu": nousu.__version__, "core": core(), "rules": rules_hash()}


def differences_from(made: Mapping[str, Any]) -> str:
    """Describe how the maker of a result differs from this installation.

    Args:
        made: The provenance of a result (`made_by`).

    Returns:
        The differences in version, rules, and whether the core is compiled; empty if there are none.
    """
    here = made_by()
    differences = [
        f"nousu {made.get('nousu')}, here {here['nousu']}" if made.get("nousu") != here["nousu"] else "",
        f"{_core_words(made.get('core'))}, here {_core_words(here['core'])}"
        if (made.get("core") is None) != (here["core"] is None)
        else "",
        f"rules {made.get('rules')}, here {here['rules']}" if made.get("rules") != here["rules"] else "",
    ]
    return "; ".join(filter(None, differences))


def _core_words(core: str | None) -> str:
    return f"compiled core ({core})" if core else "no compiled core"


def signature() -> str:
    """The provenance in a sentence."""
    return f"nousu {nousu.__version__}, {_core_words(core())}, rules {rules_hash()}"


def missing_core_warning() -> str:
    """The warning of commands that calculate without the compiled core; empty with it."""
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
    """The name of an installed C++ compiler, or nothing."""
    from shutil import which

    return next((name for name in ("c++", "g++", "clang++", "cl") if which(name)), "")
