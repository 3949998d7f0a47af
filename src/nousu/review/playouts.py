"""Hands played out in Python by players that see their own cards: slow, and right for every family."""

from collections.abc import Sequence

from nousu.engine.actions import Action, Deal
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Hand, Result, View
from nousu.engine.seats import CHANCE, Seat, side
from nousu.games import games
from nousu.players import DEFAULT_BUDGET, Budget, Interrupter, Player, find_player
from nousu.players.seat_loop import derive_seed, free_to_speak
from nousu.players.worlds import World, replay_world

_LONGEST = 1000
"""Actions after which a hand is given up: none is so long."""


def points_ahead(result: Result, game: str, seat: Seat) -> float:
    """The points of `seat` (or its side) less those of the others, on average where they are several."""
    points, two = result.points, games()[game].sides == 2
    mine = points[side(seat) if two else seat]
    others = len(points) - 1
    return mine - (sum(points) - mine) / others


def play_on(hand: Hand, seed: int, player: Player | None = None, budget: Budget = DEFAULT_BUDGET) -> Hand:
    """The hand at its end when such players go on with it (None: rule-based ones); the cards must have
    been dealt."""
    player = player or find_player("rules")
    for step in range(_LONGEST):
        owed = hand.owed()
        if not owed or owed == (CHANCE,):
            break
        acted = False
        if isinstance(player, Interrupter):
            for seat in free_to_speak(hand):
                spoken = player.interrupt(hand.view(seat), budget, derive_seed(seed, step, seat))
                if spoken is not None:
                    hand, acted = hand.apply(seat, spoken.action), True
                    break
        if acted:
            continue
        seat = owed[0]
        legal = hand.legal(seat)
        action = legal[0]
        if len(legal) > 1:
            action = player.choose(hand.view(seat), budget, derive_seed(seed, step, seat)).action
        hand = hand.apply(seat, action)
    return hand


def play_out_slowly(
    view: View, actions: Sequence[Action], worlds: Sequence[World], seed: int
) -> list[list[float]]:
    """For each action a value a world: how far the seat of `view` is ahead when all play on by the rules of
    thumb. A world in which the action cannot be taken, or the hand is dealt again, is worth nothing."""
    assert view.seat is not None
    rows: list[list[float]] = [[] for _ in actions]
    for at, world in enumerate(worlds):
        here = replay_world(view, world)
        for row, action in zip(rows, actions, strict=True):
            try:
                result = play_on(here.apply(view.seat, action), derive_seed(seed, at)).result()
            except IllegalAction:
                result = None
            row.append(0.0 if result is None or result.void else points_ahead(result, view.game, view.seat))
    return rows


def hand_before(hand: Hand, step: int) -> Hand:
    """A hand as it stood before that entry of its log."""
    view = hand.view(None)
    here = games()[view.game].start(view.rules, hand.setup)
    for by, action in hand.log[:step]:
        here = here.apply(by, action)
    return here


def last_deal(hand: Hand) -> Deal:
    """The cards of a hand as they were dealt last."""
    found = [action for by, action in hand.log if by == CHANCE and isinstance(action, Deal)]
    return found[-1]
