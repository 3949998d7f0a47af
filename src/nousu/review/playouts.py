"""Playouts in Python by players that see their own cards only: slow, and right for every family."""

from collections.abc import Sequence

from nousu.engine.actions import Action
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Hand, Result, View
from nousu.engine.seats import CHANCE, Seat, side
from nousu.games import games
from nousu.players import DEFAULT_BUDGET, Budget, Interrupter, Player, find_player
from nousu.players.seat_loop import derive_seed, free_to_speak
from nousu.players.worlds import World, replay_world

_LONGEST = 1000
"""Number of actions after which a playout is given up: no hand is so long."""


def points_ahead(result: Result, game: str, seat: Seat) -> float:
    """The points of `seat` (or its side) less those of the others, on average where they are several."""
    points, two_sides = result.points, games()[game].sides == 2
    own = points[side(seat) if two_sides else seat]
    return own - (sum(points) - own) / (len(points) - 1)


def play_on(hand: Hand, seed: int, player: Player | None = None, budget: Budget = DEFAULT_BUDGET) -> Hand:
    """Play a hand to its end with this player in every seat (None: the rule-based one).

    The cards must have been dealt; a hand that waits for another deal is returned as it is.
    """
    player = player or find_player("rules")
    for step in range(_LONGEST):
        owed = hand.owed()
        if not owed or owed == (CHANCE,):
            break
        hand = _after_next_action(hand, player, budget, seed, step)
    return hand


def _after_next_action(hand: Hand, player: Player, budget: Budget, seed: int, step: int) -> Hand:
    if isinstance(player, Interrupter):
        for seat in free_to_speak(hand):
            words = player.interrupt(hand.view(seat), budget, derive_seed(seed, step, seat))
            if words is not None:
                return hand.apply(seat, words.action)
    seat = hand.owed()[0]
    legal = hand.legal(seat)
    action = legal[0]
    if len(legal) > 1:
        action = player.choose(hand.view(seat), budget, derive_seed(seed, step, seat)).action
    return hand.apply(seat, action)


def play_out_slowly(
    view: View, actions: Sequence[Action | None], worlds: Sequence[World], seed: int
) -> list[list[float]]:
    """Play every world to its end by rules of thumb after each action (None: silence).

    Returns:
        Values of each action, one for each world: the points by which the seat of `view` is ahead; 0 in a
        world in which the action is not possible, or the hand is dealt again.
    """
    assert view.seat is not None
    rows: list[list[float]] = [[] for _ in actions]
    for at, world in enumerate(worlds):
        before = replay_world(view, world)
        for row, action in zip(rows, actions, strict=True):
            try:
                after = before if action is None else before.apply(view.seat, action)
                result = play_on(after, derive_seed(seed, at)).result()
            except IllegalAction:
                result = None
            row.append(0.0 if result is None or result.void else points_ahead(result, view.game, view.seat))
    return rows


def hand_before(hand: Hand, step: int) -> Hand:
    """A hand as it stood before that entry of its log."""
    view = hand.view(None)
    before = games()[view.game].start(view.rules, hand.setup)
    for by, action in hand.log[:step]:
        before = before.apply(by, action)
    return before
