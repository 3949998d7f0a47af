"""Pairings for two sides: round robin, cup bracket, and whist drives with changing partners."""

import math
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

Pairing = tuple[tuple[int, ...], ...]
"""Tables of one round; a table of one sits out."""


def round_robin(people: Sequence[int], rounds: int) -> tuple[Pairing, ...]:
    """The rounds of the circle method.

    In any len-1 rounds running (len, if odd) everybody meets everybody once, and sits on either side in turn.
    With more rounds it begins again.
    """
    ring: list[int | None] = list(people)
    if len(ring) % 2:
        ring.append(None)
    if len(ring) < 2:
        return ()
    plan = []
    for number in range(rounds):
        tables: list[tuple[int, ...]] = []
        for at in range(len(ring) // 2):
            first, other = ring[at], ring[-1 - at]
            if first is None or other is None:
                continue
            tables.append((other, first) if (number + at) % 2 else (first, other))
        out = [number for number in (ring[at] for at in range(len(ring))) if number is not None]
        seated = {number for table in tables for number in table}
        tables += [(number,) for number in out if number not in seated]
        plan.append(tuple(tables))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return tuple(plan)


MUST, RATHER = 400, 12
"""Costs of a meeting of two who must not meet, or rather should not."""


def apart_cost(apart: Mapping[tuple[int, int], str], a: int, b: int) -> int:
    """The cost of a meeting of two who are kept apart."""
    how = apart.get((a, b) if a < b else (b, a))
    return 0 if how is None else MUST if how == "must" else RATHER


def round_robin_apart(
    people: Sequence[int], rounds: int, apart: Mapping[tuple[int, int], str]
) -> tuple[Pairing, ...]:
    """The first rounds of the circle, people mixed so that those kept apart meet as little as can be."""
    best = round_robin(people, rounds)
    if not apart:
        return best

    def cost(made: tuple[Pairing, ...]) -> int:
        tables = [table for tables in made for table in tables if len(table) == 2]
        return sum(apart_cost(apart, *table) for table in tables)

    rng, mixed = random.Random(1), list(people)
    for _ in range(2_000):
        if not cost(best):
            break
        rng.shuffle(mixed)
        best = min(best, round_robin(mixed, rounds), key=cost)
    return best


def full_rounds(count: int) -> int:
    """Number of rounds until everybody has met everybody once."""
    return count - 1 + count % 2 if count > 1 else 0


def spread_out(matches: Sequence[tuple[int, int]]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Rounds that hold these matches, nobody twice in one.

    Many tries, each of which takes those with most matches left first, look for as few rounds as possible.
    """
    rng = random.Random(1)
    best: list[list[tuple[int, int]]] = []
    for _ in range(40):
        left, rounds = list(matches), list[list[tuple[int, int]]]()
        while left:
            load = Counter(number for match in left for number in match)
            rng.shuffle(left)
            left.sort(key=lambda match: -max(load[match[0]], load[match[1]]))
            now: list[tuple[int, int]] = []
            busy: set[int] = set()
            for match in left:
                if busy.isdisjoint(match):
                    now.append(match)
                    busy.update(match)
            for match in now:
                left.remove(match)
            rounds.append(now)
        if not best or len(rounds) < len(best):
            best = rounds
    return tuple(tuple(sorted(played)) for played in best)


def bracket(tiers: Sequence[Sequence[tuple[int, int]]]) -> Pairing:
    """The first cup round for (number, pool) in tiers: all pool winners, all seconds, and so on.

    Earlier ones are seeded higher, so that the best meet last and, where the numbers need it, the
    highest sit out the first round; pairs of one pool are kept apart as long as the seeding allows.
    """
    count = sum(map(len, tiers))
    size = 1
    while size < count:
        size *= 2
    slots = _seeding(size)
    place = {seed: at for at, seed in enumerate(slots)}
    chosen: list[tuple[int, int]] = []
    for tier in tiers:
        tier = list(tier)
        turns = [tier[at:] + tier[:at] for at in range(len(tier))]
        turns += [turn[::-1] for turn in turns]
        chosen += max(turns, key=lambda turn: _apart([*chosen, *turn], place, size))
    line: list[int | None] = [None] * size
    for seed, (number, _) in enumerate(chosen):
        line[place[seed]] = number
    return tuple(tuple(one for one in line[at : at + 2] if one is not None) for at in range(0, size, 2))


def _seeding(size: int) -> list[int]:
    """The seeds (from 0) in bracket order: 0 meets the last, 0 and 1 can only meet in the final."""
    order = [0]
    while len(order) < size:
        order = [seed for earlier in order for seed in (earlier, 2 * len(order) - 1 - earlier)]
    return order


def _apart(chosen: Sequence[tuple[int, int]], place: dict[int, int], size: int) -> list[int]:
    """Earliest round in which each two pairs of one pool may meet, in rising order."""
    rounds = []
    for (a, (_, pool)), (b, (_, other)) in combinations(enumerate(chosen), 2):
        if pool == other:
            rounds.append((place[a] ^ place[b]).bit_length())
    return sorted(rounds)


def next_cup_round(tables: Sequence[Sequence[int]], winners: Sequence[int], third_place: bool) -> Pairing:
    """The next round: winners of neighbouring tables meet.

    With `third_place` the losers of the two semifinals as well.
    """
    pairs = [tuple(winners[at : at + 2]) for at in range(0, len(winners), 2)]
    if third_place and len(winners) == 2 and all(len(table) == 2 for table in tables):
        losers = tuple(one for table, won in zip(tables, winners, strict=True) for one in table if one != won)
        pairs.append(losers)
    return tuple(pairs)


PARTNER, OPPONENT = 6, 1
"""Costs of the same partner again, and of any other repeated meeting."""


def whist_drive(
    people: Sequence[int],
    rounds: int,
    *,
    seed: int = 1,
    seconds: float = 3.0,
    partners: dict[tuple[int, int], int] | None = None,
    met: dict[tuple[int, int], int] | None = None,
    rested: dict[int, int] | None = None,
    apart: Mapping[tuple[int, int], str] | None = None,
) -> tuple[Pairing, ...]:
    """Tables of four for singles, seats 1 and 3 playing against 2 and 4.

    As few repeated partners as can be found, then as few repeated meetings. Players who are left over sit
    out; nobody twice before everybody once. `partners`, `met` and `rested` describe rounds played before
    (pairs with the lower number first); `apart` has those who must not or rather should not meet.
    """
    rng = random.Random(seed)
    end = time.thread_time() + seconds
    best: tuple[int, list[list[int]], list[list[int]]] | None = None
    while best is None or (best[0] > 0 and time.thread_time() < end):
        drive = _Drive(people, rounds, rng, partners or {}, met or {}, rested or {}, apart or {})
        cost, lines = drive.walk(120_000, end)
        if best is None or cost < best[0]:
            best = cost, lines, drive.out
    made = []
    for line, resting in zip(best[1], best[2], strict=True):
        tables: list[tuple[int, ...]] = [tuple(line[at : at + 4]) for at in range(0, len(line), 4)]
        made.append((*tables, *((number,) for number in resting)))
    return tuple(made)


class _Drive:
    """A search: rounds as lines of seats, four a table."""

    def __init__(
        self,
        people: Sequence[int],
        rounds: int,
        rng: random.Random,
        partners: dict[tuple[int, int], int],
        met: dict[tuple[int, int], int],
        rested: dict[int, int],
        apart: Mapping[tuple[int, int], str],
    ) -> None:
        self.rng = rng
        self.apart = apart
        rests = {number: rested.get(number, 0) for number in people}
        self.out: list[list[int]] = []
        self.rounds: list[list[int]] = []
        for _ in range(rounds):
            mixed = list(people)
            rng.shuffle(mixed)
            out = sorted(mixed, key=lambda one: rests[one])[: len(people) % 4]
            for number in out:
                rests[number] += 1
            self.out.append(sorted(out))
            self.rounds.append([number for number in mixed if number not in out])
        self.met: dict[tuple[int, int], int] = {}
        self.partners: dict[tuple[int, int], int] = {}
        for pair, times in met.items():
            self.met[pair] = self.met[pair[::-1]] = times
        for pair, times in partners.items():
            self.partners[pair] = self.partners[pair[::-1]] = times
        self.cost = 0
        for line in self.rounds:
            for at in range(0, len(line), 4):
                self.cost += self._count(line[at : at + 4], 1)

    def _count(self, table: Sequence[int], step: int) -> int:
        """Book (1) or take back (-1) a table; the change of cost, quadratic in every count."""
        cost = 0
        for (i, a), (j, b) in combinations(enumerate(table), 2):
            counts = (
                ((self.met, OPPONENT), (self.partners, PARTNER)) if j - i == 2 else ((self.met, OPPONENT),)
            )
            for count, weight in counts:
                times = count.get((a, b), 0)
                cost += weight * (times if step > 0 else 1 - times)
                count[a, b] = count[b, a] = times + step
            if self.apart:
                cost += step * apart_cost(self.apart, a, b)
        return cost

    def walk(self, steps: int, end: float) -> tuple[int, list[list[int]]]:
        """The best rounds met while swapping two seats of a round again and again, cooling down."""
        rng = self.rng
        best, kept = self.cost, [line[:] for line in self.rounds]
        lines = [line for line in self.rounds if line]
        for step in range(steps if lines else 0):
            line = lines[rng.randrange(len(lines))]
            i, j = rng.randrange(len(line)), rng.randrange(len(line))
            tables = {i // 4 * 4, j // 4 * 4}
            if i == j:
                continue
            before = self.cost
            for at in tables:
                self.cost += self._count(line[at : at + 4], -1)
            line[i], line[j] = line[j], line[i]
            for at in tables:
                self.cost += self._count(line[at : at + 4], 1)
            rise = self.cost - before
            heat = 3.0 * (1 - step / steps) + 0.15
            if rise > 0 and rng.random() >= math.exp(-rise / heat):
                for at in tables:
                    self._count(line[at : at + 4], -1)
                line[i], line[j] = line[j], line[i]
                for at in tables:
                    self._count(line[at : at + 4], 1)
                self.cost = before
            elif self.cost < best:
                best, kept = self.cost, [line[:] for line in self.rounds]
                if best == 0:
                    break
            if step % 256 == 0 and time.thread_time() > end:
                break
        return best, kept
