"""What people ask for by talk at a table: the event it becomes, or a refusal (see
`nousu.server.table.chat`)."""

from collections.abc import Sequence

from nousu.engine.messages import sentence
from nousu.server.errors import RequestError, Stale
from nousu.server.table.display_names import visible
from nousu.server.table.events import Agreed, Muted, Reported, Said
from nousu.server.table.phrases import REACTIONS, SIGNALS
from nousu.server.table.table import Change, Table
from nousu.server.table.view import SignalCard

MOST = 1000
"""Lines that may be said at one table."""
LONGEST = 140
"""Letters of a line."""
_OWN = 200
"""Letters of what a pair writes on its card."""


def say(table: Table, session: str, word: str, text: str, key: str | None, now: float) -> Change | int:
    """A person says something ready-made, or writes; the number of the event where that key did so before."""
    place = table.place_of(session)
    mark = table.mark(session, f"say {word} {text}", 0) if key is not None else None
    if key is not None and mark is not None and (known := table.done_before(key, mark)) is not None:
        return known
    if table.talk.count >= MOST:
        raise Stale("This table has reached its limit for talk; go on at the next one.")
    if word:
        if word not in REACTIONS and word not in table.talk.gestures(table.side_of(place), table.resting):
            raise RequestError("That cannot be said here now.")
        return table.change(Said(place, word=word), now, key, mark)
    shown = visible(text)
    if not shown:
        raise RequestError("Write something first.")
    _check_length(shown, LONGEST)
    if not table.talk.writes(table.resting):
        raise Stale("During a hand, only the ready-made phrases may be used at this table.")
    return table.change(Said(place, text=shown), now, key, mark)


def mute(table: Table, session: str, seat: int, off: bool, now: float) -> Change | int:
    """A person does not want to read what the person of a seat says, or wants to again."""
    place = table.place_of(session)
    seats = table.by_seat
    other = seats[seat].session if 0 <= seat < len(seats) else ""
    if not other or other == session:
        raise RequestError("There is nobody there whose messages you could read.")
    if ((session, other) in table.talk.mutes) != off:
        return table.seq
    return table.change(Muted(place, table.place_of(other), off), now)


def report(table: Table, session: str, number: int, now: float) -> Change | int:
    """A person shows something said by another to whoever hosts the server."""
    place = table.place_of(session)
    line = next((one for one in table.talk.lines if one.number == number), None)
    if line is None or line.session == session:
        raise Stale("That is not on the table any more.")
    return table.seq if line.reported else table.change(Reported(place, number), now)


def agree(table: Table, session: str, signals: Sequence[str], own: str, now: float) -> Change | int:
    """A pair's card is written anew."""
    place = table.place_of(session)
    side = table.side_of(place)
    if side is None or not table.talk.agrees(side, table.resting):
        raise Stale("Signals are agreed on before a hand, where the rules of the table allow them.")
    card = SignalCard(tuple(one for one in SIGNALS if one in signals), visible(own))
    _check_length(card.own, _OWN)
    if table.talk.signals[side] == card:
        return table.seq
    return table.change(Agreed(place, card.signals, card.own), now)


def _check_length(text: str, most: int) -> None:
    if len(text) > most:
        raise RequestError(
            sentence("Write at most {count} letter.", "Write at most {count} letters."), {"count": most}
        )
