"""Seating plans: a number once a round, few repeats, true bounds, fair small tables, future rounds."""

import time
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.seating import optimum
from nousu.tournament.messages import Refusal
from nousu.tournament.seating.constructions import grid_rounds, group_sums, shifts
from nousu.tournament.seating.pairings import bracket, full_rounds, next_cup_round, round_robin, whist_drive
from nousu.tournament.seating.planner import SeatingPlan, lower_bound, mixes, plan_seating, split


def _meetings(rounds: Sequence[Sequence[Sequence[int]]]) -> Counter[tuple[int, int]]:
    """How often each pair meets, counted anew."""
    return Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))


def _check(plan: SeatingPlan, people: Sequence[int], rounds: int) -> None:
    """Check the conditions of every plan, and its stated quality."""
    assert len(plan.rounds) == rounds
    for tables in plan.rounds:
        assert sorted(number for table in tables for number in table) == sorted(people)
        sizes = [len(table) for table in tables]
        assert set(sizes) <= {3, 4, 5} and max(sizes) - min(sizes) <= 1
        assert sizes == sorted(sizes, reverse=True)
    met = _meetings(plan.rounds)
    assert plan.repeats == sum(times - 1 for times in met.values())
    assert plan.lower_bound <= plan.repeats
    assert plan.thirds == sum((times - 1) * (times - 2) // 2 for times in met.values())
    small = Counter(
        number
        for tables in plan.rounds
        for table in tables
        if len(table) < len(tables[0])
        for number in table
    )
    assert plan.small == {number: small[number] for number in people}


def test_every_number_of_people_is_seated(subtests: pytest.Subtests) -> None:
    """3 to 120 people, five series; from 15 on nobody meets anybody twice."""
    for people in range(3, 121):
        with subtests.test(people=people):
            plan = plan_seating(range(1, people + 1), 5, seconds=0.05)
            _check(plan, range(1, people + 1), 5)
            if people >= 15:
                assert plan.repeats == 0


def test_no_repeats_where_tables_of_four_allow_it(subtests: pytest.Subtests) -> None:
    """At the preferred table mix itself, not at another one."""
    for people in [16, 24, 31, 40, 60]:
        with subtests.test(people=people):
            plan = plan_seating(range(1, people + 1), 5)
            assert plan.repeats == plan.lower_bound == 0
            assert plan.sizes == (mixes(people)[0],) * 5
            assert max(plan.small.values()) - min(plan.small.values()) <= 1


def test_seventeen_people_sit_at_five_tables() -> None:
    """5+4+4+4 must repeat four meetings; 4+4+3+3+3 need not repeat any."""
    assert mixes(17)[0] == (5, 4, 4, 4)
    assert lower_bound([(5, 4, 4, 4)] * 5, 17) == 4
    plan = plan_seating(range(1, 18), 5)
    assert plan.sizes == ((4, 4, 3, 3, 3),) * 5
    assert plan.repeats == 0


def test_twelve_people_change_between_three_and_four_tables() -> None:
    """Five rounds of 4+4+4 repeat 24 meetings at least; one of them and four of 3+3+3+3 repeat none."""
    assert lower_bound([(4, 4, 4)] * 5, 12) == 24
    plan = plan_seating(range(1, 13), 5)
    assert sorted(map(len, plan.sizes)) == [3, 4, 4, 4, 4]
    assert plan.repeats == 0


def test_sixty_people_in_time() -> None:
    """Five series for sixty, and the worst case of the search too, within five seconds of one core."""
    for people in (60, 14):
        begun = time.process_time()
        plan_seating(range(1, people + 1), 5)
        assert time.process_time() - begun <= 5.0


def test_preferred_mix_by_number_of_people() -> None:
    """Sizes differ by at most one; of mixes equally near to fours, the one with more tables."""
    listed = {
        3: [3], 4: [4], 5: [5], 6: [3, 3], 7: [4, 3], 8: [4, 4], 9: [5, 4], 10: [4, 3, 3], 11: [4, 4, 3],
        12: [4, 4, 4], 13: [5, 4, 4], 14: [4, 4, 3, 3], 15: [4, 4, 4, 3], 16: [4] * 4, 17: [5, 4, 4, 4],
        18: [4, 4, 4, 3, 3], 19: [4, 4, 4, 4, 3], 20: [4] * 5,
    }  # fmt: skip
    for people, sizes in listed.items():
        assert list(mixes(people)[0]) == sizes
    with pytest.raises(Refusal, match="2 people cannot be seated"):
        mixes(2)
    with pytest.raises(Refusal, match="11 people cannot be seated at tables of 4 to 5"):
        mixes(11, 4, 5)


def test_small_plans_are_as_good_as_proven(subtests: pytest.Subtests) -> None:
    """The planner's own table mix, solved to the proven optimum: no fewer repeats are possible."""
    for people, rounds in [
        (6, 2),
        (6, 3),
        (7, 2),
        (7, 3),
        (8, 2),
        (8, 3),
        (9, 3),
        (9, 4),
        (10, 2),
        (10, 3),
        (11, 2),
        (12, 2),
    ]:
        with subtests.test(people=people, rounds=rounds):
            plan = plan_seating(range(1, people + 1), rounds, seconds=0.5)
            best, proven, _ = optimum(plan.sizes)
            assert proven and plan.lower_bound <= best == plan.repeats


def test_a_late_arrival_and_a_departure_change_the_future_only() -> None:
    """After two of five series with 31 people one leaves and two come: no new repeat is needed."""
    plan = plan_seating(range(1, 32), 5)
    past = plan.rounds[:2]
    staying = [number for number in range(1, 34) if number != 7]
    small = Counter(n for tables in past for t in tables if len(t) < len(tables[0]) for n in t)
    later = plan_seating(staying, 3, met=_meetings(past), small=small, seconds=1)
    for tables in later.rounds:
        assert sorted(number for table in tables for number in table) == staying
    whole = _meetings([*past, *later.rounds])
    assert max(whole.values()) == 1 and later.repeats == 0


def test_a_plan_that_still_fits_is_kept() -> None:
    """Nothing is reshuffled without need: the paper on the wall stays right."""
    plan = plan_seating(range(1, 17), 5)
    again = plan_seating(range(1, 17), 3, met=_meetings(plan.rounds[:2]), start=plan.rounds[2:], seed=9)
    assert again.rounds == plan.rounds[2:]


@given(st.integers(3, 40), st.integers(1, 7), st.integers(0, 1000))
@settings(max_examples=40)
def test_any_plan_is_sound(people: int, rounds: int, seed: int) -> None:
    plan = plan_seating(range(1, people + 1), rounds, seed=seed, seconds=0.02)
    _check(plan, range(1, people + 1), rounds)


@given(st.integers(6, 30), st.integers(1, 4), st.integers(1, 4), st.data())
@settings(max_examples=25)
def test_any_future_is_sound(people: int, past: int, rounds: int, data: st.DataObject) -> None:
    """People come and go between rounds; counts of the whole event stay true."""
    before = plan_seating(range(1, people + 1), past, seconds=0.02).rounds
    gone = data.draw(st.sets(st.integers(1, people), max_size=people - 3))
    new = data.draw(st.integers(0, 5))
    now = [n for n in range(1, people + new + 1) if n not in gone]
    small = Counter(n for tables in before for t in tables if len(t) < len(tables[0]) for n in t)
    plan = plan_seating(now, rounds, met=_meetings(before), small=small, seconds=0.02)
    assert all(sorted(n for t in tables for n in t) == now for tables in plan.rounds)
    both = _meetings([*before, *plan.rounds])
    still = {pair: times for pair, times in both.items() if set(pair) <= set(now)}
    assert plan.repeats == sum(times - 1 for times in still.values())
    assert plan.lower_bound <= plan.repeats


def test_the_groups_are_groups(subtests: pytest.Subtests) -> None:
    for order in [3, 4, 5, 6, 7, 8, 9, 10, 16]:
        with subtests.test(order=order):
            for sums in group_sums(order):
                everything = range(order)
                assert all(sums[a][b] == sums[b][a] for a in everything for b in everything)
                assert all(sorted(row) == list(everything) for row in sums)
                assert all(
                    sums[sums[a][b]][c] == sums[a][sums[b][c]]
                    for a in everything
                    for b in everything
                    for c in (1, 2)
                )


def test_grids_never_repeat_a_meeting() -> None:
    for tables in range(3, 20):
        for people in range(2 * tables + 1, 5 * tables + 1):
            for rounds in grid_rounds(people, tables, 5):
                assert max(_meetings(rounds).values()) == 1
    assert len(shifts(group_sums(4)[0], 4, 8)) == 4  # the four parallel classes of the plane of order 4
    assert list(grid_rounds(6, 4, 5)) == [] or split(6, 4) == (2, 2, 1, 1)


@given(st.integers(2, 30), st.integers(1, 3))
def test_a_round_robin_lets_everybody_meet_everybody(people: int, legs: int) -> None:
    rounds = round_robin(range(1, people + 1), full_rounds(people) * legs)
    for tables in rounds:
        assert sorted(number for table in tables for number in table) == list(range(1, people + 1))
        assert sum(len(table) == 1 for table in tables) == people % 2
    met = Counter(tuple(sorted(table)) for tables in rounds for table in tables if len(table) == 2)
    assert set(met.values()) == {legs} and len(met) == people * (people - 1) // 2


@given(st.integers(2, 40))
def test_a_bracket_has_byes_only_in_its_first_round_and_for_the_first(people: int) -> None:
    tables = bracket([[(number, -number)] for number in range(1, people + 1)])
    assert sorted(number for table in tables for number in table) == list(range(1, people + 1))
    size = 2 * len(tables)
    assert size & (size - 1) == 0 and size // 2 < people <= size
    resting = [table[0] for table in tables if len(table) == 1]
    assert sorted(resting) == list(range(1, size - people + 1))
    rounds = 0
    while len(tables) > 1:
        tables = next_cup_round(tables, [min(table) for table in tables], False)
        assert all(len(table) == 2 for table in tables)
        rounds += 1
    assert tables == ((1, 2),) or (people == 2 and tables == ((1, 2),))
    assert 2 ** (rounds + 1) == size


def test_pairs_of_one_pool_are_kept_apart() -> None:
    """Two and four pools: first and second of a pool can meet in the final only."""
    for pools in (2, 4, 8):
        first = [(number, number) for number in range(pools)]
        second = [(number + pools, number) for number in range(pools)]
        tables = bracket([first, second])
        half = len(tables) // 2
        for side in (tables[:half], tables[half:]):
            found = [number % pools for table in side for number in table]
            assert len(set(found)) == len(found)
        assert all(min(table) < pools <= max(table) for table in tables)


def test_a_whist_drive_changes_partners(subtests: pytest.Subtests) -> None:
    """Nobody has a partner twice, and nobody sits out twice before everybody else has once."""
    for people, rounds in [(4, 3), (8, 7), (13, 6), (16, 5), (31, 8), (60, 6)]:
        with subtests.test(people=people, rounds=rounds):
            plan = whist_drive(range(1, people + 1), rounds, seconds=0.8)
            partners: Counter[tuple[int, int]] = Counter()
            rests: Counter[int] = Counter()
            for tables in plan:
                assert sorted(number for table in tables for number in table) == list(range(1, people + 1))
                for table in tables:
                    if len(table) == 1:
                        rests[table[0]] += 1
                    else:
                        partners.update([tuple(sorted(table[0::2])), tuple(sorted(table[1::2]))])  # type: ignore[list-item]
            assert max(partners.values()) == 1
            counts = [rests[number] for number in range(1, people + 1)]
            assert max(counts) - min(counts) <= 1


def test_small_tables_are_spread_as_fairly_as_is_known(subtests: pytest.Subtests) -> None:
    """Five series; the fewest repeats first, then nobody at smaller tables more often than must be."""
    for people, repeats, spread in [
        (10, 15, 2),
        (11, 20, 1),
        (17, 0, 1),
        (18, 0, 0),
        (21, 0, 1),
        (22, 0, 1),
        (29, 0, 1),
    ]:
        with subtests.test(people=people, repeats=repeats, spread=spread):
            plan = plan_seating(range(1, people + 1), 5, seconds=0.1)
            _check(plan, range(1, people + 1), 5)
            assert plan.repeats == repeats
            assert max(plan.small.values()) - min(plan.small.values()) <= spread


def test_people_who_are_numbered_otherwise_get_the_same_good_plan() -> None:
    """Numbers need not run from 1: somebody may have withdrawn before the first series."""
    numbers = [n for n in range(1, 20) if n not in (4, 9)]
    plan = plan_seating(numbers, 5, seconds=0.1)
    _check(plan, numbers, 5)
    assert plan.repeats == 0 and max(plan.small.values()) - min(plan.small.values()) == 1


def test_ten_series_of_thirty_people_repeat_nothing(subtests: pytest.Subtests) -> None:
    """32 people by a design that is known, 31 and 30 by the same without its last numbers."""
    for people, spread in [(29, 2), (30, 0), (31, 1), (32, 0)]:
        with subtests.test(people=people, spread=spread):
            plan = plan_seating(range(1, people + 1), 10, seconds=0.1)
            _check(plan, range(1, people + 1), 10)
            assert plan.repeats == 0
            assert max(plan.small.values()) - min(plan.small.values()) <= spread


def test_thirty_two_people_at_eight_tables_meet_nobody_twice_in_nine_rounds() -> None:
    """Eight rounds of a grid of four rows, and one in which every row makes two tables."""
    (rounds, *_) = grid_rounds(32, 8, 10)
    assert len(rounds) == 9 and {len(table) for tables in rounds for table in tables} == {4}
    assert max(_meetings(rounds).values()) == 1
