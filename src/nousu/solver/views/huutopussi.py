"""Hands of Huutopussi as positions, with the rights to declare that are left."""

from nousu.engine.cards import TEN_BELOW_ACE, CardSet
from nousu.engine.game import View
from nousu.engine.seats import side
from nousu.games.huutopussi import Facts, marriage_values, rank_values
from nousu.solver.position import Goal, Huutopussi, Marriages, Position


def position_of(view: View, hands: tuple[CardSet, ...]) -> Position:
    """The position on the table with these hands."""
    facts = _playing(view)
    asked = facts.phase == "answer"
    rights = Marriages(
        declared=frozenset(marriage.suit for marriage in facts.marriages),
        own=facts.may_declare_own,
        full=facts.may_ask_full,
        open=facts.may_declare and not asked,
        asked=asked,
    )
    return Position(
        hands=hands,
        turn=view.owed[0],
        trick=view.trick,
        trump=facts.trump,
        strength=TEN_BELOW_ACE,
        won=facts.taken,
        marriages=rights,
    )


def goal_of(view: View, contract: bool = False) -> Goal:
    """The goal of the viewer's side: its lead in points, or to make the contract (1 or 0)."""
    rules, facts = view.rules, _playing(view)
    seat = facts.declarer if contract else view.seat
    if seat is None:
        raise ValueError("there is no contract in this hand")
    return Huutopussi(
        side=side(seat),
        aim="points" if contract else "difference",
        contract=facts.contract if contract else None,
        card_values=rank_values(rules),
        last_trick=rules.last_trick,
        marriage_values=marriage_values(rules),
        declare_right=rules.declare_right,
    )


def _playing(view: View) -> Facts:
    facts = Facts.of(view.facts)
    if facts.phase not in ("play", "answer"):
        raise ValueError(f"cards are solved from the first lead on; this hand waits for {facts.phase}")
    return facts
