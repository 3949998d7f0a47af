"""The review of one hand for one seat: the cost of each choice by the knowledge of the seat at that moment.

The honest cost of an action is how much more the best other action would have brought, on average over worlds
that fit what the seat knew, when hands are played out by players that see only their own cards. A few worlds
show which other action may have been better; fresh ones, the same for both actions, measure by how much. So
the choice of the best among many does not make it look better than it is. Everything follows from hand,
effort and seed.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from random import Random
from typing import NamedTuple

from nousu.engine.actions import Action, Deal, Give, Play
from nousu.engine.cards import Card, card_set
from nousu.engine.game import Hand, View
from nousu.engine.messages import Note
from nousu.engine.seats import CHANCE, Seat
from nousu.games import games
from nousu.players import DEFAULT_BUDGET, Choice, Interrupter, find_player
from nousu.players.seat_loop import derive_seed
from nousu.players.worlds import World
from nousu.review.comparison import Trial, compare_in_worlds, floor_weights
from nousu.review.families import (
    ChoiceKinds,
    FlawWords,
    MatchChances,
    MatchReview,
    MixedChoices,
    OwnMeasure,
    OwnReasons,
    ParReview,
    ReviewFamily,
    Rows,
    SolvedDoubts,
    deals_of,
    review_extension,
    review_family,
)
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
from nousu.review.statistics import CLEAR, effective, interval, verdict, weighted_mean

WORTH_A_LOOK = 0.05
"""Tricks by which another action must look better at first sight to be compared with the one taken."""
WHOLE = 13
"""Number of cards of a hand for which the effort counts deals to solve."""
CURVE = 24
"""Number of worlds behind a point of the curve where a world costs milliseconds."""
AHEAD = 0.5
"""Tricks by which a choice must look better than the next best at first sight to be praised."""
PRAISED = 2
"""The most choices of a hand that are praised."""


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
    """The result of a first look at a choice."""

    choice: _Choice
    options: Sequence[Action | None]
    best: int
    """The option that looks best; the one taken is the first."""
    estimate: float
    values: tuple[float, ...] | None
    """The value of each option by that look, in points; None where nothing cheap tells."""


def review_hand(
    hand: Hand,
    seat: Seat,
    effort: ReviewEffort = FULL,
    seed: int = 0,
    open_cards: bool = True,
    only: Collection[int] | None = None,
) -> HandReview:
    """Review a finished hand for one seat.

    Args:
        hand: The hand.
        seat: The seat whose choices are reviewed.
        effort: Counts of worlds and nodes to spend on it.
        seed: The seed of everything left to chance.
        open_cards: Whether all cards may be spoken of; else only those that the seat has seen by the end of
            the hand.
        only: Places of the log; choices at other places are passed over.

    Raises:
        ValueError: The hand is not over, or there is no such seat.
    """
    result = hand.result()
    if result is None:
        raise ValueError("only a finished hand can be reviewed")
    if not 0 <= seat < hand.setup.seats:
        raise ValueError(f"there is no seat {seat}")
    view = hand.view(seat)
    family = review_family(view.game)
    choices = [] if result.void else list(_choices(hand, seat, view.game, only))
    looks = [_look(family, choice, effort, seed) for choice in choices]
    known = hand if open_cards or is_all_seen(hand, seat) else None
    measure = review_extension(OwnMeasure, view.game)
    points = 0.0
    if not result.void:
        points = (
            points_ahead(result, view.game, seat) if measure is None else measure.hand_outcome(result, view)
        )
    # Without a solver, the hand itself values a choice as well as a playout does.
    judged = list(_judge_choices(family, looks, effort, seed, known, None if measure is None else points))
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
        unit=family.unit(choices[-1].view) if choices else 1.0,
        curve=tuple(curve),
        judged=tuple(judged),
        choices=sum(len(look.options) > 1 for look in looks),
        refined=effort.worlds >= FULL.worlds,
        weighed=tuple(_choice_costs(family, looks, judged)),
        void=result.void,
        par=None if known is None or result.void else _par(known, seat, effort),
        counted="" if measure is None else measure.counting_note(view),
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
    before = games()[game].start(hand.view(None).rules, hand.setup)
    for step, (by, action) in enumerate(hand.log):
        chosen = by == seat and (only is None or step in only)
        if chosen and (len(before.legal(seat)) > 1 or seat not in before.owed()):
            yield _Choice(step, before, before.view(seat), action)
        before = before.apply(by, action)


def _sample(choice: _Choice, count: int, seed: int, what: str) -> list[World]:
    rng = Random(derive_seed(seed, choice.step, what))
    deals = deals_of(choice.view)
    return [deals.sample(rng) for _ in range(count)]


def _look(family: ReviewFamily, choice: _Choice, effort: ReviewEffort, seed: int) -> _Look:
    view = choice.view
    others = list(family.options(view, choice.action))
    if choice.action not in others:
        return _Look(choice, [choice.action], 0, 0.0, None)
    others.remove(choice.action)
    options = [choice.action, *others]
    slow = family.slow(view)
    drawn = _sample(choice, effort.first_worlds // 6 if slow else effort.first_worlds, seed, "look")
    rows = family.first_values(view, options, drawn, derive_seed(seed, choice.step))
    if rows is None:
        # Without a cheap estimate, the players' own choices are taken for the better, worth a closer look.
        best = 1 if len(options) > 1 else 0
        return _Look(choice, options, best, family.unit(view) / 2 if best else 0.0, None)
    weights = floor_weights(family.weights(view, drawn))
    means = tuple(weighted_mean(row, weights) for row in rows)
    gains = [mean - means[0] for mean in means]
    best = max(range(len(options)), key=lambda at: (gains[at], -at))
    return _Look(choice, options, best, gains[best], means)


def _second_opinion(
    family: ReviewFamily,
    view: View,
    options: Sequence[Action | None],
    drawn: Sequence[World],
    effort: ReviewEffort,
) -> Rows | None:
    """Values of solved worlds; None where these may not contradict the playouts."""
    doubts = review_extension(SolvedDoubts, view.game)
    if doubts is not None and doubts.is_solving_misleading(view):
        return None
    return family.solved(view, options, drawn, effort)


def _judge_choices(
    family: ReviewFamily,
    looks: Sequence[_Look],
    effort: ReviewEffort,
    seed: int,
    known: Hand | None,
    came_to: float | None,
) -> Iterator[JudgedChoice]:
    """Judge the choices that are worth words.

    `known` is the hand if all its cards may be spoken of, `came_to` its points if they are a measure of its
    choices.
    """
    doubtful = [look for look in looks if _doubtful(family, look)]
    slow_looks = sorted(
        (look for look in doubtful if family.slow(look.choice.view)), key=lambda look: -look.estimate
    )
    left_out = {look.choice.step for look in slow_looks[effort.candidates :]}
    praised = _praiseworthy(family, looks)
    for look in looks:
        if len(look.options) < 2:
            continue
        if look.choice.step in praised:
            rival = look._replace(best=praised[look.choice.step])
            found = _compared(family, rival, effort, seed, False, None)
            if max(found.cost.high, found.uniform.high) < -CLEAR * family.unit(look.choice.view):
                yield replace(found, verdict="only")
                continue
        if look in doubtful and look.choice.step not in left_out:
            yield _compared(family, look, effort, seed, known is not None, came_to)


def _doubtful(family: ReviewFamily, look: _Look) -> bool:
    """Whether another action looked better at first sight, by enough to be worth a comparison."""
    return bool(look.best) and look.estimate > WORTH_A_LOOK * float(family.unit(look.choice.view))


def _praiseworthy(family: ReviewFamily, looks: Sequence[_Look]) -> dict[int, int]:
    """The next best option of choices that look far better than it and that rules of thumb would miss."""
    found: list[tuple[float, _Look, int]] = []
    for look in looks:
        view = look.choice.view
        if look.best or look.values is None or len(look.options) < 2:
            continue
        second = max(range(1, len(look.options)), key=look.values.__getitem__)
        lead = (look.values[0] - look.values[second]) / family.unit(view)
        if lead >= AHEAD:
            found.append((lead, look, second))
    found.sort(key=lambda row: (-row[0], row[1].choice.step))
    missed = ((look, second) for _, look, second in found if _is_missed(family, look.choice))
    return {look.choice.step: second for look, second in islice(missed, PRAISED)}


def _is_missed(family: ReviewFamily, choice: _Choice) -> bool:
    """Whether the rules of thumb choose something else."""
    usual = _usual(choice.view)
    return usual is not None and not family.same(choice.view, usual.action, choice.action)


def _choice_costs(
    family: ReviewFamily, looks: Sequence[_Look], judged: Sequence[JudgedChoice]
) -> Iterator[ChoiceCost]:
    """Each choice with its cost; choices that looked doubtful but were left out say nothing."""
    costs = {choice.step: max(choice.cost.mean, 0.0) for choice in judged}
    for look in looks:
        choice = look.choice
        kinds = review_extension(ChoiceKinds, choice.view.game)
        measured = choice.step in costs or not _doubtful(family, look)
        if len(look.options) > 1 and measured and kinds is not None:
            kind = kinds.kind(choice.view, choice.action)
            yield ChoiceCost(choice.step, kind, costs.get(choice.step, 0.0))


def _par(hand: Hand, seat: Seat, effort: ReviewEffort) -> float | None:
    """The value of the hand for `seat` from the first lead on, all cards seen; None without a solver."""
    family = review_extension(ParReview, hand.view(None).game)
    if family is None:
        return None
    before = games()[hand.view(None).game].start(hand.view(None).rules, hand.setup)
    for by, action in hand.log:
        if isinstance(action, Play):
            truth = _truth(before, tuple(card_set(before.view(at).cards) for at in range(hand.setup.seats)))
            return family.par(before.view(by), truth, seat, effort)
        before = before.apply(by, action)
    return None


class _AsTheCardsLay(NamedTuple):
    """A choice in the true deal."""

    open_cost: float | None = None
    """The cost of the action taken with all cards open and best play; None where that is not solved."""
    played_cost: float = 0.0
    """Its cost against the action that looked best, when both are played out."""
    line: tuple[Card, ...] = ()
    """The best play."""

    @property
    def cost(self) -> float | None:
        """The greater of both costs: an action cost nothing where neither says that it did."""
        return None if self.open_cost is None else max(self.open_cost, self.played_cost)


def _as_the_cards_lay(
    family: ReviewFamily, look: _Look, effort: ReviewEffort, seed: int, came_to: float | None
) -> _AsTheCardsLay:
    """The choice in the true deal; nothing before the deal."""
    view = look.choice.view
    if not any(isinstance(action, Deal) for _, action in look.choice.hand.log):
        return _AsTheCardsLay()
    truth = _truth(
        look.choice.hand,
        tuple(card_set(look.choice.hand.view(seat).cards) for seat in range(len(view.counts))),
    )
    rows = family.solved(view, look.options, [truth], effort)
    if rows is None:
        return _AsTheCardsLay()
    solver = review_extension(ParReview, view.game)
    line = () if solver is None else solver.line(view, truth, effort)
    taken = rows[0][0] if came_to is None else max(rows[0][0], came_to)
    (played,), (other,) = family.measure(view, [look.options[0], look.options[look.best]], [truth], seed)
    if came_to is not None:
        played = max(played, came_to)
    return _AsTheCardsLay(float(max(max(row[0] for row in rows) - taken, 0.0)), other - played, line)


def _truth(hand: Hand, hands: tuple[int, ...]) -> World:
    """The true world."""
    deals = [action for by, action in hand.log if by == CHANCE and isinstance(action, Deal)]
    given = tuple(action.cards for _, action in hand.log if isinstance(action, Give))
    return World(hands, tuple(map(card_set, deals[-1].hands)), deals[-1].stock, given)


def _compared(
    family: ReviewFamily,
    look: _Look,
    effort: ReviewEffort,
    seed: int,
    is_open: bool,
    came_to: float | None,
) -> JudgedChoice:
    """The action taken against the one that looked best, in fresh worlds, until the difference is clear.

    Deals are solved only where that may change the verdict or its words.
    """
    choice, view = look.choice, look.choice.view
    slow, unit = family.slow(view), family.unit(view)
    pair = [look.options[0], look.options[look.best]]
    most = effort.slow_worlds if slow else effort.worlds
    drawn = _sample(choice, most, seed, "compare")
    got = compare_in_worlds(
        family, view, pair, drawn, [1.0] * most, lambda at: derive_seed(seed, choice.step, at)
    )
    taken, other, weights, cost, uniform = got
    costs = [better_value - value for value, better_value in zip(taken, other, strict=True)]
    played = drawn[: len(taken)]
    second = None
    odds = review_extension(MixedChoices, view.game)
    mixed = odds is not None and odds.is_often_mixed(view, choice.action, pair[1])
    # A short hand is solved sooner: as many more deals take about as long.
    solved = played[: effort.solved * WHOLE // max(1, *view.counts)]
    needed = min(cost.low, uniform.low) > 0
    opinion = _second_opinion(family, view, pair, solved, effort) if needed else None
    if opinion is not None:
        second = interval(
            [value - better_value for value, better_value in zip(opinion[1], opinion[0], strict=True)],
            [1.0] * len(opinion[0]),
        )
    true = _AsTheCardsLay()
    if is_open and cost.mean > 0:
        true = _as_the_cards_lay(family, look, effort, derive_seed(seed, choice.step), came_to)
    again = played if needed else []
    match = _match_cost(choice, pair, got, again, derive_seed(seed, choice.step, "match"))
    judgement = verdict(cost, uniform, true.cost, second, effective(weights), unit, mixed, match)
    better = cost.mean > 0
    actions, rows = list(pair), [taken, other]
    rest = [action for action in look.options if action not in pair]
    if rest and judgement in ("mistake", "lucky") and not slow:
        actions += rest
        rows += family.measure(view, rest, played, derive_seed(seed, choice.step))
    options = tuple(
        ReviewOption(
            action, weighted_mean(row, weights), weighted_mean([float(value > 0) for value in row], weights)
        )
        for action, row in zip(actions, rows, strict=True)
    )
    known = card_set(view.cards)
    best = pair[1] if better and judgement != "good" else choice.action
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
        open_cost=true.open_cost,
        second=None if second is None else second.mean,
        verdict=judgement,
        worlds=len(played),
        effective=effective(weights),
        options=tuple(sorted(options, key=lambda option: -option.value)),
        layouts=key_layouts([world.hands for world in played], known, costs, weights),
        reason=_reason(family, look, best, options),
        line=true.line,
        match=match,
    )


def _match_cost(
    choice: _Choice, pair: Sequence[Action | None], got: Trial, again: Sequence[World], seed: int
) -> Interval | None:
    """The chance to win the match given away, in percent; None where it is not measured.

    Where points do not tell it, the worlds `again` are played out once more.
    """
    view = choice.view
    by_points = review_extension(MatchReview, view.game)
    by_playouts = review_extension(MatchChances, view.game)
    chances: Rows | None = None
    if by_playouts is not None and again:
        chances = by_playouts.match_chances(view, pair, again, seed)
    if by_points is not None and view.seat is not None:
        chance = by_points.chance(choice.hand, view.seat)
        if chance is not None:
            chances = [[chance(value) for value in row] for row in (got.taken, got.other)]
    if chances is None:
        return None
    return interval([100 * (better - value) for value, better in zip(*chances, strict=True)], got.weights)


def _usual(view: View) -> Choice | None:
    """The choice by rule of thumb; None where the seat spoke out of turn and that would be silence."""
    player = find_player("rules")
    if view.seat in view.owed:
        return player.choose(view, DEFAULT_BUDGET, 0)
    return player.interrupt(view, DEFAULT_BUDGET, 0) if isinstance(player, Interrupter) else None


def _reason(
    family: ReviewFamily, look: _Look, best: Action | None, options: Sequence[ReviewOption]
) -> Note | None:
    """The flaw, or the reason for the best action by the family, or for a word by rule of thumb; or none.

    The rules of thumb also have reasons for cards, but these prove nothing of another card.
    """
    view = look.choice.view
    flaws = review_extension(FlawWords, view.game)
    if flaws is not None and best != look.choice.action:
        flaw = flaws.flaw(view, look.choice.action, best)
        if flaw is not None:
            return flaw
    option = next((option for option in options if option.action == best), None)
    words = review_extension(OwnReasons, view.game)
    reason = None if words is None or option is None else words.reason(view, best, options)
    if reason is not None:
        return reason
    if best is None or isinstance(best, Play):
        return None
    usual = _usual(view)
    if usual is not None and family.same(view, usual.action, best) and usual.reason is not None:
        return usual.reason
    return None


def _curve(family: ReviewFamily, looks: Sequence[_Look], effort: ReviewEffort, seed: int) -> list[CurvePoint]:
    """The value of the hand after each choice, by the knowledge of the seat."""
    points: list[CurvePoint] = []
    for look in looks:
        choice, view = look.choice, look.choice.view
        if family.slow(view):
            if choice.trick == 0 or (points and points[-1].trick == choice.trick):
                continue
            drawn = _sample(choice, max(2, CURVE * effort.first_worlds // FULL.first_worlds), seed, "curve")
            (row,) = family.measure(view, [choice.action], drawn, derive_seed(seed, choice.step))
            value = weighted_mean(row, floor_weights(family.weights(view, drawn)))
        elif look.values is None:
            continue
        else:
            value = look.values[0]
            if not points and look.best:
                points.append(CurvePoint(0, look.values[look.best], choice.step))
        if points and points[-1].trick == choice.trick > 0:
            points.pop()
        points.append(CurvePoint(choice.trick, value, choice.step))
    return points
