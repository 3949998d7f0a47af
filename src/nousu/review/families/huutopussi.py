"""The review of Huutopussi: cards played out by the nets of `expert`, solved deals as second opinion.

Bids, exchange and contract go on nearly as those of `expert`. Without the compiled core everything goes on by
rules of thumb, in Python.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from random import Random

from nousu.engine.actions import Action, Call, Give, Play
from nousu.engine.cards import RANKS, SUITS, CardSet, card_set
from nousu.engine.game import Hand, View
from nousu.engine.messages import Note
from nousu.engine.seats import CHANCE, side
from nousu.games.huutopussi import PAIR, Ask, Bid, Doubling, Facts, No, Pass, call_of, said, score
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.huutopussi import searcher
from nousu.players.huutopussi.equity import hand_utility, win_chance
from nousu.players.huutopussi.exchange import ReturnPlan, best_plan, planned_action, quick_plan
from nousu.players.huutopussi.inference import odds
from nousu.players.huutopussi.playouts import (
    ANY,
    HandEnd,
    HuutopussiTable,
    play_out,
    playout_hands,
    public_table,
)
from nousu.players.huutopussi.policy import packed_weights
from nousu.players.huutopussi.rules import DEFENCE_PLAYED_OUT, choose_bid
from nousu.players.huutopussi.worlds import worlds as possible_worlds
from nousu.players.searcher import SearchEffort
from nousu.players.seat_loop import derive_seed, view_seed
from nousu.players.worlds import World, Worlds, replay_world
from nousu.review.model import ReviewEffort
from nousu.review.playouts import play_out_slowly
from nousu.solver import native
from nousu.solver.api import compiled, solve_many
from nousu.solver.views.huutopussi import goal_of, position_of

TRICK = 20.0
"""The value of a trick, in points: nine of them share 160 and the marriages."""
NO_PAR = Note(
    "", "Hands have no par here: the best play for the contract is not the best play for other points."
)
_PLAN_EFFORT = SearchEffort(worlds=60, nodes=0, cards=0, learned=True)
"""Effort for the declarer's own return and contract."""
_DECLARER = "contract", "return"
"""Phases in which the declarer chooses."""
_Score = tuple[tuple[int, int], int | None]
"""The points of both sides, and the side that played a contract."""
_MARRIED = RANKS.index("K"), RANKS.index("Q")
_DIFFERENCE_CARDS = 7
"""Greatest number of cards in a hand at which the points beside the contract are solved too."""


def slow(view: View) -> bool:
    """True before the play, and without the compiled core: a world costs milliseconds."""
    return native.core is None or not _solvable(view) or call_of(No()) in view.legal


def unit(view: View) -> float:
    """The value of a trick, in points."""
    return TRICK


def options(view: View, taken: Action) -> list[Action]:
    """The actions to compare: in the play every card, declaration and hopeful question.

    Before it the action taken, those of the rules of thumb and of the searching player, and to pass.
    """
    if _solvable(view) and not _doubles(taken):
        hopeful = [
            choice for choice in view.legal if choice == taken or not (_asks(choice) or _doubles(choice))
        ]
        return hopeful + [choice for choice in view.legal if choice != taken and _asks(choice)][:2]
    ways = [taken]
    for name in ("rules", "searcher"):
        action = find_player(name).choose(view, DEFAULT_BUDGET, 0).action
        if action not in ways:
            ways.append(action)
    given_up = call_of(Pass())
    if given_up in view.legal and given_up not in ways:
        ways.append(given_up)
    return ways


def same(view: View, one: Action, other: Action) -> bool:
    """Whether two actions mean the same: only if they are the same."""
    return one == other


def comparable(view: View, one: Action, other: Action) -> bool:
    """Whether two actions can be played out beside each other: all of them."""
    return True


def kind(view: View, action: Action) -> str:
    """A bid, kontra, the exchange, the contract, a marriage or question, or a card by its turn."""
    phase = Facts.of(view.facts).phase
    if isinstance(action, Give):
        return "exchange"
    if _doubles(action):
        return "bid"
    if not isinstance(action, Play):
        return {"auction": "bid", "contract": "contract"}.get(phase, "marriage")
    return "follow" if view.trick else "lead"


def _asks(action: Action) -> bool:
    return isinstance(action, Call) and isinstance(said(action), Ask)


def _doubles(action: Action) -> bool:
    return isinstance(action, Call) and isinstance(said(action), Doubling)


def _solvable(view: View) -> bool:
    return Facts.of(view.facts).phase in ("play", "answer")


def possible_deals(view: View) -> Worlds:
    """Worlds by what the exchange tells of them."""
    return possible_worlds(view, odds(view))


def measure(view: View, actions: Sequence[Action], worlds: Sequence[World], seed: int) -> list[list[float]]:
    """Values of each action, one for each world: points ahead when all play on by the nets."""
    if not _by_nets(view, actions):
        return play_out_slowly(view, actions, worlds, seed)
    assert view.seat is not None
    ours = side(view.seat)
    rows = _scores(view, actions, worlds, seed)
    return [[float(points[ours] - points[1 - ours]) for points, _ in row] for row in rows]


def match_chances(
    view: View, actions: Sequence[Action], worlds: Sequence[World], seed: int
) -> list[list[float]] | None:
    """The chance to win the match after each action, one for each world; None where it is not known."""
    tally = view.setup.tally
    if win_chance(tally) is None or not _by_nets(view, actions):
        return None
    assert view.seat is not None
    worth = {declaring: hand_utility(tally, side(view.seat), declaring) for declaring in (0, 1, None)}
    rows = _scores(view, actions, worlds, seed)
    return [[worth[declaring](points) / 100 for points, declaring in row] for row in rows]


def _by_nets(view: View, actions: Sequence[Action]) -> bool:
    return not (native.core is None or any(map(_doubles, actions)) or call_of(No()) in view.legal)


def _scores(view: View, actions: Sequence[Action], worlds: Sequence[World], seed: int) -> list[list[_Score]]:
    """The score of the hand after each action, one for each world."""
    if not _solvable(view):
        return _scores_before_the_cards(view, actions, worlds, seed)
    hands = [playout_hands(view, world) for world in worlds]
    ended = play_out(public_table(view), hands, actions, view.seat, packed_weights()).ended
    return [[_score(view, end) for end in row] for row in ended]


def first_values(
    view: View, actions: Sequence[Action], worlds: Sequence[World], seed: int
) -> list[list[float]] | None:
    """The same as `measure`; None where a world costs milliseconds."""
    return None if slow(view) else measure(view, actions, worlds, seed)


def _score(table: View, end: HandEnd) -> _Score:
    """The score when the play on `table` comes to this end."""
    facts = Facts.of(table.facts)
    declaring = None if facts.declarer is None else side(facts.declarer)
    return score(table.rules, declaring, facts.bid, facts.contract or 0, *end, facts.doublings), declaring


def _scores_before_the_cards(
    view: View, actions: Sequence[Action], worlds: Sequence[World], seed: int
) -> list[list[_Score]]:
    """Bids, exchange and contract: all go on with them much like `expert`, and the core plays the cards.

    Returns and contracts by rules of thumb would make those of `expert` look like mistakes. Where the seat is
    the declarer they are planned as at the table, once for each action; after a bid or gift quickly.
    """
    assert view.seat is not None
    plans: dict[int, ReturnPlan] = {}
    quickly = Facts.of(view.facts).phase not in _DECLARER
    rows: list[list[_Score]] = [[((0, 0), None)] * len(worlds) for _ in actions]
    waiting: dict[HuutopussiTable, list[tuple[int, int, View, tuple[CardSet, ...]]]] = defaultdict(list)
    for at, world in enumerate(worlds):
        start = replay_world(view, world)
        for number, action in enumerate(actions):
            hand = _led(start.apply(view.seat, action), derive_seed(seed, at), plans, quickly)
            result = hand.result()
            if result is None:
                table = hand.view(hand.owed()[0])
                waiting[public_table(table)].append((number, at, table, tuple(_held_and_given(hand))))
            elif not result.void:
                rows[number][at] = (result.points[0], result.points[1]), None
    for key, cases in waiting.items():
        (ended,) = play_out(key, [held for *_, held in cases], nets=packed_weights()).ended
        for (number, at, table, _), end in zip(cases, ended, strict=True):
            rows[number][at] = _score(table, end)
    return rows


def _led(hand: Hand, seed: int, plans: dict[int, ReturnPlan], quickly: bool) -> Hand:
    """The hand when the first lead is due; `plans` keeps the plans of declarers by `view_seed`."""
    player, step = find_player("rules"), 0
    while (owed := hand.owed()) and owed != (CHANCE,):
        view = hand.view(owed[0])
        phase = Facts.of(view.facts).phase
        if phase == "play":
            break
        if phase in _DECLARER:
            known = view_seed(view)
            if known not in plans:
                rng = Random(known)
                plans[known] = quick_plan(view, rng) if quickly else best_plan(view, _PLAN_EFFORT, rng)
            hand = _exchanged(hand, plans[known])
            continue
        step += 1
        action = player.choose(view, DEFAULT_BUDGET, derive_seed(seed, step)).action
        if phase == "auction" and isinstance(action, Call) and isinstance(said(action), Bid | Pass):
            action = choose_bid(view, DEFENCE_PLAYED_OUT).action
        hand = hand.apply(owed[0], action)
    return hand


def _exchanged(hand: Hand, plan: ReturnPlan) -> Hand:
    """The hand after the contract and return of this plan."""
    (declarer,) = hand.owed()
    while hand.owed() == (declarer,):
        view = hand.view(declarer)
        if Facts.of(view.facts).phase not in _DECLARER:
            break
        hand = hand.apply(declarer, planned_action(view, plan))
    return hand


def _held_and_given(hand: Hand) -> Iterator[CardSet]:
    """The cards of the four seats, then those that each gave to its partner."""
    for seat in range(4):
        yield card_set(hand.view(seat).cards)
    for seat in range(4):
        yield card_set(
            card
            for by, action in hand.log
            if by == seat and isinstance(action, Give)
            for card in action.cards
        )


def weights(view: View, worlds: Sequence[World]) -> list[float]:
    """Likelihood of each world by bids, contract, words and cards, as `expert` believes."""
    deviations: Sequence[float] = [0.0] * len(worlds)
    if native.core is not None and _solvable(view):
        hands = [playout_hands(view, world) for world in worlds]
        deviations = play_out(public_table(view), hands, (ANY,), view.seat, packed_weights()).deviations
    ways = [1.0] * len(worlds)
    return list(searcher.world_weights(view, worlds, ways, deviations, DEFENCE_PLAYED_OUT))


def is_often_mixed(view: View, action: Action, best: Action | None) -> bool:
    """Whether `expert` bids the same: a quick plan makes too few contracts, so each bid looks too dear."""
    if Facts.of(view.facts).phase != "auction":
        return False
    return find_player("expert").choose(view, DEFAULT_BUDGET, view_seed(view)).action == action


def is_solving_misleading(view: View) -> bool:
    """True while only the contract is solved: it is made or missed whatever the card, and points differ."""
    return max(view.counts) > _DIFFERENCE_CARDS


def flaw(view: View, taken: Action, best: Action | None) -> Note | None:
    """A marriage in the hand that was broken before it could be declared."""
    if not isinstance(taken, Play) or taken.card.rank not in _MARRIED or view.seat is None:
        return None
    facts, suit = Facts.of(view.facts), taken.card.suit
    if isinstance(best, Play) and best.card.suit == suit and best.card.rank in _MARRIED:
        return None
    declared = any(marriage.suit == suit for marriage in facts.marriages)
    if declared or not facts.may_declare_own[view.seat] or PAIR[suit] & ~card_set(view.cards):
        return None
    return Note("", "The marriage of {suit} is broken: it cannot be declared any more", {"suit": SUITS[suit]})


def solved(
    view: View, actions: Sequence[Action], worlds: Sequence[World], effort: ReviewEffort
) -> list[list[float]] | None:
    """Values with all cards open in each world; None where that cannot be told."""
    facts = Facts.of(view.facts)
    if compiled() is None or not _solvable(view):
        return None
    moves = [move for action in actions if (move := searcher.solver_move(view, action)) is not None]
    if len(moves) < len(actions):
        return None
    rows: list[list[float]] = [[] for _ in actions]
    for world in worlds:
        position = position_of(view, world.hands)
        values = [0.0] * len(moves)
        contract = facts.contract is not None
        for aim in (True, False):
            if not (contract if aim else max(view.counts) <= _DIFFERENCE_CARDS):
                continue
            (answer,) = solve_many([(position, goal_of(view, aim))], want="all", nodes=effort.nodes)
            if answer is None or any(move not in answer.moves for move in moves):
                return None
            factor = searcher.contract_stake(view) if aim else 0.5
            for at, move in enumerate(moves):
                values[at] += factor * answer.moves[move]
        for row, value in zip(rows, values, strict=True):
            row.append(value)
    return rows
