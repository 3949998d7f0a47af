"""The form in which a table's rules are chosen: grouped, explained, checked, sharable as a link."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.datastructures import FormData

from nousu.engine.errors import BadRules
from nousu.engine.options import Option, options, override, value_text
from nousu.games import find, games, part
from nousu.i18n import Translate
from nousu.i18n.names import family_name, group_name, option_name, preset_name, value_words
from nousu.i18n.sentences import note_with_clause


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
    wrong: str
    """What is wrong with the value, as a sentence; empty: nothing."""
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
    """What is wrong with the rule set as a whole, or that some field is wrong; empty: nothing."""
    wrong_seats: str = ""
    """What is wrong with the number of players."""
    typed_seats: str = ""
    """What the person wrote there."""
    player: str = ""
    """The computer player chosen."""
    each: Mapping[int, str] = field(default_factory=dict)
    """What was chosen for single places, by their number from 2 on."""

    @property
    def wrong(self) -> tuple[tuple[str, str], ...]:
        """The fields to be corrected: name and label."""
        return tuple(
            (field.name, field.label) for _, fields in self.groups for field in fields if field.wrong
        )


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
    wrong = None
    try:
        find(text)
    except BadRules as refusal:
        wrong = refusal
    if not exists(base):
        return _form("tuppi", {}, say, wrong)
    known = {item.name for item in options(find(base)[1])}
    pairs = (change.partition("=")[::2] for change in text.split("+")[1:])
    chosen = {name.strip(): value.strip() for name, value in pairs}
    return _form(base, {name: value for name, value in chosen.items() if name in known}, say, wrong)


def sent(values: FormData, say: Translate) -> Form:
    """The form as a person sent it, with what is wrong in it."""
    base = str(values.get("preset", ""))
    try:
        _, rules = find(base)
    except BadRules as unknown:
        return _form("tuppi", {}, say, unknown)
    if values.get("shown") != base:  # another preset was picked: its own values count
        return _form(base, {}, say, None)
    chosen = {}
    for item in options(rules):
        given = values.getlist(f"o.{item.name}")
        if given or (item.items is not None and f"list.{item.name}" in values):
            text = ",".join(map(str, given)) if item.items is not None else str(given[0]).strip()
            chosen[item.name] = f"[{text}]" if item.items is not None else text or "none"
    wrong = None
    try:
        override(rules, chosen)
    except BadRules as refusal:
        wrong = refusal
    each = {place: str(values.get(f"player.{place}", "")) for place in range(2, PLACES + 1)}
    each = {place: name for place, name in each.items() if name}
    shown = replace(_form(base, chosen, say, wrong), player=str(values.get("player", "")), each=each)
    typed = str(values.get("seats", "")).strip()
    if not typed:
        return shown
    few, many = shown.low_seats, shown.high_seats
    if typed.isdecimal() and len(typed) < 4 and few <= int(typed) <= many:
        return replace(shown, seats=int(typed))
    return replace(
        shown,
        error=shown.error or _correct(say),
        wrong_seats=say("Write a whole number from {low} to {high}.", low=few, high=many),
        typed_seats=typed,
    )


def _form(base: str, chosen: Mapping[str, str], say: Translate, wrong: BadRules | None) -> Form:
    game, standard = find(base)
    known = {item.name: item for item in options(standard)}
    bad = {}
    for name, value in chosen.items():
        try:
            known[name].parse(value)
        except BadRules as refusal:
            bad[name] = note_with_clause(refusal.note, say)
    try:
        rules = override(standard, {name: value for name, value in chosen.items() if name not in bad})
    except BadRules as clash:
        rules = standard
        bad.setdefault(clash.field, note_with_clause(clash.note, say))
    groups: dict[str, list[Field]] = {}
    for item in known.values():
        shown = _field(item, rules, standard, chosen, say, bad.get(item.name, ""))
        groups.setdefault(item.group, []).append(shown)
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
        seats=min(4, many),
        error="" if wrong is None else _correct(say) if bad else note_with_clause(wrong.note, say),
    )


def _correct(say: Translate) -> str:
    """What stands on top of a form with wrong fields."""
    return say("Nothing is lost; correct what is marked:")


def _field(
    item: Option, rules: Any, standard: Any, chosen: Mapping[str, str], say: Translate, wrong: str
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
        wrong=wrong,
        standard=value_words(item.name, usual, say),
    )


def _presets(say: Translate) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    return tuple(
        (family_name(game, say), tuple((name, preset_name(name, say)) for name in game.presets))
        for game in games().values()
    )


SPEEDS = {"calm": "1.6", "quick": "0.25"}
"""Seconds that computer players take for a card, and half of what a finished trick lies, where it is not the
usual."""
USUAL = "easy"
"""The computer player that a newcomer meets."""
_LEVELS = ("beginner", "easy", "club", "strong", "expert")
"""The levels a person chooses from, each stronger than the one before; other players follow."""
_WITHIN = ("rules", "searcher")
"""What the levels are made of, not offered beside them."""
PLACES = 7
"""Places at the most for which a player may be chosen one by one."""


def player_names(known: Sequence[str], game: str, say: Translate) -> list[tuple[str, str]]:
    """The computer players to choose from at a table of the family `game`, the weakest first, and friends who
    come by a link. An expert is offered where something was learnt: elsewhere it plays as ``strong`` does."""
    names = {
        "beginner": say("Beginners: they count pictures and forget what was played"),
        "easy": say("Easy: they play sensibly and overlook what people overlook"),
        "club": say("Club players: they remember every card and play by rules of thumb"),
        "strong": say("Strong: they think through how the hidden cards may lie"),
        "expert": say("Expert: strong players who have learnt from many hands played"),
        "random": say("At random: any card that is allowed"),
    }
    without = _WITHIN if part("nousu.players", game, "policy") else (*_WITHIN, "expert")
    ordered = [name for name in _LEVELS if name in known and name not in without]
    ordered += sorted(set(known) - {*ordered, *without})
    return [(name, names.get(name, name)) for name in ordered] + [("open", say("Friends, by a link"))]


def company(sent: FormData, seats: int, known: Sequence[str]) -> list[str]:
    """Who takes the other places: the one chosen for all, or for this place; ``open`` is a friend."""
    usual = USUAL if USUAL in known else known[0]

    def one(field: str, otherwise: str) -> str:
        name = str(sent.get(field, ""))
        return name if name == "open" or name in known else otherwise

    everybody = one("player", usual)
    return [one(f"player.{place}", everybody) for place in range(2, seats + 1)]
