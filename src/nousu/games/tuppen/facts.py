"""Facts of a hand of Tuppen in a view, and the outcome that a finished hand passes to the standing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from nousu.engine import facts
from nousu.engine.cards import Card, parse_card
from nousu.engine.seats import Seat

Kind = Literal["regular", "dead", "poor", "eight"]
"""An ordinary hand, a play-off of players who died together, a deciding hand of new poor men, a hand of eight
cards without points (A-U-36, A-U-37)."""
Phase = Literal["blind", "deal", "pictures", "poor", "doubt", "raise", "play", "over"]
"""Phases of a hand, by the action awaited."""


@dataclass(frozen=True, slots=True)
class Laid(facts.Facts):
    """Four cards laid down as four pictures."""

    owner: Seat
    open: bool
    """Whether the packet was challenged and turned up (TU-ZK-IV9)."""
    cards: tuple[Card, ...]
    """The cards, once everybody may see them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts(facts.Facts):
    """The public state of a hand."""

    phase: Phase
    kind: Kind
    group: tuple[Seat, ...]
    """Seats that play this hand."""
    stake: int
    last_raiser: Seat | None
    """The seat that raised last, which may not raise now (TU-ZK-III2e)."""
    raisers: tuple[Seat, ...]
    raise_cap: tuple[int, ...]
    """The stake each seat may raise to, 0 for a seat out of the hand or where nobody raises."""
    points: tuple[int, ...]
    """Points of each seat at this moment."""
    places: tuple[int, ...]
    """The place of each seat, 0 while it is open."""
    alive: tuple[Seat, ...]
    in_hand: tuple[Seat, ...]
    turn: Seat | None
    """The seat whose card comes next; None before the deal and after the hand."""
    asked: tuple[Seat, ...]
    """Seats that have still to answer the open question."""
    asker: Seat | None
    """The raiser or the poor man whose question is open."""
    packets: tuple[Laid, ...]
    poor: tuple[Seat, ...]
    """The poor men of this hand, clockwise from the dealer's left (TU-ZK-III3a)."""
    blind: tuple[Seat, ...]
    """Seats bound to raise whose turn has not come yet (TU-ZK-V4)."""
    stock: int
    """Number of cards in the stock."""
    paid: tuple[int, ...]
    """Points paid by each seat in this hand for leaving and penalties."""
    behind: tuple[int, ...] = ()
    """Steps by which each seat has yet to go along up to the stake; empty where none has (A-U-34)."""

    def plain(self) -> dict[str, Any]:
        """The fields under their names; `behind` only where somebody is."""
        shown = facts.Facts.plain(self)
        return {name: value for name, value in shown.items() if name != "behind" or value}

    @classmethod
    def read(cls, plain: Mapping[str, Any]) -> "Facts":
        """The facts whose `plain` form this is; KeyError or ValueError where it is none."""
        alike = ("phase", "kind", "stake", "last_raiser", "turn", "asker", "stock")
        lists = ("group", "raisers", "raise_cap", "points", "places", "alive", "in_hand", "asked", "poor")
        known: dict[str, Any] = {name: plain[name] for name in alike}
        known |= {name: tuple(plain[name]) for name in (*lists, "blind", "paid")}
        packets = (
            Laid(packet["owner"], packet["open"], tuple(map(parse_card, packet["cards"])))
            for packet in plain["packets"]
        )
        return cls(**known, packets=tuple(packets), behind=tuple(plain.get("behind", ())))


@dataclass(frozen=True, slots=True)
class Outcome(facts.Facts):
    """The end of a hand: it was won, the cards are dealt again, or a penalty was booked before the deal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Won(Outcome):
    """A hand played out or left to its last player."""

    kind: Kind
    ladder: tuple[Seat, ...]
    """The seats still in the hand by their cards in the last trick, the winner first (TU-ZK-III1d)."""
    stake: int
    left: tuple[Seat, ...]
    """Seats that paid for leaving."""
    costs: tuple[int, ...]
    """Points paid for leaving."""
    fines: tuple[int, ...]
    """Points paid as penalties."""
    killed: tuple[Seat, ...]
    """Seats that got a place within the hand, in the order in which it happened (A-U-21)."""
    poor: tuple[Seat, ...]
    before: tuple[int, ...]
    """Points of each seat with leaving and penalties paid, the stake not."""
    played: tuple[Seat, ...] = field(default=(), compare=False)
    """The seats that played a card: no other can have revoked (TU-ZK-IV7). Not in the plain form."""
    jacks: tuple[Seat, ...] = field(default=(), compare=False)
    """The seats with a jack in the last trick, where it brings a point (A-U-33). Not in the plain form."""

    def plain(self) -> dict[str, Any]:
        shown = facts.Facts.plain(self)
        return {name: value for name, value in shown.items() if name not in ("played", "jacks")}


@dataclass(frozen=True, slots=True)
class Redealt(Outcome):
    """A hand whose cards are dealt again: nothing counts but the penalties (TU-ZK-IV4, A-U-03)."""

    killed: tuple[Seat, ...]

    def plain(self) -> dict[str, Any]:
        return {"redealt": True, "killed": list(self.killed)}


@dataclass(frozen=True, slots=True)
class Booked(Outcome):
    """A penalty booked before the cards were dealt: a hand without cards."""

    rule: str
    """The number of the rule, ``IV2``."""
    seat: Seat

    def plain(self) -> dict[str, Any]:
        return {"booked": [self.rule, self.seat]}


def outcome(plain: Mapping[str, Any]) -> Outcome:
    """The outcome whose `plain` form this is; KeyError where something is missing."""
    if "booked" in plain:
        rule, seat = plain["booked"]
        return Booked(str(rule), int(seat))
    if "redealt" in plain:
        return Redealt(tuple(plain["killed"]))
    lists = ("ladder", "left", "costs", "fines", "killed", "poor", "before")
    several = {name: tuple(plain[name]) for name in lists}
    return Won(kind=plain["kind"], stake=plain["stake"], **several)
