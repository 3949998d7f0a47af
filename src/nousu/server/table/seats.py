"""Of a table: who has which place, hands that are over, and what a hand does by itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from nousu.engine.actions import Call, Give, Seal, Show
from nousu.engine.game import Game, Hand, View
from nousu.engine.match import Played
from nousu.engine.record import Reader
from nousu.engine.seats import Seat
from nousu.engine.timeline import Story, story
from nousu.server.table.view import HandSeen

NAMES = ("Aino", "Eero", "Kaisa", "Väinö", "Kerttu", "Onni", "Helmi", "Toivo", "Impi")
"""What computer players are called."""


@dataclass(frozen=True, slots=True)
class Place:
    """Somebody at the table, or an open place: neither session nor player."""

    name: str = ""
    session: str = ""
    """Hash of the person's session token; empty for a computer player."""
    player: str = ""
    """Name of the computer player."""
    stand_in: str = ""
    """Name of the computer player that plays for the person of this place until they come back."""
    kept: str = ""
    """Whose session an open place is kept for."""

    @property
    def whose(self) -> str:
        """The session of the person who sits here, or for whom the place is kept."""
        return self.session or self.kept

    @property
    def played_by(self) -> str:
        """Name of the computer player that acts here now; empty where a person does."""
        return self.player or self.stand_in


class Held(NamedTuple):
    """Who had a seat before somebody else took it."""

    seat: Seat
    session: str
    """Empty for a computer player."""
    name: str
    until: int
    """The place of the hand (from 1) in which, or before which, it ended."""
    begun: bool
    """They had acted in that hand."""


class Finished:
    """A finished hand as it is shown: made once, shown often."""

    __slots__ = ("_hand", "_stories", "seen")

    def __init__(self, played: Played, index: int) -> None:
        self._hand = played.hand
        self._stories: dict[Reader, Story] = {}
        self.seen = HandSeen(
            index=index,
            number=played.hand.setup.number,
            dealer=played.hand.setup.dealer,
            result=played.result,
            score=played.tally.score(),
            tally=played.tally,
        )
        """What everybody may know of it."""

    def story(self, game: Game, rules: Any, reader: Reader) -> Story:
        """The hand told moment by moment for a seat, for a spectator, or with nothing hidden."""
        if reader not in self._stories:
            self._stories[reader] = story(game, rules, self._hand, reader)
        return self._stories[reader]


def turns_up(seat: Seat, hand: Hand) -> bool:
    """Whether all a seat can do is turn up, or say aloud, what it laid face down before. Everybody knows
    that it must. Nothing else is done for a person, however forced: that would tell there was no choice."""
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


def alone(view: View, persons: Sequence[Seat]) -> bool:
    """Whether computer players are left to themselves in a hand, of which anybody's view will do: nobody
    waits for one of the persons, and none of them has a card."""
    return not any([view.counts[seat] for seat in persons]) and not set(persons) & set(view.owed)


def computers(places: Sequence[Place]) -> tuple[int, ...]:
    """Where computer players have a place of their own."""
    return tuple(at for at, place in enumerate(places) if place.player)
