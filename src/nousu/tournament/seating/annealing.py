"""Improving a seating plan by swapping two people of one round, again and again (simulated annealing).

The cost of a plan counts, in this order of weight, repeated meetings, third and later meetings, and how
unevenly the seats at smaller tables are spread. A swap touches only the pairs at two tables, so the
difference it makes is found from at most sixteen counts.
"""

import math
import random
import time
from collections.abc import Mapping, Sequence
from itertools import combinations


def unevenness(small: Sequence[int]) -> int:
    """Unevenness of these counts: a thousand times their range, and the sum of their squares."""
    return 1000 * (max(small) - min(small)) + sum(count * count for count in small) if small else 0


REPEAT = 24
"""Cost of one repeated meeting; one seat too many at small tables costs a few units."""


class CountedPlan:
    """A plan with its counts, which a swap keeps right: meetings of each pair, turns at small tables.

    `met` and `small` are the counts of earlier rounds; people are numbered from 0. `apart` is the cost of
    two who sit together, in repeated meetings (both ways round).
    """

    def __init__(
        self,
        people: int,
        rounds: Sequence[Sequence[Sequence[int]]],
        met: Mapping[tuple[int, int], int],
        small: Sequence[int],
        apart: Mapping[int, Mapping[int, int]] | None = None,
    ) -> None:
        self.people = people
        self.apart = apart or {}
        self.rounds = [[list(table) for table in tables] for tables in rounds]
        self.met = [[0] * people for _ in range(people)]
        for (a, b), times in met.items():
            self.met[a][b] = self.met[b][a] = times
        self.small = list(small)
        self.is_small = [[len(t) < max(map(len, tables)) for t in tables] for tables in self.rounds]
        self.before = sum(max(0, times - 1) for times in met.values())
        for tables, smaller in zip(self.rounds, self.is_small, strict=True):
            for table, few in zip(tables, smaller, strict=True):
                for a, b in combinations(table, 2):
                    self.met[a][b] += 1
                    self.met[b][a] += 1
                if few:
                    for a in table:
                        self.small[a] += 1
        #: cost of one more meeting after so many
        self.more = [0, REPEAT] + [REPEAT + 2 * extra for extra in range(1, 200)]

    def repeats(self) -> int:
        """Meetings beyond the first of a pair, those of the earlier rounds not counted."""
        pairs = combinations(range(self.people), 2)
        return sum(max(0, self.met[a][b] - 1) for a, b in pairs) - self.before

    def key(self) -> tuple[int, int, int]:
        """The criteria, smaller ones being better: repeats, third and later meetings, unevenness."""
        pairs = combinations(range(self.people), 2)
        thirds = sum((times - 1) * (times - 2) // 2 for a, b in pairs if (times := self.met[a][b]) > 2)
        return self.repeats() + self.unwanted(), thirds, unevenness(self.small)

    def unwanted(self) -> int:
        """The cost of people kept apart who sit together."""
        return sum(
            self.apart[a].get(b, 0)
            for tables in self.rounds
            for table in tables
            for a, b in combinations(table, 2)
            if a in self.apart
        )

    def cost_change(self, number: int, a: int, at_a: int, b: int, at_b: int) -> int:
        """The change of the cost when `a` and `b` swap their tables in that round."""
        more, met_a, met_b = self.more, self.met[a], self.met[b]
        tables = self.rounds[number]
        delta = 0
        for other in tables[at_a]:
            if other != a:
                delta += more[met_b[other]] - more[met_a[other] - 1]
        for other in tables[at_b]:
            if other != b:
                delta += more[met_a[other]] - more[met_b[other] - 1]
        if self.apart:
            none: Mapping[int, int] = {}
            of_a, of_b = self.apart.get(a, none), self.apart.get(b, none)
            if of_a or of_b:
                away = sum(of_b.get(other, 0) - of_a.get(other, 0) for other in tables[at_a] if other != a)
                away += sum(of_a.get(other, 0) - of_b.get(other, 0) for other in tables[at_b] if other != b)
                delta += REPEAT * away
        few = self.is_small[number]
        if few[at_a] != few[at_b]:
            lost, won = (a, b) if few[at_a] else (b, a)
            delta += 2 * (self.small[won] - self.small[lost] + 1)
        return delta

    def swap(self, number: int, a: int, at_a: int, b: int, at_b: int) -> None:
        """Swap the two and keep all counts."""
        met, tables = self.met, self.rounds[number]
        first, second = tables[at_a], tables[at_b]
        for other in first:
            if other != a:
                met[a][other] -= 1
                met[other][a] -= 1
                met[b][other] += 1
                met[other][b] += 1
        for other in second:
            if other != b:
                met[b][other] -= 1
                met[other][b] -= 1
                met[a][other] += 1
                met[other][a] += 1
        first[first.index(a)] = b
        second[second.index(b)] = a
        few = self.is_small[number]
        if few[at_a] != few[at_b]:
            step = 1 if few[at_a] else -1
            self.small[a] -= step
            self.small[b] += step

    def frozen(self) -> list[list[tuple[int, ...]]]:
        """The rounds as they are now."""
        return [[tuple(table) for table in tables] for tables in self.rounds]


def anneal(
    plan: CountedPlan,
    rng: random.Random,
    *,
    steps: int,
    good_enough: tuple[int, int, int],
    until: float,
    heat: float = 12.0,
) -> tuple[tuple[int, int, int], list[list[tuple[int, ...]]]]:
    """The best plan met on a walk of `steps` swaps that cools from `heat`.

    Stops early once it is `good_enough` or this thread's clock (CPU seconds) passes `until`.
    """
    best_key, best = plan.key(), plan.frozen()
    open_rounds = [number for number, tables in enumerate(plan.rounds) if len(tables) > 1]
    if not open_rounds or best_key <= good_enough:
        return best_key, best
    cost = lowest = 0
    cooling = (0.4 / heat) ** (1 / max(1, steps))
    temperature = heat
    pick, chance, exp = rng.randrange, rng.random, math.exp
    for step in range(steps):
        number = open_rounds[pick(len(open_rounds))]
        tables = plan.rounds[number]
        at_a = pick(len(tables))
        at_b = pick(len(tables) - 1)
        at_b += at_b >= at_a
        a, b = tables[at_a][pick(len(tables[at_a]))], tables[at_b][pick(len(tables[at_b]))]
        delta = plan.cost_change(number, a, at_a, b, at_b)
        temperature *= cooling
        if delta <= 0 or chance() < exp(-delta / temperature):
            plan.swap(number, a, at_a, b, at_b)
            cost += delta
            if cost < lowest:
                lowest = cost
                key = plan.key()
                if key < best_key:
                    best_key, best = key, plan.frozen()
                    if key <= good_enough:
                        break
        if step % 512 == 0 and time.thread_time() > until:
            break
    return best_key, best
