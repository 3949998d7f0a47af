"""Facts of a hand of Huutopussi in a view, and the outcome that a finished hand passes to the score."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from nousu.engine import facts
from nousu.engine.actions import Call
from nousu.engine.cards import SUITS, Card, parse_card
from nousu.engine.seats import Seat
from nousu.games.huutopussi.calls import Bid, Pass, call_of, said

Phase = Literal["deal", "auction", "give", "contract", "return", "play", "answer", "over"]
"""Phases of a hand, by the action awaited."""
How = Literal["own", "full", "half"]
"""Whether a marriage was declared from hand, or found by asking for a whole or half one."""
Rights = tuple[bool, bool, bool, bool]
"""Seats that have a right."""
Pair = tuple[int, int]
"""A number for each side."""


@dataclass(frozen=True, slots=True)
class Marriage(facts.Facts):
    """A declared marriage; its suit became trump."""

    suit: int
    by: Seat
    """The seat on lead, which declared it or asked for it."""
    how: How
    points: int
    trick: int
    """The number of the trick it was declared before, from 2 to 9."""

    def plain(self) -> dict[str, Any]:
        return {
            "suit": SUITS[self.suit],
            "by": self.by,
            "how": self.how,
            "points": self.points,
            "trick": self.trick,
        }


@dataclass(frozen=True, slots=True)
class Facts(facts.Facts):
    """The public state of a hand."""

    phase: Phase
    auction: tuple[tuple[Seat, Bid | Pass], ...]
    """Every bid and pass, in order."""
    bid: int
    """The last bid, 0 before the first."""
    bidder: Seat | None
    passed: tuple[Seat, ...]
    barred: tuple[Seat, ...]
    """Seats that the ban keeps from bidding (HP-GR-33)."""
    reopened: bool
    declarer: Seat | None
    contract: int | None
    trump: int | None
    """The suit that is trump now."""
    marriages: tuple[Marriage, ...]
    may_declare: bool
    """Whether the seat on turn stands before a lead with an attempt (HP-GR-22)."""
    may_declare_own: Rights
    """Seats that may still declare from hand (A-H-12)."""
    may_ask_full: Rights
    """Seats that may still ask for a full marriage (A-H-12)."""
    asked: Card | None
    """The king or queen an open half question names."""
    cards: Pair
    """Card points each side has taken, without the last trick's bonus."""
    marriage_points: Pair
    tricks: Pair

    @property
    def taken(self) -> Pair:
        """The points each side has towards the contract."""
        one, two = self.cards, self.marriage_points
        return one[0] + two[0], one[1] + two[1]

    def plain(self) -> dict[str, Any]:
        return super(Facts, self).plain() | {
            "auction": [[by, call_of(word).word] for by, word in self.auction],
            "trump": None if self.trump is None else SUITS[self.trump],
        }

    @classmethod
    def read(cls, plain: Mapping[str, Any]) -> "Facts":
        """The facts whose `plain` form this is; KeyError or ValueError where it is none."""
        alike = ("phase", "bid", "bidder", "reopened", "declarer", "contract", "may_declare")
        lists = ("passed", "barred", "may_declare_own", "may_ask_full", "cards", "marriage_points", "tricks")
        known: dict[str, Any] = {name: plain[name] for name in alike}
        known |= {name: tuple(plain[name]) for name in lists}
        return cls(
            **known,
            auction=tuple((by, _bid(word)) for by, word in plain["auction"]),
            trump=None if plain["trump"] is None else SUITS.index(plain["trump"]),
            marriages=tuple(
                Marriage(**{**marriage, "suit": SUITS.index(marriage["suit"])})
                for marriage in plain["marriages"]
            ),
            asked=None if plain["asked"] is None else parse_card(plain["asked"]),
        )


def _bid(text: str) -> Bid | Pass:
    word = said(Call(text))
    if not isinstance(word, Bid | Pass):
        raise ValueError(f"{text!r} is neither a bid nor a pass")
    return word


@dataclass(frozen=True, slots=True)
class Outcome(facts.Facts):
    """The outcome of a hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedHand(Outcome):
    """Nine tricks were played."""

    declarer: Seat | None
    """None in a hand without a contract (A-H-19)."""
    bid: int
    contract: int | None
    made: bool | None
    cards: Pair
    """Card points a side, without the last trick's bonus."""
    marriages: Pair
    """Points of marriages a side."""
    last_trick: int
    """The side that won the last trick."""
    earned: Pair
    """Points of each side in all."""
    tricks: Pair
    trumps: tuple[int, ...]
    """The suits declared, in order."""

    def plain(self) -> dict[str, Any]:
        return super(PlayedHand, self).plain() | {"trumps": [SUITS[suit] for suit in self.trumps]}


@dataclass(frozen=True, slots=True)
class Void(Outcome):
    """A void hand: a new deal was demanded, or all passed. The same dealer deals again."""


def outcome(plain: Mapping[str, Any]) -> Outcome:
    """The outcome whose `plain` form this is; KeyError where something is missing."""
    if not plain:
        return Void()
    known: dict[str, Any] = {
        name: plain[name] for name in ("declarer", "bid", "contract", "made", "last_trick")
    }
    known |= {name: tuple(plain[name]) for name in ("cards", "marriages", "earned", "tricks")}
    return PlayedHand(**known, trumps=tuple(map(SUITS.index, plain["trumps"])))
