"""Reading the options of a format, with a reason for every one that does not fit."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from nousu.tournament.messages import Refusal

Kind = TypeVar("Kind")


def checked(cls: type[Kind], options: Mapping[str, Any]) -> Kind:
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
            fits = all(isinstance(one, int) and not isinstance(one, bool) for one in value)
        if not fits:
            raise Refusal(
                "{name} cannot be {value}", values={"name": name, "value": str(value)}, where="option"
            )
        values[name] = value
    return cls(**values)


def whole(name: str, value: int, low: int, high: int) -> None:
    """`Refusal` unless `value` is within the bounds."""
    if not low <= value <= high:
        raise Refusal(
            "{name} is {value}; it must be between {low} and {high}",
            values={"name": name, "value": value, "low": low, "high": high},
            where="option",
        )
