"""Hands played out in Python by players that see their own cards: slow, and right for every family."""

from collections.abc import Sequence

from nousu.engine.actions import Action, Deal
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Hand, Result, View
from nousu.engine.seats import CHANCE, Seat, side
from nousu.games import games
from nousu.players import DEFAULT_BUDGET, Budget, Interrupter, Player, named
from nousu.players.seat_loop import free_to_speak, number_of
from nousu.players.worlds import World, relived

_LONGEST = 1000
"""Actions after which a hand is given up: none is so long."""


def ahead(result: Result, game: str, seat: Seat) -> float:
    """The points of `seat` (or its side) less those of the others, on average where they are several."""
    points, two = result.points, games()[game].sides == 2
    mine = points[side(seat) if two else seat]
    others = len(points) - 1
    return mine - (sum(points) - mine) / others


def played_on(hand: Hand, seed: int, player: Player | None = None, budget: Budget = DEFAULT_BUDGET) -> Hand:
    """The hand at its end when such players go on with it (None: rule-based ones); the cards must have
    been dealt."""
    player = player or named("rules")
    for step in range(_LONGEST):
        owed = hand.owed()
        if not owed or owed == (CHANCE,):
            break
        acted = False
        if isinstance(player, Interrupter):
            for seat in free_to_speak(hand):
                spoken = player.interrupt(hand.view(seat), budget, number_of(seed, step, seat))
                if spoken is not None:
                    hand, acted = hand.apply(seat, spoken.action), True
                    break
        if acted:
            continue
        seat = owed[0]
        legal = hand.legal(seat)
        action = legal[0]
        if len(legal) > 1:
            action = player.choose(hand.view(seat), budget, number_of(seed, step, seat)).action
        hand = hand.apply(seat, action)
    return hand


def played_out(
    view: View, actions: Sequence[Action], worlds: Sequence[World], seed: int
) -> list[list[float]]:
    """For each action a value a world: how far the seat of `view` is ahead when all play on by the rules of
    thumb. A world in which the action cannot be taken, or the hand is dealt again, is worth nothing."""
    assert view.seat is not None
    rows: list[list[float]] = [[] for _ in actions]
    for at, world in enumerate(worlds):
        here = relived(view, world)
        for row, action in zip(rows, actions, strict=True):
            try:
                result = played_on(here.apply(view.seat, action), number_of(seed, at)).result()
            except IllegalAction:
                result = None
            row.append(0.0 if result is None or result.void else ahead(result, view.game, view.seat))
    return rows


def before(hand: Hand, step: int) -> Hand:
    """A hand as it stood before that entry of its log."""
    view = hand.view(None)
    here = games()[view.game].start(view.rules, hand.setup)
    for by, action in hand.log[:step]:
        here = here.apply(by, action)
    return here


def dealt_in(hand: Hand) -> Deal:
    """The cards of a hand as they were dealt last."""
    found = [action for by, action in hand.log if by == CHANCE and isinstance(action, Deal)]
    return found[-1]
