"""Registry of event kinds: handler, conditions and description of each.

A kind is written in one place, on the function that carries it out::

    @event("struck", lambda event, state: Note("", "took {name} off the list", {"name": …}))
    def _strike(state: Tournament, event: Json) -> Tournament:
        ...
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from nousu.engine.messages import Note, sentence
from nousu.tournament.model import Json, Tournament

Handler = Callable[[Tournament, Json], Tournament]
"""A handler of an event: it returns the tournament after it, or raises a `Refusal`."""
Describe = Callable[[Json, Tournament], Note]
"""A description of an event for the log; the tournament knows the names."""


Changes = Callable[[Json, Tournament], tuple[Note, ...]]
"""Notes of an event's changes with old and new values, given the tournament before the event."""


def from_to(before: Note | str | int | None, after: Note | str | int | None) -> Note:
    """A value before and after."""
    dash = "–"
    return Note(
        "",
        sentence("{before} → {after}"),
        {"before": dash if before is None else before, "after": dash if after is None else after},
    )


def no_changes(event: Json, state: Tournament) -> tuple[Note, ...]:
    """Return no changes: the description of the event says everything."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EventKind:
    """One kind of event, as the field ``do`` of a log line names it."""

    name: str
    describe: Describe
    handler: Handler | None = None
    """The handler; None for the beginning of a log and for undoing, which `history` carries out."""
    needs_numbers: bool = False
    """True if the event speaks of numbers, and so needs the draw."""
    after_publishing: Literal["refused", "two people", "allowed"] = "refused"
    for_play_off: bool = False
    """True if still allowed after publishing for a play-off (Stechen), which a ruling may call for."""
    makes_plan: bool = False
    """True if the event makes a plan, with a number of its own."""
    publishes: bool = False
    """True if the event holds the digest of the standings that it publishes."""
    undoable: bool = True
    """True if undoing without a number may take it back."""
    changes: Changes = no_changes
    marks: Json = field(default_factory=dict)
    """Fields of every new event: they tell it from those of earlier versions."""


EVENTS: dict[str, EventKind] = {}
"""Kinds of event by name, in the order of registration."""


def register(kind: EventKind) -> None:
    """Add a kind to `EVENTS`."""
    assert kind.name not in EVENTS
    EVENTS[kind.name] = kind


def event(  # noqa: PLR0913 – flags with names and defaults
    name: str,
    describe: Describe,
    *,
    needs_numbers: bool = False,
    after_publishing: Literal["refused", "two people", "allowed"] = "refused",
    for_play_off: bool = False,
    makes_plan: bool = False,
    publishes: bool = False,
    undoable: bool = True,
    changes: Changes = no_changes,
    marks: Json | None = None,
) -> Callable[[Handler], Handler]:
    """Register the decorated function as the handler of a kind; the flags are those of `EventKind`."""

    def decorate(handler: Handler) -> Handler:
        register(
            EventKind(
                name=name,
                describe=describe,
                handler=handler,
                needs_numbers=needs_numbers,
                after_publishing=after_publishing,
                for_play_off=for_play_off,
                makes_plan=makes_plan,
                publishes=publishes,
                undoable=undoable,
                changes=changes,
                marks=marks or {},
            )
        )
        return handler

    return decorate


def handler_of(name: str) -> Handler:
    """The handler of a kind that has one."""
    handler = EVENTS[name].handler
    assert handler is not None
    return handler
