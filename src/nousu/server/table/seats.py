"""Seats of a table, finished hands as they are shown, and forced reveals."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from nousu.engine.actions import Call, Give, Seal, Show
from nousu.engine.game import Game, Hand, View
from nousu.engine.match import Match, Played
from nousu.engine.record import Reader
from nousu.engine.seats import Seat
from nousu.engine.timeline import Story, story
from nousu.server.errors import NotYours
from nousu.server.table.display_names import skeleton
from nousu.server.table.view import HandSummary

NAMES = ("Aino", "Eero", "Kaisa", "Väinö", "Kerttu", "Onni", "Helmi", "Toivo", "Impi")
"""Names for computer players."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a table: a person's, a computer player's, or open (neither session nor player)."""

    name: str = ""
    session: str = ""
    """Hash of the person's session token; empty for a computer player."""
    player: str = ""
    """Name of the computer player."""
    stand_in: str = ""
    """Name of the computer player that acts for the person of this place until they return."""
    reserved: str = ""
    """The session an open place is reserved for."""
    heir: str = ""
    """The session that takes the place of this computer player when the hand ends."""
    heir_name: str = ""
    face: str = ""
    """The drawn face of the person; empty: the first letter of the name."""

    @property
    def owner(self) -> str:
        """The session of the person who has this place, or for whom it is reserved."""
        return self.session or self.reserved

    @property
    def played_by(self) -> str:
        """Name of the computer player that acts here now; empty where a person does."""
        return self.player or self.stand_in


class PreviousHolder(NamedTuple):
    """The holder of a seat before another took it."""

    seat: Seat
    session: str
    """Empty for a computer player."""
    name: str
    until: int
    """The index of the hand (from 1) in which, or before which, the holder left."""
    begun: bool
    """True if the holder had acted in that hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seats:
    """The places of a table and their holders.

    People take places in the order in which they come; seats are around the table, and are drawn or chosen.
    """

    places: tuple[Place, ...]
    order: tuple[Seat, ...] | None = None
    """The seat of each place, once seats are drawn; None: the numbers of the places."""
    host: str = ""
    """Session of the person who came first."""
    barred: frozenset[str] = frozenset()
    """Sessions that the host has removed."""
    previous: tuple[PreviousHolder, ...] = ()
    """Holders of seats before the present ones, oldest first."""
    substituted: tuple[tuple[Seat, int], ...] = ()
    """The seats for which a stand-in acted, each with the index of the hand (from 1), once."""

    def __len__(self) -> int:
        return len(self.places)

    @property
    def by_seat(self) -> tuple[Place, ...]:
        """The places by seat; before the draw as they are numbered."""
        return self.places if self.order is None else _in_order(self.order)(self.places)

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat."""
        return tuple(place.name for place in self.by_seat)

    @property
    def computers(self) -> tuple[int, ...]:
        """The places held by computer players for good."""
        return tuple(at for at, place in enumerate(self.places) if place.player)

    @property
    def free_name(self) -> str:
        """A name for one more computer player."""
        taken = {skeleton(place.name) for place in self.places}
        return next((name for name in NAMES if skeleton(name) not in taken), NAMES[0])

    def names_but(self, place: int) -> list[str]:
        """The names at all other places."""
        others = [other for at, other in enumerate(self.places) if at != place]
        return [name for other in others for name in (other.name, other.heir_name) if name]

    def chair_of(self, session: str | None) -> Seat | None:
        """The seat of a computer player that is kept for this person until the hand ends."""
        if not session:
            return None
        return next((seat for seat, place in enumerate(self.by_seat) if place.heir == session), None)

    def open_places(self) -> tuple[int, ...]:
        """Places without a holder."""
        return tuple(at for at, place in enumerate(self.places) if not (place.session or place.player))

    def persons(self) -> tuple[Seat, ...]:
        """The seats of persons who play themselves."""
        return tuple(seat for seat, place in enumerate(self.by_seat) if place.session and not place.stand_in)

    def is_away(self, session: str) -> bool:
        """Whether a stand-in plays for the person of that session."""
        return any(place.session == session and place.stand_in for place in self.places)

    def is_at(self, session: str | None, place: int) -> bool:
        """Whether the person of a session has that place."""
        return bool(session) and self.places[place].session == session

    def holds(self, session: str) -> bool:
        """Whether the person of a session has a place."""
        return any(place.session == session for place in self.places)

    def seat_of(self, session: str | None) -> Seat | None:
        """The seat of a session, before seats are drawn its place; None for a spectator."""
        if not session:
            return None
        for seat, place in enumerate(self.by_seat):
            if place.session == session:
                return seat
        return None

    def seat_of_player(self, session: str) -> Seat:
        """The seat of a session that has one; `NotYours` for a spectator."""
        seat = self.seat_of(session)
        if seat is None:
            raise NotYours("You are watching; only those who sit at the table may act.")
        return seat

    def place_of(self, session: str) -> int:
        """The place of a session; `NotYours` for a spectator."""
        place = next((at for at in range(len(self.places)) if self.is_at(session, at)), None)
        if place is None:
            raise NotYours("You are watching; only those who sit at the table may act.")
        return place

    def place_at(self, seat: Seat) -> int:
        """The place of a seat; an impossible seat as it is."""
        if self.order is None or not 0 <= seat < len(self.places):
            return seat
        return self.order.index(seat)

    def name_of(self, session: str) -> str:
        """The name of a person at this table; empty for a spectator."""
        return next((place.name for place in self.places if place.session == session), "")

    def holders(self, seat: Seat, hand: int) -> tuple[str, ...]:
        """The sessions that acted at a seat in a hand (index from 1), in order.

        Empty for a computer player.
        """
        before = [holder for holder in self.previous if holder.seat == seat and holder.until >= hand]
        last = next((holder.session for holder in before if holder.until > hand), self.by_seat[seat].session)
        return (*(holder.session for holder in before if holder.until == hand and holder.begun), last)

    def with_place(self, number: int, place: Place) -> "Seats":
        """Return the seats with another holder of a place."""
        return replace(self, places=(*self.places[:number], place, *self.places[number + 1 :]))

    def with_stand_in_at(self, seat: Seat, hand: int) -> "Seats":
        """Note that a stand-in acted at a seat in a hand."""
        if (seat, hand) in self.substituted:
            return self
        return replace(self, substituted=(*self.substituted, (seat, hand)))

    def with_previous(self, before: "Seats", match: Match) -> "Seats":
        """Return the seats with the holders they had `before` and have lost in this state of the match."""
        if self.places is before.places:
            return self
        return replace(self, previous=(*self.previous, *self._lost(before, match)))

    def _lost(self, before: "Seats", match: Match) -> Iterator[PreviousHolder]:
        for seat, (old, new) in enumerate(zip(before.by_seat, self.by_seat, strict=True)):
            if (old.session, old.player) != (new.session, new.player):
                begun = any(by == seat for by, _ in match.hand.log)
                yield PreviousHolder(seat, old.session, old.name, len(match.played) + 1, begun)


@lru_cache(1024)
def _in_order(seats: tuple[Seat, ...]) -> Callable[[tuple[Place, ...]], tuple[Place, ...]]:
    """A function that puts places into the order of `seats`."""
    return itemgetter(*[seats.index(seat) for seat in range(len(seats))])


class FinishedHand:
    """A finished hand as it is shown: made once, shown often."""

    __slots__ = ("_hand", "_timelines", "summary")

    def __init__(self, played: Played, index: int) -> None:
        self._hand = played.hand
        self._timelines: dict[Reader, Story] = {}
        self.summary = HandSummary(
            index=index,
            number=played.hand.setup.number,
            dealer=played.hand.setup.dealer,
            result=played.result,
            score=played.tally.score(),
            tally=played.tally,
        )
        """The public facts of it."""

    def timeline(self, game: Game, rules: Any, reader: Reader) -> Story:
        """The hand moment by moment for a seat, for a spectator, or with nothing hidden."""
        if reader not in self._timelines:
            self._timelines[reader] = story(game, rules, self._hand, reader)
        return self._timelines[reader]


def has_forced_reveal(seat: Seat, hand: Hand) -> bool:
    """Whether the only action of a seat is to turn up, or say aloud, a card or bid that it laid face down.

    This duty is public. No other forced action is done for a person: it would reveal that there was no
    choice.
    """
    legal = hand.legal(seat)
    if len(legal) != 1:
        return False
    laid: set[object] = set()
    for by, action in hand.log:
        if by == seat and isinstance(action, Seal):
            laid.add(action.bid)
        elif by == seat and isinstance(action, Give):
            laid.update(action.cards)
    match legal[0]:
        case Show(cards):
            return laid.issuperset(cards)
        case Call(word):
            return word in laid
    return False


def is_left_to_computers(view: View, persons: Sequence[Seat]) -> bool:
    """Whether no person owes an action or holds a card in a hand, of which any view will do."""
    return not any([view.counts[seat] for seat in persons]) and not set(persons) & set(view.owed)
