"""Interfaces of a game family's review of a hand; `fallback` reviews families that add nothing.

`ReviewFamily` is the interface of ``families/<family>.py``. The other protocols are what such a module may
have besides. A *world* in them is a way the hidden cards may lie; values are points of the hand, those of the
seat's side less those of the others, unless the family measures otherwise (`OwnMeasure`).
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol, TypeVar

from nousu.engine.actions import Action
from nousu.engine.cards import Card
from nousu.engine.game import Hand, Result, View
from nousu.engine.messages import Note
from nousu.engine.seats import Seat
from nousu.extensions import Point, extension
from nousu.players.worlds import World, worlds
from nousu.review.families import fallback
from nousu.review.model import ReviewEffort, ReviewOption

Rows = list[list[float]]
"""Values of each action, one for each world."""
P = TypeVar("P")


class ReviewFamily(Protocol):
    """The interface of ``nousu/review/families/<family>.py``. None as an action is silence out of turn."""

    def slow(self, view: View) -> bool:
        """Whether playing out a world takes milliseconds rather than microseconds."""

    def unit(self, view: View) -> float:
        """The value of a trick, in points."""

    def options(self, view: View, taken: Action) -> Sequence[Action | None]:
        """The actions that are compared, `taken` among them; none where such a choice is not reviewed."""

    def same(self, view: View, one: Action, other: Action) -> bool:
        """Whether two actions mean the same."""

    def comparable(self, view: View, one: Action, other: Action) -> bool:
        """Whether two actions can be played out beside each other."""

    def first_values(
        self, view: View, actions: Sequence[Action | None], worlds: Sequence[World], seed: int
    ) -> Rows | None:
        """Values of a first look; None where nothing cheap tells."""

    def measure(
        self, view: View, actions: Sequence[Action | None], worlds: Sequence[World], seed: int
    ) -> Rows:
        """Values by playouts in which all see their own cards only."""

    def weights(self, view: View, worlds: Sequence[World]) -> list[float]:
        """Likelihood of each world by the bids, words and cards of all seats."""

    def solved(
        self, view: View, actions: Sequence[Action | None], worlds: Sequence[World], effort: ReviewEffort
    ) -> Rows | None:
        """Values with all cards open and best play; None where the worlds are not solved."""


class Deals(Protocol):
    """A source of worlds."""

    def sample(self, rng: Random) -> World:
        """Draw a world."""


class OwnDeals(Protocol):
    """An optional interface of families that do not weigh all choices in uniformly drawn worlds."""

    def possible_deals(self, view: View) -> Deals:
        """The worlds in which a choice is weighed."""


class OwnMeasure(Protocol):
    """An optional interface of families that count points in a way of their own."""

    def hand_outcome(self, result: Result, view: View) -> float:
        """The value of a finished hand for the seat of `view`."""

    def counting_note(self, view: View) -> str:
        """The way in which values are counted: a message of the catalogues."""


class ChoiceKinds(Protocol):
    """An optional interface of families whose habits of play are counted."""

    def kind(self, view: View, action: Action) -> str:
        """The kind of choice, such as ``bid high`` or ``lead``."""


class ParReview(Protocol):
    """An optional interface of families whose hands have a par."""

    def par(self, view: View, world: World, seat: Seat, effort: ReviewEffort) -> float | None:
        """The value for `seat` of the hand from this first lead on, with all cards open and best play."""

    def line(self, view: View, world: World, effort: ReviewEffort) -> tuple[Card, ...]:
        """The cards of best play from here on, all of them open in that world."""


class NoParReason(Protocol):
    """An optional interface of families without par."""

    NO_PAR: Note
    """The reason for which their hands have none."""


class MatchReview(Protocol):
    """An optional interface of families with a measured chance to win the match."""

    def chance(self, hand: Hand, seat: Seat) -> Callable[[float], float] | None:
        """The chance of the side of `seat` to win the match, by the value of this hand; None if unknown."""


class MatchChances(Protocol):
    """An optional interface of families in which points ahead do not tell the chance to win the match."""

    def match_chances(
        self, view: View, actions: Sequence[Action | None], worlds: Sequence[World], seed: int
    ) -> Rows | None:
        """Chances to win the match by playouts, one for each world; None where they are not known."""


class SolvedDoubts(Protocol):
    """An optional interface of families in which solved deals mislead about some choices."""

    def is_solving_misleading(self, view: View) -> bool:
        """Whether solved deals may not contradict what playing out says of a choice."""


class MixedChoices(Protocol):
    """An optional interface of families in which strong players choose by odds, or differ."""

    def is_often_mixed(self, view: View, action: Action, best: Action | None) -> bool:
        """Whether a strong player would often do `action` too, although `best` is worth more."""


class FlawWords(Protocol):
    """An optional interface of families that can prove what was wrong with a choice."""

    def flaw(self, view: View, taken: Action, best: Action | None) -> Note | None:
        """The thing that `taken` spoiled and `best` did not, as the seat knew; None if not proved."""


class OwnReasons(Protocol):
    """An optional interface of families that explain choices in words of their own."""

    def reason(self, view: View, best: Action | None, options: Sequence[ReviewOption]) -> Note | None:
        """The reason why `best` is right; None for choices that need no words of the family."""


def review_extension(protocol: type[P], game: str) -> P | None:
    """The review module of a family as one of these protocols; None where it has nothing of it."""
    return extension(protocol, Point.REVIEW, game)


def review_family(game: str) -> ReviewFamily:
    """The review module of a family, or `fallback`."""
    return review_extension(ReviewFamily, game) or fallback


def deals_of(view: View) -> Deals:
    """The worlds in which a choice is weighed: the family's own, else uniform ones."""
    own = review_extension(OwnDeals, view.game)
    return worlds(view) if own is None else own.possible_deals(view)
