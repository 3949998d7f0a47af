"""Hands of the whist family as positions."""

from nousu.engine.cards import ACE_LOW, CardSet
from nousu.engine.game import View
from nousu.engine.seats import partner
from nousu.games.whist import Facts
from nousu.solver.position import Goal, Nolo, Position, Rami, Sooli


def position_of(view: View, hands: tuple[CardSet, ...]) -> Position:
    """The position on the table with these hands; in a sooli the soloist's partner is out."""
    facts = _playing(view)
    soloist, (turn, *_) = facts.soloist, view.owed
    if soloist is None:
        return Position(hands=hands, turn=turn, trick=view.trick, won=facts.tricks)
    active = tuple(seat for seat in range(4) if seat != partner(soloist))
    return Position(
        hands=tuple(cards if seat in active else 0 for seat, cards in enumerate(hands)),
        turn=turn,
        trick=view.trick,
        active=active,
        last=soloist if view.rules.sooli_order == "always_last" else None,
        strength=ACE_LOW,
    )


def goal_of(view: View) -> Goal:
    """The goal for which this hand is played."""
    facts = _playing(view)
    if facts.soloist is not None:
        return Sooli(facts.soloist)
    return Rami() if facts.kind == "high" else Nolo()


def _playing(view: View) -> Facts:
    facts = Facts.of(view.facts)
    if facts.phase != "play":
        raise ValueError(f"cards are solved from the first lead on; this hand waits for {facts.phase}")
    return facts
