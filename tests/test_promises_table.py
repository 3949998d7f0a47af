"""The promises of the server: each names tests that exist, and commands of its long form that run."""

import re
import tomllib

from test_house import ROOT
from tools import results_pages

TESTS = ROOT / "tests"
PROMISES = tomllib.loads((results_pages.RESULTS / "promises.toml").read_text("utf-8"))
WITHOUT_TEST = {"P2"}
"""Memory: its note says why."""
WITHOUT_FIGURE = {"P12", "P20", "P22", "P24"}
"""Not a matter of number."""


def test_promises_have_tests_and_figures() -> None:
    assert list(PROMISES) == [f"P{number}" for number in range(1, 25)]
    measured = {row["promise"] for row in results_pages.rows("promises")}
    assert measured == set(PROMISES) - WITHOUT_FIGURE
    for name, promise in PROMISES.items():
        assert promise["text"].endswith("."), name
        assert promise["tests"] or name in WITHOUT_TEST
        assert "note" in promise or name not in WITHOUT_TEST | WITHOUT_FIGURE
        for test in promise["tests"]:
            path, _, function = test.partition("::")
            text = (TESTS / path).read_text("utf-8")
            assert not function or re.search(rf"^(?:async )?def {function}\(", text, re.MULTILINE), test


def test_commands_of_long_forms_exist() -> None:
    for row in results_pages.rows("promises"):
        command = row["command"]
        files = [test.partition("::")[0] for test in PROMISES[row["promise"]]["tests"]]
        for selected in re.findall(r"pytest -k (\w+)", command):
            texts = [(TESTS / path).read_text("utf-8") for path in files]
            assert any(re.search(rf"def test_\w*{selected}", text) for text in texts), command
        for module, form in re.findall(r"python -m bench\.(\w+)(?: ([a-z]\w*))?", command):
            place = ROOT / "bench" / module
            sources = place.glob("*.py") if place.is_dir() else [place.with_suffix(".py")]
            text = "\n".join(path.read_text("utf-8") for path in sources)
            assert text and (not form or f'"{form}"' in text), command
