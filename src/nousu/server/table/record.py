"""Written records and finished hands of a table, cut to what a session may know."""

from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.engine.record import EVERYTHING, Reader, Record, write
from nousu.engine.seats import seat_name
from nousu.engine.timeline import Story
from nousu.server.errors import NoSuchTable
from nousu.server.table import shuffle
from nousu.server.table.table import Table


def record(table: Table, session: str | None) -> str:
    """The written record, with what is needed to verify the shuffles.

    While the match goes on it is cut to what the person of this session may know (None: a spectator).
    """
    match = table.match or Match.start(table.game, table.rules, len(table.seats))
    names = table.seats.names if all(table.seats.names) else ()
    text = write(Record(match, names, (), table.preset.split("+")[0]), _reader(table, session))
    if table.options.branch is not None:
        return f"{text}\n# played on from {table.options.branch.path}; this is not a match\n"
    remarks = table.requests.remarks(len(table.seats)) + _holders(table)
    return f"{text}{remarks}\n{shuffle.remarks(table.shuffles, with_secret=table.over)}"


def hand_view(table: Table, session: str | None, index: int) -> View:
    """A finished hand (from 1) as this session heard it, also when the match is over (A-T-25)."""
    assert table.match is not None, "a hand is finished"
    return table.match.played[index - 1].hand.view(table.seats.seat_of(session))


def timeline(table: Table, session: str | None, index: int) -> Story:
    """A finished hand (from 1) moment by moment: all of it when the match is over (A-T-25)."""
    return table.finished_hands[index - 1].timeline(table.game, table.rules, _reader(table, session))


def _reader(table: Table, session: str | None) -> Reader:
    return EVERYTHING if table.over else table.seats.seat_of(session)


def _holders(table: Table) -> str:
    """Previous holders of seats, as lines of a record."""
    lines = []
    for holder in table.seats.previous:
        last = holder.until if holder.begun else holder.until - 1
        if last and table.match is not None:
            hands = [*(played.hand for played in table.match.played), table.match.hand]
            number = hands[last - 1].setup.number
            middle = "the middle of " if holder.begun else ""
            seat = seat_name(holder.seat, len(table.seats))
            lines.append(f"\n# {seat} was {holder.name} up to {middle}hand {number}")
    return "".join(lines)


def check_hand(index: int, finished: int) -> None:
    """Raise `NoSuchTable` for an index (from 1) beyond this many finished hands."""
    if not 1 <= index <= finished:
        raise NoSuchTable("There is no such hand, or it is not over yet.")
