"""The declarer's return and contract, chosen by playouts.

Each of the likely returns is tried in the same imagined deals, all playing on by rules of thumb and seeing
only their own cards (`playouts`). That tells how many points such a hand earns, and so which contract is
worth naming: a declarer scores the contract and no more.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import NamedTuple

from nousu.engine.actions import Action, Call, Give
from nousu.engine.cards import CardSet, card_set, cards_of
from nousu.engine.game import View
from nousu.engine.messages import sentence
from nousu.engine.seats import partner, side
from nousu.games.huutopussi import Contract, Facts, call_of, said, score
from nousu.players import Choice, choice_because
from nousu.players.huutopussi import policy
from nousu.players.huutopussi.equity import hand_utility
from nousu.players.huutopussi.inference import likely_worlds
from nousu.players.huutopussi.playouts import HandEnd, HuutopussiTable, play_out, playout_hands
from nousu.players.huutopussi.rules import KEPT, contract_chance, expected_points, hand_value, usefulness
from nousu.players.searcher import SearchEffort

PLAYED = 2
"""Deals played out for each one the effort allows."""
SPARE, PACKETS = 5, 20
"""Number of cards considered beyond those that go back, the least useful ones first, and of returns tried."""
QUICK_DEALS, QUICK_PACKETS = 16, 5
"""Deals and returns of a quick choice."""


class ReturnPlan(NamedTuple):
    """A return and a contract, with their prospects."""

    back: CardSet
    contract: int
    mean: float
    """Their average worth."""
    made: int
    """Number of deals in which the contract is made."""


def choose(view: View, effort: SearchEffort, rng: Random) -> Choice:
    """The contract, or the cards to give back, that do best together."""
    plan = best_plan(view, effort, rng)
    message = sentence("A contract of {contract} is made in {made} of {worlds} imagined deals")
    return choice_because(
        planned_action(view, plan), message, contract=plan.contract, made=plan.made, worlds=_deals(effort)
    )


def best_plan(view: View, effort: SearchEffort, rng: Random) -> ReturnPlan:
    """The return and contract that do best for the match."""
    worth = _worth(view)

    def mean(contract: int, ended: Sequence[HandEnd]) -> float:
        return sum([worth(contract, end) for end in ended]) / len(ended)

    return _best(view, _played_out(view, PACKETS, _deals(effort), rng, effort.learned), mean)


def quick_plan(view: View, rng: Random) -> ReturnPlan:
    """The return and contract of most points in a few deals, in a few milliseconds.

    So few deals do not show how far the points of a hand lie apart, and the highest contract made in all of
    them would be too high. So each counts for all those around it (`contract_chance`).
    """
    ours = _own_side(view)
    loses: bool = view.rules.failed_contract == "minus_contract"

    def mean(contract: int, ended: Sequence[HandEnd]) -> float:
        others = sum(end.earned[1 - ours] for end in ended) / len(ended)
        chance = sum([contract_chance(end.earned[ours], contract) for end in ended]) / len(ended)
        return contract * (chance - (1 - chance) * loses) - others

    return _best(view, _played_out(view, QUICK_PACKETS, QUICK_DEALS, rng, True), mean)


def _best(
    view: View,
    tried: Iterable[tuple[CardSet, Sequence[HandEnd]]],
    mean: Callable[[int, Sequence[HandEnd]], float],
) -> ReturnPlan:
    """The plan of the greatest mean; contracts that no deal reaches are left out, but for the least."""
    contracts, ours = _contracts(view), _own_side(view)
    plans = []
    for back, ended in tried:
        most = max(end.earned[ours] for end in ended)
        for contract in contracts:
            if contract > most and contract != contracts[0]:
                break
            made = sum(end.earned[ours] >= contract for end in ended)
            plans.append(ReturnPlan(back, contract, mean(contract, ended), made))
    return max(plans, key=lambda plan: plan.mean)


def planned_action(view: View, plan: ReturnPlan) -> Action:
    """The action of a plan that is due now."""
    contract = call_of(Contract(plan.contract))
    if contract in view.legal:
        return contract
    gifts = {card_set(action.cards): action for action in view.legal if isinstance(action, Give)}
    return gifts[plan.back]


def _deals(effort: SearchEffort) -> int:
    return max(1, round(PLAYED * effort.worlds))


def _own_side(view: View) -> int:
    assert view.seat is not None
    return side(view.seat)


def _contracts(view: View) -> Sequence[int]:
    """The contracts that may be named, now or after the return; or the one that was."""
    words = [said(action) for action in view.legal if isinstance(action, Call)]
    facts = Facts.of(view.facts)
    if facts.contract is not None:
        return (facts.contract,)
    named = sorted(word.points for word in words if isinstance(word, Contract))
    return named or range(facts.bid, max(view.rules.most, facts.bid) + 1, 5)


def _played_out(
    view: View, packets: int, deals: int, rng: Random, learned: bool
) -> Iterator[tuple[CardSet, Sequence[HandEnd]]]:
    """Each of the likely returns with the ends of the same deals."""
    declarer = view.seat
    assert declarer is not None
    mate = partner(declarer)
    drawn = [playout_hands(view, world) for world in likely_worlds(view, deals, rng)]
    likeliest = Facts.of(view.facts).contract or expected_points(view)
    table = HuutopussiTable(view.rules, declarer, (), declarer, round(likeliest))
    nets = policy.packed_weights() if learned else b""
    for back in _returns(view, packets):
        worlds = []
        for world in drawn:
            cards = list(world)
            cards[declarer] &= ~back
            cards[mate] |= back
            cards[4 + declarer] |= back
            worlds.append(cards)
        yield back, play_out(table, worlds, nets=nets).ended[0]


def _returns(view: View, most: int) -> list[CardSet]:
    """The returns that leave the best hands, at most so many; an empty one where that is done."""
    mine, many = card_set(view.cards), view.rules.exchange_cards
    if mine.bit_count() <= 9:
        return [0]
    spare = sorted(cards_of(mine), key=lambda card: (usefulness(view.rules, mine, card), card))
    packets = [card_set(back) for back in combinations(spare[: many + SPARE], many)]
    return sorted(packets, key=lambda back: -hand_value(view.rules, mine & ~back, KEPT))[:most]


def _worth(view: View) -> Callable[[int, HandEnd], float]:
    """The utility of a finished world with a contract, for the declarer's side."""
    assert view.seat is not None
    ours, bid, rules = side(view.seat), Facts.of(view.facts).bid, view.rules
    value = hand_utility(view.setup.tally, ours, ours)

    @cache
    def worth(contract: int, ended: HandEnd) -> float:
        return value(score(rules, ours, bid, contract, ended.earned, ended.tricks))

    return worth
