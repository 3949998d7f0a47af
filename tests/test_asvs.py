"""docs/host/asvs.jsonl: every row names a test that exists, says why none is needed, or is not met."""

import json
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
LINES = (TESTS.parent / "docs/host/asvs.jsonl").read_text("utf-8").splitlines()
ROWS = [json.loads(line) for line in LINES]
LEVELS = {
    1: (1, 2, 3, 4, 5),
    2: (1, 2, 3, 4),
    3: (2, 3, 4, 5, 7),
    4: (1, 2, 3, 4),
    5: (1, 2, 3, 4),
    6: (1, 2, 3, 4, 5, 6, 7, 8),
    7: (1, 2, 3, 4, 5, 6),
    8: (1, 2, 3, 4),
    9: (1, 2),
    10: (1, 2, 3, 4, 5, 6, 7),
    11: (1, 2, 3, 4, 5, 6),
    12: (1, 2, 3),
    13: (1, 2, 3, 4),
    14: (1, 2, 3),
    15: (1, 2, 3),
    16: (1, 2, 3, 4, 5),
    17: (1, 2, 3),
}
"""The sections that have requirements of level 1 or 2, by chapter."""


@pytest.mark.promise("P20")
def test_row_says_how_it_is_met() -> None:
    assert len(ROWS) > 80
    requirements = [requirement for row in ROWS for requirement in row["requirements"]]
    assert len(requirements) == len(set(requirements)), "a requirement stands twice"
    assert all(re.fullmatch(r"\d+\.\d+\.(\d+|\*)", requirement) for requirement in requirements)
    for row in ROWS:
        assert row["about"] and row["how"] in ("test", "by design", "operator", "not met"), row
        assert len(row["where"]) > 3, f"{row}: nothing is said"
        assert row["how"] != "test" or "`" in row["where"], f"{row}: which test?"
    sections = {tuple(map(int, requirement.split(".")[:2])) for requirement in requirements}
    assert sections >= {(chapter, section) for chapter, numbers in LEVELS.items() for section in numbers}


@pytest.mark.promise("P20")
def test_test_that_is_named_exists() -> None:
    named = [test for row in ROWS for test in re.findall(r"`([\w/]+\.py)(?:::(\w+))?`", row["where"])]
    assert len(named) > 40
    for path, name in named:
        text = (TESTS / path).read_text("utf-8")
        assert not name or re.search(rf"^(async )?def {name}\(", text, re.M), f"{path} has no {name}"
