"""Shared parts of formats: reading options, asking for them on a page, and rounds that have begun."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from nousu.engine.messages import Note, sentence
from nousu.tournament.form_fields import Field
from nousu.tournament.messages import Refusal, Todo
from nousu.tournament.model import Tournament, order

Kind = TypeVar("Kind")


def read_options(cls: type[Kind], options: Mapping[str, Any]) -> Kind:
    """A format made of `options`, each of the type of its default; `Refusal` names the bad one."""
    known = {field.name: field for field in fields(cls)}  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for name, value in options.items():
        if name not in known:
            raise Refusal(
                "there is no option {name} here; the options are {known}",
                values={"name": name, "known": ", ".join(known)},
                where="option",
            )
        default = known[name].default
        if isinstance(default, tuple) and isinstance(value, list):
            value = tuple(value)
        fits = type(value) is type(default)
        if fits and isinstance(value, tuple):
            fits = all(isinstance(number, int) and not isinstance(number, bool) for number in value)
        if not fits:
            raise Refusal(
                "{name} cannot be {value}", values={"name": name, "value": str(value)}, where="option"
            )
        values[name] = value
    return cls(**values)


def check_whole(name: str, value: int, low: int, high: int) -> None:
    """Raise `Refusal` unless `value` is within the bounds."""
    if not low <= value <= high:
        raise Refusal(
            "{name} is {value}; it must be between {low} and {high}",
            values={"name": name, "value": value, "low": low, "high": high},
            where="option",
        )


RULES_FIELD = Field("preset", sentence("Rules at the tables"))
"""The field of the rules; its choices are the presets that the format takes."""
LOWEST_FIELD = Field("lowest", sentence("The lowest sum wins"))
TEAMS_FIELD = Field(
    "teams",
    sentence("Results that count for a team"),
    sentence("How many results of each team count, best first; 0: no teams."),
    0,
    50,
)


def table_sizes(sizes: tuple[int, ...], say: Callable[..., str]) -> str:
    """Tables by their sizes: ``7 tables of 4, 1 table of 3``."""
    return ", ".join(
        say(
            sentence("{count} table of {size}", "{count} tables of {size}"),
            count=sizes.count(size),
            size=size,
        )
        for size in sorted(set(sizes), reverse=True)
    )


def option_texts(options: Mapping[str, Any]) -> dict[str, str]:
    """Options as a form shows them: yes and no, numbers, lists with commas."""
    texts = {}
    for name, value in options.items():
        if isinstance(value, bool):
            texts[name] = "yes" if value else "no"
        else:
            texts[name] = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return texts


def option_values(asked: tuple[Field, ...], texts: Mapping[str, str]) -> dict[str, Any]:
    """Options from the texts of a form. `Refusal` names the field that is no whole number."""
    values: dict[str, Any] = {}
    for field in asked:
        text = texts[field.name]
        if field.name == "place_points":
            values[field.name] = [_whole_number(field, part) for part in text.replace(" ", "").split(",")]
        elif field.high:
            values[field.name] = _whole_number(field, text)
        else:
            values[field.name] = text == "yes" if text in ("yes", "no") else text
    return values


def _whole_number(field: Field, text: str) -> int:
    number = text.strip()
    if not (number.isascii() and number.isdecimal() and len(number) < 6):
        raise Refusal("{text} is not a whole number", values={"text": number or "–"}, where=field.name)
    return int(number)


def enough_rounds(tournament: Tournament, rounds: int) -> None:
    """Raise `Refusal` if more rounds of the plan than these have begun."""
    for label in tournament.rounds:
        if label[0].isdigit() and order(label)[1] > rounds and tournament.has_begun(label):
            raise Refusal(
                "round {round} has begun; the event cannot end before it",
                values={"round": label},
                where="option",
            )


def first_round(tournament: Tournament, start: str, last: int, message: str) -> int:
    """The round a plan begins with: `start`, or the first one not begun.

    `Refusal` (`message` names the {round} and the {last} one there is) if it is no round of the plan.
    """
    start = start or tournament.next_round()
    order(start)
    first = int(start) if start.isdecimal() and len(start) < 10 else 0
    if not 1 <= first <= last:
        raise Refusal(message, values={"round": start, "last": last}, where="round")
    return first


def all_begun(tournament: Tournament, rounds: int) -> Note | None:
    """The reason for a closed list: every round has begun."""
    if int(tournament.next_round()) <= rounds:
        return None
    return Note("", "all rounds have begun; a newcomer can join only if the event is made longer")


def unseated_todos(tournament: Tournament) -> list[Todo]:
    """A todo for each person who plays and sits in no round."""
    start = tournament.next_round()
    return [
        Todo(
            Note("", "{name} is in no round yet; plan again", {"name": tournament.who(number)}),
            "plan",
            start=start,
        )
        for number in tournament.unseated()
    ]
