"""Hands of Tuppen as positions: the cards alone, whatever the stake."""

from nousu.engine.cards import TEN_HIGH, CardSet
from nousu.engine.game import View
from nousu.games.tuppen import Facts
from nousu.solver.position import Goal, Position, Tuppen


def position_of(view: View, hands: tuple[CardSet, ...]) -> Position:
    """The position on the table with these hands, without seats that have left."""
    facts = _playing(view)
    turn, active = facts.turn, facts.in_hand
    assert turn is not None
    if turn not in active:
        turn = next((seat for seat in active if seat > turn), active[0])
    return Position(
        hands=tuple(cards if seat in active else 0 for seat, cards in enumerate(hands)),
        turn=turn,
        trick=view.trick,
        active=active,
        strength=TEN_HIGH,
    )


def goal_of(view: View) -> Goal:
    """The last trick for the viewer, against all others together."""
    _playing(view)
    assert view.seat is not None
    return Tuppen(view.seat)


def _playing(view: View) -> Facts:
    facts = Facts.of(view.facts)
    if facts.phase not in ("raise", "play"):
        raise ValueError(f"cards are solved from the first lead on; this hand waits for {facts.phase}")
    return facts
