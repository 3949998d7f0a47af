"""Claims: "the rest are mine" or "you get the rest", and their proof wherever the hidden cards lie.

A claim is *proven* from the knowledge of its seat alone: by its own cards, or by solving every world that it
cannot tell apart, each with all cards seen. With too many worlds nothing is proven, and the other players are
asked. A claim is then played out, so that the record stays one of legal cards.

``<family>/claims.py`` has the claims of a family; `ClaimsFamily` is its interface.
"""

from collections.abc import Sequence
from random import Random
from typing import Literal, Protocol, get_args

from nousu.engine.actions import Action, Entry, Play
from nousu.engine.game import Hand, View
from nousu.engine.seats import Seat
from nousu.extensions import Point, extension
from nousu.players.worlds import World, worlds
from nousu.solver import Goal, Position, solve_many

Kind = Literal["mine", "theirs"]
"""The claimer's side takes every trick that is left, or none."""
KINDS: tuple[Kind, ...] = get_args(Kind)
LAST = 3
"""The cards in a hand at which a claim can be looked at in every layout."""
LAYOUTS = 1700
"""The most worlds that are solved one by one: those of the last three cards."""
_SECONDS = 2.0
NODES, FEWEST_NODES = 20_000, 1000
"""Cards tried to play a claim out: the most, and the most while many others wait."""


class ClaimsFamily(Protocol):
    """The interface of ``<family>/claims.py``."""

    def kinds(self, view: View) -> tuple[Kind, ...]:
        """The claims open to the seat of a view that has to play a card."""

    def is_obvious(self, view: View, kind: Kind) -> bool:
        """Whether the claimer's own cards prove the claim, wherever the others lie."""

    def problem(self, view: View, kind: Kind, world: World) -> tuple[Position, Goal]:
        """The problem that is solved in one world."""

    def holds(self, view: View, kind: Kind, value: int) -> bool:
        """Whether a solved world of that value affirms the claim."""

    def concession(self, view: View) -> Kind | None:
        """The claim that is the worst for the side of its seat; None where there is none."""

    def lost(self, hand: Hand, seat: Seat, kind: Kind) -> Sequence[int]:
        """Tricks or points already lost to the wrong side: the less the better."""

    def order(self, hand: Hand, seat: Seat, kind: Kind, legal: Sequence[Play]) -> Sequence[Action]:
        """Cards, the most promising for the claim first."""


def _family(game: str) -> ClaimsFamily | None:
    return extension(ClaimsFamily, Point.PLAYERS, game, "claims")


def kinds(view: View) -> tuple[Kind, ...]:
    """The claims open to the seat of a view: some where it has to play one of several cards."""
    family = _family(view.game)
    plays = view.seat is not None and view.owed == (view.seat,) and len(view.cards) > 1
    if family is None or not plays or not any(isinstance(action, Play) for action in view.legal):
        return ()
    return family.kinds(view)


def promising(view: View, agreeing: bool) -> tuple[Kind, ...]:
    """The claims that could be true as far as the seat of a view knows, and could be accepted.

    Its own cards prove one, or few enough cards are left to look at every layout; where all opponents are
    persons, who may agree (`agreeing`), half of the hand has been played.
    """
    family, held = _family(view.game), len(view.cards)
    if family is None or not held:
        return ()
    late = held <= LAST or (agreeing and held <= len(view.tricks) + 1)
    return tuple([kind for kind in kinds(view) if late or family.is_obvious(view, kind)])


def concession(view: View) -> Kind | None:
    """The claim by which the seat of a view concedes the hand; None where it cannot now."""
    family = _family(view.game)
    kind = family.concession(view) if family is not None and kinds(view) else None
    return kind if kind in kinds(view) else None


def is_proven(view: View, kind: Kind) -> bool:
    """Whether a claim is true in every world that the seat of a view cannot tell apart."""
    family = _family(view.game)
    if family is None or kind not in kinds(view):
        return False
    if family.is_obvious(view, kind):
        return True
    possible = worlds(view)
    if possible.layouts > LAYOUTS:
        return False
    problems = [family.problem(view, kind, world) for world, _ in possible.every(Random(0))]
    answers = solve_many(problems, want="value", seconds=_SECONDS)
    return all(answer is not None and family.holds(view, kind, answer.value) for answer in answers)


def play_out_claim(hand: Hand, seat: Seat, kind: Kind, nodes: int = NODES) -> tuple[Entry, ...]:
    """Play the rest of a hand, by the rules, so that the claim of a seat comes true.

    Where no order of the cards makes it quite true, the nearest one that was found is returned. `nodes` is
    the number of cards tried for it.
    """
    family = _family(hand.view(seat).game)
    assert family is not None
    return _Ending(family, seat, kind, nodes).best(hand)


class _Ending:
    """The search for an order of the remaining cards, all playing for the claim."""

    def __init__(self, family: ClaimsFamily, seat: Seat, kind: Kind, nodes: int) -> None:
        self._family, self._seat, self._kind = family, seat, kind
        self._nodes = nodes
        self._least: tuple[int, ...] | None = None
        self._best: tuple[Entry, ...] = ()

    def best(self, hand: Hand) -> tuple[Entry, ...]:
        """The best order within the nodes allowed."""
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
