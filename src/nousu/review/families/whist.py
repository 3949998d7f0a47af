"""The review of the whist family: cards played out by the nets of `expert`, solved deals as second opinion.

Without the compiled core everything is played out by rules of thumb in Python, some hundred times slower.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from math import exp
from random import Random
from typing import Literal

from nousu.engine.actions import Action, Give, Play, Seal
from nousu.engine.cards import SUIT_SETS, SUITS, Card, CardSet, card_set, cards_of
from nousu.engine.game import Hand, View
from nousu.engine.messages import Note, sentence
from nousu.engine.seats import CHANCE, Seat, partner, side
from nousu.games.whist import END, TRICKS, Facts, Rules, bid_in, means_high, score, sooli_scores
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.seat_loop import view_seed
from nousu.players.whist import bidding
from nousu.players.whist.bid_lines import bid_strength
from nousu.players.whist.equity import chance_after
from nousu.players.whist.inference import WhistDeductions, deduce
from nousu.players.whist.playouts import WhistTable, play_out, playout_hands, public_table
from nousu.players.whist.policy import packed_weights
from nousu.players.whist.rules import danger_left, high_bid_strength, sealed_bid
from nousu.players.whist.searcher import problem_of, world_weights
from nousu.players.whist.soolis import Soloists
from nousu.players.worlds import World, Worlds, played_by, replay_world
from nousu.players.worlds import worlds as possible_worlds
from nousu.review.model import ReviewEffort
from nousu.review.playouts import play_out_slowly, points_ahead
from nousu.solver import native
from nousu.solver.api import solve_many

ESTABLISHED = 4
"""Length of a suit that is worth being established."""
DEEP = 10
"""Factor by which a whole hand is solved further than one choice of it."""


def slow(view: View) -> bool:
    """True without the compiled core."""
    return native.core is None


def unit(view: View) -> float:
    """The value of a trick, in points; a sooli counts as two."""
    facts, rules = Facts.of(view.facts), view.rules
    if facts.soloist is not None:
        return float(rules.sooli_points) / 2
    return float(rules.low_points if facts.kind == "low" else rules.high_points)


def bid_word(action: Seal, rules: Rules) -> str | None:
    """The word that a sealed bid stands for: ``rami``; None if it is hidden."""
    bid = bid_in(action)
    return None if bid is None else str(rules.words[0 if means_high(bid, rules) else 1])


def options(view: View, taken: Action) -> list[Action]:
    """The legal actions, but one each of touching cards and of bids with one meaning.

    Nothing is compared with breaking a hand off, which is allowed once the rest of it counts for nothing.
    """
    if taken == END:
        return [taken]
    if not any(isinstance(action, Seal) for action in view.legal):
        ways: list[Action] = [taken]
        for action in reversed(view.legal):
            if action != END and not any(same(view, way, action) for way in ways):
                ways.append(action)
        return ways
    by_meaning: dict[bool, Action] = {}
    for action in (taken, *view.legal):
        bid = bid_in(action) if isinstance(action, Seal) else None
        if bid is not None:
            by_meaning.setdefault(means_high(bid, view.rules), action)
    return list(by_meaning.values()) if isinstance(taken, Seal) else [taken, *by_meaning.values()]


def same(view: View, one: Action, other: Action) -> bool:
    """Whether two actions are bids of one meaning, or cards with no other player's between them."""
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
    """Return True: all actions can be compared."""
    return True


def kind(view: View, action: Action) -> str:
    """A bid by its meaning, a sooli, the exchange, a card by the kind of hand and turn."""
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
    """The chance of the side of `seat` to win the match, by its points ahead in this hand.

    None where no hands by these rules were measured.
    """
    setup, ours = hand.setup, side(seat)

    @cache
    def won(ahead: float) -> float:
        probability = chance_after(setup.tally, setup, ahead if ours == 0 else -ahead)
        assert probability is not None, "asked of rules with measured hands only"
        return probability if ours == 0 else 1 - probability

    return None if chance_after(setup.tally, setup, 0.0) is None else won


# ------------------------------------------------------------------------------------- playing out


def possible_deals(view: View) -> Worlds | Soloists:
    """Worlds in which a hunter imagines a soloist; others are drawn uniformly."""
    facts = Facts.of(view.facts)
    hunting = facts.phase == "play" and facts.soloist not in (None, view.seat) and not facts.caught
    return Soloists.of(view) if hunting else possible_worlds(view)


def measure(view: View, actions: Sequence[Action], worlds: Sequence[World], seed: int) -> list[list[float]]:
    """Values of each action, one for each world: points ahead when all play on by the nets."""
    if native.core is None or Facts.of(view.facts).caught:
        return play_out_slowly(view, actions, worlds, seed)
    if Facts.of(view.facts).phase == "play" and all(isinstance(action, Play) for action in actions):
        table, hands = public_table(view), [playout_hands(view, world) for world in worlds]
        cards = [action.card for action in actions if isinstance(action, Play)]
        value = _values(view, table)
        gained = play_out(table, hands, cards, nets=packed_weights()).gained
        return [[value[tricks] for tricks in row] for row in gained]
    return _before_the_cards(view, actions, worlds, seed)


first_values = measure


def weights(view: View, worlds: Sequence[World]) -> list[float]:
    """Likelihood of each world by the bids turned up and by the cards that others have played in it."""
    facts, deviations = Facts.of(view.facts), [0.0] * len(worlds)
    if native.core is not None and facts.phase == "play" and not facts.caught and (view.tricks or view.trick):
        table, hands = public_table(view), [playout_hands(view, world) for world in worlds]
        deviations = list(play_out(table, hands, (None,), view.seat, packed_weights()).deviations)
    return list(world_weights(view, worlds, [1.0] * len(worlds), deviations, native.core is not None))


def _values(view: View, table: WhistTable) -> list[float]:
    """The points ahead of the viewer's side by tricks of North and South (or a sooli lost or made)."""
    assert view.seat is not None
    ours = side(view.seat)
    if table.soloist is not None:
        scores = [sooli_scores(view.rules, table.soloist, made) for made in (False, True)]
    else:
        kind: Literal["high", "low"] = "low" if table.kind == "low" else "high"
        bidder = None if table.bidder is None else side(table.bidder)
        scores = [score(view.rules, kind, bidder, (won, TRICKS - won)) for won in range(TRICKS + 1)]
    return [float(points[ours] - points[1 - ours]) for points in scores]


def _before_the_cards(
    view: View, actions: Sequence[Action], worlds: Sequence[World], seed: int
) -> list[list[float]]:
    """Bids, a sooli and its exchange: bids by strength and score, the rest by rules, cards by the nets."""
    assert view.seat is not None
    rows = [[0.0] * len(worlds) for _ in actions]
    waiting: dict[WhistTable, list[tuple[int, int, tuple[tuple[CardSet, ...], CardSet]]]] = defaultdict(list)
    asked, rng = Facts.of(view.facts).soloist is None, Random(seed)
    for at, world in enumerate(worlds):
        start, luck = replay_world(view, world, _usual), rng.random()
        for number, action in enumerate(actions):
            hand = _led(start.apply(view.seat, action))
            result = hand.result()
            if result is not None:
                rows[number][at] = 0.0 if result.void else points_ahead(result, view.game, view.seat)
                continue
            lead_view = hand.view(hand.owed()[0])
            table = public_table(lead_view)
            if table.soloist is not None and asked:
                made = luck < made_share(world.dealt[table.soloist], view.rules)
                rows[number][at] = _values(view, table)[made]
                continue
            held_now = tuple(card_set(hand.view(seat).cards) for seat in range(4))
            aside = sum(
                card_set(entry.cards) for _, entry in hand.log if isinstance(entry, Give) and entry.to is None
            )
            waiting[table].append((number, at, (held_now, aside)))
    for table, cases in waiting.items():
        value = _values(view, table)
        (gained,) = play_out(table, [held for _, _, held in cases], nets=packed_weights()).gained
        for (number, at, _), won in zip(cases, gained, strict=True):
            rows[number][at] = value[won]
    return rows


def made_share(cards: CardSet, rules: Rules) -> float:
    """The share of soolis made at the table with a hand that is yet to be exchanged.

    Rules of thumb lose more of them, and would call sound soolis mistakes.
    """
    constant, by_danger = bidding.MADE
    return 1 / (1 + exp(-(constant + by_danger * danger_left(cards, rules))))


def _usual(view: View) -> Action:
    """A bid by strength and score, as `bidding` takes others to bid; other choices by rules of thumb."""
    assert view.seat is not None
    if native.core is not None and any(isinstance(action, Seal) for action in view.legal):
        high = bid_strength(card_set(view.cards)) >= high_bid_strength(view, view.seat)
        return sealed_bid(view, high, Random(0)).action
    return find_player("rules").choose(view, DEFAULT_BUDGET, 0).action


def _led(hand: Hand) -> Hand:
    """The hand when the first lead is due."""
    while (owed := hand.owed()) and owed != (CHANCE,):
        view = hand.view(owed[0])
        if Facts.of(view.facts).phase == "play":
            break
        hand = hand.apply(owed[0], view.legal[0] if len(view.legal) == 1 else _usual(view))
    return hand


# ------------------------------------------------------------------------------------- what was wrong


def flaw(view: View, taken: Action, best: Action | None) -> Note | None:
    """The thing that a card has spoiled in a rami or a nolo, or that the better lead is sure to do.

    A high card, an entry, a suit or an exit may be spoiled.
    """
    facts = Facts.of(view.facts)
    if facts.soloist is not None or not (isinstance(taken, Play) and isinstance(best, Play)):
        return None
    table, cards = deduce(view), (taken.card, best.card)
    if not table.trick:
        if facts.kind == "low":
            return _lost_exit(table, *cards) or _sure_exit(table, *cards)
        return _spent_entry(table, *cards) or _sure_trick(table, *cards)
    following = table.trick[0][1].suit == taken.card.suit == best.card.suit
    if facts.kind == "low":
        return _lost_exit(table, *cards) or (_stuck(table, *cards) if following else None)
    if following:
        return _crashed(table, *cards) or _blocked(table, *cards) or _too_dear(table, *cards)
    return None


def _crashed(table: WhistDeductions, taken: Card, best: Card) -> Note | None:
    """A card over the partner's, which no opponent can beat any more, or beats only with a higher one."""
    seat, winning = table.best or (table.seat, taken)
    if seat != partner(table.seat) or not best < winning < taken:
        return None
    if not table.above(winning) or len(table.trick) == 3:
        return Note("", "Partner wins the trick anyway: the {card} is wasted on it", {"card": str(taken)})
    if table.above(winning) == table.above(taken):
        message = sentence("The {card} is put on partner’s card, which would have done as well")
        return Note("", message, {"card": str(taken)})
    return None


def _too_dear(table: WhistDeductions, taken: Card, best: Card) -> Note | None:
    """The last card of a trick, higher than needed."""
    if not table.waiting and table.beats(best) and best < taken:
        message = sentence("The {card} was not needed: a lower card wins the trick as well")
        return Note("", message, {"card": str(taken)})
    return None


def _blocked(table: WhistDeductions, taken: Card, best: Card) -> Note | None:
    """A low card to the partner's suit, of which only cards are left that must win."""
    left = [card for card in table.legal if card != taken]
    led_by_partner = table.trick[0][0] == partner(table.seat)
    if led_by_partner and left and best > taken and table.above(taken) and not any(map(table.above, left)):
        return Note(
            "", "The {suit} are blocked: only cards are left that must win", {"suit": SUITS[taken.suit]}
        )
    return None


def _spent_entry(table: WhistDeductions, taken: Card, best: Card) -> Note | None:
    """The last card that surely wins the lead, before the long suit is established."""
    masters = [card for card in cards_of(table.hand) if not table.above(card)]
    suit = best.suit
    if table.trick or masters != [taken] or suit == taken.suit or table.length(suit) < ESTABLISHED:
        return None
    message = sentence("The last sure entry is gone before the {suit} are established")
    return Note("", message, {"suit": SUITS[suit]})


def _sure_trick(table: WhistDeductions, taken: Card, best: Card) -> Note | None:
    """A lead that nobody can beat, in place of one that somebody can."""
    if table.above(taken) and not table.above(best):
        return Note("", sentence("The {card} is the highest of its suit now."), {"card": str(best)})
    return None


def _sure_exit(table: WhistDeductions, taken: Card, best: Card) -> Note | None:
    """A lead that surely gives the lead away, in place of one that may not."""
    if table.above(best) and not table.below(best) and (table.below(taken) or not table.above(taken)):
        return Note("", "A low lead for others to win")
    return None


def _stuck(table: WhistDeductions, taken: Card, best: Card) -> Note | None:
    """The last card of a suit in a nolo that may stay below the others' cards."""

    def must_win(played: Card) -> bool:
        left = [card for card in table.legal if card != played]
        return bool(left) and all(table.below(card) and not table.above(card) for card in left)

    if must_win(taken) and not must_win(best):
        return Note(
            "", sentence("Of the {suit} only cards are left that must win"), {"suit": SUITS[taken.suit]}
        )
    return None


def _lost_exit(table: WhistDeductions, taken: Card, best: Card) -> Note | None:
    """The last card that surely gives the lead away."""
    exits = [card for card in cards_of(table.hand) if table.above(card) and not table.below(card)]
    if exits == [taken] and best not in exits:
        message = sentence(
            "The {card} was the last sure exit: no card is left that surely gives the lead away"
        )
        return Note("", message, {"card": str(taken)})
    return None


# ------------------------------------------------------------------------------------ with all cards seen


def solved(
    view: View, actions: Sequence[Action], worlds: Sequence[World], effort: ReviewEffort
) -> list[list[float]] | None:
    """Values with all cards open in each world; None where that would take too long."""
    cards = all(isinstance(action, Play) for action in actions)
    if native.core is None or not cards or Facts.of(view.facts).caught:
        return None
    value = _values(view, public_table(view))
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


def is_often_mixed(view: View, action: Action, best: Action | None) -> bool:
    """Whether `expert` decides about a sooli in the same way: nobody knows its chance to a few percent."""
    if Facts.of(view.facts).phase != "sooli":
        return False
    return find_player("expert").choose(view, DEFAULT_BUDGET, view_seed(view)).action == action


def is_solving_misleading(view: View) -> bool:
    """True for leads of a nolo: solved deals excuse leads that cost two or three points at a table."""
    return Facts.of(view.facts).kind == "low" and not view.trick


def par(view: View, world: World, seat: Seat, effort: ReviewEffort) -> float | None:
    """Points ahead for the side of `seat` when all see all cards from this lead on."""
    if native.core is None or view.seat is None:
        return None
    nodes = DEEP * effort.nodes
    (answer,) = solve_many([problem_of(view, world.hands)], want="all", nodes=nodes)
    if answer is None:
        return None
    value = _values(view, public_table(view))
    best = max(value[tricks] for tricks in answer.moves.values())
    return best if side(seat) == side(view.seat) else -best


def line(view: View, world: World, effort: ReviewEffort) -> tuple[Card, ...]:
    """The cards of best play from here on, all of them open in that world; empty before the play."""
    if Facts.of(view.facts).phase != "play":
        return ()
    problem = problem_of(view, world.hands)
    (answer,) = solve_many([problem], want="value", line=True, nodes=effort.nodes)
    return () if answer is None else tuple(move for move in answer.line if isinstance(move, Card))
