"""A hand moment by moment: the holder of each card, and the seats that knew it.

A `Story` is made for one reader and holds nothing that this reader could not know at the end of the hand.
What others held follows from what they did: a card that was played or shown had been in the hand it came from
since cards were last moved there face down.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from nousu.engine.actions import OPEN, Deal, Entry, Give, Play, Seal, Show, heard, hearing
from nousu.engine.cards import HIDDEN, Card
from nousu.engine.game import Game, Hand, View
from nousu.engine.record import EVERYTHING, Reader
from nousu.engine.seats import CHANCE, Seat
from nousu.engine.tricks import Trick


@dataclass(frozen=True, slots=True)
class Held:
    """A card in the hand of a seat for a while. Moments are counted by the entries of the log before them."""

    seat: Seat
    card: Card
    since: int
    """The first moment at which it is there."""
    until: int
    """The first moment at which it is no longer there; one past the last moment if it stays."""
    played: bool
    """True if the card was played, for all to see; false if it was given away or stayed in the hand."""
    known: tuple[int, ...]
    """For each seat, the moment from which it knows the card's holder; `until` if it learns it too late."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A trick, finished or not, and the moments at which it is on the table."""

    plays: tuple[tuple[int, Seat, Card], ...]
    """The moment, the seat and the card of each play."""
    winner: Seat | None
    """The winner; None while the trick is not finished."""

    @property
    def first(self) -> int:
        """The moment of its first card."""
        return self.plays[0][0]


@dataclass(frozen=True, slots=True)
class Story:
    """A hand as one reader may know it. Moment k comes after the first k entries of the log."""

    log: tuple[Entry, ...]
    """The log as the reader learned of it."""
    first: int
    """The moment at which the hands can be looked at first: the cards are dealt."""
    last: int
    """The moment after the last entry."""
    held: tuple[Held, ...]
    """Cards by seat, then in the order of the pack."""
    counts: tuple[tuple[int, ...], ...]
    """For each moment, the number of cards in each hand."""
    tricks: tuple[Taken, ...]

    @property
    def dealt(self) -> tuple[Seat, ...]:
        """The seats that were dealt cards; one that is out of a match gets none."""
        return tuple(seat for seat, count in enumerate(self.counts[self.first]) if count)

    def knows(self, seat: Seat, moment: int) -> bool:
        """Whether that seat learned as much of the entry before this moment as the reader knows."""
        by, action = self.log[moment - 1]
        return heard(seat, action, by) == action

    def public(self, step: int) -> bool:
        """Whether all know entry `step` of the log at the end: it was open, or a sealed bid turned up."""
        by, action = self.log[step]
        if isinstance(action, Seal):
            return isinstance(next((act for seat, act in self.log[step + 1 :] if seat == by), None), Show)
        return type(action) in OPEN

    @property
    def whole(self) -> bool:
        """Whether the reader knows all cards that were dealt, and all that moved face down."""
        dealt = [
            sum(place.since == self.first and place.seat == seat for place in self.held)
            for seat in self._seats
        ]
        given = (action for _, action in self.log if isinstance(action, Give))
        return tuple(dealt) == self.counts[self.first] and all(HIDDEN not in place.cards for place in given)

    @property
    def _seats(self) -> range:
        return range(len(self.counts[0]))


def story(game: Game, rules: Any, hand: Hand, reader: Reader) -> Story:
    """The story of a hand for a seat, for a spectator (None), or with nothing hidden (EVERYTHING)."""
    log = hand.log
    seats = hand.setup.seats
    prefixes = [game.start(rules, hand.setup)]
    for seat, action in log:
        prefixes.append(prefixes[-1].apply(seat, action))
    heard = log if reader == EVERYTHING else hearing(reader, log)
    spectator = [hand.view(None) for hand in prefixes]
    owners = range(seats) if reader == EVERYTHING else () if reader is None else (reader,)
    held = [
        item for seat in owners for item in _viewed_cards([hand.view(seat) for hand in prefixes], seat, heard)
    ]
    for seat in range(seats):
        if seat not in owners:
            held += _cards_by_log(heard, seat)
    held.sort(key=lambda one: (one.seat, one.card, one.since))
    return Story(
        log=heard,
        first=next((at for at, (by, _) in enumerate(log, 1) if by == CHANCE), 0),
        last=len(log),
        held=tuple(_with_moments(item, heard, seats) for item in held),
        counts=tuple(view.counts for view in spectator),
        tricks=_tricks(log, spectator[-1].tricks),
    )


def _viewed_cards(views: list[View], seat: Seat, log: tuple[Entry, ...]) -> list[Held]:
    """The cards of a seat as its own views list them."""
    since: dict[Card, int] = dict.fromkeys(views[0].cards, 0)
    places = []
    for moment, (before, after) in enumerate(pairwise(views), 1):
        for card in set(before.cards) - set(after.cards):
            played = log[moment - 1] == (seat, Play(card))
            places.append(Held(seat, card, since.pop(card), moment, played, ()))
        since |= dict.fromkeys(set(after.cards) - set(before.cards), moment)
    return places + [Held(seat, card, at, len(views), False, ()) for card, at in since.items()]


def _cards_by_log(log: tuple[Entry, ...], seat: Seat) -> list[Held]:
    """The cards of a seat as far as the log tells of them."""
    moved = [0, *(at for at, entry in enumerate(log, 1) if _moves(entry, seat)), len(log) + 1]
    places: dict[tuple[Card, int], Held] = {}
    for start, stop in pairwise(moved):
        # Cards that are seen before cards move again have been in the hand since they moved last.
        for moment in range(start + 1, stop):
            by, action = log[moment - 1]
            if by == seat and isinstance(action, Play):
                places[action.card, start] = Held(seat, action.card, start, moment, True, ())
            elif by == seat and isinstance(action, Show) and _of_the_hand(log, moment):
                for card in action.cards:
                    places.setdefault((card, start), Held(seat, card, start, stop, False, ()))
        given = log[stop - 1][1] if stop <= len(log) else None
        if isinstance(given, Give) and log[stop - 1][0] == seat:
            for card in given.cards:
                if card != HIDDEN:
                    places[card, start] = Held(seat, card, start, stop, False, ())
        came = log[start - 1][1] if start else None
        if isinstance(came, Give) and came.to == seat:
            for card in came.cards:
                if card != HIDDEN:
                    places.setdefault((card, start), Held(seat, card, start, stop, False, ()))
    return list(places.values())


def _moves(entry: Entry, seat: Seat) -> bool:
    """Whether cards come to the hand of a seat, or leave it, face down."""
    by, action = entry
    return isinstance(action, Deal) or (isinstance(action, Give) and seat in (by, action.to))


def _of_the_hand(log: tuple[Entry, ...], moment: int) -> bool:
    """Whether what was shown then is in the hand: a packet that was laid away before may be turned over."""
    by, action = log[moment - 1]
    assert isinstance(action, Show)
    count = len(action.cards)
    before = [act for other, act in log[: moment - 1] if other == by]
    away = sum(isinstance(act, Give) and act.to is None and len(act.cards) == count for act in before)
    turned = sum(isinstance(act, Show) and len(act.cards) == count for act in before)
    return turned >= away


def _with_moments(held: Held, log: tuple[Entry, ...], seats: int) -> Held:
    """The card with the moments from which each seat knew of it."""
    known = [held.until] * seats
    known[held.seat] = held.since
    for moment, (by, action) in enumerate(log[: held.until], 1):
        if isinstance(action, Give) and held.card in action.cards and moment == held.since:
            known[by] = moment
        shown = isinstance(action, Show) and by == held.seat and held.card in action.cards
        if shown and moment > held.since and _of_the_hand(log, moment):
            known = [min(step, moment) for step in known]
    return Held(held.seat, held.card, held.since, held.until, held.played, tuple(known))


def _tricks(log: tuple[Entry, ...], done: tuple[Trick, ...]) -> tuple[Taken, ...]:
    plays = [(at, by, action.card) for at, (by, action) in enumerate(log, 1) if isinstance(action, Play)]
    tricks, start = [], 0
    for trick in done:
        tricks.append(Taken(tuple(plays[start : start + len(trick.plays)]), trick.winner))
        start += len(trick.plays)
    if plays[start:]:
        tricks.append(Taken(tuple(plays[start:]), None))
    return tuple(tricks)
