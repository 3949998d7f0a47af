"""Facts of a hand, its result and the standing, as typed values with a plain form.

Every game has frozen dataclasses of its own for this; API, records and players outside Python get `plain`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from nousu.engine.cards import Card


def plain(value: object) -> Any:
    """The JSON form of a value: cards as text, tuples as lists, nested facts as mappings with text keys."""
    if isinstance(value, Facts):
        return value.plain()
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else plain(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value


@dataclass(frozen=True, slots=True)
class Facts:
    """The base of a game's ``Facts`` (of a hand, in a `View`) and ``Outcome`` (of a `Result`)."""

    @classmethod
    def of(cls, facts: "Facts") -> Self:
        """The facts as this game's own type; TypeError if they are another game's."""
        if not isinstance(facts, cls):
            raise TypeError(f"these are the facts {type(facts).__qualname__}, not {cls.__qualname__}")
        return facts

    def plain(self) -> dict[str, Any]:
        """The fields as JSON values under their names."""
        return {field.name: plain(getattr(self, field.name)) for field in fields(self)}


def nothing(plain: Mapping[str, Any]) -> Facts:
    """The empty outcome of a game without outcomes of its own, whatever a file said."""
    return Facts()
