"""Last Trick, a complete game family in one file: the example of docs/add-a-game.md.

Theory of operation. Two to six players, 52 cards, ace high. Phases: deal → doubling → play → result.

* LT-1  Everybody gets `cards` cards; the rest of the pack is the stock, which nobody sees.
* LT-2  Beginning on the dealer's left each player says once ``double`` or ``pass``; the first ``double``
  ends the asking and the hand counts twice.
* LT-3  The dealer's left leads; follow suit if you can; the highest card of the led suit takes the trick.
* LT-4  Who takes the last trick wins one point, two if the hand was doubled.
* LT-5  Who has `target` points first has won the match. The deal moves one place clockwise.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from nousu.engine.actions import Action, Call, Deal, Entry, Play, hearing, plays
from nousu.engine.cards import DECK_52, Card, card_set, cards_of
from nousu.engine.errors import IllegalAction
from nousu.engine.facts import Facts
from nousu.engine.game import Dealing, Game, Result, Setup, View
from nousu.engine.messages import Note
from nousu.engine.options import check_values, option
from nousu.engine.question import Question
from nousu.engine.seats import CHANCE, Seat, check_viewer, clockwise, left
from nousu.engine.tricks import Duties, TrickPlay


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What may differ from table to table."""

    cards: int = option(3, clause="LT-1", doc="How many cards everybody gets.", group="deal", low=1, high=8)
    doubling: bool = option(True, clause="LT-2", doc="Whether a hand may be doubled.", group="doubling")
    target: int = option(5, clause="LT-5", doc="So many points win the match.", group="match", low=1, high=99)

    def __post_init__(self) -> None:
        check_values(self)


PRESETS = {"last_trick": Rules(), "last_trick_plain": Rules(doubling=False)}


@dataclass(frozen=True, slots=True)
class Known(Facts):
    """What everybody knows of a hand beside the cards played."""

    phase: str
    doubled_by: Seat | None


@dataclass(frozen=True, slots=True)
class Hand:
    """One deal of Last Trick."""

    rules: Rules
    setup: Setup
    log: tuple[Entry, ...] = ()
    question: Question | None = None
    play: TrickPlay | None = None
    doubled: Seat | None = None

    def owed(self) -> tuple[Seat, ...]:
        """Chance, then who is asked, then whose turn it is."""
        if self.play is None:
            return (CHANCE,)
        if self.question is not None:
            return self.question.owed()
        return () if self._over() else (self.play.turn,)

    def _over(self) -> bool:
        return self.play is not None and not any(self.play.hands)

    def dealing(self) -> Dealing:
        """LT-1."""
        seats = self.setup.seats
        return Dealing(DECK_52, (self.rules.cards,) * seats, left(self.setup.dealer, seats))

    def legal(self, seat: Seat) -> tuple[Action, ...]:
        """LT-2, LT-3; nobody acts out of turn."""
        if seat not in self.owed() or self.play is None:
            return ()
        if self.question is not None:
            return Call("double"), Call("pass")
        return plays(self.play.legal())

    def apply(self, seat: Seat, action: Action) -> "Hand":
        """The hand after it."""
        log = (*self.log, (seat, action))
        if seat == CHANCE and isinstance(action, Deal) and self.play is None:
            return self._dealt(action, log)
        if self.play is None or action not in self.legal(seat):
            asked = self.play is None or self.question is not None
            clause = "LT-1" if self.play is None else "LT-2" if asked else "LT-3"
            message = "That is not possible now." if asked else "Follow suit, and only in your turn."
            raise IllegalAction(clause, message, self.legal(seat))
        if isinstance(action, Play):
            return replace(self, log=log, play=self.play.play(action.card))
        if action == Call("double"):  # LT-2
            return replace(self, log=log, question=None, doubled=seat)
        assert self.question is not None
        asked_on = self.question.answer(seat, action)
        return replace(self, log=log, question=asked_on if asked_on.owed() else None)

    def _dealt(self, deal: Deal, log: tuple[Entry, ...]) -> "Hand":
        self.dealing().check(deal, "LT-1")
        order = clockwise(left(self.setup.dealer, self.setup.seats), self.setup.seats)
        play = TrickPlay(tuple(map(card_set, deal.hands)), tuple(range(self.setup.seats)), order[0], Duties())
        question = Question("double", order) if self.rules.doubling else None
        return replace(self, log=log, play=play, question=question)

    def view(self, seat: Seat | None) -> View:
        """Built by listing what is known: own cards, counts, the trick, what was said."""
        check_viewer(seat, self.setup.seats)
        play = self.play
        cards: tuple[Card, ...] = () if play is None or seat is None else cards_of(play.hands[seat])
        counts = (0,) * self.setup.seats if play is None else tuple(hand.bit_count() for hand in play.hands)
        phase = "deal" if play is None else "double" if self.question else "over" if self._over() else "play"
        return View(
            game="last_trick",
            rules=self.rules,
            setup=self.setup,
            seat=seat,
            cards=cards,
            counts=counts,
            trick=() if play is None else play.plays,
            tricks=() if play is None else play.done,
            question=None if self.question is None else self.question.seen_by(seat),
            facts=Known(phase, self.doubled),
            heard=hearing(seat, self.log),
            owed=self.owed(),
            legal=() if seat is None else self.legal(seat),
        )

    def result(self) -> Result | None:
        """LT-4."""
        if self.play is None or not self._over():
            return None
        winner = self.play.done[-1].winner
        worth = 1 if self.doubled is None else 2
        points = tuple(worth if seat == winner else 0 for seat in range(self.setup.seats))
        why = Note("LT-4", "{seat} takes the last trick: {points}", {"seat": winner, "points": worth})
        return Result(points=points, notes=(why,))


@dataclass(frozen=True, slots=True)
class Tally:
    """LT-5."""

    target: int
    points: tuple[int, ...]

    def add(self, result: Result, setup: Setup) -> "Tally":
        """Everybody's points."""
        both = zip(self.points, result.points, strict=True)
        return Tally(self.target, tuple(had + won for had, won in both))

    def dealer(self, setup: Setup) -> Seat:
        """The next one clockwise."""
        return left(setup.dealer, setup.seats)

    def score(self) -> tuple[int, ...]:
        """Points by seat."""
        return self.points

    def winner(self) -> tuple[int, ...] | None:
        """The seat that has reached the target."""
        return next(((seat,) for seat, points in enumerate(self.points) if points >= self.target), None)

    def plain(self) -> Mapping[str, Any]:
        """The standing as plain values."""
        return {"points": list(self.points), "target": self.target}

    def notes(self) -> tuple[Note, ...]:
        """Why the match is over."""
        won = self.winner()
        return () if won is None else (Note("LT-5", "{seat} wins the match", {"seat": won[0]}),)


GAME = Game(
    name="last_trick",
    seats=range(2, 7),
    sides=0,
    deck=DECK_52,
    rules=Rules,
    presets=PRESETS,
    start=Hand,
    tally=lambda rules, seats: Tally(rules.target, (0,) * seats),
)
