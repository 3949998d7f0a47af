"""Hands of the whist family played out by the rule-based player, thousands a second, in the compiled core.

Every seat sees its own cards and the cards played, as at the table: `cpp/playouts/whist.h` plays card for
card as `nousu.players.whist.card_rules` does, with the same weights.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from nousu.engine.actions import Give
from nousu.engine.cards import ACE_HIGH, ACE_LOW, Card, CardSet, card_set
from nousu.engine.game import View
from nousu.engine.seats import Seat
from nousu.games.whist import TRICKS, Facts, Kind
from nousu.players.nets import UNIT
from nousu.players.whist.card_features import WEIGHTS
from nousu.players.worlds import World
from nousu.solver import native

__all__ = [
    "OWN_CHOICE",
    "WhistPlayouts",
    "WhistTable",
    "plan_values",
    "play_out",
    "playout_hands",
    "public_table",
]

OWN_CHOICE = None
"""The first card that stands for the player's own choice."""
MAX_SURPRISE = 4.0
"""Greatest surprise, in units, that a single card adds to a world."""
_OWN_CHOICE_BYTE, _KINDS = 255, {"high": 0, "low": 1, "sooli": 2}


PlayoutHands = tuple[Sequence[CardSet], CardSet]
"""A world to be played out: the cards of the four seats, and the card the soloist has laid aside."""


class WhistTable(NamedTuple):
    """The public state when a card is due."""

    kind: Kind
    bidder: Seat | None
    soloist: Seat | None
    last: Seat | None
    """The seat that plays last to every trick of a sooli."""
    leader: Seat
    """The leader of the first trick."""
    history: tuple[Card, ...] = ()
    """The cards played so far, in order."""


def public_table(view: View) -> WhistTable:
    """The public state at the table of `view`; a card is due."""
    facts = Facts.of(view.facts)
    assert facts.kind is not None
    plays = [play for trick in view.tricks for play in trick.plays] + list(view.trick)
    leader = plays[0][0] if plays else view.owed[0]
    last = facts.soloist if view.rules.sooli_order == "always_last" else None
    return WhistTable(facts.kind, facts.bidder, facts.soloist, last, leader, tuple(card for _, card in plays))


def playout_hands(view: View, world: World) -> PlayoutHands:
    """The cards of a world of this view, to be played out."""
    aside = 0
    gifts = [action for _, action in view.heard if isinstance(action, Give)]
    for gift, cards in zip(gifts, world.given, strict=True):
        if gift.to is None:
            aside |= card_set(cards)
    return world.hands, aside


class WhistPlayouts(NamedTuple):
    """The worlds played out."""

    gained: tuple[tuple[int, ...], ...]
    """A number for each first card and world: tricks of North and South, or in a sooli 1 if it is made."""
    deviations: tuple[float, ...]
    """Surprise of each world: the number of earlier cards of other seats that such a player would not
    have played there. With nets: the sum of how far those cards are rated below the best, each at most
    `MAX_SURPRISE` units."""


@cache
def _weights() -> list[float]:
    names = [text.split() for text in native.core.HABITS]
    habits = ("rami_lead", "rami_second_hand", "rami_third_hand", "nolo_lead")
    return [WEIGHTS[habit][name] for habit, listed in zip(habits, names, strict=True) for name in listed]


def play_out(
    table: WhistTable,
    worlds: Sequence[PlayoutHands],
    firsts: Sequence[Card | None] = (OWN_CHOICE,),
    viewer: Seat | None = None,
    nets: bytes = b"",
) -> WhistPlayouts:
    """Play every world to its end after each of the first cards. Needs the compiled core.

    Args:
        table: The public state.
        worlds: The cards of each world.
        firsts: First cards of the seat on turn; `OWN_CHOICE` for its own choice.
        viewer: The seat whose earlier cards do not count as strange.
        nets: Weights of `policy`, by which all play; empty for rules of thumb.
    """
    arguments = _core_arguments(table, worlds, firsts, viewer)
    most = round(MAX_SURPRISE * UNIT) if nets else 1
    gained, deviations = native.core.playouts_whist(*arguments, nets, most)
    many, unit = len(firsts), UNIT if nets else 1
    return WhistPlayouts(
        tuple(tuple(gained[at::many]) for at in range(many)), tuple(cards / unit for cards in deviations)
    )


def plan_values(
    table: WhistTable,
    worlds: Sequence[PlayoutHands],
    weights: Sequence[float],
    worth: Callable[[int], float],
    firsts: Sequence[Card],
    viewer: Seat,
    nets: bytes = b"",
) -> Sequence[float]:
    """The value of each first card of the viewer by the best plan. Needs the compiled core.

    The others play on as in `play_out`. A plan is one for all worlds and tells them apart only by the cards
    that others play. The time grows as the factorial of the cards in the viewer's hand, so this is for the
    last few.

    Args:
        table: The public state.
        worlds: The cards of each world.
        weights: The weight of each world.
        worth: The utility to the viewer of tricks of North and South, or of a sooli lost (0) or made (1).
        firsts: First cards of the viewer, who is on turn.
        viewer: The seat that plans.
        nets: As in `play_out`.

    Returns:
        For each first card the sum of the utilities of all worlds, each times its weight.
    """
    outcomes = 2 if table.kind == "sooli" else TRICKS + 1
    arguments = _core_arguments(table, worlds, firsts, viewer)
    values: Sequence[float] = native.core.plans_whist(
        *arguments, nets, list(weights), [*map(worth, range(outcomes))]
    )
    return values


def _core_arguments(
    table: WhistTable, worlds: Sequence[PlayoutHands], firsts: Sequence[Card | None], viewer: Seat | None
) -> tuple[list[float], list[int], bytes, bytes, bytes]:
    """Table, worlds and first cards as the arguments of the C++ core."""
    strength = ACE_LOW if table.kind == "sooli" else ACE_HIGH
    hands = bytearray()
    for held, aside in worlds:
        for cards in (*held, aside):
            hands += native.in_order(cards, strength).to_bytes(8, "little")
    codes = bytes(card & 48 | strength[card & 15] for card in table.history)
    first = bytes(_OWN_CHOICE_BYTE if card is None else card & 48 | strength[card & 15] for card in firsts)
    seats = (table.bidder, table.soloist, table.last, table.leader, viewer)
    facts = [_KINDS[str(table.kind)], *(-1 if seat is None else seat for seat in seats)]
    return _weights(), facts, codes, first, bytes(hands)
