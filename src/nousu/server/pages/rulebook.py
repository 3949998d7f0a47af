"""The rules of a table as a page: options with their values, differences, and the clauses they come from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from nousu.engine.game import Game
from nousu.engine.options import differences, options
from nousu.server.pages.form import family_name, group_name
from nousu.server.pages.names import option_name, preset_name, value_words
from nousu.words import RULES, Translate, clause_texts

_CLAUSE = re.compile(r"\*\*(?P<id>[A-Z]+-[A-Z]+-[A-Za-z0-9]+)\*\*\s*(?:\((?P<phase>[^)]*)\))?\s*(?P<text>.+)")
_SOURCES = {
    "whist": ("t_wik", "t_wikt", "t_cat", "t_catt", "mw_wik", "nw_cat"),
    "huutopussi": ("hp_gr",),
    "tuppen": ("tu_zk",),
}
"""The sources of each family, files of clauses."""
_FIRST = {
    "tuppi_catsatcards": ("t_cat",),
    "tuppi_tournament": ("t_wikt", "t_wik"),
    "tuppi_tournament_catsatcards": ("t_catt", "t_cat"),
    "minnesota": ("mw_wik",),
    "minnesota_pagat": ("mw_wik",),
    "norwegian_catsatcards": ("nw_cat", "t_cat"),
    "south_dakota": ("mw_wik",),
    "norwegian_parlett": ("mw_wik", "nw_cat"),
    "norwegian_spoken": ("mw_wik", "nw_cat"),
    "swedish": ("mw_wik",),
}
"""Where a preset follows another source than its family's first."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One numbered paragraph."""

    id: str
    phase: str
    text: str


@dataclass(frozen=True, slots=True)
class Choice:
    """An option as this table has it."""

    name: str
    about: str
    value: str
    standard: str
    """The preset's value where it differs, else empty."""
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """Everything on a rules page."""

    title: str
    text: str
    family: str
    base: str
    """The preset the differences are counted from, in words."""
    changes: tuple[Choice, ...]
    groups: tuple[tuple[str, tuple[Choice, ...]], ...]
    own: tuple[tuple[str, tuple[Clause, ...]], ...]
    """The sources this table follows: name and clauses."""
    others: tuple[tuple[str, tuple[Clause, ...]], ...]
    """The other sources of the family."""
    presets: tuple[tuple[str, str], ...]
    known: frozenset[str]
    """Ids that stand on the page."""
    altered: Mapping[str, tuple[Choice, ...]]
    """What this table has instead, by the clauses that say otherwise."""


@cache
def clauses(file: str) -> tuple[Clause, ...]:
    """The clauses of one source (or of the resolutions), in order."""
    path = RULES / f"{file}.md"
    if not path.exists():
        return ()
    found = []
    for paragraph in path.read_text("utf-8").split("\n\n"):
        match = _CLAUSE.match(" ".join(paragraph.split()))
        if match is not None:
            found.append(Clause(match["id"], match["phase"] or "", clause_texts()[match["id"]]))
    return tuple(found)


def _source_name(file: str, say: Translate) -> str:
    names = {
        "t_wik": say("Tuppi, from Wikipedia"),
        "t_wikt": say("Tuppi tournaments, from Wikipedia"),
        "t_cat": say("Tuppi, from CatsAtCards"),
        "t_catt": say("Tuppi tournaments, from CatsAtCards"),
        "mw_wik": say("Minnesota whist"),
        "nw_cat": say("Norwegian whist, from CatsAtCards"),
        "hp_gr": say("Huutopussi, from GameRules"),
        "tu_zk": say("Tuppen, the ZK tournament sheet"),
        "resolutions": say("Where the sources are silent or contradict each other"),
    }
    return names[file]


def _choices(rules: Any, standard: Any, say: Translate) -> dict[str, list[Choice]]:
    changed = differences(rules, standard)
    groups: dict[str, list[Choice]] = {}
    for item in options(rules):
        value = value_words(getattr(rules, item.name), say)
        usual = value_words(getattr(standard, item.name), say) if item.name in changed else ""
        choice = Choice(option_name(item.name, say), say(item.doc), value, usual, item.clauses)
        groups.setdefault(item.group, []).append(choice)
    return groups


def book(game: Game, rules: Any, text: str, say: Translate) -> Book:
    """The rules page of a rule set. A preset is compared with the first of its family, a rule set with
    house rules with its own preset."""
    base = text.split("+")[0]
    family = next(iter(game.presets))
    against = base if "+" in text else family
    groups = _choices(rules, game.presets[against], say)
    follow = _FIRST.get(base, _SOURCES[game.name][:1])
    mine = [file for file in follow if clauses(file)]
    rest = [file for file in (*_SOURCES[game.name], "resolutions") if file not in mine and clauses(file)]
    letters = {"whist": ("A-T-", "A-N-", "A-M-"), "huutopussi": ("A-H-",), "tuppen": ("A-U-",)}[game.name]

    def chapter(file: str) -> tuple[str, tuple[Clause, ...]]:
        told = clauses(file)
        if file == "resolutions":
            told = tuple(clause for clause in told if clause.id.startswith(letters))
        return _source_name(file, say), tuple(Clause(c.id, c.phase, say(c.text)) for c in told)

    own, others = tuple(map(chapter, mine)), tuple(map(chapter, rest))
    changes = tuple(choice for group in groups.values() for choice in group if choice.standard)
    altered: dict[str, tuple[Choice, ...]] = {}
    for choice in changes if "+" in text else ():
        for clause in choice.clauses:
            altered[clause] = (*altered.get(clause, ()), choice)
    return Book(
        title=preset_name(text, say),
        text=text,
        family=family_name(game, say),
        base=preset_name(against, say),
        changes=changes,
        groups=tuple((group_name(group, say), tuple(found)) for group, found in groups.items()),
        own=own,
        others=others,
        presets=tuple((name, preset_name(name, say)) for name in game.presets),
        known=frozenset(clause.id for _, told in (*own, *others) for clause in told),
        altered=altered,
    )
