"""Searching in Huutopussi by playouts: return, contract, cards, declarations and answers.

Bids and gifts are by rules of thumb, with bolder bids than those of players that do not search. In the
imagined deals all play on by rules of thumb, or with the cards that `policy` rates best where the effort is
`learned`, seeing only their own cards (`playouts`). Deals are drawn by what the exchange tells of them and
weighted by bids, contract and play (`inference`). Without the compiled core the last cards are solved with
all cards seen: is the contract made, and by how much does one side outscore the other?
"""

from collections.abc import Sequence
from dataclasses import replace
from math import exp, sqrt
from random import Random

from nousu.engine.actions import Action, Call, Play
from nousu.engine.cards import RANKS
from nousu.engine.game import View
from nousu.engine.messages import sentence
from nousu.engine.seats import partner, side
from nousu.games.huutopussi import (
    Ask,
    AskHalf,
    AskSuit,
    Bid,
    Contract,
    Declare,
    Doubling,
    Facts,
    Kontra,
    No,
    Pass,
    Re,
    Totals,
    Yes,
    call_of,
    said,
    score,
)
from nousu.players import Choice, choice_because
from nousu.players.huutopussi import exchange, policy
from nousu.players.huutopussi.equity import HANDS, chance_after, defence_scores, hand_utility, win_chance
from nousu.players.huutopussi.inference import bid_likelihoods, likely_worlds, weigh_worlds
from nousu.players.huutopussi.playouts import play_out, playout_hands, public_table
from nousu.players.huutopussi.rules import DEFENCE, DEFENCE_PLAYED_OUT, choose_bid, expected_points
from nousu.players.huutopussi.rules import choose as choose_by_rule
from nousu.players.huutopussi.rules import contract_chance as reaches
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
from nousu.players.worlds import World
from nousu.solver import native
from nousu.solver.position import Declaration, Move, Solution
from nousu.solver.views.huutopussi import goal_of, position_of

PLAYED, PLAYED_BY_NETS = 3, 10
"""Deals played out at the first trick for each one the effort allows; more later, where hands are shorter."""
STRANGE, FLOOR = 0.04, 0.02
"""Decay of a deal's weight (exponent of e) for each point by which others' choices in it fall short of
their choices by rule, and the least weight of a deal."""
PREMIUM = 10.0
"""Points on average that are given up for making (or breaking) the contract whatever the deal."""
NEAR = 20
"""Step in points, up and down, by which the worth of a point is measured."""
FLATTEST, MOST = 1e-4, 6
"""Least worth of a point, as a chance, and greatest worth of a contract, in multiples of its booking."""
PRIOR, UNIT, STRANGEST = 40, 6.0, 4.0
"""The ratings of the policy count like so many deals in which each unit, of at most so many, is worth so many
points."""
LEANING = 1.0
"""Points by which another move must be better than the rule-based player's."""
KONTRA_UP_TO, RE_FROM = 0.4, 0.65
"""Shares of imagined deals in which the contract is made."""
_TRICKS = 9
_KING, _QUEEN = RANKS.index("K"), RANKS.index("Q")


def choose(view: View, effort: SearchEffort, seed: int, usual: Choice) -> Choice:
    """The action of a searching player; `usual` is that of the rule-based one."""
    facts = Facts.of(view.facts)
    rng = Random(seed)
    if effort.learned and isinstance(usual.action, Play) and policy.is_covered(view):
        usual = Choice(Play(policy.best_card(view)), RATED)
    if facts.phase in ("contract", "return") and native.core is not None:
        return exchange.choose(view, effort, rng)
    if facts.phase == "auction" and native.core is not None:
        spoken = said(usual.action) if isinstance(usual.action, Call) else None
        return choose_bid(view, DEFENCE_PLAYED_OUT) if isinstance(spoken, Bid | Pass) else usual
    if facts.phase == "contract":
        return _contract(view, usual)
    playing = facts.phase in ("play", "answer")
    doubling = next((action for action in view.legal if _doubles(action)), None)
    if doubling is not None and native.core is not None:
        if _pays_to_double(view, effort, rng):
            return choice_because(doubling, "The imagined deals speak for it")
        if usual.action == doubling:
            cards = tuple(action for action in view.legal if action != doubling)
            usual = choose_by_rule(replace(view, legal=cards), seed)
    if not playing or max(view.counts) > effort.cards or call_of(No()) in view.legal:
        return usual
    return _solved(view, effort, rng, usual) if native.core is None else _played(view, effort, rng, usual)


def _doubles(action: Action) -> bool:
    return isinstance(action, Call) and isinstance(said(action), Doubling)


def _pays_to_double(view: View, effort: SearchEffort, rng: Random) -> bool:
    """True if the contract is made seldom enough for kontra, or often enough for re, when all play on."""
    facts = Facts.of(view.facts)
    assert view.seat is not None and facts.declarer is not None and facts.contract is not None
    ours = side(facts.declarer)
    drawn = [playout_hands(view, world) for world in likely_worlds(view, effort.worlds, rng)]
    (ended,) = play_out(public_table(view), drawn, viewer=view.seat).ended
    made = sum(end.earned[ours] >= facts.contract for end in ended) / len(ended)
    return made >= RE_FROM if ours == side(view.seat) else made <= KONTRA_UP_TO


def _played(view: View, effort: SearchEffort, rng: Random, usual: Choice) -> Choice:
    """The action with the best average when all play on, seeing only their own cards.

    Deals are weighted by the exchange, the bids and the play. In the last tricks, where every deal is looked
    at, an action that is certain to make (or break) the contract is preferred at a price; a single deal is
    solved.
    """
    facts, seat = Facts.of(view.facts), view.seat
    assert seat is not None
    known = all_worlds(view, effort, rng)
    if known is not None and len(known[0]) == 1:
        return _solved(view, effort, rng, usual)
    if known is None:
        each = PLAYED_BY_NETS if effort.learned else PLAYED
        drawn = likely_worlds(view, max(1, round(each * effort.worlds * _TRICKS / max(view.counts))), rng)
        ways = [1.0] * len(drawn)
    else:
        drawn = known[0]
        ways = weigh_worlds(view, *known)
    actions = [action for action in view.legal if may_succeed(view, action, drawn)]
    if len(actions) == 1:
        return Choice(actions[0])
    nets = policy.packed_weights() if effort.learned else b""
    playouts = play_out(
        public_table(view), [playout_hands(view, world) for world in drawn], actions, seat, nets
    )
    weights = world_weights(view, drawn, ways, playouts.deviations, DEFENCE_PLAYED_OUT)
    declaring = None if facts.declarer is None else side(facts.declarer)
    worth = hand_utility(view.setup.tally, side(seat), declaring)
    contract = facts.contract or 0
    rows = [
        [worth(score(view.rules, declaring, facts.bid, contract, *ended, facts.doublings)) for ended in row]
        for row in playouts.ended
    ]
    point = (worth((NEAR, -NEAR)) - worth((-NEAR, NEAR))) / (4 * NEAR) * (1 if side(seat) == 0 else -1)
    means = weighted_means(rows, weights)
    if known is not None and declaring is not None:
        reached = _certain_actions(view, effort, drawn, actions)
        best = safest_action(actions, means, rows, usual.action, LEANING * point, reached, PREMIUM * point)
        if best.secured:
            return explain_safest(best, len(drawn), "")
    judged_by, leaning = means, LEANING * point
    if effort.learned and known is None:
        share = PRIOR * sum(weight * weight for weight in weights) / sum(weights) ** 2
        behind = policy.shortfalls(view, STRANGEST)
        judged_by = [
            mean - share * UNIT * point * behind.get(action, 0.0)
            for mean, action in zip(means, actions, strict=True)
        ]
        leaning = 0.0
    action, _ = best_on_average(actions, [[value] for value in judged_by], usual.action, leaning)
    made = [0.0] * len(actions)
    if declaring is not None:
        ours = declaring == side(seat)
        goals = [[(end.earned[declaring] >= contract) == ours for end in row] for row in playouts.ended]
        made = shares_reached(goals, weights)
    if declaring == side(seat):
        goal = sentence(
            "The chance that the contract is made is {made}%, after the next best choice {other}%"
        )
    else:
        goal = sentence("The chance that the contract fails is {made}%, after the next best choice {other}%")
    percent = win_chance(view.setup.tally) is not None
    return explain_comparison(actions, action, means, made, len(drawn), goal, percent)


def world_weights(
    view: View,
    drawn: Sequence[World],
    ways: Sequence[float],
    deviations: Sequence[float],
    defence: float = DEFENCE,
) -> Sequence[float]:
    """Weights of the deals by bids (`bid_likelihoods`) and contract, less for strange choices.

    Returns `ways` where that leaves nothing.
    """
    weights = [
        way * (FLOOR + exp(-STRANGE * points)) * sqrt(bids)
        for way, points, bids in zip(ways, deviations, bid_likelihoods(view, drawn, defence), strict=True)
    ]
    return weights if sum(weights) > 0 else ways


def _certain_actions(
    view: View, effort: SearchEffort, drawn: Sequence[World], actions: Sequence[Action]
) -> list[bool]:
    """For each action, True if it makes (or breaks) the contract in every deal, whatever the others do."""
    answers = solve_within([(position_of(view, world.hands), goal_of(view, True)) for world in drawn], effort)
    if len(answers) < len(drawn):
        return [False] * len(actions)
    declarer = Facts.of(view.facts).declarer
    assert view.seat is not None and declarer is not None
    goal = int(side(declarer) == side(view.seat))
    return [
        move is not None and all(answer.moves[move] == goal for answer in answers.values())
        for move in (solver_move(view, action) for action in actions)
    ]


def _solved(view: View, effort: SearchEffort, rng: Random, usual: Choice) -> Choice:
    """The last cards, solved with all cards seen: without the compiled core, or where all is known."""
    facts = Facts.of(view.facts)
    known = all_worlds(view, effort, rng)
    drawn = sample_worlds(view, effort.worlds, rng) if known is None else known[0]
    actions = [action for action in view.legal if may_succeed(view, action, drawn)]
    contracts: dict[int, Solution] = {}
    if facts.contract is not None:
        contracts = solve_within(
            [(position_of(view, world.hands), goal_of(view, True)) for world in drawn], effort
        )
    differences = solve_within(
        [(position_of(view, world.hands), goal_of(view, False)) for world in drawn], effort
    )
    if max(len(contracts), len(differences)) < min(2, len(drawn)):
        return usual
    worth = [_worth(view, solver_move(view, action), differences, contracts) for action in actions]
    if known is not None and len(differences) == len(drawn) and len(contracts) in (0, len(drawn)):
        rows = [[half + stake for half, stake in zip(*row, strict=True)] for row in worth]
        reached = [bool(contracts) and min(stakes) == max(0.0, contract_stake(view)) for _, stakes in worth]
        best = safest_action(
            actions, weighted_means(rows, known[1]), rows, usual.action, LEANING, reached, PREMIUM
        )
        return explain_safest(best, len(drawn), f"{best.mean:+.0f}")
    means = [[sum(sum(row) / len(row) for row in parts if row)] for parts in worth]
    action, mean = best_on_average(actions, means, usual.action, LEANING)
    return choice_because(
        action,
        sentence(
            "Best in {worlds} imagined deal: {average} points on average",
            "Best in {worlds} imagined deals: {average} points on average",
        ),
        worlds=max(len(contracts), len(differences)),
        average=f"{mean:+.0f}",
    )


def sure_choice(view: View, effort: SearchEffort, rng: Random, usual: Choice) -> Choice | None:
    """An action that makes (or breaks) the contract however the cards lie.

    None where many ways are left, there is no such action, or the usual one is one.
    """
    facts = Facts.of(view.facts)
    if facts.phase != "play" or facts.contract is None or max(view.counts) > effort.cards:
        return None
    known = all_worlds(view, effort, rng)
    if known is None:
        return None
    reached = _certain_actions(view, effort, known[0], view.legal)
    return certain_choice(view.legal, reached, usual, len(known[0]))


def may_succeed(view: View, action: Action, worlds: list[World]) -> bool:
    """Whether the partner could affirm a question in any of these worlds; true for cards and declarations.

    Kontra and re are not weighed here: they change no card, and the rules of thumb decide them.
    A question denied before costs nothing to ask again, so solved worlds rate it as high as a card; at the
    table it looks foolish.
    """
    word = said(action) if isinstance(action, Call) else None
    if not isinstance(word, Ask):
        return not _doubles(action)
    assert view.seat is not None
    held = [world.hands[partner(view.seat)] for world in worlds]
    if isinstance(word, AskHalf | AskSuit):
        named = word.card if isinstance(word, AskHalf) else _half_of(view, word.suit)
        if named is None:
            return False
        other = named ^ _KING ^ _QUEEN  # the other half of the pair, in the same suit
        return any(cards >> other & 1 for cards in held)
    declared = {marriage.suit for marriage in Facts.of(view.facts).marriages}
    pairs = [(1 << _KING | 1 << _QUEEN) << 16 * suit for suit in range(4) if suit not in declared]
    return any(cards & pair == pair for cards in held for pair in pairs)


def _half_of(view: View, suit: int) -> int | None:
    """The viewer's half of the marriage in a suit; None if it holds neither card of it, or both."""
    mine = [card for card in view.cards if card.suit == suit and card.rank in (_KING, _QUEEN)]
    return mine[0] if len(mine) == 1 else None


def contract_stake(view: View) -> float:
    """The value of the contract to the viewer's side beside the difference of points, in points.

    By the chance to win the match where hands of these rules were measured, else by what is booked.
    """
    assert view.seat is not None
    facts = Facts.of(view.facts)
    assert facts.contract is not None and facts.declarer is not None
    booked = (facts.contract << facts.doublings) * (
        2 if view.rules.failed_contract == "minus_contract" else 1
    )
    tally, declarer = view.setup.tally, side(facts.declarer)
    stake = float(booked)
    if isinstance(tally, Totals) and win_chance(tally) is not None:
        contract = facts.contract << facts.doublings
        missed, made = (_chance_with_contract(tally, declarer, contract, way) for way in (False, True))
        point = sum(
            (
                _chance_with_contract(tally, declarer, contract, way, -NEAR)
                - _chance_with_contract(tally, declarer, contract, way, NEAR)
            )
            / (4 * NEAR)
            for way in (False, True)
        )
        stake = min(MOST * booked, (made - missed) / max(point, FLATTEST))
    return stake if declarer == side(view.seat) else -stake


def _chance_with_contract(tally: Totals, declarer: int, contract: int, made: bool, more: int = 0) -> float:
    """The chance of the declarer's side to win the match once the contract is made, or missed.

    It is the mean over the scores of the others, with `more` points added to each.
    """
    preset = HANDS.preset_of(tally.rules)
    assert preset is not None
    lost = contract if tally.rules.failed_contract == "minus_contract" else 0
    ours, total = contract if made else -lost, 0.0
    for others, share in defence_scores(preset, made):
        theirs = max(0, others + more)
        won = chance_after(tally, (ours, theirs) if declarer == 0 else (theirs, ours), declarer)
        assert won is not None
        total += share * (won if declarer == 0 else 1 - won)
    return total


def _contract(view: View, usual: Choice) -> Choice:
    """The contract with the best chance to win the match, by how likely its points are reached."""
    tally = view.setup.tally
    words = {action: said(action) for action in view.legal if isinstance(action, Call)}
    contracts: dict[Action, int] = {
        action: word.points for action, word in words.items() if isinstance(word, Contract)
    }
    if usual.action not in contracts or not isinstance(tally, Totals) or win_chance(tally) is None:
        return usual
    assert view.seat is not None
    points = expected_points(view)
    declarer = side(view.seat)

    def winning(action: Action) -> float:
        contract = contracts[action]
        reached = reaches(points, contract)
        made, missed = (_chance_with_contract(tally, declarer, contract, way) for way in (True, False))
        return reached * made + (1 - reached) * missed

    best = max(contracts, key=winning)
    if winning(best) <= winning(usual.action):
        return usual
    message = sentence("Expect about {points} point", "Expect about {points} points")
    return choice_because(best, message, points=round(points))


def _worth(
    view: View, move: Move | None, differences: dict[int, Solution], made: dict[int, Solution]
) -> tuple[list[float], list[float]]:
    """The value of a move in each world: half the difference of points, and the contract's stake."""
    assert move is not None, "actions that cannot succeed are left out"
    halves = [answer.moves[move] / 2 for answer in differences.values()]
    stake = contract_stake(view) if made else 0.0
    stakes = [stake * answer.moves[move] for answer in made.values()] or [0.0] * len(halves)
    return halves, stakes


def solver_move(view: View, action: Action) -> Move | None:
    """The solver's name for an action of the play; None for kontra, re and a question without a half."""
    if isinstance(action, Play):
        return action.card
    assert isinstance(action, Call)
    match said(action):
        case Declare(suit):
            return Declaration("marriage", 16 * suit + _KING)
        case AskHalf(card):
            return Declaration("half", card)
        case AskSuit(suit):
            half = _half_of(view, suit)
            return None if half is None else Declaration("half", half)
        case Yes(int(suit)):
            return Declaration("answer", 16 * suit + _KING)
        case Kontra() | Re():
            return None
    return Declaration("full")
