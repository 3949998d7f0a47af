"""Searching in the whist family: cards by playouts, sooli and its exchange by solving.

Bids are by rules of thumb or, where the effort is `learned`, by playing out (`bidding`). A card is tried in
many worlds and all play on by habit, seeing only their own cards (`playouts`); no world is left out for being
too large. Worlds are sampled uniformly and weighted by how well they fit the bids that were turned up (a high
bidder is probably strong, a soloist holds few dangerous cards) and the cards that were played.
"""

from collections.abc import Callable, Sequence
from functools import partial
from math import exp, prod, sqrt
from operator import mul
from random import Random

from nousu.engine.actions import Action, Call, Give, Play, Show
from nousu.engine.cards import ACE_LOW, LANE, Card, CardSet, card_set, cards_of
from nousu.engine.game import View
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat, partner, side
from nousu.games.whist import (
    BOOK,
    PASS,
    SOOLI,
    TRICKS,
    Facts,
    bid_in,
    means_high,
    sooli_scores,
)
from nousu.players import Choice, choice_because
from nousu.players.searcher import (
    RATED,
    SearchEffort,
    all_worlds,
    best_on_average,
    certain_choice,
    explain_comparison,
    explain_safest,
    safest_action,
    sample_worlds,
    shares_reached,
    solve_within,
    weighted_means,
)
from nousu.players.whist import bidding, policy, signals, soolis
from nousu.players.whist.bid_lines import bid_strength
from nousu.players.whist.inference import deduce
from nousu.players.whist.playouts import MAX_SURPRISE, plan_values, play_out, playout_hands, public_table
from nousu.players.whist.rules import HIGH_BID, danger, high_bid_strength, high_strength
from nousu.players.whist.utility import (
    Utility,
    points_standing,
    trick_step,
    trick_utility,
    utility_for,
    win_percent,
)
from nousu.players.worlds import World, played_by
from nousu.solver import native
from nousu.solver.position import Goal, Position, Sooli, sooli_position
from nousu.solver.views.whist import goal_of, position_of

LEANING = 0.05
"""Margin, in tricks, by which another card must be better than the rule-based player's."""
PLAYED = 3
"""Deals played out at the first trick for each one the effort allows; later, where a hand is shorter, more,
so that every choice takes about as long. Ten instead of three gained nothing in 120 pairs."""
LEARNED = 1000.0
"""Playouts by learned play: tricks for each deal of the effort."""
HUNTED = 3
"""Deals drawn by a hunter of a sooli for each one of the effort."""
DRAWING = 45
"""Tricks for which sampling a deal counts, so that choices take about as long at every trick."""
STRANGE = 0.35
"""Decay of a deal's weight (exponent of e) for each card that its holder would not have played by habit.
Twice as much makes the true deal likelier (`bench/experiments/inference_likelihood.py`) and won nothing in
2,000 pairs."""
STRANGE_LEARNED = 0.4
"""`STRANGE` for each unit by which a card is rated worse by policy."""
PRIOR, UNIT = 40, 0.2
"""The ratings of the policy count like so many deals in which each unit is worth so much of a trick. With
this, choices by few deals came closest to those by 2,500 deals (198 choices)."""
NOISE = 2.0
"""Standard errors by which a card may be worse than another and count as equal to it."""
UNIT_SOOLI = 0.05
"""`UNIT` in a sooli: so much of making it rather than losing it."""
PREMIUM = 0.5
"""Tricks' worth on average that is given up for scoring whatever the deal, where all deals are known."""
DRAWN, DRAWN_SOOLI = 4, 16
"""Number of worlds drawn for each one that is kept after weighing the bids; safe hands are rare."""
HOPELESS = 9.0
"""Danger from which on sooli is not considered."""
MADE = (-0.57, -0.34, 2.36)
"""The chance to make a sooli at the table as a logistic function: constant, danger after the exchange, root
of the share made with all cards seen. Opponents who see all cards break nearly every one, real ones do not:
fitted to 448 soolis of `expert`, of which 30 % were made (`bench/experiments/sooli_chance.py`)."""
RAMI = (9.38, -0.209, 1.94)
"""Tricks of the bidding side in a rami: their mean when a defender's hand has no strength, what each point
of its `high_strength` takes off, and their spread. From 1,700 ramis of the rule-based players."""


def choose(view: View, effort: SearchEffort, seed: int, usual: Choice) -> Choice:
    """The action of a searching player; `usual` is that of the rule-based one."""
    rng = Random(seed)
    match Facts.of(view.facts).phase:
        case "play" if isinstance(usual.action, Play) and not Facts.of(view.facts).caught:
            return _card(view, effort, rng, usual)
        case "bid" if effort.learned and native.core is not None:
            return bidding.choose_bid(view, effort, rng, usual, seed)
        case "sooli":
            return _sooli(view, effort, rng, usual)
        case "discard" | "return" | "give":
            return _exchange(view, effort, rng, usual)
    return usual


# ---------------------------------------------------------------------------------------- worlds


def likely_worlds(view: View, count: int, rng: Random, learned: bool = False) -> list[World]:
    """Worlds of the view, chosen by how well the hands dealt in them fit the bids turned up."""
    fits = _fits(view, learned)
    if not fits:
        return sample_worlds(view, count, rng)
    drawn = sample_worlds(view, (DRAWN_SOOLI if _safe in fits.values() else DRAWN) * count, rng)
    weights = []
    for world in drawn:
        weight = 1.0
        for seat, fit in fits.items():
            weight *= fit(world.dealt[seat])
        weights.append(weight)
    return rng.choices(drawn, weights, k=count) if sum(weights) > 0 else drawn[:count]


def _fits(view: View, learned: bool) -> dict[Seat, Callable[[CardSet], float]]:
    """Likelihood of a known bid by the hand behind it, for each other seat with such a bid.

    `learned`: at that score and place in the order of turning up.
    """
    fits: dict[Seat, Callable[[CardSet], float]] = {}
    rules = view.rules
    for by, action in view.heard:
        if by == view.seat:
            continue
        bid = bid_in(action) if isinstance(action, Show | Call) else None
        if bid is not None:
            line = high_bid_strength(view, by) if learned and rules.bid_mode != "spoken" else HIGH_BID
            fits[by] = partial(_strong if means_high(bid, rules) else _weak, line)
        elif action == SOOLI:
            fits[by] = _safe
    return fits


def _strong(line: float, cards: CardSet) -> float:
    return 1 / (1 + exp(line - bid_strength(cards)))


def _weak(line: float, cards: CardSet) -> float:
    return 1 / (1 + exp(bid_strength(cards) - line))


def _safe(cards: CardSet) -> float:
    return exp(-1.5 * danger(cards))


def problem_of(view: View, hands: Sequence[CardSet]) -> tuple[Position, Goal]:
    """The position on the table with these hands, and the goal."""
    return position_of(view, tuple(hands)), goal_of(view)


# -------------------------------------------------------------------------------------------- play


def _card(view: View, effort: SearchEffort, rng: Random, usual: Choice) -> Choice:
    """The card with the best average when all play on by habit (or policy), seeing their own cards only.

    Deals are weighted by the bids and by the cards played. In the last tricks, where every deal is looked at,
    the viewer does not play on by habit but by the best plan that is one for all of them (`plan_values`), and
    a card that is certain to reach the goal is preferred at a price (`safest_action`).
    """
    seat, soloist = view.seat, Facts.of(view.facts).soloist
    assert seat is not None
    left = max(view.counts[seat] for seat in range(4) if seat != Facts.of(view.facts).out)
    learned = effort.learned and policy.is_covered(view)
    if learned:
        usual = Choice(Play(policy.best_card(view)), RATED)
    if left > effort.cards or native.core is None:
        return _solved(view, effort, rng, usual) if left <= effort.cards else usual
    cards = [action for action in view.legal if isinstance(action, Play)]
    by = utility_for(view)
    value = trick_utility(view, by)
    trick = trick_step(value, view)
    drawn, ways, known = _deals(view, effort, rng, learned)
    table = public_table(view), [playout_hands(view, world) for world in drawn]
    nets = policy.packed_weights() if learned else b""
    firsts = [play.card for play in cards]
    playouts = play_out(*table, firsts, seat, nets)
    weights = world_weights(view, drawn, ways, playouts.deviations, learned)
    total = sum(weights)
    rows = [[value(gained) for gained in row] for row in playouts.gained]
    if not known:
        means = weighted_means(rows, weights)
    else:
        means = [value_sum / total for value_sum in plan_values(*table, weights, value, firsts, seat, nets)]
        certain = _certain_cards(view, effort, drawn, cards, value)
        best = safest_action(cards, means, rows, usual.action, LEANING * trick, certain, PREMIUM * trick)
        if best.secured or len(drawn) == 1:
            at = [card for card, play in zip(firsts, cards, strict=True) if play == best.action]
            points = (
                plan_values(*table, weights, trick_utility(view, points_standing), at, seat, nets)[0] / total
            )
            return explain_safest(best, len(drawn), f"{points:+.1f}")
    judged_by, leaning = means, LEANING * trick
    if learned and not known:
        share = PRIOR * sum(weight * weight for weight in weights) / total**2
        behind = policy.shortfalls(view, MAX_SURPRISE)
        unit = UNIT if soloist is None else UNIT_SOOLI
        judged_by = [mean - share * unit * trick * less for mean, less in zip(means, behind, strict=True)]
        leaning = 0.0
    action, _ = best_on_average(cards, [[estimate] for estimate in judged_by], usual.action, leaning)
    if learned and view.trick and not known and soloist is None:
        action = Play(_card_among_alike(view, cards, action, rows, weights, LEANING * trick))
    mean = next(mean for play, mean in zip(cards, means, strict=True) if play == action)
    if learned and mean < max(means) - LEANING * trick:
        return Choice(action, RATED)
    least = _least(view, value)
    made = shares_reached([[utility >= least for utility in row] for row in rows], weights)
    return explain_comparison(cards, action, means, made, len(drawn), _goal(view), by is win_percent)


def _deals(
    view: View, effort: SearchEffort, rng: Random, learned: bool
) -> tuple[list[World], Sequence[float], bool]:
    """Deals with their weights by number of ways and by signals, and whether they are all there are."""
    known = all_worlds(view, effort, rng)
    soloist = Facts.of(view.facts).soloist
    hunted = None if soloist == view.seat else soloist
    if known is None:
        left = max(view.counts[seat] for seat in range(4) if seat != Facts.of(view.facts).out)
        count = PLAYED * effort.worlds * TRICKS / left
        if learned:
            count = LEARNED * effort.worlds / (DRAWING + left * len(view.legal))
        if hunted is not None:
            count = HUNTED * effort.worlds
        drawn, ways = drawn_worlds(view, max(1, round(count)), rng)
    else:
        drawn, ways = known
    if known is not None and hunted is not None:
        played = played_by(view)[hunted]
        ways = [
            way * soolis.safety(world.hands[hunted] | played) for world, way in zip(drawn, ways, strict=True)
        ]
    if learned and signals.are_agreed(view.rules):
        ways = [*map(mul, ways, signals.world_likelihoods(view, drawn))]
    return drawn, ways, known is not None


def _card_among_alike(
    view: View,
    cards: Sequence[Play],
    chosen: Action,
    values: Sequence[Sequence[float]],
    weights: Sequence[float],
    most: float,
) -> Card:
    """Of the card chosen and those that do as well, the card of the code or the cheapest.

    A card of the suit does as well if no unseen one lies between, or if it is not worse beyond the noise. The
    cheapest is the lowest, in a nolo the highest.

    Args:
        view: The view of the seat on turn, not at a lead.
        cards: The legal cards.
        chosen: The one that is best on average.
        values: The value of each card in each world.
        weights: The weights of the worlds.
        most: A difference in value that is beyond the noise in any case.
    """
    assert isinstance(chosen, Play)
    table, own, total = deduce(view), values[cards.index(chosen)], sum(weights)
    alike = [chosen.card]
    for play, row in zip(cards, values, strict=True):
        card = play.card
        if play == chosen or card.suit != chosen.card.suit or table.beats(card) != table.beats(chosen.card):
            continue
        behind = [best - value for best, value in zip(own, row, strict=True)]
        mean = sum(map(mul, behind, weights)) / total
        spread = sum([(weight * (less - mean)) ** 2 for weight, less in zip(weights, behind, strict=True)])
        touches = table.above(card) == table.above(chosen.card)
        if touches or mean <= min(NOISE * sqrt(spread) / total, most):
            alike.append(card)
    coded = signals.code_card(view, alike) if signals.are_agreed(view.rules) else None
    if coded is not None:
        return coded
    return max(alike) if Facts.of(view.facts).kind == "low" else min(alike)


def drawn_worlds(view: View, count: int, rng: Random) -> tuple[list[World], list[float]]:
    """So many worlds in which to try a card, and how much each counts beside the others."""
    if Facts.of(view.facts).soloist not in (None, view.seat):
        return soolis.likely_worlds(view, count, rng)
    return sample_worlds(view, count, rng), [1.0] * count


def world_weights(
    view: View,
    drawn: Sequence[World],
    ways: Sequence[float],
    deviations: Sequence[float],
    learned: bool = False,
) -> Sequence[float]:
    """Weights of the deals by the bids turned up, less for cards against habit (`learned`: policy).

    Returns `ways` where that leaves nothing.
    """
    fits = _fits(view, learned)
    soloist = Facts.of(view.facts).soloist
    if soloist not in (None, view.seat):
        fits.pop(soloist)  # hunters draw worlds by the soloist's cards
    strangeness = STRANGE_LEARNED if learned else STRANGE
    weights = [
        way * exp(-strangeness * cards) * prod(fit(world.dealt[seat]) for seat, fit in fits.items())
        for world, way, cards in zip(drawn, ways, deviations, strict=True)
    ]
    return weights if sum(weights) > 0 else ways


def _goal(view: View) -> str:
    """The goal of a side, as the reason of a card names it."""
    facts = Facts.of(view.facts)
    assert view.seat is not None
    if facts.soloist is not None and side(facts.soloist) == side(view.seat):
        return sentence("The chance that the sooli is made is {made}%, after the next best card {other}%")
    if facts.soloist is not None:
        return sentence("The chance that the sooli is broken is {made}%, after the next best card {other}%")
    if facts.kind == "high":
        return sentence("The chance of seven tricks is {made}%, after the next best card {other}%")
    return sentence("The chance of at most six tricks is {made}%, after the next best card {other}%")


def _certain_cards(
    view: View,
    effort: SearchEffort,
    worlds: Sequence[World],
    cards: Sequence[Play],
    value: Callable[[int], float],
) -> list[bool]:
    """For each card, True if it reaches the goal of the hand in every deal, whatever the others do."""
    answers = solve_within([problem_of(view, world.hands) for world in worlds], effort)
    if len(answers) < len(worlds):
        return [False] * len(cards)
    least = _least(view, value)
    return [all(value(answer.moves[play.card]) >= least for answer in answers.values()) for play in cards]


def _solved(view: View, effort: SearchEffort, rng: Random, usual: Choice) -> Choice:
    """Without the compiled core: the last cards of a few deals, solved with all cards seen."""
    cards = [action for action in view.legal if isinstance(action, Play)]
    value = trick_utility(view, utility_for(view))
    trick = trick_step(value, view)
    drawn = likely_worlds(view, effort.worlds, rng, effort.learned)
    answers = solve_within([problem_of(view, world.hands) for world in drawn], effort)
    if len(answers) < min(2, len(drawn)):
        return usual
    rows = [[value(answer.moves[play.card]) for answer in answers.values()] for play in cards]
    action, _ = best_on_average(cards, rows, usual.action, LEANING * trick)
    points = trick_utility(view, points_standing)
    brought = [points(answer.moves[action.card]) for answer in answers.values() if isinstance(action, Play)]
    return choice_because(
        action,
        sentence(
            "Best in {worlds} imagined deal: {average} points on average",
            "Best in {worlds} imagined deals: {average} points on average",
        ),
        worlds=len(answers),
        average=f"{sum(brought) / len(brought):+.1f}",
    )


def sure_choice(view: View, effort: SearchEffort, rng: Random, usual: Choice) -> Choice | None:
    """A card that reaches the goal of the hand however the cards lie.

    None where many ways are left, there is no such card, or the usual one is one.
    """
    known = None
    if (
        isinstance(usual.action, Play)
        and max(view.counts) <= effort.cards
        and not Facts.of(view.facts).caught
    ):
        known = all_worlds(view, effort, rng)
    if known is None:
        return None
    cards = [action for action in view.legal if isinstance(action, Play)]
    reached = _certain_cards(view, effort, known[0], cards, trick_utility(view, points_standing))
    return certain_choice(cards, reached, usual, len(known[0]))


def _least(view: View, value: Callable[[int], float]) -> float:
    """The least utility of reaching the goal of the hand: scoring, or the sooli made or broken."""
    assert view.seat is not None
    north = side(view.seat) == 0
    facts = Facts.of(view.facts)
    match facts.kind:
        case "high":
            return value(BOOK + 1 if north else BOOK)
        case "low":
            return value(BOOK if north else BOOK + 1)
    assert facts.soloist is not None
    return value(int(side(view.seat) == side(facts.soloist)))


# ------------------------------------------------------------------------------------------- sooli


def _gift(cards: CardSet) -> CardSet:
    """The card a partner would push over: a low one, from a suit where it holds others too."""
    lengths = [(cards >> 16 * suit & LANE).bit_count() for suit in range(4)]
    return 1 << min(cards_of(cards), key=lambda card: (ACE_LOW[card.rank], lengths[card.suit]))


def _most_dangerous(cards: CardSet) -> CardSet:
    """The card a soloist would throw away."""
    return 1 << min(cards_of(cards), key=lambda card: (danger(cards & ~(1 << card)), -ACE_LOW[card.rank]))


def _after_exchange(view: View, hands: Sequence[CardSet], soloist: Seat) -> tuple[CardSet, ...]:
    """The hands after an exchange made by rule of thumb."""
    changed = list(hands)
    mate = partner(soloist)
    exchange = view.rules.sooli_exchange
    if exchange == "discard_then_receive":
        changed[soloist] &= ~_most_dangerous(changed[soloist])
    if exchange != "none":
        gift = _gift(changed[mate])
        changed[mate] &= ~gift
        changed[soloist] |= gift
    if exchange == "receive_then_return":
        changed[soloist] &= ~_most_dangerous(changed[soloist])
    return tuple(changed)


def _problem(view: View, hands: Sequence[CardSet], soloist: Seat) -> tuple[Position, Goal]:
    return sooli_position(tuple(hands), soloist, view.rules.sooli_order), Sooli(soloist)


def _sooli(view: View, effort: SearchEffort, rng: Random, usual: Choice) -> Choice:
    """Sooli or not: the share of imagined deals in which it is made, against what the rami promises."""
    assert view.seat is not None
    if effort.cards < 13 or danger(card_set(view.cards)) > HOPELESS:
        return usual
    seat = view.seat
    drawn = likely_worlds(view, effort.worlds, rng, effort.learned)
    answers = solve_within(
        [_problem(view, _after_exchange(view, world.hands, seat), seat) for world in drawn], effort
    )
    if len(answers) < 2:
        return usual
    chance = sooli_chance(view, sum(answer.value for answer in answers.values()) / len(answers))
    by = utility_for(view)
    won, lost = (by(view, sooli_scores(view.rules, seat, whether)) for whether in (True, False))
    share = round(100 * chance)
    if chance * won + (1 - chance) * lost > rami_value(view, by):
        return choice_because(SOOLI, "The chance to make a sooli is {share}%", share=share)
    return choice_because(PASS, "The chance to make a sooli is only {share}%", share=share)


def sooli_chance(view: View, solved_share: float) -> float:
    """The chance to make a sooli with the viewer's hand, by the share of solved deals in which it is made."""
    cards = card_set(view.cards)
    if view.rules.sooli_exchange != "none":
        cards &= ~_most_dangerous(cards)
    constant, by_danger, by_share = MADE
    return 1 / (1 + exp(-(constant + by_danger * danger(cards) + by_share * sqrt(min(solved_share, 0.5)))))


def rami_value(view: View, by: Utility) -> float:
    """The utility of defending a rami before the first lead, by the strength of the viewer's hand."""
    value = trick_utility(view, by)
    bidder = Facts.of(view.facts).bidder
    assert bidder is not None
    bidders = side(bidder)
    mean, by_strength, spread = RAMI
    mean += by_strength * high_strength(card_set(view.cards))
    shares = [exp(-(((taken - mean) / spread) ** 2) / 2) for taken in range(14)]
    values = [value(taken if bidders == 0 else 13 - taken) for taken in range(14)]
    return float(sum(map(mul, shares, values)) / sum(shares))


def _exchange(view: View, effort: SearchEffort, rng: Random, usual: Choice) -> Choice:
    """The card thrown away, given or handed back after which sooli is made most often."""
    facts = Facts.of(view.facts)
    soloist = facts.soloist
    assert soloist is not None
    if effort.cards < 13:
        return usual
    gifts = [action for action in view.legal if isinstance(action, Give)]
    drawn = likely_worlds(view, max(2, effort.worlds // 2), rng, effort.learned)
    rows: list[list[float]] = []
    for gift in gifts:
        moved = card_set(gift.cards)
        problems = []
        for world in drawn:
            hands = list(world.hands)
            hands[view.seat or 0] &= ~moved
            if gift.to is not None:
                hands[gift.to] |= moved
            if facts.phase == "discard":
                push = _gift(hands[partner(soloist)])
                hands[soloist] |= push
            elif facts.phase == "give" and view.rules.sooli_exchange == "receive_then_return":
                hands[soloist] &= ~_most_dangerous(hands[soloist])
            problems.append(_problem(view, hands, soloist))
        share = SearchEffort(effort.worlds, effort.nodes // len(gifts), effort.cards)
        answers = solve_within(problems, share, want="value")
        if len(answers) < len(problems):
            return usual
        rows.append([100.0 * answer.value for answer in answers.values()])
    action, mean = best_on_average(gifts, rows, usual.action, 1.0)
    message = sentence("If all saw all cards, the sooli would be made in {share}% of the imagined deals")
    return choice_because(action, message, share=round(mean))
