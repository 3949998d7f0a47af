"""Playing on from a moment of a finished hand, against computer players, at a table that counts for nothing.

The table begins at that moment, rebuilt from the person's knowledge of the hand, and ends with the hand.
"""

from itertools import chain

from nousu.engine.actions import Action, Deal, Seal
from nousu.engine.cards import HIDDEN
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Hand
from nousu.engine.seats import Seat
from nousu.engine.timeline import Story
from nousu.server.errors import Stale
from nousu.server.table import events
from nousu.server.table.branch_point import BranchPoint
from nousu.server.table.display_names import clean_name
from nousu.server.table.table import Change, Table


def branch_point(
    table: Table, story: Story, index: int, at: int, seat: Seat | None, session: str
) -> BranchPoint:
    """A moment of a finished hand.

    Args:
        table: The table it was played at.
        story: The hand as the person may know it.
        index: Its index among the finished hands, from 1.
        at: The number of its entries before the moment; too small or large: the nearest possible.
        seat: The seat to play; None: the seat of the session, else of the one who acts next.
        session: The person's session.

    Raises:
        Stale: Cards of the hand are still hidden from the person.
    """
    if not story.whole:
        raise Stale("Some cards of this hand are still secret; it can be played on when the match is over.")
    at = max(story.first, min(at, story.last - 1))
    assert table.match is not None
    setup = table.match.played[index - 1].hand.setup
    own = table.seats.seat_of(session) if seat is None else seat
    if own is None or not 0 <= own < setup.seats:
        own = max(0, story.log[at][0])
    plain = dict(setup.tally.plain())
    return BranchPoint(table.id, index, at, own, setup.number, setup.dealer, plain)


def first_events(
    empty: Table, point: BranchPoint, story: Story, session: str, name: str, player: str
) -> list[Change]:
    """The events of an `empty` table up to a branch point.

    The person joins, the computer player `player` takes the other seats, and the actions of the hand are
    repeated. `Stale` where they cannot be.
    """
    changes: list[Change] = []

    def add(happening: events.Happening) -> Table:
        changes.append((changes[-1].table if changes else empty).change(happening, empty.since))
        return changes[-1].table

    table = add(events.PersonJoined(point.seat, clean_name(name), session))
    while open_places := table.seats.open_places():
        table = add(events.ComputerJoined(open_places[0], table.seats.free_name, player))
    table = add(events.MatchBegan(point.dealer))
    try:
        for by, action in story.log[: point.at]:
            assert table.match is not None
            table = add(events.ActionDone(by, _reveal(table.match.hand, by, action, story)))
    except (IllegalAction, IndexError):
        raise Stale("This hand cannot be played on from here.") from None
    return changes


def _reveal(hand: Hand, by: Seat, action: Action, story: Story) -> Action:
    """An action with nothing hidden.

    All cards of the deal are known, and any bid will do for one that was never turned up.
    """
    if isinstance(action, Seal) and action.bid == HIDDEN:
        return next(legal for legal in hand.legal(by) if isinstance(legal, Seal))
    if not isinstance(action, Deal) or HIDDEN not in (*chain(*action.hands), *action.stock):
        return action
    first = [holding for holding in story.held if holding.since == story.first]
    hands = tuple(
        tuple(holding.card for holding in first if holding.seat == seat) for seat in range(len(action.hands))
    )
    rest = tuple(card for card in hand.dealing().deck if card not in chain(*hands))
    return Deal(hands, rest)
