"""From the log to the tournament: every event in turn, checked when it is written and again when read.

What an event does is in `events`; here is who may do what and when, undoing, and the freeze after publishing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from nousu.tournament.events import people, plans, rulings, slips
from nousu.tournament.events.rulings import publication_digest, sealed
from nousu.tournament.events.slips import by_another
from nousu.tournament.formats import make
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Handler, Json, Proposal, Tournament
from nousu.tournament.people import alike, clean

__all__ = ["FORMAT_VERSION", "after", "check_undo", "effective_undo", "publication_digest", "tournament"]

FORMAT_VERSION = 1

TWO_PERSONS = frozenset({"corrected", "penalty", "forfeited", "renamed", "withdrawn"})
"""What can still be done after the freeze, by two persons."""

FOR_THE_CUP = frozenset(
    {"planned", "swapped", "printed", "online", "seated", "slip", "late", "accepted", "withdrawn"}
)
"""What can still be done after the freeze for a Stechen, which a ruling after it may call for."""

NUMBERED = frozenset(
    {"slip", "online", "seated", "forfeited", "late", "penalty", "withdrawn", "published", "swapped"}
)
"""What speaks of numbers, and so needs the draw."""

FOR_GOOD = TWO_PERSONS | {"confirmed", "seconded", "published", "admitted", "revoked", "relinked"}
"""What the freeze does not touch: everything else is refused after it, but for a Stechen."""


def tournament(events: Iterable[Json]) -> Tournament:
    """The tournament that the events make. `Refusal` names the line of an event that cannot be."""
    events = tuple(events)
    undone = effective_undo(events)
    state: Tournament | None = None
    for line, event in enumerate(events, 1):
        try:
            if state is None:
                state = _opened(event)
            elif event["do"] == "undone":
                check_undo(events[: line - 1], event)
            elif line not in undone:
                state = after(state, event)
        except Refusal as refusal:
            raise Refusal(
                refusal.note.message,
                clause=refusal.note.clause,
                values=refusal.note.values,
                where=f"line {line}" + (f", {refusal.where}" if refusal.where else ""),
            ) from None
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise Refusal(
                "this event is not complete ({reason})",
                values={"reason": f"{type(error).__name__}: {error}"},
                where=f"line {line}",
            ) from None
    if state is None:
        raise Refusal("the file is empty: no tournament was begun in it")
    return state


def effective_undo(events: Iterable[Json]) -> frozenset[int]:
    """The entries that no longer count. An undo that is itself undone takes nothing back."""
    undone: set[int] = set()
    for event in reversed(tuple(events)):
        if event.get("do") == "undone" and event["n"] not in undone:
            undone.add(event["entry"])
    return frozenset(undone)


def after(state: Tournament, event: Json) -> Tournament:
    """The tournament after one more event (all but undoing)."""
    kind = event["do"]
    if kind not in DO:
        raise Refusal("this version does not know the event {kind}", values={"kind": str(kind)})
    if not alike(event["by"]):
        raise Refusal("say who is doing this", where="by")
    if kind in NUMBERED and not state.numbers:
        raise Refusal("the numbers have not been drawn yet", clause="TU-ZK-I2", remedy="draw")
    if state.frozen:
        if (kind not in FOR_GOOD or kind == "withdrawn") and not _for_the_cup(event):
            raise Refusal(
                "the result is published; only corrections and rulings by two people are possible now"
            )
        if kind in TWO_PERSONS:
            DO[kind](state, event)  # what cannot be done shall not be proposed
            waiting = Proposal(event["n"], event["by"], event)
            return replace(state, proposals={**state.proposals, event["n"]: waiting})
    return DO[kind](state, event)


def _for_the_cup(event: Json) -> bool:
    """Whether an event concerns a Stechen alone."""
    if event["do"] not in FOR_THE_CUP:
        return False
    about = [
        *event.get("rounds", ()),
        *event.get("tables", ()),
        event.get("table", ""),
        event.get("round", ""),
    ]
    return all(one[:1] == "S" for one in about if one)


def _opened(event: Json) -> Tournament:
    """do=opened: version, name, format"""
    if event["do"] != "opened" or event["version"] != FORMAT_VERSION:
        raise Refusal("the file does not begin as a tournament of this version does")
    return Tournament(name=clean(event["name"], "name"), format=make(event["format"]))


def check_undo(before: tuple[Json, ...], event: Json) -> None:
    """do=undone: entry, reason"""
    entry, undone = event["entry"], effective_undo(before)
    if not 2 <= entry <= len(before):
        raise Refusal("there is no entry {entry} to undo", values={"entry": entry})
    if entry in undone:
        raise Refusal("entry {entry} has already been undone", values={"entry": entry})
    freeze = next((one["n"] for one in before if one["do"] == "published" and one["n"] not in undone), None)
    if freeze is not None and not (entry > freeze and before[entry - 1]["do"] in TWO_PERSONS):
        raise Refusal("the result is published; use a correction, which a second person confirms")


def _seconded(state: Tournament, event: Json) -> Tournament:
    """do=seconded: entry, digest"""
    waiting = state.proposals.get(event["entry"])
    if waiting is None:
        raise Refusal(
            "entry {entry} is not waiting for anybody", values={"entry": event["entry"]}, where="entry"
        )
    by_another(waiting.by, event["by"])
    done = DO[waiting.body["do"]](state, {**waiting.body, "seconded": event["by"]})
    rest = {entry: one for entry, one in state.proposals.items() if entry != event["entry"]}
    return sealed(replace(done, proposals=rest), event)


DO: Mapping[str, Handler] = {**people.DO, **plans.DO, **slips.DO, **rulings.DO, "seconded": _seconded}
