"""Problems: at least two hundred, each with a solution that holds on other deals too."""

import hashlib
from datetime import date, timedelta

import pytest

from nousu.cli.problems import LEVELS, MANY, judgement_of, leads_at_the_table
from nousu.engine.actions import parse_action
from nousu.teaching.problems import THEMES, count, daily, levels, problem, sealed

ALL = [(theme, number) for theme in THEMES for number in range(1, count(theme) + 1)]
SOME = ALL[11::23]
"""A sample; the long form takes all."""


def _check(theme: str, number: int) -> None:
    moment = problem(theme, number)
    assert moment is not None and moment.hand.owed() == (moment.seat,)
    legal = {str(action) for action in moment.hand.legal(moment.seat)}
    assert set(moment.right) < legal and moment.second in legal - set(moment.right)
    judgement = judgement_of(theme, moment.hand.view(moment.seat), MANY, 7)
    assert judgement is not None
    assert {str(action) for action in judgement.best} & set(moment.right), (judgement, moment.right)
    assert judgement.share >= moment.share - 0.1 and judgement.lead > 0
    leads = leads_at_the_table(moment.hand.view(moment.seat), judgement, 7)
    assert leads and all(lead.mean > 0 for lead in leads), "not only where everybody sees all cards"
    if theme == "sooli":
        assert LEVELS[0] not in moment.found and LEVELS[-1] in moment.found, "it teaches something"


def test_problem_solutions_are_best_on_other_deals_too() -> None:
    for theme, number in SOME:
        _check(theme, number)


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
def test_problem_solutions_of_a_theme_are_best_on_other_deals_too(theme: str) -> None:
    for number in range(1, count(theme) + 1):
        _check(theme, number)


def test_problems_are_two_hundred_of_five_themes_and_three_levels() -> None:
    assert len(ALL) >= 200 and all(count(theme) >= 30 for theme in THEMES)
    ids = [id for theme in THEMES for id, _ in levels(theme)]
    assert len(ids) == len(set(ids))
    assert {level for theme in THEMES for _, level in levels(theme)} == {1, 2, 3}
    assert problem("bridge", 1) is None and problem("nolo", 0) is None and problem("nolo", 999) is None


def test_problem_of_the_day_comes_once_in_a_round_and_is_sealed() -> None:
    total = sum(map(count, THEMES))
    first = date.fromordinal(total * 3600)
    days = [first + timedelta(days=day) for day in range(total)]
    drawn = [daily(day, b"secret") for day in days]
    assert len(set(drawn)) == total and drawn != [daily(day, b"another") for day in days]
    line, seal = sealed(days[0], b"secret")
    assert hashlib.sha256(line.encode()).hexdigest() == seal
    assert line.startswith(f"{days[0]} {drawn[0][0]} {drawn[0][1]} ") and len(line.split()[-1]) == 32
    assert seal not in {sealed(days[0], b"another")[1], sealed(days[1], b"secret")[1]}


def test_problem_view_holds_no_secret() -> None:
    for theme, number in SOME:
        moment = problem(theme, number)
        assert moment is not None
        view = moment.hand.view(moment.seat)
        assert {parse_action(text) for text in moment.right} <= set(view.legal)
        assert str(moment.hand.log[0][1]) not in repr(view)
