"""Clauses: their number, their ids and the form of their texts."""

import re
from collections import Counter

import pytest

from nousu.teaching.clauses import Clause, Trace, clauses, load_trace, missing_evidence, parse_clauses

COUNTS = {
    "t_cat": 38,
    "t_catt": 6,
    "nw_cat": 15,
    "t_wik": 27,
    "t_wikt": 6,
    "mw_wik": 18,
    "hp_gr": 34,
    "hp_wu": 15,
    "tu_zk": 45,
}
"""How many clauses each source document has."""


def test_clauses_are_complete_and_numbered_without_a_gap() -> None:
    assert Counter(clause.source for clause in clauses().values()) == COUNTS
    assert len(clauses()) == sum(COUNTS.values()) == 204
    for source in set(COUNTS) - {"tu_zk"}:
        prefix = source.replace("_", "-").upper()
        ids = [clause.id for clause in clauses().values() if clause.source == source]
        assert ids == [f"{prefix}-{number:02}" for number in range(1, COUNTS[source] + 1)]


def test_clauses_of_the_zk_sheet_keep_its_own_numbers() -> None:
    ids = [clause.id for clause in clauses().values() if clause.source == "tu_zk"]
    assert all(re.fullmatch(r"TU-ZK-(I{1,3}|IV|V)\d[a-f]?", id) for id in ids)
    assert [sum(id.startswith(f"TU-ZK-{part}") and id[6 + len(part)].isdigit() for id in ids)
            for part in ("I", "II", "III", "IV", "V")] == [7, 9, 14, 9, 6]  # fmt: skip


def test_trace_in_the_package_has_code_and_a_test_for_every_binding_clause() -> None:
    trace = load_trace()
    assert [id for id, clause in clauses().items() if missing_evidence(clause, trace[id])] == []


def test_clause_text_is_a_title_and_paragraphs() -> None:
    title, (first, second) = parse_clauses(
        "# A\n\n**X-Y-01** (play) One\ntwo.\n\n**X-Y-02** (flavour) B.\n", "x"
    )
    assert title == "A"
    assert first == Clause("X-Y-01", "x", "play", "One two.")
    assert [first.kind, second.kind] == ["rule", "flavour"]


def test_clause_text_with_an_error_is_refused(subtests: pytest.Subtests) -> None:
    for text, message in [
        ("**X-Y-01** (play) One.", "the title"),
        ("# A\n\n**X-Y-01** One.", r"expected '\*\*ID\*\* \(phase\) text'"),
        ("# A\n\n**X-Y-01** (sport) One.", "expected"),
        ("# A\n\nX-Y-01 (play) One.", "found 'X-Y-01"),
        ("# A\n\n**X-Y-01** (play) One.\n\n**X-Y-01** (play) Two.", "X-Y-01 stands there twice"),
    ]:
        with subtests.test(text=text, message=message), pytest.raises(ValueError, match=message):
            parse_clauses(text, "x")


def test_missing_evidence_of_a_clause() -> None:
    rule, flavour = Clause("X-Y-01", "x", "play", "A."), Clause("X-Y-02", "x", "flavour", "B.")
    assert missing_evidence(rule, Trace()) == "code and test"
    assert missing_evidence(rule, Trace(("a",), ())) == "test"
    assert missing_evidence(rule, Trace((), ("b",))) == "code"
    assert missing_evidence(rule, Trace(("a",), ("b",))) == ""
    assert missing_evidence(flavour, Trace()) == ""
