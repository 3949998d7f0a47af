"""Plans found by long searches, for numbers of people where a search of seconds does not reach them.

Each has the fewest repeated meetings that are known, and the smallest difference between those who sit at
smaller tables most and least often. `seating.plan_seating` takes them for an event that begins with nothing
to consider; `tests/tournament/test_seating.py` holds their figures.
"""

from collections.abc import Mapping
from functools import cache

_PLANS: Mapping[tuple[int, int], str] = {
    (10, 5): """
        1 5 8 10 | 3 6 7 | 2 4 9
        1 3 4 9 | 5 7 8 | 2 6 10
        2 4 7 10 | 3 5 8 | 1 6 9
        2 5 8 9 | 3 4 10 | 1 6 7
        4 5 6 8 | 7 9 10 | 1 2 3
    """,
    (11, 5): """
        2 4 7 10 | 1 3 5 9 | 6 8 11
        1 2 9 11 | 3 4 6 10 | 5 7 8
        1 6 7 9 | 2 4 5 8 | 3 10 11
        4 5 6 11 | 1 8 9 10 | 2 3 7
        2 5 6 10 | 3 7 8 11 | 1 4 9
    """,
    (17, 5): """
        2 10 15 17 | 5 8 12 14 | 3 11 16 | 6 7 13 | 1 4 9
        4 6 8 16 | 1 7 11 15 | 2 13 14 | 3 5 17 | 9 10 12
        2 3 7 9 | 1 5 6 10 | 14 15 16 | 4 12 17 | 8 11 13
        9 11 14 17 | 4 5 13 15 | 1 2 8 | 3 6 12 | 7 10 16
        1 12 13 16 | 3 4 10 14 | 2 5 11 | 6 9 15 | 7 8 17
    """,
    (18, 5): """
        3 6 7 8 | 9 12 14 15 | 1 2 5 11 | 10 16 18 | 4 13 17
        4 11 14 16 | 2 6 10 13 | 7 12 17 18 | 1 8 9 | 3 5 15
        3 4 9 10 | 1 15 16 17 | 5 8 13 18 | 6 11 12 | 2 7 14
        2 3 12 | 6 9 16 | 8 14 17 | 1 4 18 | 5 7 10 | 11 13 15
        3 11 18 | 8 10 12 | 2 4 15 | 1 6 14 | 5 9 17 | 7 13 16
    """,
    (21, 5): """
        12 13 15 20 | 2 5 11 16 | 1 4 10 19 | 3 7 8 | 9 14 18 | 6 17 21
        3 12 16 18 | 7 10 11 21 | 4 6 13 14 | 8 17 19 | 2 9 15 | 1 5 20
        4 7 15 17 | 3 9 19 21 | 5 6 8 18 | 11 14 20 | 10 13 16 | 1 2 12
        1 9 16 17 | 8 12 14 21 | 2 6 7 20 | 11 13 19 | 10 15 18 | 3 4 5
        8 9 10 20 | 2 3 13 17 | 5 14 15 19 | 6 11 12 | 1 7 18 | 4 16 21
    """,
    (22, 5): """
        2 5 13 16 | 4 9 12 19 | 3 7 10 14 | 1 6 8 21 | 11 15 20 | 17 18 22
        1 10 12 13 | 15 18 19 21 | 2 7 11 17 | 3 5 20 22 | 8 9 14 | 4 6 16
        11 14 16 19 | 2 4 10 18 | 5 6 9 17 | 7 8 12 20 | 13 21 22 | 1 3 15
        6 12 14 18 | 3 4 11 21 | 8 13 15 17 | 1 7 16 22 | 2 9 20 | 5 10 19
        9 11 13 18 | 1 4 14 20 | 2 3 8 19 | 6 10 15 22 | 5 7 21 | 12 16 17
    """,
    (29, 5): """
        3 12 19 22 28 | 6 13 17 25 | 15 20 21 27 | 9 14 18 29 | 1 5 23 24 | 8 10 11 16 | 2 4 7 26
        6 11 18 20 26 | 2 15 19 23 | 4 24 27 28 | 3 8 9 25 | 5 7 21 22 | 1 10 17 29 | 12 13 14 16
        1 7 8 14 15 | 3 13 20 24 | 2 17 18 22 | 6 23 27 29 | 5 11 25 28 | 9 16 19 26 | 4 10 12 21
        16 21 24 25 29 | 13 15 22 26 | 1 3 4 11 | 9 17 23 28 | 7 12 18 27 | 6 10 14 19 | 2 5 8 20
        2 9 10 13 27 | 6 8 21 28 | 4 14 23 25 | 1 16 20 22 | 12 17 24 26 | 3 5 15 18 | 7 11 19 29
    """,
}
"""By people and rounds: a line a round, tables separated by bars."""


@cache
def known_plan(people: int, rounds: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """The plan kept for so many people (numbers from 1) and rounds; empty if there is none."""
    lines = _PLANS.get((people, rounds), "").split("\n")
    return tuple(
        tuple(tuple(map(int, table.split())) for table in line.split("|")) for line in lines if line.strip()
    )
