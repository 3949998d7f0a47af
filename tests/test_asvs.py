"""docs/host/asvs.md: every row names a test that exists, says why none is needed, or that it is not met."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
TEXT = re.sub(r"\n +", " ", (TESTS.parent / "docs/host/asvs.md").read_text("utf-8"))
ROWS = re.findall(r"^- ([0-9][^:]*): (.*?) – \*\*(.*?)\*\*: (.*)$", TEXT, re.M)
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
def test_every_row_says_how_it_is_met() -> None:
    assert len(ROWS) > 80
    asked = [one for ids, *_ in ROWS for one in ids.split()]
    assert len(asked) == len(set(asked)), "a requirement stands twice"
    assert all(re.fullmatch(r"\d+\.\d+\.(\d+|\*)", one) for one in asked)
    for ids, _, how, where in ROWS:
        assert how in ("test", "by design", "operator", "not met"), ids
        assert len(where) > 3, f"{ids}: nothing is said"
        assert how != "test" or "`" in where, f"{ids}: which test?"
    sections = {tuple(map(int, one.split(".")[:2])) for one in asked}
    assert sections >= {(chapter, section) for chapter, found in LEVELS.items() for section in found}


@pytest.mark.promise("P20")
def test_every_test_that_is_named_exists() -> None:
    named = [one for *_, where in ROWS for one in re.findall(r"`([\w/]+\.py)(?:::(\w+))?`", where)]
    assert len(named) > 40
    for path, name in named:
        text = (TESTS / path).read_text()
        assert not name or re.search(rf"^(async )?def {name}\(", text, re.M), f"{path} has no {name}"
