"""Reviewing the whist family: cards played out in the compiled core, solved deals as the second opinion.

Without the compiled core everything is played out in Python, some hundred times slower.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from math import exp
from typing import Literal

from nousu.engine.actions import Action, Call, Give, Play, Seal, Show
from nousu.engine.cards import SUIT_SETS, Card, CardSet, card_set
from nousu.engine.game import Hand, View
from nousu.engine.seats import CHANCE, Seat, side
from nousu.games.whist import END, TRICKS, Facts, Rules, bid_in, means_high, score, sooli_scores
from nousu.players import DEFAULT_BUDGET, named
from nousu.players.seat_loop import number_of
from nousu.players.whist.equity import standing
from nousu.players.whist.playouts import Known, held, known_of, play_out
from nousu.players.whist.rules import HIGH_BID, danger, high_strength
from nousu.players.whist.searcher import problem_of
from nousu.players.worlds import World, played_by, relived
from nousu.review.model import Effort
from nousu.review.playouts import ahead, played_out
from nousu.solver import native
from nousu.solver.api import solve_many

DEEP = 10
"""How much further a whole hand is solved than one choice of it."""
STRANGE = 0.35
"""What a world weighs less, as the exponent of e, for each card that its holder would not have played."""


def slow(view: View) -> bool:
    """Whether a world costs milliseconds: without the core."""
    return native.core is None


def unit(view: View) -> float:
    """What a trick is worth, in points; a sooli counts as two."""
    facts, rules = Facts.of(view.facts), view.rules
    if facts.soloist is not None:
        return float(rules.sooli_points) / 2
    return float(rules.low_points if facts.kind == "low" else rules.high_points)


def bid_word(action: Seal, rules: Rules) -> str | None:
    """The word that a sealed bid stands for: ``rami``; None if it is hidden."""
    bid = bid_in(action)
    return None if bid is None else str(rules.words[0 if means_high(bid, rules) else 1])


def options(view: View, taken: Action) -> list[Action]:
    """What is compared: all that may be done, but one each of touching cards and of bids with one meaning."""
    if not any(isinstance(action, Seal) for action in view.legal):
        ways: list[Action] = [taken]
        for action in reversed(view.legal):
            if action != END and not any(same(view, one, action) for one in ways):
                ways.append(action)
        return ways
    found: dict[bool, Action] = {}
    for action in (taken, *view.legal):
        bid = bid_in(action) if isinstance(action, Seal) else None
        if bid is not None:
            found.setdefault(means_high(bid, view.rules), action)
    return list(found.values()) if isinstance(taken, Seal) else [taken, *found.values()]


def same(view: View, one: Action, other: Action) -> bool:
    """Whether two actions mean the same: bids of one meaning, cards with no other player's between them."""
    if one == other:
        return True
    if isinstance(one, Seal) and isinstance(other, Seal):
        bids = bid_in(one), bid_in(other)
        return None not in bids and len({means_high(bid, view.rules) for bid in bids if bid is not None}) == 1
    if not (isinstance(one, Play) and isinstance(other, Play)) or one.card.suit != other.card.suit:
        return False
    if Facts.of(view.facts).soloist is not None and 12 in (one.card.rank, other.card.rank):
        return False  # the ace is the lowest card then
    low, high = sorted((one.card, other.card))
    between = ((1 << high) - 1) & ~((2 << low) - 1)
    trick = card_set(card for _, card in view.trick)
    gone = sum(played_by(view)) & ~trick | card_set(view.cards)
    return not between & SUIT_SETS[low.suit] & ~gone


def comparable(view: View, one: Action, other: Action) -> bool:
    """Whether two actions can be played out beside each other: all of them."""
    return True


def kind(view: View, action: Action) -> str:
    """What is chosen: a bid by what it means, a sooli, the exchange, a card by the kind of hand and turn."""
    facts = Facts.of(view.facts)
    bid = bid_in(action)
    if bid is not None:
        return "bid high" if means_high(bid, view.rules) else "bid low"
    if isinstance(action, Give):
        return "exchange"
    if not isinstance(action, Play):
        return "sooli" if facts.phase == "sooli" else "say"
    if facts.soloist is not None:
        return "sooli alone" if facts.soloist == view.seat else "sooli against"
    turn = "follow" if view.trick else "lead"
    return f"{turn} {'low' if facts.kind == 'low' else 'high'}"


def chance(hand: Hand, seat: Seat) -> Callable[[float], float] | None:
    """The chance of the side of `seat` to win the match, by how many points more than the others it has from
    this hand; None where no hands by these rules were measured."""
    setup, ours = hand.setup, side(seat)

    @cache
    def won(ahead: float) -> float:
        found = standing(setup.tally, setup, ahead if ours == 0 else -ahead)
        assert found is not None, "asked of rules with measured hands only"
        return found if ours == 0 else 1 - found

    return None if standing(setup.tally, setup, 0.0) is None else won


# ------------------------------------------------------------------------------------- playing out


def measure(view: View, actions: Sequence[Action], worlds: Sequence[World], seed: int) -> list[list[float]]:
    """For each action a value a world: points ahead when everybody plays on by the rules of thumb."""
    if native.core is None:
        return played_out(view, actions, worlds, seed)
    if Facts.of(view.facts).phase == "play" and all(isinstance(action, Play) for action in actions):
        table, hands = known_of(view), [held(view, world) for world in worlds]
        cards = [action.card for action in actions if isinstance(action, Play)]
        value = _values(view, table)
        return [[value[gained] for gained in row] for row in play_out(table, hands, cards).gained]
    return _before_the_cards(view, actions, worlds, seed)


screen = measure


def weights(view: View, worlds: Sequence[World]) -> list[float]:
    """How likely each world is by the bids turned up and by the cards that others have played in it."""
    found = [1.0] * len(worlds)
    for seat, high in _bids(view).items():
        for at, world in enumerate(worlds):
            lean = high_strength(world.dealt[seat]) - HIGH_BID
            found[at] /= 1 + exp(-lean if high else lean)
    facts = Facts.of(view.facts)
    if facts.soloist not in (None, view.seat):
        for at, world in enumerate(worlds):
            found[at] *= exp(-danger(world.dealt[facts.soloist or 0]))
    if native.core is not None and facts.phase == "play" and (view.tricks or view.trick):
        table, hands = known_of(view), [held(view, world) for world in worlds]
        strange = play_out(table, hands, (None,), view.seat).strange
        found = [one * exp(-STRANGE * count) for one, count in zip(found, strange, strict=True)]
    return found


def _bids(view: View) -> dict[Seat, bool]:
    """Whose bid the others know, and whether it was a high one."""
    found = {}
    for by, action in view.heard:
        bid = bid_in(action) if isinstance(action, Show | Call) and by != view.seat else None
        if bid is not None:
            found[by] = means_high(bid, view.rules)
    return found


def _values(view: View, table: Known) -> list[float]:
    """What so many tricks of North and South (or a sooli made or not) are worth to the viewer's side."""
    assert view.seat is not None
    ours = side(view.seat)
    if table.soloist is not None:
        both = [sooli_scores(view.rules, table.soloist, made) for made in (False, True)]
    else:
        kind: Literal["high", "low"] = "low" if table.kind == "low" else "high"
        bidder = None if table.bidder is None else side(table.bidder)
        both = [score(view.rules, kind, bidder, (won, TRICKS - won)) for won in range(TRICKS + 1)]
    return [float(points[ours] - points[1 - ours]) for points in both]


def _before_the_cards(
    view: View, actions: Sequence[Action], worlds: Sequence[World], seed: int
) -> list[list[float]]:
    """Bids, a sooli and its exchange: the rule-based players go on with them, the core plays the cards."""
    assert view.seat is not None
    rows = [[0.0] * len(worlds) for _ in actions]
    waiting: dict[Known, list[tuple[int, int, tuple[tuple[CardSet, ...], CardSet]]]] = defaultdict(list)
    for at, world in enumerate(worlds):
        start = relived(view, world, _usual)
        for number, action in enumerate(actions):
            hand = _led(start.apply(view.seat, action), number_of(seed, at))
            result = hand.result()
            if result is not None:
                rows[number][at] = 0.0 if result.void else ahead(result, view.game, view.seat)
                continue
            seen = hand.view(hand.owed()[0])
            held_now = tuple(card_set(hand.view(seat).cards) for seat in range(4))
            aside = sum(
                card_set(one.cards) for _, one in hand.log if isinstance(one, Give) and one.to is None
            )
            waiting[known_of(seen)].append((number, at, (held_now, aside)))
    for table, cases in waiting.items():
        value = _values(view, table)
        (gained,) = play_out(table, [held for _, _, held in cases]).gained
        for (number, at, _), won in zip(cases, gained, strict=True):
            rows[number][at] = value[won]
    return rows


def _usual(view: View) -> Action:
    """What the rule-based player does."""
    return named("rules").choose(view, DEFAULT_BUDGET, 0).action


def _led(hand: Hand, seed: int) -> Hand:
    """The hand when the first lead is due: the rule-based players bid and exchange."""
    step = 0
    while (owed := hand.owed()) and owed != (CHANCE,):
        view = hand.view(owed[0])
        if Facts.of(view.facts).phase == "play":
            break
        action = view.legal[0]
        if len(view.legal) > 1:
            step += 1
            action = named("rules").choose(view, DEFAULT_BUDGET, number_of(seed, step, owed[0])).action
        hand = hand.apply(owed[0], action)
    return hand


# ------------------------------------------------------------------------------------ with all cards seen


def solved(
    view: View, actions: Sequence[Action], worlds: Sequence[World], effort: Effort
) -> list[list[float]] | None:
    """The same values with all cards open in each world; None where that would take too long."""
    if native.core is None or not all(isinstance(action, Play) for action in actions):
        return None
    value = _values(view, known_of(view))
    problems = [problem_of(view, world.hands) for world in worlds]
    rows: list[list[float]] = [[] for _ in actions]
    for problem in problems:
        (answer,) = solve_many([problem], want="all", nodes=effort.nodes)
        if answer is None:
            return None
        for row, action in zip(rows, actions, strict=True):
            assert isinstance(action, Play)
            row.append(value[answer.moves[action.card]])
    return rows


def par(view: View, world: World, seat: Seat, effort: Effort) -> float | None:
    """Points ahead for the side of `seat` when whoever leads now, and everybody after, sees all cards."""
    if native.core is None or view.seat is None:
        return None
    nodes = DEEP * effort.nodes
    (answer,) = solve_many([problem_of(view, world.hands)], want="all", nodes=nodes)
    if answer is None:
        return None
    value = _values(view, known_of(view))
    best = max(value[tricks] for tricks in answer.moves.values())
    return best if side(seat) == side(view.seat) else -best


def line(view: View, world: World, effort: Effort) -> tuple[Card, ...]:
    """How the cards go on from here with all of them open in that world; empty before the play."""
    if Facts.of(view.facts).phase != "play":
        return ()
    problem = problem_of(view, world.hands)
    (answer,) = solve_many([problem], want="value", line=True, nodes=effort.nodes)
    return () if answer is None else tuple(move for move in answer.line if isinstance(move, Card))
