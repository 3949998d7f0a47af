"""A match: hands in a row up to a winner. Like a hand, it is a value."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from nousu.engine.actions import Action, Deal, check_action
from nousu.engine.cards import Card
from nousu.engine.errors import IllegalAction
from nousu.engine.frozen import changed
from nousu.engine.game import Dealing, Game, Hand, Result, Seating, Setup, Tally, state_text, wrong_seats
from nousu.engine.seats import CHANCE, Seat, check_seat, refuse_no_actor, seat_name


class Shuffler(Protocol):
    """A source of chance that shuffles a list in place, like `random.Random`."""

    def shuffle(self, x: list[Any], /) -> None:
        """Shuffle `x` in place."""


def refuse_no_shuffler(rng: object) -> None:
    """Raise `TypeError` unless the source of chance has a method `shuffle`."""
    if not hasattr(rng, "shuffle"):
        raise TypeError(f"a source of chance shuffles, as random.Random(7) does; {rng!r} does not")


def shuffled(dealing: Dealing, rng: Shuffler) -> Deal:
    """A uniformly random deal for an order form: the only call that needs a source of chance."""
    pack = list(dealing.deck)
    rng.shuffle(pack)
    return dealing.dealt(pack)


@dataclass(frozen=True, slots=True)
class Played:
    """A finished hand and the score after it."""

    hand: Hand
    result: Result
    tally: Tally

    def __repr__(self) -> str:
        points, score = (" ".join(map(str, pair)) for pair in (self.result.points, self.tally.score()))
        void = ", void" if self.result.void else ""
        return f"<Played hand {self.hand.setup.number}{void}: points {points}, score {score}>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match in progress or finished. `hand` is the one on the table; when the match is over, the last."""

    game: Game
    rules: Any
    seats: int
    dealer: Seat
    """The first dealer."""
    hand: Hand
    tally: Tally
    played: tuple[Played, ...] = ()
    seating: Seating | None = None
    """The draw of seats and first dealer, if there was one."""
    drawn: tuple[Card, ...] = ()
    """The cards drawn for that, in order."""

    def __repr__(self) -> str:
        score = " ".join(map(str, self.tally.score()))
        state = f"hand {self.hand.setup.number}, {state_text(self.hand.owed(), self.seats)}"
        if self.winner is not None:
            sides = (
                ("N–S", "E–W")
                if self.game.sides == 2
                else [seat_name(seat, self.seats) for seat in range(self.seats)]
            )
            winners = ", ".join(sides[side] for side in self.winner)
            state = f"won by {winners}" if winners else "drawn"
            state += f" after {len(self.played)} hands" if len(self.played) != 1 else " after 1 hand"
        return f"<Match {self.game.name_of(self.rules)}: {state}, score {score}>"

    @classmethod
    def start(cls, game: Game, rules: Any, seats: int, dealer: Seat = 0) -> "Match":
        """A match at hand 1 with that first dealer, waiting for the cards.

        `BadRules` if the family is not for that many players, `Explained` if there is no such seat to deal.
        """
        if seats not in game.seats:
            raise wrong_seats(game.name, game.seats, seats)
        check_seat(dealer, seats)
        tally = game.tally(rules, seats)
        hand = game.start(rules, Setup(seats, dealer, tally))
        return cls(game=game, rules=rules, seats=seats, dealer=dealer, hand=hand, tally=tally)

    @classmethod
    def draw(cls, game: Game, rules: Any, seats: int, pack: Sequence[Card], pick: Seat = 0) -> "Match":
        """A match whose seats and first dealer are drawn from a shuffled pack (T-CAT-03…06)."""
        seating = game.draw(rules, seats, pack, pick)
        match = cls.start(game, rules, seats, seating.dealer)
        used = sum(len(cards) for cards in seating.rounds)
        return replace(match, seating=seating, drawn=tuple(pack[:used]))

    @property
    def winner(self) -> tuple[int, ...] | None:
        """The winning sides or seats, () for a draw; None while the match goes on."""
        return self.tally.winner()

    def apply(self, seat: Seat, action: Action) -> "Match":
        """The match after an action; a finished hand is scored and the next one set up at once.

        `IllegalAction` names the clause that forbids it, `TypeError` says that it is not an action at all,
        `Explained` that there is no such seat.
        """
        refuse_no_actor(seat, self.seats)
        try:
            hand = self.hand.apply(seat, action)
        except (IllegalAction, AttributeError):
            check_action(action)
            raise
        result = hand.result()
        if result is None:
            return changed(self, hand=hand)
        setup = hand.setup
        tally = self.tally if result.void else self.tally.add(result, setup)
        played = (*self.played, Played(hand, result, tally))
        if tally.winner() is not None:
            return changed(self, hand=hand, tally=tally, played=played)
        after = setup if result.void else Setup(setup.seats, tally.dealer(setup), tally, setup.number + 1)
        return changed(self, hand=self.game.start(self.rules, after), tally=tally, played=played)

    def deal(self, rng: Shuffler) -> "Match":
        """The match with the cards dealt by a source of chance (`random.Random`); a deal must be owed."""
        refuse_no_shuffler(rng)
        return self.apply(CHANCE, shuffled(self.hand.dealing(), rng))
