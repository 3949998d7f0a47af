"""Seating plans in which nobody meets anybody twice, built from algebra instead of searched.

Take a grid of ``k`` rows and ``T`` columns of places. A round is one shift a row: table ``b`` gets from
row ``r`` the place in column ``b + shift[r]``. Two places in different rows meet in the round in which
the difference of their rows' shifts fits, so nobody meets twice as long as these differences differ from
round to round (a difference matrix). Two places of one row never meet; if a row just fills a table, the
rows themselves make one round more (an affine plane). Taking places of one row away makes tables of
``k - 1``; nobody meets more people by that.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

Rounds = tuple[tuple[tuple[int, ...], ...], ...]
"""Rounds of tables of player numbers, from 1."""
TRIES = 60_000
"""Greatest number of tries of a search for shift vectors."""


def group_sums(order: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Addition tables of the abelian groups of `order` worth trying.

    The cyclic one, and for prime powers up to 16 the elementary one, which carries a field and so the longest
    plans.
    """
    cyclic = tuple(tuple((a + b) % order for b in range(order)) for a in range(order))
    for prime, power in ((2, 2), (2, 3), (3, 2), (2, 4)):
        if prime**power == order:
            digits = list(product(range(prime), repeat=power))
            index = {digit: number for number, digit in enumerate(digits)}
            return (
                tuple(
                    tuple(index[tuple((x + y) % prime for x, y in zip(a, b, strict=True))] for b in digits)
                    for a in digits
                ),
                cyclic,
            )
    return (cyclic,)


def shifts(sums: Sequence[Sequence[int]], rows: int, rounds: int) -> list[tuple[int, ...]]:
    """Shift vectors (one shift a row, row 0 at 0) whose differences between any two rows never repeat.

    Up to `rounds` of them: the longest list found within `TRIES` tries.
    """
    order = len(sums)
    minus = [row.index(0) for row in sums]
    pairs = list(combinations(range(rows), 2))
    used = [[False] * order for _ in pairs]
    best: list[tuple[int, ...]] = []
    chosen: list[tuple[int, ...]] = []
    left = TRIES

    def extend(start: int) -> Iterator[tuple[int, ...]]:
        """Vectors for the next round; row 1 takes its shifts in rising order, which loses no plan."""
        vector = [0] * rows

        def fill(row: int) -> Iterator[tuple[int, ...]]:
            if row == rows:
                yield tuple(vector)
                return
            for value in range(start, order) if row == 1 else range(order):
                vector[row] = value
                fits = all(
                    not used[at][sums[value][minus[vector[a]]]] for at, (a, b) in enumerate(pairs) if b == row
                )
                if fits:
                    yield from fill(row + 1)

        return fill(1)

    def search() -> bool:
        nonlocal best, left
        if len(chosen) > len(best):
            best = list(chosen)
        if len(chosen) == rounds or left <= 0:
            return True
        start = chosen[-1][1] + 1 if chosen and rows > 1 else 0
        for vector in extend(start):
            left -= 1
            if left <= 0:
                return True
            marks = [sums[vector[b]][minus[vector[a]]] for a, b in pairs]
            for at, mark in enumerate(marks):
                used[at][mark] = True
            chosen.append(vector)
            if search():
                return True
            chosen.pop()
            for at, mark in enumerate(marks):
                used[at][mark] = False
        return False

    search()
    return best


def grid_rounds(players: int, tables: int, rounds: int) -> Iterator[Rounds]:
    """Plans for `players` at `tables` tables of two neighbouring sizes, nobody meeting twice.

    As many rounds as the grid gives, at most `rounds`; none if the numbers do not fit.
    """
    rows = -(-players // tables)
    if rows < 2 or players <= (rows - 1) * tables:
        return
    for sums in group_sums(tables):
        plan: list[tuple[tuple[int, ...], ...]] = []
        for vector in shifts(sums, rows, min(rounds, tables)):  # the upper bound
            seats = [
                tuple(
                    number
                    for row in range(rows)
                    if (number := row * tables + sums[table][vector[row]] + 1) <= players
                )
                for table in range(tables)
            ]
            plan.append(tuple(sorted(seats, key=len, reverse=True)))
        within = _within_rows(players, tables, rows)
        if len(plan) < rounds and within:
            plan.append(within)
        yield tuple(plan[:rounds])


def _within_rows(players: int, tables: int, rows: int) -> tuple[tuple[int, ...], ...]:
    """Another round within rows.

    People of one row never meet in the others, so a row that fills tables exactly makes them (one if it is as
    long as a table, two if twice as long …). Nothing if some would be too small.
    """
    if tables % rows:
        return ()
    plan: list[tuple[int, ...]] = []
    for row in range(rows):
        line = list(range(row * tables + 1, min((row + 1) * tables, players) + 1))
        count = tables // rows
        plan += [tuple(line[at::count]) for at in range(count)]
    if {len(table) for table in plan} <= {rows, rows - 1}:
        return tuple(sorted(plan, key=len, reverse=True))
    return ()
