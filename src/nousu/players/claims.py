"""Claims: "the rest are mine" or "you get the rest", and whether that is true wherever the hidden cards lie.

A claim is *proven* from what the claimer knows alone: by the claimer's own cards, or by solving every deal
that the others could hold, each with all cards seen. Where they are too many to be solved nothing is proven,
and the others are asked. What is claimed is then played out, so that the record stays one of legal cards.

A family that takes claims brings a module ``claims``, whose functions are those of `ClaimsFamily`.
"""

from collections.abc import Sequence
from random import Random
from typing import Literal, Protocol, cast, get_args

from nousu.engine.actions import Action, Entry, Play
from nousu.engine.game import Hand, View
from nousu.engine.seats import Seat
from nousu.games import part
from nousu.players.worlds import World, worlds
from nousu.solver import Goal, Position, solve_many

Kind = Literal["mine", "theirs"]
"""The claimer's side takes every trick that is left, or none."""
KINDS: tuple[Kind, ...] = get_args(Kind)
LAYOUTS = 1700
"""In so many ways the hidden cards may lie to be solved one by one: those of the last three cards."""
_SECONDS = 2.0
_NODES = 20_000
"""Cards tried to play a claim out."""


class ClaimsFamily(Protocol):
    """What a family knows of claims."""

    def kinds(self, view: View) -> tuple[Kind, ...]:
        """What the seat of a view that has to play a card may claim."""

    def plainly(self, view: View, kind: Kind) -> bool:
        """Whether the claimer's own cards prove the claim, wherever the others lie."""

    def problem(self, view: View, kind: Kind, world: World) -> tuple[Position, Goal]:
        """What is solved in one world."""

    def holds(self, view: View, kind: Kind, value: int) -> bool:
        """Whether a solved world of that value affirms the claim."""

    def lost(self, hand: Hand, seat: Seat, kind: Kind) -> Sequence[int]:
        """What has gone to the wrong side so far: the less the better."""

    def order(self, hand: Hand, seat: Seat, kind: Kind, legal: Sequence[Play]) -> Sequence[Action]:
        """Cards in the order in which they promise to make the claim true."""


def kinds(view: View) -> tuple[Kind, ...]:
    """What the seat of a view may claim now: something where it has to play one of several cards."""
    family = _family(view.game)
    asked = view.seat is not None and view.owed == (view.seat,) and len(view.cards) > 1
    if family is None or not asked or not any(isinstance(action, Play) for action in view.legal):
        return ()
    return family.kinds(view)


def is_proven(view: View, kind: Kind) -> bool:
    """Whether a claim is true in every deal that the seat of a view must reckon with."""
    family = _family(view.game)
    if family is None or kind not in kinds(view):
        return False
    if family.plainly(view, kind):
        return True
    found = worlds(view)
    if found.layouts > LAYOUTS:
        return False
    every = [family.problem(view, kind, world) for world, _ in found.every(Random(0))]
    answers = solve_many(every, want="value", seconds=_SECONDS)
    return all(answer is not None and family.holds(view, kind, answer.value) for answer in answers)


def play_out_claim(hand: Hand, seat: Seat, kind: Kind) -> tuple[Entry, ...]:
    """The rest of a hand, played so that the claim of a seat comes true, by the rules; where no order of the
    cards makes it quite true, as nearly as one was found."""
    family = _family(hand.view(seat).game)
    assert family is not None
    return _Ending(family, seat, kind).found(hand)


class _Ending:
    """The search for an order of the remaining cards, everybody playing for the claim."""

    def __init__(self, family: ClaimsFamily, seat: Seat, kind: Kind) -> None:
        self._family, self._seat, self._kind = family, seat, kind
        self._nodes = _NODES
        self._least: tuple[int, ...] | None = None
        self._best: tuple[Entry, ...] = ()

    def found(self, hand: Hand) -> tuple[Entry, ...]:
        """The best order found."""
        self._start = tuple(self._family.lost(hand, self._seat, self._kind))
        self._try(hand, ())
        return self._best

    def _try(self, hand: Hand, before: tuple[Entry, ...]) -> None:
        lost = tuple(self._family.lost(hand, self._seat, self._kind))
        if self._least is not None and lost >= self._least:
            return
        owed = hand.owed()
        cards = [action for action in hand.legal(owed[0]) if isinstance(action, Play)] if owed else []
        if not cards:
            self._least, self._best = lost, before
            return
        for action in self._family.order(hand, self._seat, self._kind, cards):
            self._nodes -= 1
            self._try(hand.apply(owed[0], action), (*before, (owed[0], action)))
            if self._least is not None and (self._least == self._start or self._nodes <= 0):
                return


def _family(game: str) -> ClaimsFamily | None:
    return cast("ClaimsFamily | None", part("nousu.players", game, "claims"))
