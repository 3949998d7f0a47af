"""Hands of the whist family played out by the rule-based player, thousands a second, in the compiled core.

Every seat sees its own cards and what has been played, as at the table: `cpp/playouts/whist.h` plays card for
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

__all__ = ["ANY", "Known", "PlayedOut", "held", "known_of", "planned", "play_out"]

ANY = None
"""As a first card: whatever the player would play."""
STRANGEST = 4.0
"""How far below the best card by policy a card counts at the most."""
_ANY, _KINDS = 255, {"high": 0, "low": 1, "sooli": 2}


Held = tuple[Sequence[CardSet], CardSet]
"""A world to be played out: what the four seats hold now, and the card the soloist has laid aside."""


class Known(NamedTuple):
    """What everybody at the table knows when a card is due."""

    kind: Kind
    bidder: Seat | None
    soloist: Seat | None
    last: Seat | None
    """Who plays last to every trick of a sooli."""
    leader: Seat
    """Who led to the first trick."""
    history: tuple[Card, ...] = ()
    """The cards played so far, in order."""


def known_of(view: View) -> Known:
    """What everybody at the table of `view` knows; a card is due."""
    facts = Facts.of(view.facts)
    assert facts.kind is not None
    plays = [play for trick in view.tricks for play in trick.plays] + list(view.trick)
    leader = plays[0][0] if plays else view.owed[0]
    last = facts.soloist if view.rules.sooli_order == "always_last" else None
    return Known(facts.kind, facts.bidder, facts.soloist, last, leader, tuple(card for _, card in plays))


def held(view: View, world: World) -> Held:
    """A world of this view, as it is played out."""
    aside = 0
    gifts = [action for _, action in view.heard if isinstance(action, Give)]
    for gift, cards in zip(gifts, world.given, strict=True):
        if gift.to is None:
            aside |= card_set(cards)
    return world.hands, aside


class PlayedOut(NamedTuple):
    """What came of it."""

    gained: tuple[tuple[int, ...], ...]
    """For each first card, a number a world: tricks of North and South, or in a sooli whether it is made."""
    strange: tuple[float, ...]
    """For each world: how many of the cards that seats other than the viewer have played, having a choice,
    are not those that such players would have played with the hands of that world. By `policy`: by how
    much those cards are rated worse than the best, in its units, each at most `STRANGEST`."""


@cache
def _weights() -> list[float]:
    names = [text.split() for text in native.core.HABITS]
    habits = ("rami_lead", "rami_second_hand", "rami_third_hand", "nolo_lead")
    return [WEIGHTS[habit][name] for habit, listed in zip(habits, names, strict=True) for name in listed]


def play_out(
    table: Known,
    worlds: Sequence[Held],
    firsts: Sequence[Card | None] = (ANY,),
    viewer: Seat | None = None,
    nets: bytes = b"",
) -> PlayedOut:
    """Play every world to its end after each of the first cards. With the weights of `policy`, everybody
    plays ramis and nolos by it. Needs the compiled core."""
    asked = _asked(table, worlds, firsts, viewer)
    most = round(STRANGEST * UNIT) if nets else 1
    gained, strange = native.core.playouts_whist(*asked, nets, most)
    many, unit = len(firsts), UNIT if nets and table.kind != "sooli" else 1
    return PlayedOut(
        tuple(tuple(gained[at::many]) for at in range(many)), tuple(cards / unit for cards in strange)
    )


def planned(
    table: Known,
    worlds: Sequence[Held],
    ways: Sequence[float],
    worth: Callable[[int], float],
    firsts: Sequence[Card],
    viewer: Seat,
    nets: bytes = b"",
) -> Sequence[float]:
    """What each first card of the viewer's is worth in all these worlds together, each times its `ways`, if
    the others play on as in `play_out` and the viewer by the best plan: one for all worlds, which tells them
    apart only by the cards that others play. `worth` is what tricks of North and South, or a sooli lost (0)
    or made (1), are worth to the viewer. The time grows as the factorial of the cards in the viewer's hand,
    so this is for the last few. Needs the compiled core."""
    outcomes = 2 if table.kind == "sooli" else TRICKS + 1
    asked = _asked(table, worlds, firsts, viewer)
    found: Sequence[float] = native.core.plans_whist(*asked, nets, list(ways), [*map(worth, range(outcomes))])
    return found


def _asked(
    table: Known, worlds: Sequence[Held], firsts: Sequence[Card | None], viewer: Seat | None
) -> tuple[list[float], list[int], bytes, bytes, bytes]:
    """What the core is told of it."""
    strength = ACE_LOW if table.kind == "sooli" else ACE_HIGH
    hands = bytearray()
    for held, aside in worlds:
        for cards in (*held, aside):
            hands += native.in_order(cards, strength).to_bytes(8, "little")
    codes = bytes(card & 48 | strength[card & 15] for card in table.history)
    first = bytes(_ANY if card is None else card & 48 | strength[card & 15] for card in firsts)
    seats = (table.bidder, table.soloist, table.last, table.leader, viewer)
    facts = [_KINDS[str(table.kind)], *(-1 if seat is None else seat for seat in seats)]
    return _weights(), facts, codes, first, bytes(hands)
