"""Package, citation and archive give the same facts."""

import json
import re
import tomllib
from pathlib import Path

import nousu

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def citation_fields() -> dict[str, str]:
    """The plain fields of CITATION.cff, and its keywords as one."""
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    found = {
        name: value.strip('" ') for name, value in re.findall(r"^([a-z-]+): (\S.*)$", text, re.MULTILINE)
    }
    found["abstract"] = " ".join(re.split(r"abstract: >-\n", text)[1].split("\ntype:")[0].split())
    return found | {"keywords": ", ".join(re.findall(r"^  - ([^:\n]+)$", text, re.MULTILINE))}


def test_version_is_one() -> None:
    archived = json.loads((ROOT / ".zenodo.json").read_text("utf-8"))
    assert {PROJECT["project"]["version"], citation_fields()["version"], archived["version"]} == {
        nousu.__version__
    }


def test_citation_and_archive_say_the_same() -> None:
    archived = json.loads((ROOT / ".zenodo.json").read_text("utf-8"))
    here = citation_fields()
    assert archived["title"] == here["title"]
    assert archived["description"] == f"<p>{here['abstract']}</p>"
    assert ", ".join(archived["keywords"]) == here["keywords"]
    assert archived["license"] == here["license"] == PROJECT["project"]["license"].split()[0]
    names = re.findall(r"^  - name: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    assert names == [one["name"] for one in archived["creators"]]
    assert names == [one["name"] for one in PROJECT["project"]["authors"]]


def test_wheels_exist_for_every_python_that_is_named() -> None:
    """One for the oldest, and one of the stable ABI from the next on."""
    named = re.findall(r"Python :: 3\.(\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    stable = PROJECT["tool"]["scikit-build"]["wheel"]["py-api"]
    built = PROJECT["tool"]["cibuildwheel"]["build"].split()
    served = {one for one in named if f"cp3{one}-*" in built or int(one) >= int(stable.removeprefix("cp3"))}
    assert served == set(named) and f"{stable}-*" in built
    assert PROJECT["project"]["requires-python"] == f">=3.{min(named, key=int)}"
