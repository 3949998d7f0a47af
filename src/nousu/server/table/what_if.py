"""Playing on from a moment of a finished hand: a table of one's own, against computer players, that counts
for nothing.

The table begins with the position, rebuilt from what the person may know of that hand, and ends with it.
"""

from itertools import chain

from nousu.engine.actions import Action, Deal, Seal
from nousu.engine.cards import HIDDEN
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Hand
from nousu.engine.seats import Seat
from nousu.engine.timeline import Story
from nousu.server.errors import Stale
from nousu.server.table.branch_point import Position
from nousu.server.table.display_names import clean_name
from nousu.server.table.events import Began, Came, Did, Happening, Invited
from nousu.server.table.seating import free_name
from nousu.server.table.table import Change, Table


def position(table: Table, story: Story, index: int, at: int, seat: Seat | None, session: str) -> Position:
    """The position after `at` entries of a finished hand, for whoever sits at `seat` (None: the seat of the
    session, else that of whoever acts next). `Stale` where cards of it are hidden from the person yet."""
    if not story.whole:
        raise Stale("Some cards of this hand are still secret; it can be played on when the match is over.")
    at = max(story.first, min(at, story.last - 1))
    assert table.match is not None
    setup = table.match.played[index - 1].hand.setup
    own = table.seat_of(session) if seat is None else seat
    if own is None or not 0 <= own < setup.seats:
        own = max(0, story.log[at][0])
    plain = dict(setup.tally.plain())
    return Position(table.id, index, at, own, setup.number, setup.dealer, plain)


def opened(empty: Table, where: Position, story: Story, session: str, name: str, player: str) -> list[Change]:
    """The events of the rehearsal's `empty` table, up to the position: the person sits down, computer players
    take the other seats, and everything is done as it was."""
    found: list[Change] = []

    def add(happening: Happening) -> Table:
        found.append((found[-1].table if found else empty).change(happening, empty.since))
        return found[-1].table

    table = add(Came(where.seat, clean_name(name), session))
    while table.open_places():
        table = add(Invited(table.open_places()[0], free_name(table), player))
    table = add(Began(where.dealer))
    try:
        for by, action in story.log[: where.at]:
            assert table.match is not None
            table = add(Did(by, _known(table.match.hand, by, action, story)))
    except (IllegalAction, IndexError):
        raise Stale("This hand cannot be played on from here.") from None
    return found


def _known(hand: Hand, by: Seat, action: Action, story: Story) -> Action:
    """An action with nothing hidden: all cards of the deal are known, and where a bid was never turned up any
    other will do as well."""
    if isinstance(action, Seal) and action.bid == HIDDEN:
        return next(one for one in hand.legal(by) if isinstance(one, Seal))
    if not isinstance(action, Deal) or HIDDEN not in (*chain(*action.hands), *action.stock):
        return action
    first = [one for one in story.held if one.since == story.first]
    hands = tuple(tuple(one.card for one in first if one.seat == seat) for seat in range(len(action.hands)))
    rest = tuple(card for card in hand.dealing().deck if card not in chain(*hands))
    return Deal(hands, rest)
