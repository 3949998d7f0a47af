"""What people ask of each other at a table: to agree to a claim, to let a mis-click be taken back.

A claim that follows from what the claimer knows (`nousu.players.claims`) is settled at once; any other needs
every opponent, and one that gives tricks away everybody who loses by it. Computer players agree to nothing
that is not proven, so that asking them tells nothing of their cards; nor does anybody learn who refused.
"""

from nousu.engine.actions import Entry
from nousu.engine.seats import Seat
from nousu.server.errors import NotYours, RequestError, Stale
from nousu.server.table.events import Answered, Asked, Lapsed, Settled, TakenBack
from nousu.server.table.table import Change, Table
from nousu.server.table.view import REQUESTS


def ask(table: Table, session: str, what: str, seq: int, proven: bool, now: float) -> Change:
    """A person asks for something (of `REQUESTS`) at the state of the table that has the number `seq`;
    `proven`: what is claimed is certain."""
    seat = _seat(table, session)
    if what not in REQUESTS:
        raise RequestError("That cannot be asked for.")
    if not table.settled <= seq <= table.seq:
        raise Stale("The game has moved on; look again and choose.")
    if what not in table.asks_of(seat):
        raise Stale("You cannot ask for that now.")
    if proven and what != "undo":
        return table.change(Asked(seat, what), now)
    others = [other for other in range(len(table.places)) if other != seat]
    if what == "undo":
        return table.change(Asked(seat, what, tuple(one for one in others if one in table.persons())), now)
    against = [other for other in others if _against(table, seat, other)]
    if not set(against) <= set(table.persons()):
        raise RequestError(
            "That is not certain from what you can see; computer players agree to nothing else."
        )
    asked = against if what == "claim mine" else [other for other in others if other in table.persons()]
    return table.change(Asked(seat, what, tuple(asked)), now)


def answer(table: Table, session: str, yes: bool, now: float) -> Change:
    """A person agrees to what is asked, or does not."""
    seat = _seat(table, session)
    if table.requests.open is None or seat not in table.requests.open.of:
        raise Stale("You are not being asked anything now.")
    return table.change(Answered(seat, yes), now)


def lapse(table: Table, now: float) -> Change:
    """What was asked got no answer."""
    return table.change(Lapsed(), now)


def settle(table: Table, plays: tuple[Entry, ...], now: float) -> Change:
    """What was agreed to is done: the cards of a claim are played, or an action is taken back."""
    assert table.requests.open is not None
    if table.requests.open.what == "undo":
        return table.change(TakenBack(table.requests.open.seat), now)
    return table.change(Settled(plays), now)


def _against(table: Table, seat: Seat, other: Seat) -> bool:
    sides = table.game.sides
    return seat % sides != other % sides if sides else True


def _seat(table: Table, session: str) -> Seat:
    seat = table.seat_of(session)
    if seat is None:
        raise NotYours("You are watching; only those who sit at the table may act.")
    return seat
