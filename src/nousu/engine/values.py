"""Frozen values, changed quickly."""

from typing import Any, TypeVar

Value = TypeVar("Value")

_set = object.__setattr__


def changed(value: Value, **changes: Any) -> Value:
    """A copy of a frozen dataclass with slots in which some fields differ.

    What `dataclasses.replace` does, three times as fast and without running ``__post_init__``: for hands and
    tables on the hot path, whose fields are already checked.
    """
    copy = object.__new__(type(value))
    for name in type(value).__slots__:  # type: ignore[attr-defined]
        _set(copy, name, changes[name] if name in changes else getattr(value, name))
    return copy
