"""Seating plans of all series: as few repeated meetings as can be found, then fair small tables.

The plan speaks of numbers; the draw gives the numbers to people (TU-ZK-I2). Several table mixes are tried:
17 people at 4+4+3+3+3 need not meet anybody twice, at 5+4+4+4 they must. Algebraic plans
(`constructions`) and plans of long searches (`tables`) are taken where they exist, all others are searched
(`annealing`).
"""

import random
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

from nousu.engine.messages import sentence
from nousu.tournament.messages import Refusal
from nousu.tournament.seating.annealing import CountedPlan, anneal, unevenness
from nousu.tournament.seating.constructions import Rounds, grid_rounds
from nousu.tournament.seating.tables import known_plan

Meetings = Mapping[tuple[int, int], int]
"""Number of meetings by pair of numbers (lower first)."""

UNEVEN = 2
"""Greatest difference of turns at smaller tables; beyond it another table mix is tried that repeats no more
meetings (21 people: 4+4+4+3+3+3 instead of 5+4+4+4+4)."""

UNWANTED = {"must": 40, "rather": 2}
"""Number of repeated meetings that weigh as much as one meeting of two who are kept apart."""

SECONDS = 4.0
"""Seconds of one core that the search may take, unless told otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingPlan:
    """A plan and its quality."""

    rounds: Rounds
    """Rounds of tables of numbers; larger tables first, seats in order of play."""
    repeats: int
    """Meetings beyond the first of two people, counted together with the rounds already played."""
    lower_bound: int
    """Lower bound of the repeats with this table mix (not always reachable)."""
    thirds: int
    """Number of pairs that meet more than twice (a pair that meets four times counts three)."""
    small: Mapping[int, int]
    """Number of times that each number sits at a table smaller than the largest of its round."""

    @property
    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """The table sizes of every round."""
        return tuple(tuple(map(len, tables)) for tables in self.rounds)


def mixes(people: int, least: int = 3, most: int = 5) -> tuple[tuple[int, ...], ...]:
    """Table mixes for this many people, sizes differing by at most one, nearest to tables of four first.

    Equally near: more tables. `Refusal` if there is none.
    """
    low, high = -(-people // most), people // least
    counts = sorted(range(low, high + 1), key=lambda tables: (abs(4 * tables - people), -tables))
    if people < least or not counts:
        raise Refusal(
            sentence(
                "{people} person cannot be seated at tables of {least} to {most}",
                "{people} people cannot be seated at tables of {least} to {most}",
            ),
            clause="TU-ZK-I1a",
            values={"people": people, "least": least, "most": most},
        )
    return tuple(split(people, tables) for tables in counts)


def split(people: int, tables: int) -> tuple[int, ...]:
    """Table sizes differing by at most one, larger first."""
    return tuple(people // tables + (at < people % tables) for at in range(tables))


def lower_bound(sizes: Sequence[Sequence[int]], people: int, met: Meetings | None = None) -> int:
    """Lower bound of the repeated meetings of any plan with these table sizes.

    Two counts, the larger one: there are only so many different pairs; and a table whose people go on to
    fewer tables than they are must leave some of them together.
    """
    met = met or {}
    earlier = sum(met.values())
    planned = sum(size * (size - 1) // 2 for tables in sizes for size in tables)
    pairs = people * (people - 1) // 2
    already = sum(max(0, times - 1) for times in met.values())
    by_pairs = earlier + planned - pairs - already
    together = 0
    for one, other in combinations(sizes, 2):
        together += max(_kept_together(one, len(other)), _kept_together(other, len(one)))
    by_tables = -(-2 * together // len(sizes)) if sizes else 0
    return already + max(0, by_pairs, by_tables)


def _kept_together(tables: Sequence[int], onto: int) -> int:
    """Pairs of one round that must meet again in a round of `onto` tables."""
    return sum(sum(part * (part - 1) // 2 for part in split(size, onto)) for size in tables)


def plan_seating(  # noqa: PLR0913 – all but two have defaults and names
    numbers: Iterable[int],
    rounds: int,
    *,
    least: int = 3,
    most: int = 5,
    met: Meetings | None = None,
    small: Mapping[int, int] | None = None,
    start: Sequence[Sequence[Sequence[int]]] | None = None,
    apart: Mapping[tuple[int, int], str] | None = None,
    seed: int = 1,
    seconds: float = SECONDS,
) -> SeatingPlan:
    """The best plan found for these numbers and this many rounds.

    `met` and `small` describe rounds already played; `start` is a plan to begin with (the future of an
    older plan, people who left taken out, newcomers seated), kept if no better one turns up. `apart` has the
    numbers (lower first) that must not or rather should not meet.
    """
    people = tuple(sorted(numbers))
    index = {number: at for at, number in enumerate(people)}
    met = {pair: times for pair, times in (met or {}).items() if pair[0] in index and pair[1] in index}
    known = {(index[a], index[b]): times for (a, b), times in met.items()}
    behind = [(small or {}).get(number, 0) for number in people]
    earlier = sum(max(0, times - 1) for times in known.values())
    keep = _apart_costs(apart or {}, index)
    rng, begun = random.Random(seed), time.thread_time()
    search = _Search(len(people), known, behind, rng, begun, seconds * 0.6, keep)
    plans = _size_plans(len(people), rounds, least, most, known)
    kept = known_plan(len(people), rounds) if not (met or small or keep or start) else ()
    if kept and all(least <= len(table) <= most for tables in kept for table in tables):
        search.offer([[[number - 1 for number in table] for table in tables] for tables in kept])
        plans = []
    if start is not None:
        search.offer([[[index[number] for number in table] for table in tables] for tables in start])
    for bound, sizes in plans:
        if search.best is None or bound - earlier < search.best[0][0]:
            search.explore(sizes, bound)
    assert search.best is not None  # mixes() offers at least one
    if plans and (start is None or search.small_gap() > UNEVEN):
        search.even_out()
    for bound, sizes in plans:
        if search.small_gap() <= UNEVEN:
            break
        other = _Search(len(people), known, behind, rng, time.thread_time(), seconds * 0.4, keep)
        if bound - earlier <= search.best[0][0] and sizes != search.sizes():
            other.explore(sizes, bound)
            other.even_out()
            fairer = other.small_gap() < search.small_gap()
            if other.best is not None and other.best[0][:2] <= search.best[0][:2] and fairer:
                search = other
        if time.thread_time() - begun > seconds:
            break
    assert search.best is not None
    (_, thirds, _), best = search.best
    repeats = search.counted(best).repeats()
    return SeatingPlan(
        rounds=tuple(
            tuple(tuple(people[at] for at in table) for table in sorted(tables, key=len, reverse=True))
            for tables in best
        ),
        repeats=repeats + earlier,
        lower_bound=lower_bound([[len(table) for table in tables] for tables in best], len(people), known),
        thirds=thirds,
        small=_small_counts(people, best, behind),
    )


def _apart_costs(apart: Mapping[tuple[int, int], str], index: Mapping[int, int]) -> dict[int, dict[int, int]]:
    """The cost of people kept apart, both ways round, by the indexes of those who play."""
    costs: dict[int, dict[int, int]] = {}
    for (a, b), how in apart.items():
        if a in index and b in index:
            costs.setdefault(index[a], {})[index[b]] = UNWANTED[how]
            costs.setdefault(index[b], {})[index[a]] = UNWANTED[how]
    return costs


def _small_counts(
    people: Sequence[int], rounds: Sequence[Sequence[Sequence[int]]], behind: Sequence[int]
) -> dict[int, int]:
    """Number of times that each number sits at a smaller table, earlier rounds included."""
    counts = list(behind)
    for tables in rounds:
        largest = max(map(len, tables))
        for table in tables:
            if len(table) < largest:
                for at in table:
                    counts[at] += 1
    return dict(zip(people, counts, strict=True))


def _size_plans(
    people: int, rounds: int, least: int, most: int, met: Meetings
) -> list[tuple[int, tuple[tuple[int, ...], ...]]]:
    """The table sizes to try, most promising first: (lower bound, sizes of every round).

    Few people may also change the number of tables from round to round.
    """
    choices = mixes(people, least, most)
    nearness = {mix: at for at, mix in enumerate(choices)}
    if people <= 15 and len(choices) > 1 and rounds <= 12:
        plans = list(combinations_with_replacement(choices, rounds))
    else:
        plans = [(mix,) * rounds for mix in choices]
    judged = [(lower_bound(sizes, people, met), sizes) for sizes in plans]
    return sorted(judged, key=lambda one: (one[0], sum(nearness[mix] for mix in one[1])))


Key = tuple[int, int, int]
Tables = list[list[tuple[int, ...]]]


class _Search:
    """The best plan so far and the time left to better it."""

    def __init__(
        self,
        people: int,
        met: Meetings,
        small: Sequence[int],
        rng: random.Random,
        started: float,
        seconds: float,
        apart: Mapping[int, Mapping[int, int]],
    ) -> None:
        self.people, self.met, self.small, self.rng, self.apart = people, met, small, rng, apart
        self.earlier = sum(max(0, times - 1) for times in met.values())
        self.end = started + seconds
        self.seconds = seconds
        self.best: tuple[Key, Tables] | None = None

    def counted(self, rounds: Sequence[Sequence[Sequence[int]]]) -> CountedPlan:
        return CountedPlan(self.people, rounds, self.met, self.small, self.apart)

    def offer(self, rounds: Sequence[Sequence[Sequence[int]]]) -> None:
        """Take a plan as it stands if it is the best so far."""
        plan = self.counted(rounds)
        if self.best is None or plan.key() < self.best[0]:
            self.best = plan.key(), plan.frozen()

    def walk(self, rounds: Sequence[Sequence[Sequence[int]]], goal: Key, heat: float, until: float) -> Key:
        """Better a plan until the goal or the time is reached; keep it if it is the best so far."""
        steps = 60_000 + 4_000 * self.people
        key, plan = anneal(
            self.counted(rounds), self.rng, steps=steps, good_enough=goal, until=until, heat=heat
        )
        if self.best is None or key < self.best[0]:
            self.best = key, plan
        return key

    def explore(self, sizes: Sequence[Sequence[int]], bound: int) -> None:
        """Try plans with these table sizes: algebraic ones, then searched ones while time lasts."""
        goal = (bound - self.earlier, 10**9, 10**9)
        until = min(self.end, time.thread_time() + self.seconds / 3)
        if not self.met and len(set(map(len, sizes))) == 1:
            for grid in grid_rounds(self.people, len(sizes[0]), len(sizes)):
                rounds = [[[number - 1 for number in table] for table in tables] for tables in grid]
                rounds += [self.shuffled(sizes[at]) for at in range(len(grid), len(sizes))]
                if self.walk(rounds, goal, 4.0, until) <= goal:
                    return
        first = True
        while first or time.thread_time() < until:
            first = False
            if self.walk([self.shuffled(tables) for tables in sizes], goal, 12.0, until) <= goal:
                return

    def even_out(self) -> None:
        """Spread the small tables of the best plan more fairly, and reduce its repeats.

        The time that is left limits it.
        """
        until = min(self.end, time.thread_time() + self.seconds * 0.8)
        assert self.best is not None
        sizes = [[len(table) for table in tables] for tables in self.best[1]]
        goal = (lower_bound(sizes, self.people, self.met) - self.earlier, 0, self.fairest())
        turn = 0
        while self.best[0] > goal and time.thread_time() < until:
            if turn % 3:
                self.walk([self.shuffled(tables) for tables in sizes], goal, 6.0, until)
            else:
                self.walk(self.best[1], goal, 3.0, until)
            turn += 1

    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """The table sizes of the best plan, larger ones first."""
        assert self.best is not None
        return tuple(tuple(sorted(map(len, tables), reverse=True)) for tables in self.best[1])

    def small_gap(self) -> int:
        """Difference between the most and the fewest smaller tables of a person in the best plan."""
        assert self.best is not None
        small = self.counted(self.best[1]).small
        return max(small) - min(small)

    def fairest(self) -> int:
        """The unevenness when turns at small tables differ by at most one."""
        assert self.best is not None
        small = self.counted(self.best[1]).small
        each, rest = divmod(sum(small), self.people)
        return unevenness([each + 1] * rest + [each] * (self.people - rest))

    def shuffled(self, sizes: Sequence[int]) -> list[list[int]]:
        """A random round."""
        order = list(range(self.people))
        self.rng.shuffle(order)
        tables, at = [], 0
        for size in sizes:
            tables.append(order[at : at + size])
            at += size
        return tables
