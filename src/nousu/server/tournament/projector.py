"""The beamer: standings, who sits where next, missing tables, who has gone; readable from ten metres."""

from collections import Counter
from collections.abc import Mapping, Sequence

from markupsafe import Markup
from starlette.responses import Response

from nousu.server.tournament.results import tables
from nousu.server.tournament.roles import EVERYBODY
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.links import key_of, shown_link
from nousu.tournament.model import Tournament
from nousu.tournament.qr import picture

_SEEN = EVERYBODY - {"nobody", "read", "table"}


def coming(state: Tournament) -> str:
    """The round whose seating is shown: the first one not begun, else the last one."""
    later = [label for label in state.rounds if not state.has_begun(label)]
    return next(iter((*later, *reversed(list(state.rounds)))), "")


def surnames(names: Sequence[str]) -> Mapping[str, str]:
    """What people are called on a wall: the last word of a name, with an initial where several share it, and
    the whole name where they share that too."""
    parts = [part for name in names for part in name.split(" & ")]
    last = Counter(part.split()[-1] for part in parts)
    initialled = Counter(map(_initialled, parts))

    def short(part: str) -> str:
        if last[part.split()[-1]] == 1:
            return part.split()[-1]
        return _initialled(part) if initialled[_initialled(part)] == 1 else part

    return {name: " & ".join(map(short, name.split(" & "))) for name in names}


def _initialled(part: str) -> str:
    """``D. Groß`` of Dora Groß; one word as it is."""
    first, *_, end = [*part.split(), part.split()[-1]]
    return end if first == end else f"{first[0]}. {end}"


def beamer(visit: Visit) -> Response:
    """``/beamer``"""

    def values() -> Mapping[str, object]:
        state = visit.state
        label = coming(state)
        called = surnames([state.who(number) for number in range(1, len(state.numbers) + 1)])
        seated = state.rounds[label].tables if label else ()
        readers = shown_link(state, "read")
        address = visit.outside(f"/in/{key_of(readers)}") if readers is not None else ""
        begun = [one for one in state.rounds if state.has_begun(one)]
        standings = visit.standings()
        return {
            "tables": tables(visit),
            "notes": [visit.text(note) for note in standings.notes],
            "label": label,
            "starts": state.starts.get(label, ""),
            "begun": begun[-1] if begun else "",
            "planned": sum(one[0].isdigit() for one in state.rounds),
            "seating": [
                (
                    at if len(table) > 1 else "–",
                    _seating([called[state.who(number)] for number in table], visit),
                    state.is_online(f"{label}.{at}"),
                )
                for at, table in enumerate(seated, 1)
                if table
            ],
            "missing": [key for key in state.missing() if state.has_begun(key.partition(".")[0])],
            "gone": [called[state.who(number)] for number in state.withdrawals],
            "qr": Markup(picture(address, visit.say("Follow on your phone"))) if address else "",
        }

    return visit.kept("projector.html", values)


def _seating(names: Sequence[str], visit: Visit) -> str:
    """Who sits at a table; one alone sits out."""
    return " · ".join(names) if len(names) > 1 else visit.say("{name} sits out", name=names[0])


PAGES = (Page("/beamer", beamer, _SEEN),)
