"""Returns and contracts of Huutopussi: points by which the declarer's side is ahead, by the way they are planned.

    python -m bench.experiments.huutopussi_returns [200 60000]    so many deals, from this number on

`expert` bids and gives; then each planner chooses the return and the contract with the same cards, and each plan
is played out by the nets in the same fresh deals of the declarer.
"""

import sys
from collections.abc import Callable, Iterator
from random import Random
from time import process_time

from bench.results import interval
from nousu.engine.actions import Give
from nousu.engine.cards import card_set
from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.games.huutopussi import Facts
from nousu.players import Budget, find_player
from nousu.players.huutopussi import exchange
from nousu.players.huutopussi.inference import likely_worlds
from nousu.players.searcher import SearchEffort
from nousu.players.seat_loop import derive_seed
from nousu.players.worlds import replay_world
from nousu.review.families import huutopussi as review

BUDGET = Budget(30.0, 20)
DEALS = 24
"""Fresh deals in which each plan is played out."""
EFFORT = SearchEffort(worlds=60, nodes=0, cards=0, learned=True)
"""The effort of `expert` where it imagines 40 deals."""
Planner = Callable[[View], exchange.ReturnPlan]


def _by_rules(view: View) -> exchange.ReturnPlan:
    """The contract by rules of thumb, then the return."""
    player = find_player("rules")
    contract = player.choose(view, BUDGET, 0).action
    (world,) = likely_worlds(view, 1, Random(0))
    after = replay_world(view, world).apply(view.owed[0], contract).view(view.owed[0])
    gift = player.choose(after, BUDGET, 0).action
    assert isinstance(gift, Give)
    named = Facts.of(after.facts).contract
    assert named is not None
    return exchange.ReturnPlan(card_set(gift.cards), named, 0.0, 0)


PLANNERS: dict[str, Planner] = {
    "expert": lambda view: exchange.best_plan(view, EFFORT, Random(7)),
    "quick": lambda view: exchange.quick_plan(view, Random(7)),
    "rules": _by_rules,
}


def _contract_views(count: int, first: int) -> Iterator[View]:
    """The views of declarers that are to name a contract, in so many deals."""
    game, rules = find("huutopussi")
    player = find_player("expert")
    for number in range(first, first + count):
        match = Match.start(game, rules, 4, dealer=number % 4).deal(Random(number))
        rng = Random(derive_seed(number, "choices"))
        while not match.played and match.hand.owed() != (CHANCE,):
            view = match.hand.view(match.hand.owed()[0])
            if Facts.of(view.facts).phase == "contract":
                yield view
                break
            match = match.apply(view.owed[0], player.choose(view, BUDGET, rng.randrange(1 << 32)).action)


def _worth(view: View, plan: exchange.ReturnPlan, seed: int) -> float:
    """Points by which the declarer's side is ahead with this plan, on average over fresh deals."""
    (declarer,) = view.owed
    drawn = likely_worlds(view, DEALS, Random(seed))
    after = replay_world(view, drawn[0]).apply(declarer, exchange.planned_action(view, plan)).view(declarer)
    (row,) = review.measure(after, [exchange.planned_action(after, plan)], drawn, seed)
    return sum(row) / len(row)


def main() -> None:
    """Print the points of each planner and their difference from those of `expert`."""
    numbers = [int(word) for word in sys.argv[1:]]
    count, first = numbers or (200, 60_000)
    rows: dict[str, list[float]] = {name: [] for name in PLANNERS}
    spent = dict.fromkeys(PLANNERS, 0.0)
    for at, view in enumerate(_contract_views(count, first)):
        for name, planner in PLANNERS.items():
            begun = process_time()
            plan = planner(view)
            spent[name] += process_time() - begun
            rows[name].append(_worth(view, plan, at))
    contracts = len(rows["expert"])
    print(f"{contracts} contracts\n\n| planned by | points ahead | less than expert | ms |\n|---|---|---|---|")
    for name, row in rows.items():
        mean, low, high = interval([one - best for one, best in zip(row, rows["expert"], strict=True)])
        difference = "" if name == "expert" else f"{mean:+.1f} ({low:+.1f} … {high:+.1f})"
        print(f"| {name} | {sum(row) / contracts:+.1f} | {difference} | {1000 * spent[name] / contracts:.1f} |")


if __name__ == "__main__":
    main()
