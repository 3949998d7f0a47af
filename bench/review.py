"""How well reviews measure: planted mistakes, false alarms, costs against results, the order of players.

python -m bench review         24 hands a question: some minutes on one core
python bench/review.py 200     more hands

Every question is put to Tuppi: high, low and sooli hands as they come.
"""

import sys
from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from time import process_time

from nousu.engine.actions import Action
from nousu.engine.game import Hand, View
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find, games
from nousu.players import Budget, named
from nousu.players.company import number_of
from nousu.players.worlds import worlds
from nousu.review import FULL, HandReview, review_hand, whist
from nousu.review.playing import ahead, played_on

HANDS = 24
BUDGET = Budget(1.0, 20)
PLANTED = 1.0
"""Tricks by which a planted action has to be worse than the one taken, in solved worlds."""
TRIED = 12
"""Worlds solved to find such an action."""
CARELESS = 0.2
"""How often the players whose costs are added up choose at random."""

Chooser = Callable[[View, Random], Action]


def _by(name: str) -> Chooser:
    player = named(name)
    return lambda view, rng: player.choose(view, BUDGET, rng.randrange(1 << 32)).action


def _careless(view: View, rng: Random) -> Action:
    if rng.random() < CARELESS:
        return rng.choice(view.legal)
    return _by("rules")(view, rng)


def played(number: int, ours: Chooser, theirs: Chooser) -> Hand:
    """Hand `number`, North and South choosing by `ours`; the same number has the same cards."""
    family, rules = find("tuppi")
    match = Match.start(family, rules, 4, dealer=number % 4).deal(Random(number))
    rng = Random(number_of(number, "choices"))
    while not match.played:
        seat = match.hand.owed()[0]
        view = match.hand.view(seat)
        action = view.legal[0]
        if len(view.legal) > 1:
            action = (theirs if seat % 2 else ours)(view, rng)
        match = match.apply(seat, action)
    return match.played[0].hand


def _until(hand: Hand, step: int) -> Hand:
    """The hand as it stood before that entry of its log."""
    here = games()["whist"].start(hand.view(None).rules, hand.setup)
    for by, action in hand.log[:step]:
        here = here.apply(by, action)
    return here


def plant(hand: Hand, rng: Random) -> tuple[Hand, int, int] | None:
    """The hand with one choice made clearly worse by solved worlds, its place in the log, and whose it is.
    The rest is played by the rules of thumb."""
    steps = [step for step, (by, _) in enumerate(hand.log) if by != CHANCE]
    rng.shuffle(steps)
    for step in steps:
        seat, taken = hand.log[step]
        here = _until(hand, step)
        view = here.view(seat)
        options = whist.options(view, taken)
        if len(options) < 2:
            continue
        found = worlds(view)
        drawn = [found.sample(rng) for _ in range(TRIED)]
        rows = whist.solved(view, options, drawn, FULL)
        if rows is None:
            continue
        means = [sum(row) / len(row) for row in rows]
        worst = min(range(len(options)), key=means.__getitem__)
        least = PLANTED * whist.unit(view)
        if means[0] - means[worst] < least:
            continue
        # The worst of many looks worse than it is: fresh worlds have to say the same.
        drawn = [found.sample(rng) for _ in range(2 * TRIED)]
        rows = whist.solved(view, [options[0], options[worst]], drawn, FULL)
        if rows is not None and (sum(rows[0]) - sum(rows[1])) / len(drawn) >= least:
            return played_on(here.apply(seat, options[worst]), number_of(step)), step, seat
    return None


def share(count: int, of: int) -> str:
    """A share in percent with its 95 % interval (Wilson)."""
    if not of:
        return "none"
    rate, z = count / of, 1.96
    middle = (rate + z * z / (2 * of)) / (1 + z * z / of)
    half = z * sqrt(rate * (1 - rate) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return f"{100 * rate:.1f} % ({100 * low:.1f}–{100 * high:.1f}) of {of}"


def slope(costs: Sequence[float], results: Sequence[float]) -> str:
    """What a point of cost takes from the result, by least squares, with its 95 % interval."""
    count = len(costs)
    mean_cost, mean_result = sum(costs) / count, sum(results) / count
    spread = sum((cost - mean_cost) ** 2 for cost in costs)
    both = zip(costs, results, strict=True)
    found = sum((cost - mean_cost) * (result - mean_result) for cost, result in both) / spread
    rest = [
        result - mean_result - found * (cost - mean_cost) for cost, result in zip(costs, results, strict=True)
    ]
    half = 1.96 * sqrt(sum(one * one for one in rest) / (count - 2) / spread)
    return f"{-found:.2f} ({-found - half:.2f} … {-found + half:.2f})"


def _false_alarms(hands: Sequence[Hand]) -> tuple[str, float]:
    choices = alarms = 0
    began = process_time()
    for hand in hands:
        for seat in range(4):
            found = review_hand(hand, seat, FULL, 1)
            choices += found.choices
            alarms += sum(one.verdict in ("mistake", "lucky") for one in found.judged)
    return share(alarms, choices), (process_time() - began) / max(1, 4 * len(hands))


def _planted(hands: Sequence[Hand]) -> str:
    found = planted = 0
    for number, hand in enumerate(hands):
        bad = plant(hand, Random(number_of(number, "plant")))
        if bad is not None:
            planted += 1
            review = review_hand(bad[0], bad[2], FULL, 2)
            found += any(one.step == bad[1] and one.verdict in ("mistake", "lucky") for one in review.judged)
    return share(found, planted)


def _cost(review: HandReview) -> float:
    return sum(one.cost.mean for one in review.judged)


def _added_up(count: int) -> str:
    """Careless hands against the same deals played with care: what the costs say, what the results say."""
    costs, results = [], []
    careful = _by("rules")
    for number in range(1000, 1000 + count):
        hand, other = (played(number, ours, careful) for ours in (_careless, careful))
        one, two = hand.result(), other.result()
        assert one is not None and two is not None
        costs.append(sum(_cost(review_hand(hand, seat, FULL, 3)) for seat in (0, 2)))
        results.append(ahead(one, "whist", 0) - ahead(two, "whist", 0))
    return slope(costs, results)


def _ladder(count: int) -> list[tuple[str, float, float]]:
    """Points given away a hand by two players of each kind against two by the rules of thumb."""
    table = []
    for name in ("beginner", "easy", "club", "searcher"):
        given = [
            sum(_cost(review_hand(hand, seat, FULL, 4)) for seat in (0, 2))
            for hand in (played(number, _by(name), _by("rules")) for number in range(2000, 2000 + count))
        ]
        mean = sum(given) / count
        half = 1.96 * sqrt(sum((one - mean) ** 2 for one in given) / (count - 1) / count)
        table.append((name, mean, half))
    return table


def main(hands: int = HANDS) -> bool:
    """Print the figures of docs/review.md; True if the order of the players is not that of the ladder."""
    strong = [played(number, _by("searcher"), _by("searcher")) for number in range(hands)]
    print("| measure | goal | found |\n|---|---|---|", flush=True)
    alarms, seconds = _false_alarms(strong)
    print(
        f"| choices of `searcher` called clear mistakes, lucky ones too | at most 5 % | {alarms} |",
        flush=True,
    )
    print(f"| planted mistakes found | at least 90 % | {_planted(strong)} |", flush=True)
    print(f"| points lost for each point of cost | 0.9 to 1.1 | {_added_up(2 * hands)} |", flush=True)
    table = _ladder(hands)
    order = ", ".join(f"`{name}` {mean:.1f} ± {half:.1f}" for name, mean, half in table)
    print(f"| points given away a hand, a pair of players | falling | {order} |", flush=True)
    print(f"| a review of one seat, whole | at most 30 s | {seconds:.2f} s of CPU time |")
    means = [mean for _, mean, _ in table]
    return means != sorted(means, reverse=True)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else HANDS))
