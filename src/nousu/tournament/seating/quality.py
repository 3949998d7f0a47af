"""Quality of a plan: repeated meetings, their lower bound, and the share of small tables."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from nousu.tournament.model import Tournament, order
from nousu.tournament.seating.planner import lower_bound


@dataclass(frozen=True, slots=True)
class Figures:
    """Quality of a plan's rounds (the cup and the Stechen not counted)."""

    repeats: int
    """Meetings beyond the first of two people."""
    lower_bound: int
    """Lower bound of the repeats with these tables (not always reachable)."""
    small: Mapping[int, int]
    """Number of times that each number sits at a table smaller than the largest of its round, or sits out."""
    unwanted: tuple[tuple[int, int, str], ...]
    """Two numbers that meet although they rather should not, and the table."""
    seed: int


def figures(tournament: Tournament) -> Figures:
    """The figures of the plan in force."""
    labels = sorted((label for label in tournament.rounds if label[0].isdigit()), key=order)
    met: Counter[tuple[int, int]] = Counter()
    small: Counter[int] = Counter()
    unwanted = []
    apart = tournament.kept_apart()
    for label in labels:
        played = tournament.rounds[label]
        largest = max(map(len, played.tables), default=0)
        for key, table in played.named_tables():
            small.update({number: int(len(table) < largest) for number in table})
            met.update(combinations(sorted(table), 2))
            unwanted += [(*pair, key) for pair in combinations(sorted(table), 2) if pair in apart]
    people = set(small)
    constant = all(
        people == {number for table in tournament.rounds[label].tables for number in table}
        for label in labels
    )
    bound = max(0, sum(met.values()) - len(people) * (len(people) - 1) // 2)
    if constant:
        sizes = [[len(table) for table in tournament.rounds[label].tables] for label in labels]
        bound = lower_bound(sizes, len(people))
    repeats = sum(times - 1 for times in met.values())
    return Figures(repeats, bound, dict(small), tuple(unwanted), tournament.plan_seed)
