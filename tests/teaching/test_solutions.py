"""The problems that ship: at least two hundred, each with a solution that is judged anew on other deals."""

from datetime import date, timedelta
from itertools import pairwise

import pytest

from nousu.cli.problems import MANY, judgement_of
from nousu.engine.actions import parse_action
from nousu.teaching.problems import THEMES, count, daily, levels, problem

ALL = [(theme, number) for theme in THEMES for number in range(1, count(theme) + 1)]
SOME = ALL[date.today().toordinal() % 23 :: 23]
"""Others every day."""


def _checked(theme: str, number: int) -> None:
    one = problem(theme, number)
    assert one is not None and one.hand.owed() == (one.seat,)
    legal = {str(action) for action in one.hand.legal(one.seat)}
    assert set(one.right) < legal and one.second in legal - set(one.right)
    judgement = judgement_of(theme, one.hand.view(one.seat), MANY, 7)
    assert judgement is not None
    assert {str(action) for action in judgement.best} & set(one.right), (judgement, one.right)
    assert judgement.share >= one.share - 0.1 and judgement.lead > 0


@pytest.mark.parametrize(("theme", "number"), SOME)
def test_the_solution_is_best_on_other_deals_too(theme: str, number: int) -> None:
    _checked(theme, number)


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
def test_every_solution_is_best_on_other_deals_too(theme: str) -> None:
    for number in range(1, count(theme) + 1):
        _checked(theme, number)


def test_two_hundred_problems_of_five_themes_and_three_levels() -> None:
    assert len(ALL) >= 200 and all(count(theme) >= 30 for theme in THEMES)
    ids = [id for theme in THEMES for id, _ in levels(theme)]
    assert len(ids) == len(set(ids))
    assert {level for theme in THEMES for _, level in levels(theme)} == {1, 2, 3}
    assert problem("bridge", 1) is None and problem("nolo", 0) is None and problem("nolo", 999) is None


def test_each_day_has_another_problem_and_all_have_their_day() -> None:
    days = [daily(date(2026, 1, 1) + timedelta(days=day)) for day in range(400)]
    assert all(one != other for one, other in pairwise(days))
    assert {theme for theme, _ in days} == set(THEMES)
    assert all(problem(*one) is not None for one in days[:10])


def test_what_a_seat_may_not_know_stands_in_no_view() -> None:
    for theme, number in SOME:
        one = problem(theme, number)
        assert one is not None
        view = one.hand.view(one.seat)
        assert {parse_action(text) for text in one.right} <= set(view.legal)
        assert str(one.hand.log[0][1]) not in repr(view)
