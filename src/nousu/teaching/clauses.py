"""Clauses of the rules: their texts, their sources, and the code and tests that implement them.

The text of each clause is in ``i18n/rules/en/<source>.md``, one paragraph per clause: ``**T-CAT-14**
(auction) Neither a two …``. Code names the same id, and a test has the mark ``clause("T-CAT-14")``.
``tools/trace_clauses.py`` joins the three in ``clause_trace.json``.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from nousu.i18n import CLAUSE, RULES, clause_texts
from nousu.i18n.families import families

TRACE = Path(__file__).parent / "clause_trace.json"
RESOLUTIONS = "resolutions"
"""The text of the resolutions: rules of play where the sources are silent or at odds."""
PHASES = (
    *("about", "seats", "deal", "auction", "exchange", "play", "score", "match"),
    *("tournament", "conduct", "flavour"),
)
"""The phases of a clause, in the order of a rule page."""


class Clause(NamedTuple):
    """A clause of a source, in our own words (a message of the catalogues)."""

    id: str
    source: str
    """The name of its file: ``t_cat``."""
    phase: str
    """One of `PHASES`."""
    text: str

    @property
    def kind(self) -> str:
        """``flavour`` (binds nobody), ``tournament`` or ``rule``."""
        return self.phase if self.phase in ("flavour", "tournament") else "rule"


class Trace(NamedTuple):
    """Places of a clause: ``games/whist/rules.py Rules.bid_ranks`` and ``games/test_x.py test_name``."""

    code: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


class RuleSources(NamedTuple):
    """The sources whose clauses explain a table's rules."""

    preset: str
    """The preset that the sources describe."""
    sources: tuple[str, ...]


def rule_sources(family: str, preset: str) -> RuleSources:
    """The sources that explain a preset. Games of other packages may have none."""
    texts = families().get(family)
    if texts is None:
        return RuleSources(preset, ())
    described = preset if preset in texts.sources else texts.described_as
    return RuleSources(described, texts.sources.get(described, ()))


def family_sources(family: str) -> tuple[str, ...]:
    """The texts that explain a family: its sources and `RESOLUTIONS`; () for a family without sources."""
    texts = families().get(family)
    listed = [source for page in texts.pages for source in page.sources] if texts else []
    return (*listed, RESOLUTIONS) if listed else ()


def resolution_prefixes(family: str) -> tuple[str, ...]:
    """Beginnings of the ids of a family's resolutions: ``A-H-``."""
    texts = families().get(family)
    return texts.resolutions if texts else ()


def parse_clauses(text: str, source: str) -> tuple[str, tuple[Clause, ...]]:
    """Parse one text of clauses.

    Args:
        text: Markdown: a title and one paragraph for each clause.
        source: The name of the file, without its ending.

    Returns:
        The title and the clauses in order.

    Raises:
        ValueError: A paragraph is no clause, an id is used twice, or the title is missing.
    """
    title = ""
    clauses: dict[str, Clause] = {}
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        line = " ".join(paragraph.split())
        if line.startswith("# "):
            title = line[2:]
            continue
        match = CLAUSE.fullmatch(line)
        if match is None or match["topic"] not in PHASES:
            raise ValueError(f"{source}: expected '**ID** (phase) text', found {line[:60]!r}")
        if match["id"] in clauses:
            raise ValueError(f"{source}: {match['id']} stands there twice")
        clauses[match["id"]] = Clause(match["id"], source, match["topic"], match["text"])
    if not title:
        raise ValueError(f"{source}: the title '# …' is missing")
    return title, tuple(clauses.values())


def clauses_in(source: str) -> tuple[Clause, ...]:
    """The clauses of one source (or of `RESOLUTIONS`) in order, as the catalogues know them."""
    if source == RESOLUTIONS:
        texts = clause_texts().items()
        return tuple(Clause(id, source, "about", text) for id, text in texts if id.startswith("A-"))
    return _sources()[source][1]


@cache
def sources() -> Mapping[str, str]:
    """The title of each source, in the order of the rule pages."""
    return {source: title for source, (title, _) in _sources().items()}


@cache
def clauses() -> Mapping[str, Clause]:
    """Clauses by id, source after source."""
    return {clause.id: clause for _, listed in _sources().values() for clause in listed}


@cache
def _sources() -> Mapping[str, tuple[str, tuple[Clause, ...]]]:
    names = [source for texts in families().values() for page in texts.pages for source in page.sources]
    return {name: parse_clauses((RULES / "en" / f"{name}.md").read_text("utf-8"), name) for name in names}


@cache
def load_trace() -> Mapping[str, Trace]:
    """Code and tests of every clause by its id, as ``tools/trace_clauses.py`` has written them."""
    table = json.loads(TRACE.read_text(encoding="utf-8"))
    return {id: Trace(tuple(row["code"]), tuple(row["tests"])) for id, row in table.items()}


def missing_evidence(clause: Clause, trace: Trace) -> str:
    """The parts that a binding clause lacks: ``code``, ``test``, ``code and test``, or nothing."""
    if clause.kind == "flavour":
        return ""
    return " and ".join(word for word, places in (("code", trace.code), ("test", trace.tests)) if not places)
