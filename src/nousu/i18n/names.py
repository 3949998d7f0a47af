"""Names of rule sets, of options and of their values, as the texts of the families have them."""

from functools import lru_cache
from typing import Any

from nousu.engine.game import Game
from nousu.engine.options import value_text
from nousu.games import USUAL, games
from nousu.i18n import Translate
from nousu.i18n.families import families, messages


@lru_cache(256)
def preset_name(text: str, say: Translate) -> str:
    """The name of a rule set: its preset in words, with a remark if options were changed."""
    base, plus, _ = text.partition("+")
    known = messages("presets")
    name = say(known[base]) if base in known else base
    return say("{name} with house rules", name=name) if plus else name


def introductions(say: Translate) -> tuple[tuple[str, str, str], ...]:
    """The games for a newcomer: preset, name, and a sentence.

    A family without sentences is offered by its first preset alone.
    """
    known = messages("introductions")
    ordered = sorted(games().values(), key=lambda game: USUAL not in game.presets)
    chosen = (
        preset
        for game in ordered
        for preset in [name for name in game.presets if name in known] or [next(iter(game.presets))]
    )
    return tuple(
        (preset, preset_name(preset, say), say(known[preset]) if preset in known else "") for preset in chosen
    )


def family_name(game: Game, say: Translate) -> str:
    """The name of a family of games."""
    return say(families()[game.name].name) if game.name in families() else game.name


def group_name(group: str, say: Translate) -> str:
    """The heading of a group of options."""
    known = messages("groups")
    return say(known[group]) if group in known else group.capitalize()


def option_name(name: str, say: Translate) -> str:
    """The short name of an option."""
    known = messages("options")
    return say(known[name]) if name in known else name.replace("_", " ").capitalize()


def value_words(option: str, value: Any, say: Translate) -> str:
    """The value of an option in words; a list item by item."""
    if isinstance(value, tuple):
        return ", ".join(value_words(option, item, say) for item in value) or say("none")
    text, known = value_text(value), messages("values")
    if text in ("on", "off", "none") and f"{option}={text}" not in known:
        return {"on": say("yes"), "off": say("no"), "none": say("none")}[text]
    message = known.get(f"{option}={text}") or known.get(text)
    return text.replace("_", " ") if message is None else say(message)


def preset_words(preset: str, say: Translate) -> str:
    """A preset in words, with its written form in brackets."""
    return _with_writing(preset_name(preset, say), preset)


def setting_words(text: str, say: Translate) -> str:
    """An option, alone or ``option=value``, in words, with its written form in brackets.

    ``target=52`` is ``Target: 52 (target=52)``.
    """
    option, equals, value = text.partition("=")
    if not equals:
        return _with_writing(option_name(option, say), text)
    parts = value[1:-1].split(",") if value.startswith("[") else [value]
    words = ", ".join(value_words(option, part, say) for part in parts) or say("none")
    return _with_writing(f"{option_name(option, say)}: {words}", text)


def allowed_words(option: str, values: str, say: Translate) -> str:
    """Values of an option, written with a comma and a space between them, each in words."""
    return ", ".join(_with_writing(value_words(option, value, say), value) for value in values.split(", "))


def _with_writing(words: str, writing: str) -> str:
    return words if words.casefold() == writing.casefold() else f"{words} ({writing})"
