"""Claims and requests to take an action back, as a value."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nousu.engine.actions import Call, Play, Show
from nousu.engine.match import Match
from nousu.engine.seats import Seat, seat_name
from nousu.server.table.view import SettledClaim, TableRequest


@dataclass(frozen=True, slots=True)
class UndoPoint:
    """The state before the last action of a person, who may take it back."""

    seat: Seat
    match: Match
    unanswered: tuple[Seat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Requests:
    """The requests of one table."""

    open: TableRequest | None = None
    """The open request; until it is answered nobody plays."""
    declined: frozenset[tuple[Seat, int]] = frozenset()
    """Seats whose request was declined in this hand, with the number of tricks: none asks again before the
    next trick."""
    claims: tuple[SettledClaim, ...] = ()
    """The settled claims of the match."""
    undo: UndoPoint | None = None

    def possible(self, seat: Seat, tricks: int, claims: Sequence[str]) -> tuple[str, ...]:
        """The requests a seat may make after this many tricks, given its possible claims."""
        if self.open is not None or (seat, tricks) in self.declined:
            return ()
        undo = ("undo",) if self.undo is not None and self.undo.seat == seat else ()
        return (*claims, *undo)

    def after_answer(self, seat: Seat, yes: bool, tricks: int) -> "Requests":
        """The requests after an answer; `ValueError` from a seat that owes none."""
        if self.open is None or seat not in self.open.of:
            raise ValueError(f"seat {seat} is asked nothing")
        if not yes:
            return self.after_refusal(tricks)
        left = tuple(other for other in self.open.of if other != seat)
        return replace(self, open=replace(self.open, of=left))

    def after_refusal(self, tricks: int) -> "Requests":
        """The requests after the open one was declined, or lapsed, after this many tricks."""
        if self.open is None:
            raise ValueError("nothing is asked")
        return replace(self, open=None, declined=self.declined | {(self.open.seat, tricks)})

    def after_claim(self, hand: int, tricks: int) -> "Requests":
        """The requests after the open claim was played out, in hand `hand`, with `tricks` tricks complete."""
        if self.open is None:
            raise ValueError("nothing is claimed")
        claim = SettledClaim(hand, tricks, self.open.seat, self.open.what)
        return Requests(claims=(*self.claims, claim))

    def after_deal(self) -> "Requests":
        """The requests at the beginning of a hand."""
        return Requests(claims=self.claims)

    def remarks(self, seats: int) -> str:
        """The claims as lines of a record."""
        lines = (
            f"\n# claim hand {claim.hand} after trick {claim.tricks}: "
            f"{seat_name(claim.seat, seats)} {claim.what}"
            for claim in self.claims
        )
        return "".join(lines)


def last_public_action(match: Match | None) -> str:
    """The last action of the hand on the table in public form; empty if it was face down."""
    _, action = match.hand.log[-1] if match is not None and match.hand.log else (0, None)
    return str(action) if isinstance(action, Play | Show | Call) else ""
