"""What is asked at a table, as a value: the open request, what was settled, what can be taken back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nousu.engine.actions import Call, Play, Show
from nousu.engine.match import Match
from nousu.engine.seats import Seat, seat_name
from nousu.server.table.view import ClaimSeen, Request


@dataclass(frozen=True, slots=True)
class Before:
    """What the last action of a person can be taken back to."""

    seat: Seat
    match: Match
    among: tuple[Seat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Requests:
    """The requests of one table."""

    open: Request | None = None
    """What is asked of somebody; until it is answered nobody plays."""
    declined: frozenset[tuple[Seat, int]] = frozenset()
    """Who was not agreed with in this hand, and after how many tricks: none asks again before the next."""
    claims: tuple[ClaimSeen, ...] = ()
    """The claims that were settled."""
    before: Before | None = None

    def may(self, seat: Seat, tricks: int, claims: Sequence[str]) -> tuple[str, ...]:
        """What a seat may ask after so many tricks, where it may make those claims."""
        if self.open is not None or (seat, tricks) in self.declined:
            return ()
        undo = ("undo",) if self.before is not None and self.before.seat == seat else ()
        return (*claims, *undo)

    def asked(self, request: Request) -> "Requests":
        """With something asked."""
        return replace(self, open=request)

    def answered(self, seat: Seat, yes: bool, tricks: int) -> "Requests":
        """After one of those who are asked has answered; `ValueError` where that seat is asked nothing."""
        if self.open is None or seat not in self.open.of:
            raise ValueError(f"seat {seat} is asked nothing")
        if not yes:
            return self.refused(tricks)
        left = tuple(other for other in self.open.of if other != seat)
        return replace(self, open=replace(self.open, of=left))

    def refused(self, tricks: int) -> "Requests":
        """After somebody did not agree."""
        if self.open is None:
            raise ValueError("nothing is asked")
        return replace(self, open=None, declined=self.declined | {(self.open.seat, tricks)})

    def settled(self, hand: int, tricks: int) -> "Requests":
        """After a claim was played out."""
        if self.open is None:
            raise ValueError("nothing is claimed")
        claim = ClaimSeen(hand, tricks, self.open.seat, self.open.what)
        return Requests(claims=(*self.claims, claim))

    def dealt(self) -> "Requests":
        """At the beginning of a hand."""
        return Requests(claims=self.claims)

    def remarks(self, seats: int) -> str:
        """The claims as lines of a record."""
        lines = (
            f"# claim hand {one.hand} after trick {one.tricks}: {seat_name(one.seat, seats)} {one.what}"
            for one in self.claims
        )
        return "".join(f"\n{line}" for line in lines)


def shown(match: Match | None) -> str:
    """The last action of the hand on the table as everybody saw it; empty where it lies face down."""
    _, action = match.hand.log[-1] if match is not None and match.hand.log else (0, None)
    return str(action) if isinstance(action, Play | Show | Call) else ""
