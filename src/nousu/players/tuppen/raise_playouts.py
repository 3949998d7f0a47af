"""Hands of Tuppen played out with more raises to come.

Cards are played by the rules of thumb of `playouts`. Before each of them, whoever thinks its own hand good
enough raises, and whoever thinks it too poor leaves, by the chances from which the rule-based player does so.
A poor hand that goes along is then driven out before it could win, and pays more than one that left at once.
"""

from collections.abc import Iterable, Mapping, Sequence

from nousu.engine.cards import CardSet
from nousu.engine.game import View
from nousu.engine.seats import Seat, clockwise
from nousu.games.tuppen import Facts, refusing_costs
from nousu.players.seat_loop import derive_seed
from nousu.players.tuppen.inference import TIMES
from nousu.players.tuppen.playouts import ANY, Moment, count_wins, moment_of, next_card, next_turn
from nousu.players.tuppen.rules import needed_to_hold, needed_to_raise, spite
from nousu.players.worlds import played_by


class _RaisedHand:
    """A hand being played out."""

    def __init__(self, view: View, hands: Sequence[CardSet], seed: int) -> None:
        self._facts = Facts.of(view.facts)
        self._rules = view.rules
        self._hands = list(hands)
        self._counts = list(view.counts)
        self._seen = sum(played_by(view))
        self._seed = seed
        self._estimates = 0
        self._stake = self._facts.stake
        self._raises = len(self._facts.raisers) - (self._facts.phase == "raise")
        self._raiser = self._facts.last_raiser if self._facts.asker is None else self._facts.asker
        self._moment = moment_of(self._facts, view.trick)
        self.lost: dict[Seat, int] = {}
        """What those have paid who left."""

    def ask(self, seats: Iterable[Seat], leaves: Seat | None = None) -> None:
        """The stake rises by one; each of these goes along or leaves. The seat that `leaves` does so whatever
        it holds."""
        points = self._facts.points
        refusing = refusing_costs(self._rules, self._stake)
        for seat in seats:
            leaving, losing = min(points[seat], refusing), min(points[seat], self._stake + 1)
            if seat == leaves or self._chance(seat) < needed_to_hold(leaving, losing, spite(self._facts)):
                self.lost[seat] = leaving
        self._stake += 1
        self._raises += 1
        playing, turn, trick = self._moment
        playing = tuple(seat for seat in playing if seat not in self.lost)
        self._moment = Moment(playing, *next_turn(playing, turn, trick))

    def rise(self, raiser: Seat) -> None:
        """That seat raises."""
        self._raiser = raiser
        self.ask(seat for seat in self._around(raiser) if seat != raiser)

    def finish(self) -> Mapping[Seat, int]:
        """Play to the end: what everybody has lost but the winner."""
        while len(self._moment.playing) > 1 and self._hands[self._moment.turn]:
            raiser = next(filter(self._raises_now, self._who_may_raise()), None)
            if raiser is None:
                self.play()
            else:
                self.rise(raiser)
        winner = self._moment.turn
        for seat in self._moment.playing:
            if seat != winner:
                self.lost[seat] = min(self._facts.points[seat], self._stake)
        return self.lost

    def _around(self, first: Seat) -> list[Seat]:
        return [seat for seat in clockwise(first, len(self._hands)) if seat in self._moment.playing]

    def _who_may_raise(self) -> list[Seat]:
        points, cap = self._facts.points, self._facts.raise_cap
        turn = self._moment.turn
        asked = self._around(turn) if self._rules.raise_timing == "any_time" else [turn]
        return [seat for seat in asked if seat != self._raiser and self._stake < min(points[seat], cap[seat])]

    def _raises_now(self, seat: Seat) -> bool:
        return self._chance(seat) >= needed_to_raise(self._raises)

    def _chance(self, seat: Seat) -> float:
        self._estimates += 1
        seed = derive_seed(self._seed, self._estimates)
        hand = [self._hands[seat]]
        return count_wins(self._moment, seat, self._seen, self._counts, hand, TIMES, seed)[0] / TIMES

    def play(self, first: int | None = ANY) -> None:
        """The seat on turn plays that card, or what the rules of thumb say."""
        playing, seat, trick = self._moment
        card, turn, trick = next_card(self._hands, playing, seat, trick, first)
        self._hands[seat] &= ~(1 << card)
        self._counts[seat] -= 1
        self._seen |= 1 << card
        self._moment = Moment(playing, turn, trick)


def losses_if_holding(view: View, hands: Sequence[CardSet], seed: int) -> Mapping[Seat, int]:
    """What each seat in the hand loses, the winner aside, if the one of `view` goes along with the raise it
    is asked about and these are the hands. Others who are still to answer do so first."""
    facts = Facts.of(view.facts)
    table = _RaisedHand(view, hands, seed)
    table.ask(seat for seat in facts.asked if seat != view.seat)
    return table.finish()


def losses_if_leaving(view: View, hands: Sequence[CardSet], seed: int) -> Mapping[Seat, int]:
    """The same if it leaves instead; its own loss is what that costs."""
    facts = Facts.of(view.facts)
    table = _RaisedHand(view, hands, seed)
    table.ask(facts.asked, leaves=view.seat)
    return table.finish()


def losses_if_raising(view: View, hands: Sequence[CardSet], seed: int) -> Mapping[Seat, int]:
    """The same if that seat raises."""
    table = _RaisedHand(view, hands, seed)
    assert view.seat is not None
    table.rise(view.seat)
    return table.finish()


def losses_if_silent(
    view: View, hands: Sequence[CardSet], seed: int, first: int | None
) -> Mapping[Seat, int]:
    """The same if nobody raises before the next card, which is `first`, or what the rules of thumb say."""
    table = _RaisedHand(view, hands, seed)
    table.play(first)
    return table.finish()
