"""The review of one hand for one seat: what every choice cost, given what the seat knew at that moment.

The honest cost of an action is how much more the best other action would have brought, on average over worlds
that fit what the seat knew, when hands are played out by players who see only their own cards. A few worlds
show which other action may have been better; fresh ones, the same for both actions, measure by how much: so
the choice of the best among many does not make it look better than it is. Everything follows from the hand,
the effort and the seed.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

from nousu.engine.actions import Action, Deal, Give, Play
from nousu.engine.cards import Card, card_set
from nousu.engine.game import Hand, View
from nousu.engine.messages import Note, sentence
from nousu.engine.seats import CHANCE, Seat
from nousu.games import games, part
from nousu.players import DEFAULT_BUDGET, Choice, Interrupter, find_player
from nousu.players.seat_loop import derive_seed
from nousu.players.worlds import World, worlds
from nousu.review.comparison import compare_in_worlds, floor_weights
from nousu.review.families import fallback
from nousu.review.key_cards import key_layouts
from nousu.review.model import (
    FULL,
    ChoiceCost,
    CurvePoint,
    HandReview,
    Interval,
    JudgedChoice,
    ReviewEffort,
    ReviewOption,
)
from nousu.review.playouts import points_ahead
from nousu.review.statistics import CLEAR, effective, interval, verdict

WORTH_A_LOOK = 0.05
"""Tricks by which another action must look better at first sight to be compared with the one taken."""
WHOLE = 13
"""Cards of a hand for which the effort says how many deals are solved."""
CURVE = 24
"""Worlds behind a point of the curve where a world costs milliseconds."""

Progress = Callable[[int, int], None]
"""Hears how many choices of how many have been weighed."""


class _Choice(NamedTuple):
    """A choice of the seat, as it stood before it."""

    step: int
    hand: Hand
    view: View
    action: Action

    @property
    def trick(self) -> int:
        """The number of the trick it belongs to, 0 before the cards."""
        playing = self.view.tricks or self.view.trick or isinstance(self.action, Play)
        return len(self.view.tricks) + 1 if playing else 0


class _Look(NamedTuple):
    """What a first look at a choice shows."""

    choice: _Choice
    options: Sequence[Any]
    best: int
    """The option that looks best; the one taken is the first."""
    estimate: float
    values: tuple[float, ...] | None
    """What each option is worth by that look, in the points of the hand where the family measures so."""
    rows: Sequence[Sequence[float]] | None
    weights: Sequence[float]


def review_hand(
    hand: Hand,
    seat: Seat,
    effort: ReviewEffort = FULL,
    seed: int = 0,
    seen: bool = True,
    only: Collection[int] | None = None,
) -> HandReview:
    """The review of a finished hand for `seat`. With `seen` false nothing is said that needs cards the seat
    has not seen by the end of the hand. With `only`, choices at other places of the log are passed over.

    `ValueError` if the hand is not over or nobody sits there.
    """
    result = hand.result()
    if result is None:
        raise ValueError("only a finished hand can be reviewed")
    if not 0 <= seat < hand.setup.seats:
        raise ValueError(f"there is no seat {seat}")
    view = hand.view(seat)
    family = part("nousu.review.families", view.game) or fallback
    choices = [] if result.void else list(_choices(hand, seat, view.game, only))
    looks = [_look(family, choice, effort, seed) for choice in choices]
    unit = family.unit(choices[-1].view) if choices else 1.0
    known = hand if seen or is_all_seen(hand, seat) else None
    outcome, counted = (getattr(family, name, None) for name in ("outcome", "counted"))
    points = points_ahead(result, view.game, seat) if outcome is None else outcome(result, view)
    points = 0.0 if result.void else points
    # Where nothing solves a deal, the hand itself shows as well as a playout what a choice was good for.
    judged = list(_judged(family, looks, effort, seed, known, None if outcome is None else points))
    curve = _curve(family, looks, effort, seed)
    if curve:
        last = len(view.tricks)
        if curve[-1].trick == last and len(curve) > 1:
            curve.pop()
        curve.append(CurvePoint(max(last, curve[-1].trick), points, len(hand.log)))
    return HandReview(
        game=view.game,
        number=hand.setup.number,
        seat=seat,
        points=points,
        unit=unit,
        curve=tuple(curve),
        judged=tuple(judged),
        choices=sum(len(look.options) > 1 for look in looks),
        refined=effort.worlds >= FULL.worlds,
        weighed=tuple(_weighed(family, looks, judged)),
        void=result.void,
        par=None if known is None or result.void else _par(family, known, seat, effort),
        counted="" if counted is None else counted(view),
    )


def is_all_seen(hand: Hand, seat: Seat) -> bool:
    """Whether by the end of the hand `seat` knows where every card was: nothing is left unplayed."""
    view = hand.view(seat)
    left = any(count for at, count in enumerate(view.counts) if at != seat)
    hidden = any(isinstance(action, Give) and action.cards[0] < 0 for _, action in view.heard)
    stock = any(by == CHANCE and isinstance(action, Deal) and action.stock for by, action in view.heard)
    return not (left or hidden or stock)


def _choices(hand: Hand, seat: Seat, game: str, only: Collection[int] | None) -> Iterator[_Choice]:
    """The choices of a seat with more than one way, as it saw them; out of turn silence is one."""
    here = games()[game].start(hand.view(None).rules, hand.setup)
    for step, (by, action) in enumerate(hand.log):
        asked = by == seat and (only is None or step in only)
        if asked and (len(here.legal(seat)) > 1 or seat not in here.owed()):
            yield _Choice(step, here, here.view(seat), action)
        here = here.apply(by, action)


def _drawn(family: ModuleType, choice: _Choice, count: int, seed: int, what: str) -> list[World]:
    rng = Random(derive_seed(seed, choice.step, what))
    found = getattr(family, "imagined", worlds)(choice.view)
    return [found.sample(rng) for _ in range(count)]


def _look(family: ModuleType, choice: _Choice, effort: ReviewEffort, seed: int) -> _Look:
    view = choice.view
    options = family.options(view, choice.action)
    first = next((at for at, one in enumerate(options) if one == choice.action), None)
    if first is None:
        return _Look(choice, [choice.action], 0, 0.0, None, None, ())
    options = [options[first], *options[:first], *options[first + 1 :]]
    slow = family.slow(view)
    drawn = _drawn(family, choice, effort.screen // 6 if slow else effort.screen, seed, "look")
    rows = family.screen(view, options, drawn, derive_seed(seed, choice.step))
    if rows is None:
        # Nothing cheap tells: what the players would do is taken for the better, worth a closer look.
        best = 1 if len(options) > 1 else 0
        return _Look(choice, options, best, family.unit(view) / 2 if best else 0.0, None, None, ())
    weights = floor_weights(family.weights(view, drawn))
    means = tuple(_mean(row, weights) for row in rows)
    gains = [mean - means[0] for mean in means]
    best = max(range(len(options)), key=lambda at: (gains[at], -at))
    both = _by_both(family, view, options, gains, drawn, effort)
    liked = [at for at, gain in enumerate(gains) if gain > -CLEAR * family.unit(view)]
    if both is not None and max(both[at] for at in liked) > WORTH_A_LOOK * family.unit(view):
        best = max(liked, key=lambda at: (both[at], -at))
        return _Look(choice, options, best, both[best], means, rows, weights)
    return _Look(choice, options, best, gains[best], means, rows, weights)


def _by_both(
    family: ModuleType,
    view: View,
    options: Sequence[Action | None],
    gains: Sequence[float],
    drawn: Sequence[World],
    effort: ReviewEffort,
) -> list[float] | None:
    """What each option brings more than the one taken, by the mean of playing out (`gains`) and of solving
    some of the same worlds; None where they are not solved."""
    if not effort.looked or family.slow(view):
        return None
    rows = family.solved(view, options, drawn[: effort.looked], effort)
    if rows is None:
        return None
    means = [sum(row) / len(row) for row in rows]
    return [(gain + mean - means[0]) / 2 for gain, mean in zip(gains, means, strict=True)]


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    return sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights)


def _judged(
    family: ModuleType,
    looks: Sequence[_Look],
    effort: ReviewEffort,
    seed: int,
    known: Hand | None,
    came_to: float | None,
) -> Iterator[JudgedChoice]:
    """The choices that are worth words; `known` is the hand where all its cards may be spoken of, `came_to`
    what it brought where that tells what its choices were good for."""
    doubtful = [look for look in looks if _doubtful(family, look)]
    dear = sorted((look for look in doubtful if family.slow(look.choice.view)), key=lambda one: -one.estimate)
    left_out = {look.choice.step for look in dear[effort.candidates :]}
    for look in looks:
        if len(look.options) < 2:
            continue
        cost_seen, line = (None, ()) if known is None else _seen(family, look, effort, came_to)
        if look in doubtful and look.choice.step not in left_out:
            yield replace(_compared(family, look, effort, seed, cost_seen), line=line)
        elif cost_seen is not None and look.choice.step not in left_out:
            unit = family.unit(look.choice.view)
            none = Interval(0.0, 0.0, 0.0)
            said = verdict(none, none, cost_seen, None, effort.screen, unit)
            if said == "unlucky":
                yield replace(_plain(family, look, cost_seen), line=line)


def _doubtful(family: ModuleType, look: _Look) -> bool:
    """Whether something else looked better at first sight, by enough to be worth a comparison."""
    return bool(look.best) and look.estimate > WORTH_A_LOOK * float(family.unit(look.choice.view))


def _weighed(
    family: ModuleType, looks: Sequence[_Look], judged: Sequence[JudgedChoice]
) -> Iterator[ChoiceCost]:
    """Each choice with what it cost; those that looked doubtful but were left out say nothing."""
    costs = {one.step: max(one.cost.mean, 0.0) for one in judged}
    kind = getattr(family, "kind", None)
    for look in looks:
        choice = look.choice
        measured = choice.step in costs or not _doubtful(family, look)
        if len(look.options) > 1 and measured and kind is not None:
            yield ChoiceCost(choice.step, kind(choice.view, choice.action), costs.get(choice.step, 0.0))


def _par(family: ModuleType, hand: Hand, seat: Seat, effort: ReviewEffort) -> float | None:
    """What the hand was worth for `seat` from the first lead on, all cards seen; None where nothing tells."""
    find = getattr(family, "par", None)
    if find is None:
        return None
    here = games()[hand.view(None).game].start(hand.view(None).rules, hand.setup)
    for by, action in hand.log:
        if isinstance(action, Play):
            truth = _truth(here, tuple(card_set(here.view(at).cards) for at in range(hand.setup.seats)))
            found: float | None = find(here.view(by), truth, seat, effort)
            return found
        here = here.apply(by, action)
    return None


def _seen(
    family: ModuleType, look: _Look, effort: ReviewEffort, came_to: float | None
) -> tuple[float | None, tuple[Card, ...]]:
    """What the action taken costs with all cards open, and how the best play goes on; nothing where none has
    been dealt."""
    if not any(isinstance(action, Deal) for _, action in look.choice.hand.log):
        return None, ()
    hands = tuple(card_set(look.choice.hand.view(seat).cards) for seat in range(len(look.choice.view.counts)))
    truth = _truth(look.choice.hand, hands)
    rows = family.solved(look.choice.view, look.options, [truth], effort)
    if rows is None:
        return None, ()
    find = getattr(family, "line", None)
    line: tuple[Card, ...] = () if find is None else find(look.choice.view, truth, effort)
    taken = rows[0][0] if came_to is None else max(rows[0][0], came_to)
    return float(max(max(row[0] for row in rows) - taken, 0.0)), line


def _truth(hand: Hand, hands: tuple[int, ...]) -> World:
    """The world as it is."""
    deals = [action for by, action in hand.log if by == CHANCE and isinstance(action, Deal)]
    given = tuple(action.cards for _, action in hand.log if isinstance(action, Give))
    return World(hands, tuple(map(card_set, deals[-1].hands)), deals[-1].stock, given)


def _plain(family: ModuleType, look: _Look, seen: float) -> JudgedChoice:
    """An action that was as good as any by what was known, and dear as the cards lay."""
    none = Interval(0.0, 0.0, 0.0)
    return JudgedChoice(
        step=look.choice.step,
        seat=look.choice.view.seat or 0,
        trick=look.choice.trick,
        table=look.choice.view.trick,
        cards=look.choice.view.cards,
        action=look.choice.action,
        best=look.choice.action,
        cost=none,
        uniform=none,
        seen=seen,
        second=None,
        verdict="unlucky",
        worlds=len(look.weights),
        effective=effective(look.weights),
        options=_options(look),
        layouts=(),
        reason=_reason(family, look, look.choice.action, _options(look)),
    )


def _options(look: _Look) -> tuple[ReviewOption, ...]:
    """The options by the first look, the best first."""
    if look.rows is None:
        return ()
    found = [
        ReviewOption(action, _mean(row, look.weights), _mean([float(one > 0) for one in row], look.weights))
        for action, row in zip(look.options, look.rows, strict=True)
    ]
    return tuple(sorted(found, key=lambda one: -one.value))


def _shrunk(look: _Look, best: ReviewOption, taken: ReviewOption) -> list[ReviewOption]:
    """The options by the first look, put beside the two that were measured in fresh deals: those that looked
    better than the one taken keep as much of that as the best of them did, for luck made it the best."""
    if look.values is None:
        return []
    first, ahead = look.values[0], look.values[look.best] - look.values[0]
    kept = min(max((best.value - taken.value) / ahead, 0.0), 1.0) if ahead > 0 else 1.0
    return [
        one._replace(value=taken.value + (one.value - first) * (kept if one.value > first else 1.0))
        for one in _options(look)
    ]


def _compared(
    family: ModuleType, look: _Look, effort: ReviewEffort, seed: int, seen: float | None
) -> JudgedChoice:
    """The action taken against the one that looked best, in fresh worlds, until the difference is clear."""
    choice, view = look.choice, look.choice.view
    slow, unit = family.slow(view), family.unit(view)
    pair = [look.options[0], look.options[look.best]]
    most = effort.slow_worlds if slow else effort.worlds
    drawn = _drawn(family, choice, most, seed, "compare")
    got = compare_in_worlds(
        family, view, pair, drawn, [1.0] * most, lambda at: derive_seed(seed, choice.step, at)
    )
    taken, other, weights, cost, uniform = got
    costs = [two - one for one, two in zip(taken, other, strict=True)]
    played = drawn[: len(taken)]
    second = None
    # A short hand is solved sooner: as many more deals take about as long.
    rows = family.solved(view, pair, played[: effort.solved * WHOLE // max(1, *view.counts)], effort)
    if rows is not None:
        second = interval(
            [one - two for one, two in zip(rows[1], rows[0], strict=True)], [1.0] * len(rows[0])
        )
    elif getattr(family, "also", lambda *_: False)(view, *pair):
        second = Interval(0.0, 0.0, 0.0)
    said = verdict(cost, uniform, seen, second, effective(weights), unit)
    chance = getattr(family, "chance", lambda hand, seat: None)(choice.hand, view.seat)
    match = None
    if chance is not None:
        lost = [100 * (chance(one) - chance(two)) for one, two in zip(other, taken, strict=True)]
        match = interval(lost, weights)
    better = cost.mean > 0
    options = tuple(
        ReviewOption(action, _mean(row, weights), _mean([float(one > 0) for one in row], weights))
        for action, row in ((pair[1], other), (pair[0], taken))
    )
    rest = [] if slow else [one for one in _shrunk(look, *options) if one.action not in pair]
    ranked = tuple(sorted((*options, *rest), key=lambda one: -one.value))
    known = card_set(view.cards)
    best = pair[1] if better and said != "good" else choice.action
    return JudgedChoice(
        step=choice.step,
        seat=view.seat or 0,
        trick=choice.trick,
        table=view.trick,
        cards=view.cards,
        action=choice.action,
        best=best,
        cost=cost,
        uniform=uniform,
        seen=seen,
        second=None if second is None else second.mean,
        verdict=said,
        worlds=len(played),
        effective=effective(weights),
        options=ranked,
        layouts=key_layouts([world.hands for world in played], known, costs, weights),
        reason=_reason(family, look, best, options),
        match=match,
    )


def _usual(view: View) -> Choice | None:
    """What the rules of thumb would do; None where the seat spoke out of turn and they would be silent."""
    player = find_player("rules")
    if view.seat in view.owed:
        return player.choose(view, DEFAULT_BUDGET, 0)
    return player.interrupt(view, DEFAULT_BUDGET, 0) if isinstance(player, Interrupter) else None


def _reason(
    family: ModuleType, look: _Look, best: Action | None, options: Sequence[ReviewOption]
) -> Note | None:
    """Why a strong player acts so: the rule of thumb that says it, else what the deals say."""
    view = look.choice.view
    why = getattr(family, "reason", None)
    value = next((one for one in options if one.action == best), None)
    if why is not None and value is not None:
        found: Note | None = why(view, best, options)
        if found is not None:
            return found
    usual = _usual(view)
    if (
        usual is not None
        and best is not None
        and family.same(view, usual.action, best)
        and usual.reason is not None
    ):
        return usual.reason
    if value is None or best is None:
        return None
    message = sentence(
        "Best in {worlds} imagined deal: {average} points on average",
        "Best in {worlds} imagined deals: {average} points on average",
    )
    count = max(1, len(look.weights))
    return Note("", message, {"worlds": count, "average": f"{value.value:+.1f}"})


def _curve(family: ModuleType, looks: Sequence[_Look], effort: ReviewEffort, seed: int) -> list[CurvePoint]:
    """What the hand promised after each choice, by what the seat knew."""
    found: list[CurvePoint] = []
    for look in looks:
        choice, view = look.choice, look.choice.view
        if family.slow(view):
            if choice.trick == 0 or (found and found[-1].trick == choice.trick):
                continue
            drawn = _drawn(family, choice, max(2, CURVE * effort.screen // FULL.screen), seed, "curve")
            (row,) = family.measure(view, [choice.action], drawn, derive_seed(seed, choice.step))
            value = _mean(row, floor_weights(family.weights(view, drawn)))
        elif look.values is None:
            continue
        else:
            value = look.values[0]
            if not found and look.best:
                found.append(CurvePoint(0, look.values[look.best], choice.step))
        if found and found[-1].trick == choice.trick > 0:
            found.pop()
        found.append(CurvePoint(choice.trick, value, choice.step))
    return found
