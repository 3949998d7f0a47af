"""docs/promises.md: every promise has its row, a quick form that is a test, a long form and a figure."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from bench.soak.forms import FORMS

TESTS = Path(__file__).parent
TEXT = (TESTS.parent / "docs/promises.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| (P\d+) \| (.*) \|$", TEXT, re.M))
NO_QUICK_FORM = {"P2"}
"""Memory: its row says why."""


def test_every_promise_of_the_server_has_one_row() -> None:
    assert list(ROWS) == [f"P{number}" for number in range(1, 21)]
    assert len(re.findall(r"^\| P\d+ \|", TEXT, re.M)) == len(ROWS), "a promise stands twice"


@pytest.mark.parametrize("promise", ROWS)
def test_a_row_says_what_is_promised_how_it_is_tested_and_what_was_measured(promise: str) -> None:
    cells = [cell.strip() for cell in ROWS[promise].split(" | ")]
    assert len(cells) == 4 and all(cells), cells
    _, quick, long, _ = cells
    named = re.findall(r"`([\w/]+\.py)(?:::\w+)?`", quick)
    assert named or promise in NO_QUICK_FORM
    assert "`" in long or long.startswith(("none", "as P"))
    for selected in re.findall(r"`-k (\w+)`", long):
        found = [path for path in named if re.search(rf"def test_\w*{selected}", (TESTS / path).read_text())]
        assert found, f"no test is selected by -k {selected}"


@pytest.mark.parametrize("promise", ROWS)
def test_a_command_of_a_long_form_is_there(promise: str) -> None:
    for module, form in re.findall(r"python -m bench\.(\w+)(?: (\w+))?", ROWS[promise]):
        assert find_spec(f"bench.{module}"), module
        assert not form or form in FORMS, f"bench.{module} has no {form}"
