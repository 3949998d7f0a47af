"""The declarer's return and contract, chosen by playouts.

Each of the likely returns is tried in the same imagined deals, all playing on by rules of thumb and seeing
only their own cards (`playouts`). That tells how many points such a hand earns, and so which contract is
worth naming: a declarer scores the contract and no more.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import NamedTuple

from nousu.engine.actions import Action, Call, Give
from nousu.engine.cards import CardSet, card_set, cards_of
from nousu.engine.game import View
from nousu.engine.messages import sentence
from nousu.engine.seats import partner, side
from nousu.games.huutopussi import Contract, Facts, said, score
from nousu.players import Choice, choice_because
from nousu.players.huutopussi import policy
from nousu.players.huutopussi.equity import hand_utility
from nousu.players.huutopussi.inference import likely_worlds
from nousu.players.huutopussi.playouts import HandEnd, HuutopussiTable, play_out, playout_hands
from nousu.players.huutopussi.rules import expected_points, usefulness
from nousu.players.searcher import SearchEffort

PLAYED = 2
"""Deals played out for each one the effort allows."""
SPARE = 3
"""Number of cards considered beyond those that go back, the least useful ones first."""


class ReturnPlan(NamedTuple):
    """A return and a contract, with their prospects."""

    back: CardSet
    contract: int
    mean: float
    """Their average worth."""
    made: int
    """Number of deals in which the contract is made."""


def choose(view: View, effort: SearchEffort, rng: Random, usual: Choice) -> Choice:
    """The contract, or the cards to give back, that do best together."""
    named: dict[int, Action] = {}
    for action in view.legal:
        word = said(action) if isinstance(action, Call) else None
        if isinstance(word, Contract):
            named[word.points] = action
    gifts = {card_set(action.cards): action for action in view.legal if isinstance(action, Give)}
    facts = Facts.of(view.facts)
    if named:
        contracts = sorted(named)
    elif facts.contract is not None:
        contracts = [facts.contract]
    else:
        contracts = list(range(facts.bid, max(view.rules.most, facts.bid) + 1, 5))
    deals = max(1, round(PLAYED * effort.worlds))
    plan = _best(view, contracts, deals, rng, usual, effort.learned)
    chosen = named[plan.contract] if named else gifts[plan.back]
    message = sentence("A contract of {contract} is made in {made} of {worlds} imagined deals")
    return choice_because(chosen, message, contract=plan.contract, made=plan.made, worlds=deals)


def _best(
    view: View, contracts: Sequence[int], deals: int, rng: Random, usual: Choice, learned: bool
) -> ReturnPlan:
    declarer = view.seat
    assert declarer is not None
    mate, ours = partner(declarer), side(declarer)
    drawn = [playout_hands(view, world) for world in likely_worlds(view, deals, rng)]
    facts = Facts.of(view.facts)
    likeliest = facts.contract or expected_points(view)
    table = HuutopussiTable(view.rules, declarer, (), declarer, round(likeliest))
    nets = policy.packed_weights() if learned else b""
    worth = _worth(view)
    plans = []
    for back in _returns(view, usual):
        worlds = []
        for world in drawn:
            cards = list(world)
            cards[declarer] &= ~back
            cards[mate] |= back
            cards[4 + declarer] |= back
            worlds.append(cards)
        (ended,) = play_out(table, worlds, nets=nets).ended
        most = max(end.earned[ours] for end in ended)
        for contract in contracts:
            if contract > most and contract != contracts[0]:
                break
            mean = sum([worth(contract, end) for end in ended]) / deals
            plans.append(ReturnPlan(back, contract, mean, sum(end.earned[ours] >= contract for end in ended)))
    return max(plans, key=lambda plan: plan.mean)


def _returns(view: View, usual: Choice) -> list[CardSet]:
    """The packets of cards that may go back, the usual one first; an empty one where that is done."""
    mine, many = card_set(view.cards), view.rules.exchange_cards
    if mine.bit_count() <= 9:
        return [0]
    spare = sorted(cards_of(mine), key=lambda card: (usefulness(view.rules, mine, card), card))[
        : many + SPARE
    ]
    packets = [card_set(back) for back in combinations(spare, many)]
    if isinstance(usual.action, Give):
        packets.insert(0, card_set(usual.action.cards))
    return packets


def _worth(view: View) -> Callable[[int, HandEnd], float]:
    """The utility of a finished world with a contract, for the declarer's side."""
    assert view.seat is not None
    ours, bid, rules = side(view.seat), Facts.of(view.facts).bid, view.rules
    value = hand_utility(view.setup.tally, ours, ours)

    @cache
    def worth(contract: int, ended: HandEnd) -> float:
        return value(score(rules, ours, bid, contract, ended.earned, ended.tricks))

    return worth
