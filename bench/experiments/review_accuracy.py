"""Accuracy of reviews: planted mistakes, false alarms, costs against results, order of players.

    python -m bench.experiments.review_accuracy                    24 hands a question: ten minutes
    python -m bench.experiments.review_accuracy 200                more hands
    python -m bench.experiments.review_accuracy 200 order slope    only these: alarms, late, planted, slope, order
    python -m bench.experiments.review_accuracy 40 alarms tuppen_zk/3    of Tuppen for three
    python -m bench.experiments.review_accuracy 40 planted minnesota/4 8000    of hands from number 8000 on

With `--result FILE` the figures are appended to a file. Goals: at most 1 % of the choices of `expert` called
mistakes, at least 95 % of planted mistakes found, 0.9 to 1.1 points lost for each point of cost, and less
given away by each level than by the one below. Unless another game is named, the questions are put to Tuppi:
high, low and sooli hands as they come. False alarms are looked for and mistakes planted in the first hands of
matches of `expert`; `late` looks for false alarms where one side is likely to win the match. Slope, order and
late hands need two sides. `bench.review_time` measures the time of a review.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import sqrt
from random import Random

from bench.results import Report, options, parse
from nousu.engine.actions import Action, Call, Play
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Hand, Result, View
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE, Seat
from nousu.games import find
from nousu.games.tuppen import Facts
from nousu.players import Budget, Interrupter, Player, find_player
from nousu.players.equity import win_chances
from nousu.players.seat_loop import advance, derive_seed
from nousu.players.worlds import World, replay_steps, replay_world, worlds
from nousu.review import FULL, QUICK, Interval, ReviewEffort, review_hand
from nousu.review.comparison import floor_weights
from nousu.review.families import review_family, tuppen
from nousu.review.playouts import hand_before, play_on, points_ahead
from nousu.review.statistics import CLEAR, interval

HANDS = 24
BUDGET = Budget(1.0, 20)
QUICKLY = Budget(1.0, 2)
"""Budget of a choice in the confirmation of a planted mistake: 16 imagined deals in Tuppen."""
PLANTED = 1.0
"""Tricks by which a planted action must be worse than the one taken, in solved worlds."""
TRIED = 12
"""Worlds solved to choose an action to plant."""
AGREED = 24, 96
"""Worlds played out to confirm it: before each look whether it fails, and at most."""
TRIES = 20
"""Most deals of Tuppen drawn for each that is played out: in the others the players would have said
something else."""
FRESH = 7000
"""Number of the first hand; earlier hands were used while reviews were built."""
UNEVEN = 0.15
"""Distance of the chance to win the match from one half at which a hand is late."""
CARELESS = 0.2
"""Share of random cards of the careless player."""
LADDER = "beginner", "easy", "club", "expert"
TUPPI = "tuppi/4"
Chooser = Callable[[View, Random], Action]


def _chooser(name: str) -> Chooser:
    player = find_player(name)
    return lambda view, rng: player.choose(view, BUDGET, rng.randrange(1 << 32)).action


def _careless_choice(view: View, rng: Random) -> Action:
    if isinstance(view.legal[0], Play) and rng.random() < CARELESS:
        return rng.choice(view.legal)
    return _chooser("rules")(view, rng)


def play_hand(number: int, ours: Chooser, theirs: Chooser, preset: str) -> Hand:
    """Play a hand with North and South by `ours`; the same number has the same cards."""
    family, rules = find(preset)
    match = Match.start(family, rules, 4, dealer=number % 4).deal(Random(number))
    rng = Random(derive_seed(number, "choices"))
    while not match.played:
        seat = match.hand.owed()[0]
        view = match.hand.view(seat)
        action = view.legal[0]
        if len(view.legal) > 1:
            action = (theirs if seat % 2 else ours)(view, rng)
        match = match.apply(seat, action)
    return match.played[0].hand


def is_confirmed(view: View, better: Action, worse: Action, rng: Random) -> bool:
    """Whether `worse` is also a clear mistake when searching players who see only their own cards go on.

    With all cards seen, an action may cost what nobody at a table could have won. As in a review, the low end
    of the cost must be clear with worlds weighed as the seat believes them, and with all equally likely.
    """
    assert view.seat is not None
    family, found = review_family(view.game), worlds(view)
    least = CLEAR * family.unit(view)
    drawn: list[World] = []
    costs: list[float] = []
    spans: list[Interval] = []
    batch, most = AGREED
    while len(costs) < most:
        drawn += [found.sample(rng) for _ in range(batch)]
        for world in drawn[len(costs) :]:
            here = replay_world(view, world)
            ends = [_to_the_end(here.apply(view.seat, action), rng) for action in (better, worse)]
            ahead = [points_ahead(end, view.game, view.seat) for end in ends]
            costs.append(ahead[0] - ahead[1])
        spans = [_unweighted(costs), interval(costs, floor_weights(family.weights(view, drawn)))]
        if min(span.high for span in spans) < least:
            return False
    return min(span.low for span in spans) > least


def _to_the_end(hand: Hand, rng: Random) -> Result:
    result = play_on(hand, rng.randrange(1 << 32), find_player("searcher"), QUICKLY).result()
    assert result is not None
    return result


def _choices(hand: Hand, rng: Random) -> Iterator[tuple[int, Seat, Action, Hand]]:
    """Choices of a hand in random order: place in the log, seat, action, and the hand before it."""
    steps = [step for step, (by, _) in enumerate(hand.log) if by != CHANCE]
    rng.shuffle(steps)
    for step in steps:
        yield (step, *hand.log[step], hand_before(hand, step))


def plant(hand: Hand, rng: Random) -> tuple[Hand, int, int] | None:
    """Replace one choice by a clearly worse one and play the rest by rules of thumb.

    It is worse in solved worlds and in worlds that searching players play out.

    Returns:
        The hand, the place of the choice in the log and its seat; None where no choice can be replaced.
    """
    for step, seat, taken, here in _choices(hand, rng):
        view = here.view(seat)
        family = review_family(view.game)
        options = [one for one in family.options(view, taken) if isinstance(one, Play) or one == taken]
        if len(options) < 2:
            continue
        found = worlds(view)
        drawn = [found.sample(rng) for _ in range(TRIED)]
        rows = family.solved(view, options, drawn, FULL)
        if rows is None:
            continue
        means = [sum(row) / len(row) for row in rows]
        worst = min(range(len(options)), key=means.__getitem__)
        least = PLANTED * family.unit(view)
        if means[0] - means[worst] < least:
            continue
        # The worst of many looks worse than it is, so fresh worlds must confirm it.
        drawn = [found.sample(rng) for _ in range(2 * TRIED)]
        rows = family.solved(view, [options[0], options[worst]], drawn, FULL)
        if rows is None or (sum(rows[0]) - sum(rows[1])) / len(drawn) < least:
            continue
        if is_confirmed(view, options[0], options[worst], rng):
            return play_on(here.apply(seat, options[worst]), derive_seed(step)), step, seat
    return None


def share(count: int, of: int) -> Interval:
    """A share in percent with its 95 % interval (Wilson)."""
    rate, z = count / max(1, of), 1.96
    middle = (rate + z * z / (2 * of)) / (1 + z * z / of) if of else 0.5
    half = z * sqrt(rate * (1 - rate) / of + z * z / (4 * of * of)) / (1 + z * z / of) if of else 0.5
    return Interval(100 * rate, max(0.0, 100 * (middle - half)), min(100.0, 100 * (middle + half)))


def slope(costs: Sequence[float], results: Sequence[float]) -> Interval:
    """Points lost in the result for each point of cost, with the 95 % interval.

    Least squares through zero: no cost means the same play, and so the same result.
    """
    spread = sum(cost * cost for cost in costs)
    both = list(zip(costs, results, strict=True))
    found = sum(cost * result for cost, result in both) / spread
    rest = sum((cost * (result - found * cost)) ** 2 for cost, result in both)
    half = 1.96 * sqrt(rest) / spread  # hands that cost much stray more than others
    return Interval(found, found - half, found + half)


def _print_progress(question: str, hands: int, found: Interval) -> None:
    """Print the result so far to standard error."""
    print(f"{question}, {hands} hands: {_interval_text(found)}", file=sys.stderr, flush=True)


def _hand(number: int, preset: str, seats: int, late: bool = False) -> Hand:
    """A hand of `expert`: the first of a match, or one that may end it.

    Hands before a late one are played by `club`. The same number has the same cards.
    """
    game, rules = find(preset)
    seed, chances = derive_seed(number, preset, seats), win_chances(game.name)
    match = Match.start(game, rules, seats, dealer=number % seats)
    played = 0
    while len(match.played) == played:
        chance = None if chances is None else chances.win_chance(match.tally)
        early = late and chance is not None and abs(chance - 0.5) < UNEVEN
        after = advance(match, [find_player("club" if early else "expert")] * seats, seed, BUDGET)
        if after is None:  # it ended too early
            return _hand(number + 1_000_000, preset, seats, late)
        match, played = after, len(after.played) if early else played
    return match.played[-1].hand


def _false_alarms(count: int, hand_of: Callable[[int], Hand]) -> tuple[Interval, int]:
    choices = alarms = 0
    for number in range(count):
        hand = hand_of(number)
        for seat in range(hand.setup.seats):
            found = review_hand(hand, seat, FULL, 1)
            choices += found.choices
            for one in found.judged:
                if one.verdict in ("mistake", "lucky"):
                    alarms += 1
                    figures = f"{one.cost}, match {one.match}, second {one.second}"
                    print(f"hand {number}, {one.action} for {one.best}: {figures}", file=sys.stderr)
        _print_progress("alarms", number + 1, share(alarms, choices))
    return share(alarms, choices), choices


def _is_consistent(view: View, world: World, player: Player, seed: int) -> bool:
    """Whether this player in the other seats would have said in that deal what they said."""
    for at, (here, (by, action)) in enumerate(zip(replay_steps(view, world), view.heard, strict=False)):
        if by in (CHANCE, view.seat) or not isinstance(action, Call):
            continue
        seen, asked = here.view(by), derive_seed(seed, at)
        if by in seen.owed:
            said: Action | None = player.choose(seen, QUICKLY, asked).action
        else:
            spoken = player.interrupt(seen, QUICKLY, asked) if isinstance(player, Interrupter) else None
            said = spoken and spoken.action
        if said != action:
            return False
    return True


def _differences(view: View, better: Action, worse: Action, rng: Random) -> Iterator[float]:
    """Cost of `worse` in Tuppen by deal, when searching players go on.

    Only deals count in which such players would have said what was said.
    """
    assert view.seat is not None
    strong, found = find_player("searcher"), tuppen.possible_deals(view)
    left = AGREED[1]
    for _ in range(TRIES * left):
        world, seed = found.sample(rng), rng.randrange(1 << 32)
        try:
            if not _is_consistent(view, world, strong, seed):
                continue
            here = replay_world(view, world)
            ends = [
                play_on(here.apply(view.seat, action), seed, strong, QUICKLY).result()
                for action in (better, worse)
            ]
        except IllegalAction:  # where a packet was no four pictures, the hand may have gone otherwise
            continue
        worth = [0.0 if end is None or end.void else tuppen.hand_outcome(end, view) for end in ends]
        yield worth[0] - worth[1]
        left -= 1
        if not left:
            break


def _unweighted(costs: Sequence[float]) -> Interval:
    return interval(costs, [1.0] * len(costs))


def _counts_as_mistake(costs: Sequence[float]) -> bool:
    """Whether an action with these costs counts as a mistake."""
    cost = _unweighted(costs)
    return cost.low > 0 and cost.mean >= PLANTED


def _is_mistake(view: View, better: Action, worse: Action, rng: Random) -> bool:
    """Whether `worse` is a mistake in two samples of deals.

    The first ends as soon as the answer is clear, and so also finds what only looks bad by chance; the second
    is complete.
    """
    costs: list[float] = []
    for cost in _differences(view, better, worse, rng):
        costs.append(cost)
        if len(costs) % AGREED[0] == 0:
            looked = _unweighted(costs)
            if looked.low > 0 or looked.high < PLANTED / 2:
                break
    return _counts_as_mistake(costs) and _counts_as_mistake(list(_differences(view, better, worse, rng)))


def plant_in_tuppen(hand: Hand, rng: Random) -> tuple[Hand, int, int] | None:
    """Replace one choice of Tuppen by one that is a point worse when searching players go on; as `plant`."""
    for step, seat, taken, here in _choices(hand, rng):
        view = here.view(seat)
        others = [one for one in tuppen.options(view, taken) if one is not None and one != taken]
        if not others or Facts.of(view.facts).phase == "blind":
            continue
        worse = rng.choice(others)
        if _is_mistake(view, taken, worse, rng):
            return play_on(here.apply(seat, worse), derive_seed(step)), step, seat
    return None


def _planted_found(
    count: int,
    hand_of: Callable[[int], Hand],
    plant: Callable[[Hand, Random], tuple[Hand, int, int] | None],
) -> tuple[Interval, int]:
    found = planted = 0
    for number in range(count):
        bad = plant(hand_of(number), Random(derive_seed(number, "plant")))
        if bad is not None:
            planted += 1
            review = review_hand(bad[0], bad[2], FULL, 2)
            (one,) = [one for one in review.judged if one.step == bad[1]] or [None]
            if one is not None and one.verdict in ("mistake", "lucky"):
                found += 1
            else:
                print(f"hand {number}, step {bad[1]}, not found: {one and one.plain()}", file=sys.stderr)
            _print_progress("planted", number + 1, share(found, planted))
    return share(found, planted), planted


def _cards(hand: Hand, seat: Seat) -> list[int]:
    """Places in the log of the cards of that seat."""
    return [step for step, (by, action) in enumerate(hand.log) if by == seat and isinstance(action, Play)]


def _cost(hand: Hand, seat: Seat, effort: ReviewEffort, steps: Sequence[int] | None = None) -> float:
    judged = review_hand(hand, seat, effort, 3, only=steps).judged
    return sum(one.cost.mean for one in judged if one.verdict != "only")


def _differs(hand: Hand, step: int) -> bool:
    """Whether a choice differs from the careful player's."""
    seat, taken = hand.log[step]
    view = hand_before(hand, step).view(seat)
    careful = find_player("rules").choose(view, BUDGET, 0).action
    return not review_family(view.game).same(view, careful, taken)


def _cost_slope(count: int, preset: str, first: int) -> Interval:
    """Compare costs with results: hands with careless cards against the same deals played with care.

    Only costs of cards that differ count, so mistakes of both players are in neither figure.
    """
    costs, results = [], []
    careful = _chooser("rules")
    for number in range(first, first + count):
        hand, other = (play_hand(number, ours, careful, preset) for ours in (_careless_choice, careful))
        one, two = hand.result(), other.result()
        assert one is not None and two is not None
        costs.append(
            sum(
                _cost(hand, seat, FULL, [step for step in _cards(hand, seat) if _differs(hand, step)])
                for seat in (0, 2)
            )
        )
        game = find(preset)[0].name
        results.append(points_ahead(two, game, 0) - points_ahead(one, game, 0))
        if any(costs):
            _print_progress("slope", len(costs), slope(costs, results))
    return slope(costs, results)


def _ladder(count: int, preset: str, first: int) -> list[tuple[str, Interval, Interval]]:
    """Points given away a hand by two players of each level against two by the rules of thumb.

    First answers tell: they try fewer deals a choice, and so there is time for more hands.

    Returns:
        Name of each level, what it gives away, and how much less that is, in the same deals, than the level
        before gives away.
    """
    given: dict[str, list[float]] = {name: [] for name in LADDER}
    for number in range(first, first + count):
        for name in LADDER:
            hand = play_hand(number, _chooser(name), _chooser("rules"), preset)
            given[name].append(sum(_cost(hand, seat, QUICK) for seat in (0, 2)))
        if len(given[name]) > 1:
            for row in _steps(given):
                _print_progress(f"order, {row[0]}, less than before {_interval_text(row[2])}", len(given[name]), row[1])
    return _steps(given)


def _steps(given: Mapping[str, Sequence[float]]) -> list[tuple[str, Interval, Interval]]:
    table = []
    for at, name in enumerate(LADDER):
        worse = given[LADDER[at - 1]] if at else given[name]
        less = [two - one for one, two in zip(given[name], worse, strict=True)]
        table.append((name, _unweighted(given[name]), _unweighted(less)))
    return table


def _interval_text(span: Interval) -> str:
    return f"{span.mean:.2f} ({span.low:.2f} … {span.high:.2f})"


QUESTIONS = ("alarms", "planted", "late", "slope", "order")


def measure(
    report: Report, hands: int, first: int, questions: Sequence[str], preset: str, seats: int
) -> None:
    """Report the figures of a game, of so many hands from `first` on."""

    @cache
    def hand_of(number: int) -> Hand:
        return _hand(first + number, preset, seats)

    def late_hand_of(number: int) -> Hand:
        return _hand(first + number, preset, seats, late=True)

    game = f"{preset}/{seats}"
    if "alarms" in questions:
        rate, choices = _false_alarms(hands, hand_of)
        name = f"choices of `expert` called mistakes, {game}"
        report.add(name, rate.mean, "%", low=rate.low, high=rate.high, n=choices, at_most=1)
    if "late" in questions:
        rate, choices = _false_alarms(hands, late_hand_of)
        name = f"the same late in a match, {game}"
        report.add(name, rate.mean, "%", low=rate.low, high=rate.high, n=choices, at_most=1)
    if "planted" in questions:
        way = plant_in_tuppen if find(preset)[0].name == "tuppen" else plant
        rate, planted = _planted_found(hands, hand_of, way)
        name = f"planted mistakes found, {game}"
        report.add(name, rate.mean, "%", low=rate.low, high=rate.high, n=planted, at_least=95)
    if "slope" in questions:
        found = _cost_slope(hands, preset, first)
        name = f"points lost for each point of cost, {game}"
        report.add(name, found.mean, "points", low=found.low, high=found.high, n=hands)
    if "order" in questions:
        for name, given, less in _ladder(hands, preset, first):
            figure = f"given away a hand by two `{name}`, {game}"
            report.add(figure, given.mean, "points", low=given.low, high=given.high, n=hands)
            if name != LADDER[0]:
                figure = f"less than the level before, `{name}`, {game}"
                report.add(figure, less.mean, "points", low=less.low, high=less.high, n=hands, at_least=0)


def main(words: Sequence[str] = ()) -> bool:
    """Measure what is asked; return whether a goal is missed."""
    parser = options("experiments.review_accuracy", __doc__)
    parser.add_argument("asked", nargs="*", help="numbers, questions, rules/seats")
    arguments, report = parse(parser, words)
    asked = arguments.asked
    tables = [one for one in asked if "/" in one] or [TUPPI]
    numbers = [int(one) for one in asked if one.isdecimal()]
    wanted = [one for one in asked if one in QUESTIONS]
    if unknown := [one for one in asked if not (one.isdecimal() or "/" in one or one in QUESTIONS)]:
        parser.error(f"{unknown[0]}: give a number of hands, of {', '.join(QUESTIONS)} those wanted, and rules/seats")
    for table in tables:
        preset, _, seats = table.rpartition("/")
        try:
            family, _ = find(preset)
            sizes = [str(size) for size in family.seats_for(preset)]
        except ValueError as error:
            parser.error(f"{table}: {error}")
        if seats not in sizes:
            parser.error(f"{table}: {preset} is played by {', '.join(sizes)}")
        may = QUESTIONS if family.sides else QUESTIONS[:2]
        if other := [one for one in wanted if one not in may]:
            parser.error(f"{other[0]}: of {table}, only {' and '.join(may)} can be asked")
        hands = numbers[0] if numbers else HANDS
        first = numbers[1] if len(numbers) > 1 else FRESH
        measure(report, hands, first, wanted or may, preset, int(seats))
    return bool(report.problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
