"""The values of a review: plain JSON, computed to the end."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from nousu.engine.actions import Action
from nousu.engine.cards import SUITS, Card
from nousu.engine.messages import Note
from nousu.engine.seats import Seat

Verdict = Literal["good", "only", "mistake", "lucky", "style", "unsure"]
"""The verdict on a choice.

``only``: everything else was clearly worse, and the rules of thumb would have chosen something else.
``mistake``: known facts spoke clearly against it. ``lucky``: a mistake that cost nothing as the cards lay.
``style``: strong players differ, or it makes no noticeable difference. ``unsure``: it may have cost
something, but the deals do not settle it. Older stored reviews also hold ``unlucky``, which is not shown.
"""


class ReviewEffort(NamedTuple):
    """The effort of the review of a hand: counts, never time, so that a review can be repeated."""

    first_worlds: int
    """Worlds in which every action of every choice is tried."""
    worlds: int
    """Worlds at most in which the best action and the one taken are compared."""
    slow_worlds: int
    """`worlds` where a world takes milliseconds, not microseconds."""
    candidates: int
    """Choices at most that are compared where a world takes milliseconds."""
    solved: int
    """Worlds that are solved as a second opinion."""
    nodes: int
    """Nodes of the search for one solved position."""


QUICK = ReviewEffort(first_worlds=24, worlds=200, slow_worlds=100, candidates=2, solved=4, nodes=60_000)
"""A first answer: at most two seconds per hand and seat on one core."""
FULL = ReviewEffort(first_worlds=200, worlds=1600, slow_worlds=800, candidates=9, solved=20, nodes=3_000_000)
"""The whole review: at most thirty seconds per hand and seat on one core."""

SMALL_COST = 2.0
"""Points below which a choice is not worth a word; half a trick where that is less."""


class Interval(NamedTuple):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float

    def plain(self) -> dict[str, float]:
        """Return the value as plain JSON values."""
        return {"mean": round(self.mean, 3), "low": round(self.low, 3), "high": round(self.high, 3)}


class ReviewOption(NamedTuple):
    """An action that was possible, and its value by the knowledge of the seat."""

    action: Action | None
    """The action; None: to say nothing."""
    value: float
    """Points of the hand on average over the deals that fit: those of one's side less those of the others."""
    wins: float
    """The share of these deals in which the seat's side comes out ahead."""

    def plain(self) -> dict[str, Any]:
        """Return the option as plain JSON values."""
        return {
            "action": _text(self.action),
            "value": round(self.value, 3),
            "wins": round(self.wins, 3),
        }


class KeyLayout(NamedTuple):
    """A way the hidden cards may lie, and the cost of the choice there."""

    seat: Seat
    """The seat that holds the card, or (without one) is out of the suit."""
    card: Card | None
    """The card that decides; None where the lack of a suit does."""
    suit: int
    void: bool
    """Without a card: whether `seat` is out of the suit."""
    share: float
    """The share of such deals among those that fit."""
    cost: float
    """The cost of the action taken in such deals, in points."""

    def plain(self) -> dict[str, Any]:
        """Return the key card as plain JSON values."""
        return {
            "seat": self.seat,
            "card": None if self.card is None else str(self.card),
            "suit": SUITS[self.suit],
            "void": self.void,
            "share": round(self.share, 3),
            "cost": round(self.cost, 3),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedChoice:
    """One choice of one seat, with its cost and the verdict."""

    step: int
    """The place of the choice in the log of the hand."""
    seat: Seat
    trick: int
    """The trick it belongs to, from 1; 0 before the cards."""
    table: tuple[tuple[Seat, Card], ...]
    """The cards already in the trick."""
    cards: tuple[Card, ...]
    """The seat's own cards."""
    action: Action
    best: Action | None
    """The action of a strong player (None: nothing); the action itself where it was as good as any."""
    cost: Interval
    """Points given away by the knowledge of the seat, deals weighted by how all have played."""
    uniform: Interval
    """The cost with all deals equally likely."""
    open_cost: float | None
    """Points given away with all hands open; None where not all cards are known, or it was not computed."""
    second: float | None
    """A second opinion: points given away on average when the same deals are solved with all hands open; None
    where there is none, or no need of one."""
    verdict: Verdict
    worlds: int
    """Deals in which it was played out."""
    effective: float
    """The number of deals of equal weight that they count as."""
    options: tuple[ReviewOption, ...]
    """The actions that were measured in the same deals, the best first: all of them for a mistake."""
    layouts: tuple[KeyLayout, ...]
    reason: Note | None
    """The reason for the best action."""
    line: tuple[Card, ...] = ()
    """Best play from here on with all hands open; empty where `open_cost` is None."""
    match: Interval | None = None
    """The chance given away to win the match, in percent; None where equity is not measured."""

    @property
    def weight(self) -> float:
        """The importance of this choice in points: its cost. Bad luck teaches nothing, and doubts little."""
        if self.verdict in ("mistake", "lucky"):
            return max(self.cost.mean, 0.0)
        return max(self.cost.low, 0.0) / 4 if self.verdict == "unsure" else 0.0

    def plain(self) -> dict[str, Any]:
        """Return the choice as plain JSON values."""
        return {
            "step": self.step,
            "seat": self.seat,
            "trick": self.trick,
            "cards": [str(card) for card in self.cards],
            "action": _text(self.action),
            "best": _text(self.best),
            "verdict": self.verdict,
            "cost": self.cost.plain(),
            "uniform": self.uniform.plain(),
            "seen": None if self.open_cost is None else round(self.open_cost, 3),
            "second": None if self.second is None else round(self.second, 3),
            "match": None if self.match is None else self.match.plain(),
            "worlds": self.worlds,
            "effective": round(self.effective, 1),
            "options": [option.plain() for option in self.options],
            "layouts": [layout.plain() for layout in self.layouts],
            "line": [str(card) for card in self.line],
        }


class CurvePoint(NamedTuple):
    """The value of the hand at one moment."""

    trick: int
    """The trick, after the seat's card to it; 0 before the cards."""
    value: float
    """Points on average over the deals that fitted what the seat knew."""
    step: int
    """The place in the log of the hand."""


class ChoiceCost(NamedTuple):
    """One choice of a seat among all of its choices, for its habits."""

    step: int
    kind: str
    """The kind of choice in the family's word (``lead low``, ``bid high``, ``leave``)."""
    cost: float
    """Points given away by the knowledge of the seat; 0 where nothing better was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandReview:
    """One finished hand, reviewed for one seat."""

    game: str
    number: int
    seat: Seat
    points: float
    """The result: one's own points less those of the others."""
    unit: float
    """The value of a trick here, in points."""
    curve: tuple[CurvePoint, ...]
    judged: tuple[JudgedChoice, ...]
    """Choices that were judged, in the order of the hand."""
    choices: int
    """The number of choices."""
    refined: bool
    """False for a first answer."""
    weighed: tuple[ChoiceCost, ...] = ()
    """Costs of all choices that were looked into, the good ones too."""
    void: bool = False
    """True if the hand was dealt again: there is nothing to review."""
    par: float | None = None
    """The value of the hand from the first lead on with all hands open and best play; None where that may not
    be said, or is not known."""
    counted: str = ""
    """The way in which points are counted, if it needs a word: a message of the catalogues."""

    def mattered(self, most: int = 5) -> tuple[JudgedChoice, ...]:
        """The choices that mattered most, the costliest first; none below half a trick or two points."""
        least = min(self.unit / 2, SMALL_COST)
        costly = [choice for choice in self.judged if choice.verdict != "good" and choice.weight >= least]
        return tuple(sorted(costly, key=lambda choice: (-choice.weight, choice.step))[:most])

    @property
    def praised(self) -> tuple[JudgedChoice, ...]:
        """The choices to be praised, in the order of the hand."""
        return tuple(choice for choice in self.judged if choice.verdict == "only")

    @property
    def given_away(self) -> float:
        """Points given away by clear mistakes, lucky ones too."""
        return sum(choice.cost.mean for choice in self.judged if choice.verdict in ("mistake", "lucky"))

    def plain(self) -> dict[str, Any]:
        """Return the review as plain JSON values."""
        return {
            "game": self.game,
            "number": self.number,
            "seat": self.seat,
            "points": self.points,
            "unit": self.unit,
            "given_away": round(self.given_away, 3),
            "choices": self.choices,
            "refined": self.refined,
            "par": self.par,
            "counted": self.counted,
            "curve": [{"trick": item.trick, "value": round(item.value, 3)} for item in self.curve],
            "mattered": sorted(item.step for item in self.mattered(3)),
            "judged": [item.plain() for item in self.judged],
            "weighed": [[item.step, item.kind, round(item.cost, 3)] for item in self.weighed],
        }


def _text(action: Action | None) -> str | None:
    return None if action is None else str(action)
