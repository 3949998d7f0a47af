"""Claims in Huutopussi: all points that are left, or none. The claimer declares no more marriage."""

from collections.abc import Sequence
from dataclasses import replace

from nousu.engine.actions import Action, Play
from nousu.engine.cards import TEN_BELOW_ACE
from nousu.engine.game import Hand, View
from nousu.engine.seats import Seat, partner, side
from nousu.games.huutopussi import Facts, marriage_values, rank_values
from nousu.players.claims import KINDS, Kind
from nousu.players.worlds import World
from nousu.solver import Goal, Huutopussi, Position
from nousu.solver.views.huutopussi import position_of


def kinds(view: View) -> tuple[Kind, ...]:
    """Claims of all tricks that are left, or of none."""
    return KINDS


def is_obvious(view: View, kind: Kind) -> bool:
    """Never: trumps that may still be made leave nothing certain from one hand."""
    return False


def problem(view: View, kind: Kind, world: World) -> tuple[Position, Goal]:
    """The position in a world; the side that is to get nothing does its best.

    The claimer's own right to declare is given up.
    """
    position = position_of(view, world.hands)
    rules = view.rules
    return replace(position, marriages=replace(position.marriages, open=False)), Huutopussi(
        side=_wrong(view.seat, kind),
        card_values=rank_values(rules),
        last_trick=rules.last_trick,
        marriage_values=marriage_values(rules),
        declare_right=rules.declare_right,
        once=rules.attempts == "one_a_hand",
    )


def holds(view: View, kind: Kind, value: int) -> bool:
    """Whether the other side gets nothing more."""
    return value == Facts.of(view.facts).taken[_wrong(view.seat, kind)]


def concession(view: View) -> Kind | None:
    """All that is left for the others."""
    return "theirs"


def lost(hand: Hand, seat: Seat, kind: Kind) -> Sequence[int]:
    """Points, and then tricks, of the side that is to get nothing more."""
    facts, wrong = Facts.of(hand.view(None).facts), _wrong(seat, kind)
    return facts.taken[wrong], facts.tricks[wrong]


def order(hand: Hand, seat: Seat, kind: Kind, legal: Sequence[Play]) -> Sequence[Action]:
    """High cards first for the side that is to take the tricks, until the trick is its own; else low ones."""
    view = hand.view(None)
    trump = Facts.of(view.facts).trump
    turn = view.owed[0]
    takes = side(turn) != _wrong(seat, kind)
    if view.trick:
        led = view.trick[0][1] >> 4
        best = max(
            view.trick,
            key=lambda play: (
                play[1] >> 4 == trump,
                play[1] >> 4 == led,
                TEN_BELOW_ACE[play[1] & 15],
            ),
        )
        takes = takes and best[0] != partner(turn)
    return sorted(
        legal, key=lambda play: (play.card >> 4 == trump, TEN_BELOW_ACE[play.card & 15]), reverse=takes
    )


def _wrong(seat: Seat | None, kind: Kind) -> int:
    """The side that is to get nothing more."""
    assert seat is not None
    return 1 - side(seat) if kind == "mine" else side(seat)
