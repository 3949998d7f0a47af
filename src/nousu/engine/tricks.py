"""Card play as a value that knows no game: seat on turn, legal cards, winner of the trick."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from nousu.engine.cards import ACE_HIGH, SUIT_SETS, Card, CardSet, Strength, card_set, cards_of, hand_text
from nousu.engine.seats import Seat, seat_name

SUIT_LADDER: Final = (2, 1, 0, 3)
"""Clubs over spades over hearts over diamonds: decides between equal ranks when nobody in the hand
followed suit (TU-ZK-III1d); never reached in games where the leader stays in."""


_PLAYS: dict[tuple[Seat, Card], tuple[Seat, Card]] = {}
"""A seat and its card. The pair is shared by all tricks in which it occurs, since a server stores those of
thousands of hands."""


class Trick(NamedTuple):
    """A finished trick."""

    leader: Seat
    plays: tuple[tuple[Seat, Card], ...]
    winner: Seat


def cards_by_seat(hands: Iterable[Sequence[Card]], seats: int) -> str:
    """The cards of every seat in one line: ``N S:AQ84 H:K72 / E …``."""
    return " / ".join(f"{seat_name(seat, seats)} {hand_text(cards)}" for seat, cards in enumerate(hands))


class Duties(NamedTuple):
    """Duties of a card beyond following suit; one value shared by a whole hand."""

    strength: Strength = ACE_HIGH
    last: Seat | None = None
    """The seat that plays last to every trick, whichever seat leads (T-WIK-16)."""
    beat: bool = False
    """Following or trumping, beat the winning card if able, even the partner's (HP-GR-16, HP-GR-18)."""
    trump: bool = False
    """Unable to follow suit, play a trump if able (HP-GR-18)."""
    still_win: bool = False
    """The card of a seat that has left can still win a trick, but not the last (A-U-12); the next seat
    in the hand leads for it."""


@dataclass(frozen=True, slots=True)
class TrickPlay:
    """Tricks in progress. `turn` is the seat to play; a completed trick hands on the lead at once."""

    hands: tuple[CardSet, ...]
    active: tuple[Seat, ...]
    """Seats still in the hand, in seat order; the others sit out."""
    turn: Seat
    duties: Duties
    plays: tuple[tuple[Seat, Card], ...] = ()
    """The trick on the table, in order of play."""
    done: tuple[Trick, ...] = ()
    trump: int | None = None

    def __repr__(self) -> str:
        hands = cards_by_seat(map(cards_of, self.hands), len(self.hands))
        return f"<TrickPlay {len(self.done)} done, turn {self.turn}, now {self.plays}: {hands}>"

    def legal(self) -> CardSet:
        """The cards that the seat to act may play."""
        hand = self.hands[self.turn]
        if not self.plays:
            return hand
        duties = self.duties
        led = SUIT_SETS[self.plays[0][1] >> 4]
        if same := hand & led:
            return self._beating(same) if duties.beat else same
        if duties.trump and self.trump is not None and (trumps := hand & SUIT_SETS[self.trump]):
            return self._beating(trumps) if duties.beat else trumps
        return hand

    def _beating(self, cards: CardSet) -> CardSet:
        """The cards (all of one suit) that beat the card now winning, or all of them if none does."""
        best = max(self.plays, key=self._key)[1]
        key = self._key((self.turn, best))
        better = 0
        rest = cards
        while rest:
            bit = rest & -rest
            if self._key((self.turn, Card(bit.bit_length() - 1))) > key:
                better |= bit
            rest ^= bit
        return better or cards

    def _key(self, play: tuple[Seat, Card]) -> tuple[bool, bool, int, int]:
        suit = play[1] >> 4
        return (
            suit == self.trump,
            suit == self.plays[0][1] >> 4,
            self.duties.strength[play[1] & 15],
            SUIT_LADDER[suit],
        )

    def winner(self) -> Seat:
        """The seat that takes the trick on the table, among the seats still in the hand.

        The highest trump wins, else the highest card of the led suit, else (all who followed have left) the
        ladder of TU-ZK-III1d. With `still_win` seats that have left count too, except in the last trick.
        """
        plays = self.plays
        if self.trump is None and len(plays) == len(self.active):
            strength = self.duties.strength
            winner, best = plays[0]
            for seat, card in plays:
                if card >> 4 == best >> 4 and strength[card & 15] > strength[best & 15]:
                    winner, best = seat, card
            if winner in self.active:
                return winner
        if self.duties.still_win and not self._last():
            return max(plays, key=self._key)[0]
        return max((play for play in plays if play[0] in self.active), key=self._key)[0]

    def _last(self) -> bool:
        """Whether nobody can hold a card when the trick on the table is complete."""
        seat = self.active[0]
        played = any(seat == other for other, _ in self.plays)
        return self.hands[seat].bit_count() + played == 1

    def play(self, card: Card) -> "TrickPlay":
        """Play `card` for the seat to act; the caller has checked that it is legal."""
        turn = self.turn
        hands = self.hands
        hands = (*hands[:turn], hands[turn] & ~(1 << card), *hands[turn + 1 :])
        play = (turn, card)
        if type(card) is Card:
            play = _PLAYS.setdefault(play, play)
        plays = (*self.plays, play)
        seat = self._next(turn, plays)
        if seat is not None:
            return TrickPlay(hands, self.active, seat, self.duties, plays, self.done, self.trump)
        return TrickPlay(hands, self.active, turn, self.duties, plays, self.done, self.trump)._gather()

    def _gather(self) -> "TrickPlay":
        """Give the trick on the table to its winner, who leads next."""
        winner = self.winner()
        done = (*self.done, Trick(self.plays[0][0], self.plays, winner))
        leader = winner if winner in self.active else self._after(winner)
        return TrickPlay(self.hands, self.active, leader, self.duties, (), done, self.trump)

    def _after(self, seat: Seat) -> Seat:
        """The next seat in the hand clockwise from `seat`."""
        return next((other for other in self.active if other > seat), self.active[0])

    def _next(self, turn: Seat, plays: tuple[tuple[Seat, Card], ...]) -> Seat | None:
        """The seat after `turn` in the trick, or None when every active seat has a card in it."""
        seats = len(self.hands)
        if len(self.active) == seats and self.duties.last is None:
            return (turn + 1) % seats if len(plays) < seats else None
        played = [seat for seat, _ in plays]
        waiting = [seat for seat in self.active if seat not in played]
        if not waiting:
            return None
        if len(waiting) > 1 and self.duties.last in waiting:
            waiting.remove(self.duties.last)
        return next((seat for seat in waiting if seat > turn), waiting[0])

    def without(self, *seats: Seat) -> "TrickPlay":
        """The play after these seats leave the hand together (A-U-12, A-U-13).

        Their cards in the trick no longer win, but a led suit still binds. A trick that is complete by this
        is gathered at once. If one of them was to lead, the ladder over the last trick names the new leader;
        before the first trick (and with `still_win`) the next seat leads.
        """
        active = tuple(other for other in self.active if other not in seats)
        left = TrickPlay(self.hands, active, self.turn, self.duties, self.plays, self.done, self.trump)
        if not active:
            return left
        if self.plays:
            after = left._next(self.turn, self.plays)
            if after is None:
                return left._gather()
            return left if self.turn in active else left._led_by(after)
        if self.turn in active:
            return left
        if self.done and not self.duties.still_win:
            last = self.done[-1].plays
            trick = TrickPlay(self.hands, active, self.turn, self.duties, last, (), self.trump)
            return left._led_by(trick.winner())
        return left._led_by(left._after(self.turn))

    def _led_by(self, turn: Seat) -> "TrickPlay":
        return TrickPlay(self.hands, self.active, turn, self.duties, self.plays, self.done, self.trump)

    def with_trump(self, suit: int) -> "TrickPlay":
        """Make this suit trump from now on."""
        return TrickPlay(self.hands, self.active, self.turn, self.duties, self.plays, self.done, suit)

    def won(self, seat: Seat) -> int:
        """Tricks this seat has taken."""
        return sum(trick.winner == seat for trick in self.done)

    def taken(self, seat: Seat) -> CardSet:
        """The cards in the tricks this seat has taken."""
        return card_set(card for trick in self.done if trick.winner == seat for _, card in trick.plays)
