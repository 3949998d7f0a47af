"""Trace of the clauses: every clause in the code and in a test, and the generated files up to date."""

from pathlib import Path

import pytest

from nousu.teaching.clauses import Clause, clauses, load_trace, missing_evidence
from tools import trace_clauses
from tools.trace_clauses import ROOT, clause_marks, generated_files, ids_in, trace


def test_trace_has_code_and_a_test_for_every_binding_clause() -> None:
    traced = trace()
    gaps = {id: gap for id, clause in clauses().items() if (gap := missing_evidence(clause, traced[id]))}
    assert gaps == {}


def test_trace_in_the_package_and_rule_pages_are_up_to_date() -> None:
    stale = [
        path.relative_to(ROOT).as_posix()
        for path, text in generated_files().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    assert stale == [], "run `make docs`"
    assert load_trace() == trace()


def test_clause_ids_in_code_and_tests_exist() -> None:
    prefixes = tuple({id.rsplit("-", 1)[0] + "-" for id in clauses()})
    named: set[str] = set()
    for path in (ROOT / "src").rglob("*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            named.update(ids_in(line))
    for path in (ROOT / "tests").rglob("test_*.py"):
        if path != Path(__file__):
            named.update(id for id, _ in clause_marks(path.read_text(encoding="utf-8")))
    assert {id for id in named if id.startswith(prefixes)} - set(clauses()) == set()


CODE = '''
"""Module of X-Y-01."""

# X-Y-02…04
TABLE = (
    1,  # X-Y-05
)

class Rules:
    """X-Y-06"""

    field: int = 1  # X-Y-07

    @property
    def said(self):
        local = 1  # X-Y-08
'''
TESTS = """
@clause("X-Y-01", "X-Y-02")
def test_one(): ...

@pytest.mark.parametrize("a", [pytest.param(1, marks=pytest.mark.clause("X-Y-03"))])
class TestTwo: ...

@pytest.mark.slow("X-Y-04")
def test_three(): ...
"""


def test_trace_names_field_function_or_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src/nousu/i18n").mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    (tmp_path / "src/nousu/games").mkdir()
    (tmp_path / "src/nousu/games/a.py").write_text(CODE)
    (tmp_path / "src/nousu/i18n/b.py").write_text("# X-Y-09")
    (tmp_path / "tests/test_a.py").write_text(TESTS)
    ids = [f"X-Y-{number:02}" for number in range(1, 10)]
    monkeypatch.setattr(trace_clauses, "clauses", lambda: {id: Clause(id, "x", "play", "A.") for id in ids})
    traced = trace_clauses.trace(tmp_path)
    assert [row.code for row in traced.values()] == [
        ("games/a.py",),
        ("games/a.py",),
        ("games/a.py",),
        ("games/a.py",),
        ("games/a.py TABLE",),
        ("games/a.py Rules",),
        ("games/a.py Rules.field",),
        ("games/a.py Rules.said",),
        (),
    ]
    assert [row.tests for row in traced.values()][:4] == [
        ("test_a.py test_one",),
        ("test_a.py test_one",),
        ("test_a.py TestTwo",),
        (),
    ]
