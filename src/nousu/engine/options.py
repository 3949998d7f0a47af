"""Rule sets as values: fields that name their clause, presets, overrides, and the text of both.

A family's rules are one keyword-only frozen dataclass whose fields are made by `option`. A rule set is
written as a preset and its differences, ``tuppi+high_fail_points=6+sooli=off``.
"""

import dataclasses
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from nousu.engine.errors import BadRules
from nousu.engine.messages import brief, sentence

_NUMBER = re.compile(r"-?[0-9]{1,9}")
"""Whole numbers in options; no rule needs longer ones."""


@dataclasses.dataclass(frozen=True, slots=True)
class Option:
    """The meaning of a rule field: its clause ids, a sentence, the group it is listed in, its values."""

    name: str
    clauses: tuple[str, ...]
    doc: str
    group: str
    default: Any
    values: tuple[Any, ...] | None
    """The allowed values, or None when `low`–`high` bound an integer or the value is a list."""
    low: int | None = None
    high: int | None = None
    none: bool = False
    """An integer option that may also be `none`."""
    items: tuple[str, ...] | None = None
    """The words a list option is made of."""

    def parse(self, text: str) -> Any:
        """The value written as `text`; `BadRules` says what is allowed."""
        if self.items is not None:
            words = tuple(word for word in text.strip("[]").split(",") if word)
            if len(set(words)) == len(words) and all(word in self.items for word in words):
                return words
        elif self.values is not None:
            for value in self.values:
                if value_text(value) == text.lower() or value_text(value) == text:
                    return value
        elif self.none and text.lower() == "none":
            return None
        elif _NUMBER.fullmatch(text) and self.accepts(int(text)):
            return int(text)
        raise self.refused(text)

    def accepts(self, value: Any) -> bool:
        """Whether `value` is one of the allowed ones."""
        if self.items is not None:
            return isinstance(value, tuple) and all(word in self.items for word in value)
        if self.values is not None:
            return any(type(value) is type(other) and value == other for other in self.values)
        if value is None:
            return self.none
        whole = isinstance(value, int) and not isinstance(value, bool)
        return whole and (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def refused(self, text: str) -> BadRules:
        """The error for a value that this option cannot have: what is allowed, and by which clauses."""
        values: dict[str, int | str] = {"setting": f"{self.name}={brief(text)}"}
        if self.items is not None or self.values is not None:
            allowed = self.items if self.items is not None else map(value_text, self.values or ())
            values["values"] = ", ".join(allowed)
            message = (
                sentence("{setting} is not allowed; the allowed values are {values}")
                if self.items is None
                else sentence("{setting} is not allowed; write a list of {values}")
            )
        else:
            values |= {"low": self.low or 0, "high": self.high or 0}
            message = (
                sentence("{setting} is not allowed; write a whole number from {low} to {high}, or none")
                if self.none
                else sentence("{setting} is not allowed; write a whole number from {low} to {high}")
            )
        return BadRules(self.name, message, self.clauses[0], values)

    def allowed(self) -> str:
        """The allowed values as they are written."""
        if self.items is not None:
            return "a list of " + ", ".join(self.items)
        if self.values is not None:
            return ", ".join(map(value_text, self.values))
        return f"a whole number from {self.low} to {self.high}" + (" or none" if self.none else "")


def option(  # noqa: PLR0913 (one keyword for each property of an option)
    default: Any,
    *,
    clause: str,
    doc: str,
    group: str,
    values: tuple[Any, ...] | None = None,
    low: int | None = None,
    high: int | None = None,
    none: bool = False,
    items: tuple[str, ...] | None = None,
) -> Any:
    """A field of a rules class; without values, items or bounds it is a switch (on, off).

    Args:
        default: The value where a preset names none.
        clause: Ids of its clauses, separated by spaces.
        doc: One sentence for people (a message of the catalogues).
        group: The group of the form in which it stands.
        values: All values, if they are few.
        low: The least number.
        high: The greatest number.
        none: Whether "none" is allowed besides numbers.
        items: The words of a list.
    """
    if values is None and low is None and items is None:
        values = (True, False)
    about = (tuple(clause.split()), doc, group, values, low, high, none, items)
    return dataclasses.field(default=default, metadata={"option": about})


def options(rules: Any) -> tuple[Option, ...]:
    """The options of a rules class or value, in the order in which they are defined."""
    entries = []
    for field in dataclasses.fields(rules):
        clauses, doc, group, values, low, high, none, items = field.metadata["option"]
        entries.append(Option(field.name, clauses, doc, group, field.default, values, low, high, none, items))
    return tuple(entries)


def check_values(rules: Any) -> None:
    """Raise `BadRules` for the first field whose value is not allowed (called from ``__post_init__``)."""
    for item in options(rules):
        value = getattr(rules, item.name)
        if not item.accepts(value):
            raise item.refused(value_text(value))


def value_text(value: Any) -> str:
    """A value as it is written in rule sets and records: on, off, none, 52, other_criterion,extra_hands."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "[" + ",".join(map(str, value)) + "]"
    return str(value)


def unknown_option(name: str, known: Iterable[str]) -> BadRules:
    """The error for an unknown option: it suggests a similar name, or lists all of them."""
    listed = list(known)
    likely = get_close_matches(name[:100], listed, 1)
    values = {"word": brief(name), "option": likely[0] if likely else "", "options": ", ".join(listed)}
    message = (
        sentence("there is no option {word}; did you mean {option}?")
        if likely
        else sentence("there is no option {word}; the options are {options}")
    )
    return BadRules(name, message, "", values)


def clash(rules: Any, message: str, *settings: str) -> BadRules:
    """The error for options that exclude one another.

    Args:
        rules: The rules class or value.
        message: A message about ``{setting}``, ``{setting_2}`` …
        settings: Each ``option=value`` or an option alone; the error names the first as its field.
    """
    field = settings[0].partition("=")[0]
    clauses = next(item.clauses for item in options(rules) if item.name == field)
    values = {f"setting_{at}" if at > 1 else "setting": text for at, text in enumerate(settings, 1)}
    return BadRules(field, message, clauses[0], values)


def override(rules: Any, changes: Mapping[str, str]) -> Any:
    """`rules` with some options changed, each written as text."""
    known = {item.name: item for item in options(rules)}
    values = {}
    for name, text in changes.items():
        if name not in known:
            raise unknown_option(name, known)
        values[name] = known[name].parse(text)
    return dataclasses.replace(rules, **values)


def differences(rules: Any, base: Any) -> dict[str, Any]:
    """The options in which `rules` differs from `base`, with the values of `rules`."""
    return {
        item.name: getattr(rules, item.name)
        for item in options(rules)
        if getattr(rules, item.name) != getattr(base, item.name)
    }
