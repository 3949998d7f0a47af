"""The form for the rules of a new table: options in groups, explained, checked, shareable as a link."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.datastructures import FormData

from nousu.engine.errors import BadRules
from nousu.engine.options import Option, options, override, value_text
from nousu.extensions import Point, extension_module
from nousu.games import find, games
from nousu.i18n.names import family_name, group_name, introductions, option_name, preset_name, value_words
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import note_with_clause
from nousu.server.pages.visit import whole_number


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionField:
    """An option of the form."""

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
    """The error of the value; empty if there is none."""
    standard: str
    """The value of the preset in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupForm:
    """The form for one rule set."""

    text: str
    """The rule set in canonical writing."""
    base: str
    title: str
    experimental: bool
    presets: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """Families with their presets: value and words."""
    usual: tuple[tuple[str, str], ...]
    """The presets offered first, and the one chosen if it is another: value and words."""
    groups: tuple[tuple[str, tuple[OptionField, ...]], ...]
    low_seats: int
    high_seats: int
    seats: int
    error: str = ""
    """The error of the rule set as a whole, or a line above wrong fields; empty if there is none."""
    wrong_seats: str = ""
    """The error of the number of players."""
    typed_seats: str = ""
    """The number of players as typed, if it is wrong."""
    player: str = ""
    """The computer player chosen."""
    each: Mapping[int, str] = field(default_factory=dict)
    """The players chosen for single places, by number of place from 2 on."""

    @property
    def count(self) -> int:
        """The number of presets."""
        return sum(len(presets) for _, presets in self.presets)

    @property
    def wrong(self) -> tuple[tuple[str, str], ...]:
        """The fields to correct: name and label."""
        return tuple(
            (field.name, field.label) for _, fields in self.groups for field in fields if field.wrong
        )


def preset_exists(text: str) -> bool:
    """Whether a rule set exists."""
    try:
        find(text)
    except BadRules:
        return False
    return True


def form_of_rules(text: str, reader: Reader) -> SetupForm:
    """The form that shows a rule set written as ``preset+option=value``."""
    base = text.split("+")[0]
    wrong = None
    try:
        find(text)
    except BadRules as refusal:
        wrong = refusal
    if not preset_exists(base):
        return _form("tuppi", {}, reader, wrong)
    known = {item.name for item in options(find(base)[1])}
    pairs = (change.partition("=")[::2] for change in text.split("+")[1:])
    chosen = {name.strip(): value.strip() for name, value in pairs}
    return _form(base, {name: value for name, value in chosen.items() if name in known}, reader, wrong)


def form_of_post(values: FormData, reader: Reader) -> SetupForm:
    """The form as it was sent, with its errors."""
    base = str(values.get("preset", ""))
    try:
        _, rules = find(base)
    except BadRules as unknown:
        return _form("tuppi", {}, reader, unknown)
    if values.get("shown") != base:  # another preset was picked: its own values count
        return _form(base, {}, reader, None)
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
    each = {place: str(values.get(f"player.{place}", "")) for place in range(2, MOST_PLACES + 1)}
    each = {place: name for place, name in each.items() if name}
    shown = replace(_form(base, chosen, reader, wrong), player=str(values.get("player", "")), each=each)
    typed = str(values.get("seats", "")).strip()
    if not typed:
        return shown
    few, many = shown.low_seats, shown.high_seats
    if few <= (seats := whole_number(typed)) <= many:
        return replace(shown, seats=seats)
    return replace(
        shown,
        error=shown.error or _correct(reader),
        wrong_seats=reader.say("Write a whole number from {low} to {high}.", low=few, high=many),
        typed_seats=typed,
    )


def _form(base: str, chosen: Mapping[str, str], reader: Reader, wrong: BadRules | None) -> SetupForm:
    game, standard = find(base)
    known = {item.name: item for item in options(standard)}
    bad = {}
    for name, value in chosen.items():
        try:
            known[name].parse(value)
        except BadRules as refusal:
            bad[name] = note_with_clause(refusal.note, reader.say)
    try:
        rules = override(standard, {name: value for name, value in chosen.items() if name not in bad})
    except BadRules as clash:
        rules = standard
        bad.setdefault(clash.field, note_with_clause(clash.note, reader.say))
    groups: dict[str, list[OptionField]] = {}
    for item in known.values():
        shown = _field(item, rules, standard, chosen, reader, bad.get(item.name, ""))
        groups.setdefault(item.group, []).append(shown)
    takes = game.seats_for(base)
    few, many = takes.start, takes.stop - 1
    return SetupForm(
        text=base if wrong is not None else game.name_of(rules, base),
        base=base,
        title=preset_name(base, reader.say),
        experimental=base in game.experimental,
        presets=_presets(reader),
        usual=tuple(
            (name, preset_name(name, reader.say))
            for name in dict.fromkeys([*(name for name, *_ in introductions(reader.say)), base])
        ),
        groups=tuple((group_name(group, reader.say), tuple(fields)) for group, fields in groups.items()),
        low_seats=few,
        high_seats=many,
        seats=min(4, many),
        error="" if wrong is None else _correct(reader) if bad else note_with_clause(wrong.note, reader.say),
    )


def _correct(reader: Reader) -> str:
    """The line above a form with wrong fields."""
    return reader.say("Nothing is lost; correct the marked entries:")


def _field(
    item: Option, rules: Any, standard: Any, chosen: Mapping[str, str], reader: Reader, wrong: str
) -> OptionField:
    value, usual = getattr(rules, item.name), getattr(standard, item.name)
    choices: tuple[tuple[str, str], ...] = ()
    if item.values is not None:
        choices = tuple(
            (value_text(value), value_words(item.name, value, reader.say)) for value in item.values
        )
    elif item.items is not None:
        choices = tuple((value, value_words(item.name, value, reader.say)) for value in item.items)
    return OptionField(
        name=item.name,
        label=option_name(item.name, reader.say),
        about=reader.say(item.doc),
        clauses=item.clauses,
        value=chosen.get(item.name, value_text(value)),
        choices=choices,
        low=item.low,
        high=item.high,
        changed=value != usual,
        wrong=wrong,
        standard=value_words(item.name, usual, reader.say),
    )


def _presets(reader: Reader) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    return tuple(
        (family_name(game, reader.say), tuple((name, preset_name(name, reader.say)) for name in game.presets))
        for game in games().values()
    )


SPEEDS = {"calm": "1.6", "quick": "0.25"}
"""The pace of computer players other than the default, in seconds a card."""
USUAL_PLAYER = "easy"
"""The default computer player."""
_LEVELS = ("beginner", "easy", "club", "strong", "expert")
"""The levels, each stronger than the one before; other players follow."""
_WITHIN = ("rules", "searcher")
"""Players behind the levels, which are not offered beside them."""
MOST_PLACES = 7
"""The most places for which a player may be chosen singly."""


def player_choices(known: Sequence[str], game: str, reader: Reader) -> list[tuple[str, str]]:
    """The players to choose from: value and words, the weakest first, friends by a link last.

    Args:
        known: The computer players of the server.
        game: The family; ``expert`` is offered only where a family has a learnt policy.
        reader: The language.
    """
    say = reader.say
    names = {
        "beginner": say("Beginners: they count pictures and forget what was played"),
        "easy": say("Easy: they play sensibly and overlook what people overlook"),
        "club": say("Club players: they remember every card and play by rules of thumb"),
        "strong": say("Strong: they think through how the hidden cards may lie"),
        "expert": say("Expert: strong players who have learnt from many hands played"),
        "random": say("At random: any card that is allowed"),
    }
    without = _WITHIN if extension_module(Point.PLAYERS, game, "policy") else (*_WITHIN, "expert")
    ordered = [name for name in _LEVELS if name in known and name not in without]
    ordered += sorted(set(known) - {*ordered, *without})
    return [(name, names.get(name, name)) for name in ordered] + [("open", say("Friends, by a link"))]


def other_players(sent: FormData, seats: int, known: Sequence[str]) -> list[str]:
    """The players of the other places: chosen for the place, or for all; ``open`` is a friend."""
    usual = USUAL_PLAYER if USUAL_PLAYER in known else known[0]

    def one(field: str, otherwise: str) -> str:
        name = str(sent.get(field, ""))
        return name if name == "open" or name in known else otherwise

    everybody = one("player", usual)
    return [one(f"player.{place}", everybody) for place in range(2, seats + 1)]
