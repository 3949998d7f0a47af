"""The worlds that a seat cannot tell apart from the one on the table, each equally likely.

A *world* says where every card lies that the viewer has not seen: hands, cards given face down, packets, the
stock. It is consistent if the deal and the hidden gifts in it, with everything that was heard, could have
happened by the rules. Worlds are counted exactly (`nousu.players.card_placements`) and sampled uniformly,
with no rejection: uniform over deals and over the cards that were given face down. A face-down bid that was
never turned up is not part of a world, and which hands a careful player would have bid so does not matter.

``<family>/worlds.py`` has the worlds of a family; `WorldsFamily` is its interface.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple, Protocol

from nousu.engine.actions import Action, Call, Deal, Give, Play, Seal, Show
from nousu.engine.cards import HIDDEN, SUIT_SETS, Card, CardSet, card_set, cards_of
from nousu.engine.game import Hand, View
from nousu.engine.seats import CHANCE, Seat
from nousu.engine.tricks import Duties, TrickPlay
from nousu.extensions import Point, extension
from nousu.games import games
from nousu.players.card_placements import Placements, draw_index

__all__ = [
    "Case",
    "World",
    "Worlds",
    "WorldsFamily",
    "cards_ruled_out",
    "replay_world",
    "worlds",
    "worlds_family",
]


class World(NamedTuple):
    """A way in which the hidden cards may lie."""

    hands: tuple[CardSet, ...]
    """The hands at this moment, by seat."""
    dealt: tuple[CardSet, ...]
    """The hands as they were dealt, by seat."""
    stock: tuple[Card, ...] = ()
    """The cards left over at the deal, top card first."""
    given: tuple[tuple[Card, ...], ...] = ()
    """The cards of every `Give` heard so far, in order."""


class Case(NamedTuple):
    """Worlds of one shape: placements, and a function that makes a world of each."""

    placements: Placements
    world: Callable[[tuple[CardSet, ...], Random], World]
    ways: int = 1
    """Number of histories for each placement."""


class Worlds:
    """The set of worlds of a view; `count` of them (histories, exactly), each as likely as the others.

    Where cards have odds, `count` and `layouts` add those up instead.
    """

    def __init__(self, cases: Sequence[Case]) -> None:
        self._cases = tuple(cases)
        self._totals = tuple(accumulate(case.placements.count * case.ways for case in cases))
        self.count: float = self._totals[-1] if self._totals else 0
        self.layouts: float = sum(case.placements.count for case in self._cases)
        """Number of layouts of the hidden cards; `count` tells histories apart that lead to the same."""

    def sample(self, rng: Random) -> World:
        """Draw a world, each equally likely; ValueError if there is none."""
        if not self.count:
            raise ValueError("nothing that was heard could have happened: there is no such world")
        case = self._cases[draw_index(self._totals, rng) if len(self._cases) > 1 else 0]
        return case.world(case.placements.sample(rng), rng)

    def every(self, rng: Random) -> Iterator[tuple[World, int]]:
        """Yield every layout of the cards once, with the number of its histories.

        Where several exchanges lead to it, one of them is drawn. There are `layouts` of them.
        """
        for case in self._cases:
            for lying in case.placements.every():
                yield case.world(lying, rng), case.ways


class WorldsFamily(Protocol):
    """The interface of ``<family>/worlds.py``."""

    def worlds(self, view: View) -> Worlds:
        """The worlds of a view of the family, once the cards have been dealt."""


def worlds_family(game: str) -> WorldsFamily | None:
    """The worlds of a family; None where it has none."""
    return extension(WorldsFamily, Point.PLAYERS, game, "worlds")


def worlds(view: View) -> Worlds:
    """The worlds that the seat of `view` cannot tell apart.

    ValueError if no card has been dealt, or for a family without a module ``worlds``.
    """
    if not any(isinstance(action, Deal) for _, action in view.heard):
        raise ValueError("nothing has been dealt yet: there is no world to imagine")
    family = worlds_family(view.game)
    if family is None:
        raise ValueError(f"the worlds of {view.game} are not known: it has no module of them")
    return family.worlds(view)


# ------------------------------------------------------------------------- what games have in common


def original_hand(view: View) -> CardSet:
    """The cards the viewer was dealt."""
    if view.seat is None:
        return 0
    for by, action in view.heard:
        if by == CHANCE and isinstance(action, Deal):
            return card_set(action.hands[view.seat])
    return 0


def played_by(view: View) -> tuple[CardSet, ...]:
    """The cards each seat has played in this hand."""
    played = [0] * len(view.counts)
    for trick in view.tricks:
        for seat, card in trick.plays:
            played[seat] |= 1 << card
    for seat, card in view.trick:
        played[seat] |= 1 << card
    return tuple(played)


def cards_ruled_out(
    hidden: CardSet, plays: Sequence[tuple[Seat, Card]], seats: int, duties: Duties, trump: int | None = None
) -> tuple[Seat, CardSet]:
    """The seat that played last to a trick and the cards of `hidden` that it cannot have held.

    With one of them in hand that play would have been illegal: every duty of `TrickPlay` is a duty towards
    single cards.
    """
    *before, (seat, card) = plays
    led = plays[0][1].suit
    if not before or (card.suit == led and not duties.beat):
        return seat, 0
    if not duties.beat and not duties.trump:
        return seat, hidden & SUIT_SETS[led]
    barred = 0
    for other in cards_of(hidden):
        hands = tuple((1 << card | 1 << other) * (other_seat == seat) for other_seat in range(seats))
        play = TrickPlay(hands, tuple(range(seats)), seat, duties, tuple(before), (), trump)
        if not play.legal() >> card & 1:
            barred |= 1 << other
    return seat, barred


def replay_world(view: View, world: World, bids: Callable[[View], Action] | None = None) -> Hand:
    """The hand on the table as it would be in `world`: everything heard, with its secrets filled in.

    Bids that were not turned up are those that `bids` returns for the view of their seat, or without it the
    first legal ones. `IllegalAction` if it cannot have been.
    """
    *_, hand = replay_steps(view, world, bids)
    return hand


def replay_steps(view: View, world: World, bids: Callable[[View], Action] | None = None) -> Iterator[Hand]:
    """Replay step by step: the hand before its first entry, and after each entry of the log."""
    hand = games()[view.game].start(view.rules, view.setup)
    yield hand
    given = iter(world.given)
    for at, (seat, action) in enumerate(view.heard):
        now: Action = action
        match action:
            case Deal():
                now = Deal(tuple(map(cards_of, world.dealt)), world.stock)
            case Give(_, to):
                now = Give(next(given), to)
            case Seal(bid) if bid == HIDDEN:
                now = _bid(view, at, seat, hand, bids)
        hand = hand.apply(seat, now)
        yield hand


def _bid(view: View, at: int, seat: Seat, hand: Hand, bids: Callable[[View], Action] | None) -> Action:
    """The bid that `seat` sealed: the one it turned up later, else any."""
    legal = hand.legal(seat)
    for by, later in view.heard[at + 1 :]:
        if by == CHANCE or isinstance(later, Play | Give):
            break
        if by == seat and isinstance(later, Show):
            return Seal(later.cards[0])
        if by == seat and isinstance(later, Call) and Seal(later.word) in legal:
            return Seal(later.word)
    return legal[0] if bids is None else bids(hand.view(seat))
