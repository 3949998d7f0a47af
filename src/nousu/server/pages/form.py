"""The form in which a table's rules are chosen: grouped, explained, checked, sharable as a link."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import FormData

from nousu.engine.errors import BadRules
from nousu.engine.options import Option, options, override, value_text
from nousu.games import find, games
from nousu.words import Translate
from nousu.words.events import explained
from nousu.words.options import family_name, group_name, option_name, preset_name, value_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One option of the form."""

    name: str
    label: str
    about: str
    clauses: tuple[str, ...]
    value: str
    choices: tuple[tuple[str, str], ...]
    """Value and words; empty for numbers and lists."""
    low: int | None
    high: int | None
    changed: bool
    wrong: bool
    standard: str
    """The value of the preset in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The whole form for one rule set."""

    text: str
    """The rule set, canonical: what the link says."""
    base: str
    title: str
    experimental: bool
    presets: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """Families with their presets: value and words."""
    groups: tuple[tuple[str, tuple[Field, ...]], ...]
    low_seats: int
    high_seats: int
    seats: int
    error: str = ""


def exists(text: str) -> bool:
    """Whether there is such a rule set."""
    try:
        find(text)
    except BadRules:
        return False
    return True


def read(text: str, say: Translate) -> Form:
    """The form that shows a rule set written as ``preset+option=value``."""
    base = text.split("+")[0]
    try:
        find(text)
    except BadRules as wrong:
        return _form(base if exists(base) else "tuppi", {}, say, wrong)
    pairs = (change.partition("=")[::2] for change in text.split("+")[1:])
    return _form(base, {name.strip(): value.strip() for name, value in pairs}, say, None)


def sent(values: FormData, say: Translate) -> Form:
    """The form as a person sent it, with what is wrong in it."""
    base = str(values.get("preset", ""))
    try:
        _, rules = find(base)
    except BadRules as wrong:
        return _form("tuppi", {}, say, wrong)
    if values.get("shown") != base:  # another preset was picked: its own values count
        return _form(base, {}, say, None)
    chosen = {}
    for item in options(rules):
        given = values.getlist(f"o.{item.name}")
        if given or (item.items is not None and f"list.{item.name}" in values):
            text = ",".join(map(str, given)) if item.items is not None else str(given[0]).strip()
            chosen[item.name] = f"[{text}]" if item.items is not None else text or "none"
    try:
        override(rules, chosen)
    except BadRules as wrong:
        return _form(base, chosen, say, wrong, seats(values, None))
    return _form(base, chosen, say, None, seats(values, None))


def seats(values: FormData, shown: Form | None) -> int:
    """How many players the person wants at the table."""
    text = str(values.get("seats", ""))
    wanted = int(text) if text.isdigit() else 0
    if shown is None:
        return wanted
    return wanted if shown.low_seats <= wanted <= shown.high_seats else shown.seats


def _form(
    base: str, chosen: Mapping[str, str], say: Translate, wrong: BadRules | None, wanted: int = 0
) -> Form:
    game, standard = find(base)
    good = {}
    for name, value in chosen.items():
        try:
            override_one(standard, name, value)
        except BadRules:
            continue
        good[name] = value
    try:
        rules = override(standard, good)
    except BadRules:
        rules = standard
    groups: dict[str, list[Field]] = {}
    for item in options(standard):
        groups.setdefault(item.group, []).append(_field(item, rules, standard, chosen, say, wrong))
    takes = game.seats_for(base)
    few, many = takes.start, takes.stop - 1
    return Form(
        text=base if wrong is not None else game.name_of(rules, base),
        base=base,
        title=preset_name(base, say),
        experimental=base in game.experimental,
        presets=_presets(say),
        groups=tuple((group_name(group, say), tuple(fields)) for group, fields in groups.items()),
        low_seats=few,
        high_seats=many,
        seats=wanted if few <= wanted <= many else min(4, many),
        error=explained(wrong.note, say) if wrong is not None else "",
    )


def override_one(rules: Any, name: str, value: str) -> None:
    """Raise `BadRules` if that option has no such value; how options fit together is not asked here."""
    for item in options(rules):
        if item.name == name:
            item.parse(value)
            return
    override(rules, {name: value})


def _field(
    item: Option, rules: Any, standard: Any, chosen: Mapping[str, str], say: Translate, wrong: BadRules | None
) -> Field:
    value, usual = getattr(rules, item.name), getattr(standard, item.name)
    choices: tuple[tuple[str, str], ...] = ()
    if item.values is not None:
        choices = tuple((value_text(one), value_words(item.name, one, say)) for one in item.values)
    elif item.items is not None:
        choices = tuple((one, value_words(item.name, one, say)) for one in item.items)
    return Field(
        name=item.name,
        label=option_name(item.name, say),
        about=say(item.doc),
        clauses=item.clauses,
        value=chosen.get(item.name, value_text(value)),
        choices=choices,
        low=item.low,
        high=item.high,
        changed=value != usual,
        wrong=wrong is not None and wrong.field == item.name,
        standard=value_words(item.name, usual, say),
    )


def _presets(say: Translate) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    return tuple(
        (family_name(game, say), tuple((name, preset_name(name, say)) for name in game.presets))
        for game in games().values()
    )


_LEVELS = ("rules", "beginner", "club", "strong")
"""The computer players a person chooses from, the usual one first; the others follow."""


def player_names(known: Sequence[str], say: Translate) -> list[tuple[str, str]]:
    """The computer players to choose from, and friends who come by a link."""
    names = {
        "rules": say("Computer players, sensible"),
        "beginner": say("Computer players, beginners"),
        "club": say("Computer players, club level"),
        "random": say("Computer players, random"),
        "searcher": say("Computer players, strong"),
        "strong": say("Computer players, strong"),
    }
    # Who sits down first plays the sensible ones; "searcher" is what the levels are made of.
    ordered = [name for name in _LEVELS if name in known]
    ordered += sorted(set(known) - {*ordered, "searcher"})
    return [(name, names.get(name, name)) for name in ordered] + [("open", say("Friends, by a link"))]
