"""The rules of a table as a page: options with their values, differences, and the clauses they come from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nousu.engine.game import Game
from nousu.engine.options import differences, options
from nousu.words import Translate, titles
from nousu.words.clauses import RESOLUTIONS, Clause, clauses_in, explaining, followed
from nousu.words.options import family_name, group_name, option_name, preset_name, value_words


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


def _choices(rules: Any, standard: Any, say: Translate) -> dict[str, list[Choice]]:
    changed = differences(rules, standard)
    groups: dict[str, list[Choice]] = {}
    for item in options(rules):
        value = value_words(item.name, getattr(rules, item.name), say)
        usual = value_words(item.name, getattr(standard, item.name), say) if item.name in changed else ""
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
    mine = followed(game.name, base)[1]
    files, letters = explaining(game.name)
    rest = [file for file in files if file not in mine]

    def chapter(file: str) -> tuple[str, tuple[Clause, ...]]:
        listed = clauses_in(file)
        if file == RESOLUTIONS:
            listed = tuple(clause for clause in listed if clause.id.startswith(letters))
        return say(titles()[file]), tuple(clause._replace(text=say(clause.text)) for clause in listed)

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
        known=frozenset(clause.id for _, listed in (*own, *others) for clause in listed),
        altered=altered,
    )
