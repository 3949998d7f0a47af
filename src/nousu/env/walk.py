"""A match walked through by numbers: the Python rules as an environment, and the reference for the core's.

`Walk` is a value. It asks one seat at a time: seats that may lay a bid at the same time are asked in order,
forced actions are carried out automatically, packets of cards are chosen card by card, and a seat that may
speak out of turn gets a *silent* turn.
"""

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

from nousu.engine.actions import Action, Deal, Entry, Give
from nousu.engine.cards import Card
from nousu.engine.errors import BadRules
from nousu.engine.game import Game, View
from nousu.engine.match import Match
from nousu.engine.messages import sentence
from nousu.engine.seats import CHANCE, Seat
from nousu.env.layout import Layout, Planes, Scalars
from nousu.extensions import Point, extension
from nousu.games import find

Move = Action | Card | None
"""The meaning of a number: an action, a card of an incomplete packet, or silence."""


class EnvFamily(Protocol):
    """The interface of ``nousu/env/<family>.py``."""

    LAYOUT: Layout
    """The planes, scalars and actions of the family."""
    VERSION: int
    """The version of their numbers."""
    FORCED: Collection[str]
    """The phases of a hand in which every action is forced."""
    LONGEST: int
    """Upper bound of the number of actions in a hand."""

    def bounds(self, rules: Any) -> tuple[int, int]:
        """The smallest and the largest gain in a hand."""

    def own_codes(self, rules: Any) -> Mapping[str, int]:
        """Numbers for the core that no single option gives; `BadRules` for rules without an environment."""

    def turn(self, match: Match, silent: frozenset[Seat]) -> Seat:
        """The seat to act, when these seats have kept silent."""

    def moves(self, view: View, part: tuple[Card, ...]) -> dict[int, Move]:
        """The actions of the viewer by number, when these cards of a packet are chosen."""

    def observe(self, view: View, turn: Seat, part: tuple[Card, ...] = ()) -> tuple[Planes, Scalars]:
        """The knowledge of the viewer as arrays, `turn` being the seat to act."""


def family_of(game: Game) -> EnvFamily:
    """The numbering of a family; `BadRules` where it has none."""
    family = extension(EnvFamily, Point.ENV, game.name)
    if family is None:
        message = sentence("there is no environment for {game}")
        raise BadRules("game", message, "", {"game": game.name})
    return family


@dataclass(frozen=True)
class Walk:
    """A match, and the part of the next action that is chosen already."""

    match: Match
    part: tuple[Card, ...] = ()
    """Cards of a packet that is being chosen."""
    silent: frozenset[Seat] = frozenset()
    """Seats that have kept silent since the last action."""

    @classmethod
    def start(cls, game: Game, rules: Any, seats: int, dealer: Seat = 0) -> "Walk":
        """A match that waits for its cards."""
        return cls(Match.start(game, rules, seats, dealer))

    def __copy__(self) -> "Walk":
        return self  # a value that nothing changes

    def __deepcopy__(self, memo: dict[int, Any]) -> "Walk":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        match = self.match
        state = match.game.name_of(match.rules), match.seats, history_of(match), self.part, self.silent
        return _restored, state

    @cached_property
    def family(self) -> EnvFamily:
        """The numbering of this family."""
        return family_of(self.match.game)

    @property
    def layout(self) -> Layout:
        """The table of the family."""
        return self.family.LAYOUT

    @property
    def waits_for_cards(self) -> bool:
        """Whether the next thing is a deal."""
        return self.match.hand.owed() == (CHANCE,)

    @cached_property
    def seat(self) -> Seat:
        """The seat to act; CHANCE if cards are to be dealt or the match is over."""
        if not self.match.hand.owed() or self.waits_for_cards:
            return CHANCE
        return self.family.turn(self.match, self.silent)

    @cached_property
    def moves(self) -> dict[int, Move]:
        """Moves of the seat to act, by number."""
        return {} if self.seat == CHANCE else self.family.moves(self.match.hand.view(self.seat), self.part)

    def observe(self, seat: Seat | None = None) -> tuple[Planes, Scalars]:
        """Observation of a seat, by default of the one to act."""
        seat = self.seat if seat is None else seat
        part = self.part if seat == self.seat else ()
        return self.family.observe(self.match.hand.view(seat), self.seat, part)

    def act(self, number: int) -> "Walk":
        """The walk after an action; KeyError if it is not legal."""
        move = self.moves[number]
        if move is None:
            return replace(self, silent=self.silent | {self.seat})
        if isinstance(move, Card):
            return replace(self, part=(*self.part, move))
        return _forced(self.match.apply(self.seat, move), self.family)

    def number(self, action: Action) -> int:
        """The number of an action of the seat to act; for a packet, the number of its next card.

        Raises:
            ValueError: The seat does not have the action now.
        """
        numbers = {move: number for number, move in self.moves.items()}
        cards = action.cards if isinstance(action, Give) else ()
        for move in (action, *(card for card in cards if card not in self.part)):
            if move in numbers:
                return numbers[move]
        raise ValueError(f"seat {self.seat} has no turn for this: {action}")

    def deal(self, pack: Sequence[int]) -> "Walk":
        """The walk after a deal from a shuffled pack of numbered cards, the first card on top."""
        cards = [self.layout.pack[at] for at in pack]
        return _forced(self.match.apply(CHANCE, self.match.hand.dealing().dealt(cards)), self.family)

    def shuffled(self, rng: random.Random) -> "Walk":
        """The walk after a random deal."""
        pack = list(range(len(self.layout.pack)))
        rng.shuffle(pack)
        return self.deal(pack)


def _forced(match: Match, family: EnvFamily) -> Walk:
    """The walk after all forced actions."""
    while match.hand.owed() and getattr(match.hand, "phase", "") in family.FORCED:
        (seat,) = match.hand.owed()
        (action,) = match.hand.legal(seat)
        match = match.apply(seat, action)
    return Walk(match)


def replayed(game: Game, rules: Any, seats: int, history: Sequence[int]) -> Iterator[Walk]:
    """The walks through a lane's history (`Lanes.history`), from the first choice on.

    The match of the last walk can be written as a record. The history holds the first dealer, then for each
    hand the pack and the actions. Where players may raise before the deal, the first walk has no cards yet.

    Raises:
        ValueError: The history is empty, as before `Lanes.reset`.
    """
    if not history:
        raise ValueError("the history is empty: reset begins one")
    walk = Walk.start(game, rules, seats, history[0])
    size, at = len(walk.layout.pack), 1
    hand: object = None
    pack: Sequence[int] = ()
    if not walk.waits_for_cards:
        yield walk
    while at < len(history) or (pack and walk.waits_for_cards):
        if (walk.match.hand.setup, len(walk.match.played)) != hand:
            hand = (walk.match.hand.setup, len(walk.match.played))
            pack = history[at : at + size]
            at += size
        if walk.waits_for_cards:
            walk, pack = walk.deal(pack), ()
        elif at < len(history):
            walk = walk.act(history[at])
            at += 1
        else:
            break
        yield walk


def _restored(
    rules: str, seats: int, history: Sequence[int], cards: tuple[Card, ...], silent: frozenset[Seat]
) -> Walk:
    """A walk as it was pickled."""
    game, chosen = find(rules)
    walk = Walk.start(game, chosen, seats, history[0])
    for walk in replayed(game, chosen, seats, history):  # noqa: B007
        pass
    return replace(walk, part=cards, silent=silent)


def history_of(match: Match) -> list[int]:
    """A match of the Python rules as `Lanes.load` reads it; `replayed` turns it back into the same match.

    Where a seat spoke out of turn, the seats asked before it keep silent.

    Raises:
        ValueError: An action that the environments do not offer.
    """
    walk = Walk.start(match.game, match.rules, match.seats, match.dealer)
    history = [match.dealer]
    hands = [played_hand.hand for played_hand in match.played]
    if match.winner is None and match.hand.log:
        hands.append(match.hand)
    for played, hand in enumerate(hands):
        begin, pack, seen = len(history), list(range(len(walk.layout.pack))), 0
        waiting = list(hand.log)
        while waiting:
            if walk.waits_for_cards:
                deal = next(action for _, action in waiting if isinstance(action, Deal))
                pack = _undealt(walk, deal)
                walk = walk.deal(pack)
            else:
                number = _next(walk, waiting)
                history.append(number)
                walk = walk.act(number)
            log = (walk.match.played[played].hand if len(walk.match.played) > played else walk.match.hand).log
            for entry in log[seen:]:
                waiting.remove(entry)
            seen = len(log)
        history[begin:begin] = pack
    return history


def _next(walk: Walk, waiting: Sequence[Entry]) -> int:
    """The number of the next action of the seat to act, in the rest of the history."""
    numbers = {move: number for number, move in walk.moves.items()}
    for by, action in waiting:
        if by == walk.seat:
            with suppress(ValueError):
                return walk.number(action)
        if None in numbers:  # out of turn only what comes next counts
            return numbers[None]
    raise ValueError(f"seat {walk.seat} has no turn for this: {waiting[0][1]}")


def _undealt(walk: Walk, deal: Deal) -> list[int]:
    """A pack, as numbered cards, from which this deal is dealt."""
    form, number = walk.match.hand.dealing(), walk.layout.number
    dealt = form.dealt(form.deck)
    place = {card: seat for seat, hand in enumerate(dealt.hands) for card in hand}
    hands = [list(hand) for hand in deal.hands]
    stock = list(deal.stock)
    return [number[(hands[place[card]] if card in place else stock).pop(0)] for card in form.deck]
