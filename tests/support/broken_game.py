"""A hand that breaks a law on purpose, in one chosen way, and is honest otherwise."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from nousu.engine.actions import Action, Entry
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Dealing, Hand, Result, Setup, View
from nousu.engine.seats import Seat

Legal = Callable[[Hand, Seat, tuple[Action, ...]], tuple[Action, ...]]
Apply = Callable[[Hand, Seat, Action], Hand]
Owed = Callable[[Hand, tuple[Seat, ...]], tuple[Seat, ...]]
Look = Callable[[Hand, Seat | None], Seat | None]
See = Callable[[Hand, View], View]


@dataclass(frozen=True)
class Bent:
    """A hand with another `legal`, another `apply`, another `owed`, or another view."""

    hand: Hand
    may: Legal = lambda _hand, _seat, legal: legal
    do: Apply = lambda hand, seat, action: hand.apply(seat, action)
    due: Owed = lambda _hand, owed: owed
    look: Look = lambda _hand, seat: seat
    see: See = lambda _hand, view: view

    @property
    def setup(self) -> Setup:
        return self.hand.setup

    @property
    def log(self) -> tuple[Entry, ...]:
        return self.hand.log

    def owed(self) -> tuple[Seat, ...]:
        return self.due(self.hand, self.hand.owed())

    def dealing(self) -> Dealing:
        return self.hand.dealing()

    def legal(self, seat: Seat) -> tuple[Action, ...]:
        return self.may(self.hand, seat, self.hand.legal(seat))

    def apply(self, seat: Seat, action: Action) -> "Bent":
        try:
            return replace(self, hand=self.do(self.hand, seat, action))
        except IllegalAction as error:
            if error.legal == self.hand.legal(seat):
                error.legal = self.legal(seat)
            raise

    def view(self, seat: Seat | None) -> View:
        shown = self.look(self.hand, seat)
        view = replace(self.hand.view(shown), owed=self.owed())
        if shown is not None:
            view = replace(view, legal=self.legal(shown))
        return self.see(self.hand, view)

    def result(self) -> Result | None:
        return self.hand.result()
