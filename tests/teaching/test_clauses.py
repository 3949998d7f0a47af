"""The clauses: all there, each in the code and in a test, the generated pages up to date."""

import re
from collections import Counter
from pathlib import Path

import pytest

from nousu.teaching import clauses as book
from nousu.teaching.clauses import Clause, Trace

ROOT = Path(__file__).parent.parent.parent
COUNTS = {
    "t_cat": 38,
    "t_catt": 6,
    "nw_cat": 15,
    "t_wik": 27,
    "t_wikt": 6,
    "mw_wik": 18,
    "hp_gr": 34,
    "tu_zk": 45,
}
"""How many clauses each source document has."""


def test_all_189_clauses_are_there() -> None:
    assert Counter(one.source for one in book.clauses().values()) == COUNTS
    assert len(book.clauses()) == sum(COUNTS.values()) == 189


@pytest.mark.parametrize("source", [source for source in COUNTS if source != "tu_zk"])
def test_the_numbers_run_without_a_gap(source: str) -> None:
    prefix = source.replace("_", "-").upper()
    ids = [one.id for one in book.clauses().values() if one.source == source]
    assert ids == [f"{prefix}-{number:02}" for number in range(1, COUNTS[source] + 1)]


def test_the_sheet_of_zk_keeps_its_own_numbers() -> None:
    ids = [one.id for one in book.clauses().values() if one.source == "tu_zk"]
    assert all(re.fullmatch(r"TU-ZK-(I{1,3}|IV|V)\d[a-f]?", id) for id in ids)
    assert [sum(id.startswith(f"TU-ZK-{part}") and id[6 + len(part)].isdigit() for id in ids)
            for part in ("I", "II", "III", "IV", "V")] == [7, 9, 14, 9, 6]  # fmt: skip


def test_every_binding_clause_has_code_and_test() -> None:
    traced = book.trace(ROOT)
    gaps = {one.id: lack for one in book.clauses().values() if (lack := book.lacking(one, traced[one.id]))}
    assert gaps == {}


def test_nothing_names_a_clause_that_does_not_exist() -> None:
    known = set(book.clauses())
    prefixes = tuple({id.rsplit("-", 1)[0] + "-" for id in known})
    named: set[str] = set()
    for path in (ROOT / "src").rglob("*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            named.update(book.cited(line))
    for path in (ROOT / "tests").rglob("test_*.py"):
        if path != Path(__file__):
            named.update(id for id, _ in book.marked(path.read_text(encoding="utf-8")))
    dead = {id for id in named if id.startswith(prefixes)} - known
    assert dead == set()


def test_the_generated_files_are_up_to_date() -> None:
    stale = [
        path.relative_to(ROOT).as_posix()
        for path, text in book.generated(ROOT).items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    assert stale == [], "run `make docs`"


def test_an_installed_package_reads_the_packaged_table() -> None:
    assert book.repository() == ROOT
    assert book.trace(None) == book.trace(ROOT)


def test_a_text_is_a_title_and_paragraphs() -> None:
    title, (one, two) = book.parse_clauses(
        "# A\n\n**X-Y-01** (play) One\ntwo.\n\n**X-Y-02** (flavour) B.\n", "x"
    )
    assert title == "A"
    assert one == Clause("X-Y-01", "x", "play", "One two.")
    assert [one.kind, two.kind] == ["rule", "flavour"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("**X-Y-01** (play) One.", "the title"),
        ("# A\n\n**X-Y-01** One.", r"expected '\*\*ID\*\* \(phase\) text'"),
        ("# A\n\n**X-Y-01** (sport) One.", "expected"),
        ("# A\n\nX-Y-01 (play) One.", "found 'X-Y-01"),
        ("# A\n\n**X-Y-01** (play) One.\n\n**X-Y-01** (play) Two.", "X-Y-01 stands there twice"),
    ],
)
def test_a_wrong_text_is_told(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        book.parse_clauses(text, "x")


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


def test_places_are_named_by_field_function_or_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src/nousu/i18n").mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    (tmp_path / "src/nousu/games").mkdir()
    (tmp_path / "src/nousu/games/a.py").write_text(CODE)
    (tmp_path / "src/nousu/i18n/b.py").write_text("# X-Y-09")
    (tmp_path / "tests/test_a.py").write_text(TESTS)
    ids = [f"X-Y-{number:02}" for number in range(1, 10)]
    monkeypatch.setattr(book, "clauses", lambda: {id: Clause(id, "x", "play", "A.") for id in ids})
    traced = book.trace(tmp_path)
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


def test_what_a_clause_lacks() -> None:
    rule, flavour = Clause("X-Y-01", "x", "play", "A."), Clause("X-Y-02", "x", "flavour", "B.")
    assert book.lacking(rule, Trace()) == "code and test"
    assert book.lacking(rule, Trace(("a",), ())) == "test"
    assert book.lacking(rule, Trace((), ("b",))) == "code"
    assert book.lacking(rule, Trace(("a",), ("b",))) is None
    assert book.lacking(flavour, Trace()) is None
