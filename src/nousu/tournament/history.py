"""From the log to the tournament: every event in turn, checked when it is written and again when read.

The effects of events are in `events`; here are their conditions, undoing, and the freeze after publishing.
"""

from collections.abc import Iterable
from dataclasses import replace

from nousu.engine.messages import Note
from nousu.tournament.events import people, plans, registry, rulings, slips
from nousu.tournament.events.registry import EVENTS, EventKind, handler_of, register
from nousu.tournament.events.rulings import publication_digest, with_publication
from nousu.tournament.events.slips import by_another
from nousu.tournament.formats import make
from nousu.tournament.messages import WRONG_EVENT, Refusal, refusal_in_line
from nousu.tournament.model import Json, Proposal, Tournament
from nousu.tournament.people import clean, name_key

__all__ = [
    "EVENTS",
    "FORMAT_VERSION",
    "after",
    "changes",
    "check_undo",
    "proposed_changes",
    "publication_digest",
    "tournament",
    "undone_entries",
]

FORMAT_VERSION = 1

MODULES = (people, plans, slips, rulings)
"""Modules that register kinds of events when they are imported."""

register(
    EventKind(
        name="opened",
        describe=lambda event, state: Note("", "opened the event {name}", {"name": event["name"]}),
        undoable=False,
    )
)
register(
    EventKind(
        name="undone",
        describe=lambda event, state: Note("", "took entry {entry} back", {"entry": event["entry"]}),
        undoable=False,
    )
)


def tournament(events: Iterable[Json]) -> Tournament:
    """The tournament that the events make. `Refusal` names the line of an impossible event."""
    events = tuple(events)
    undone = undone_entries(events)
    state: Tournament | None = None
    for line, event in enumerate(events, 1):
        try:
            if state is None:
                state = _opened(event)
            elif event["do"] == "undone":
                check_undo(events[: line - 1], event)
            elif line not in undone:
                state = after(state, event)
        except WRONG_EVENT as error:
            raise refusal_in_line(line, error) from None
    if state is None:
        raise Refusal("the file is empty: no tournament was begun in it")
    return state


def changes(events: Iterable[Json]) -> dict[int, tuple[Note, ...]]:
    """Old and new values of changes, by entry number; without changes that the description already tells."""
    events = tuple(events)
    undone = undone_entries(events)
    state = _opened(events[0])
    changed = {}
    for event in events[1:]:
        if event["n"] not in undone and event["do"] != "undone":
            if notes := EVENTS[event["do"]].changes(event, state):
                changed[event["n"]] = notes
            state = after(state, event)
    return changed


def undone_entries(events: Iterable[Json]) -> frozenset[int]:
    """The entries that no longer count. An undo that is itself undone takes nothing back."""
    undone: set[int] = set()
    for event in reversed(tuple(events)):
        if event.get("do") == "undone" and event["n"] not in undone:
            undone.add(event["entry"])
    return frozenset(undone)


def after(state: Tournament, event: Json) -> Tournament:
    """The tournament after one more event (all but undoing)."""
    kind = EVENTS.get(event["do"])
    if kind is None or kind.handler is None:
        raise Refusal("this version does not know the event {kind}", values={"kind": str(event["do"])})
    if not name_key(event["by"]):
        raise Refusal("say who is doing this", where="by")
    if kind.needs_numbers and not state.numbers:
        raise Refusal("the numbers have not been drawn yet", clause="TU-ZK-I2", remedy="draw")
    if state.frozen:
        restricted = kind.after_publishing == "refused" or kind.for_play_off
        if restricted and not (kind.for_play_off and _is_of_play_off(event)):
            raise Refusal(
                "the result is published; only corrections and rulings by two people are possible now"
            )
        if kind.after_publishing == "two people":
            kind.handler(state, event)  # an impossible change shall not be proposed
            waiting = Proposal(event["n"], event["by"], event)
            return replace(state, proposals={**state.proposals, event["n"]: waiting})
    return kind.handler(state, event)


def _is_of_play_off(event: Json) -> bool:
    """Whether an event concerns a play-off (Stechen) alone."""
    about = [
        *event.get("rounds", ()),
        *event.get("tables", ()),
        event.get("table", ""),
        event.get("round", ""),
    ]
    return all(label[:1] == "S" for label in about if label)


def _opened(event: Json) -> Tournament:
    """Handle ``opened``, with the fields version, name, format."""
    if event["do"] != "opened" or event["version"] != FORMAT_VERSION:
        raise Refusal("the file does not begin as a tournament of this version does")
    return Tournament(name=clean(event["name"], "name"), format=make(event["format"]))


def check_undo(before: tuple[Json, ...], event: Json) -> None:
    """Handle ``undone``, with the fields entry, reason."""
    entry, undone = event["entry"], undone_entries(before)
    if not 2 <= entry <= len(before):
        raise Refusal("there is no entry {entry} to undo", values={"entry": entry})
    if entry in undone:
        raise Refusal("entry {entry} has already been undone", values={"entry": entry})
    freeze = next((one["n"] for one in before if one["do"] == "published" and one["n"] not in undone), None)
    ruling = EVENTS[before[entry - 1]["do"]].after_publishing == "two people"
    if freeze is not None and not (entry > freeze and ruling):
        raise Refusal("the result is published; use a correction, which a second person confirms")


def proposed_changes(state: Tournament, entry: int) -> tuple[Note, ...]:
    """Old and new values of a ruling that waits for a second person."""
    body = state.proposals[entry].body
    return EVENTS[body["do"]].changes(body, state)


@registry.event(
    "seconded",
    lambda event, state: Note("", "confirmed entry {entry} as the second person", {"entry": event["entry"]}),
    after_publishing="allowed",
    publishes=True,
    undoable=False,
    changes=lambda event, state: proposed_changes(state, event["entry"]),
)
def _second(state: Tournament, event: Json) -> Tournament:
    """Handle ``seconded``, with the fields entry, digest."""
    waiting = state.proposals.get(event["entry"])
    if waiting is None:
        raise Refusal(
            "entry {entry} is not waiting for anybody", values={"entry": event["entry"]}, where="entry"
        )
    by_another(waiting.by, event["by"])
    done = handler_of(waiting.body["do"])(state, {**waiting.body, "seconded": event["by"]})
    rest = {entry: proposal for entry, proposal in state.proposals.items() if entry != event["entry"]}
    return with_publication(replace(done, proposals=rest), event)
