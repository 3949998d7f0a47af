"""Facts of a hand and its end: typed values with a plain form."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from nousu.engine import facts
from nousu.engine.actions import Call
from nousu.engine.cards import Card, parse_card
from nousu.engine.seats import Seat
from nousu.games.whist.calls import Bid, Pass, said

Kind = Literal["high", "low", "sooli"]
"""Kinds of hand."""
Phase = Literal["deal", "bid", "auction", "expose", "sooli", "discard", "give", "return", "play", "over"]
"""Phases of a hand, by the action awaited."""


@dataclass(frozen=True, slots=True)
class Facts(facts.Facts):
    """Facts of a hand known to a seat, besides its cards."""

    phase: Phase
    kind: Kind | None
    """The kind of hand, once the bids have decided it."""
    bidder: Seat | None
    """The seat whose bid fixed the game; None in a low hand that nobody bid for."""
    soloist: Seat | None
    out: Seat | None
    """The soloist's partner, who sits out."""
    committed: tuple[Seat, ...]
    """Seats that have laid a bid face down."""
    exposed: Mapping[Seat, Card | Bid | Pass]
    """The bids turned up (A-T-25), or spoken up to the first that is no pass."""
    own_bid: Card | Bid | None
    """The viewer's own bid, laid face down."""
    tricks: tuple[int, int]
    """Tricks of each side so far."""
    may_end: bool
    """Whether the hand may be broken off (A-T-15)."""

    def plain(self) -> dict[str, Any]:
        """The fields as JSON values; bids are cards or words as records write them."""
        fields = super(Facts, self).plain()
        fields["exposed"] = {by: str(bid) for by, bid in self.exposed.items()}
        fields["own_bid"] = None if self.own_bid is None else str(self.own_bid)
        return fields

    @classmethod
    def read(cls, plain: Mapping[str, Any]) -> "Facts":
        """The facts whose `plain` form this is; KeyError or ValueError where it is none."""
        own = None if plain["own_bid"] is None else _bid(plain["own_bid"])
        if isinstance(own, Pass):
            raise ValueError("a pass is not laid face down")
        ours, theirs = plain["tricks"]
        return cls(
            **{name: plain[name] for name in ("phase", "kind", "bidder", "soloist", "out", "may_end")},
            committed=tuple(plain["committed"]),
            exposed={int(by): _bid(bid) for by, bid in plain["exposed"].items()},
            own_bid=own,
            tricks=(ours, theirs),
        )


def _bid(text: str) -> Card | Bid | Pass:
    word = said(Call(text))
    return word if isinstance(word, Bid | Pass) else parse_card(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(facts.Facts):
    """The end of a hand; a void one has no values."""

    kind: Kind | None = None
    bidder: Seat | None = None
    soloist: Seat | None = None
    tricks: tuple[int, int] = (0, 0)
    scorer: int | None = None
    """The side that scored, even if it only toppled the other; None if points were only lost."""
    ended_early: bool = False
    """True if broken off because the rising side could score no more (A-T-15)."""

    def plain(self) -> dict[str, Any]:
        """The fields as JSON values; ``ended_early`` only where it is so."""
        fields = super(Outcome, self).plain()
        if not self.ended_early:
            del fields["ended_early"]
        return fields

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> "Outcome":
        """The outcome whose `plain` form this is."""
        ours, theirs = fields["tricks"]
        return cls(**{**fields, "tricks": (ours, theirs)})
