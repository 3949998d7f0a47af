"""Projector page: standings, seating, missing slips, withdrawals; readable from ten metres."""

from collections import Counter
from collections.abc import Mapping, Sequence

from markupsafe import Markup
from starlette.responses import Response

from nousu.server.tournament.results import rankings
from nousu.server.tournament.roles import EVERYBODY
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.links import key_of, shown_link
from nousu.tournament.qr import picture

_SEEN = EVERYBODY - {"nobody", "read", "table"}


def surnames(names: Sequence[str]) -> Mapping[str, str]:
    """Short names for the wall, by full name (pairs joined by ``&``).

    The last word of a name, with an initial where several share it, the whole name where they share that too.
    """
    parts = [part for name in names for part in name.split(" & ")]
    last = Counter(part.split()[-1] for part in parts)
    initialled = Counter(map(_initialled, parts))

    def short(part: str) -> str:
        if last[part.split()[-1]] == 1:
            return part.split()[-1]
        return _initialled(part) if initialled[_initialled(part)] == 1 else part

    return {name: " & ".join(map(short, name.split(" & "))) for name in names}


def _initialled(part: str) -> str:
    """Name with its first words cut to an initial: ``D. Groß``; a single word unchanged."""
    first, *_, end = [*part.split(), part.split()[-1]]
    return end if first == end else f"{first[0]}. {end}"


def beamer(visit: Visit) -> Response:
    """Show the projector page: ``/beamer``."""

    def values() -> Mapping[str, object]:
        state = visit.state
        label = state.round_to_find()
        called = surnames([state.who(number) for number in range(1, len(state.numbers) + 1)])
        seated = state.rounds[label].tables if label else ()
        readers = shown_link(state, "read")
        address = visit.address(f"/in/{key_of(readers)}") if readers is not None else ""
        standings = visit.standings()
        return {
            "tables": rankings(visit),
            "notes": [visit.text(note) for note in standings.notes],
            "label": label,
            "starts": "" if label in state.rounds_with_results() else state.starts.get(label, ""),
            "begun": state.current_round() if any(map(state.has_begun, state.rounds)) else "",
            "planned": sum(past[0].isdigit() for past in state.rounds),
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

    return visit.cached_page("projector.html", values)


def _seating(names: Sequence[str], visit: Visit) -> str:
    """Names at a table; a single person sits out."""
    return " · ".join(names) if len(names) > 1 else visit.say("{name} sits out", name=names[0])


PAGES = (Page("/beamer", beamer, _SEEN),)
