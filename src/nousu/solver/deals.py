"""Positions from deals written as text."""

from nousu.engine import pbn
from nousu.engine.cards import card_set
from nousu.engine.seats import Seat, seat_name
from nousu.solver.position import Position


def parse_deal(text: str, leader: Seat = 0) -> Position:
    """The first lead of a PBN deal such as ``N:K652.K73.K54.742 J8… … …``; all hands must be equally long.

    `ValueError` says in a sentence what is wrong.
    """
    hands = pbn.parse_deal(text).hands
    for seat, hand in enumerate(hands):
        if not hand:
            raise ValueError(f"the hand of {seat_name(seat)} is not written; the solver needs all four")
    return Position(hands=tuple(card_set(hand) for hand in hands), turn=leader)
