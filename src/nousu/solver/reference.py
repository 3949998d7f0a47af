"""Plain minimax, the reference for every faster solver.

Nothing here is clever. Cards are played by `engine.tricks`, every legal move is tried, and the best one for
the side to move counts. It is meant to be read beside the rules; it handles endings of a few cards, not deals
of nine or more cards per seat.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from nousu.engine.cards import RANKS, Card, cards_of
from nousu.engine.seats import Seat, partner
from nousu.engine.tricks import Duties, TrickPlay
from nousu.solver.position import (
    Declaration,
    Goal,
    Huutopussi,
    Marriages,
    Move,
    Nolo,
    Position,
    Rami,
    Solution,
    SolveStopped,
    Sooli,
    Tuppen,
    check,
)

KING = RANKS.index("K")
QUEEN = RANKS.index("Q")


@dataclass(frozen=True, slots=True)
class State:
    """A position in the middle of the search."""

    play: TrickPlay
    marriages: Marriages
    points: tuple[int, int]
    """Tricks or points of North–South and East–West; in sooli and tuppen, of the seat alone in the first."""


def state_of(position: Position, goal: Goal) -> State:
    """The position as the engine plays it."""
    strict = isinstance(goal, Huutopussi)
    duties = Duties(position.strength, position.last, beat=strict, trump=strict)
    play = TrickPlay(
        position.hands, position.active, position.turn, duties, position.trick, (), position.trump
    )
    return State(play, position.marriages, (0, 0) if isinstance(goal, Sooli | Tuppen) else position.won)


def moves(state: State, goal: Goal) -> tuple[Move, ...]:
    """Moves open to the seat on turn."""
    play, rights = state.play, state.marriages
    seat = play.turn
    if rights.asked:
        return tuple(Declaration("answer", suit * 16 + KING) for suit in _marriages_in_hand(state, seat))
    cards: tuple[Move, ...] = cards_of(play.legal())
    if not isinstance(goal, Huutopussi) or not rights.open or play.plays:
        return cards
    declarations: list[Move] = []
    if rights.own[seat]:
        declarations += [
            Declaration("marriage", suit * 16 + KING) for suit in _marriages_in_hand(state, seat)
        ]
    if rights.full[seat] and len(rights.declared) < 4:
        declarations.append(Declaration("full"))
    for suit in sorted({0, 1, 2, 3} - rights.declared):
        for rank in (KING, QUEEN) if rights.half[seat] else ():
            if play.hands[seat] >> 16 * suit + rank & 1:
                declarations.append(Declaration("half", 16 * suit + rank))
    return (*cards, *declarations)


def _marriages_in_hand(state: State, seat: Seat) -> list[int]:
    """Undeclared suits of which this seat holds king and queen (HP-GR-26, HP-GR-27)."""
    hand = state.play.hands[seat]
    pair = 1 << KING | 1 << QUEEN
    return [s for s in range(4) if s not in state.marriages.declared and hand >> 16 * s & pair == pair]


def apply(state: State, move: Move, goal: Goal) -> State:
    """The state after a legal move."""
    return _call_marriage(state, move, goal) if isinstance(move, Declaration) else _play(state, move, goal)


def _play(state: State, card: Card, goal: Goal) -> State:
    play = state.play.play(card)
    if len(play.done) == len(state.play.done):
        return State(play, replace(state.marriages, open=False), state.points)
    trick = play.done[-1]
    over = not any(play.hands[seat] for seat in play.active)
    north_south, east_west = state.points
    match goal:
        case Rami() | Nolo():
            gain, owner = 1, trick.winner % 2
        case Sooli():
            gain, owner = int(trick.winner == goal.soloist), 0
        case Tuppen():
            gain, owner = int(over and trick.winner == goal.seat), 0
        case Huutopussi():
            gain = sum(goal.card_values[played & 15] for _, played in trick.plays)
            gain += goal.last_trick if over else 0
            owner = trick.winner % 2
    points = (north_south + gain, east_west) if owner == 0 else (north_south, east_west + gain)
    earned = isinstance(goal, Huutopussi) and (goal.declare_right == "won" or trick.leader == trick.winner)
    return State(play, replace(state.marriages, open=earned and not over), points)


def _call_marriage(state: State, declaration: Declaration, goal: Goal) -> State:
    assert isinstance(goal, Huutopussi)
    seat, rights = state.play.turn, state.marriages
    other = partner(seat)
    if goal.once and declaration.what != "answer":
        own, full, half = (_without(had, seat) for had in (rights.own, rights.full, rights.half))
        rights = replace(rights, own=own, full=full, half=half)
        state = replace(state, marriages=rights)
    match declaration.what:
        case "marriage":
            return _declare(state, declaration.card >> 4, seat, goal)
        case "answer":
            return _declare(state, declaration.card >> 4, other, goal)
        case "full":
            rights = replace(
                rights,
                own=_without(rights.own, seat),
                full=_without(rights.full, other),
                open=False,
                asked=bool(_marriages_in_hand(state, other)),
            )
            play = _with_turn(state.play, other if rights.asked else seat)
            return State(play, rights, state.points)
        case "half":
            rights = replace(
                rights,
                own=_without(_without(rights.own, seat), other),
                full=_without(_without(rights.full, seat), other),
                open=False,
            )
            after = State(state.play, rights, state.points)
            match_ = declaration.card ^ KING ^ QUEEN
            if state.play.hands[other] >> match_ & 1:
                return _declare(after, declaration.card >> 4, seat, goal)
            return after


def _without(rights: tuple[bool, bool, bool, bool], seat: Seat) -> tuple[bool, bool, bool, bool]:
    a, b, c, d = (right and other != seat for other, right in enumerate(rights))
    return a, b, c, d


def _with_turn(play: TrickPlay, turn: Seat) -> TrickPlay:
    return replace(play, turn=turn)


def _declare(state: State, suit: int, leader: Seat, goal: Huutopussi) -> State:
    """Make the suit trump and give its points to the leader's side."""
    rights = replace(state.marriages, declared=state.marriages.declared | {suit}, open=False, asked=False)
    worth = goal.marriage_values[suit]
    north_south, east_west = state.points
    points = (north_south + worth, east_west) if leader % 2 == 0 else (north_south, east_west + worth)
    return State(_with_turn(state.play, leader).with_trump(suit), rights, points)


def over(state: State, goal: Goal) -> bool:
    """True if nothing more can change the value."""
    if isinstance(goal, Sooli) and state.points[0]:
        return True
    return not state.play.plays and not any(state.play.hands[seat] for seat in state.play.active)


def value(state: State, goal: Goal) -> int:
    """The value of a finished state."""
    north_south, east_west = state.points
    match goal:
        case Sooli():
            return 1 - north_south
        case Huutopussi():
            mine, theirs = (north_south, east_west) if goal.side == 0 else (east_west, north_south)
            if goal.contract is not None:
                return int(mine >= goal.contract)
            return mine - theirs if goal.aim == "difference" else mine
        case _:
            return north_south


def maximises(seat: Seat, goal: Goal) -> bool:
    """Whether this seat wants the value high."""
    match goal:
        case Rami():
            return seat % 2 == 0
        case Nolo():
            return seat % 2 == 1
        case Sooli():
            return seat == goal.soloist
        case Huutopussi():
            return seat % 2 == goal.side
        case Tuppen():
            return seat == goal.seat


def solve(
    position: Position, goal: Goal, *, nodes: int | None = None, stop: Callable[[], bool] | None = None
) -> Solution:
    """Value, the value of every legal move, a line of best play and the number of moves tried.

    `nodes` bounds the moves tried and `stop` is asked now and then; either ends in `SolveStopped`.
    """
    check(position, goal)
    known: dict[State, int] = {}
    tried = 0

    def best(state: State) -> int:
        nonlocal tried
        if over(state, goal):
            return value(state, goal)
        found = known.get(state)
        if found is None:
            values = []
            for move in moves(state, goal):
                tried += 1
                if nodes is not None and tried > nodes:
                    raise SolveStopped(f"{nodes} nodes were not enough")
                if stop is not None and tried % 256 == 0 and stop():
                    raise SolveStopped("cancelled, or out of time")
                values.append(best(_forget(apply(state, move, goal))))
            found = max(values) if maximises(state.play.turn, goal) else min(values)
            known[state] = found
        return found

    state = _forget(state_of(position, goal))
    total = best(state)
    rated = {move: best(_forget(apply(state, move, goal))) for move in moves(state, goal)}
    line: list[Move] = []
    while not over(state, goal):
        after = ((move, _forget(apply(state, move, goal))) for move in moves(state, goal))
        move, state = next(pair for pair in after if best(pair[1]) == total)
        line.append(move)
    return Solution(total, rated, tuple(line), tried)


def _forget(state: State) -> State:
    """Forget the finished tricks; their points remain."""
    return replace(state, play=replace(state.play, done=())) if state.play.done else state


def replay(position: Position, goal: Goal, line: tuple[Move, ...]) -> int:
    """The value a line leads to; `ValueError` if a move in it is not legal or the hand is not over."""
    state = state_of(position, goal)
    for move in line:
        if over(state, goal) or move not in moves(state, goal):
            raise ValueError(f"{move} cannot be played here")
        state = apply(state, move, goal)
    if not over(state, goal):
        raise ValueError("the line stops before the end")
    return value(state, goal)


def rollouts(position: Position, goal: Goal, times: int, seed: int) -> float:
    """The mean value of `times` plays to the end, every legal card equally likely, nothing declared."""
    dice = Random(seed)
    total = 0
    for _ in range(times):
        state = state_of(position, goal)
        while not over(state, goal):
            choice = [move for move in moves(state, goal) if isinstance(move, Card)] or moves(state, goal)
            state = apply(state, dice.choice(choice), goal)
        total += value(state, goal)
    return total / times
