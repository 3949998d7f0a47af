"""Reviewing Tuppen: imagined hands played by the sayings, raises answered by how good each hand is.

Playing by the sayings (low cards first, the best one in the last trick but one) takes microseconds. After a
raise every other seat goes along when its cards are worth it; nobody raises again.
"""

from collections.abc import Sequence

from nousu.engine.actions import Action, Call, Play
from nousu.engine.cards import CardSet
from nousu.engine.game import Result, View
from nousu.engine.notes import Note
from nousu.engine.seats import DIRECTOR, Seat
from nousu.games.tuppen import (
    HOLD,
    LEAVE,
    RAISE,
    Facts,
    Hold,
    Raise,
    asked_stake,
    leaving_costs,
    losing_costs,
    said,
)
from nousu.players.tuppen.searcher import FITS, OTHERS_LOSS, last_winner, strength
from nousu.players.worlds import World, played_by
from nousu.review.model import Effort, Option


def slow(view: View) -> bool:
    """Whether a world costs milliseconds: never."""
    return False


def unit(view: View) -> float:
    """What counts as a trick: a point."""
    return 1.0


def options(view: View, taken: Action) -> list[Action | None]:
    """What is compared: cards with cards and with a raise before them, going along with leaving, a raise with
    silence. Doubts, pictures and blind raises are not weighed."""
    if isinstance(taken, Play):
        return [action for action in view.legal if isinstance(action, Play) or action == RAISE]
    if taken in (HOLD, LEAVE):
        return [action for action in view.legal if action in (HOLD, LEAVE)]
    return [taken, None] if taken == RAISE else []


def same(view: View, one: Action | None, other: Action | None) -> bool:
    """Whether two actions mean the same: only if they are the same."""
    return one == other


def comparable(view: View, one: Action, other: Action) -> bool:
    """Whether two actions can be played out beside each other: cards, or going along and leaving."""
    return (isinstance(one, Play) and isinstance(other, Play)) or {one, other} == {HOLD, LEAVE}


def kind(view: View, action: Action) -> str:
    """What is chosen: an answer to a raise, a raise, or a card by its turn."""
    if action in (HOLD, LEAVE, RAISE):
        return str(action)
    if not isinstance(action, Play):
        return "say"
    return "follow" if view.trick else "lead"


def measure(
    view: View, actions: Sequence[Action | None], worlds: Sequence[World], seed: int
) -> list[list[float]]:
    """For each action a value a world: points lost, and three tenths of those that the others lose."""
    return [[_worth(view, action, world.hands) for world in worlds] for action in actions]


screen = measure


def outcome(result: Result, game: str, seat: Seat) -> float:
    """What a hand came to, as `measure` counts it."""
    own = result.points[seat]
    lost = [points for at, points in enumerate(result.points) if at != seat and points < 0]
    return float(own) if own < 0 or not lost else -OTHERS_LOSS * sum(lost) / len(lost)


def _worth(view: View, action: Action | None, hands: Sequence[CardSet]) -> float:
    facts, me = Facts.of(view.facts), view.seat
    assert me is not None
    if action == LEAVE:
        return -float(leaving_costs(view.rules, facts, me))
    if action == HOLD:
        stake, playing = asked_stake(facts), facts.in_hand
    elif action == RAISE:
        stake, playing = facts.stake + 1, _company(view, hands, facts.stake + 1)
        if playing == (me,):
            return OTHERS_LOSS * facts.stake
    else:
        stake, playing = facts.stake, facts.in_hand
    first = int(action.card) if isinstance(action, Play) else None
    if _wins(view, hands, playing, first):
        return OTHERS_LOSS * stake
    return -float(min(facts.points[me], stake))


def _wins(view: View, hands: Sequence[CardSet], playing: Sequence[Seat], first: int | None) -> bool:
    """Whether the viewer wins the last trick by the sayings."""
    turn = Facts.of(view.facts).turn
    assert turn is not None and view.seat is not None
    if first is not None:
        turn = view.seat
    elif turn not in playing:
        turn = next((seat for seat in playing if seat > turn), playing[0])
    done = {seat for seat, _ in view.trick}
    if first is None and turn in done:
        turn = next((seat for seat in playing if seat not in done), turn)
    return last_winner(list(hands), playing, turn, view.trick, first) == view.seat


def _company(view: View, hands: Sequence[CardSet], stake: int) -> tuple[Seat, ...]:
    """Who goes along with a raise to `stake`: the viewer, and others whose cards are worth it."""
    facts, played = Facts.of(view.facts), played_by(view)
    others = max(1, len(facts.in_hand) - 1)
    found = []
    for seat in facts.in_hand:
        losing = min(facts.points[seat], stake)
        leaving = min(facts.points[seat], facts.stake)
        chance = strength(hands[seat] | played[seat]) * 3 / (others + (3 - others) * 0.25)
        if seat == view.seat or chance * losing * (1 + OTHERS_LOSS) >= losing - leaving:
            found.append(seat)
    return tuple(found)


def weights(view: View, worlds: Sequence[World]) -> list[float]:
    """How likely each world is by who raised and who went along."""
    spoken: list[tuple[Seat, type[Raise | Hold]]] = []
    for by, action in view.heard:
        word = said(action, len(view.counts)) if isinstance(action, Call) else None
        if isinstance(word, Raise | Hold) and by not in (view.seat, DIRECTOR):
            spoken.append((by, type(word)))
    played = played_by(view)
    found = []
    for world in worlds:
        weight = 1.0
        for seat, kind in spoken:
            floor, middle = FITS[kind]
            chance = min(max((strength(world.hands[seat] | played[seat]) - middle) / 0.2 + 0.5, 0.0), 1.0)
            weight *= floor + (1 - floor) * chance
        found.append(weight)
    return found


def solved(
    view: View, actions: Sequence[Action | None], worlds: Sequence[World], effort: Effort
) -> list[list[float]] | None:
    """There is no alliance to solve against: with all cards seen the sayings are all there is."""
    return measure(view, actions, worlds, 0) if len(worlds) == 1 else None


def reason(view: View, best: Action | None, options: Sequence[Option]) -> Note | None:
    """For an answer to a raise: the chance to win that going along needs, and the one it has."""
    facts, me = Facts.of(view.facts), view.seat
    if best not in (HOLD, LEAVE) or me is None:
        return None
    wins = max((option.wins for option in options if option.action == HOLD), default=0.0)
    losing = losing_costs(facts, me)
    needed = (losing - leaving_costs(view.rules, facts, me)) / max(1, losing) / (1 + OTHERS_LOSS)
    values = {"needed": round(100 * needed), "chance": round(100 * wins)}
    return Note("", "Going along needs a chance of {needed}% to win; these cards have {chance}%", values)
